"""TCP ports for a test."""
import socket

_held = []


def free_port():
    """No program listens at it, and none gets it by chance while we live: it is bound here. One that knows it and lets
    addresses be used again (SO_REUSEADDR), as servers do, may listen at it; until then a connection is refused."""
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    _held.append(held)
    return held.getsockname()[1]
