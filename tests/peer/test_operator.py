"""operator setup, grants, packages and compatibility on the real adbd, against the chain of real
`adb` commands that they stand for: the stub phone must end up the same."""
import json
import shlex
import subprocess
import unittest

import peer

import apk  # from tests/support, which peer has made known
from limits import LIMIT_S

NAMESPACE = peer.ROOT / "tools/in_adbd_ns"
ADBD = "127.0.0.1:5600"
UNAVAILABLE = 3
ACCESSIBILITY = "/clawperator.operator.accessibilityservice.OperatorAccessibilityService"
LISTENER = "/action.notification.NotificationListenerService"
SERVER = "adb connect " + ADBD + " >/dev/null 2>&1; "
# What a script does without us: install, look, grant, look again. This adbd announces abb_exec and
# has no binder behind it, which adb's streamed installation does not survive.
CHAIN = SERVER + """
set -e
append() { case $1 in null|'') echo "$2";; *) echo "$1:$2";; esac; }
adb install --no-streaming -r "$APK" >/dev/null
adb shell pm list packages "$PACKAGE" >/dev/null
old=$(adb shell settings get secure enabled_accessibility_services)
case $old in *"$PACKAGE/clawperator"*) ;; *)
  adb shell settings put secure accessibility_enabled 1
  adb shell settings put secure enabled_accessibility_services "$(append "$old" "$PACKAGE""" + ACCESSIBILITY + """")";;
esac
adb shell pm grant "$PACKAGE" android.permission.POST_NOTIFICATIONS
adb shell cmd notification allow_listener "$PACKAGE""" + LISTENER + """"
adb shell pm list packages "$PACKAGE" >/dev/null
"""
STATE = """
grep ^grant "$PHONE_STATE/changes" | sort -u
for name in packages setting.secure.enabled_accessibility_services \
    setting.secure.accessibility_enabled setting.secure.enabled_notification_listeners; do
  echo "== $name"
  [ ! -e "$PHONE_STATE/$name" ] || cat "$PHONE_STATE/$name"
  echo
done
"""


