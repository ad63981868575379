"""The verbs that act by the phone's own shell: what they read back decides what they answer, on each release as it is
there."""
import json
import signal
import socket
import subprocess
import time

import apk
from limits import LIMIT_S, scaled_word

OPERATOR, SETTINGS, APP = "com.clawperator.operator", "com.android.settings", "org.example.app"
FORM = "com.clawperator.conformance"


def ask(place, *words):
    """Exit code and document. Dialled directly, so that a phone that was changed is met as what it is."""
    done = place.run(*words, "--device", place.device.serial, "--transport", "tcp")
    return done.returncode, json.loads(done.stdout)


def expect(place, what, found, wanted):
    if found != wanted:
        raise place.Mismatch(f"{what}: expected {wanted}, got {found}")


def succeeded(place, effect, **more):
    return 0, {"ok": True, "deviceId": place.device.serial, "backend": "shell", "effect": effect, **more}


def refused(place, words, code, *parts):
    status, error = ask(place, *words)
    expect(place, f"{words}: {error}", (status, error.get("code")), (1, code))
    for part in parts:
        if part not in json.dumps(error):
            raise place.Mismatch(f"{words}: {part!r} is not in {error}")
    return error


def apps_change(place):
    """Installed, granted, revoked, cleared, uninstalled: each is read back, and the phone itself agrees."""
    apk.write_apk(place.sandbox / "a.apk", APP, "1.5", 15)
    shell = lambda line: place.run("adb", "shell", line).stdout.decode()
    status, installed = ask(place, "apps", "install", "a.apk")
    expect(place, "install",
           (status, installed["effect"], installed["verdict"], installed["package"], installed["versionName"],
            installed["versionCode"]), (0, "changed", "Success", APP, "1.5", 15))
    apk.write_apk(place.sandbox / "a.apk", APP, "1.6", 16)
    expect(place, "update", ask(place, "apps", "install", "a.apk")[1]["versionCode"], 16)
    camera = {"package": APP, "permission": "android.permission.CAMERA"}
    expect(place, "grant", ask(place, "apps", "grant", APP, "CAMERA"),
           succeeded(place, "changed", **camera, granted=True))
    expect(place, "again", ask(place, "apps", "grant", APP, "CAMERA"),
           succeeded(place, "unchanged", **camera, granted=True))
    info = ask(place, "apps", "info", APP)[1]
    expect(place, "info",
           (info["permissions"]["granted"], info["versionName"], info["system"], info["stopped"], info["processes"]),
           (["android.permission.CAMERA"], "1.6", False, True, []))
    expect(place, "revoke", ask(place, "apps", "revoke", APP, "CAMERA"),
           succeeded(place, "changed", **camera, granted=False))
    expect(place, "clear", ask(place, "apps", "clear", APP), succeeded(place, "changed", package=APP))
    rows = {row["package"]: row for row in ask(place, "apps", "list")[1]["apps"]}
    expect(place, "row", rows[APP], {"package": APP, "versionCode": 16, "uid": rows[APP]["uid"], "system": False})
    expect(place, "a system app", rows[SETTINGS]["system"], True)
    expect(place, "uninstall", ask(place, "apps", "uninstall", APP), succeeded(place, "changed", package=APP))
    expect(place, "it is gone", shell(f"pm list packages {APP}"), "")


