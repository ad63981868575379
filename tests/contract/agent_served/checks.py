"""Agent skills over HTTP: what there is, programs, installs, changes of the configuration, the event."""
import json
import os
import pathlib
import signal
import threading
import time

from api_server import ApiServer, expect, expect_error
from limits import LIMIT_S

EVENT = "clawperator:agent-skills"
BREW = (
    '#!/bin/sh\necho "$@" >"$LOG"\ncase "$2" in bad) echo "Error: no formula" >&2; exit 1;; slow) echo $$ >"$LOG"; '
    'sleep 60;; esac\n')


def skill(name, metadata=None):
    line = f"metadata: {json.dumps({'openclaw': metadata})}\n" if metadata else ""
    return f"---\nname: {name}\ndescription: Does {name}.\n{line}---\n"


def brew(*formulas):
    return [{"id": each, "kind": "brew", "formula": each, "bins": [f"{each}-bin"]} for each in formulas]


class Home:
    """A home with skills, and a brew that is a script of ours."""

    def __init__(self, place, **skills):
        self.root = pathlib.Path(place.sandbox)
        self.state = self.root / ".openclaw"
        self.config = self.state / "openclaw.json"
        for name, metadata in skills.items():
            self.write(name, metadata)
        tools = self.root / "tools"
        tools.mkdir()
        (tools / "brew").write_text(BREW)
        (tools / "brew").chmod(0o755)
        self.log = self.root / "log"
        self.env = {"PATH": f"{tools}:{os.environ['PATH']}", "LOG": str(self.log), "CLAWPERATOR_PASS_ENV": "LOG"}

    def write(self, name, metadata=None):
        folder = self.state / "skills" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "SKILL.md").write_text(skill(name, metadata))
        return folder / "SKILL.md"


def of_an_agent(place):
    """The agent that the query names has its own list of skills; a name that the configuration does not have is an
    error. What has no effect in the configuration does not stop the answer, and is in the log."""
    home = Home(place, a=None, b=None)
    home.config.write_text('{skills:{newer:1},agents:{list:[{id:"main"},{id:"other",skills:["b"]}]}}')
    with ApiServer(place, env=home.env) as server:
        for query, eligible in ("", ["a", "b"]), ("?agentId=other", ["b"]):
            status, report = server.json("GET", "/agent-skills/status" + query)
            expect(place, query, (status, [each["name"] for each in report["skills"] if each["eligible"]]),
                   (200, eligible))
        expect_error(place, server.json("GET", "/agent-skills/status?agentId=x"), 400, "USAGE")


def whole_report(place):
    """The report has every skill with all of it; what changes on the disk is in the next one; bins are sorted, each
    once."""
    home = Home(place, a=None, b={"requires": {"bins": ["zzz", "sh"], "anyBins": ["yyy"]}, "install": brew("f")})
    with ApiServer(place, env=home.env) as server:
        status, report = server.json("GET", "/agent-skills/status")
        expect(place, "status", status, 200)
        expect(place, "places", (report["ok"], report["workspaceDir"], report["managedSkillsDir"]),
               (True, str(home.state / "workspace"), str(home.state / "skills")))
        expect(place, "names", [(each["name"], each["eligible"]) for each in report["skills"]],
               [("a", True), ("b", False)])
        expect(place, "missing", report["skills"][1]["missing"],
               {"bins": ["zzz"], "anyBins": ["yyy"], "env": [], "config": [], "os": []})
        expect(place, "install", report["skills"][1]["install"],
               [{"id": "f", "kind": "brew", "label": "Install f (brew)", "bins": ["f-bin"]}])
        expect(place, "bins", server.json("GET", "/agent-skills/bins"),
               (200, {"ok": True, "bins": ["f-bin", "sh", "yyy", "zzz"]}))
        home.write("a", {"emoji": "!"})
        home.write("c")
        shown = server.json("GET", "/agent-skills/status")[1]["skills"]
        expect(place, "changed", [(each["name"], each.get("emoji")) for each in shown],
               [("a", "!"), ("b", None), ("c", None)])
        home.config.write_text("{skills: {load: 1}}")
        expect_error(place, server.json("GET", "/agent-skills/status"), 500, "AGENT_CONFIG_INVALID")
        expect(place, "another method", server.ask("POST", "/agent-skills/status")[0], 405)


