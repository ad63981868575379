"""What arrives at `clawperator serve` byte by byte: malformed, smuggled, too long, too slow. Each is answered as
docs/reference/http.md says, nothing reaches the device, and the server goes on."""
import concurrent.futures
import json
import pathlib
import signal
import socket
import struct
import time
import typing

from api_server import TOKEN, ApiServer, expect, wait_for_count
from limits import LIMIT_S

WRITE_TIME_S = 10  # the server gives a reader as long for each 64 KiB
PLAN = {"commandId": "wire", "taskId": "task", "source": "test", "expectedFormat": "android-ui-automator",
        "timeoutMs": 60000, "actions": [{"id": "n", "type": "sleep", "params": {"durationMs": 10}}]}
BODY = json.dumps({"execution": PLAN})
# What must not run where it follows something that is refused.
BEARING = f"Authorization: Bearer {TOKEN}\r\n"
EXECUTE = (f"POST /execute HTTP/1.1\r\nHost: localhost\r\n{BEARING}Content-Type: application/json\r\n"
           f"Content-Length: {len(BODY)}\r\n\r\n{BODY}").encode()
POST = f"POST /execute HTTP/1.1\r\nHost: localhost\r\n{BEARING}Content-Type: application/json\r\n".encode()
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


class Row(typing.NamedTuple):
    name: str
    sent: bytes
    status: int
    code: str


