"""push, pull, ls, install, uninstall: ours beside the real adb, against the real adbd 34 and simdroid.

`{tmp}/dev` is what the device has (the phone sees this folder by the same name), `{tmp}/here` what we have.
"""
import os
import pathlib
import re
import shlex
import subprocess
import unittest

import compare
import peer
import test_pairing
from compare import Case
from limits import LIMIT_S

import apk  # from tests/support, which peer has made known

# What may differ: the private folders, the rates.
BLUR = r"[^ ']*/(theirs|ours)-[a-z0-9_]*|[0-9.]+ MB/s|in [0-9.]+s"
TREE = r"""rm -rf {tmp}/dev {tmp}/here; mkdir -p {tmp}/dev {tmp}/here/t/sub/deep {tmp}/here/t/none; cd {tmp}/here
printf a >a; printf bb >b
: >t/empty; printf 'x y' >'t/with space'; printf n >"t/new
line"; printf u >t/grüße; printf c >t/comma,0644; printf d >t/-dash; printf l >t/$(printf '%0255d' 7)
[ -e {tmp}/packed ] || seq 1 600000 | gzip -n >{tmp}/packed
head -c 65535 {tmp}/packed >t/just-small; head -c 65536 {tmp}/packed >t/just-large
head -c 983041 {tmp}/packed >t/block; seq 1 400000 >t/sub/deep/text; chmod 700 t/sub/deep/text
ln -s empty t/link; ln -s sub t/folder-link; ln -s nowhere t/dangling; mkfifo t/pipe
"""
# Everything below a folder: kind, mode, size, link and content, in order.
SHOW = r"""cd {tmp}/%s && find . -printf '%%P %%y %%m %%l\n' | sort && find . -type f | sort | tr '\n' '\0' |
xargs -0 -r cat | md5sum; ls -a . | grep -c '\.part$'"""
ALGORITHMS = ("none", "any", "brotli", "lz4", "zstd")


def push(*arguments, setup="", after=SHOW % "dev", **options):
    return Case("push", *arguments, setup=TREE + setup, after=after, blur=BLUR, **options)


def pull(*arguments, setup="", after=SHOW % "here", **options):
    made = TREE.replace("{tmp}/here", "{tmp}/dev") + "rm t/dangling; rm -rf {tmp}/here; mkdir {tmp}/here; "
    return Case("pull", *arguments, setup=made + setup, after=after, blur=BLUR, **options)


