"""`adb` as we have it beside the real ones: the same words in, the same bytes and exit codes out."""
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest

import compare
import peer
from limits import LIMIT_S

NAMESPACE = peer.ROOT / "tools/in_adbd_ns"
HERE = peer.ROOT / "tests/peer"
ADBD = "127.0.0.1:5600"
UNAVAILABLE = 3

# The whole conversation; every client holds it alone and from the beginning.
PLAN = [line.split(" ") for line in f"""\
devices
connect {ADBD}
connect {ADBD}
wait-for-device
devices
devices -l
-s {ADBD} devices -l
get-state
get-serialno
get-devpath
-s {ADBD} get-state
-e get-serialno
-d get-state
-s absent get-state
-s absent get-serialno
-t 4711 get-state
features
shell true
shell exit 3
-s {ADBD} shell echo one two
-s absent shell true
wait-for-local-device
wait-for-device get-state
wait-for-any-device shell echo after
-s absent wait-for-disconnect
wait-for-nonsense
wait-for-device-x
wait-for-device-
wait-for-
wait-for-any
wait-for-usb
wait-for-recovery-device
wait-for-any-recovery-device
wait-for-device-disconnect
wait-for-usb-disconnect
forward --list
forward tcp:0 tcp:7777
forward tcp:18765 tcp:7777
forward tcp:18765 tcp:7778
forward --no-rebind tcp:18765 tcp:7779
forward localabstract:peer-test tcp:7777
forward --remove tcp:18766
forward nonsense:1 tcp:2
forward tcp:18767 *x
forward --remove tcp:18765
forward --list
forward --remove-all
forward --list
forward
forward tcp:1
forward --list x
forward --remove
forward --remove-all x
forward --no-rebind tcp:1
-s absent forward tcp:1 tcp:2
reverse --list
reverse tcp:0 tcp:7777
reverse tcp:18768 tcp:7777
reverse --no-rebind tcp:18768 tcp:7778
reverse --list
reverse --remove tcp:18768
reverse --remove tcp:18768
reverse --remove-all
reverse --list
reverse
reverse tcp:1
reverse tcp:1 tcp:2 tcp:3
-s absent reverse --list
-s absent reverse tcp:1 tcp:2
devices x
devices -l x
track-devices x
connect
connect 127.0.0.1:1
connect no.such.host.invalid:1
disconnect 127.0.0.1:1
disconnect a b
pair
pair 127.0.0.1:1
mdns
mdns nonsense
reconnect nonsense
keygen
nonsense
-x devices
-s
-t
-t abc devices
-P abc devices
-P 0 devices
-P 99999 devices
-H
-P
-L
-P 1 -L tcp:1 devices
disconnect {ADBD}
devices
get-state
-d get-state
-e get-state
shell true
features
forward tcp:1 tcp:2
reverse --list
attach
disconnect""".splitlines()]

# Where adb 29 has words of its own, or none.
NOT_IN_29 = {"attach", "wait-for-any-device", "connect no.such.host.invalid:1", "-t", "pair 127.0.0.1:1",
             "wait-for-any",
             "wait-for-recovery-device", "wait-for-any-recovery-device", "wait-for-device-disconnect"}
# What needs a server by its nature; without one the forwards of other processes cannot be seen.
SERVERS_OWN = {"forward", "reverse", "attach", "-t"}


def beside_adbd(*command, stdin=b"", limit=3 * LIMIT_S):
    done = subprocess.run([str(NAMESPACE), "--", *map(str, command)], input=stdin, capture_output=True,
                          timeout=limit, check=False)
    if done.returncode == UNAVAILABLE:
        raise unittest.SkipTest(done.stderr.decode().strip().splitlines()[-1])
    return peer.Run(command, done)


def adb34():
    """How trixie's adb is started here; empty when it cannot be had."""
    fetched = subprocess.run([str(peer.ROOT / "tools/fetch/adbd"), "--with-adb"], capture_output=True, check=False)
    if fetched.returncode != 0:
        return ""
    return " ".join(compare.adb34())


def plain(text):
    """Numbers that are different every time."""
    text = re.sub(r"transport_id:\d+", "transport_id:N", text)
    text = re.sub(r"^\d+$", "PORT", text, flags=re.M)
    text = re.sub(r"tcp:[34]\d{4}\b", "tcp:PORT", text)
    text = re.sub(r"^host-\d+ ", "host-N ", text, flags=re.M)
    return re.sub(r"ld-linux-[^:]*", "adb", text)


