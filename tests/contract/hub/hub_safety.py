"""What is its user's is never lost: not by what a hub says, not by what lies in the way, not by a run that fails."""
import json
import os
import shutil
import stat
import subprocess

import peers
from hub_place import (V1, V2, document, expect, expect_tidy, failed, lock, locked, rows, run, skills, started,
                       succeeded,
                       tree, work)
from hub_interruptions import Held, as_if_killed_in_place, injected, wait_until
from limits import LIMIT_S

MINE = "my own work"


def installed(place, hub):
    succeeded(place, hub, "install", "demo", "--version", "1.0.0")
    hub.add("demo", "1.1.0", V2)
    return skills(place) / "demo"


def claims(hub, version):
    """Whatever the files are, they are `version`'s."""
    hub.fault("/api/v1/resolve", times=9, body=json.dumps(
        {"match": {"version": version}, "latestVersion": {"version": "1.1.0"}}).encode())


def found(place):
    """Where the user's work is now."""
    return [path for path in work(place).rglob("*") if path.is_file() and not path.is_symlink()
            and MINE in path.read_text(errors="replace")]


def is_safe(place, what):
    expect(len(found(place)) == 1, f"{what}: {found(place)}", place)


def a_hub_does_not_decide_what_goes(place, hub):
    folder = installed(place, hub)
    (folder / "SKILL.md").write_text(MINE)
    claims(hub, "1.0.0")
    update = succeeded(place, hub, "update", "demo")["updates"][0]
    expect(update["status"] == "updated" and str(found(place)[0]).startswith(update.get("kept", "?")), f"{update}",
           place)
    is_safe(place, "a match that is none")


def files_written_by_hand_are_kept_whatever_a_hub_says(place, hub):
    folder = skills(place) / "demo"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(MINE)
    claims(hub, "1.0.0")
    answer = succeeded(place, hub, "install", "demo", "--force")
    expect("kept" in answer, f"{answer}", place)
    is_safe(place, "by hand")


def another_registry_replaces_nothing_for_good(place, hub):
    folder = installed(place, hub)
    expect(len(json.loads((folder / ".clawdhub/origin.json").read_text()).get("fingerprint", "")) == 64, "noted", place)
    with type(hub)() as other:
        other.add("demo", "9.0.0", {"SKILL.md": b"other"})
        answer = succeeded(place, other, "install", "demo", "--force")
        expect(tree(work(place) / answer["kept"]) == V1 and tree(folder) == {"SKILL.md": b"other"}, f"{answer}", place)


def a_file_without_our_note_is_kept(place, hub):
    """As older clients install it."""
    folder = installed(place, hub)
    note = folder / ".clawdhub/origin.json"
    origin = json.loads(note.read_text())
    for change in (lambda: note.unlink(), lambda: note.write_text(json.dumps({**origin, "fingerprint": ""})),
                   lambda: note.write_text(json.dumps({**origin, "slug": "other"}))):
        change()
        expect("kept" in succeeded(place, hub, "install", "demo", "--force", "--version", "1.0.0"), "not kept", place)
    expect("kept" not in succeeded(place, hub, "install", "demo", "--force"), "ours", place)


def an_edit_at_the_last_moment_is_kept(place, hub):
    """While it waits for the lock file nothing is in its place yet; whenever the edit comes, it stays."""
    folder = installed(place, hub)
    held = Held(work(place) / ".clawdhub")
    child = started(place, hub, "update", "demo")
    wait_until(lambda: list(skills(place).glob(".demo.*.part/new/.clawdhub/origin.json")), "staged", place)
    (folder / "SKILL.md").write_text(MINE)
    held.release()
    child.communicate(timeout=LIMIT_S)
    is_safe(place, "edited")


def a_lock_file_that_cannot_be_read_stays(place, hub):
    installed(place, hub)
    path = work(place) / ".clawdhub/lock.json"
    text = path.read_bytes()

    def refused(what):
        for words in (("install", "other"), ("update", "--all"), ("update", "demo"), ("list",),
                      ("install", "demo", "--force")):
            failed(place, hub, "FILE_UNREADABLE", *words, says="lock.json")
        expect(tree(skills(place) / "demo") == V1, what, place)
        expect_tidy(place, ["demo"])

    hub.add("other", "1.0.0", V1)
    path.rename(work(place) / "real.json")
    path.symlink_to(work(place) / "real.json")
    refused("a link")
    path.unlink()
    path.mkdir()
    refused("a folder")
    path.rmdir()
    os.mkfifo(path)
    refused("a pipe")
    path.unlink()
    path.write_bytes(b" " * (9 << 20))
    refused("too long")
    path.write_bytes(text)
    succeeded(place, hub, "install", "other")


