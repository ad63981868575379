"""`skills run`: what a script is given, what becomes of what it says, and what is proved by it."""
import json
import pathlib
import signal
import subprocess
import time

from limits import LIMIT_S
from skill_repository import MARKER, Repository, expect

SAYS = "#!/bin/sh\ncat \"$SAID\"\nprintf %s \"$SAID_ON_STDERR\" >&2\nexit ${CODE:-0}\n"
PRINTS_ARGUMENTS = "#!/bin/sh\nfor word; do printf '<%s>' \"$word\"; done\n"
PRINTS_VARIABLES = (
    "#!/bin/sh\nenv | grep -E '^(CLAWPERATOR_(BIN|OPERATOR_PACKAGE|DEVICE_ID)|ADB_SERVER_SOCKET)=' | sort\n")


def saying(repository, skill_id, said, *words, code=0, on_stderr=""):
    """The answer to a run whose script says this."""
    file = repository.put("said", "")
    file.write_bytes(said if isinstance(said, bytes) else said.encode())
    return repository.ask("run", skill_id, *words,
                          env={"SAID": str(file), "CODE": str(code), "SAID_ON_STDERR": on_stderr})


def frame(skill_id="org.app.go", **members):
    return {"contractVersion": "1.0.0", "skillId": skill_id, "status": "success", "checkpoints": [], **members}


def framed(document, before="", after="\n"):
    return f"{before}{MARKER}\n{document if isinstance(document, str) else json.dumps(document)}{after}"


def unframed(place):
    """A script that says what it likes: status, output and exit code, and besides only what a flag requests."""
    repository = Repository(place)
    repository.add("com.example.echo", SAYS)
    status, answer = saying(repository, "com.example.echo", "TEST_OUTPUT:hello\n", on_stderr="not shown")
    expect(place, "members", list(answer), ["status", "skillId", "output", "exitCode", "durationMs", "skillResult"])
    duration = answer.pop("durationMs")
    expect(place, "values", (status, answer),
           (0, {"status": "success", "skillId": "com.example.echo", "output": "TEST_OUTPUT:hello\n", "exitCode": 0,
                "skillResult": None}))
    expect(place, "a duration", isinstance(duration, int) and 0 <= duration < 60000, True)
    status, answer = saying(repository, "com.example.echo", "TEST_OUTPUT:hello\n", "--expect-contains", "OUTPUT:h",
                            "--timeout", "30000")
    expect(place, "what the flags request", (status, answer["expectedSubstring"], answer["timeoutMs"]),
           (0, "OUTPUT:h", 30000))
    expect(place, "by the other name",
           saying(repository, "com.example.echo", "", "--timeout-ms", "40000")[1]["timeoutMs"], 40000)
    status, answer = saying(repository, "com.example.echo", b"\xff\xfe\x00\xc3\xa9\r\n\x1b[1m")
    expect(place, "bytes that are no text", (status, answer["output"].endswith("\u0000\u00e9\r\n\u001b[1m")), (0, True))


def without_text(place):
    """--expect-contains: the whole of stdout, case and all, and of nothing else."""
    repository = Repository(place)
    repository.add("com.example.echo", SAYS)
    wanted = {"code": "SKILL_OUTPUT_ASSERTION_FAILED",
              "message": "Skill com.example.echo output did not include expected text",
              "skillId": "com.example.echo", "output": "TEST_OUTPUT:api\n", "skillResult": None,
              "expectedSubstring": "TEST_OUTPUT:hello"}
    for text in ("TEST_OUTPUT:hello", "test_output:api", "on stderr"):
        answer = saying(repository, "com.example.echo", "TEST_OUTPUT:api\n", "--expect-contains", text,
                        on_stderr="on stderr")
        expect(place, text, answer, (1, {**wanted, "expectedSubstring": text}))
    answer = saying(repository, "com.example.echo", "TEST_OUTPUT:api\n", "--expect-contains", "x", "--timeout", "30000")
    expect(place, "with a limit", answer, (1, {**wanted, "expectedSubstring": "x", "timeoutMs": 30000}))
    status, answer = saying(repository, "com.example.echo", framed(frame("com.example.echo")), "--expect-contains",
                            "absent")
    expect(place, "with a frame", (status, answer["code"], answer["skillResult"]["status"]),
           (1, "SKILL_OUTPUT_ASSERTION_FAILED", "success"))
    expect(place, "of a frame, too", saying(repository, "com.example.echo", framed(frame("com.example.echo")),
                                            "--expect-contains", "contractVersion")[0], 0)


