#!/usr/bin/env python3
"""What the release binary costs: processes spawned, size, libraries at start, peak memory.

The bounds bind every change. Last line: `N passed, N failed, N skipped`.
"""
import json
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/peer"))
import peer

MAX_SIZE_MIB = 11.75
MAX_LIBRARIES = 10
MAX_RSS_MIB, MAX_SCREENSHOT_RSS_MIB = 12, 40
STOP_WATCH = ROOT / "build/peers/bench_floor"


def commands(folder):
    return {
        "version": ["version"],
        "devices": ["devices"],
        "snapshot": ["snapshot"],
        "click": ["click", "--coordinate", "540", "1200"],
        "exec": ["exec", "--payload", json.dumps({
            "commandId": "footprint", "taskId": "footprint", "source": "footprint",
            "expectedFormat": "android-ui-automator", "timeoutMs": 10000,
            "actions": [{"id": "a", "type": "sleep", "params": {"durationMs": 1}}]})],
        "screenshot": ["screenshot", "--path", str(folder / "screen.png")],
    }


def execve_count(command, environment, trace):
    done = subprocess.run(["strace", "-f", "-o", trace, "-e", "trace=execve,execveat", *command],
                          env=environment, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    lines = pathlib.Path(trace).read_text().splitlines() if pathlib.Path(trace).exists() else []
    return done, sum(bool(re.search(r"\bexecve(at)?\(", line)) for line in lines)


def peak_mib(command, environment):
    done = subprocess.run([STOP_WATCH, "measure", *command], env=environment, capture_output=True, check=True)
    return json.loads(done.stdout)["max_rss_kib"] / 1024


def stripped_size_mib(folder):
    subprocess.run(["strip", "-o", folder / "stripped", peer.BINARY], check=True)
    return (folder / "stripped").stat().st_size / 2**20


def libraries():
    return subprocess.run(["ldd", peer.BINARY], capture_output=True, text=True, check=True).stdout.splitlines()


def functions(binary):
    """Our own functions: name -> its instructions, as text."""
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "--no-addresses", binary],
                             capture_output=True, text=True, check=True).stdout
    found = {}
    for block in listing.split("\n\n"):
        name, _, code = block.partition(">:\n")
        if "clawperator" in name:
            found[name.strip("<")] = code
    return found


def missing_flags():
    """Those of our sources that were compiled without one of the flags that leave no sure trace in the code."""
    commands = json.loads((peer.BINARY.parent / "compile_commands.json").read_text())
    wanted = ("-ftrivial-auto-var-init=zero", "-D_FORTIFY_SOURCE=3")
    return [each["file"] for each in commands if not all(flag in each["command"] for flag in wanted)]


def hardening():
    """What makes a memory error harder to use, read from the binary as it is."""
    sections = subprocess.run(["readelf", "-Wld", peer.BINARY], capture_output=True, text=True, check=True).stdout
    yield "pie", "Elf file type is DYN" in sections, "position-independent"
    yield "relro", "GNU_RELRO" in sections and "BIND_NOW" in sections, "relocated data is read-only, bound at the start"
    yield "stack", bool(re.search(r"GNU_STACK.* RW +0", sections)), "the stack is not executable"
    ours = functions(peer.BINARY)
    guarded = sum("__stack_chk_fail" in code for code in ours.values())
    yield "protector", guarded > 1000, f"{guarded} of {len(ours)} functions of ours guard their return address"
    asserting = sum("__glibcxx_assert_fail" in code for code in ours.values())
    yield "assertions", asserting > 100, f"{asserting} functions of ours call an assertion of libstdc++"
    if platform.machine() == "x86_64":
        # What resumes a coroutine is called through a pointer, always.
        resumed = [code for name, code in ours.items() if name.endswith(".resume")]
        marked = sum(code.lstrip().startswith("endbr64") for code in resumed)
        yield "branches", 0 < marked == len(
            resumed), f"{marked} of {len(resumed)} coroutines begin where a call may land"
        steps = [int(size, 16) for code in ours.values() for size in re.findall(r"sub +\$0x([0-9a-f]+),%rsp", code)]
        yield "clash", max(steps) <= 4096, f"the stack grows by {max(steps)} bytes at most without being touched"
    missing = missing_flags()
    yield "flags", not missing, f"{len(missing)} sources were compiled without the flags {missing[:3]}"


def checks(folder):
    """(test, passed, failed or skipped, what was seen)"""
    size = stripped_size_mib(folder)
    yield "footprint.size", size <= MAX_SIZE_MIB, f"{size:.1f} MiB stripped, allowed {MAX_SIZE_MIB}"
    for name, holds, seen in hardening():
        yield f"footprint.hardening.{name}", holds, seen
    needed = libraries()
    yield "footprint.libraries", len(needed) <= MAX_LIBRARIES, f"{len(needed)} ldd lines, allowed {MAX_LIBRARIES}"

    home = peer.Home()
    device, server = None, None
    try:
        device, server = peer.Simdroid(), peer.AdbServer(home)
        server.connect(device)
        for name, words in commands(folder).items():
            command = [str(peer.BINARY), *words]
            yield spawn_check(name, command, server.environment, folder / "trace")
            bound = MAX_SCREENSHOT_RSS_MIB if name == "screenshot" else MAX_RSS_MIB
            peak = peak_mib(command, server.environment)
            yield f"footprint.memory.{name}", peak <= bound, f"{peak:.1f} MiB at peak, allowed {bound}"
    finally:
        for started in (server, device):
            if started:
                started.stop()
        home.remove()


def spawn_check(name, command, environment, trace):
    test = f"footprint.spawn.{name}"
    done, count = execve_count(command, environment, trace)
    if count == 0:
        return test, None, f"strace may not trace here: {done.stderr.decode(errors='replace').strip()[:200]}"
    if done.returncode != 0:
        return test, False, f"ended with {done.returncode}: {done.stdout[:500]!r}"
    return test, count == 1, f"{count} execve"


def main():
    subprocess.run([ROOT / "tools/compile_small", ROOT / "tools/benches/bench_floor.cpp", STOP_WATCH], check=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="footprint-"))
    counts = {True: 0, False: 0, None: 0}
    try:
        for test, verdict, seen in checks(folder):
            counts[verdict] += 1
            print(f"{ {True: 'ok', False: 'FAIL', None: 'SKIP'}[verdict] }: {test}: {seen}", flush=True)
    finally:
        shutil.rmtree(folder)
    print(f"{counts[True]} passed, {counts[False]} failed, {counts[None]} skipped")
    return 1 if counts[False] else 0


if __name__ == "__main__":
    sys.exit(main())