def a_lock_file_of_somebody_elses_stays(place, hub):
    """Root may read it all the same, but for its capabilities."""
    if os.geteuid() == 0 and not shutil.which("setpriv"):
        raise peers.Unavailable("root reads everything here")
    installed(place, hub)
    hub.add("other", "1.0.0", V1)
    path = work(place) / ".clawdhub/lock.json"
    before = path.read_bytes()
    path.chmod(0)
    drop = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    done = subprocess.run([*drop, place.binary, "hub", "install", "other"], cwd=place.sandbox, capture_output=True,
                          check=False,
                          env={**place.env, "CLAWHUB_REGISTRY": hub.base, "CLAWHUB_SITE": hub.base})
    path.chmod(0o600)
    expect(b'"code":"FILE_UNREADABLE"' in done.stdout and path.read_bytes() == before, f"{done}", place)
    expect_tidy(place, ["demo"])


def what_cannot_be_kept_stays_in_its_place(place, hub):
    folder = installed(place, hub)
    (folder / "SKILL.md").write_text(MINE)
    aside = skills(place) / ".hub-replaced"
    outside = work(place) / "outside"
    outside.mkdir()
    for make in (lambda: aside.write_text("x"), lambda: aside.symlink_to(outside), lambda: aside.symlink_to("nowhere")):
        make()
        for words in (("install", "demo", "--force"), ("update", "demo", "--force")):
            failed(place, hub, "FILE_WRITE_FAILED", *words, says=".hub-replaced")
            expect((folder / "SKILL.md").read_text() == MINE and locked(place) == {"demo": "1.0.0"}, "touched", place)
        expect(list(outside.iterdir()) == [], "moved away", place)
        aside.unlink()
        expect_tidy(place, ["demo"])
    # After a run that was killed it waits for its place, and is reported.
    part = skills(place) / ".demo.0123456789abcdef.part"
    (part / "old").mkdir(parents=True)
    (part / "old/a.md").write_text("old")
    aside.write_text("x")
    done = run(place, hub, "update", "demo")
    expect(part.name.encode() in done.stderr and (part / "old/a.md").exists(), f"{done}", place)
    aside.unlink()
    run(place, hub, "update", "demo")
    expect([path.name for path in aside.rglob("*.md")] == ["a.md"], "kept at last", place)


def a_lock_that_cannot_be_written_is_said_later(place, hub):
    folder = installed(place, hub)
    (folder / "SKILL.md").write_text(MINE)
    marker = work(place) / ".clawdhub"
    held = Held(marker)
    failed(place, hub, "EXECUTION_CONFLICT_IN_FLIGHT", "update", "demo", "--force")
    held.release()
    expect((folder / "SKILL.md").read_text() == MINE, "nothing is exchanged without the lock file's lock", place)
    # The notes get their names first.
    done = injected(place, hub, "renameat:error=ENOSPC:when=3", "update", "demo", "--force")
    answer = document(place, done, 1)
    expect(answer["code"] == "FILE_WRITE_FAILED" and open(answer["details"]["kept"] + "/SKILL.md").read() == MINE,
           f"{answer}", place)
    expect(tree(folder) == V2 and locked(place) == {"demo": "1.0.0"}, f"{answer}", place)
    failed(place, hub, "HUB_LOCAL_CHANGES", "install", "demo")
    expect(locked(place) == {"demo": "1.1.0"}, "the next run says so", place)
    expect_tidy(place, [".hub-replaced", "demo"])


def the_lock_folder_has_no_skills(place, hub):
    for name in (".clawdhub", ".clawhub"):
        failed(place, hub, "USAGE", "install", "demo", "--dir", name, says="lock file")
    (work(place) / ".clawdhub").mkdir()
    skills(place).symlink_to(".clawdhub")
    failed(place, hub, "USAGE", "install", "demo", says="lock file")


def pipes_block_no_command(place, hub):
    folder = installed(place, hub)
    for name in (".gitignore", ".clawhubignore", "pipe", ".clawdhub/origin.json"):
        if (folder / name).exists():
            (folder / name).unlink()
        os.mkfifo(folder / name)
    update = succeeded(place, hub, "update", "demo")["updates"][0]
    expect(update["status"] == "updated" and stat.S_ISFIFO(os.stat(update["kept"] + "/pipe").st_mode), f"{update}",
           place)
    hub.tokens["clh_secret0123456789"] = "me"
    succeeded(place, hub, "login", "--token", "clh_secret0123456789")
    (folder / ".gitignore").symlink_to("elsewhere")
    failed(place, hub, "FILE_UNREADABLE", "publish", str(folder), "--version", "3.0.0", says=".gitignore")


