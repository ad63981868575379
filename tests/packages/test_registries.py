"""The npm packages and the Python wheel: each is installed from its file, offline, and drives a phone."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import unittest
import zipfile

import packages
import peer
from limits import LIMIT_S

NODE_ARCH = {"x86_64": "x64", "aarch64": "arm64"}[packages.ARCH]


class Installed(packages.InstallTest):
    """In a home of its own, but by the user that runs the tests, who can run this machine's node and Python."""
    ANOTHER_USER = False

    def environment(self, **extra):
        return super().environment(PATH=os.environ["PATH"], **extra)

    def run_here(self, *command, **options):
        return packages.run(*command, env=self.environment(), cwd=self.sandbox, **options)

    def drive_a_phone(self, *command):
        phone = peer.Simdroid("--operator", "0.12.5")
        self.addCleanup(phone.stop)
        self.assertEqual(self.run_here(*command, "--version").stdout.strip(), packages.version())
        for words in (["connect", phone.address], ["snapshot"], ["click", "--coordinate", "540", "1200"],
                      ["screenshot", "--marks", "--path", self.sandbox / "a.jpg"]):
            done = self.run_here(*command, *words)
            self.assertEqual(done.returncode, 0, done)

    def assert_own_libraries(self, program, folder):
        done = packages.run(program, "pair", "--qr", "--timeout", "1000", env=self.environment(LD_DEBUG="libs"))
        self.assertIn(f"calling init: {folder}/libqrencode.so", done.stderr)


class Npm(Installed):
    def setUp(self):
        super().setUp()
        if not shutil.which("npm"):
            self.skipTest("no npm here (packages nodejs and npm)")
        self.folders = packages.made(packages.ROOT / "packaging/npm", packages.some(self.downloads),
                                     "--out", self.sandbox / "npm")

    def installed(self):
        files = []
        for folder in self.folders:
            done = self.run_here("npm", "pack", "--silent", "--pack-destination", self.sandbox, folder)
            self.assertEqual(done.returncode, 0, done)
            files.append(self.sandbox / done.stdout.strip())
        done = self.run_here("npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix",
                             self.sandbox / "app", *files)
        self.assertEqual(done.returncode, 0, done)
        return self.sandbox / "app/node_modules/.bin/clawperator"

    def laid_out(self):
        """As npm does it, without its time."""
        shutil.copytree(self.sandbox / "npm", self.sandbox / "node_modules")
        return self.sandbox / "node_modules"

    def test_the_packages_are_installed_from_their_files(self):
        platform = f"clawperator-linux-{NODE_ARCH}"
        self.assertEqual([folder.name for folder in self.folders], ["clawperator", platform])
        program = self.installed()
        self.drive_a_phone(program)
        home = self.sandbox / "app/node_modules" / platform
        self.assert_own_libraries(home / "bin/clawperator", home / "lib/clawperator")
        self.assertTrue((home / "share/doc/clawperator/LICENSE").is_file())

    def test_other_folders_stay(self):
        out = self.sandbox / "npm"
        (out / "clawperator-linux-old").mkdir()
        (out / "mine").write_text("mine")
        again = packages.made(packages.ROOT / "packaging/npm", packages.some(self.downloads), "--out", out)
        self.assertEqual(again, self.folders)
        self.assertEqual({path.name for path in out.iterdir()}, {"mine", *(folder.name for folder in again)})

    def test_what_they_declare(self):
        main, platform = [json.loads((folder / "package.json").read_text()) for folder in self.folders]
        self.assertEqual((platform["os"], platform["cpu"], platform["libc"]), (["linux"], [NODE_ARCH], ["glibc"]))
        self.assertEqual(main["optionalDependencies"], dict.fromkeys(
            ("clawperator-linux-x64", "clawperator-linux-arm64"), packages.version()))
        for each in (main, platform):
            self.assertEqual(each["version"], packages.version())
            self.assertNotIn("scripts", each)
            self.assertEqual(each["license"], "Apache-2.0")

    def test_the_end_of_the_program_is_the_end_of_the_launcher(self):
        program = self.laid_out() / "clawperator/bin/clawperator.js"
        failed = self.run_here(program, "no-such-command")
        direct = self.run_here(peer.BINARY, "no-such-command")
        self.assertEqual((failed.returncode, failed.stdout), (direct.returncode, direct.stdout))
        given = subprocess.run([program, "mcp"], input=json.dumps({
            "jsonrpc": "2.0", "id": 1, "method": "ping"}) + "\n", text=True, capture_output=True, timeout=10 * LIMIT_S,
            env=self.environment(), check=False)
        self.assertEqual(json.loads(given.stdout)["id"], 1, given)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            with subprocess.Popen([program, "sim", "--port", "0"], stdout=subprocess.PIPE, env=self.environment(),
                                  start_new_session=True, text=True) as process:
                port = int(json.loads(process.stdout.readline())["address"].rpartition(":")[2])
                if number == signal.SIGKILL:  # the program's own
                    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
                    os.kill(int(children[0]), number)
                elif number == signal.SIGINT:  # as a terminal sends it: to both
                    os.killpg(process.pid, number)
                else:
                    process.send_signal(number)
                code = process.wait(LIMIT_S)
            own = subprocess.Popen([peer.BINARY, "sim", "--port", "0"], stdout=subprocess.PIPE, env=self.environment())
            own.stdout.readline()
            own.send_signal(number)
            self.assertEqual(code, own.wait(LIMIT_S), number)
            own.stdout.close()
            self.assertFalse(peer.accepts(port), f"{number}: the program runs on")

    def test_the_terminal_s_signals_are_not_sent_twice(self):
        modules = self.laid_out()
        (modules / f"clawperator-linux-{NODE_ARCH}/bin/clawperator").write_text(
            "#!/bin/sh\ntrap 'echo INT' INT\ntrap 'echo TERM; exit 0' TERM\necho ready\nwhile :; do sleep 0.1; done\n")
        with subprocess.Popen([modules / "clawperator/bin/clawperator.js"], stdout=subprocess.PIPE, text=True,
                              env=self.environment()) as process:
            self.assertEqual(process.stdout.readline(), "ready\n")
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.communicate(timeout=LIMIT_S), ("TERM\n", None))

    def test_a_platform_without_a_package_is_one_sentence(self):
        modules = self.laid_out()
        shutil.rmtree(modules / f"clawperator-linux-{NODE_ARCH}")
        program = modules / "clawperator/bin/clawperator.js"
        done = self.run_here(program, "devices")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, rf"\A\S+ the package clawperator-linux-{NODE_ARCH} is not installed: .*\n\Z")


