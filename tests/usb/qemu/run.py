#!/usr/bin/env python3
"""USB through a real kernel: boots guests that are both the host and the phone on the cable.

usage: tests/usb/qemu/run.py [BOOT[,BOOT]]      env: CLAWPERATOR_BUILD, the build under test (build/release)

Prints `SKIP: test: reason` lines and a last line `N passed, N failed, N skipped`.
"""
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import image
import vm
from limits import scaled

BUILD = pathlib.Path(os.environ.get("CLAWPERATOR_BUILD", image.ROOT / "build/release"))
PROGRAMS = [BUILD / "clawperator", BUILD / "tools/usb_guest/ffs_phone", BUILD / "tools/usb_guest/usb_probe"]
BOOT_LIMIT, SUITE_LIMIT = scaled(120), scaled(600)  # seconds; an idle machine needs less than 180 for all
VERDICT = re.compile(r"^(ok|FAIL) (.*)$", re.MULTILINE)


@dataclasses.dataclass
class Boot:
    name: str
    script: str
    words: str = ""
    needs_adbd: bool = True
    by_hand: bool = False


# The longest first: two guests run at a time.
BOOTS = [
    Boot("adbd_high", "adbd"),
    Boot("adbd_super", "adbd", "rig.speed=super"),
    Boot("phone_high", "phone", needs_adbd=False),
    Boot("phone_full", "phone", "rig.speed=full", needs_adbd=False),
    Boot("phone_super", "phone", "rig.speed=super", needs_adbd=False),
    Boot("two", "two", "rig.controllers=2"),
    Boot("real_adb", "real_adb", by_hand=True),
]


class Unavailable(Exception):
    pass


def fetch(*command):
    """Exit status 3 of a fetching tool: it cannot be had here, and its last line says why."""
    done = subprocess.run(command, cwd=image.ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 3:
        raise Unavailable(done.stderr.strip().rpartition("\n")[2])
    done.check_returncode()


def fetch_guest():
    if not vm.is_available():
        raise Unavailable(f"{vm.QEMU} is missing (package qemu-system-x86)")
    fetch("tools/fetch/usb_guest")


def run_boot(boot, made, folder, end):
    left = end - time.monotonic()
    if left <= 0:
        return vm.Boot(vm.NO_END, f"no time left: all boots together may take {SUITE_LIMIT:.0f} s\n", 0)
    initrd = folder / f"{boot.name}.cpio"
    image.write_initrd(initrd, made, boot, PROGRAMS)
    return vm.boot(made.kernel, initrd, boot.words, limit=min(BOOT_LIMIT, left))


def judge(boot, seen):
    """(passed names, failures as (name, why)) of a boot."""
    passed, failures = [], []
    for verdict, text in VERDICT.findall(seen.output):
        name, _, why = text.partition(": ")
        passed.append(name) if verdict == "ok" else failures.append((name, why))
    if seen.status == vm.NO_END:
        failures.append(("end", f"the guest did not end within {seen.seconds:.0f} s"))
    elif seen.status != 0 and not failures or not passed:
        failures.append(("end", f"the scenario ended with {seen.status}"))
    return passed, failures


def report(boot, seen):
    passed, failures = judge(boot, seen)
    print(f"{boot.name}: {len(passed)} passed, {len(failures)} failed, {seen.seconds:.0f} s", flush=True)
    if failures:
        print("".join(f"    {line}\n" for line in seen.output.splitlines()[-80:]), end="")
    for name, why in failures:
        print(f"FAIL: usb_guest.{boot.name}.{name}: {why}")
    return len(passed), len(failures)


def run_boots(boots):
    """Two at a time; the results in order."""
    end = time.monotonic() + SUITE_LIMIT
    with tempfile.TemporaryDirectory(prefix="usb-guest-") as name, \
            concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        folder = pathlib.Path(name)
        made = image.make(folder)
        for boot, seen in zip(boots, pool.map(lambda boot: run_boot(boot, made, folder, end), boots)):
            yield report(boot, seen)


def chosen_boots(arguments):
    if not arguments:
        return [boot for boot in BOOTS if not boot.by_hand]
    wanted = set(arguments[0].split(","))
    unknown = wanted - {boot.name for boot in BOOTS}
    if unknown:
        sys.exit(f"run.py: no such boot: {', '.join(sorted(unknown))}")
    return [boot for boot in BOOTS if boot.name in wanted]


def main():
    boots, skipped = chosen_boots(sys.argv[1:]), []
    try:
        fetch_guest()
    except Unavailable as reason:
        skipped, boots = [(boot, reason) for boot in boots], []
    try:
        if boots:
            fetch("tools/fetch/adbd", "--with-adb")
            fetch("tools/build_phone")
    except Unavailable as reason:
        skipped = [(boot, reason) for boot in boots if boot.needs_adbd]
        boots = [boot for boot in boots if not boot.needs_adbd]
    for boot, reason in skipped:
        print(f"SKIP: usb_guest.{boot.name}: {reason}")
    counts = list(run_boots(boots))
    failed = sum(failures for _, failures in counts)
    print(f"{sum(passes for passes, _ in counts)} passed, {failed} failed, {len(skipped)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
