"""The adb server of 2013 to 2015 (1.0.31), scripted: Debian's server, without what that one did not know yet."""
import re
import socket
import threading

import peer

KNOWN = ("version", "kill", "devices", "track-devices", "transport", "connect:", "disconnect:", "get-state",
         "get-serialno", "get-devpath", "list-forward", "forward:", "killforward")


def frame(text):
    return f"{len(text):04x}{text}".encode()


class OldServer:
    """In front of `server`; `requests` are those that came."""

    def __init__(self, server, has_details=True):
        self.server, self.has_details, self.requests = server, has_details, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.spec = f"127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def stop(self):
        self.listener.close()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        with client, socket.create_connection(("127.0.0.1", self.server.port)) as real:
            size = int(client.recv(4, socket.MSG_WAITALL) or b"0", 16)
            request = client.recv(size, socket.MSG_WAITALL).decode()
            self.requests.append(request)
            scope, _, verb = request.partition(":")
            if scope == "host-serial":
                verb = re.sub(r"^[^:]+(:\d+)?:", "", verb)
            elif scope not in ("host", "host-usb", "host-local"):
                return  # for a device, and none was chosen
            if verb == "version":
                return client.sendall(b"OKAY" + frame("001f"))
            details = verb == "devices-l"
            if verb.endswith("-l") and not (details and self.has_details) or not verb.startswith(KNOWN):
                return client.sendall(b"FAIL" + frame("unknown host service"))
            if verb.startswith("transport-") and verb[10:] not in ("usb", "local"):
                request = "host:transport-any"
            real.sendall(frame(request))
            if details:
                return client.sendall(b"OKAY" + frame(self.old_list(real)))
            threading.Thread(target=copy, args=(client, real), daemon=True).start()
            copy(real, client)

    @staticmethod
    def old_list(real):
        text = b"".join(iter(lambda: real.recv(4096), b"")).decode()[8:]
        return re.sub(r" transport_id:\d+", "", text)


def copy(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass


class WithoutFeatures(peer.PeerTest):
    def test_a_server_of_1_0_31_serves_every_command(self):
        """[C7]"""
        device = self.started(peer.Simdroid("--operator", "0.12.5"))
        server = self.started(peer.AdbServer(self.home))
        serial = server.connect(device)
        for has_details in (True, False):
            old = self.started(OldServer(server, has_details))
            for words in (["devices"], ["snapshot"], ["click", "--text", "Settings"], ["press", "home"],
                          ["apps", "list"], ["screenshot", "--path", self.home.path / "a.png"],
                          ["snapshot", "--backend", "shell"]):
                with self.subTest(words=words, has_details=has_details):
                    run = self.assert_ok(self.run_clawperator(*words, "--adb-server", old.spec))
                    self.assertIn(serial, run.out.decode())
            run = self.run_clawperator("doctor", "--adb-server", old.spec)
            check = next(check for check in run.json["checks"] if check["id"] == "host.adb.server")
            self.assertIn("adb 1.0.31", check["summary"])
            host, port = old.spec.split(":")
            for words in (["shell", "echo", "hi"], ["devices"], ["get-state"]):
                with self.subTest(adb=words):
                    self.assert_ok(self.run_clawperator("adb", "-H", host, "-P", port, *words))
            for words in (["features"], ["host-features"]):  # adb, too, has a sentence alone
                run = self.run_clawperator("adb", "-H", host, "-P", port, *words)
                self.assertEqual(run.status, 1)
                self.assertIn("unknown host service", run.err)
            # That server takes it for "the only device".
            self.assertFalse([request for request in old.requests if "transport-id" in request])

    def test_a_transport_id_reaches_no_other_device(self):
        """[C7]"""
        device = self.started(peer.Simdroid())
        server = self.started(peer.AdbServer(self.home))
        server.connect(device)
        old = self.started(OldServer(server))
        host, port = old.spec.split(":")
        run = self.run_clawperator("adb", "-H", host, "-P", port, "-t", "77", "shell", "echo", "hi")
        self.assertNotEqual(run.status, 0, str(run))
        self.assertNotIn(b"hi", run.out)
