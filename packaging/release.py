"""What the makers of packages share: the time and the architecture of a release, entries of zip archives, and how a
tarball that packaging/tarball wrote is read."""
import datetime
import os
import pathlib
import platform
import re
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUMMARY = "A hand for LLM agents on Android: one native program that speaks ADB's protocols itself"
MACHINES = {62: "x86_64", 183: "aarch64"}  # e_machine of ELF
EARLIEST = (1980, 1, 1, 0, 0, 0)  # the first moment that a zip can name
NAME = re.compile(r"clawperator-([0-9][0-9A-Za-z.+~-]*)-linux-(x86_64|aarch64)\.tar\.gz")
# install.sh belongs to the tarball; the units name a program in a place where these packages do not put it.
LEFT_OUT = ("install.sh", "lib/systemd", "lib/udev", "lib/sysusers.d")


def moment():
    """Of all files of a release: SOURCE_DATE_EPOCH, else the version's date."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc)
    date = re.search(r"CLAWPERATOR_VERSION_DATE (\S+?)\)", (ROOT / "CMakeLists.txt").read_text()).group(1)
    return datetime.datetime.fromisoformat(date + "T00:00:00+00:00")


def arch_of(program):
    with open(program, "rb") as file:
        machine = int.from_bytes(file.read(20)[18:20], "little")
    if machine not in MACHINES:
        raise SystemExit(f"{program} is for no machine that is known here ({machine})")
    return MACHINES[machine]


def runs(program):
    """The words that run a program on this machine, which may be of another architecture."""
    arch = arch_of(program)
    return [program] if arch == platform.machine() else [f"qemu-{arch}-static", program]


def add_to_zip(archive, name, mode, content):
    """The same content gives the same bytes."""
    entry = zipfile.ZipInfo(name, EARLIEST)
    entry.create_system = 3  # its modes are Unix's
    entry.external_attr = (0o100000 | mode) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)


def version_and_arch(path):
    found = NAME.fullmatch(pathlib.Path(path).name)
    if not found:
        raise SystemExit(f"{path} is not named like a tarball of packaging/tarball")
    return found.groups()


def files(path):
    """(its name in the tree, its mode, its bytes) of each file, in order."""
    with tarfile.open(path) as tar:
        for entry in tar:
            name = entry.name.partition("/")[2]
            if entry.isfile() and not any(name == left or name.startswith(left + "/") for left in LEFT_OUT):
                yield name, entry.mode, tar.extractfile(entry).read()
