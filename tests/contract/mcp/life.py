"""From the first line to the end of the process: what is in flight when the input ends, what no client waits for now,
who does not read, and what a signal leaves."""
import json
import os
import pathlib
import signal
import subprocess
import time

from api_server import ApiServer, expect, wait_for_count
from conversation import Conversation, wait_until
from limits import LIMIT_S

LONG_MS = 3000  # the phone is busy for as long, also when the client has stopped waiting


def nap(number, milliseconds, **more):
    return {"id": number, "method": "tools/call", "params": {"name": "execute", "arguments": {
        "actions": [{"id": "n", "type": "sleep", "params": {"durationMs": milliseconds}}]}, **more}}


def wait_for(number, text="No such text"):
    return {"id": number, "method": "tools/call", "params": {"name": "wait_for", "arguments": {
        "selector": {"text": text}, "timeout_ms": LONG_MS}}}


def cancel(number):
    return {"method": "notifications/cancelled", "params": {"requestId": number, "reason": "enough"}}


def status_of(message):
    return json.loads(message["result"]["content"][0]["text"])["ok"]


def input_ends(place):
    """What is in flight is still answered, whenever the end comes; then the process ends well, and says nothing
    else."""
    with Conversation(place) as talk:
        talk.greet()
        talk.send(nap(7, 700), {"id": 8, "method": "ping"})
        messages, status, said = talk.end()
        expect(place, "ids", sorted(message["id"] for message in messages), [7, 8])
        expect(place, "the plan", [status_of(each) for each in messages if each["id"] == 7], [True])
        expect(place, "the end", (status, said), (0, b""))
    for text in (b"", b"\n", b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'):
        with Conversation(place) as talk:
            talk.write(text)
            expect(place, f"only {text!r}", talk.end(), ([], 0, b""))
    pings = [b'{"jsonrpc":"2.0","id":%d,' % number for number in range(3)]
    (place.sandbox / "questions").write_bytes(b"".join(start + b'"method":"ping"}\n' for start in pings))
    with open(place.sandbox / "questions", "rb") as questions:  # which has its end at once
        done = subprocess.run([place.binary, "mcp"], stdin=questions, env=place.env, cwd=place.sandbox,
                              capture_output=True,
                              timeout=LIMIT_S, check=False)
    expect(place, "of a file", (done.stdout, done.returncode),
           (b"".join(start + b'"result":{}}\n' for start in pings), 0))
    for number in range(10):  # the answer and the end of the input at the same moment
        with Conversation(place) as talk:
            talk.write(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tap"}}\n[]\n')
            messages, status, _ = talk.end()
            ids = sorted(str(each["id"]) for each in messages)
            expect(place, f"answers at the end {number}", (ids, status), (["1", "None"], 0))


def cancelled(place):
    """No answer to what is cancelled, on the same link or in the same write; what comes next works."""
    with Conversation(place) as talk:
        talk.greet()
        talk.send(wait_for(101))
        wait_for_count(place)
        talk.send(cancel(101), {"id": "next", "method": "ping"})
        expect(place, "the next", talk.message(), {"jsonrpc": "2.0", "id": "next", "result": {}})
        expect(place, "a look afterwards", talk.tool("snapshot").hash is not None, True)
        talk.send(wait_for("b"), cancel("b"), {"id": "c", "method": "ping"})
        expect(place, "in one write", talk.message()["id"], "c")
        talk.send(cancel("b"), cancel(101), cancel("c"), cancel(10**9), {"id": "d", "method": "ping"})
        expect(place, "what is over", talk.message()["id"], "d")
        expect(place, "the end", talk.end(), ([], 0, b""))
    logs = "".join(path.read_text() for path in pathlib.Path(place.env["HOME"]).rglob("clawperator-*.log"))
    events = [json.loads(line) for line in logs.splitlines() if "mcp.cancelled" in line]
    expect(place, "the log has what may have happened", len(events) >= 1 and "wait_for" in json.dumps(events[0]),
           True)


def progress(place):
    """A client that sends a token gets the steps, in rising numbers, before the answer; no other does."""
    plan = {"name": "execute", "arguments": {"actions": [{"id": "s", "type": "snapshot_ui"},
                                                         {"id": "k", "type": "press_key", "params": {"key": "home"}}]}}
    with Conversation(place) as talk:
        talk.greet()
        expect(place, "without a token", ("result" in talk.request("tools/call", plan), talk.notes), (True, []))
        for token in ("t", 7, 1.5):
            answer = talk.request("tools/call", {**plan, "_meta": {"progressToken": token}})
            expect(place, "the plan", status_of(answer), True)
            reply = [(note["method"], note["params"]["progressToken"]) for note in talk.notes]
            expect(place, "notifications", reply, [("notifications/progress", token)] * max(2, len(reply)))
            numbers = [note["params"]["progress"] for note in talk.notes]
            expect(place, "they rise", numbers, sorted(set(numbers)))
            talk.notes.clear()
        for token in (None, {}, True):
            talk.request("tools/call", {**plan, "_meta": {"progressToken": token}})
            expect(place, f"a token that is none: {token}", talk.notes, [])
        expect(place, "nothing afterwards", talk.end(), ([], 0, b""))


def many_at_once(place):
    """Who writes many requests and then reads gets every answer, whatever their number."""
    with Conversation(place) as talk:
        talk.send(*[{"id": number, "method": "ping"} for number in range(1000)])
        messages, status, _ = talk.end()
        answers = {message["id"]: message for message in messages}
        expect(place, "answers, and those that are none", (len(messages), len(answers), status), (1000, 1000, 0))
        refused = [message for message in messages if "error" in message]
        expect(place, f"{len(refused)} were refused", refused[:1], [])


def the_reader_is_gone(place):
    """Who asks and asks and never reads costs a bounded room: it is not listened to any more, or let go."""
    question = b'{"jsonrpc":"2.0","id":"' + b"x" * 10000 + b'","method":"tools/list"}\n'  # its answer is longer
    most = 64 << 20
    with Conversation(place, reads=False) as talk:
        link = talk.child.stdin.fileno()
        os.set_blocking(link, False)
        sent, last = 0, time.monotonic()
        while sent < most and time.monotonic() < last + 10:
            try:
                sent += os.write(link, question * 6)
                last = time.monotonic()
            except BlockingIOError:
                time.sleep(0.01)
            except BrokenPipeError:
                break
        expect(place, f"it took {sent >> 20} MiB of questions and holds their answers", sent < most, True)
        expect(place, "it has not crashed", talk.child.poll(), None)


def signalled(place):
    """It ends of a signal, in the middle of any call as well, and leaves nothing that holds the phone."""
    calls = [nap(1, LONG_MS), wait_for(1),
             {**wait_for(1), "params": {"name": "wait_for", "arguments": {"selector": {"role": "text"}, "gone": True}}}]
    for number, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
        for call in [None, *calls]:
            with Conversation(place, "--device", place.device.serial) as talk:
                talk.greet()
                before = place.device.counters().get("broadcast", 0)
                if call:
                    talk.send(call)
                    wait_for_count(place, count=before + 1)
                talk.child.send_signal(number)
                status = talk.child.wait(LIMIT_S)
                expect(place, f"exit of {number} in {call}", (status in (0, code), status), (True, status))
                messages, _, said = talk.ended()
                expect(place, "its last words", (said, [each for each in messages if "result" in each]), (b"", []))
    done = place.run("snapshot", "--wait", "20000")
    expect(place, "afterwards", (done.returncode, json.loads(done.stdout)["envelope"]["status"]), (0, "success"))
    expect(place, "sockets that are left", list(pathlib.Path(place.env["XDG_RUNTIME_DIR"]).rglob("*.sock")), [])


def by_a_daemon(place):
    """Executions go through a daemon or serve of this user: pictures, too, and what is cancelled ends there."""
    with ApiServer(place) as server, Conversation(place) as talk:
        reader = server.events()
        expect(place, "heartbeat", reader.next()[0], "heartbeat")
        talk.greet()
        talk.tool("snapshot")
        name, reply, _ = reader.next()
        expect(place, "reported by serve", (name, reply["deviceId"]), ("clawperator:result", place.device.serial))
        expect(place, "the execution", reader.next()[0], "clawperator:execution")
        shot = talk.call("screenshot", max_side=320)
        expect(place, "a picture", [block["type"] for block in shot["content"]], ["text", "image"])
        talk.refused("NODE_NOT_FOUND", "wait_for", selector={"text": "No such text"}, timeout_ms=200)
        count = json.loads(place.run("daemon", "status").stdout)["executions"]
        expect(place, "executions", count >= 3, True)
        talk.send(wait_for("long"))
        wait_until(place,
                   "it is not in flight", lambda: json.loads(place.run("daemon", "status").stdout)["inFlight"] == 1)
        talk.send(cancel("long"), {"id": "p", "method": "ping"})
        expect(place, "no answer", talk.message()["id"], "p")
        wait_until(place,
                   "it is still in flight", lambda: json.loads(place.run("daemon", "status").stdout)["inFlight"] == 0)
        reader.close()


def whose_device(place):
    """MCP ignores ANDROID_SERIAL, as serve does; --device is the device of every call that names none."""
    with Conversation(place, env={"ANDROID_SERIAL": "absent"}) as talk:
        talk.tool("snapshot")
    with Conversation(place, "--device", "absent") as talk:
        talk.refused("DEVICE_NOT_FOUND", "snapshot")
        talk.tool("snapshot", device=place.device.serial)
    with Conversation(place) as talk:
        for tool, more in (("snapshot", {}), ("tap", {"x": 1, "y": 1}), ("swipe", {"x1": 1, "y1": 1, "x2": 2, "y2": 2}),
                           ("screenshot", {}), ("press_key", {"key": "enter"}), ("press_key", {"key": "back"})):
            talk.refused("DEVICE_NOT_FOUND", tool, device="absent", **more)


CHECKS = [
    ("mcp: input ends", True, input_ends),
    ("mcp: cancelled", True, cancelled),
    ("mcp: progress", True, progress),
    ("mcp: many at once", False, many_at_once),
    ("mcp: the reader is gone", False, the_reader_is_gone),
    ("mcp: signalled", True, signalled),
    ("mcp: by a daemon", True, by_a_daemon),
    ("mcp: whose device", True, whose_device),
]
