"""Skills over HTTP (GET /skills, POST /skills/:id/run, the event clawperator:skill) and as tools of agents."""
import copy
import json
import os
import pathlib
import shutil
import time

from api_server import ApiServer, expect, expect_error
from conversation import MOST_OF_LIST, TOOLS, Conversation

from limits import LIMIT_S
from process_state import is_gone
from skill_registry import write_registry as write_skill_registry

FRAME = """echo '[Clawperator-Skill-Result]'
echo '{"contractVersion":"1.0.0","skillId":"com.a.framed","status":"success","checkpoints":[],\
"result":{"kind":"text","text":"42"}}'
"""
SCRIPTS = {
    "com.a.say": 'echo "args: $*"\necho "device: ${CLAWPERATOR_DEVICE_ID-none} package: '
                 '$CLAWPERATOR_OPERATOR_PACKAGE"\n'
                 'test -x "$CLAWPERATOR_BIN" && echo "has a program"\necho "to stderr" >&2\n',
    "com.a.framed": "echo working\n" + FRAME,
    "com.a.fails": "echo partial\necho fatal >&2\nexit 3\n",
    "com.a.sleeps": "echo $$ > \"$PIDFILE\"\necho begun\nsleep 9000\n",
    "com.b.proves": "echo hello\n",
}
ROOT = pathlib.Path(__file__).resolve().parents[3]
PROOF = {"contract": {"inputs": {}, "goal": None, "verification": {"kind": "node_text_matches", "matcher": "On"}}}


def write_registry(place):
    """Its path, as a variable of the environment."""
    root = pathlib.Path(place.sandbox) / "repo"
    entries, registry = write_skill_registry(root, SCRIPTS, "Does {}".format, {"com.b.proves": PROOF})
    return entries, {"CLAWPERATOR_SKILLS_REGISTRY": str(registry), "PIDFILE": str(root / "pid")}


def found(place):
    """What is listed is what the registry has, entry for entry; a query filters and ranks; without a registry it is an
    error."""
    entries, env = write_registry(place)
    with ApiServer(place, env=env) as server:
        expect(place, "all", server.json("GET", "/skills"), (200, {"ok": True, "skills": entries, "count": 5}))
        ids = lambda query: [each["id"] for each in server.json("GET", "/skills?" + query)[1]["skills"]]
        expect(place, "app", ids("app=com.b"), ["com.b.proves"])
        expect(place, "intent", ids("intent=say"), ["com.a.say"])
        expect(place, "keyword", ids("keyword=com.b"), ["com.b.proves"])
        expect(place, "a part of a word", ids("keyword=DOES+FA"), ["com.a.fails"])
        expect(place, "both", ids("app=com.a&keyword=does+say"), ["com.a.say"])
        expect(place, "one", server.json("GET", "/skills/com.a.say"), (200, {"ok": True, "skill": entries[0]}))
        expect_error(place, server.json("GET", "/skills/com.none"), 404, "SKILL_NOT_FOUND", "Skill not found: com.none")
        expect(place, "another method", server.ask("POST", "/skills")[0], 405)
    with ApiServer(place, env={"CLAWPERATOR_SKILLS_REGISTRY": "/none.json"}) as server:
        for path in ("/skills", "/skills/x"):
            expect_error(place, server.json("GET", path), 500, "REGISTRY_READ_FAILED",
                         "Registry not found at configured path: /none.json. Update CLAWPERATOR_SKILLS_REGISTRY or run "
                         "clawperator skills install.")


