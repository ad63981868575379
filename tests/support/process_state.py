"""What has become of a process that is none of ours."""
import pathlib


def is_gone(pid):
    """Ended, or dead and not yet collected by what inherited it."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True
