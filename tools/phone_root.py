"""A root of a phone's shape for the calling process alone: what it starts sees mksh, toybox, the stub
programs and the folder of the phone's state, and no file of this machine.

    /system /lib* /apex   build/peers/phone (tools/build_phone), not to be written to
    /product/bin          the stub programs
    /data/local/tmp       a phone's own, as /sdcard and /dev
    $PHONE_STATE          under the name that it has outside

Needs a mount namespace that may be changed, and a process namespace of its own.
"""
import ctypes
import os
import pathlib
import tempfile

# Of <sys/mount.h>.
READ_ONLY, NO_SUID, NO_DEVICES, NO_EXECUTION, REMOUNT = 1, 2, 4, 8, 1 << 5
NO_ACCESS_TIMES, NO_FOLDER_TIMES, RELATIVE_TIMES = 1 << 10, 1 << 11, 1 << 21
BIND, RECURSIVE, PRIVATE = 1 << 12, 1 << 14, 1 << 18
# What a mount has in a user namespace it must keep; these bits are the same in statvfs, the last one is not.
KEPT = NO_SUID | NO_DEVICES | NO_EXECUTION | NO_ACCESS_TIMES | NO_FOLDER_TIMES
STATVFS_RELATIVE_TIMES = 1 << 12
NEW_MOUNTS, DETACH = 0x20000, 2
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
LINKS = {"bin": "system/bin", "etc": "system/etc", "sdcard": "storage/emulated/0",
         "dev/ptmx": "pts/ptmx", "dev/fd": "/proc/self/fd", "dev/stdin": "fd/0", "dev/stdout": "fd/1",
         "dev/stderr": "fd/2"}
FOLDERS = ("dev/pts", "dev/shm", "proc", "storage/emulated/0", "data/local/tmp", "product/bin")

libc = ctypes.CDLL(None, use_errno=True)


def checked(result, what):
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def mount(source, target, kind=None, flags=0, options=None):
    words = [word and str(word).encode() for word in (source, target, kind)]
    checked(libc.mount(*words, ctypes.c_ulong(flags), options and options.encode()), f"mount {target}")


def bind(source, target, flags=0):
    source, target = pathlib.Path(source), pathlib.Path(target)
    if source.is_dir():
        target.mkdir(parents=True, exist_ok=True)
    elif not target.exists():
        target.touch()
    mount(source, target, flags=BIND)
    if flags:
        has = os.statvfs(target).f_flag
        kept = has & KEPT | (RELATIVE_TIMES if has & STATVFS_RELATIVE_TIMES else 0)
        mount(None, target, flags=BIND | REMOUNT | flags | kept)


def mount_proc(root):
    try:
        mount("proc", root / "proc", "proc", NO_SUID | NO_DEVICES | NO_EXECUTION)
    except OSError:  # refused where the outer one is covered in part
        mount("/proc", root / "proc", flags=BIND | RECURSIVE)


def pivot(root):
    """The old root is out of reach afterwards; where the kernel cannot (initramfs), it is only out of sight."""
    os.chdir(root)
    if libc.syscall(PIVOT_ROOT[os.uname().machine], b".", b".") == 0:
        checked(libc.umount2(b".", DETACH), "umount")
    else:
        os.chroot(".")
    os.chdir("/")


def enter(phone, programs, state, shell=None):
    """`phone` as tools/build_phone leaves it, `programs` a folder, `shell` a file of `phone` in place of its sh."""
    checked(libc.unshare(NEW_MOUNTS), "unshare")
    mount(None, "/", flags=RECURSIVE | PRIVATE)
    root = pathlib.Path(tempfile.mkdtemp(prefix="root-", dir=state))
    mount("phone", root, "tmpfs", options="mode=0755")
    for folder in FOLDERS:
        (root / folder).mkdir(parents=True)
    for name, target in LINKS.items():
        (root / name).symlink_to(target)
    for folder in sorted(path for path in phone.iterdir() if path.is_dir()):
        bind(folder, root / folder.name, READ_ONLY)
    if shell:
        bind(phone / shell, root / "system/bin/sh")
    for device in DEVICES:
        bind(f"/dev/{device}", root / "dev" / device)
    mount("pts", root / "dev/pts", "devpts", options="newinstance,ptmxmode=0666")
    mount_proc(root)
    bind(programs, root / "product/bin", READ_ONLY)
    bind(state, root / state.relative_to("/"))
    pivot(root)
    root.rmdir()
