"""The inspector's page (web): its bundle is what npm's esbuild makes of its sources, its types are those of the
server's own OpenAPI document, and its logic passes its tests."""
import os
import shutil
import subprocess
import types

import peer
import peers
from api_server import ApiServer
from limits import LIMIT_S

WEB = peer.ROOT / "web"
TREE = peer.ROOT / "build/peers/web"


class PageBundle(peer.PeerTest):
    """In a copy, so that nothing of the tree changes."""

    def setUp(self):
        super().setUp()
        try:
            self.node = peers.node()
            peers.fetched("fetch/npm", "web")
        except peers.Unavailable as reason:
            self.skipTest(str(reason))
        self.copy = self.home.path / "web"
        shutil.copytree(WEB, self.copy, ignore=shutil.ignore_patterns("node_modules", "build"))
        (self.copy / "node_modules").symlink_to(TREE / "node_modules")

    def run_node(self, *words, **environment):
        done = subprocess.run([self.node, *words], cwd=self.copy, capture_output=True, text=True, timeout=4 * LIMIT_S,
                              check=False, env={**os.environ, **environment})
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
        return done.stdout

    def files(self, folder):
        return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}

    def test_bundle(self):
        shutil.rmtree(self.copy / "dist")
        self.run_node("build.mjs")
        self.assertEqual(self.files(self.copy / "dist"), self.files(WEB / "dist"),
                         "web/dist is not that of web/src: node web/build.mjs")

    def test_types_and_logic(self):
        self.run_node("node_modules/typescript/bin/tsc", "--noEmit")
        self.run_node("test.mjs")

    def test_generated_types(self):
        place = types.SimpleNamespace(binary=str(peer.BINARY), sandbox=self.home.path, Mismatch=AssertionError,
                                      env=self.home.environment(ANDROID_ADB_SERVER_PORT=peer.free_port()))
        with ApiServer(place) as server:
            self.run_node("generate.mjs", f"http://127.0.0.1:{server.port}", CLAWPERATOR_TOKEN=server.token)
        self.assertEqual((self.copy / "src/api.gen.ts").read_text(), (WEB / "src/api.gen.ts").read_text(),
                         "web/src/api.gen.ts is not that of /openapi.json: node web/generate.mjs URL")
