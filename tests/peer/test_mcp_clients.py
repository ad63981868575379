"""`clawperator mcp` and /mcp of `serve`, as the clients and testers of the protocol's makers see them (tests/peer/npm):
both generations of their client, their inspector's command line, their conformance suite."""
import json
import os
import pathlib
import re
import subprocess
import types
import unittest

import host_calls
import peer
import peers
from api_server import ApiServer
from bearing import Bearing
from limits import LIMIT_S

LIST = pathlib.Path(__file__).resolve().parent / "npm"
PACKAGES = peers.NPM / "node_modules"
TOOLS = 14
SKILL_FILES = {  # sorted
    "SKILL.md": b"""---
name: weather
description: >-
  Shows the "weather":
  rain, sun.
license: MIT
metadata: {"version": "1.0", "a.b/c": "*"}
tags: [a, 2.5, yes]
---

# Weather \xe2\x80\xa8
""",
    "assets/picture.png": bytes(range(256)),
    "references/a b.md": b"# A\r\n",
}


def setUpModule():
    try:
        peers.node()
    except peers.Unavailable as reason:
        raise unittest.SkipTest(str(reason)) from None


class Phone(peer.PeerTest):
    """A simulated phone, and the ways to reach our tools on it."""

    def setUp(self):
        super().setUp()
        phone = self.started(peer.Simdroid("--profile", "zero"))
        self.serial = phone.address
        self.environment = self.home.environment(ANDROID_ADB_SERVER_PORT=peer.free_port())
        self.assert_ok(self.run_clawperator("connect", self.serial, environment=self.environment))
        for name, content in SKILL_FILES.items():
            file = pathlib.Path(self.environment["HOME"]) / ".openclaw/skills/weather" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)

    def serve(self):
        """The address of /mcp."""
        place = types.SimpleNamespace(binary=str(peer.BINARY), sandbox=self.home.path, Mismatch=AssertionError,
                                      env=self.environment)
        server = ApiServer(place)
        self.addCleanup(server.stop)
        relay = self.enterContext(Bearing(server))
        return f"http://127.0.0.1:{relay.port}/mcp"


class Clients(Phone):
    def talk(self, package, era=None, url=None, replay=()):
        way = {"url": url} if url else {"command": str(peer.BINARY), "args": ["mcp"], "env": self.environment}
        done = peers.run_module((LIST / "mcp_client.mjs").read_text(),
                                json.dumps({"package": package, "era": era, "replay": replay, **way}))
        self.assertEqual(done.returncode, 0, done.stderr)
        printed = json.loads(done.stdout)
        self.assertEqual((printed["server"], printed["tools"], printed["instructions"]), ("clawperator", TOOLS, True))
        self.assertIn("com.android.settings 1080x2400", printed["snapshot"])
        self.assertIn("AndroidWifi", printed["tap"])
        miss = printed["miss"]
        self.assertEqual((miss["isError"], miss["error"]["code"], miss["structured"]), (True, "NODE_NOT_FOUND", None))
        self.assertEqual(printed["shot"], ["text", "image"])
        self.assertEqual((printed["unknown"], printed["aborted"]), (-32602, True))
        self.assertEqual([row["device"] for row in printed["afterwards"]["devices"]], [self.serial])
        # Progress and the answer behind it in one read: the newer client forgets the token before it hands the progress
        # on.
        self.assertEqual([each for each in printed["faults"] if "unknown token" not in each], [])
        root = "skill://agent/weather/"
        meant = [[root + name.replace(" ", "%20"), True] for name in SKILL_FILES] if package == "client" else []
        self.assertEqual(printed["skills"], meant)
        self.assertEqual(len(printed["replayed"]), len(replay))
        for case, (meant, sent) in zip(replay, printed["replayed"]):
            with self.subTest(case["source"], tool=case["tool"]):
                self.assertEqual(host_calls.plain(sent), host_calls.plain(meant))
                self.assertNotIn("isError", meant)
        return printed

    def test_sdk_by_stdio(self):
        printed = self.talk("sdk", replay=host_calls.SENT["calls"])
        self.assertEqual(printed["progress"], sorted(set(printed["progress"])))
        self.assertNotEqual(printed["progress"], [])

    def test_sdk_by_http(self):
        self.talk("sdk", url=self.serve())

    def test_new_client_by_stdio(self):
        self.assertEqual(self.talk("client")["era"], "legacy")
        for era, replay in (("auto", host_calls.SENT["calls"]), ({"pin": "2026-07-28"}, ())):
            self.assertEqual(self.talk("client", era, replay=replay)["era"], "modern")

    def test_new_client_by_http(self):
        url = self.serve()
        self.assertEqual(self.talk("client", url=url)["era"], "legacy")
        for era in ("auto", {"pin": "2026-07-28"}):
            self.assertEqual(self.talk("client", era, url)["era"], "modern")


