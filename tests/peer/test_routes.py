"""Every route to a device - a real adb server, direct TCP, TCP with a key, TLS - and what a process
that lives long sees of servers and phones that go and come back."""
import json
import pathlib
import queue
import signal
import socket
import struct
import subprocess
import sys
import threading
import unittest

import peer
import test_usb
from limits import LIMIT_S

HERE = pathlib.Path(__file__).parent


class SimdroidAt(peer.Simdroid):
    """A simulated device where another one was before."""

    def __init__(self, address):
        self.address = address
        self.process = subprocess.Popen(
            [str(peer.build_of("simdroid")), *peer.OPERATOR, "--port", address.split(":")[1]],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.process.stdout.readline()


class DelayProxy:
    """Takes connections at once and holds every byte back, in both directions."""

    def __init__(self, device, milliseconds):
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "delay_proxy.py"),
             device.address.split(":")[1], str(milliseconds)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self.address = f"127.0.0.1:{int(self.process.stdout.readline())}"

    def stop(self):
        peer.stop(self.process)
        self.process.stdout.close()


class Watch:
    """`clawperator devices --watch`, its lines as they come."""

    def __init__(self, environment, *options):
        self.process = subprocess.Popen([str(peer.BINARY), "devices", "--watch", *options],
                                        env=environment, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))

    def next(self, limit=LIMIT_S):
        event = self.lines.get(timeout=limit)
        return event["event"], event["device"]["serial"], event["device"]["state"]

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(LIMIT_S)

    def stop(self):
        peer.stop(self.process)
        self.process.stdout.close()
        self.process.stderr.close()


