"""What the guest boots, made without root: the kernel as an ELF file, and the files of its root
as a cpio archive.

    bookworm's kernel, modules, udev, busybox -> base
    trixie's adbd and adb, mksh, toybox       -> /device, the root that adbd sees
    programs of this build, a scenario        -> /test
"""
import dataclasses
import lzma
import os
import pathlib
import re
import stat
import struct
import subprocess
import zlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PARTS = ROOT / "build/peers/usb/root"
ADBD = ROOT / "build/peers/adbd/root"
PHONE = ROOT / "build/peers/phone"
PLATFORM_TOOLS = "usr/lib/android-sdk/platform-tools"
LIBRARIES = "usr/lib/x86_64-linux-gnu"
LOADER = "lib64/ld-linux-x86-64.so.2"
COMPILER = "clang-19"
MODULES = ["dummy_hcd", "usb_f_fs"]
ACCOUNTS = {
    "etc/passwd": b"root:x:0:0:root:/root:/bin/sh\nshell:x:2000:2000:shell:/tmp:/bin/sh\n",
    "etc/group": b"root:x:0:\nshell:x:2000:\n",
    "etc/machine-id": b"0123456789abcdef0123456789abcdef\n",
}


class Archive:
    """A cpio archive of the form `newc`; every path is named once, parents are made as needed."""

    def __init__(self):
        self.entries = {}

    def folder(self, path):
        for parent in [*reversed(pathlib.PurePath(path).parents), pathlib.PurePath(path)]:
            if str(parent) != ".":
                self.entries.setdefault(str(parent), (stat.S_IFDIR | 0o755, b""))

    def add(self, path, content, mode=0o644):
        self.folder(str(pathlib.PurePath(path).parent))
        self.entries[str(path)] = (stat.S_IFREG | mode, content)

    def link(self, path, target):
        self.folder(str(pathlib.PurePath(path).parent))
        self.entries[str(path)] = (stat.S_IFLNK | 0o777, os.fsencode(target))

    def copy(self, source, path):
        self.add(path, pathlib.Path(source).read_bytes(), os.stat(source).st_mode & 0o777)

    def write(self, file):
        for number, (path, (mode, content)) in enumerate(self.entries.items(), 1):
            self._write_one(file, number, path, mode, content)
        self._write_one(file, 0, "TRAILER!!!", 0, b"")

    @staticmethod
    def _write_one(file, number, path, mode, content):
        name = os.fsencode(path) + b"\0"
        fields = [number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name), 0]
        file.write(b"070701" + b"".join(b"%08X" % field for field in fields) + name)
        file.write(b"\0" * (-(110 + len(name)) % 4) + content + b"\0" * (-len(content) % 4))


def vmlinux():
    """The ELF kernel out of the bzImage: the guest's own decompressor would cost seconds."""
    image = next(PARTS.glob("boot/vmlinuz-*")).read_bytes()
    assert image[0x202:0x206] == b"HdrS", "not a bzImage"
    start = ((image[0x1F1] or 4) + 1) * 512
    offset, length = struct.unpack_from("<II", image, 0x248)
    payload = image[start + offset:start + offset + length]
    if payload.startswith(b"\xfd7zXZ\0"):
        kernel = lzma.LZMADecompressor().decompress(payload)
    elif payload.startswith(b"\x1f\x8b"):
        kernel = zlib.decompressobj(wbits=31).decompress(payload)
    else:
        raise ValueError(f"the kernel is compressed in an unknown way: {payload[:6].hex()}")
    assert kernel.startswith(b"\x7fELF"), "what the kernel unpacks to is no ELF file"
    return kernel


def add_modules(archive):
    """The wanted modules and what they depend on; /lib/m/order lists them in loading order."""
    files = {path.name.split(".")[0].replace("-", "_"): path for path in PARTS.rglob("*.ko*")}
    order = []

    def add(name):
        if name in order:
            return
        content = files[name].read_bytes()
        content = lzma.decompress(content) if files[name].suffix == ".xz" else content
        needs = re.search(rb"\0depends=([^\0]*)\0", content).group(1).decode()
        for needed in filter(None, needs.split(",")):
            add(needed.replace("-", "_"))
        archive.add(f"lib/m/{name}.ko", content)
        order.append(name)

    for name in MODULES:
        add(name)
    archive.add("lib/m/order", "\n".join(order).encode() + b"\n")


def add_busybox(archive):
    program = PARTS / "bin/busybox"
    archive.copy(program, "bin/busybox")
    names = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout.split()
    for name in set(names) - {"busybox"}:
        archive.link(f"bin/{name}", "busybox")
    for path, content in ACCOUNTS.items():
        archive.add(path, content)


