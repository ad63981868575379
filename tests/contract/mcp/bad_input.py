"""What is no message, and what is a message that asks for the impossible: each is answered, and the next one works."""
import json

from api_server import ApiServer, expect
from conversation import Conversation

MOST = 4 << 20  # of one line


def ping(number):
    return {"id": number, "method": "ping"}


def code_of(place, talk, text):
    """The code and the id that a line is answered with."""
    talk.write(text + b"\n")
    answer = talk.message()
    if "error" not in answer:
        raise place.Mismatch(f"{text[:200]!r}: {answer}")
    return answer["error"]["code"], answer["id"]


def lines(place):
    """-32700 is what is no JSON, -32600 what is no request; the id is returned where there is one."""
    deep = b'{"a":' * 2000 + b"1" + b"}" * 2000
    call = b'{"jsonrpc":"2.0","id":%s,"method":"ping"}'
    rows = [(text, -32700, None) for text in (
        b"garbage", b"{", b'{"jsonrpc":"2.0","id":1,"method":"ping"', b'{"a":1}}', b"\xff\xfe", b'{"a":"\xff"}',
        b"[" * 20000, b"Content-Length: 40", b'{"jsonrpc":"2.0","id":1,"method":"pi\0ng"}', b"\0", b"nan")]
    rows += [(text, -32600, None) for text in (
        b"[]", b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', b"7", b'"x"', b"null", b"true", b"{}",
        *[call % number for number in (b"null", b"true", b"{}", b"[1]")])]
    rows += [(b'{"id":5,"method":"ping"}', -32600, 5), (b'{"jsonrpc":"1.0","id":"a","method":"ping"}', -32600, "a"),
             (b'{"jsonrpc":2.0,"id":6,"method":"ping"}', -32600, 6),
             (b'{"jsonrpc":"2.0","id":7,"method":7}', -32600, 7),
             (b'{"jsonrpc":"2.0","id":8}', -32600, 8)]
    with Conversation(place) as talk:
        for number, (text, code, reply) in enumerate(rows):
            expect(place, repr(text[:80]), code_of(place, talk, text), (code, reply))
            talk.send(ping(f"after {number}"))
            expect(place, "the next", talk.message(), {"jsonrpc": "2.0", "id": f"after {number}", "result": {}})
        code, _ = code_of(place, talk, deep)
        expect(place, "deep nesting", code in (-32700, -32600), True)
        code, reply = code_of(place, talk, b'{"jsonrpc":"2.0","id":9,"method":"ping","params":[]}')
        expect(place, "params that are no object", (code in (-32600, -32602), reply), (True, 9))
        expect(place, "the end", talk.end(), ([], 0, b""))


def blanks(place):
    """Empty lines are none; CRLF ends a line, too; a line may come in pieces, or several at once."""
    with Conversation(place) as talk:
        talk.write(b'\n\r\n  \n\t\n{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n\n')
        expect(place, "CRLF", talk.message(), {"jsonrpc": "2.0", "id": 1, "result": {}})
        for piece in (b'{"jsonrpc":"2.0",', b'"id":2,"met', b'hod":"ping"}', b"\r", b"\n"):
            talk.write(piece)
        expect(place, "in pieces", talk.message()["id"], 2)
        talk.send(*[ping(number) for number in range(3, 33)])
        expect(place, "at once", sorted(talk.message()["id"] for _ in range(3, 33)), list(range(3, 33)))
        talk.write('{"jsonrpc":"2.0","id":"gr\u00fc\u00df \U0001f600","method":"ping"}\n'.encode())
        expect(place, "an id of other letters", talk.message()["id"], "gr\u00fc\u00df \U0001f600")
        talk.write(b'{"jsonrpc":"2.0","id":9007199254740991,"method":"ping"}\n')
        expect(place, "a long number", talk.line(), b'{"jsonrpc":"2.0","id":9007199254740991,"result":{}}\n')


def ids(place):
    """An id goes back as it came, byte for byte, with results, with faults and with progress; two of one number
    differ."""
    spelt = (b"1.5", b"-0", b"1.0", b"1e2", b"99999999999999999999999", b"99999999999999999999998",
             b'"gr\xc3\xbc\xc3\x9f"',
             b'"a\\u0062\\/"', b'""')
    with Conversation(place) as talk:
        for number in spelt:
            talk.write(b'{"method":"ping","id" : ' + number + b' ,"jsonrpc":"2.0"}\n')
            expect(place, "a result", talk.line(), b'{"jsonrpc":"2.0","id":' + number + b',"result":{}}\n')
            talk.write(b'{"jsonrpc":"2.0","id":' + number + b',"method":"no/such"}\n')
            expect(place, "a fault", talk.line().startswith(b'{"jsonrpc":"2.0","id":' + number + b',"error":'), True)


