"""The real adb client and server drive a simulated device, which proves the simulation."""
import os
import struct
import subprocess
import unittest
import zlib

import peer

import apk  # from tests/support, which peer has made known
from limits import LIMIT_S

OPERATOR = "com.clawperator.operator"
BROADCAST = ("am broadcast -a 'app.clawperator.operator.ACTION_AGENT_COMMAND' -p 'com.clawperator.operator' "
             "--es 'payload' '{\"commandId\":\"peer-1\",\"taskId\":\"t\",\"source\":\"test\","
             "\"expectedFormat\":\"android-ui-automator\",\"actions\":[{\"id\":\"a\",\"type\":\"press_key\","
             "\"params\":{\"key\":\"home\"}}],\"timeoutMs\":5000}' --receiver-foreground")


class RealAdb(peer.PeerTest):
    def setUp(self):
        super().setUp()
        self.device = self.started(peer.Simdroid())
        self.server = self.started(peer.AdbServer(self.home))
        self.serial = self.server.connect(self.device)

    def adb(self, *arguments, limit=LIMIT_S):
        return self.server.adb("-s", self.serial, *arguments, limit=limit)

    def shell(self, command, limit=LIMIT_S):
        done = self.adb("shell", command, limit=limit)
        return done.returncode, done.stdout, done.stderr

    def out(self, command):
        return self.shell(command)[1].decode()

    # --- devices and shell

    def test_devices_l_shows_the_banner(self):
        lines = self.server.adb("devices", "-l").stdout.decode().splitlines()
        row = next(line for line in lines if line.startswith(self.serial))
        for part in ("device", "product:simdroid", "model:Simdroid", "device:simdroid"):
            self.assertIn(part, row.split())

    def test_exit_status_and_stderr_come_apart_from_stdout(self):
        self.assertEqual(self.shell("echo out; echo err >&2; exit 3"), (3, b"out\n", b"err\n"))
        self.assertEqual(self.shell("nosuch"), (127, b"", b"/system/bin/sh: nosuch: not found\n"))

    def test_quoting_survives_the_way(self):
        text = "it's \"quoted\" $HOME `x` \\ ü \U0001f600"
        quoted = "'" + text.replace("'", "'\"'\"'") + "'"
        self.assertEqual(self.out(f"printf %s {quoted}"), text)

    def test_large_output_is_whole(self):
        _, out, _ = self.shell("seq 1 500000")
        self.assertEqual(out, "".join(f"{n}\n" for n in range(1, 500001)).encode())

    def test_stdin_reaches_the_command(self):
        done = subprocess.run([self.server.program, "-s", self.serial, "shell", "wc -c"], input=b"x" * 300000,
                              env=self.server.environment, capture_output=True, timeout=LIMIT_S, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, b"300000\n"))

    def test_interactive_shell(self):
        done = subprocess.run([self.server.program, "-s", self.serial, "shell", "-tt"],
                              input=b"cd /sdcard\npwd\nexit 5\n", env=self.server.environment,
                              capture_output=True, timeout=LIMIT_S, check=False)
        self.assertEqual(done.returncode, 5)
        self.assertIn(b"$ /sdcard\r\n", done.stdout)

    def test_getprop_and_settings(self):
        self.assertEqual(self.out("getprop ro.product.model").strip(), "Simdroid")
        self.out("settings put global peer_test 42")
        self.assertEqual(self.out("settings get global peer_test"), "42\n")

    # --- files

    def push(self, content, remote):
        local = self.home.path / "pushed"
        local.write_bytes(content)
        return self.adb("push", local, remote)

    def test_a_big_file_comes_back_as_it_went(self):
        content = os.urandom(20_000_000)
        done = self.push(content, "/sdcard/big.bin")
        self.assertEqual(done.returncode, 0, done.stderr)
        back = self.home.path / "back"
        self.assertEqual(self.adb("pull", "/sdcard/big.bin", back).returncode, 0)
        self.assertEqual(back.read_bytes(), content)

    def test_a_directory_comes_back_with_its_tree(self):
        tree = self.home.path / "tree"
        (tree / "deep" / "deeper").mkdir(parents=True)
        files = {"a": b"1", "deep/b c": b"two", "deep/deeper/empty": b""}
        for name, content in files.items():
            (tree / name).write_bytes(content)
        self.assertEqual(self.adb("push", tree, "/sdcard/Download/").returncode, 0)
        back = self.home.path / "back"
        self.assertEqual(self.adb("pull", "/sdcard/Download/tree", back).returncode, 0)
        found = {str(path.relative_to(back)): path.read_bytes() for path in back.rglob("*") if path.is_file()}
        self.assertEqual(found, files)

    def test_a_push_to_a_forbidden_place_fails_with_the_reason(self):
        done = self.push(b"x", "/system/x")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(b"Permission denied", done.stdout + done.stderr)

    def test_a_pull_of_nothing_fails(self):
        done = self.adb("pull", "/sdcard/none", self.home.path / "none")
        self.assertNotEqual(done.returncode, 0)

    # --- screen, log, packages

    def assert_png(self, data):
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        at, kinds, packed = 8, [], b""
        while at < len(data):
            size, kind = struct.unpack(">I4s", data[at:at + 8])
            body = data[at + 8:at + 8 + size]
            self.assertEqual(struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0], zlib.crc32(kind + body))
            kinds.append(kind)
            packed += body if kind == b"IDAT" else b""
            at += 12 + size
        self.assertEqual((kinds[0], kinds[-1]), (b"IHDR", b"IEND"))
        self.assertEqual(struct.unpack(">II", data[16:24]), (1080, 2400))
        channels = {2: 3, 6: 4}[data[25]]
        self.assertEqual(len(zlib.decompress(packed)), 2400 * (1 + 1080 * channels))

    def test_screencap_is_a_whole_png(self):
        self.assert_png(self.adb("exec-out", "screencap", "-p").stdout)

    def test_raw_screencap_has_sixteen_bytes_of_header(self):
        data = self.adb("exec-out", "screencap").stdout
        self.assertEqual(struct.unpack("<4I", data[:16]), (1080, 2400, 1, 1))
        self.assertEqual(len(data), 16 + 1080 * 2400 * 4)

    def test_screencap_follows_the_screen(self):
        home = self.adb("exec-out", "screencap").stdout
        self.out("am start -a android.settings.SETTINGS")
        self.assertIn("com.android.settings/", self.out("dumpsys window | grep mCurrentFocus"))
        self.assertNotEqual(self.adb("exec-out", "screencap").stdout, home)

    def test_logcat_shows_what_is_logged(self):
        self.out("log -t PeerTag hello from the peer test")
        self.assertIn(b"hello from the peer test", self.adb("logcat", "-d", "-s", "PeerTag").stdout)
        self.assertTrue(self.adb("logcat", "-d", "-v", "brief").stdout.count(b"I/PeerTag (") == 1)

    def test_a_broadcast_is_answered_in_the_log(self):
        self.assertIn("Broadcast completed: result=0", self.out(BROADCAST))
        log = self.adb("logcat", "-d", "-v", "raw").stdout.decode()
        self.assertIn('[Clawperator-Result] {"commandId":"peer-1"', log)

    def test_packages_are_listed(self):
        self.assertIn(f"package:{OPERATOR}\n", self.out("pm list packages"))
        self.assertIn("    versionName=0.5.3\n", self.out(f"dumpsys package {OPERATOR}"))

    def test_a_package_is_installed(self):
        file = apk.write_apk(self.home.path / "app.apk", "org.example.app", "7.1", 71, padding=500_000)
        for way in ((), ("--no-streaming",)):
            done = self.adb("install", *way, file)
            self.assertIn(b"Success", done.stdout, done.stderr)
            self.assertIn("package:org.example.app\n", self.out("pm list packages -3"))
            self.assertIn("    versionName=7.1\n", self.out("dumpsys package org.example.app"))
            self.assertIn(b"Success", self.adb("uninstall", "org.example.app").stdout)

    def test_what_is_no_package_is_refused_cleanly(self):
        file = self.home.path / "some.apk"
        file.write_bytes(os.urandom(500_000))
        for arguments, word in ((("install", file), b"INSTALL_PARSE_FAILED_NOT_APK"),
                                (("install", "--no-streaming", file), b"INSTALL_PARSE_FAILED_NOT_APK"),
                                (("install-multiple", file, file), b"INSTALL_PARSE_FAILED_NOT_APK")):
            done = self.adb(*arguments)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertIn(word, done.stdout + done.stderr, arguments)
        self.assertEqual(self.out("echo still here"), "still here\n")

    # --- the rest

    def test_reverse_is_listed_and_removed(self):
        self.assertEqual(self.adb("reverse", "tcp:7001", "tcp:7002").returncode, 0)
        self.assertIn(b"tcp:7001 tcp:7002", self.adb("reverse", "--list").stdout)
        self.assertEqual(self.adb("reverse", "--remove", "tcp:7001").returncode, 0)
        self.assertNotIn(b"tcp:7001", self.adb("reverse", "--list").stdout)

    def test_root_is_refused_as_on_a_production_phone(self):
        self.assertIn(b"cannot run as root", self.adb("root").stdout)

    def test_two_devices_and_a_reconnect(self):
        other = self.started(peer.Simdroid("--serial", "OTHER"))
        serial = self.server.connect(other)
        self.assertEqual(self.server.adb("-s", serial, "shell", "getprop ro.serialno").stdout, b"OTHER\n")
        self.server.adb("disconnect", serial)
        self.server.connect(other)
        self.assertEqual(self.server.adb("-s", serial, "shell", "echo back").stdout, b"back\n")
        self.assertEqual(self.out("echo me"), "me\n")


if __name__ == "__main__":
    unittest.main()