def exit_codes(place):
    """A script that ends with an error: its code, and what it had said on either stream."""
    repository = Repository(place)
    repository.add("com.example.echo", SAYS)
    answer = saying(repository, "com.example.echo", "partial output\n", code=2, on_stderr="fatal error\n")
    wanted = {"status": "failed", "code": "SKILL_EXECUTION_FAILED",
              "message": "Skill com.example.echo exited with code 2",
              "skillId": "com.example.echo", "exitCode": 2, "stdout": "partial output\n", "stderr": "fatal error\n",
              "skillResult": None}
    expect(place, "both", (answer[0], list(answer[1]), answer[1]), (1, list(wanted), wanted))
    silent = {name: value for name, value in wanted.items() if name not in ("stdout", "stderr")}
    expect(place, "silent", saying(repository, "com.example.echo", "", code=2), (1, silent))
    expect(place, "what the flags request",
           saying(repository, "com.example.echo", "", "--expect-contains", "x", "--timeout", "30000", code=2),
           (1, {**silent, "timeoutMs": 30000, "expectedSubstring": "x"}))
    status, answer = saying(repository, "com.example.echo", framed(frame("com.example.echo", status="failed")), code=1)
    expect(place, "with a frame", (status, answer["code"], answer["exitCode"], answer["skillResult"]["status"]),
           (1, "SKILL_EXECUTION_FAILED", 1, "failed"))
    repository.add("com.example.killed", "#!/bin/sh\nkill -9 $$\n")
    status, answer = repository.ask("run", "com.example.killed")
    expect(place, "killed", (status, answer["code"], answer["exitCode"]), (1, "SKILL_EXECUTION_FAILED", 137))


def good_frames(place):
    """A frame is reported instead of the output: what it says, what is not known left out, and who says it."""
    repository = Repository(place)
    repository.add("org.app.go", SAYS)
    whole = frame(
        goal={"kind": "set", "nested": [1, {"a": None}]}, inputs={"percent": 40},
        result={"kind": "json", "value": [1, "x", None]},
        checkpoints=[{"id": "a", "status": "ok", "observedAt": "now", "note": "n",
                      "evidence": {"kind": "text", "text": "t"}},
                     {"id": "b", "status": "skipped",
                      "evidence": {"kind": "result_envelope_ref", "execEnvelopeIndex": 0, "stepResultId": "s"}},
                     {"id": "c", "status": "failed", "evidence": {"kind": "json", "value": {}}}],
        terminalVerification={"status": "not_run", "expected": {"kind": "text", "text": "x"}, "observed": None,
                              "note": None},
        execEnvelopes=[{"commandId": "c", "taskId": "t", "status": "success", "error": None,
                        "stepResults": [{"id": "s", "actionType": "click", "success": True, "data": {"a": "b"}}]}],
        diagnostics={"runtimeState": "healthy", "warnings": ["w"], "hints": [], "mine": {"kept": True}})
    source = {"source": {"kind": "script"}}
    status, answer = saying(repository, "org.app.go", framed(whole, before="it says\nmuch\n"), "--timeout", "30000")
    expect(place, "members", (status, list(answer)), (0, ["skillResult", "durationMs", "timeoutMs"]))
    expect(place, "the frame", answer["skillResult"], {**whole, **source})
    status, answer = saying(repository, "org.app.go",
                            framed({**frame(), "unknown": 1, "checkpoints": [{"id": "a", "status": "ok", "x": 2}]}))
    expect(place, "what is not known", (status, answer["skillResult"]),
           (0, {**frame(checkpoints=[{"id": "a", "status": "ok"}]), **source}))
    for name, said in {
            "CRLF": f"{MARKER}\r\n{json.dumps(frame())}\r\n",
            "blank lines": f"{MARKER}\n\n \n  {json.dumps(frame())}  \n\n\n",
            "no line feed": framed(frame(), after=""),
            "a later minor version": framed(frame(contractVersion="1.7.0-rc.1+b")),
            "null for what may be": framed(frame(terminalVerification=None))}.items():
        status, answer = saying(repository, "org.app.go", said)
        expect(place, name, (status, answer.get("skillResult", {}).get("skillId")), (0, "org.app.go"))
    for said in (f"x {MARKER}\n{{}}\n", f" {MARKER}\n{{}}\n", MARKER.lower() + "\n{}\n", json.dumps(frame())):
        status, answer = saying(repository, "org.app.go", said)
        expect(place, f"no frame: {said!r}", (status, answer["status"], answer["skillResult"]), (0, "success", None))
    status, answer = saying(repository, "org.app.go", framed(frame(status="failed")))
    # [A9] The frame decides, and the answer keeps its shape.
    expect(place, "a failure that is no exit code", (status, list(answer), answer["skillResult"]["status"]),
           (1, ["skillResult", "durationMs"], "failed"))
    status, answer = saying(repository, "org.app.go", framed(frame(status="indeterminate")))
    expect(place, "an unclear end that is no exit code", (status, answer["skillResult"]["status"]),
           (1, "indeterminate"))


