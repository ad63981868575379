"""`doctor --report`: each simulated phone answers what is written of it. tests/phones has two whole reports, of the
oldest Android and of a maker; others.json beside this file has how each other phone differs from the one that it is
like.

    CLAWPERATOR_WRITE_PHONES=1 tests/contract/run.py BINARY --only report    writes those files anew
"""
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess

from limits import LIMIT_S

PHONES = pathlib.Path(__file__).resolve().parents[2] / "phones"
OTHERS = pathlib.Path(__file__).with_name("others.json")
WRITES = os.environ.get("CLAWPERATOR_WRITE_PHONES") == "1"
AT_ONCE = 4
# How soon an entry came is by the clock of a machine that may be busy. But what never comes never comes.
BY_THE_CLOCK = ("log.text", "log.binary")  # readings and facts
SOON_OR_LATE = {"at once", "held back", "never"}
# What is said of a report differs in the time it took and in the process that wrote to the log.
KEPT_OF_ANSWERS = ("id", "service", "ended", "status", "out", "err")
NAMES_A_PROCESS = ("log.level",)


@contextlib.contextmanager
def phone(place, *options):
    child = subprocess.Popen([place.binary, *place.SIM, "--port", "0", *options], env=place.env,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             cwd=place.sandbox)
    try:
        yield json.loads(child.stdout.readline())["address"]
    finally:
        child.send_signal(signal.SIGTERM)
        child.wait(LIMIT_S)


def names(place):
    listed = place.run("sim", "--phone", "list").stdout.decode()
    return [line.split("\t")[0] for line in listed.splitlines() if line]


def write_report(place, path, *options, phone_options=()):
    """The file, and what the person was shown before it was written."""
    with phone(place, *phone_options) as address:
        done = place.run("doctor", "--check-only", "--device", address, "--transport", "tcp", "--report",
                         path, *options, timeout=2 * LIMIT_S)
    if done.returncode != 0:
        raise place.Mismatch(f"exit {done.returncode}: {done.stdout[:400]!r} {done.stderr[:400]!r}")
    json.loads(done.stdout)
    return json.loads((place.sandbox / path).read_text()), done.stderr.decode(), address


def compared(report):
    """What is compared, each part by its name: whenever it was said, by whichever process."""
    return {"features": report["features"],
            "readings": report["readings"],
            "facts": report["facts"],
            "answers": {answer["id"]: text_of(answer) for answer in report["answers"]}}


def difference(one, other):
    """What of `other` is not as in `one`; members that are gone are null."""
    if not isinstance(other, dict):
        return {"added": sorted(set(other) - set(one)), "gone": sorted(set(one) - set(other))}
    return {key: difference(one[key], value) if isinstance(value, dict | list) and key in one else value
            for key, value in other.items() if one.get(key) != value}


def changed(one, by):
    if not isinstance(one, dict):
        return sorted((set(one) | set(by["added"])) - set(by["gone"]))
    return {**one, **{key: changed(one[key], value) if isinstance(one.get(key), dict | list) else value
                      for key, value in by.items()}}


def expected(name):
    whole = PHONES / f"{name}.json"
    if whole.exists():
        return compared(json.loads(whole.read_text()))
    other = json.loads(OTHERS.read_text())[name]
    return changed(expected(other["like"]), other["but"])


def compare(place, name):
    report, _, _ = write_report(place, f"{name}.json", "--report-settings", phone_options=["--phone", name])
    if WRITES:
        return name, report
    found, wanted = compared(report), expected(name)
    same(place, name, "features", found["features"], wanted["features"])
    for part in ("readings", "facts", "answers"):
        same(place, name, part, list(found[part]), list(wanted[part]))
    for fact, verdict in found["facts"].items():
        if fact not in BY_THE_CLOCK:
            same(place, name, fact, verdict, wanted["facts"][fact])
            same(place, name, fact, verdict.startswith("differs"), False)
    for reading, value in found["readings"].items():
        if reading in BY_THE_CLOCK and wanted["readings"][reading] != "never":
            if value not in SOON_OR_LATE:
                raise place.Mismatch(f"{name}: {reading} is {value!r}")
            continue
        same(place, name, reading, value, wanted["readings"][reading])
    for answer, value in found["answers"].items():
        same(place, name, answer, value, wanted["answers"][answer])
    return name, report


def write_anew(place, reports):
    kept = json.loads(OTHERS.read_text())
    for name, report in reports.items():
        if (PHONES / f"{name}.json").exists():
            (PHONES / f"{name}.json").write_text((place.sandbox / f"{name}.json").read_text())
        else:
            kept[name]["but"] = difference(compared(reports[kept[name]["like"]]), compared(report))
    OTHERS.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


def text_of(answer):
    """What a phone said, whenever it did."""
    return {key: answer.get(key) for key in KEPT_OF_ANSWERS if key != "out" or answer["id"] not in NAMES_A_PROCESS}


