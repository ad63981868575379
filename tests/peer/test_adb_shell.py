"""`adb shell` and its kin, ours beside the real adb, against the real adbd 34."""
import pathlib
import random
import shutil
import tempfile
import unittest

import compare
import peer
from compare import Case, Terminal

BINARY_BYTES = random.Random(7).randbytes(10 << 20)
userland = None

BUGREPORTZ = """#!/bin/sh
case "$1" in
  -v) echo 1.2 >&2 ;;
  -s) printf 'streamed' ;;
  -p) echo "BEGIN:$PHONE_STATE/bugreport-x.zip"; echo PROGRESS:10/100
      head -c 300000 /dev/zero >"$PHONE_STATE/bugreport-x.zip"
      echo PROGRESS:60/100; echo "OK:$PHONE_STATE/bugreport-x.zip" ;;
esac
"""


def setUpModule():
    """Not the stub userland: a bugreportz, and a logcat that shows its arguments."""
    global userland
    userland = pathlib.Path(tempfile.mkdtemp(prefix="userland-"))
    for name, text in {"bugreportz": BUGREPORTZ,
                       "logcat": '#!/bin/sh\necho "$ANDROID_LOG_TAGS"; for a; do echo "<$a>"; done\n'}.items():
        (userland / name).write_text(text)
        (userland / name).chmod(0o755)


def tearDownModule():
    shutil.rmtree(userland, ignore_errors=True)


# The real adb leaves before the command has taken all of its input.
UNTIL_FILLED = 'for n in $(seq 100); do [ -s "{}" ] && break; sleep 0.1; done; '
COMMANDS = [
    Case("shell", "echo hi"),
    Case("shell", "echo", "a  b", "'c  d'", "$HOME"),
    Case("shell", "true"),
    Case("shell", "exit 3"),
    Case("shell", "exit 300"),
    Case("shell", "kill -9 $$"),
    Case("shell", "echo out; echo err >&2; exit 7", same=("out", "err", "status")),
    Case("shell", "-x", "echo out; echo err >&2; exit 7", same=("out", "err", "status")),
    Case("shell", "-T", "cat", stdin=b"through a pipe\n"),
    Case("shell", "-Tt", "echo", "-T", same=("out", "err", "status")),
    Case("shell", "-t", "true", same=("out", "err", "status")),
    Case("shell", "-tt", "echo hi; tty | sed s/[0-9]*$//"),
    Case("shell", "-tt", "printf 'a\\nb\\n'"),
    Case("shell", "-n", "cat", stdin=b"not to be read"),
    Case("shell", "-nT", "cat", stdin=b"not to be read"),
    Case("shell", "--", "echo", "-n"),
    Case("shell", "-q", "true", same=("out", "err", "status")),
    Case("shell", "-xT", "true", same=("out", "err", "status")),
    Case("shell", "-e", "none", "echo", "x"),
    Case("shell", "-e", "ab", "true", same=("out", "err", "status")),
    Case("shell", "-e", same=("out", "err", "status")),
    Case("shell", stdin=b"echo one; exit 4\necho two\n"),
    Case("shell", stdin=b""),
    Case("shell", "wc -c", stdin="file:{tmp}/input", setup="head -c 100000 /dev/zero >{tmp}/input"),
    Case("shell", "echo $TERM"),
    Case("exec-out", "echo out; echo err >&2; exit 5"),
    Case("exec-out", "echo", "a", "b"),
    Case("exec-out", "sh", "-c", "echo a; echo b"),
    Case("exec-out", "printf", "%s|", "x y", "it's", ""),
    Case("exec-out", "echo a; echo b", "c"),
    Case("exec-out", same=("out", "err", "status")),
    Case("exec-in", same=("out", "err", "status")),
    Case("exec-in", "cat >{tmp}/exec-in", stdin=b"a line\n",
         after="cd {tmp}; " + UNTIL_FILLED.format("exec-in") + "cat exec-in"),
    Case("exec-in", "tee", "{tmp}/exec in", "{tmp}/it's", stdin=b"a line\n",
         after="cd {tmp}; " + UNTIL_FILLED.format("exec in") + UNTIL_FILLED.format("it's") + "cat 'exec in' \"it's\""),
    Case("logcat", "-d", "-v", "brief", "it's:V", "*:S"),
    Case("logcat"),
    Case("bugreport", "{tmp}", blur="[0-9.]+ MB/s.*|(theirs|ours)-[^/]*",
         after="cd {tmp}; cksum <bugreport-x.zip; ls"),
    Case("bugreport", "{tmp}/named", blur="[0-9.]+ MB/s.*|(theirs|ours)-[^/]*", after="cd {tmp}; ls"),
    Case("bugreport", "--stream"),
    Case("root", same=("out", "err", "status")),
    Case("unroot", same=("out", "err", "status")),
    Case("remount", same=("out", "err", "status")),
    Case("disable-verity"),
    Case("enable-verity"),
    Case("usb", same=("out", "err", "status")),
    Case("tcpip", "5600", same=("out", "err", "status")),
    Case("tcpip", same=("out", "err", "status")),
    Case("tcpip", "x", same=("out", "err", "status")),
    Case("reboot", same=("out", "err", "status")),
    Case("reboot", "a", "b", same=("out", "err", "status")),
    Case("reboot-bootloader", "x", same=("out", "err", "status")),
    Case("reboot-fastboot", "x", same=("out", "err", "status")),
    Case("emu", "help", same=("status",)),
]
# What adb 29 does differently from 34, and we do as 34.
ONLY_AS_34 = {("bugreport",), ("disable-verity",), ("enable-verity",), ("emu",)}

