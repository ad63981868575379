"""[C4] Skills that come from a repository or a folder; [C11] archives that no agent finds a skill in; [C5] waits."""
import email.utils
import json
import pathlib
import subprocess
import time

from hub_place import V1, V2, expect, expect_tidy, failed, locked, rows, run, skills, succeeded, tree, work


def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def git(folder, *words):
    subprocess.run(["git", "-C", folder, "-c", "user.name=x", "-c", "user.email=x@y", "-c", "commit.gpgsign=false",
                    *words], check=True, capture_output=True)


def repository(place, files, name="My_Skill.git"):
    folder = write(work(place) / "elsewhere" / name, files)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    return folder


def a_repository_is_installed(place, hub):
    folder = repository(place, {**V1, ".github/x.yml": b"x", ".clawdhub/origin.json": b"{}"})
    git(folder, "tag", "v1")
    write(folder, V2)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "two")
    answer = succeeded(place, hub, "install", f"git:{folder}@v1")
    found = (answer["slug"], answer["source"], len(answer["version"]))
    expect(found == ("my-skill", f"git:{folder}", 40), f"{answer}", place)
    expect(tree(skills(place) / "my-skill") == {**V1, ".github/x.yml": b"x"}, "the files", place)
    answer = succeeded(place, hub, "install", f"git:file://{folder}", "--as", "other")
    expect(tree(skills(place) / "other")["notes.md"] == V2["notes.md"], "HEAD", place)
    succeeded(place, hub, "install", f"git:{folder}@HEAD", "--as", "named")
    expect(tree(skills(place) / "named") == tree(skills(place) / "other"), "HEAD by its name", place)
    expect_tidy(place, ["my-skill", "named", "other"])
    expect(hub.seen == [], "the hub got a request", place)
    expect(succeeded(place, hub, "update", "--all")["updates"] == [], "it has an entry in the lock file", place)


def a_repository_that_cannot_be(place, hub):
    folder = repository(place, {"notes.md": b"x"})
    failed(place, hub, "AGENT_SKILL_INVALID", "install", f"git:{folder}", says="SKILL.md")
    answer = json.loads(run(place, hub, "install", f"git:{folder}@none").stdout)
    expect("'none'" in answer["message"], f"{answer}", place)
    for word in ("git:", "git:x", "git:a/b/c", "git:../x/@", "git:http://example.org/a/b", "git:git@host:a/b",
                 "git:a/b@"):
        failed(place, hub, "USAGE", "install", word)
    failed(place, hub, "USAGE", "install", f"git:{folder}", "--version", "1.0.0", says="@REF")
    failed(place, hub, "USAGE", "install", "demo", "--as", "x", says="--as")
    answer = failed(place, hub, "USAGE", "install", "git:https://user:secret1@example.org/a/b")
    expect("secret1" not in json.dumps(answer), f"{answer}", place)
    expect(not skills(place).exists() or list(skills(place).iterdir()) == [], "something is left", place)


def a_folder_is_installed(place, hub):
    folder = write(work(place) / "elsewhere/demo", {**V2, ".git/config": b"x", "node_modules/x/y.js": b"x",
                                                    "run.sh": b"#!/bin/sh\n"})
    (folder / "run.sh").chmod(0o755)
    succeeded(place, hub, "install", "demo")
    failed(place, hub, "HUB_LOCAL_CHANGES", "install", "./elsewhere/demo")
    answer = succeeded(place, hub, "install", "./elsewhere/demo", "--force")
    expect(answer["source"] == str(folder) and "registry" not in answer, f"{answer}", place)
    expect(tree(pathlib.Path(answer["kept"])) == V1, "what was replaced is kept", place)
    expect(tree(skills(place) / "demo") == {**V2, "run.sh": b"#!/bin/sh\n"}, "the files", place)
    expect((skills(place) / "demo/run.sh").stat().st_mode & 0o111, "it is no program any more", place)
    expect(locked(place) == {}, "no update may replace it by the hub's", place)
    failed(place, hub, "USAGE", "install", "./none", says="no folder")
    failed(place, hub, "AGENT_SKILL_INVALID", "install", "./elsewhere", says="SKILL.md")


def an_archive_without_a_skill_is_reported(place, hub):
    for files, words in ({"readme.md": b"x"}, "no SKILL.md: no agent"), ({"skill.md": b"x"}, "but skill.md"):
        hub.add("odd", "1.0.0", files)
        answer = succeeded(place, hub, "install", "odd", "--force")
        expect(words in answer["warning"], f"{answer}", place)
        done = run(place, hub, "install", "odd", "--force", "--output", "pretty")
        expect(words.encode() in done.stdout, f"{done}", place)
    expect("warning" not in succeeded(place, hub, "install", "demo"), "a warning", place)


def a_wait_is_heeded_and_reported(place, hub):
    hub.fault("/api/v1/skills/demo", status=429, headers={"Retry-After": "1"}, body=b"Rate limit exceeded")
    done = run(place, hub, "install", "demo")
    expect(done.returncode == 0 and b"the next try is in 1 s" in done.stderr, f"{done}", place)
    expect(len(hub.asked("/api/v1/skills/demo")) == 2, "not tried again", place)


def a_long_wait_is_the_users(place, hub):
    moment = time.time() + 7200
    date = email.utils.formatdate(moment, usegmt=True)
    for value, least in ("3600", 3600), (str(int(moment)), 3600), (date, 3600):
        hub.seen.clear()
        hub.fault("/api/v1/skills/demo", status=429, headers={"Retry-After": value}, body=b"Rate limit exceeded")
        answer = failed(place, hub, "HUB_REQUEST_FAILED", "install", "demo", says="try again in ")
        expect(answer["details"]["retryAfterSeconds"] >= least, f"{value}: {answer}", place)
        expect(len(hub.asked("/api/v1/skills/demo")) == 1, f"{value}: tried again", place)


CHECKS = rows(a_repository_is_installed, a_repository_that_cannot_be, a_folder_is_installed,
              an_archive_without_a_skill_is_reported, a_wait_is_heeded_and_reported, a_long_wait_is_the_users)