class Testers(Phone):
    def run_tester(self, script, *words):
        node = peers.node()
        return subprocess.run([node, str(PACKAGES / "@modelcontextprotocol" / script), *words], capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, timeout=4 * LIMIT_S, check=False, cwd=self.home.path,
                              env=self.environment | {"PATH": f"{os.path.dirname(node)}:{os.environ['PATH']}"})

    def inspect(self, *words, target):
        """What the command line of the inspector says of one method."""
        return self.run_tester("inspector/clients/launcher/build/index.js", "--cli", "--format", "json", *words,
                               *target)

    def test_inspector(self):
        url = self.serve()
        by_stdio = [word for name, value in self.environment.items() for word in ("-e", f"{name}={value}")]
        for options, target in ((by_stdio, [str(peer.BINARY), "mcp"]), ([], [url])):
            for era in ("legacy", "auto", "modern"):
                with self.subTest(target=target[0], era=era):
                    self.inspected([*options, "--protocol-era", era], target)

    def inspected(self, options, target):
        done = self.inspect(*options, "--method", "tools/list", "--strict", target=target)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(found_in(done.stdout, "tools")), TOOLS)
        done = self.inspect(*options, *calling("snapshot", max_bytes=1000), target=target)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1080x2400", found_in(done.stdout, "content")[0]["text"])
        done = self.inspect(*options, *calling("tap", ref="0123456789ab@1"), target=target)
        self.assertEqual(done.returncode, 5, done.stderr)  # the tool says that it failed
        self.assertIn("STALE_REF", done.stdout + done.stderr)
        filled, = [case for case in host_calls.SENT["calls"] if case["tool"] == "snapshot"]
        done = self.inspect(*options, *calling("snapshot", **filled["sent"]), target=target)
        self.assertEqual(done.returncode, 0, done.stderr)

    def conform(self, requirements, *passing):
        """Nothing fails but what npm/conformance.yml excuses, and these pass."""
        done = self.run_tester("conformance/dist/index.js", "server", "--url", self.serve(), "--requirements",
                               requirements,
                               "--expected-failures", str(LIST / "conformance.yml"), "-o",
                               str(self.home.path / "results"))
        said = done.stdout + done.stderr
        summary = said[said.find("=== SUMMARY"):]
        self.assertEqual(done.returncode, 0, summary)
        for scenario in passing:
            self.assertRegex(said, rf"✓ {re.escape(scenario)}: [1-9]\d* passed, 0 failed")

    def test_conformance_of_2025_11_25(self):
        self.conform("2025-11-25", "server-initialize", "ping", "tools-list", "dns-rebinding-protection")

    def test_conformance_of_2026_07_28(self):
        self.conform("2026-07-28", "tools-list", "dns-rebinding-protection", "http-header-validation")

    def test_conformance_of_skills(self):
        url = self.serve()
        for scenario, checks in (("sep-2640-skills-enumeration", 31), ("sep-2640-skills-manifest", 5)):
            with self.subTest(scenario):
                done = self.run_tester("conformance/dist/index.js", "server", "--url", url, "--scenario", scenario)
                said = done.stdout + done.stderr
                self.assertEqual(done.returncode, 0, said)
                verdicts = re.findall(r"\[sep-2640-[a-z-]+ *\] (?:\x1b\[\d+m)?([A-Z]+)", said)
                self.assertEqual(verdicts, ["SUCCESS"] * checks, said)


def calling(tool, **arguments):
    return ["--method", "tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(arguments)]


def found_in(text, member):
    """The member of the JSON document that a tester prints, wherever it wraps it."""
    document = json.loads(text)
    while member not in document:
        document = document["result"]
    return document[member]


if __name__ == "__main__":
    unittest.main()
