"""A server of a test: each connection gets a thread."""
import socket
import threading


class Listening:
    """`serve(client)` is the subclass's; `port` is on the loopback interface."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return  # it is closed
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
