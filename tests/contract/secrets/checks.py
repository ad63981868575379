"""[A3] A password that is typed is nowhere in what we write: no stream, log, trace, event, metric, kept tree or saved
file.

Its two ends are letters and digits, which nothing escapes: each is looked for, so that no spelling of what stands
between them hides it. The simulated phone's trees show a password field's text as it is, which real ones do not. Each
check has a phone of its own."""
import contextlib
import html
import json
import pathlib
import re
import signal
import subprocess
import sys

from api_server import ApiServer, expect
from limits import LIMIT_S
from own_phone import own_phone

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "mcp"))
from conversation import Conversation

ENDS = (b"Zq7wKx9", b"Vb3nLp5")
SECRET = "Zq7wKx9\"&<' Vb3nLp5"
MASK = "\u2022\u2022\u2022\u2022"
FORM = "com.clawperator.conformance:id/"
PASSWORD, NAME = FORM + "password_field", FORM + "name_field"
SNAPSHOT = {"id": "s", "type": "snapshot_ui"}
DEBUG = {"CLAWPERATOR_LOG_LEVEL": "debug"}


def plan(*actions, timeout=20000):
    return {"commandId": "c1", "taskId": "t1", "source": "test", "expectedFormat": "android-ui-automator",
            "timeoutMs": timeout,
            "actions": list(actions)}


def typing(field=PASSWORD, **params):
    return {"id": "e", "type": "enter_text", "params": {"matcher": {"resourceId": field}, "text": SECRET, **params}}


class Written:
    """What was written on one phone's behalf."""

    def __init__(self, place, phone):
        self.place, self.phone, self.streams = place, phone, []

    def note(self, what, *texts):
        self.streams += [(what, text if isinstance(text, bytes) else json.dumps(text, ensure_ascii=False).encode())
                         for text in texts]

    def run(self, *words, **options):
        """The document that a command prints."""
        env = {**self.place.env, **DEBUG, **options.pop("env", {})}
        done = self.phone.run(*words, env=env, **options)
        self.note(" ".join(words[:3]), done.stdout, done.stderr)
        self.status = done.returncode
        return json.loads(done.stdout.splitlines()[-1]) if done.stdout.startswith(b"{") else done.stdout

    def typed(self, what, field, text=SECRET):
        """The phone has it, whatever is printed."""
        dump = self.place.run("adb", "-s", self.phone.serial, "shell",
                              "uiautomator dump /data/local/tmp/x > /dev/null; cat /data/local/tmp/x; rm "
                              "/data/local/tmp/x").stdout.decode()
        node = re.search(rf"<node [^>]*resource-id=\"{field}\"[^>]*>", dump)
        shown = node and re.search(r" text=(\"[^\"]*\"|'[^']*')", node[0])
        expect(self.place, f"{what}: what the phone has", html.unescape(shown[1][1:-1]) if shown else None, text)

    def check(self):
        for path in self.place.sandbox.rglob("*"):
            if path.is_file():
                self.streams.append((str(path), path.read_bytes()))
        for what, text in self.streams:
            for end in ENDS:
                if end in text:
                    at = text.index(end)
                    raise self.place.Mismatch(f"{what} shows it: {text[max(0, at - 200):at + 60]!r}")


@contextlib.contextmanager
def open_form(place, *options):
    with own_phone(place, *options) as phone:
        written = Written(place, phone)
        written.run("open", "com.clawperator.conformance")
        expect(place, "the form", (written.run("--backend", "shell", "click", "--text", "Form")["envelope"]["status"]),
               "success")
        yield written
        written.check()


def echoed(answer, step=0):
    return answer["envelope"]["stepResults"][step]["data"]["text"]


def shows_the_field(written):
    """The caller has seen the tree, and which field is for a password."""
    return written.run("snapshot", "--format", "compact")["envelope"]["stepResults"][0]["data"]


def typed_by(*backend):
    """`type`: known by the tree that was shown, a ref, the nth of a tree, the tree behind it, or the caller's word."""
    def check(place):
        for known in ("shown", "ref", "nth", "behind", "word"):
            field = NAME if known == "word" else PASSWORD
            with open_form(place) as written:
                where = ["--id", field]
                if known in ("shown", "ref"):
                    tree = shows_the_field(written)["text"]
                if known == "ref":
                    where = ["--ref", re.search(r"(@\d+) textfield .*password", tree)[1]]
                more = {"nth": ["--nth", "1"], "behind": ["--snapshot"],
                        "word": ["--secret", "--snapshot=xml"]}.get(known, [])
                answer = written.run(*backend, "type", SECRET, *where, *more, "--trace", "t.json", "--timings")
                expect(place, f"{known}: the answer", (written.status, echoed(answer)), (0, MASK))
                written.typed(known, field)
    return check


