"""Whole answers of the command line, HTTP and MCP to the same wishes, as tests/golden/conversation-*.txt have them: a
surface that drifts from the others, or an answer that changes its shape, is a difference there. What an answer has to
be is proved by the other checks."""
import base64
import contextlib
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "mcp"))
import golden
from api_server import ApiServer
from conversation import Conversation, picture_of
from limits import LIMIT_S
from own_phone import own_phone
from wishes import GROUPS, plan

WIDTH, MOST_OF_TEXT, MOST_OF_LINE = 150, 2500, 300
HELD_MS = {"cli": 20000, "http": 20000, "mcp": 3000}  # by another command; the tools wait in line for it
MASKS = [(re.compile(pattern), mask) for pattern, mask in (
    (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "<uuid>"),
    (r"\b\d{13}-[0-9a-z]{7}\b", "<unique>"), (r"(?<!\d)1[0-9]{12}(?!\d)", "<ms>"), (r"127\.0\.0\.1:\d+", "<address>"),
    (r"\b[a-z2-7]{32}\b", "<dispatch>"), (r"(?<=clawperator-)\d{4}-\d\d-\d\d(?=\.log)", "<day>"),
    (r"((?:elapsed_ms|elapsedMs|\"ms|holderPid|since)(?:\": \"?|=))\d+", r"\1<n>"))]


def masked(text, sandbox):
    text = text.replace(str(sandbox), "<sandbox>")
    for pattern, mask in MASKS:
        text = pattern.sub(mask, text)
    return text


def sum_of(text):
    return f"{len(text)} characters, sha256 {hashlib.sha256(text.encode()).hexdigest()[:12]}"


def shown_text(text):
    """What is too long to read is shown by its sum."""
    if text.startswith('{"nodePath"') or text.startswith('{"totalMatches"'):
        return f"<the app's, {sum_of(text)}>"
    if len(text) <= MOST_OF_TEXT:
        return text
    return f"{text[:200]}<{sum_of(text)}>"


def written(value, depth=0):
    """JSON, the order of its members kept; what is short on one line, each line of a text on a line of its own."""
    pad = " " * (depth + 1)
    if isinstance(value, str):
        text = shown_text(value)
        if "\n" not in text:
            return json.dumps(text, ensure_ascii=False)
        return "<<\n" + "".join(f"{pad}|{line}\n" for line in text.split("\n")) + " " * depth + ">>"
    if not isinstance(value, (dict, list)) or not value:
        return json.dumps(value)
    if isinstance(value, dict):
        items = [f"{json.dumps(name)}: {written(member, depth + 1)}" for name, member in value.items()]
    else:
        items = [written(member, depth + 1) for member in value]
    line = ", ".join(items)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    if "\n" not in line and len(line) + depth < WIDTH:
        return opening + line + closing
    return f"{opening}\n" + ",\n".join(pad + item for item in items) + "\n" + " " * depth + closing


def text_or_json(text):
    lines = text.split("\n")
    try:
        return "\n".join(written(json.loads(line)) for line in lines if line)
    except ValueError:
        return "\n".join(f"|{shown_text(line.strip()) if len(line) > MOST_OF_LINE else line}" for line in lines)


def shown_request(body):
    """What all plans have in common is left out."""
    if isinstance(body, dict) and "execution" in body:
        body = {**body, "execution": body["execution"]["actions"]}
    return json.dumps(body, ensure_ascii=False)


def shown_word(word):
    if word.startswith("{") and "actions" in word:
        word = json.dumps(json.loads(word)["actions"])
    return f"'{word}'" if re.search(r"[ {\"]", word) else word


