"""packaging/install.sh: from a file, a folder, a URL; upgrade, removal, phones, the shell's profile, every failure."""
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import time
import unittest

import apk  # from tests/support, which peer has made known
import packages
import peer
import web_server
from limits import LIMIT_S

ALONE = ("--no-skills", "--no-device")


class Web:
    """The folder of downloads behind HTTP; `cut` ends each body after so many bytes, `stall` keeps it open then."""

    def __init__(self, folder, cut=None, stall=False):
        self.folder, self.cut, self.stall, self.asked = folder, cut, stall, []
        self.server = web_server.WebServer(self.answer)
        self.base, self.stop = self.server.base, self.server.stop

    def answer(self, request):
        self.asked.append(request.path)
        file = self.folder / request.path.lstrip("/")
        if not file.is_file():
            return request.send_error(404)
        content = file.read_bytes()
        request.send_response(200)
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        cut = self.cut if file.suffix == ".gz" else None
        request.wfile.write(content[:cut])
        if cut is not None:
            request.wfile.flush()
            request.close_connection = True
            if self.stall:
                self.server.done.wait(LIMIT_S)


class InstallTest(packages.InstallTest):
    def setUp(self):
        super().setUp()
        self.script = shutil.copy(packages.INSTALLER, self.downloads)
        self.before = packages.listing(self.home)

    def install(self, *words, **more):
        return super().install(*words, **{"script": self.script, **more})

    def whole(self):
        path = shutil.copy(packages.tarball(), self.downloads)
        shutil.copy(packages.tarball().with_name("SHA256SUMS"), self.downloads)
        return pathlib.Path(path)

    def small(self, **more):
        return packages.small(self.downloads, **more)

    def current(self):
        return os.readlink(self.own / "current")


class Sources(InstallTest):
    def assert_installed(self):
        self.assertEqual(self.clawperator("--version").stdout.strip(), packages.version())
        for place in ("bin/simdroid", "share/man/man1/clawperator.1", "share/bash-completion/completions/clawperator",
                      "share/fish/vendor_completions.d/clawperator.fish", "share/zsh/site-functions/_clawperator"):
            self.assertTrue((self.prefix / place).is_symlink() and (self.prefix / place).is_file(), place)
        unit = (self.prefix / "share/systemd/user/clawperator.service").read_text()
        self.assertIn(f"ExecStart={self.program} daemon run", unit)
        self.assertEqual([name for name in os.listdir(self.own) if name.startswith(".")], [])

    def test_all_sources_lead_to_the_same_place_and_nothing_is_done_twice(self):
        file = self.whole()
        self.assertIn("is installed: ", self.installed(file, *ALONE))
        self.assert_installed()
        first = packages.listing(self.home)
        subprocess.run(["tar", "-xzf", file, "-C", self.downloads], check=True)
        unpacked = self.downloads / file.name.removesuffix(".tar.gz")
        web = Web(self.downloads)
        self.addCleanup(web.stop)
        for words in ([self.downloads], [unpacked], [web.base], [f"{web.base}/{file.name}"]):
            self.assertIn("is installed already", self.installed(*words, *ALONE), words)
            self.assertEqual(packages.listing(self.prefix), listing_below(first, ".local"), words)
        for script in (unpacked / "install.sh", self.own / "current/install.sh"):
            self.assertIn("is installed already", self.installed(*ALONE, script=script))
        self.assertEqual(web.asked, ["/SHA256SUMS", f"/{file.name}"] * 2)

    def test_the_script_is_read_from_a_pipe(self):
        file = self.small()
        done = self.run_as_user("sh", "-c", f"cat {self.script} | sh -s -- {file} {' '.join(ALONE)}")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.clawperator("--version").stdout.strip(), packages.version())

    def test_a_part_of_the_script_does_nothing(self):
        text = pathlib.Path(self.script).read_bytes()
        file = self.small()
        for size in range(1000, len(text) - len("}\n"), 1499):
            (self.downloads / "part.sh").write_bytes(text[:size])
            self.install(file, *ALONE, script=self.downloads / "part.sh")
            self.assertEqual(packages.listing(self.home), self.before, size)

    def test_the_newest_of_a_folder_is_taken(self):
        file = self.small()
        older = file.with_name(file.name.replace(packages.version(), "0.0.9"))
        sums = (self.downloads / "SHA256SUMS").read_text()
        (self.downloads / "SHA256SUMS").write_text(f"{'0' * 64}  {older.name}\n{sums}{'1' * 64}  clawperator.deb\n")
        self.installed(self.downloads, *ALONE)

    def test_a_checksum_is_given_by_hand(self):
        file = self.small()
        given = (self.downloads / "SHA256SUMS").read_text()[:64]
        (self.downloads / "SHA256SUMS").unlink()
        self.assert_refused(self.install(file, *ALONE, "--sha256", "0" * 64), "checksum of .* is wrong")
        self.installed(file, *ALONE, "--sha256", given)

    def test_the_url_that_was_built_in_is_the_source_where_none_is_given(self):
        self.small()
        web = Web(self.downloads)
        self.addCleanup(web.stop)
        os.environ["CLAWPERATOR_DOWNLOAD_URL"] = web.base
        self.addCleanup(os.environ.pop, "CLAWPERATOR_DOWNLOAD_URL")
        script = self.downloads / "with_url.sh"
        script.write_text(packages.script("tarball").installer())
        self.installed(*ALONE, script=script)
        self.assertEqual(self.clawperator("--version").stdout.strip(), packages.version())

    def test_wget_where_there_is_no_curl(self):
        if not shutil.which("wget"):
            self.skipTest("no wget here (package wget)")
        tools = self.sandbox / "tools"
        tools.mkdir()
        for folder in ("/usr/bin", "/bin"):
            for tool in pathlib.Path(folder).iterdir():
                if tool.name != "curl" and not (tools / tool.name).exists():
                    (tools / tool.name).symlink_to(tool)
        self.small()
        web = Web(self.downloads)
        self.addCleanup(web.stop)
        self.installed(web.base, *ALONE, PATH=tools)
        web.cut = 1000
        self.before = packages.listing(self.home)
        self.assert_refused(self.install(web.base, *ALONE, PATH=tools), "cannot download")


