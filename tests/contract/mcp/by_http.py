"""POST /mcp of `serve`: the rules of its headers, its statuses, and who is kept out."""
import base64
import json
import socket

from api_server import ApiServer, expect, expect_error, wait_for_count
from conversation import LEGACY, META, MODERN, TOOLS, metadata
from limits import LIMIT_S

LEGACY_LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


def modern(method, number="m", meta=None, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method,
            "params": {**params, "_meta": metadata() if meta is None else meta}}


def headers_of(message, **other):
    """Those that a client of the newer era sends; a header that is None is left out."""
    reply = {"MCP-Protocol-Version": message["params"]["_meta"].get(META + "protocolVersion"),
            "Mcp-Method": message["method"],
            "Mcp-Name": message["params"].get("name")}
    reply.update({name.replace("_", "-"): value for name, value in other.items()})
    return {name: value for name, value in reply.items() if value is not None}


def encoded(text):
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def ask(server, message, headers=None):
    return server.json("POST", "/mcp", message, headers)


def expect_fault(place, what, answer, status, code, number):
    reply = answer[1]
    expect(place, what, (answer[0], reply.get("error", {}).get("code"), reply.get("id"), reply.get("jsonrpc")),
           (status, code, number, "2.0"))


def newer_era(place):
    with ApiServer(place) as server:
        for method in ("server/discover", "tools/list"):
            message = modern(method)
            status, reply = ask(server, message, headers_of(message))
            expect(place, method, (status, reply["id"], reply["result"]["resultType"]), (200, "m", "complete"))
        expect(place, "names", [tool["name"] for tool in reply["result"]["tools"]], TOOLS)
        call = modern("tools/call", name="tap", arguments={"foo": 1})
        for name in ("tap", "  tap\t", encoded("tap")):
            status, reply = ask(server, call, headers_of(call, Mcp_Name=name))
            expect(place, f"Mcp-Name {name!r}", (status, reply["result"]["isError"]), (200, True))
        other_case = {name.lower(): value for name, value in headers_of(call).items()}
        expect(place, "names of headers in small letters", ask(server, call, other_case)[0], 200)
        more = {"Mcp-Session-Id": "x", "Last-Event-ID": "7", "Accept": "application/json, text/event-stream"}
        expect(place, "what is to be ignored", ask(server, call, {**headers_of(call), **more})[0], 200)


def headers_are_judged(place):
    """They say what the body says, or the request is refused; versions, before all else, are known ones."""
    with ApiServer(place) as server:
        call, listing = modern("tools/call", name="tap", arguments={"foo": 1}), modern("tools/list")
        wrong = [(call, {"Mcp_Name": None}), (call, {"Mcp_Name": "Tap"}), (call, {"Mcp_Name": "swipe"}),
                 (call, {"Mcp_Name": ""}),
                 (call, {"Mcp_Name": "=?base64?!!?="}), (call, {"Mcp_Name": encoded("swipe")}),
                 (call, {"Mcp_Method": None}), (call, {"Mcp_Method": "tools/list"}),
                 (listing, {"Mcp_Method": "Tools/List"}),
                 (listing, {"MCP_Protocol_Version": None}), (listing, {"MCP_Protocol_Version": LEGACY[0]}),
                 (listing, {"MCP_Protocol_Version": "2026-07-29"})]
        for message, other in wrong:
            expect_fault(place, str(other), ask(server, message, headers_of(message, **other)), 400, -32020, "m")
        message = modern("tools/list", meta=metadata("2099-01-01"))
        answer = ask(server, message, headers_of(message))
        expect_fault(place, "an unknown version", answer, 400, -32022, "m")
        expect(place, "data",
               (answer[1]["error"]["data"]["requested"], MODERN in answer[1]["error"]["data"]["supported"]),
               ("2099-01-01", True))
        message = modern("tools/list", meta=metadata(clientCapabilities=None))
        expect_fault(place, "without capabilities", ask(server, message, headers_of(message)), 400, -32602, "m")
        headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/list"}
        answer = ask(server, {**LEGACY_LIST, "params": {}}, headers)
        expect_fault(place, "a header without metadata", answer, 400, -32602, 1)
        headers["Mcp-Method"] = "server/discover"
        for params in ({}, {"params": {}}, {"params": {"_meta": metadata(version=None)}}):
            answer = ask(server, {"jsonrpc": "2.0", "id": "m", "method": "server/discover", **params}, headers)
            expect_fault(place, f"discover with {params}", answer, 400, -32602, "m")
        for method in ("initialize", "ping", "logging/setLevel", "resources/subscribe", "no/such"):
            message = modern(method)
            expect_fault(place, method, ask(server, message, headers_of(message)), 404, -32601, "m")
        message = modern("tools/call", name="no_such_tool")
        expect_fault(place, "an unknown tool", ask(server, message, headers_of(message)), 400, -32602, "m")


def older_era(place):
    with ApiServer(place) as server:
        answer = ask(server, LEGACY_LIST, {"MCP-Protocol-Version": "1999-01-01"})
        expect(place, "an unsupported header", (answer[0], "error" in answer[1], answer[1]["id"]), (400, True, 1))
        expect_fault(place, "an unknown method", ask(server, {**LEGACY_LIST, "method": "no/such"}), 200, -32601, 1)
        expect(place, "ping", ask(server, {**LEGACY_LIST, "method": "ping"}),
               (200, {"jsonrpc": "2.0", "id": 1, "result": {}}))
        # The server has no sessions, so it ignores the one that a client sends.
        expect(place, "a session", ask(server, LEGACY_LIST, {"Mcp-Session-Id": "x"})[0], 200)


