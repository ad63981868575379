"""How a script ends, or does not: out of time, stopped, gone, endless, or never begun. No process is left behind."""
import json
import os
import pathlib
import signal
import subprocess
import time

from limits import LIMIT_S, scaled_word
from process_state import is_gone
from skill_repository import MARKER, Repository, expect

LITTLE_MS = scaled_word(300)  # a script says within it what it has to say
FRAME = json.dumps({"contractVersion": "1.0.0", "skillId": "org.app.go", "status": "success", "checkpoints": []})


def wait_until(place, what, holds):
    deadline = time.monotonic() + LIMIT_S
    while not holds():
        if time.monotonic() > deadline:
            raise place.Mismatch(f"not in {LIMIT_S} s: {what}")
        time.sleep(0.02)


def pids(place, name="pids"):
    return [int(line) for line in (place.sandbox / name).read_text().split()]


def expect_no_process(place, what):
    deadline = time.monotonic() + LIMIT_S  # one that is killed has a moment to go
    while (left := [pid for pid in pids(place) if not is_gone(pid)]) and time.monotonic() < deadline:
        time.sleep(0.02)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    expect(place, f"{what}: processes that are left", left, [])


def out_of_time(place):
    """The whole group is ended, also one that does not listen, and its output so far is reported."""
    repository = Repository(place)
    forks = "sleep 9000 & echo $$ $! > pids\necho partial; echo why >&2\n"
    repository.add("org.app.listens", f"#!/bin/sh\ntrap 'touch heard; exit 0' TERM\n{forks}wait\n")
    repository.add("org.app.deaf", f"#!/bin/sh\ntrap '' TERM\n{forks}while :; do sleep 1; done\n")
    for skill_id in ("org.app.listens", "org.app.deaf"):
        began = time.monotonic()
        status, answer = repository.ask("run", skill_id, "--timeout", LITTLE_MS)
        took = time.monotonic() - began
        wanted = {"status": "failed", "code": "SKILL_EXECUTION_TIMEOUT",
                  "message": f"Skill {skill_id} timed out after {LITTLE_MS}ms",
                  "skillId": skill_id, "stdout": "partial\n", "stderr": "why\n", "skillResult": None,
                  "timeoutMs": int(LITTLE_MS)}
        expect(place, skill_id, (status, answer), (1, wanted))
        expect(place, f"{skill_id} took {took:.1f} s", took >= 0.3, True)
        expect_no_process(place, skill_id)
    expect(place, "SIGTERM comes first", (place.sandbox / "heard").exists(), True)
    repository.add("org.app.go", f"#!/bin/sh\necho '{MARKER}'\necho '{FRAME}'\nexec sleep 9000\n")
    status, answer = repository.ask("run", "org.app.go", "--timeout", LITTLE_MS, "--expect-contains", "absent")
    expect(place, "a frame that came too early",
           (status, answer["code"], answer["skillResult"], answer["expectedSubstring"]),
           (1, "SKILL_EXECUTION_TIMEOUT", None, "absent"))


def left_behind(place):
    """What a script started and left in its group ends with it; a pipe that another process holds delays
    no command."""
    repository = Repository(place)
    repository.add("org.app.go", "#!/bin/sh\nsleep 9000 &\necho $! > pids\necho ok\n")
    status, answer = repository.ask("run", "org.app.go")
    expect(place, "a child that keeps the pipe", (status, answer["output"]), (0, "ok\n"))
    expect_no_process(place, "a child that keeps the pipe")
    repository.add("org.app.deaf",
                   "#!/bin/sh\n(trap '' TERM; sleep 9000; sleep 9000) &\necho $! > pids\necho ok\nexit 5\n")
    expect(place, "a deaf one", repository.ask("run", "org.app.deaf")[1]["exitCode"], 5)
    expect_no_process(place, "a deaf one")
    repository.add("org.app.away",
                   "#!/bin/sh\nsetsid sh -c 'echo $$ > pids; exec sleep 9000' &\nuntil [ -s pids ]; do sleep 0.02; "
                   "done\necho ok\n")
    (place.sandbox / "pids").unlink()
    status, answer = repository.ask("run", "org.app.away")
    expect(place, "one that went away with the pipe", (status, answer["output"]), (0, "ok\n"))
    os.kill(pids(place)[0], signal.SIGKILL)