class Wheel(Installed):
    def setUp(self):
        super().setUp()
        self.tarball = packages.some(self.downloads)
        self.file = self.made(self.sandbox)

    def made(self, out):
        return packages.made(packages.ROOT / "packaging/wheel", self.tarball, "--out", out)[0]

    def test_it_is_installed_from_its_file(self):
        venv = self.sandbox / "venv"
        made = self.run_here(sys.executable, "-m", "venv", venv, limit=20 * LIMIT_S)
        if made.returncode != 0:
            self.skipTest("no python3 -m venv here (package python3-venv)")
        done = self.run_here(venv / "bin/pip", "install", "--no-index", "--disable-pip-version-check", self.file)
        self.assertEqual(done.returncode, 0, done)
        self.drive_a_phone(venv / "bin/clawperator")
        self.assert_own_libraries(venv / "bin/clawperator", venv / "lib/clawperator")
        self.assertTrue((venv / "share/man/man1/clawperator.1").is_file())
        checked = self.run_here(venv / "bin/pip", "check")
        self.assertEqual(checked.returncode, 0, checked)
        gone = self.run_here(venv / "bin/pip", "uninstall", "--yes", "clawperator")
        self.assertEqual(gone.returncode, 0, gone)
        # pip leaves folders.
        left = [name for name, what in packages.listing(venv).items() if "clawperator" in name and what != "folder"]
        self.assertEqual(left, [])

    def test_what_it_is(self):
        self.assertEqual(self.file.name,
                         f"clawperator-{packages.version()}-py3-none-manylinux_2_36_{packages.ARCH}.whl")
        self.assertEqual(self.made(self.sandbox / "again").read_bytes(), self.file.read_bytes())
        with zipfile.ZipFile(self.file) as wheel:
            self.assertIsNone(wheel.testzip())
            record = wheel.read(f"clawperator-{packages.version()}.dist-info/RECORD").decode()
            self.assertEqual([line.split(",")[0] for line in record.splitlines()], wheel.namelist())


if __name__ == "__main__":
    unittest.main()
