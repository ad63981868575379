"""The stages of tools/test, in the order of the table at the end of this file."""
import concurrent.futures
import contextvars
import dataclasses
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time
import typing

import processes

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/support"))
import limits
import signals

JOBS = os.cpu_count() or 1
RELEASE = ROOT / "build/release"
ASAN = ROOT / "build/asan"
TSAN = ROOT / "build/tsan"
SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed(?:, \d+ skipped)?$", re.MULTILINE)
SKIPPED_TOGETHER = re.compile(r"^(\d+) skipped: (.+)$", re.MULTILINE)
SKIP = re.compile(r"^SKIP: (.+?): (.+)$", re.MULTILINE)
FAIL = re.compile(r"^FAIL: (.+?): (.*)$", re.MULTILINE)
UNSTEADY = re.compile(r"^UNSTEADY: (.+)$", re.MULTILINE)
PROGRESS = re.compile(r"^\[\d.*\n", re.MULTILINE)
FAILED_CASE = re.compile(r"^-{79}\n(\S.*)\n(?: .*\n)*-{79}\n", re.MULTILINE)  # as Catch2 prints its name
LAST_RESORT_S = 7200  # a suite, a build: what hangs in it has a limit of its own
NIGHTLY_S = 1200  # one of its programs
ADDR2LINE = shutil.which("addr2line") or ""
SANITIZERS = {
    # The tests on a simulated USB bus have a library loaded before the sanitizer's.
    "ASAN_OPTIONS": "detect_stack_use_after_return=1:strict_string_checks=1:verify_asan_link_order=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": f"halt_on_error=1:external_symbolizer_path={ADDR2LINE}",
    "ASAN_SYMBOLIZER_PATH": ADDR2LINE,
    "UBSAN_SYMBOLIZER_PATH": ADDR2LINE,
}


class SetupFailed(Exception):
    """Nothing that follows can run."""


class Voice:
    """What the stages say, each under its own heading, whatever runs beside it."""

    def __init__(self):
        self.stage = contextvars.ContextVar("stage", default="")
        self.lock, self.heading = threading.Lock(), ""

    def say(self, text):
        text = text and text.rstrip("\n") + "\n"
        with self.lock:
            if self.heading != self.stage.get():
                self.heading = self.stage.get()
                print(f"== {self.heading}", flush=True)
            sys.stdout.write(text)
            sys.stdout.flush()

    def note(self, name, text):
        """A line that names what it is about, and stands anywhere."""
        with self.lock:
            print(f"   {name}: {text}", flush=True)


VOICE = Voice()
say = VOICE.say


class Outcome:
    def __init__(self):
        self.passed, self.failed, self.skipped = 0, [], []
        self.unsteady = []  # failed beside others, passed alone

    def check(self, test, holds, why=""):
        if holds:
            self.passed += 1
        else:
            self.fail(test, why)

    def fail(self, test, why):
        self.failed.append((test, why))

    def skip(self, test, reason):
        say(f"SKIP: {test}: {reason}")
        self.skipped.append((test, reason))

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.unsteady += other.unsteady


stopped = threading.Event()  # nothing is started any more