def run(place):
    """The answers of the command line, in HTTP's wrapper; the device is the first argument where one is named."""
    _, env = write_registry(place)
    serial = place.device.serial
    with ApiServer(place, env=env) as server:
        status, said = server.json("POST", "/skills/com.a.say/run",
                                   {"deviceId": serial, "args": ["x y", 7, True, None]})
        expect(place, "say", (status, said["ok"], said["status"], said["exitCode"]), (200, True, "success", 0))
        expect(place, "its output", said["output"],
               f"args: {serial} x y 7 true null\ndevice: {serial} package: com.clawperator.operator\nhas a program\n")
        said = server.json("POST", "/skills/com.a.say/run", {"operatorPackage": "com.x.dev"})[1]
        expect(place, "without a device", said["output"].split("\n")[:2], ["args: ", "device: none package: com.x.dev"])
        expect(place, "no body", server.json("POST", "/skills/com.a.say/run")[0], 200)
        status, said = server.json("POST", "/skills/com.a.framed/run", {"timeoutMs": 5000})
        duration = said.pop("durationMs")
        expect(place, "framed", (status, said), (200, {
            "ok": True, "timeoutMs": 5000, "skillResult": {
                "contractVersion": "1.0.0", "skillId": "com.a.framed", "status": "success", "checkpoints": [],
                "result": {"kind": "text", "text": "42"}, "source": {"kind": "script"}}}))
        expect(place, f"{duration} ms", 0 <= duration < 5000, True)
        status, said = server.json("POST", "/skills/com.a.fails/run", {})
        expect_error(place, (status, said), 400, "SKILL_EXECUTION_FAILED", "Skill com.a.fails exited with code 3")
        expect(place, "what it said", [said["error"][name] for name in ("skillId", "exitCode", "stdout", "stderr")],
               ["com.a.fails", 3, "partial\n", "fatal\n"])
        status, said = server.json("POST", "/skills/com.a.say/run", {"expectContains": "never"})
        expect_error(place, (status, said), 400, "SKILL_OUTPUT_ASSERTION_FAILED")
        expect(place, "what was expected", said["error"]["expectedSubstring"], "never")
        status, said = server.json("POST", "/skills/com.b.proves/run", {})
        expect(place, "indeterminate", (status, said["ok"], said["status"], said["code"]),
               (200, False, "indeterminate", "SKILL_VERIFICATION_INDETERMINATE"))
        expect_error(place, server.json("POST", "/skills/com.a.sleeps/run", {"timeoutMs": 300}), 400,
                     "SKILL_EXECUTION_TIMEOUT",
                     "Skill com.a.sleeps timed out after 300ms")


class UpgradedServer(ApiServer):
    """Started from a file that another one replaces, as an upgrade does."""

    def __init__(self, place, **options):
        program = pathlib.Path(place.sandbox) / "prefix/bin/clawperator"
        program.parent.mkdir(parents=True)
        try:
            os.link(place.binary, program)
        except OSError:  # another file system
            shutil.copy2(place.binary, program)
        copied = copy.copy(place)
        copied.binary = str(program)
        super().__init__(copied, **options)
        fresh = program.with_name("fresh")
        fresh.write_text("#!/bin/sh\n")
        fresh.chmod(0o755)
        fresh.rename(program)


def run_after_an_upgrade(place):
    """Scripts get the path of the program that is there now."""
    _, env = write_registry(place)
    with UpgradedServer(place, env=env) as server:
        said = server.json("POST", "/skills/com.a.say/run", {})[1]
        expect(place, "its output", said["output"].splitlines()[-1], "has a program")


def examples_after_an_upgrade(place):
    """Those that are installed beside the program are found as before."""
    examples = place.sandbox / "prefix/share/clawperator/skills-repo/skills"
    shutil.copytree(ROOT / "skills", examples)
    with UpgradedServer(place) as server:
        status, listed = server.json("GET", "/skills")
        expect(place, listed, (status, "com.android.settings.open-row" in json.dumps(listed)), (200, True))


def refused(place):
    """Nothing is started for a body of the wrong form, an unknown skill, or a device that is not there or not awake."""
    _, env = write_registry(place)
    with ApiServer(place, env=env) as server:
        path = "/skills/com.a.sleeps/run"
        for body, code, message in (
                ([], "INVALID_BODY", "Request body must be a JSON object"),
                ({"deviceId": 7}, "INVALID_DEVICE_ID", None),
                ({"operatorPackage": ""}, "INVALID_OPERATOR_PACKAGE", None),
                ({"args": "x"}, "INVALID_ARGS", "'args' must be an array"),
                ({"args": ["a\0b"]}, "INVALID_ARGS", None),
                ({"timeoutMs": 0}, "INVALID_TIMEOUT_MS", "'timeoutMs' must be a positive integer"),
                ({"timeoutMs": 1.5}, "INVALID_TIMEOUT_MS", None),
                ({"timeoutMs": "100"}, "INVALID_TIMEOUT_MS", None),
                ({"timeoutMs": 1e300}, "INVALID_TIMEOUT_MS", None),
                ({"expectContains": 7}, "INVALID_EXPECT_CONTAINS", "'expectContains' must be a string")):
            expect_error(place, server.json("POST", path, body), 400, code, message)
        answer = server.json("POST", path, '{"timeoutMs": 1}', {"Content-Type": "text/plain"})
        expect_error(place, answer, 400, "INVALID_BODY")
        answer = server.json("POST", path, "{", {"Content-Type": "application/json"})
        expect_error(place, answer, 400, "INVALID_JSON")
        expect_error(place, server.json("POST", "/skills/com.none/run", {}), 404, "SKILL_NOT_FOUND")
        expect_error(place, server.json("POST", path, {"deviceId": "absent"}), 404, "DEVICE_NOT_FOUND")
        place.run("input", "key", "POWER", "--device", place.device.serial)
        expect_error(place, server.json("POST", path, {}), 409, "DEVICE_NOT_INTERACTIVE")
        foreign = {"Origin": "http://evil.example", "Content-Type": "application/json"}
        expect(place, "another site", server.json("POST", path, {}, foreign)[0], 403)
    expect(place, "nothing was started", os.path.exists(env["PIDFILE"]), False)


