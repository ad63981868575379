"""What needs the libraries that are loaded by name: a command for each of them, with what it then prints."""
import hashlib
import io
import json
import re
import shutil
import subprocess
import zipfile

import packages
import peer
import web_server

PLAN = {"commandId": "c", "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator", "timeoutMs": 5000,
        "actions": [{"id": "r", "type": "read_text", "params": {
            "matcher": {"textEquals": "N"}, "validator": "regex", "validatorPattern": "a+"}}]}
APK = b"a package"


class Features:
    """`home` is the user's, `folder` any other that the commands can read; they have the same names for us."""

    def __init__(self, test, home, folder):
        self.home, self.folder = home, folder
        self.phone = peer.Simdroid("--operator", "0.12.5")
        test.addCleanup(self.phone.stop)
        self.strict_phone = peer.Simdroid("--auth", "tls")
        test.addCleanup(self.strict_phone.stop)
        key, self.trusted = web_server.certificate(folder)
        self.web = web_server.WebServer(self.answer, tls=key)
        test.addCleanup(self.web.stop)
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
            zipped.writestr("run", "echo run")
        digest = hashlib.sha256(APK).hexdigest()
        self.routes = {"/tool.zip": archive.getvalue(), "/latest.json": b'{"version":"0.12.5"}',
                       "/v0.12.5/operator-v0.12.5.apk": APK,
                       "/v0.12.5/operator-v0.12.5.apk.sha256": f"{digest}  operator-v0.12.5.apk\n".encode()}
        self.prepare()

    def answer(self, request):
        body = self.routes.get(request.path)
        request.send_response(404 if body is None else 200)
        request.send_header("Content-Length", str(len(body or b"")))
        request.end_headers()
        request.wfile.write(body or b"")

    def prepare(self):
        repository = self.folder / "skills.git"
        shutil.copytree(packages.ROOT / "skills", repository / "skills")
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", "-C", repository]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "skills"]):
            subprocess.run([*git, *words], check=True)
        skill = self.home / ".openclaw/skills/tool"
        skill.mkdir(parents=True)
        needs = {"openclaw": {"install": [{"id": "zip", "kind": "download", "url": f"{self.web.base}/tool.zip",
                                           "archive": "zip"}]}}
        (skill / "SKILL.md").write_text(
            f"---\nname: tool\ndescription: a tool\nmetadata: {json.dumps(needs)}\n---\nDo it.\n")
        (self.home / "large").write_bytes(b"0123456789" * 100_000)

    def environment(self):
        return {"SSL_CERT_FILE": self.trusted, "CLAWPERATOR_APK_METADATA_URL": f"{self.web.base}/latest.json"}

    def commands(self):
        """(words, what is in the output, the libraries that it is about)"""
        there = ["--device", self.phone.address, "--transport", "tcp"]
        push = ["adb", "-s", self.phone.address, "push", "-z"]
        yield ["connect", self.phone.address], r"connected", []
        yield ["click", "--coordinate", "540", "1200", *there], '"success":true', []
        yield ["screenshot", "--marks", "--path", f"{self.home}/a.jpg", *there], "treeHash", ["turbojpeg"]
        yield ["screenshot", "--marks", "--path", f"{self.home}/a.png", *there], "treeHash", ["spng"]
        yield ["snapshot", "--device", self.strict_phone.address, "--transport", "tcp"], \
            "the certificate was refused", ["crypto", "ssl"]
        yield [*push, "brotli", f"{self.home}/large", "/sdcard/b"], "1 file pushed", ["brotlienc", "brotlicommon"]
        yield ["adb", "-s", self.phone.address, "pull", "-z", "brotli", "/sdcard/b", f"{self.home}/b"], \
            "1 file pulled", ["brotlidec"]
        yield [*push, "zstd", f"{self.home}/large", "/sdcard/z"], "1 file pushed", ["zstd"]
        yield ["pair", "--qr", "--timeout", "1000"], "████", ["qrencode"]
        yield ["exec", "--validate-only", "--payload", json.dumps(PLAN)], '"validated":true', ["pcre2-8"]
        yield ["skills", "install", "--repo", self.folder / "skills.git"], '"synced":true', ["git2", "ssh2"]
        yield ["agent-skills", "info", "tool"], '"name":"tool"', ["fyaml"]
        yield ["agent-skills", "install", "tool", "zip", "--yes"], '"ok":true', ["archive", "xml2", "icudata", "curl"]
        yield ["version", "--json"], r'"file":"libusb-1\.0\.so\.0","version":"[0-9.]+","found":true', \
            ["usb-1.0", "udev"]
        yield ["operator", "download"], '"ok":true', ["curl", "nghttp2"]

    def try_all(self, test, run):
        """`run(words)` gives a finished process; its stderr is searched, too."""
        for words, wanted, libraries in self.commands():
            done = run(words)
            test.assertTrue(re.search(wanted, done.stdout + done.stderr), (words, done.stdout, done.stderr[-3000:]))
            yield words, done, libraries