def installed(place):
    """A package manager's words and its end; what it said of a failure; no other failure's words."""
    home = Home(place, a={"install": brew("good", "bad")})
    with ApiServer(place, env=home.env) as server:
        ask = lambda body: server.json("POST", "/agent-skills/install", body)
        expect(place, "good", ask({"name": "a", "installId": "good", "timeoutMs": 20000}),
               (200, {"ok": True, "message": "Installed", "stdout": "", "stderr": "", "code": 0}))
        expect(place, "words", home.log.read_text(), "install good\n")
        answer = ask({"name": "a", "installId": "bad"})
        expect_error(place, answer, 503, "AGENT_INSTALL_FAILED", "Install failed (exit 1): Error: no formula")
        expect(place, "what it said", (answer[1]["error"]["details"]["stderr"], answer[1]["error"]["details"]["code"]),
               ("Error: no formula", 1))
        home.log.unlink()
        expect_error(place, ask({"name": "absent", "installId": "good"}), 404, "AGENT_SKILL_NOT_FOUND")
        for body, message in (
                ({"installId": "good"}, "invalid skills.install params: at root: must have required property 'name'"),
                ({"name": "a"}, "invalid skills.install params: at root: must have required property 'installId'"),
                ({"name": "", "installId": "x"},
                 "invalid skills.install params: at /name: must NOT have fewer than 1 characters"),
                ({"name": 7, "installId": "x"}, "invalid skills.install params: at /name: must be string"),
                ({"name": "a", "installId": "x", "timeoutMs": 999},
                 "invalid skills.install params: at /timeoutMs: must be >= 1000"),
                ({"name": "a", "installId": "x", "timeoutMs": "9"},
                 "invalid skills.install params: at /timeoutMs: must be integer"),
                ({"name": "a", "installId": "x", "y": 1},
                 "invalid skills.install params: at root: unexpected property 'y'")):
            expect_error(place, ask(body), 400, "INVALID_BODY", message)
        expect_error(place,
                     server.json("POST", "/agent-skills/install", "no json", {"Content-Type": "application/json"}),
                     400, "INVALID_JSON")
        foreign = {"Origin": "http://evil.example", "Content-Type": "application/json"}
        expect(place, "another site",
               server.json("POST", "/agent-skills/install", {"name": "a", "installId": "good"}, foreign)[0], 403)
        expect(place, "nothing was started", home.log.exists(), False)


def stopped(place):
    """A server that gets the signal to end does not wait for a package manager."""
    home = Home(place, a={"install": brew("slow")})
    with ApiServer(place, env=home.env) as server:
        running = server.in_background("POST", "/agent-skills/install", {"name": "a", "installId": "slow"})
        end = time.monotonic() + LIMIT_S
        while not home.log.exists() or not home.log.read_text().strip().isdigit():
            expect(place, "the package manager runs", time.monotonic() < end, True)
            time.sleep(0.05)
        expect(place, "exit code", server.stop(signal.SIGTERM), 0)
        running.join(LIMIT_S)
        expect(place, "its answer", running.answer[1]["ok"], False)


def changed(place):
    """The configuration is changed in the user's own text; secrets are in no answer."""
    home = Home(place, a={"primaryEnv": "K"})
    home.config.write_text("// mine\n{ skills: { entries: { a: { env: { B: '2' } } } } }\n")
    with ApiServer(place, env=home.env) as server:
        ask = lambda body: server.json("POST", "/agent-skills/update", body)
        expect(place, "all of it",
               ask({"skillKey": "a", "enabled": False, "apiKey": " secret-text ", "env": {" C ": " 3 ", "B": " "}}),
               (200, {"ok": True, "skillKey": "a", "config": {"enabled": False, "apiKey": "***", "env": {"C": "***"}}}))
        expect(place, "the file", home.config.read_text(),
               '// mine\n{ skills: { entries: { a: { env: { C: "3" }, enabled: false, apiKey: "secret-text" } } } }\n')
        expect(place, "its user's alone", home.config.stat().st_mode & 0o777, 0o600)
        expect(place, "counts at once", server.json("GET", "/agent-skills/status")[1]["skills"][0]["disabled"], True)
        for body, message in (
                ({}, "invalid skills.update params: at root: must have required property 'skillKey'"),
                ({"skillKey": ""}, "invalid skills.update params: at /skillKey: must NOT have fewer than 1 characters"),
                ({"skillKey": "a", "enabled": 1}, "invalid skills.update params: at /enabled: must be boolean"),
                ({"skillKey": "a", "env": {"A": 1}}, "invalid skills.update params: at /env/A: must be string"),
                ({"skillKey": "a", "config": {}},
                 "invalid skills.update params: at root: unexpected property 'config'"),
                ({"skillKey": "  "}, "a skill's key must not be blank"),
                ({"skillKey": "a", "env": {"A=B": "c"}}, "'A=B' is no name of a variable"),
                ({"skillKey": "a", "env": {f"V{number}": "x" for number in range(65)}},
                 "more than 64 variables at once"),
                ({"skillKey": "a", "apiKey": "${NO_SUCH_VAR}"}, None)):
            expect_error(place, ask(body), 400, "INVALID_BODY", message)
        kept = home.config.read_text()
        home.config.write_text("{")
        expect_error(place, ask({"skillKey": "a", "enabled": True}), 500, "AGENT_CONFIG_INVALID")
        expect(place, "what is wrong is not touched", home.config.read_text(), "{")
        home.config.write_text(kept)


