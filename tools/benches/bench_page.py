#!/usr/bin/env python3
"""Writes what was measured, from docs/bench/*.json: docs/internals/benchmarks.md, and the few ratios README.md shows.
Every bench calls it at its end.

usage: tools/benches/bench_page.py [--check]        --check only looks"""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
REPORTS = ROOT / "docs/bench"
PAGE, README = ROOT / "docs/internals/benchmarks.md", ROOT / "README.md"
BEGIN, END = "<!-- ratios: written by tools/bench -->", "<!-- end of ratios -->"

INTRO = """# Benchmarks

These tables compare the program with adb and with its own earlier versions. The benches write this page from
[docs/bench](../bench), one small file a run; do not edit it by hand. They measure whole processes. Both programs take
turns within one run, so a noisy machine affects both in the same way. A ratio is the median of the rounds' own ratios;
below 1 this program is faster. No real phone was measured.
"""

# Title, reports, what a reader must know. A report without a section gets one of its own at the end.
SECTIONS = [
    ("The main job", ["main-job"],
     """`tools/bench --name main-job`. `floor` is the least a client can do: a raw socket that runs one shell command.
simdroid is the simulated phone with profile `zero` behind Debian's adb server 29. adbd is Debian 13's adbd 34 with
mksh, toybox and small programs for am, pm, logcat and screencap. Its screencap prints a stored picture, so adb hardly
waits for it there. `directly` means a new connection each time, while adb's server is connected already; the missing
hundredths there are adbd's own greeting."""),
    ("Compared with the version before the study of real phones", ["before-phones"],
     "`tools/bench --name before-phones --before BINARY`: the same commands of an earlier clawperator."),
    ("Compared with the version before the code was restructured", ["before-house"],
     """`tools/bench --name before-house --on simdroid --pairs 121 --before BINARY`: the version of commit 98e7fc7,
before CLI11, one base, one resolver and typed requests. The newer version also contains the HTTP server."""),
    ("Compared with the version before the code became smaller", ["before-smaller"],
     """`tools/bench --name before-smaller --pairs 121 --before BINARY`: the version of commit fa4c94c, which does the
same in 1058 files and 95,739 lines of src. The newer version has 715 files and 87,409 lines."""),
    ("The warm runtime", ["warm"],
     """`tools/bench --name warm`, on one simulated phone, profile `zero`. `serve` and a client of raw sockets take
turns; both keep a link to the phone. The floor is the same broadcast and the log's line, or the same `screencap`, and
nothing else. In the rows with 32 phones each phone has a client of its own that never pauses. Phones, clients and
server share the processors. Phones of profile `zero` take no time for their actions, so the floor alone fills the
processors: that ratio is the server's cost. The idle server has no adb server, and searches for one every three
seconds."""),
    ("Tools of MCP, and --verify", ["mcp"],
     """`tools/bench --name mcp`, on one simulated phone, profile `zero`. The tool `tap` over stdio takes turns with
POST /execute of the same click (the floor). `click --verify changed` takes turns with `exec` of the same steps: tree,
click, 300 ms, tree."""),
    ("The inspector", ["inspector"],
     """`tools/bench --name inspector`, on one simulated phone, profile `zero`, in headless Chromium; medians of 20. The
agent's step is POST /execute of a click with 300 ms and the tree behind it; the floor is the same step while no page
watches."""),
    ("Files", ["files-push", "files-pull-random", "files-pull-text", "files-10-mib"],
     """`tools/benches/bench_files.py`. Files of 256 MiB in memory, compared with adb 34 through its own server unless
the row names 29; both ends are on one machine of two cores. Without compression, a transfer through adb's server is the
work of the server and the phone: such rows are 1.0 within their spread. A pull writes a new name. Over an existing file
adb frees the old one first, while this program keeps it until the new one is complete."""),
    ("Files through adb's server, with more rounds", ["files-by-server", "files-by-server-any"],
     "`tools/benches/bench_files.py --pairs 31 --only TEXT`."),
    ("Commands for the host", ["host"],
     """`tools/benches/bench_host.py`, on simdroid with profile `phone`, while a build kept the second core busy. The
comparison is the chain of adb calls that does the same, unless the row names another one."""),
    ("Skills", ["skills"],
     """`tools/benches/bench_skills.py`, on simdroid with profile `zero`. The comparisons are node, which reads the same
registry and prints it (the program that this one replaces runs in Node), node alone, and one `adb shell true` with the
script: `skills run` also sends the phone one query. `floor` is the script."""),
    ("Agent skills", ["agent-skills"],
     """`tools/benches/bench_agent_skills.py`. The comparison is node, which reads the same thousand files and does
nothing with them. The last row changes one file and sends a request to a server that has read them all, with curl; its
comparison is `/healthz` with curl."""),
    ("USB", ["usb"],
     """`tools/benches/bench_usb`, in an emulated guest (qemu without KVM, whose clock counts instructions) with the
real adbd 34. This program connects to the phone again each time; adb's server is running. Only the ratios are
meaningful."""),
]

