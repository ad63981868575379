"""Emulators from end to end: fake programs of the SDK (fake_sdk/), whose emulator is a console in
front of `clawperator sim`, the real adb server, and the binary between them."""
import json
import os
import pathlib
import platform
import signal
import subprocess
import sys
import time

from api_server import ApiServer
from limits import LIMIT_S, scaled_word
from process_state import is_gone

SDK = pathlib.Path(__file__).resolve().parent / "fake_sdk"
NAME = "clawperator-pixel"
ABI = "arm64-v8a" if platform.machine() in ("aarch64", "arm64") else "x86_64"
FITTING = (f"PlayStore.enabled=true\nabi.type={ABI}\nhw.device.name=pixel_7\n"
           f"image.sysdir.1=system-images/android-35/google_apis_playstore/{ABI}/\n")


class Lab:
    """One user's virtual devices and SDK. Its emulators end when its folder goes."""

    def __init__(self, place, manners=""):
        self.place = place
        self.folder = place.sandbox / "sdk"
        self.avds = place.sandbox / "avds"
        self.folder.mkdir()
        self.avds.mkdir()
        self.env = {"FAKE_SDK": str(self.folder), "FAKE_EMULATOR": manners,
                    "CLAWPERATOR": place.binary, "DISPLAY": ":0", "ANDROID_AVD_HOME": str(self.avds),
                    "EMULATOR_PATH": str(SDK / "emulator"),
                    "SDKMANAGER_PATH": str(SDK / "sdkmanager"),
                    "AVDMANAGER_PATH": str(SDK / "avdmanager")}

    def has(self, name, config=FITTING):
        (self.avds / f"{name}.ini").write_text("target=android-35\n")
        (self.avds / f"{name}.avd").mkdir()
        (self.avds / f"{name}.avd/config.ini").write_text(config)

    def installed(self, *packages):
        (self.folder / "installed").write_text("".join(f"{package}\n" for package in packages))

    def run(self, *argv, exit_code=0, **env):
        result = self.place.run(*argv, env={**self.env, **env}, timeout=LIMIT_S)
        self.expect(result.returncode == exit_code, "exit code", result)
        self.expect(result.stdout.count(b"\n") == 1, "one document", result)
        return json.loads(result.stdout)

    def begin(self, *argv, **env):
        return subprocess.Popen([self.place.binary, *argv], cwd=self.place.sandbox,
                                env={**self.place.env, **self.env, **env},
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)

    def expect(self, holds, what, found):
        if not holds:
            raise self.place.Mismatch(f"{what}: {found}")

    def same(self, found, wanted):
        self.expect(found == wanted, f"expected {wanted}", found)

    def fails(self, code, *argv, **env):
        error = self.run(*argv, exit_code=1, **env)
        self.expect(error["code"] == code, f"expected {code}", error)
        return error

    def calls(self):
        calls = self.folder / "calls"
        return calls.read_text().splitlines() if calls.exists() else []

    def status(self):
        return self.run("emulator", "status")["devices"]

    def becomes(self, what, condition):
        deadline = time.monotonic() + LIMIT_S
        while not condition():
            self.expect(time.monotonic() < deadline, f"did not come true: {what}", self.calls())
            time.sleep(0.05)

    def close(self):
        """No emulator of this check may be there for the next one."""
        for emulator in self.status():
            self.place.run("emulator", "stop", emulator["serial"], env=self.env)
        (self.folder / "calls").unlink(missing_ok=True)
        for file in self.folder.iterdir():
            file.unlink()
        self.folder.rmdir()
        self.becomes("no emulators", lambda: not self.status())


def in_lab(check, manners=""):
    def run(place):
        lab = Lab(place, manners)
        try:
            check(lab)
        finally:
            lab.env["FAKE_EMULATOR"] = ""
            lab.close()
    return run