def broken_frames(place):
    """A frame that breaks a rule is an error, whatever the exit code; the published message names the rule."""
    repository = Repository(place)
    repository.add("org.app.go", SAYS)
    terminal = "SkillResult frame must be the terminal non-empty stdout suffix"
    several = "Skill emitted multiple SkillResult frames or a non-terminal SkillResult marker"
    schema = "SkillResult frame failed validation: "
    good = json.dumps(frame())
    cases = [
        (f"{MARKER}\n", "SkillResult frame marker was not followed by a JSON line"),
        (f"x\n{MARKER}\n \n", terminal),
        (f"{framed(good)}more\n", terminal),
        (f"{MARKER}\n{{\n}}\n", terminal),
        (f"{MARKER}\n[]\n", "SkillResult frame marker must be followed by a JSON object line"),
        (framed(good) * 2, several),
        (f"{MARKER}\n{framed(good)}", several),
        (framed(frame(source={"kind": "script"})), "SkillResult frame must not include source; runSkill injects it"),
        (framed(frame(contractVersion="1")), "SkillResult contractVersion must be semver-shaped, got 1"),
        (framed(frame(contractVersion="2.0.0")), "Unsupported SkillResult contract major version 2; expected 1"),
        (framed(frame("other.id")), "SkillResult skillId other.id did not match invoked skill org.app.go"),
    ]
    for said, message in cases:
        expect(place, repr(said), _failure(saying(repository, "org.app.go", said)),
               (1, "SKILL_RESULT_PARSE_FAILED", message))
    status, answer = saying(repository, "org.app.go", f"{MARKER}\n", code=3, on_stderr="e")
    expect(place, "with an exit code", (status, answer["code"], answer["status"], answer["exitCode"], answer["stdout"],
                                        answer["stderr"], answer["skillResult"]),
           (1, "SKILL_RESULT_PARSE_FAILED", "failed", 3, f"{MARKER}\n", "e", None))
    parsed = "SkillResult frame contained invalid JSON: "
    for said in ('{"a":', '{"a":1}}', "{'a':1}"):
        said = framed("").encode().rstrip(b"\n") + b"\n" + said.encode() + b"\n"
        status, code, message = _failure(saying(repository, "org.app.go", said))
        expect(place, repr(said), (status, code, message.startswith(parsed)), (1, "SKILL_RESULT_PARSE_FAILED", True))
    for member, value in [
            ("status", "maybe"), ("status", None), ("skillId", ""), ("contractVersion", 1), ("checkpoints", {}),
            ("goal", []), ("inputs", "x"),
            ("checkpoints", [{"id": "", "status": "ok"}]), ("checkpoints", [{"id": "a", "status": "done"}]),
            ("checkpoints", [{"id": "a", "status": "ok", "evidence": {"kind": "picture"}}]),
            ("terminalVerification", {"status": "sure"}),
            ("terminalVerification", {"status": "verified", "observed": {"kind": "text"}}),
            ("result", {"kind": "text", "text": 1}),
            ("result", {"kind": "result_envelope_ref", "execEnvelopeIndex": 0}),
            ("execEnvelopes", [{"commandId": "c", "taskId": "t", "status": "success"}]),
            ("execEnvelopes", [{"commandId": "c", "taskId": "t", "status": "s",
                                "stepResults": [{"id": "s", "actionType": "a", "success": True, "data": {"a": 1}}]}]),
            ("diagnostics", {"runtimeState": "fine"}), ("diagnostics", {"warnings": "w"})]:
        status, code, message = _failure(saying(repository, "org.app.go", framed(frame(**{member: value}))))
        expect(place, f"{member} {value}: {message}", (status, code, message.startswith(schema + member)),
               (1, "SKILL_RESULT_PARSE_FAILED", True))
    for member in ("contractVersion", "skillId", "status", "checkpoints"):
        lacking = {name: value for name, value in frame().items() if name != member}
        status, code, message = _failure(saying(repository, "org.app.go", framed(lacking)))
        expect(place, f"no {member}: {message}", (status, code, message.startswith(f"{schema}{member}: ")),
               (1, "SKILL_RESULT_PARSE_FAILED", True))
    repository.put("skills/org.app.go/skill.json", "{")
    status, code, message = _failure(saying(repository, "org.app.go", framed(good), "--skip-validate"))
    expect(place, "a frame without an owner",
           (status, code, message.endswith(". Framed SkillResult output requires authoritative source metadata.")),
           (1, "SKILL_RESULT_PARSE_FAILED", True))
    expect(place, "but without a frame", saying(repository, "org.app.go", "x\n", "--skip-validate")[0], 0)


def _failure(answer):
    return answer[0], answer[1].get("code"), answer[1].get("message")


CONTRACT = {"inputs": {"percent": "integer[0,100]", "the_mode": "string"}, "goal": {"kind": "discharge"},
            "verification": {"kind": "node_text_matches", "matcher": "Discharge to {percent}% in {the_mode}"}}


