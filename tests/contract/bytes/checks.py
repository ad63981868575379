"""What each verb makes the phone receive: each service that is opened, each line that a shell and each path that sync
gets, in order, on three releases of Android, by both backends. tests/golden/bytes-*.txt have it; of each release but
the first the blocks that differ from those of the release before.

In the files `[command]` begins a block, `= ok` is its answer, and what is long and often sent has a number, `#1`."""
import collections
import itertools
import json
import re

import apk
import golden
from own_phone import own_phone

FORM, SETTINGS, OPERATOR = "com.clawperator.conformance", "com.android.settings", "com.clawperator.operator"
RELEASES = ("android-7", "android-10", "android-16")
NAME = ("--id", f"{FORM}:id/name_field")
PLAN = json.dumps({"commandId": "c", "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
                   "timeoutMs": 20000,
                   "actions": [{"id": "a", "type": "close_app", "params": {"applicationId": SETTINGS}},
                               {"id": "b", "type": "open_app", "params": {"applicationId": SETTINGS}},
                               {"id": "c", "type": "press_key", "params": {"key": "back"}},
                               {"id": "d", "type": "snapshot_ui"}, {"id": "e", "type": "take_screenshot"}]})
ON = {"home": ("show", FORM, "home"), "form": ("show", FORM, "form"), "feed": ("show", FORM, "feed"),
      "settings": ("run", "am", "start", "-a", "android.settings.SETTINGS")}
# What a command of ours must have done before.
AFTER = {"--ref": ("snapshot", "--format", "compact"), "org.example.app": ("apps", "install", "app.apk"),
         "revoke": ("apps", "grant", "org.example.app", "CAMERA"), "stop": ("recording", "start", "--session-id", "s")}

# Of `clawperator help`: a verb -> what is run of it, each on a screen. Those that plan an execution run by each
# backend.
PLANNED = {
    "snapshot": [("home",), ("home", "--format", "compact")],
    "screenshot": [("home", "--path", "a.png"), ("home", "--path", "a.png", "--marks")],
    "click": [("home", "--text", "Form"), ("home", "--coordinate", "5", "5"), ("home", "--text", "Ask", "--long"),
              ("home", "--ref", "@3"), ("home", "--id", "android:id/title", "--nth", "2"),
              ("home", "--text", "Form", "--strict"),
              ("home", "--text", "Form", "--snapshot", "--settle", "0"),
              ("home", "--text", "Form", "--verify", "changed", "--settle", "0"),
              ("home", "--text", "Nothing like this", "--patience", "0")],
    "type": [("form", "Ada's \"$HOME\"", *NAME), ("form", "x", *NAME, "--submit"),
             ("form", "hunter2", "--id", f"{FORM}:id/password_field", "--secret")],
    "read": [("form", "--id", f"{FORM}:id/form_title"), ("form", "--role", "button", "--all")],
    "read-value": [("settings", "--label", "Apps")],
    "wait": [("home", "--text", "Form", "--timeout", "3000"),
             ("home", "--text", "Nothing like this", "--gone", "--timeout", "3000")],
    "wait-for-nav": [("home", "--app", FORM, "--timeout", "3000")],
    "assert": [("home", "--text", "Form"), ("home", "--text", "Form", "--gone")],
    "press": [("form", "home"), ("form", "recents")],
    "back": [("form",)],
    "open": [("home", SETTINGS), ("home", "conformance://texts?a=1&b=2")],
    "close": [("settings", SETTINGS)],
    "sleep": [("home", "1")],
    "scroll": [("feed", "down", "--container-id", f"{FORM}:id/outer_scroll")],
    "scroll-until": [("settings", "--text", "About phone"), ("settings", "--text", "About phone", "--click")],
    "scroll-and-click": [("settings", "--text", "About phone")],
    "exec": [("settings", PLAN)],
}
# The app is refused when its version is known; whether its log was opened by then is a matter of time.
WITHOUT_APP = {"type": [("form", "", *NAME, "--clear")]}
BY_SHELL = {
    "input tap": [("home", "5", "5")], "input swipe": [("home", "5", "500", "5", "100", "--ms", "20")],
    "input text": [("form", "a b%s'c\"")], "input key": [("home", "enter", "66")],
    "swipe": [("home", "5", "500", "5", "100", "--ms", "20"),
              ("home", "5", "500", "5", "100", "--snapshot", "--settle", "0")],
    "key": [("home", "volume_up")], "double-tap": [("home", "5", "5")],
    "drag": [("home", "5", "500", "5", "100", "--ms", "1000")],
    "hide-keyboard": [("form",)], "record-video": [("home", "--seconds", "1", "--path", "a.mp4")],
    "recording start": [("home", "--session-id", "s")], "recording stop": [("home", "--session-id", "s")],
    "recording pull": [("home", "--session-id", "s", "--out", ".")],
    "rotate": [("home", "90"), ("home", "180"), ("home", "auto")], "battery": [("home",)],
    "net airplane": [("home", "off")], "net wifi": [("home", "on")], "net data": [("home", "off")],
    "notifications list": [("home",)], "notifications open": [("home",)], "notifications close": [("home",)],
    "notifications clear": [("home",)],
    "apps list": [("home",), ("home", "--third-party")], "apps info": [("home", FORM)],
    "apps install": [("home", "app.apk")],
    "apps grant": [("home", "org.example.app", "CAMERA")], "apps revoke": [("home", "org.example.app", "CAMERA")],
    "apps clear": [("home", "org.example.app")], "apps uninstall": [("home", "org.example.app")],
    "packages list": [("home",)], "crash": [("home", SETTINGS)],
    "log tail": [("home", "--package", SETTINGS, "--no-follow")],
    "crash-log": [("home",)], "doctor": [("home", "--check-only")], "grant-device-permissions": [("home",)],
    "setup": [("home", "--apk", "operator.apk")],
}
# A word of its own, or the same as one above.
NO_HAND = {"devices", "connect", "disconnect", "pair", "known", "migrate", "skills", "recipe", "agent-skills", "hub",
           "install", "operator", "emulator", "provision", "logs", "adb", "serve", "mcp", "daemon", "sim",
           "guide", "version", "completion", "man", "help", "recording parse", "recording export"}
