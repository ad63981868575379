"""What packaging/mcp/make.py makes: the bundle by the program of the format's makers (npm's @anthropic-ai/mcpb),
server.json by the facts of the registry's schema, the plugin and the clients' entries by what they start."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib
import unittest
import zipfile

import peer
import peers
from limits import LIMIT_S

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MAKE = ROOT / "packaging/mcp/make.py"
URL = "https://example.com/clawperator.mcpb"
HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}


def broken_rules(entry):
    """Of server.json. Facts of github.com/modelcontextprotocol/registry, docs/reference/server-json (MIT): the schemas
    of 2025-09-29 to 2025-12-11 by its CHANGELOG.md, generic-server-json.md, official-registry-requirements.md."""
    def text(value, least, most):
        return isinstance(value, str) and least <= len(value) <= most

    rules = {
        "$schema": lambda value: re.fullmatch(
            r"https://static\.modelcontextprotocol\.io/schemas/\d{4}-\d\d-\d\d/server\.schema\.json", value),
        "name": lambda value: text(value, 3, 200) and re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", value),
        "title": lambda value: text(value, 1, 100),
        "description": lambda value: text(value, 1, 100),
        "version": lambda value: (text(value, 1, 255) and value != "latest"
                                  and not re.search(r"[\^~><*=|]|\.x\b", value)),
        "packages": lambda value: value and not any(broken_package_rules(each) for each in value),
    }
    wrong = [name for name in entry if name not in rules or not rules[name](entry[name])]
    return wrong + [f"no {name}" for name in ("$schema", "name", "description", "version") if name not in entry]


def broken_package_rules(package):
    rules = {
        "registryType": lambda value: value == "mcpb",
        "identifier": lambda value: re.fullmatch(r"https://[\w.-]+/\S+", value),
        "version": lambda value: value and value != "latest",
        "fileSha256": lambda value: re.fullmatch("[a-f0-9]{64}", value),  # required of mcpb
        "transport": lambda value: value == {"type": "stdio"},
    }
    needed = ("registryType", "identifier", "fileSha256", "transport")
    return ([name for name in package if name not in rules or not rules[name](package[name])]
            + [f"no {name}" for name in needed if name not in package])


class McpPackages(peer.PeerTest):
    """Of a release build, where there is one: that is packed."""

    def setUp(self):
        super().setUp()
        try:
            self.node = peers.node()
        except peers.Unavailable as reason:
            self.skipTest(str(reason))
        self.environment = self.home.environment(ANDROID_ADB_SERVER_PORT=peer.free_port())
        self.binary = next((path for path in (ROOT / "build/release/clawperator", peer.BINARY) if path.exists()))
        self.tree, self.made = self.home.path / "tree", self.home.path / "made"
        (self.tree / "bin").mkdir(parents=True)
        shutil.copy2(self.binary, self.tree / "bin")
        (self.tree / "lib/clawperator").mkdir(parents=True)
        (self.tree / "lib/clawperator/libexample.so.1").write_bytes(b"x")
        (self.tree / "lib/libother.so.1").write_bytes(b"of another program")
        # As install.sh has it: the program names itself by the link in PATH.
        links = self.home.path / "links"
        links.mkdir()
        (links / "clawperator").symlink_to(self.tree / "bin/clawperator")
        self.environment["PATH"] = f"{links}:{os.environ['PATH']}"

    def make(self, folder, *words):
        return subprocess.run([sys.executable, MAKE, self.tree, folder, *words], env=self.environment,
                              capture_output=True, text=True, timeout=4 * LIMIT_S, check=False)

    def mcpb(self, *words):
        """The format's own program."""
        done = subprocess.run([self.node, peers.NPM / "node_modules/@anthropic-ai/mcpb/dist/cli/cli.js", *words],
                              env=self.environment, cwd=self.home.path, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=4 * LIMIT_S, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def assert_starts(self, command, arguments, **more):
        done = subprocess.run([command, *arguments], input=json.dumps(HELLO) + "\n", env=self.environment | more,
                              capture_output=True, text=True, timeout=LIMIT_S, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["result"]["serverInfo"]["name"], "clawperator")

    def test_all(self):
        done = self.make(self.made, "--name", "io.example/clawperator", "--bundle-url", URL)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        bundle, = self.made.glob("*.mcpb")
        self.check_bundle(bundle)
        self.check_registry_entry(bundle)
        self.check_clients()
        self.check_plugin()
        again = self.home.path / "again"
        self.make(again, "--bundle-url", URL)
        self.assertEqual((again / bundle.name).read_bytes(), bundle.read_bytes())

    def check_bundle(self, bundle):
        """It is what the format's program packs, and starts as its manifest says."""
        self.assertRegex(bundle.name, r"^clawperator-\d+\.\d+\.\d+-linux-(x86_64|aarch64)\.mcpb$")
        out = self.home.path / "unpacked"
        self.mcpb("unpack", str(bundle), str(out))
        self.mcpb("validate", str(out / "manifest.json"))
        manifest = json.loads((out / "manifest.json").read_text())
        self.assertEqual(manifest["version"], self.binary_says("--version"))
        self.assertIn("snapshot", [tool["name"] for tool in manifest["tools"]])
        server = manifest["server"]
        self.assertEqual(server["type"], "binary")
        self.assertTrue((out / server["entry_point"]).is_file())
        self.assertTrue((out / "server/lib/clawperator/libexample.so.1").is_file())
        self.assertFalse((out / "server/lib/libother.so.1").exists())
        config = server["mcp_config"]
        self.assert_starts(config["command"].replace("${__dirname}", str(out)), config["args"])
        packed = self.home.path / "packed.mcpb"
        self.mcpb("pack", str(out), str(packed))
        with zipfile.ZipFile(packed) as theirs, zipfile.ZipFile(bundle) as ours:
            self.assertEqual(sorted(theirs.namelist()), sorted(ours.namelist()))
            for name in ours.namelist():
                self.assertEqual(theirs.read(name), ours.read(name), name)

    def binary_says(self, *words):
        return subprocess.run([self.binary, *words], env=self.environment, capture_output=True, text=True,
                              timeout=LIMIT_S, check=True).stdout.strip()

    def check_registry_entry(self, bundle):
        entry = json.loads((self.made / "server.json").read_text())
        self.assertEqual(broken_rules(entry), [])
        self.assertEqual(entry["packages"][0]["fileSha256"], hashlib.sha256(bundle.read_bytes()).hexdigest())
        self.assertEqual((entry["name"], entry["packages"][0]["identifier"]), ("io.example/clawperator", URL))

    def check_clients(self):
        """The very entries of --print-config, but for the path."""
        files = sorted(path.name for path in (self.made / "clients").iterdir())
        self.assertEqual(files, ["claude-code.json", "claude-desktop.json", "codex.toml", "cursor.json", "gemini.json",
                                 "openclaw.json", "vscode.json"])
        for name in files:
            text = (self.made / "clients" / name).read_text()
            document = tomllib.loads(text) if name.endswith("toml") else json.loads(text)
            while "clawperator" not in document:
                document, = document.values()
            entry = document["clawperator"]
            self.assertEqual((entry["command"], entry["args"]), ("clawperator", ["mcp"]), name)

    def check_plugin(self):
        """code.claude.com/docs/en/plugins-reference: what the folder has, and where."""
        folder = self.made / "claude-code-plugin"
        found = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
        self.assertEqual(found, [".claude-plugin/plugin.json", ".mcp.json", "skills/clawperator/SKILL.md"])
        plugin = json.loads((folder / ".claude-plugin/plugin.json").read_text())
        self.assertRegex(plugin["name"], r"^[a-z0-9]+(-[a-z0-9]+)*$")
        self.assertEqual(plugin["version"], self.binary_says("--version"))
        entry = json.loads((folder / ".mcp.json").read_text())["mcpServers"]["clawperator"]
        path = f"{self.tree / 'bin'}:{os.environ['PATH']}"
        self.assert_starts(shutil.which(entry["command"], path=path), entry["args"])
        checked = subprocess.run([self.binary, "agent-skills", "validate", folder / "skills/clawperator"],
                                 env=self.environment, capture_output=True, text=True, timeout=LIMIT_S, check=False)
        self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_without_an_address(self):
        """A package without an address is not named."""
        self.assertEqual(self.make(self.made).returncode, 0)
        entry = json.loads((self.made / "server.json").read_text())
        self.assertEqual((broken_rules(entry), "packages" in entry), ([], False))

    def test_refusals(self):
        self.assertIn("--name is no", self.make(self.made, "--name", "clawperator").stderr)
        (self.tree / "bin/clawperator").write_bytes(b"no program")
        self.assertIn("is for no machine", self.make(self.made).stderr)
        (self.tree / "bin/clawperator").unlink()
        self.assertIn("has no bin/clawperator", self.make(self.made).stderr)
        self.assertFalse(self.made.exists())

    def test_the_rules_can_fail(self):
        good = {"$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
                "name": "a/b", "description": "x", "version": "1.0.0"}
        self.assertEqual(broken_rules(good), [])
        for change in ({"name": "ab"}, {"description": "x" * 101}, {"version": "^1.0.0"}, {"status": "x"},
                       {"packages": [{"registryType": "mcpb", "identifier": URL, "transport": {"type": "stdio"}}]}):
            self.assertNotEqual(broken_rules(good | change), [], change)


if __name__ == "__main__":
    unittest.main()