# For README: what, the report, its device and row, and whom it is compared with.
HEADLINES = [
    ("`adb shell true`, connecting anew", "main-job", "simdroid", "adb shell true, directly",
     "`adb shell true`, its server connected"),
    ("`click`: resolve, dispatch, await the result", "main-job", "simdroid", "click", "`adb shell true`"),
    ("`snapshot` of a screen of 60 KB", "main-job", "simdroid", "snapshot, 60 KB", "`adb shell true`"),
    ("`screenshot`", "main-job", "simdroid", "screenshot, passed through", "`adb exec-out screencap -p`"),
    ("`doctor`", "host", "simdroid", "doctor", "the chain of adb calls that asks the same"),
    ("`adb push` of 256 MiB, directly", "files-push", "adbd", "push random none, direct", "adb 34"),
    ("`adb pull` of 256 MiB, directly", "files-pull-random", "adbd", "pull random none, direct", "adb 34"),
    ("`adb push` of 5000 files", "files-push", "adbd", "push 5000 files, server 29", "Debian's adb 29, same server"),
]


def report_of(name):
    return json.loads((REPORTS / f"{name}.json").read_text())


def rounded(value):
    """To six digits. With four, a number that is rounded again for the table can change its last digit there."""
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return round(value, 6) if isinstance(value, float) else value


def save(name, report):
    """One row a line, so that a diff shows which rows changed."""
    def lines(value):
        if not (isinstance(value, list) and value and isinstance(value[0], dict)):
            return json.dumps(value)
        return "[\n" + ",\n".join(f"  {json.dumps(row)}" for row in value) + "\n ]"
    REPORTS.mkdir(parents=True, exist_ok=True)
    parts = (f" {json.dumps(key)}: {lines(value)}" for key, value in rounded(report).items())
    (REPORTS / f"{name}.json").write_text("{\n" + ",\n".join(parts) + "\n}\n")


def bounds(target):
    texts = (("ratio", "<= {:.2f}x"), ("ms", "<= {} ms"), ("mib", "<= {} MiB"))
    return ", ".join(text.format(target[what]) for what, text in texts if what in target) or "-"


def number(milliseconds):
    return f"{milliseconds:.0f}" if milliseconds >= 100 else f"{milliseconds:.2f}"


def line_of(row):
    ratio = row["ratio"]
    ours, theirs = (f"{number(row[who]['median'])} ({number(row[who]['min'])})" for who in ("ours_ms", "theirs_ms"))
    beside = f" `{row['beside']}`" if "beside" in row else ""
    floor = number(row["floor_ms"]["median"]) if "floor_ms" in row else "-"
    target = bounds(row["target"])
    verdict = "missed: " + ", ".join(row["missed"]) if row["missed"] else "met" if target != "-" else "-"
    return (f"| {row['peer']} | {row['row']} | {ours} | {theirs}{beside}"
            f" | {ratio['median']:.2f} ({ratio['q1']:.2f}..{ratio['q3']:.2f}) | {floor} | {row['peak_mib']:.1f}"
            f" | {target} | {verdict} |")


def table(report):
    if "guest" in report:
        return usb_table(report)
    return warm_table(report) if "warm" in report else process_table(report) + figures_table(report)


