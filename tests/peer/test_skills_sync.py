"""skills install, update and sync against real git: its http-backend behind HTTPS, sshd, folders."""
import fcntl
import getpass
import json
import os
import select
import signal
import socket
import struct
import subprocess
import termios
import time
import unittest

import peer
import git_server
from git_server import REGISTRY
from limits import LIMIT_S


class SkillsTest(peer.PeerTest):
    def setUp(self):
        super().setUp()
        self.upstream = git_server.Repository(self.home.path / "upstream")
        self.state = self.home.path / ".clawperator"
        self.folder = self.state / "skills"
        self.url = str(self.upstream.path)
        self.more = {}

    def environment(self):
        return self.home.environment(CLAWPERATOR_SKILLS_REPO=self.url, **self.more)

    def skills(self, *words, **more):
        return self.run_clawperator("skills", *words, environment=self.environment(), **more)

    def installed(self, *words):
        return self.assert_ok(self.skills("install", *words))

    def refused(self, *words, says="", **more):
        run = self.assert_error(self.skills(*words, **more), "SKILLS_SYNC_FAILED")
        self.assertTrue(run.json["message"].startswith("Skills sync failed: "), str(run))
        self.assertIn(says, run.json["message"])
        self.assert_tidy()
        return run

    def assert_tidy(self):
        left = [path.name for path in self.state.iterdir()] if self.state.is_dir() else []
        self.assertLessEqual(set(left), {"skills", "skills.lock", "logs"})
        self.assertFalse((self.folder / ".git/clawperator-sync").exists())

    def git(self, *words):
        return self.upstream.git(*words, cwd=self.folder)

    def text(self, name):
        return (self.folder / name).read_text()

    def registry(self):
        return json.loads(self.text(REGISTRY))

    def tree(self):
        """Everything but git's own."""
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in self.folder.rglob("*")
                if path.is_file() and ".git" not in path.relative_to(self.folder).parts[:1]}


