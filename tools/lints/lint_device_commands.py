"""What is said to a device's shell: built in few files, each builder with a sample that the peer tests run in a
phone's own shell (mksh) with a phone's own tools (toybox), no pattern that mksh reads otherwise than other shells
do, no program that some Android has not. lint_layers.py calls `findings`; `python3 tools/lints/lint_device_commands.py`
proves the rules themselves on bad samples."""
import pathlib
import re

# Where lines for a device's sh may be built, and where each builder has its sample.
BUILDERS = ("runtime/android/", "adbproto/wire/shell_commands.")
TABLE = "tests/support/command_samples.cpp"
# Completions are for the user's shell, new skills' scripts for this computer's; our own `input` is called as
# the phone's program is.
OTHER_SHELLS = ("cli/manual/completion_", "cli/commands/input.", "skills/phone/rules/scaffold.")

# Shown to people, not sent to a phone.
SHOWN = {("runtime/host/doctor/doctor.cpp", "settings put global ")}
# Beside each question stand its name and words for people: members of a list, where a line is an argument.
WITH_TEXTS = ("runtime/android/phone_questions_table.cpp",)
# A report asks a phone's shell what it makes of a bar that is not quoted; nothing that we do hangs on the answer.
ASKED = {("runtime/android/phone_questions_table.cpp", "X='a|b'; echo \"[${X%%|*}]\"; echo \"[${X%%\\|*}]\"")}

# The shell itself and its builtins, as mksh and dash have them.
SHELL = set(
    "[ : break case cd command do done echo elif else esac eval exec exit export false fi for if kill local read "
    "return set shift "
    "sleep test then trap true type ulimit umask unset wait while".split())
# On every Android from 7 to 16: toybox and toolbox, and Android's own programs.
# screenrecord is not on every phone: its line says so.
PROGRAMS = set(
    "cat chmod cp cut date dumpsys getprop grep head id kill log logcat ls mkdir mv pidof printf ps rm run-as "
    "screencap screenrecord "
    "sed service settings sleep sort stat sync tail touch toybox uiautomator wc am pm cmd input svc wm bugreportz "
    "bugreport".split())

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
RAW_LITERAL = re.compile(r'R"(\w*)\((.*?)\)\1"', re.DOTALL)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
INCLUDE = re.compile(r"^\s*#\s*include[^\n]*", re.MULTILINE)
ESCAPES = {"n": "\n", "t": "\t", "0": "\0"}
PATTERN = re.compile(r"\$\{\w+(?:##?|%%?)((?:[^{}\\]|\\.)*)\}")
# `|`, `(` and `@` mean alternatives to mksh unless they are quoted.
QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|\\.")
BUILDER = re.compile(r"^(?:std::(?:string|vector<(?:std::string|PhoneQuestion)>)|Words)\s+"
                     r"(\w+_(?:line|script|words|command|questions))\(", re.MULTILINE)
ASSIGNMENT = re.compile(r"\w+=(?:\$\(|'[^']*'|\"[^\"]*\"|[^\s;&|()])*\s*")
# Looks like a line for a device: Android's own programs with what follows them.
DEVICE_LINE = re.compile(
    r"^(?:getprop|setprop|dumpsys|wm (?:size|density)|settings (?:put|get|delete|list)|cmd [a-z]+ |am [a-z]+-?[a-z]* "
    r"?-|am force-stop"
    r"|am start|am broadcast|pm (?:list|install|grant|path|uninstall|clear|revoke) ?|run-as |screencap(?: "
    r"-|$)|bugreportz(?: -|$)"
    r"|appops |uiautomator |monkey -|svc [a-z]|content query|pidof |logcat -|input (?:tap|swipe|text|keyevent))"
    r"|\bexec (?:logcat|sh|cat)\b|;\s*(?:echo|exec|getprop|exit|trap)\b|;read |\$\(")


