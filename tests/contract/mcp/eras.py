"""How a client begins, in both eras of the protocol, and what it reads about the tools."""
import json
import re

from api_server import ApiServer, expect
from conversation import LEGACY, META, MODERN, MOST_OF_LIST, TOOLS, Conversation, metadata

MOST_OF_GUIDE = 6000  # 1500 tokens of about four characters
CAPABILITIES = {"tools": {}, "resources": {}, "extensions": {"io.modelcontextprotocol/skills": {}}}
DESTROYING = {"close_app", "execute"}
READ_ONLY = {"devices", "doctor", "snapshot", "screenshot", "wait_for"}


def shakes_hands(place):
    """Every known version is echoed; a client that requests another one gets ours, as a success."""
    for asked, reply in [*((version, version) for version in LEGACY), ("1999-01-01", LEGACY[0]), ("", LEGACY[0])]:
        with Conversation(place) as talk:
            expect(place, "an early ping", talk.result("ping"), {})
            greeting = talk.greet(asked)
            expect(place, asked, (greeting["protocolVersion"], greeting["capabilities"]), (reply, CAPABILITIES))
            expect(place, "serverInfo", greeting["serverInfo"]["name"], "clawperator")
            version = json.loads(place.run("version").stdout)["cliVersion"]
            expect(place, "its version", greeting["serverInfo"]["version"], version)
            expect(place, "members", {"resultType", "_meta"} & set(greeting), set())
            expect(place, "ping", talk.result("ping"), {})
            expect(place, "ping with params", talk.result("ping", {"_meta": {}}), {})
            expect(place, "nothing else is said", talk.end(), ([], 0, b""))


def guided(place):
    """What `guide` prints is what agents read, and not long."""
    with Conversation(place) as talk:
        instructions = talk.greet()["instructions"]
    reply = place.run("guide")
    expect(place, "guide", (reply.returncode, reply.stdout.decode().strip("\n"), reply.stderr),
           (0, instructions.strip("\n"), b""))
    expect(place, f"{len(reply.stdout)} bytes", 1000 < len(reply.stdout) <= MOST_OF_GUIDE, True)
    head, body = re.fullmatch(r"---\n(.*?)\n---\n\n(.*)", place.run("guide", "--skill").stdout.decode(),
                              re.DOTALL).groups()
    fields = dict(line.split(": ", 1) for line in head.split("\n"))
    expect(place, "fields of the skill", sorted(fields), ["compatibility", "description", "name"])
    expect(place, "its name", fields["name"], "clawperator")
    expect(place, "its lengths", (len(fields["description"]) <= 1024, len(fields["compatibility"]) <= 500),
           (True, True))
    # Plain YAML: none of its values needs quotes.
    expect(place, "its values",
           [value for value in fields.values() if ": " in value or " #" in value or value[0] in "\"'[{&*!|>%@`"], [])
    expect(place, "it ends with the guide", body.endswith(reply.stdout.decode()), True)


def judge_tool(place, tool):
    """What the other half of the world chokes on where it is missing."""
    name, schema = tool["name"], tool["inputSchema"]
    expect(place, f"{name}: schema", schema["type"], "object")
    properties = schema["properties"]  # schemas.py has their rules
    if name != "devices" and "device" not in properties:
        raise place.Mismatch(f"{name} takes no device")
    if not tool["description"]:
        raise place.Mismatch(f"{name} has no description")
    # Results of ours are text and pictures: a declared outputSchema would bind them.
    expect(place, f"{name}: outputSchema", "outputSchema" in tool, False)
    hints = tool["annotations"]
    # What the protocol takes for granted need not be said: not only reading, and destroying.
    expect(place, f"{name}: readOnlyHint", hints.get("readOnlyHint", False), name in READ_ONLY)
    if name not in READ_ONLY:
        expect(place, f"{name}: destructiveHint", hints.get("destructiveHint", True), name in DESTROYING)
    if name in READ_ONLY:
        expect(place, f"{name}: openWorldHint", hints["openWorldHint"], False)


def tools_are_listed(place):
    """Fourteen, each with a schema that every client takes; the same words each time, and at most 10 KB of them."""
    with Conversation(place) as talk:
        talk.greet()
        lines = []
        for _ in range(2):
            talk.send({"id": "list", "method": "tools/list"})
            lines.append(talk.line())
        expect(place, "the second list", lines[1], lines[0])
        tools = json.loads(lines[0])["result"]["tools"]
        expect(place, "names", [tool["name"] for tool in tools], TOOLS)
        for tool in tools:
            judge_tool(place, tool)
        for params in ({}, {"cursor": None}):
            expect(place, str(params), talk.result("tools/list", params)["tools"], tools)
        expect(place, "a cursor", talk.request("tools/list", {"cursor": "x"})["error"]["code"], -32602)
        expect(place, f"{len(lines[0])} bytes", len(lines[0]) <= MOST_OF_LIST, True)


