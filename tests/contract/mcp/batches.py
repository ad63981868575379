"""Several messages in one, which version 2025-03-26 alone has."""
import json

from api_server import ApiServer, expect, wait_for_count
from conversation import LEGACY, MODERN, Conversation, metadata

VERSION = "2025-03-26"
MOST = 32


def request(number, method="ping", **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, **({"params": params} if params else {})}


def pong(number):
    return {"jsonrpc": "2.0", "id": number, "result": {}}


def batch_of(place, talk, messages):
    """The replies to a batch, which are one line."""
    talk.write(json.dumps(messages).encode() + b"\n")
    replies = json.loads(talk.raw_line())
    expect(place, "an array", isinstance(replies, list), True)
    return replies


def code_and_id(reply):
    return reply["error"]["code"], reply["id"]


def answered(place):
    with Conversation(place) as talk:
        talk.greet(VERSION)
        expect(place, "pings", batch_of(place, talk, [request(1), request("b")]), [pong(1), pong("b")])
        replies = batch_of(place, talk, [
            request(1, "tools/list"), {"jsonrpc": "2.0", "method": "notifications/roots/list_changed"},
            request(2, "no/such"), 7,
            request(3, "initialize", protocolVersion=VERSION),
            request(4, "tools/call", name="tap", arguments={"foo": 1}),
            {"jsonrpc": "2.0", "id": 9, "result": {}}, request(5, "tools/list", _meta=metadata(MODERN)), request(6)])
        expect(place, "each has its own", [reply["id"] for reply in replies], [1, 2, None, 3, 4, 5, 6])
        expect(place, "faults", [code_and_id(reply) for reply in replies if "error" in reply],
               [(-32601, 2), (-32600, None), (-32600, 3), (-32600, 5)])
        expect(place, "a tool's", replies[4]["result"]["isError"], True)
        expect(place, "one id twice", [("error" in reply, reply["id"]) for reply in batch_of(
            place, talk, [request("x", "tools/call", name="devices"), request("x")])], [(False, "x"), (True, "x")])
        # Nothing but notifications and answers has no answer.
        talk.write(json.dumps([{"jsonrpc": "2.0", "method": "x"},
                               {"jsonrpc": "2.0", "id": 1, "result": {}}]).encode() + b"\n")
        expect(place, "the next", talk.result("ping"), {})
        expect(place, "as many as may be", len(batch_of(place, talk, [request(number) for number in range(MOST)])),
               MOST)
        for text in (b"[]", json.dumps([request(number) for number in range(MOST + 1)]).encode()):
            talk.write(text + b"\n")
            expect(place, f"{len(text)} bytes", code_and_id(talk.message()), (-32600, None))
        talk.write(b'[{"jsonrpc":"2.0","id":1,\n')
        expect(place, "half a batch", code_and_id(talk.message()), (-32700, None))
        expect(place, "the end", talk.end(), ([], 0, b""))


def refused(place):
    """Before any handshake and under the other versions; whichever handshake was last counts."""
    ping = json.dumps([request(1)]).encode() + b"\n"
    for versions in ((), *((version,) for version in LEGACY if version != VERSION), (VERSION, LEGACY[0]),
                     ("1999-01-01",)):
        with Conversation(place) as talk:
            for version in versions:
                talk.greet(version)
            talk.write(ping)
            expect(place, f"after {versions}", code_and_id(talk.message()), (-32600, None))
            talk.greet(VERSION)
            expect(place, "after its handshake", batch_of(place, talk, [request(1)]), [pong(1)])


def cancelled(place):
    """What is cancelled has no reply in its batch; at the end of the input the batch is still answered."""
    wait = request("w", "tools/call", name="wait_for",
                   arguments={"selector": {"text": "No such text"}, "timeout_ms": 3000})
    with Conversation(place) as talk:
        talk.greet(VERSION)
        talk.write(json.dumps([wait, request(1)]).encode() + b"\n")
        wait_for_count(place)
        talk.send({"method": "notifications/cancelled", "params": {"requestId": "w"}})
        expect(place, "the rest", json.loads(talk.raw_line()), [pong(1)])
        talk.write(json.dumps([request(2), request(3, "tools/call", name="snapshot")]).encode())
        talk.child.stdin.close()
        expect(place, "at the end", [reply["id"] for reply in json.loads(talk.raw_line())], [2, 3])
        expect(place, "the end", talk.ended(), ([], 0, b""))


def by_http(place):
    """A client of that version sends none in a header, which came with the next one."""
    batch = [request(1), request(2, "tools/call", name="tap", arguments={}), {"jsonrpc": "2.0", "method": "x"}, 7]
    with ApiServer(place) as server:
        for headers in ({}, {"MCP-Protocol-Version": VERSION}):
            status, replies = server.json("POST", "/mcp", batch, headers)
            expect(place, f"with {headers}", (status, [reply["id"] for reply in replies]), (200, [1, 2, None]))
        status, _, body = server.ask("POST", "/mcp", [{"jsonrpc": "2.0", "method": "x"}], {})
        expect(place, "nothing to answer", (status, body), (202, b""))
        for messages in ([], [request(number) for number in range(MOST + 1)]):
            status, reply = server.json("POST", "/mcp", messages, {})
            expect(place, f"{len(messages)} messages", (status, code_and_id(reply)), (400, (-32600, None)))
        for version in (*LEGACY, MODERN):
            if version != VERSION:
                status, reply = server.json("POST", "/mcp", batch, {"MCP-Protocol-Version": version})
                expect(place, version, (status, code_and_id(reply)), (400, (-32600, None)))


CHECKS = [
    ("mcp: batches", False, answered),
    ("mcp: batches of other versions", False, refused),
    ("mcp: a batch that is cancelled", True, cancelled),
    ("mcp: batches by HTTP", False, by_http),
]
