#!/usr/bin/env python3
"""Host chores beside the chain of adb calls that does the same: doctor, operator setup, packages,
version --check-compat. They take turns on the simulated device with profile `phone`.

usage: tools/benches/bench_host.py [--pairs N] [--only TEXT] [--name NAME] [--against]

Writes docs/bench/NAME.json (medians and spread) and docs/internals/benchmarks.md. Of `operator setup` the transfer is
taken off both sides: each round also times a bare install of the same file.
"""
import argparse
import datetime
import json
import os
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/peer"))
sys.path.insert(0, str(ROOT / "tests/support"))
import apk
import peer
import run_bench

PACKAGE = "com.clawperator.operator"
APK_MIB = 20
COMPONENT = f"{PACKAGE}/clawperator.operator.accessibilityservice.OperatorAccessibilityService"
LISTENER = f"{PACKAGE}/action.notification.NotificationListenerService"
PING = json.dumps({"commandId": "c-1", "taskId": "t-1", "source": "bench", "expectedFormat": "android-ui-automator",
                   "timeoutMs": 5000, "actions": [{"id": "h1", "type": "sleep", "params": {"durationMs": 0}}]})


def chain(serial, *calls):
    """A script that stops at the first call that fails; `shell X` and other words of adb."""
    return ["/bin/sh", "-ec", "\n".join(f"adb -s {serial} {call} >/dev/null" for call in calls)]


def listed(package=""):
    return f"shell pm list packages {package}".rstrip()


RESOLVE = "devices"
COMPATIBILITY = [listed(PACKAGE), f"shell dumpsys package {PACKAGE}"]
GRANTS = ["shell settings get secure enabled_accessibility_services",
          "shell settings put secure accessibility_enabled 1",
          f"shell settings put secure enabled_accessibility_services {COMPONENT}",
          f"shell pm grant {PACKAGE} android.permission.POST_NOTIFICATIONS",
          "shell settings get secure enabled_notification_listeners",
          f"shell settings put secure enabled_notification_listeners {LISTENER}"]


def handshake(serial, command_id):
    """One doctor_ping, and the log asked until its envelope is there."""
    payload = json.dumps({"commandId": command_id, "taskId": "doctor-handshake", "source": "clawperator-doctor",
                          "expectedFormat": "android-ui-automator",
                          "actions": [{"id": "h1", "type": "doctor_ping"}], "timeoutMs": 5000})
    quoted = payload.replace('"', '\\"')
    return (f"adb -s {serial} shell \"am broadcast -a app.clawperator.operator.ACTION_AGENT_COMMAND -p {PACKAGE} "
            f"--es payload '{quoted}'\" >/dev/null\n"
            f"until adb -s {serial} logcat -d -v time -t 20 | grep \"Clawperator-Result.*{command_id}\"; do :; "
            "done")


def doctor_chain(serial):
    """What the Node tool runs, without `logcat -c` and its sleeps."""
    calls = ["version", "start-server", RESOLVE, "shell getprop ro.build.version.sdk", "shell wm size",
             "shell wm density", listed(PACKAGE), *COMPATIBILITY,
             "shell settings get global development_settings_enabled", "shell settings get global adb_enabled"]
    script = chain(serial, *calls)
    return [*script[:2], script[2] + "\n" + handshake(serial, "handshake-1") + " >/dev/null"]


def setup_chain(serial, file):
    """Until the app's service runs, as `operator setup` does: the system takes a second to bind it anew."""
    script = chain(serial, f"install -r {file}", listed(PACKAGE), listed(f"{PACKAGE}.dev"), *GRANTS, listed(PACKAGE))
    pings = handshake(serial, "handshake-$$-$i")
    until_it_answers = f"i=0\nuntil ( {pings} ) | grep -q 'status.*success'; do i=$((i+1)); sleep 0.1; done"
    return [*script[:2], f"{script[2]}\n{until_it_answers}"]


class Row(run_bench.Row):
    """`without`: a command of each side whose time is taken off."""

    def __init__(self, name, ours, theirs, ratio, without=None):
        super().__init__(name, ours, theirs, ratio=ratio, mib=64 if without else 16)
        if without:
            self.commands |= {"ours_transfer": without[0], "theirs_transfer": without[1]}


def rows(serial, file):
    claw = lambda *words: run_bench.claw("--device", serial, *words)
    return [
        Row("doctor", claw("doctor"), doctor_chain(serial), 1 / 3),
        Row("doctor, beside one handshake", claw("doctor"), claw("exec", "--payload", PING), 2),
        Row("operator setup until the app answers, transfer taken off",
            claw("operator", "setup", "--apk", file), setup_chain(serial, file), 1,
            without=(run_bench.claw("adb", "-s", serial, "install", "-r", file),
                     ["adb", "-s", serial, "install", "-r", file])),
        Row("packages list", claw("packages", "list"), chain(serial, RESOLVE, listed()), 1 / 3),
        Row("version --check-compat", claw("version", "--check-compat"), chain(serial, RESOLVE, *COMPATIBILITY), 1 / 3),
    ]


def take_off_transfer(samples):
    for who in ("ours", "theirs"):
        for whole, transfer in zip(samples[who], samples.get(f"{who}_transfer", [])):
            whole["wall_us"] = max(1, whole["wall_us"] - transfer["wall_us"])


def measured(row, pairs, environment):
    samples = run_bench.measure(row, pairs, environment)
    take_off_transfer(samples)
    summary = run_bench.summarise("simdroid", row, samples)
    print(run_bench.line_of(summary), flush=True)
    return summary


def run(given, folder):
    home, runtime = peer.Home(), run_bench.runtime_folder()
    device, server = peer.Simdroid("--profile", "phone"), peer.AdbServer(home)
    try:
        serial = server.connect(device)
        apk.write_apk(folder / "operator.apk", padding=APK_MIB << 20)
        environment = server.environment | {"XDG_RUNTIME_DIR": runtime.name}
        chosen = [row for row in rows(serial, str(folder / "operator.apk")) if given.only in row.name]
        return [measured(row, given.pairs, environment) for row in chosen]
    finally:
        server.stop()
        device.stop()
        home.remove()
        runtime.cleanup()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pairs", type=int, default=11)
    options.add_argument("--only", default="")
    options.add_argument("--name", default="host")
    options.add_argument("--against", action="store_true")
    given = options.parse_args()
    quiet, load = run_bench.wait_for_quiet(), os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        found = run(given, pathlib.Path(folder))
    report = {"when": datetime.date.today().isoformat(), "machine": run_bench.machine(), "quiet": quiet,
              "load": [load, os.getloadavg()[0]], "pairs": given.pairs, "rows": found}
    run_bench.keep(given.name, report)
    return 1 if given.against and any(row["missed"] for row in found) else 0


if __name__ == "__main__":
    sys.exit(main())
