"""The extension io.modelcontextprotocol/skills: each MUST of its specification for servers, and what is never read."""
import base64
import hashlib
import json
import os
import pathlib
import re

from api_server import ApiServer, expect
from by_http import ask, expect_fault, headers_of, modern
from conversation import TOOLS, Conversation

SKILLS = "io.modelcontextprotocol/skills"
NAME = re.compile(r"(?!-)(?!.*--)[a-z0-9-]{1,64}(?<!-)")
WEATHER = """---
name: weather
description: 'Shows the "weather": rain, sun.'
license: MIT
metadata: {"version": "1.0", "a.b/c": "*"}
nested: {"openclaw": {"emoji": "*", "requires": {"bins": ["sh"]}}, "n": 1}
tags:
  - a
  - 2.5
since: 2026-01-01
x-later: yes
---

Read references/a b.md.\u2028
"""
FRONTMATTER = {"name": "weather", "description": 'Shows the "weather": rain, sun.', "license": "MIT",
               "metadata": {"version": "1.0", "a.b/c": "*"},
               "nested": {"openclaw": {"emoji": "*", "requires": {"bins": ["sh"]}}, "n": 1}, "tags": ["a", 2.5],
               "since": "2026-01-01", "x-later": "yes"}
ROOT = "skill://agent/weather"
PHONE = "skill://phone/com.a.say"


def plain(name, more=""):
    return f"---\nname: {name}\ndescription: Does {name}.\n{more}---\n"


class Skills:
    """A home with agent skills, and a registry."""

    def __init__(self, place):
        self.root = pathlib.Path(place.sandbox)
        self.folder = self.root / ".openclaw/skills"
        self.env = {"CLAWPERATOR_SKILLS_REGISTRY": str(self.root / "repo/skills/skills-registry.json")}
        self.registered = []
        self.register()

    def write(self, path, content):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def weather(self):
        self.write("weather/SKILL.md", WEATHER)
        self.write("weather/references/a b.md", "# A\r\n\u00e9\u2028\n")
        self.write("weather/assets/picture.png", bytes(range(256)))
        self.write("weather/empty.txt", "")
        self.write("weather/inner/SKILL.md", plain("inner"))

    def register(self, skill_id=None, text="", **more):
        """A skill with one script, in the registry."""
        if skill_id:
            path = f"skills/{skill_id}"
            self.registered.append({"id": skill_id, "applicationId": "com.a", "intent": "x", "summary": "s",
                                    "path": path, "skillFile": f"{path}/SKILL.md",
                                    "scripts": [f"{path}/scripts/run.sh"], **more})
            (self.root / "repo" / path / "scripts").mkdir(parents=True, exist_ok=True)
            (self.root / "repo" / path / "SKILL.md").write_text(text)
            (self.root / "repo" / path / "scripts/run.sh").write_text("#!/bin/sh\n")
        registry = self.root / "repo/skills/skills-registry.json"
        registry.parent.mkdir(parents=True, exist_ok=True)
        registry.write_text(json.dumps({"schemaVersion": "1.0", "skills": self.registered}))


def fault(talk, method, **params):
    return talk.modern(method, **params).get("error", {}).get("code")


def listed(talk, method="skills/list"):
    """All pages; each entry occurs once."""
    member = method.split("/", 1)[0]
    found, cursor = [], {}
    while True:
        page = talk.modern(method, **cursor)["result"]
        found += page[member]
        if "nextCursor" not in page:
            return found
        cursor = {"cursor": page["nextCursor"]}


def bytes_of(contents):
    return contents["text"].encode() if "text" in contents else base64.b64decode(contents["blob"], validate=True)


def read(talk, uri):
    contents, = talk.modern("resources/read", uri=uri)["result"]["contents"]
    expect(talk.place, "its uri", contents["uri"], uri)
    return bytes_of(contents)


def declared(place):
    """The extension beside the resources that it needs, in both eras; nothing optional is declared, or answered. The
    list of tools does not grow."""
    skills = Skills(place)
    skills.weather()
    with Conversation(place, env=skills.env) as talk:
        meant = {"tools": {}, "resources": {}, "extensions": {SKILLS: {}}}
        expect(place, "older", talk.greet()["capabilities"], meant)
        expect(place, "newer", talk.modern("server/discover")["result"]["capabilities"], meant)
        expect(place, "directories", fault(talk, "resources/directory/read", uri=ROOT), -32601)
        expect(place, "tools", [tool["name"] for tool in talk.result("tools/list")["tools"]],
               [*TOOLS, "list_skills", "run_skill"])