def apps_refused(place):
    """What is not there, not asked for, not possible or not kept is an error that says why."""
    for verb in ("info", "clear", "uninstall"):
        refused(place, ("apps", verb, "no.such.app"), "PACKAGE_NOT_FOUND", "apps list")
    refused(place, ("apps", "grant", SETTINGS, "x.y.Z"), "PEER_REFUSED", "Unknown permission: x.y.Z")
    refused(place, ("apps", "grant", SETTINGS, "INTERNET"), "PEER_REFUSED", "is not a changeable permission type")
    refused(place, ("apps", "grant", SETTINGS, "BLUETOOTH"), "PEER_REFUSED", "has not requested permission")
    refused(place, ("apps", "uninstall", SETTINGS), "PEER_REFUSED", "DELETE_FAILED_USER_RESTRICTED")
    refused(place, ("apps", "install", "none.apk"), "FILE_UNREADABLE")
    refused(place, ("apps", "list", "--labels"), "UNSUPPORTED", "labels")
    refused(place, ("apps", "info", "a;reboot"), "EXECUTION_VALIDATION_FAILED")
    refused(place, ("apps", "clear"), "MISSING_ARGUMENT", "apps clear <package>")
    refused(place, ("apps", "grant", SETTINGS), "MISSING_ARGUMENT", "apps grant <package> <permission>")
    place.device.simctl("fault", "setting-ignored", "android.permission.CAMERA")
    error = refused(place, ("apps", "grant", SETTINGS, "CAMERA"), "EFFECT_NOT_CONFIRMED")
    expect(place, "what was found", error["details"], {"package": SETTINGS, "permission": "android.permission.CAMERA",
                                                       "granted": False, "deviceId": place.device.serial})


def apps_on_releases(place):
    """Android 7 has another package manager behind `cmd`, 8 prints no versions, makers refuse."""
    apk.write_apk(place.sandbox / "a.apk", APP, "1.5", 15)
    for release in (7, 8, 10, 16):
        place.device.simctl("phone", f"android-{release}")
        expect(place, f"Android {release}: install",
               ask(place, "apps", "install", "a.apk", "--grant-all")[1].get("package"), APP)
        row = next(row for row in ask(place, "apps", "list", "--third-party")[1]["apps"] if row["package"] == APP)
        expect(place, f"Android {release}: row", row.get("versionCode"), 15 if release >= 9 else None)
        expect(place, f"Android {release}: grant", ask(place, "apps", "grant", APP, "CAMERA")[1].get("effect"),
               "changed")
        for verb in ("clear", "uninstall"):
            expect(place, f"Android {release}: {verb}", ask(place, "apps", verb, APP),
                   succeeded(place, "changed", package=APP))
        place.device.simctl("reset")
    place.device.simctl("phone", "oppo")
    refused(place, ("apps", "clear", SETTINGS), "PEER_REFUSED", "clearing user data is forbidden",
            "Disable permission monitoring")
    place.device.simctl("phone", "xiaomi")
    refused(place, ("apps", "install", "a.apk"), "PEER_REFUSED", "INSTALL_FAILED_USER_RESTRICTED", "Install via USB")


def crash(place):
    """The last crash as the log's events and its own buffer have it; none where there was none; nothing is cleared."""
    at = {"ok": True, "deviceId": place.device.serial, "backend": "shell"}
    never = "com.android.chrome"  # whom no other case crashes: a phone keeps its log
    expect(place, "none", ask(place, "crash", never),
           (0, {**at, "package": never, "crashes": 0, "anrs": 0, "last": None}))
    for release in (8, 14):
        place.device.simctl("phone", f"android-{release}")
        before = ask(place, "crash", OPERATOR)[1]["crashes"]
        place.run("adb", "shell", f"am crash {OPERATOR}")
        found = ask(place, "crash", OPERATOR)[1]
        last = found["last"]
        exception = "android.app.RemoteServiceException" + ("$CrashedByAdbException" if release >= 12 else "")
        expect(place, f"Android {release}",
               (found["crashes"] - before, last["kind"], last["exception"], last["message"], last["process"]),
               (1, "java", exception, "shell-induced crash", OPERATOR))
        expect(place, f"Android {release}: trace", "ActivityThread" in last["trace"][0], True)
    refused(place, ("crash", "no.such.app"), "PACKAGE_NOT_FOUND")
    expect(place, "cleared", place.device.counters().get("logcat_clear", 0), 0)
    place.device.simctl("fault", "logcat-refused")
    refused(place, ("crash", OPERATOR), "LOGCAT_UNAVAILABLE", "Permission denied")
    refused(place, ("log", "tail", "--package", OPERATOR), "LOGCAT_UNAVAILABLE", "Permission denied")


