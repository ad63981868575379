"""What public skill scripts ask of the program and read of its answers: scripts in their style (public/), run by
`skills run` and by themselves, with the `adb` of PATH being this program, too."""
import json
import pathlib
import subprocess

from limits import LIMIT_S
from skill_repository import Repository, expect

HERE = pathlib.Path(__file__).resolve().parent / "public"
PNG = b"\x89PNG\r\n\x1a\n"


def prepared(place):
    """A repository with these scripts, and a folder for PATH where `clawperator` and `adb` are this program."""
    repository = Repository(place, "public repo")
    repository.add("org.public.calls", (HERE / "calls.js").read_text(), name="run.js")
    repository.put("skills/org.public.calls/scripts/common.js", (HERE / "common.js").read_text())
    repository.add("org.public.shell", (HERE / "calls.sh").read_text())
    repository.add("org.public.inner", (HERE / "inner.sh").read_text())
    programs = place.sandbox / "bin"
    programs.mkdir()
    for name in ("clawperator", "adb"):
        (programs / name).symlink_to(place.binary)
    env = {**place.env, **repository.env(), "PATH": f"{programs}:{place.env['PATH']}"}
    return repository, env


def expect_calls(place, value, picture):
    serial = place.device.serial
    steps = [["close", "close_app"], ["open", "open_app"], ["settle", "sleep"], ["wait", "wait_for_node"],
             ["down", "scroll"],
             ["up", "scroll"], ["search", "click"], ["type", "enter_text"], ["read", "read_text"],
             ["snap", "snapshot_ui"]]
    expect(place, "a plan by a file", value["whole"],
           {"ok": True, "steps": [[*step, True, None] for step in steps], "read": "wifi",
            "seesField": True})
    expect(place, "one that fails, by a file", value["fileFails"], False)
    expect(place, "one that fails, inline", value["inlineFails"], {"ok": False, "status": "failed", "hasError": True})
    expect(place, "inline", value["scrolled"], {"ok": True, "steps": [[*step, True, None] for step in (
        ["close", "close_app"], ["open", "open_app"], ["row", "scroll_and_click"])]})
    expect(place, "no Operator", value["noOperator"],
           {"ok": False, "code": "OPERATOR_NOT_INSTALLED", "message": "string"})
    expect(place, "globals first", (value["globalsFirst"], value["otherName"]), ({"ok": True, "sees": True}, True))
    expect(place, "without --json", value["plain"], {"code": 0, "sees": True})
    expect(place, "a picture", (value["screenshot"], picture.read_bytes()[:8]),
           ({"ok": True, "path": str(picture)}, PNG))
    expect(place, "a point", value["tap"], 1)
    for verb in ("close", "open"):
        expect(place, verb, [step[1:] for step in value[verb]], [[f"{verb}_app", True, None]])
    expect(place, "adb", value["adb"], {"code": 0, "out": "", "err": ""})
    expect(place, "a skill of a skill", value["inner"],
           {"ok": True, "output": f"inner: {serial} --state on --mode heat --fan-level high\n", "timeoutMs": 300000})


def by_skills_run(place):
    """The environment that `skills run` gives is enough for all of these calls."""
    repository, env = prepared(place)
    picture = place.sandbox / "screen.png"
    keys = place.device.counters().get("command.input", 0)
    status, answer = repository.ask("run", "org.public.calls", "--device", place.device.serial, str(picture),
                                    env={"PATH": env["PATH"]})
    expect(place, f"{answer}", status, 0)
    expect_calls(place, answer["skillResult"]["result"]["value"], picture)
    expect(place, "the key has come", place.device.counters().get("command.input", 0) > keys, True)


