"""`clawperator hub` beside the hub's own client (clawdhub of npm, tests/peer/npm), at one hub and in one work
folder."""
import json
import subprocess
import unittest

import peer
import peers
from fake_hub import FakeHub
from limits import LIMIT_S

CLIENT = peers.NPM / "node_modules/clawdhub/bin/clawdhub.js"
NEW_CLIENT = peers.NPM / "node_modules/clawhub/bin/clawdhub.js"
# Names whose order is ICU's and not that of their bytes.
V1 = {"SKILL.md": b"---\nname: demo\n---\n", "alpha_b.md": b"1", "alpha-b.md": b"2", "alpha/x.md": b"3",
      "Zeta.md": b"4",
      "references/A.md": b"5", "references/b.md": b"6", "scripts/run.sh": b"7", "scripts/Run2.sh": b"8",
      "a (1).md": b"9"}
V2 = {"SKILL.md": b"---\nname: demo\n---\ntwo\n", "scripts/run.sh": b"7"}


def setUpModule():
    try:
        peers.node()
    except peers.Unavailable as reason:
        raise unittest.SkipTest(str(reason)) from None


class BesideTheClient(peer.PeerTest):
    client = CLIENT

    def setUp(self):
        super().setUp()
        self.hub = FakeHub()
        self.addCleanup(self.hub.stop)
        self.hub.add("demo", "1.0.0", V1)
        self.work = self.home.path / "work"
        self.work.mkdir()
        self.environment = self.home.environment(
            CLAWDHUB_REGISTRY=self.hub.base, CLAWDHUB_SITE=self.hub.base, CLAWDHUB_WORKDIR=str(self.work),
            CLAWDHUB_CONFIG_PATH=str(self.home.path / "config.json"), CLAWDHUB_DISABLE_TELEMETRY="1")

    def ours(self, *words):
        return self.assert_ok(self.run_clawperator("hub", *words, environment=self.environment)).json

    def theirs(self, *words):
        done = subprocess.run([peers.node(), self.client, *words, "--no-input"], env=self.environment, cwd=self.work,
                              text=True,
                              capture_output=True, timeout=LIMIT_S, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stdout} {done.stderr}")
        return done.stdout + done.stderr

    def lock(self):
        return json.loads((self.work / ".clawdhub/lock.json").read_text())

    def files(self, skill="demo"):
        folder = self.work / "skills" / skill
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*")
                if path.is_file() and not {".clawdhub", ".clawhub"} & set(path.parts)}

    def hashes(self):
        return [each["query"]["hash"] for each in self.hub.asked("/api/v1/resolve")]

    def test_both_write_the_same(self):
        texts = []
        for install in (self.theirs, self.ours):
            install("install", "demo", "--force")
            origin = json.loads((self.work / "skills/demo/.clawdhub/origin.json").read_text())
            lock = self.lock()
            for each in (origin, lock["skills"]["demo"]):
                self.assertGreater(each.pop("installedAt"), 0)
            for newer in "fingerprint", "ownerHandle":  # this one does not note them
                origin.pop(newer, None)
            texts.append((list(origin.items()), lock, self.files()))
        self.assertEqual(texts[0], texts[1])

    def test_both_have_one_fingerprint(self):
        self.theirs("install", "demo")
        (self.work / "skills/demo/.gitignore").write_text("*.log.md\n!/keep.log.md\nbuild/\n")
        for name in ("a.log.md", "keep.log.md", "build/x.md", "logo.png", "Makefile", "nested/.hidden.md"):
            path = self.work / "skills/demo" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(name)
        self.theirs("update", "demo")
        self.run_clawperator("hub", "update", "demo", environment=self.environment)
        hashes = self.hashes()
        self.assertEqual(len(hashes), 3, "theirs, ours, and ours of all files")
        self.assertEqual(hashes[0], hashes[1])

    def test_each_goes_on_where_the_other_stopped(self):
        self.theirs("install", "demo")
        self.assertEqual([each["slug"] for each in self.ours("list")["skills"]], ["demo"])
        self.assertEqual(self.ours("update", "--all")["updates"][0]["status"], "up_to_date")
        self.hub.add("demo", "1.1.0", V2)
        self.assertEqual(self.ours("update", "demo")["updates"][0]["status"], "updated")
        self.assertEqual(self.files(), V2)
        self.assertIn("demo  1.1.0", self.theirs("list"))
        self.assertIn("up to date (1.1.0)", self.theirs("update", "demo"))
        self.hub.add("demo", "1.2.0", {**V1, "new.md": b"x"})
        self.assertIn("updated -> 1.2.0", self.theirs("update", "--all"))
        self.assertEqual(self.ours("update", "demo")["updates"][0]["status"], "up_to_date")
        self.assertEqual(len(set(self.hashes())), 3, "of three contents")

    def test_one_login_is_both_of_theirs(self):
        self.hub.tokens["clh_secret01"] = "me"
        self.theirs("login", "--token", "clh_secret01")
        self.assertEqual(self.ours("whoami")["handle"], "me")
        self.ours("logout")
        self.ours("login", "--token", "clh_secret01")
        self.assertIn("me", self.theirs("whoami"))

    def test_both_publish_the_same(self):
        self.hub.tokens["clh_secret01"] = "me"
        self.ours("login", "--token", "clh_secret01")
        folder = self.work / "My_Skill"
        for name, content in {**V1, "pic.png": b"\0", ".hidden.md": b"x"}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        self.theirs("publish", "My_Skill", "--version", "1.0.0", "--changelog", "one")
        self.ours("publish", "My_Skill", "--version", "1.0.1", "--changelog", "one")
        (theirs, their_files, _), (ours, our_files, _) = self.hub.published
        theirs.pop("version"), ours.pop("version")
        self.assertEqual(ours, theirs)
        self.assertEqual(our_files, their_files)


class BesideTheNewClient(BesideTheClient):
    """clawhub, of the year after: it knows several owners of one slug."""
    client = NEW_CLIENT

    def setUp(self):
        super().setUp()
        self.hub.add("@bob/demo", "2.0.0", V1)

    def test_an_owners_skill_is_the_same_to_both(self):
        self.theirs("install", "@bob/demo")
        self.assertEqual([each["slug"] for each in self.ours("list")["skills"]], ["@bob/demo"])
        self.assertTrue(self.ours("verify", "@bob/demo")["verified"])
        self.hub.add("@bob/demo", "2.1.0", V2)
        self.assertEqual(self.ours("update", "--all")["updates"][0]["version"], "2.1.0")
        self.assertEqual(self.files("@bob/demo"), V2)
        self.assertIn("2.1.0", self.theirs("list"))
        self.hub.add("@bob/demo", "2.2.0", {**V1, "new.md": b"x"})
        self.theirs("update", "@bob/demo")
        self.assertEqual(self.files("@bob/demo")["new.md"], b"x")
        self.assertEqual(self.ours("update", "@bob/demo")["updates"][0]["status"], "up_to_date")

    def test_both_go_on_with_what_we_installed(self):
        self.ours("install", "@bob/demo")
        self.hub.add("@bob/demo", "2.1.0", V2)
        self.theirs("update", "--all")
        self.assertEqual(self.files("@bob/demo"), V2)

    # With a second owner these differ, or they are of what the older client alone does.
    test_both_write_the_same = test_both_have_one_fingerprint = test_each_goes_on_where_the_other_stopped = None
    test_one_login_is_both_of_theirs = test_both_publish_the_same = None


if __name__ == "__main__":
    unittest.main()