class FromAFolder(SkillsTest):
    def test_install_is_what_git_clones(self):
        run = self.installed()
        self.assertEqual(run.json, {"synced": True, "message": f"Skills synced to {self.folder} (ref: main)",
                                    "registryPath": str(self.folder / REGISTRY)})
        self.assertEqual(run.err, "")
        self.assertEqual(self.git("status", "--porcelain", "--branch"), "## main")
        self.assertEqual(self.git("rev-parse", "HEAD"), self.upstream.first)
        self.assertTrue(os.access(self.folder / "skills/a.one/scripts/run.sh", os.X_OK))
        self.assertFalse(os.access(self.folder / "skills/a.one/SKILL.md", os.X_OK))
        self.assertEqual(self.git("remote", "get-url", "origin"), self.url)
        self.git("fsck", "--strict")
        self.assert_tidy()

    def test_file_url_relative_path_and_pretty(self):
        self.url = f"file://{self.upstream.path}"
        self.installed()
        run = self.run_clawperator("skills", "update", "--repo", os.path.relpath(self.upstream.path), "--output",
                                   "pretty", environment=self.environment())
        self.assert_ok(run)
        self.assertEqual(run.out.decode(), f"Skills synced to {self.folder} (ref: main)\n")
        self.assertIn("hint: ", run.err)
        self.assertIn(f"the repository has changed from {self.url}", run.err)
        self.assertEqual(self.git("remote", "get-url", "origin"), str(self.upstream.path))

    def test_update_fast_forwards_and_follows_the_origin(self):
        self.installed()
        self.upstream.add_skill("b.two", "second")
        (self.upstream.path / "skills/a.one/SKILL.md").write_text("changed\n")
        (self.upstream.path / "skills/a.one/scripts/run.sh").unlink()
        second = self.upstream.commit("second")
        self.url = ""
        run = self.assert_ok(self.skills("update"))
        self.assertEqual(run.json, {"synced": True, "message": f"Skills synced to {self.folder} (ref: main)"})
        self.assertEqual(self.git("rev-parse", "HEAD"), second)
        self.assertEqual(self.git("status", "--porcelain", "--branch"), "## main")
        self.assertEqual(self.text("skills/a.one/SKILL.md"), "changed\n")
        self.assertFalse((self.folder / "skills/a.one/scripts").exists())
        self.assert_ok(self.skills("update"))
        self.assert_ok(self.skills("install"))

    def test_pins_and_back(self):
        self.upstream.git("tag", "v1")
        self.upstream.git("tag", "-a", "v1-annotated", "-m", "annotated")
        self.upstream.add_skill("b.two", "second")
        second = self.upstream.commit("second")
        self.upstream.git("branch", "topic/x", second)
        self.installed()
        for ref in ("v1", "v1-annotated", self.upstream.first, self.upstream.first[:8]):
            with self.subTest(ref):
                run = self.assert_ok(self.skills("sync", "--ref", ref))
                self.assertEqual(run.json["message"], f"Skills synced to {self.folder} (ref: {ref})")
                self.assertNotIn("registryPath", run.json)
                self.assertEqual(self.git("rev-parse", "HEAD"), self.upstream.first)
                self.assertEqual(self.git("status", "--porcelain", "--branch"), "## HEAD (no branch)")
                self.assertFalse((self.folder / "skills/b.two").exists())
                self.assert_ok(self.skills("update"))
                self.assertEqual(self.git("status", "--porcelain", "--branch"), "## main")
                self.assertEqual(self.git("rev-parse", "HEAD"), second)
        self.assert_ok(self.skills("update", "--ref", "topic/x"))
        self.assertEqual(self.git("symbolic-ref", "HEAD"), "refs/heads/topic/x")
        for ref in ("nothing", "0123456789", "../x", "refs/heads/../x", "-x", "a b"):
            self.refused("sync", f"--ref={ref}", says=f"no branch, tag or commit '{ref}'")

    def test_a_checkout_that_git_made(self):
        self.state.mkdir()
        self.upstream.git("clone", "-q", self.url, str(self.folder))
        self.git("gc", "-q")
        self.git("remote", "remove", "origin")
        self.upstream.add_skill("b.two", "second")
        second = self.upstream.commit("second")
        run = self.assert_ok(self.skills("update"))
        self.assertEqual(run.err, "")
        self.assertEqual(self.git("rev-parse", "HEAD", "main"), f"{second}\n{second}")
        self.assertEqual(self.git("remote", "get-url", "origin"), self.url)
        self.assertEqual(self.git("status", "--porcelain", "--branch"), "## main")

    def test_a_password_in_the_checkouts_origin(self):
        """[A10] Git keeps one there; the warning that the origin changes does not show it."""
        self.installed()
        self.git("remote", "set-url", "origin", "https://me:hunter2@x.example/y")
        self.upstream.add_skill("b.two", "second")
        self.upstream.commit("second")
        run = self.assert_ok(self.skills("update"))
        self.assertIn("https://***@x.example/y", run.err)
        self.assertNotIn("hunter2", str(run.out) + run.err)
        self.assertEqual(self.git("remote", "get-url", "origin"), self.url)

    def test_no_program_is_started(self):
        trace = self.home.path / "trace"
        command = [git_server.needs("strace"), "-f", "-o", str(trace), "-e", "trace=execve", str(peer.BINARY), "skills"]
        environment = self.environment() | {"ASAN_OPTIONS": "detect_leaks=0"}  # strace is in its way
        for word in ("install", "update"):
            done = subprocess.run([*command, word], env=environment, capture_output=True, check=False)
            if b"ptrace" in done.stderr:
                self.skipTest("strace may not trace here")
            self.assertEqual(done.returncode, 0, done)
            self.assertEqual(trace.read_text().count("execve("), 1)

    def test_progress_is_for_terminals(self):
        (self.upstream.path / "big.bin").write_bytes(os.urandom(600_000))
        self.upstream.commit("big")
        ours, theirs = os.openpty()
        fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
        done = subprocess.run([str(peer.BINARY), "skills", "install"], stderr=theirs, stdout=subprocess.PIPE,
                              env=self.environment() | {"TERM": "xterm"}, check=False)
        self.assertEqual(done.returncode, 0)
        self.assertTrue(json.loads(done.stdout)["synced"])
        self.assertTrue(select.select([ours], [], [], 5)[0])
        self.assertIn(b"] skills: ", os.read(ours, 4096))
        os.close(ours)
        os.close(theirs)

    def test_sync_needs_a_ref(self):
        for words in (["sync"], ["sync", "--ref"], ["sync", "--ref="]):
            run = self.skills(*words)
            self.assertEqual(run.json, {"code": "USAGE", "message": "skills sync --ref <git-ref>"})
        self.assertEqual(self.skills("install", "more").json["code"], "USAGE")

    def test_rewritten_history_is_followed_local_commits_are_not_lost(self):
        self.installed()
        self.upstream.add_skill("b.two", "second")
        self.upstream.git("add", "-A")
        self.upstream.git("commit", "-q", "--amend", "-m", "rewritten")
        rewritten = self.upstream.git("rev-parse", "HEAD")
        self.assert_ok(self.skills("update"))
        self.assertEqual(self.git("rev-parse", "HEAD"), rewritten)
        (self.folder / "mine.md").write_text("mine\n")
        self.git("add", "-A")
        self.git("-c", "user.name=a", "-c", "user.email=a@x", "commit", "-q", "-m", "mine")
        mine = self.git("rev-parse", "HEAD")
        self.assert_ok(self.skills("update"))  # ahead of upstream: up to date
        self.assertEqual(self.git("rev-parse", "HEAD"), mine)
        self.upstream.write("README.md", "more\n")
        self.upstream.commit("third")
        self.refused("update", says="has commits that the repository does not have")
        self.assertEqual(self.git("rev-parse", "main"), mine)
        self.assertEqual(self.text("mine.md"), "mine\n")
        # A pin leaves the branch as it is.
        self.assert_ok(self.skills("sync", "--ref", self.upstream.git("rev-parse", "HEAD")))
        self.assertEqual(self.git("rev-parse", "main"), mine)
        self.assertFalse((self.folder / "mine.md").exists())


