"""The completion scripts in the shells they are for, against the simulated device."""
import json
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import threading
import time

from limits import LIMIT_S, scaled

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PACKAGE = "com.android.settings"


def prepared(place, shell):
    """A folder with `clawperator` to put into PATH, and the completion script."""
    if not shutil.which(shell):
        raise place.Mismatch(f"no {shell} here (tools/install_packages test)")
    folder = place.sandbox / "bin"
    folder.mkdir(exist_ok=True)
    link = folder / "clawperator"
    if not link.exists():
        link.symlink_to(place.binary)
    script = place.sandbox / f"completion.{shell}"
    script.write_bytes(place.run("completion", shell).stdout)
    avds = place.sandbox / ".android/avd"
    avds.mkdir(parents=True, exist_ok=True)
    (avds / "pixel_7.ini").write_text("path=/nowhere\n")
    (place.sandbox / "flow.ndjson").write_text("")
    env = {**place.env, "PATH": f"{folder}:{place.env['PATH']}", "TERM": "dumb"}
    return script, env


def bash(place, line):
    """The words bash offers, as COMPREPLY has them: the part after the last word break."""
    script, env = prepared(place, "bash")
    done = subprocess.run(["bash", "--norc", HERE / "complete.bash", script, line], env=env,
                          cwd=place.sandbox, capture_output=True, text=True, timeout=LIMIT_S)
    if done.stderr:
        raise place.Mismatch(f"bash on {line!r}: {done.stderr}")
    return done.stdout.split()


def fish(place, line):
    script, env = prepared(place, "fish")
    done = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C {quoted(line)}"],
                          env=env, cwd=place.sandbox, capture_output=True, text=True, timeout=LIMIT_S)
    if done.stderr:
        raise place.Mismatch(f"fish on {line!r}: {done.stderr}")
    return [row.split("\t")[0] for row in done.stdout.splitlines()]


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def zsh(place, line):
    """zsh completes in a line editor only: complete.zsh starts one in a terminal of its own."""
    script, env = prepared(place, "zsh")
    (place.sandbox / "zsh-line").write_text(line)
    done = subprocess.run(["zsh", "-f", HERE / "complete.zsh", script], env=env, cwd=place.sandbox,
                          capture_output=True, text=True, timeout=LIMIT_S)
    found = re.search(r"<<<(.*?)>>>", done.stdout, re.DOTALL)
    if not found:
        raise place.Mismatch(f"zsh on {line!r} said {done.stdout!r} {done.stderr!r}")
    return found.group(1).split()


SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}


def offers(line, wanted, unwanted=(), exact=False):
    def check(complete):
        def run(place):
            serial = place.device.serial if place.device else ""
            found = complete(place, line.replace("SERIAL", serial))
            missing = [word for word in wanted if word not in found]
            present = [word for word in unwanted if word in found]
            if missing or present or (exact and sorted(found) != sorted(wanted)):
                raise place.Mismatch(f"{line!r}: missing {missing}, unwanted {present} in {found[:60]}")
        return run
    return check


def offers_serial(line):
    """Where a shell breaks words at colons it offers the part behind the last one only."""
    def check(complete):
        def run(place):
            found = complete(place, line)
            serial = place.device.serial
            if not {serial, serial.replace(":", r"\:")} & set(found):
                raise place.Mismatch(f"{line!r}: no {serial} in {found[:60]}")
        return run
    return check


def colon_prefix(place):
    host, port = place.device.serial.rsplit(":", 1)
    found = bash(place, f"clawperator --device {host}:{port[0]}")
    if found != [port]:
        raise place.Mismatch(f"bash replaces what follows the colon only; wanted {[port]}, got {found}")


