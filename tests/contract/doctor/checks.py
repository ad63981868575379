"""What doctor says of several devices, of one that does not let us in, and of a server that it
starts itself: each with adb servers and simulated devices of its own, which are ended here."""
import contextlib
import json
import shutil
import signal
import subprocess
import time

from limits import LIMIT_S, scaled
from ports import free_port


class Lab:
    """An adb server and any number of `clawperator sim`."""

    def __init__(self, place):
        self.place, self.port, self.children = place, free_port(), []
        self.env = {**place.env, "ANDROID_ADB_SERVER_PORT": str(self.port)}

    def spawn(self, *argv):
        child = subprocess.Popen(argv, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, cwd=self.place.sandbox)
        self.children.append(child)
        return child

    def serve(self):
        self.spawn(shutil.which("adb"), "-L", f"tcp:localhost:{self.port}", "nodaemon", "server")

    def sim(self, *options):
        child = self.spawn(self.place.binary, *self.place.SIM, "--port", "0", *options)
        return json.loads(child.stdout.readline())["address"], child

    def adb(self, *words):
        return subprocess.run(["adb", "-P", str(self.port), *words], env=self.env, capture_output=True,
                              text=True, timeout=LIMIT_S, check=False).stdout

    def attach(self, address, state):
        """Connects it and waits until the server shows it in that state."""
        deadline = time.monotonic() + LIMIT_S
        while time.monotonic() < deadline:
            self.adb("connect", address)
            if f"{address}\t{state}" in self.adb("devices"):
                return
            time.sleep(0.1)
        raise self.place.Mismatch(f"{address} is not {state}: {self.adb('devices')}")

    def doctor(self, *words, exit_code):
        done = self.place.run("doctor", *words, env={"ANDROID_ADB_SERVER_PORT": str(self.port)})
        if done.returncode != exit_code:
            raise self.place.Mismatch(f"exit {done.returncode}: {done.stdout[:2000]}{done.stderr[:500]}")
        return json.loads(done.stdout)

    def close(self):
        for child in reversed(self.children):
            child.send_signal(signal.SIGCONT)
            child.send_signal(signal.SIGTERM)
        for child in self.children:
            try:
                child.wait(scaled(5))
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


@contextlib.contextmanager
def lab_of(place):
    lab = Lab(place)
    try:
        yield lab
    finally:
        lab.close()


def expect(place, what, actual, wanted):
    if actual != wanted:
        raise place.Mismatch(f"{what}: expected {wanted!r}, got {actual!r}")


def several_devices(place):
    with lab_of(place) as lab:
        lab.serve()
        addresses = [lab.sim()[0], lab.sim("--serial", "SIM0DROID2")[0]]
        for address in addresses:
            lab.attach(address, "device")
        report = lab.doctor(exit_code=0)
        last = report["checks"][-1]
        expect(place, "check", (last["id"], last["status"], last["code"]),
               ("device.discovery", "warn", "MULTIPLE_DEVICES_DEVICE_ID_REQUIRED"))
        expect(place, "devices", sorted(last["evidence"]["devices"]), sorted(addresses))
        expect(place, "what was not checked", last["detail"].startswith("Not checked: the device"), True)
        expect(place, "critical", report["criticalOk"], True)
        named = lab.doctor("--device", addresses[1], exit_code=0)
        expect(place, "deviceId", named["deviceId"], addresses[1])
        expect(place, "last check", named["checks"][-1]["id"], "readiness.handshake")


def unauthorized(place):
    with lab_of(place) as lab:
        lab.serve()
        address, _ = lab.sim("--auth", "key")
        lab.attach(address, "unauthorized")
        for words in ([], ["--device", address]):
            last = lab.doctor(*words, exit_code=1)["checks"][-1]
            expect(place, "check", (last["id"], last["status"], last["code"]),
                   ("device.discovery", "fail", "DEVICE_UNAUTHORIZED"))
            expect(place, "guidance", sorted(last["deviceGuidance"]), ["screen", "steps"])


def offers_our_key(place):
    """[L1] Without an adb server no other program offers a key."""
    with lab_of(place) as lab:
        address, _ = lab.sim("--auth", "key", "--confirm-after", "200")
        folder = place.sandbox / ".clawperator"
        folder.mkdir()
        (folder / "targets.json").write_text(json.dumps({"targets": [address]}))
        last = lab.doctor(exit_code=1)["checks"][-1]
        expect(place, "check", (last["id"], last["code"]), ("device.discovery", "DEVICE_UNAUTHORIZED"))
        command = last["fix"]["steps"][0]
        expect(place, "advice", command, {"kind": "shell", "value": f"clawperator doctor --fix --device {address}"})
        fixed = lab.doctor(*command["value"].split()[2:], exit_code=0)
        (repair,) = [fix for fix in fixed["fixes"] if fix["id"] == "device.discovery"]
        expect(place, "repair", (repair["action"], repair["ok"]), (f"offer this computer's key to {address}", True))
        expect(place, "last check", fixed["checks"][-1]["id"], "readiness.handshake")
        again = lab.doctor("--fix", exit_code=0)
        expect(place, "second time", [fix for fix in again["fixes"] if fix["id"] == "device.discovery"], [])