class OnTheRealAdbd(peer.PeerTest):
    def setUp(self):
        super().setUp()
        self.files = self.home.path / "files"
        self.files.mkdir()
        self.apk = apk.write_apk(self.home.path / "operator.apk", padding=200_000)

    def phone_has(self, **files):
        for name, text in files.items():
            (self.files / name.replace("__", ".")).write_text(text)

    def beside_adbd(self, script, *arguments):
        command = [str(NAMESPACE), "--files", str(self.files), "--", "sh", "-c", script, str(peer.BINARY),
                   *map(str, arguments)]
        environment = self.home.environment(APK=self.apk, PACKAGE=apk.RELEASE)
        done = subprocess.run(command, env={**environment, "HOME": "/root"}, capture_output=True, timeout=2 * LIMIT_S,
                              check=False)
        if done.returncode == UNAVAILABLE:
            raise unittest.SkipTest(done.stderr.decode().strip().splitlines()[-1])
        return peer.Run(command, done)

    def clawperator_beside_adbd(self, *arguments, before=SERVER):
        return self.beside_adbd(before + 'exec "$0" "$@"', *arguments)

    def state_after(self, script, *arguments):
        run = self.beside_adbd(script + STATE, *arguments)
        self.assertEqual(run.status, 0, str(run))
        return run.out.decode()

    def test_setup_leaves_what_the_chain_of_adb_commands_leaves(self):
        new = "com.android.settings 14 34\n"
        next_package = f"{apk.RELEASE} 0.5.3 503900"
        rows = {
            "a new phone": {"packages": new, "next_package": next_package},
            "other apps have services": {
                "packages": new, "next_package": next_package,
                "setting__secure__enabled_accessibility_services": "a.b/c.D",
                "setting__secure__enabled_notification_listeners": "e/f:g/h"},
            "again": {
                "setting__secure__enabled_accessibility_services": apk.RELEASE + ACCESSIBILITY,
                "setting__secure__enabled_notification_listeners": apk.RELEASE + LISTENER},
        }
        setup = SERVER + '"$0" operator setup --apk "$APK" >/dev/null; '
        direct = f'"$0" operator setup --apk "$APK" --device {ADBD} --transport tcp >/dev/null; '
        for name, state in rows.items():
            with self.subTest(name):
                for old in self.files.iterdir():
                    old.unlink()
                self.phone_has(**state)
                theirs = self.state_after(CHAIN)
                self.assertIn("grant " + apk.RELEASE, theirs)
                self.assertEqual(self.state_after(setup), theirs)
                self.assertEqual(self.state_after(direct), theirs)

    def test_setup_reports_its_phases(self):
        self.phone_has(packages="", next_package=f"{apk.RELEASE} 0.5.3 503900")
        run = self.assert_ok(self.clawperator_beside_adbd("operator", "setup", "--apk", self.apk))
        self.assertEqual(run.json["install"], {"ok": True})
        self.assertEqual(run.json["verification"], {"ok": True, "packageInstalled": True})
        self.assertEqual(run.json["operatorPackage"], apk.RELEASE)

    def test_a_refused_grant_is_reported_and_the_rest_is_done(self):
        self.phone_has(grant_refusal="java.lang.SecurityException: no\n")
        run = self.clawperator_beside_adbd("grant-device-permissions")
        self.assert_error(run, "GRANT_DEVICE_PERMISSIONS_FAILED")
        self.assertIn("SecurityException", run.json["notification"]["error"])
        self.assertTrue(run.json["notificationListener"]["ok"])

    def test_a_refused_package_is_reported(self):
        self.apk.write_bytes(b"BAD" + bytes(5000))
        run = self.clawperator_beside_adbd("operator", "setup", "--apk", self.apk)
        self.assert_error(run, "OPERATOR_INSTALL_FAILED")
        self.assertIn("INSTALL_FAILED_INVALID_APK", run.json["install"]["error"])

    def test_packages_are_those_that_adb_lists(self):
        self.phone_has(packages="com.android.settings 14 34\norg.example.app 1 1\n")
        for ours, theirs in (((), ""), (("--third-party",), " -3")):
            listed = self.beside_adbd(SERVER + f"adb shell pm list packages{theirs}").out.decode().split()
            run = self.assert_ok(self.clawperator_beside_adbd("packages", "list", *ours))
            self.assertEqual(["package:" + name for name in run.json["packages"]], listed)

    def test_a_line_too_long_for_one_argument(self):
        """Quoted it has more than a program's argument may have; it goes by the shell's input. [T13][R21]"""
        texts = [f"it's {number}" + "'" * 500 for number in range(50)]
        plan = {"commandId": "long", "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
                "timeoutMs": 10000, "actions": [{"id": f"a{number}", "type": "enter_text", "params": {
                    "matcher": {"resourceId": "x:id/" + "y" * 100}, "text": text}}
                    for number, text in enumerate(texts)]}
        self.assertGreater(len(shlex.quote(json.dumps(plan, separators=(",", ":")))), 131072)
        (self.home.path / "plan.json").write_text(json.dumps(plan))
        self.phone_has(heard="")
        script = SERVER + '"$0" "$@" >&2 || exit; cat "$PHONE_STATE/heard"'
        for how in ((), ("--device", ADBD, "--transport", "tcp")):
            with self.subTest(how=how):
                run = self.beside_adbd(script, "exec", self.home.path / "plan.json", *how)
                self.assertEqual(run.status, 0, str(run))
                calls = [call.split("\0") for call in run.out.decode().split("\x1e")]
                sent = [json.loads(call[call.index("payload") + 1]) for call in calls if "payload" in call]
                self.assertEqual(len(sent), 1)
                self.assertTrue([action["params"]["text"] for action in sent[0]["actions"]] == texts)

    def test_compatibility(self):
        run = self.assert_ok(self.clawperator_beside_adbd("version", "--check-compat"))
        self.assertEqual((run.json["apkVersion"], run.json["apkVersionCode"]), ("0.5.3", 503900))
        self.phone_has(packages=f"{apk.RELEASE} 0.4.9 409900\n")
        run = self.clawperator_beside_adbd("version", "--check-compat")
        self.assertEqual(run.status, 1)
        self.assertEqual(run.json["error"]["code"], "VERSION_INCOMPATIBLE")


if __name__ == "__main__":
    unittest.main()