def create(lab):
    image = f"system-images;android-35;google_apis_playstore;{ABI}"
    made = lab.run("emulator", "create")
    lab.same(made, {"name": NAME, "exists": True, "running": False, "apiLevel": 35, "abi": ABI,
                    "playStore": True, "deviceProfile": "pixel_7", "systemImage": image,
                    "supported": True, "unsupportedReasons": []})
    making = f"avdmanager create avd --name %s --package {image} --device pixel_7 <no>"
    lab.same(lab.calls(), ["sdkmanager --list_installed <0 yes>", "sdkmanager --licenses <100 yes>",
                           f"sdkmanager {image} <0 yes>", making % NAME])
    lab.run("emulator", "create", "--name", "second")
    lab.same(lab.calls()[4:], ["sdkmanager --list_installed <0 yes>", making % "second"])
    lab.same([avd["name"] for avd in lab.run("emulator", "list")["avds"]], [NAME, "second"])


def contents(lab):
    return {path.relative_to(lab.avds): path.read_bytes() for path in lab.avds.rglob("*") if path.is_file()}


def create_replaces_nothing(lab):
    """[A7] A phone's image is its user's; what is left of one is, too."""
    lab.has("able")
    (lab.avds / "able.avd/userdata.img").write_text("my photos")
    (lab.avds / "half.avd").mkdir()
    (lab.avds / "half.avd/userdata.img").write_text("more of them")
    before = contents(lab)
    for name in ("able", "half"):
        error = lab.fails("EMULATOR_ALREADY_EXISTS", "emulator", "create", "--name", name)
        lab.same(error["details"], {"avdName": name})
        lab.expect("--force" in error["hint"], "how it is replaced", error)
    error = lab.fails("EMULATOR_ALREADY_EXISTS", "provision", "emulator", "--name", "half",
                      ANDROID_AVD_HOME=str(only(lab, "half")))
    lab.same((lab.calls(), contents(lab)), ([], before))
    made = lab.run("emulator", "create", "--name", "able", "--force")
    lab.same((made["name"], made["supported"]), ("able", True))
    lab.expect(lab.calls()[-1].endswith("--force <no>"), "it is forced", lab.calls())
    lab.expect(not (lab.avds / "able.avd/userdata.img").exists(), "a new one", lab.avds)


def only(lab, name):
    """A folder of virtual devices where nothing but what is left of `name` is."""
    folder = lab.place.sandbox / "others"
    (folder / f"{name}.avd").mkdir(parents=True)
    return folder


def create_over_http(lab):
    """[A7]"""
    with ApiServer(lab.place, env=lab.env) as server:
        def create(**body):
            return server.json("POST", "/android/emulators/create", body)
        for body in ({"apiLevel": "35"}, {"apiLevel": 35.5}, {"apiLevel": 20}, {"apiLevel": 100}, {"deviceProfile": 7},
                     {"deviceProfile": "-x"}, {"deviceProfile": "a\nb"}, {"deviceProfile": ""}, {"abi": "mips"},
                     {"abi": 1},
                     {"playStore": "yes"}, {"force": 1}):
            status, answer = create(**body)
            lab.same((status, answer["error"]["code"]), (400, "INVALID_BODY"))
        lab.same(lab.calls(), [])
        status, made = create(name="able", apiLevel=34, deviceProfile="pixel_fold", abi="arm64-v8a", playStore=False)
        image = "system-images;android-34;google_apis;arm64-v8a"
        lab.same((status, made["apiLevel"], made["abi"], made["deviceProfile"], made["systemImage"], made["playStore"]),
                 (200, 34, "arm64-v8a", "pixel_fold", image, False))
        lab.same(lab.calls()[-1], f"avdmanager create avd --name able --package {image} --device pixel_fold <no>")
        calls = lab.calls()
        for body in ({"name": "able"}, {"name": "able", "force": False}):
            status, answer = create(**body)
            lab.same((status, answer["error"]["code"], lab.calls()), (409, "EMULATOR_ALREADY_EXISTS", calls))
        status, made = create(name="able", force=True, apiLevel=None)
        lab.same((status, made["apiLevel"], made["deviceProfile"], made["playStore"]), (200, 35, "pixel_7", True))


