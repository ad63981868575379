"""Pairing: the real adb 34 and our binary with the pairing dialog of a simulated phone."""
import os
import re
import subprocess
import time
import unittest

import peer
from limits import LIMIT_S

CODE = "592781"


def adb34():
    """How trixie's adb is started here: its own loader, its own libraries."""
    fetched = subprocess.run([str(peer.ROOT / "tools/fetch/adbd"), "--with-adb"], capture_output=True, check=False)
    if fetched.returncode != 0:
        raise unittest.SkipTest(fetched.stderr.decode().strip().splitlines()[-1])
    usr = peer.ROOT / "build/peers/adbd/root/usr"
    libraries = next(usr.glob("lib/*/libc.so.6")).parent
    return [str(next(libraries.glob("ld-linux*.so.*"))), "--argv0", "adb", "--library-path",
            f"{libraries}:{libraries}/android", str(usr / "lib/android-sdk/platform-tools/adb")]


class Phone(peer.Simdroid):
    """A simulated phone with wireless debugging on: TLS, and an open pairing dialog."""

    def __init__(self, *options, code=CODE):
        pairing = peer.free_port()
        super().__init__("--auth", "tls", "--pairing", str(pairing), "--code", code, *options)
        self.pairing = f"127.0.0.1:{pairing}"