def printed_otherwise(place):
    """For people, in short, as a plan, and where the words are wrong."""
    with open_form(place) as written:
        for output, field in (("pretty", NAME), ("brief", FORM + "email_field")):
            written.run("--output", output, "type", SECRET, "--id", field, "--secret", "--snapshot", "--verify",
                        "changed")
            expect(place, output, written.status, 0)
        shows_words = [("type", SECRET, SECRET, "--secret"), ("type", "--secret", "-" + SECRET, "--id", NAME),
                       ("type", SECRET, "--secret"),
                       ("type", SECRET, "--secret", "--no-such")]
        for words in shows_words:
            written.run(*words)
            expect(place, f"{words[-1]}: refused", written.status, 1)
        payload = json.dumps(plan(typing(NAME, secret=True)))
        for flag in ("--validate-only", "--dry-run"):
            shown = json.dumps(written.run("exec", payload, flag), ensure_ascii=False)
            expect(place, flag, (MASK in shown, '"secret": true' in shown), (True, True))
        written.run("exec", payload[:-20])
        for wrong in (payload.replace('"enter_text"', '"no_such_type"'),
                      payload.replace('"secret"', '"secret":true,"secret"')[:-4] + "x"):
            written.run("exec", wrong)


def plans(place):
    """`exec`: marked by its caller, or known by the tree that the plan itself reads; with events, and where it
    fails."""
    for backend in ("app", "shell"):
        with open_form(place) as written:
            answer = written.run("--backend", backend, "exec", "--stream", json.dumps(plan(typing(), SNAPSHOT)),
                                 "--trace", "t.json")
            expect(place, f"{backend}: the step", echoed(answer), MASK)
            expect(place, f"{backend}: the tree", MASK in echoed(answer, 1), True)
            written.typed(backend, PASSWORD)
            miss = {"id": "c", "type": "click",
                    "params": {"matcher": {"textContains": "Zq7 is not there"}, "retry": {"maxAttempts": 1}}}
            written.run("--backend", backend, "--output", "brief", "exec",
                        json.dumps(plan(typing(NAME, secret=True), miss)))
            expect(place, f"{backend}: a plan that fails", written.status, 1)
    with open_form(place) as written:
        written.phone.simctl("fault", "envelope-none")
        answer = written.run("exec", json.dumps(plan(typing(NAME, secret=True), timeout=1000)))
        expect(place, "no answer", answer["code"], "RESULT_ENVELOPE_TIMEOUT")


def older_apps(place):
    """What each app makes of a payload: it never sees the word `secret`, which the older ones would not answer."""
    for version in ("0.5.3", "0.9.3", "0.10.0", "1.0.0"):
        with open_form(place, "--operator", version) as written:
            expect(place, version, echoed(written.run("type", SECRET, "--id", NAME, "--secret", "--snapshot")), MASK)
            written.typed(version, NAME)


