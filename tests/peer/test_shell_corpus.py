"""The simulated phone's shell beside a phone's own: mksh with toybox's programs [T1].

Every script of shell_scripts.txt runs in both, in an empty folder of its own; what it prints and its exit status must
be the same, and so must be whether it complains. The real shell finds only the programs that the simulated one has, so
what neither has is "not found" in both."""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import unittest

import peer
from limits import LIMIT_S, scaled

SCRIPTS = pathlib.Path(__file__).with_name("shell_scripts.txt")
PLACE = "/data/local/tmp/corpus"
SCRIPT_LIMIT_S = scaled(10)


def scripts():
    """A script a line; lines that begin with a tab go on, lines that begin with ## are comments."""
    found = []
    for line in SCRIPTS.read_text().split("\n"):
        if line.startswith("\t"):
            found[-1] += "\n" + line[1:]
        elif line and not line.startswith("##"):
            found.append(line)
    return found


class ShellCorpus(peer.PeerTest):
    def setUp(self):
        super().setUp()
        self.mksh, self.toybox = shutil.which("mksh"), shutil.which("toybox")
        if not self.mksh or not self.toybox:
            raise unittest.SkipTest("no mksh or toybox (packages mksh, toybox)")
        self.device = self.started(peer.Simdroid())
        self.folder = self.home.path / "corpus"
        self.names = {f"{number:04}": script for number, script in enumerate(scripts(), 1)}
        (self.folder / "s").mkdir(parents=True)
        for name, script in self.names.items():
            (self.folder / "s" / name).write_text(script + "\n")

    def on_the_phone(self):
        """name -> (stdout, whether it complained, exit status)"""
        device = ("--device", self.device.address, "--transport", "tcp", "adb")
        self.assert_ok(self.run_clawperator(*device, "push", self.folder / "s", PLACE + "/s", limit=2 * LIMIT_S))
        self.assert_ok(self.run_clawperator(*device, "shell", f"""cd {PLACE}; mkdir w o
for i in {' '.join(self.names)}; do mkdir w/$i; cd w/$i
timeout {SCRIPT_LIMIT_S} sh ../../s/$i >../../o/$i.out 2>../../o/$i.err </dev/null; echo $? >../../o/$i.rc
cd {PLACE}; done""", limit=5 * LIMIT_S))
        self.assert_ok(self.run_clawperator(*device, "pull", PLACE + "/o", self.folder / "o", limit=2 * LIMIT_S))
        read = lambda name, kind: (self.folder / "o" / f"{name}.{kind}").read_bytes()
        return {name: (read(name, "out"), bool(read(name, "err")), int(read(name, "rc"))) for name in self.names}

    def applets(self):
        """A folder of the programs that both have."""
        device = ("--device", self.device.address, "--transport", "tcp", "adb")
        known = subprocess.run([self.toybox], capture_output=True, text=True, check=False).stdout.split()
        run = self.assert_ok(self.run_clawperator(*device, "shell", "which " + " ".join(known) + "; true"))
        folder = self.home.path / "bin"
        folder.mkdir()
        for line in run.out.decode().split():
            (folder / os.path.basename(line)).symlink_to(self.toybox)
        (folder / "sh").symlink_to(self.mksh)
        return folder

    def for_real(self, name, path):
        folder = self.folder / "w" / name
        folder.mkdir(parents=True)
        environment = {"PATH": str(path), "HOME": "/", "TMPDIR": str(self.folder)}
        done = subprocess.run([str(path / "sh"), str(self.folder / "s" / name)], cwd=folder, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=SCRIPT_LIMIT_S, check=False)
        return done.stdout, bool(done.stderr), done.returncode

    def test_every_script_does_the_same_in_mksh(self):
        self.assertGreaterEqual(len(self.names), 300)
        path, simulated, wrong = self.applets(), self.on_the_phone(), []
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            real = dict(zip(self.names, pool.map(lambda name: self.for_real(name, path), self.names)))
        for name, script in self.names.items():
            if simulated[name] != real[name]:
                wrong.append(f"{script}\n    mksh     {real[name]}\n    simdroid {simulated[name]}")
        self.assertFalse(wrong, f"{len(wrong)} of {len(self.names)} differ\n" + "\n".join(wrong))


if __name__ == "__main__":
    unittest.main()
