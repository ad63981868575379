"""hub update: which version is there, what is new, and whose work is in the way."""
import json
import os

from hub_place import (V1, V2, expect, expect_tidy, failed, lock, locked, rows, run, skills, started, succeeded, tree,
                       work)
from limits import LIMIT_S


def installed(place, hub, *more):
    succeeded(place, hub, "install", "demo", "--version", "1.0.0")
    hub.add("demo", "1.1.0", V2)
    hub.seen.clear()
    return skills(place) / "demo"


def only(answer):
    return answer["updates"][0]


def the_latest_takes_its_place(place, hub):
    folder = installed(place, hub)
    update = only(succeeded(place, hub, "update", "demo"))
    expect((update["status"], update["version"], update["previousVersion"]) == ("updated", "1.1.0", "1.0.0"),
           f"{update}", place)
    expect(tree(folder) == V2 and locked(place) == {"demo": "1.1.0"} and "kept" not in update, f"{update}", place)
    expect(json.loads((folder / ".clawdhub/origin.json").read_text())["installedVersion"] == "1.1.0", "origin", place)
    expect_tidy(place, ["demo"])
    update = only(succeeded(place, hub, "update", "demo"))
    expect(update["status"] == "up_to_date" and len(hub.asked("/api/v1/download")) == 1, f"{update}", place)


def a_version_that_is_named(place, hub):
    folder = installed(place, hub)
    update = only(succeeded(place, hub, "update", "demo", "--version", "1.0.0"))
    expect(update["status"] == "up_to_date", f"{update}", place)
    only(succeeded(place, hub, "update", "demo"))
    update = only(succeeded(place, hub, "update", "demo", "--version", "1.0.0"))
    expect((update["status"], update["previousVersion"]) == ("updated", "1.1.0") and tree(folder) == V1, f"{update}",
           place)


def an_older_latest_changes_nothing(place, hub):
    succeeded(place, hub, "install", "demo")
    hub.add("demo", "0.9.0", V2)
    expect(only(succeeded(place, hub, "update", "demo"))["status"] == "up_to_date", "1.0.0 is newer than 0.9.0", place)


def changed_files_are_never_lost(place, hub):
    folder = installed(place, hub)
    (folder / "SKILL.md").write_text("mine")
    answer = failed(place, hub, "HUB_LOCAL_CHANGES", "update", "demo", says="demo: local changes (no match).")
    expect(answer["details"]["path"] == str(folder) and (folder / "SKILL.md").read_text() == "mine", f"{answer}", place)
    done = run(place, hub, "update", "--all", "--no-input")
    expect(done.returncode == 1, f"{done}", place)
    update = only(json.loads(done.stdout))
    expect((update["status"], update["error"]["code"]) == ("failed", "HUB_LOCAL_CHANGES"), f"{update}", place)
    expect(hub.asked("/api/v1/download") == [], "downloaded", place)
    update = only(succeeded(place, hub, "update", "--all", "--no-input", "--force"))
    expect(tree(folder) == V2 and open(update["kept"] + "/SKILL.md").read() == "mine", f"{update}", place)
    expect_tidy(place, [".hub-replaced", "demo"])


def files_that_no_version_has_are_kept(place, hub):
    for name in (".env", "mine.bin", "node_modules/x.js"):
        folder = skills(place) / "demo"
        succeeded(place, hub, "install", "demo", "--version", "1.0.0", "--force")
        hub.add("demo", "1.1.0", V2)
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("mine")
        update = only(succeeded(place, hub, "update", "demo"))
        expect(update["status"] == "updated" and tree(folder) == V2, f"{name}: {update}", place)
        expect(open(f"{update['kept']}/{name}").read() == "mine", f"{name}: {update}", place)


def what_was_changed_meanwhile_stays(place, hub):
    folder = installed(place, hub)
    fault = hub.fault("/api/v1/download", hold=10)
    child = started(place, hub, "update", "demo")
    expect(fault.reached.wait(LIMIT_S), "no download", place)
    (folder / "SKILL.md").write_text("just now")
    fault.released.set()
    out, _ = child.communicate(timeout=LIMIT_S)
    expect(child.returncode == 1 and b'"code":"HUB_LOCAL_CHANGES"' in out, f"{out}", place)
    expect((folder / "SKILL.md").read_text() == "just now", "lost", place)
    expect_tidy(place, ["demo"])


def a_folder_that_is_gone_comes_back(place, hub):
    folder = installed(place, hub)
    folder.rename(work(place) / "away")
    update = only(succeeded(place, hub, "update", "demo"))
    expect(update["status"] == "updated" and tree(folder) == V2, f"{update}", place)
    expect(hub.asked("/api/v1/resolve") == [], "there is nothing to resolve", place)


def what_is_not_installed_is_not_updated(place, hub):
    failed(place, hub, "HUB_SKILL_NOT_FOUND", "update", "demo", says="not installed")
    expect(succeeded(place, hub, "update", "--all") == {"updates": [], "count": 0}, "nothing", place)
    expect(not skills(place).exists() and not (work(place) / ".clawdhub").exists(), "folders were made", place)