# How the way to the phone changes what it receives: the first command of a home, an adb server between, an app that
# cannot be strict.
SAMPLE = {"snapshot": PLANNED["snapshot"][1:], "click": [PLANNED["click"][0], PLANNED["click"][3]],
          "back": PLANNED["back"],
          "open": PLANNED["open"][:1], "battery": BY_SHELL["battery"]}

MASKS = [(re.compile(pattern), mask) for pattern, mask in (
    (r"(?<=commandId\":\")[^\"]{32}(?=\")", "<dispatch>"),
    (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "<uuid>"),
    (r"(?<=-)\d{13}-[0-9a-z]{7}(?=\")", "<task>"), (r"(?<=clawperator-)[0-9a-z]{26}\b", "<name>"),
    (r"127\.0\.0\.1:\d+", "<address>"), (r"(?<=;V=)\d+(?=;else)", "<sdk>"))]
OFTEN = 3  # so many lines are written once, and have a number
PAYLOAD = re.compile(r"(.*payload(?:\\0|' '))(\{.*\})((?:\\0|').*)")
# What time decides: where the phone's own picture is late the raw frame is tried, too, and a log that was opened early
# may be opened again.
PICTURE = re.compile(r"(?<=:)screencap( -p)?$")
MAY_COME_TWICE = ("shell,v2,raw:screencap, raw or not", "shell,v2,raw:read B ")


def verbs_of(place):
    """Those that the program's own help lists."""
    text = place.run("help").stdout.decode().split("Commands:\n")[1].split("\n\n")[0]
    for line in text.splitlines():
        found = re.match(r"  ([a-z-]+)(?: ([a-z|-]+))?(?: |$)", line)
        if not found:
            continue
        for last in (found[2] or "").split("|"):
            yield found[1], f"{found[1]} {last}".strip()


def every_verb_has_its_row(place):
    """A new verb is recorded here, or named among those that do not act on a phone."""
    rows = {*PLANNED, *BY_SHELL, *NO_HAND}
    listed = list(verbs_of(place))
    missing = [verb for first, verb in listed if verb not in rows and first not in rows]
    gone = rows - {verb for _, verb in listed} - {first for first, _ in listed}
    if len(listed) < 50 or missing or gone:
        raise place.Mismatch(f"{len(listed)} verbs in the help; without a row: {missing}; a row without a verb: {gone}")