def lines_of_others(place):
    """What ends a line to some readers does so to none: in an id, in a fault, in what a tool says."""
    ends = "a\u2028b\u2029c\u0085d"
    with Conversation(place) as talk:
        talk.write(json.dumps({"jsonrpc": "2.0", "id": ends, "method": ends}, ensure_ascii=False).encode() + b"\n")
        answer = talk.message()
        expect(place, "a fault", (answer["id"], ends in answer["error"]["message"]), (ends, True))
        reply = talk.refused("USAGE", "tap", **{ends: 1})
        expect(place, "a tool", ends in reply["message"], True)
    with ApiServer(place) as server:
        _, _, body = server.ask("POST", "/mcp", {"jsonrpc": "2.0", "id": ends, "method": ends})
        expect(place, "by HTTP", (len(body.decode().splitlines()), json.loads(body)["id"]), (1, ends))


def half_a_line(place):
    """What had no line feed when the input ended is a line as well."""
    for text, code in ((b'{"jsonrpc":"2.0","id":1,"me', -32700), (b'{"jsonrpc":"2.0","id":1,"method":"ping"}', None)):
        with Conversation(place) as talk:
            talk.write(text)
            messages, status, said = talk.end()
            expect(place, repr(text), [message.get("error", {}).get("code") for message in messages], [code])
            expect(place, "the end", (status, said), (0, b""))


def too_long(place):
    """A line above 4 MiB is refused, whatever it is, and the next one works; one that is just as long is taken."""
    def padded(number, size):
        start = b'{"jsonrpc":"2.0","id":%d,"method":"ping","params":{"x":"' % number
        return start + b"x" * (size - len(start) - 3) + b'"}}'

    with Conversation(place) as talk:
        for number, text in enumerate((padded(1, MOST + 1), b"x" * (3 * MOST), padded(1, 5 * MOST))):
            code, reply = code_of(place, talk, text)
            expect(place, f"{len(text)} bytes", (code in (-32700, -32600), reply), (True, None))
            talk.send(ping(f"after {number}"))
            expect(place, "the next", talk.message(), {"jsonrpc": "2.0", "id": f"after {number}", "result": {}})
        talk.write(padded(7, MOST) + b"\n")
        expect(place, "as long as may be", talk.message(), {"jsonrpc": "2.0", "id": 7, "result": {}})
        talk.write(b"x" * (MOST + 1))
        messages, status, said = talk.end()
        expect(place, "too long, then the end",
               ([each["error"]["code"] in (-32700, -32600) for each in messages], status, said),
               ([True], 0, b""))


def methods(place):
    """An unknown method is -32601; what is no request gets no answer."""
    with Conversation(place) as talk:
        for method in ("resources/lists", "prompts/list", "tools/listing", "", "Ping", "x" * 5000,
                       "completion/complete"):
            expect(place, method[:40], talk.request(method)["error"]["code"], -32601)
        talk.send({"method": "notifications/roots/list_changed"}, {"method": "no/such"}, {"method": "tools/call"},
                  {"id": 5, "result": {}}, {"id": 6, "error": {"code": 1, "message": "x"}},
                  {"method": "notifications/cancelled", "params": {"requestId": "unknown"}},
                  {"method": "notifications/cancelled"},
                  {"method": "notifications/cancelled", "params": {"requestId": None}})
        expect(place, "the end", talk.end(), ([], 0, b""))


