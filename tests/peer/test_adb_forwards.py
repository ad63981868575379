"""`adb forward` and `adb reverse` without a server: they live as long as their process."""
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import unittest

import compare
import peer
from limits import LIMIT_S
from test_adb_host import beside_adbd

ADBD = compare.ADBD


class Echo:
    """A server that answers what it hears, in capitals."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.talk, args=(connection,), daemon=True).start()

    @staticmethod
    def talk(connection):
        with connection:
            while data := connection.recv(65536):
                connection.sendall(data.upper())

    def stop(self):
        self.listener.close()


def ask(port, text, finish):
    """The answer to `text`; `finish` says that nothing follows, which adbd's own end takes for goodbye."""
    with socket.create_connection(("127.0.0.1", port), LIMIT_S) as connection:
        connection.settimeout(LIMIT_S)
        connection.sendall(text)
        if finish:
            connection.shutdown(socket.SHUT_WR)
        answer = b""
        while (finish or len(answer) < len(text)) and (data := connection.recv(65536)):
            answer += data
        return answer


def inside_direct_forwards():
    """Runs inside the namespace: forward and reverse of one process each, without a server."""
    environment = os.environ | {"ANDROID_ADB_SERVER_PORT": "5639"}
    echo = Echo()
    text = b"through the phone " * 20000
    for verb in ("forward", "reverse"):
        process = subprocess.Popen([str(peer.BINARY), "adb", "-s", ADBD, verb, "tcp:0", f"tcp:{echo.port}"],
                                   env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        port = int(process.stdout.readline())
        finish = verb == "forward"
        answers = [ask(port, text, finish), ask(port, b"again", finish)]
        assert answers == [text.upper(), b"AGAIN"], [len(answer) for answer in answers]
        process.send_signal(signal.SIGINT)
        assert process.wait(LIMIT_S) == -signal.SIGINT, process.returncode  # [F60]
        assert b"lasts as long as this process" in process.stderr.read()
        peer.wait_until(lambda: not peer.accepts(port), f"{verb} outlived its process")
        if verb == "reverse":  # what was set up at the device is taken away by us, not by the link's end [F71]
            listed = subprocess.run([str(peer.BINARY), "adb", "-s", ADBD, "reverse", "--list"], env=environment,
                                    capture_output=True, timeout=LIMIT_S)
            assert str(port).encode() not in listed.stdout, listed.stdout
    print("forwards are fine")


class DirectForwards(peer.PeerTest):
    def test_forward_and_reverse_live_as_long_as_the_process(self):
        run = beside_adbd(sys.executable, pathlib.Path(__file__).resolve(), "--inside")
        self.assertEqual(run.out, b"forwards are fine\n", str(run))


if __name__ == "__main__":
    if sys.argv[1:] == ["--inside"]:
        inside_direct_forwards()
    else:
        unittest.main()