class Routes(peer.PeerTest):
    def setUp(self):
        super().setUp()
        self.device = self.started(peer.Simdroid())
        self.alone = self.home.environment(ADB_SERVER_SOCKET=f"tcp:127.0.0.1:{peer.free_port()}")

    def claw(self, *arguments, environment=None, **more):
        return self.run_clawperator(*arguments, environment=environment or self.alone, **more)

    def way_of_back(self, *options, environment=None):
        """Who sent the key: the adb server, which had a request for it, or our own link, by a packet."""
        trace = self.home.path / "trace.json"
        run = self.assert_ok(self.claw("--trace", trace, "back", *options, environment=environment))
        events = [(event["name"], event["args"])
                  for event in json.loads(trace.read_text()) if "name" in event and "args" in event]
        ways = [way for name, args in events
                for way, service, is_it in (("server", name, "answer" in args),
                                            ("tcp", args.get("service", ""),
                                             (name, args.get("direction")) == ("OPEN", "sent")))
                if is_it and "keyevent" in service]
        self.assertEqual(len(ways), 1, events)
        return ways[0], run.json["deviceId"]

    def test_without_a_server_a_connected_target_is_used(self):
        self.assert_error(self.claw("devices"), "ADB_SERVER_FAILED")
        self.assert_ok(self.claw("connect", self.device.address))
        rows = self.assert_ok(self.claw("devices")).json["devices"]
        self.assertEqual(rows, [{"serial": self.device.address, "state": "device", "transport": "tcp",
                                 "product": "simdroid", "model": "Simdroid", "device": "simdroid"}])
        self.assertEqual(self.way_of_back(), ("tcp", self.device.address))
        self.assert_ok(self.claw("disconnect", self.device.address))
        self.assert_error(self.claw("back"), "ADB_SERVER_FAILED")

    def test_long_rows_say_who_answers_and_over_what(self):
        self.assert_ok(self.claw("connect", self.device.address))
        row = self.assert_ok(self.claw("devices", "-l")).json["devices"][0]
        self.assertEqual(row["identity"], "SIM0DROID1")
        self.assertEqual(row["maxPayload"], 1 << 20)
        self.assertIs(row["tls"], False)
        self.assertTrue(row["delayedAck"] or row["rttMicros"] <= 5000, row)  # a near phone may be busy

    def test_a_phones_distance_shows_in_its_handshake_through_any_proxy(self):
        proxy = self.started(DelayProxy(self.device, milliseconds=10))
        self.assert_ok(self.claw("connect", proxy.address))
        row = self.assert_ok(self.claw("devices", "-l")).json["devices"][0]
        self.assertGreaterEqual(row["rttMicros"], 2 * 10_000)
        self.assertIs(row["delayedAck"], True)

    def test_a_phone_that_connect_reached_is_there_for_every_command_however_far(self):
        proxy = self.started(DelayProxy(self.device, milliseconds=450))
        self.assert_ok(self.claw("connect", proxy.address))
        self.assertEqual(self.assert_ok(self.claw("devices")).json["devices"][0]["state"], "device")
        for options in (), ("--device", proxy.address):
            self.assertEqual(self.way_of_back(*options), ("tcp", proxy.address))

    def test_a_server_that_holds_the_device_goes_first(self):
        server = self.started(peer.AdbServer(self.home))
        serial = server.connect(self.device)
        self.assertEqual(self.way_of_back(environment=server.environment), ("server", serial))
        direct = ("--transport", "tcp", "--device", serial)
        self.assertEqual(self.way_of_back(*direct, environment=server.environment), ("tcp", serial))

    def test_the_same_phone_by_server_and_directly_is_one_device(self):
        server = self.started(peer.AdbServer(self.home))
        self.assert_ok(self.claw("connect", self.device.address))
        serial = server.connect(self.device)
        rows = self.assert_ok(self.claw("devices", environment=server.environment)).json["devices"]
        self.assertEqual(sorted(row["transport"] for row in rows), ["server", "tcp"])
        self.assertEqual(self.way_of_back(environment=server.environment), ("server", serial))

    def test_a_phone_in_recovery_is_shown_as_adb_shows_it_and_gets_no_work(self):
        port = peer.free_port()
        adbd = subprocess.Popen([sys.executable, str(HERE / "fake_adbd.py"), str(port), "recovery"])
        self.addCleanup(peer.stop, adbd)
        peer.wait_until(lambda: self.claw("connect", f"127.0.0.1:{port}").status == 0, "no phone listens")
        states = lambda: [row["state"] for row in self.claw("devices").json["devices"]]
        peer.wait_until(lambda: states() == ["recovery"], "it is not in recovery")
        self.assertEqual([row.get("product") for row in self.claw("devices", "-l").json["devices"]], ["fake"])
        for options, code in ((), "NO_DEVICES"), (("--device", f"127.0.0.1:{port}"), "DEVICE_NOT_FOUND"):
            refused = lambda: self.claw("back", *options).json.get("code") == code
            peer.wait_until(refused, f"work does not end with {code}")

    def test_a_phone_that_refuses_our_key_is_reported_in_adbs_words(self):
        """The value of $ADB_VENDOR_KEYS stands in it. [F64]"""
        port = peer.free_port()
        adbd = subprocess.Popen([sys.executable, str(HERE / "fake_adbd.py"), str(port), "unauthorized"])
        self.addCleanup(peer.stop, adbd)
        for keys, said in (None, "not set"), ("/no/keys:/none/either", "/no/keys:/none/either"):
            # A server that is named would decide what is at an address of this computer.
            alone = self.home.environment(ANDROID_ADB_SERVER_PORT=peer.free_port())
            environment = {**alone, **({"ADB_VENDOR_KEYS": keys} if keys else {})}
            ask = lambda: self.claw("adb", "-s", f"127.0.0.1:{port}", "get-state", environment=environment)
            peer.wait_until(lambda: ask().err == (
                f"error: device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is {said}\n"
                "Try 'adb kill-server' if that seems wrong.\n"
                "Otherwise check for a confirmation dialog on your device.\n"), "it does not print so")

    def test_usb_alone_where_there_is_none_is_no_empty_list(self):
        run = self.claw("devices", "--transport", "usb")
        if run.status == 0:
            self.skipTest("this machine has USB")
        self.assert_error(run, "NO_DEVICES")


