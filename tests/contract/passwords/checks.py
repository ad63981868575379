"""[A10] A URL's user name and password are in no answer, no message, no log and no file, wherever such a URL is
given."""
import json
import pathlib

SECRET = "hunter2-Secret"
URL = f"https://me:{SECRET}@127.0.0.1:1/repo.git"
REPOSITORIES = (URL, f"HTTPS://me:{SECRET}@127.0.0.1:1/x", f"https://{SECRET}@127.0.0.1:1/x",
                f"http://me:{SECRET}@127.0.0.1:1/x",
                f"https://me:{SECRET}/more@127.0.0.1:1/x", f"ssh://me:{SECRET}@127.0.0.1:1/x",
                f"git://me:{SECRET}@127.0.0.1:1/x",
                f"file://me:{SECRET}@127.0.0.1/x", f"me:{SECRET}@127.0.0.1:x", f"https:/me:{SECRET}@127.0.0.1/x")


def files(place):
    return [path for path in pathlib.Path(place.sandbox).rglob("*") if path.is_file() and not path.is_symlink()]


def refused(place, *words, env=None, code=None, given=()):
    """`given` are the files that a user wrote it into."""
    done = place.run(*words, "--log-level", "debug", env=env or {})
    if done.returncode != 1 or (code and json.loads(done.stdout)["code"] != code):
        raise place.Mismatch(f"{words}: {done.returncode} {done.stdout[:600]!r}")
    where = [name for name, text in (("stdout", done.stdout), ("stderr", done.stderr)) if SECRET.encode() in text]
    where += [str(path) for path in files(place) if path not in given and SECRET.encode() in path.read_bytes()]
    if where:
        raise place.Mismatch(f"{words} {env}: the password is in {where}: {done.stdout[:600]!r} {done.stderr[:600]!r}")
    return done


def repositories(place):
    for url in REPOSITORIES:
        for words, env in ((("skills", "install", "--repo", url), {}),
                           (("skills", "install"), {"CLAWPERATOR_SKILLS_REPO": url}),
                           (("skills", "sync", "--ref", "main", f"--repo={url}"), {})):
            done = refused(place, *words, env=env, code="SKILLS_SYNC_FAILED")
            if "***@" not in json.loads(done.stdout)["message"]:
                raise place.Mismatch(f"{words}: not named: {done.stdout}")
    refused(place, "skills", "install", URL, code="USAGE")


def checkout(folder, url):
    """As little as git takes for one."""
    git = folder / ".git"
    for name in ("objects", "refs/heads"):
        (git / name).mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "config").write_text(
        f'[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = {url}\n'
        "\tfetch = +refs/heads/*:refs/remotes/origin/*\n")
    return git / "config"


def a_checkout_that_git_made(place):
    config = checkout(place.sandbox / ".clawperator/skills", URL)
    refused(place, "skills", "update", code="SKILLS_SYNC_FAILED", given=[config])
    refused(place, "skills", "update", "--repo", str(place.sandbox / "none"), code="SKILLS_SYNC_FAILED", given=[config])


def hubs(place):
    for words in (("hub", "search", "x"), ("hub", "install", "demo"), ("hub", "login", "--token", "t" * 20),
                  ("hub", "whoami")):
        refused(place, *words, "--registry", URL)
        refused(place, *words, env={"CLAWHUB_REGISTRY": URL})
        refused(place, *words, "--site", URL)
    config = place.sandbox / "config.json"
    config.write_text(json.dumps({"registry": URL, "token": "t" * 20}))
    refused(place, "hub", "whoami", "--registry", "https://127.0.0.1:1", env={"CLAWHUB_CONFIG_PATH": str(config)},
            code="HUB_NOT_LOGGED_IN", given=[config])


def downloads(place):
    for words in (("operator", "download"), ("operator", "download", "--version", "0.12.5")):
        refused(place, *words,
                env={"CLAWPERATOR_APK_METADATA_URL": f"https://me:{SECRET}@127.0.0.1:1/operator/latest.json"},
                code="OPERATOR_DOWNLOAD_FAILED")


def installers(place):
    """Of an agent skill, in whose SKILL.md it stands."""
    folder = place.sandbox / "skills/tool"
    folder.mkdir(parents=True)
    install = [{"id": "d", "kind": "download", "url": f"https://me:{SECRET}@127.0.0.1:1"}]
    skill = folder / "SKILL.md"
    skill.write_text("---\nname: tool\ndescription: a fixture\nmetadata: "
                     + json.dumps({"openclaw": {"install": install,
                                                "requires": {"bins": ["no-such-program"]}}}) + "\n---\n")
    env = {"OPENCLAW_STATE_DIR": str(place.sandbox / "state"), "OPENCLAW_WORKSPACE": str(place.sandbox)}
    (place.sandbox / "state").mkdir()
    (place.sandbox / "state/openclaw.json").write_text(
        json.dumps({"agents": {"defaults": {"workspace": str(place.sandbox)}}}))
    refused(place, "agent-skills", "install", "tool", "d", env=env, code="AGENT_INSTALL_FAILED", given=[skill])
    for words in (("list",), ("info", "tool"), ("check",)):
        done = place.run("agent-skills", *words, env=env)
        if SECRET.encode() in done.stdout + done.stderr:
            raise place.Mismatch(f"{words}: {done.stdout[:800]!r}")


CHECKS = [(f"passwords of URLs: {name}", False, check) for name, check in (
    ("repositories of skills", repositories), ("a checkout that git made", a_checkout_that_git_made), ("hubs", hubs),
    ("downloads", downloads), ("installers", installers))]