def verified(place):
    """What skill.json declares is proved by inputs that the arguments give and a text that was seen."""
    repository = Repository(place)
    repository.add("org.app.go", SAYS, contract=CONTRACT)
    proof = lambda text, inputs=None, status="verified": frame(
        inputs=inputs or {"percent": 40, "the_mode": "heat"},
        terminalVerification={"status": status, "observed": {"kind": "text", "text": text}})
    seen = "Discharge to 40% in heat"
    run = lambda document, *words: saying(repository, "org.app.go", framed(document), *words)
    for words in (["40", "heat"], ["x", "40", "heat"], ["--percent", "40", "heat"], ["--percent=40", "--the-mode=heat"],
                  ["--the-mode", "cold", "--the-mode", "heat", "--percent", "40"],
                  ["--other", "7", "40", "heat", "--flag"],
                  ["--percent", "40", "--other=7", "heat"], ["--device", place.device.serial, "40", "heat"],
                  ["--", "40", "heat"]):
        status, answer = run(proof(seen), *words)
        expect(place, f"{words}: {answer}", (status, list(answer)), (0, ["skillResult", "durationMs"]))
    for text in (f"  Discharge  to\n40%\tin heat ", f"{seen}.", f"{seen} \u2026 \u2713", f"{seen}\u00b0"):
        expect(place, repr(text), run(proof(text), "40", "heat")[0], 0)

    def open_question(message, document, *words):
        status, answer = run(document, *words)
        expect(place, f"{message}: members {answer}", (status, list(answer)),
               (1, ["status", "code", "message", "skillResult", "durationMs"]))
        expect(place, message, (answer["status"], answer["code"], answer["message"], answer["skillResult"]["skillId"]),
               ("indeterminate", "SKILL_VERIFICATION_INDETERMINATE", message, "org.app.go"))

    open_question("Skill declared 2 contract inputs but only 1 were available.", proof(seen), "--percent", "40")
    open_question("Skill declared 2 contract inputs but only 0 were available.", proof(seen))
    other = "SkillResult inputs did not match the trusted invocation inputs for the declared contract."
    open_question(other, proof(seen, {"percent": 41, "the_mode": "heat"}), "40", "heat")
    open_question(other, proof(seen, {"percent": "40", "the_mode": "heat"}), "40", "heat")
    open_question(other, proof(seen, {"percent": 40, "the_mode": "heat", "more": 1}), "40", "heat")
    open_question(other, frame(terminalVerification={"status": "verified", "observed": {"kind": "text", "text": seen}}),
                  "40", "heat")
    unproved = "Skill declared verification but terminalVerification was not proved."
    for status in ("failed", "not_run"):
        open_question(unproved, proof(seen, status=status), "40", "heat")
    open_question(unproved, frame(inputs={"percent": 40, "the_mode": "heat"}), "40", "heat")
    for text in (f"{seen}s", f"{seen}. 2", f"{seen}\u00e9", "discharge to 40% in heat", f"Now: {seen}",
                 "Discharge to 4"):
        open_question(f"Skill terminal verification expected '{seen}' but observed '{text}'.", proof(text), "40",
                      "heat")
    unseen = proof(seen)
    unseen["terminalVerification"]["observed"] = {"kind": "json", "value": seen}
    open_question(f"Skill terminal verification did not match declared matcher '{seen}'.", unseen, "40", "heat")
    for words in (["101", "heat"], ["-1", "heat"], ["4.5", "heat"], ["", "heat"], ["--percent=forty", "heat"]):
        status, answer = run(proof(seen), *words)
        expect(place, f"{words}",
               (status, answer["code"], answer["message"].startswith("Could not trust declared input 'percent': ")),
               (1, "SKILL_VERIFICATION_INDETERMINATE", True))
    status, answer = saying(repository, "org.app.go", "no frame\n", "40", "heat", "--timeout", "30000")
    expect(place, "no frame", (status, answer["status"], answer["message"], answer["skillResult"], answer["timeoutMs"]),
           (1, "indeterminate", "Skill declared verification but did not emit a SkillResult to prove it.", None, 30000))
    status, answer = run(frame(status="failed"), "40", "heat")
    expect(place, "reported as failed",
           (status, answer["status"], answer["code"], answer["message"], answer["exitCode"]),
           (1, "failed", "SKILL_EXECUTION_FAILED",
            "Skill org.app.go reported failed status while executing a declared verification contract", 0))
    repository.add("org.app.other", SAYS,
                   contract={**CONTRACT, "verification": {"kind": "node_text_matches", "matcher": "{absent}"}})
    status, answer = saying(repository, "org.app.other", framed({**proof(seen), "skillId": "org.app.other"}), "40",
                            "heat")
    expect(place, "a matcher of no input", (status, answer["message"]),
           (1, "Trusted invocation inputs did not provide the values required to render declared matcher '{absent}'."))
    repository.add("org.app.goal", SAYS,
                   contract={"inputs": {"percent": "integer"}, "goal": {"kind": "x"}, "verification": None})
    expect(place, "nothing to verify", saying(repository, "org.app.goal", framed(frame("org.app.goal")))[0], 0)


