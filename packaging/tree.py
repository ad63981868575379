"""A tarball that packaging/tarball wrote, as the other packages take it in."""
import pathlib
import re
import tarfile

NAME = re.compile(r"clawperator-([0-9][0-9A-Za-z.+~-]*)-linux-(x86_64|aarch64)\.tar\.gz")
# install.sh belongs to the tarball; the units name a program in a place where these packages do not put it.
LEFT_OUT = ("install.sh", "lib/systemd", "lib/udev", "lib/sysusers.d")


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