ABSENT = [Case("-s", "absent", *words, same=("out", "err", "status"))
          for words in (["shell", "true"], ["exec-out", "true"], ["exec-in", "true"], ["jdwp"], ["root"],
                        ["remount"], ["reboot"], ["usb"], ["emu", "help"])]

# Some begin with "error: " in 29 and with "adb: " in 34.
ABSENT_29 = [Case(*case.arguments) for case in ABSENT]

LARGE = [
    Case("shell", "yes xxxxxxx | head -c 10485760"),
    Case("exec-out", "yes '' | head -c 10485760", limit=90),
    Case("shell", "-T", "cat", stdin=BINARY_BYTES),
    Case("shell", "cksum", stdin=BINARY_BYTES),
    # The server closes its socket over unread bytes, and that reset can overtake the five bytes.
    Case("shell", "head -c 5; sleep 0.3", stdin=BINARY_BYTES),
    Case("shell", "cat; cat >&2", stdin=BINARY_BYTES[:1 << 20], same=("out", "err", "status")),
]

PROMPT = "[$#] "
# mksh edits its line in a raw terminal; what is typed before the command runs is no whole line to the command.
CAT = [("type", "echo rea''dy; cat\r"), ("see", "\nready"), ("type", "purr\r")]
TERMINAL = [
    Terminal("shell", steps=[("see", PROMPT), ("type", "echo $((6*7))\r"), ("see", "echo \\$.*\n42\r"),
                             ("type", "exit 9\r")]),
    Terminal("shell", size=(33, 101), steps=[("see", PROMPT), ("type", "echo $LINES $COLUMNS\r"), ("see", "33 101"),
                                             ("type", "exit\r")]),
    # adb 34 sends the device a new size only when a key is typed.
    Terminal("shell", only_ours=True,
             steps=[("see", PROMPT), ("size", 44, 55), ("type", "sleep 0.3\r"), ("see", "sleep"), ("see", PROMPT),
                    ("type", "echo $LINES $COLUMNS\r"), ("see", "44 55"), ("type", "exit\r")]),
    Terminal("shell", steps=[("see", PROMPT), ("type", "echo $TERM-; tty\r"), ("see", "xterm-\r"), ("see", "/dev/pts"),
                             ("type", "exit\r")]),
    Terminal("shell", steps=[("see", PROMPT), *CAT,
                             ("see", "purr\\s+purr\r"), ("type", "\x03"), ("see", PROMPT),
                             ("type", "echo still here\r"),
                             ("see", "\nstill here"), ("type", "exit 5\r")]),
    Terminal("shell",
             steps=[("see", PROMPT), ("type", "\r"), ("see", PROMPT), ("type", "~."), ("see", "disconnected")]),
    Terminal("shell", "-e", "%", steps=[("see", PROMPT), ("type", "echo ~.\r"), ("see", "\n~\\."), ("see", PROMPT),
                                        ("type", "%."), ("see", "disconnected")]),
    Terminal("shell", "-e", "none",
             steps=[("see", PROMPT), ("type", "\r"), ("see", PROMPT), ("type", "~.\x15exit 6\r")]),
    Terminal("shell", "-x",
             steps=[("see", PROMPT), ("type", "echo $((6*7))\r"), ("see", "\n42\r"), ("type", "exit 9\r")]),
    Terminal("shell", "-T", steps=[("type", "echo $((6*7)); exit 8\n"), ("see", "42")]),
    # The window's size comes behind the command, which waits for it, however slow the machine is. A fresh shell looks
    # each time: one that runs hears of no size that comes between its first look and its handler of the signal.
    Terminal("shell", "-t",
             "n=0; while [ \"$(sh -c 'echo $LINES')\" != 20 ] && [ $n -lt 100 ]; do sleep 0.1; n=$((n+1)); done; "
             "sh -c 'echo $LINES $COLUMNS'; exit 3", size=(20, 70), steps=[("see", "20 70")]),
    Terminal("shell", "echo $((6*7)); exit 3", steps=[("see", "42")]),
    Terminal("shell", steps=[("see", PROMPT), ("type", "echo to be killed; kill -9 $$\r"), ("see", "\nto be killed")]),
]


