"""`clawperator migrate`: what upstream's command line has left in a home, which is made up here, and what is done."""
import json
import os
import pathlib
import subprocess
import sys

REGISTRY = "skills/skills/skills-registry.json"


def expect(place, what, actual, wanted):
    if actual != wanted:
        raise place.Mismatch(f"{what}: expected {wanted!r}, got {str(actual)[:800]}")


def put(place, name, text="", mode=0o644):
    file = place.sandbox / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(mode)
    return file


def migrate(place, *words, env=None):
    done = place.run("migrate", *words, env=env)
    expect(place, f"{words} {done}", done.stderr, b"")
    return done.returncode, json.loads(done.stdout)


def everything_below(folder):
    """Each path with its bytes, its link and its times."""
    return {path: (os.lstat(path).st_mtime_ns, path.is_symlink() and os.readlink(path), path.is_file() and
                   path.read_bytes()) for path in sorted(pathlib.Path(folder).rglob("*"))}


def found(answer):
    return {(row["what"], row["path"]): row for row in answer["found"]}


def npm_program(place, name, package, version):
    """As npm installs it: a link in bin to a script in node_modules."""
    script = put(place, f"npm/lib/node_modules/{package}/dist/cli.js", "#!/usr/bin/env node\n", 0o755)
    put(place, f"npm/lib/node_modules/{package}/package.json", json.dumps({"name": package, "version": version}))
    link = place.sandbox / f"npm/bin/{name}"
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(os.path.relpath(script, link.parent))
    return link


def path_with(place, *folders):
    return {"PATH": ":".join([*map(str, folders), place.env["PATH"]])}


def sleeping(*words):
    """A process that was started with these words."""
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)", *words])


def nothing_there(place):
    status, answer = migrate(place, "--check")
    expect(place, "an empty home", (status, answer),
           (0, {"ok": True, "program": os.path.realpath(place.binary), "found": []}))
    done = place.run("migrate", "--do", "--output", "pretty")
    expect(place, "for people", (done.returncode, done.stdout),
           (0, b"Nothing of upstream's command line was found.\n"))


def one_of_two(place):
    for words in ([], ["--check", "--do"]):
        status, answer = migrate(place, *words)
        expect(place, words, (status, answer["code"]), (1, "USAGE"))


def all_that_is_left(place):
    """Each kind is found; --check changes nothing."""
    sleeper = sleeping("/usr/lib/node_modules/clawperator/dist/cli.js", "daemon", "run")
    try:
        old = npm_program(place, "clawperator", "clawperator", "0.12.5")
        new = npm_program(place, "androperator", "@androperator/cli", "1.1.0")
        put(place, ".clawperator/logs/clawperator-2026-01-02.log", "{}\n")
        put(place, f".clawperator/{REGISTRY}", "{}")
        put(place, ".clawperator/downloads/operator.apk", "x")
        put(place, ".clawperator/daemon-default.pid", f"{sleeper.pid}\n")
        put(place, ".clawperator/daemon-emulator-5554.pid", "4194305\n")  # above the kernel's largest
        put(place, ".androperator/logs/androperator-2026-01-02.log", "{}\n")
        put(place, f".androperator/{REGISTRY}", "{}")
        env = path_with(place, old.parent) | {"ANDROPERATOR_LOG_DIR": "/x", "ANDROPERATOR_NO_SUCH": "1"}
        before = everything_below(place.sandbox)
        status, answer = migrate(place, "--check", env=env)
        expect(place, "what is there", everything_below(place.sandbox), before)
        expect(place, answer, (status, "done" in answer), (0, False))
        home = place.sandbox
        expect(place, "found", {key: row["standing"] for key, row in found(answer).items()}, {
            ("program", str(old)): "clash",
            ("program", str(new)): "apart",
            ("logs", str(home / ".clawperator/logs")): "shared",
            ("skills", str(home / ".clawperator/skills")): "shared",
            ("registry", str(home / ".clawperator" / REGISTRY)): "shared",
            ("downloads", str(home / ".clawperator/downloads")): "shared",
            ("logs", str(home / ".androperator/logs")): "apart",
            ("skills", str(home / ".androperator/skills")): "apart",
            ("registry", str(home / ".androperator" / REGISTRY)): "apart",
            ("daemon", str(home / ".clawperator/daemon-default.pid")): "clash",
            ("daemon", str(home / ".clawperator/daemon-emulator-5554.pid")): "apart",
            ("environment", "ANDROPERATOR_LOG_DIR"): "clash",
            ("environment", "ANDROPERATOR_NO_SUCH"): "apart",
        })
        rows = found(answer)
        for key, part in ((("program", str(old)), "npm's clawperator 0.12.5"),
                          (("program", str(new)), "npm's @androperator/cli 1.1.0"),
                          (("daemon", str(home / ".clawperator/daemon-default.pid")), f"process {sleeper.pid} runs"),
                          (("environment", "ANDROPERATOR_LOG_DIR"), "CLAWPERATOR_LOG_DIR")):
            if part not in rows[key]["note"]:
                raise place.Mismatch(f"{key}: {rows[key]}")
        done = place.run("migrate", "--check", "--output", "pretty", env=env)
        expect(place, "for people", (done.returncode, done.stdout.decode().count("clash  ")), (0, 3))
    finally:
        sleeper.kill()
        sleeper.wait()


