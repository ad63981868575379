"""Bad values for every flag of every command and for the global ones, as `help --json` lists them: each
ends in one published error or a legitimate answer, soon, with nothing written; what is refused never
reaches a device, and what reaches it stays data."""
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess

from limits import LIMIT_S
from ports import free_port

ROOT = pathlib.Path(__file__).resolve().parents[3]
# They run until they are stopped, unless a value is refused.
ENDLESS = {"sim", "serve", "daemon", "logs", "devices", "agent-skills watch", "hub login"}


def is_endless(words):
    return not ENDLESS.isdisjoint({words[0], " ".join(map(str, words[:2]))})


REFUSALS = {"USAGE", "EXECUTION_VALIDATION_FAILED", "MISSING_ARGUMENT", "MISSING_SELECTOR"}
HUGE = "A" * 100_000
HOSTILE = {
    "path": "../../escape",
    "shell": "$(touch escape);`touch escape`",
    "lines": "a\nb\r\n\tc",
    "emoji": "\U0001f980\u202e",
    "escape": "\x1b]0;owned\x07\x1b[2J\u009b2J\x7f\u202e\u2066\u200f\u2028",
    "bytes": b"\xff\xfe\xc3(",
    "percent": "%s%n%999999999d",
    "huge": HUGE,
    "dash": "-1e999",
    "nul text": "\\u0000{\"a\":[[[[",
}


# No person is shown these: C0 but line feed and tab, DEL, C1, marks and overrides of direction, separators.
UNSHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
# Whatever the value is, a file of that name is written: every_trace_is_where_it_is_named looks at it.
WRITTEN_GLOBALS = {"--trace"}
# Without a value these are left to the command, or mean nothing.
LENIENT_GLOBALS = {"--device", "--device-id", "--output", "--format"}
# What a hostile value may not bring about on a device.
# `close` may stop apps
HARM = ("command.touch", "install", "logcat_clear", "command.settings", "command.pm", "command.rm")


def published_codes():
    rows = re.findall(r"^\| ([A-Z_]+) \| (\d+) ", (ROOT / "docs/reference/errors.md").read_text(), re.MULTILINE)
    return {code: int(exit_code) for code, exit_code in rows}


def described(place):
    return json.loads(place.run("help", "--json").stdout)


def leaves(place):
    """(words, command) of every command and subcommand that can be run."""
    def walk(commands):
        for command in commands:
            if "subcommands" in command:
                yield from walk(command["subcommands"])
            else:
                yield command["name"].split(), command
    found = list(walk(described(place)["commands"]))
    if len(found) < 30:
        raise place.Mismatch(f"only {len(found)} commands")
    return found


def value_flags(place):
    """Each flag of each command, an option that several share in its first command only."""
    seen = set()
    for words, command in leaves(place):
        for option in command["options"]:
            table = (option["name"], option.get("value"), option["help"])
            if option["values"] and table not in seen:
                seen.add(table)
                yield words, option


def global_flags(place):
    """(spelling, option) of every global flag."""
    found = [(name, option) for option in described(place)["globals"] for name in [option["name"], *option["aliases"]]]
    if len(found) < 20:
        raise place.Mismatch(f"only {len(found)} global flags")
    return found


