"""Every line that this program can send to a device's sh (tests/support/command_samples.hpp), run by the real
adbd in a phone's own shell with a phone's own tools, and in dash."""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import threading
import unittest

sys.dont_write_bytecode = True
import compare
import peer
import phone_files
from limits import LIMIT_S

# What a shell or a tool says that was given what it does not take.
COMPLAINTS = re.compile(r"not found|syntax error|bad substitution|unknown option|unexpected|usage:|needs? .*argument|"
                        r"inaccessible|no such file|bad pattern|unterminated|truncated|no closing quote", re.IGNORECASE)
SAID_ON_STDERR = {"bugreport_version_line": "1.1\n"}
HEADER = r"^[0-9a-f-]*\|[^|]*\|\d*\|\d+\.\d+$"
OPERATOR = "com.clawperator.operator"
AWKWARD = "it's \"$HOME\" `id` \\ ; & | * ? ~ {a,b} #x !! (y) <z>"  # as command_samples.cpp has it


def follows_log(line):
    return "logcat" in line and not re.search(r"logcat [^;]*-[dgt] ", line)


# --- beside adbd ------------------------------------------------------------------------------

class Driver:
    """Runs lines by the real adb, which hands them on as they are."""

    def __init__(self):
        self.environment = os.environ | {"ADB_LOCAL_TRANSPORT_MAX_PORT": "5553", "ADB_MDNS": "0"}
        self.adb = compare.adb34()
        subprocess.Popen([*self.adb, "-L", f"tcp:{os.environ['ANDROID_ADB_SERVER_PORT']}", "nodaemon", "server"],
                         env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL)
        compare.connected(self.adb, self.environment)
        self.heard = pathlib.Path(os.environ["PHONE_STATE"]) / "heard"

    def command(self, line):
        return [*self.adb, "shell", line]

    def once(self, line):
        """The outcome, and the words of each stub program that was called."""
        self.heard.write_text("")
        done = subprocess.run(self.command(line), env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=LIMIT_S, check=False)
        calls = self.heard.read_bytes().decode().split("\x1e")[:-1]
        return {"status": done.returncode, "out": done.stdout.decode("latin-1"),
                "err": done.stderr.decode(errors="replace"), "calls": [call.split("\0") for call in calls]}

    def until(self, line, text, meanwhile, first_ends=b"\n"):
        """What it prints first, and whether, after `meanwhile`, the text comes; then it is ended."""
        self.heard.write_text("")
        process = subprocess.Popen(self.command(line), env=self.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        watch = threading.Timer(LIMIT_S, process.kill)
        watch.start()
        first = b""
        while not first.endswith(first_ends) and (byte := os.read(process.stdout.fileno(), 1)):
            first += byte
        self.once(meanwhile)
        seen = b""
        while text.encode() not in seen and (piece := os.read(process.stdout.fileno(), 65536)):
            seen += piece
        status = process.poll()
        process.terminate()
        err = process.communicate()[1]
        watch.cancel()
        return {"status": status, "out": (first + seen).decode("latin-1"), "err": err.decode(errors="replace")}

    def outcome(self, sample):
        line, words = sample["line"], shlex.split(sample["line"])
        if follows_log(line):
            # Binary entries have no lines; that question writes an entry of its own.
            first_ends = b"report" if sample["builder"] == "log.binary" else b"\n"
            return self.until(line, "a probe", "log -t probe -p i 'a probe'", first_ends)
        file = shlex.quote(words[-1])
        before = after = None
        if sample["builder"] == "remove_file_command":
            before, after = f"rm -rf {file}; echo x >{file}", f"[ ! -e {file} ]"
        if sample["builder"] in ("install_command", "file_as_app_line"):
            before = f"rm -rf {file}; echo GOOD >{file}"
        if sample["builder"] == "make_folders_command":
            after = " && ".join("[ -d " + shlex.quote(word) + " ]" for word in words if word.startswith("/"))
        if before:
            assert self.once(before)["status"] == 0, before
        return self.once(line) | {"reached": after is None or self.once(after)["status"] == 0}


def inside():
    driver = Driver()
    json.dump([driver.outcome(sample) for sample in json.load(sys.stdin)], sys.stdout)


# --- the tests --------------------------------------------------------------------------------

def is_one_command(line):
    """Without anything that a shell would look at outside of quotes."""
    return not re.search(r"[;&|<>$`(){}*?~#\"\\\n]", re.sub(r"'[^']*'|\"'\"", "", line))


class DeviceCommands(peer.PeerTest):
    def setUp(self):
        super().setUp()
        self.files = phone_files.write_phone_files(self.home.path / "files")
        printed = subprocess.run([peer.build_of("device_commands")], capture_output=True, check=True).stdout
        self.samples = json.loads(printed)
        self.make_debuggable({shlex.split(sample["line"])[1] for sample in self.samples
                              if sample["line"].startswith("run-as ")})
        compare.fetch_adb34()

    def make_debuggable(self, packages):
        (self.files / "debuggable").write_text("".join(package + "\n" for package in packages))
        for package in packages:
            own = self.files / f"data.{package}/files"
            own.mkdir(parents=True)
            (own / "crash-log.txt").write_text("it fell")
            (own.parent / AWKWARD).write_text("awkward\n")

    def outcomes(self, shell="mksh", samples=None, **state):
        for name, text in state.items():
            (self.files / name).write_text(str(text))
        done = subprocess.run(
            [str(compare.NAMESPACE), "--shell", shell, "--files", str(self.files), "--", sys.executable, "-B",
             __file__, "--inside"], input=json.dumps(samples or self.samples).encode(), capture_output=True,
            timeout=LIMIT_S * 10, check=False)
        if done.returncode == compare.UNAVAILABLE:
            self.skipTest(done.stderr.decode().strip().splitlines()[-1])
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return list(zip(samples or self.samples, json.loads(done.stdout)))

    def assert_fine(self, sample, outcome):
        self.assertNotRegex(outcome["err"], COMPLAINTS)
        if follows_log(sample["line"]):
            self.assertIsNone(outcome["status"], "logcat ended")
            header, _, entries = outcome["out"].partition("\n")
            if sample["builder"] != "log.binary":  # which has no lines
                form = HEADER if sample["builder"] == "log_script" else "^--------- beginning of main$"
                self.assertRegex(header, form)
            self.assertIn("a probe", header + entries)
            return
        self.assertEqual((outcome["status"], outcome["err"]), (0, SAID_ON_STDERR.get(sample["builder"], "")))
        self.assertTrue(outcome["reached"], "it did not do what it is for")
        if is_one_command(sample["line"]) and outcome["calls"]:
            # Python's own idea of the quotes.
            self.assertEqual(outcome["calls"][0], shlex.split(sample["line"]))

    def check(self, pairs):
        for sample, outcome in pairs:
            with self.subTest(builder=sample["builder"], line=sample["line"][:300]):
                self.assert_fine(sample, outcome)

    def test_each_runs_in_mksh_with_toybox(self):
        """[T1][T15][F1]"""
        self.check(self.outcomes())

    def test_each_runs_in_dash(self):
        """[T1]"""
        self.check(self.outcomes(shell="dash"))

    def test_the_log_starts_on_every_release(self):
        """[F1][W3][W4][T2][T3]"""
        logs = [sample for sample in self.samples if sample["builder"] == "log_script"]
        self.assertTrue(logs)
        for sdk in (23, 24, 33, 36):
            with self.subTest(sdk=sdk):
                self.check(self.outcomes(samples=logs, sdk=sdk))

    def test_what_a_report_asks(self):
        """Its questions are lines of the table, too; what this phone says to them. [T1]"""
        asked = [sample for sample in self.samples if "." in sample["builder"] and not follows_log(sample["line"])]
        for shell, version, patterns in (("mksh", r"^@\(#\)MIRBSD KSH R\d+ .*\n18\n$", "[]\n[a]\n"),
                                         ("dash", r"^\n\d+\n$", "[a]\n[a]\n")):
            printed = {sample["builder"]: outcome["out"] for sample, outcome in self.outcomes(shell, samples=asked)}
            self.assertRegex(printed["shell.version"], version)
            self.assertEqual(printed["shell.patterns"], patterns)
            self.assertRegex(printed["shell.tools"], r"^toybox \d")
            self.assertRegex(printed["shell.date"], r"^\d+\.\d{9}\n$")
            self.assertEqual(printed["packages.user_0"], f"package:{OPERATOR}\n")
            self.assertEqual(printed["services.restricted"], "No operations.\nDefault mode: allow\n")
            self.assertEqual(printed["settings.round_trip"], "1\nDeleted 1 rows\n")

    def test_what_they_print(self):
        """[T1]"""
        printed = {sample["builder"]: outcome["out"] for sample, outcome in self.outcomes()}
        boot_id = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text()
        self.assertEqual(printed["identity_line"], "STUB0001\n" + boot_id)
        self.assertEqual(printed["product_line"], "STUB0001\nstub\nStub\nstub\n")
        self.assertEqual(printed["list_packages_words"], f"package:{OPERATOR}\n")
        self.assertEqual(printed["current_user_words"], "0\n")
        self.assertEqual(printed["sdk_line"], "34\n")
        self.assertRegex(printed["log_probe_line"], r"(?s)probe=.*D/ClawperatorProbe\( *\d+\): debug\n")
        self.assertEqual(printed["private_tail_line"], "it fell")
        self.assertEqual(printed["file_as_app_line"], "awkward\n")
        self.assertEqual(printed["boot_state_line"], "1\n1\n\n\n")
        self.assertEqual(printed["status_line"], "STUB0001\n" + boot_id + "\nclawperator-status:0\n")
        self.assertEqual(printed["package_command"], f"package:/data/app/{OPERATOR}/base.apk\n")
        self.assertIn("Broadcast completed: result=0", printed["broadcast_words"])
        raw = (self.files / "screen.raw").read_bytes()
        png = (self.files / "screen.png").read_bytes()
        screens = [outcome["out"].encode("latin-1") for sample, outcome in self.outcomes(
            samples=[sample for sample in self.samples if sample["builder"] == "screencap_line"])]
        self.assertEqual({png, raw}, set(screens))


if __name__ == "__main__":
    if sys.argv[1:] == ["--inside"]:
        inside()
    else:
        unittest.main()
