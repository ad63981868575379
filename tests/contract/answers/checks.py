"""An answer is ours, or an error: today's Operator apps, and what logs, other programs and broken apps make of answers.

Each check has a simulated phone of its own, reached directly."""
import json
import pathlib
import signal
import subprocess
import sys

from api_server import ApiServer, expect
from limits import LIMIT_S
from own_phone import own_phone

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "mcp"))
from conversation import Conversation

VERSIONS = ("0.5.3", "0.7.0", "0.9.3", "0.10.0", "0.12.5", "1.0.0")
RECORDS = ("0.10.0", "0.12.5", "1.0.0")  # write results above 3000 bytes in records
SNAPSHOT = {"id": "s", "type": "snapshot_ui"}
HOME = {"id": "h", "type": "press_key", "params": {"key": "home"}}
SLEEP = {"id": "z", "type": "sleep", "params": {"durationMs": 20}}


def plan(*actions, command="c1", timeout=20000):
    return {"commandId": command, "taskId": "t1", "source": "test", "expectedFormat": "android-ui-automator",
            "timeoutMs": timeout, "actions": list(actions)}


def text_of(answer, step=0):
    return answer["envelope"]["stepResults"][step]["data"].get("text", "")


def expect_error(place, what, asked, code="RESULT_ENVELOPE_MALFORMED", **details):
    """An error after a dispatch: `details` are among its own."""
    status, answer, _ = asked
    expect(place, f"{what}: exit and code", (status, answer.get("code")), (1, code))
    members = answer["details"]
    expect(place, f"{what}: dispatched", (members["dispatchAttempted"], len(members["dispatchId"])), (True, 32))
    for name, value in details.items():
        expect(place, f"{what}: {name}", members.get(name), value)
    return answer


def every_version(place):
    """The main commands, one phone after the other."""
    for version in VERSIONS:
        with own_phone(place, "--operator", version) as phone:
            def done(*argv):
                status, answer, err = phone.ask(*argv)
                expect(place, f"{version}: {argv}", (status, err), (0, ""))
                return answer

            done("open", "com.clawperator.conformance")
            tree = text_of(done("snapshot"))
            expect(place, f"{version}: a whole tree", tree.strip()[-12:], "</hierarchy>")
            done("click", "--text", "Form")
            done("type", "Ada", "--role", "textfield")
            expect(place, f"{version}: what was typed", text_of(done("read", "--role", "textfield")), "Ada")
            done("wait", "--role", "textfield")
            done("--backend", "app", "back")
            answer = done("exec", json.dumps(plan(SNAPSHOT, SLEEP, {**SNAPSHOT, "id": "s2"},
                                                  {"id": "p", "type": "take_screenshot"})))
            envelope = answer["envelope"]
            expect(place, f"{version}: the caller's ids", (envelope["commandId"], envelope["taskId"]), ("c1", "t1"))
            expect(place, f"{version}: types", [step["actionType"] for step in envelope["stepResults"]],
                   ["snapshot_ui", "sleep", "snapshot_ui", "take_screenshot"])
            expect(place, f"{version}: both trees", [text_of(answer, step).strip()[-12:] for step in (0, 2)],
                   ["</hierarchy>"] * 2)
            expect(place, f"{version}: what the host did has no error", list(envelope["stepResults"][3]["data"]),
                   ["path"])


def records(place):
    """What happens to records of a result on their way."""
    for version in RECORDS[1:]:
        with own_phone(place, "--operator", version) as phone:
            for fault in ("piece-repeated", "pieces-foreign"):
                phone.simctl("fault", fault)
                expect(place, f"{version}: {fault}", phone.ask("snapshot")[0], 0)
                phone.simctl("reset")
            for fault in ("piece-lost first", "piece-lost middle", "piece-lost last", "piece-lost all",
                          "pieces-swapped",
                          "piece-announces"):
                phone.simctl("fault", *fault.split())
                # What only looks is sent once more; what acts never is.
                answer = expect_error(place, fault, phone.ask("snapshot"), receipt="lost", attempts=2)
                expect(place, f"{fault}: says that it ran", "ran the command" in answer["message"], True)
                expect(place, f"{fault}: looked twice", phone.counter("broadcast"), 2)
                acted = expect_error(place, fault, phone.ask("exec", json.dumps(plan(HOME, SNAPSHOT))), receipt="lost")
                expect(place, f"{fault}: acted once", (phone.counter("broadcast"), "attempts" in acted["details"]),
                       (3, False))
                expect(place, f"{fault}: no record among the lines", any("Result-Chunk" in line or "Publication" in line
                                                                        for line in acted["lastCorrelatedEvents"]),
                       False)
                phone.simctl("reset")
            phone.simctl("fault", "piece-hash-wrong")
            answer = expect_error(place, "another checksum", phone.ask("snapshot"))
            expect(place, "another checksum", "sha256" in answer["details"]["reason"], True)