def create_fails(lab):
    for step in ("list_installed", "licenses", "install"):
        error = lab.fails("ANDROID_SYSTEM_IMAGE_INSTALL_FAILED", "emulator", "create", FAKE_FAIL=step)
        lab.same(error["details"]["exitCode"], 3)
        lab.expect("something is" in error["details"]["output"], "the program's own words", error)
    error = lab.fails("ANDROID_AVD_CREATE_FAILED", "emulator", "create", FAKE_FAIL="create")
    lab.expect("set to fail" in error["details"]["output"], "the program's own words", error)
    shown = lab.place.run("emulator", "create", "--output", "pretty",
                          env={**lab.env, "FAKE_FAIL": "list_installed"})
    lab.expect(b"\x1b" not in shown.stdout + shown.stderr, "no control characters", shown)
    lab.same(lab.run("emulator", "list"), {"avds": []})


def sdkmanager_is_gone(lab):
    pid = int((lab.folder / "pid").read_text())
    lab.expect(is_gone(pid), "sdkmanager has ended", pid)


def create_at_its_limit(lab):
    lab.fails("COMMAND_TIMEOUT", "emulator", "create", "--timeout", scaled_word(3000), FAKE_HANG="install")
    sdkmanager_is_gone(lab)
    lab.same(lab.run("emulator", "list"), {"avds": []})


def create_interrupted(lab):
    child = lab.begin("emulator", "create", FAKE_HANG="install")
    lab.becomes("it installs", (lab.folder / "pid").exists)
    child.send_signal(signal.SIGTERM)
    out, _ = child.communicate(timeout=LIMIT_S)
    lab.same((child.returncode, json.loads(out)["code"]), (143, "CANCELLED"))
    sdkmanager_is_gone(lab)


def start_and_stop(lab):
    lab.has("able")
    started = lab.run("emulator", "start", "able")
    serial = started["serial"]
    lab.expect(serial.startswith("emulator-"), "a serial", serial)
    lab.same(started, {"type": "emulator", "avdName": "able", "serial": serial, "booted": True})
    lab.same(lab.calls(), ["emulator @able -no-snapshot-load -no-boot-anim <own session>"])
    lab.same(lab.status(), [{"type": "emulator", "avdName": "able", "serial": serial, "booted": True,
                             "supported": True, "unsupportedReasons": []}])
    lab.same(lab.run("emulator", "inspect", "able")["running"], True)
    lab.fails("EMULATOR_ALREADY_RUNNING", "emulator", "start", "able")
    lab.fails("EMULATOR_ALREADY_RUNNING", "emulator", "delete", "able")
    lab.fails("EMULATOR_ALREADY_RUNNING", "emulator", "create", "--name", "able", "--force")
    lab.same(len(lab.calls()), 1)
    lab.same(lab.run("emulator", "stop", "able"), {"ok": True, "avdName": "able", "stopped": True})
    lab.same(lab.status(), [])
    lab.fails("EMULATOR_NOT_RUNNING", "emulator", "stop", "able")
    lab.same(lab.run("emulator", "delete", "able"), {"ok": True, "avdName": "able", "deleted": True})
    lab.same(lab.run("emulator", "list"), {"avds": []})


def without_a_display(lab):
    lab.has("able")
    lab.run("emulator", "start", "able", DISPLAY="", WAYLAND_DISPLAY="")
    lab.same(lab.calls(), ["emulator @able -no-snapshot-load -no-boot-anim -no-window <own session>"])


def unwritable_log(lab):
    lab.has("able")
    error = lab.fails("EMULATOR_START_FAILED", "emulator", "start", "able",
                      CLAWPERATOR_LOG_DIR="/proc/none")
    lab.expect("cannot write /proc/none/emulator-able-" in error["message"], "the file", error)
    lab.same(lab.calls(), [])


