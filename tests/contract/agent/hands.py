"""The ways to a phone that an agent has, each with what it costs: calls, and bytes that go in and out.

Every hand knows the same verbs; each answers with what the agent then sees of the screen. `Plain` is how it was done
with one command for each thing: act, then read the whole screen."""
import json
import re
import shlex

from conversation import Conversation, answered_by

FORM = "com.clawperator.conformance"


def unseen(place, name):
    """The place of an agent that has seen nothing before."""
    env = {**place.env, "XDG_CACHE_HOME": str(place.sandbox / f"cache of {name}")}
    return type(place)(place.binary, place.sandbox, env, place.device)


class Hand:
    is_plain = False

    def __init__(self, place):
        self.place, self.calls, self.sent, self.got = place, 0, 0, 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def count(self, sent, got):
        self.calls += 1
        self.sent += sent
        self.got += got

    def ref(self, seen, *parts):
        """Of the one line of a tree, or of a diff, that has all of these."""
        found = [re.match(r" *(?:[+~] )?(@\d+) ", line)
                 for line in seen.split("\n") if all(part in line for part in parts)]
        if len(found) != 1 or not found[0]:
            raise self.place.Mismatch(f"not one node with {parts}: {seen[:2000]}")
        return found[0][1]


def flags(node):
    return [word for key, value in node.items() for word in ("--" + key.replace("_", "-"), value)]


class CommandLine(Hand):
    """`clawperator COMMAND --output brief --snapshot=diff`."""
    name = "command line"
    once = ["--patience", "0"]  # what is not on the screen that was shown will not come by itself

    def run(self, *words, miss=False):
        done = self.place.run(*words)
        self.count(len(shlex.join(words)) + 1, len(done.stdout))
        if (done.returncode != 0) != miss:
            raise self.place.Mismatch(f"{words}: exit {done.returncode}: {done.stdout[:2000]!r} {done.stderr[:2000]!r}")
        return done.stdout.decode()

    def act(self, *words, miss=False, observe="diff"):
        look = [f"--snapshot={observe}"] if observe else []
        answer = json.loads(self.run(*words, "--output", "brief", *look, miss=miss))
        return json.dumps(answer["miss"], ensure_ascii=False) if miss else self.shown(answer)

    def shown(self, answer):
        return answer.get("tree") or answer.get("since") or answer.get("data", {}).get("text", "")

    def snapshot(self):
        return self.shown(json.loads(self.run("snapshot", "--output", "brief")))

    def open(self, what, observe="compact"):
        return self.act("open", what, observe=observe)

    def tap(self, miss=False, **node):
        return self.act("click", *flags(node), *self.once, miss=miss)

    def find_and_tap(self, **node):
        return self.act("scroll-and-click", *flags(node))

    def scroll_to(self, **node):
        return self.act("scroll-until", *flags(node))

    def type(self, text, **node):
        return self.act("type", text, *flags(node))

    def press(self, key):
        return self.act("press", key)

    def wait(self, **node):
        return self.act("wait", *flags(node))

    def read(self, **node):
        return self.act("read", *flags(node), observe="")

    def plan(self, *actions):
        """In one call, with the tree at its end."""
        plan = {"commandId": "c", "taskId": "t", "source": "agent", "expectedFormat": "android-ui-automator",
                "timeoutMs": 30000,
                "actions": [*actions, {"id": "look", "type": "snapshot_ui"}]}
        answer = json.loads(self.run("exec", json.dumps(plan, separators=(",", ":"), ensure_ascii=False), "--output",
                                     "brief"))
        return answer["steps"][-1]["tree"]


class Plain(CommandLine):
    """The whole answer of every command, and the whole screen as XML after it."""
    name = "act, then snapshot"
    once = []
    is_plain = True

    def act(self, *words, miss=False, observe="diff"):
        said = self.run(*words, miss=miss)
        return said + self.snapshot() if observe else said

    def snapshot(self):
        return self.run("snapshot").replace("&amp;", "&")

    def plan(self, *actions):
        for action in actions:
            seen = self.one(action["type"], action.get("params", {}))
        return seen

    def one(self, kind, params):
        node = {{"textEquals": "text", "resourceId": "id"}[key]: value
                for key, value in params.get("matcher", {}).items()}
        return self.type(params["text"], **node) if kind == "enter_text" else self.tap(**node)


class Tools(Hand):
    """Tools of `clawperator mcp`."""
    name = "MCP"

    def __init__(self, place, *words):
        """`words` of `clawperator mcp`."""
        super().__init__(place)
        self.words = words

    def __enter__(self):
        self.talk = Conversation(self.place, *self.words).__enter__()
        self.talk.greet()
        return self

    def __exit__(self, *given):
        self.talk.__exit__(*given)

    def call(self, tool, **arguments):
        """Whatever it answers."""
        result = self.talk.call(tool, **arguments)
        self.count(len(json.dumps({"name": tool, "arguments": arguments}, ensure_ascii=False).encode()),
                   len(result["content"][0]["text"].encode()))
        return answered_by(result)

    def tool(self, tool, miss=False, **arguments):
        """The lines behind the verdict; where there are none the verdict."""
        answer = self.call(tool, **arguments)
        text = answer.result["content"][0]["text"]
        if bool(answer.result.get("isError")) != miss:
            raise self.place.Mismatch(f"{tool} {arguments}: {text[:2000]}")
        return "\n".join(answer.lines) or text

    def snapshot(self):
        return self.tool("snapshot")

    def open(self, what, observe="compact"):
        uri = ":" in what
        return self.tool("open_url" if uri else "open_app", **{"url" if uri else "package": what},
                         observe=observe or "none")

    def node(self, node):
        if "ref" in node:
            return node
        return {"selector": {"description" if key == "desc" else key: value for key, value in node.items()}}

    def tap(self, miss=False, **node):
        return self.tool("tap", miss=miss, **self.node(node))

    def find_and_tap(self, **node):
        return self.tool("tap", scroll="down", **self.node(node))

    def scroll_to(self, **node):
        plan = [{"id": "s", "type": "scroll_until", "params": {"matcher": {"textEquals": node["text"]}}},
                {"id": "look", "type": "snapshot_ui"}]
        return self.tool("execute", actions=plan)

    def type(self, text, **node):
        return self.tool("type_text", text=text, **self.node(node))

    def press(self, key):
        return self.tool("press_key", key=key)

    def wait(self, **node):
        return self.tool("wait_for", selector=node)

    def read(self, **node):
        name = node["id"].split("/")[-1]
        text, = re.findall(r'("(?:[^"\\]|\\.)*") #' + name + " ", self.snapshot())
        return json.loads(text)

    def plan(self, *actions):
        steps = [{kind: {**self.node({"text" if key == "textEquals" else "id": value
                                      for key, value in params["matcher"].items()}),
                         **{key: value for key, value in params.items() if key != "matcher"}}}
                 for kind, params in (({"click": "tap", "enter_text": "type_text"}[action["type"]], action["params"])
                                      for action in actions)]
        return self.tool("execute", steps=steps)


HANDS = [CommandLine, Tools]
