"""The processes that tests leave behind. Those whose parent has ended come to the keeper, a process above the run: they
are found there, ended and collected, also where the run is process 1 of a container without an init."""
import contextlib
import ctypes
import os
import pathlib
import signal
import sys
import time

PR_SET_CHILD_SUBREAPER = 36


def parents():
    """{process: its parent} of all."""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            found[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    return found


def below(process, but=None):
    """The processes that came from it, itself not among them, and none below `but`."""
    known, found = parents(), []
    nearest = [process]
    while nearest:
        nearest = [child for child, parent in known.items() if parent in nearest and child != but]
        found += nearest
    return found


def name_of(process):
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{process}/comm").read_text().strip()
    return "?"


def end(processes):
    for process in processes:
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGKILL)


def end_orphans():
    """Ends what came to the keeper meanwhile; the names."""
    names, deadline = set(), time.monotonic() + 10  # another user's do not end
    while (left := below(os.getppid(), but=os.getpid())) and time.monotonic() < deadline:
        names.update(map(name_of, left))
        end(left)
        time.sleep(0.1)
    return sorted(names)


def be_kept():
    """Returns in a child of the process that called; that one becomes the keeper, and ends as the child does."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    child = os.fork()
    if child == 0:
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to both
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, lambda number, _: os.kill(child, number))
    process = None
    while process != child:
        process, status = os.wait()
    end(below(os.getpid()))
    code = os.waitstatus_to_exitcode(status)
    sys.exit(code if code >= 0 else 128 - code)
