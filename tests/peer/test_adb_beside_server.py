"""What `adb` says of, or does to, the server that runs, and the key files it makes, beside the real ones."""
import unittest

import compare
import peer
from compare import Case

ADBD = compare.ADBD
ALL = ("out", "err", "status")
PORT = 5637  # of the server beside adbd
CONNECT = f"{{adb}} connect {ADBD}; {{adb}} wait-for-device"

# What is said of, or done to, the server that runs beside adbd.
SERVER_CASES = [
    Case("host-features", same=ALL),
    Case("jdwp", same=ALL, signal=("SIGINT", 1)),
    Case("track-devices", same=("out", "status"), signal=("SIGINT", 1)),
    Case("track-devices", "-l", same=("out", "status"), signal=("SIGINT", 1)),
    Case("-P", PORT, "get-state", same=ALL),
    Case("-H", "localhost", "get-state", same=ALL),
    Case("-H", "localhost", "-P", PORT, "get-state", same=ALL),
    Case("-L", f"tcp:{PORT}", "get-state", same=ALL),
    Case("-L", f"tcp:localhost:{PORT}", "get-state", same=ALL),
    Case("-H", "127.0.0.1", "-P", 1, "get-state"),
    Case("reconnect", setup=CONNECT, same=ALL),
    Case("-s", ADBD, "reconnect", setup=CONNECT, same=ALL),
    Case("reconnect", "offline", setup=CONNECT, same=ALL),
    Case("reconnect", "device", setup=CONNECT, same=ALL),
    Case("-s", "absent", "reconnect", same=ALL),
    Case("-s", "absent", "reconnect", "device"),
]
# Adb 29 has no such commands.
NEWER_CASES = [Case(*words, same=ALL) for words in
               (["mdns", "check"], ["mdns", "services"], ["detach"], ["-s", "absent", "detach"])]
KEY_FILES = ("cd {tmp}; stat -c '%a %n' key key.pub; sed -n '1p;$p' key; wc -l <key; wc -l <key.pub; "
             "cut -d' ' -f1 key.pub | wc -c; cut -c1-5 key.pub; grep -c ' .*@' key.pub")
KEY_CASES = [Case("keygen", "{tmp}/key", same=("out", "status", "after"), after=KEY_FILES),
             Case("keygen", "/no/such/folder/key"), Case("keygen", "a", "b", same=ALL)]


class BesideTheServer(peer.PeerTest):
    def test_34(self):
        compare.check(self, NEWER_CASES + SERVER_CASES + KEY_CASES, "server34")

    def test_29(self):
        compare.check(self, SERVER_CASES + KEY_CASES, "server29")

    def test_keys_are_made_without_a_server(self):
        compare.check(self, KEY_CASES, "direct")


if __name__ == "__main__":
    unittest.main()