def many_installs(place):
    """Sixteen programs at once and no more, however many ask at the same time."""
    home = Home(place, a={"install": brew("waits")})
    (home.root / "tools/brew").write_text(
        '#!/bin/sh\necho run >>"$LOG"\nwhile test ! -e "$LOG.go"; do sleep 0.1; done\n')
    with ApiServer(place, env=home.env) as server:
        asked = [server.in_background("POST", "/agent-skills/install", {"name": "a", "installId": "waits"})
                 for _ in range(40)]
        while sum(not each.is_alive() for each in asked) < 24:
            time.sleep(0.05)
        refused = [each.answer for each in asked if not each.is_alive()]
        expect(place, "refused", {(status, reply["error"]["code"]) for status, reply in refused},
               {(429, "TOO_MANY_REQUESTS")})
        (home.root / "log.go").write_text("")
        for each in asked:
            each.join(LIMIT_S)
        expect(place, "done", sum(each.answer[0] == 200 for each in asked), 16)
        expect(place, "runs", home.log.read_text(), "run\n" * 16)


def every_agent(place):
    """The programs of every agent's workspace."""
    home = Home(place)
    for name in ("one", "two"):
        folder = home.root / name / "skills" / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(skill(name, {"requires": {"bins": [f"bin-{name}"]}}))
    home.state.mkdir()
    home.config.write_text('{agents: {list: [{workspace: "one"}, {workspace: "two"}]}}')
    with ApiServer(place, env=home.env) as server:
        expect(place, "bins", server.json("GET", "/agent-skills/bins")[1]["bins"], ["bin-one", "bin-two"])
        names = [each["name"] for each in server.json("GET", "/agent-skills/status")[1]["skills"]]
        expect(place, "of the first one", names, ["one"])


def event_of_write(reader, write):
    """(name, document) of the next event. Watching begins a little after listening does: it is written until the
    event comes."""
    seen = threading.Event()
    writing = threading.Thread(target=lambda: [write() for _ in iter(lambda: seen.wait(0.2), True)])
    writing.start()
    try:
        return reader.next()[:2]
    finally:
        seen.set()
        writing.join()


def watched_later(place):
    """A configuration that is wrong at the start is read again; a folder that it names later is watched, too."""
    home = Home(place, a=None)
    home.config.write_text("{")
    with ApiServer(place, env=home.env) as server:
        reader = server.events()
        expect(place, "heartbeat", reader.next()[0], "heartbeat")
        home.config.write_text("{skills: {load: {watchDebounceMs: 20, extraDirs: ['more']}}}")
        path = home.root / "more/x/SKILL.md"
        path.parent.mkdir(parents=True)
        name, document = event_of_write(reader, lambda: path.write_text(skill("x")))
        expect(place, "the event", (name, document["changedPath"]), (EVENT, str(path)))
        reader.close()


def events(place):
    """Changes of files and of the configuration are reported, each time with a higher version."""
    home = Home(place, a=None)
    home.config.write_text("{ skills: { load: { watchDebounceMs: 20 } } }\n")
    with ApiServer(place, env=home.env) as server:
        reader = server.events()
        expect(place, "heartbeat", reader.next()[0], "heartbeat")
        expect(place, "update", server.json("POST", "/agent-skills/update", {"skillKey": "a", "enabled": True})[0], 200)
        name, first, _ = reader.next()
        expect(place, "of the change", (name, first["reason"], "changedPath" in first), (EVENT, "manual", False))
        path = home.state / "skills/a/SKILL.md"
        name, second = event_of_write(reader, lambda: home.write("a", {"emoji": "x"}))
        expect(place, "of the file", (name, second["reason"], second["changedPath"]), (EVENT, "watch", str(path)))
        expect(place, "versions grow", second["version"] > first["version"] > 0, True)
        reader.close()


CHECKS = [("the whole report", False, whole_report), ("of an agent", False, of_an_agent),
          ("what is installed", False, installed), ("a server that ends", False, stopped),
          ("what is changed", False, changed), ("the event", False, events), ("many installs", False, many_installs),
          ("every agent", False, every_agent), ("what is watched later", False, watched_later)]