def listing_below(found, folder):
    return {name.removeprefix(folder + "/"): what for name, what in found.items() if name.startswith(folder + "/")}


class Failures(InstallTest):
    """Each of them is one sentence, and leaves the home as it was."""

    def refused(self, sentence, *words, **more):
        self.assert_refused(self.install(*(words or [self.small()]), *ALONE, **more), sentence)

    def fake(self, **programs):
        """A PATH in which these programs print what they are given, or fail without."""
        folder = self.sandbox / "fakes"
        folder.mkdir(exist_ok=True)
        for name, text in programs.items():
            (folder / name).write_text(f"#!/bin/sh\nprintf '%s\\n' '{text}'\n" if text else "#!/bin/sh\nexit 1\n")
            (folder / name).chmod(0o755)
        return f"{folder}:/usr/bin:/bin"

    def test_an_old_or_another_c_library(self):
        self.refused(r"needs the C library glibc 2\.36 .* has 2\.31\.", PATH=self.fake(getconf="glibc 2.31"))
        self.refused(r"this system has 2\.31\.", PATH=self.fake(getconf="", ldd="ldd (Debian GLIBC 2.31-13) 2.31"))
        self.refused(r"this system has 1\.99\.", PATH=self.fake(getconf="glibc 1.99"))
        self.refused("does not have", PATH=self.fake(getconf="", ldd="musl libc (x86_64)"))
        self.installed(self.small(), *ALONE, PATH=self.fake(getconf="glibc 3.0"))

    def test_another_system_or_processor(self):
        self.refused("runs on Linux; this is Darwin", PATH=self.fake(uname="Darwin"))
        self.refused(r"no clawperator for this processor \(riscv64\)",
                     PATH=self.fake(uname="'\"$(test \"$1\" = -s && echo Linux || echo riscv64)\"'"))

    def test_a_tarball_for_another_processor(self):
        other = {"x86_64": "aarch64", "aarch64": "x86_64"}[packages.ARCH]
        file = self.small()
        named = file.rename(file.with_name(file.name.replace(packages.ARCH, other)))
        self.refused(f"is for another processor; this one is {packages.ARCH}", named)
        program = bytearray(packages.program())
        program[18] = {"x86_64": 183, "aarch64": 62}[packages.ARCH]
        self.refused(f"is for {other}; this processor is {packages.ARCH}",
                     self.small(**{"bin/clawperator": bytes(program)}))

    def test_a_wrong_checksum(self):
        file = self.small()
        file.write_bytes(file.read_bytes()[:-1] + b"x")
        self.refused("checksum of .* is wrong; nothing of it is used", file)

    def test_no_checksum(self):
        file = self.small()
        (self.downloads / "SHA256SUMS").write_text(f"{'0' * 64}  x{file.name}\n")
        self.refused("has no line in a SHA256SUMS", file)
        self.refused("no tarball for .* is listed", self.downloads)

    def test_what_is_no_tarball(self):
        self.refused("there is no file /nowhere", "/nowhere")
        self.assert_refused(self.install(*ALONE), "say what to install")
        self.refused("is not a tarball of clawperator", packages.pack(self.downloads, {"bin/other": b""}))
        file = self.small()
        file.write_bytes(file.read_bytes()[:5000])
        given = subprocess.run(["sha256sum", file], capture_output=True, text=True, check=True).stdout[:64]
        self.refused("cannot unpack", file, "--sha256", given)
        self.refused(r"does not start here \(status 139\)",
                     self.small(**{"bin/clawperator": packages.program()[:5000]}))

    def test_downloads_that_fail(self):
        file = self.small()
        web = Web(self.downloads, cut=1000)
        self.addCleanup(web.stop)
        self.refused(r"cannot download \S+: .*\d+ bytes remaining", web.base)
        self.refused("cannot download .*404", f"{web.base}/nothing")
        self.refused("cannot download .*404", f"{web.base}/nothing/{file.name}")
        closed = web.base
        web.stop()
        self.refused("cannot download .*onnect", closed)
        self.refused("is not an https URL", "http://192.0.2.1/packages")
        self.refused("is not an https URL", "ftp://127.0.0.1/packages")

    def test_it_is_killed_while_it_downloads(self):
        self.small()
        web = Web(self.downloads, cut=1000, stall=True)
        self.addCleanup(web.stop)
        process = subprocess.Popen(["sh", self.script, web.base, *ALONE], env=self.environment(), cwd=self.home,
                                   start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, **self.as_user)
        peer.wait_until(lambda: len(web.asked) == 2, "nothing is downloaded")
        os.killpg(process.pid, signal.SIGTERM)
        self.assertEqual(process.wait(LIMIT_S), 143)
        self.assertEqual(packages.listing(self.home), self.before)

    def in_mounts(self, mount, *words):
        """As root of a mount namespace; what is left in ~/.local follows the output."""
        enter = ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
        if packages.run(*enter, "mount", "--bind", "/", "/mnt").returncode != 0:
            self.skipTest("no private mounts can be made here (unshare --mount)")
        return packages.run(*enter, "sh", "-c", f'{mount} && sh "$@"; status=$?; find "$HOME/.local" >&2; exit $status',
                            "sh", self.script, *words, *ALONE, "--prefix", self.prefix, env=self.environment())

    def test_no_space(self):
        self.prefix.mkdir()
        done = self.in_mounts('mount -t tmpfs -o size=4m none "$HOME/.local"', self.small())
        self.assertEqual(done.returncode, 1, done)
        self.assertRegex(done.stderr, rf"\Ainstall\.sh: cannot unpack .*: No space left on device\.\n{self.prefix}\n\Z")

    def test_a_read_only_home(self):
        self.prefix.mkdir()
        done = self.in_mounts('mount --bind "$HOME" "$HOME" && mount -o remount,bind,ro "$HOME"', self.small())
        self.assertEqual(done.returncode, 1, done)
        self.assertRegex(done.stderr,
                         rf"\Ainstall\.sh: cannot write below .*: Read-only file system; .*\n{self.prefix}\n\Z")

    def test_a_folder_that_is_not_the_users(self):
        self.prefix.mkdir(mode=0o555)
        self.before = packages.listing(self.home)
        if os.geteuid() == 0 and not self.as_user:
            self.skipTest("root may write everywhere")
        self.refused("cannot write below .*: Permission denied")

    def test_another_program_is_in_its_place(self):
        self.program.parent.mkdir(parents=True)
        self.program.write_text("#!/usr/bin/env node\n")
        self.give_to_user()
        self.before = packages.listing(self.home)
        self.refused("bin/clawperator is there already and not of this script")
        self.program.unlink()
        self.program.symlink_to("../lib/node_modules/clawperator/dist/cli.js")
        self.before = packages.listing(self.home)
        self.refused("bin/clawperator is there already and not of this script")

    def test_words_that_it_does_not_know(self):
        self.refused("there is no option --replace", "--replace")
        self.assert_refused(self.install("--prefix"), "--prefix needs a value")
        self.refused("one source is enough", "x", "y")
        self.refused("a prefix with blanks", self.small(), "--prefix", "/tmp/a b")
        self.refused("there is no file /nowhere.apk", self.small(), "--apk", "/nowhere.apk")
        self.refused("is not installed below", "--uninstall")


