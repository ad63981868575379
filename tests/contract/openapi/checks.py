"""`GET /openapi.json` against the routes that are listed, what they really answer, and a validator of others."""
import json
import pathlib

import peers
from api_server import ApiServer, expect

VALIDATE = """
import { Validator } from "@seriousme/openapi-schema-validator";
import { readFileSync } from "node:fs";
const validator = new Validator();
const found = await validator.validate(JSON.parse(readFileSync(0, "utf8")));
console.log(JSON.stringify({ ...found, version: validator.version }));
"""

# What each answer breaks of the schema that the document has for it.
JUDGE = """
import Ajv2020 from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";
const { document, cases } = JSON.parse(readFileSync(0, "utf8"));
const ajv = new Ajv2020.default({ strict: false, allErrors: true });
ajv.addFormat("binary", true);
ajv.addSchema(document, "api");
const failures = [];
for (const { name, schema, value } of cases) {
  const check = ajv.compile({ $ref: "api" + schema });
  if (!check(value)) failures.push([name, ajv.errorsText(check.errors)]);
}
console.log(JSON.stringify(failures));
"""


def document_of(place, server):
    status, headers, text = server.ask("GET", "/openapi.json")
    expect(place, "/openapi.json", (status, headers["Content-Type"]), (200, "application/json; charset=utf-8"))
    return json.loads(text)


def listed(place):
    """The same routes as `GET /` lists; each parameter of a path is described."""
    with ApiServer(place) as server:
        document = document_of(place, server)
        index = server.json("GET", "/")[1]["routes"]
        templated = lambda path: "/".join("{" + part[1:] + "}" if part.startswith(":") else part
                                          for part in path.split("/"))
        expected = sorted((route["method"].lower(), templated(route["path"])) for route in index)
        documented = sorted((method, path) for path, item in document["paths"].items() for method in item)
        expect(place, "routes", documented, expected)
        for path, item in document["paths"].items():
            for method, operation in item.items():
                names = {each["name"] for each in operation["parameters"] if each["in"] == "path"}
                expect(place, f"{method} {path}", names,
                       {part[1:-1] for part in path.split("/") if part.startswith("{")})


def valid(place):
    """By the OpenAPI project's own schema, which a document that is none does not pass."""
    with ApiServer(place) as server:
        document = document_of(place, server)
    verdict = json.loads(peers.run_module(VALIDATE, given=json.dumps(document)).stdout)
    expect(place, "valid", (verdict["valid"], verdict.get("errors"), verdict["version"]), (True, None, "3.1"))
    del document["paths"]["/execute"]["post"]["responses"]["200"]["description"]
    verdict = json.loads(peers.run_module(VALIDATE, given=json.dumps(document)).stdout)
    expect(place, "a document without a description", verdict["valid"], False)


def undefined(schema, where=""):
    """Required members without a schema: a strict linter refuses them."""
    if isinstance(schema, dict):
        required = schema.get("required") if isinstance(schema.get("required"), list) else []
        yield from (f"{where}: {name}" for name in required if name not in schema.get("properties", {}))
    members = schema.items() if isinstance(schema, dict) else enumerate(schema) if isinstance(schema, list) else ()
    for name, member in members:
        yield from undefined(member, f"{where}/{name}")


def strict(place):
    """[B13]"""
    with ApiServer(place) as server:
        document = document_of(place, server)
        expect(place, "servers", [each["url"] for each in document["servers"]], ["/"])
        expect(place, "undefined", list(undefined(document["components"]["schemas"])), [])


