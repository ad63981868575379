"""Our binary and phones on a simulated USB bus, without an adb server and beside a real one."""
import json
import re
import shutil
import subprocess
import unittest

import peer
from limits import LIMIT_S


class UsbBed:
    """A USB bus with simulated phones, and the environment in which programs see it."""

    def __init__(self, *phones):
        wrapper = shutil.which("umockdev-wrapper")
        if not wrapper:
            raise unittest.SkipTest("no umockdev-wrapper (package umockdev)")
        self.process = subprocess.Popen([wrapper, str(peer.build_of("usb_bed")), *phones], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.variables = {"UMOCKDEV_DIR": self.process.stdout.readline().strip(),
                          "LD_PRELOAD": "libumockdev-preload.so.0"}

    def do(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if answer != "ok":
            raise AssertionError(f"usb_bed: {line}: {answer!r}")

    def stop(self):
        self.process.stdin.close()
        self.process.wait(LIMIT_S)
        self.process.stdout.close()


class UsbTest(peer.PeerTest):
    def bus(self, *phones):
        self.bed = self.started(UsbBed(*phones))
        self.port = peer.free_port()
        options = ":".join(filter(None, [self.home.environment().get("ASAN_OPTIONS"),
                                         "verify_asan_link_order=0"]))
        self.environment = self.home.environment(CLAWPERATOR_USB=1, ANDROID_ADB_SERVER_PORT=self.port,
                                                 ASAN_OPTIONS=options, **self.bed.variables)

    def claw(self, *arguments, **more):
        return self.run_clawperator(*arguments, environment=self.environment, **more)

    def rows(self):
        return self.assert_ok(self.claw("devices")).json["devices"]


class WithoutServer(UsbTest):
    def test_devices_are_listed_with_their_place(self):
        self.bus("ONE", "TWO@1-2.3/1024", "@1-4", "TWO@1-5/64")
        found = [(row["serial"], row["state"], row["transport"], row["busAddress"]) for row in self.rows()]
        self.assertEqual(sorted(found, key=lambda row: row[3]), [
            ("ONE", "device", "usb", "usb:1-1"), ("TWO", "device", "usb", "usb:1-2.3"),
            ("usb:1-4", "device", "usb", "usb:1-4"), ("TWO", "device", "usb", "usb:1-5")])

    def test_snapshot_and_click(self):
        self.bus("ONE")
        before = self.assert_ok(self.claw("snapshot")).step["data"]["text"]
        self.assertTrue(before.startswith("<?xml"), before[:80])
        self.assert_ok(self.claw("click", "--text", "Settings"))
        self.assertNotEqual(self.assert_ok(self.claw("snapshot")).step["data"]["text"], before)

    def test_adb_shell_with_its_exit_code(self):
        self.bus("ONE")
        run = self.claw("adb", "shell", "echo out; echo err >&2; exit 7")
        self.assertEqual((run.status, run.out, run.err), (7, b"out\n", "err\n"), str(run))

    def test_push_and_pull_of_whole_usb_packets(self):
        self.bus("ONE")
        for size in (0, 512, 65536, 3_000_000):
            local, back = self.home.path / "local", self.home.path / "back"
            local.write_bytes(bytes(i * 7 % 251 for i in range(size)))
            self.assertEqual(self.claw("adb", "push", local, "/sdcard/file").status, 0)
            self.assertEqual(self.claw("adb", "pull", "/sdcard/file", back).status, 0)
            self.assertEqual(back.read_bytes(), local.read_bytes(), size)

    def test_a_serial_chooses_a_phone(self):
        self.bus("ONE", "TWO")
        self.assert_error(self.claw("snapshot"), "MULTIPLE_DEVICES_DEVICE_ID_REQUIRED")
        run = self.claw("adb", "-s", "TWO", "shell", "getprop", "ro.serialno")
        self.assertEqual(run.out.strip(), b"TWO", str(run))

    def test_two_that_look_at_the_same_time_both_see_the_phone(self):
        self.bus("ONE")
        looks = [subprocess.Popen([str(peer.BINARY), "devices"], env=self.environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE) for _ in range(2)]
        answers = [look.communicate(timeout=LIMIT_S)[0] for look in looks]
        for answer in answers:
            self.assertEqual([row["state"] for row in json.loads(answer)["devices"]], ["device"], answer)

    def test_a_replugged_phone_is_found_by_the_next_command(self):
        self.bus("ONE")
        self.assertEqual(self.claw("adb", "shell", "echo", "1").out, b"1\n")
        self.bed.do("unplug 0")
        self.assertEqual(self.claw("snapshot").status, 1)
        self.bed.do("plug 0")
        self.assertEqual(self.claw("adb", "shell", "echo", "2").out, b"2\n")

    def test_a_cable_pulled_during_a_command_is_a_lost_link(self):
        self.bus("ONE")
        process = subprocess.Popen([str(peer.BINARY), "adb", "shell", "echo up; sleep 9000"], text=True,
                                   env=self.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), "up\n")
        self.bed.do("unplug 0")
        process.communicate(timeout=LIMIT_S)
        self.assertNotEqual(process.returncode, 0)


class BesideAnAdbServer(UsbTest):
    """Debian's adb server with its libusb back end takes the simulated phone for a real one."""

    def setUp(self):
        super().setUp()
        adb = shutil.which("adb")
        if not adb:
            self.skipTest("no adb in PATH (package adb)")
        self.bus("ONE")
        log = open(self.home.path / "adb-server.log", "wb")
        self.addCleanup(log.close)
        self.server = subprocess.Popen(
            [adb, "-L", f"tcp:{self.port}", "nodaemon", "server"], stdin=subprocess.DEVNULL, stdout=log,
            stderr=log, env=self.environment | {"ADB_LIBUSB": "1", "ADB_LOCAL_TRANSPORT_MAX_PORT": "5553"})
        self.addCleanup(peer.stop, self.server)
        peer.wait_until(lambda: peer.accepts(self.port), "adb server did not start")
        devices = [adb, "-P", str(self.port), "devices"]
        listed = lambda: subprocess.run(devices, env=self.environment, capture_output=True, check=False).stdout
        peer.wait_until(lambda: b"ONE\tdevice" in listed(), "adb does not see the phone")

    def test_the_server_serves_what_it_holds(self):
        states = {row["transport"]: row["state"] for row in self.rows() if row["serial"] == "ONE"}
        self.assertEqual(states.pop("server"), "device")
        self.assertIn(states, [{}, {"usb": "busy"}])
        self.assert_ok(self.claw("snapshot"))
        self.assertIsNone(self.server.poll())

    def test_usb_alone_names_who_holds_the_phone(self):
        run = self.assert_error(self.claw("--transport", "usb", "snapshot"), "USB_INTERFACE_BUSY")
        self.assertRegex(json.dumps(run.json), re.escape(f"held by adb (pid {self.server.pid})"))

    def test_a_server_elsewhere_keeps_its_phone(self):
        self.environment["ANDROID_ADB_SERVER_PORT"] = str(peer.free_port())
        self.assert_error(self.claw("snapshot"), "USB_INTERFACE_BUSY")


if __name__ == "__main__":
    unittest.main()