def log_tail(place):
    """One app's lines alone: those that are there, then those that come; by level, up to a number, until it is
    stopped."""
    words = ("log", "tail", "--package", OPERATOR, "--device", place.device.serial, "--transport", "tcp")
    place.run("--backend", "app", "back")
    place.run("adb", "shell", "log -p e -t Other not-ours")
    done = place.run(*words, "--no-follow")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    expect(place, "the app's lines", (done.returncode, bool(lines), {line["pid"] for line in lines}), (0, True, {2981}))
    done = place.run(*words, "--lines", "2")
    expect(place, "two lines", (done.returncode, len(done.stdout.splitlines())), (0, 2))
    expect(place, "no line is fatal", place.run(*words, "--no-follow", "--level", "fatal").stdout, b"")
    with subprocess.Popen([place.binary, *words], env=place.env, cwd=place.sandbox, stdout=subprocess.PIPE) as tail:
        line, last = json.loads(tail.stdout.readline()), float(lines[-1]["time"])
        place.run("--backend", "app", "press", "home")
        while float(line["time"]) <= last:
            line = json.loads(tail.stdout.readline())
        expect(place, "a line that came", line["pid"], 2981)
        tail.send_signal(signal.SIGINT)
        tail.stdout.read()
        expect(place, "stopped", tail.wait(), 0)
    refused(place, ("log", "tail"), "MISSING_ARGUMENT", "--package")
    refused(place, ("log", "tail", "--package", OPERATOR, "--lines", "0"), "USAGE")


def state(place):
    """The screen, the battery and the networks: the phone's own word afterwards decides."""
    at = {"ok": True, "deviceId": place.device.serial, "backend": "shell"}
    for release in (9, 11, 14):
        place.device.simctl("phone", f"android-{release}")
        expect(place, f"Android {release}: upside down", ask(place, "rotate", "180"),
               succeeded(place, "changed", rotation=180, auto=False))
        expect(place, f"Android {release}: again", ask(place, "rotate", "180")[1]["effect"], "unchanged")
        expect(place, f"Android {release}: as held", ask(place, "rotate", "auto"),
               succeeded(place, "changed", rotation=0, auto=True))
        for network, key in (("wifi", "wifi_on"), ("data", "mobile_data")):
            expect(place, f"Android {release}: {network}", ask(place, "net", network, "off"),
                   succeeded(place, "changed", network=network, on=False))
            expect(place, f"Android {release}: {network}", ask(place, "net", network, "off")[1]["effect"], "unchanged")
            value = place.run("adb", "shell", f"settings get global {key}").stdout
            expect(place, f"Android {release}: {network}", (value, ask(place, "net", network, "on")[1]["effect"]),
                   (b"0\n", "changed"))
        if release == 9:
            refused(place, ("net", "airplane", "on"), "UNSUPPORTED", "Before Android 10", '"sdk": 28')
        else:
            expect(place, f"Android {release}: airplane",
                   [ask(place, "net", "airplane", word)[1]["effect"] for word in ("on", "on", "off")],
                   ["changed", "unchanged", "changed"])
    expect(place, "battery", ask(place, "battery"),
           (0, {**at, "percent": 85, "status": "charging", "plugged": ["usb"], "health": "good",
                "celsius": 28.7, "millivolts": 4123, "frozen": False}))
    place.run("adb", "shell", "dumpsys battery set level 7; dumpsys battery unplug")
    battery = ask(place, "battery")[1]
    expect(place, "battery", (battery["percent"], battery["status"], battery["plugged"], battery["frozen"]),
           (7, "discharging", [], True))