def arguments(place):
    """What is not ours is the script's, in its order; the device that was named comes before."""
    repository = Repository(place)
    repository.add("org.app.go", PRINTS_ARGUMENTS)
    serial = place.device.serial
    for words, wanted in [
            ([], []), (["a", "", "b c"], ["a", "", "b c"]),
            (["--state", "on", "--mode", "heat", "--fan-level", "high"],
             ["--state", "on", "--mode", "heat", "--fan-level", "high"]),
            (["--input", "i", "--title=t", "--action", "a", "-x", "-5", "*"],
             ["--input", "i", "--title=t", "--action", "a", "-x", "-5", "*"]),
            (["--device", serial, "--state", "on"], [serial, "--state", "on"]),
            (["--state", "--device", serial, "--json", "on", "--timeout", "30000"], [serial, "--state", "on"]),
            (["--", "--json", "--device", "x", "--", "--timeout"], ["--json", "--device", "x", "--", "--timeout"]),
            (["--device", serial, "a", "--", "--expect-contains"], [serial, "a", "--expect-contains"]),
            (["--timings", "--backend", "shell", "--queue"], ["--timings", "--backend", "shell", "--queue"]),
            (["--expect-contains", "<a>", "a", "--skip-validate"], ["a"])]:
        status, answer = repository.ask("run", "org.app.go", *words)
        expect(place, f"{words}", (status, answer.get("output")), (0, "".join(f"<{word}>" for word in wanted)))
    expect(place, "globals before the command",
           place.run("--device", serial, "--json", "skills", "run", "org.app.go", "a", env=repository.env())
           .stdout.count(f"<{serial}><a>".encode()), 1)


def variables(place):
    """CLAWPERATOR_BIN, the Operator package, and the device if one was named."""
    repository = Repository(place)
    repository.add("org.app.go", PRINTS_VARIABLES)
    serial, ours = place.device.serial, str(pathlib.Path(place.binary).resolve())

    def printed(*words, env=None):
        status, answer = repository.ask("run", "org.app.go", *words, env=env)
        expect(place, f"{words}", status, 0)
        return dict(line.split("=", 1) for line in answer["output"].splitlines())

    release = {"CLAWPERATOR_BIN": ours, "CLAWPERATOR_OPERATOR_PACKAGE": "com.clawperator.operator"}
    expect(place, "without a device", printed(env={"CLAWPERATOR_DEVICE_ID": "ambient"}), release)
    expect(place, "with one", printed("--device", serial, env={"CLAWPERATOR_DEVICE_ID": "ambient"}),
           {**release, "CLAWPERATOR_DEVICE_ID": serial})
    expect(place, "inherited", printed(env={"CLAWPERATOR_BIN": "node '/a b/cli.js'"})["CLAWPERATOR_BIN"],
           "node '/a b/cli.js'")
    expect(place, "blank", printed(env={"CLAWPERATOR_BIN": ""})["CLAWPERATOR_BIN"], ours)
    package = {"CLAWPERATOR_OPERATOR_PACKAGE": "com.clawperator.operator.dev"}
    expect(place, "the package of the environment", printed(env=package)["CLAWPERATOR_OPERATOR_PACKAGE"],
           "com.clawperator.operator.dev")
    server = f"tcp:127.0.0.1:{place.device.server_port}"
    done = place.run("--adb-server", server, "skills", "run", "org.app.go",
                     env={**repository.env(), "ANDROID_ADB_SERVER_PORT": "1"})
    expect(place, "the server that was named",
           f"ADB_SERVER_SOCKET={server}" in json.loads(done.stdout).get("output", ""), True)
    expect(place, "the flag's", printed("--operator-package", "org.mine", env=package)["CLAWPERATOR_OPERATOR_PACKAGE"],
           "org.mine")


OURS = {"CLAWPERATOR_TOKEN": "hunter2-0123456789-of-serve", "GOG_API_KEY": "hunter2-of-gog", "OTHER": "other",
        "GIT_DIR": "/elsewhere",
        "CLAWPERATOR_HUB_TOKEN": "hunter2-of-the-hub", "ANDROID_KEY_PASSWORD": "hunter2-of-android"}
KNOWN = {"LANG": "C", "LC_TIME": "C", "TZ": "UTC", "ANDROID_HOME": "/sdk", "ADB_MDNS": "0",
         "CLAWPERATOR_LOG_LEVEL": "debug", "no_proxy": "x"}


def clean_environment(place):
    """[S4] A script gets what it is known to need and what the user names; no key that is another's, and never our
    token."""
    repository = Repository(place)
    repository.add("org.app.go", "#!/bin/sh\nenv -0 | tr '\\n\\0' ' \\n'\n")

    def given(**more):
        status, answer = repository.ask("run", "org.app.go", env={"CLAWPERATOR_PASS_ENV": "", **OURS, **KNOWN, **more})
        expect(place, "it ran", status, 0)
        return dict(line.split("=", 1) for line in answer["output"].splitlines())

    found = given()
    expect(place, "what is none of its business", [name for name in OURS if name in found], [])
    expect(place, "what it needs", {name: found.get(name) for name in KNOWN}, KNOWN)
    expect(place, "where it is", {name: found.get(name) for name in ("PATH", "HOME")},
           {name: place.env[name] for name in ("PATH", "HOME")})
    found = given(CLAWPERATOR_PASS_ENV="GOG_API_KEY,OTHER,CLAWPERATOR_TOKEN,ABSENT")
    expect(place, "what is named", {name: found[name] for name in OURS if name in found},
           {"GOG_API_KEY": "hunter2-of-gog", "OTHER": "other"})


