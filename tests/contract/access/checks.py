"""[S2] Who may ask `serve`: decided by the user of the socket at the other end, by the token, and by whose page a
browser asks for.

Where we are root the server is an ordinary user's, in a root folder without the marks of a container (plain_user.py),
and its clients are processes of other users."""
import contextlib
import functools
import json
import os
import pathlib
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile

import peers
import plain_user
from api_server import TOKEN, ApiServer, expect, expect_error
from limits import LIMIT_S
from listening import Listening

IS_ROOT = os.getuid() == 0
OWN = 61001 if IS_ROOT else os.getuid()
OTHER = 61002
AWAY = "127.61.0.2"  # loopback, too; no other program's connections have its ports
SUPPORT = pathlib.Path(plain_user.__file__)


@functools.cache
def python():
    """One that other users may run, too."""
    for program in (sys.executable, "/usr/bin/python3"):
        with contextlib.suppress(OSError):
            if subprocess.run([program, "-c", ""], check=False, **of_user(OWN)).returncode == 0:
                return program
    raise peers.Unavailable("no Python here that other users may run")


def of_user(user):
    """For subprocess."""
    if user != os.getuid() and not IS_ROOT:
        raise peers.Unavailable("only root can be another user")
    return {"user": user, "group": user, "extra_groups": []} if IS_ROOT else {}

# What a client begins with; `say` sends a request and gives the status of its answer.
CLIENT = """
import json, os, socket, struct, sys
host, port, token = sys.argv[1], int(sys.argv[2]), sys.argv[3]
def say(link, method="GET", path="/metrics", body="", **headers):
    headers = {"Host": f"localhost:{port}", "Content-Length": len(body), "Content-Type": "application/json", **headers}
    lines = "".join(f"{name}: {value}\\r\\n" for name, value in headers.items())
    link.sendall(f"{method} {path} HTTP/1.1\\r\\n{lines}\\r\\n{body}".encode())
def heard(link):
    text = b""
    while b"\\r\\n" not in text:
        piece = link.recv(65536)
        if not piece: break
        text += piece
    return int(text.split()[1]) if text else 0
def link_to(host, family=None, **given):
    link = socket.socket(family or (socket.AF_INET6 if ":" in host else socket.AF_INET))
    link.settimeout(60)
    link.connect((host, port))
    return link
def query(host=host, **given):
    with link_to(host) as link:
        say(link, **given)
        return heard(link)
bearing = {"Authorization": f"Bearer {token}"}
answers = None
"""


def as_user(user, server, code, host="127.0.0.1", beneath=()):
    """What a client of that user sets `answers` to."""
    done = subprocess.run([*beneath, python(), "-c", f"{CLIENT}\n{code}\nprint(json.dumps(answers))", host,
                           str(server.port),
                           server.token or ""], capture_output=True, text=True, timeout=2 * LIMIT_S, check=False,
                          cwd="/", **of_user(user))
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


class PlainServer(ApiServer):
    """Of an ordinary user; `options` are plain_user's, `between` stands before the program."""

    FOLDERS = ("HOME", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "CLAWPERATOR_LOCK_DIR")

    def __init__(self, place, *words, options=(), between=()):
        if os.getuid() != 0 and plain_user.is_marked():
            raise peers.Unavailable("only root can leave a container, or make one")
        self.folder = tempfile.mkdtemp(prefix="access-", dir="/tmp")
        self.options, self.between = options, between
        try:
            super().__init__(place, *words, env=dict.fromkeys(self.FOLDERS, self.folder))
        except place.Mismatch:
            self.child.wait(LIMIT_S)
            if self.child.returncode == plain_user.UNAVAILABLE:
                raise peers.Unavailable("".join(self.said).strip().splitlines()[-1]) from None
            raise

    def beneath(self, place):
        return [sys.executable, str(SUPPORT), str(OWN), self.folder, *self.options, "--", *self.between]

    def __exit__(self, *_):
        super().__exit__()
        shutil.rmtree(self.folder, ignore_errors=True)