def another_server(lab):
    """The emulator gets the adb server that the command line names."""
    lab.has("able")
    port = lab.place.env["ANDROID_ADB_SERVER_PORT"]
    started = lab.run("emulator", "start", "able", "--adb-server", f"tcp:127.0.0.1:{port}",
                      ANDROID_ADB_SERVER_PORT="1")
    lab.same(started["booted"], True)


def delete_fails(lab):
    lab.has("able")
    error = lab.fails("EMULATOR_DELETE_FAILED", "emulator", "delete", "able", FAKE_FAIL="delete")
    lab.expect("set to fail" in error["details"]["output"], "the program's own words", error)
    lab.same(lab.run("emulator", "inspect", "able")["exists"], True)


def waits_for_boot(lab):
    lab.has("able")
    begun = time.monotonic()
    lab.same(lab.run("emulator", "start", "able")["booted"], True)
    lab.expect(time.monotonic() - begun >= 1, "it waits", time.monotonic() - begun)


def boot_timeout(lab):
    lab.has("able")
    error = lab.fails("EMULATOR_BOOT_TIMEOUT", "emulator", "start", "able", "--timeout", scaled_word(4000))
    log = pathlib.Path(error["details"]["logFile"])
    lab.expect("booting able" in log.read_text(), "its output is in the file", log)
    lab.expect(error["details"]["serial"].startswith("emulator-"), "the serial is reported", error)
    (still,) = lab.status()
    lab.same((still["avdName"], still["booted"]), ("able", False))


def registration_timeout(lab):
    """[C17]"""
    lab.has("able")
    error = lab.fails("EMULATOR_START_FAILED", "emulator", "start", "able", "--timeout", "2000")
    lab.expect("keeps running" in error["message"], "it says so", error)


def early_exit(lab):
    lab.has("able")
    error = lab.fails("EMULATOR_START_FAILED", "emulator", "start", "able",
                      CLAWPERATOR_LOG_DIR=str(lab.place.sandbox / "my logs"))
    lab.expect("Missing emulator engine" in error["details"]["output"], "its last lines", error)
    log = pathlib.Path(error["details"]["logFile"])
    lab.same(log.parent, lab.place.sandbox / "my logs")
    lab.expect(log.name.startswith("emulator-able-"), "named for it", log)
    lab.expect("Missing emulator engine" in log.read_text(), "kept in the file", log)


def interrupted(lab):
    lab.has("able")
    child = lab.begin("emulator", "start", "able")
    lab.becomes("it is there", lambda: [one["avdName"] for one in lab.status()] == ["able"])
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=LIMIT_S)
    lab.same(child.returncode, 130)
    error = json.loads(out)
    lab.same(error["code"], "CANCELLED")
    lab.expect("keeps running" in error["message"] and "logFile" in error["details"], "it says so",
               error)
    lab.same([one["avdName"] for one in lab.status()], ["able"])


def several_at_once(lab):
    names = ["one", "three", "two"]
    for name in names:
        lab.has(name)
    children = [lab.begin("emulator", "start", name) for name in names]
    serials = {}
    for child in children:
        started = json.loads(child.communicate(timeout=LIMIT_S)[0])
        serials[started["avdName"]] = started["serial"]
    lab.same(sorted(serials), names)
    lab.same(len(set(serials.values())), 3)
    lab.same({one["avdName"]: one["serial"] for one in lab.status()}, serials)


def stop_refused(lab):
    lab.has("able")
    lab.run("emulator", "start", "able")
    error = lab.fails("EMULATOR_STOP_FAILED", "emulator", "stop", "able")
    lab.expect("unknown command" in error["message"], "the console's words", error)


