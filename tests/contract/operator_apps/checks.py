"""Operator apps of several versions and of both families: which one is used, what is reported of it, what is not sent.

Each check has a simulated phone of its own, reached directly."""
import contextlib
import json
import subprocess

import apk
from api_server import expect
from own_phone import own_phone

CLAW, ANDRO = "com.clawperator.operator", "com.androperator.operator"
CLICK_INSIDE = json.dumps({
    "commandId": "c", "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator", "timeoutMs": 20000,
    "actions": [{"id": "a", "type": "click",
                 "params": {"matcher": {"textEquals": "Form"}, "container": {"role": "list"}}}]})


@contextlib.contextmanager
def phone(place, *options):
    with own_phone(place, *options) as started:
        yield started.ask


def reported_versions(place):
    for version, missing in (("0.5.3", 12), ("0.9.5", 8), ("0.12.3", 1), ("0.12.5", 0)):
        with phone(place, "--operator-version", version) as ask:
            status, answer, _ = ask("version", "--check-compat")
            expect(place, f"{version} fits", (status, answer["compatible"], answer["apkVersion"]), (0, True, version))
            expect(place, f"{version} lacks", len(answer.get("missing", [])), missing)
            check = next(check
                         for check in ask("doctor")[1]["checks"] if check["id"] == "readiness.version.compatibility")
            expect(place, f"doctor of {version}", (check["status"], version in check["summary"]), ("pass", True))
            expect(place, f"doctor of {version} reports what is lacking", "It lacks" in check.get("detail", ""),
                   missing > 0)


def beyond_what_is_known(place):
    with phone(place, "--operator-version", "99.0.0") as ask:
        status, answer, _ = ask("version", "--check-compat")
        expect(place, "usable", (status, answer["compatible"], "missing" in answer), (0, True, False))
        expect(place, "what is assumed", "does not know Operator 99.0.0" in answer["note"], True)
        expect(place, "and it works", ask("--backend", "app", "back")[0], 0)
    with phone(place, "--operator-version", "0.5.2") as ask:
        status, answer, _ = ask("version", "--check-compat")
        expect(place, "too old", (status, answer["error"]["code"]), (1, "VERSION_INCOMPATIBLE"))
        expect(place, "what to take", any("v0.12.5" in step for step in answer["remediation"]), True)


def not_sent(place):
    """A container that the app would ignore: it would click another node."""
    with phone(place, "--operator-version", "0.9.5") as ask:
        for turn in ("first", "remembered"):
            status, answer, _ = ask("exec", CLICK_INSIDE)
            expect(place, turn, (status, answer["code"]), (1, "OPERATOR_FEATURE_MISSING"))
            details = answer["details"]
            expect(place, f"{turn}: details", (details["operatorVersion"], details["needs"], details["actionId"]),
                   ("0.9.5", "0.10.0", "a"))
            expect(place, f"{turn}: nothing was dispatched", "dispatchAttempted" in details, False)
            ask("--backend", "app", "back")
    with phone(place, "--operator-version", "0.5.3") as ask:
        ask("open", "com.clawperator.conformance")
        ask("click", "--text", "Form")
        status, _, warned = ask("type", "Ada", "--role", "textfield", "--clear")
        expect(place, "what does no harm is sent", status, 0)
        expect(place, "with a warning", "needs Operator 0.7.0" in warned, True)