def state_refused(place):
    """An app that keeps its way up, a setting that is not kept, and a way to the phone that would be cut."""
    error = refused(place, ("rotate", "90"), "EFFECT_NOT_CONFIRMED", "the app in front keeps its own way up")
    expect(place, "the lock holds", error["details"],
           {"rotation": 0, "auto": False, "lockedTo": 90, "deviceId": place.device.serial})
    refused(place, ("rotate", "45"), "EXECUTION_VALIDATION_FAILED", "45")
    refused(place, ("rotate",), "MISSING_ARGUMENT")
    refused(place, ("net", "wifi", "maybe"), "EXECUTION_VALIDATION_FAILED")
    place.device.simctl("fault", "setting-ignored", "mobile_data")
    error = refused(place, ("net", "data", "off"), "EFFECT_NOT_CONFIRMED", "is still on")
    expect(place, "what was read", error["details"], {"mobile_data": "1", "deviceId": place.device.serial})
    elsewhere = place.device.serial.replace("127.0.0.1", "0.0.0.0")
    for words in (("net", "wifi", "off"), ("net", "airplane", "on")):
        done = place.run(*words, "--device", elsewhere, "--transport", "tcp")
        expect(place, f"{words}", (done.returncode, json.loads(done.stdout)["code"]), (1, "LINK_AT_RISK"))
    expect(place, "nothing was sent", place.run("adb", "shell", "settings get global wifi_on").stdout, b"1\n")
    place.device.simctl("phone", "android-9")
    place.device.simctl("fault", "shell-restricted")
    refused(place, ("rotate", "180"), "PEER_REFUSED", "WRITE_SECURE_SETTINGS")


def notify(place, package, title, text, *actions):
    words = " ".join(f"'{word}'" for word in (package, title, text, *actions))
    expect(place, "notify", place.run("adb", "shell", f"simctl notify {words}").returncode, 0)


def notifications(place):
    """Listed with their texts, the shade down and up, all cleared by its button: what stays is listed, on each
    release."""
    usb = {"package": "android", "title": "USB debugging connected", "text": "Tap to turn off USB debugging",
           "key": "0|android|26|null|1000",
           "id": 26, "importance": 3, "ongoing": True, "actions": []}
    for release in (7, 9, 10, 14):
        place.device.simctl("phone", f"android-{release}")
        place.device.simctl("fault", "last-anr", "NotificationShade")  # which was in front when an app did not answer
        expect(place, f"Android {release}", ask(place, "notifications", "list")[1]["notifications"], [usb])
        expect(place, f"Android {release}: nothing to clear", ask(place, "notifications", "clear"),
               succeeded(place, "unchanged", cleared=[], remaining=[usb]))
        notify(place, APP, "Ann (work)", "one (1)\n\n    NotificationRecord(0x\nlast", "Reply", "Mute")
        listed = ask(place, "notifications", "list")[1]["notifications"]
        expect(place, f"Android {release}: texts",
               (listed[0]["package"], listed[0]["title"], listed[0]["text"], listed[0]["actions"], listed[1:]),
               (APP, "Ann (work)", "one (1)\n\n    NotificationRecord(0x\nlast", ["Reply", "Mute"], [usb]))
        expect(place, f"Android {release}: close", ask(place, "notifications", "close"),
               succeeded(place, "unchanged", open=False))
        expect(place, f"Android {release}: open", ask(place, "notifications", "open"),
               succeeded(place, "changed", open=True))
        expect(place, f"Android {release}: again", ask(place, "notifications", "open"),
               succeeded(place, "unchanged", open=True))
        expect(place, f"Android {release}: on top", json.loads(place.device.simctl("state"))["screen"], "shade")
        expect(place, f"Android {release}: close", ask(place, "notifications", "close"),
               succeeded(place, "changed", open=False))
        for n in range(12):  # the button is below the screen then
            notify(place, APP, "Clear all" if n == 11 else f"Title {n}", "x")  # which is no button
        status, cleared = ask(place, "notifications", "clear")
        expect(place, f"Android {release}: clear",
               (status, cleared["effect"], len(cleared["cleared"]), cleared["remaining"]), (0, "changed", 13, [usb]))
        expect(place, f"Android {release}: up again", json.loads(place.device.simctl("state"))["screen"] == "shade",
               False)