def seen(words, result):
    out = plain(result["out"])
    if words == ["features"]:  # a set in adb, of any order
        out = "".join(sorted(out.splitlines(keepends=True)))
    return result["status"], out, plain(result["err"])


class Conversation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        run = beside_adbd(sys.executable, HERE / "adb_conversations.py", peer.BINARY, adb34(),
                          stdin=json.dumps(PLAN).encode())
        if run.status != 0:
            raise AssertionError(str(run))
        cls.results = run.json

    def answers(self, way):
        if way not in self.results:
            self.skipTest("trixie's adb cannot be had here")
        return self.results[way]

    def assert_same(self, ours, real, leave_out=lambda words: False):
        for words, mine, theirs in zip(PLAN, self.answers(ours), self.answers(real)):
            if leave_out(words):
                continue
            with self.subTest(" ".join(words)):
                self.assertEqual(seen(words, mine), seen(words, theirs))

    def test_through_adb_34(self):
        self.assert_same("ours34", "real34")

    def test_through_adb_29(self):
        """Client texts are those of 34, the server's own are its own: only what both share is compared."""
        def is_news(words):
            return words[0] in NOT_IN_29 or " ".join(words) in NOT_IN_29
        for words, mine, theirs in zip(PLAN, self.answers("ours29"), self.answers("real29")):
            if is_news(words):
                continue
            with self.subTest(" ".join(words)):
                self.assertEqual(seen(words, mine)[:2], seen(words, theirs)[:2], (mine, theirs))

    def test_directly(self):
        def is_the_servers(words):
            return words[0] in SERVERS_OWN or "forward" in words or "reverse" in words
        for words, mine, theirs in zip(PLAN, self.answers("direct"), self.answers("real34")):
            if is_the_servers(words):
                continue
            with self.subTest(" ".join(words)):
                expected = seen(words, theirs)
                if words == ["connect", ADBD]:
                    expected = (0, f"connected to {ADBD}\n", "")  # a link lasts as long as its command
                if "no.such.host.invalid:1" in words:
                    self.assertTrue(mine["out"].startswith("failed to connect to "), mine)
                elif words == ["features"] and mine["status"] == 0:
                    self.assertIn("shell_v2\n", mine["out"])
                else:
                    # We ask the device who it is; the server knows only its banner, and has numbers.
                    status, out, err = seen(words, mine)
                    expected = (expected[0], expected[1].replace(" transport_id:N", ""), expected[2])
                    out = re.sub(r" (product|model|device):[Ss]tub\b", "", out)
                    self.assertEqual((status, out, err), expected)


