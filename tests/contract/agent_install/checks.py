"""`agent-skills install` and `agent-skills watch`: package managers that are stubs and one that is real, downloads from
a web server that can misbehave, folders that change."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import command_installs
import download_installs
import folder_watch

CHECKS = [*command_installs.CHECKS, *download_installs.CHECKS, *folder_watch.CHECKS]