def stop_interrupted(lab):
    """It gets the signal to end, and the error says so."""
    lab.has("able")
    lab.run("emulator", "start", "able")
    child = lab.begin("emulator", "stop", "able")
    lab.becomes("it gets the signal to end", (lab.folder / "signalled").exists)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=LIMIT_S)
    error = json.loads(out)
    lab.same((child.returncode, error["code"], error["details"]["avdName"]), (130, "CANCELLED", "able"))
    lab.expect("got the command to stop" in error["message"], "it says so", error)


def untouched(lab, serial):
    """Neither deleted nor replaced nor started twice."""
    for words in (["delete", "able"], ["create", "--name", "able", "--force"]):
        calls = len(lab.calls())
        error = lab.fails("EMULATOR_ALREADY_RUNNING", "emulator", *words)
        lab.expect(serial in error["message"], "the serial", error)
        lab.same(len(lab.calls()), calls)
    lab.same(lab.run("emulator", "inspect", "able")["exists"], True)


def one_that_boots(lab):
    """It is not ready for adb, but its device is in use."""
    lab.has("able")
    lab.fails("EMULATOR_BOOT_TIMEOUT", "emulator", "start", "able", "--timeout", "2000")
    lab.same(lab.status(), [])
    untouched(lab, "emulator-")
    lab.fails("EMULATOR_ALREADY_RUNNING", "emulator", "start", "able")
    lab.same(lab.run("emulator", "stop", "able"), {"ok": True, "avdName": "able", "stopped": True})
    lab.same(lab.run("emulator", "delete", "able")["deleted"], True)


def one_without_a_name(lab):
    """It may be any of them; its serial stands for it."""
    lab.has("able")
    lab.fails("EMULATOR_START_FAILED", "emulator", "start", "able", "--timeout", scaled_word(3000))
    (nameless,) = lab.status()
    serial = nameless["serial"]
    lab.same(nameless["avdName"], "")
    untouched(lab, serial)
    error = lab.fails("EMULATOR_NOT_RUNNING", "emulator", "stop", "able")
    lab.expect(f"clawperator emulator stop {serial}" in error["hint"], "how to stop it", error)
    lab.same(lab.run("emulator", "stop", serial),
             {"ok": True, "avdName": "", "serial": serial, "stopped": True})
    lab.same(lab.run("emulator", "delete", "able")["deleted"], True)


def one_that_holds_its_lock(lab):
    """No adb server knows of it."""
    lab.has("able")
    lock = lab.avds / "able.avd/hardware-qemu.ini.lock"
    lock.write_text(f"{os.getpid()}\n")
    for words in (["delete", "able"], ["create", "--name", "able", "--force"], ["start", "able"]):
        error = lab.fails("EMULATOR_ALREADY_RUNNING", "emulator", *words)
        lab.same((error["details"]["lockFile"], error["details"]["pid"]), (str(lock), os.getpid()))
    lab.same(lab.calls(), [])
    gone = subprocess.Popen(["true"])
    gone.wait()
    lock.write_text(str(gone.pid))
    lab.same(lab.run("emulator", "delete", "able")["deleted"], True)


def console_with_token(lab):
    (lab.place.sandbox / ".emulator_console_auth_token").write_text("s3cret\n")
    lab.has("able")
    lab.run("emulator", "start", "able")
    (lab.place.sandbox / ".emulator_console_auth_token").write_text("other\n")
    error = lab.fails("EMULATOR_NOT_RUNNING", "emulator", "stop", "able")
    lab.expect("s3cret" not in json.dumps(error), "no secret", error)
    (lab.place.sandbox / ".emulator_console_auth_token").write_text("s3cret\n")
    lab.run("emulator", "stop", "able")


