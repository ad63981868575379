#!/usr/bin/env python3
"""Runs the peer tests. usage: tests/peer/run.py [NAME_PART...]

Prints `SKIP: <test>: <reason>` for every test that could not run, and as its last line
`N passed, N failed, N skipped`.
"""
import pathlib
import re
import sys
import time
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).parent


def name_of(test):
    """peer.MODULE.CLASS.test_name, or peer.MODULE for what a whole module skips."""
    whole_module = re.fullmatch(r"setUpModule \(test_(.*)\)", test.id())
    return "peer." + (whole_module.group(1) if whole_module else test.id().removeprefix("test_"))


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

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        print(f"SKIP: {name_of(test)}: {reason}", flush=True)


def all_tests(suite):
    for part in suite:
        yield from all_tests(part) if isinstance(part, unittest.TestSuite) else [part]


def main():
    sys.path.insert(0, str(HERE))
    found = all_tests(unittest.defaultTestLoader.discover(str(HERE), "test_*.py"))
    wanted = [test for test in found
              if not sys.argv[1:] or any(part in test.id() for part in sys.argv[1:])]
    runner = unittest.TextTestRunner(stream=sys.stderr, resultclass=Report, verbosity=2)
    report = runner.run(unittest.TestSuite(wanted))
    failed = len({test.id() for test, _ in report.failures + report.errors})
    failed += len(report.unexpectedSuccesses)
    slowest = sorted(report.took, reverse=True)[:20]
    print("the slowest: " + ", ".join(f"{name} {seconds:.0f} s" for seconds, name in slowest))
    print(f"{report.passed} passed, {failed} failed, {len(report.skipped)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