# row, needs a device, the check of one shell
CASES = [
    ("commands by prefix", False, offers("clawperator scroll-", ["scroll-until", "scroll-and-click"], exact=True)),
    ("all commands", False, offers("clawperator ", ["snapshot", "emulator", "doctor"])),
    ("flags of a command", False, offers("clawperator snapshot --f", ["--format"], ["--ref"])),
    ("flags of a synonym", False, offers("clawperator take-screenshot --ma", ["--max-side", "--marks"])),
    ("global flags", False, offers("clawperator click --operator", ["--operator-package"])),
    ("values of a closed set", False,
     offers("clawperator snapshot --format ", ["xml", "compact", "nodes"], exact=True)),
    ("values of a global flag", False, offers("clawperator click --output ", ["json", "pretty", "brief"], exact=True)),
    # [F50]
    ("subcommands of adb", False, offers("clawperator adb ", ["devices", "shell", "wait-for-device"], ["--device"])),
    ("roles", False, offers("clawperator click --role ", ["button", "textfield"])),  # [F50]
    ("positional words", False, offers("clawperator scroll d", ["down"], exact=True)),
    ("subcommands", False, offers("clawperator emulator st", ["start", "stop", "status"], exact=True)),
    ("virtual devices", False, offers("clawperator emulator start ", ["pixel_7"])),
    ("files of an option", False, offers("clawperator operator setup --apk fl", ["flow.ndjson"], exact=True)),
    ("files or folders of an option", False,
     offers("clawperator recording export --input fl", ["flow.ndjson"], exact=True)),
    ("a command after a flag's value", False, offers("clawperator --device X snapsh", ["snapshot"], exact=True)),
    ("serials", True, offers_serial("clawperator --device ")),
    ("serials after the command", True, offers_serial("clawperator snapshot --device ")),
    ("packages of close", True, offers("clawperator close com.android.s", [PACKAGE])),
    ("packages of open", True, offers("clawperator open com.android.s", [PACKAGE])),
    ("packages of --app", True, offers("clawperator open --app com.android.s", [PACKAGE])),
    ("packages of the named device", True, offers("clawperator --device SERIAL close com.android.s", [PACKAGE])),
    ("packages of an absent device", True, offers("clawperator --device nowhere close com.", [], [PACKAGE])),
    ("nothing without a device", False, offers("clawperator close com.", [], [PACKAGE])),
]


# What phones and networks may call themselves; each would make a file in a shell that acts on it.
HOSTILE = ["<(touch owned-1)", ">(touch owned-2)", "$(touch owned-3)", "`touch owned-4`", "x;touch owned-5",
           "x|touch${IFS}owned-6", "x&touch${IFS}owned-7", "{a,b}", "*", "~root", "x>owned-8", "-rf", "a\\", "'a",
           '"a', "(touch owned-9)", "x\x1b[2J", "x\u009b2J", "x\u202ey", "=ls", "%self", "!!", "#x"]
PLAIN = ["com.example.plain_1", "plain-2"]


def nothing_was_run(place):
    owned = sorted(path.name for path in place.sandbox.rglob("owned*"))
    if owned:
        raise place.Mismatch(f"a name was run: {owned}")


def hostile_candidates_are_text(complete):
    """Whatever the program says: a shell repeats it and runs none of it."""
    def check(place):
        folder = place.sandbox / "bin"
        folder.mkdir()
        (place.sandbox / "names").write_text("\n".join(HOSTILE + PLAIN) + "\n")
        (folder / "clawperator").write_text(f'#!/bin/sh\ncat "{place.sandbox}/names"\n')
        (folder / "clawperator").chmod(0o755)
        for line in ("clawperator close ", "clawperator --device ", "clawperator close plain"):
            found = complete(place, line)
            if "plain-2" not in found:
                raise place.Mismatch(f"{line!r}: {found}")
            nothing_was_run(place)
    return check


class HostileServer:
    """An adb server whose devices and packages are called HOSTILE and PLAIN."""
    DEVICES = "".join(f"{name:<22} device product:p model:m device:d transport_id:{i + 1}\n"
                      for i, name in enumerate(HOSTILE + PLAIN)).encode()
    PACKAGES = "".join(f"package:{name}\n" for name in HOSTILE + PLAIN).encode()

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client = self.socket.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        with client, client.makefile("rb") as reader:
            size = reader.read(4)
            while len(size) == 4:
                answer, goes_on = self.answer(reader.read(int(size, 16)).decode())
                client.sendall(b"OKAY" + answer)
                if not goes_on:
                    return
                size = reader.read(4)

    def answer(self, request):
        """The bytes behind OKAY, and whether the connection goes on."""
        def text(payload):
            return b"%04x" % len(payload) + payload, False
        if request.startswith(("host:tport", "host:transport")):
            return (struct.pack("<Q", 1) if "tport" in request else b""), True
        if "version" in request:
            return text(b"0029")
        if "features" in request:
            return text(b"cmd,shell_v2")
        if "devices" in request:
            return text(self.DEVICES)
        if request.startswith("shell,v2"):
            return struct.pack("<BI", 1, len(self.PACKAGES)) + self.PACKAGES + b"\3\1\0\0\0\0", False
        return self.PACKAGES, False

    def close(self):
        self.socket.close()