def secrets_in_the_log(place):
    """[S4] What a script prints goes to the log without secrets: those that are named there, and those that it was
    given."""
    repository = Repository(place)
    lines = ["API_KEY=hunter2 named", '{"password": "hunter2 quoted"}', "> Authorization: Bearer hunter2-header",
             "--token hunter2-flag",
             "it is hunter2-of-gog", "https://me:hunter2-url@host/x", "token: hunter2-yaml"]
    said = repository.put("said", "\n".join(["begins", *lines, "ends"]))
    # The last one comes in two pieces.
    repository.add("org.app.go",
                   f"#!/bin/sh\ncat {said}\necho\nprintf 'SECRET_K'\nsleep 0.2\necho EY=hunter2-split\nprintf 'last "
                   "hunter2-of-'\nsleep 0.2\nprintf gog\n")
    logs = place.sandbox / "logs"
    env = {"CLAWPERATOR_LOG_DIR": str(logs), "CLAWPERATOR_PASS_ENV": "GOG_KEY", "GOG_KEY": "hunter2-of-gog",
           **{"CLAWPERATOR_TOKEN": OURS["CLAWPERATOR_TOKEN"]}}
    status, answer = repository.ask("run", "org.app.go", OURS["CLAWPERATOR_TOKEN"], env=env)
    expect(place, "the answer has what it said", (status, all(line in answer["output"] for line in lines)), (0, True))
    logged = "".join(path.read_text() for path in logs.glob("*.log"))
    expect(place, "secrets in the log", "hunter2" in logged, False)
    messages = [json.loads(line)["message"] for line in logged.splitlines() if '"skills.run.output"' in line]
    dots = "\u2022" * 4
    expect(place, "lines", messages, [
        "begins", f"API_KEY={dots}", f'{{"password": "{dots}"}}', f"> Authorization: {dots}", f"--token {dots}",
        f"it is {dots}",
        f"https://{dots}@host/x", f"token: {dots}", "ends", f"SECRET_KEY={dots}", f"last {dots}"])


def chosen_scripts(place):
    """The first .js, else the first .sh, else the first; from the working folder of the command."""
    repository = Repository(place)
    here = "#!/bin/sh\necho \"${0##*/} $PWD\"\n"
    entry = repository.add("org.app.go", here, name="one.py")
    for name, text in {"two.sh": here, "three.sh": here, "four.js": "console.log('four.js ' + process.cwd())\n",
                       "five.js": "x"}.items():
        repository.put(f"{entry['path']}/scripts/{name}", text, 0o755)
    for names, wanted in [(["one.py", "two.sh", "three.sh", "four.js", "five.js"], "four.js"),
                          (["one.py", "three.sh", "two.sh"], "three.sh"),
                          (["one.py"], "one.py")]:
        entry["scripts"] = [f"{entry['path']}/scripts/{name}" for name in names]
        repository.put(f"{entry['path']}/skill.json", json.dumps(entry))
        repository.save()
        expect(place, f"{names}", repository.ask("run", "org.app.go")[1].get("output"),
               f"{wanted} {place.sandbox.resolve()}\n")
    entry["scripts"] = []
    repository.put(f"{entry['path']}/skill.json", json.dumps(entry))
    repository.save()
    expect(place, "none", repository.ask("run", "org.app.go"),
           (1, {"code": "SKILL_SCRIPT_NOT_FOUND", "message": "Skill org.app.go has no scripts defined"}))


AGENT_SCRIPT = """
const names = Object.keys(process.env).filter((name) => /^CLAWPERATOR_(SKILL_|SKILLS_REGISTRY|DEVICE_ID)/.test(name));
const variables = Object.fromEntries(names.sort().map((name) => [name, process.env[name]]));
const seen = { args: process.argv.slice(2), variables };
console.log("[Clawperator-Skill-Result]");
console.log(JSON.stringify({ contractVersion: "1.0.0", skillId: "org.app.agent", status: "success", checkpoints: [],
  result: { kind: "json", value: seen } }));
"""