def cut_anywhere(place, words, counter, most, prepare=lambda: None):
    """A link that is lost after each of so many bytes: what was sent is sent once, and what became of it is not
    known."""
    unknown = 0
    for after in range(0, most, most // 24):
        place.device.simctl("reset")
        prepare()
        place.device.simctl("fault", "link-cut", str(after))
        status, answer = ask(place, *words)
        sent = place.device.counters().get(counter, 0)
        if sent > 1 or (status == 0) < (sent and not answer.get("details", {}).get("dispatchAttempted")):
            raise place.Mismatch(f"{words}, cut after {after}: sent {sent} times, answered {answer}")
        unknown += status != 0 and bool(answer.get("details", {}).get("dispatchAttempted"))
    expect(place, f"{words}: cut after it was sent", unknown > 0, True)


def notifications_cut(place):
    """The shade, over a link that is lost."""
    cut_anywhere(place, ("notifications", "open"), "service.statusbar", 3600)
    may_be_open = 0
    for after in range(1200, 9600, 700):
        place.device.simctl("reset")
        notify(place, APP, "T", "x")
        place.device.simctl("fault", "link-cut", str(after))
        status, answer = ask(place, "notifications", "clear")
        sent = place.device.counters().get("service.statusbar", 0)
        details = answer.get("details", {})
        if status != 0 and sent and not (details.get("dispatchAttempted") and details.get("shadeMayBeOpen")):
            raise place.Mismatch(f"cut after {after}: sent {sent} times, answered {answer}")
        may_be_open += status != 0 and bool(details.get("shadeMayBeOpen"))
    expect(place, "whether the shade is open is unknown", may_be_open > 0, True)


def notifications_stopped(place):
    """Whatever the signal cuts short: it is said that something was ordered, and the shade is put away."""
    for wait in (0, 0.2, 1):
        place.device.simctl("reset")
        notify(place, APP, "T", "x")
        with subprocess.Popen([place.binary, "notifications", "clear", "--device", place.device.serial, "--transport",
                               "tcp"], env=place.env,
                              cwd=place.sandbox, stdout=subprocess.PIPE) as clearing:
            while place.device.counters().get("service.statusbar", 0) < 1:
                time.sleep(0.01)
            time.sleep(wait)
            clearing.send_signal(signal.SIGINT)
            answer = json.loads(clearing.stdout.read())
            status = clearing.wait()
        if status != 0:
            expect(place, f"after {wait} s: {answer}", (status, answer["code"], answer["details"].get(
                "dispatchAttempted"), answer["details"].get("shadeMayBeOpen")),
                   (130, "CANCELLED", True, None))
        expect(place, f"after {wait} s: put away", json.loads(place.device.simctl("state"))["screen"] == "shade", False)


def notifications_refused(place):
    """A screen that is locked, a button that does nothing, a tree that cannot be had, a dump that is none."""
    notify(place, APP, "T", "x")
    place.device.simctl("fault", "clear-ignored")
    error = refused(place, ("notifications", "clear"), "EFFECT_NOT_CONFIRMED", "no notification has gone")
    expect(place, "what stays", [row["package"] for row in error["details"]["remaining"]], [APP, "android"])
    place.device.simctl("fault", "uiautomator-fails", "null")
    error = refused(place, ("notifications", "clear"), "UNSUPPORTED", "button was not found")
    expect(place, "the shade was opened", error["details"], {"dispatchAttempted": True})
    expect(place, "put away", json.loads(place.device.simctl("state"))["screen"] == "shade", False)
    place.device.simctl("reset")
    place.run("adb", "shell", "cmd power sleep; cmd power wakeup")
    refused(place, ("notifications", "open"), "DEVICE_NOT_INTERACTIVE", "locked")
    notify(place, APP, "T", "x")
    refused(place, ("notifications", "clear"), "DEVICE_NOT_INTERACTIVE", "locked")
    place.device.simctl("reset")
    for kilobytes in ("0", "4", "2048"):
        place.device.simctl("fault", "dumpsys-garbled", kilobytes)
        refused(place, ("notifications", "list"), "DEVICE_SHELL_UNAVAILABLE", "does not list its notifications")
        if kilobytes != "2048":  # the simulated grep takes seconds for so much
            expect(place, "the phone does not say whether the shade is open", ask(place, "notifications", "open"),
                   succeeded(place, "unknown", open=True))
    refused(place, ("notifications", "lst"), "USAGE", "list|open|close|clear")


def left_on_phone(place):
    return place.run("adb", "shell", "ls /data/local/tmp").stdout.decode().split()


def here(place):
    return sorted(path.name for path in place.sandbox.iterdir()
                  if "mp4" in path.name or path.name.startswith(".") and path.name != ".clawperator")


def video(place):
    """Recorded, fetched and taken away; ended by its time, by --timeout, by a signal."""
    words = ("record-video", "--path", "v.mp4")
    before, before_there = here(place), left_on_phone(place)
    for release in (7, 14):
        place.device.simctl("phone", f"android-{release}")
        status, reply = ask(place, *words, "--seconds", "1", "--size", "720x1280", "--bit-rate", "4M")
        found = (place.sandbox / "v.mp4").read_bytes()
        expect(place, f"Android {release}",
               (status, reply["path"], reply["bytes"], reply["endedBy"], reply["backend"]),
               (0, str(place.sandbox / "v.mp4"), len(found), "time", "shell"))
        expect(place, f"Android {release}: from its first to its last byte", (found[4:8], found[-4:]),
               (b"ftyp", b"moov"))
        expect(place, f"Android {release}: left", left_on_phone(place), before_there)
    expect(place, "by its time", ask(place, *words, "--seconds", "60", "--timeout", scaled_word(700))[1]["endedBy"],
           "timeout")
    with subprocess.Popen([place.binary, *words, "--seconds", "60", "--device", place.device.serial, "--transport",
                           "tcp"], env=place.env,
                          cwd=place.sandbox, stdout=subprocess.PIPE) as recording:
        while place.device.counters().get("screenrecord", 0) < 3:
            time.sleep(0.05)
        recording.send_signal(signal.SIGINT)
        reply = json.loads(recording.stdout.read())
        expect(place, "by a signal", (recording.wait(), reply["endedBy"], reply["bytes"]),
               (0, "signal", (place.sandbox / "v.mp4").stat().st_size))
    expect(place, "left", (left_on_phone(place), here(place)), (before_there, sorted({*before, "v.mp4"})))


def video_refused(place):
    """No program, no encoder, a file that is too small, a time that the release does not take: nothing is left
    anywhere."""
    words = ("record-video", "--path", "v.mp4", "--seconds")
    (place.sandbox / "v.mp4").write_text("old")
    before, before_there = here(place), left_on_phone(place)
    for how, code, text in (("missing", "UNSUPPORTED", "no screenrecord"),
                            ("encoder", "PEER_REFUSED", "unable to configure video/avc"),
                            ("empty", "EFFECT_NOT_CONFIRMED", "0 bytes"),
                            ("begun", "EFFECT_NOT_CONFIRMED", "24 bytes")):
        place.device.simctl("fault", "screenrecord-fails", how)
        refused(place, (*words, "1"), code, text)
        place.device.simctl("reset")
    place.device.simctl("phone", "huawei")
    refused(place, (*words, "1"), "UNSUPPORTED", "no screenrecord")
    place.device.simctl("phone", "android-13")
    refused(place, (*words, "181"), "UNSUPPORTED", "at most 180 seconds", '"sdk": 33')
    refused(place, ("record-video", "--seconds", "1", "--path", "none/v.mp4"), "FILE_WRITE_FAILED")
    expect(place, "nothing was recorded", place.device.counters().get("screenrecord", 0), 0)
    for wrong in (("0",), ("1801",), ("x",), ("1", "--size", "10"), ("1", "--size", "0x4"), ("1", "--bit-rate", "1"),
                  ("1", "--bit-rate", "201M")):
        refused(place, (*words, *wrong), "EXECUTION_VALIDATION_FAILED")
    refused(place, ("record-video",), "MISSING_ARGUMENT", "--seconds")
    refused(place, (*words, "1", "--path", "-"), "USAGE")
    place.device.simctl("fault", "feature-off", "shell_v2")
    refused(place, (*words, "1"), "UNSUPPORTED", "Android 7")
    place.device.simctl("reset")
    expect(place, "left", (left_on_phone(place), here(place), (place.sandbox / "v.mp4").read_text()),
           (before_there, before, "old"))


def video_cut(place):
    """A link that is lost while it records: the file that stays on the phone is named, and none is here."""
    before = left_on_phone(place)
    with subprocess.Popen([place.binary, "record-video", "--path", "w.mp4", "--seconds", scaled_word(2), "--device",
                           place.device.serial, "--transport",
                           "tcp"], env=place.env, cwd=place.sandbox, stdout=subprocess.PIPE) as recording:
        while place.device.counters().get("screenrecord", 0) < 1:
            time.sleep(0.05)
        place.device.simctl("fault", "link-cut")
        error = json.loads(recording.stdout.read())
        expect(place, f"{error}", (recording.wait(), error["code"], error["details"]["dispatchAttempted"]),
               (1, "LINK_LOST", True))
    left = [name for name in left_on_phone(place) if name not in before]
    expect(place, "left",
           (["/data/local/tmp/" + name for name in left], [name for name in here(place) if "w.mp4" in name]),
           ([error["details"]["deviceFile"]], []))
    place.run("adb", "shell", f"rm {error['details']['deviceFile']}")


def fingers(place):
    """Two taps, a drag, the keyboard put away: by Escape, by back, and not at all where none is shown."""
    sent = succeeded(place, "unobserved")
    expect(place, "double tap", ask(place, "double-tap", "1", "2399"), sent)
    expect(place, "drag", ask(place, "drag", "1", "2399", "1", "2390"), sent)
    calls = lambda: [place.device.counters().get(f"input.{name}", 0) for name in ("tap", "draganddrop", "keyevent")]
    expect(place, "calls", calls(), [2, 1, 0])
    refused(place, ("drag", "1", "2", "3", "4", "--ms", "999"), "EXECUTION_VALIDATION_FAILED", "1000")
    refused(place, ("double-tap", "1"), "EXECUTION_VALIDATION_FAILED")
    expect(place, "none is shown", ask(place, "hide-keyboard"), succeeded(place, "unchanged"))
    field = ("click", "--id", FORM + ":id/name_field")
    for key in ("Escape", "back"):
        expect(place, "the form", [ask(place, "open", FORM)[0], ask(place, "click", "--text", "Form")[0],
                                   ask(place, *field)[0]], [0, 0, 0])
        expect(place, key, ask(place, "hide-keyboard"), succeeded(place, "changed"))
        expect(place, key, json.loads(place.device.simctl("state"))["keyboard"], False)
        place.device.simctl("fault", "escape-ignored")
        place.run("close", FORM)
    expect(place, "keys", calls()[2], 3)
    place.device.simctl("phone", "android-11")
    refused(place, ("double-tap", "1", "2"), "UNSUPPORTED", "Before Android 12", '"sdk": 30')
    expect(place, "nothing was sent", calls()[0], 0)
    place.device.simctl("fault", "shell-restricted")
    refused(place, ("drag", "1", "2", "3", "4"), "INPUT_FAILED", "INJECT_EVENTS")


UNKNOWN_END = {"dispatchAttempted": True, "executionPosition": "unknown"}


def cut_short(place):
    """By the command's time or a signal: what was ordered by then may have been done, and says so; before that nothing
    was."""
    # The launcher keeps its way up, which is looked at for longer than that.
    error = refused(place, ("rotate", "90", "--timeout", "900"), "COMMAND_TIMEOUT", "rotate took longer than 900 ms")
    expect(place, "what became of it", error.get("details"), UNKNOWN_END)
    expect(place, "it was kept", refused(place, ("rotate", "90", "--timeout", "900"), "COMMAND_TIMEOUT").get("details"),
           UNKNOWN_END)
    child = subprocess.Popen([place.binary, "rotate", "270", "--device", place.device.serial, "--transport", "tcp"],
                             env=place.env,
                             cwd=place.sandbox, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    error = json.loads(child.communicate(timeout=LIMIT_S)[0])
    expect(place, "Ctrl-C", (child.returncode, error["code"], error.get("details")), (130, "CANCELLED", UNKNOWN_END))
    place.device.simctl("reset")
    with socket.create_server(("127.0.0.1", 0)) as mute:  # takes a connection, and says nothing
        device = ("--device", f"127.0.0.1:{mute.getsockname()[1]}", "--transport", "tcp", "--timeout", "300")
        for words in (("rotate", "90"), ("net", "wifi", "off"), ("input", "tap", "1", "1"), ("apps", "clear", SETTINGS),
                      ("apps", "list")):
            error = json.loads(place.run(*words, *device).stdout)
            expect(place, f"{words} that did not begin", (error["code"], error.get("details")),
                   ("COMMAND_TIMEOUT", None))


def cut_link(place):
    """A link that is lost at any byte of a verb: before the order nothing was done, later the effect is unknown."""
    seen = set()
    for size in range(400, 8000, 100):  # what is less, the adb server's own link has used up
        place.device.simctl("reset")
        place.device.simctl("fault", "link-cut", str(size))
        status, document = ask(place, "net", "wifi", "off")
        if status == 0:
            expect(place, f"{size} bytes: it was done", document["effect"], "changed")
            seen.add("done")
            break
        was_done = ask(place, "net", "wifi", "off")[1]["effect"] == "unchanged"
        is_unknown = document.get("details", {}).get("dispatchAttempted", False)
        expect(place, f"{size} bytes: {document}: done although it says no", was_done and not is_unknown, False)
        expect(place, f"{size} bytes: {document}", document["code"], "LINK_LOST")
        seen.add("lost at the read-back" if was_done else "lost at the order" if is_unknown else "lost before")
    expect(place, "each of them was met", seen - {"lost at the order"},
           {"lost before", "lost at the read-back", "done"})


CHECKS = [
    ("verbs: cut short", True, cut_short),
    ("verbs: link lost", True, cut_link),
    ("verbs: apps", True, apps_change),
    ("verbs: apps refused", True, apps_refused),
    ("verbs: apps on releases", True, apps_on_releases),
    ("verbs: crash", True, crash),
    ("verbs: log tail", True, log_tail),
    ("verbs: rotate, battery, net", True, state),
    ("verbs: rotate, battery, net refused", True, state_refused),
    ("verbs: fingers", True, fingers),
    ("verbs: video", True, video),
    ("verbs: video refused", True, video_refused),
    ("verbs: video cut", True, video_cut),
    ("verbs: notifications", True, notifications),
    ("verbs: notifications cut", True, notifications_cut),
    ("verbs: notifications refused", True, notifications_refused),
    ("verbs: notifications stopped", True, notifications_stopped),
]