def by_the_daemon(place):
    with open_form(place) as written:
        expect(place, "connect", place.run("connect", written.phone.serial).returncode, 0)
        daemon = subprocess.Popen([place.binary, "daemon", "run", "--log-level", "debug"], env=place.env,
                                  cwd=place.sandbox,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            daemon.stderr.readline()
            words = ["--log-level", "debug", "--device", written.phone.serial]
            for what, more in (("word", ["--id", NAME, "--secret", "--snapshot"]),
                               ("behind", ["--id", PASSWORD, "--snapshot"])):
                done = place.run(*words, "type", SECRET, *more, "--timings", "--trace", "t.json")
                written.note(what, done.stdout, done.stderr)
                answer = json.loads(done.stdout)
                expect(place, what, (answer["timings"].get("daemon"), echoed(answer)), (True, MASK))
            written.typed("the daemon", PASSWORD)
        finally:
            daemon.send_signal(signal.SIGTERM)
            written.note("the daemon", *daemon.communicate(timeout=LIMIT_S))


def by_http(place):
    with open_form(place) as written:
        serial = written.phone.serial
        expect(place, "connect", place.run("connect", serial).returncode, 0)
        with ApiServer(place, "--log-level", "debug", "--trace", "serve.json") as server:
            events = server.events(query="?stages=true")
            status, answer = server.json("POST", "/execute",
                                         {"execution": plan(typing()), "deviceId": serial, "nth": 1})
            expect(place, "nth", (status, echoed(answer)), (200, MASK))
            for number, (what, steps, code) in enumerate((
                    ("word", [typing(NAME, secret=True)], 200), ("behind", [typing(), SNAPSHOT], 200),
                    ("no plan", [{**typing(NAME, secret=True), "type": "no_such_type"}], 400))):
                status, answer = server.json("POST", "/execute",
                                             {"execution": plan(*steps), "deviceId": serial, "miss": True})
                written.note(what, answer)
                expect(place, f"{what}: {answer}", status, code)
                if code == 200:
                    expect(place, what, echoed(answer), MASK)
            written.typed("HTTP", PASSWORD)
            heard = []
            while sum(name == "clawperator:execution" for name, *_ in heard) < 4:
                heard.append(events.next())
            written.note("events", *heard)
            expect(place, "the events have the plans",
                   sum(MASK in json.dumps(each, ensure_ascii=False) for each in heard) >= 4, True)
            for path in ("/metrics", "/devices", "/openapi.json"):
                written.note(path, server.ask("GET", path)[2])
            server.stop()


def by_mcp(place):
    with open_form(place) as written:
        with Conversation(place, "--device", written.phone.serial, "--transport", "tcp", "--log-level", "debug",
                          "--trace", "mcp.json") as agent:
            agent.greet()

            def call(tool, **arguments):
                result = agent.result("tools/call",
                                      {"name": tool, "arguments": arguments, "_meta": {"progressToken": "p"}})
                written.note(f"{tool} {sorted(arguments)}", result)
                return json.dumps(result, ensure_ascii=False)

            field = {"id": "password_field"}
            calls = [("execute", {"actions": [typing(), SNAPSHOT]}),
                     ("type_text", {"selector": {"id": NAME}, "text": SECRET, "secret": True})]
            for tool, arguments in calls:
                expect(place, f"{tool}: masked", MASK in call(tool, **arguments), True)
            written.typed("MCP", NAME)
            written.typed("MCP", PASSWORD)
            call("type_text", selector={"id": NAME}, text="x", observe="none")
            call("type_text", selector=field, text="x", observe="none")
            call("snapshot")
            call("type_text", text=SECRET, selector=field, observe="none")  # shows no text at all
            for arguments in {"selector": field}, {"selector": field, "nth": 1, "observe": "compact"}:
                expect(place, f"{arguments}: masked", MASK in call("type_text", text=SECRET, **arguments), True)
                call("type_text", selector=field, text="x", observe="none")  # nth looks before it types
            for arguments in ({"selector": {"id": "no_such"}, "secret": True},
                              {"selector": {"id": NAME}, "secret": "perhaps"}, {"secret": True}):
                expect(place, f"{arguments}: refused", '"isError": true' in call("type_text", text=SECRET, **arguments),
                       True)
            messages, _, said = agent.end()
            written.note("messages", messages, agent.notes, said)


def what_is_none_stays(place):
    """A text that is not called secret, into a field that is none for passwords, is answered as it always was."""
    with own_phone(place) as phone:
        phone.ask("open", "com.clawperator.conformance")
        phone.ask("click", "--text", "Form")
        for words in (["type", "Ada", "--id", NAME], ["--backend", "shell", "type", "Ada", "--id", NAME],
                      ["type", "Ada", "--id", NAME, "--snapshot"]):
            expect(place, str(words), echoed(phone.ask(*words)[1]), "Ada")


CHECKS = [
    ("secrets-type-app", False, typed_by()),
    ("secrets-type-shell", False, typed_by("--backend", "shell")),
    ("secrets-printed-otherwise", False, printed_otherwise),
    ("secrets-plans", False, plans),
    ("secrets-older-apps", False, older_apps),
    ("secrets-daemon", False, by_the_daemon),
    ("secrets-http", False, by_http),
    ("secrets-mcp", False, by_mcp),
    ("secrets-none", False, what_is_none_stays),
]
