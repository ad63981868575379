"""`clawperator mcp --print-config CLIENT [--write]`: our entry in the settings of MCP clients. Python's json and
tomllib read what we wrote."""
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import tomllib

import peers

DOCS = pathlib.Path(__file__).resolve().parents[3] / "docs"
FILES = {
    "claude-code": ".claude.json",
    "claude-desktop": ".config/Claude/claude_desktop_config.json",
    "codex": ".codex/config.toml",
    "cursor": ".cursor/mcp.json",
    "vscode": ".config/Code/User/mcp.json",
    "gemini": ".gemini/settings.json",
    "openclaw": ".openclaw/openclaw.json",
}
SERVERS = {"codex": ["mcp_servers"], "vscode": ["servers"], "openclaw": ["mcp", "servers"]}


def expect(place, what, actual, wanted):
    if actual != wanted:
        raise place.Mismatch(f"{what}: expected {wanted!r}, got {str(actual)[:600]}")


def program_of(place):
    return os.path.realpath(place.binary)


def parsed(client, text):
    return tomllib.loads(text) if client == "codex" else json.loads(text)


def entry_in(client, document):
    for name in SERVERS.get(client, ["mcpServers"]):
        document = document[name]
    return document["clawperator"]


def entry_of(place, client, *arguments):
    typed = {"type": "stdio"} if client in ("claude-code", "vscode") else {}
    return typed | {"command": program_of(place), "args": ["mcp", *arguments]}


def file_of(place, client, text=None, mode=0o600):
    file = place.sandbox / FILES[client]
    if text is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)
    return file


def write(place, client, *words, env=None):
    """The answer; `change` of it."""
    done = place.run("mcp", "--print-config", client, "--write", *words, env=env)
    return done.returncode, json.loads(done.stdout)


def written(place, client, change, *words):
    status, answer = write(place, client, *words)
    expect(place, f"{client} {answer}", (status, answer.get("change")), (0, change))
    expect(place, client, (answer["client"], answer["file"], answer["program"]),
           (client, str(file_of(place, client)), program_of(place)))


def refused(place, client, code, *parts):
    before = file_of(place, client).read_bytes()
    status, answer = write(place, client)
    expect(place, f"{client} {answer}", (status, answer.get("code")), (1, code))
    for part in (str(file_of(place, client)), *parts):
        if part not in answer["message"]:
            raise place.Mismatch(f"{client}: {part!r} is not in {answer['message']!r}")
    expect(place, f"{client}: the file", file_of(place, client).read_bytes(), before)


def each_client(place):
    """Printed, written where there is no file, and not written twice."""
    for client in FILES:
        done = place.run("mcp", "--print-config", client)
        expect(place, f"{client} {done}", (done.returncode, done.stderr), (0, b""))
        printed = done.stdout.decode()
        expect(place, client, entry_in(client, parsed(client, printed)), entry_of(place, client))
        if file_of(place, client).exists():
            raise place.Mismatch(f"{client}: --print-config alone has written")
        written(place, client, "added")
        file = file_of(place, client)
        expect(place, f"{client}: mode", stat.S_IMODE(file.stat().st_mode), 0o600)
        expect(place, f"{client}: the file", file.read_text(), printed)
        before = file.stat()
        written(place, client, "none")
        expect(place, f"{client}: written twice", file.stat().st_mtime_ns, before.st_mtime_ns)


def an_agent_starts_it(place):
    """The words of the entry start a server that answers."""
    entry = entry_in("cursor", json.loads(place.run("mcp", "--print-config", "cursor").stdout))
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
    done = subprocess.run([entry["command"], *entry["args"]], input=json.dumps(hello).encode() + b"\n", env=place.env,
                          capture_output=True, timeout=60, check=False)
    expect(place, done, json.loads(done.stdout)["result"]["serverInfo"]["name"], "clawperator")


def the_rest_stays(place):
    """Comments, order, layout, mode, the link; what is taken out again gives the old file."""
    text = '{\n  // mine\n  "a": [1,  2], /* here */\n  "servers": {\n    "x": {"command": "y"}, // last\n  },\n}\n'
    file = file_of(place, "vscode", text, 0o640)
    written(place, "vscode", "added")
    now = file.read_text()
    expect(place, "lines", [line for line in now.splitlines() if "clawperator" not in line], text.splitlines())
    expect(place, "mode", stat.S_IMODE(file.stat().st_mode), 0o640)
    strict = '{"numStartups":3,"mcpServers":{"x":{"command":"y"}},"projects":{}}'
    file_of(place, "claude-code", strict)
    written(place, "claude-code", "added")
    document = json.loads(file_of(place, "claude-code").read_text())  # it was strict, and is
    entry = document["mcpServers"].pop("clawperator")
    expect(place, "strict", (entry, document), (entry_of(place, "claude-code"), json.loads(strict)))
    toml = ('# mine\nmodel = "o"   # here\n[mcp_servers.x]\ncommand = "y"\n'
            'args = [\n  "[mcp_servers.clawperator]", # no\n]')
    file_of(place, "codex", toml)
    written(place, "codex", "added")
    now = file_of(place, "codex").read_text()
    expect(place, "the old TOML", now.startswith(toml + "\n"), True)
    document = tomllib.loads(now)
    entry = document["mcp_servers"].pop("clawperator")
    expect(place, "TOML", (entry, document), (entry_of(place, "codex"), tomllib.loads(toml)))


