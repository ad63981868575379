"""The folders where processes of one user meet: which one is taken, which are refused, and that locks hold whatever the
environment."""
import json
import os
import pathlib
import subprocess
import time

from limits import LIMIT_S

PLAN = {"commandId": "c", "taskId": "t", "source": "s", "expectedFormat": "android-ui-automator", "timeoutMs": 60000,
        "actions": [{"id": "a", "type": "sleep", "params": {"durationMs": 5000}}]}


def expect(place, what, found, wanted):
    if found != wanted:
        raise place.Mismatch(f"{what}: expected {wanted!r}, got {found!r}")


def own_mounts(place, before, command="back", user=0, **env):
    """The command beside a /tmp and a /run/user of its own, which `before` fills. Where that cannot be had, None."""
    script = f"""set -e
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -t tmpfs -o mode=755 tmpfs /run/user
mkdir -m 777 /tmp/home /tmp/cache
cd /
{before}
set +e
setpriv --reuid {user} --clear-groups "$CLAWPERATOR" {command} >/tmp/out 2>/tmp/err
code=$?
cat /tmp/out
echo ----
cat /tmp/err
echo ----
find /tmp /run/user -name '*.lock'
echo ----
echo $code
"""
    folders = {"HOME": "/tmp/home", "XDG_CACHE_HOME": "/tmp/cache", "XDG_RUNTIME_DIR": "", "CLAWPERATOR_LOCK_DIR": "",
               "TMPDIR": ""}
    done = subprocess.run(["unshare", "-m", "bash", "-c", script],
                          env={**place.env, "CLAWPERATOR": place.binary, **folders, **env},
                          cwd="/", capture_output=True, text=True, timeout=LIMIT_S, stdin=subprocess.DEVNULL,
                          check=False)
    parts = done.stdout.split("----\n")
    if len(parts) != 4:
        raise place.Mismatch(f"{done.stdout[-600:]!r} {done.stderr[-600:]!r}")
    return {"code": int(parts[3]), "out": json.loads(parts[0]), "err": parts[1],
            "locks": sorted({str(pathlib.Path(lock).parent) for lock in parts[2].splitlines()})}


def as_root(check):
    def checked(place):
        can = os.getuid() == 0 and subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/tmp"],
                                                  capture_output=True, check=False).returncode == 0
        if not can:
            print("SKIP: contract.runtime_folder: it needs root and mounts of its own")
            return
        check(place)
    return checked


def refused(place, before, *parts):
    keys = place.device.counters().get("command.input", 0)
    result = own_mounts(place, before)
    expect(place, f"{before}: {result}", (result["code"], result["out"].get("code")), (1, "RUNTIME_FOLDER_UNUSABLE"))
    for part in parts:
        if part not in result["out"]["message"] + result["out"]["hint"]:
            raise place.Mismatch(f"{part!r} is not in {result['out']}")
    expect(place, "keys", place.device.counters().get("command.input", 0), keys)


@as_root
def which_one(place):
    """[S8] XDG_RUNTIME_DIR, else /run/user/UID, else /tmp/clawperator-UID; TMPDIR is none of them. Locks are in the
    last one, too."""
    for before, env, locks in (
            ("", {}, ["/tmp/clawperator-0"]),
            ("mkdir /tmp/other", {"TMPDIR": "/tmp/other"}, ["/tmp/clawperator-0"]),
            ("mkdir -m 700 /run/user/0", {}, ["/run/user/0", "/tmp/clawperator-0"]),
            ("mkdir -m 700 /run/user/0 /tmp/own", {"XDG_RUNTIME_DIR": "/tmp/own"}, ["/tmp/clawperator-0", "/tmp/own"]),
            ("mkdir -m 700 /tmp/own", {"CLAWPERATOR_LOCK_DIR": "/tmp/own"}, ["/tmp/own"])):
        result = own_mounts(place, before, **env)
        expect(place, f"{before} {env} {result}", (result["code"], result["locks"], result["err"]), (0, locks, ""))


@as_root
def refused_folders(place):
    """[S8] Another user's folder, a public one and a link are one clear error, and nothing is sent."""
    refused(place, "mkdir -m 700 /tmp/clawperator-0; chown 65534 /tmp/clawperator-0", "/tmp/clawperator-0",
            "user 65534", "XDG_RUNTIME_DIR")
    refused(place, "mkdir -m 755 /tmp/clawperator-0", "/tmp/clawperator-0", "mode 0755", "chmod 700")
    refused(place, "mkdir -m 700 /tmp/real; ln -s /tmp/real /tmp/clawperator-0", "/tmp/clawperator-0", "is no folder")
    refused(place, "touch /tmp/clawperator-0", "/tmp/clawperator-0", "is no folder")