def literals(text):
    """(line number, text) of each run of string literals that the compiler joins into one."""
    blank = lambda found: re.sub(r"[^\n]", " ", found.group())
    text = INCLUDE.sub(blank, text)
    pieces = []
    at = 0
    while True:
        comment, plain, raw = (pattern.search(text, at) for pattern in (COMMENT, LITERAL, RAW_LITERAL))
        found = min((each for each in (comment, plain, raw) if each), key=lambda each: each.start(), default=None)
        if not found:
            break
        if found is not comment:
            value = found.group(2) if found is raw else re.sub(
                r"\\(.)", lambda escape: ESCAPES.get(escape.group(1), escape.group(1)), found.group(1))
            joined = pieces and not text[pieces[-1][1]:found.start()].strip()
            if joined:
                pieces[-1][1], pieces[-1][3] = found.end(), pieces[-1][3] + value
            else:
                pieces.append([found.start(), found.end(), text.count("\n", 0, found.start()) + 1, value])
        elif pieces and not text[pieces[-1][1]:found.start()].strip():
            pieces[-1][1] = found.end()  # a comment between two literals
        at = found.end()
    return [(start, number, value) for start, _, number, value in pieces]


def bad_patterns(script):
    for pattern in PATTERN.findall(script):
        if re.search(r"[|(@]", QUOTED.sub("", pattern)):
            yield pattern


def unknown_programs(script):
    """What stands where a command's name stands and is in neither list. Words in quotes are left alone."""
    plain = re.sub(r"'[^']*'|\"(?:\$\([^)]*\)|[^\"])*\"", "''", script)
    for part in re.split(r";|&&|\|\|?|\$\(|`|\n|(?<![<>])&(?!>)|\b(?:then|else|do|if|while)\b", plain):
        words = re.sub(r"^(?:\s|\)|\]|!)*", "", part)
        while before := re.match(r"(?:exec|export)\s+", words) or ASSIGNMENT.match(words):
            words = words[before.end():]
        name = re.match(r"[A-Za-z_.:/][\w.:/-]*", words)
        if name and name.group() not in SHELL | PROGRAMS:
            yield name.group()


def is_message(text, start):
    """A statement that makes an error or compares speaks to people, not to a shell."""
    statement = text[max(text.rfind(mark, 0, start) for mark in ";{}") + 1:start]
    return re.search(r"\b(?:fail|Error|Errc|return fail|starts_with|ends_with|contains|find)\b", statement) is not None


def check_builder(text, path=""):
    for start, number, value in literals(text):
        for pattern in bad_patterns(value) if (path, value) not in ASKED else []:
            yield number, f"in mksh an unquoted |, ( or @ in ${{x#{pattern}}} is no letter"
        is_text = path in WITH_TEXTS and text[:start].rstrip().endswith(("{", ","))
        is_line = (not is_text and re.match(r"[a-z\[]|[A-Z]+=", value) and re.search(r"[ ;]", value)
                   and not is_message(text, start))
        for name in unknown_programs(value) if is_line else []:
            yield (number,
                   f"not every Android from 7 on has {name} (or add it to PROGRAMS in "
                   "tools/lints/lint_device_commands.py)")


def check_other(text, path=""):
    for start, number, value in literals(text):
        for pattern in bad_patterns(value):
            yield number, f"in mksh an unquoted |, ( or @ in ${{x#{pattern}}} is no letter"
        if DEVICE_LINE.search(value) and not is_message(text, start) and (path, value) not in SHOWN:
            yield (number,
                   f"lines for a device's sh are built in {BUILDERS[0]} and have a sample in {TABLE}: \"{value[:40]}\"")


def check_samples(sources):
    """`sources`: text of each builder's file by its path. Every builder that a header declares is called by the
    table."""
    table = sources.get(TABLE, "")
    for path, text in sources.items():
        for builder in BUILDER.findall(text) if path.endswith(".hpp") else []:
            if not re.search(rf"\b{builder}\(", table):
                yield path, 1, f"{builder} has no sample in {TABLE}"


