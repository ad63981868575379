"""hub install, list: what comes into a work folder, and what never does."""
import os
import subprocess

from fake_hub import zipped
from hub_place import (V1, V2, expect, expect_tidy, failed, lock, locked, rows, run, skills, succeeded, tree, work)


def a_skill_is_installed_as_the_clients_do(place, hub):
    hub.add("demo", "1.1.0", V2)
    answer = succeeded(place, hub, "install", "demo")
    expect((answer["version"], answer["path"]) == ("1.1.0", str(skills(place) / "demo")), f"{answer}", place)
    expect(tree(skills(place) / "demo") == V2, "the files", place)
    origin = (skills(place) / "demo/.clawdhub/origin.json").read_text()
    at = lock(place)["skills"]["demo"]["installedAt"]
    expect((work(place) / ".clawdhub/lock.json").read_text() ==
           '{\n  "version": 1,\n  "skills": {\n    "demo": {\n      "version": "1.1.0",\n      "installedAt": %d\n    '
           '}\n  }\n}\n'
           % at, "lock.json", place)
    begin = (((
          '{\n  "version": 1,\n  "registry": "%s",\n  "slug": "demo",\n  "installedVersion": "1.1.0",\n  '
          '"installedAt": ' % hub.base)))
    expect(origin.startswith(begin) and origin.endswith("\n}\n"), f"origin.json: {origin}", place)
    expect_tidy(place, ["demo"])
    expect([each["path"] for each in hub.seen] == ["/api/v1/skills/demo", "/api/v1/download"], f"asked {hub.seen}",
           place)
    expect(not any("Authorization" in each["headers"] for each in hub.seen), "anonymous", place)


def a_version_that_is_named(place, hub):
    hub.add("demo", "2.0.0", V2)
    answer = succeeded(place, hub, "install", "demo", "--version", "1.0.0")
    expect(answer["version"] == "1.0.0" and tree(skills(place) / "demo") == V1, f"{answer}", place)
    expect([each["path"] for each in hub.seen] == ["/api/v1/skills/demo", "/api/v1/download"], f"asked {hub.seen}",
           place)
    expect(locked(place) == {"demo": "1.0.0"}, "lock", place)
    answer = failed(place, hub, "HUB_SKILL_NOT_FOUND", "install", "demo", "--version", "9.9.9", "--force",
                    says="Version not found")
    expect(answer["details"]["status"] == 404, f"{answer}", place)
    expect(tree(skills(place) / "demo") == V1, "a failed --force has removed it", place)


def a_folder_of_that_name_stays(place, hub):
    (skills(place) / "demo").mkdir(parents=True)
    (skills(place) / "demo/mine.md").write_text("mine")
    answer = failed(place, hub, "HUB_LOCAL_CHANGES", "install", "demo", says="Already installed")
    expect(answer["details"]["path"] == str(skills(place) / "demo") and hub.seen == [], f"{answer}", place)
    answer = succeeded(place, hub, "install", "demo", "--force")
    expect(tree(skills(place) / "demo") == V1, "the files", place)
    expect(answer["kept"].startswith(str(skills(place) / ".hub-replaced/demo-")), f"{answer}", place)
    expect(open(answer["kept"] + "/mine.md").read() == "mine", "mine.md", place)
    expect_tidy(place, [".hub-replaced", "demo"])


def what_the_hub_has_anyway_is_not_kept(place, hub):
    hub.add("demo", "1.1.0", V2)
    succeeded(place, hub, "install", "demo", "--version", "1.0.0")
    answer = succeeded(place, hub, "install", "demo", "--force")
    expect("kept" not in answer and tree(skills(place) / "demo") == V2, f"{answer}", place)
    expect_tidy(place, ["demo"])