def listed_whole(place):
    """An entry has the frontmatter as its author wrote it, and every file once, but those of a skill within it; digest
    and size are those of the bytes that are read. skills/get has the same entry."""
    skills = Skills(place)
    skills.weather()
    with Conversation(place, env=skills.env) as talk:
        page = talk.modern("skills/list")["result"]
        expect(place, "result", (page["resultType"], page["ttlMs"] >= 0, page["cacheScope"], "nextCursor" in page),
               ("complete", True, "private", False))
        outer, inner = page["skills"]
        expect(place, "frontmatter", outer["frontmatter"], FRONTMATTER)
        expect(place, "order", list(outer["frontmatter"]), list(FRONTMATTER))
        names = ["SKILL.md", "assets/picture.png", "empty.txt", "references/a%20b.md"]
        expect(place, "files", [each["uri"] for each in outer["resources"]], [f"{ROOT}/{name}" for name in names])
        expect(place, "a skill in it", inner["uri"], f"{ROOT}/inner/SKILL.md")
        for entry in page["skills"]:
            name = entry["frontmatter"]["name"]
            expect(place, "its last segment", entry["uri"].split("/")[-2:], [name, "SKILL.md"])
            expect(place, "its name", NAME.fullmatch(name) is not None, True)
            expect(place, "SKILL.md is a file", [each["uri"] for each in entry["resources"]].count(entry["uri"]), 1)
            for each in entry["resources"]:
                content = read(talk, each["uri"])
                expect(place, each["uri"], (each["size"], each["digest"]),
                       (len(content), "sha256:" + hashlib.sha256(content).hexdigest()))
            got = talk.modern("skills/get", uri=entry["uri"])["result"]
            expect(place, "skills/get", (got["skill"], got["resultType"], got["ttlMs"] >= 0, got["cacheScope"]),
                   (entry, "complete", True, "private"))
        expect(place, "SKILL.md", read(talk, f"{ROOT}/SKILL.md"), WEATHER.encode())
        got = talk.result("skills/get", {"uri": outer["uri"]})  # of the older era
        expect(place, "older", (got["skill"], "resultType" in got, "ttlMs" in got), (outer, False, True))


def as_resources(place):
    """resources/list has each SKILL.md with its name, description and type; resources/read has the cache hints."""
    skills = Skills(place)
    skills.weather()
    with Conversation(place, env=skills.env) as talk:
        page = talk.modern("resources/list")["result"]
        expect(place, "hints", (page["ttlMs"] >= 0, page["cacheScope"]), (True, "private"))
        expect(place, "the first", page["resources"][0],
               {"uri": f"{ROOT}/SKILL.md", "name": "weather", "description": FRONTMATTER["description"],
                "mimeType": "text/markdown", "size": len(WEATHER.encode())})
        expect(place, "templates", talk.modern("resources/templates/list")["result"]["resourceTemplates"], [])
        for name, kind, member in (("SKILL.md", "text/markdown", "text"), ("assets/picture.png", "image/png", "blob"),
                                   ("empty.txt", "text/plain", "text")):
            result = talk.modern("resources/read", uri=f"{ROOT}/{name}")["result"]
            contents, = result["contents"]
            expect(place, name, (contents["mimeType"], member in contents, result["ttlMs"] >= 0, result["cacheScope"]),
                   (kind, True, True, "private"))


def unknown_uris(place):
    """-32602, in both eras: a skill or a file that is not served, a folder, and a file where a skill is meant."""
    skills = Skills(place)
    skills.weather()
    with Conversation(place, env=skills.env) as talk:
        for uri in ("skill://agent/none/SKILL.md", ROOT, f"{ROOT}/", f"{ROOT}/empty.txt", "SKILL.md", "", "x" * 5000,
                    f"{ROOT}/SKILL.md/", f"{ROOT}/SKILL.md?x", "skill://agent/Weather/SKILL.md", "file:///etc/passwd",
                    7, None, [ROOT]):
            expect(place, f"skills/get {uri}", fault(talk, "skills/get", uri=uri), -32602)
            if uri != f"{ROOT}/empty.txt":
                expect(place, f"resources/read {uri}", fault(talk, "resources/read", uri=uri), -32602)
        for method in ("skills/get", "resources/read"):
            expect(place, f"{method} without uri", fault(talk, method), -32602)
            expect(place, f"{method}, older", talk.request(method, {"uri": "skill://x"})["error"]["code"], -32602)
        for method in ("skills/list", "resources/list"):
            for cursor in ("x", "", 7, {}):
                expect(place, f"{method} {cursor}", fault(talk, method, cursor=cursor), -32602)
            expect(place, f"{method} behind the last", talk.modern(method, cursor="phone/z" * 9)["result"]
                   [method.split("/", 1)[0]], [])