def captured(*command, name="", limit=600, **variables):
    """Output of a command as text; its errors follow its output. Once a minute its last line so far is shown."""
    if stopped.is_set():
        raise SetupFailed("stopped")
    limit *= limits.SLOWNESS
    name = name or VOICE.stage.get()
    child = subprocess.Popen([str(word) for word in command], cwd=ROOT, text=True, errors="replace",
                             env=os.environ | SANITIZERS | {key: str(value) for key, value in variables.items()},
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines, began = [], time.monotonic()

    def read():
        for line in child.stdout:
            lines.append(line)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    late = ""
    while child.returncode is None:
        left = began + limit - time.monotonic()
        if left <= 0:
            processes.end([child.pid, *processes.below(child.pid)])
            late = f"\nno end after {limit:.0f} s\n"
        try:
            child.wait(min(max(left, 5), 60))
        except subprocess.TimeoutExpired:
            last = next((line.strip() for line in reversed(lines) if line.strip()), "nothing yet")
            VOICE.note(name, f"{(time.monotonic() - began) / 60:.0f} min: {last[:120]}")
    reader.join(5)  # one that it has left behind may hold the pipe
    return subprocess.CompletedProcess(command, child.returncode, "".join(lines) + late)


def allowed_skips():
    lines = (ROOT / "tests/allowed_skips.txt").read_text().splitlines()
    rows = [line for line in lines if line.strip() and not line.startswith("#")]
    return [tuple(part.strip() for part in row.split(": ", 1)) for row in rows]


def is_allowed(test, reason, allowed):
    return any(fnmatch.fnmatchcase(test, name) and fnmatch.fnmatchcase(reason, why) for name, why in allowed)


def suite(outcome, name, *command, **variables):
    """A suite that prints `SKIP: test: reason` and `FAIL: test: reason` lines and a summary of its own; what begins
    with `[number` is its progress."""
    done = captured(*command, name=name, limit=LAST_RESORT_S, **variables)
    say(PROGRESS.sub("", done.stdout))
    summary = SUMMARY.findall(done.stdout)
    if not summary:
        return outcome.fail(name, f"ended with {done.returncode} and without its summary line")
    passed, failed = map(int, summary[-1])
    outcome.passed += passed
    named = [(test if test.startswith(name) else f"{name}: {test}", why) for test, why in FAIL.findall(done.stdout)]
    outcome.failed += (named + [(name, "names no test that failed")] * failed)[:failed]
    outcome.skipped += SKIP.findall(done.stdout)
    outcome.unsteady += UNSTEADY.findall(done.stdout)
    for count, reason in SKIPPED_TOGETHER.findall(done.stdout):
        for _ in range(int(count)):
            outcome.skip(name, reason)
    if done.returncode != 0 and failed == 0:
        outcome.fail(name, f"ended with {done.returncode}")


def lint(_given):
    outcome = Outcome()
    for command in (["tools/format", "--check"], ["tools/lints/lint_layers.py"],
                    ["tools/make_testing_doc.py", "--check"],
                    ["tools/make_llms.py", "--check"],
                    ["tools/benches/bench_page.py", "--check"]):
        done = captured(*command)
        outcome.check(command[0], done.returncode == 0, done.stdout[-4000:])
    return outcome


def configure(preset, given):
    done = captured("cmake", "--preset", preset, f"-DCLAWPERATOR_WERROR={'ON' if given.ci else 'OFF'}")
    if done.returncode != 0:
        raise SetupFailed(f"cmake --preset {preset}:\n{done.stdout[-4000:]}")


def compile_(folder, *targets, wrapper=()):
    done = captured(*wrapper, "cmake", "--build", folder, "-j", JOBS, *(["--target", *targets] if targets else []),
                    limit=LAST_RESORT_S)
    if done.returncode != 0:
        raise SetupFailed(f"build of {folder.relative_to(ROOT)}:\n{done.stdout[-8000:]}")


def gigabytes(folder):
    files = (path.lstat() for path in (ROOT / folder).rglob("*"))
    return sum(status.st_blocks * 512 for status in files) / 1e9


def drop_objects(folder, given):
    """The build server compiles nothing twice, and has less room than a developer."""
    if given.ci:
        for file in folder.rglob("*.o"):
            file.unlink()


def build(given):
    for folder in (RELEASE, ASAN):
        configure(folder.name, given)
        compile_(folder)
    drop_objects(ASAN, given)


def debian13(_given):
    """The release and the quick levels by each of its compilers, in a root of Debian 13."""
    outcome = Outcome()
    for compiler in ("clang++-19", "g++-14"):
        done = captured("nice", "tools/debian13", compiler, name=f"debian13 {compiler}", limit=LAST_RESORT_S)
        if done.returncode == 3:
            reason = done.stdout.strip().splitlines()[-1]
            outcome.skip(f"debian13 {compiler}", reason)
            continue
        say(done.stdout[-20000:])
        outcome.check(f"{compiler} release", f"built: {compiler} release" in done.stdout, "was not built")
        count_ctest(outcome, done, f"{compiler} tests")
    return outcome


@dataclasses.dataclass
class Program:
    name: str
    command: list
    limit: float


def programs(folder, label):
    """Those of a level; what is not built yet has no command."""
    listing = captured("ctest", "--test-dir", folder, "--show-only=json-v1", "-L", f"^{label}$")
    for test in json.loads(listing.stdout)["tests"]:
        properties = {each["name"]: each["value"] for each in test.get("properties", [])}
        yield Program(test["name"], test.get("command"), properties.get("TIMEOUT", 300))


def cases_of(text):
    """(passed, failed) test cases of Catch2's last line."""
    whole = re.search(r"All tests passed \(.* in (\d+) test cases?\)", text)
    if whole:
        return int(whole.group(1)), 0
    line = re.search(r"^test cases:(.*)$", text, re.MULTILINE)
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed)", line.group(1))} if line else {}
    return counts.get("passed", 0), counts.get("failed", 0 if line else 1)