def a_downgrade(place):
    """A step that the older app would ignore waits for the package manager's answer, also where a session is open."""
    apk.write_apk(place.sandbox / "new.apk", version="0.12.5", code=1205900)
    apk.write_apk(place.sandbox / "old.apk", version="0.9.5", code=905900)
    for stays in (False, True):
        with contextlib.ExitStack() as open_ones:
            ask = open_ones.enter_context(phone(place, "--operator-version", "0.9.0"))
            if stays:
                daemon = subprocess.Popen([place.binary, "daemon", "run"], env=place.env, cwd=place.sandbox,
                                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                open_ones.callback(daemon.communicate)
                open_ones.callback(daemon.kill)
                daemon.stderr.readline()
            expect(place, "newer", ask("operator", "setup", "--apk", "new.apk")[1].get("apkVersion"), "0.12.5")
            ask("--backend", "app", "back")
            ask("apps", "uninstall", CLAW)
            answer = ask("operator", "setup", "--apk", "old.apk")[1]
            expect(place, "older", (answer.get("apkVersion"), len(answer.get("missing", [])) > 0), ("0.9.5", True))
            expect(place, f"not sent, a daemon: {stays}", ask("exec", CLICK_INSIDE)[1]["code"],
                   "OPERATOR_FEATURE_MISSING")


def scripts(place):
    """A skill's script is given the app that is there; of two it is given none."""
    repository = place.sandbox / "repository"
    env = {"CLAWPERATOR_SKILLS_REGISTRY": str(repository / "skills/skills-registry.json")}
    (repository / "skills").mkdir(parents=True)
    (repository / "skills/skills-registry.json").write_text('{"skills": []}')
    made = place.run("skills", "new", "com.android.settings.look", "--summary", "Looks", env=env)
    if made.returncode != 0:
        raise place.Mismatch(f"skills new: {made.stdout[:300]!r}")
    script = next(repository.rglob("run.js"))
    script.write_text("console.log('package: ' + process.env.CLAWPERATOR_OPERATOR_PACKAGE)\n")
    for operator, wanted in (("0.12.5", f"package: {CLAW}"), ("1.0.0", f"package: {ANDRO}"),
                             ("0.12.5,1.0.0", "OPERATOR_AMBIGUOUS")):
        with own_phone(place, "--operator", operator) as own:
            place.run("connect", own.serial)
            done = place.run("skills", "run", "com.android.settings.look", "--device", own.serial, env=env)
            expect(place, operator, wanted in done.stdout.decode(), True)
            place.run("disconnect", own.serial)


def newer_family(place):
    with phone(place, "--operator", "1.0.0") as ask:
        for argv in (["--backend", "app", "back"], ["snapshot"], ["--backend", "app", "back"]):
            expect(place, f"{argv}", ask(*argv)[0], 0)
        answer = ask("version", "--check-compat")[1]
        expect(place, "the answer", (answer["operatorPackage"], answer["compatible"], "missing" in answer),
               (ANDRO, True, False))
        answer = ask("doctor")[1]
        expect(place, "doctor", (answer["ok"], answer["operatorPackage"]), (True, ANDRO))
        granted = ask("grant-device-permissions")[1]
        expect(place, "grants",
               (granted["operatorPackage"], granted["accessibility"]["ok"], granted["notificationListener"]["ok"]),
               (ANDRO, True, True))
        status, answer, _ = ask("--backend", "app", "back", "--operator-package", CLAW)
        expect(place, "the other one is not there", (status, answer["code"]), (1, "OPERATOR_NOT_INSTALLED"))
        expect(place, "is kept", ask("close", ANDRO)[1]["code"], "EXECUTION_VALIDATION_FAILED")


def both_families(place):
    with phone(place, "--operator", "0.12.5,1.0.0") as ask:
        for argv in (["--backend", "app", "back"], ["snapshot"], ["grant-device-permissions"], ["crash-log"]):
            status, answer, _ = ask(*argv)
            expect(place, f"{argv}", (status, answer["code"]), (1, "OPERATOR_AMBIGUOUS"))
        answer = ask("--backend", "app", "back")[1]
        expect(place, "names", sorted(answer["details"]["packages"]), [ANDRO, CLAW])
        checks = ask("doctor")[1]["checks"]
        expect(place, "doctor", [check["code"] for check in checks if check["status"] == "fail"],
               ["OPERATOR_AMBIGUOUS"])
        for package, version in ((CLAW, "0.12.5"), (ANDRO, "1.0.0")):
            expect(place, package, ask("--backend", "app", "back", "--operator-package", package)[0], 0)
            answer = ask("version", "--check-compat", "--operator-package", package)[1]
            expect(place, f"{package}: version", answer["apkVersion"], version)
        expect(place, "a name is no choice", ask("--backend", "app", "back")[1]["code"], "OPERATOR_AMBIGUOUS")
        ask("apps", "uninstall", CLAW)
        expect(place, "one is left", ask("--backend", "app", "back")[0], 0)


CHECKS = [
    ("versions-reported", False, reported_versions),
    ("versions-beyond", False, beyond_what_is_known),
    ("features-not-sent", False, not_sent),
    ("downgrade", False, a_downgrade),
    ("family-scripts", False, scripts),
    ("family-newer", False, newer_family),
    ("family-both", False, both_families),
]