class Keys(peer.PeerTest):
    def setUp(self):
        super().setUp()
        self.environment = self.home.environment(ADB_SERVER_SOCKET=f"tcp:127.0.0.1:{peer.free_port()}")
        self.public_key = self.home.path / ".android/adbkey.pub"

    def claw(self, *arguments, **more):
        return self.run_clawperator(*arguments, environment=self.environment, **more)

    def back(self, device, *more):
        return self.claw("back", "--transport", "tcp", "--device", device.address, *more)

    def test_a_listed_device_is_never_asked_to_trust_us(self):
        device = self.started(peer.Simdroid("--auth", "key", "--confirm-after", "0"))
        self.assert_error(self.claw("connect", device.address, "--timeout", "0"), "DEVICE_UNAUTHORIZED")
        targets = self.home.path / ".clawperator/targets.json"
        targets.parent.mkdir(exist_ok=True)
        targets.write_text(json.dumps({"targets": [device.address]}))
        for _ in range(2):
            row = self.assert_ok(self.claw("devices")).json["devices"][0]
            self.assertEqual(row["state"], "unauthorized")
        self.assert_ok(self.back(device))
        self.assertEqual(self.claw("devices").json["devices"][0]["state"], "device")

    def test_a_chosen_device_gets_one_request_and_is_awaited(self):
        device = self.started(peer.Simdroid("--auth", "key", "--confirm-after", "300"))
        first = self.assert_ok(self.back(device))
        self.assertIn("waiting for this computer's key", first.err)
        second = self.assert_ok(self.back(device))
        self.assertEqual(second.err, "")

    def test_a_refused_client_gets_the_error_in_time(self):
        device = self.started(peer.Simdroid("--auth", "key", "--confirm-after", "-1"))
        self.assert_error(self.back(device, "--timeout", "1000"), "DEVICE_UNAUTHORIZED")

    def test_tls_with_a_known_key(self):
        stranger = self.started(peer.Simdroid("--auth", "tls"))
        self.assert_error(self.back(stranger), "DEVICE_UNAUTHORIZED")
        device = self.started(peer.Simdroid("--auth", "tls", "--authorised", str(self.public_key)))
        self.assert_ok(self.back(device))
        self.assert_ok(self.claw("connect", device.address))
        row = self.assert_ok(self.claw("devices", "-l")).json["devices"][0]
        self.assertEqual((row["state"], row["tls"]), ("device", True))


def dns_name(*labels):
    return b"".join(bytes([len(label)]) + label.encode() for label in labels) + b"\0"


def flood_network(group, port, interface, stop):
    """As an mDNS responder that announces a thousand phones, over and over."""
    kind = dns_name("_adb", "_tcp", "local")
    def record(number):
        target = dns_name(f"adb-FLOOD{number}", "_adb", "_tcp", "local")
        return kind + struct.pack(">HHIH", 12, 1, 120, len(target)) + target
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sender.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        sender.bind(("", port))
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(interface))
        while not stop.wait(0.2):
            for first in range(0, 1000, 20):
                records = b"".join(record(number) for number in range(first, first + 20))
                sender.sendto(struct.pack(">6H", 0, 0x8400, 0, 20, 0, 0) + records, (group, port))


class Announced(peer.PeerTest):
    def setUp(self):
        super().setUp()
        place = f"224.0.0.251:{peer.free_port()},127.0.0.1"
        self.device = self.started(peer.Simdroid("--announce", place))
        self.environment = self.home.environment(ADB_SERVER_SOCKET=f"tcp:127.0.0.1:{peer.free_port()}",
                                                 CLAWPERATOR_MDNS=place)

    def claw(self, *arguments):
        return self.run_clawperator(*arguments, environment=self.environment)

    def announced(self):
        rows = self.assert_ok(self.claw("devices", "--discover")).json["devices"]
        return next((row for row in rows if row["transport"] == "mdns"), None)

    def test_a_phone_is_connected_by_the_name_it_announces(self):
        row = self.announced()
        self.assertEqual((row["state"], row["address"]), ("announced", self.device.address))
        run = self.assert_ok(self.claw("connect", row["serial"]))
        self.assertEqual(run.json["message"], f"connected to {row['serial']}")
        self.assertEqual(self.assert_ok(self.claw("back")).json["deviceId"], row["serial"])
        self.assert_error(self.claw("connect", "adb-ABSENT-abcdef"), "DEVICE_NOT_FOUND")

    def test_a_phone_that_was_connected_by_its_name_is_disconnected_by_it(self):
        name = self.announced()["serial"]
        server = self.started(peer.AdbServer(self.home))
        self.environment |= server.environment
        self.assert_ok(self.claw("connect", name))
        rows = lambda: self.assert_ok(self.claw("devices")).json["devices"]
        self.assertEqual([row["serial"] for row in rows()], [self.device.address])
        self.assert_ok(self.claw("disconnect", name))
        self.assertEqual(rows(), [])
        self.assert_error(self.claw("disconnect", name), "DEVICE_NOT_FOUND")

    def test_a_flood_on_the_network_is_reported(self):
        """Phones may be missing from the list then; and there is no such note where there is room. [F27]"""
        group, interface = self.environment["CLAWPERATOR_MDNS"].split(",")
        address, port = group.split(":")
        quiet = self.assert_ok(self.claw("devices", "--discover"))
        self.assertNotIn("phones may be missing", quiet.err)
        stop = threading.Event()
        flood = threading.Thread(target=flood_network, args=(address, int(port), interface, stop))
        flood.start()
        try:
            run = self.assert_ok(self.claw("devices", "--discover"))
        finally:
            stop.set()
            flood.join()
        self.assertIn("phones may be missing", run.err)

    def test_nothing_is_connected_because_it_was_announced(self):
        self.assertIsNotNone(self.announced())
        self.assert_error(self.claw("back"), "ADB_SERVER_FAILED")


