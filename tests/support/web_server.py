"""A web server of a test's own, in a thread: quiet, by HTTP/1.1, behind TLS where it is given a certificate."""
import http.server
import ssl
import subprocess
import threading


def certificate(folder, openssl="openssl"):
    """(a certificate for 127.0.0.1 with its key, what trusts it)"""
    key, ca = folder / "server.pem", folder / "ca.pem"
    subprocess.run([openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", ca, "-days", "2",
                    "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"], check=True,
                   capture_output=True)
    key.write_text(key.read_text() + ca.read_text())
    return key, ca


class WebServer:
    """`answer(request)` for each GET, POST and DELETE; a handshake that never comes delays no other client."""

    def __init__(self, answer, tls=None):
        self.done = threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                answer(self)

            do_POST = do_DELETE = do_GET

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(tls)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True,
                                                     do_handshake_on_connect=False)
        self.base = f"{'https' if tls else 'http'}://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        self.done.set()
        self.server.shutdown()
        self.server.server_close()