def run_program(program):
    return captured(*program.command, name=program.name, limit=program.limit)


def run_again(outcome, program, first):
    """A program that failed beside another one runs once more; what the first run printed is printed in either case."""
    say(f"{program.name} failed at first:\n{first.stdout[-20000:]}")
    done = run_program(program)
    if done.returncode == 0:
        outcome.unsteady.append(f"{program.name}: failed at first, passed at the second run")
    return done


def failures_of(program, done, count):
    """(test, why) of each test case that failed, by its name where the output has it."""
    names = list(dict.fromkeys(FAILED_CASE.findall(done.stdout)))
    ended = f"ended with {done.returncode}"
    return ([(f"{program.name}: {name}", ended) for name in names] + [(program.name, ended)] * count)[:count]


def run_programs(found):
    outcome, found = Outcome(), list(found)
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for program, done in zip(found, pool.map(run_program, found)):
            if done.returncode != 0:
                done = run_again(outcome, program, done)
            passed, failed = cases_of(done.stdout)
            if done.returncode != 0:
                failed = max(failed, 1)
                say(f"{program.name}:\n{done.stdout[-20000:]}")
            outcome.passed += passed
            outcome.failed += failures_of(program, done, failed)
            for test, reason in SKIP.findall(done.stdout):
                outcome.skip(test, reason)
    if not outcome.passed and not outcome.failed and not outcome.skipped:
        outcome.fail("tests", "none were run")
    return outcome


def level(label):
    return lambda _given: run_programs(programs(ASAN, label))


def tsan_build(given, wrapper=("nice", "-n", "19")):
    """Beside the black-box tests, which mostly wait: what they leave of the processor is enough."""
    configure("tsan", given)
    compile_(TSAN, *[program.name for program in programs(TSAN, "threads")], wrapper=wrapper)


def tsan(given):
    tsan_build(given, wrapper=())
    drop_objects(TSAN, given)
    return run_programs(programs(TSAN, "threads"))


def contract(_given):
    outcome = Outcome()
    words = [sys.executable, "tests/contract/run.py"]
    # They wait for a third of their time.
    suite(outcome, "contract", *words, ASAN / "clawperator", "--often", RELEASE / "clawperator", "--jobs", JOBS + 1)
    suite(outcome, "contract by daemon", *words, RELEASE / "clawperator", "--jobs", 2 * JOBS, "--daemon")
    return outcome


def peers(_given):
    outcome = Outcome()
    suite(outcome, "peer", sys.executable, "tests/peer/run.py", "--jobs", JOBS, CLAWPERATOR_BUILD=ASAN)
    return outcome


def packages(_given):
    outcome = Outcome()
    suite(outcome, "packages", sys.executable, "tests/peer/run.py", "--suite", "packages", "--jobs", JOBS,
          CLAWPERATOR_BUILD=RELEASE)
    return outcome


def roots(_given):
    """The tarball on other releases of Debian."""
    outcome = Outcome()
    suite(outcome, "roots", sys.executable, "tests/packages/roots.py", CLAWPERATOR_BUILD=RELEASE)
    return outcome


def qemu(_given):
    outcome = Outcome()
    compile_(RELEASE, "ffs_phone", "usb_probe")
    suite(outcome, "usb_guest", sys.executable, "tests/usb/qemu/run.py", CLAWPERATOR_BUILD=RELEASE)
    return outcome


def debs(_given):
    outcome = Outcome()
    suite(outcome, "debs", sys.executable, "tests/packages/run.py", CLAWPERATOR_BUILD=RELEASE)
    return outcome


def all_debs(_given):
    """Those of other releases and architectures, each compiled and tested in roots of its own."""
    outcome = Outcome()
    for release, architecture in (("trixie", "amd64"), ("bookworm", "arm64"), ("trixie", "arm64")):
        name = f"{release}-{architecture}"
        done = captured("nice", "tools/packages", release, architecture, name=name, limit=LAST_RESORT_S)
        if done.returncode == 3:
            outcome.skip(f"debs {name}", done.stdout.strip().splitlines()[-1])
        elif done.returncode != 0:
            outcome.fail(f"debs {name}", done.stdout[-4000:])
        else:
            suite(outcome, f"debs {name}", sys.executable, "tests/packages/run.py", release, architecture,
                  f"build/packages/{name}")
    return outcome


