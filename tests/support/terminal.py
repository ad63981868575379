"""A program whose output is a terminal."""
import os
import pty
import subprocess

from limits import LIMIT_S


def on_a_terminal(place, *argv):
    """All bytes that the binary prints there, its stderr too."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([place.binary, *argv], env=place.env, cwd=place.sandbox, stdin=subprocess.DEVNULL,
                          stdout=theirs, stderr=theirs) as child:
        os.close(theirs)
        printed = b""
        try:
            while piece := os.read(ours, 4096):
                printed += piece
        except OSError:
            pass  # so a terminal ends
        child.wait(LIMIT_S)
    os.close(ours)
    return printed