def add_phone(archive, at):
    """A phone's shell and tools (tools/build_phone); they run with adbd's libraries, and those it has not."""
    for path in sorted((PHONE / "system").rglob("*")):
        inside = at + str(path.relative_to(PHONE))
        if path.is_symlink():
            archive.link(inside, os.readlink(path))
        elif path.is_file():
            archive.copy(path, inside)
    for library in (PHONE / "lib").iterdir():
        if not (ADBD / LIBRARIES / library.name).exists():
            archive.copy(library, f"{at}lib/{library.name}")
    for name in ("bin", "etc"):
        archive.link(at + name, f"system/{name}")
    archive.folder(at + "data/local/tmp")


def libraries_of(program, loader=(), library_path=""):
    """Paths of the shared libraries a program needs, and of its loader."""
    command = [*loader, "--list", program] if loader else ["ldd", program]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False,
                          env=os.environ | ({"LD_LIBRARY_PATH": library_path} if library_path else {}))
    if "not found" in done.stdout:
        raise FileNotFoundError(f"{program} lacks libraries:\n{done.stdout}")
    return re.findall(r"(/[^ ]+) \(0x", done.stdout)


LOADED_LIBRARIES = ("libusb-1.0.so.0", "libcrypto.so.3", "libssl.so.3", "libspng.so.0",
                    "libzstd.so.1")


def loaded_by(program):
    """Paths of the libraries that our programs open when they need them, by the names they hold."""
    held = pathlib.Path(program).read_bytes()
    known = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=True,
                           env=os.environ | {"PATH": os.environ["PATH"] + ":/sbin:/usr/sbin"}).stdout
    paths = dict(re.findall(r"^\s*(\S+) \(libc6,x86-64[^)]*\) => (\S+)$", known, re.MULTILINE))
    return [paths[name] for name in LOADED_LIBRARIES if name.encode() in held]


def add_program(archive, program, at):
    """A program of this machine with its libraries."""
    archive.copy(program, at)
    loaded = loaded_by(program)
    libraries = [library for each in [program, *loaded]
                 for library in libraries_of(each, library_path=PARTS / "lib/x86_64-linux-gnu")]
    for library in dict.fromkeys([*loaded, *libraries]):
        inside = pathlib.Path(library.removeprefix(str(PARTS)))
        archive.copy(library, str(inside.relative_to("/")))


def add_udev(archive):
    """Debian's libusb hears of arrivals from udev. Every rule file more costs start-up time."""
    add_program(archive, PARTS / "bin/udevadm", "bin/udevadm")
    archive.link("lib/systemd/systemd-udevd", "/bin/udevadm")
    rules = "lib/udev/rules.d/50-udev-default.rules"
    archive.copy(PARTS / rules, rules)
    archive.folder("run")


def base():
    archive = Archive()
    for folder in ("dev", "proc", "sys", "tmp", "root", "run", "mnt"):
        archive.folder(folder)
    add_modules(archive)
    add_busybox(archive)
    add_udev(archive)
    archive.copy(HERE / "guest/init", "init")
    for script in ("gadget", "adbd-up", "phone-up", "adb", "checks"):
        archive.copy(HERE / "guest" / script, f"bin/{script}")
    return archive


@dataclasses.dataclass
class Made:
    """What is made once for all guests, in a folder."""
    kernel: pathlib.Path
    shim: pathlib.Path  # for adbd on glibc; see its source
    key: pathlib.Path  # making an RSA key in the guest takes seconds


def make(folder):
    made = Made(folder / "vmlinux", folder / "adbd_glibc_shim.so", folder / "adbkey")
    made.kernel.write_bytes(vmlinux())
    subprocess.run([COMPILER, "-shared", "-fPIC", "-O2", "-o", made.shim, HERE / "guest/adbd_glibc_shim.c"], check=True)
    subprocess.run(["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", made.key],
                   capture_output=True, check=True)
    return made


def add_adbd(archive, made, at="device/"):
    """The root that adbd is confined to, with the real adb beside it for comparison."""
    for empty in ("dev", "proc", "sys", "tmp", "run", "root/.android"):
        archive.folder(at + empty)
    add_phone(archive, at)
    loader = (ADBD / LOADER).resolve()
    search = f"{ADBD}/{LIBRARIES}/android:{ADBD}/{LIBRARIES}"
    archive.copy(loader, at + LOADER)
    for name in ("adbd", "adb"):
        program = ADBD / PLATFORM_TOOLS / name
        archive.copy(program, f"{at}{PLATFORM_TOOLS}/{name}")
        for library in libraries_of(program, loader=[loader, "--library-path", search]):
            if library != str(loader):
                archive.copy(library, at + str(pathlib.Path(library).relative_to(ADBD)))
    archive.copy(made.shim, f"{at}usr/lib/adbd_glibc_shim.so")
    archive.copy(made.key, f"{at}root/.android/adbkey")


def write_initrd(path, made, boot, programs):
    """For a boot: its script, and the programs on the script's PATH."""
    archive = base()
    if boot.needs_adbd:
        add_adbd(archive, made)
    for program in programs:
        add_program(archive, program, f"test/bin/{program.name}")
    archive.add("test/run", (HERE / "scenarios" / f"{boot.script}.sh").read_bytes(), 0o755)
    with open(path, "wb") as file:
        archive.write(file)
