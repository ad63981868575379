"""TCP ports for a test."""
import socket


def free_port():
    """Nobody listens at it now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
