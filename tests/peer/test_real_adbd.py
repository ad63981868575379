"""The real adbd 34 (Debian trixie's) in a private network namespace, with a stub userland."""
import subprocess
import unittest

import peer
import phone_files
from limits import LIMIT_S

NAMESPACE = peer.ROOT / "tools/in_adbd_ns"
ADBD = "127.0.0.1:5600"
SERVER = "tcp:127.0.0.1:5637"
UNAVAILABLE = 3
files = None


def setUpModule():
    global files
    files = peer.Home()
    phone_files.write_phone_files(files.path)
    beside_adbd("true")


def tearDownModule():
    files.remove()


def beside_adbd(*command, limit=2 * LIMIT_S):
    """Runs a command next to a fresh adbd; skips with the reason when there can be none."""
    done = subprocess.run([str(NAMESPACE), "--files", str(files.path), "--", *map(str, command)],
                          capture_output=True, timeout=limit, check=False)
    if done.returncode == UNAVAILABLE:
        files.remove()
        raise unittest.SkipTest(done.stderr.decode().strip().splitlines()[-1])
    return peer.Run(command, done)


class ClientLibrary(peer.PeerTest):
    """adbd_probe.cpp has the cases: exit statuses, exec, large output, many streams, double CLSE."""

    def assert_all_ok(self, run):
        lines = run.out.decode().splitlines()
        self.assertGreater(sum(line.startswith("ok ") for line in lines), 7, str(run))
        self.assertEqual([line for line in lines if line.startswith("FAIL")], [], str(run))
        self.assertEqual(run.status, 0, str(run))

    def test_directly_over_tcp(self):
        self.assert_all_ok(beside_adbd(peer.build_of("adbd_probe"), "direct", ADBD))

    def test_directly_with_delayed_ack(self):
        self.assert_all_ok(beside_adbd(peer.build_of("adbd_probe"), "direct", ADBD, "delayed_ack"))

    def test_through_the_adb_server(self):
        script = f"adb connect {ADBD} >/dev/null 2>&1; exec \"$0\" server {SERVER} {ADBD}"
        self.assert_all_ok(beside_adbd("sh", "-c", script, peer.build_of("adbd_probe")))


class Commands(peer.PeerTest):
    """The whole binary: here `abb` fails for want of a binder, so the shell rungs are taken."""

    def direct(self, *arguments):
        return beside_adbd(peer.BINARY, "--device", ADBD, "--transport", "tcp", *arguments)

    def through_server(self, *arguments):
        script = "adb connect " + ADBD + ' >/dev/null 2>&1; exec "$0" "$@"'
        return beside_adbd("sh", "-c", script, peer.BINARY, *arguments)

    def test_snapshot(self):
        expected = (files.path / "hierarchy.xml").read_text()
        for way in (self.direct, self.through_server):
            self.assertEqual(self.assert_ok(way("snapshot")).step["data"]["text"], expected)

    def test_click(self):
        for way in (self.direct, self.through_server):
            self.assertTrue(self.assert_ok(way("click", "--text", "Row 3")).step["success"])

    def test_screenshot_is_passed_through(self):
        expected = (files.path / "screen.png").read_bytes()
        for way in (self.direct, self.through_server):
            run = way("screenshot", "--path", "-")
            self.assertEqual(run.status, 0, run.err)
            self.assertEqual(run.out, expected)

    def test_devices(self):
        rows = self.assert_ok(self.through_server("devices")).json["devices"]
        self.assertEqual([(row["serial"], row["state"]) for row in rows], [(ADBD, "device")])


if __name__ == "__main__":
    unittest.main()
