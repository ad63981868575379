"""`clawperator sim`: the process becomes the program simdroid, which lies beside it."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

import peer
from limits import LIMIT_S


class Sim(peer.PeerTest):
    def start(self, *options):
        process = subprocess.Popen([str(peer.BINARY), "sim", *options], env=self.home.environment(),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
        self.addCleanup(process.stdout.close)
        self.addCleanup(peer.stop, process)
        return process

    def test_it_reports_where_it_listens_and_is_one_process(self):
        process = self.start("--listen", "127.0.0.1:0", "--serial", "ONE", "--control", "0", "--phone", "samsung")
        report = json.loads(process.stdout.readline())
        self.assertEqual(report["serial"], "ONE")
        self.assertRegex(report["control"], r"^127\.0\.0\.1:\d+$")
        self.assertEqual(pathlib.Path(os.readlink(f"/proc/{process.pid}/exe")).name, "simdroid")
        maker = self.run_clawperator("adb", "-s", report["address"], "shell", "getprop ro.product.manufacturer",
                                     environment=self.home.environment() | {"ANDROID_ADB_SERVER_PORT": "9"})
        self.assertEqual(maker.out.strip(), b"samsung", str(maker))
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(LIMIT_S), 0)

    def test_a_port_of_its_own_beats_that_of_listen(self):
        process = self.start("--listen", "127.0.0.1:1", "--port", "0")
        self.assertNotEqual(json.loads(process.stdout.readline())["address"], "127.0.0.1:1")

    def test_its_errors_are_those_of_the_product(self):
        taken = json.loads(self.start("--listen", "127.0.0.1:0").stdout.readline())["address"]
        anywhere = ("--listen", "127.0.0.1:0")
        for options, code in ((("--listen", taken), "IO_ERROR"),
                              (("--listen", "nowhere"), "USAGE"),
                              (("--port", "70000"), "USAGE"),
                              (("--phone", "nokia-3310"), "USAGE"),
                              ((*anywhere, "--screens", "/nowhere"), "FILE_UNREADABLE"),
                              ((*anywhere, "--auth", "key", "--authorised", "/nowhere"), "INVALID_ARGUMENT")):
            with self.subTest(options=options):
                run = self.run_clawperator("sim", *options)
                self.assertEqual((run.status, run.json["code"]), (1, code), str(run))

    def test_the_phones_are_listed(self):
        run = self.run_clawperator("sim", "--phone", "list")
        self.assertEqual(run.status, 0)
        self.assertIn(b"android-13", run.out)

    def test_numbers_are_decimal(self):
        address = json.loads(self.start("--listen", "127.0.0.1:0").stdout.readline())["address"]
        run = self.run_clawperator("sim", "--port", "0" + address.split(":")[1])
        self.assertEqual((run.status, run.json["code"]), (1, "IO_ERROR"), str(run))
        self.assertIn(address, run.json["message"])

    def test_without_the_program_beside_it_it_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = shutil.copy2(peer.BINARY, folder)
            done = subprocess.run([alone, "sim"], env=self.home.environment(), capture_output=True, check=False)
        report = json.loads(done.stdout)
        self.assertEqual((done.returncode, report["code"]), (1, "HOST_DEPENDENCY_MISSING"))
        self.assertIn("simdroid", report["message"])


if __name__ == "__main__":
    unittest.main()