def questions(serial):
    """(method, path of the document, path that is requested, body): at least one for every operation."""
    at = "/devices/{serial}"
    device, absent = f"/devices/{serial}", "/devices/absent"
    plan = {"commandId": "c", "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
            "timeoutMs": 30000,
            "actions": [{"id": "s", "type": "snapshot_ui"}]}
    avd = "/android/emulators"
    for path in ("/skills", "/skills?app=a&keyword=x"):
        yield "get", "/skills", path, None
    for name in ("a.say", "none"):
        yield "get", "/skills/{skillId}", f"/skills/{name}", None
    for name, body in (("a.say", {"args": ["x"], "timeoutMs": 9000}), ("a.say", {"args": "x"}), ("a.say", []),
                       ("a.say", "no json"),
                       ("a.say", {"expectContains": "never"}), ("a.say", {"deviceId": "absent"}), ("none", {})):
        yield "post", "/skills/{skillId}/run", f"/skills/{name}/run", body
    for name in ("a.say", "none"):
        yield "post", "/skills/{skillId}/validate", f"/skills/{name}/validate", None
    for path in ("/agent-skills/status", "/agent-skills/bins", "/agent-skills/prompt"):
        yield "get", path, path, None
    for body in ({"name": "none", "installId": "x"}, {"name": "none"}, [], "no json"):
        yield "post", "/agent-skills/install", "/agent-skills/install", body
    for body in ({"skillKey": "a", "enabled": True, "env": {"A": "b"}}, {"skillKey": ""}, "no json"):
        yield "post", "/agent-skills/update", "/agent-skills/update", body
    for path in ("/", "/openapi.json", "/healthz", "/readyz", "/devices", "/metrics", avd, f"{avd}/running"):
        yield "get", path, path, None
    for body in ({"token": "x"}, {}, "no json"):
        yield "post", "/session", "/session", body
    yield "delete", "/session", "/session", None
    for path in ("/ui/app.js", "/ui/app.css", "/ui/icon.svg"):
        yield "get", path, path, None
    for serial in (device, absent):
        yield "get", at, serial, None
    for end, query in (("selectors", "ref=@1"), ("selectors", "ref=x"), ("changes", "since=0123456789ab"),
                       ("changes", "since=1")):
        yield "get", "/snapshots/{hash}/" + end, f"/snapshots/0123456789ab/{end}?{query}", None
    for query in ("maxSide=300", "maxSide=1", "events=false"):
        yield "get", f"{at}/screenshot.jpg", f"{device}/screenshot.jpg?{query}", None
    for end in ("snapshot", "screenshot.png", "screenshot.jpg", "stats"):
        yield "get", f"{at}/{end}", f"{device}/{end}", None
        yield "get", f"{at}/{end}", f"{absent}/{end}", None
    for query in ("format=nodes", "format=compact", "format=html", "queue=true&queueTimeoutMs=9", "queue=maybe",
                  "backend=shell"):
        yield "get", f"{at}/snapshot", f"{device}/snapshot?{query}", None
    for body in ({"type": "tap", "x": 1, "y": 1}, {"type": "tap"}, {"type": "text", "text": "\u00e4"}, [], "no json",
                 {"type": "tap", "x": 5, "y": 5, "verify": "settled", "settleMs": 50},
                 {"type": "tap", "x": 5, "y": 5, "verify": "x"}):
        yield "post", f"{at}/input", f"{device}/input", body
    yield "post", f"{at}/input", f"{absent}/input", {"type": "key", "key": 4}
    for body in ({"execution": plan}, {"execution": plan, "deviceId": "absent"}, {"execution": {}}, {}, "no json",
                 {"execution": plan, "deviceId": 7}, "x" * 102401,
                 {"execution": plan, "backend": "shell", "verify": "changed"},
                 {"execution": plan, "verify": "settled", "settleMs": 50}, {"execution": plan, "settleMs": 50}):
        yield "post", "/execute", "/execute", body
    for path in ("/snapshot", "/screenshot", "/observe/snapshot", "/observe/screenshot"):
        for body in ({}, {"deviceId": "absent"}, {"operatorPackage": ""}, []):
            yield "post", path, path, body
    for body in ({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, {"jsonrpc": "2.0", "id": "x", "method": "fly"},
                 {"jsonrpc": "2.0", "method": "notifications/initialized"}, {"jsonrpc": "1.0", "id": 1}, [], "no json"):
        yield "post", "/mcp", "/mcp", body
    yield "get", avd + "/{name}", f"{avd}/none", None
    yield "get", avd + "/{name}", f"{avd}/a%2Fb", None
    yield "delete", avd + "/{name}", f"{avd}/none", None
    yield "post", avd + "/{name}/start", f"{avd}/none/start", None
    yield "post", avd + "/{name}/stop", f"{avd}/none/stop", None
    yield "post", f"{avd}/create", f"{avd}/create", {"name": "a/b"}
    yield "post", "/android/provision/emulator", "/android/provision/emulator", {"name": "a/b"}


def body_case(place, operation, name, answer):
    """The schema that the document has for this answer; None for what is no JSON."""
    status, headers, text = answer
    responses = operation["responses"]
    if str(status) not in responses:
        raise place.Mismatch(f"{name}: {status} is not among {sorted(responses)}: {text[:300]!r}")
    kind = headers["Content-Type"].split(";")[0]
    content = responses[str(status)]["content"]
    if kind not in content:
        raise place.Mismatch(f"{name}: {kind} is not among {sorted(content)}")
    if kind != "application/json":
        return None
    sample = json.loads(text)
    code = sample.get("error", {}).get("code")
    if status != 200 and isinstance(code, str) and code not in responses[str(status)]["description"]:
        raise place.Mismatch(f"{name}: {code} is not documented for {status}")
    return {"name": name, "schema": content[kind]["schema"]["$ref"], "value": sample}


def write_skill(place):
    """One, in the registry that is found from the working folder."""
    folder = pathlib.Path(place.sandbox) / "skills" / "a.say"
    entry = {"id": "a.say", "applicationId": "a", "intent": "say", "summary": "Says it", "path": "skills/a.say",
             "skillFile": "skills/a.say/SKILL.md", "scripts": ["skills/a.say/scripts/run.sh"], "artifacts": []}
    (folder / "scripts").mkdir(parents=True)
    (folder / "SKILL.md").write_text("says\n")
    (folder / "skill.json").write_text(json.dumps(entry))
    (folder / "scripts" / "run.sh").write_text("#!/bin/sh\necho said\n")
    (folder / "scripts" / "run.sh").chmod(0o755)
    (folder.parent / "skills-registry.json").write_text(json.dumps({"skills": [entry]}))


def as_answered(place):
    """Every operation gets good and bad requests: its statuses, codes and bodies are those of the document."""
    write_skill(place)
    with ApiServer(place) as server:
        document = document_of(place, server)
        asked, cases = set(), []
        for method, template, path, body in questions(place.device.serial):
            headers = {"Content-Type": "application/json"} if body is not None else {}
            answer = server.ask(method.upper(), path, body, headers)
            asked.add((method, template))
            name = f"{method} {path} {json.dumps(body)[:80]}"
            operation = document["paths"][template][method]
            case = body_case(place, operation, name, answer)
            cases += [case] if case else []
            if answer[0] == 200 and isinstance(body, dict):
                schema = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
                cases.append({"name": f"body of {name}", "schema": schema, "value": body})
        events = server.events()  # which does not end
        content = document["paths"]["/events"]["get"]["responses"]["200"]["content"]
        expect(place, "GET /events", (events.status.split()[1], [events.headers["content-type"]]),
               ("200", list(content)))
        events.close()
        asked.add(("get", "/events"))
        every = {(method, path) for path, item in document["paths"].items() for method in item}
        expect(place, "not asked", every - asked, set())
        expect(place, "strangers", strangers(server, document), [])
    done = peers.run_module(JUDGE, given=json.dumps({"document": document, "cases": cases}))
    if done.returncode != 0:
        raise place.Mismatch(done.stderr)
    expect(place, "bodies that break their schema", json.loads(done.stdout), [])


def outside(schema):
    """Values that the schema of one member does not allow."""
    if "enum" in schema or "const" in schema:
        yield from ("none of these", 5)
    elif schema["type"] == "integer":
        yield from (schema["minimum"] - 1, schema["maximum"] + 1, schema["minimum"] + 0.5, str(schema["minimum"]))
    elif schema["type"] == "boolean":
        yield from ("true", 1)
    elif schema["type"] == "string":
        yield from [5] + [""] * ("minLength" in schema) + ["x" * (schema.get("maxLength",
                                                                             0) + 1)] * ("maxLength" in schema)


def bounded(place):
    """What the schemas of bodies do not allow the server refuses, and names it."""
    given = f"/devices/{place.device.serial}/input"
    settled, queued = {"verify": "settled", "settleMs": 0}, {"queue": True, "queueTimeoutMs": 9000}
    nap = {"commandId": "c", "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
           "timeoutMs": 30000,
           "actions": [{"id": "s", "type": "sleep", "params": {"durationMs": 1}}]}
    with ApiServer(place) as server:
        schemas = document_of(place, server)["components"]["schemas"]
        whole = lambda schema: schemas[schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema
        tap, swipe, key, text = schemas["InputRequest"]["oneOf"]
        for path, schema, body in ((given, tap, {"type": "tap", "x": 5, "y": 5, **settled}),
                                   (given, swipe,
                                    {"type": "swipe", "x1": 5, "y1": 5, "x2": 6, "y2": 6, "durationMs": 50, **settled}),
                                   (given, key, {"type": "key", "key": 3, **settled}),
                                   (given, text, {"type": "text", "text": "a", **settled}),
                                   ("/execute", schemas["ExecuteRequest"], {"execution": nap, **settled, **queued}),
                                   ("/snapshot", schemas["SnapshotRequest"], queued),
                                   ("/screenshot", schemas["ScreenshotRequest"], queued)):
            status, answer = server.json("POST", path, body)
            expect(place, f"{path} {body}: {answer}", status, 200)
            wrong = [(name, {**body, name: value})
                     for name, member in schema["properties"].items() if name not in ("execution", "key", "path")
                     for value in outside(whole(member))]
            wrong += [(name, {each: body[each] for each in body if each != name})
                      for name in schema.get("required", ())]
            wrong += [("more", {**body, "more": 1})] * (schema.get("additionalProperties") is False)
            for name, refused in wrong:
                status, answer = server.json("POST", path, refused)
                expect(place, f"{path} {refused}: {answer}", (status, name in answer["error"]["message"]), (400, True))


def strangers(server, document):
    """Operations that do not list 403, with which a page of another site is refused."""
    foreign = {"Origin": "http://evil.example"}
    return [(method, path) for path, item in document["paths"].items() for method, operation in item.items()
            if str(server.ask(method.upper(), path, None, foreign)[0]) not in {"403"} & set(operation["responses"])]


CHECKS = [
    ("openapi: listed", False, listed),
    ("openapi: valid", False, valid),
    ("openapi: strict", False, strict),
    ("openapi: as answered", True, as_answered),
    ("openapi: bounded", True, bounded),
]
