"""Keys and TLS: real adb 29 and 34 and our binary with simulated phones that ask who is there."""
import re
import subprocess
import time
import unittest

import peer
import test_pairing
from limits import scaled_word

WORKS = (3, b"works\n")


class Trust(peer.PeerTest):
    """One home, so one key, whichever program made it."""

    @property
    def key(self):
        return self.home.path / ".android/adbkey"

    @property
    def public(self):
        return self.home.path / ".android/adbkey.pub"

    def adb_makes_the_key(self):
        self.key.parent.mkdir(mode=0o750, exist_ok=True)
        adb = peer.shutil.which("adb") or self.skipTest("no adb in PATH (package adb)")
        subprocess.run([adb, "keygen", self.key], env=self.home.environment(), check=True, capture_output=True)

    def we_make_the_key(self):
        """It comes into being with the first device that asks for one."""
        self.assert_error(self.snapshot(self.phone("key")), "DEVICE_UNAUTHORIZED")
        self.assertEqual(self.key.stat().st_mode & 0o777, 0o600)

    def phone(self, auth, *options):
        return self.started(peer.Simdroid("--auth", auth, *map(str, options)))

    def phone_that_knows_us(self, auth):
        return self.phone(auth, "--authorised", self.public)

    def snapshot(self, phone, *options, **more):
        return self.run_clawperator("snapshot", "--device", phone.address, "--transport", "tcp",
                                    "--timeout", scaled_word(1500), *options, **more)


class RealAdb:
    """What every real adb does, with a key of its own making."""

    def setUp(self):
        super().setUp()
        self.adb_makes_the_key()
        self.server = self.started(self.start_server())

    def state(self, phone):
        return self.server.adb("-s", phone.address, "get-state").stdout.strip().decode()

    def listed(self, phone):
        lines = self.server.adb("devices").stdout.decode().splitlines()
        return next((line.split("\t")[1] for line in lines if line.startswith(phone.address)), None)

    def assert_shell_works(self, phone):
        self.server.adb("connect", phone.address)
        peer.wait_until(lambda: self.state(phone) == "device", f"{phone.address} did not let adb in")
        done = self.server.adb("-s", phone.address, "shell", "echo works; exit 3")
        self.assertEqual((done.returncode, done.stdout), WORKS)

    def test_a_known_key_comes_in(self):
        self.assert_shell_works(self.phone_that_knows_us(self.auth))

    def test_a_known_key_comes_in_again(self):
        phone = self.phone_that_knows_us(self.auth)
        self.assert_shell_works(phone)
        self.server.adb("disconnect", phone.address)
        self.assert_shell_works(phone)

    def test_many_megabytes(self):
        phone = self.phone_that_knows_us(self.auth)
        self.assert_shell_works(phone)
        local, back = self.home.path / "local", self.home.path / "back"
        local.write_bytes(peer.os.urandom(8_000_000))
        self.server.adb("-s", phone.address, "push", str(local), "/sdcard/big")
        self.server.adb("-s", phone.address, "pull", "/sdcard/big", str(back))
        self.assertEqual(back.read_bytes(), local.read_bytes())


class ByKey(RealAdb):
    auth = "key"

    def test_a_strange_key_is_unauthorized(self):
        phone = self.phone("key")
        self.server.adb("connect", phone.address)
        peer.wait_until(lambda: self.listed(phone) == "unauthorized", "not shown as unauthorized")
        self.assertNotEqual(self.server.adb("-s", phone.address, "shell", "echo x").returncode, 0)

    def test_a_confirmed_key_comes_in_and_stays_known(self):
        phone = self.phone("key", "--confirm-after", 300)
        self.assert_shell_works(phone)
        self.server.adb("disconnect", phone.address)
        self.assert_shell_works(phone)


class Adb29ByKey(ByKey, Trust):
    def start_server(self):
        return peer.AdbServer(self.home)


class Adb34ByKey(ByKey, Trust):
    def start_server(self):
        return test_pairing.Adb34Server(self.home)


