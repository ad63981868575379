#!/usr/bin/env python3
"""The tarball in fresh roots of Debian: installed by an ordinary user, used, upgraded and removed without a trace.
Debian 11 gets its sentence. usage: tests/packages/roots.py [RELEASE...]

A root is made of packages that are only unpacked, below build/packages/roots; of the libraries that the programs load
by name it has none. Prints a row for each root, and as its last line `N passed, N failed, N skipped`.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "peer"), str(HERE.parent / "support")]
import packages
import peer
import web_server
from features import Features

NEW, OLD = ("bookworm", "trixie", "sid"), ("bullseye",)
ROOTS = packages.ROOT / "build/packages/roots"
TOOLS = ("bash dash coreutils tar gzip sed grep findutils mawk libc-bin").split()
USER = 1000
# Of the system, for the time that a program runs in the root.
MOUNTS = """
mount --rbind /dev "$0/dev"; mount -t proc none "$0/proc"; mkdir -p "$0$1"; mount --bind "$1" "$0$1"
root=$0 here=$1; shift; exec chroot --userspec="$user" "$root" /usr/bin/env -C "$here" "$@"
"""


class Unavailable(Exception):
    pass


def build_root(release):
    folder = ROOTS / release
    done = packages.run("tools/fetch/debs", "--with-all-they-need", release, folder, *TOOLS, cwd=packages.ROOT,
                        limit=900)
    if done.returncode != 0:
        raise Unavailable(done.stderr.strip().splitlines()[-1])
    root = folder / "root"
    shutil.rmtree(root, ignore_errors=True)
    for name in ("usr/lib", "usr/lib64", "usr/bin", "usr/sbin", "etc", "proc", "dev", "tmp"):
        (root / name).mkdir(parents=True)
    for name in ("lib", "lib64", "bin", "sbin"):
        (root / name).symlink_to(f"usr/{name}")
    for deb in sorted((folder / "debs").glob("*.deb")):
        subprocess.run(f"dpkg-deb --fsys-tarfile '{deb}' | tar -x --no-same-owner --keep-directory-symlink -C '{root}' "
                       "--exclude ./usr/share/doc --exclude ./usr/share/locale", shell=True, check=True)
    if not (root / "usr/bin/awk").exists():
        (root / "usr/bin/awk").symlink_to("mawk")
    (root / "etc/passwd").write_text(f"root:x:0:0:root:/root:/bin/sh\nuser:x:{USER}:{USER}::/tmp:/bin/sh\n")
    return root


def names(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


class Root(unittest.TestCase):
    def __init__(self, release):
        super().__init__("used" if release in NEW else "refused")
        self.release, self.seen = release, ""

    def setUp(self):
        self.root = build_root(self.release)
        self.sandbox = pathlib.Path(tempfile.mkdtemp(prefix="roots-"))
        self.addCleanup(shutil.rmtree, self.sandbox, ignore_errors=True)
        self.home = self.sandbox / "home"
        (self.home / "tmp").mkdir(parents=True, mode=0o700)
        for file in (packages.tarball(), packages.tarball().with_name("SHA256SUMS"), packages.INSTALLER):
            shutil.copy(file, self.sandbox)
        self.file = self.sandbox / packages.tarball().name

    def own(self):
        for path in (self.sandbox, *self.sandbox.rglob("*")):
            os.chown(path, USER, USER, follow_symlinks=False)

    def run_inside(self, *words, user=f"{USER}:{USER}", **environment):
        temp = self.home / "tmp"
        variables = {"PATH": f"{self.home}/.local/bin:/usr/bin:/bin", "HOME": self.home, "SHELL": "/bin/bash",
                     "TMPDIR": temp, "CLAWPERATOR_LOCK_DIR": temp, "XDG_RUNTIME_DIR": temp,
                     "ANDROID_ADB_SERVER_PORT": "1", **environment}
        return packages.run("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", MOUNTS, self.root,
                            self.sandbox, *(f"{name}={value}" for name, value in variables.items()), *words,
                            env={"PATH": os.environ["PATH"], "user": user})

    def install(self, *words, **environment):
        done = self.run_inside("sh", self.sandbox / "install.sh", *words, **environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def used(self):
        before, system = names(self.home), names(self.root)
        features = Features(self, self.home, self.sandbox)
        features_made = names(self.home) - before
        self.own()
        began = time.monotonic()
        self.install(self.file, "--no-skills", "--no-device", "--profile-line")
        for words in (["connect", features.phone.address], ["open", "com.android.settings"],
                      ["click", "--text", "Search settings", "--verify", "changed"]):
            done = self.run_inside("clawperator", *words)
            self.assertEqual(done.returncode, 0, done)
        took = time.monotonic() - began
        self.assertIn('"effect":"changed"', done.stdout)
        count = sum(1 for _ in features.try_all(self, lambda words: self.run_inside(
            "clawperator", *words, **features.environment())))
        doctor = self.run_inside("clawperator", "doctor")
        self.assertEqual(doctor.returncode, 0, doctor)
        self.assertIn("is installed already", self.install(self.file, "--no-skills", "--no-device"))

        newer = packages.pack(self.sandbox, {"bin/clawperator": packages.program(), "install.sh": b"",
                                             "bin/simdroid": packages.program(peer.build_of("simdroid"))})
        self.own()
        self.assertIn("is installed in place of", self.install(newer, "--no-skills", "--no-device"))
        self.assertEqual(self.run_inside("clawperator", "click", "--coordinate", "540", "1200").returncode, 0)
        self.install("--uninstall")
        users = {".clawperator", ".android", ".cache", ".openclaw", "tmp", ".bashrc", "a.jpg", "a.png", "large", "b"}
        left = {name for name in names(self.home) - before - features_made if name.split("/")[0] not in users}
        self.assertEqual(left, set())
        self.used_by_root()
        not_ours = ("root", "tmp")  # what root's own runs left, and the mount point of the sandbox
        self.assertEqual({name for name in names(self.root) - system if name.split("/")[0] not in not_ours}, set())
        self.seen = (f"{took:.1f} s from the file to the first verified tap, {count} features, upgraded, "
                     "removed without a trace")

    def used_by_root(self):
        """Who installs below /usr/local."""
        as_root = {"user": "0:0", "HOME": "/root", "PATH": "/usr/local/bin:/usr/bin:/bin"}
        self.install(self.sandbox, "--no-skills", "--no-device", **as_root)
        self.assertTrue((self.root / "usr/local/bin/clawperator").is_symlink())
        self.assertEqual(self.run_inside("clawperator", "--version", **as_root).stdout.strip(), packages.version())
        self.install("--uninstall", **as_root)

    def refused(self):
        before = names(self.home)
        self.own()
        done = self.run_inside("sh", self.sandbox / "install.sh", self.file)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done)
        self.assertRegex(done.stderr, r"\Ainstall\.sh: .* needs the C library glibc 2\.36 or newer .* has 2\.31\.\n\Z")
        self.assertEqual(names(self.home), before)
        self.seen = done.stderr.strip()


def main():
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    if os.geteuid() != 0 or packages.run("unshare", "--mount", "mount", "--bind", "/", "/mnt").returncode != 0:
        print("SKIP: roots: only root makes roots of other releases\n0 passed, 0 failed, 1 skipped")
        return 0
    for release in sys.argv[1:] or (*NEW, *OLD):
        test, result = Root(release), unittest.TestResult()
        test.run(result)
        problem = [text for _, text in result.failures + result.errors]
        if problem and "Unavailable: " in problem[0]:
            counts["skipped"] += 1
            print(f"SKIP: roots.{release}: {problem[0].strip().splitlines()[-1]}")
        elif problem:
            counts["failed"] += 1
            print(f"FAIL: roots.{release}: {problem[0].strip().splitlines()[-1][:1000]}\n{problem[0]}")
        else:
            counts["passed"] += 1
            print(f"ok: roots.{release}: {test.seen}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