def footprint(_given):
    outcome = Outcome()
    suite(outcome, "footprint", sys.executable, "tools/footprint.py", CLAWPERATOR_BUILD=RELEASE)
    return outcome


def kit(_given):
    outcome = Outcome()
    suite(outcome, "kit", sys.executable, "tests/kit/run.py", CLAWPERATOR_BUILD=RELEASE)
    return outcome


def demo(_given):
    outcome = Outcome()
    done = captured(sys.executable, "tools/play_demo.py", limit=120)
    outcome.check("demo", done.returncode == 0, done.stdout[-4000:])
    return outcome


def fuzz(given, **variables):
    """fuzz_quick prints a line for each target: its name and `N runs`, or FAILED."""
    outcome = Outcome()
    built = ["--built"] if given.ci else []  # its objects are gone
    done = captured("nice", "tools/fuzz_quick", *built, ASAN, limit=LAST_RESORT_S, **variables)
    for name, verdict in re.findall(r"^(\w+_fuzz) +(\d+ runs|FAILED)$", done.stdout, re.MULTILINE):
        outcome.check(name, verdict != "FAILED", "its inputs are in build/asan/fuzz/findings")
    if done.returncode != 0:
        say(done.stdout[-20000:])
    if done.returncode != 0 and not outcome.failed or not outcome.passed:
        outcome.fail("fuzz_quick", f"ended with {done.returncode}")
    return outcome


def tidy(_given):
    outcome = Outcome()
    done = captured("tools/tidy", limit=LAST_RESORT_S)
    outcome.check("tidy", done.returncode == 0, done.stdout[-8000:])
    return outcome


def nightly(given):
    """What takes minutes: 1000 dropped links, a file above 4 GiB both ways, fuzzing where it has not been."""
    outcome = fuzz(given, FUZZ_SEED=0, FUZZ_SECONDS=60, FUZZ_BUDGET=1800)
    done = captured("ctest", "--test-dir", RELEASE if (RELEASE / "CTestTestfile.cmake").exists() else ASAN,
                    "-L", "^nightly$", "--output-on-failure", "--timeout", limits.scaled_word(NIGHTLY_S),
                    limit=LAST_RESORT_S)
    say(done.stdout)
    count_ctest(outcome, done, "nightly")
    return outcome


def count_ctest(outcome, done, name_of_all):
    found = re.findall(r"^ *\d+/\d+ Test +#(\d+): (\S+) \.+ *(\*+\w+|\w+)", done.stdout, re.MULTILINE)
    for number, name, verdict in found:
        if "Skipped" in verdict:
            outcome.skip(name, "ctest says so")
        else:
            outcome.check(name, verdict == "Passed", f"ctest #{number}: {verdict}")
    if not found or done.returncode != 0 and not outcome.failed:
        outcome.fail(name_of_all, f"ctest ended with {done.returncode}{'' if found else ' and ran nothing'}")


class Stage(typing.NamedTuple):
    name: str
    run: typing.Callable
    slow: bool = False
    asked_for: bool = False  # runs only when --only names it
    group: str = ""  # neighbours of one group run at the same time


STAGES = [
    Stage("lint", lint),
    Stage("build", build),
    Stage("unit", level("unit")),
    Stage("session", level("session")),
    Stage("loopback", level("loopback")),
    Stage("usb", level("usb")),
    Stage("contract", contract, group="black box"),
    Stage("peer", peers, group="black box"),
    Stage("packages", packages, group="black box"),
    Stage("tsan-build", tsan_build, slow=True, group="black box"),
    Stage("debs", debs),
    Stage("footprint", footprint),
    Stage("kit", kit),
    Stage("demo", demo),
    # What the guests leave of the processor goes to the fuzzing, which takes its time anyway.
    Stage("qemu", qemu, slow=True, group="guests"),
    Stage("fuzz", fuzz, slow=True, group="guests"),
    Stage("tsan", tsan, slow=True),
    Stage("tidy", tidy, slow=True),
    Stage("nightly", nightly, slow=True, asked_for=True),
    Stage("debian13", debian13, slow=True, asked_for=True),
    Stage("roots", roots, slow=True, asked_for=True),
    Stage("all-debs", all_debs, slow=True, asked_for=True),
]