class Upgrade(InstallTest):
    def test_a_version_replaces_another_while_the_daemon_of_that_runs(self):
        self.installed(self.small(**{"share/zsh/site-functions/_old": b""}), *ALONE)
        former = self.current()
        daemon = self.clawperator("daemon", "start")
        self.assertEqual(daemon.returncode, 0, daemon)
        self.addCleanup(lambda: self.clawperator("daemon", "stop"))
        said = self.installed(self.small(**{"share/zsh/site-functions/_new": b""}), *ALONE)
        self.assertIn(f"clawperator {packages.version()} is installed in place of {packages.version()}.", said)
        self.assertRegex(said, r"The version before still runs, in process \d+ \(clawperator daemon run\); `claw")
        self.assertNotEqual(self.current(), former)
        self.assertTrue((self.own / former).is_dir())
        self.assertFalse((self.prefix / "share/zsh/site-functions/_old").is_symlink())
        self.assertTrue((self.prefix / "share/zsh/site-functions/_new").is_file())

        self.assertEqual(self.clawperator("daemon", "restart").returncode, 0)
        refused = self.install("--uninstall")
        self.assertRegex(refused.stderr, r"\Ainstall\.sh: it still runs, in process \d+ \(clawperator daemon run\); e")
        self.assertTrue(self.program.exists())
        self.installed(self.small(**{"share/zsh/site-functions/_new": b""}), *ALONE)
        self.assertFalse((self.own / former).exists())

    def test_what_is_damaged_is_put_in_place_anew(self):
        self.installed(self.small(), *ALONE)
        whole = packages.listing(self.prefix)
        (self.own / self.current() / "bin/clawperator").write_bytes(b"damaged")
        said = self.installed(self.small(), *ALONE)
        self.assertNotIn("already", said)
        self.assertEqual(packages.listing(self.prefix), whole)
        self.assertEqual(self.clawperator("--version").stdout.strip(), packages.version())

    def test_sudo_writes_nothing_into_the_user_s_home(self):
        tools = self.sandbox / "tools"
        tools.mkdir()
        (tools / "id").write_text("#!/bin/sh\necho 0\n")
        (tools / "id").chmod(0o755)
        prefix = self.temp / "prefix"
        said = self.installed(self.small(), "--prefix", prefix, SUDO_USER="user", PATH=f"{tools}:/usr/bin:/bin")
        self.assertIn("The rest is the user's: clawperator skills install, then clawperator doctor\n", said)
        self.assertTrue((prefix / "bin/clawperator").is_symlink())
        self.assertEqual(packages.listing(self.home), self.before)
        line = f'export PATH="{prefix}/bin:$PATH" # of clawperator\'s install.sh\n'
        (self.home / ".bashrc").write_text(line)
        self.installed("--uninstall", "--prefix", prefix, SUDO_USER="user", PATH=f"{tools}:/usr/bin:/bin")
        self.assertFalse(prefix.exists())
        self.assertEqual((self.home / ".bashrc").read_text(), line)

    def test_what_a_killed_one_left_goes(self):
        self.installed(self.small(), *ALONE)
        dead = subprocess.Popen(["true"])
        dead.wait()
        left = self.own / f".new.{dead.pid}"
        left.mkdir(mode=0o777)
        self.installed(self.small(), *ALONE)
        self.assertFalse(left.exists())

    def test_a_failed_upgrade_leaves_the_version_that_is_there(self):
        self.installed(self.small(), *ALONE)
        self.before = packages.listing(self.home)
        file = self.small(**{"share/man/man1/other.1": b""})
        file.write_bytes(file.read_bytes()[:-9])
        self.assert_refused(self.install(file, *ALONE), "checksum")
        self.assertEqual(self.clawperator("--version").stdout.strip(), packages.version())

    def test_it_is_removed_and_what_the_user_made_stays(self):
        (self.home / ".local/share/man").mkdir(parents=True)
        (self.home / ".bashrc").write_text("alias ll='ls -l'")
        (self.home / ".bashrc").chmod(0o640)
        self.give_to_user()
        before = packages.listing(self.home)
        self.installed(self.whole(), *ALONE, "--profile-line")
        self.assertIn(".local/bin", (self.home / ".bashrc").read_text())
        (self.prefix / "share/man/man1/mine.1").write_text("mine")
        said = self.installed("--uninstall")
        self.assertIn(f"What you made is left: {self.home}/.clawperator\n", said)
        self.assertIn("Its lines are gone from", said)
        after = packages.listing(self.home)
        kept = {name for name in after if name.startswith(".clawperator")}
        self.assertTrue(kept)
        self.assertEqual({name: what for name, what in after.items() if name not in kept},
                         before | {".local/share/man/man1": "folder", ".bashrc": after[".bashrc"],
                                   ".local/share/man/man1/mine.1": after[".local/share/man/man1/mine.1"]})
        self.assertEqual((self.home / ".bashrc").read_text(), "alias ll='ls -l'\n")
        self.assertEqual((self.home / ".bashrc").stat().st_mode & 0o777, 0o640)


    def test_two_prefixes_share_a_profile(self):
        other = self.temp / "other"
        for words in ((), ("--prefix", other)):
            self.installed(self.small(), *ALONE, "--profile-line", *words)
        profile = self.home / ".bashrc"
        skills = "export CLAWPERATOR_SKILLS_REGISTRY=x # of clawperator's install.sh\n"
        profile.write_text(profile.read_text() + skills)
        kept = "".join(line for line in profile.read_text().splitlines(True) if f'"{self.prefix}/bin' not in line)
        self.assertIn("Its lines are gone", self.installed("--uninstall"))
        self.assertEqual(profile.read_text(), kept)
        self.installed("--uninstall", "--prefix", other)
        self.assertEqual(profile.read_text(), "")
        self.assertEqual([path.name for path in self.home.iterdir() if path.name.startswith(".bashrc.")], [])

    def test_only_folders_of_releases_are_removed(self):
        self.installed(self.small(), *ALONE)
        for name in ("mine-12345678", "mine-abcdefgh"):
            (self.own / name).mkdir()
            (self.own / name / "a").write_text("mine")
        (self.own / "mine-abcdefgh/install.sh").write_text("mine")
        self.give_to_user()
        self.installed(self.small(**{"share/man/man1/other.1": b""}), *ALONE)
        self.installed("--uninstall")
        self.assertEqual({path.name for path in self.own.iterdir()}, {"mine-12345678", "mine-abcdefgh"})