def sent_to_events(place):
    """Each line of a script is an event, with a name for its run, before the answer."""
    _, env = write_registry(place)
    with ApiServer(place, env=env) as server:
        reader = server.events()
        expect(place, "heartbeat", reader.next()[0], "heartbeat")
        expect(place, "run", server.json("POST", "/skills/com.a.say/run", {"args": ["1"]})[0], 200)
        events = [reader.next() for _ in range(4)]
        expect(place, "names", {name for name, _, _ in events}, {"clawperator:skill"})
        expect(place, "skills", {data["skillId"] for _, data, _ in events}, {"com.a.say"})
        expect(place, "one run", len({data["runId"] for _, data, _ in events}), 1)
        lines = sorted((data["stream"], data["line"]) for _, data, _ in events)
        expect(place, "lines", lines, [("stderr", "to stderr"), ("stdout", "args: 1"),
                                       ("stdout", "device: none package: com.clawperator.operator"),
                                       ("stdout", "has a program")])
        reader.close()


def wait_for(place, what, condition):
    deadline = time.monotonic() + LIMIT_S
    while not condition():
        if time.monotonic() > deadline:
            raise place.Mismatch(f"not in {LIMIT_S} s: {what}")
        time.sleep(0.02)


def pid_of(place, env):
    path = pathlib.Path(env["PIDFILE"])
    wait_for(place, "the script runs", lambda: path.exists() and path.read_text().endswith("\n"))
    return int(path.read_text())


def ends_with_the_server(place):
    """A server that is to end does not wait for a script: it is ended, and its client gets the error."""
    _, env = write_registry(place)
    with ApiServer(place, env=env) as server:
        waiting = server.in_background("POST", "/skills/com.a.sleeps/run", {})
        pid = pid_of(place, env)
        expect(place, "the server", server.stop(), 0)
        waiting.join()
        expect(place, "the answer", waiting.answer[1]["error"]["code"], "CANCELLED")
        wait_for(place, "the script has ended", lambda: is_gone(pid))


def as_tools(place):
    """list_skills and run_skill are offered where a registry is, and do what the command line does."""
    _, env = write_registry(place)
    with Conversation(place, env=env) as talk:
        talk.greet()
        talk.send({"id": "list", "method": "tools/list"})
        line = talk.line()
        expect(place, f"all of them: {len(line)} bytes", len(line) < MOST_OF_LIST, True)
        tools = {tool["name"]: tool for tool in json.loads(line)["result"]["tools"]}
        expect(place, "names", list(tools), [*TOOLS, "list_skills", "run_skill"])
        hints = [tools[name]["annotations"].get("readOnlyHint", False) for name in ("list_skills", "run_skill")]
        expect(place, "what only reads", hints, [True, False])
        listed = talk.tool("list_skills", keyword="com.b")
        expect(place, "listed", listed.lines, ["1 skill", "com.b.proves: Does proves"])
        ran = talk.tool("run_skill", id="com.a.say", args=["a", "b c"])
        expect(place, "ran",
               (ran.verdict["status"], ran.verdict["output"].split("\n")[0], ran.result.get("isError", False)),
               ("success", "args: a b c", False))
        failed = talk.refused("SKILL_EXECUTION_FAILED", "run_skill", id="com.a.fails")
        expect(place, "failed", (failed["exitCode"], failed["stdout"]), (3, "partial\n"))
        talk.refused("SKILL_VERIFICATION_INDETERMINATE", "run_skill", id="com.b.proves")
        for code, arguments in (("USAGE", {}), ("SKILL_NOT_FOUND", {"id": "com.none"}),
                                ("USAGE", {"id": "com.a.say", "handle": "x"}),
                                ("USAGE", {"id": "com.a.say", "args": "x"}),
                                ("USAGE", {"id": "com.a.say", "args": [1]}),
                                ("DEVICE_NOT_FOUND", {"id": "com.a.say", "device": "absent"})):
            talk.refused(code, "run_skill", **arguments)
    with Conversation(place) as talk:
        talk.greet()
        expect(place, "without a registry", [tool["name"] for tool in talk.result("tools/list")["tools"]], TOOLS)
        expect(place, "its tool", talk.request("tools/call", {"name": "run_skill", "arguments": {}})["error"]["code"],
               -32602)