def a_folder_that_came_another_way_is_recognised(place, hub):
    hub.add("demo", "1.1.0", V2)
    folder = skills(place) / "demo"
    (folder / "scripts").mkdir(parents=True)
    for name, content in V1.items():
        (folder / name).write_bytes(content)
    update = only(succeeded(place, hub, "update", "demo", "--version", "1.0.0"))
    expect(update["status"] == "up_to_date" and locked(place) == {"demo": "1.0.0"}, f"{update}", place)


def versions_with_other_files_are_recognised(place, hub):
    files = {"SKILL.md": b"x", "logo.png": b"\x89PNG\0", "Makefile": b"all:\n"}
    hub.add("pics", "1.0.0", files)
    succeeded(place, hub, "install", "pics")
    expect(only(succeeded(place, hub, "update", "pics"))["status"] == "up_to_date", "its own files", place)
    hub.add("pics", "1.1.0", {**files, "more.md": b"y"})
    update = only(succeeded(place, hub, "update", "pics"))
    expect(update["status"] == "updated" and "kept" not in update, f"{update}", place)
    (skills(place) / "pics/logo.png").write_bytes(b"mine")
    failed(place, hub, "HUB_LOCAL_CHANGES", "update", "pics")


def one_that_fails_keeps_no_other(place, hub):
    installed(place, hub)
    hub.add("other", "1.0.0", V1)
    succeeded(place, hub, "install", "other")
    hub.add("other", "1.1.0", V2)
    (skills(place) / "demo/SKILL.md").write_text("mine")
    document = lock(place)
    document["skills"]["../x"] = {"version": "1", "installedAt": 1}
    document["skills"]["kept"] = {"version": "1.0.0", "installedAt": 1, "pinned": True}
    document["more"] = {"of": "others"}
    document["skills"]["other"]["ownerHandle"] = "me"
    (work(place) / ".clawdhub/lock.json").write_text(json.dumps(document))
    done = run(place, hub, "update", "--all")
    updates = {each["slug"]: each for each in json.loads(done.stdout)["updates"]}
    expect(done.returncode == 1, f"{done}", place)
    expect({slug: each["status"] for slug, each in updates.items()} ==
           {"demo": "failed", "other": "updated", "../x": "failed", "kept": "pinned"}, f"{updates}", place)
    expect(updates["../x"]["error"]["code"] == "USAGE", f"{updates}", place)
    after = lock(place)
    expect(after["more"] == {"of": "others"} and after["skills"]["other"]["ownerHandle"] == "me", f"lock {after}",
           place)
    expect(after["skills"]["other"]["version"] == "1.1.0", f"lock {after}", place)


def words_that_make_no_sense(place, hub):
    for words, says in ((("update",), "Provide <slug> or --all"), (("update", "demo", "--all"), "Use either"),
                        (("update", "--all", "--version", "1.0.0"), "single <slug>"),
                        (("update", "demo", "--version", "one"), "valid semver"), (("install",), "slug"),
                        (("search",), "words"), (("explore", "--limit", "0"), "--limit"),
                        (("explore", "--sort", "age"), "--sort"), (("delete", "demo"), "--yes"),
                        (("publish",), "folder"),
                        (("list", "--registry", "http://example.com"), "https"),
                        (("list", "--registry", "ftp://x"), "https"),
                        (("list", "--names", "other"), "--names")):
        failed(place, hub, "USAGE", *words, says=says)
    expect(hub.seen == [], f"asked {hub.seen}", place)


def a_lock_file_that_is_none_is_empty(place, hub):
    for text in ("", "{", "[]", '{"version":2,"skills":{}}',
                 '{"version":1,"skills":{"a":{"version":1,"installedAt":1}}}',
                 '{"version":1,"skills":[]}', '{"version":1,"skills":{"a":{"version":"1"}}}', "\xff" * 10):
        (work(place) / ".clawdhub").mkdir(exist_ok=True)
        (work(place) / ".clawdhub/lock.json").write_bytes(text.encode("latin-1"))
        expect(succeeded(place, hub, "list")["count"] == 0, f"{text!r}", place)
        expect((work(place) / ".clawdhub/lock.json").read_bytes() == text.encode("latin-1"), "list has written", place)
    succeeded(place, hub, "install", "demo")
    expect(locked(place) == {"demo": "1.0.0"}, "lock", place)
    kept = (work(place) / ".clawdhub/lock.json.unreadable").read_bytes()
    expect(kept == b"\xff" * 10, f"kept {kept}", place)


def a_link_in_its_place_is_left_alone(place, hub):
    folder = installed(place, hub)
    folder.rename(work(place) / "mine")
    os.symlink(work(place) / "mine", folder)
    failed(place, hub, "HUB_LOCAL_CHANGES", "update", "demo")
    update = only(succeeded(place, hub, "update", "demo", "--force"))
    expect(os.path.islink(update["kept"]) and tree(work(place) / "mine") == V1 and tree(folder) == V2, f"{update}",
           place)


CHECKS = rows(
    the_latest_takes_its_place, a_version_that_is_named, an_older_latest_changes_nothing, changed_files_are_never_lost,
    files_that_no_version_has_are_kept, what_was_changed_meanwhile_stays, a_folder_that_is_gone_comes_back,
    what_is_not_installed_is_not_updated, a_folder_that_came_another_way_is_recognised,
    versions_with_other_files_are_recognised, one_that_fails_keeps_no_other, words_that_make_no_sense,
    a_lock_file_that_is_none_is_empty, a_link_in_its_place_is_left_alone)
