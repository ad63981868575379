"""Real git beside a test: a repository, `git http-backend` behind HTTPS that can misbehave, sshd."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from limits import LIMIT_S
from ports import free_port
from web_server import WebServer, certificate

REGISTRY = "skills/skills-registry.json"
SSHD = "/usr/sbin/sshd"


def needs(program):
    found = shutil.which(program) or (program if os.path.exists(program) else None)
    if not found:
        raise unittest.SkipTest(f"no {program}")
    return found


class Repository:
    """A working copy that upstream's author works in; its .git is what is served."""

    def __init__(self, path):
        needs("git")
        self.path = path
        self.git("init", "-q", "-b", "main", str(path), cwd=None)
        self.entries = {}
        self.add_skill("a.one", "first")
        self.first = self.commit("first")

    def git(self, *words, cwd="", stdin=None):
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
                       "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@x", "GIT_COMMITTER_NAME": "a",
                       "GIT_COMMITTER_EMAIL": "a@x"}
        done = subprocess.run(["git", *words], cwd=self.path if cwd == "" else cwd, env=environment, input=stdin,
                              capture_output=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"git {words}: {done.stderr.decode()}")
        return done.stdout.decode().strip()

    def write(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def write_registry(self):
        document = {"schemaVersion": "1.0", "skills": list(self.entries.values())}
        self.write(REGISTRY, json.dumps(document, indent=2) + "\n")

    def add_skill(self, name, text):
        self.entries[name] = {"id": name, "summary": text, "path": f"skills/{name}"}
        self.write(f"skills/{name}/SKILL.md", text + "\n")
        self.write(f"skills/{name}/scripts/run.sh", f"#!/bin/sh\necho {text}\n")
        (self.path / f"skills/{name}/scripts/run.sh").chmod(0o755)
        self.write_registry()

    def commit(self, message, *, add=True):
        if add:
            self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def tree_of(self, *lines):
        """A commit whose tree holds these entries beside a registry, whatever their names are."""
        blob = self.git("hash-object", "-w", "--stdin", stdin=b"x")
        registry = self.git("rev-parse", f"main:{REGISTRY}")
        inner = self.raw_tree([("100644", "skills-registry.json", registry)])
        entries = [(mode, name, {"BLOB": blob}.get(what, what)) for mode, name, what in lines]
        tree = self.raw_tree(sorted([*entries, ("40000", "skills", inner)], key=lambda it: it[1]))
        return self.git("commit-tree", tree, "-m", "odd")

    def raw_tree(self, entries):
        data = b"".join(f"{mode} {name}".encode() + b"\0" + bytes.fromhex(it) for mode, name, it in entries)
        return self.git("hash-object", "-w", "-t", "tree", "--literally", "--stdin", stdin=data)


class GitHttps(WebServer):
    """`faults`: of GET (refs) and POST (pack): status, headers, type, cut (bytes until the connection ends), silent
    (bytes until nothing more comes), slow (seconds between blocks of 4 KiB), body, again (follows for ever)."""

    def __init__(self, repository, folder):
        self.faults = {"GET": {}, "POST": {}}
        self.seen = []
        self.sent = threading.Event()  # the first bytes of a pack
        key, self.ca = certificate(folder, needs("openssl"))
        super().__init__(lambda request: self.answer(request, repository), key)
        self.url = self.base + "/skills"

    def answer(self, request, repository):
        self.seen.append(f"{request.command} {request.path}")
        faults = self.faults[request.command]
        body = request.rfile.read(int(request.headers.get("Content-Length", 0)))
        status, headers, out = 200, {}, faults.get("body")
        if request.path.startswith("/skills/") and out is None:
            headers, out = self.backend(request, repository, body)
        elif out is None:
            status, out = 404, b"no such page"
        headers = {**headers, **({"Content-Type": faults["type"]} if "type" in faults else {}),
                   **faults.get("headers", {})}
        request.send_response(faults.get("status", status))
        request.close_connection = True
        if "again" not in faults:
            headers["Content-Length"] = str(len(out))
        for name, value in {**headers, "Connection": "close"}.items():
            request.send_header(name, value)
        request.end_headers()
        self.send(request, out, faults)

    def send(self, request, out, faults):
        end = min(faults.get("cut", len(out)), faults.get("silent", len(out)))
        for at in range(0, end, 4096):
            request.wfile.write(out[at:min(at + 4096, end)])
            request.wfile.flush()
            if request.command == "POST":
                self.sent.set()
            if faults.get("slow"):
                self.done.wait(faults["slow"])
        while "again" in faults:
            request.wfile.write(faults["again"])
        if "silent" in faults:
            self.sent.set()
            self.done.wait(LIMIT_S)

    @staticmethod
    def backend(request, repository, body):
        path, _, query = request.path.partition("?")
        environment = {**os.environ, "GIT_PROJECT_ROOT": str(repository.path / ".git"), "GIT_HTTP_EXPORT_ALL": "1",
                       "PATH_INFO": path.removeprefix("/skills"), "QUERY_STRING": query,
                       "REQUEST_METHOD": request.command, "CONTENT_LENGTH": str(len(body)),
                       "CONTENT_TYPE": request.headers.get("Content-Type", "")}
        done = subprocess.run(["git", "http-backend"], input=body, env=environment, capture_output=True, check=False)
        head, _, out = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
        headers.pop("Status", None)
        return headers, out


class Sshd:
    """The real sshd for this user, and an agent that holds the key it takes."""

    def __init__(self, folder):
        needs(SSHD)
        for program in ("ssh-keygen", "ssh-agent", "ssh-add"):
            needs(program)
        self.port = free_port()
        self.folder = folder
        for name in ("host", "user"):
            self.make_key(folder / name)
        (folder / "config").write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nAuthorizedKeysFile {folder}/user.pub\n"
            "UsePAM no\nStrictModes no\nPasswordAuthentication no\nPermitRootLogin yes\nPidFile none\n")
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        self.log = open(folder / "sshd.log", "wb")
        self.process = subprocess.Popen([SSHD, "-D", "-e", "-f", str(folder / "config")], stdin=subprocess.DEVNULL,
                                        stdout=self.log, stderr=self.log)
        agent_folder = tempfile.mkdtemp(prefix="agent-")
        self.agent_socket = f"{agent_folder}/s"
        self.agent = subprocess.Popen(["ssh-agent", "-D", "-a", self.agent_socket], stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL)
        self.wait(lambda: os.path.exists(self.agent_socket))
        self.wait(self.accepts)
        self.add_key(folder / "user")

    @staticmethod
    def make_key(path):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)

    def add_key(self, path):
        subprocess.run(["ssh-add", "-q", str(path)], check=True, capture_output=True,
                       env={**os.environ, "SSH_AUTH_SOCK": self.agent_socket})

    def wait(self, condition):
        end = time.monotonic() + LIMIT_S
        while not condition():
            if time.monotonic() > end or self.process.poll() is not None:
                self.stop()
                raise unittest.SkipTest("sshd: " + (self.folder / "sshd.log").read_text(errors="replace")[-300:])
            time.sleep(0.02)

    def accepts(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def known_hosts(self):
        return f"[127.0.0.1]:{self.port} " + (self.folder / "host.pub").read_text()

    def stop(self):
        for process in (self.process, self.agent):
            process.terminate()
            process.wait()
        self.log.close()
        shutil.rmtree(os.path.dirname(self.agent_socket), ignore_errors=True)