def slugs_lead_nowhere_else(place, hub):
    (work(place) / "x").mkdir()
    (work(place) / "x/mine").write_text("mine")
    for slug in ("../x", "..", ".", "a/b", "", " ", "-a", ".hidden", "a.b", "ä", "a" * 129, "a\\b", "@me/../x"):
        done = run(place, hub, "install", "--force", "--", slug)
        expect(done.returncode == 1 and b'"code":"USAGE"' in done.stdout, f"{slug!r}: {done.stdout}", place)
    expect(hub.seen == [] and (work(place) / "x/mine").read_text() == "mine", "something was done", place)
    expect(not skills(place).exists(), "a folder was made", place)
    answer = succeeded(place, hub, "install", " DEMO ")
    expect(answer["slug"] == "demo", f"{answer}", place)


def a_skill_that_is_not_there(place, hub):
    answer = failed(place, hub, "HUB_SKILL_NOT_FOUND", "install", "absent", says="Skill not found")
    expect(answer["details"]["status"] == 404, f"{answer}", place)
    hub.skills["demo"]["latest"] = None
    failed(place, hub, "HUB_SKILL_NOT_FOUND", "install", "demo", says="no version")
    expect(not (work(place) / ".clawdhub").exists(), "a lock file", place)


HOSTILE = {
    "a parent": {"SKILL.md": b"x", "../evil.md": b"x"}, "a parent inside": {"SKILL.md": b"x", "a/../../evil.md": b"x"},
    "a dot": {"SKILL.md": b"x", "a/./b.md": b"x"}, "an empty part": {"SKILL.md": b"x", "a//b.md": b"x"},
    "a control character": {"SKILL.md": b"x", "a\x1b[2J.md": b"x"},
    "a file where a folder is": {"a": b"x", "a/b.md": b"x"},
}
GIT_CONFIG = b"[core]\n\tfsmonitor = touch evil\n"
HOSTILE |= {f"git's folder as {name}": {"SKILL.md": b"x", f"{name}/config": GIT_CONFIG} for name in (
    ".git", "a/b/.GIT", "git~1", "sub/.git. ", ".git::$INDEX_ALLOCATION", ".g\u200dit", ".git\ufeff")}
HOSTILE |= {"git's file": {"SKILL.md": b"x", ".git": b"gitdir: ../../elsewhere\n"}}


def hostile_archives_are_refused_whole(place, hub):
    """[A6]"""
    succeeded(place, hub, "install", "demo")
    for what, files in HOSTILE.items():
        hub.fault("/api/v1/download", body=zipped(files))
        done = run(place, hub, "install", "demo", "--force")
        expect(b'"code":"ARCHIVE_REFUSED"' in done.stdout and done.returncode == 1, f"{what}: {done.stdout}", place)
        expect(tree(skills(place) / "demo") == V1, f"{what} has changed the skill", place)
    for what, body in {"no zip": b"<html>not a zip</html>", "nothing": b"", "no file": zipped({"a/": b""}),
                       "its first half": zipped(V1)[:100]}.items():
        hub.fault("/api/v1/download", body=body)
        done = run(place, hub, "install", "demo", "--force")
        expect(b'"code":"ARCHIVE_REFUSED"' in done.stdout, f"{what}: {done.stdout}", place)
    expect_tidy(place, ["demo"])
    outside = [path for path in work(place).rglob("*evil*")]
    expect(not outside, f"{outside}", place)


def links_in_an_archive_are_refused(place, hub):
    folder = work(place) / "packed"
    folder.mkdir()
    (folder / "SKILL.md").write_text("x")
    os.symlink("/etc/passwd", folder / "link.md")
    script = ("import os,stat,sys,zipfile\nz=zipfile.ZipFile(sys.argv[1],'w')\nz.writestr('SKILL.md','x')\n"
              "i=zipfile.ZipInfo('link.md');i.create_system=3;i.external_attr=(stat.S_IFLNK|0o777)<<16\n"
              "z.writestr(i,'/etc/passwd')\nz.close()\n")
    subprocess.run(["python3", "-c", script, str(work(place) / "link.zip")], check=True)
    hub.fault("/api/v1/download", body=(work(place) / "link.zip").read_bytes())
    failed(place, hub, "ARCHIVE_REFUSED", "install", "demo")
    expect(not (skills(place) / "demo").exists(), "installed", place)