class LocalChanges(SkillsTest):
    def setUp(self):
        super().setUp()
        self.upstream.add_skill("b.two", "second")
        self.upstream.write("skills/b.two/notes.md", "notes\n")
        self.upstream.commit("second")
        self.installed()

    def test_a_link_in_a_files_place_is_not_followed(self):
        """Upstream makes a folder of what the user made a link of."""
        self.upstream.write("note", "a file\n")
        self.upstream.commit("a file")
        self.assert_ok(self.skills("update"))
        outside = self.home.path / "outside"
        outside.mkdir()
        (outside / "b").write_text("mine\n")
        (self.folder / "note").unlink()
        (self.folder / "note").symlink_to(outside)
        (self.upstream.path / "note").unlink()
        self.upstream.write("note/b", "theirs\n")
        self.upstream.commit("a folder")
        self.assertIn("note", self.refused("update").json["details"]["conflicts"])
        self.assertEqual((outside / "b").read_text(), "mine\n")

    def test_a_tag_of_the_users_own_stays(self):
        self.git("tag", "mine", self.git("rev-parse", "HEAD~1").strip())
        before = self.git("rev-parse", "mine")
        self.upstream.git("tag", "mine")
        self.assert_ok(self.skills("update"))
        self.assertEqual(self.git("rev-parse", "mine"), before)

    def test_what_upstream_did_not_touch_stays_changed(self):
        (self.folder / "skills/a.one/SKILL.md").write_text("mine\n")
        (self.folder / "skills/b.two/notes.md").unlink()
        own = self.folder / "skills/me.own"
        own.mkdir()
        (own / "SKILL.md").write_text("own\n")
        (self.folder / "skills/staged.md").write_text("staged\n")
        self.git("add", "skills/staged.md")
        self.upstream.write("skills/b.two/SKILL.md", "newer\n")
        self.upstream.commit("third")
        self.assert_ok(self.skills("update"))
        self.assertEqual(self.text("skills/a.one/SKILL.md"), "mine\n")
        self.assertEqual(self.text("skills/b.two/SKILL.md"), "newer\n")
        self.assertEqual(self.git("status", "--porcelain").splitlines(),
                         ["M skills/a.one/SKILL.md", " D skills/b.two/notes.md", "A  skills/staged.md",
                          "?? skills/me.own/"])

    def test_every_conflict_is_named_and_nothing_touched(self):
        (self.folder / "skills/a.one/SKILL.md").write_text("mine\n")     # changed by both
        (self.folder / "skills/b.two/notes.md").write_text("mine\n")     # removed there
        (self.folder / "skills/c.three").mkdir()
        (self.folder / "skills/c.three/SKILL.md").write_text("mine\n")   # untracked, new there
        (self.folder / "skills/d.four").write_text("a file\n")           # a folder there
        (self.folder / "new.md").mkdir()
        (self.folder / "new.md/inside").write_text("x")                  # a file there
        (self.folder / "link.md").symlink_to("/etc/passwd")
        (self.folder / "skills/b.two/scripts/run.sh").chmod(0o644)       # changed there
        same = self.folder / "same.md"
        same.write_text("the same\n")
        before, head = self.tree(), self.git("rev-parse", "HEAD")
        self.upstream.write("skills/a.one/SKILL.md", "theirs\n")
        (self.upstream.path / "skills/b.two/notes.md").unlink()
        self.upstream.add_skill("c.three", "third")
        self.upstream.add_skill("d.four", "fourth")
        self.upstream.write("skills/b.two/scripts/run.sh", "#!/bin/sh\nnew\n")
        for name in ("new.md", "link.md"):
            self.upstream.write(name, "new\n")
        self.upstream.write("same.md", "the same\n")
        self.upstream.commit("third")
        run = self.refused("update", says="nothing was touched")
        self.assertEqual(sorted(run.json["details"]["conflicts"]), [
            "link.md", "new.md/inside", "skills/a.one/SKILL.md", "skills/b.two/notes.md",
            "skills/b.two/scripts/run.sh", "skills/c.three/SKILL.md", "skills/d.four"])
        self.assertEqual((self.tree(), self.git("rev-parse", "HEAD")), (before, head))
        # Out of the way, and on it goes.
        for name in run.json["details"]["conflicts"]:
            path = self.folder / name
            path.unlink()
        (self.folder / "new.md").rmdir()
        self.assert_ok(self.skills("update"))
        self.assertEqual(self.git("status", "--porcelain"), "")

    def test_folders_and_files_change_places(self):
        (self.upstream.path / "skills/b.two/notes.md").unlink()
        self.upstream.write("skills/b.two/notes.md/deep/x.md", "x\n")
        self.upstream.commit("to a folder")
        self.assert_ok(self.skills("update"))
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.upstream.git("rm", "-rq", "skills/b.two/notes.md")
        self.upstream.write("skills/b.two/notes.md", "back\n")
        self.upstream.commit("and back")
        self.assert_ok(self.skills("update"))
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertEqual(self.text("skills/b.two/notes.md"), "back\n")

    def test_the_registry_is_merged_by_id(self):
        mine = self.registry()
        mine["skills"].append({"id": "me.own", "summary": "mine", "odd": [1.5]})
        mine["skills"][1]["summary"] = "better"
        mine["extra"] = {"x": 1}
        (self.folder / REGISTRY).write_text(json.dumps(mine))
        self.upstream.add_skill("c.three", "third")
        self.upstream.entries["a.one"]["summary"] = "newer"
        self.upstream.write_registry()
        self.upstream.commit("third")
        self.assert_ok(self.skills("update"))
        merged = self.registry()
        self.assertEqual([(it["id"], it["summary"]) for it in merged["skills"]],
                         [("a.one", "newer"), ("b.two", "better"), ("c.three", "third"), ("me.own", "mine")])
        self.assertEqual(merged["extra"], {"x": 1})
        self.assertTrue(self.text(REGISTRY).startswith('{\n  "schemaVersion"') and self.text(REGISTRY).endswith("}\n"))
        # Once more upstream, merged again; then both change one entry.
        self.upstream.add_skill("d.four", "fourth")
        self.upstream.commit("fourth")
        self.assert_ok(self.skills("update"))
        self.assertEqual(len(self.registry()["skills"]), 5)
        before = self.tree()
        self.upstream.entries["b.two"]["summary"] = "theirs"
        self.upstream.write_registry()
        self.upstream.commit("fifth")
        run = self.refused("update")
        self.assertEqual(run.json["details"]["conflicts"], [REGISTRY + "#b.two"])
        self.assertEqual(self.tree(), before)

    def test_a_local_registry_that_is_broken_or_gone(self):
        (self.folder / REGISTRY).unlink()
        self.assert_ok(self.skills("install"))
        self.assertEqual(len(self.registry()["skills"]), 2)
        (self.folder / REGISTRY).write_text("{oops")
        self.refused("update", says="cannot be read: ")
        self.upstream.add_skill("c.three", "third")
        self.upstream.commit("third")
        run = self.refused("update")
        self.assertEqual(run.json["details"]["conflicts"], [REGISTRY])
        self.assertEqual(self.text(REGISTRY), "{oops")

    def test_a_file_that_cannot_be_written_takes_all_back(self):
        if os.geteuid() == 0:
            readonly = self.folder / "skills/b.two/scripts"
            if subprocess.run(["chattr", "+i", readonly], capture_output=True, check=False).returncode != 0:
                self.skipTest("root writes everywhere here")
            self.addCleanup(subprocess.run, ["chattr", "-i", readonly], check=False)
        else:
            readonly = self.folder / "skills/b.two/scripts"
            readonly.chmod(0o555)
            self.addCleanup(readonly.chmod, 0o755)
        before, head = self.tree(), self.git("rev-parse", "HEAD")
        self.upstream.write("README.md", "new\n")
        self.upstream.write("skills/a.one/SKILL.md", "new\n")
        self.upstream.write("skills/b.two/scripts/run.sh", "new\n")
        self.upstream.commit("third")
        self.refused("update", says="cannot write")
        self.assertEqual((self.tree(), self.git("rev-parse", "HEAD")), (before, head))
        self.assertEqual(self.git("status", "--porcelain"), "")


    def test_git_at_work_in_the_folder_takes_all_back(self):
        self.upstream.write("skills/a.one/SKILL.md", "new\n")
        self.upstream.git("branch", "other")
        self.upstream.commit("third")
        before, head = self.tree(), self.git("rev-parse", "HEAD")
        for name, ref in (("index.lock", "main"), ("HEAD.lock", "main"), ("refs/heads/main.lock", "main"),
                          ("config.lock", "main"), ("HEAD.lock", "other"), ("HEAD.lock", head)):
            with self.subTest(f"{name} {ref}"):
                lock = self.folder / ".git" / name
                lock.write_text("")
                more = ["--repo", f"file://{self.upstream.path}"] if name == "config.lock" else []
                self.refused("sync", "--ref", ref, *more)
                lock.unlink()
                self.assertEqual((self.tree(), self.git("rev-parse", "HEAD")), (before, head))
                self.assertEqual(self.git("status", "--porcelain", "--branch"), "## main")
                self.assertEqual(self.git("branch", "--format=%(refname:short)"), "main")
        self.assert_ok(self.skills("update"))
        self.assertEqual(self.git("status", "--porcelain"), "")

    def test_in_the_middle_of_a_merge(self):
        (self.folder / ".git/MERGE_HEAD").write_text(self.upstream.first + "\n")
        self.refused("update", says="in the middle of a merge")