def a_number_of_another(place):
    """A process of that number that is none of upstream's; files that are no plain ones."""
    for words in ([], ["clawperator.txt"], ["clawperator", "serve"], ["other", "daemon"]):
        sleeper = sleeping(*words)
        try:
            put(place, ".clawperator/daemon-default.pid", str(sleeper.pid))
            _, answer = migrate(place, "--check")
            expect(place, (words, answer), [row["standing"] for row in answer["found"]], ["apart"])
        finally:
            sleeper.kill()
            sleeper.wait()
    (place.sandbox / ".clawperator/daemon-default.pid").unlink()
    os.mkfifo(place.sandbox / ".clawperator/daemon-default.pid")
    other = npm_program(place, "clawperator", "other", "1.0.0")
    package = place.sandbox / "npm/lib/node_modules/other/package.json"
    package.unlink()
    os.mkfifo(package)
    _, answer = migrate(place, "--check", env=path_with(place, other.parent))
    expect(place, answer, [(row["note"].split(";")[0], row.get("next")) for row in answer["found"]],
           [("npm's other", "put this program's folder first in PATH")])


def clients_get_this_program(place):
    """An entry of upstream's command gets our path; another's stays, and what is not understood. Twice is once."""
    own = os.path.realpath(place.binary)
    cursor = put(place, ".cursor/mcp.json", '{"mcpServers": {"clawperator": {"command": "clawperator", '
                 '"args": ["mcp", "serve"]}}}')
    codex = put(place, ".codex/config.toml", "[mcp_servers.clawperator]\ncommand = 'npx'\nargs = ['clawperator']\n")
    gemini = put(place, ".gemini/settings.json", "{")
    vscode = put(place, ".config/Code/User/mcp.json", "{}")
    status, answer = migrate(place, "--check")
    rows = {row["path"]: row for row in answer["found"]}
    expect(place, answer, (status, {path: row["standing"] for path, row in rows.items()}),
           (0, {str(cursor): "todo", str(codex): "clash", str(gemini): "clash"}))
    expect(place, "what to do", rows[str(cursor)]["next"], "clawperator mcp --print-config cursor --write")
    before = {file: file.read_bytes() for file in (codex, gemini, vscode)}
    status, answer = migrate(place, "--do")
    expect(place, answer, (status, answer["done"]),
           (0, [{"step": "clawperator mcp --print-config cursor --write", "path": str(cursor), "ok": True}]))
    expect(place, "the entry", json.loads(cursor.read_text())["mcpServers"],
           {"clawperator": {"command": own, "args": ["mcp", "serve"]}})
    expect(place, "the others", {file: file.read_bytes() for file in before}, before)
    status, answer = migrate(place, "--do")
    expect(place, answer, (status, answer["done"]), (0, []))
    expect(place, answer, {row["path"]: row["standing"] for row in answer["found"]}[str(cursor)], "shared")


