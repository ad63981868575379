#!/usr/bin/env python3
"""Runs the peer tests. usage: tests/peer/run.py [--jobs N] [--suite FOLDER] [NAME_PART...]

--suite packages: those of tests/packages, in the same way. Prints `SKIP: <test>: <reason>` for every test that could
not run, and as its last line `N passed, N failed, N skipped`.
"""
import argparse
import concurrent.futures
import contextlib
import io
import multiprocessing
import os
import pathlib
import re
import sys
import time
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "support"))
import durations
import signals

SUITE = HERE
MOST_AGAIN = 6  # classes: more failures than that do not come from a busy machine
ENDED = multiprocessing.Value("i", 0)  # tests; all the processes count together


def name_of(test):
    """peer.MODULE.CLASS.test_name, or peer.MODULE for what a whole module skips."""
    whole_module = re.fullmatch(r"setUpModule \(test_(.*)\)", test.id())
    return f"{SUITE.name}." + (whole_module.group(1) if whole_module else test.id().removeprefix("test_"))


class Report(unittest.TextTestResult):
    passed = 0

    def __init__(self, *words, **options):
        super().__init__(*words, **options)
        self.took = []  # (seconds, name)

    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()

    def stopTest(self, test):
        super().stopTest(test)
        self.took.append((time.monotonic() - self.began, name_of(test)))
        with ENDED:
            ENDED.value += 1
            os.write(1, f"[{ENDED.value} done] {name_of(test)}\n".encode())

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        print(f"SKIP: {name_of(test)}: {reason}", flush=True)


    def printErrorList(self, flavour, errors):
        for test, trace in errors:
            why = next(line for line in trace.splitlines()[1:] if line and not line.startswith(" "))
            self.stream.writeln(f"FAIL: {name_of(test)}: {why}\n{trace}")


def all_tests(suite):
    for part in suite:
        yield from all_tests(part) if isinstance(part, unittest.TestSuite) else [part]


def groups_of(tests):
    """The tests of each class, large classes first: none of them is left for the end."""
    groups = {}
    for test in tests:
        groups.setdefault(test.id().rsplit(".", 1)[0], []).append(test)
    return sorted(groups.values(), key=len, reverse=True)


def run_group(tests):
    """(what is printed, passed, failed, skipped, [(seconds, name)])"""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        report = unittest.TextTestRunner(stream=said, resultclass=Report, verbosity=2).run(unittest.TestSuite(tests))
    failed = len({test.id() for test, _ in report.failures + report.errors}) + len(report.unexpectedSuccesses)
    return said.getvalue(), report.passed, failed, len(report.skipped), report.took


def run_again(group, done):
    """A class with a failure runs once more, alone: on a busy machine a test's own limit of time may have passed."""
    said, passed, failed, skipped, took = run_group([test for test in all_tests(unittest.TestSuite(fresh(group)))])
    before = done[0].replace("FAIL: ", "FAILED AT FIRST: ")
    if not failed:
        said += f"UNSTEADY: {name_of(group[0]).rsplit('.', 1)[0]}: failed beside others, passed alone\n"
    return before + said, passed, failed, skipped, done[4] + took


def fresh(group):
    """The same tests as new objects: unittest keeps what a class's set-up has left."""
    return unittest.defaultTestLoader.loadTestsFromNames([test.id()
                                                          for test in group if not test.id().startswith("unittest.")])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("parts", nargs="*", metavar="NAME_PART")
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--suite", default=HERE.name)
    given = options.parse_args()
    global SUITE
    SUITE = HERE.parent / given.suite
    signals.reset()
    sys.path[:0] = dict.fromkeys(map(str, (SUITE, HERE)))
    found = all_tests(unittest.defaultTestLoader.discover(str(SUITE), "test_*.py"))
    wanted = groups_of(test for test in found
                       if not given.parts or any(part in test.id() for part in given.parts))
    passed = failed = skipped = 0
    took = []
    with concurrent.futures.ProcessPoolExecutor(given.jobs, multiprocessing.get_context("fork")) as pool:
        ends = {pool.submit(run_group, group): group for group in wanted}
        again = []

        def count(done):
            said, *counts, times = done
            print(said, end="", flush=True)
            took.extend(times)
            return (a + b for a, b in zip((passed, failed, skipped), counts))

        for end in concurrent.futures.as_completed(ends):
            if end.result()[2] and len(again) < MOST_AGAIN:
                again.append((ends[end], end.result()))
            else:
                passed, failed, skipped = count(end.result())
        for group, first in again:
            passed, failed, skipped = count(pool.submit(run_again, group, first).result())
    durations.print_slowest(took)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
