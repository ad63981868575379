"""Two ways to carry out what an errand's steps say (errands.py), by the tools of MCP.

`Careful` acts on what it was shown: a ref with its hash; after an error it reads the screen anew. `Careless` writes
labels from memory, with slips, takes the first node that an error offers, and goes on whatever the answer is."""
import collections
import json
import re
import zlib

MOST_TRIES = 4


def refused(answer):
    return bool(answer.result.get("isError"))


class Policy:
    def __init__(self, hand):
        self.hand, self.learnt = hand, collections.defaultdict(str)

    def step(self, verb, *words):
        """Of an errand; "{name}" in a text is what the step `read` kept."""
        getattr(self, verb)(*(word.format_map(self.learnt) for word in words))

    def wait(self, text):
        self.call("wait_for", selector={"text": text})

    def type(self, text, *field):
        self.on_node("type_text", *field, text=text)

    def enter(self, text, *field):
        """And press Enter."""
        self.on_node("type_text", *field, text=text, submit=True)

    def tap(self, *words):
        self.on_node("tap", *words)

    def hold(self, *words):
        self.on_node("long_press", *words)


class Row:
    """A line of a tree: its refs, each with what is written behind it."""

    def __init__(self, line, of):
        self.line = re.sub(r"^ *([+~-] )?", "", line).split(" was: ")[0]
        self.parts = [(of + part[1], part[0]) for part in re.finditer(r"(@\d+) .*?(?=; @\d+ |$)", self.line)]
        self.number = int(self.line[1:].split(" ")[0])

    def renumbered(self, shifts, of):
        """The same row in the tree that a diff leads to."""
        def new(ref):
            number = int(ref[1])
            return f"@{next((to + number - first for first, last, to in shifts if first <= number <= last), number)}"
        return Row(re.sub(r"(?:^|(?<=; ))@(\d+)", new, self.line), of)

    def has(self, words):
        return all(json.dumps(word, ensure_ascii=False) in self.line for word in words)

    def part(self, *words):
        return next((each for each in self.parts if all(word in each[1] for word in words)), None)


class Careful(Policy):
    name = "careful"

    def __init__(self, hand):
        super().__init__(hand)
        self.rows, self.front, self.trees, self.app = [], "", {}, ""

    def call(self, tool, **arguments):
        answer = self.hand.call(tool, **arguments)
        if not refused(answer):
            self.look_at(answer.lines)
        return answer

    def look_at(self, lines):
        """What is known of the screen now."""
        lines = [line for line in lines if line and not line.startswith("device ")]
        if not lines:
            return
        known = re.match(r"as (?:last shown|shown before).*: hash (\w+)", lines[0])
        if known:
            self.front, self.rows = self.trees.get(known[1], ("", []))
            return
        is_diff = lines[0].startswith("since ")
        is_alike = is_diff and " hash " in lines[0]  # the same app, the same size
        head, *body = lines[is_diff and not is_alike:]
        of = re.search(r" hash (\w+)", head)[1]
        if not is_alike:
            self.front = head.split(" ")[0]
        rows = [Row(line, of) for line in body if re.match(r" *([+~] )?@", line)]
        self.rows = rows + (self.unnamed(body, rows, of) if is_diff else [])
        self.trees[of] = self.front, self.rows

    def unnamed(self, diff, named, of):
        """The rows that the diff does not name, with the refs that they have now."""
        gone = {Row(line, of).number for line in diff if line.startswith("- @")}
        shifts = [tuple(map(int, found.groups(found[1])))
                  for found in re.finditer(r"^= @(\d+)(?:-@(\d+))? now @(\d+)", "\n".join(diff), re.MULTILINE)]
        taken = {row.number for row in named}
        moved = [row.renumbered(shifts, of) for row in self.rows if row.number not in gone]
        return [row for row in moved if row.number not in taken]

    def look(self):
        self.call("snapshot")

    def open(self, package):
        self.app = package
        self.call("open_app", package=package, observe="compact")

    def url(self, address):
        self.call("open_url", url=address, observe="compact")
        self.app = self.front

    def found(self, words, *kinds):
        """The ref of the row with these words; the first of them is on the node itself."""
        rows = [row for row in self.rows if row.has(words)]
        for kind in kinds or (" click", " button ", " checkbox ", " long", ""):
            for row in rows:
                part = row.part(kind, *([] if kinds else words[:1])) if kind in row.line else None
                if part:
                    return part
        return None

    def return_to_app(self):
        """Another app came to the front: leave it, touch nothing in it."""
        if self.front == self.app or "permission" in self.front:
            return
        self.call("press_key", key="back")
        if self.front != self.app:
            self.open(self.app)

    def on_node(self, tool, *words, **arguments):
        kinds = (" textfield ",) if tool == "type_text" else ()
        for number in range(MOST_TRIES):
            found = self.found(words, *kinds)
            if found:
                answer = self.call(tool, ref=found[0], **arguments)
            elif number == 0:
                self.look()
                continue
            elif tool == "tap":
                answer = self.call(tool, selector={"text": words[0]}, scroll="down", **arguments)
            else:
                return
            if not refused(answer):
                return
            self.look()
            self.return_to_app()

    def switch(self, label, wanted):
        found = self.found([label], " switch ") or self.look() or self.found([label], " switch ")
        if not found:
            self.call("tap", selector={"text": label}, scroll="down")
            self.look()
            found = self.found([label], " switch ")
        if found and found[1].split(" ")[-1] != wanted:
            self.call("tap", ref=found[0], verify="changed")

    def read(self, name, pattern):
        """Keeps what the pattern's group is in the screen's lines."""
        for again in (False, True):
            if again:
                self.look()
            found = re.search(pattern, "\n".join(row.line for row in self.rows))
            if found:
                self.learnt[name] = found[1]
                return


def with_slip(label):
    """What a hurried writer makes of a label; the same each time."""
    slip, at = zlib.crc32(label.encode()) % 4, len(label) // 2
    if slip == 0 or len(label) < 4:
        return label
    swapped = label[:at] + label[at + 1] + label[at] + label[at + 2:]
    return [label.lower(), label[:at] + label[at + 1:], swapped][slip - 1]


class Careless(Policy):
    name = "careless"

    def call(self, tool, **arguments):
        return self.hand.call(tool, **arguments)

    def open(self, package):
        self.call("open_app", package=package)

    def url(self, address):
        self.call("open_url", url=address)

    def on_node(self, tool, *words, **arguments):
        answer = self.call(tool, selector={"text": with_slip(words[0])}, **arguments)
        if not refused(answer):
            return
        offered = answer.verdict.get("candidates") or answer.verdict.get("near")
        if offered:
            self.call(tool, ref=offered[0].split(" ")[0], **arguments)
        elif tool == "tap":
            self.call(tool, selector={"text": words[0]}, scroll="down", **arguments)

    def switch(self, label, wanted):
        """Whatever it is now."""
        self.tap(label)

    def read(self, name, pattern):
        found = re.search(pattern, "\n".join(self.call("snapshot").lines))
        self.learnt[name] = found[1] if found else ""


POLICIES = {each.name: each for each in (Careful, Careless)}
