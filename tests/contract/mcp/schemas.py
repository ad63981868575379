"""What the tools' schemas say, by the rules that the models' makers publish for the functions of a model, and that the
tools take what they say."""
import json
import re

from api_server import expect
from conversation import Conversation

MOST_TOOLS = 18
# What OpenAI, Gemini and Anthropic all take: no unions, no references, no `additionalProperties`, `const` or `default`.
OF_TYPE = {"object": {"properties", "required"}, "array": {"items", "maxItems"}, "string": {"enum", "maxLength"},
           "integer": {"minimum", "maximum"}, "number": {"minimum", "maximum"}, "boolean": set()}
DEEPEST = 5  # objects in objects
MOST_PROPERTIES, MOST_WORDS = 100, 250
TOOL_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}")
MEMBER_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")


class Walk:
    def __init__(self, place, tool):
        self.place, self.tool, self.properties, self.words = place, tool, 0, 0

    def demand(self, holds, where, rule):
        if not holds:
            raise self.place.Mismatch(f"{self.tool}{where}: {rule}")

    def schema(self, schema, where="", depth=1):
        kind = schema.get("type")
        self.demand(isinstance(kind, str) and kind in OF_TYPE, where, f"no type: {schema}")
        unknown = set(schema) - OF_TYPE[kind] - {"type", "description"}
        self.demand(not unknown, where, f"words that some refuse: {unknown}")
        if "description" in schema:
            self.demand(isinstance(schema["description"], str) and schema["description"], where, "an empty description")
        getattr(self, kind, lambda *_: None)(schema, where, depth)

    def object(self, schema, where, depth):
        members = schema.get("properties")
        self.demand(isinstance(members, dict) and members, where, "an object without properties")
        self.demand(depth <= DEEPEST, where, "too deep")
        required = schema.get("required", list(members)[:1])
        self.demand(required and set(required) <= set(members) and len(set(required)) == len(required), where,
                    "required")
        for name, member in members.items():
            self.demand(MEMBER_NAME.fullmatch(name), where, f"a name that some refuse: {name}")
            self.properties += 1
            self.schema(member, f"{where}.{name}", depth + 1)

    def array(self, schema, where, depth):
        self.demand(isinstance(schema.get("items"), dict), where, "an array without items")
        self.schema(schema["items"], where + "[]", depth)

    def string(self, schema, where, _):
        words = schema.get("enum", ["x"])
        self.demand(words and all(isinstance(word, str) and word for word in words), where,
                    "enum has texts that say something")
        self.demand(len(set(words)) == len(words), where, "enum has a word twice")
        self.demand(schema.get("maxLength", 1) > 0, where, "maxLength")
        self.words += len(words)

    def integer(self, schema, where, _):
        low, high = schema.get("minimum"), schema.get("maximum")
        self.demand(isinstance(low, int) and isinstance(high, int) and low < high, where,
                    "a whole number without limits")


def tools_of(talk):
    return talk.result("tools/list")["tools"]


def judge(place, tools):
    names = [tool["name"] for tool in tools]
    expect(place, "as many as hosts take", (len(names) <= MOST_TOOLS, len(set(names))), (True, len(names)))
    for tool in tools:
        walk = Walk(place, tool["name"])
        walk.demand(TOOL_NAME.fullmatch(tool["name"]), "", "a name that some refuse")
        walk.demand(0 < len(tool["description"]) <= 1024, "", "a description of 1 to 1024 characters")
        walk.demand(tool["inputSchema"]["type"] == "object", "", "the root is an object")
        walk.schema(tool["inputSchema"])
        walk.demand(walk.properties <= MOST_PROPERTIES and walk.words <= MOST_WORDS, "", "too much of it")


def by_rule(place):
    with Conversation(place) as talk:
        judge(place, tools_of(talk))


def with_skills(place):
    registry = place.sandbox / "skills-registry.json"
    registry.write_text(json.dumps({"skills": []}))
    with Conversation(place, env={"CLAWPERATOR_SKILLS_REGISTRY": str(registry)}) as talk:
        tools = tools_of(talk)
        expect(place, "their names", [tool["name"] for tool in tools][-2:], ["list_skills", "run_skill"])
        judge(place, tools)


def outside(schema):
    """Values that the schema does not have."""
    if schema["type"] == "integer":
        return [schema["maximum"] + 1, schema["minimum"] - 1 or -1, "a", 0.5, True]
    if "enum" in schema:
        return ["no such word", 7, True]
    return {"string": [7, True], "boolean": ["maybe", 7], "object": ["x", 7], "array": ["x", 7]}[schema["type"]]


def inside(schema):
    if schema["type"] == "integer":
        return [schema["minimum"], schema["maximum"]]
    return schema.get("enum", []) + {"boolean": [True, False], "string": [], "object": [], "array": []}[schema["type"]]


def limits(place):
    """Each argument that a schema has is known, within its limits taken, and outside of them refused by its name."""
    with Conversation(place) as talk:
        for tool in tools_of(talk):
            for name, schema in tool["inputSchema"]["properties"].items():
                for value in outside(schema):
                    reply = talk.refused("USAGE", tool["name"], **{name: value})
                    expect(place, f"{tool['name']} {name}={value!r}: {reply['message']}",
                           f"argument '{name}' must be" in reply["message"], True)
                for value in inside(schema):
                    text = talk.call(tool["name"], **{name: value, **nowhere(tool, name)})["content"][0]["text"]
                    expect(place, f"{tool['name']} {name}={value!r}: {text}", f"argument '{name}' must be" in text,
                           False)


def nowhere(tool, name):
    """So that nothing is done."""
    return {"device": "no-such-device"} if "device" in tool["inputSchema"]["properties"] and name != "device" else {}


CHECKS = [
    ("mcp: schemas by rule", False, by_rule),
    ("mcp: schemas with skills", False, with_skills),
    ("mcp: schemas are kept", False, limits),
]