def hostile_names_are_no_candidates(place):
    server = HostileServer()
    env = {"ANDROID_ADB_SERVER_PORT": str(server.port), "ADB_MDNS": "0"}
    avds = place.sandbox / ".android/avd"
    avds.mkdir(parents=True)
    for name in PLAIN + [name for name in HOSTILE if "/" not in name]:
        (avds / f"{name}.ini").write_text("path=/nowhere\n")
    try:
        for kind in ("serials", "packages", "avds"):
            done = place.run("completion", "--candidates", kind, "--", "--device", "plain-2", env=env)
            if done.stdout.decode().splitlines() != sorted(PLAIN):
                raise place.Mismatch(f"{kind}: {done}")
    finally:
        server.close()


def bash_offers_names_with_blanks_whole(place):
    script, env = prepared(place, "bash")
    (place.sandbox / "my flow.apk").write_text("")
    done = subprocess.run(["bash", "--norc", HERE / "complete.bash", script, "clawperator setup --apk my"], env=env,
                          cwd=place.sandbox, capture_output=True, text=True, timeout=LIMIT_S)
    if done.stdout != "my flow.apk\n":
        raise place.Mismatch(done)


def candidates_are_silent(place):
    for kind in ("serials", "packages"):
        start = time.monotonic()
        done = place.run("completion", "--candidates", kind, "--", "--log-level", "loud")
        if (done.returncode, done.stdout, done.stderr) != (0, b"", b""):
            raise place.Mismatch(f"{kind}: {done}")
        if time.monotonic() - start > scaled(4):
            raise place.Mismatch(f"{kind} took {time.monotonic() - start:.1f} s")


def candidates_are_bounded_in_time(place):
    """A device that never answers is given up after about a second."""
    place.device.simctl("fault", "link-stall", "0")
    start = time.monotonic()
    done = place.run("completion", "--candidates", "packages")
    took = time.monotonic() - start
    if done.returncode != 0 or done.stdout or took > scaled(4):
        raise place.Mismatch(f"{done} after {took:.1f} s")


def man_page_is_clean(place):
    page = place.sandbox / "clawperator.1"
    page.write_bytes(place.run("man").stdout)
    if not shutil.which("mandoc"):
        raise place.Mismatch("no mandoc here (tools/install_packages test)")
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page], capture_output=True, text=True)
    if done.returncode != 0 or done.stdout or done.stderr:
        raise place.Mismatch(done.stdout[:2000] + done.stderr[:2000])
    shown = subprocess.run(["mandoc", "-T", "ascii", page], capture_output=True, text=True, check=True).stdout
    plain = re.sub(".\b", "", shown)
    for text in ("CLAWPERATOR(1)", "--container-text", "EXIT STATUS", "ANDROID_SERIAL", "DEVICE_NOT_FOUND",
                 "clawperator click --text \"Wi-Fi\""):
        if text not in plain:
            raise place.Mismatch(f"the page lacks {text!r}")


INSTALLED = {
    "bin/clawperator": b"\x7fELF",
    "bin/simdroid": b"\x7fELF",
    "share/man/man1/clawperator.1": b".TH CLAWPERATOR 1",
    "share/bash-completion/completions/clawperator": b"# bash completion for clawperator",
    "share/clawperator/skills/clawperator/SKILL.md": b"---\nname: clawperator\n",
    "share/zsh/site-functions/_clawperator": b"#compdef clawperator",
    "share/fish/vendor_completions.d/clawperator.fish": b"# fish completion for clawperator",
    "lib/systemd/user/clawperator.service": b"[Unit]",
    "lib/systemd/user/clawperator.socket": b"[Unit]",
    "lib/systemd/system/clawperator-serve.service": b"# Not enabled by itself",
    "lib/udev/rules.d/70-clawperator.rules": b"# Android devices",
    "share/man/man1/simdroid.1": b".TH SIMDROID 1",
}
# The example skills, as they stand in the repository.
INSTALLED.update({f"share/clawperator/skills-repo/{path.relative_to(ROOT)}": path.read_bytes()
                  for path in (ROOT / "skills").rglob("*") if path.is_file()})


