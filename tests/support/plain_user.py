"""Runs a program as an ordinary user of a computer that is no container, from any user and place:

    plain_user.py USER FOLDER [--container] [--no-netlink] -- PROGRAM [ARG]...

FOLDER becomes the user's own, and the working folder. Where we are root the root folder is replaced, in a mount
namespace, by one without the marks that container engines leave; --container puts one of them there. Exit code 3: it
cannot be done here."""
import ctypes
import errno
import os
import pathlib
import platform
import socket
import struct
import subprocess
import sys

UNAVAILABLE = 3
NEW_MOUNTS = 0x20000
MARKS = {"/.dockerenv", "/run/.containerenv", "/run/systemd/container"}
ENGINES = ("docker", "kubepods", "libpod", "lxc", "crio", "containerd")
SOCKET_CALLS = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}


def unavailable(why):
    print(why, file=sys.stderr)
    sys.exit(UNAVAILABLE)


def is_marked():
    return any(os.path.exists(mark) for mark in MARKS) or any(name in os.environ
                                                              for name in ("container", "KUBERNETES_SERVICE_HOST"))


def new_root(folder, container):
    """All of the old one but its marks."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(NEW_MOUNTS) != 0:
        unavailable("no mount namespace can be made here")
    root = pathlib.Path(folder) / "root"
    root.mkdir()
    for words in (["--make-rprivate", "/"], ["-t", "tmpfs", "none", str(root)]):
        if subprocess.run(["mount", *words], capture_output=True, check=False).returncode != 0:
            unavailable("no mounts can be made here")
    for old in pathlib.Path("/").iterdir():
        new = root / old.name
        if str(old) in MARKS or (old.name == "run"
                                 and any(os.path.exists(mark) for mark in MARKS if mark.startswith("/run/"))):
            continue
        if old.is_symlink():
            new.symlink_to(os.readlink(old))
        elif old.is_dir():
            new.mkdir()
            subprocess.run(["mount", "--rbind", str(old), str(new)], check=True)
    if container:
        (root / ".dockerenv").touch()
    (root / "old").mkdir()
    os.chdir(root)
    # Not chroot: who is in one may make no user namespace.
    for words in (["pivot_root", ".", "old"], ["umount", "-l", "/old"]):
        subprocess.run(words, check=True)
    os.rmdir("/old")


def refuse_netlink():
    """socket(AF_NETLINK, ...) is EPERM from now on, for us and what we become."""
    if platform.machine() not in SOCKET_CALLS:
        unavailable("no filter for this processor")
    architecture, number = SOCKET_CALLS[platform.machine()]
    load, equal, end = 0x20, 0x15, 0x06  # BPF_LD|W|ABS, BPF_JMP|JEQ|K, BPF_RET|K
    steps = [(load, 0, 0, 4), (equal, 0, 4, architecture), (load, 0, 0, 0), (equal, 0, 2, number), (load, 0, 0, 16),
             (equal, 1, 0, socket.AF_NETLINK), (end, 0, 0, 0x7FFF0000), (end, 0, 0, 0x00050000 | errno.EPERM)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(steps), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, program, 0, 0) != 0:  # NO_NEW_PRIVS, SECCOMP
        unavailable("no seccomp filter can be set here")
    try:
        socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4).close()
    except PermissionError:
        return
    unavailable("the seccomp filter lets netlink through")


def main():
    at = sys.argv.index("--")
    user, folder, *options = sys.argv[1:at]
    if os.getuid() != 0 and (is_marked() or "--container" in options):
        unavailable("only root can leave a container, or make one")
    if any(engine in pathlib.Path("/proc/self/cgroup").read_text() for engine in ENGINES):
        unavailable("the cgroups name a container")
    os.environ.pop("container", None)
    os.environ.pop("KUBERNETES_SERVICE_HOST", None)
    if os.getuid() == 0:
        os.chown(folder, int(user), int(user))
        new_root(folder, "--container" in options)
        os.setgroups([])
        os.setgid(int(user))
        os.setuid(int(user))
    os.chdir(folder)
    if "--no-netlink" in options:
        refuse_netlink()
    os.execvp(sys.argv[at + 1], sys.argv[at + 1:])


if __name__ == "__main__":
    main()