def other_answers(place):
    """Answers that name our dispatch and do not match the request."""
    for version in ("0.5.3", "0.12.5"):
        with own_phone(place, "--operator", version) as phone:
            for what, word in (("steps", "missing"), ("ids", "other"), ("types", "sleep"), ("task", "taskId")):
                phone.simctl("fault", "envelope-altered", what)
                answer = expect_error(place, what, phone.ask("exec", json.dumps(plan(HOME, SLEEP))))
                expect(place, f"{version}: {what}: why", word in answer["details"]["reason"], True)
                expect(place, f"{version}: {what}: sent once", phone.counter("broadcast"), 1)
                phone.simctl("reset")
            for fault in ("envelope-forged", "app-restarts"):
                phone.simctl("fault", fault)
                answer = expect_error(place, fault, phone.ask("exec", json.dumps(plan(HOME, SLEEP))))
                expect(place, f"{version}: {fault}", "restarted" in answer["message"], True)
                expect(place, f"{version}: {fault}: sent once", phone.counter("broadcast"), 1)
                phone.simctl("reset")


FIRST, SECOND = plan(SLEEP, timeout=1000), plan(HOME)


def hold_the_next(phone):
    phone.simctl("reset")
    phone.simctl("fault", "envelope-held")


def second_is_its_own(place, what, envelope):
    expect(place, what, (envelope["commandId"], [step["id"] for step in envelope["stepResults"]]), ("c1", ["h"]))


def late_by_command_line(place, phone, what):
    hold_the_next(phone)
    expect_error(place, f"{what}: the first", phone.ask("exec", json.dumps(FIRST)), "RESULT_ENVELOPE_TIMEOUT",
                 commandId="c1")
    second_is_its_own(place, what, phone.ask("exec", "--queue", json.dumps(SECOND))[1]["envelope"])


def late_answers(place):
    """A plan times out, its answer comes during the next one, which has the same command id and other actions."""
    for version in ("0.5.3", "1.0.0"):
        with own_phone(place, "--operator", version) as phone:
            late_by_command_line(place, phone, version)