def masked(text):
    for pattern, mask in MASKS:
        text = pattern.sub(mask, text)
    return text.replace("\0", "\\0").replace("\n", "\\n")


def lines_of(record):
    lines = []
    for kind, text in record:
        line = ("" if kind == "service" else f"< {kind} ") + PICTURE.sub("screencap, raw or not", masked(text))
        if line.startswith(MAY_COME_TWICE) and line in lines:
            continue
        found = PAYLOAD.fullmatch(line)
        lines += [f"{found[1]}...{found[3]}", f"  {found[2]}"] if found else [line]
    return lines


def answer_of(done):
    """What the command made of it: enough to see that the block is not one of a failure by chance."""
    if done.returncode == 0:
        return "ok"
    try:
        document = json.loads(done.stdout)
    except ValueError:
        return f"exit {done.returncode}"
    return document.get("code") or document.get("envelope", {}).get("error") or f"exit {done.returncode}"


class Recorder:
    def __init__(self, place, phone, direct=True):
        self.place, self.phone, self.direct, self.blocks = place, phone, direct, {}

    def run(self, *argv, env=None):
        if self.direct:
            return self.phone.run(*argv, env=env)
        return self.place.run(*argv, "--device", self.place.device.serial, "--transport", "server", env=env)

    def received(self):
        record = json.loads(self.phone.simctl("received"))
        if record["dropped"]:
            raise self.place.Mismatch(f"{record['dropped']} are not in the record")
        return record["received"]

    def record(self, title, screen, argv, env=None):
        self.phone.simctl("reset")
        self.phone.simctl(*ON[screen])
        for word, before in AFTER.items():
            if word in argv:
                self.run(*before, env=env)
        begin = len(self.received())
        done = self.run(*argv, env=env)
        self.blocks[title] = [f"= {answer_of(done)}", *lines_of(self.received()[begin:])]

    def record_verb(self, prefix, verb, runs, backends=((),), env=None):
        for screen, *words in runs:
            for backend in backends:
                argv = [*verb.split(), *words, *backend]
                shown = " ".join(f"'{word}'" if " " in word or not word else word for word in argv if word != PLAN)
                self.record(f"{prefix}{shown}", screen, argv, env)


def record_release(place, release):
    apk.write_apk(place.sandbox / "app.apk", "org.example.app", "1.5", 15)
    apk.write_apk(place.sandbox / "operator.apk", OPERATOR, "0.12.5", 1205)
    with own_phone(place, "--phone", release) as phone:
        recorder = Recorder(place, phone)
        recorder.run("snapshot")
        for verb, runs in PLANNED.items():
            recorder.record_verb("", verb, runs, ((), ("--backend", "app"), ("--backend", "shell")))
        for verb, runs in WITHOUT_APP.items():
            recorder.record_verb("", verb, runs, ((), ("--backend", "shell")))
        for verb, runs in BY_SHELL.items():
            recorder.record_verb("", verb, runs)
        for number, (verb, runs) in enumerate(SAMPLE.items()):
            home = place.sandbox / f"home{number}"
            recorder.record_verb("first of a home: ", verb, runs, env={"HOME": str(home), "XDG_CACHE_HOME": str(home)})
    return recorder.blocks


def text_of(blocks):
    """Equal blocks that follow each other have their titles together."""
    counts = collections.Counter(line for lines in blocks.values() for line in lines if len(line) > 60)
    often = {line: f"#{number}"
             for number, line in enumerate((line for line, count in counts.items() if count >= OFTEN), 1)}
    text = "".join(f"{number} {line}\n" for line, number in often.items())
    for body, titles in itertools.groupby(blocks, key=blocks.get):
        text += "\n" + "".join(f"[{title}]\n" for title in titles) + "".join(f"{often.get(line, line)}\n"
                                                                             for line in body)
    return text


def as_the_files_say(place):
    before, problems = {}, []
    for release in RELEASES:
        blocks = record_release(place, release)
        changed = {title: lines for title, lines in blocks.items() if before.get(title) != lines}
        try:
            golden.check(place, f"bytes-{release}.txt", text_of(changed))
        except place.Mismatch as problem:
            problems.append(str(problem))
        before = blocks
    if problems:
        raise place.Mismatch("\n".join(problems))


CHECKS = [("bytes: every verb of the help has its row", False, every_verb_has_its_row),
          ("bytes: as the files say", False, as_the_files_say)]
