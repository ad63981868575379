"""Chosen numbers have a reason: each constant of src that is a time or a bound has a comment on its line or above it. A
comment that ends with a colon counts for each of an unbroken group of constants below it. lint_layers.py calls
`findings`; tools/house/measure.py counts by the same rule."""
import re

UNIT = r"(?:milliseconds|seconds|minutes|hours|microseconds)"
DURATION = re.compile(rf"\b{UNIT}(?:\s+k\w+\s*\{{|[({{])\s*\d|\b\d[\d']*(?:ms|s|min|h|us)\b")
CONSTANT = re.compile(r"\b(?:constexpr|const)\b[^=;(]*?\b(k[A-Z]\w*)\s*(?:=|\{)")
BOUND = re.compile(r"k\w*(?:Max|Most|Limit|Bound|Least|Min|Attempt|Tries)s?(?![a-z])\w*")


def is_comment(line):
    return line.lstrip().startswith("//")


def has_reason(lines, at):
    if "//" in lines[at] or at > 0 and is_comment(lines[at - 1]):
        return True
    while at > 0 and CONSTANT.search(lines[at - 1]):
        at -= 1
    return at > 0 and is_comment(lines[at - 1]) and lines[at - 1].endswith(":")


def constants(text):
    """(line number, name, is a time, has a reason) of those that are numbers."""
    lines = text.splitlines()
    for at, line in enumerate(lines):
        found = CONSTANT.search(line)
        if not found:
            continue
        statement = " ".join(each.split("//")[0] for each in lines[at:at + 3]).split(";")[0]
        is_time = DURATION.search(statement) is not None
        if is_time or BOUND.fullmatch(found[1]) and re.search(r"\d", statement[found.end():]):
            yield at + 1, found[1], is_time, has_reason(lines, at)


def without_reason(root):
    """(file, line number, name) below root/src."""
    for file in sorted((root / "src").rglob("*.[ch]pp")):
        for number, name, _, is_said in constants(file.read_text(encoding="utf-8")):
            if not is_said:
                yield file, number, name


def findings(root):
    """(file, line, message)"""
    for file, number, name in without_reason(root):
        yield file, number, f"{name} needs its reason, on its line or above it: why this number?"


BAD = [
    "constexpr auto kLook = std::chrono::milliseconds(50);", "inline constexpr std::size_t kMaxLine = 4096;",
    "static constexpr std::size_t kMost = 16;",
    "constexpr std::chrono::milliseconds kPause{400};", "constexpr int kAttempts = 4;",
    "constexpr auto kStopLimit =\n    std::chrono::seconds(5);", "constexpr auto kPause = 400ms;",
    "// A reason.\n\nconstexpr int kLimits = 3;",
    "// Of the first alone.\nconstexpr int kHead = 5;\nconstexpr int kMaxBody = 9;",
    "// Of the group:\nconstexpr int kHead = 5;\n\nconstexpr int kMaxBody = 9;",
]
GOOD = [
    "constexpr auto kLook = std::chrono::milliseconds(50);  // why", "// why\nconstexpr int kMost = 16;",
    "constexpr int kMaxTwice = 2 * kMaxOnce;  // why",
    "constexpr std::string_view kMost = \"nothing\";", "constexpr int kMinor = 100;", "constexpr int kMaxLine = kLine;",
    "// Of the group:\nconstexpr int kHead = 5;\nconstexpr int kMaxBody = 9;\nconstexpr int kMaxTail = 9;",
    "constexpr int kPort = 5037;",
]


def prove_the_rules():
    for source in BAD:
        assert not all(is_said for *_, is_said in constants(source)), f"passed: {source}"
    for source in GOOD:
        assert all(is_said for *_, is_said in constants(source)), f"refused: {source}"