def by_an_agent(place):
    """What an agent-driven script finds in its environment; without the agent's program nothing is run."""
    repository = Repository(place)
    serial = place.device.serial
    entry = repository.add("org.app.agent", AGENT_SCRIPT, name="run.js")
    agent = repository.put("skills/org.app.agent/bin/agent", "#!/bin/sh\n", 0o755)
    in_path = repository.put("bin/some-agent", "#!/bin/sh\n", 0o755)
    path = {"PATH": f"{in_path.parent}:{place.env['PATH']}"}

    def manifest(**members):
        repository.put("skills/org.app.agent/skill.json",
                       json.dumps({**entry, "agent": {"cli": "some-agent", **members}}))

    wanted = {"CLAWPERATOR_SKILL_AGENT_CLI": "some-agent", "CLAWPERATOR_SKILL_AGENT_TIMEOUT_MS": "45000",
              "CLAWPERATOR_SKILL_INPUTS": '["--state","on \\"x\\"",""]', "CLAWPERATOR_SKILL_ID": "org.app.agent",
              "CLAWPERATOR_SKILL_PROGRAM": str(repository.root / "skills/org.app.agent/SKILL.md"),
              "CLAWPERATOR_SKILLS_REGISTRY": str(repository.registry), "CLAWPERATOR_DEVICE_ID": serial}
    for members, cli_path in [({}, in_path), ({"cliPath": "bin/agent"}, agent), ({"cliPath": str(in_path)}, in_path)]:
        manifest(timeoutMs=45000, **members)
        status, answer = repository.ask("run", "org.app.agent", "--device", serial, "--state", 'on "x"', "", env=path)
        expect(place, f"{members}: {answer}", (status, answer["skillResult"]["source"]),
               (0, {"kind": "agent", "agentCli": "some-agent"}))
        value = answer["skillResult"]["result"]["value"]
        expect(place, f"{members}", (value["args"], value["variables"]),
               (["--state", 'on "x"', ""], {**wanted, "CLAWPERATOR_SKILL_AGENT_CLI_PATH": str(cli_path)}))
    silent = repository.put("skills/org.app.agent/scripts/run.js", "console.log('done')\n")
    status, answer = repository.ask("run", "org.app.agent", env=path)
    expect(place, "an agent has to say", (status, answer["code"], answer["message"]),
           (1, "SKILL_RESULT_PARSE_FAILED", "Agent-driven skills must emit a terminal SkillResult frame"))
    silent.write_text("require('node:fs').writeFileSync('ran', ''); process.exit(4)\n")
    expect(place, "an agent that failed need not", _failure(repository.ask("run", "org.app.agent", env=path)),
           (1, "SKILL_EXECUTION_FAILED", "Skill org.app.agent exited with code 4"))
    (place.sandbox / "ran").unlink()
    for members in ({}, {"cliPath": "bin/absent"}, {"cliPath": "SKILL.md"}, {"cliPath": "/absent/agent"}):
        manifest(**members)
        repository.refused(["run", "org.app.agent"], "SKILL_AGENT_CLI_UNAVAILABLE", "org.app.agent")
    manifest()
    (repository.root / entry["skillFile"]).unlink()
    repository.refused(["run", "org.app.agent", "--skip-validate"], "SKILL_VALIDATION_FAILED", "SKILL.md", env=path)
    expect(place, "nothing was run", (place.sandbox / "ran").exists(), False)
    sh = repository.add("org.app.other", "#!/bin/sh\ntouch ran\n", agent={"cli": "some-agent"})
    repository.refused(["run", "org.app.other"], "SKILL_SCRIPT_NOT_FOUND", f"{sh['path']}/scripts/run.js", env=path)
    expect(place, "nothing was run", (place.sandbox / "ran").exists(), False)


def agent_limit(place):
    """The manifest's limit, and the caller's before it."""
    repository = Repository(place)
    repository.add("org.app.agent", "setTimeout(() => {}, 60000)\n", name="run.js",
                   agent={"cli": "sh", "timeoutMs": 300})
    status, answer = repository.ask("run", "org.app.agent")
    expect(place, "the manifest's", (status, answer["code"], answer["message"], "timeoutMs" in answer),
           (1, "SKILL_EXECUTION_TIMEOUT", "Skill org.app.agent timed out after 300ms", False))
    status, answer = repository.ask("run", "org.app.agent", "--timeout", "200")
    expect(place, "the caller's", (status, answer["message"], answer["timeoutMs"]),
           (1, "Skill org.app.agent timed out after 200ms", 200))


TOUCHES = "#!/bin/sh\ntouch ran\n"