class Adb34ByTls(RealAdb, Trust):
    auth = "tls"

    def start_server(self):
        return test_pairing.Adb34Server(self.home)

    def test_a_strange_key_does_not_come_in(self):
        phone = self.phone("tls")
        self.server.adb("connect", phone.address)
        time.sleep(0.5)
        self.assertNotEqual(self.listed(phone), "device")


class OurClient(Trust):
    def test_adbs_key_comes_in(self):
        self.adb_makes_the_key()
        before = self.key.read_bytes()
        for auth in ("key", "tls"):
            self.assert_ok(self.snapshot(self.phone_that_knows_us(auth)))
        self.assertEqual(self.key.read_bytes(), before)

    def test_a_vendor_key_comes_in(self):
        self.adb_makes_the_key()
        vendor = self.home.path / "keys/some.adb_key"
        vendor.parent.mkdir()
        self.key.rename(vendor)
        known = self.home.path / "known.pub"
        self.public.rename(known)
        for auth in ("key", "tls"):
            phone = self.phone(auth, "--authorised", known)
            self.assert_error(self.snapshot(phone), "DEVICE_UNAUTHORIZED")
            environment = self.home.environment(ADB_VENDOR_KEYS=vendor.parent)
            self.assert_ok(self.snapshot(phone, environment=environment))

    def test_our_key_serves_adb(self):
        self.we_make_the_key()
        server = self.started(test_pairing.Adb34Server(self.home))
        for auth in ("key", "tls"):
            phone = self.phone_that_knows_us(auth)
            self.assert_ok(self.snapshot(phone))
            server.adb("connect", phone.address)
            state = lambda: server.adb("-s", phone.address, "get-state").stdout.strip()
            peer.wait_until(lambda: state() == b"device", f"adb does not come in by {auth} with our key")

    def test_a_strange_key_gets_the_advice(self):
        for auth, advice in (("key", "phone"), ("tls", "clawperator pair")):
            run = self.assert_error(self.snapshot(self.phone(auth)), "DEVICE_UNAUTHORIZED")
            self.assertIn(advice, run.json["message"])
            self.assertIn(str(self.key), run.json["message"])

    def test_a_confirmed_key_comes_in(self):
        self.assert_ok(self.snapshot(self.phone("key", "--confirm-after", 300)))

    def test_no_key_is_made_for_a_phone_that_asks_for_none(self):
        self.assert_ok(self.snapshot(self.started(peer.Simdroid())))
        self.assertFalse(self.key.exists())

    def test_a_broken_key_is_reported_and_left_alone(self):
        self.key.parent.mkdir()
        self.key.write_text("not a key")
        for auth in ("key", "tls"):
            run = self.snapshot(self.phone(auth))
            self.assertEqual(run.status, 1, str(run))
            self.assertIn(str(self.key), run.json["message"])
        self.assertEqual(self.key.read_text(), "not a key")


class OurPhone(Trust):
    """`clawperator sim` takes the same options as the program simdroid."""

    def sim(self, *options):
        process = subprocess.Popen([str(peer.BINARY), "sim", *peer.OPERATOR, "--listen", "127.0.0.1:0",
                                    *map(str, options)],
                                   env=self.home.environment(), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(process.stdout.close)
        self.addCleanup(peer.stop, process)
        line = process.stdout.readline().decode()
        return re.search(r'"address":"([^"]+)"', line).group(1)

    def test_sim_asks_for_keys_too(self):
        self.adb_makes_the_key()
        for auth in ("key", "tls"):
            for options, status in ((("--authorised", self.public), 0), ((), 1)):
                address = self.sim("--auth", auth, *options)
                run = self.run_clawperator("snapshot", "--device", address, "--transport", "tcp", "--timeout",
                                           scaled_word(1500))
                self.assertEqual(run.status, status, f"{auth} {options}: {run}")


if __name__ == "__main__":
    unittest.main()
