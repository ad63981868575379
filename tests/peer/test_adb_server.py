"""Our binary through Debian's real adb server to simulated devices."""
import struct
import unittest

import peer


class OneDevice(peer.PeerTest):
    def setUp(self):
        super().setUp()
        self.device = self.started(peer.Simdroid())
        self.server = self.started(peer.AdbServer(self.home))
        self.serial = self.server.connect(self.device)

    def claw(self, *arguments, **more):
        return self.run_clawperator(*arguments, environment=self.server.environment, **more)

    def test_devices_lists_what_adb_lists(self):
        run = self.assert_ok(self.claw("devices"))
        rows = run.json["devices"]
        self.assertEqual([(row["serial"], row["state"]) for row in rows], [(self.serial, "device")])

    def test_snapshot(self):
        run = self.assert_ok(self.claw("snapshot"))
        tree = run.step["data"]["text"]
        self.assertTrue(tree.startswith("<?xml"), tree[:80])
        self.assertTrue(tree.rstrip().endswith("</hierarchy>"), tree[-80:])

    def test_click_leads_to_another_screen(self):
        before = self.assert_ok(self.claw("snapshot")).step["data"]["text"]
        compact = self.assert_ok(self.claw("snapshot", "--format", "compact")).step["data"]["text"]
        self.assertLess(len(compact), len(before) / 8)
        self.assert_ok(self.claw("open", "com.android.settings"))
        after = self.assert_ok(self.claw("snapshot")).step["data"]["text"]
        self.assertNotEqual(before, after)

    def test_screenshot_file_is_a_whole_png(self):
        path = self.home.path / "screen.png"
        run = self.assert_ok(self.claw("screenshot", "--path", path))
        self.assertEqual(run.step["data"]["path"], str(path))
        self.assert_png(path.read_bytes())

    def test_screenshot_to_stdout_is_the_image_alone(self):
        run = self.claw("screenshot", "--path", "-")
        self.assertEqual(run.status, 0, run.err)
        self.assert_png(run.out)

    def assert_png(self, data):
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(data[-8:-4], b"IEND")
        width, height = struct.unpack(">II", data[16:24])
        self.assertGreater(width * height, 0)

    def test_timings_and_route_are_named(self):
        run = self.assert_ok(self.claw("--timings", "snapshot"))
        self.assertIn("total", run.json["timings"])

    def test_absent_serial(self):
        self.assert_error(self.claw("snapshot", "--device", "no-such-phone"), "DEVICE_NOT_FOUND")

    def test_two_devices_need_a_choice(self):
        second = self.started(peer.Simdroid("--serial", "SECOND01"))
        serial = self.server.connect(second)
        self.assert_error(self.claw("snapshot"), "MULTIPLE_DEVICES_DEVICE_ID_REQUIRED")
        self.assert_ok(self.claw("snapshot", "--device", serial))
        chosen = self.server.environment | {"ANDROID_SERIAL": serial}
        self.assert_ok(self.run_clawperator("snapshot", environment=chosen))

    def test_no_device(self):
        self.server.adb("disconnect", check=True)
        self.assert_error(self.claw("snapshot"), "NO_DEVICES")

    def test_the_server_is_left_as_it_was(self):
        for arguments in (["devices"], ["snapshot"], ["screenshot", "--path", self.home.path / "x.png"]):
            self.assert_ok(self.claw(*arguments))
        self.assertIsNone(self.server.process.poll())
        self.assertIn(self.serial.encode(), self.server.adb("devices").stdout)


class ServerAddress(peer.PeerTest):
    """Each spelling of the server's address, distinguished from the default by the private port."""

    def setUp(self):
        super().setUp()
        self.device = self.started(peer.Simdroid())

    def assert_sees_device(self, serial, *arguments, **variables):
        run = self.run_clawperator(*arguments, "devices", environment=self.home.environment(**variables))
        self.assert_ok(run)
        self.assertEqual([row["serial"] for row in run.json["devices"]], [serial])

    def test_tcp_spellings(self):
        server = self.started(peer.AdbServer(self.home))
        serial = server.connect(self.device)
        port = server.port
        self.assert_sees_device(serial, ADB_SERVER_SOCKET=f"tcp:127.0.0.1:{port}")
        self.assert_sees_device(serial, ADB_SERVER_SOCKET=f"tcp:{port}")
        self.assert_sees_device(serial, ANDROID_ADB_SERVER_PORT=port)
        self.assert_sees_device(serial, ANDROID_ADB_SERVER_ADDRESS="127.0.0.1", ANDROID_ADB_SERVER_PORT=port)
        self.assert_sees_device(serial, "--adb-server", f"127.0.0.1:{port}")
        self.assert_sees_device(serial, "--adb-server", f"tcp:127.0.0.1:{port}",
                                ADB_SERVER_SOCKET=f"tcp:127.0.0.1:{peer.free_port()}")

    def test_unix_socket(self):
        path = self.home.path / "adb.sock"
        server = self.started(peer.AdbServer(self.home, path))
        serial = server.connect(self.device)
        self.assert_sees_device(serial, ADB_SERVER_SOCKET=f"localfilesystem:{path}")
        self.assert_sees_device(serial, "--adb-server", f"localfilesystem:{path}")

    def test_no_listener(self):
        closed = self.home.environment(ANDROID_ADB_SERVER_PORT=peer.free_port())
        self.assert_error(self.run_clawperator("devices", environment=closed), "ADB_SERVER_FAILED")
        self.assert_error(self.run_clawperator("snapshot", environment=closed), "ADB_SERVER_FAILED")
        run = self.run_clawperator("--device", self.device.address, "--transport", "tcp", "snapshot",
                                   environment=closed)
        self.assert_ok(run)

    def test_no_server_is_started(self):
        port = peer.free_port()
        self.run_clawperator("devices", environment=self.home.environment(ANDROID_ADB_SERVER_PORT=port))
        self.assertFalse(peer.accepts(port))

    def test_start_server_starts_it_when_asked(self):
        port = peer.free_port()
        environment = self.home.environment(ANDROID_ADB_SERVER_PORT=port, ADB_LOCAL_TRANSPORT_MAX_PORT=5553)
        self.addCleanup(peer.subprocess.run, ["adb", "kill-server"], env=environment, capture_output=True)
        self.run_clawperator("--start-server", "devices", environment=environment)
        self.assertTrue(peer.accepts(port))


class ConnectCommand(peer.PeerTest):
    def test_connect_and_disconnect_go_through_the_server(self):
        device = self.started(peer.Simdroid())
        server = self.started(peer.AdbServer(self.home))
        claw = lambda *words: self.run_clawperator(*words, environment=server.environment)
        self.assert_ok(claw("connect", device.address))
        self.assertIn(device.address.encode(), server.adb("devices").stdout)
        self.assert_ok(claw("disconnect", device.address))
        self.assertNotIn(device.address.encode(), server.adb("devices").stdout)

    def test_an_address_without_a_listener_is_an_error(self):
        server = self.started(peer.AdbServer(self.home))
        run = self.run_clawperator("connect", f"127.0.0.1:{peer.free_port()}", environment=server.environment)
        self.assertEqual(run.status, 1, str(run))


if __name__ == "__main__":
    unittest.main()