def discovers(place):
    """Since 2026-07-28 there is no handshake, and every result says that it is complete, and whose it is."""
    with Conversation(place) as talk:
        answer = talk.modern("server/discover")["result"]
        expect(place, "its newest version", MODERN in answer["supportedVersions"], True)
        expect(place, "capabilities", answer["capabilities"], CAPABILITIES)
        tools = talk.modern("tools/list")["result"]
        expect(place, "names", [tool["name"] for tool in tools["tools"]], TOOLS)
        for reply in (answer, tools):
            expect(place, "lifetime", (reply["ttlMs"] >= 0, reply["cacheScope"] in ("public", "private")), (True, True))
        called = talk.modern("tools/call", name="tap", arguments={"foo": 1})["result"]
        expect(place, "an error of a tool", called["isError"], True)
        for reply in (answer, tools, called):
            expect(place, "resultType", reply["resultType"], "complete")
            expect(place, "serverInfo", reply["_meta"][META + "serverInfo"]["name"], "clawperator")
        # clientInfo must not be demanded; what is unknown beside it is none of ours.
        for meta in (metadata(clientInfo=None), {**metadata(), "traceparent": "00-1-2-01", "x": None}):
            expect(place, str(meta), talk.modern("tools/list", meta)["result"]["tools"], tools["tools"])
        expect(place, "the end", talk.end(), ([], 0, b""))


def metadata_is_judged(place):
    with Conversation(place) as talk:
        for meta in (metadata(clientCapabilities=None), metadata(clientCapabilities=7), {}, metadata(version=None)):
            for number, method in enumerate(("server/discover", "tools/list")):
                if number and META + "protocolVersion" not in meta:
                    continue  # that is how the older era asks
                error = talk.modern(method, meta)["error"]
                expect(place, f"{method} {meta}", error["code"], -32602)
        for version in ("2099-01-01", "2026-07-28 ", "2026-7-28"):
            error = talk.modern("tools/list", metadata(version))["error"]
            expect(place, version, (error["code"], error["data"]["requested"]), (-32022, version))
            expect(place, "supported", MODERN in error["data"]["supported"], True)
        # The older era's methods have left; what came since is not for who shakes hands.
        for method in ("initialize", "ping", "logging/setLevel", "resources/subscribe", "nothing/such"):
            expect(place, method, talk.modern(method)["error"]["code"], -32601)
        for params in (None, {}):
            expect(place, "discover without metadata", talk.request("server/discover", params)["error"]["code"], -32602)
        expect(place, "both eras on one line", talk.greet()["protocolVersion"], LEGACY[0])
        expect(place, "what is not declared", talk.request("logging/setLevel", {"level": "info"})["error"]["code"],
               -32601)
        expect(place, "the end", talk.end(), ([], 0, b""))


def words_of_the_command(place):
    for words in (["mcp", "extra-word"], ["mcp", "serve", "more"], ["guide", "more"], ["mcp", "--no-such-flag"]):
        done = place.run(*words)
        expect(place, str(words), (done.returncode, json.loads(done.stdout)["code"]), (1, "USAGE"))
    with Conversation(place, "serve") as talk:
        expect(place, "mcp serve", talk.greet()["serverInfo"]["name"], "clawperator")


def eras_by_http(place):
    """One address for both, which remembers no client."""
    with ApiServer(place) as server:
        status, headers, body = server.ask("POST", "/mcp",
                                           {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
"protocolVersion": LEGACY[1], "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}})
        expect(place, "initialize", (status, json.loads(body)["result"]["protocolVersion"]), (200, LEGACY[1]))
        expect(place, "no session", "mcp-session-id" in {name.lower() for name in headers}, False)
        expect(place, "its type", headers["Content-Type"].split(";")[0], "application/json")
        for version in (None, *LEGACY):
            reply = {} if version is None else {"MCP-Protocol-Version": version}
            answer = server.json("POST", "/mcp", {"jsonrpc": "2.0", "id": "a", "method": "tools/list"}, reply)
            expect(place, str(version), [tool["name"] for tool in answer[1]["result"]["tools"]], TOOLS)


CHECKS = [
    ("mcp: shakes hands", False, shakes_hands),
    ("mcp: guided", False, guided),
    ("mcp: tools are listed", False, tools_are_listed),
    ("mcp: discovers", False, discovers),
    ("mcp: metadata is judged", False, metadata_is_judged),
    ("mcp: words of the command", False, words_of_the_command),
    ("mcp: eras by HTTP", False, eras_by_http),
]
