"""packaging/tarball: what is in it, where its programs find their libraries; the same build gives the same bytes."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

import packages
import peer
from features import Features

SYSTEM = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util))\.so\.[0-9]+")
LOADED = re.compile(r"calling init: (/\S+)")


def library_names():
    """Those that our sources load by name."""
    text = "".join(path.read_text() for path in sorted((packages.ROOT / "src").rglob("*.cpp")))
    return set(re.findall(r'LoadedLibrary library\("([^"]+)"', text))


class Contents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="tarball-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        with tarfile.open(packages.tarball()) as tar:
            cls.entries = tar.getmembers()
            tar.extractall(cls.folder, filter="data")
        cls.tree = cls.folder / packages.tarball().name.removesuffix(".tar.gz")
        cls.libraries = {path.name: path for path in (cls.tree / "lib/clawperator").iterdir()}

    def test_the_libraries_are_those_that_the_sources_name_and_all_they_need(self):
        names = library_names()
        self.assertGreater(len(names), 10)
        for name in names:
            self.assertTrue([each for each in self.libraries if each.startswith(name)], name)
        for path in [*self.libraries.values(), *(self.tree / "bin").iterdir()]:
            listing = packages.run("readelf", "-Wd", path).stdout
            for needed in re.findall(r"\(NEEDED\).*\[(.+)\]", listing):
                self.assertTrue(needed in self.libraries or SYSTEM.fullmatch(needed), f"{path.name} needs {needed}")
            paths = re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.+)\]", listing)
            self.assertEqual(paths, ["$ORIGIN"] if path.name in self.libraries else [], path.name)
        self.assertEqual([name for name in self.libraries if SYSTEM.fullmatch(name)], [])

    def test_each_library_can_be_loaded(self):
        load = "import ctypes, sys; [ctypes.CDLL(path, mode=2) for path in sys.argv[1:]]"  # RTLD_NOW
        done = packages.run(sys.executable, "-c", load, *self.libraries.values(), env={})
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_no_program_needs_a_newer_c_library_than_2_36(self):
        for path in [*self.libraries.values(), *(self.tree / "bin").iterdir()]:
            versions = re.findall(r"GLIBC_2\.([0-9]+)", packages.run("readelf", "-WV", path).stdout)
            self.assertLessEqual(max(map(int, versions), default=0), 36, path.name)

    def licences(self, folder):
        paths = (self.tree / "share/doc" / folder).iterdir()
        return {path.name.removesuffix(".copyright") for path in paths if path.stat().st_size}

    def test_each_library_has_its_licence(self):
        brought = self.licences("clawperator/brought")
        owners = packages.run("dpkg", "-S", *(f"{folder}/{packages.ARCH}-linux-gnu/{name}" for name in self.libraries
                                              for folder in ("/lib", "/usr/lib"))).stdout
        for name in self.libraries:
            owner = re.search(rf"^([^:,]+).*/{re.escape(name)}$", owners, re.MULTILINE)
            self.assertIn(owner.group(1), brought, name)
        linked = {"libasio-dev", "libpugixml-dev", "libsodium-dev", "zlib1g-dev", "nlohmann-json3-dev"}
        self.assertLessEqual(linked, self.licences("clawperator/linked"))
        self.assertLessEqual(linked | {"fonts-dejavu-core"}, self.licences("simdroid/linked"))
        self.assertIn("Apache License", (self.tree / "share/doc/clawperator/LICENSE").read_text())

    def test_the_bill_of_materials_names_what_is_linked_and_every_library(self):
        bill = json.loads((self.tree / "share/doc/clawperator/sbom.spdx.json").read_text())
        named = {each["name"]: each for each in bill["packages"]}
        self.assertEqual(named["clawperator"]["versionInfo"], packages.version())
        for name in self.licences("clawperator/linked"):
            version = packages.run("dpkg-query", "-W", "-f", "${Version}", name).stdout
            self.assertEqual(named[name]["versionInfo"], version)
        for name, path in self.libraries.items():
            file = next(each for each in bill["files"] if each["fileName"] == f"./lib/{name}")
            sums = {each["algorithm"]: each["checksumValue"] for each in file["checksums"]}
            self.assertEqual(sums["SHA256"], hashlib.sha256(path.read_bytes()).hexdigest(), name)
        known = [each["SPDXID"] for each in [bill, *bill["packages"], *bill["files"]]]
        self.assertEqual(len(known), len(set(known)))
        related = {each[side] for each in bill["relationships"] for side in ("spdxElementId", "relatedSpdxElement")}
        self.assertEqual(related, set(known))

    def test_its_entries_are_root_s_and_of_one_time(self):
        self.assertEqual({(entry.uid, entry.gid, entry.uname) for entry in self.entries}, {(0, 0, "root")})
        self.assertEqual(len({entry.mtime for entry in self.entries}), 1)
        self.assertEqual({oct(entry.mode) for entry in self.entries}, {"0o644", "0o755"})
        names = [entry.name for entry in self.entries]
        self.assertEqual(names, sorted(names, key=lambda name: name.split("/")))

    def test_the_same_build_gives_the_same_bytes(self):
        again = self.folder / "again"
        command = [packages.ROOT / "packaging/tarball", "--build", peer.BUILD, "--out", again]
        done = packages.run("sh", "-c", 'umask 077; exec "$@"', "sh", *command, cwd="/", env=os.environ | {
            "TZ": "Asia/Tokyo", "LC_ALL": "C", "HOME": str(self.folder)})
        self.assertEqual(done.returncode, 0, done)
        same = packages.run("cmp", again / packages.tarball().name, packages.tarball())
        self.assertEqual(same.stdout, "")
        self.assertEqual(packages.run("sha256sum", "-c", "SHA256SUMS", cwd=again).returncode, 0)


class Libraries(packages.InstallTest):
    def setUp(self):
        super().setUp()
        shutil.copy(packages.tarball(), self.downloads)
        subprocess.run(["tar", "-xzf", packages.tarball(), "-C", self.downloads, "--strip-components", "1"], check=True)
        self.program = self.downloads / "bin/clawperator"
        self.folder = self.downloads / "lib/clawperator"

    def loaded(self, *words, **environment):
        done = self.clawperator(*words, **environment, LD_DEBUG="libs")
        found = [pathlib.Path(os.path.normpath(path)) for path in LOADED.findall(done.stderr)]
        return done, {path.name: path for path in found if not SYSTEM.fullmatch(path.name)}

    def test_each_feature_uses_the_libraries_that_came_along(self):
        features = Features(self, self.home, self.downloads)
        self.give_to_user()
        loaded = {}

        def run(words):
            done, loaded[tuple(words)] = self.loaded(*words, **features.environment())
            return done

        for words, _, libraries in features.try_all(self, run):
            found = loaded[tuple(words)]
            for path in found.values():
                # libcurl's version is also that of libldap, which looks for the system's plugins of SASL.
                if words[0] != "version" or (self.folder / path.name).exists():
                    self.assertEqual(path.parent, self.folder, words)
            for library in libraries:
                self.assertTrue([name for name in found if name.startswith(f"lib{library}")], (words, library, found))

    def test_the_system_s_are_taken_where_one_is_missing(self):
        name = next(path for path in self.folder.glob("libqrencode.so.*")).name
        (self.folder / name).unlink()
        done, found = self.loaded("pair", "--qr", "--timeout", "1000")
        self.assertIn("█", done.stderr)
        self.assertNotEqual(found[name].parent, self.folder)

    def test_through_a_link(self):
        link = self.home / "clawperator"
        link.symlink_to(self.program)
        self.program = link
        _, found = self.loaded("pair", "--qr", "--timeout", "1000")
        self.assertEqual({path.parent for path in found.values()}, {self.folder})

    def test_certificates_are_found_where_other_distributions_have_them(self):
        """Debian's libcurl looks at Debian's place alone."""
        enter = ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
        if packages.run(*enter, "mount", "--bind", "/", "/mnt").returncode != 0:
            self.skipTest("no private mounts can be made here (unshare --mount)")
        features = Features(self, self.home, self.downloads)
        environment = self.environment(**features.environment())
        del environment["SSL_CERT_FILE"]
        for place in ("ssl/certs/ca-certificates.crt", "pki/tls/certs/ca-bundle.crt", "ssl/ca-bundle.pem"):
            etc = self.sandbox / place.replace("/", "-")
            (etc / place).parent.mkdir(parents=True)
            shutil.copy(features.trusted, etc / place)
            shutil.copy("/etc/passwd", etc)
            shutil.rmtree(self.home / ".clawperator", ignore_errors=True)
            done = packages.run(*enter, "sh", "-c", 'mount --bind "$0" /etc && exec "$@"', etc, self.program,
                                "operator", "download", env=environment)
            self.assertIn('"ok":true', done.stdout, (place, done))