def screen_is_off(place):
    """[C14] Everything else passes, and nothing can be operated."""
    address, options = place.device.serial, ["--transport", "tcp"]
    with lab_of(place) as lab:
        options += ["--device", address]
        expect(place, "on", "device.screen" in str(lab.doctor(*options, exit_code=0)), False)
        place.run("key", "SLEEP", *options)
        (found,) = [check for check in lab.doctor(*options, exit_code=0)["checks"] if check["id"] == "device.screen"]
        expect(place, "off", (found["status"], found["code"]), ("warn", "DEVICE_NOT_INTERACTIVE"))
        command = found["fix"]["steps"][0]["value"].split()
        place.run(*command[1:], "--transport", "tcp")
        expect(place, "on again", "is off" in str(lab.doctor(*options, exit_code=0)), False)


def no_devices(place):
    with lab_of(place) as lab:
        lab.serve()
        deadline = time.monotonic() + LIMIT_S
        while "List of devices" not in lab.adb("devices") and time.monotonic() < deadline:
            time.sleep(0.1)
        report = lab.doctor(exit_code=1)
        last = report["checks"][-1]
        expect(place, "check", (last["id"], last["code"]), ("device.discovery", "NO_DEVICES"))
        expect(place, "server", report["checks"][0]["status"], "pass")
        expect(place, "exit with --check-only", lab.doctor("--check-only", exit_code=0)["ok"], False)


def fix_starts_a_server(place):
    """And leaves it alone: it is there afterwards, and a second --fix finds nothing to do."""
    with lab_of(place) as lab:
        try:
            report = lab.doctor("--fix", exit_code=1)
            first = report["fixes"][0]
            expect(place, "fix", (first["id"], first["action"], first["ok"]),
                   ("host.adb.server", "adb start-server", True))
            expect(place, "before", first["before"]["code"], "ADB_SERVER_FAILED")
            expect(place, "after", first["after"]["status"], "pass")
            expect(place, "last", report["checks"][-1]["code"], "NO_DEVICES")
            again = lab.doctor("--fix", exit_code=1)
            expect(place, "second time", [fix["id"] for fix in again["fixes"]
                                          if fix["id"] == "host.adb.server"], [])
        finally:
            lab.adb("kill-server")


def fix_without_adb(place):
    with lab_of(place) as lab:
        done = place.run("doctor", "--fix", env={"ANDROID_ADB_SERVER_PORT": str(lab.port),
                                                 "PATH": "/nowhere"})
        report = json.loads(done.stdout)
        expect(place, "exit", done.returncode, 1)
        expect(place, "fixes", [(each["id"], each["ok"]) for each in report["fixes"]], [("host.adb.keys", True)])
        server = next(each for each in report["checks"] if each["id"] == "host.adb.server")
        expect(place, "what needs an adb", [each["kind"] for each in server["fix"]["steps"]], ["manual"])
        if not (place.sandbox / ".android/adbkey").is_file():
            raise place.Mismatch("no key was made")


def full_in_a_checkout(place):
    """Gradle is the checkout's own; what it prints when it fails is the detail."""
    with lab_of(place) as lab:
        checkout = place.sandbox / "operator"
        (checkout / "below").mkdir(parents=True)
        (checkout / "settings.gradle").write_text("rootProject.name = 'clawperator'\ninclude ':app'\n")
        gradlew = checkout / "gradlew"
        gradlew.write_text("#!/bin/sh\necho \"$@\" >args\necho 'e: broken' >&2\nexit 1\n")
        gradlew.chmod(0o755)
        java = place.sandbox / "jdk/bin/java"
        java.parent.mkdir(parents=True)
        java.write_text("#!/bin/sh\necho 'openjdk version \"17.0.9\"' >&2\n")
        java.chmod(0o755)
        address, _ = lab.sim()
        env = {"JAVA_HOME": str(place.sandbox / "jdk")}

        def doctor(**more):
            done = subprocess.run([place.binary, "doctor", "--full", "--device", address, "--transport",
                                   "tcp"], env={**place.env, **env, **more}, cwd=checkout / "below",
                                  capture_output=True, stdin=subprocess.DEVNULL, timeout=LIMIT_S, check=False)
            return done.returncode, json.loads(done.stdout)["checks"]

        code, checks = doctor()
        expect(place, "exit", code, 1)
        expect(place, "java", (checks[-2]["id"], checks[-2]["status"]), ("host.java.version", "pass"))
        expect(place, "assemble", (checks[-1]["id"], checks[-1]["code"]),
               ("build.android.assemble", "ANDROID_BUILD_FAILED"))
        if "e: broken" not in checks[-1]["detail"]:
            raise place.Mismatch(f"detail {checks[-1]['detail']!r}")
        expect(place, "task", (checkout / "args").read_text().split()[-1], ":app:assembleDebug")

        gradlew.write_text("#!/bin/sh\nexit 0\n")
        code, checks = doctor()
        expect(place, "install", (checks[-1]["id"], checks[-1]["code"]),
               ("build.android.install", "ANDROID_INSTALL_FAILED"))

        code, checks = doctor(JAVA_HOME=str(place.sandbox / "nothing"))
        expect(place, "no java", (checks[-1]["id"], checks[-1]["code"]),
               ("host.java.version", "HOST_DEPENDENCY_MISSING"))


CHECKS = [("doctor: several devices", True, several_devices),
          ("doctor: unauthorized", True, unauthorized),
          ("doctor: it offers our key with --fix", True, offers_our_key),
          ("doctor: the screen is off", True, screen_is_off),
          ("doctor: no devices", True, no_devices),
          ("doctor --fix starts a server and never ends one", True, fix_starts_a_server),
          ("doctor --fix without an adb", False, fix_without_adb),
          ("doctor --full in a checkout", False, full_in_a_checkout)]
