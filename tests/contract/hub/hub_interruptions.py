"""A run that is killed at any step leaves the old skill or the new one; the next run puts the rest right."""
import fcntl
import json
import os
import shutil
import signal
import subprocess
import time

import peers
from hub_place import (V1, V2, document, environment, expect, expect_tidy, failed, locked, rows, skills, started,
                       succeeded, tree, work)
from limits import LIMIT_S



def wait_until(condition, what, place):
    deadline = time.monotonic() + LIMIT_S
    while not condition():
        expect(time.monotonic() < deadline, f"waited in vain: {what}", place)
        time.sleep(0.01)


class Held:
    """A folder that is locked, so that every command that changes it waits."""

    def __init__(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self.descriptor = os.open(folder, os.O_RDONLY)
        fcntl.flock(self.descriptor, fcntl.LOCK_EX)

    def release(self):
        os.close(self.descriptor)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.release()


def parts(place):
    return [path for path in skills(place).iterdir() if path.name.startswith(".demo.") and path.name.endswith(".part")]


def staged(place):
    return any((part / "new/.clawdhub/origin.json").exists() for part in parts(place))


def kill(place, child):
    child.send_signal(signal.SIGKILL)
    child.communicate()
    expect(child.returncode == -signal.SIGKILL, f"ended by itself: {child.returncode}", place)


def kill_while_asking(place, hub, path, hold, *words):
    fault = hub.fault(path, hold=hold)
    child = started(place, hub, *words)
    expect(fault.reached.wait(LIMIT_S), f"{path} was not asked for", place)
    kill(place, child)
    fault.released.set()


def kill_when_staged(place, hub, *words):
    """All is there, nothing is in its place."""
    fault = hub.fault("/api/v1/download", hold=1)
    child = started(place, hub, *words)
    expect(fault.reached.wait(LIMIT_S), "no download", place)
    held = Held(skills(place))
    fault.released.set()
    wait_until(lambda: staged(place), "staged", place)
    kill(place, child)
    held.release()


def as_if_killed_in_place(place, hub, *words):
    """The skill is, the lock file does not say so: what the run has done at the end is taken back."""
    lock, folder = work(place) / ".clawdhub/lock.json", skills(place) / "demo"
    before = lock.read_bytes() if lock.exists() else None
    part = skills(place) / ".demo.00000000000000aa.part"
    part.mkdir(parents=True, exist_ok=True)
    if folder.exists():
        shutil.copytree(folder, part / "aside")
    with Held(part):  # it belongs to a run that lives
        succeeded(place, hub, *words)
    (part / "inode").write_text(str(os.stat(folder).st_ino))
    if (part / "aside").exists():
        (part / "aside").rename(part / ("new" if "--force" in words else "trash"))
        shutil.rmtree(skills(place) / ".hub-replaced", ignore_errors=True)
    lock.unlink() if before is None else lock.write_bytes(before)


def an_install_is_nothing_or_whole(place, hub):
    folder = skills(place) / "demo"
    for path, hold in (("/api/v1/skills/demo", 0), ("/api/v1/skills/demo", 20), ("/api/v1/download", 0),
                       ("/api/v1/download", 100)):
        kill_while_asking(place, hub, path, hold, "install", "demo")
        expect(not folder.exists(), f"{path} {hold}", place)
    kill_when_staged(place, hub, "install", "demo")
    expect(not folder.exists() and parts(place), "staged", place)
    succeeded(place, hub, "install", "demo")
    expect(tree(folder) == V1 and locked(place) == {"demo": "1.0.0"}, "installed", place)
    expect_tidy(place, ["demo"])


def an_install_that_is_in_place_is_finished(place, hub):
    folder = skills(place) / "demo"
    as_if_killed_in_place(place, hub, "install", "demo")
    expect(tree(folder) == V1 and not (work(place) / ".clawdhub/lock.json").exists(), "in place", place)
    failed(place, hub, "HUB_LOCAL_CHANGES", "install", "demo", says="Already installed")
    expect(locked(place) == {"demo": "1.0.0"}, "the next run has said so", place)
    expect_tidy(place, ["demo"])


def an_update_leaves_the_old_one_or_the_new_one(place, hub):
    folder = skills(place) / "demo"
    succeeded(place, hub, "install", "demo")
    hub.add("demo", "1.1.0", V2)
    for path, hold in (("/api/v1/resolve", 0), ("/api/v1/download", 0), ("/api/v1/download", 100)):
        kill_while_asking(place, hub, path, hold, "update", "demo")
        expect(tree(folder) == V1, f"{path} {hold}", place)
    kill_when_staged(place, hub, "update", "demo")
    expect(tree(folder) == V1, "staged", place)
    as_if_killed_in_place(place, hub, "update", "demo")
    expect(tree(folder) == V2 and locked(place) == {"demo": "1.0.0"}, "in place", place)
    answer = succeeded(place, hub, "update", "--all")
    expect(answer["updates"][0]["status"] == "up_to_date", f"{answer}", place)
    expect(tree(folder) == V2 and locked(place) == {"demo": "1.1.0"}, "the next run", place)
    expect_tidy(place, ["demo"])


def changes_survive_a_forced_update_that_is_killed(place, hub):
    folder = skills(place) / "demo"
    succeeded(place, hub, "install", "demo")
    hub.add("demo", "1.1.0", V2)
    (folder / "SKILL.md").write_text("mine")
    kill_when_staged(place, hub, "update", "demo", "--force")
    expect((folder / "SKILL.md").read_text() == "mine", "staged", place)
    as_if_killed_in_place(place, hub, "update", "demo", "--force")
    succeeded(place, hub, "update", "demo")
    mine = [path for path in (skills(place) / ".hub-replaced").rglob("SKILL.md") if path.read_text() == "mine"]
    expect(len(mine) == 1, f"kept {mine}", place)
    expect_tidy(place, [".hub-replaced", "demo"])


CHANGES = ("rename", "renameat", "renameat2", "mkdir", "mkdirat", "unlink", "unlinkat", "rmdir", "link", "linkat",
           "symlink")


def injected(place, hub, fault, *words):
    """The command with faults in its system calls, as strace has them."""
    strace = shutil.which("strace")
    if not strace:
        raise peers.Unavailable("strace may not trace here: it is not installed")
    done = subprocess.run([strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + fault.split(":")[0], "-e",
                           "inject=" + fault, place.binary, "hub", *words],
                          env={**place.env, **environment(hub)}, cwd=place.sandbox,
                          capture_output=True, timeout=LIMIT_S, stdin=subprocess.DEVNULL, check=False)
    if b"ptrace" in done.stderr or b"Operation not permitted" in done.stderr:
        raise peers.Unavailable("strace may not trace here")
    return done


def kills_from(place, hub, prepare, *words):
    """At every change of a name in the file system a run with SIGKILL, each from what `prepare` makes."""
    for change in CHANGES:
        number = 1
        while True:
            prepare()
            done = injected(place, hub, f"{change}:signal=KILL:when={number}", *words)
            if done.returncode == 0:
                break
            expect(done.returncode in (137, -signal.SIGKILL), f"at {change} {number}: {done}", place)
            yield f"{words[0]}, {change} {number}"
            number += 1


def killed_at_every_change_of_a_name(place, hub):
    folder = skills(place) / "demo"
    times = 0

    def nothing():
        for path in (skills(place), work(place) / ".clawdhub"):
            shutil.rmtree(path, ignore_errors=True)

    for at in kills_from(place, hub, nothing, "install", "demo", "--version", "1.0.0"):
        there = tree(folder) if folder.exists() else None
        expect(there in (None, V1), f"{at}: {there}", place)
        if there is None:
            succeeded(place, hub, "install", "demo", "--version", "1.0.0")
        else:
            failed(place, hub, "HUB_LOCAL_CHANGES", "install", "demo")
        expect(tree(folder) == V1 and locked(place) == {"demo": "1.0.0"}, at, place)
        expect_tidy(place, ["demo"])
        times += 1
    expect(times > 8, f"killed {times} times only", place)
    hub.add("demo", "1.1.0", V2)
    mine, whole = {**V1, "SKILL.md": b"mine"}, []

    def changed():
        nothing()
        succeeded(place, hub, "install", "demo", "--version", "1.0.0")
        (folder / "SKILL.md").write_bytes(b"mine")
    for at in kills_from(place, hub, changed, "update", "demo", "--force"):
        whole.append(tree(folder))
        expect(whole[-1] in (mine, V2), f"{at}: {whole[-1]}", place)
        succeeded(place, hub, "update", "demo", "--force")
        kept = [path.parent
                for path in (skills(place) / ".hub-replaced").rglob("SKILL.md") if path.read_bytes() == b"mine"]
        expect(len(kept) == 1 and tree(kept[0]) == mine, f"{at}: kept {kept}", place)
        expect(tree(folder) == V2 and locked(place) == {"demo": "1.1.0"}, at, place)
        expect_tidy(place, [".hub-replaced", "demo"])
    expect(mine in whole and V2 in whole, f"killed {len(whole)} times, on one side only", place)


def what_former_runs_left_is_put_right(place, hub):
    """States between two renames that no run can be stopped in: made by hand."""
    folder = skills(place) / "demo"
    succeeded(place, hub, "install", "demo")
    # A file system without an exchange of names: the old one is away, the new one not yet there.
    part = skills(place) / ".demo.0123456789abcdef.part"
    (part / "new").mkdir(parents=True)
    (part / "new/SKILL.md").write_text("half")
    (part / "inode").write_text(str(os.stat(part / "new").st_ino))
    folder.rename(part / "old")
    succeeded(place, hub, "update", "demo")
    expect(tree(folder) == V1, "the old one is back", place)
    # Exchanged, and killed before the old one got its name: `new` is the old one.
    part.mkdir()
    (part / "inode").write_text(str(os.stat(folder).st_ino))
    (part / "new").mkdir()
    (part / "new/mine.md").write_text("mine")
    succeeded(place, hub, "update", "demo")
    kept = list((skills(place) / ".hub-replaced").rglob("mine.md"))
    expect(len(kept) == 1 and kept[0].read_text() == "mine", f"kept {kept}", place)
    # Of a run that has judged the old one before: it may go.
    (part / "trash").mkdir(parents=True)
    (part / "trash/a.md").write_text("a")
    # Not ours.
    (skills(place) / ".demo.part").mkdir()
    (skills(place) / ".Demo.0123456789abcdef.part").mkdir()
    succeeded(place, hub, "update", "demo")
    expect_tidy(place, [".hub-replaced", "demo", ".demo.part", ".Demo.0123456789abcdef.part"])


def signals_leave_nothing(place, hub):
    for name in (signal.SIGINT, signal.SIGTERM):
        fault = hub.fault("/api/v1/download", hold=50)
        child = started(place, hub, "install", "demo")
        expect(fault.reached.wait(LIMIT_S), "no download", place)
        child.send_signal(name)
        out, _ = child.communicate(timeout=LIMIT_S)
        fault.released.set()
        expect(child.returncode == 128 + name and json.loads(out)["code"] == "CANCELLED", f"{out}", place)
        expect_tidy(place, [])


def two_runs_at_once(place, hub):
    hub.add("other", "1.0.0", V2)
    fault = hub.fault("/api/v1/download", hold=50)
    first = started(place, hub, "install", "demo")
    expect(fault.reached.wait(LIMIT_S), "no download", place)
    succeeded(place, hub, "install", "other")  # another skill: no command waits
    expect(len(parts(place)) == 1, "the other run's folder is gone", place)
    succeeded(place, hub, "install", "demo")  # the same one: the faster run wins
    fault.released.set()
    out, _ = first.communicate(timeout=LIMIT_S)
    expect(first.returncode == 1 and json.loads(out)["code"] == "HUB_LOCAL_CHANGES", f"{out}", place)
    expect(locked(place) == {"demo": "1.0.0", "other": "1.0.0"}, "lock", place)
    expect_tidy(place, ["demo", "other"])


def many_runs_at_once_write_one_lock_file(place, hub):
    slugs = [f"skill-{number}" for number in range(6)]
    for slug in slugs:
        hub.add(slug, "1.0.0", V1)
    children = [started(place, hub, "install", slug) for slug in slugs]
    for child in children:
        out, err = child.communicate(timeout=LIMIT_S)
        expect(child.returncode == 0, f"{out} {err}", place)
    expect(sorted(locked(place)) == slugs, f"lock {locked(place)}", place)


def a_lock_that_is_held_for_long_is_a_conflict(place, hub):
    succeeded(place, hub, "install", "demo")
    held = Held(skills(place))
    answer = document(place, place.run("hub", "update", "--all", env={"CLAWHUB_REGISTRY": hub.base}), 1)
    held.release()
    expect(answer["code"] == "EXECUTION_CONFLICT_IN_FLIGHT", f"{answer}", place)


def folders_that_cannot_be_written(place, hub):
    for name in ("skills", ".clawdhub"):
        folder = work(place) / ("w" + name)
        folder.mkdir()
        (folder / name).write_text("a file")
        failed(place, hub, "FILE_WRITE_FAILED", "install", "demo", "--workdir", str(folder))
        expect((folder / name).read_text() == "a file", "overwritten", place)
        expect(not (folder / "skills/demo").exists(), "installed", place)


CHECKS = rows(
    an_install_is_nothing_or_whole, an_install_that_is_in_place_is_finished,
    an_update_leaves_the_old_one_or_the_new_one,
    changes_survive_a_forced_update_that_is_killed, killed_at_every_change_of_a_name,
    what_former_runs_left_is_put_right, signals_leave_nothing,
    two_runs_at_once, many_runs_at_once_write_one_lock_file, a_lock_that_is_held_for_long_is_a_conflict,
    folders_that_cannot_be_written)