def late_answers_elsewhere(place):
    """The same where a process stays: by the daemon, HTTP and MCP."""
    with own_phone(place, "--operator", "0.12.5") as phone:
        expect(place, "connect", place.run("connect", phone.serial).returncode, 0)
        daemon = subprocess.Popen([place.binary, "daemon", "run"], env=place.env, cwd=place.sandbox,
                                  stderr=subprocess.PIPE,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            daemon.stderr.readline()
            late_by_command_line(place, phone, "by the daemon")
        finally:
            daemon.send_signal(signal.SIGKILL)
            daemon.communicate(timeout=LIMIT_S)
        with ApiServer(place) as server:
            def post(execution):
                return server.json("POST", "/execute",
                                   {"execution": execution, "deviceId": phone.serial, "queue": True})
            hold_the_next(phone)
            status, answer = post(FIRST)
            expect(place, "HTTP: the first", (status, answer["error"]["code"]), (504, "RESULT_ENVELOPE_TIMEOUT"))
            second_is_its_own(place, "HTTP", post(SECOND)[1]["envelope"])
        with Conversation(place, "--device", phone.serial) as agent:
            agent.greet()
            hold_the_next(phone)
            first = agent.call("execute", actions=[SLEEP], timeout_ms=1000)
            expect(place, "MCP: the first", first.get("isError"), True)
            expect(place, "MCP", phone.counter("broadcast"), 1)
            second = agent.tool("execute", actions=[HOME])
            expect(place, "MCP: its own step", [step["id"] for step in second.verdict["steps"]], [HOME["id"]])
            expect(place, "MCP: both were sent", phone.counter("broadcast"), 2)


def failures(place):
    """What the app says of a failure stands."""
    long_plan = json.dumps(plan(HOME, SLEEP, {**SLEEP, "id": "z2"}, timeout=1000))
    with own_phone(place, "--operator", "0.12.5") as phone:
        phone.simctl("fault", "step-gap", "700")
        status, answer, _ = phone.ask("exec", long_plan)
        envelope = answer["envelope"]
        expect(place, "between two steps", (status, envelope["status"], envelope["errorCode"]),
               (1, "failed", "COMMAND_TIMEOUT"))
        expect(place, "the finished steps", all(step["success"] for step in envelope["stepResults"]), True)
        phone.simctl("reset")
        phone.simctl("fault", "step-hangs", "2")
        envelope = phone.ask("exec", long_plan)[1]["envelope"]
        expect(place, "in a step", [(step["id"], step["success"]) for step in envelope["stepResults"]],
               [("h", True), ("z", False)])
        expect(place, "its code", (envelope["errorCode"], envelope["stepResults"][1]["data"]["errorCode"]),
               ("COMMAND_TIMEOUT",) * 2)
        phone.simctl("reset")
        status, answer, _ = phone.ask(
            "exec", json.dumps(plan({"id": "c", "type": "click", "params": {"matcher": {"textEquals": "No such"}}})))
        expect(place, "a miss", (status, answer["envelope"]["errorCode"]), (1, "NODE_NOT_FOUND"))
        expect(place, "the app's own words", answer["envelope"]["error"].startswith("No UI node found"), True)


def other_hosts(place):
    """Upstream's own host has the app busy: ours waits in the app's line, and the answer says why."""
    for version in ("0.5.3", "0.12.5"):
        with own_phone(place, "--operator", version) as phone:
            phone.simctl("fault", "foreign-command", "4000")
            envelope = phone.ask("exec", json.dumps(plan(HOME, timeout=1000)))[1]["envelope"]
            expect(place, f"{version}: failed", (envelope["status"], envelope["stepResults"]), ("failed", []))
            expect(place, f"{version}: why", "waited in its line behind" in envelope["hint"], True)
            phone.simctl("reset")
            phone.simctl("fault", "foreign-command", "300")
            expect(place, f"{version}: a short one is waited for", phone.ask("exec", json.dumps(plan(HOME)))[0], 0)


def ids(place):
    """The device sees an id of ours; the caller reads its own."""
    with own_phone(place, "--operator", "0.12.5") as phone:
        dispatched, shown = set(), b""
        for _ in range(2):
            done = phone.run("exec", "--stream", json.dumps(plan(HOME, SLEEP)))
            expect(place, "the stream", (done.returncode, b'"commandId":"c1"' in done.stdout), (0, True))
            shown += done.stdout + done.stderr
        log = place.run("adb", "-s", phone.serial, "logcat", "-d").stdout.decode()
        for line in log.splitlines():
            if "[Clawperator-Command] start commandId=" in line:
                dispatched.add(line.split("commandId=")[1].split()[0])
        expect(place, "a fresh id each", (len(dispatched), {len(each) for each in dispatched}), (2, {32}))
        expect(place, "the caller sees none of them", any(each.encode() in shown for each in dispatched), False)
        records_of_log = [json.loads(line) for path in (place.sandbox / ".clawperator/logs").glob("*.log")
                          for line in path.open()]
        expect(place, "our log has both",
               {record["dispatchId"] for record in records_of_log if record.get("commandId") == "c1"}, dispatched)


def bad_apps(place):
    """No app, one that is older than any, one that floods the log: one code each, nothing sent twice."""
    with own_phone(place, "--operator", "none") as phone:
        status, answer, _ = phone.ask("snapshot")
        expect(place, "none", (status, answer["code"], phone.counter("broadcast")), (1, "OPERATOR_NOT_INSTALLED", 0))
    with own_phone(place, "--operator", "banana") as phone:
        expect(place, "a version that is none", phone.ask("snapshot")[0], 0)
    with own_phone(place, "--operator", "99.0.0") as phone:
        expect(place, "a version from the future", phone.ask("snapshot")[0], 0)
    with own_phone(place, "--operator", "0.12.5") as phone:
        phone.simctl("fault", "log-noise", "20000")
        expect(place, "a log that floods", (phone.ask("snapshot")[0], phone.counter("broadcast")), (0, 1))


CHECKS = [
    ("answers-versions", False, every_version),
    ("answers-records", False, records),
    ("answers-other", False, other_answers),
    ("answers-late", False, late_answers),
    ("answers-late-elsewhere", False, late_answers_elsewhere),
    ("answers-failures", False, failures),
    ("answers-other-hosts", False, other_hosts),
    ("answers-ids", False, ids),
    ("answers-bad-apps", False, bad_apps),
]