def by_itself(place):
    """Without `skills run`: CLAWPERATOR_BIN as a path, also one with blanks, as quoted words, or the program of
    PATH."""
    repository, env = prepared(place)
    picture = place.sandbox / "screen.png"
    blank = place.sandbox / "a b"
    blank.mkdir()
    (blank / "clawperator").symlink_to(place.binary)
    script = repository.root / "skills/org.public.calls/scripts/run.js"
    for named in (None, str(blank / "clawperator"), f"'{blank}/clawperator' --no-daemon"):
        given = {"CLAWPERATOR_BIN": named} if named else {}
        done = subprocess.run(["node", script, place.device.serial, picture], env={**env, **given}, cwd=place.sandbox,
                              capture_output=True, timeout=LIMIT_S, check=False)
        expect(place, f"{named}: {done.stderr.decode()[-400:]}", done.returncode, 0)
        expect_calls(place, json.loads(done.stdout.splitlines()[-1])["result"]["value"], picture)
        picture.unlink()
    named = f"'{blank}/clawperator' --no-daemon"
    status, answer = repository.ask("run", "org.public.calls", "--device", place.device.serial, str(picture),
                                    env={"PATH": env["PATH"], "CLAWPERATOR_BIN": named})
    expect(place, f"quoted words are kept by `skills run`: {answer}", status, 0)


def by_a_shell(place):
    """What a shell script reads: one document on stdout, an exit code, and nothing on stderr."""
    repository, env = prepared(place)
    folder = place.sandbox / "answers"
    folder.mkdir()
    script = repository.root / "skills/org.public.shell/scripts/run.sh"
    for run in (lambda: place.run("skills", "run", "org.public.shell", "--device", place.device.serial, folder,
                                  env=env),
                lambda: subprocess.run([script, place.device.serial, folder], env=env, cwd=place.sandbox,
                                       capture_output=True,
                                       timeout=LIMIT_S, check=False)):
        done = run()
        expect(place, f"{done.stdout[-400:]} {done.stderr[-400:]}", done.returncode, 0)
        code = lambda name: int((folder / f"{name}.code").read_text())
        answer = lambda name: json.loads((folder / f"{name}.out").read_text())
        names = sorted(path.stem for path in folder.glob("*.code"))
        expect(place, "calls", len(names), 11)
        expect(place, "exit codes", [name for name in names if code(name) != 0], ["inline-fails"])
        expect(place, "stderr", [name for name in names if (folder / f"{name}.err").read_text()], [])
        expect(place, "an error", (answer("inline-fails")["code"], type(answer("inline-fails")["message"])),
               ("OPERATOR_NOT_INSTALLED", str))
        for name in ("file", "inline", "globals-first", "snapshot"):
            step = answer(name)["envelope"]["stepResults"][0]
            expect(place, name, (step["actionType"], step["success"], "Search settings" in step["data"]["text"]),
                   ("snapshot_ui", True, True))
        expect(place, "a picture", (answer("screenshot")["envelope"]["stepResults"][0]["data"]["path"],
                                    (folder / "screen.png").read_bytes()[:8]),
               (str(folder / "screen.png"), PNG))
        for name in ("open", "tap", "close"):
            expect(place, name, answer(name)["envelope"]["status"], "success")
        expect(place, "adb", (folder / "adb.out").read_text(), "")
        expect(place, "a skill of a skill", answer("inner")["output"],
               f"inner: {place.device.serial} --state on --mode heat --fan-level high\n")
        for path in folder.iterdir():
            path.unlink()


def silent_device(place):
    """A device that does not answer: the code is at the top of the document, where scripts look for it."""
    repository, env = prepared(place)
    place.device.simctl("fault", "envelope-none")
    plan = json.dumps({"commandId": "x", "taskId": "x", "source": "public", "expectedFormat": "android-ui-automator",
                       "timeoutMs": 30000,
                       "actions": [{"id": "snap", "type": "snapshot"}]})
    repository.add("org.public.silent",
                   "#!/bin/sh\n\"$CLAWPERATOR_BIN\" exec --device \"$1\" --operator-package "
                   "\"$CLAWPERATOR_OPERATOR_PACKAGE\" "
                                        f"--execution '{plan}' --timeout-ms 1000 --json\n")
    status, answer = repository.ask("run", "org.public.silent", "--device", place.device.serial)
    error = json.loads(answer["stdout"])
    expect(place, "the answer", (status, answer["exitCode"], error["code"], type(error["message"])),
           (1, 1, "RESULT_ENVELOPE_TIMEOUT", str))


CHECKS = [("public scripts: run by the program", True, by_skills_run),
          ("public scripts: run by themselves", True, by_itself),
          ("public scripts: in a shell", True, by_a_shell),
          ("public scripts: a device that is silent", True, silent_device)]