class DroppingPhone:
    """Takes a link, hears the first packet and hangs up; counts."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.links = 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                link, _ = self.listener.accept()
            except OSError:
                return
            with link:
                self.links += 1
                link.recv(24)

    def stop(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


class Name(peer.PeerTest):
    """Started by a link named adb."""

    def setUp(self):
        super().setUp()
        self.adb = self.home.path / "adb"
        self.adb.symlink_to(peer.BINARY)
        self.closed = self.home.environment(ANDROID_ADB_SERVER_PORT=peer.free_port())

    def run_adb(self, *words, environment=None, **more):
        return subprocess.run([str(self.adb), *map(str, words)], env=environment or self.closed,
                              capture_output=True, timeout=LIMIT_S, check=False, **more)

    def test_shell_through_a_server_and_directly(self):
        device = self.started(peer.Simdroid())
        self.assertEqual(self.run_adb("-s", device.address, "shell", "true").returncode, 0)
        self.assertEqual(self.run_adb("-s", device.address, "shell", "exit 7").returncode, 7)
        server = self.started(peer.AdbServer(self.home))
        serial = server.connect(device)
        done = self.run_adb("-s", serial, "shell", "true", environment=server.environment)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))

    def test_a_phone_that_does_not_know_us_is_unauthorized(self):
        device = self.started(peer.Simdroid("--auth", "key"))
        done = self.run_adb("-s", device.address, "get-state")
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertTrue(done.stderr.startswith(b"error: device unauthorized.\n"), done)
        server = self.started(peer.AdbServer(self.home))
        server.adb("connect", device.address)
        peer.wait_until(lambda: b"\tunauthorized" in server.adb("devices").stdout, "the server still tries its keys")
        for words in (["get-state"], ["shell", "true"]):
            ours, theirs = self.run_adb(*words, environment=server.environment), server.adb(*words)
            self.assertEqual((ours.returncode, ours.stdout), (theirs.returncode, theirs.stdout))
            # "adb: ..." in 34, "error: ..." in 29
            self.assertEqual(ours.stderr.partition(b": ")[2], theirs.stderr.partition(b": ")[2])

    def test_a_kept_phone_that_hangs_up_is_dialled_a_few_times_and_offline(self):
        """adbd drops some links of a burst before their greeting. [F62]"""
        phone = self.started(DroppingPhone())
        (self.home.path / ".clawperator").mkdir()
        (self.home.path / ".clawperator/targets.json").write_text(json.dumps({"targets": [phone.address]}))
        for words, said in ((["get-state"], b"error: device offline\n"), (["shell", "true"], b"adb: device offline\n")):
            before = phone.links
            done = self.run_adb("-s", phone.address, *words)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (1, b"", said), done)
            self.assertEqual(phone.links - before, 4, words)
        # One that is not kept is dialled too.
        (self.home.path / ".clawperator/targets.json").unlink()
        before = phone.links
        done = self.run_adb("-s", phone.address, "shell", "true")
        self.assertEqual(done.stderr.decode(), "adb: device offline\n")
        self.assertEqual(phone.links - before, 4)

    def test_pair_asks_for_the_code_and_keeps_nothing_of_a_wrong_one(self):
        dialog = f"127.0.0.1:{peer.free_port()}"
        phone = self.started(peer.Simdroid("--auth", "tls", "--code", "424242", "--pairing", dialog.split(":")[1]))
        wrong = self.run_adb("pair", dialog, "111111")
        self.assertEqual((wrong.returncode, wrong.stdout), (1, b""))
        self.assertEqual(wrong.stderr, b"error: Failed: Wrong password or connection was dropped.\n")
        refused = self.run_adb("-s", phone.address, "get-state")
        self.assertTrue(refused.stderr.startswith(b"error: device unauthorized.\n"), refused)
        right = self.run_adb("pair", dialog, input=b"424242\n")
        self.assertEqual(right.returncode, 0, right)
        said = f"Enter pairing code: Successfully paired to {dialog} [guid=adb-"
        self.assertTrue(right.stdout.decode().startswith(said), right)
        self.assertEqual(self.run_adb("-s", phone.address, "shell", "echo", "in").stdout, b"in\n")

    def test_pair_only_warns_of_a_list_that_it_cannot_write(self):
        dialog = f"127.0.0.1:{peer.free_port()}"
        self.started(peer.Simdroid("--auth", "tls", "--code", "424242", "--pairing", dialog.split(":")[1],
                                   "--serial", "evil\x1b[2J\nSIM"))
        (self.home.path / ".android/adb_known_hosts.pb").mkdir(parents=True)
        done = self.run_adb("pair", dialog, "424242")
        said = f"Successfully paired to {dialog} [guid=adb-evil?[2J?SIM-simdrd]\n"
        self.assertEqual((done.returncode, done.stdout.decode()), (0, said), done)
        self.assertRegex(done.stderr.decode(), r"^adb: warning: .*/adb_known_hosts\.pb.*\n$")

    def test_mdns_prints_no_control_characters_of_others(self):
        place = f"239.255.77.21:{peer.free_port()},127.0.0.1"
        self.started(peer.Simdroid("--auth", "tls", "--code", "424242", "--pairing", str(peer.free_port()),
                                   "--announce", place, "--pairing-instance", "evil\x1b[2J\tphone\n"))
        done = self.run_adb("mdns", "services", environment=self.closed | {"CLAWPERATOR_MDNS": place})
        self.assertIn(b"\nevil?[2J?phone?\t_adb-tls-pairing._tcp\t", done.stdout)
        self.assertNotIn(b"\x1b", done.stdout)

    def test_wait_for_ends_with_the_event(self):
        device = self.started(peer.Simdroid())
        server = self.started(peer.AdbServer(self.home))
        for verb, event in (("wait-for-device", "connect"), ("wait-for-disconnect", "disconnect")):
            # Only of the server that is named: directly the device is there all the time.
            command = [str(self.adb), "-P", str(server.port), "-s", device.address, verb]
            waiting = subprocess.Popen(command, env=self.closed)
            time.sleep(0.3)
            self.assertIsNone(waiting.poll(), verb)
            server.adb(event, device.address)
            self.assertEqual(waiting.wait(LIMIT_S), 0, verb)

    def test_what_a_server_that_answers_does_not_list_is_not_there(self):
        """As for adb: after `adb disconnect` it is gone, whatever we could dial. [F61]"""
        device = self.started(peer.Simdroid())
        server = self.started(peer.AdbServer(self.home))
        ask = lambda *words: self.run_adb("-s", device.address, *words, environment=server.environment)
        self.run_adb("connect", device.address)  # without the server: we keep it
        server.connect(device)
        self.assertEqual(ask("get-state").stdout, b"device\n")
        server.adb("disconnect", device.address)
        absent = f"device '{device.address}' not found\n"
        self.assertEqual(ask("get-state").stderr.decode(), f"error: {absent}")
        self.assertEqual(ask("shell", "true").stderr.decode(), f"adb: {absent}")
        self.assertEqual(ask("devices").stdout, b"List of devices attached\n\n")
        self.assertEqual(ask("wait-for-disconnect").returncode, 0)
        directly = subprocess.run([peer.BINARY, "--transport", "tcp", "adb", "-s", device.address, "get-state"],
                                  env=server.environment, capture_output=True, check=False)
        self.assertEqual(directly.stdout, b"device\n")

    def test_a_server_that_was_named_is_the_only_way(self):
        device = self.started(peer.Simdroid())
        server = self.started(peer.AdbServer(self.home))
        done = self.run_adb("-P", server.port, "-s", device.address, "get-state")
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertEqual(done.stderr.decode(), f"error: device '{device.address}' not found\n")

    def test_it_dies_of_sigint_as_adb_does(self):
        """A shell then ends its loop, too. [F60]"""
        server = self.started(peer.AdbServer(self.home))
        waiting = subprocess.Popen([str(self.adb), "wait-for-device"], env=server.environment)
        time.sleep(0.3)
        waiting.send_signal(signal.SIGINT)
        self.assertEqual(waiting.wait(LIMIT_S), -signal.SIGINT)

    def test_kill_server_ends_it_and_nothing_else_does(self):
        server = self.started(peer.AdbServer(self.home))
        for words in (["devices"], ["version"], ["start-server"], ["host-features"], ["reconnect", "offline"]):
            self.run_adb(*words, environment=server.environment)
        self.assertIsNone(server.process.poll())
        self.assertEqual(self.run_adb("kill-server", environment=server.environment).returncode, 0)
        self.assertEqual(server.process.wait(LIMIT_S), 0)

    def test_start_server_needs_none_where_there_is_no_sdk(self):
        """Nor does it start itself for ever. Only a server that was named cannot be done without."""
        nothing = self.home.path / "nothing"
        nothing.mkdir()
        for folder in (self.home.path, nothing):
            without = self.closed | {"PATH": str(folder)}
            done = self.run_adb("start-server", environment=without)
            self.assertEqual((done.returncode, done.stdout), (0, b""), done)
            self.assertIn(b"* no adb server to start, devices are reached without one: ", done.stderr)
            named = self.run_adb("-P", peer.free_port(), "start-server", environment=without)
            self.assertEqual((named.returncode, named.stdout), (1, b""), named)
            self.assertIn(b"* failed to start daemon\n", named.stderr)

    def test_a_closed_pipe_is_quiet(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        done = subprocess.run([str(self.adb), "help"], env=self.closed, stdout=write_end,
                              stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)
        os.close(write_end)
        self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, b""))

    def test_track_devices_prints_blocks(self):
        server = self.started(peer.AdbServer(self.home))
        device = self.started(peer.Simdroid())
        tracking = subprocess.Popen([str(self.adb), "track-devices"], env=server.environment,
                                    stdout=subprocess.PIPE)
        self.addCleanup(tracking.stdout.close)
        self.addCleanup(peer.stop, tracking)
        self.assertEqual(tracking.stdout.read(4), b"0000")
        server.connect(device)
        size = int(tracking.stdout.read(4), 16)
        self.assertTrue(tracking.stdout.read(size).startswith(device.address.encode() + b"\t"))


if __name__ == "__main__":
    unittest.main()