class Sweep:
    """Runs command lines and collects what is wrong with their ends."""

    def __init__(self, place):
        self.place = place
        self.codes = published_codes()
        self.folder = place.sandbox / "a/b/c"
        self.folder.mkdir(parents=True)
        self.home = place.sandbox / "home"
        for name in ("home", "tmp", "run"):
            (place.sandbox / name).mkdir(mode=0o700)
        self.env = {**place.env, "HOME": str(self.home), "TMPDIR": str(place.sandbox / "tmp"),
                    "XDG_RUNTIME_DIR": str(place.sandbox / "run"), "ADB_MDNS": "0",
                    "CLAWPERATOR_APK_METADATA_URL": f"http://127.0.0.1:{free_port()}/latest.json"}
        self.faults = []

    def run_all(self, judged_lines):
        lines = list(judged_lines)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for fault in pool.map(lambda line: self.judge(*line), lines):
                self.faults += fault
        self.check_files()
        if self.faults:
            raise self.place.Mismatch(f"{len(self.faults)} of {len(lines)}:\n      "
                                      + "\n      ".join(self.faults[:25]))

    def judge(self, judge, argv):
        code, out, err = self.end_of(argv, endless=judge is not is_refused and is_endless(argv))
        fault = judge(self, argv, code, out, err)
        shown = " ".join(word if isinstance(word, str) else repr(word) for word in argv)
        return [f"{shown[:120]!r}: {fault}"] if fault else []

    def end_of(self, argv, endless, env=None):
        child = subprocess.Popen([self.place.binary, *argv], env=env or self.env, cwd=self.folder,
                                 stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, err = child.communicate(timeout=2 if endless else LIMIT_S)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGTERM if endless else signal.SIGKILL)
            out, err = child.communicate(timeout=LIMIT_S)
            return ("stopped" if endless else "hung"), out, err
        return child.returncode, out, err

    def check_files(self):
        written = [str(path.relative_to(self.place.sandbox)) for path in self.place.sandbox.rglob("*")
                   if path.is_file() and path.relative_to(self.place.sandbox).parts[0] not in ("home", "tmp", "run")]
        strays = [path.name for path in self.place.sandbox.iterdir() if path.name not in ("a", "home", "tmp", "run")]
        if written or strays or list(self.home.rglob("escape*")):
            self.faults.append(f"files were written: {written + strays}")


def error_of(sweep, out):
    """(code, None) of exactly one published error object, or (None, what is wrong)."""
    if not out.endswith(b"\n"):
        return None, f"no document: {out[:200]!r}"
    try:
        document = json.loads(out)
    except ValueError:
        return None, f"no JSON: {out[:200]!r}"
    if not isinstance(document, dict) or document.get("code") not in sweep.codes:
        return None, f"no published code: {out[:200]!r}"
    if not isinstance(document.get("message"), str) or not document["message"]:
        return None, f"no message: {out[:200]!r}"
    return document["code"], None


def is_refused(sweep, argv, code, out, err):
    """The words themselves are at fault."""
    published, fault = error_of(sweep, out)
    if fault:
        return fault
    return None if code == 1 and published in REFUSALS else f"exit {code}, {published}: {out[:200]!r}"


def is_sane(sweep, argv, code, out, err):
    """An error of the table, or an answer."""
    if b"Sanitizer" in err or b"runtime error" in err or (isinstance(code, int) and code < 0):
        return f"crashed: {err[:300]!r}"
    if code == "hung":
        return "no end"
    if argv[0] == "doctor" and b'"checks"' in out:
        return None if code in (0, 1) and is_report(out) else f"exit {code}, no report: {out[:200]!r}"
    if code in (0, "stopped"):
        return f"no report: {out[:200]!r}" if argv[0] == "doctor" else None
    published, fault = error_of(sweep, out)
    if fault:
        return fault
    if len(out) > 3 * len(HUGE):
        return f"{len(out)} bytes of answer"
    return None if code == sweep.codes[published] else f"exit {code} with {published}"


def is_report(out):
    """What doctor says instead of an error object."""
    try:
        document = json.loads(out)
    except ValueError:
        return False
    checks = document.get("checks") if isinstance(document, dict) else None
    return isinstance(checks, list) and bool(checks) and all("id" in check and "status" in check for check in checks)


def is_answered(sweep, argv, code, out, err):
    """As is_sane; a device may also answer that it failed."""
    if code == 1 and out.startswith(b'{"envelope":{') and out.endswith(b"}\n"):
        return None if json.loads(out)["envelope"]["status"] == "failed" else f"{out[:200]!r}"
    return is_sane(sweep, argv, code, out, err)


def is_printable(sweep, argv, code, out, err):
    """--output pretty: nothing of a value acts on the terminal."""
    for stream in (out, err):
        try:
            unshown = UNSHOWN.search(stream.decode())
        except UnicodeDecodeError:
            return f"broken UTF-8: {stream[:200]!r}"
        if unshown:
            return f"{unshown.group()!r} in {stream[:200]!r}"
    return "crashed" if isinstance(code, int) and code < 0 else None


def legal_value(option):
    return option["choices"][0] if "choices" in option else "1"


def every_flag_needs_its_value(place):
    Sweep(place).run_all((is_refused, [*words, option["name"]]) for words, option in value_flags(place))