def nothing_to_answer(place):
    """Notifications, and answers to what was not asked: 202, and not a byte."""
    with ApiServer(place) as server:
        for message in ({"method": "notifications/initialized"},
                        {"method": "notifications/cancelled", "params": {"requestId": 1}}, {"method": "no/such"},
                        {"id": 1, "result": {}}, {"id": 1, "error": {"code": 1, "message": "x"}}):
            status, _, body = server.ask("POST", "/mcp", {"jsonrpc": "2.0", **message})
            expect(place, str(message), (status, body), (202, b""))
        for method in ("GET", "DELETE", "PUT"):
            status, headers, body = server.ask(method, "/mcp")
            code = json.loads(body)["error"]["code"]
            expect(place, method, (status, headers["Allow"], code), (405, "POST", "METHOD_NOT_ALLOWED"))
        status, _, _ = server.ask("GET", "/mcp", headers={"Accept": "text/event-stream"})
        expect(place, "a stream", status, 405)


def kept_out(place):
    """Pages of other sites, other names of this host, and clients without the token."""
    with ApiServer(place) as server:
        expect_error(place, ask(server, LEGACY_LIST, {"Host": "evil.example"}), 403, "FORBIDDEN_HOST")
        for origin in ("http://evil.example", "null", "http://localhost.evil.example"):
            expect_error(place, ask(server, LEGACY_LIST, {"Origin": origin}), 403, "FORBIDDEN_ORIGIN")
            notification = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            status, _, _ = server.ask("POST", "/mcp", notification, {"Origin": origin})
            expect(place, f"a notification of {origin}", status, 403)
        for host in ("localhost", "127.0.0.1:1", "[::1]"):
            expect(place, host, ask(server, LEGACY_LIST, {"Host": host, "Origin": f"http://{host}"})[0], 200)
    with ApiServer(place, "--require-token") as server:
        expect(place, "token", ask(server, LEGACY_LIST)[0], 200)
        server.token = None
        expect_error(place, ask(server, LEGACY_LIST), 401, "UNAUTHORIZED")


def bad_bodies(place):
    """What is no message; and a body that does not say that it is JSON, as on the other routes."""
    kind = {"Content-Type": "application/json"}
    with ApiServer(place) as server:
        for text in ("{", "", "garbage", b'{"a":"\xff"}', "[" * 20000, '{"jsonrpc":"2.0","id":1,"method":"ping"}{}'):
            expect_fault(place, repr(text[:40]), ask(server, text, kind), 400, -32700, None)
        for text in ("[]", "7", '"x"', "{}", '{"jsonrpc":"2.0","id":null,"method":"ping"}'):
            expect_fault(place, text[:60], ask(server, text, kind), 400, -32600, None)
        expect_fault(place, "no version", ask(server, {"id": 3, "method": "ping"}), 400, -32600, 3)
        answer = ask(server, json.dumps({**LEGACY_LIST, "params": {"x": "y" * 102400}}), kind)
        expect_error(place, answer, 413, "PAYLOAD_TOO_LARGE")
        expect(place, "afterwards", ask(server, LEGACY_LIST)[0], 200)
        kind["Content-Type"] += "; charset=utf-8"
        expect(place, "with its charset", ask(server, json.dumps(LEGACY_LIST), kind)[0], 200)
        for headers in ({"Content-Type": "text/plain"}, {"Content-Type": "application/x-www-form-urlencoded"}, {}):
            status, _, _ = server.ask("POST", "/mcp", json.dumps(LEGACY_LIST), headers)
            expect(place, f"a body of {headers}", status in (400, 415), True)


def asked_and_left(place, server, message, headers):
    """Who asks and is gone before the answer."""
    body = json.dumps(message).encode()
    lines = [f"{name}: {value}" for name, value in {"Host": "localhost", "Content-Type": "application/json",
                                                   "Content-Length": len(body), **server.bearing, **headers}.items()]
    before = place.device.counters().get("broadcast", 0)
    with socket.create_connection(("127.0.0.1", server.port), LIMIT_S) as link:
        link.sendall(("POST /mcp HTTP/1.1\r\n" + "\r\n".join(lines) + "\r\n\r\n").encode() + body)
        wait_for_count(place, count=before + 1)


def who_leaves(place):
    """Of the older era, a request is carried out to its end; of the newer one, leaving is to cancel."""
    with ApiServer(place) as server:
        reader = server.events()
        expect(place, "heartbeat", reader.next()[0], "heartbeat")
        nap = {"name": "execute",
               "arguments": {"actions": [{"id": "n", "type": "sleep", "params": {"durationMs": 1500}}]}}
        asked_and_left(place, server, {**LEGACY_LIST, "method": "tools/call", "params": nap}, {})
        name, reply, _ = reader.next()
        expect(place, "the older era", (name, reply["envelope"]["status"]), ("clawperator:result", "success"))
        expect(place, "the older era", reader.next()[0], "clawperator:execution")
        message = modern("tools/call", name="wait_for",
                         arguments={"selector": {"text": "No such"}, "timeout_ms": 20000})
        asked_and_left(place, server, message, headers_of(message))
        expect(place, "the newer era", reader.next()[0], "clawperator:result")
        name, reply, _ = reader.next()
        result = reply.get("result", {})
        expect(place, "the newer era", (name, result.get("ok"), result.get("error", {}).get("code")),
               ("clawperator:execution", False, "CANCELLED"))
        reader.close()


CHECKS = [
    ("mcp: HTTP, newer era", False, newer_era),
    ("mcp: HTTP, headers are judged", False, headers_are_judged),
    ("mcp: HTTP, older era", False, older_era),
    ("mcp: HTTP, nothing to answer", False, nothing_to_answer),
    ("mcp: HTTP, kept out", False, kept_out),
    ("mcp: HTTP, bad bodies", False, bad_bodies),
    ("mcp: HTTP, who leaves", True, who_leaves),
]