def skills_are_installed_beside(place):
    """Where upstream has skills under its new name, and we have none. Upstream's are not touched."""
    put(place, f".androperator/{REGISTRY}", "{}")
    put(place, f"repo/{REGISTRY.removeprefix('skills/')}", '{"schemaVersion": "1", "skills": []}')
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-C", str(place.sandbox / "repo")]
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "x"]):
        subprocess.run([*git, *words], env=place.env, check=True, capture_output=True)
    env = {"CLAWPERATOR_SKILLS_REPO": str(place.sandbox / "repo")}
    before = everything_below(place.sandbox / ".androperator")
    _, answer = migrate(place, "--check", env=env)
    expect(place, answer, answer["found"][0]["standing"], "todo")
    status, answer = migrate(place, "--do", env=env)
    expect(place, answer, (status, [(step["step"], step["ok"]) for step in answer["done"]]),
           (0, [("clawperator skills install", True)]))
    expect(place, "ours", (place.sandbox / ".clawperator" / REGISTRY).is_file(), True)
    expect(place, "theirs", everything_below(place.sandbox / ".androperator"), before)
    _, answer = migrate(place, "--do", env=env)
    expect(place, "again", answer["done"], [])


def a_step_fails(place):
    put(place, f".androperator/{REGISTRY}", "{}")
    status, answer = migrate(place, "--do", env={"CLAWPERATOR_SKILLS_REPO": str(place.sandbox / "absent")})
    expect(place, answer, (status, answer["ok"], answer["done"][0]["ok"]), (1, False, False))
    if not answer["done"][0]["error"]["code"]:
        raise place.Mismatch(str(answer))


def doctor_names_the_other(place):
    """A second program in PATH, upstream's or ours; a link to this one and npm's launcher of this one are none."""
    def check(env):
        done = place.run("doctor", "--check-only", env=env)
        rows = [row for row in json.loads(done.stdout)["checks"] if row["id"] == "host.path.programs"]
        return rows[0] if rows else None
    link = place.sandbox / "bin/clawperator"
    link.parent.mkdir()
    link.symlink_to(os.path.realpath(place.binary))
    expect(place, "a link to this one", check(path_with(place, link.parent)), None)
    for name, package in (("clawperator", "clawperator"), ("androperator", "androperator")):
        other = npm_program(place, name, package, "1.0.0")
        row = check(path_with(place, other.parent))
        expect(place, row, (row["status"], row["code"], str(other) in row["summary"]),
               ("warn", "OTHER_PROGRAM_IN_PATH", True))
        expect(place, row, (row["evidence"]["others"], row["evidence"]["own"]),
               ([str(other)], os.path.realpath(place.binary)))
        expect(place, row, row["fix"]["help"], "clawperator help migrate")
        other.unlink()


def doctor_points_to_our_own_pages(place):
    """No address of another project; each page is there."""
    done = place.run("doctor")
    text = done.stdout.decode()
    if "http://" in text or "https://" in text or "docsUrl" in text:
        raise place.Mismatch(text)
    pages = {row["fix"]["help"] for row in json.loads(text)["checks"] if "help" in row.get("fix", {})}
    expect(place, "some page", bool(pages), True)
    for page in pages:
        expect(place, page, page.split()[:2], ["clawperator", "help"])
        topic = place.run(*page.split()[1:])
        expect(place, page, (topic.returncode, f"Usage: clawperator {' '.join(page.split()[2:])}" in
                             topic.stdout.decode()), (0, True))


CHECKS = [(check.__name__, False, check)
          for check in (nothing_there, one_of_two, all_that_is_left, a_number_of_another, clients_get_this_program,
                        skills_are_installed_beside, a_step_fails, doctor_names_the_other,
                        doctor_points_to_our_own_pages)]
