"""Boots the guest under qemu's own emulation: no privilege, no kvm."""
import dataclasses
import shutil
import subprocess
import time

QEMU = "qemu-system-x86_64"
# Without these flags the kernel copies words; byte strings are emulated a byte at a time.
CPU = "max,erms=off,fsrm=off"
NO_END, FELL_OVER = -1, -2  # instead of a scenario's status
# PVH entry of an ELF kernel; what the guest need not measure or check is given or switched off.
KERNEL_WORDS = ("console=ttyS0 quiet panic=-1 mitigations=off nokaslr random.trust_cpu=on tsc=reliable no_timer_check "
                "lpj=4000000 cryptomgr.notests audit=0")


@dataclasses.dataclass
class Boot:
    status: int
    output: str
    seconds: float


def is_available():
    return shutil.which(QEMU) is not None


# For measurements: the guest's clock counts its instructions, 2 ns each, and jumps where it idles. What
# else the machine is doing does not show.
COUNTED = ("-icount", "shift=1,sleep=off")


def boot(kernel, initrd, words, limit, memory=768, clock=()):
    command = [QEMU, "-machine", "q35", "-accel", "tcg,tb-size=256", "-cpu", CPU, "-smp", "1", *clock,
               "-m", memory, "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-serial", "stdio",
               "-device", "isa-debug-exit,iobase=0x501,iosize=1", "-kernel", kernel, "-initrd", initrd,
               "-append", f"{KERNEL_WORDS} {words}"]
    began = time.monotonic()
    try:
        done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=limit, check=False)
        status, output = status_of(done.returncode), done.stdout
    except subprocess.TimeoutExpired as late:
        status, output = NO_END, late.stdout or b""
    return Boot(status, output.decode(errors="replace").replace("\r\n", "\n"), time.monotonic() - began)


def status_of(exit_code):
    """isa-debug-exit makes 2 * status + 1; anything even is qemu's own."""
    return (exit_code - 1) // 2 if exit_code > 0 and exit_code % 2 else FELL_OVER
