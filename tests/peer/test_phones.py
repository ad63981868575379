"""The stub userland acts as Android does where that is easily taken amiss, and the main loop works on the
real adbd with the shell and the tools of a phone, whatever the release."""
import re
import subprocess
import unittest

import peer
import phone_files
from limits import LIMIT_S

NAMESPACE = peer.ROOT / "tools/in_adbd_ns"
ADBD = "127.0.0.1:5600"
UNAVAILABLE = 3
SECOND_USER = "0\n150 forbidden\n"
files = None


def setUpModule():
    global files
    files = peer.Home()
    phone_files.write_phone_files(files.path)


def tearDownModule():
    files.remove()


class Phone(peer.PeerTest):
    def has(self, **state):
        """What is in the phone's state beside the screen."""
        for name in ("sdk", "users", "current_user", "stopped", "wakefulness", "keyguard"):
            (files.path / name).unlink(missing_ok=True)
        for name, text in state.items():
            (files.path / name).write_text(str(text))

    def beside_adbd(self, script, *options):
        """A script of the host's, where $claw is our binary and `phone LINE` runs a line on the phone."""
        script = 'claw="$0 --device ' + ADBD + ' --transport tcp"; phone() { $claw adb shell "$1"; }; ' + script
        command = [str(NAMESPACE), *options, "--files", str(files.path), "--", "sh", "-c", script, str(peer.BINARY)]
        done = subprocess.run(command, env=self.home.environment(), stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=2 * LIMIT_S, check=False)
        if done.returncode == UNAVAILABLE:
            self.skipTest(done.stderr.decode().strip().splitlines()[-1])
        return peer.Run([script], done)

    def on_phone(self, line):
        return self.lines_on_phone([line])[0]

    def lines_on_phone(self, lines):
        """(status, stdout, stderr) of each line, one after the other on one phone."""
        script = "".join(f"phone '{line}' >$TMPDIR/out 2>$TMPDIR/err; echo \"[$?]\"; cat $TMPDIR/out; echo '[err]'; "
                         "cat $TMPDIR/err; echo '[end]'; " for line in (line.replace("'", "'\"'\"'") for line in lines))
        run = self.beside_adbd(script)
        found = re.findall(r"^\[(\d+)\]\n(.*?)\[err\]\n(.*?)\[end\]$", run.out.decode(), re.MULTILINE | re.DOTALL)
        self.assertEqual(len(found), len(lines), str(run))
        return [(int(status), out, err) for status, out, err in found]


class Surroundings(Phone):
    def test_the_shell_is_mksh_and_the_tools_are_toybox(self):
        """[T1]"""
        self.has()
        shell, tool, tree, pattern = self.lines_on_phone([
            "echo $KSH_VERSION", "readlink -f $(which cat)", "ls /", "x='a|b'; echo \"[${x#*|}]\""])
        self.assertIn("MIRBSD KSH", shell[1])
        self.assertEqual(tool[1], "/system/bin/toybox\n")
        # Nothing of this machine's.
        self.assertLessEqual(set(tree[1].split()),
                             {"apex", "bin", "data", "dev", "etc", "lib", "lib64", "proc", "product",
                              "sdcard", "storage", "system", "usr", files.path.parts[1]})
        # An alternative is taken for what it is.
        self.assertEqual(pattern[1], "[a|b]\n")

    def test_dash_is_another_shell(self):
        """[T1]"""
        self.has()
        run = self.beside_adbd("phone 'x=\"a|b\"; echo \"$KSH_VERSION[${x#*|}]\"'", "--shell", "dash")
        self.assertEqual(run.out, b"[b]\n", str(run))