def no_flag_counts_twice(place):
    Sweep(place).run_all((is_refused, [*words, *[option["name"], *[legal_value(option)] * option["values"]] * 2])
                         for words, option in value_flags(place))


def some_of(values, count, turn):
    """Each turn takes the next few, so that all are tried together: a run costs 0.1 s."""
    if "CLAWPERATOR_SWEEP" in os.environ:
        return values
    return [values[(turn * count + i) % len(values)] for i in range(count)]


def bad_values(place):
    for turn, (words, option) in enumerate(value_flags(place)):
        for value in ["", " ", *some_of(list(HOSTILE.values()), 3, turn)]:
            if option["values"] == 2:
                yield [*words, option["name"], value, value]
            else:
                yield [*words, attached(option["name"], value), *own_port(words, option["name"])]


def own_port(words, flag=""):
    """`sim` would take adb's port."""
    return ["--listen", "127.0.0.1:0"] if words == ["sim"] and flag not in ("--listen", "--port") else []


def attached(name, value):
    return name.encode() + b"=" + value if isinstance(value, bytes) else f"{name}={value}"


def every_bad_value_ends_well(place):
    Sweep(place).run_all((is_sane, line) for line in bad_values(place))


def every_bad_positional_ends_well(place):
    values = ["", *HOSTILE.values()]
    Sweep(place).run_all((is_sane, [*words, value, *own_port(words)])
                         for turn, (words, command) in enumerate(leaves(place))
                         if words[0] != "adb" for value in some_of(values, 3, turn))


def every_global_needs_its_value(place):
    lines = []
    for name, option in global_flags(place):
        if not option["values"]:
            lines.append(["snapshot", name + "=1"])
            continue
        lines += [["snapshot", f"{name}="], ["packages", "list", f"{name}= "]]
        if name not in LENIENT_GLOBALS:
            lines += [["snapshot", name], ["version", "--check-compat", name]]
    Sweep(place).run_all((is_refused, line) for line in lines)


def every_bad_global_ends_well(place):
    commands = [["snapshot"], ["doctor"], ["packages", "list"], ["version", "--check-compat"], ["emulator", "list"],
                ["logs", "--no-follow"], ["exec", "--validate-only", "{}"], ["crash-log"]]
    lines = []
    for name, option in global_flags(place):
        for value in HOSTILE.values() if option["values"] and name not in WRITTEN_GLOBALS else []:
            command = commands[len(lines) % len(commands)]
            lines.append([*command, *([attached(name, value)] if len(lines) % 2 else [name, value])])
    Sweep(place).run_all((is_sane, line) for line in lines)


def every_trace_is_where_it_is_named(place):
    """A hostile value names the file that is written, and no other; or it is refused in the published way."""
    sweep = Sweep(place)
    for value in HOSTILE.values():
        named = pathlib.Path(os.fsdecode(os.path.join(os.fsencode(sweep.folder), os.fsencode(value))))
        for judge, output in [(is_refused if value == HUGE else is_sane, "json"), (is_printable, "pretty")]:
            argv = ["crash-log", attached("--trace", value), "--output", output]
            sweep.faults += sweep.judge(judge, argv)
            if value == HUGE:
                continue  # no file can be called so
            try:
                json.loads(named.read_text())
                named.unlink()
            except (OSError, ValueError) as problem:
                sweep.faults.append(f"{argv}: {problem}")
    sweep.run_all([])


def nothing_moves_the_cursor(place):
    lines = [[*words, f"{option['name']}={HOSTILE['escape']}", "--output", "pretty", *own_port(words, option["name"])]
             # it talks to programs
             for words, option in value_flags(place) if option["values"] == 1 and words != ["sim"]]
    lines += [[*words, HOSTILE["escape"], "--output", "pretty", *own_port(words)]
              for words, _ in leaves(place) if words[0] != "adb"]
    lines += [["snapshot", f"{name}={HOSTILE['escape']}", "--output", "pretty"]
              for name, option in global_flags(place) if option["values"] and name not in WRITTEN_GLOBALS]
    broken = HOSTILE["escape"].encode() + b"\x9b2J\xff"
    lines += [["click", attached("--text", broken), "--output", "pretty"], ["open", broken, "--output", "pretty"],
              ["recording", "parse", attached("--input", broken), "--output", "pretty"]]
    lines += [[HOSTILE["escape"], "--output", "pretty"], ["click", "--" + HOSTILE["escape"], "--output", "pretty"]]
    Sweep(place).run_all((is_printable, line) for line in lines)


