#!/usr/bin/env python3
"""Builds, and runs every test level (tools/test installs what is missing first).

usage: tools/test [--quick] [--ci] [--only STAGE[,STAGE]]

--quick        leaves out the slow stages
--ci           a test that was skipped for a reason tests/allowed_skips.txt does not name is a failure
--only         runs just these stages (--list names them); `build,nightly` adds what takes long

A phone is tested by tools/kit.

Limits of waiting follow the machine's speed, which is measured at the start (CLAWPERATOR_TEST_SLOWNESS=N sets it: 1 is
an idle machine). A stage that runs long prints a line a minute.
A test that fails runs once more, alone; one that passes then is listed as UNSTEADY and counts as passed.

The last line is `N passed, N failed, N skipped`.
"""
import argparse
import concurrent.futures
import contextlib
import itertools
import os
import signal
import sys
import tempfile
import time

import processes
import test_stages
from test_stages import STAGES, VOICE, Outcome, SetupFailed, limits, signals


def parse():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--ci", action="store_true")
    options.add_argument("--only", default="")
    options.add_argument("--list", action="store_true")
    return options.parse_args()


def chosen_stages(given):
    wanted = {name for name in given.only.split(",") if name}
    unknown = wanted - {stage.name for stage in STAGES}
    if unknown:
        sys.exit(f"tools/test: no such stage: {', '.join(sorted(unknown))}")
    for stage in STAGES:
        if stage.name in wanted or not wanted and not stage.asked_for and not (given.quick and stage.slow):
            yield stage


def run_stage(stage, given):
    """(name, seconds, outcome, can what follows run)"""
    VOICE.stage.set(stage.name)
    began, goes_on = time.monotonic(), True
    try:
        VOICE.say("")
        outcome = stage.run(given) or Outcome()
    except SetupFailed as problem:
        outcome, goes_on = Outcome(), False
        outcome.fail(stage.name, str(problem))
    return stage.name, time.monotonic() - began, outcome, goes_on


def run_stages(stages, given):
    """One after the other; those of one group, which are neighbours, at the same time."""
    for _, group in itertools.groupby(stages, lambda stage: stage.group or stage.name):
        group = list(group)
        with concurrent.futures.ThreadPoolExecutor(len(group)) as pool:
            try:
                done = list(pool.map(lambda stage: run_stage(stage, given), group))
            except BaseException:
                test_stages.stopped.set()
                raise
        left = processes.end_orphans()
        if left:
            VOICE.note("left behind, and ended", ", ".join(left))
        yield from (each[:3] for each in done)
        if not all(goes_on for *_, goes_on in done):
            return


def end_all(number, _):
    test_stages.stopped.set()
    processes.end(processes.below(os.getpid()))
    sys.exit(128 + number)


@contextlib.contextmanager
def temporary_folder():
    """One for everything the stages start: what a killed program leaves in it goes with it."""
    with tempfile.TemporaryDirectory(prefix="tests-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)  # some tests look into theirs as a plain user
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        yield


def refuse_unlisted_skips(outcome):
    allowed = test_stages.allowed_skips()
    for test, reason in outcome.skipped:
        if not test_stages.is_allowed(test, reason, allowed):
            outcome.fail(test, f"was skipped, and tests/allowed_skips.txt does not allow it: {reason}")


def print_table(rows, seconds_of_all):
    print(f"\n{'stage':<12}{'seconds':>9}{'passed':>8}{'failed':>8}{'skipped':>9}")
    for name, seconds, outcome in rows:
        print(f"{name:<12}{seconds:>9.1f}{outcome.passed:>8}{len(outcome.failed):>8}{len(outcome.skipped):>9}")
    print(f"{'all':<12}{seconds_of_all:>9.1f}")
    print(f"build/ holds {test_stages.gigabytes('build'):.1f} GB")


def main():
    given = parse()
    if given.list:
        print(
            "\n".join(
                f"{stage.name}{'  (only when asked for)' if stage.asked_for else '  (slow)' if stage.slow else ''}"
                for stage in STAGES))
        return 0

    processes.be_kept()
    signals.reset()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end_all)
    if given.ci:
        os.environ["CCACHE_DISABLE"] = "1"  # in a fresh clone it finds nothing, and takes a tenth of the time
    if limits.VARIABLE not in os.environ:
        limits.SLOWNESS = round(limits.measured(), 1)
        os.environ[limits.VARIABLE] = str(limits.SLOWNESS)
    print(f"limits of waiting: times {limits.SLOWNESS}", flush=True)
    total, began = Outcome(), time.monotonic()
    with temporary_folder():
        rows = list(run_stages(chosen_stages(given), given))
    for _, _, outcome in rows:
        total.add(outcome)

    before = len(total.failed)
    if given.ci:
        refuse_unlisted_skips(total)
    print_table(rows, time.monotonic() - began)
    for test in total.unsteady:
        print(f"UNSTEADY: {test}")
    for test, why in total.failed:
        print(f"FAIL: {test}: {why}")
    if len(total.failed) > before:
        print("Skips that may happen are listed in tests/allowed_skips.txt.")
    print(f"{total.passed} passed, {len(total.failed)} failed, {len(total.skipped)} skipped")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