PUSHES = [
    push("{tmp}/here/a", "{tmp}/dev"),
    push("{tmp}/here/a", "{tmp}/dev/named"),
    push("{tmp}/here/a", "{tmp}/here/b", "{tmp}/dev/"),
    push("{tmp}/here/none", "{tmp}/dev"),
    push("{tmp}/here/none", "{tmp}/here/a", "{tmp}/dev"),
    push("{tmp}/here/a", "{tmp}/here/b", "{tmp}/dev/none"),
    push("{tmp}/here/a", "{tmp}/dev/a/", setup=": >{tmp}/dev/a"),
    push("{tmp}/here/t", "{tmp}/dev/a", setup=": >{tmp}/dev/a"),
    # adb names the folder instead of the special file in it
    push("{tmp}/here/t", "{tmp}/dev", same=("status", "after")),
    push("{tmp}/here/t", "{tmp}/dev/new", setup="rm t/pipe; "),
    push("{tmp}/here/t/pipe", "{tmp}/dev"),
    push("{tmp}/here/a", "/proc/none", same=("status",)),
    push(same=("status",)),
    push("{tmp}/here/a", same=("status",)),
    push("-x", "{tmp}/here/a", "{tmp}/dev", same=("out", "err", "status")),
]
MODERN_PUSHES = [  # that adb 29 does not know
    push("-z", "foo", "{tmp}/here/a", "{tmp}/dev", same=("out", "err", "status")),
    push("-n", "{tmp}/here/t/block", "{tmp}/dev"),
    push("/proc/crypto", "{tmp}/dev"),
    push("--sync", "{tmp}/here/t", "{tmp}/dev", setup="rm t/pipe; mkdir {tmp}/dev/t; cp -a t/block {tmp}/dev/t; "),
    # the size and the time to the second are all that adb looks at
    push("--sync", "{tmp}/here/t", "{tmp}/dev",
         setup="rm -r t; mkdir t {tmp}/dev/t; ln -s abcde t/link; ln -s abcde t/kind; "
         "ln -s zzzzz {tmp}/dev/t/link; printf abcde >{tmp}/dev/t/kind; touch -h -d 2001-02-03 t/* {tmp}/dev/t/kind; "
         "touch -h -d 2002-02-03 {tmp}/dev/t/link; "),
] + [push("-z", algorithm, "{tmp}/here/t", "{tmp}/dev", setup="rm t/pipe; ") for algorithm in ALGORITHMS]
PULLS = [
    pull("{tmp}/dev/a", "{tmp}/here"),
    pull("{tmp}/dev/a", "{tmp}/here/named"),
    pull("--sync", "{tmp}/dev/a", "{tmp}/here"),
    pull("{tmp}/dev/a", "{tmp}/dev/b", "{tmp}/here"),
    pull("{tmp}/dev/a", "{tmp}/dev/b", "{tmp}/here/none"),
    pull("{tmp}/dev/none", "{tmp}/here"),
    pull("{tmp}/dev/none", "{tmp}/dev/a", "{tmp}/here"),
    pull("{tmp}/dev/a", "{tmp}/here/none/x"),
    pull("{tmp}/dev/a", "{tmp}/here/none/"),
    pull("{tmp}/dev/t", "{tmp}/here/file", setup=": >{tmp}/here/file; "),
    pull("{tmp}/dev/t", "{tmp}/here", setup="rm t/pipe; "),
    pull("{tmp}/dev/t", "{tmp}/here/new"),
    pull("{tmp}/dev/t", "{tmp}/here", setup="rm t/pipe; ln -s nowhere t/dangling; "),
    # adb gives what a link leads to no time
    pull("-a", "{tmp}/dev/t", "{tmp}/here",
         setup="rm t/pipe t/link t/folder-link; find t -type f -exec touch -d 2001-02-03 {} +; ",
         after="cd {tmp}/here; find t -type f -printf '%P %m %Ts\\n' | sort"),
    pull("/dev/null", "{tmp}/here"),
    pull("{tmp}/dev/a", "{tmp}/here/a", setup="printf old >{tmp}/here/a; "),
    pull(same=("status",)),
    pull("{tmp}/dev/a", ""),
    Case("ls", "{tmp}/dev",
         setup="rm -rf {tmp}/dev; mkdir {tmp}/dev; printf x >{tmp}/dev/f; touch -d 2001-02-03 {tmp}/dev/f {tmp}/dev",
         blur=r"[^\n]* \.\.\n"),
    Case("ls", "/none"),
    Case("ls", same=("out", "err", "status")),
]
MODERN_PULLS = [pull("-z", algorithm, "{tmp}/dev/t", "{tmp}/here", setup="rm t/pipe; ") for algorithm in ALGORITHMS]


class Transfers(peer.PeerTest):
    def test_pushes(self):
        for route in compare.ROUTES:
            compare.check(self, PUSHES + (MODERN_PUSHES if route != "server29" else []), route)

    def test_pulls(self):
        for route in compare.ROUTES:
            compare.check(self, PULLS + (MODERN_PULLS if route != "server29" else []), route)

    def test_five_thousand_small_files_go_there_and_come_back(self):
        script = r"""set -e; cd $HOME; mkdir -p many dev; cd many
            for d in $(seq 50); do mkdir $d; for f in $(seq 100); do echo $d-$f >$d/$f; done; done; cd ..
            ln -s "$0" adb; export ANDROID_SERIAL=127.0.0.1:5600 ADB_LOCAL_TRANSPORT_MAX_PORT=5553 ADB_MDNS=0
            if [ $# -gt 0 ]; then
                "$@" -L tcp:$ANDROID_ADB_SERVER_PORT nodaemon server >/dev/null 2>&1 &
                until grep -q "$(printf ':%04X 0' $ANDROID_ADB_SERVER_PORT)" /proc/net/tcp /proc/net/tcp6; do
                    sleep 0.02; done
                "$@" connect $ANDROID_SERIAL >/dev/null 2>&1; "$@" wait-for-device
            fi
            ./adb push many $HOME/dev; ./adb pull $HOME/dev/many back
            diff -r many dev/many && diff -r many back && echo same"""
        compare.fetch_adb34()
        servers = [[], compare.adb34()] + ([compare.ADB29] if os.path.exists(compare.ADB29[0]) else [])
        for server in servers:
            done = subprocess.run([str(compare.NAMESPACE), "--", "sh", "-c", script, str(peer.BINARY), *server],
                                  cwd=compare.ROOT, capture_output=True, timeout=2 * LIMIT_S, check=False)
            if done.returncode == compare.UNAVAILABLE:
                self.skipTest(done.stderr.decode().strip().splitlines()[-1])
            self.assertIn(b"5000 files pushed, 0 skipped.", done.stdout, done)
            self.assertIn(b"5000 files pulled, 0 skipped.", done.stdout, done)
            self.assertTrue(done.stdout.endswith(b"same\n"), done)

    def test_names_do_not_act_on_a_terminal(self):
        name = "t\x1b[2J"
        made = "mkdir -p {tmp}/here; printf x >{tmp}/here/" + shlex.quote(name)
        source, target = "{tmp}/here/" + name, "{tmp}/dev"
        cases = [compare.Terminal("push", source, target, setup=made, steps=[("see", "pushed, 0 skipped")],
                                  only_ours=True),
                 compare.Terminal("pull", "/none" + name, target, steps=[("see", "No such")], only_ours=True),
                 push(source, target, setup=made), pull("/none" + name, target)]
        for number, (case, _, ours) in enumerate(compare.run(cases, "direct")):
            on_terminal = number < 2
            self.assertIn(name.replace("\x1b", "?").encode() if on_terminal else name.encode(), ours["out"], str(case))
            self.assertEqual(b"\x1b[2J" in ours["out"], not on_terminal, str(case))

    def test_an_interrupted_pull_leaves_no_half_file(self):
        # /dev/zero never ends
        cases = [Case("pull", "/dev/zero", "{tmp}/here/zero", setup="mkdir -p {tmp}/here; rm -f {tmp}/here/*",
                      after="ls -A {tmp}/here", signal=(name, 0.3), only_ours=True) for name in ("SIGINT", "SIGHUP")]
        for route in ("direct", "server34"):
            for status, (_, _, ours) in zip((130, 129), compare.run(cases, route)):
                self.assertEqual((ours["status"], ours["after"]), (status, b""), route)