def versions_are_short_and_show(place, hub):
    folder = installed(place, hub)
    hub.add("other", "1.0.0", V1)
    succeeded(place, hub, "install", "other")
    for bad in ("9" * 257, "1\n2", "\x1b[31m", "ä", "9" * (1 << 20)):
        body = {"match": {"version": bad}, "latestVersion": {"version": "1.0.0"}}
        hub.fault("/api/v1/resolve", body=json.dumps(body).encode())
        failed(place, hub, "HUB_REQUEST_FAILED", "update", "demo", says="match.version")
        hub.fault("/api/v1/skills/demo", body=json.dumps({"latestVersion": {"version": bad}}).encode())
        failed(place, hub, "HUB_REQUEST_FAILED", "install", "demo", "--force", says="latestVersion.version")
        if len(bad) < 1000:
            failed(place, hub, "USAGE", "install", "demo", "--force", "--version", bad, says="--version")
    expect(tree(folder) == V1 and locked(place) == {"demo": "1.0.0", "other": "1.0.0"}, "lock", place)


def every_unreadable_lock_file_is_kept(place, hub):
    marker = work(place) / ".clawdhub"
    marker.mkdir()
    for number, text in enumerate(("first {", "second {", "third {")):
        (marker / "lock.json").write_text(text)
        hub.add(f"s{number}", "1.0.0", V1)
        done = run(place, hub, "install", f"s{number}")
        expect(done.returncode == 0 and b"lock.json.unreadable" in done.stderr, f"{done}", place)
    kept = sorted((path.name, path.read_text()) for path in marker.glob("lock.json.*"))
    expect(kept == [("lock.json.unreadable", "first {"), ("lock.json.unreadable-2", "second {"),
                    ("lock.json.unreadable-3", "third {")], f"kept {kept}", place)


def a_note_that_cannot_be_read_costs_nothing(place, hub):
    installed(place, hub)
    part = skills(place) / ".demo.0123456789abcdef.part"
    for make in (lambda path: path.write_text(""), lambda path: path.write_text("1x"), os.mkfifo,
                 lambda path: path.symlink_to("nowhere"), lambda path: path.mkdir()):
        (part / "new").mkdir(parents=True)
        (part / "new/SKILL.md").write_text(MINE)
        make(part / "inode")
        succeeded(place, hub, "update", "demo", "--version", "1.0.0")
        is_safe(place, f"{make}")
        expect_tidy(place, [".hub-replaced", "demo"])
        shutil.rmtree(skills(place) / ".hub-replaced")
    # Without one nothing was exchanged, and `new` is what was downloaded.
    (part / "new").mkdir(parents=True)
    (part / "new/SKILL.md").write_text("half")
    succeeded(place, hub, "update", "demo", "--version", "1.0.0")
    expect_tidy(place, ["demo"])


def what_was_not_said_is_not_forgotten(place, hub):
    folder = skills(place) / "demo"
    as_if_killed_in_place(place, hub, "install", "demo")
    held = Held(work(place) / ".clawdhub")
    failed(place, hub, "EXECUTION_CONFLICT_IN_FLIGHT", "update", "--all")
    held.release()
    expect(not (work(place) / ".clawdhub/lock.json").exists(), "written", place)
    expect(succeeded(place, hub, "update", "--all")["updates"][0]["status"] == "up_to_date", "said now", place)
    expect(tree(folder) == V1 and locked(place) == {"demo": "1.0.0"}, "lock", place)
    expect_tidy(place, ["demo"])


def times_that_are_none(place, hub):
    for time in ("1e300", "-1e300", "9.3e18"):
        succeeded(place, hub, "install", "demo", "--force")
        (work(place) / ".clawdhub/lock.json").write_text(
            '{"version":1,"skills":{"demo":{"version":"0.9.0","installedAt":%s}}}' % time)
        succeeded(place, hub, "update", "demo")
        entry = lock(place)["skills"]["demo"]
        expect(entry["version"] == "1.0.0" and 1.6e12 < entry["installedAt"] < 9e15, f"{entry}", place)


CHECKS = rows(
    a_hub_does_not_decide_what_goes, files_written_by_hand_are_kept_whatever_a_hub_says,
    another_registry_replaces_nothing_for_good, a_file_without_our_note_is_kept, an_edit_at_the_last_moment_is_kept,
    a_lock_file_that_cannot_be_read_stays, a_lock_file_of_somebody_elses_stays, what_cannot_be_kept_stays_in_its_place,
    a_lock_that_cannot_be_written_is_said_later, the_lock_folder_has_no_skills, pipes_block_no_command,
    versions_are_short_and_show,
    every_unreadable_lock_file_is_kept, a_note_that_cannot_be_read_costs_nothing, what_was_not_said_is_not_forgotten,
    times_that_are_none)