class LongLived(peer.PeerTest):
    def watch(self, environment, *options):
        return self.started(Watch(environment, *options))

    def test_a_server_that_is_killed_and_started_again_is_found_again(self):
        device = self.started(peer.Simdroid())
        server = self.started(peer.AdbServer(self.home))
        serial = server.connect(device)
        watch = self.watch(server.environment)
        self.assertEqual(watch.next(), ("added", serial, "device"))
        server.process.kill()
        server.process.wait()
        self.assertEqual(watch.next(), ("removed", serial, "device"))
        again = peer.AdbServer.__new__(peer.AdbServer)
        again.program, again.port, again.spec = server.program, server.port, server.spec
        again.environment = server.environment
        again.process = subprocess.Popen(
            peer.without_usb([again.program, "-L", f"tcp:{again.port}", "nodaemon", "server"]),
            env=again.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self.started(again)
        peer.wait_until(lambda: peer.accepts(again.port), "adb server did not start again")
        again.connect(device)
        states = []
        while not states or states[-1][2] != "device":
            states.append(watch.next())
        self.assertEqual(states[0][0], "added")
        self.assertEqual(watch.interrupt(), 0)

    def test_phones_on_usb_are_seen_coming_and_going(self):
        bed = self.started(test_usb.UsbBed("ONE", "TWO"))
        watch = self.watch(self.home.environment(ADB_SERVER_SOCKET=f"tcp:127.0.0.1:{peer.free_port()}",
                                                 CLAWPERATOR_USB=1, **bed.variables))
        self.assertEqual(sorted([watch.next(), watch.next()]),
                         [("added", "ONE", "device"), ("added", "TWO", "device")])
        bed.do("unplug 0")
        self.assertEqual(watch.next(), ("removed", "ONE", "device"))
        bed.do("plug 0")
        event = watch.next()
        while event[2] != "device":
            event = watch.next()
        self.assertEqual(event[1], "ONE")
        self.assertEqual(watch.interrupt(), 0)

    def test_adbd_that_is_restarted_is_found_again(self):
        device = self.started(peer.Simdroid())
        environment = self.home.environment(ADB_SERVER_SOCKET=f"tcp:127.0.0.1:{peer.free_port()}")
        self.assert_ok(self.run_clawperator("connect", device.address, environment=environment))
        watch = self.watch(environment)
        self.assertEqual(watch.next(), ("added", device.address, "device"))
        device.stop()
        self.assertEqual(watch.next(), ("changed", device.address, "offline"))
        self.started(SimdroidAt(device.address))
        self.assertEqual(watch.next(), ("changed", device.address, "device"))

    def test_targets_of_other_processes_are_seen(self):
        device = self.started(peer.Simdroid())
        environment = self.home.environment(ADB_SERVER_SOCKET=f"tcp:127.0.0.1:{peer.free_port()}")
        watch = self.watch(environment, "-l")
        self.assertIn("no adb server answers", watch.process.stderr.readline().decode())
        self.assert_ok(self.run_clawperator("connect", device.address, environment=environment))
        kinds = [watch.next()]
        while kinds[-1][2] != "device":
            kinds.append(watch.next())
        self.assertEqual(kinds[0][0], "added")
        self.assert_ok(self.run_clawperator("disconnect", device.address, environment=environment))
        self.assertEqual(watch.next()[0], "removed")
        self.assertEqual(watch.interrupt(), 0)
        self.assertEqual(watch.process.stderr.read(), b"")


if __name__ == "__main__":
    unittest.main()