def kept_inside(place):
    """Nothing but the plain files of a skill's folder is listed or read: no link, no hidden file, no pipe, and no name
    that leads out."""
    skills = Skills(place)
    skills.write("safe/SKILL.md", plain("safe"))
    secret = skills.write("secret.txt", "hunter2")
    skills.write("safe/.env", "hunter2")
    skills.write("safe/.git/config", "hunter2")
    skills.write("safe/node_modules/x.js", "hunter2")
    (skills.folder / "safe/link.txt").symlink_to(secret)
    (skills.folder / "safe/folder").symlink_to(skills.root)
    (skills.folder / "safe/self").symlink_to(".")
    os.mkfifo(skills.folder / "safe/pipe")
    (skills.folder / "linked").mkdir()
    (skills.folder / "linked/SKILL.md").symlink_to(skills.write("safe/other.md", plain("linked")))
    outside = skills.root / "outside"
    outside.mkdir()
    (outside / "SKILL.md").write_text(plain("outside"))
    (skills.folder / "outside").symlink_to(outside)
    skills.register("com.a.out", plain("out"), skillFile="skills/SKILL.md")
    (skills.root / "repo/skills/com.a.link").symlink_to(outside)
    skills.registered.append({**skills.registered[0], "id": "com.a.link", "skillFile": "skills/com.a.link/SKILL.md"})
    for name in ("..", "../..", "a/b", ".hidden", ""):
        skills.registered.append({**skills.registered[0], "id": name, "skillFile": f"skills/{name}/SKILL.md"})
    skills.register()
    root = "skill://agent/safe"
    with Conversation(place, env=skills.env) as talk:
        expect(place, "skills", [each["uri"] for each in listed(talk)], [f"{root}/SKILL.md"])
        expect(place, "resources", [each["uri"] for each in listed(talk, "resources/list")], [f"{root}/SKILL.md"])
        expect(place, "files", [each["uri"] for each in listed(talk)[0]["resources"]],
               [f"{root}/SKILL.md", f"{root}/other.md"])
        for name in (".env", ".git/config", "node_modules/x.js", "link.txt", "folder/x", "self/SKILL.md", "pipe",
                     "../secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt", "./SKILL.md", "%53KILL.md", "//SKILL.md",
                     "SKILL.md%00"):
            expect(place, name, fault(talk, "resources/read", uri=f"{root}/{name}"), -32602)
        for uri in ("skill://phone/../SKILL.md", "skill://phone/com.a.link/SKILL.md", "skill://agent/linked/SKILL.md"):
            expect(place, uri, fault(talk, "resources/read", uri=uri), -32602)


def within_limits(place):
    """512 files and 16 MiB are served; a skill with more is not. A file of 16 MiB arrives whole."""
    skills = Skills(place)
    for count in (512, 513):
        skills.write(f"files-{count}/SKILL.md", plain(f"files-{count}"))
        for number in range(count - 1):
            skills.write(f"files-{count}/{number}.txt", str(number))
    for more in (0, 1):
        text = plain(f"bytes-{more}")
        skills.write(f"bytes-{more}/SKILL.md", text)
        skills.write(f"bytes-{more}/large", b"\0" * ((16 << 20) - len(text) + more))
    skills.write("deep/SKILL.md", plain("deep"))
    skills.write("deep/" + "x/" * 20 + "y", "")
    with Conversation(place, env=skills.env) as talk:
        found = listed(talk)
        expect(place, "skills", [each["frontmatter"]["name"] for each in found], ["bytes-0", "files-512"])
        expect(place, "files", len(found[1]["resources"]), 512)
        large, = [each for each in found[0]["resources"] if each["uri"].endswith("/large")]
        content = read(talk, large["uri"])
        expect(place, "large", (len(content), "sha256:" + hashlib.sha256(content).hexdigest()),
               (large["size"], large["digest"]))
        for name in ("files-513", "bytes-1", "deep"):
            expect(place, name, [fault(talk, method, uri=f"skill://agent/{name}/SKILL.md")
                                 for method in ("skills/get", "resources/read")], [-32602, -32602])