def arguments(place):
    """Malformed parameters are errors of the protocol; what a model can mend is a result that says so."""
    with Conversation(place) as talk:
        for params in (None, {}, {"name": 7}, {"name": "no_such_tool"}, {"name": "Tap"},
                       {"name": "tap", "arguments": []},
                       {"name": "tap", "arguments": "x"}, {"name": "tap", "arguments": 1}):
            expect(place, str(params), talk.request("tools/call", params)["error"]["code"], -32602)
        bad = [("tap", {"foo": 1}, "foo"), ("tap", {"x": "a", "y": 1}, "x"), ("tap", {"x": 1.5, "y": 1}, "x"),
               ("tap", {"x": True, "y": 1}, "x"), ("tap", {"x": -1, "y": 1}, "x"), ("tap", {"x": 1e300, "y": 1}, "x"),
               ("tap", {"x": 1}, "y"), ("tap", {}, "ref"), ("tap", {"ref": 3}, "ref"), ("tap", {"ref": "@x"}, "ref"),
               ("tap", {"selector": "Apps"}, "selector"), ("tap", {"selector": {}}, "selector"),
               ("tap", {"selector": {"txt": "a"}}, "selector"), ("tap", {"selector": {"text": 1}}, "selector"),
               ("tap", {"x": 1, "y": 1, "selector": {"text": "a"}}, "several"),
               ("tap", {"x": 1, "y": 1, "observe": "all"}, "observe"),
               ("tap", {"x": 1, "y": 1, "settle_ms": 999999}, "settle_ms"), ("tap", {"scroll": "down"}, "scroll"),
               ("swipe", {}, "direction"), ("swipe", {"direction": "north"}, "direction"), ("swipe", {"x1": 1}, "x2"),
               ("swipe", {"direction": "up", "x1": 1, "y1": 1, "x2": 1, "y2": 1}, "direction"),
               ("type_text", {"selector": {"role": "textfield"}}, "text"), ("type_text", {"text": "a"}, "selector"),
               ("press_key", {}, "key"), ("press_key", {"key": "no_such_key"}, "no_such_key"),
               ("press_key", {"key": "enter; reboot"}, "enter; reboot"), ("close_app", {}, "package"),
               ("open_url", {"url": 7}, "url"), ("wait_for", {}, "selector"), ("wait_for", {"gone": True}, "selector"),
               ("wait_for", {"package": "a.b", "gone": True}, "gone"),
               ("wait_for", {"selector": {"text": "a"}, "gone": "maybe"}, "gone"),
               ("wait_for", {"selector": {"text": "a"}, "timeout_ms": 45001}, "timeout_ms"),
               ("screenshot", {"format": "webp"}, "format"), ("screenshot", {"max_side": 1}, "max_side"),
               ("snapshot", {"mode": "html"}, "mode"), ("snapshot", {"since": "now"}, "since"),
               ("snapshot", {"max_bytes": "many"}, "max_bytes"), ("execute", {}, "actions"),
               ("execute", {"actions": {"id": 1}}, "actions"),
               ("execute", {"handle": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}, "handle"), ("devices", {"device": "x"}, "device")]
        for tool, given, part in bad:
            reply = talk.refused("USAGE", tool, **given)
            if part not in reply["message"]:
                raise place.Mismatch(f"{tool} {given}: {reply['message']!r} does not name {part!r}")
        for actions in ([{}], [{"id": "a", "type": "fly"}], [{"id": "a", "type": "open_app"}]):
            talk.refused("EXECUTION_VALIDATION_FAILED", "execute", actions=actions)
        for tool, given in (("open_url", {"url": ""}), ("close_app", {"package": ""})):
            talk.refused("EXECUTION_VALIDATION_FAILED", tool, **given)
        expect(place, "nothing reached the phone", place.device.counters().get("broadcast", 0), 0)


def as_some_hosts_write(place):
    """Numbers and booleans as texts, null for what is absent."""
    with Conversation(place) as talk:
        for given in ({"x": "12", "y": "40"}, {"x": 12.0, "y": 40}, {"x": 12, "y": 40, "ref": None, "selector": None}):
            talk.tool("tap", observe="none", **given)
        expect(place, "taps", place.device.counters().get("broadcast"), 3)
        for params in ({"name": "devices"}, {"name": "devices", "arguments": None},
                       {"name": "devices", "arguments": {}}):
            expect(place, str(params), "isError" in talk.result("tools/call", params), False)
        gone = talk.tool("wait_for", selector={"text": "No such"}, gone="true", observe="none", timeout_ms="20000")
        expect(place, "gone", gone.verdict["gone"], True)


def same_id_twice(place):
    """The second request of an id in flight is refused, at once or in one write; the first is answered."""
    nap = {"id": "a", "method": "tools/call", "params": {"name": "execute", "arguments": {
        "actions": [{"id": "n", "type": "sleep", "params": {"durationMs": 1000}}]}}}
    for at_once in (False, True):
        with Conversation(place) as talk:
            talk.greet()
            talk.send(nap, *([ping("a")] if at_once else []))
            if not at_once:
                talk.send(ping("a"))
            first, second = talk.message(), talk.message()
            expect(place, "the second one", (first["id"], first.get("error", {}).get("code")), ("a", -32600))
            expect(place, "the first one", json.loads(second["result"]["content"][0]["text"])["ok"], True)
            talk.send(ping("a"))
            expect(place, "afterwards", talk.message(), {"jsonrpc": "2.0", "id": "a", "result": {}})
            expect(place, "the end", talk.end(), ([], 0, b""))


CHECKS = [
    ("mcp: lines", False, lines),
    ("mcp: blanks", False, blanks),
    ("mcp: ids", False, ids),
    ("mcp: lines of others", False, lines_of_others),
    ("mcp: half a line", False, half_a_line),
    ("mcp: too long", False, too_long),
    ("mcp: methods", False, methods),
    ("mcp: arguments", True, arguments),
    ("mcp: as some hosts write", True, as_some_hosts_write),
    ("mcp: same id twice", True, same_id_twice),
]
