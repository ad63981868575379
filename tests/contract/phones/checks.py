"""The main loop on every phone that the simulated device can be: one row a phone.

All phones are one device, changed by `simctl phone`. Beside its verdict the run leaves two tables in the file that
CLAWPERATOR_PHONE_TABLE names, phone by command and phone by version of the Operator app; tools/make_testing_doc.py
puts them into docs/internals/testing.md."""
import json
import os
import pathlib
import subprocess

import apk
from own_phone import own_phone

HERE = pathlib.Path(__file__).resolve().parent
PHONES = {phone["name"]: phone for phone in json.loads((HERE / "phones.json").read_text())}
PAYLOAD = json.dumps({"commandId": "c", "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
                      "timeoutMs": 20000, "actions": [{"id": "a", "type": "snapshot_ui"},
                                                      {"id": "b", "type": "press_key", "params": {"key": "home"}}]})
SETTINGS, FORM = "com.android.settings", "com.clawperator.conformance"
# The column, and the command lines behind it; the first one that fails decides.
COMMANDS = [
    ("operator setup", [["operator", "setup", "--apk", "operator.apk"]]),
    ("doctor", [["doctor"]]),
    ("open", [["open", FORM]]),
    ("snapshot", [["snapshot"]]),
    ("click", [["click", "--text", "Form"]]),
    ("type", [["type", "Ada", "--id", FORM + ":id/name_field"]]),
    ("screenshot", [["screenshot", "--path", "screen.png"]]),
    ("scroll", [["open", SETTINGS], ["scroll", "down"]]),
    ("exec", [["exec", PAYLOAD]]),
    ("close", [["open", SETTINGS], ["close", SETTINGS]]),
    ("recording", [["recording", "start", "--session-id", "s"], ["press", "home"],
                   ["recording", "stop", "--session-id", "s"],
                   ["recording", "pull", "--session-id", "s", "--out", "."]]),
]
VERSIONS = ("0.5.3", "0.7.0", "0.9.3", "0.10.0", "0.12.5", "1.0.0")
OF_THE_APP = ("open", "snapshot", "click", "exec")
tables = {"phones": {}, "versions": {name: {} for name in PHONES}}


def keep_tables():
    if os.environ.get("CLAWPERATOR_PHONE_TABLE"):
        pathlib.Path(os.environ["CLAWPERATOR_PHONE_TABLE"]).write_text(json.dumps(tables, indent=1) + "\n")


def answer_of(place, serial, argv):
    """"ok", or the code of the answer and its whole text."""
    done = place.run(*argv, "--device", serial, "--transport", "tcp")
    text = done.stdout.decode("utf-8", "replace")
    if done.returncode == 0:
        return "ok", text
    try:
        document = json.loads(text)
    except ValueError:
        raise place.Mismatch(f"{argv}: no JSON: {text[:300]!r} {done.stderr[:300]!r}") from None
    codes = [document.get("code"), document.get("envelope", {}).get("errorCode"),
             *(step.get("data", {}).get("error") for step in document.get("envelope", {}).get("stepResults", [])),
             *(check.get("code") for check in document.get("checks", []) if check["status"] == "fail")]
    return next((code for code in codes if code), "failed"), text


def run_column(place, serial, lines):
    for argv in lines:
        answer, text = answer_of(place, serial, argv)
        if answer != "ok":
            return answer, f"{argv}: {text[:1500]}"
    return "ok", ""


def refused_first(place, phone, results):
    """What the maker's switches refuse says so with the switch's name; then somebody changes them."""
    for column, wanted in phone.get("refuses", {}).items():
        answer, text = run_column(place, place.device.serial, dict(COMMANDS)[column])
        if answer != wanted["code"] or any(part not in text for part in wanted.get("text", [])):
            raise place.Mismatch(f"{phone['name']} {column}: expected {wanted}, got {answer}: {text}")
        results[column] = f"{answer}, then "
    for fault in phone.get("until", []):
        place.device.simctl("clear", fault)


def main_loop_on(name):
    """[W1] [W2] [W3] [W4] [W6] [R16] [R17]"""
    def check(place):
        phone, results = PHONES[name], {}
        apk.write_apk(place.sandbox / "operator.apk")
        place.device.simctl("phone", name)
        refused_first(place, phone, results)
        wrong = []
        for column, lines in COMMANDS:
            answer, text = run_column(place, place.device.serial, lines)
            results[column] = results.get(column, "") + answer
            if answer != "ok":
                wrong.append(f"{column}: {answer}: {text}")
        tables["phones"][name] = results
        keep_tables()
        if wrong:
            raise place.Mismatch(f"{name}: " + "\n    ".join(wrong))
    return check


def version_on_every_phone(version):
    def check(place):
        wrong = []
        with own_phone(place, "--operator", version) as own:
            for name, phone in PHONES.items():
                own.simctl("reset")
                own.simctl("phone", name)
                place.run("known", "forget", "--all")  # the emulator has another serial number
                for fault in phone.get("until", []):
                    own.simctl("clear", fault)
                answers = [(column, *run_column(place, own.serial, dict(COMMANDS)[column])) for column in OF_THE_APP]
                failed = [f"{column}: {answer}" for column, answer, _ in answers if answer != "ok"]
                tables["versions"][name][version] = ", ".join(failed) or "ok"
                wrong += [f"{name} {column}: {answer}: {text}" for column, answer, text in answers if answer != "ok"]
        keep_tables()
        if wrong:
            raise place.Mismatch(f"{version}: " + "\n    ".join(wrong))
    return check


def every_phone_is_checked(place):
    """What `sim --phone list` names is what runs here."""
    done = place.run("sim", "--phone", "list")
    names = [line.split("\t")[0] for line in done.stdout.decode().splitlines()]
    if done.returncode != 0 or names != list(PHONES):
        raise place.Mismatch(f"`sim --phone list` names {names}")
    unknown = place.run("sim", "--phone", "nokia")
    if unknown.returncode != 1 or b'"code":"USAGE"' not in unknown.stdout:
        raise place.Mismatch(f"--phone nokia: {unknown}")


def control_answers_in_lines(place):
    """The line that ends an answer of the control socket begins at its own start, whatever was printed before."""
    with own_phone(place) as phone:
        for command, printed in (("printf a", "a\n"), ("echo a", "a\n"), ("true", "")):
            phone.simctl("run", command, "> /data/local/tmp/f")
            shown = phone.simctl("run", "cat", "/data/local/tmp/f")
            if shown != printed:
                raise place.Mismatch(f"{command}: {shown!r}")


STARTS_OFTEN = True
CHECKS = [("phone-list", False, every_phone_is_checked), ("phone-control", False, control_answers_in_lines)]
CHECKS += [(f"phone-{name}", True, main_loop_on(name)) for name in PHONES]
CHECKS += [(f"phone-version-{version}", False, version_on_every_phone(version)) for version in VERSIONS]