def not_ready(place):
    """No device, two devices, one whose screen is off or locked: reported before a script starts, also unvalidated."""
    repository = Repository(place)
    entry = repository.add("org.app.go", TOUCHES)
    for words in ([], ["--skip-validate"]):
        run = ["run", "org.app.go", *words]
        repository.refused(run, "ADB_SERVER_FAILED", env={"ANDROID_ADB_SERVER_PORT": "1"})
        repository.refused([*run, "--device", "absent"], "DEVICE_NOT_FOUND")
        repository.refused(run, "DEVICE_NOT_FOUND", env={"ANDROID_SERIAL": "absent"})
        with subprocess.Popen([place.binary, *place.SIM, "--port", "0"], env=place.env, cwd=place.sandbox,
                              stdout=subprocess.PIPE) as second:
            try:
                address = json.loads(second.stdout.readline())["address"]
                place.run("connect", address)
                repository.refused(run, "MULTIPLE_DEVICES_DEVICE_ID_REQUIRED")
                expect(place, "not run yet", (place.sandbox / "ran").exists(), False)
                expect(place, "the one that is named",
                       repository.ask(*run, env={"ANDROID_SERIAL": address})[1]["status"], "success")
                (place.sandbox / "ran").unlink()
            finally:
                place.run("disconnect", address)
                second.send_signal(signal.SIGTERM)
        press = lambda key: place.run("adb", "-s", place.device.serial, "shell", "input", "keyevent", key)
        press("26")
        error = repository.refused(run, "DEVICE_NOT_INTERACTIVE", place.device.serial)
        expect(place, "asleep", error["details"]["awake"], False)
        press("224")
        error = repository.refused(run, "DEVICE_NOT_INTERACTIVE", place.device.serial)
        expect(place, "locked", (error["details"]["awake"], error["details"]["locked"]), (True, True))
        press("82")
    expect(place, "nothing was run", (place.sandbox / "ran").exists(), False)
    expect(place, "unlocked", repository.ask("run", "org.app.go")[0], 0)
    (place.sandbox / "ran").unlink()
    repository.entries[0]["summary"] = "another"
    repository.save()
    error = repository.refused(["run", "org.app.go"], "SKILL_VALIDATION_FAILED")
    expect(place, "validated first", (list(error), (place.sandbox / "ran").exists()),
           (["code", "message", "details"], False))
    repository.refused(["run", "org.app.go"], "SKILL_VALIDATION_FAILED", env={"ANDROID_SERIAL": "absent"})
    expect(place, "unless one does not want to",
           (repository.ask("run", "org.app.go", "--skip-validate")[0], (place.sandbox / "ran").exists()), (0, True))
    artifact = repository.put(f"{entry['path']}/artifacts/a.recipe.json", "{}")
    repository.entries[0] = {**entry, "artifacts": [f"{entry['path']}/artifacts/{artifact.name}"]}
    repository.put(f"{entry['path']}/skill.json", json.dumps(repository.entries[0]))
    repository.save()
    repository.refused(["run", "org.app.go"], "SKILL_VALIDATION_FAILED", "a.recipe.json")


def newer_minor(place):
    """A frame of a newer minor version is read, and the log says so."""
    repository = Repository(place)
    repository.add("org.app.go", SAYS)
    logs = place.sandbox / "logs"
    for version, times in (("1.0.7", 0), ("1.3.0", 1)):
        said = framed({**frame(), "contractVersion": version})
        file = repository.put("said", said)
        status, answer = repository.ask("run", "org.app.go", env={"SAID": str(file), "CLAWPERATOR_LOG_DIR": str(logs)})
        expect(place, version, (status, answer["skillResult"]["contractVersion"]), (0, version))
        logged = "".join(path.read_text() for path in logs.glob("*.log"))
        expect(place, f"{version} in the log", logged.count("skill_result_minor_version_ahead"), times)


def for_people(place):
    """Both streams as they come, each where it belongs; the answer and its code at the end. In JSON mode there is only
    the JSON."""
    repository = Repository(place)
    repository.add("org.app.go",
                   "#!/bin/sh\necho one\necho uno >&2\nuntil [ -e go ]; do sleep 0.02; done\necho two\nexit 3\n")
    words = [place.binary, "skills", "run", "org.app.go", "--output", "pretty"]
    with subprocess.Popen(words, env={**place.env, **repository.env()}, cwd=place.sandbox, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        banner, first, second = run.stderr.readline(), run.stdout.readline(), run.stderr.readline()
        (place.sandbox / "go").touch()
        out, err = run.communicate(timeout=LIMIT_S)
    expect(place, "as it came", (first, second), (b"one\n", b"uno\n"))
    expect(place, "a banner", (banner.startswith(b"[Clawperator] v"), b"Logs: " in banner), (True, True))
    expect(place, "exit code", run.returncode, 1)
    expect(place, "stdout", (out.startswith(b"two\n"), b"SKILL_EXECUTION_FAILED" in out + err, b"uno\n" in out),
           (True, True, False))
    status, answer = repository.ask("run", "org.app.go", "--json")
    expect(place, "JSON", (status, answer["stdout"], answer["stderr"]), (1, "one\ntwo\n", "uno\n"))


CHECKS = [("run: output without a frame", True, unframed),
          ("run: --expect-contains", True, without_text),
          ("run: exit codes", True, exit_codes),
          ("run: frames", True, good_frames),
          ("run: frames that break a rule", True, broken_frames),
          ("run: declared verification", True, verified),
          ("run: arguments", True, arguments),
          ("run: variables", True, variables),
          ("run: a clean environment", True, clean_environment),
          ("run: secrets in the log", True, secrets_in_the_log),
          ("run: which script", True, chosen_scripts),
          ("run: by an agent", True, by_an_agent),
          ("run: an agent's limit", True, agent_limit),
          ("run: a device that is ready", True, not_ready),
          ("run: a newer frame", True, newer_minor),
          ("run: for people", True, for_people)]