def paged(place):
    """More than one page: every skill once, whole, in one order; a skill that comes meanwhile spoils nothing."""
    skills = Skills(place)
    names = [f"skill-{number:03}" for number in range(120)]
    for name in names:
        skills.write(f"{name}/SKILL.md", plain(name))
    with Conversation(place, env=skills.env) as talk:
        for method in ("skills/list", "resources/list"):
            expect(place, method, [each["uri"] for each in listed(talk, method)],
                   [f"skill://agent/{name}/SKILL.md" for name in names])
        first = talk.modern("skills/list")["result"]
        skills.write("a-new-one/SKILL.md", plain("a-new-one"))
        second = talk.modern("skills/list", cursor=first["nextCursor"])["result"]
        expect(place, "the second page", second["skills"][0]["frontmatter"]["name"], names[len(first["skills"])])


def only_conforming(place):
    """A SKILL.md that breaks the AgentSkills specification is no skill here; what its user has switched off, or what
    lacks a program, is not served at all."""
    skills = Skills(place)
    skills.write("good/SKILL.md", plain("good"))
    skills.write("folder/SKILL.md", plain("other-name"))  # the URI has the skill's name
    for name in ("Upper", "under_score", "a--b", "-a"):
        skills.write(f"{name}/SKILL.md", plain(name))
    skills.write("long/SKILL.md", f"---\nname: long\ndescription: {'x' * 1025}\n---\n")
    skills.write("host-metadata/SKILL.md", plain("host-metadata", 'metadata: {"openclaw":{"emoji":"*"}}\n'))
    skills.write("tools/SKILL.md", plain("tools", "allowed-tools: [Read]\n"))
    skills.write("bytes/SKILL.md", plain("bytes").encode() + b"\xff")
    skills.write("nameless/SKILL.md", "---\ndescription: x\n---\n")
    skills.write("off/SKILL.md", plain("off"))
    skills.write("lacks/SKILL.md", plain("lacks", 'metadata: {"openclaw":{"requires":{"bins":["no-such-bin"]}}}\n'))
    (skills.folder.parent / "openclaw.json").write_text('{"skills":{"entries":{"off":{"enabled":false}}}}')
    with Conversation(place, env=skills.env) as talk:
        expect(place, "skills", [each["uri"] for each in listed(talk)],
               ["skill://agent/good/SKILL.md", "skill://agent/other-name/SKILL.md"])
        for name in ("Upper", "long", "host-metadata", "tools", "bytes", "nameless", "off", "folder"):
            expect(place, name, fault(talk, "skills/get", uri=f"skill://agent/{name}/SKILL.md"), -32602)
        expect(place, "a file of one", read(talk, "skill://agent/Upper/SKILL.md"), plain("Upper").encode())
        for name in ("off", "lacks"):
            expect(place, name, fault(talk, "resources/read", uri=f"skill://agent/{name}/SKILL.md"), -32602)
        (skills.folder.parent / "openclaw.json").write_text("{")
        error = talk.modern("skills/list")["error"]
        expect(place, "a broken configuration", (error["code"], "openclaw.json" in error["message"]), (-32603, True))


def of_phones(place):
    """A skill of the registry is a skill here where its SKILL.md has a name of the specification. Where it has the id,
    with dots, its files are resources and no skill."""
    skills = Skills(place)
    skills.register("com.a.say", plain("say"))
    skills.register("com.a.dots", plain("com.a.dots"))
    skills.register("com.a.no-yaml", "---\nname: [\n---\n")
    skills.register("com.a.plain", "no frontmatter")
    with Conversation(place, env=skills.env) as talk:
        entry, = listed(talk)
        expect(place, "its uri", entry["uri"], f"{PHONE}/say/SKILL.md")
        expect(place, "its files", [each["uri"] for each in entry["resources"]],
               [f"{PHONE}/say/SKILL.md", f"{PHONE}/say/scripts/run.sh"])
        expect(place, "its script", read(talk, f"{PHONE}/say/scripts/run.sh"), b"#!/bin/sh\n")
        dots = "skill://phone/com.a.dots"
        expect(place, "resources", [(each["uri"], each["name"]) for each in listed(talk, "resources/list")],
               [(f"{dots}/SKILL.md", "com.a.dots"), ("skill://phone/com.a.no-yaml/SKILL.md", "com.a.no-yaml"),
                ("skill://phone/com.a.plain/SKILL.md", "com.a.plain"), (entry["uri"], "say")])
        expect(place, "a name with dots", fault(talk, "skills/get", uri=f"{dots}/SKILL.md"), -32602)
        expect(place, "its file", read(talk, f"{dots}/scripts/run.sh"), b"#!/bin/sh\n")
    with Conversation(place, env={"CLAWPERATOR_SKILLS_REGISTRY": "/none.json"}) as talk:
        expect(place, "without a registry", listed(talk), [])