def names_are_taken_as_the_clients_take_them(place, hub):
    hub.fault("/api/v1/download", body=zipped({
        "./SKILL.md": b"x", ".gitmodules": b"m", "//abs.md": b"a", "a/..b/c.md": b"c", "a/": b"",
        ".clawdhub/origin.json": b"evil",
        ".CLAWHUB/lock.json": b"evil"}))
    succeeded(place, hub, "install", "demo")
    expect(tree(skills(place) / "demo") ==
           {"SKILL.md": b"x", ".gitmodules": b"m", "abs.md": b"a", "a/..b/c.md": b"c"},
           f"{tree(skills(place) / 'demo')}", place)
    expect("evil" not in (skills(place) / "demo/.clawdhub/origin.json").read_text(), "origin.json", place)


def more_than_a_skill_may_be(place, hub):
    hub.fault("/api/v1/download", body=zipped({f"{n}.md": b"" for n in range(5001)}))
    failed(place, hub, "ARCHIVE_REFUSED", "install", "demo")
    hub.fault("/api/v1/download", body=zipped({"SKILL.md": bytes(51 << 20)}))
    failed(place, hub, "ARCHIVE_REFUSED", "install", "demo")
    hub.fault("/api/v1/download", body=bytes((50 << 20) + 1))
    failed(place, hub, "HUB_REQUEST_FAILED", "install", "demo", says="longer than")
    expect_tidy(place, [])


def places_are_those_that_are_named(place, hub):
    elsewhere = work(place) / "w"
    succeeded(place, hub, "install", "demo", "--workdir", str(elsewhere), "--dir", "agents/skills")
    expect((elsewhere / "agents/skills/demo/SKILL.md").is_file(), "--dir", place)
    expect((elsewhere / ".clawdhub/lock.json").is_file(), "--workdir", place)
    answer = succeeded(place, hub, "--workdir", str(elsewhere), "list")
    expect([each["slug"] for each in answer["skills"]] == ["demo"], f"before the subcommand: {answer}", place)
    for name in ("CLAWHUB_WORKDIR", "CLAWDHUB_WORKDIR"):
        answer = succeeded(place, hub, "list", env={name: str(elsewhere)})
        expect(answer["count"] == 1, f"{name}: {answer}", place)
    answer = succeeded(place, hub, "list", env={"CLAWHUB_WORKDIR": str(elsewhere), "CLAWDHUB_WORKDIR": "/nowhere"})
    expect(answer["count"] == 1, f"the newer name wins: {answer}", place)
    answer = succeeded(place, hub, "list")
    expect(answer["count"] == 0, f"here: {answer}", place)


def both_names_are_read_and_one_is_written(place, hub):
    new, old = work(place) / "new", work(place) / "old"
    succeeded(place, hub, "install", "demo", "--workdir", str(new), "--names", "clawhub")
    expect((new / ".clawhub/lock.json").is_file() and not (new / ".clawdhub").exists(), "new names", place)
    expect((new / "skills/demo/.clawhub/origin.json").is_file(), "new origin", place)
    succeeded(place, hub, "install", "demo", "--workdir", str(old))
    hub.add("demo", "1.1.0", V2)
    for folder in (new, old):
        answer = succeeded(place, hub, "update", "--all", "--workdir", str(folder), "--names",
                           "clawdhub" if folder == new else "clawhub")
        expect(answer["updates"][0]["status"] == "updated", f"{answer}", place)
    expect(not (new / ".clawdhub").exists() and not (old / ".clawhub").exists(), "the folder that is there is used",
           place)