def own_user(place):
    """Needs no token, whichever way it comes, and the server cannot demand one; with a token it is let in as well."""
    for host, targets in (("127.0.0.1", ["127.0.0.1", "::ffff:127.0.0.1"]), ("::1", ["::1"]),
                          ("::", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])):
        with PlainServer(place, "--host", host) as server:
            for target in targets:
                expect(place, f"{host} by {target}", as_user(OWN, server, "answers = query()", target), 200)
            code = """answers = [query(Authorization="Bearer wrong"), query(**bearing)]"""
            expect(place, "with tokens", as_user(OWN, server, code, targets[0]), [200, 200])
    with PlainServer(place) as server:
        code = """
link = link_to(host)
say(link, "POST", "/session", json.dumps({"token": "any"}))
answers = link.recv(65536).decode().partition("\\r\\n\\r\\n")[2]"""
        expect(place, "a session", json.loads(as_user(OWN, server, code)), {"ok": True, "tokenRequired": False})


def other_users(place):
    """Root among them: the token or nothing; they may ask whether the server is there."""
    for host, target in (("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("::", "127.0.0.1")):
        with PlainServer(place, "--host", host) as server:
            for user in (OTHER, 0):
                code = """answers = [query(), query(**bearing), query(Authorization="Bearer wrong"),
                                     query(path="/healthz"), query(path="/readyz")]"""
                expect(place, f"user {user} at {host}", as_user(user, server, code, target), [401, 200, 401, 200, 200])


ATTEMPT = """
attempt = lambda name: json.dumps({"execution": {"commandId": name, "actions": "none"}})
"""


@contextlib.contextmanager
def expect_published(place, server, wanted):
    """Which attempts reach the route, of those that are made meanwhile and one of ours at the end."""
    reader = server.events()
    expect(place, "heartbeat", reader.next()[0], "heartbeat")
    yield
    answer = server.json("POST", "/execute", {"execution": {"commandId": "last", "actions": "none"}})
    expect(place, "an attempt of ours", answer[0], 400)
    names = []
    while "last" not in names:
        names.append(reader.next()[1]["input"]["commandId"])
    reader.close()
    expect(place, "attempts", names, [*wanted, "last"])


@contextlib.contextmanager
def stopped(server):
    """What arrives meanwhile is seen by the server afterwards, all at once."""
    server.child.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        server.child.send_signal(signal.SIGCONT)


def who_is_gone(place):
    """The socket at the other end must be open, connected and some process's: who has left, or ended its side, needs
    the token."""
    with PlainServer(place) as server:
        half = """
link = link_to(host)
say(link)
link.shutdown(socket.SHUT_WR)
answers = heard(link)"""
        with stopped(server):
            client = subprocess.Popen([python(), "-c", f"{CLIENT}\n{half}\nprint(answers)", "127.0.0.1",
                                       str(server.port),
                                       ""],
                                      stdout=subprocess.PIPE, text=True, **of_user(OWN))
            wait_for_half(place, server)
        expect(place, "ended its side", client.communicate(timeout=LIMIT_S)[0].strip(), "401")
        with expect_published(place, server, ["here"]):
            with stopped(server):
                as_user(OWN, server, ATTEMPT + """
link = link_to(host)
say(link, "POST", "/execute", attempt("orphaned"))
link.close()""")
                as_user(OWN, server, ATTEMPT + """
link = link_to(host)
say(link, "POST", "/execute", attempt("reset"))
link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
link.close()""")
            as_user(OWN, server, ATTEMPT + """answers = query(method="POST", path="/execute", body=attempt("here"))""")


def wait_for_half(place, server):
    """Until a client has ended its side: the server's is CLOSE_WAIT then."""
    for _ in range(int(LIMIT_S * 50)):
        for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[1].endswith(f":{server.port:04X}") and fields[3] == "08":
                return
        subprocess.run(["sleep", "0.02"], check=True)
    raise place.Mismatch("the client has not ended its side")


def port_of_another(place):
    """A stranger's request whose connection was reset, and whose port this user's own program got then."""
    with PlainServer(place) as server, expect_published(place, server, []):
        with stopped(server):
            port = as_user(OTHER, server, ATTEMPT + f"""
link = socket.socket()
link.bind(("{AWAY}", 0))
link.connect((host, port))
say(link, "POST", "/execute", attempt("stranger's"))
answers = link.getsockname()[1]
link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
link.close()""")
            code = f"""
import time
link = socket.socket()
link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
link.bind(("{AWAY}", {port}))
link.connect((host, port))
print("there", flush=True)
sys.stdin.read()"""
            client = subprocess.Popen([python(), "-c", CLIENT + code, "127.0.0.1", str(server.port), ""], text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, **of_user(OWN))
            expect(place, "the same port", client.stdout.readline(), "there\n")
        expect(place, "this user", as_user(OWN, server, "answers = query()"), 200)
        client.communicate("", timeout=LIMIT_S)


def leaves_before_body(place):
    """Who is let in at the head, and has ended its side by the time that the body is there, is refused before anything
    is done."""
    with PlainServer(place) as server, expect_published(place, server, []):
        code = ATTEMPT + """
link = link_to(host)
body = attempt("left")
link.sendall("POST /execute HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Type: application/json\\r\\n"
             "Expect: 100-continue\\r\\n"
             f"Content-Length: {len(body)}\\r\\n\\r\\n".encode())
go_on = heard(link)  # it was let in
link.sendall(body[:-1].encode())
os.kill(int(sys.argv[4]), 19)
link.sendall(body[-1:].encode())
link.shutdown(socket.SHUT_WR)
os.kill(int(sys.argv[4]), 18)
answers = [go_on, heard(link)]"""
        done = subprocess.run([python(), "-c", f"{CLIENT}\n{code}\nprint(answers)", "127.0.0.1", str(server.port), "",
                               str(server.child.pid)], capture_output=True, text=True, timeout=LIMIT_S, check=False,
                              **of_user(OWN))
        expect(place, "answers", done.stdout + done.stderr, "[100, 401]\n")


def made_before(place):
    """A socket belongs to the user who made it, whichever user holds it now."""
    with PlainServer(place) as server:
        code = f"""
link = socket.socket()
os.setgid({OWN})
os.setuid({OWN})
link.connect((host, port))
say(link)
answers = [heard(link), query()]"""
        expect(place, "root's, then this user's; one of its own", as_user(0, server, code), [401, 200])
        code = code.replace("link = ", f"os.seteuid({OTHER})\nlink = ").replace("os.setgid", "os.seteuid(0)\nos.setgid")
        expect(place, "another's, then this user's", as_user(0, server, code), [401, 200])


def user_namespaces(place):
    """A client in one is who it is outside. A server in one may have a number that stands for many: then it asks
    everybody."""
    can = subprocess.run(["unshare", "-U", "true"], capture_output=True, check=False)
    if can.returncode != 0:
        raise peers.Unavailable("no user namespace can be made here")
    with PlainServer(place) as server:
        for words in (["unshare", "-U"], ["unshare", "-r"]):
            expect(place, f"{words} of this user", as_user(OWN, server, "answers = query()", beneath=words), 200)
        if IS_ROOT:
            expect(place, "another's", as_user(OTHER, server, "answers = query()", beneath=["unshare", "-r"]), 401)
    for words in (["unshare", "-U"], ["unshare", "-r"]):
        with PlainServer(place, between=words) as server:
            expect(place, f"a server in {words}", as_user(OWN, server, "answers = [query(), query(**bearing)]"),
                   [401, 200])
            if IS_ROOT:
                expect(place, f"another's at a server in {words}",
                       as_user(OTHER, server, "answers = [query(), query(**bearing)]"), [401, 200])


def network_namespaces(place):
    """Who comes from another network is a stranger, of the same user as well."""
    alone = ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    if not IS_ROOT or subprocess.run([*alone, "true"], capture_output=True, check=False).returncode != 0:
        raise peers.Unavailable("no network namespace can be made here")
    far = subprocess.Popen(["unshare", "-n", "sh", "-c", "echo there; exec sleep 600"], stdout=subprocess.PIPE)
    far.stdout.readline()
    try:
        with ServerAlone(place, "--host", "0.0.0.0", alone=alone) as server:
            inside = lambda child: ["nsenter", "-t", str(child.pid), "-n"]
            for words in (["ip", "link", "add", "near", "netns", str(server.child.pid), "type", "veth", "peer", "name",
                           "far", "netns", str(far.pid)],
                          [*inside(server.child), "ip", "address", "add", "10.99.0.1/30", "dev", "near"],
                          [*inside(far), "ip", "address", "add", "10.99.0.2/30", "dev", "far"],
                          [*inside(server.child), "ip", "link", "set", "near", "up"],
                          [*inside(far), "ip", "link", "set", "far", "up"]):
                subprocess.run(words, check=True, capture_output=True)
            become = ["setpriv", "--reuid", str(OWN), "--regid", str(OWN), "--clear-groups"]
            code = """answers = [query(Host=f"10.99.0.1:{port}"), query(Host=f"10.99.0.1:{port}", **bearing)]"""
            for child, wanted in ((server.child, [200, 200]), (far, [401, 200])):
                expect(place, "from inside and outside",
                       as_user(0, server, code, "10.99.0.1", [*inside(child), *become]), wanted)
    finally:
        far.kill()
        far.wait()


class ServerAlone(PlainServer):
    """In a network of its own."""

    def __init__(self, place, *words, alone):
        self.alone = alone
        super().__init__(place, *words)

    def beneath(self, place):
        return [*self.alone, *super().beneath(place)]


def no_netlink(place):
    """Where netlink is refused the kernel's tables say the same."""
    for host, target in (("127.0.0.1", "127.0.0.1"), ("::", "127.0.0.1"), ("::", "::ffff:127.0.0.1"), ("::1", "::1")):
        with PlainServer(place, "--host", host, options=["--no-netlink"]) as server:
            expect(place, f"this user at {host}", as_user(OWN, server, "answers = query()", target), 200)
            if IS_ROOT:
                expect(place, f"another at {host}", as_user(OTHER, server, "answers = query()", target), 401)


def token_for_everybody(place):
    """By --require-token, by root, and in a container; a token that was given changes nothing for this user."""
    queries = "answers = [query(), query(**bearing)]"
    with PlainServer(place, "--token", TOKEN) as server:
        for user, wanted in ((OWN, [200, 200]), *([(OTHER, [401, 200])] if IS_ROOT else [])):
            expect(place, f"a token that was given, by {user}", as_user(user, server, queries), wanted)
    for words, options in ((["--require-token"], []), (["--require-token", "--token", TOKEN], []),
                           ([], ["--container"])):
        if options and not IS_ROOT:
            continue
        with PlainServer(place, *words, options=options) as server:
            expect(place, f"{words} {options}", as_user(OWN, server, queries), [401, 200])
    if IS_ROOT:
        with ApiServer(place) as server:
            for user in (0, OTHER):
                expect(place, f"root's server by {user}", as_user(user, server, queries), [401, 200])


def kept_token(place):
    """Made at each start, this user's alone, and gone at the end; one that was given stands nowhere."""
    seen = set()
    for _ in range(2):
        with ApiServer(place, "--require-token") as server:
            file = server.token_file
            expect(place, "mode", (stat.S_IMODE(file.stat().st_mode), file.stat().st_uid), (0o600, os.getuid()))
            expect(place, "names the file", (str(file) in "".join(server.said) + server.child.stderr.readline()), True)
            seen.add(server.token)
            expect(place, "exit", server.stop(), 0)
            expect(place, "left", file.exists(), False)
    expect(place, "tokens", (len(seen), {len(token) for token in seen}), (2, {32}))
    with ApiServer(place, "--host", "0.0.0.0") as server:
        expect(place, "said once", "".join(server.said).count("can be reached from other computers without TLS"), 1)
        server.stop(signal.SIGKILL)
        port, left = server.port, server.token_file
    expect(place, "of one that was killed", left.exists(), True)
    with ApiServer(place, "--host", "0.0.0.0", "--port", str(port), "--token", TOKEN) as server:
        expect(place, "another's old one", left.exists(), False)
        expect(place, "a given one", server.ask("GET", "/")[0], 200)
        for file in filter(pathlib.Path.is_file, place.sandbox.rglob("*")):
            expect(place, f"{file} has it", TOKEN.encode() in file.read_bytes(), False)


def given_tokens(place):
    """[S5] 16 characters at least, by each way; a file that others can read or change is refused."""
    file = place.sandbox / "token"
    def refused(what, words, env=None):
        done = place.run("serve", "--port", "0", *words, env=env)
        expect(place, what, (done.returncode, json.loads(done.stdout)["code"]), (1, "USAGE"))
    for text in ("a", "a" * 15):
        file.write_text(text)
        file.chmod(0o600)
        refused(f"--token {text}", ["--token", text])
        refused(f"CLAWPERATOR_TOKEN {text}", [], {"CLAWPERATOR_TOKEN": text})
        refused(f"--token-file {text}", ["--token-file", str(file)])
    file.write_text("a-token-of-a-file\nmore\n")
    for mode in (0o644, 0o640, 0o604, 0o620, 0o602, 0o610):
        file.chmod(mode)
        refused(f"mode {mode:o}", ["--token-file", str(file)])
    for mode in (0o600, 0o400):
        file.chmod(mode)
        with ApiServer(place, "--token-file", "token") as server:
            server.token = "a-token-of-a-file"
            expect(place, f"mode {mode:o}", server.ask("GET", "/")[0], 200)
    for words, env in ((["--token", "a" * 16], {}), ([], {"CLAWPERATOR_TOKEN": "a" * 16})):
        with ApiServer(place, *words, env=env) as server:
            expect(place, "16 characters", server.ask("GET", "/")[0], 200)
            for near in ("a" * 15 + "b", "b" + "a" * 15, "A" * 16, "a" * 15, "a" * 17, "a" * 15 + " "):
                status = server.ask("GET", "/", headers={"Authorization": f"Bearer {near}"})[0]
                expect(place, f"a token nearly ours: {near!r}", status, 401)
            status, headers, _ = server.ask("GET", "/", headers={"Authorization": "Basic " + "a" * 16})
            expect(place, "challenge", (status, headers["WWW-Authenticate"]), (401, "Bearer"))
    if IS_ROOT:
        os.chown(file, OTHER, OTHER)
        refused("another's file", ["--token-file", str(file)])


def guesses(place):
    """[S5] Wrong tokens cost a peer more and more time, in which its right one counts as little; others are served."""
    with ApiServer(place, "--token", TOKEN) as server:
        wrong = lambda: server.ask("GET", "/", headers={"Authorization": "Bearer " + "w" * 16})
        statuses, wait = [], 0
        while wait < 8:
            status, headers, _ = wrong()
            statuses.append(status)
            wait = int(headers.get("Retry-After", 0))
            if len(statuses) > 5000:
                raise place.Mismatch(f"no end of guesses: {statuses[-9:]}")
            if status == 429 and wait < 8:
                subprocess.run(["sleep", str(wait)], check=True)
        expect(place, "the first ones", statuses[:8], [401] * 8)
        expect_error(place, server.json("GET", "/"), 429, "TOO_MANY_REQUESTS")
        expect_error(place, server.json("POST", "/session", {"token": TOKEN}), 429, "TOO_MANY_REQUESTS")
        expect(place, "without a token", server.ask("GET", "/", headers={"Authorization": "None"})[0], 401)
        expect(place, "what is open", server.ask("GET", "/healthz")[0], 200)
        if IS_ROOT:
            expect(place, "another peer", as_user(OTHER, server, "answers = query(**bearing)"), 200)


def crowd(place):
    """[S11] A peer has 128 connections, and the server places for others."""
    code = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))
