"""A relay to a server for clients that cannot send its token: it adds the header to each request.

    with Bearing(server) as relay:
        ask(f"http://127.0.0.1:{relay.port}/")
"""
import socket
import threading

from limits import LIMIT_S
from listening import Listening

MOST = 65536


class Bearing(Listening):
    def __init__(self, server):
        self.server = server
        super().__init__()

    def serve(self, client):
        """One request a connection, so that there is one head to add to."""
        with client, socket.create_connection(("127.0.0.1", self.server.port), LIMIT_S) as far:
            head, said = b"", b"-"
            while b"\r\n\r\n" not in head and len(head) < MOST and said:
                head += (said := client.recv(MOST))
            first, _, rest = head.partition(b"\r\n")
            kept = [line for line in rest.split(b"\r\n\r\n")[0].split(b"\r\n")
                    if not line.lower().startswith(b"connection:")]
            more = [f"{name}: {value}".encode() for name, value in self.server.bearing.items()]
            body = rest.partition(b"\r\n\r\n")[2]
            far.settimeout(None)
            far.sendall(b"\r\n".join([first, *kept, *more, b"Connection: close", b"", b""]) + body)
            threading.Thread(target=pass_on, args=(client, far), daemon=True).start()
            pass_on(far, client)


def pass_on(source, target):
    try:
        while piece := source.recv(MOST):
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # either has left