def through_a_link(place):
    target = place.sandbox / "dotfiles/mcp.json"
    target.parent.mkdir()
    target.write_text("{}")
    link = file_of(place, "cursor")
    link.parent.mkdir()
    link.symlink_to("../dotfiles/mcp.json")
    written(place, "cursor", "added")
    expect(place, "a link", link.is_symlink(), True)
    expect(place, "its target", entry_in("cursor", json.loads(target.read_text())), entry_of(place, "cursor"))
    expect(place, "what else is there", sorted(os.listdir(target.parent)), ["mcp.json"])


def another_path(place):
    """An entry of ours, or of upstream's words, gets this program; what else it has stays."""
    old = {"command": "/old/bin/clawperator", "args": ["mcp", "serve"], "env": {"A": "1"}, "disabled": True}
    file_of(place, "gemini", json.dumps({"mcpServers": {"clawperator": old}}))
    written(place, "gemini", "updated")
    expect(place, "gemini", json.loads(file_of(place, "gemini").read_text()),
           {"mcpServers": {"clawperator": old | {"command": program_of(place)}}})
    toml = "[mcp_servers.clawperator]\nargs = ['mcp'] # a\ncommand = 'clawperator' # b\nenabled = false\n"
    file_of(place, "codex", toml)
    written(place, "codex", "updated")
    expect(place, "codex", file_of(place, "codex").read_text(),
           toml.replace("'clawperator'", json.dumps(program_of(place))))
    written(place, "codex", "updated", "--device", "emulator-5554", "--backend", "shell")
    expect(place, "codex", tomllib.loads(file_of(place, "codex").read_text())["mcp_servers"]["clawperator"],
           entry_of(place, "codex", "--device", "emulator-5554", "--backend", "shell") | {"enabled": False})
    written(place, "codex", "none")


def anothers_entry(place):
    file_of(place, "cursor", '{"mcpServers": {"clawperator": {"command": "npx", "args": ["clawperator", "mcp"]}}}')
    refused(place, "cursor", "CLIENT_ENTRY_TAKEN", "another server")
    file_of(place, "codex", '[mcp_servers.clawperator]\nurl = "http://127.0.0.1:3000/mcp"\n')
    refused(place, "codex", "CLIENT_ENTRY_TAKEN", "another server")


def what_is_not_understood(place):
    file_of(place, "cursor", '{\n  "a": 1\n  "b": 2\n}\n')
    refused(place, "cursor", "CLIENT_CONFIG_INVALID", "line 3, column 3")
    file_of(place, "cursor", '{"mcpServers": 7}')
    refused(place, "cursor", "CLIENT_CONFIG_INVALID", "mcpServers is no object")
    file_of(place, "codex", 'a = 1\nb = "x\n')
    refused(place, "codex", "CLIENT_CONFIG_INVALID", "line 2")
    file_of(place, "codex", "mcp_servers = {}\n")
    refused(place, "codex", "CLIENT_CONFIG_INVALID", "by hand")
    os.truncate(file_of(place, "cursor"), (64 << 20) + 1)
    refused(place, "cursor", "FILE_UNREADABLE")


def what_cannot_be_written(place):
    folder = file_of(place, "cursor")
    folder.mkdir(parents=True)
    status, answer = write(place, "cursor")
    expect(place, answer, (status, answer["code"]), (1, "FILE_UNREADABLE"))
    (place.sandbox / ".gemini").write_text("no folder")
    status, answer = write(place, "gemini")
    expect(place, answer, (status, answer["code"] in ("FILE_UNREADABLE", "FILE_WRITE_FAILED")), (1, True))
    locked = file_of(place, "vscode", "{}\n", mode=0o400)
    status, answer = write(place, "vscode")
    expect(place, answer, (status, answer["code"], answer["message"]),
           (1, "FILE_WRITE_FAILED", f"{locked} is read-only"))
    expect(place, "vscode", locked.read_text(), "{}\n")


