"""The verbs that act by the phone's own shell: what they read back decides what they answer, on each release as it is there."""
import json

import apk

OPERATOR, SETTINGS, APP = "com.clawperator.operator", "com.android.settings", "org.example.app"


def ask(place, *words):
    """Exit code and document. Dialled directly, so that a phone that was changed is met as what it is."""
    done = place.run(*words, "--device", place.device.serial, "--transport", "tcp")
    return done.returncode, json.loads(done.stdout)


def expect(place, what, found, wanted):
    if found != wanted:
        raise place.Mismatch(f"{what}: expected {wanted}, got {found}")


def told(place, effect, **more):
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
    expect(place, "install", (status, installed["effect"], installed["verdict"], installed["package"], installed["versionName"],
                              installed["versionCode"]), (0, "changed", "Success", APP, "1.5", 15))
    apk.write_apk(place.sandbox / "a.apk", APP, "1.6", 16)
    expect(place, "update", ask(place, "apps", "install", "a.apk")[1]["versionCode"], 16)
    camera = {"package": APP, "permission": "android.permission.CAMERA"}
    expect(place, "grant", ask(place, "apps", "grant", APP, "CAMERA"), told(place, "changed", **camera, granted=True))
    expect(place, "again", ask(place, "apps", "grant", APP, "CAMERA"), told(place, "unchanged", **camera, granted=True))
    info = ask(place, "apps", "info", APP)[1]
    expect(place, "info", (info["permissions"]["granted"], info["versionName"], info["system"], info["stopped"], info["processes"]),
           (["android.permission.CAMERA"], "1.6", False, True, []))
    expect(place, "revoke", ask(place, "apps", "revoke", APP, "CAMERA"), told(place, "changed", **camera, granted=False))
    expect(place, "clear", ask(place, "apps", "clear", APP), told(place, "changed", package=APP))
    rows = {row["package"]: row for row in ask(place, "apps", "list")[1]["apps"]}
    expect(place, "row", rows[APP], {"package": APP, "versionCode": 16, "uid": rows[APP]["uid"], "system": False})
    expect(place, "a system app", rows[SETTINGS]["system"], True)
    expect(place, "uninstall", ask(place, "apps", "uninstall", APP), told(place, "changed", package=APP))
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
    """Android 7 has another package manager behind `cmd`, 8 tells no versions, makers refuse."""
    apk.write_apk(place.sandbox / "a.apk", APP, "1.5", 15)
    for release in (7, 8, 10, 16):
        place.device.simctl("phone", f"android-{release}")
        expect(place, f"Android {release}: install", ask(place, "apps", "install", "a.apk", "--grant-all")[1].get("package"), APP)
        row = next(row for row in ask(place, "apps", "list", "--third-party")[1]["apps"] if row["package"] == APP)
        expect(place, f"Android {release}: row", row.get("versionCode"), 15 if release >= 9 else None)
        expect(place, f"Android {release}: grant", ask(place, "apps", "grant", APP, "CAMERA")[1].get("effect"), "changed")
        for verb in ("clear", "uninstall"):
            expect(place, f"Android {release}: {verb}", ask(place, "apps", verb, APP), told(place, "changed", package=APP))
        place.device.simctl("reset")
    place.device.simctl("phone", "oppo")
    refused(place, ("apps", "clear", SETTINGS), "PEER_REFUSED", "clearing user data is forbidden", "Disable permission monitoring")
    place.device.simctl("phone", "xiaomi")
    refused(place, ("apps", "install", "a.apk"), "PEER_REFUSED", "INSTALL_FAILED_USER_RESTRICTED", "Install via USB")


CHECKS = [
    ("verbs: apps", True, apps_change),
    ("verbs: apps refused", True, apps_refused),
    ("verbs: apps on releases", True, apps_on_releases),
]