def installing_puts_all_in_place(place):
    root = place.sandbox / "root"
    for part in ("clawperator", "simdroid"):
        done = subprocess.run(["cmake", "--install", pathlib.Path(place.binary).parent, "--prefix", "/usr",
                               "--component", part], env={**place.env, "DESTDIR": str(root)},
                              capture_output=True, text=True, timeout=2 * LIMIT_S)
        if done.returncode != 0:
            raise place.Mismatch(done.stdout[-1000:] + done.stderr[-1000:])
    files = {str(path.relative_to(root / "usr")) for path in root.rglob("*") if path.is_file()}
    licences = {name for name in files if re.fullmatch(r"share/doc/(clawperator|simdroid)/linked/.*\.copyright", name)}
    if files - licences != set(INSTALLED):
        raise place.Mismatch(f"installed: {sorted(files)}")
    for name, start in INSTALLED.items():
        if not (root / "usr" / name).read_bytes().startswith(start):
            raise place.Mismatch(f"{name} does not begin with {start!r}")
    script = root / "usr/share/clawperator/skills-repo/skills/com.android.settings.open-row/scripts/run.sh"
    if not os.access(script, os.X_OK):
        raise place.Mismatch("run.sh of the example skill cannot be executed")
    licences_are_there(place, root, licences)
    units = root / "usr/lib/systemd"
    for unit, words in (("user/clawperator.service", "daemon run "), ("system/clawperator-serve.service", "serve ")):
        if f"\nExecStart=/usr/bin/clawperator {words}" not in (units / unit).read_text():
            raise place.Mismatch(f"{unit} does not start the installed program")
        # [S14] 6.4 of 10; without its limits it is 9.6. What needs privileges cannot be set by a user's manager.
        unit_is_valid(place, units / unit, root / "usr/bin/clawperator", 65 if unit.startswith("user/") else 25)
    # A build with a sanitizer has a library of its own, which is not installed.
    env = {**place.env, "LD_LIBRARY_PATH": str(pathlib.Path(place.binary).parent)}
    found = subprocess.run([root / "usr/bin/clawperator", "skills", "list"], env=env, cwd=place.sandbox,
                           capture_output=True, text=True, timeout=LIMIT_S)
    if "com.android.settings.open-row" not in found.stdout:
        raise place.Mismatch(f"the installed program does not find the example skills: {found}")


def licences_are_there(place, root, licences):
    """Of each package that the program says it is made of."""
    linked = json.loads(place.run("version", "--json").stdout)["libraries"]["linked"]
    wanted = {f"share/doc/clawperator/linked/{each['package']}.copyright" for each in linked}
    got = {name for name in licences if name.startswith("share/doc/clawperator/")}
    if got != wanted or shutil.which("dpkg-query") and len(wanted) < 10:
        raise place.Mismatch(f"licence texts {sorted(got)}, linked in {sorted(wanted)}")
    empty = [name for name in licences if (root / "usr" / name).stat().st_size < 200]
    if empty:
        raise place.Mismatch(f"no licence texts: {empty}")


def unit_is_valid(place, service, program, most):
    """As systemd reads it; the program is where it was installed to."""
    if shutil.which("systemd-analyze") is None:
        print("SKIP: installing puts all in place: systemd-analyze is not there")
        return
    service.write_text(service.read_text().replace("/usr/bin/clawperator", str(program)))
    manager = ["--user"] if service.parent.name == "user" else []
    done = subprocess.run(["systemd-analyze", *manager, "--man=no", "verify", *service.parent.iterdir()],
                          env=place.env, capture_output=True, text=True, timeout=LIMIT_S)
    if done.returncode != 0 or done.stdout + done.stderr != "":
        raise place.Mismatch(f"systemd-analyze: {done.returncode} {done.stdout} {done.stderr}")
    done = subprocess.run(["systemd-analyze", "security", "--offline=yes", "--no-pager", f"--threshold={most}",
                           service],
                          env=place.env, capture_output=True, text=True, timeout=LIMIT_S)
    if done.returncode != 0:
        raise place.Mismatch(f"systemd-analyze security: {done.stdout[-600:]} {done.stderr}")


CHECKS = [(f"{name}: {row}", needs_device, check(complete))
          for name, complete in SHELLS.items() for row, needs_device, check in CASES]
CHECKS += [(f"{name}: hostile candidates are text", False, hostile_candidates_are_text(complete))
           for name, complete in SHELLS.items()]
CHECKS += [
    ("hostile names are no candidates", False, hostile_names_are_no_candidates),
    ("bash: names with blanks stay whole", False, bash_offers_names_with_blanks_whole),
    ("bash: serials behind a colon", True, colon_prefix),
    ("candidates are silent without a device", False, candidates_are_silent),
    ("candidates are bounded in time", True, candidates_are_bounded_in_time),
    ("installing puts all in place", False, installing_puts_all_in_place),
    ("the man page has no warning of mandoc", False, man_page_is_clean),
]