class Refusals(SkillsTest):
    def test_a_folder_that_is_no_checkout_is_not_touched(self):
        self.folder.mkdir(parents=True)
        (self.folder / "mine.txt").write_text("mine")
        self.refused("install", says="is not empty and no git checkout")
        self.assertEqual(self.tree(), {"mine.txt": b"mine"})
        (self.folder / "mine.txt").unlink()
        self.installed()

    def test_a_file_or_a_broken_checkout_in_its_place(self):
        self.state.mkdir()
        self.folder.write_text("a file")
        self.refused("install", says="is no folder")
        self.folder.unlink()
        (self.folder / ".git").mkdir(parents=True)
        self.refused("install", says="could not find repository")

    def test_registries_that_upstream_broke(self):
        self.installed()
        before, head = self.tree(), self.git("rev-parse", "HEAD")
        for text, says in ((None, "does not exist"), ("{oops", "cannot be read: "),
                           ('{"skills":{}}', "Invalid registry: skills array required")):
            with self.subTest(says):
                (self.upstream.path / REGISTRY).unlink(missing_ok=True)
                if text is not None:
                    self.upstream.write(REGISTRY, text)
                self.upstream.commit("broken")
                self.refused("update", says=says)
                self.assertEqual((self.tree(), self.git("rev-parse", "HEAD")), (before, head))
                self.assertEqual(self.git("status", "--porcelain"), "")
        self.folder.rename(self.state / "logs")  # a first install of such a one
        self.refused("install", says="skills array required")
        self.assertFalse(self.folder.exists())

    def test_trees_that_are_hostile(self):
        self.installed()
        before = self.tree()
        sub = self.upstream.raw_tree([("100644", "x", self.upstream.git("hash-object", "-w", "--stdin", stdin=b"x"))])
        rows = {"link.md": [("120000", "link.md", "BLOB")], "..": [("40000", "..", sub)],
                ".git": [("40000", ".git", sub)], ".GIT ": [("40000", ".GIT ", sub)],
                "git~1": [("40000", "git~1", sub)], "a\\..\\b": [("100644", "a\\..\\b", "BLOB")],
                "twice": [("100644", "twice", "BLOB"), ("40000", "twice", sub)]}
        for name, lines in rows.items():
            with self.subTest(name):
                self.upstream.git("update-ref", "refs/heads/odd", self.upstream.tree_of(*lines))
                run = self.refused("sync", "--ref", "odd")
                self.assertIn(name, run.json["message"])
                self.assertEqual(self.tree(), before)
        nested = sub
        for _ in range(40):
            nested = self.upstream.raw_tree([("40000", "a", nested), ("40000", "b", nested)])
        self.upstream.git("update-ref", "refs/heads/odd", self.upstream.tree_of(("40000", "bomb", nested)))
        self.refused("sync", "--ref", "odd", says="too many")

    def test_submodules_are_not_followed(self):
        self.upstream.git("update-ref", "refs/heads/odd",
                          self.upstream.tree_of(("160000", "module", "1" * 40)))
        self.assert_ok(self.skills("sync", "--ref", "odd"))
        self.assertEqual(list(self.tree()), [REGISTRY])
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertEqual(list((self.folder / "module").iterdir()), [])
        self.assert_ok(self.skills("sync", "--ref", "main"))
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertFalse((self.folder / "module").exists())

    def test_two_at_once(self):
        self.installed()
        with open(self.state / "skills.lock", "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.refused("update", says="another sync")
        self.assert_ok(self.skills("update"))

    def test_what_a_killed_install_left_goes(self):
        left = self.state / ".skills.0123456789abcdef.part"
        (left / "x").mkdir(parents=True)
        kept = self.state / ".skills.backup.part"
        kept.mkdir()
        self.installed()
        self.assertFalse(left.exists())
        kept.rmdir()

    def test_urls_without_authentication(self):
        for url in ("git://x.example/y", "http://x.example/y", "ftp://x.example/y", "https://u:p@x.example/y",
                    "ssh://git:secret@x.example/y", "ext::sh -c id", "/no/such/folder"):
            run = self.refused("install", "--repo", url)
            self.assertNotIn("secret", str(run.json))
        self.assertFalse(self.folder.exists())

    def test_no_home(self):
        run = self.run_clawperator("skills", "install", environment={**self.environment(), "HOME": "/dev/null"})
        self.assert_error(run, "SKILLS_SYNC_FAILED")
        self.assertIn("/dev/null/.clawperator", run.json["message"])

    def test_users_configuration_of_git_plays_no_part(self):
        (self.home.path / ".gitconfig").write_text(
            '[url "/nowhere/"]\n\tinsteadOf = /\n[core]\n\tautocrlf = true\n\thooksPath = /tmp\n')
        self.upstream.write(".gitattributes", "*.md text eol=crlf\n")
        self.upstream.commit("attributes")
        self.installed()
        self.assertEqual((self.folder / "skills/a.one/SKILL.md").read_bytes(), b"first\n")


class OverHttps(SkillsTest):
    def setUp(self):
        super().setUp()
        self.web = self.started(git_server.GitHttps(self.upstream, self.home.path))
        self.url = self.web.url
        self.more = {"CURL_CA_BUNDLE": self.web.ca}

    def grow(self):
        """A pack of some size, which does not compress."""
        (self.upstream.path / "big.bin").write_bytes(os.urandom(600_000))
        return self.upstream.commit("big")

    def test_install_update_and_pin(self):
        self.installed()
        self.assertEqual(self.git("rev-parse", "HEAD"), self.upstream.first)
        self.assertEqual(self.web.seen, ["GET /skills/info/refs?service=git-upload-pack",
                                         "POST /skills/git-upload-pack"])
        for number in range(60):  # more than one round of negotiation
            self.upstream.write("README.md", f"{number}\n")
            last = self.upstream.commit(str(number))
        self.assert_ok(self.skills("update"))
        self.assertEqual(self.git("rev-parse", "HEAD"), last)
        self.assert_ok(self.skills("sync", "--ref", self.upstream.first))
        self.git("fsck", "--strict")
        self.web.seen.clear()
        self.assert_ok(self.skills("update"))
        self.assertEqual(len(self.web.seen), 1)  # nothing new

    def test_certificates_are_checked(self):
        self.more = {}
        self.refused("install", says="certificate")
        self.assertFalse(self.folder.exists())

    def test_redirects(self):
        self.web.faults["GET"] = ({"status": 302, "body": b"", "headers": {
             "Location": f"http://127.0.0.1:{self.web.server.server_address[1]}/skills/info/"
                         "refs?service=git-upload-pack"}})
        self.refused("install", says='Protocol "http"')
        other = self.started(git_server.GitHttps(self.upstream, self.home_of("other")))
        self.more = {"CURL_CA_BUNDLE": self.both(other)}
        self.web.faults["GET"]["headers"]["Location"] = other.url + "/info/refs?service=git-upload-pack"
        self.installed()
        self.assertEqual([it.split()[0] for it in other.seen], ["GET", "POST"])
        self.web.faults["GET"]["headers"]["Location"] = other.base + "/login"
        self.refused("update", says="404")

    def home_of(self, name):
        folder = self.home.path / name
        folder.mkdir()
        return folder

    def both(self, other):
        path = self.home.path / "both.pem"
        path.write_text(self.web.ca.read_text() + other.ca.read_text())
        return path

    def test_answers_that_are_none(self):
        self.installed()
        self.grow()
        before, head = self.tree(), self.git("rev-parse", "HEAD")
        rows = [("GET", {"status": 404}, "status 404"), ("GET", {"status": 500}, "status 500"),
                ("GET", {"type": "text/html"}, "no git repository (the server sent text/html)"),
                ("GET", {"body": b"", "type": "application/x-git-upload-pack-advertisement"}, "early"),
                ("GET", {"body": b"zzzz" * 9, "type": "application/x-git-upload-pack-advertisement"}, ""),
                ("GET", {"cut": 60}, ""),
                ("POST", {"status": 302, "headers": {"Location": self.web.url}}, "status 302"),
                ("POST", {"type": "text/plain"}, "text/plain"), ("POST", {"cut": 100_000}, ""),
                ("POST", {"body": b"0008NAK\n" + b"0010\x01PACK" + bytes(7) + b"0000",
                          "type": "application/x-git-upload-pack-result"}, ""),
                ("POST", {"body": b"0008NAK\n", "type": "application/x-git-upload-pack-result"}, "early")]
        for method, faults, says in rows:
            with self.subTest(f"{method} {faults}"):
                self.web.faults = {"GET": {}, "POST": {}, method: faults}
                self.refused("update", says=says, limit=LIMIT_S)
                self.assertEqual((self.tree(), self.git("rev-parse", "HEAD")), (before, head))
                self.git("fsck", "--strict")
        self.web.faults = {"GET": {}, "POST": {}}
        self.assert_ok(self.skills("update"))
        self.assertEqual(self.git("status", "--porcelain"), "")

    def test_more_than_anybody_sends(self):
        self.installed()
        self.grow()
        before = self.tree()
        self.web.faults["POST"] = {"type": "application/x-git-upload-pack-result", "body": b"0008NAK\n",
                                   "again": b"fff0\x02" + bytes(0xfff0 - 5)}
        self.refused("update", says="more than 536870912 bytes", limit=LIMIT_S)
        self.assertEqual(self.tree(), before)

    def test_a_server_that_falls_silent(self):
        self.grow()
        for method, silent in (("GET", 0), ("GET", 30), ("POST", 0), ("POST", 200_000)):
            with self.subTest(f"{method} {silent}"):
                self.web.faults = {"GET": {}, "POST": {}, method: {"silent": silent}}
                self.refused("install", "--timeout", "1500", says="took longer than 1500 ms", limit=LIMIT_S)
                self.assertFalse(self.folder.exists())

    def test_a_server_that_does_not_shake_hands(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            self.refused("install", "--repo", f"https://127.0.0.1:{silent.getsockname()[1]}/x", "--timeout", "1000",
                         says="took longer than 1000 ms", limit=LIMIT_S)

    def interrupted(self, sent_signal, *words):
        self.web.sent.clear()
        # The thread that fetches is left behind and dies with the process: LeakSanitizer would see what it holds.
        process = subprocess.Popen([str(peer.BINARY), "skills", *words],
                                   env=self.environment() | {"ASAN_OPTIONS": "detect_leaks=0"},
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertTrue(self.web.sent.wait(LIMIT_S))
        time.sleep(0.2)
        process.send_signal(sent_signal)
        out, err = process.communicate(timeout=LIMIT_S)
        self.assertEqual(process.returncode, 128 + sent_signal, out + err)
        self.assertEqual(json.loads(out)["code"], "CANCELLED")
        self.assert_tidy()

    def test_signals_leave_the_old_or_nothing(self):
        self.web.faults["POST"] = {"slow": 0.2}
        self.grow()
        self.interrupted(signal.SIGINT, "install")
        self.assertFalse(self.folder.exists())
        self.web.faults["POST"] = {}
        self.installed()
        self.grow()
        before, head = self.tree(), self.git("rev-parse", "HEAD")
        self.web.faults["POST"] = {"slow": 0.2}
        self.interrupted(signal.SIGTERM, "update")
        self.assertEqual((self.tree(), self.git("rev-parse", "HEAD")), (before, head))
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.git("fsck", "--strict")
        self.assertEqual(list((self.folder / ".git/objects/pack").glob("*git2_*")), [])
        self.web.faults["POST"] = {}
        self.assert_ok(self.skills("update"))


class OverSsh(SkillsTest):
    def setUp(self):
        super().setUp()
        keys = self.home.path / "keys"
        keys.mkdir()
        self.sshd = self.started(git_server.Sshd(keys))
        self.url = f"ssh://{getpass.getuser()}@127.0.0.1:{self.sshd.port}{self.upstream.path}"
        self.more = {"SSH_AUTH_SOCK": self.sshd.agent_socket}

    def trust(self, text):
        (self.home.path / ".ssh").mkdir(exist_ok=True)
        (self.home.path / ".ssh/known_hosts").write_text(text)

    def test_by_the_agents_key_from_a_known_host(self):
        self.refused("install", says="known_hosts")
        self.sshd.make_key(self.home.path / "another")
        self.trust(f"[127.0.0.1]:{self.sshd.port} " + (self.home.path / "another.pub").read_text())
        self.refused("install", says="known_hosts")
        self.trust(self.sshd.known_hosts)
        self.installed()
        self.upstream.add_skill("b.two", "second")
        second = self.upstream.commit("second")
        self.assert_ok(self.skills("update"))
        self.assertEqual(self.git("rev-parse", "HEAD"), second)

    def test_without_a_key(self):
        self.trust(self.sshd.known_hosts)
        (self.home.path / "keys/user.pub").write_text("")
        self.refused("install", says="accepts no key")
        self.more = {}
        self.refused("install", says="ssh-agent")

    def test_an_ssh_server_that_is_silent_is_left_behind(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"ssh://git@127.0.0.1:{silent.getsockname()[1]}/x"
            self.refused("install", "--repo", url, "--timeout", "1000", says="took longer than 1000 ms", limit=LIMIT_S)
            process = subprocess.Popen([str(peer.BINARY), "skills", "install", "--repo", url],
                                       env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=LIMIT_S)
            self.assertEqual((process.returncode, json.loads(out)["code"]), (130, "CANCELLED"))
            self.assert_tidy()


if __name__ == "__main__":
    unittest.main()