def of_the_other_sort(place):
    """A registry that cannot be read does not hide agent skills, and a broken configuration no registry."""
    skills = Skills(place)
    skills.write("good/SKILL.md", plain("good"))
    registry = pathlib.Path(skills.env["CLAWPERATOR_SKILLS_REGISTRY"])
    uris = lambda talk: [each["uri"] for each in listed(talk)]
    with Conversation(place, env=skills.env) as talk:
        registry.write_text("{")
        expect(place, "agent skills", uris(talk), ["skill://agent/good/SKILL.md"])
        skills.register("com.a.say", plain("say"))
        (skills.folder.parent / "openclaw.json").write_text("{")
        expect(place, "the registry's", uris(talk), [f"{PHONE}/say/SKILL.md"])


def read_when_requested(place):
    """Skills that come, change and go while the server runs are in the next answer."""
    skills = Skills(place)
    with Conversation(place, env=skills.env) as talk:
        expect(place, "none", listed(talk), [])
        skills.weather()
        before = listed(talk)[0]
        skills.write("weather/empty.txt", "x")
        skills.write("weather/new.txt", "new")
        after = talk.modern("skills/get", uri=before["uri"])["result"]["skill"]
        changed = {each["uri"]: each["size"] for each in after["resources"] if each not in before["resources"]}
        expect(place, "changed", changed, {f"{ROOT}/empty.txt": 1, f"{ROOT}/new.txt": 3})
        (skills.folder / "weather/SKILL.md").unlink()
        expect(place, "gone", fault(talk, "skills/get", uri=before["uri"]), -32602)


def served_by_http(place):
    """POST /mcp has the same; the header Mcp-Name of resources/read is the URI."""
    skills = Skills(place)
    skills.weather()
    with Conversation(place, env=skills.env) as talk:
        entries = listed(talk)
    with ApiServer(place, env=skills.env) as server:
        message = modern("skills/list")
        status, reply = ask(server, message, headers_of(message))
        expect(place, "skills/list", (status, reply["result"]["skills"]), (200, entries))
        message = modern("skills/get", uri=entries[0]["uri"])
        expect(place, "skills/get", ask(server, message, headers_of(message))[1]["result"]["skill"], entries[0])
        message = modern("skills/get", uri="skill://x")
        expect_fault(place, "unknown", ask(server, message, headers_of(message)), 400, -32602, "m")
        message = modern("resources/read", uri=f"{ROOT}/SKILL.md")
        status, reply = ask(server, message, headers_of(message, Mcp_Name=f"{ROOT}/SKILL.md"))
        expect(place, "resources/read", (status, bytes_of(reply["result"]["contents"][0])), (200, WEATHER.encode()))
        for name in (None, ROOT):
            expect_fault(place, str(name), ask(server, message, headers_of(message, Mcp_Name=name)), 400, -32020, "m")
        older = {"jsonrpc": "2.0", "id": 1, "method": "skills/list"}
        expect(place, "older", ask(server, older)[1]["result"]["skills"], entries)
        expect(place, "in a batch", [each["result"]["skills"] for each in ask(server, [older])[1]], [entries])


CHECKS = [("skills over MCP: declared", False, declared), ("skills over MCP: whole entries", False, listed_whole),
          ("skills over MCP: resources", False, as_resources), ("skills over MCP: unknown", False, unknown_uris),
          ("skills over MCP: inside", False, kept_inside), ("skills over MCP: limits", False, within_limits),
          ("skills over MCP: pages", False, paged), ("skills over MCP: conforming", False, only_conforming),
          ("skills over MCP: phones", False, of_phones),
          ("skills over MCP: one sort is broken", False, of_the_other_sort),
          ("skills over MCP: on request", False, read_when_requested),
          ("skills over MCP: by HTTP", False, served_by_http)]
