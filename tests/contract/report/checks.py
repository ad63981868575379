"""`doctor --report`: each simulated phone is asked what its file in tests/phones says, and has its features.

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
WRITES = os.environ.get("CLAWPERATOR_WRITE_PHONES") == "1"
AT_ONCE = 4
# How soon an entry came is by the clock of a machine that may be busy. But what never comes never comes.
BY_THE_CLOCK = ("log.text", "log.binary")
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


def compare(place, name):
    report, _, _ = write_report(place, f"{name}.json", "--report-settings", phone_options=["--phone", name])
    kept = PHONES / f"{name}.json"
    if WRITES:
        kept.write_text((place.sandbox / f"{name}.json").read_text())
        return
    wanted = json.loads(kept.read_text())
    same(place, name, "features", report["features"], wanted["features"])
    same(place, name, "readings", list(report["readings"]), list(wanted["readings"]))
    for reading, value in report["readings"].items():
        if reading in BY_THE_CLOCK and wanted["readings"][reading] != "never":
            if value not in SOON_OR_LATE:
                raise place.Mismatch(f"{name}: {reading} is {value!r}")
            continue
        same(place, name, reading, value, wanted["readings"][reading])
    for answer, kept_answer in zip(report["answers"], wanted["answers"], strict=True):
        same(place, name, "answer", *(text_of(each) for each in (answer, kept_answer)))


def text_of(answer):
    """What a phone said, whenever it did."""
    return {key: answer.get(key) for key in KEPT_OF_ANSWERS if key != "out" or answer["id"] not in NAMES_A_PROCESS}


def same(place, name, what, value, wanted):
    if value != wanted:
        raise place.Mismatch(f"{name}: {what} is {value!r}, not {wanted!r}")


def every_phone(place):
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda name: compare(place, name), names(place)))


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


def no_phone_no_file(place):
    done = place.run("doctor", "--check-only", "--report", "phone.json")
    if done.returncode != 0 or (place.sandbox / "phone.json").exists():
        raise place.Mismatch(f"exit {done.returncode}: {done.stderr[:400]!r}")
    if b"no report was written" not in done.stderr:
        raise place.Mismatch(f"nothing is said of it: {done.stderr[:400]!r}")


def bad_words(place):
    for words in (["--report-settings"], ["--report"], ["--report", ""]):
        done = place.run("doctor", *words)
        if done.returncode != 1 or json.loads(done.stdout).get("code") not in ("USAGE", "FILE_WRITE_FAILED"):
            raise place.Mismatch(f"{words}: {done.returncode} {done.stdout[:300]!r}")


CHECKS = [
    ("report: words that make no sense", False, bad_words),
    ("report: without a phone there is no file", False, no_phone_no_file),
    ("report: the person sees what is in it", False, shown_before_written),
    ("report: every simulated phone is asked what its file says", False, every_phone),
]
