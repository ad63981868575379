#!/usr/bin/env python3
"""An adbd that knows its verbs and nothing else: says a sentence, then restarts as adbd does, by
dropping every link and listening again. usage: fake_adbd.py PORT [STATE]

STATE is what it says it runs: device, recovery, rescue, sideload or bootloader. An `unauthorized` one
takes no key, an `offline` one says nothing at all."""
import socket
import struct
import sys
import time

SENTENCES = {"root": "restarting adbd as root\n", "unroot": "restarting adbd as non root\n",
             "usb": "restarting in USB mode\n", "tcpip": "restarting in TCP mode port: {}\n", "reboot": ""}
AWAY = 0.7
TOKEN, SIGNATURE = 1, 2


def packet(command, arg0, arg1, payload=b""):
    number, = struct.unpack("<I", command)
    return struct.pack("<6I", number, arg0, arg1, len(payload), sum(payload), number ^ 0xFFFFFFFF) + payload


def exactly(link, size):
    data = b""
    while len(data) < size:
        more = link.recv(size - len(data))
        if not more:
            raise ConnectionError
        data += more
    return data


def serve(link, state):
    while True:
        header = exactly(link, 24)
        arg0, size = struct.unpack_from("<4xI4xI", header)
        payload = exactly(link, size)
        if state == "offline":
            continue
        if state == "unauthorized":
            if header[:4] == b"CNXN" or arg0 == SIGNATURE:
                link.sendall(packet(b"AUTH", TOKEN, 0, bytes(20)))
        elif header[:4] == b"CNXN":
            banner = (
                f"{state}::ro.product.name=fake;ro.product.model=Fake Phone 7+;ro.product.device=f4;features=shell_v2")
            link.sendall(packet(b"CNXN", 0x01000001, 4096, banner.encode()))
        elif header[:4] == b"OPEN":
            verb, _, argument = payload.rstrip(b"\0").decode().partition(":")
            if verb not in SENTENCES:
                link.sendall(packet(b"CLSE", 0, arg0))
                continue
            link.sendall(packet(b"OKAY", 7, arg0))
            if SENTENCES[verb]:
                link.sendall(packet(b"WRTE", 7, arg0, SENTENCES[verb].format(argument).encode()))
                time.sleep(0.05)
            link.sendall(packet(b"CLSE", 7, arg0))
            time.sleep(0.1)
            return


def main():
    state = sys.argv[2] if len(sys.argv) > 2 else "device"
    while True:
        with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as listener:
            link, _ = listener.accept()
        with link:
            try:
                serve(link, state)
            except ConnectionError:
                continue
        time.sleep(AWAY)


main()
