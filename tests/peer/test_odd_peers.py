"""Peers that break the protocol or leave: an adbd that gives streams the id 0, a pairing dialog that closes, and what
is no phone behind an adb server."""
import json
import signal
import socket
import ssl
import struct
import subprocess
import threading

import peer
from limits import LIMIT_S
from own_phone import simctl
from ports import free_port

HEADER = 24
RESETS = struct.pack("ii", 1, 0)


def packet(command, arg0, arg1, payload=b""):
    number, = struct.unpack("<I", command)
    return struct.pack("<6I", number, arg0, arg1, len(payload), sum(payload), number ^ 0xFFFFFFFF) + payload


def packets(link):
    """Command and first argument of each packet that comes."""
    stream = link.makefile("rb")
    while len(header := stream.read(HEADER)) == HEADER:
        arg0, size = struct.unpack_from("<4xI4xI", header)
        stream.read(size)
        yield header[:4], arg0


def without_ids(link):
    for command, arg0 in packets(link):
        if command == b"CNXN":
            link.sendall(packet(b"CNXN", 0x01000001, 4096, b"device::features=shell_v2,cmd"))
        elif command == b"OPEN":
            link.sendall(packet(b"OKAY", 0, arg0))


def host_adb(link):
    """As an adb server that forwards a port to another computer's."""
    for command, _ in packets(link):
        if command == b"CNXN":
            link.sendall(packet(b"CNXN", 0x01000001, 4096, b"host::features=shell_v2"))


class Listener:
    """Serves every connection by `serve(socket)`."""

    def __init__(self, serve):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.serve = serve
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                link, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.one, args=(link,), daemon=True).start()

    def one(self, link):
        try:
            self.serve(link)
        except OSError:
            pass
        finally:
            link.close()

    def stop(self):
        self.listener.close()


class OddPeers(peer.PeerTest):
    def listens(self, serve):
        return self.started(Listener(serve)).address

    def test_a_stream_id_0_is_an_error_of_the_device(self):
        """[L3]"""
        address = self.listens(without_ids)
        for words in (["click", "--text", "x"], ["snapshot"], ["screenshot", "--path", self.home.path / "a.png"],
                      ["apps", "list"], ["adb", "-s", address, "shell", "id"]):
            with self.subTest(words=words[0]):
                target = [] if words[0] == "adb" else ["--device", address, "--transport", "tcp"]
                run = self.run_clawperator(*words, *target)
                self.assertNotEqual(run.status, 0, str(run))
                self.assertIn("stream id 0", run.out.decode() + run.err)

    def test_a_pairing_peer_that_closes_has_one_code_with_its_address_and_the_phase(self):
        """[L4]"""
        certificate, key = self.home.path / "c.pem", self.home.path / "k.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate,
                        "-days", "3", "-subj", "/CN=x"], check=True, capture_output=True, timeout=LIMIT_S)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)

        def before_tls(link):
            link.recv(100)

        def behind_tls(link):
            with context.wrap_socket(link, server_side=True) as secured:
                secured.recv(4096)

        for serve, phase in ((before_tls, "before TLS began"), (behind_tls, "key exchange")):
            for resets in (False, True):
                def leave(link, serve=serve, resets=resets):
                    if resets:
                        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESETS)
                    serve(link)
                with self.subTest(phase=phase, resets=resets):
                    address = self.listens(leave)
                    run = self.assert_error(self.run_clawperator("pair", address, "123456"), "LINK_LOST")
                    self.assertTrue(run.json["message"].startswith(f"{address}: "), str(run))
                    self.assertIn(phase, run.json["message"])

    def test_what_is_no_phone_is_not_connected(self):
        """[L5]"""
        server = self.started(peer.AdbServer(self.home))
        address = self.listens(host_adb)
        run = self.run_clawperator("connect", address, environment=server.environment)
        self.assert_error(run, "PROTOCOL_ERROR")
        self.assertIn(address, run.json["message"])
        self.assertIn("no phone", run.json["message"])
        self.assertNotIn(address.encode(), server.adb("devices").stdout)


class Controlled(peer.PeerTest):
    def phone(self, *options, faults):
        self.control = f"127.0.0.1:{free_port()}"
        device = self.started(peer.Simdroid("--control", self.control.split(":")[1], *options))
        for fault in faults:
            simctl(self.control, "fault", *fault.split())
        return "--device", device.address, "--transport", "tcp"

    def counter(self, name):
        return json.loads(simctl(self.control, "stats")).get(name, 0)