@as_root
def unusable_by_name(place):
    """[S8] An XDG_RUNTIME_DIR that is public, another user's, a link or not there holds no lock: stderr says why, and
    the next folder counts."""
    for name, before, part in (
            ("/tmp", "", "mode 1777"), ("/tmp/absent", "", "is not there"), ("run", "mkdir -m 700 run", "absolute"),
            ("/tmp/theirs", "mkdir -m 700 /tmp/theirs; chown 65534 /tmp/theirs", "user 65534"),
            ("/tmp/link", "mkdir -m 700 /tmp/real; ln -s /tmp/real /tmp/link", "is no folder")):
        result = own_mounts(place, f"cd /tmp/home; {before}", XDG_RUNTIME_DIR=name)
        expect(place, f"{name} {result}", (result["code"], result["locks"]), (0, ["/tmp/clawperator-0"]))
        if "XDG_RUNTIME_DIR is not used" not in result["err"] or name not in result["err"] or part not in result["err"]:
            raise place.Mismatch(f"{name}: {result['err']!r}")
    # The common folder is another's: with one of our own it goes on, and says what is lost.
    result = own_mounts(place, "mkdir -m 700 /tmp/own /tmp/clawperator-0; chown 65534 /tmp/clawperator-0",
                        XDG_RUNTIME_DIR="/tmp/own")
    expect(place, f"{result}", (result["code"], result["locks"], "user 65534" in result["err"]),
           (0, ["/tmp/own"], True))


@as_root
def another_user(place):
    """[S8] Who has become another user with the environment of the first one (su, sudo) does not use the first one's
    folder."""
    if subprocess.run(["setpriv", "--reuid", "65534", "--clear-groups", place.binary, "version"], capture_output=True,
                      cwd="/",
                      check=False).returncode != 0:
        print("SKIP: contract.runtime_folder: another user may not run the program")
        return
    result = own_mounts(place, "mkdir -m 700 /run/user/0", user=65534, XDG_RUNTIME_DIR="/run/user/0")
    expect(place, f"{result}", (result["code"], result["locks"]), (0, ["/tmp/clawperator-65534"]))
    if "/run/user/0 belongs to user 0, not to user 65534" not in result["err"]:
        raise place.Mismatch(f"{result['err']!r}")


def exclusion(place):
    """[S8] A command with another XDG_RUNTIME_DIR and TMPDIR, or none (cron, ssh), is kept off a phone that is busy."""
    shells = []
    for name in ("desktop", "ssh"):
        folder = place.sandbox / name
        folder.mkdir(mode=0o700)
        shells.append({"XDG_RUNTIME_DIR": str(folder), "TMPDIR": str(folder), "CLAWPERATOR_LOCK_DIR": ""})
    cron = {"XDG_RUNTIME_DIR": "", "TMPDIR": "", "CLAWPERATOR_LOCK_DIR": ""}
    with subprocess.Popen([place.binary, "exec", "--execution", json.dumps(PLAN)], env={**place.env, **shells[0]},
                          cwd=place.sandbox,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as busy:
        deadline = time.monotonic() + LIMIT_S
        while not list((place.sandbox / "desktop").glob("*.lock")) and time.monotonic() < deadline:
            time.sleep(0.02)
        try:
            for other in (cron, shells[1]):
                done = place.run("back", env=other)
                document = json.loads(done.stdout)
                expect(place, f"{other}: {document}", (done.returncode, document.get("code")),
                       (1, "EXECUTION_CONFLICT_IN_FLIGHT"))
                expect(place, f"{other}: the holder", document["details"]["holderPid"], busy.pid)
        finally:
            out, _ = busy.communicate(timeout=LIMIT_S)
    expect(place, "the first one", (busy.returncode, json.loads(out)["envelope"]["status"]), (0, "success"))
    expect(place, "afterwards", place.run("back", env=cron).returncode, 0)


CHECKS = [("runtime folder: which one", True, which_one),
          ("runtime folder: refused ones", True, refused_folders),
          ("runtime folder: one that is named and unusable", True, unusable_by_name),
          ("runtime folder: another user's environment", True, another_user),
          ("runtime folder: whatever the environment, one at a time", True, exclusion)]