class Adb34Server:
    """Trixie's adb server in the foreground, on a port of its own."""

    def __init__(self, home):
        self.command, self.port = adb34(), peer.free_port()
        self.environment = home.environment(ADB_SERVER_SOCKET=f"tcp:127.0.0.1:{self.port}", ADB_MDNS=0,
                                            ADB_LOCAL_TRANSPORT_MAX_PORT=5553)
        with open(home.path / "adb34-server.log", "wb") as log:
            self.process = subprocess.Popen(
                peer.without_usb([*self.command, "-L", f"tcp:{self.port}", "nodaemon", "server"]),
                env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        peer.wait_until(lambda: peer.accepts(self.port), "adb 34's server did not start")

    def adb(self, *arguments):
        return subprocess.run([*self.command, *arguments], env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=LIMIT_S, check=False)

    def connect(self, phone):
        """Until the phone is usable. adb 34 sends its STLS from another thread than its ClientHello,
        and when the ClientHello comes first, as it sometimes does, the connection cannot stand."""
        def usable():
            self.adb("connect", phone.address)
            return self.adb("-s", phone.address, "get-state").stdout.strip() == b"device"
        peer.wait_until(usable, f"{phone.address} did not come up")

    def stop(self):
        peer.stop(self.process)


def known_hosts(home):
    path = home.path / ".android/adb_known_hosts.pb"
    return path.read_bytes() if path.exists() else None


def entry(guid):
    return bytes([10, len(guid) + 2, 10, len(guid)]) + guid.encode()


class RealAdbPairs(peer.PeerTest):
    def setUp(self):
        super().setUp()
        self.server = self.started(Adb34Server(self.home))
        self.phone = self.started(Phone())

    def test_the_right_code_then_connect_over_tls(self):
        paired = self.server.adb("pair", self.phone.pairing, CODE)
        text = (paired.stdout + paired.stderr).decode()
        found = re.search(r"Successfully paired to (\S+) \[guid=(\S+)\]", text)
        self.assertTrue(found, text)
        self.assertEqual(found.group(1), self.phone.pairing)
        self.assertEqual(known_hosts(self.home), entry(found.group(2)))
        self.server.connect(self.phone)
        shell = self.server.adb("-s", self.phone.address, "shell", "echo over TLS")
        self.assertEqual(shell.stdout, b"over TLS\n", shell.stderr)

    def test_a_wrong_code_fails_and_opens_nothing(self):
        paired = self.server.adb("pair", self.phone.pairing, "000000")
        self.assertEqual(paired.returncode, 1)
        self.assertNotIn(b"Successfully", paired.stdout + paired.stderr)
        self.assertIsNone(known_hosts(self.home))
        self.server.adb("connect", self.phone.address)
        time.sleep(0.5)
        self.assertNotEqual(self.server.adb("-s", self.phone.address, "get-state").stdout.strip(), b"device")

    def test_our_pairing_serves_adb_as_well(self):
        paired = self.assert_ok(self.run_clawperator("pair", self.phone.pairing, CODE))
        self.assertEqual(known_hosts(self.home), entry(paired.json["guid"]))
        again = self.started(Adb34Server(self.home))
        again.connect(self.phone)

    def test_adbs_pairing_serves_us_as_well(self):
        self.server.adb("pair", self.phone.pairing, CODE)
        run = self.run_clawperator("snapshot", "--device", self.phone.address, "--transport", "tcp")
        self.assert_ok(run)


class OwnPairing(peer.PeerTest):
    def pair(self, *arguments):
        return self.run_clawperator("pair", *arguments)

    def test_the_right_code_then_work_over_tls(self):
        phone = self.started(Phone())
        snapshot = ("snapshot", "--device", phone.address, "--transport", "tcp")
        self.assert_error(self.run_clawperator(*snapshot), "DEVICE_UNAUTHORIZED")
        run = self.assert_ok(self.pair(phone.pairing, CODE))
        self.assertEqual(run.json, {"ok": True, "address": phone.pairing, "guid": run.json["guid"]})
        self.assertRegex(run.json["guid"], r"^adb-SIM0DROID1-\w{6}$")
        self.assertEqual(known_hosts(self.home), entry(run.json["guid"]))
        self.assert_ok(self.run_clawperator(*snapshot))

    def test_a_wrong_code_stores_nothing(self):
        phone = self.started(Phone())
        self.assert_error(self.pair(phone.pairing, "592780"), "AUTH_PAIRING_FAILED")
        self.assertIsNone(known_hosts(self.home))

    def test_for_people(self):
        phone = self.started(Phone())
        run = self.assert_ok(self.pair(phone.pairing, CODE, "--output", "pretty"))
        self.assertRegex(run.out.decode(), rf"^Successfully paired to {phone.pairing} \[guid=adb-\S+\]\n$")

    def test_the_code_is_read_from_a_terminal(self):
        phone = self.started(Phone())
        ours, theirs = os.openpty()
        self.addCleanup(os.close, ours)
        process = subprocess.Popen([str(peer.BINARY), "pair", phone.pairing], env=self.home.environment(), stdin=theirs,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        os.close(theirs)
        os.write(ours, f" {CODE} \n".encode())
        out, err = process.communicate(timeout=LIMIT_S)
        self.assertEqual(err, b"Enter pairing code: ")
        self.assertIn(b'{"ok":true,', out)

    def test_no_listener(self):
        self.assert_error(self.pair(f"127.0.0.1:{peer.free_port()}", CODE), "IO_ERROR")

    def test_a_port_that_is_no_pairing_port(self):
        phone = self.started(Phone())
        run = self.pair(phone.address, CODE, "--timeout", "3000")
        self.assertIn(run.json["code"], ("PROTOCOL_ERROR", "LINK_LOST", "COMMAND_TIMEOUT"), str(run))


class ScannedCode(peer.PeerTest):
    """`pair --qr`: the phone reads instance and password from the code, and announces itself."""

    def setUp(self):
        super().setUp()
        self.place = f"239.255.77.20:{peer.free_port()},127.0.0.1"
        self.environment = self.home.environment(CLAWPERATOR_MDNS=self.place)

    def start(self, *arguments):
        process = subprocess.Popen([str(peer.BINARY), "pair", "--qr", *arguments], env=self.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(peer.stop, process)
        shown = ""
        for line in process.stderr:
            shown += line.decode()
            found = re.search(r"WIFI:T:ADB;S:(studio-\w{10});P:(\w+);;", shown)
            if found:
                return process, shown, *found.groups()
        raise AssertionError(shown)

    def test_the_phone_is_found_and_paired(self):
        process, shown, instance, password = self.start("--timeout", "20000")
        self.assertGreater(shown.count("█"), 100)
        # As a phone does it, after a conflict of names.
        phone = self.started(Phone("--announce", self.place, "--pairing-instance", f"{instance} (2)",
                                   code=password))
        out, _ = process.communicate(timeout=LIMIT_S)
        run = peer.Run(["pair", "--qr"], subprocess.CompletedProcess([], process.returncode, out, b""))
        self.assert_ok(run)
        self.assertEqual(run.json["address"], phone.pairing)

    def test_other_phones_are_left_alone(self):
        self.started(Phone("--announce", self.place))
        process, _, _, _ = self.start("--timeout", "1500")
        out, _ = process.communicate(timeout=LIMIT_S)
        self.assertEqual(process.returncode, 1)
        self.assertIn(b'"COMMAND_TIMEOUT"', out)


if __name__ == "__main__":
    unittest.main()