def closed_early(place):
    """Silence is not the end."""
    repository = Repository(place)
    repository.add("org.app.go", "#!/bin/sh\necho early\nexec >&- 2>&-\nsleep 0.4\ntouch worked\nexit 3\n")
    status, answer = repository.ask("run", "org.app.go")
    expect(place, "the answer", (status, answer["exitCode"], answer["stdout"], (place.sandbox / "worked").exists()),
           (1, 3, "early\n", True))


def floods(place):
    """Of 100 MB the beginning and the end are reported, and a frame behind them counts."""
    repository = Repository(place)
    flood = "#!/bin/sh\necho BEGIN\nhead -c 104857600 /dev/zero | tr '\\0' x\necho\n"
    repository.add("org.app.go", f"{flood}echo '{MARKER}'\necho '{FRAME}'\n")
    status, answer = repository.ask("run", "org.app.go")
    expect(place, "a frame", (status, list(answer)), (0, ["skillResult", "durationMs"]))
    repository.add("org.app.words", f"{flood}echo END\n")
    status, answer = repository.ask("run", "org.app.words")
    output = answer["output"]
    expect(place, "the words",
           (status, output.startswith("BEGIN\nxxx"), output.endswith("xxx\nEND\n"), "left out" in output,
            len(output) < 20 << 20), (0, True, True, True, True))
    repository.add("org.app.errors", "#!/bin/sh\nhead -c 30000000 /dev/zero | tr '\\0' e >&2\nexit 1\n")
    status, answer = repository.ask("run", "org.app.errors")
    expect(place, "on stderr", (status, answer["exitCode"], 1 << 20 < len(answer["stderr"]) < 20 << 20), (1, 1, True))