APKS = r"""cd {tmp}; rm -f $PHONE_STATE/installs; [ -e good.apk ] || { head -c 3000000 /dev/zero | tr '\0' 'G' >good.apk
printf BAD >bad.apk; { printf EARLY; head -c 9000000 /dev/zero; } >early.apk; printf x >split.apk
printf no >no.txt; }; """
INSTALLED = "sed 's|[^ ]*/||g; s|_||' $PHONE_STATE/installs"


def install(*arguments, **options):
    return Case(*arguments, setup=APKS, blur=BLUR, **{"after": INSTALLED} | options)


class Installs(peer.PeerTest):
    """The adbd of Debian announces abb and has none: the real adb gives up, ours asks the shell."""

    def outcomes(self, *cases):
        for route in compare.ROUTES:
            yield [ours for _, _, ours in compare.run(list(cases), route)]

    def test_streamed(self):
        for good, flags, bad, early in self.outcomes(
                install("install", "{tmp}/good.apk"), install("install", "-r", "-t", "--abi", "x86", "{tmp}/good.apk"),
                install("install", "{tmp}/bad.apk"), install("install", "{tmp}/early.apk")):
            self.assertEqual((good["status"], good["out"]), (0, b"Performing Streamed Install\nSuccess\n"), good)
            self.assertTrue(good["after"].startswith(b"install -S 3000000 3000000 "), good)
            self.assertTrue(flags["after"].startswith(b"install -r -t --abi x86 -S 3000000 3000000 "), flags)
            for failed in (bad, early):
                self.assertEqual(failed["status"], 1, failed)
                self.assertRegex(failed["err"],
                                 rb"^adb: failed to install .*\.apk: Failure \[INSTALL_FAILED_INVALID_APK")

    def test_sessions(self):
        for good, bad in self.outcomes(install("install-multiple", "-r", "{tmp}/good.apk", "{tmp}/split.apk"),
                                       install("install-multiple", "{tmp}/good.apk", "{tmp}/early.apk")):
            self.assertEqual((good["status"], good["out"]), (0, b"Success\n"), good)
            self.assertEqual([line.split()[0] for line in good["after"].splitlines()],
                             [b"install-create", b"install-write", b"install-write", b"install-commit"])
            self.assertEqual(bad["status"], 1, bad)
            self.assertEqual(bad["after"].splitlines()[-1], b"install-abandon 4711 0 0")

    def test_uninstall_and_complaints(self):
        cases = [install("uninstall", "com.clawperator.operator", after=""),
                 install("uninstall", "none.such", after=""),
                 install("uninstall", "throws", after="", same=("out", "err", "status")),
                 install("uninstall", "-k", "none.such", after=""),
                 install("uninstall", after="", same=("out", "err", "status")),
                 install("install", after="", same=("out", "err", "status")),
                 install("install-multiple", after="", same=("out", "err", "status")),
                 install("install", "{tmp}/no.txt", after="", same=("status",)),
                 install("install", "{tmp}/none.apk", after="", same=("status",))]
        for route in ("direct", "server34"):
            compare.check(self, cases, route)