class Logcat(Phone):
    STARTS = {"a count": "1", "a date": "01-02 03:04:05.678", "a date with a year": "2020-01-02 03:04:05.678",
              "seconds": "1577934245.678"}

    def logcat(self, start):
        return f"logcat -d -T '{start}'"

    def test_it_knows_exactly_three_forms_of_a_start(self):
        """[T2]"""
        self.has()
        found = self.lines_on_phone([self.logcat(start) for start in self.STARTS.values()])
        self.assertEqual([(status, err) for status, _, err in found], [(0, "")] * 4)
        odd = ("yesterday", "01-02", "2020-01-02", "-1", "1577934245,678")
        for start, (status, _, err) in zip(odd, self.lines_on_phone([self.logcat(start) for start in odd])):
            with self.subTest(start):
                self.assertEqual(status, 1)
                self.assertIn("not in time format", err)

    def test_it_warns_of_what_follows_a_time(self):
        """[T2]"""
        self.has()
        status, _, err = self.on_phone(self.logcat("1577934245.678|01-02 03:04:05.000"))
        self.assertEqual(status, 0)
        self.assertIn("time truncated", err)

    def test_android_6_has_no_seconds(self):
        """[T2]"""
        self.has(sdk=23)
        seconds, date = self.lines_on_phone([self.logcat(self.STARTS[name]) for name in ("seconds", "a date")])
        self.assertEqual((seconds[0], date[0]), (1, 0))

    def test_android_13_keeps_binary_entries_back_until_a_block_is_full(self):
        """[T3]"""
        # Six entries of about 1 KiB lie in the log. What logcat shows first, and all that it has to show.
        lines = (
            "x=x; while [ ${#x} -lt 900 ]; do x=$x$x; done; n=0; while [ $n -lt 6 ]; do log -t probe $x; n=$((n+1)); "
            "done; "
            "cd $PHONE_STATE; logcat OPTIONS -T 100 >seen & p=$!; while [ ! -s $PHONE_STATE/seen ]; do sleep 0.02; "
            "done; "
            "kill $p; wc -c <$PHONE_STATE/seen; logcat OPTIONS -d -T 100 | wc -c")
        for sdk, options, block in ((33, "-B", 4096), (33, "-v threadtime", None), (32, "-B", None), (34, "-B", None)):
            with self.subTest(sdk=sdk, options=options):
                self.has(sdk=sdk)
                status, sizes, err = self.on_phone(lines.replace("OPTIONS", options))
                self.assertEqual((status, err), (0, ""))
                seen, whole = map(int, sizes.split())
                self.assertGreater(whole, 6 * 900)
                self.assertEqual(seen, block or whole)

class PackageManager(Phone):
    def listing(self, **state):
        self.has(**state)
        return self.lines_on_phone(["cmd package list packages operator", "cmd package list packages --user 0 operator",
                                    "pm list packages operator --user 0"])

    def test_without_a_user_it_fails_over_one_that_shell_may_not_touch(self):
        """[T5]"""
        for sdk in (33, 34, 35):
            with self.subTest(sdk=sdk):
                plain, named, _ = self.listing(sdk=sdk, users=SECOND_USER)
                self.assertEqual(plain[:2], (255, ""))
                self.assertIn("SecurityException: Shell does not have permission to access user 150", plain[2])
                self.assertEqual(named, (0, "package:com.clawperator.operator\n", ""))

    def test_android_11_asks_the_first_user_and_android_16_only_complains(self):
        """[T5]"""
        plain, _, _ = self.listing(sdk=30, users=SECOND_USER)
        self.assertEqual(plain, (0, "package:com.clawperator.operator\n", ""))
        plain, _, _ = self.listing(sdk=36, users=SECOND_USER)
        self.assertEqual(plain[:2], (0, "package:com.clawperator.operator\n"))
        self.assertIn("SecurityException", plain[2])

    def test_an_option_behind_the_filter_is_refused(self):
        """[T5]"""
        _, _, behind = self.listing()
        self.assertNotEqual(behind[0], 0)


class MainLoop(Phone):
    """Snapshot and click, directly."""

    def assert_works(self, *options, **state):
        self.has(**state)
        run = self.beside_adbd('$claw snapshot --timeout 5000 && $claw click --text "Row 3" --timeout 5000', *options)
        self.assertEqual(run.status, 0, str(run))
        self.assertIn(b"Row 17", run.out)
        self.assertEqual(run.out.count(b'"status":"success"'), 2, str(run))

    def test_on_every_release_from_7_to_16(self):
        """[F1][W3][W4][W6]"""
        for sdk in (24, 25, 26, 28, 29, 30, 31, 33, 34, 35, 36):
            with self.subTest(sdk=sdk):
                self.assert_works(sdk=sdk)

    def test_on_android_6_logcat_knows_dates_only(self):
        """[F1][W4]"""
        self.assert_works(sdk=23)

    def test_with_a_user_that_shell_may_not_touch(self):
        """[W2]"""
        for sdk in (30, 33, 34, 36):
            with self.subTest(sdk=sdk):
                self.assert_works(sdk=sdk, users=SECOND_USER)

    def test_with_another_user_in_front(self):
        self.assert_works(users="0\n10\n", current_user=10)

    def test_an_operator_that_was_stopped_is_started(self):
        """[R1]"""
        self.assert_works(stopped="com.clawperator.operator\n")

    def test_with_dash(self):
        """[T1]"""
        for sdk in (24, 33, 34):
            with self.subTest(sdk=sdk):
                self.assert_works("--shell", "dash", sdk=sdk)


if __name__ == "__main__":
    unittest.main()