class Places(InstallTest):
    """Units, folders behind links, two scripts at a time, what cannot be written."""

    SOCKET = b"[Socket]\nListenStream=%t/a.sock\n[Install]\nWantedBy=sockets.target\n"
    SERVICE = b"[Service]\nExecStart=/opt/other/bin/clawperator daemon run\n"
    UNITS = {"lib/systemd/user/clawperator.socket": SOCKET, "lib/systemd/user/clawperator.service": SERVICE}

    def test_a_unit_stays_enabled_through_an_upgrade(self):
        if not shutil.which("systemctl"):
            self.skipTest("no systemctl here (package systemd)")

        def systemctl(*words):
            return self.run_as_user("systemctl", "--user", *words, "clawperator.socket",
                                    env=self.environment(SYSTEMD_OFFLINE="1"))

        self.installed(self.small(**self.UNITS), *ALONE)
        former = self.current()
        done = systemctl("enable")
        self.assertEqual(done.returncode, 0, done)
        newer = {**self.UNITS, "lib/systemd/user/clawperator.socket": self.SOCKET + b"# newer\n"}
        self.installed(self.small(**newer), *ALONE)
        self.assertFalse((self.own / former).exists())
        self.assertEqual(systemctl("is-enabled").stdout, "enabled\n")
        place = self.prefix / "share/systemd/user"
        self.assertIn("# newer", (place / "clawperator.socket").read_text())
        self.assertFalse((place / "clawperator.socket").is_symlink())
        self.assertIn(f"\nExecStart={self.program} daemon run\n", (place / "clawperator.service").read_text())
        self.assertIn("The unit clawperator.socket is no longer enabled.", self.installed("--uninstall"))
        left = [name for name in packages.listing(self.home) if "clawperator." in name or "wants" in name]
        self.assertEqual(left, [])

    def test_a_unit_of_the_user_s_own_stays(self):
        own = self.prefix / "share/systemd/user/clawperator.service"
        own.parent.mkdir(parents=True)
        own.write_text("[Service]\n")
        self.give_to_user()
        self.assertIn(f"{own} is left as it is", self.installed(self.small(**self.UNITS), *ALONE))
        self.installed("--uninstall")
        self.assertEqual(own.read_text(), "[Service]\n")

    def test_a_prefix_behind_a_link_is_the_same_prefix(self):
        link = self.temp / "link"
        link.symlink_to(self.home)
        self.installed(self.small(**self.UNITS), *ALONE, HOME=link)
        self.assertTrue((self.prefix / "share/systemd/user/clawperator.socket").is_file())
        self.assertIn("installed already", self.installed(self.small(**self.UNITS), *ALONE))
        self.assertNotIn("For /", self.installed(self.small(**self.UNITS), *ALONE,
                                                 PATH=f"{link}/.local/bin:/usr/bin:/bin"))
        with subprocess.Popen([self.program, "mcp", "--no-daemon"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              env=self.environment(), **self.as_user) as process:
            process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
            process.stdin.flush()
            self.assertTrue(process.stdout.readline())
            refused = self.install("--uninstall", "--prefix", f"{link}/.local")
            process.stdin.close()
        self.assertRegex(refused.stderr, r"it still runs, in process \d+ \(clawperator mcp --no-daemon\); end that")
        self.installed("--uninstall", "--prefix", f"{link}/.local/../.local/")
        self.assertFalse(self.prefix.exists())

    def test_one_at_a_time(self):
        self.small()
        web = Web(self.downloads, cut=1000, stall=True)
        self.addCleanup(web.stop)
        tools = self.sandbox / "tools"
        tools.mkdir()
        for tool in pathlib.Path("/usr/bin").iterdir():
            if tool.name != "flock":
                (tools / tool.name).symlink_to(tool)
        for path in ("/usr/bin:/bin", tools):
            self.installed(self.small(), *ALONE, PATH=path)
            web.asked.clear()
            with subprocess.Popen(["sh", self.script, web.base, *ALONE], env=self.environment(PATH=path),
                                  start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, cwd=self.home, **self.as_user) as process:
                peer.wait_until(lambda: len(web.asked) == 2 and any(self.home.rglob("*.tar.gz")),
                                "nothing is downloaded")
                self.before = packages.listing(self.home)
                for words in ([self.downloads, *ALONE], ["--uninstall"]):
                    self.assert_refused(self.install(*words, PATH=path), "another install.sh is at work")
                os.killpg(process.pid, signal.SIGTERM)
            self.installed("--uninstall", PATH=path)
            self.assertFalse(self.own.exists())

    def test_every_user_may_read_it(self):
        subprocess.run(["tar", "-xzf", self.small(), "-C", self.downloads], check=True)
        tree = next(path for path in self.downloads.iterdir() if path.is_dir())
        self.give_to_user()
        for path in tree.rglob("*"):
            path.chmod(0o777 if path.is_dir() or path.parent.name == "bin" else 0o606)
        self.installed(tree, *ALONE)
        modes = {path.name: path.stat().st_mode & 0o777 for path in (self.own / self.current()).rglob("*")}
        self.assertEqual((modes["bin"], modes["clawperator"], modes["clawperator.1"]), (0o755, 0o755, 0o644))

    def test_a_page_that_cannot_be_written_stops_nothing(self):
        (self.prefix / "share").mkdir(parents=True)
        (self.prefix / "share/man").write_text("mine")
        self.give_to_user()
        said = self.installed(self.small(), *ALONE)
        self.assertIn("share/man/man1/clawperator.1 is missing: it cannot be written.", said)
        self.assertIn("Clawperator doctor", said)
        self.installed("--uninstall")
        self.assertEqual((self.prefix / "share/man").read_text(), "mine")
        self.assertFalse(self.own.exists())

    def test_a_reader_that_ends_leaves_nothing(self):
        self.small()
        web = Web(self.downloads, cut=1000)
        self.addCleanup(web.stop)
        done = self.run_as_user("sh", "-c", f"(sleep 1; sh {self.script} {web.base}; echo $? >status) | true")
        self.assertEqual((self.home / "status").read_text(), "141\n", done)
        (self.home / "status").unlink()
        self.assertEqual(packages.listing(self.home), self.before)


class Phones(InstallTest):
    """None, one and several phones, which are simulated."""

    def setUp(self):
        super().setUp()
        self.apk = apk.write_apk(self.downloads / "operator.apk", version="0.12.5", code=1205900)

    def connected(self, *options):
        phone = peer.Simdroid("--operator", *options)
        self.addCleanup(phone.stop)
        done = packages.run(peer.BINARY, "connect", phone.address, env=self.environment())
        self.assertEqual(done.returncode, 0, done)
        self.give_to_user()
        return phone.address

    def prepared(self, *words, **environment):
        return self.installed(self.small(), "--no-skills", *words, **environment)

    def test_none(self):
        said = self.prepared("--apk", self.apk)
        self.assertIn(f"No phone is connected. When one is: clawperator operator setup --apk {self.apk}\n", said)
        self.assertIn("Clawperator doctor", said)

    def test_one_that_is_ready(self):
        self.connected("0.12.5")
        said = self.prepared("--apk", self.apk, "--yes")
        self.assertNotIn("operator setup", said)
        self.assertRegex(said, r"\[OK\] +The Operator app answers")

    def test_one_without_the_app(self):
        serial = self.connected("none")
        said = self.prepared("--apk", self.apk)
        self.assertIn(f"The phone {serial} needs the Operator app: clawperator operator setup --apk {self.apk} "
                      f"--device {serial}\n", said)
        self.assertNotIn("The Operator app is installed", said)
        said = self.prepared("--apk", self.apk, "--yes")
        self.assertIn(f"The Operator app is installed on {serial}.\n", said)
        tap = self.clawperator("click", "--coordinate", "540", "1200")
        self.assertEqual(tap.returncode, 0, tap)
        self.assertNotIn("operator setup", self.prepared("--apk", self.apk, "--yes"))

    def test_several(self):
        serials = [self.connected("none"), self.connected("0.12.5")]
        said = self.prepared("--apk", self.apk, "--yes")
        self.assertIn("Several phones are connected", said)
        for serial in serials:
            self.assertIn(f"  clawperator operator setup --apk {self.apk} --device {serial}\n", said)
        self.assertNotIn("The Operator app is installed", said)

    def test_the_package_cannot_be_had(self):
        closed = f"http://127.0.0.1:{peer.free_port()}/latest.json"
        said = self.prepared(CLAWPERATOR_APK_METADATA_URL=closed)
        self.assertRegex(said, "The Operator app's package was not fetched: OPERATOR_DOWNLOAD_FAILED: .*\n")
        self.assertIn("clawperator operator setup --apk FILE\n", said)


class Shell(InstallTest):
    """The lines of the profile, skills, another program in PATH."""

    PATH_LINE = 'export PATH="{}/bin:$PATH" # of clawperator\'s install.sh\n'

    def on_terminal(self, answer, *words):
        """The exit status, and all that a person sees and types."""
        child, terminal = pty.fork()
        if child == 0:
            if self.as_user:
                os.setgroups([])
                os.setgid(self.as_user["group"])
                os.setuid(self.as_user["user"])
            os.chdir(self.home)
            os.execvpe("sh", ["sh", self.script, *map(str, words)], self.environment())
        seen, end = b"", time.monotonic() + 10 * LIMIT_S
        while time.monotonic() < end:
            if not select.select([terminal], [], [], 1)[0]:
                continue
            try:
                seen += os.read(terminal, 65536)
            except OSError:  # the other end is closed
                break
            if seen.endswith(b"[y/N] "):
                os.write(terminal, answer.encode() + b"\n")
        os.close(terminal)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), seen.decode().replace("\r\n", "\n")

    def test_the_line_is_shown_and_added_after_a_yes(self):
        profile, line = self.home / ".bashrc", self.PATH_LINE.format(self.prefix)
        status, seen = self.on_terminal("n", self.small(), *ALONE)
        self.assertEqual(status, 0, seen)
        self.assertLess(seen.index(f"For {profile}:\n{line}"), seen.index("Add this? [y/N]"))
        self.assertFalse(profile.exists())
        status, seen = self.on_terminal("y", self.small(), *ALONE)
        self.assertEqual(status, 0, seen)
        self.assertEqual(profile.read_text(), line)
        status, seen = self.on_terminal("y", self.small(), *ALONE)
        self.assertNotIn("Add this?", seen)
        self.assertEqual(profile.read_text(), line)
        found = self.run_as_user("bash", "-c", ". ~/.bashrc; command -v clawperator")
        self.assertEqual(found.stdout.strip(), str(self.program))

    def test_without_a_terminal_the_line_is_only_shown(self):
        said = self.installed(self.small(), *ALONE)
        self.assertIn(self.PATH_LINE.format(self.prefix), said)
        self.assertFalse((self.home / ".bashrc").exists())
        self.assertNotIn("bin:$PATH", self.installed(self.small(), *ALONE, PATH=f"{self.prefix}/bin:/usr/bin:/bin"))

    def test_each_shell_has_its_file(self):
        for shell, file in (("zsh", ".zshrc"), ("dash", ".profile"), ("fish", ".config/fish/config.fish")):
            self.installed(self.small(), *ALONE, "--profile-line", SHELL=f"/bin/{shell}")
            self.assertIn(f"{self.prefix}/bin", (self.home / file).read_text())
            if program := shutil.which(shell):
                words = ["-i", "-c"] if shell == "zsh" else ["-l", "-c"]
                found = self.run_as_user(program, *words, "command -v clawperator")
                self.assertEqual(found.stdout.strip(), str(self.program), found)

    def test_another_program_comes_first(self):
        other = self.sandbox / "other"
        other.mkdir()
        (other / "clawperator").write_text("#!/bin/sh\n")
        (other / "clawperator").chmod(0o755)
        warning = f"Another clawperator comes first in PATH: {other}/clawperator\n"
        for path in (f"{other}:{self.prefix}/bin:/usr/bin:/bin", f"{other}:/usr/bin:/bin"):
            self.assertIn(warning, self.installed(self.small(), *ALONE, PATH=path))
        path = f"{self.prefix}/bin:{other}:/usr/bin:/bin"
        self.assertNotIn("Another", self.installed(self.small(), *ALONE, PATH=path))

    def test_skills_come_from_a_repository(self):
        repository = self.downloads / "skills.git"
        shutil.copytree(packages.ROOT / "skills", repository / "skills")
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", "-C", repository]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "skills"]):
            subprocess.run([*git, *words], check=True)
        said = self.installed(self.small(), "--no-device", "--profile-line", "--skills", repository)
        registry = self.home / ".clawperator/skills/skills/skills-registry.json"
        self.assertIn(f"Skills: {self.home}/.clawperator/skills\n", said)
        self.assertIn(f'export CLAWPERATOR_SKILLS_REGISTRY="{registry}" #', (self.home / ".bashrc").read_text())
        self.assertEqual(self.clawperator("skills", "list").returncode, 0)
        said = self.installed(self.small(), "--no-device", "--skills", "/nowhere")
        self.assertRegex(said, "Skills were not fetched: SKILLS_SYNC_FAILED: .*\nLater: clawperator skills install\n")


class Script(unittest.TestCase):
    def test_shellcheck_is_silent(self):
        if not shutil.which("shellcheck"):
            self.skipTest("no shellcheck here (package shellcheck)")
        done = packages.run("shellcheck", packages.INSTALLER)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_every_option_is_in_the_help(self):
        text = packages.INSTALLER.read_text()
        known = set(re.findall(r"^      (--[a-z0-9-]+(?: \| --[a-z0-9-]+)*)\)", text, re.MULTILINE))
        known = {word for row in known for word in row.split(" | ")}
        shown = set(re.findall(r"--[a-z0-9-]+", packages.run("sh", packages.INSTALLER, "--help").stdout))
        self.assertTrue(known)
        self.assertEqual(known, shown - {"--help"})
