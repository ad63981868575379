"""What the tests of packages share: the tarball of this build, made once, and places to install it in."""
import fcntl
import functools
import gzip
import hashlib
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import platform
import pwd
import shutil
import subprocess
import tarfile
import tempfile
import unittest

import peer
from limits import LIMIT_S

ROOT = peer.ROOT
INSTALLER = ROOT / "packaging/install.sh"
OUT = ROOT / "build/packages/tested"
ARCH = platform.machine()
PLAIN_USER = "nobody"


def run(*command, limit=10 * LIMIT_S, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=limit,
                          stdin=subprocess.DEVNULL, check=False, **options)


def made(*command):
    """The paths that a script of packaging/ prints."""
    done = run(*command)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
    return [pathlib.Path(line) for line in done.stdout.splitlines()]


def script(name):
    """A program of packaging/, as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / "packaging" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


@functools.cache
def tarball():
    """Of the build under test; the tests run side by side, and one of them makes it."""
    OUT.mkdir(parents=True, exist_ok=True)
    with open(OUT / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        inputs = [peer.BINARY, peer.build_of("simdroid"), INSTALLER, *(ROOT / "packaging").rglob("*")]
        found = sorted(OUT.glob("clawperator-*.tar.gz"), key=lambda path: path.stat().st_mtime)
        if found and found[-1].stat().st_mtime > max(path.stat().st_mtime for path in inputs):
            return found[-1]
        return made(ROOT / "packaging/tarball", "--build", peer.BUILD, "--out", OUT)[0]


@functools.cache
def version():
    return run(peer.BINARY, "--version").stdout.strip()


@functools.cache
def program(path=peer.BINARY):
    """A binary, stripped."""
    OUT.mkdir(parents=True, exist_ok=True)
    stripped = OUT / f"stripped-{os.getpid()}"
    subprocess.run(["strip", "-o", stripped, path], check=True)
    content = stripped.read_bytes()
    stripped.unlink()
    return content


@functools.lru_cache(maxsize=8)
def packed(name, files):
    file = io.BytesIO()
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=1) as zipped:
        with tarfile.open(fileobj=zipped, mode="w") as tar:
            for path, content in files:
                entry = tarfile.TarInfo(f"{name}/{path}")
                entry.size, entry.mode = len(content), 0o755 if path.startswith("bin/") else 0o644
                tar.addfile(entry, io.BytesIO(content))
    return file.getvalue()


def pack(folder, files):
    """A tarball of {name: bytes}, with its line in SHA256SUMS."""
    name = f"clawperator-{version()}-linux-{ARCH}"
    content = packed(name, tuple(files.items()))
    path = folder / f"{name}.tar.gz"
    path.write_bytes(content)
    (folder / "SHA256SUMS").write_text(f"{hashlib.sha256(content).hexdigest()}  {path.name}\n")
    return path


def small(folder, **more):
    """The program without its libraries: quick to unpack."""
    return pack(folder, {"bin/clawperator": program(), "install.sh": INSTALLER.read_bytes(),
                         "share/man/man1/clawperator.1": b"a page\n", **more})


def some(folder):
    """Both programs and one library, of which there are some forty."""
    with tarfile.open(tarball()) as tar:
        names = {name.partition("/")[2]: name for name in tar.getnames()}
        chosen = ["bin/clawperator", "bin/simdroid", "share/doc/clawperator/LICENSE", "share/man/man1/clawperator.1",
                  *(name for name in names if name.startswith("lib/clawperator/libqrencode.so"))]
        return pack(folder, {name: tar.extractfile(names[name]).read() for name in chosen})


def listing(folder):
    """Every name below a folder, with what a link leads to, or a file holds."""
    found = {}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        found[name] = (os.readlink(path) if path.is_symlink() else
                       hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder")
    return found


class InstallTest(unittest.TestCase):
    """A user's home and a folder of downloads. Where the tests run as root, the user is another one."""
    ANOTHER_USER = True

    def setUp(self):
        self.sandbox = pathlib.Path(tempfile.mkdtemp(prefix="install-"))
        self.addCleanup(shutil.rmtree, self.sandbox, ignore_errors=True)
        self.home, self.downloads, self.temp = (self.sandbox / name for name in ("home", "downloads", "tmp"))
        for folder in (self.home, self.downloads, self.temp):
            folder.mkdir()
        self.temp.chmod(0o700)
        self.prefix = self.home / ".local"
        self.program = self.prefix / "bin/clawperator"
        self.own = self.prefix / "lib/clawperator"
        self.as_user = {}
        if os.geteuid() == 0 and self.ANOTHER_USER:
            user = pwd.getpwnam(PLAIN_USER)
            self.as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(self.sandbox, user.pw_uid, user.pw_gid)
        self.give_to_user()

    def give_to_user(self):
        """What a test has put there."""
        for folder in (self.home, self.temp) if self.as_user else ():
            for path in (folder, *folder.rglob("*")):
                os.chown(path, self.as_user["user"], self.as_user["group"], follow_symlinks=False)

    def environment(self, **extra):
        return {"PATH": "/usr/bin:/bin", "HOME": str(self.home), "TMPDIR": str(self.temp), "SHELL": "/bin/bash",
                "XDG_RUNTIME_DIR": str(self.temp), "CLAWPERATOR_LOCK_DIR": str(self.temp), "CLAWPERATOR_USB": "0",
                "ANDROID_ADB_SERVER_PORT": "1", **{name: str(value) for name, value in extra.items()}}

    def run_as_user(self, *command, env=None, **options):
        return run(*command, cwd=self.home, env=env or self.environment(), start_new_session=True,
                   **self.as_user, **options)

    def install(self, *words, script=INSTALLER, wrapper=(), **environment):
        return self.run_as_user(*wrapper, "sh", script, *words, env=self.environment(**environment))

    def installed(self, *words, **more):
        done = self.install(*words, **more)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def assert_refused(self, done, sentence):
        """One sentence, and the home as it was."""
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stderr, rf"\Ainstall\.sh: .*{sentence}.*\n\Z")
        self.assertEqual(listing(self.home), self.before)

    def clawperator(self, *words, **environment):
        return self.run_as_user(self.program, *words, env=self.environment(**environment))
