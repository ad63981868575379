"""The phone that is known at an address where the real adbd listens, and the real one's greeting and shell. Another
phone is one whose properties name another serial number."""
import json
import subprocess
import unittest

import peer
from limits import LIMIT_S

NAMESPACE = peer.ROOT / "tools/in_adbd_ns"
ADBD = "127.0.0.1:5600"
UNAVAILABLE = 3
SCRIPT = """
try() { "$0" --device %s --transport tcp "$@" 2>&1; echo "status $?"; }
try battery
try battery
echo ro.serialno OTHER >"$PHONE_STATE/properties"
try battery
try key back
try adb shell getprop ro.serialno
try battery --accept-new
try key back
"$0" known list
""" % ADBD


class OnTheRealAdbd(peer.PeerTest):
    def test_another_phone_gets_no_work_until_it_is_accepted(self):
        """[S7]"""
        files = self.home.path / "files"
        files.mkdir()
        done = subprocess.run([str(NAMESPACE), "--files", str(files), "--", "sh", "-c", SCRIPT, str(peer.BINARY)],
                              env=self.home.environment(), capture_output=True, timeout=2 * LIMIT_S, check=False)
        if done.returncode == UNAVAILABLE:
            raise unittest.SkipTest(done.stderr.decode().strip().splitlines()[-1])
        text = done.stdout.decode()
        *answers, known = text.split("status ")
        statuses = [answer.split("\n")[0] for answer in answers[1:]] + [known.split("\n")[0]]
        self.assertEqual(statuses, ["0", "0", "1", "1", "1", "0", "0"], text)
        for answer in answers[2:5]:
            self.assertIn("OTHER", answer)
            self.assertIn("instead of STUB0001", answer)
        phones = json.loads(known.split("\n", 1)[1])["phones"]
        self.assertEqual([(phone["address"], phone["serialno"], phone["tls"]) for phone in phones],
                         [(ADBD, "OTHER", False)])