def same(place, name, what, value, wanted):
    if value != wanted:
        raise place.Mismatch(f"{name}: {what} is {value!r}, not {wanted!r}")


def every_phone(place):
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        reports = dict(pool.map(lambda name: compare(place, name), names(place)))
    if WRITES:
        write_anew(place, reports)


def shown_before_written(place):
    report, shown, address = write_report(place, "phone.json")
    for answer in report["answers"]:
        if f"  {answer['id']}: " not in shown:
            raise place.Mismatch(f"{answer['id']} is not shown: {shown}")
    for key in report:
        if key not in ("answers",) and not re.search(rf"\b{key}\b", shown):
            raise place.Mismatch(f"the member {key} is not shown: {shown}")
    text = json.dumps(report)
    for secret in (address, "SIM0DROID1"):
        if secret in text:
            raise place.Mismatch(f"{secret} is in the report")
    if report["settingsConsented"] or any(a["id"].startswith("settings.") for a in report["answers"]):
        raise place.Mismatch("a setting was written without consent")


def as_described(place):
    with phone(place, "--phone", "samsung") as address:
        run = lambda *options: place.run("doctor", "--conformance", "--device", address, "--transport", "tcp",
                                         *options, timeout=2 * LIMIT_S)
        done, people = run("--report", "both.json"), run("--output", "pretty")
    printed, written = json.loads(done.stdout), json.loads((place.sandbox / "both.json").read_text())
    same(place, "samsung", "exit", (done.returncode, people.returncode), (0, 0))
    same(place, "samsung", "ok", printed["ok"], True)
    same(place, "samsung", "phone", printed["phone"], {"sdk": 34, "maker": "samsung"})
    facts = {fact["id"]: fact["verdict"] for fact in printed["facts"]}
    same(place, "samsung", "facts", facts, {id: text.split(":")[0] for id, text in written["facts"].items()})
    for verdict in ("holds", "differs", "open", "other release"):
        same(place, "samsung", verdict, printed["counts"][verdict], list(facts.values()).count(verdict))
    if not all(fact["statement"] for fact in printed["facts"]) or facts["input.service"] != "holds":
        raise place.Mismatch(f"{printed}")
    last = people.stdout.decode().splitlines()[-1]
    counted = (f"{verdict}: {printed['counts'][verdict]}" for verdict in ("differs", "open", "holds", "other release"))
    same(place, "samsung", "the last line", last, ", ".join(counted))


def one_differs(place):
    """A phone that does not report the size of its screen."""
    place.device.simctl("fault", "screen-untold")
    run = lambda *options: place.run("doctor", "--conformance", "--device", place.device.serial, *options,
                                     timeout=2 * LIMIT_S)
    done, checked, people = run(), run("--check-only"), run("--output", "pretty")
    printed = json.loads(done.stdout)
    differs = [fact for fact in printed["facts"] if fact["verdict"] == "differs"]
    same(place, "a phone", "what differs", [(fact["id"], fact["saw"]) for fact in differs],
         [("screen.turned", "DISPLAY CONTENTS")])
    same(place, "a phone", "ok", printed["ok"], False)
    same(place, "a phone", "exits", (done.returncode, checked.returncode, people.returncode), (1, 0, 1))
    if not people.stdout.startswith(b"differs  screen.turned "):
        raise place.Mismatch(f"{people.stdout[:400]!r}")


def no_phone_no_file(place):
    done = place.run("doctor", "--conformance", "--report", "phone.json")
    if done.returncode != 1 or not json.loads(done.stdout).get("code") or (place.sandbox / "phone.json").exists():
        raise place.Mismatch(f"exit {done.returncode}: {done.stdout[:400]!r}")
    done = place.run("doctor", "--check-only", "--report", "phone.json")
    if done.returncode != 0 or (place.sandbox / "phone.json").exists():
        raise place.Mismatch(f"exit {done.returncode}: {done.stderr[:400]!r}")
    if b"no report was written" not in done.stderr:
        raise place.Mismatch(f"nothing is said of it: {done.stderr[:400]!r}")


def bad_words(place):
    for words in (["--report-settings"], ["--report"], ["--report", ""], ["--conformance", "--fix"],
                  ["--conformance", "--full"]):
        done = place.run("doctor", *words)
        if done.returncode != 1 or json.loads(done.stdout).get("code") not in ("USAGE", "FILE_WRITE_FAILED"):
            raise place.Mismatch(f"{words}: {done.returncode} {done.stdout[:300]!r}")


CHECKS = [
    ("report: words that make no sense", False, bad_words),
    ("report: without a phone there is no file", False, no_phone_no_file),
    ("conformance: a phone that is as described", False, as_described),
    ("conformance: one that differs", True, one_differs),
    ("report: the person sees what is in it", False, shown_before_written),
    ("report: every simulated phone reports what its file says", False, every_phone),
]
