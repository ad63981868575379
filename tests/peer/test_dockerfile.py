"""packaging/Dockerfile, by npm's dockerfilelint. tests/packages/run.py builds it where a machine has an engine."""
import json
import pathlib
import subprocess

import peer
import peers
from limits import LIMIT_S

DOCKERFILE = peer.ROOT / "packaging/Dockerfile"
# The recommended libraries are what USB, TLS, pictures and skills load.
ALLOWED = {"Consider `--no-install-recommends`"}


class Dockerfile(peer.PeerTest):
    def findings(self, text):
        path = self.home.path / "Dockerfile"
        path.write_text(text)
        try:
            program = [peers.node(), peers.NPM / "node_modules/dockerfilelint/bin/dockerfilelint"]
        except peers.Unavailable as reason:
            self.skipTest(str(reason))
        done = subprocess.run([*program, "--output", "json", path], capture_output=True, text=True, timeout=LIMIT_S,
                              check=False)
        file, = json.loads(done.stdout)["files"]
        return {issue["title"] for issue in file["issues"]}

    def test_lint(self):
        self.assertEqual(self.findings(pathlib.Path(DOCKERFILE).read_text()), ALLOWED)

    def test_the_lint_finds_faults(self):
        self.assertGreater(len(self.findings("FROM debian\nRUN sudo apt-get install curl\nFOO bar\n")), 2)
