#!/usr/bin/env python3
"""tools/kit with a simulated phone of the real adb server. Last line: `N passed, N failed, 0 skipped`."""
import concurrent.futures
import json
import pathlib
import shutil
import subprocess
import sys
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests/peer")]
import peer
from limits import LIMIT_S

SERIALNO = "SIM0DROID1"  # a simulated phone's ro.serialno


class Place:
    def __init__(self):
        self.home, self.phone = peer.Home(), peer.Simdroid()
        self.server = peer.AdbServer(self.home)
        self.server.connect(self.phone)
        self.environment = self.home.environment(ANDROID_ADB_SERVER_PORT=self.server.port,
                                                 CLAWPERATOR=peer.BINARY.resolve())
        self.folder = self.home.path / "kit"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.stop()
        self.phone.stop()
        self.home.remove()

    def kit(self, *words, device=None):
        """Its status, and all that it prints."""
        done = subprocess.run([str(ROOT / "tools/kit"), "--device", device or self.phone.address, *map(str, words)],
                              env=self.environment, cwd=self.home.path, stdin=subprocess.DEVNULL, timeout=4 * LIMIT_S,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return done.returncode, done.stdout

    def fault(self, *words):
        self.server.adb("-s", self.phone.address, "shell", "simctl", "fault", *words, check=True)

    def files(self):
        return {file.name: file.read_text() for file in self.folder.iterdir()}


def a_round_and_a_report():
    with Place() as place:
        status, said = place.kit("--act", place.folder)
        assert status == 0, said
        files = place.files()
        assert set(files) == {"version.json", "phone.json", "conformance.txt", "round.json"}, files.keys()
        for name in files:
            assert f"  {name} " in said, said
        assert "Nothing was sent anywhere." in said, said
        assert json.loads(files["version.json"])["cliVersion"]
        facts = json.loads(files["phone.json"])["facts"]
        assert facts["input.service"] == "holds" and not any(f.startswith("differs") for f in facts.values()), facts
        round_ = json.loads(files["round.json"])
        assert round_["ok"] and len(round_["steps"]) == 7, round_
        assert [run["command"] for run in round_["runs"]] == ["close", "open", "snapshot", "click", "snapshot", "close",
                                                              "screenshot"], round_
        for name, text in files.items():
            for private in (place.phone.address, SERIALNO, str(place.home.path), "Network"):
                assert private not in text, f"{private} is in {name}"


def a_step_that_fails():
    with Place() as place:
        place.fault("accessibility-off")
        status, said = place.kit("--act", place.folder)
        assert status == 1 and "FAIL: " in said, said
        round_ = json.loads(place.files()["round.json"])
        assert not round_["ok"] and round_["runs"][-1]["code"], round_


def a_statement_that_differs():
    with Place() as place:
        place.fault("screen-untold")
        status, said = place.kit(place.folder)
        assert status == 1, said
        assert place.files()["conformance.txt"].startswith("differs  screen.turned "), said
        assert "round.json" not in place.files()


def a_folder_that_is_there():
    with Place() as place:
        place.folder.mkdir()
        (place.folder / "mine").write_text("mine")
        status, said = place.kit(place.folder)
        assert status == 1 and "is there already" in said, said
        assert place.files() == {"mine": "mine"}


def a_phone_that_is_not_there():
    with Place() as place:
        status, said = place.kit(place.folder, device=f"127.0.0.1:{peer.free_port()}")
        assert status == 1 and "the phone was not queried" in said, said
        assert not place.folder.exists()


def words_that_make_no_sense():
    with Place() as place:
        for words in (["--no-such"], ["a", "b"], ["--device"]):
            status, said = place.kit(*words)
            assert status == 1 and said.startswith("tools/kit: "), said
        assert not (place.home.path / "a").exists()


CHECKS = [a_round_and_a_report, a_step_that_fails, a_statement_that_differs, a_folder_that_is_there,
          a_phone_that_is_not_there, words_that_make_no_sense]


AT_ONCE = 3


def why_it_failed(check):
    try:
        check()
        return ""
    except (AssertionError, OSError, KeyError, ValueError, subprocess.SubprocessError):
        return traceback.format_exc()


def main():
    if not shutil.which("adb"):
        print("SKIP: kit: no adb in PATH (package adb)\n0 passed, 0 failed, 1 skipped")
        return 0
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for check, why in zip(CHECKS, pool.map(why_it_failed, CHECKS)):
            name = check.__name__.replace("_", " ")
            print(f"{why}FAIL: {name}: {why.strip().splitlines()[-1][:500]}" if why else f"ok: {name}", flush=True)
            failed += bool(why)
    print(f"{len(CHECKS) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