APP = "org.example.app"
INSTALLS = [("", ("install", *flags, "app.apk")) for flags in (
    (), ("-r", "-t", "-g"), ("--abi", "x86_64"), ("--user", "0", "-l"), ("--no-streaming",),
    ("--no-streaming", "-r", "-g", "-d", "--abi", "x86_64"), ("--streaming", "-r"))] + [
    ("app.apk", ("install", "-r", "app.apk")),
    ("app.apk", ("install", "old.apk")),
    ("app.apk", ("install", "-d", "old.apk")),
    ("app.apk", ("install", "--no-streaming", "old.apk")),
    ("", ("install", "bad.apk")),
    ("", ("install", "--no-streaming", "bad.apk")),
    ("", ("install", "none.apk")),
    ("", ("install-multiple", "app.apk", "split.apk")),
    ("", ("install-multiple", "-r", "-g", "--abi", "x86_64", "app.apk", "split.apk")),
    ("", ("install-multiple", "app.apk")),
    ("", ("install-multiple", "--no-streaming", "app.apk", "split.apk")),
    ("app.apk", ("install-multiple", "-d", "old.apk")),
    ("app.apk", ("install-multiple", "old.apk")),
    ("", ("install-multiple", "bad.apk", "app.apk")),
    ("", ("install-multiple", "app.apk", "other.apk")),
    ("", ("install-multiple", "none.apk")),
    ("", ("install-multiple", "app.apk", "app.idsig")),
    ("app.apk", ("uninstall", APP)),
    ("app.apk", ("uninstall", "--user", "0", APP)),
    ("", ("uninstall", APP)),
    ("", ("uninstall", "it's none")),
]


class IntoTheSimulatedDevice(peer.PeerTest):
    """The same through real servers, onto a device that looks into what it installs."""

    def setUp(self):
        super().setUp()
        self.server = self.started(peer.AdbServer(self.home))
        self.phone = self.started(peer.Simdroid("--profile", "zero"))
        self.serial = self.server.connect(self.phone)

    def run_adb(self, server, command, arguments):
        done = subprocess.run([*command, "-s", self.serial, *arguments], cwd=self.home.path, env=server.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S, check=False)
        err = re.sub(rb"^ld-linux[^:]*: ", b"adb: ", done.stderr, flags=re.MULTILINE)
        return done.returncode, re.sub(BLUR.encode(), b"#", done.stdout), err

    def compare_installs(self, server, command):
        for old, arguments in INSTALLS:
            outcomes = []
            for adb in (command, [str(peer.BINARY), "adb"]):
                self.run_adb(server, adb, ("shell", f"pm uninstall {APP}"))
                if old:
                    self.run_adb(server, adb, ("install", old))
                outcome = self.run_adb(server, adb, arguments)
                shown = self.run_adb(server, adb,
                                     ("shell", f"dumpsys package {APP} | grep versionCode; ls /data/local/tmp"))
                outcomes.append((*outcome, shown))
            with self.subTest(server=command[-1], old=old, arguments=arguments):
                self.assertEqual(*outcomes)

    def test_installs_and_their_refusals_are_those_of_both_real_adbs(self):
        apk.write_apk(self.home.path / "app.apk", APP, "7.1", 71, padding=500_000)
        apk.write_apk(self.home.path / "split.apk", APP, "7.1", 71, padding=300_000)
        apk.write_apk(self.home.path / "old.apk", APP, "7.0", 70)
        apk.write_apk(self.home.path / "other.apk", "org.example.other", "1", 1)
        (self.home.path / "bad.apk").write_bytes(os.urandom(500_000))
        self.compare_installs(self.server, [self.server.program])
        newer = self.started(test_pairing.Adb34Server(self.home))
        newer.connect(self.phone)
        self.compare_installs(newer, newer.command)

    def test_files_of_one_client_are_pulled_by_the_other(self):
        content = os.urandom(300_000)
        here = pathlib.Path(self.home.path)
        (here / "f").write_bytes(content)
        for algorithm in ALGORITHMS:
            ours = subprocess.run([str(peer.BINARY), "adb", "-s", self.serial, "push", "-z", algorithm, "f",
                                   "/sdcard/f"],
                                  cwd=here, env=self.server.environment, capture_output=True, timeout=LIMIT_S,
                                  check=False)
            self.assertEqual(ours.returncode, 0, ours)
            self.server.adb("-s", self.serial, "pull", "/sdcard/f", here / "back", check=True)
            self.assertEqual((here / "back").read_bytes(), content)
            ours = subprocess.run([str(peer.BINARY), "adb", "-s", self.serial, "pull", "-z", algorithm, "/sdcard/f",
                                   "back2"],
                                  cwd=here, env=self.server.environment, capture_output=True, timeout=LIMIT_S,
                                  check=False)
            self.assertEqual(ours.returncode, 0, ours)
            self.assertEqual((here / "back2").read_bytes(), content)


if __name__ == "__main__":
    unittest.main()