SIGNALS = [Case("shell", "sleep 10", signal=(name, 0.5), same=("out", "status"))
           for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGKILL")]
# adb leaves the terminal raw.
SIGNALS_IN_TERMINAL = [Terminal("shell", steps=[("see", PROMPT), ("signal", name)], only_ours=True, same=())
                       for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")]


CONSOLE = pathlib.Path(__file__).with_name("fake_console.py")


def console_case(*words, token="secret", same=("out", "err", "status")):
    """One conversation with a console that wants "secret"."""
    start = (f"printf {token} >$HOME/.emulator_console_auth_token; "
             f"python3 -B {CONSOLE} 5570 secret >/dev/null 2>&1 & sleep 0.4")
    return Case("-s", "emulator-5570", "emu", *words, setup=start, same=same)


CONSOLE_CASES = [
    console_case("avd", "name"),
    console_case("ping"),
    console_case("frob"),
    console_case("kill"),
    console_case("ping", token="wrong", same=("err", "status")),
    Case("-s", "emulator-5572", "emu", "ping", same=("out", "status")),
]


class Console(peer.PeerTest):
    def test_emulator_console(self):
        compare.check(self, CONSOLE_CASES, "server34", userland)


ADBD = pathlib.Path(__file__).with_name("fake_adbd.py")


FAKE = "127.0.0.1:5700"
UNTIL_LISTENING = f"for n in $(seq 100); do grep -q ':{5700:04X} 0*:0000 0A' /proc/net/tcp && break; sleep 0.05; done; "


def fake_case(*words, state="device", device=FAKE, after="true", **options):
    """Beside an adbd that can be restarted, and be in a state that Debian's cannot. No test waits for one
    that says nothing to be connected."""
    start = (f"python3 -B {ADBD} 5700 {state} >/dev/null 2>&1 & echo $! >{{tmp}}/pid; {UNTIL_LISTENING}"
             f"timeout 1 {{adb}} connect {FAKE}; sleep 0.3")
    stop = f"; kill $(cat {{tmp}}/pid); {{adb}} disconnect {FAKE} >/dev/null 2>&1; true"
    return Case("-s", device, *words, setup=start, after=after + stop,
                **{"same": ("out", "err", "status", "after")} | options)


# It is gone for 0.7 s. After root the device is there again when adb ends.
RESTARTS = [fake_case("root", after=f"{{adb}} -s {FAKE} get-state"), fake_case("usb"),
            fake_case("tcpip", "5700"), fake_case("reboot", "recovery")]
# A command that looks for the row of another device waits for 10 s.
RESTART_BY_PRODUCT = fake_case("root", device="product:fake", limit=9)


class Restarts(peer.PeerTest):
    """Not through server 29, which itself loses sight of a device that is gone for a moment."""

    def test_directly(self):
        compare.check(self, RESTARTS, "direct", userland)

    def test_through_server_34(self):
        compare.check(self, [*RESTARTS, RESTART_BY_PRODUCT], "server34", userland)


# It runs no command: what it is stands in its banner alone, written as adb writes it.
# The server lists the real adbd, too, and numbers its transports.
NOT_OURS = r"(?<=attached\n)(127\.0\.0\.1:5600.*\n)?|(?<=device:f4).*"
LISTED = [fake_case("devices", "-l", state=state, blur=NOT_OURS, same=("out", "status"))
          for state in ("device", "recovery")]


class Listed(peer.PeerTest):
    def test_directly(self):
        """A phone that sends its model in the banner alone is listed as adb lists it. [F65]"""
        compare.check(self, LISTED, "direct", userland)


STATES = [fake_case(words, state=state) for state in ("recovery", "rescue", "sideload", "bootloader")
          for words in (f"wait-for-{state}", "get-state")]
TWO_LOOKS = [fake_case("wait-for-any-any", "get-state", state="recovery")]
UNUSABLE = [fake_case("wait-for-disconnect", state=state) for state in ("unauthorized", "offline")]
SEVERAL_STATES = [fake_case("wait-for-any-device-recovery", state="recovery"),
                  fake_case("wait-for-device-disconnect", state="recovery", device="absent")]


class States(peer.PeerTest):
    """What wait-for-* takes for there, and for gone."""

    def test_directly(self):
        compare.check(self, STATES + UNUSABLE, "direct", userland)

    def test_through_server_34(self):
        compare.check(self, STATES + TWO_LOOKS + UNUSABLE + SEVERAL_STATES, "server34", userland)

    def test_through_server_29(self):
        compare.check(self, STATES + TWO_LOOKS + UNUSABLE, "server29", userland)


class Endings(peer.PeerTest):
    """Signals to us, and devices that go away."""

    def test_signals(self):
        for route in compare.ROUTES:
            compare.check(self, SIGNALS + SIGNALS_IN_TERMINAL, route, userland)

    def test_a_device_that_goes_away_is_no_success(self):
        killed = [Case("shell", "echo before; sleep 0.2; kill -9 $PPID; sleep 9", only_ours=True)]
        for route in compare.ROUTES:
            for _, _, ours in compare.run(killed, route, userland):
                self.assertEqual((ours["out"], ours["status"]), (b"before\n", 255), ours)
                self.assertRegex(ours["err"], b"^adb: ")

    def test_exec_in_stays_until_its_command_ends(self):
        """Unlike adb, which leaves at the end of the input and so has adbd kill the command."""
        slow = [Case("exec-in", "cat >{tmp}/slow; sleep 0.5; echo whole >>{tmp}/slow", stdin=b"a line\n",
                     only_ours=True,
                     after="cat {tmp}/slow")]
        for route in compare.ROUTES:
            for _, _, ours in compare.run(slow, route, userland):
                self.assertEqual((ours["status"], ours["after"]), (0, b"a line\nwhole\n"), ours)

    def test_no_standard_input(self):
        closed = [Case("shell", "cat", stdin="closed", only_ours=True),
                  Case("shell", stdin="closed", only_ours=True)]
        for route in compare.ROUTES:
            for case, _, ours in compare.run(closed, route, userland):
                self.assertEqual((ours["out"], ours["err"], ours["status"]), (b"", b"", 0), str(case))


class Commands(peer.PeerTest):
    def test_directly(self):
        compare.check(self, COMMANDS + LARGE + ABSENT, "direct", userland)

    def test_through_server_34(self):
        compare.check(self, COMMANDS + LARGE + ABSENT, "server34", userland)

    def test_through_server_29(self):
        as_29 = [case for case in COMMANDS if tuple(case.arguments[:1]) not in ONLY_AS_34]
        compare.check(self, as_29 + LARGE + ABSENT_29, "server29", userland)


class Interactive(peer.PeerTest):
    """In a pseudo terminal: echo, exit status, window size, ^C, escape; cooked again afterwards."""

    def test_directly(self):
        compare.check(self, TERMINAL, "direct", userland)

    def test_through_server_34(self):
        compare.check(self, TERMINAL, "server34", userland)

    def test_through_server_29(self):
        compare.check(self, TERMINAL, "server29", userland)


if __name__ == "__main__":
    unittest.main()