def their_own_variables(place):
    for client, variable, name in (("claude-code", "CLAUDE_CONFIG_DIR", ".claude.json"),
                                   ("codex", "CODEX_HOME", "config.toml"),
                                   ("gemini", "GEMINI_CLI_HOME", ".gemini/settings.json"),
                                   ("vscode", "XDG_CONFIG_HOME", "Code/User/mcp.json"),
                                   ("openclaw", "OPENCLAW_STATE_DIR", "openclaw.json")):
        folder = place.sandbox / f"of-{client}"
        status, answer = write(place, client, env={variable: str(folder)})
        expect(place, f"{client} {answer}", (status, answer["file"]), (0, str(folder / name)))
        expect(place, client, (folder / name).is_file(), True)


    for client, variable in (("claude-code", "CLAUDE_CONFIG_DIR"), ("codex", "CODEX_HOME")):
        status, answer = write(place, client, env={variable: "~/relative"})
        expect(place, f"{client} {answer}", (status, answer["code"]), (1, "FILE_UNREADABLE"))
    status, answer = write(place, "vscode", env={"XDG_CONFIG_HOME": "relative"})
    expect(place, f"ignored {answer}", (status, answer["file"]), (0, str(file_of(place, "vscode"))))


def a_name_that_stays(place):
    """install.sh keeps each release in a folder of its own, behind links; the entry names a link."""
    release = place.sandbox / "lib/clawperator/1.0.0-aaaaaaaa/bin"
    release.mkdir(parents=True)
    program = release / "clawperator"
    shutil.copy(place.binary, program)
    (release.parent.parent / "current").symlink_to(release.parent.name)
    link = place.sandbox / "bin/clawperator"
    link.parent.mkdir()
    link.symlink_to("../lib/clawperator/current/bin/clawperator")
    current = release.parent.parent / "current/bin/clawperator"
    for path, wanted in ((f"{link.parent}:/usr/bin", link), ("/usr/bin", current)):
        done = subprocess.run([link, "mcp", "--print-config", "cursor"], env={**place.env, "PATH": path},
                              capture_output=True, timeout=60, check=True)
        expect(place, path, entry_in("cursor", json.loads(done.stdout))["command"], str(wanted))
    renamed = place.sandbox / "clawperator-1.0.0"
    shutil.copy(place.binary, renamed)
    done = subprocess.run([renamed, "mcp", "--print-config", "cursor"], env=place.env, capture_output=True, timeout=60,
                          check=False)
    expect(place, "a renamed program", (done.returncode, json.loads(done.stdout)["code"]), (1, "USAGE"))


def what_claude_remembers(place):
    """Of many projects, in the same file."""
    projects = {f"/home/user/project-{i}": {"history": ["x" * 400] * 20, **{f"m{j}": j for j in range(60)}}
                for i in range(400)}
    file_of(place, "claude-code", json.dumps({"projects": projects}))
    written(place, "claude-code", "added")
    document = json.loads(file_of(place, "claude-code").read_text())
    expect(place, "the projects", document["projects"], projects)


def keys_of_many_parts(place):
    file_of(place, "codex", f"[{'a.' * 5000}a]\n" + "".join(f"k{i}=1\n" for i in range(1000)))
    refused(place, "codex", "CLIENT_CONFIG_INVALID", "too many parts")


def the_owner_stays(place):
    if os.geteuid() != 0:
        raise peers.Unavailable("only root can write for another user")
    file = file_of(place, "cursor", "{}", 0o640)
    os.chown(file, 12345, 12346)
    written(place, "cursor", "added")
    found = file.stat()
    expect(place, "owner and mode", (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)), (12345, 12346, 0o640))


def options_go_along(place):
    words = ["--adb-server", "tcp:10.0.0.1:5037", "--operator-package", "x.y", "--transport", "tcp"]
    done = place.run("mcp", "--print-config", "cursor", *words)
    expect(place, "the words", entry_in("cursor", json.loads(done.stdout))["args"], ["mcp", *words])


def wrong_words(place):
    for words, part in ((["--write"], "--print-config"), (["--print-config", "emacs"], "claude-code, claude-desktop"),
                        (["--print-config"], "requires a value")):
        done = place.run("mcp", *words)
        expect(place, words, (done.returncode, json.loads(done.stdout)["code"]), (1, "USAGE"))
        if part not in json.loads(done.stdout)["message"]:
            raise place.Mismatch(f"{words}: {done.stdout}")


def the_page(place):
    """docs/guides/mcp.md shows what --print-config prints, and names the files."""
    page = (DOCS / "guides/mcp.md").read_text()
    rows = dict(re.findall(r"^\| `([\w-]+)` \| `~/([^`]+)`", page, re.MULTILINE))
    expect(place, "docs/guides/mcp.md", rows, FILES)


CHECKS = [(check.__name__, False, check)
          for check in (each_client, an_agent_starts_it, the_rest_stays, through_a_link, another_path, anothers_entry,
                        what_is_not_understood, what_cannot_be_written, their_own_variables, a_name_that_stays,
                        what_claude_remembers, keys_of_many_parts, the_owner_stays, options_go_along, wrong_words,
                        the_page)]