def process_table(report):
    return "\n".join([
        f"Medians of {report['pairs']} interleaved rounds, {report['when']}, {report['machine']},"
        f" load {report['load'][0]:.1f} to {report['load'][1]:.1f}.", "",
        "| device | what | clawperator ms (best) | peer ms (best) | ratio (quartiles) | floor ms | peak MiB | target | "
        "|",
        "|---|---|---|---|---|---|---|---|---|", *map(line_of, report["rows"])]) + "\n"


def warm_line(row):
    """Ours and the floor's, what lies between them, the bounds and whether they hold."""
    texts = (("over_ms", "floor + {:g} ms"), ("p99_ratio", "p99 <= {:g}x"))
    bounds = ", ".join(text.format(row["target"][what]) for what, text in texts if what in row["target"])
    difference = row["difference_ms"]
    return (
        f"{number(row['ours_ms']['median'])} ({number(row['p99_ms']['ours'])}) | {number(row['floor_ms']['median'])}"
        f" ({number(row['p99_ms']['floor'])}) | {difference['median']:+.2f} "
        f"({difference['q1']:+.2f}..{difference['q3']:+.2f})"
        f" | {row['rounds']} | {bounds} | {'missed: ' + ', '.join(row['missed']) if row['missed'] else 'met'}")


def figure_line(row):
    bound = f"<= {row['most']:g}" if "most" in row else f">= {row['least']:g}" if "least" in row else "-"
    return (f"{row['value']:.2f} {row['unit']} | {bound} | "
            f"{'missed' if row['missed'] else 'met' if bound != '-' else '-'}")


def figures_table(report):
    if "figures" not in report:
        return ""
    return "\n".join(["", "| what | | target | |", "|---|---|---|---|",
                      *(f"| {row['row']} | {figure_line(row)} |" for row in report["figures"]), ""])


def warm_table(report):
    rows = [f"| {row['row']} | {warm_line(row)} |" for row in report["warm"]]
    return "\n".join([
        f"Medians and p99 of rounds in turns, {report['when']}, {report['machine']},"
        f" load {report['load'][0]:.1f} to {report['load'][1]:.1f}.", "",
        "| request | serve ms (p99) | floor ms (p99) | difference ms (quartiles) | rounds | target | |",
        "|---|---|---|---|---|---|---|",
        *rows, ""]) + figures_table(report) + ("\n" + process_table(report) if "rows" in report else "")


def usb_table(report):
    rows = [
        f"| {row['what']} | {row['ours_ms']['median']:.0f} | {row['theirs_ms']['median']:.0f} | "
        f"{row['speed_up']['median']:.2f} |"
        for row in report["rows"]]
    return "\n".join(
        [f"Medians of {report['rounds']} rounds, {report['when']}, {report['speed']} speed, {report['guest']}.", "",
         "| what | clawperator ms | adb ms | times as fast |", "|---|---|---|---|", *rows]) + "\n"


def page():
    named = {name for _, names, _ in SECTIONS for name in names}
    others = sorted(path.stem for path in REPORTS.glob("*.json") if path.stem not in named)
    sections = SECTIONS + [(name, [name], f"`docs/bench/{name}.json`.") for name in others]
    return INTRO + "".join(f"\n## {title}\n\n{text}\n" + "".join("\n" + table(report_of(name)) for name in names)
                           for title, names, text in sections)


def headline(what, name, device, row_name, other):
    row = next(row for row in report_of(name)["rows"] if (row["peer"], row["row"]) == (device, row_name))
    ours, theirs = (number(row[who]["median"]) for who in ("ours_ms", "theirs_ms"))
    return f"| {what} | {ours} | {theirs} {other} | {row['ratio']['median']:.2f} |"


def readme():
    text = README.read_text()
    ratios = "\n".join(["| what | clawperator, ms | beside it, ms | ratio |", "|---|---|---|---|",
                        *(headline(*each) for each in HEADLINES)])
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    return f"{before}{BEGIN}\n{ratios}\n{END}{after}"


def write():
    PAGE.write_text(page())
    README.write_text(readme())


def main():
    if sys.argv[1:] != ["--check"]:
        return write()
    stale = [path.name for path, text in ((PAGE, page()), (README, readme())) if path.read_text() != text]
    if stale:
        sys.exit(f"tools/benches/bench_page.py: not what docs/bench says: {', '.join(stale)}")


if __name__ == "__main__":
    main()