REFUSED = [
    Row("a head that does not end", GET + b"X: " + b"x" * 20000, 431, "HEADERS_TOO_LARGE"),
    Row("a target that does not end", b"GET /" + b"x" * 20000, 431, "HEADERS_TOO_LARGE"),
    Row("too long a body, announced", POST + b"Content-Length: 102401\r\n\r\n", 413, "PAYLOAD_TOO_LARGE"),
    Row("too long a body, in chunks", CHUNKED + b"19001\r\n", 413, "PAYLOAD_TOO_LARGE"),
    Row("a chunk extension that does not end", CHUNKED + b"1;" + b"x" * 70000, 400, "BAD_REQUEST"),
    Row("a trailer that does not end", CHUNKED + b"0\r\nX: " + b"x" * 70000, 400, "BAD_REQUEST"),
    Row("a chunk of no size", CHUNKED + b"xyz\r\n", 400, "BAD_REQUEST"),
    Row("length, then chunks", POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400,
        "BAD_REQUEST"),
    Row("chunks, then length", POST + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n", 400,
        "BAD_REQUEST"),
    Row("two lengths", POST + b"Content-Length: 0\r\nContent-Length: 44\r\n\r\n", 400, "BAD_REQUEST"),
    Row("two equal lengths", POST + b"Content-Length: 0\r\nContent-Length: 0\r\n\r\n", 400, "BAD_REQUEST"),
    Row("a signed length", POST + b"Content-Length: +0\r\n\r\n", 400, "BAD_REQUEST"),
    Row("another encoding", POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501, "NOT_IMPLEMENTED"),
    Row("an encoding in disguise", POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501, "NOT_IMPLEMENTED"),
    Row("chunks twice", POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501,
        "NOT_IMPLEMENTED"),
    Row("chunks in HTTP/1.0", b"POST /execute HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400,
        "BAD_REQUEST"),
    Row("two Hosts", GET + b"Host: localhost\r\n\r\n", 400, "BAD_REQUEST"),
    Row("no Host", b"GET /healthz HTTP/1.1\r\nX: y\r\n\r\n", 400, "BAD_REQUEST"),
    Row("a folded line", GET + b"X: a\r\n b\r\n\r\n", 400, "BAD_REQUEST"),
    Row("a blank before the colon", GET + b"Content-Length : 4\r\n\r\n", 400, "BAD_REQUEST"),
    Row("bare line feeds", b"GET /healthz HTTP/1.1\nHost: localhost\n\n", 400, "BAD_REQUEST"),
    Row("NUL in a header", GET + b"X: a\0b\r\n\r\n", 400, "BAD_REQUEST"),
    Row("NUL in the path", b"GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "BAD_REQUEST"),
    Row("HTTP/0.9", b"GET /\r\n\r\n", 400, "BAD_REQUEST"),
    Row("HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "BAD_REQUEST"),
    Row("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\r\n\r\n", 400, "BAD_REQUEST"),
    Row("another server's name in the target", b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400,
        "BAD_REQUEST"),
    Row("a tunnel", b"CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "BAD_REQUEST"),
    Row("an unknown expectation", GET + b"Expect: wonders\r\n\r\n", 417, "EXPECTATION_FAILED"),
]


def connect(server):
    return socket.create_connection(("127.0.0.1", server.port), LIMIT_S)


def read_to_end(link):
    """A reset after the last byte is an end, too."""
    heard = b""
    try:
        while piece := link.recv(65536):
            heard += piece
    except ConnectionResetError:
        pass
    return heard


def answers_in(heard):
    """(status, headers in lower case, body) of each answer in what a connection said, by its Content-Length."""
    answers = []
    while heard:
        head, _, heard = heard.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        headers = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines)}
        length = int(headers["content-length"])
        answers.append((int(first.split()[1]), headers, heard[:length]))
        heard = heard[length:]
    return answers


def exchange(server, sent):
    """All answers of a connection on which this was said; a server that has enough need not take it all."""
    with connect(server) as link:
        try:
            link.sendall(sent)
        except (BrokenPipeError, ConnectionResetError):
            pass
        return answers_in(read_to_end(link))


def expect_refusal(place, name, answers, status, code):
    expect(place, f"{name}: answers", [answer[0] for answer in answers], [status])
    _, headers, body = answers[0]
    document = json.loads(body)
    expect(place, name, (headers["connection"], document["ok"], document["error"]["code"]), ("close", False, code))


def expect_untouched(place, server, name):
    expect(place, f"{name}: dispatched", place.device.counters().get("broadcast", 0), 0)
    expect(place, f"{name}: the server afterwards", server.json("GET", "/healthz"), (200, {"ok": True}))


def refused(place):
    """One answer, then the connection ends: what follows on it is never taken for a request."""
    with ApiServer(place, "--token", TOKEN) as server:
        for row in REFUSED:
            expect_refusal(place, row.name, exchange(server, row.sent + EXECUTE), row.status, row.code)
            expect_untouched(place, server, row.name)


def pipelined(place):
    """Answered in order; what is malformed ends it there."""
    with ApiServer(place, "--token", TOKEN) as server:
        last = GET + b"Connection: close\r\n\r\n"
        answers = exchange(server, GET + b"\r\n" + GET + b"\r\n" + last)
        expect(place, "in order", [answer[0] for answer in answers], [200, 200, 200])
        nowhere = f"GET /nowhere HTTP/1.1\r\nHost: localhost\r\n{BEARING}\r\n".encode()
        answers = exchange(server, GET + b"\r\n" + nowhere + GET + b"\r\n")
        expect(place, "up to the one that is not admitted", [answer[0] for answer in answers], [200, 404])
        answers = exchange(server, GET + b"\r\n" + GET + b"Host: localhost\r\n\r\n" + EXECUTE)
        expect(place, "up to the malformed one", [answer[0] for answer in answers], [200, 400])
        expect_untouched(place, server, "pipelined")
        answers = exchange(server, GET + b"\r\n" + EXECUTE + last)
        expect(place, "with an execution", [answer[0] for answer in answers], [200, 200, 200])
        expect(place, "its answer", json.loads(answers[1][2])["envelope"]["commandId"], "wire")
        expect(place, "dispatched", place.device.counters().get("broadcast", 0), 1)


def half_closed(place):
    """Who has ended its side still gets its answer; who ends it in the middle of a request has asked for nothing."""
    with ApiServer(place, "--token", TOKEN) as server:
        for cut in (EXECUTE[:40], EXECUTE[:-1], CHUNKED + b"5\r\nabc"):
            with connect(server) as link:
                link.sendall(cut)
                link.shutdown(socket.SHUT_WR)
                expect(place, f"{cut[-20:]!r} and no more", read_to_end(link), b"")
            expect_untouched(place, server, "half a request")
        for name, sent in (("a question", GET + b"\r\n"), ("an execution", EXECUTE)):
            with connect(server) as link:
                link.sendall(sent)
                link.shutdown(socket.SHUT_WR)
                expect(place, name, [answer[0] for answer in answers_in(read_to_end(link))], [200])
        with connect(server) as link:  # a reset, instead of an end
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            link.sendall(EXECUTE[:-1])
        expect(place, "after a reset", server.json("GET", "/healthz"), (200, {"ok": True}))
        expect(place, "dispatched", place.device.counters().get("broadcast", 0), 1)


def drip(link, data):
    """A byte at a time, until the server has heard enough."""
    for byte in data:
        try:
            link.sendall(bytes([byte]))
        except (BrokenPipeError, ConnectionResetError):
            return
        link.settimeout(0.5)
        try:
            if link.recv(1, socket.MSG_PEEK) is not None:
                return
        except TimeoutError:
            pass
        finally:
            link.settimeout(LIMIT_S + 15)


def stalled(server, said, then=b""):
    with connect(server) as link:
        link.settimeout(LIMIT_S + 15)
        link.sendall(said)
        drip(link, then)
        return answers_in(read_to_end(link))


def stalls(place):
    """Ten seconds for a head, thirty for a body, however steadily it drips."""
    rows = [("a stalled head", EXECUTE[:60], b""), ("a dripping head", EXECUTE[:60], b"x" * 100),
            ("a stalled body", EXECUTE[:-5], b""),
            ("a dripping body", POST + b"Content-Length: 900\r\n\r\n", b"x" * 100)]
    with ApiServer(place, "--token", TOKEN) as server, concurrent.futures.ThreadPoolExecutor(len(rows)) as pool:
        for (name, _, _), answers in zip(rows, pool.map(lambda row: stalled(server, *row[1:]), rows)):
            expect_refusal(place, name, answers, 408, "REQUEST_TIMEOUT")
        expect_untouched(place, server, "stalls")


def slow_writer(place):
    """A request that comes in many pieces is one."""
    with ApiServer(place, "--token", TOKEN) as server, connect(server) as link:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in EXECUTE.replace(b"Host: localhost\r\n", b"Host: localhost\r\nConnection: close\r\n"):
            link.sendall(bytes([byte]))
        (answer,) = answers_in(read_to_end(link))
        expect(place, "answer", (answer[0], json.loads(answer[2])["envelope"]["status"]), (200, "success"))


def slow_readers(place):
    """A big answer waits for a reader that reads, and not for one that does not."""
    with ApiServer(place, "--token", TOKEN) as server:
        path = f"/devices/{place.device.serial}/screenshot.png"
        picture = server.ask("GET", path)[2]
        ask = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{BEARING}\r\n".encode()
        last = ask.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
        count = 2 + 16_000_000 // len(picture)  # more than the system holds for a connection
        silent, began = connect(server), time.monotonic()
        silent.sendall(ask * count)
        with connect(server) as link:
            link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            link.sendall(ask + last)
            heard = b""
            while piece := link.recv(1000):
                heard += piece
        answers = answers_in(heard)
        expect(place, f"a steady reader of {len(picture)} bytes, who got {[len(answer[2]) for answer in answers]}",
               [answer[2] == picture for answer in answers], [True, True])
        expect(place, "the server meanwhile", server.json("GET", "/healthz"), (200, {"ok": True}))
        expect(place, "it is waited for", is_held(server, silent) or time.monotonic() - began > WRITE_TIME_S, True)
        wait_until_left(place, server, silent)
        if len(read_to_end(silent)) >= count * len(picture):
            raise place.Mismatch("a reader that did not read got everything")
        silent.close()
        expect_untouched(place, server, "slow readers")


def is_held(server, link):
    """Whether the server's end of a connection still has an owner: the system goes on sending for one that has left."""
    ours, theirs = f":{server.port:04X}", f":{link.getsockname()[1]:04X}"
    for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[1].endswith(ours) and fields[2].endswith(theirs):
            return fields[9] != "0"
    return False


def wait_until_left(place, server, link):
    deadline = time.monotonic() + 4 * LIMIT_S  # its pictures take a while
    while is_held(server, link):
        if time.monotonic() > deadline:
            raise place.Mismatch("the server goes on with a reader that does not read")
        time.sleep(0.1)


def second_signal(place):
    """The first SIGTERM waits for the work in flight, the second does not."""
    server = ApiServer(place, "--token", TOKEN)
    with server, connect(server) as link:
        long = json.loads(BODY)
        long["execution"]["actions"][0]["params"]["durationMs"] = 50000
        body = json.dumps(long).encode()
        link.sendall(POST + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        wait_for_count(place)
        server.child.send_signal(signal.SIGTERM)
        try:
            while True:  # until the first was heard
                connect(server).close()
        except OSError:
            pass
        expect(place, "still at work", server.child.poll(), None)
        time.sleep(0.5)  # sooner it counts as the same signal
        server.child.send_signal(signal.SIGTERM)
        expect(place, "ended by the signal", server.child.wait(LIMIT_S), -signal.SIGTERM)
        expect(place, "nothing is made up", read_to_end(link), b"")


CHECKS = [
    ("http: refused", True, refused),
    ("http: pipelined", True, pipelined),
    ("http: half closed", True, half_closed),
    ("http: stalls", True, stalls),
    ("http: slow writer", True, slow_writer),
    ("http: slow readers", True, slow_readers),
    ("http: second signal", True, second_signal),
]