def server_is_handed_on(place):
    """What a script runs uses the adb server that the program itself uses."""
    _, env = write_registry(place)
    script = pathlib.Path(place.sandbox) / "repo/skills/com.a.say/scripts/run.sh"
    script.write_text('#!/bin/sh\nexec "$CLAWPERATOR_BIN" --no-daemon snapshot --device "$1"\n')
    env = {**env, "ANDROID_ADB_SERVER_PORT": "1"}
    words = ["--adb-server", f"tcp:127.0.0.1:{place.device.server_port}"]
    with ApiServer(place, *words, env=env) as server:
        status, answer = server.json("POST", "/skills/com.a.say/run", {"deviceId": place.device.serial})
        expect(place, f"over HTTP: {answer}", (status, answer["ok"], "<hierarchy" in answer.get("output", "")),
               (200, True, True))
    with Conversation(place, *words, env=env) as talk:
        talk.greet()
        ran = talk.tool("run_skill", id="com.a.say", device=place.device.serial)
        expect(place, f"as a tool: {ran.verdict}", (ran.verdict["status"], "<hierarchy" in ran.verdict["output"]),
               ("success", True))


def keeps_secrets(place):
    """[S4] The server's token goes to no script, and neither that nor a key that is passed on to the log, whatever a
    script prints."""
    _, env = write_registry(place)
    token, logs = "hunter2-0123456789-of-serve", place.sandbox / "logs"
    script = place.sandbox / "repo/skills/com.a.say/scripts/run.sh"
    script.write_text('#!/bin/sh\necho "args: $*"\necho "token: ${CLAWPERATOR_TOKEN-none}"\necho "it is $GOG"\n')
    given = {"CLAWPERATOR_TOKEN": token, "CLAWPERATOR_PASS_ENV": "GOG CLAWPERATOR_TOKEN", "GOG": "hunter2-of-gog",
             "CLAWPERATOR_LOG_DIR": str(logs)}
    for words, more in (([], {}), (["--token", token], {"CLAWPERATOR_TOKEN": ""})):
        with ApiServer(place, *words, env={**env, **given, **more}) as server:
            status, said = server.json("POST", "/skills/com.a.say/run",
                                       {"deviceId": place.device.serial, "args": [token]},
                                       {"Authorization": f"Bearer {token}"})
            expect(place, f"{words}: {said}", status, 200)
            expect(place, "what it said", said["output"].splitlines(),
                   [f"args: {place.device.serial} {token}", "token: none", "it is hunter2-of-gog"])
    logged = "".join(path.read_text() for path in logs.glob("*.log"))
    expect(place, "lines of output", logged.count("skills.run.output"), 6)
    expect(place, "secrets in the log", "hunter2" in logged, False)


CHECKS = [
    ("skills served: found", False, found),
    ("skills served: keeps secrets", True, keeps_secrets),
    ("skills served: run", True, run),
    ("skills served: run after an upgrade", True, run_after_an_upgrade),
    ("skills served: examples after an upgrade", False, examples_after_an_upgrade),
    ("skills served: refused", True, refused),
    ("skills served: events", True, sent_to_events),
    ("skills served: ends with the server", True, ends_with_the_server),
    ("skills served: tools", True, as_tools),
    ("skills served: the adb server is handed on", True, server_is_handed_on),
]