def many_huge_words(place):
    words = [HUGE] * 12
    Sweep(place).run_all([(is_sane, ["click", "--text", *words]), (is_sane, words),
                          (is_refused, ["click", "--" + HUGE])])


def with_device_lines(place):
    """Each valued flag of the commands that use a device, and a word too many for each of them."""
    needs_device = {tuple(words) for words, command in leaves(place) if command["needsDevice"]}
    for turn, (words, option) in enumerate(value_flags(place)):
        if tuple(words) in needs_device and option["values"] == 1:
            for value in [HOSTILE["shell"], *some_of(list(HOSTILE.values()), 2, turn)]:
                yield [*words, attached(option["name"], value), "--timeout", "1000"]
    for turn, words in enumerate(sorted(needs_device)):
        for value in [HOSTILE["shell"], *some_of(list(HOSTILE.values()), 1, turn)]:
            yield [*words, value, "--timeout", "1000"]
    for name, option in global_flags(place):
        # Another device or another server is no business of this one.
        if option["values"] and option["name"] in ("--operator-package", "--broadcast-action"):
            for value in (value for value in HOSTILE.values() if value != HUGE):  # part of every error
                yield ["snapshot", attached(name, value), "--timeout", "1000"]


def writes_a_file(line):
    return any(os.fsencode(word).startswith((b"--path=", b"--out=", b"--report=")) for word in line)


def hostile_values_stay_data(place):
    """What is refused does not reach the device that is there; of the rest none becomes a command on it."""
    device, lines = Sweep(place), list(with_device_lines(place))
    alone = {**device.env, "ANDROID_ADB_SERVER_PORT": str(free_port())}
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        ends = list(pool.map(lambda line: device.end_of(line, False, alone), lines))
    refused = [not is_refused(device, line, *end) for line, end in zip(lines, ends)]
    before = place.device.counters()
    device.run_all((is_refused, line) for line, refusal in zip(lines, refused) if refusal)
    after = place.device.counters()
    if before != after:
        raise place.Mismatch(f"the device was touched: {before} -> {after}")
    taken = [line for line, refusal in zip(lines, refused) if not refusal and not writes_a_file(line)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        faults = sum(pool.map(lambda line: device.judge(is_answered, line), taken), [])
    faults += [f"{path} was written" for path in place.sandbox.rglob("escape*")]
    if faults:
        raise place.Mismatch(f"{len(faults)} of {len(taken)}:\n      " + "\n      ".join(faults[:25]))
    harm = {name: count for name, count in place.device.counters().items() if name.startswith(HARM)}
    if harm or not taken or len(taken) == len(lines):
        raise place.Mismatch(f"{len(taken)} of {len(lines)} were taken; they did {harm}")


def refused_words_reach_no_device(place):
    """A device is there; nothing that is refused makes it act."""
    before = place.device.counters()
    sweep = Sweep(place)
    flags = list(value_flags(place))
    sweep.run_all([(is_refused, [*words, option["name"]]) for words, option in flags if not is_endless(words)] +
                  [(is_refused, [*words, "--no-such-flag"]) for words, _ in leaves(place) if words[0] != "adb"])
    after = place.device.counters()
    if before != after:
        raise place.Mismatch(f"the device was touched: {before} -> {after}")


STARTS_OFTEN = True
CHECKS = [
    ("every flag needs its value", False, every_flag_needs_its_value),
    ("no flag counts twice", False, no_flag_counts_twice),
    ("every bad value ends well", False, every_bad_value_ends_well),
    ("every bad positional ends well", False, every_bad_positional_ends_well),
    ("every global needs its value", False, every_global_needs_its_value),
    ("every bad global ends well", False, every_bad_global_ends_well),
    ("every trace is where it is named", False, every_trace_is_where_it_is_named),
    ("nothing moves the cursor", False, nothing_moves_the_cursor),
    ("many huge words", False, many_huge_words),
    ("refused words reach no device", True, refused_words_reach_no_device),
    ("hostile values stay data", True, hostile_values_stay_data),
]