links = []
for number in range(132):
    link = link_to(f"127.0.0.{1 + number % 100}")
    link.sendall(b"GET ")
    links.append(link)
answers = [heard(link) for link in links[128:]]"""
    with PlainServer(place, "--host", "0.0.0.0") as server:
        expect(place, "beyond 128, from whichever address", as_user(OTHER, server, code), [503] * 4)
        holding = subprocess.Popen([python(), "-c", CLIENT + code + "\nprint(answers, flush=True)\nsys.stdin.read()",
                                    "127.0.0.1",
                                    str(server.port), ""], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                   **of_user(OTHER))
        holding.stdout.readline()
        expect(place, "this user meanwhile", as_user(OWN, server, "answers = query()"), 200)
        expect(place, "root meanwhile", as_user(0, server, "answers = query(**bearing)"), 200)
        holding.communicate("", timeout=LIMIT_S)


def says_nothing(place):
    """[S11] Who sends no first byte is left within seconds, without a word."""
    with ApiServer(place) as server, socket.create_connection(("127.0.0.1", server.port), LIMIT_S) as link:
        expect(place, "the end", link.recv(1), b"")


def pages(place):
    """[S3] What a browser sends for pages of others is refused, also of another port of this host; no answer may be
    shown by them."""
    with ApiServer(place) as server:
        own = f"http://127.0.0.1:{server.port}"
        for site in ("cross-site", "same-site", "x"):
            for method, path in (("GET", "/"), ("GET", "/healthz"), ("POST", "/snapshot"), ("GET", "/nowhere")):
                answer = server.json(method, path, headers={"Sec-Fetch-Site": site})
                expect_error(place, answer, 403, "FORBIDDEN_ORIGIN")
        for site in ("none", "same-origin"):
            expect(place, site, server.ask("GET", "/", headers={"Sec-Fetch-Site": site})[0], 200)
        for origin in (f"http://127.0.0.1:{server.port + 1}", f"http://localhost:{server.port}", "http://127.0.0.1",
                       "null"):
            for method, path in (("POST", "/execute"), ("POST", "/session"), ("DELETE", "/session"), ("POST", "/mcp"),
                                 ("DELETE", "/android/emulators/x")):
                expect_error(place, server.json(method, path, headers={"Origin": origin}), 403, "FORBIDDEN_ORIGIN")
        expect_error(place, server.json("POST", "/execute", headers={"Origin": own}), 400, "INVALID_BODY")
        for method, path, headers in (("GET", "/", {}), ("GET", "/healthz", {}), ("GET", "/nowhere", {}),
                                      ("PATCH", "/", {}),
                                      ("GET", "/", {"Authorization": "none"}), ("GET", "/", {"Host": "evil.example"}),
                                      ("GET", "/devices/x/screenshot.png", {}),
                                      ("POST", "/execute", {"Expect": "wonders"})):
            answers = server.ask(method, path, headers=headers)
            expect(place, f"{method} {path}", (answers[0], answers[1].get("Cross-Origin-Resource-Policy")),
                   (answers[0], "same-origin"))
        reader = server.events()
        expect(place, "events", reader.headers["cross-origin-resource-policy"], "same-origin")
        reader.close()


class Page(Listening):
    """Another server of this host, whose page asks ours whatever a page can ask for."""

    def __init__(self, target):
        self.target = target
        super().__init__()

    def serve(self, client):
        with client:
            client.recv(65536)
            page = f"""<!doctype html><p id=answers></p><script>