class Phone:
    """A phone, and a home for one wish: the surfaces know nothing of the wishes before."""

    def __init__(self, place, phone, wish):
        self.place, self.phone, self.wish = place, phone, wish
        self.Mismatch, self.binary, self.serial, self.hash = place.Mismatch, place.binary, phone.serial, ""
        self.words = ("--device", phone.serial, "--transport", "tcp")

    @contextlib.contextmanager
    def prepared(self, number, surface):
        """The surface's own home; the phone as the wish wants it."""
        self.sandbox = self.place.sandbox / f"{number}"
        self.sandbox.mkdir(mode=0o700)
        here = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "CLAWPERATOR_LOCK_DIR"),
                             str(self.sandbox))
        self.env = {**self.place.env, **here, "CLAWPERATOR_NO_DAEMON": "1"}
        self.phone.simctl("reset")
        self.phone.simctl(*self.wish.screen)
        with self.held(HELD_MS[surface]) if self.wish.busy else contextlib.nullcontext():
            yield

    @contextlib.contextmanager
    def held(self, ms):
        """By a command that sleeps on it."""
        before = self.phone.counter("broadcast")
        payload = json.dumps(plan(("sleep", {"durationMs": ms}), timeoutMs=60000))
        child = subprocess.Popen([self.binary, "exec", payload, *self.words], env=self.env, cwd=self.sandbox,
                                 stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + LIMIT_S
            while self.phone.counter("broadcast") == before:
                if time.monotonic() > deadline:
                    raise self.Mismatch("nothing holds the phone")
                time.sleep(0.02)
            yield
        finally:
            child.kill()
            child.wait()

    def run(self, argv):
        given = () if "--device" in argv else self.words
        return subprocess.run([self.binary, *argv, *given], env=self.env, cwd=self.sandbox, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=LIMIT_S, check=False)

    def filled(self, text):
        return text.replace("{serial}", self.serial).replace("{hash}", self.hash)

    def changes_then(self):
        if self.wish.then:
            self.phone.simctl(*self.wish.then)

    def by_cli(self):
        if self.wish.seen:
            self.hash = json.loads(self.run(["snapshot", "--format",
                                             "compact"]).stdout)["envelope"]["stepResults"][0]["data"]["tree_hash"]
            self.changes_then()
        for argv in self.wish.cli:
            done = self.run([self.filled(word) for word in argv])
            yield "$ clawperator " + " ".join(map(shown_word, argv))
            yield f"exit {done.returncode}"
            for name, data in (("", done.stdout), ("stderr: ", done.stderr)):
                if data:
                    yield name + text_or_json(data.decode())

    def by_http(self):
        method, path, body = self.wish.http
        with ApiServer(self, *self.words) as server:
            if self.wish.seen:
                self.hash = server.ask("GET", f"/devices/{self.serial}/snapshot?format=compact")[1]["X-Tree-Hash"]
                self.changes_then()
            status, headers, data = server.ask(method, self.filled(path), body)
        yield f"> {method} {path}" + (f" {shown_request(body)}" if body is not None else "")
        kept = {name: value for name, value in headers.items() if name == "Content-Type" or name.startswith("X-")}
        yield f"{status} {json.dumps(kept)}"
        kind = headers["Content-Type"]
        if kind.startswith("image/"):
            picture = {"type": "image", "mimeType": kind, "data": base64.b64encode(data).decode()}
            yield f"<picture {picture_of({'content': [picture]})}>"
        else:
            yield text_or_json(data.decode())

    def by_mcp(self):
        tool, arguments = self.wish.mcp
        with Conversation(self, *self.words) as talk:
            if self.wish.seen:
                talk.tool("snapshot")
                self.changes_then()
            result = talk.call(tool, **arguments)
        yield f"> {tool} {json.dumps(arguments, ensure_ascii=False)}"
        for block in result["content"]:
            if block["type"] == "image":
                block["data"] = f"<picture {picture_of({'content': [block]})}>"
            if block["type"] == "text":
                first, _, rest = block["text"].partition("\n")
                document = json.loads(first) if first[:1] == "{" else first
                block["text"] = [document, rest] if rest else document
        yield written(result)


def conversation(place, group):
    with own_phone(place) as phone:
        number = 0
        for wish in GROUPS[group]:
            yield f"=== {wish.name}"
            for name, surface in (("cli", Phone.by_cli), ("http", Phone.by_http), ("mcp", Phone.by_mcp)):
                if getattr(wish, name) is None:
                    continue
                number += 1
                alone = Phone(place, phone, wish)
                yield f"--- {name}"
                with alone.prepared(number, name):
                    yield from (masked(part, alone.sandbox) for part in surface(alone))


def as_the_file_says(group):
    return lambda place: golden.check(place, f"conversation-{group}.txt", "\n".join(conversation(place, group)) + "\n")


CHECKS = [(f"conversations: {group}", False, as_the_file_says(group)) for group in GROUPS]