def the_agents_workspace_is_the_work_folder(place, hub):
    """Where neither the command line nor the environment names one, and there is no lock file here."""
    state = work(place) / "state"
    agents = work(place) / "agents"
    state.mkdir()
    configuration = state / "openclaw.json"
    env = {"OPENCLAW_STATE_DIR": str(state)}
    configuration.write_text("{agents: {defaults: {workspace: '%s'}}}" % agents)
    answer = succeeded(place, hub, "install", "demo", env=env)
    expect(answer["path"] == str(agents / "skills/demo") and (agents / ".clawdhub/lock.json").is_file(),
           f"{answer}", place)
    answer = succeeded(place, hub, "install", "demo", "--workdir", str(work(place) / "w"), env=env)
    expect(answer["path"] == str(work(place) / "w/skills/demo"), f"{answer}", place)
    configuration.write_text("{agents: {}}")
    expect(succeeded(place, hub, "list", env=env)["lockPath"] == str(work(place) / ".clawdhub/lock.json"), "here",
           place)
    configuration.write_text("{")
    done = run(place, hub, "list", env=env)
    expect(done.returncode == 0 and b"the current folder is the work folder" in done.stderr, f"{done}", place)
    configuration.write_text("{agents: {defaults: {workspace: '%s'}}}" % agents)
    (work(place) / ".clawdhub").mkdir()
    expect(succeeded(place, hub, "list", env=env)["lockPath"] == str(work(place) / ".clawdhub/lock.json"),
           "a lock file here", place)


def links_named_after_the_clients(place, hub):
    for name in ("clawdhub", "clawhub"):
        link = work(place) / name
        link.symlink_to(place.binary)
        done = subprocess.run([link, "--workdir", str(work(place) / ("w" + name)), "--no-input", "install", "demo"],
                              env={**place.env, "CLAWDHUB_REGISTRY": hub.base}, capture_output=True, check=False)
        expect(done.returncode == 0, f"{done}", place)
        expect((work(place) / ("w" + name) / ("." + name) / "lock.json").is_file(), f"{name}: its own folder", place)
        done = place.run(name, "list", "--workdir", str(work(place) / ("w" + name)))
        expect(b'"count":1' in done.stdout, f"{done}", place)


def a_list_for_people_and_programs(place, hub):
    expect(run(place, hub, "list", "--output", "pretty").stdout == b"No installed skills.\n", "empty", place)
    succeeded(place, hub, "install", "demo")
    expect(run(place, hub, "list", "--output", "pretty").stdout == b"demo  1.0.0\n", "pretty", place)
    done = run(place, hub, "install", "demo", "--force", "--output", "pretty")
    expect(done.stdout == f"OK. Installed demo -> {skills(place) / 'demo'}\n".encode(), f"{done}", place)
    (work(place) / ".clawdhub/lock.json").write_text(
        '{"version":1,"skills":{"a":{"version":null,"installedAt":5},"../b":{"version":"1","installedAt":1,'
        '"pinned":true}}}')
    answer = succeeded(place, hub, "list")
    expect(answer["skills"][0] == {"slug": "a", "version": None, "installedAt": 5, "path": str(skills(place) / "a")},
           f"{answer}", place)
    expect(answer["skills"][1] == {"slug": "../b", "version": "1", "installedAt": 1, "pinned": True},
           f"{answer}", place)


CHECKS = rows(
    a_skill_is_installed_as_the_clients_do, a_version_that_is_named, a_folder_of_that_name_stays,
    what_the_hub_has_anyway_is_not_kept, slugs_lead_nowhere_else, a_skill_that_is_not_there,
    hostile_archives_are_refused_whole, links_in_an_archive_are_refused, names_are_taken_as_the_clients_take_them,
    more_than_a_skill_may_be, places_are_those_that_are_named, both_names_are_read_and_one_is_written,
    the_agents_workspace_is_the_work_folder, links_named_after_the_clients, a_list_for_people_and_programs)