def findings(root):
    """(file, line, message) below root/src."""
    sources = {TABLE: (root / TABLE).read_text(encoding="utf-8")}
    for file in sorted((root / "src").rglob("*.[ch]pp")):
        path = file.relative_to(root / "src").as_posix()
        text = file.read_text(encoding="utf-8")
        if path.startswith(OTHER_SHELLS):
            continue
        if path.startswith(BUILDERS):
            sources[path] = text
        found = check_builder(text, path) if path in sources else check_other(text, path)
        yield from ((file, *finding) for finding in found)
    assert all(any(path.startswith(prefix) for path in sources) for prefix in BUILDERS)
    for path, number, message in check_samples(sources):
        yield root / "src" / path, number, message


BAD_BUILDERS = [
    'auto x = "echo ${D#*|}";', 'auto x = "E=${D%%|*};";', 'auto x = "echo ${x%(*}";', 'auto x = "echo ${x##@*}";',
    'auto x = "perl -e 1";', 'auto x = "read B;nproc|wc";', 'auto x = "echo $(base32 x)";',
    'auto x = "cd /;"\n  "readlink -e x";',
    'auto x = "A=1 awk x";', 'auto x = "if true;then stty x;fi";',
]
GOOD_BUILDERS = [
    r'auto x = "echo ${D#*\"|\"}";', r'auto x = "echo ${D#*\\|}";',
    'auto x = "read B 2>/dev/null </proc/x;E=$EPOCHREALTIME;[ \\"$E\\" ]||E=$(date +%s).0;";',
    'return fail(Errc::unknown, "perl is missing, so ${x#|}"s[0]);'.replace("${x#|}", ""), 'Words{"broadcast", "-a"};',
    'auto x = " -d ";  // perl -e 1',
    'auto x = "exec logcat $F -b main";', "auto x = \"[ \\\"$V\\\" = 33 ]&&F='-v threadtime -v epoch'\";",
]
BAD_ELSEWHERE = [
    'run(device, "getprop ro.serialno");', 'auto x = "cmd package " + y;', 'auto x = "read B;exec logcat -B";',
    'f("screencap -p");',
    'f("am start -n x/.y");', 'f("dumpsys package " + quoted);', 'f("wm size");', 'f("x=$(date)");',
    'f("settings put global " + x);',
    'f(R"(run-as x)");', 'auto x = "echo ${D#*|}";',
]
GOOD_ELSEWHERE = [
    'f("install requires an argument");', 'f("cmd");', '// getprop ro.serialno',
    'fail(Errc::unknown, "screencap -p failed");',
    'f("read --all requires JSON output");', 'f("the settings list");', '#include "getprop x"',
]
BAD_TABLE = {"runtime/android/x.hpp": "std::string odd_line();\n",
             "runtime/android/y.hpp": "std::vector<PhoneQuestion> odd_questions();\n",
             TABLE: "samples.push_back({});"}
GOOD_TABLE = {"runtime/android/x.hpp": "std::string odd_line();\nWords do_words(int);\n",
              TABLE: 'f("odd_line", odd_line()); do_words(1);'}


def prove_the_rules():
    for check, bad, good in ((check_builder, BAD_BUILDERS, GOOD_BUILDERS),
                             (check_other, BAD_ELSEWHERE, GOOD_ELSEWHERE)):
        for source in bad:
            assert list(check(source)), f"passed: {source}"
        for source in good:
            assert not list(check(source)), f"refused: {source}: {list(check(source))}"
    assert len(list(check_samples(BAD_TABLE))) == 2 and not list(check_samples(GOOD_TABLE))


if __name__ == "__main__":
    prove_the_rules()
    for file, number, message in findings(pathlib.Path(__file__).resolve().parents[2]):
        print(f"{file}:{number}: {message}")