def stopped(number, code):
    def check(place):
        """The signal is the script's, too; what it started is gone, and the exit code shows which it was."""
        repository = Repository(place)
        repository.add("org.app.go",
                       "#!/bin/sh\ntrap 'echo INT > heard; exit 0' INT\ntrap 'echo TERM > heard; exit 0' TERM\n"
                                     "sleep 9000 &\necho $$ $! > pids.new\nmv pids.new pids\nwhile :; do sleep 0.05; "
                                     "done\n")
        words = [place.binary, "skills", "run", "org.app.go"]
        with subprocess.Popen(words, env={**place.env, **repository.env()}, cwd=place.sandbox, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            wait_until(place, "the script runs", (place.sandbox / "pids").exists)
            run.send_signal(number)
            out, _ = run.communicate(timeout=LIMIT_S)
        expect(place, "exit code and answer", (run.returncode, json.loads(out)["code"]), (code, "CANCELLED"))
        expect(place, "what the script heard", (place.sandbox / "heard").read_text(), f"{number.name[3:]}\n")
        expect_no_process(place, number.name)
    return check


def frame_with_half_a_character(place):
    """What a script has cut inside of a character spoils no result."""
    repository = Repository(place)
    frame = FRAME[:-1] + r', "goal": {"a": "cut \303", "b": "half \\ud83d"}}'
    repository.add("org.app.go", f"#!/bin/sh\necho '{MARKER}'\nprintf '{frame}\\n'\n")
    status, answer = repository.ask("run", "org.app.go")
    expect(place, f"{answer}", (status, answer["skillResult"]["goal"]), (0, {"a": "cut \ufffd", "b": "half \ufffd"}))


def not_begun(place):
    """A script that cannot be started: why, in the words of the system."""
    repository = Repository(place)
    entry = repository.add("org.app.go", "#!/bin/sh\ntouch ran\n", mode=0o644)
    script = repository.root / entry["scripts"][0]

    def failed(what, *parts):
        status, answer = repository.ask("run", "org.app.go")
        expect(place, what, (status, list(answer), answer["status"], answer["code"], answer["skillResult"]),
               (1, ["status", "code", "message", "skillId", "skillResult"], "failed", "SKILL_EXECUTION_FAILED", None))
        expect(place, f"{what}: {answer['message']}",
               [answer["message"].startswith("Skill org.app.go "), *[part in answer["message"] for part in parts]],
               [True] * (1 + len(parts)))

    failed("not executable", "EACCES")
    script.chmod(0o755)
    script.write_text("#!/no/such/interpreter\n")
    failed("no interpreter", "ENOENT", "the interpreter /no/such/interpreter, which is not there")
    script.write_bytes(b"#!/bin/sh\r\ntouch ran\r\n")
    failed("line ends of another system", "ENOENT", "the interpreter /bin/sh", "carriage return")
    script.write_text("touch ran\n")
    expect(place, "no first line that names one: sh runs it", (repository.ask("run", "org.app.go")[0],
                                                               (place.sandbox / "ran").exists()), (0, True))
    (place.sandbox / "ran").unlink()
    script.unlink()
    repository.refused(["run", "org.app.go"], "SKILL_VALIDATION_FAILED", str(script))
    expect(place, "it has vanished", repository.ask("run", "org.app.go", "--skip-validate"),
           (1, {"code": "SKILL_SCRIPT_NOT_FOUND", "message": f"Script not found: {script}"}))
    script.mkdir()
    repository.refused(["run", "org.app.go", "--skip-validate"], "SKILL_SCRIPT_NOT_FOUND",
                       f"Script not found: {script}")
    repository.add("org.app.node", "require('node:fs').writeFileSync('ran', '')\n", name="run.js")
    (place.sandbox / "empty").mkdir()
    repository.refused(["run", "org.app.node"], "SKILL_SCRIPT_NOT_FOUND", "node", "PATH",
                       env={"PATH": str(place.sandbox / "empty")})
    expect(place, "nothing was run", (place.sandbox / "ran").exists(), False)


def not_read(place):
    """Who watches a script and does not read does not keep it alive beyond its time."""
    repository = Repository(place)
    repository.add("org.app.loud", "#!/bin/sh\necho $$ > pids\nyes | head -c 1000000\nexec sleep 9000\n")
    words = [place.binary, "skills", "run", "org.app.loud", "--output", "pretty", "--timeout", scaled_word(500)]
    with subprocess.Popen(words, env={**place.env, **repository.env()}, cwd=place.sandbox, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
        wait_until(place, "it has begun", lambda: (place.sandbox / "pids").exists() and pids(place))
        wait_until(place, "it is ended", lambda: all(map(is_gone, pids(place))))
        out = run.communicate(timeout=LIMIT_S)[0]
    expect(place, "the answer", (run.returncode, b"SKILL_EXECUTION_TIMEOUT" in out), (1, True))


def stopped_twice(place):
    """Ctrl-C again while a script that does not listen is being ended: it is ended all the same."""
    repository = Repository(place)
    repository.add("org.app.deaf",
                   "#!/bin/sh\ntrap '' TERM INT\nsleep 9000 &\necho $$ $! > pids\nwhile :; do sleep 1; done\n")
    for first, second in ((signal.SIGINT, signal.SIGINT), (signal.SIGTERM, signal.SIGTERM)):
        (place.sandbox / "pids").unlink(missing_ok=True)
        words = [place.binary, "skills", "run", "org.app.deaf"]
        with subprocess.Popen(words, env={**place.env, **repository.env()}, cwd=place.sandbox, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            wait_until(place, "it has begun", lambda: (place.sandbox / "pids").exists() and len(pids(place)) == 2)
            run.send_signal(first)
            time.sleep(0.4)
            run.send_signal(second)
            run.communicate(timeout=LIMIT_S)
        expect_no_process(place, f"{first.name} twice")


def found_in_all_of_it(place):
    """--expect-contains looks at all of stdout, also at what is left out of the answer."""
    repository = Repository(place)
    flood = "yes 'a line as long as those of scripts are'"
    repository.add("org.app.long",
                   f"#!/bin/sh\n{flood} | head -c 9000000; echo; echo NEEDLE; {flood} | head -c 20000000\n")
    status, answer = repository.ask("run", "org.app.long", "--expect-contains", "NEEDLE")
    expect(place, "found, and left out", (status, answer["status"], "NEEDLE" in answer["output"]),
           (0, "success", False))


def in_time(place):
    """A script that has ended was in time, whatever what it started still holds."""
    repository = Repository(place)
    repository.add("org.app.go", "#!/bin/sh\nsetsid sleep 5 &\necho done\n")
    status, answer = repository.ask("run", "org.app.go", "--timeout", scaled_word(200))
    expect(place, "ended", (status, answer.get("status"), answer.get("output")), (0, "success", "done\n"))


CHECKS = [("run: stopped twice", True, stopped_twice),
          ("run: expected text of a long output", True, found_in_all_of_it),
          ("run: ended in time", True, in_time),
          ("run: the output is not read", True, not_read),
          ("run: out of time", True, out_of_time),
          ("run: what is left behind", True, left_behind),
          ("run: output that ends early", True, closed_early),
          ("run: output without end", True, floods),
          ("run: SIGINT", True, stopped(signal.SIGINT, 130)),
          ("run: SIGTERM", True, stopped(signal.SIGTERM, 143)),
          ("run: half a character in a frame", True, frame_with_half_a_character),
          ("run: a script that cannot be started", True, not_begun)]