def provision(lab):
    made = lab.run("provision", "emulator")
    serial = made["serial"]
    lab.same(made, {"type": "emulator", "avdName": NAME, "serial": serial, "booted": True,
                    "created": True, "started": True, "reused": False})
    calls = len(lab.calls())
    again = lab.run("emulator", "provision")
    lab.same(again, {**made, "created": False, "started": False, "reused": True})
    lab.same(len(lab.calls()), calls)
    lab.run("emulator", "stop", NAME)
    once_more = lab.run("provision", "emulator")
    lab.same((once_more["created"], once_more["started"], once_more["reused"]), (False, True, False))
    shown = lab.place.device.run_adb("-s", once_more["serial"], "shell", "settings", "get", "global",
                                     "development_settings_enabled")
    lab.same(shown.stdout.strip(), b"1")


ALONE = ["unshare", "-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
WITHOUT_SERVER = """
import json, os, socket, subprocess, sys
def run(*words, **env):
    done = subprocess.run([os.environ["CLAWPERATOR"], *words], env={**os.environ, **env}, capture_output=True,
                          text=True)
    return json.loads(done.stdout)
def read(serial, *words, **env):
    return run("read", "--text", "Settings", "--timings", "--device", serial, *words, **env)
answers = {"created": run("emulator", "create", "--name", "able"), "none": run("emulator", "status")}
answers["started"] = run("emulator", "start", "able")
answers["running"] = run("emulator", "status")
answers["refused"] = run("emulator", "delete", "able")
answers["read"] = read("emulator-5554")
answers["elsewhere"] = [read("emulator-5554", ADB_SERVER_SOCKET="tcp:127.0.0.1:1"),
                        read("emulator-5554", "--adb-server", "tcp:127.0.0.1:1"),
                        read("127.0.0.1:5555", ANDROID_ADB_SERVER_ADDRESS="127.0.0.2"),
                        read("127.0.0.1:5555", ANDROID_ADB_SERVER_PORT="1")]
other = socket.create_server(("127.0.0.1", 5557))
other.settimeout(0)
answers["no console"] = read("emulator-5556")
answers["daemon"] = run("daemon", "start")
answers["by daemon"] = [read("emulator-5554"), read("emulator-5554"), read("emulator-5556")]
run("daemon", "stop")
try:
    answers["dialled"] = other.accept()[1]
except BlockingIOError:
    answers["dialled"] = None
answers["stopped"] = run("emulator", "stop", "able")
answers["deleted"] = run("emulator", "delete", "able")
answers["named"] = run("emulator", "status", "--adb-server", "tcp:127.0.0.1:1")
print(json.dumps(answers))
"""


def without_a_server(lab):
    """[C17] A network of its own has no adb server, and no other emulator."""
    if subprocess.run([*ALONE, "true"], capture_output=True, check=False).returncode != 0:
        print("SKIP: contract.emulator: no network namespace can be made here")
        return
    done = subprocess.run([*ALONE, sys.executable, "-c", WITHOUT_SERVER], capture_output=True, text=True,
                          env={**lab.place.env, **lab.env}, cwd=lab.place.sandbox, timeout=LIMIT_S, check=False)
    lab.same((done.returncode, done.stderr), (0, ""))
    answers = json.loads(done.stdout)
    booted = {"type": "emulator", "avdName": "able", "serial": "emulator-5554", "booted": True}
    lab.same((answers["created"]["name"], answers["none"]), ("able", {"devices": []}))
    lab.same(answers["started"], booted)
    lab.same(answers["running"]["devices"], [{**booted, "supported": True, "unsupportedReasons": []}])
    lab.same(answers["refused"]["code"], "EMULATOR_ALREADY_RUNNING")
    lab.same((answers["read"]["envelope"]["status"], answers["read"]["deviceId"]), ("success", "emulator-5554"))
    *elsewhere, on_this_computer = answers["elsewhere"]
    lab.same([answer["code"] for answer in elsewhere], ["DEVICE_NOT_FOUND"] * 3)
    lab.same(on_this_computer["envelope"]["status"], "success")
    for absent, connected in (answers["no console"], []), (answers["by daemon"].pop(), ["emulator-5554"]):
        lab.same((absent["code"], absent["details"]["connected"]), ("DEVICE_NOT_FOUND", connected))
        lab.same([source["source"] for source in absent["details"]["sources"]], ["server", "usb", "tcp"])
    lab.same([(answer["envelope"]["status"], answer["deviceId"], answer["timings"].get("daemon"))
              for answer in answers["by daemon"]], [("success", "emulator-5554", True)] * 2)
    lab.same((answers["daemon"]["ok"], answers["dialled"]), (True, None))
    lab.same(answers["stopped"], {"ok": True, "avdName": "able", "stopped": True})
    lab.same(answers["deleted"]["deleted"], True)
    lab.same(answers["named"]["code"], "ADB_SERVER_FAILED")


def provision_refuses(lab):
    lab.has(NAME, config=FITTING.replace("pixel_7", "tv_4k"))
    error = lab.fails("EMULATOR_UNSUPPORTED", "provision", "emulator")
    lab.same(error["details"]["unsupportedReasons"], ["unsupported_device_profile"])
    lab.same(lab.calls(), [])
    lab.has("able")
    lab.same(lab.run("provision", "emulator")["avdName"], "able")


def survives_us(lab):
    lab.has("able")
    lab.run("emulator", "start", "able")
    pids = [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and is_ours(pid, "@able")]
    lab.expect(pids and all(os.getsid(pid) != os.getsid(0) for pid in pids), "its own session", pids)


def is_ours(pid, word):
    try:
        words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return False
    return word in words and str(SDK / "emulator") in words


CHECKS = [
    ("emulator: create installs the image once", True, in_lab(create)),
    ("emulator: create replaces nothing unasked", True, in_lab(create_replaces_nothing)),
    ("emulator: create over HTTP heeds its members", True, in_lab(create_over_http)),
    ("emulator: create reports why it failed", True, in_lab(create_fails)),
    ("emulator: create at its limit leaves nothing behind", True, in_lab(create_at_its_limit)),
    ("emulator: create interrupted leaves nothing behind", True, in_lab(create_interrupted)),
    ("emulator: a log that cannot be written", True, in_lab(unwritable_log)),
    ("emulator: it registers with the server we use", True, in_lab(another_server)),
    ("emulator: start, status, stop, delete", True, in_lab(start_and_stop)),
    ("emulator: delete reports why it failed", True, in_lab(delete_fails)),
    ("emulator: start waits for the boot", True, in_lab(waits_for_boot, "boots-late")),
    ("emulator: a boot without end is a timeout", True, in_lab(boot_timeout, "boots-never")),
    ("emulator: one that never registers did not start", True, in_lab(registration_timeout, "silent")),
    ("emulator: an early end is reported at once", True, in_lab(early_exit, "dies")),
    ("emulator: Ctrl-C leaves it running and says so", True, in_lab(interrupted, "boots-never")),
    ("emulator: three at once have their own serials", True, in_lab(several_at_once)),
    ("emulator: a console that refuses to stop", True, in_lab(stop_refused, "refuses-kill")),
    ("emulator: Ctrl-C while it stops", True, in_lab(stop_interrupted, "second-kill")),
    ("emulator: one that boots is in use", True, in_lab(one_that_boots, "offline")),
    ("emulator: one without a name may be any", True, in_lab(one_without_a_name, "no-name")),
    ("emulator: a lock means that it is in use", True, in_lab(one_that_holds_its_lock)),
    ("emulator: the console's token", True, in_lab(console_with_token, "token")),
    ("emulator: provision creates, reuses, starts", True, in_lab(provision)),
    ("emulator: provision refuses a default that does not fit", True, in_lab(provision_refuses)),
    ("emulator: it outlives the command", True, in_lab(survives_us)),
    ("emulator: no display is needed", True, in_lab(without_a_display)),
    ("emulator: no adb server is needed", True, in_lab(without_a_server, "own-ports")),
]