class Words(Controlled):
    """Where there is no shell_v2, stderr is a part of the output."""

    def test_warnings_before_an_answer_hide_nothing(self):
        """[C8]"""
        for options in (["--no-feature", "shell_v2"], ["--no-feature", "abb"]):
            target = self.phone("--operator", "0.12.5", *options, faults=["second-display", "linker-warns"])
            picture = self.home.path / "a.png"
            self.assert_ok(self.run_clawperator("screenshot", "--path", picture, *target))
            self.assertEqual(picture.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
            run = self.run_clawperator("screenshot", "--path", self.home.path / "a.jpg", *target)
            self.assertNotIn("warn", self.assert_ok(run).step["data"])  # the second display is black
            for words in (["apps", "list"], ["battery"], ["rotate", "0"], ["snapshot"], ["input", "tap", "5", "5"],
                          ["open", "com.android.settings"], ["snapshot", "--backend", "shell"]):
                with self.subTest(options=options, words=words[0]):
                    self.assert_ok(self.run_clawperator(*words, *target))
            checks = self.assert_ok(self.run_clawperator("doctor", *target)).json["checks"]
            evidence = next(check["evidence"] for check in checks if check["id"] == "device.capability")
            self.assertEqual(evidence["warnings"], "WARNING: linker: libstub.so has text relocations")

    def test_the_cause_of_a_refused_start_is_reported(self):
        """[C9]"""
        for phone in ("android-8", "android-10", "android-16"):
            target = self.phone("--phone", phone, faults=["start-refused"])
            for words in (["open", "com.android.settings"], ["open", "https://example.org", "--backend", "shell"]):
                with self.subTest(phone=phone, words=words):
                    run = self.run_clawperator(*words, *target)
                    self.assertEqual(run.status, 1, str(run))
                    self.assertIn("not exported from uid 10101", run.out.decode())


class Signals(Controlled):
    def test_a_cut_screenshot_is_cancelled(self):
        """[L6]"""
        target = self.phone(faults=["screencap-hangs"])
        plan = {"commandId": "c", "taskId": "t", "source": "s", "expectedFormat": "android-ui-automator",
                "timeoutMs": 20000, "actions": [{"id": "w", "type": "sleep", "params": {"durationMs": 1}},
                                                {"id": "a", "type": "take_screenshot", "params": {}}]}
        for words, code in ((["screenshot", "--path", "a.png", "--backend", "app"], '"code":"CANCELLED"'),
                            (["screenshot", "--path", "a.png", "--backend", "shell"], '"code":"CANCELLED"'),
                            (["exec", "--execution", json.dumps(plan)], '"error":"CANCELLED"')):
            with self.subTest(words=words):
                before = self.counter("screencap")
                run = subprocess.Popen([str(peer.BINARY), *words, *target], env=self.home.environment(),
                                       cwd=self.home.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                peer.wait_until(lambda: self.counter("screencap") > before, "no screencap")
                run.send_signal(signal.SIGINT)
                out, err = run.communicate(timeout=LIMIT_S)
                self.assertEqual(run.returncode, 130, err)
                self.assertIn(code, out.decode())

    def test_a_recording_that_is_cut_while_it_begins_names_its_file(self):
        """[L10]"""
        target = self.phone(faults=["link-slow 700"])
        run = subprocess.Popen([str(peer.BINARY), "record-video", "--seconds", "60", "--path", "v.mp4", *target],
                               env=self.home.environment(), cwd=self.home.path, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
        peer.wait_until(lambda: self.counter("screenrecord") > 0, "no recorder")
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=LIMIT_S)
        self.assertEqual(run.returncode, 130, err)
        answer = json.loads(out)
        self.assertEqual(answer["code"], "CANCELLED", answer)
        self.assertTrue(answer["details"]["deviceFile"].startswith("/data/local/tmp/"), answer)
        self.assertFalse((self.home.path / "v.mp4").exists())


FIELD = ('<node index="{}" text="{}" resource-id="" class="android.widget.EditText" package="com.x" content-desc="" '
         'clickable="true" enabled="true" bounds="[0,{}][1080,{}]" drawing-order="1" hint="{}" />')


class Fields(Controlled):
    def test_a_field_is_found_by_its_hint_and_does_not_read_as_it(self):
        """[C10]"""
        target = self.phone("--phone", "android-16", "--operator", "none", faults=[])
        fields = (("Email", "Email"), ("", "Full name"), ("a@b.c", "Backup"))
        nodes = "".join(FIELD.format(at, text, 100 * at, 100 * at + 100, hint)
                        for at, (text, hint) in enumerate(fields))
        (self.home.path / "tree.xml").write_text(f'<hierarchy rotation="0">{nodes}</hierarchy>')
        self.assert_ok(self.run_clawperator("adb", "-s", target[1], "push", self.home.path / "tree.xml",
                                            "/data/local/tmp/tree.xml"))
        simctl(self.control, "fault", "tree-file", "/data/local/tmp/tree.xml")
        by_shell = (*target, "--backend", "shell")
        tree = self.assert_ok(self.run_clawperator("snapshot", "--format", "compact", *by_shell)).step["data"]["text"]
        self.assertEqual([line.split(" (")[0] for line in tree.splitlines()[1:]],
                         ['@1 textfield hint "Email"', '@2 textfield hint "Full name"',
                          '@3 textfield "a@b.c" hint "Backup"'])
        self.assert_ok(self.run_clawperator("click", "--text", "Full name", *by_shell))
        read = self.assert_ok(self.run_clawperator("read", "--text", "Backup", *by_shell))
        self.assertEqual(read.step["data"]["text"], "a@b.c")
        run = self.run_clawperator("read", "--text", "Email", *by_shell)
        self.assertEqual((run.status, run.json["envelope"]["error"]), (1, "Matching UI node has no text content"))