const answers = [];
const report = (what) => {{
  answers.push(what);
  document.getElementById("answers").textContent = answers.sort().join(" ");
}};
const picture = new Image(); picture.onload = () => report("image-shown");
picture.onerror = () => report("image-refused");
picture.src = "{self.target}/devices/x/screenshot.png";
const script = document.createElement("script");
script.onload = () => report("script-run"); script.onerror = () => report("script-refused");
script.src = "{self.target}/"; document.body.append(script);
fetch("{self.target}/").then(() => report("fetch-read"), () => report("fetch-refused"));
fetch("{self.target}/execute", {{ method: "POST", mode: "no-cors", body: "x" }}).then(
  () => report("post-sent"), () => report("post-refused"));
</script>""".encode()
            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
                           b"Content-Length: %d\r\n\r\n" % len(page) + page)


def browser(place):
    """[S3] A real one, as this user, who needs no token: its user sees the server, pages of another port get
    nothing."""
    if not shutil.which("chromium"):
        raise peers.Unavailable("no chromium in PATH (package chromium)")
    with PlainServer(place) as server:
        target = f"http://127.0.0.1:{server.port}"

        def dom(url):
            profile = tempfile.mkdtemp(dir="/tmp")
            if IS_ROOT:
                os.chown(profile, OWN, OWN)
            try:
                done = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                                       "--disable-dev-shm-usage",
                                       "--disable-background-networking", f"--user-data-dir={profile}",
                                       "--virtual-time-budget=5000",
                                       "--dump-dom", url], capture_output=True, text=True, timeout=4 * LIMIT_S,
                                      check=False, cwd=profile,
                                      # Chromium makes a socket in TMPDIR; ours may be closed to its user.
                                      env=os.environ | {"HOME": profile, "XDG_RUNTIME_DIR": profile, "TMPDIR": profile},
                                      **of_user(OWN))
                if done.returncode != 0:
                    raise place.Mismatch(f"chromium ended with {done.returncode}: {done.stderr[-2000:]}")
                return done.stdout
            finally:
                shutil.rmtree(profile, ignore_errors=True)

        expect(place, "its user", '"openapi":' in dom(target + "/openapi.json"), True)
        with Page(target) as page:
            text = dom(f"http://127.0.0.1:{page.port}/")
        for refusal in ("image-refused", "script-refused", "fetch-refused"):
            expect(place, f"{refusal}: {text[:600]}", refusal in text, True)


CHECKS = [
    ("access: this user", False, own_user),
    ("access: other users", False, other_users),
    ("access: who is gone", False, who_is_gone),
    ("access: port of another", False, port_of_another),
    ("access: leaves before the body", False, leaves_before_body),
    ("access: made before setuid", False, made_before),
    ("access: user namespaces", False, user_namespaces),
    ("access: network namespaces", False, network_namespaces),
    ("access: no netlink", False, no_netlink),
    ("access: everybody needs the token", False, token_for_everybody),
    ("access: kept token", False, kept_token),
    ("access: given tokens", False, given_tokens),
    ("access: guesses", False, guesses),
    ("access: crowd", False, crowd),
    ("access: says nothing", False, says_nothing),
    ("access: pages", False, pages),
    ("access: browser", False, browser),
]
