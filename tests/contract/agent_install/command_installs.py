"""Package managers: what they are called with, how they end, and that nothing else is called."""
import io
import json
import os
import pty
import signal
import subprocess
import tarfile

import peers
from limits import LIMIT_S
from tool_host import Host, usual_brew, wait_until

NO_SCRIPTS = "--ignore-scripts"


def without_brew():
    if found := usual_brew():
        raise peers.Unavailable(f"Homebrew is installed: {found}")


def each_manager_gets_its_words(place):
    host = Host(place)
    for name in ("brew", "npm", "go", "uv"):
        host.stub(name, '[ "$1" != --prefix ] || echo "$HOME/brewed"')
    host.skill("all", {"kind": "brew", "formula": "a/tap/x"}, {"kind": "node", "package": "@a/x"},
               {"kind": "go", "module": "example.com/x@latest"}, {"kind": "uv", "package": "x[y]==1"},
               {"id": "odd", "kind": "uv", "package": "$(touch${IFS}x);y|z&*"})
    for install_id in ("brew-0", "node-1", "go-2", "uv-3", "odd"):
        answer = host.installed("all", install_id)
        host.expect(install_id, (answer["message"], answer["stdout"], answer["stderr"]), ("Installed", "", ""))
    host.expect("calls", host.calls(), [
        ["brew", "install", "a/tap/x"], ["npm", "install", "-g", NO_SCRIPTS, "@a/x"], ["brew", "--prefix"],
        ["go", "install", "example.com/x@latest"], ["uv", "tool", "install", "x[y]==1"],
        ["uv", "tool", "install", "$(touch${IFS}x);y|z&*"]])
    host.expect("GOBIN", (host.home / "gobin").read_text(), f"{host.home}/brewed/bin\n")


def managers_do_not_see_our_working_folder(place):
    """Where anybody's .yarnrc, .npmrc or go.mod may lie."""
    host = Host(place)
    for name in ("brew", "npm", "go", "uv"):
        host.stub(name, 'pwd -P >>"$HOME/folders"; [ "$1" != --prefix ] || echo "$HOME/brewed"')
    host.skill("all", {"kind": "brew", "formula": "x"}, {"kind": "node", "package": "x"}, {"kind": "go", "module": "x"},
               {"kind": "uv", "package": "x"})
    here = host.home / "somebodys"
    here.mkdir()
    for install_id in ("brew-0", "node-1", "go-2", "uv-3"):
        done = subprocess.run([place.binary, "agent-skills", "install", "all", install_id, "--yes"], cwd=here,
                              env={**place.env, **host.env}, capture_output=True, check=False)
        host.expect(f"{done}", done.returncode, 0)
    folders = (host.home / "folders").read_text().split("\n")[:-1]
    host.expect("folders", folders, [os.path.realpath(place.env["HOME"])] * 5)


def the_node_manager_is_the_configurations(place):
    wanted = {"pnpm": ["add", "-g", NO_SCRIPTS], "yarn": ["global", "add", NO_SCRIPTS],
              "bun": ["add", "-g", NO_SCRIPTS]}
    host = Host(place)
    host.skill("n", {"kind": "node", "package": "x"})
    for manager, words in wanted.items():
        (host.state / "openclaw.json").write_text(json.dumps({"skills": {"install": {"nodeManager": manager}}}))
        host.stub(manager)
        host.installed("n")
        host.expect(manager, host.calls()[-1], [manager, *words, "x"])


def uv_and_go_are_brewed_first(place):
    host = Host(place)
    brewed = host.home / "brewed/bin"
    # What it installs is beside it, and neither is on the PATH.
    host.stub("brew", f'[ "$1" = --prefix ] && exit 1; cp "{host.bin}/made" "{brewed}/$2"', folder=brewed)
    host.stub("made")
    host.skill("u", {"kind": "uv", "package": "x"})
    host.skill("g", {"kind": "go", "module": "y"})
    env = {"HOMEBREW_PREFIX": str(host.home / "brewed")}
    host.installed("u", env=env)
    host.installed("g", env=env)
    host.expect("calls", host.calls(),
                [["brew", "install", "uv"], ["uv", "tool", "install", "x"], ["brew", "install", "go"],
                 ["brew", "--prefix"], ["go", "install", "y"]])
    host.expect("GOBIN", (host.home / "gobin").read_text(), f"{brewed}\n")
    (brewed / "uv").unlink()
    host.stub("brew", "echo no bottle >&2; exit 4", folder=brewed)
    answer = host.refused("u", env=env)
    host.expect("no uv", (answer["message"], answer["details"]),
                ("Failed to install uv (brew)", {"stdout": "", "stderr": "no bottle", "code": 4}))


def brew_is_found_where_it_says(place):
    host = Host(place)
    host.skill("b", {"kind": "brew", "formula": "x"})
    by_file = host.stub("my-brew", folder=host.home / "elsewhere")
    host.installed("b", env={"HOMEBREW_BREW_FILE": str(by_file)})
    host.stub("brew", folder=host.home / ".linuxbrew/bin")
    host.installed("b", env={"HOMEBREW_BREW_FILE": "/nonexistent"})
    host.expect("calls", host.calls(), [["my-brew", "install", "x"], ["brew", "install", "x"]])


def missing_programs_are_reported(place):
    without_brew()
    host = Host(place)
    host.skill("m", {"kind": "brew", "formula": "x"}, {"kind": "uv", "package": "x"}, {"kind": "go", "module": "x"},
               {"kind": "brew"}, {"kind": "uv", "package": "--python=/tmp/evil"}, {"kind": "go", "module": "a b"})
    env = {"PATH": str(host.bin)}
    for install_id, message in {
            "brew-0": "brew is not on this machine",
            "uv-1": "uv is not on this machine, nor is brew, which installs it",
            "go-2": "go is not on this machine, nor is brew, which installs it", "brew-3": "missing brew formula",
            "uv-4": "the uv package is refused: '--python=/tmp/evil'",
            "go-5": "the go module is refused: 'a b'"}.items():
        host.expect(install_id, host.refused("m", install_id, env=env)["message"], message)
    status, answer = host.install("m", "brew-0", "--dry-run", env=env)
    host.expect("a dry run is no error", (status, answer), (0, {
        "dryRun": True, "skill": "m", "installId": "brew-0", "available": False,
        "message": "brew is not on this machine"}))
    host.skill("n", {"kind": "node", "package": "x"})
    answer = host.refused("n", env=env)
    host.expect("npm", answer["message"].startswith("Install failed (unknown exit): "), True)
    host.expect("npm", answer["details"]["code"], None)


def a_failure_contains_the_programs_output(place):
    host = Host(place)
    host.skill("f", {"kind": "brew", "formula": "x"})
    host.stub("brew", "echo working; echo '==> Trying' >&2; echo 'Error: No formula \"x\"' >&2; echo bye >&2; exit 1")
    answer = host.refused("f")
    host.expect("message", answer["message"], 'Install failed (exit 1): Error: No formula "x"')
    host.expect("details", answer["details"],
                {"stdout": "working", "stderr": '==> Trying\nError: No formula "x"\nbye', "code": 1})
    host.stub("brew", "kill -KILL $$")
    host.expect("a signal", host.refused("f")["details"]["code"], 128 + signal.SIGKILL)
    # An endless talker keeps its end.
    host.stub("brew", "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo the end; exit 1")
    answer = host.refused("f")
    host.expect("the end",
                (answer["details"]["stdout"].endswith("xxx\nthe end"), len(answer["details"]["stdout"]) < 600_000),
                (True, True))


def time_is_limited_and_no_process_is_left(place):
    host = Host(place)
    host.skill("t", {"kind": "brew", "formula": "x"})
    host.stub("brew", 'echo started; echo $$ >"$HOME/pid"; sleep 300 & wait')
    answer = host.refused("t", "--timeout", "1")  # a second is the least
    host.expect("message", answer["message"].startswith("Install failed (unknown exit)"), True)
    host.expect("what it said", (answer["details"]["stdout"], answer["details"]["code"]), ("started", None))
    pid = int((host.home / "pid").read_text())
    wait_until(place, "the program's group has ended", lambda: not group_lives(pid))


def group_lives(pid):
    try:
        os.killpg(pid, 0)
        return True
    except ProcessLookupError:
        return False


def ctrl_c_ends_the_program_too(place):
    host = Host(place)
    host.skill("t", {"kind": "brew", "formula": "x"})
    host.stub("brew", 'echo $$ >"$HOME/pid"; sleep 300 & wait')
    child = subprocess.Popen([place.binary, "agent-skills", "install", "t", "--yes"], env={**place.env, **host.env},
                             cwd=place.sandbox, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
    pid_file = host.home / "pid"
    wait_until(place, "the program runs", lambda: pid_file.exists() and pid_file.read_text().endswith("\n"))
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=LIMIT_S)
    host.expect(f"{out!r}", (json.loads(out)["code"], child.returncode), ("CANCELLED", 130))
    wait_until(place, "its group has ended", lambda: not group_lives(int(pid_file.read_text())))


def nothing_happens_without_consent(place):
    host = Host(place)
    host.skill("c", {"kind": "brew", "formula": "x"})
    host.stub("brew")
    done = host.run("install", "c")
    host.expect("no --yes", (done.returncode, json.loads(done.stdout)["code"]), (1, "USAGE"))
    done = host.run("install", "c", "--dry-run")
    host.expect("dry run", json.loads(done.stdout), {"dryRun": True, "skill": "c", "installId": "brew-0",
                                                     "plan": {"steps": [["brew", "install", "x"]]}})
    host.expect("calls", host.calls(), [])
    for answer, calls in ((b"\n", 0), (b"n\n", 0), (b"\x04", 0), (b"y\n", 1), (b" YES \n", 2)):
        ours, theirs = pty.openpty()
        child = subprocess.Popen([place.binary, "agent-skills", "install", "c"], env={**place.env, **host.env},
                                 cwd=place.sandbox, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        os.close(theirs)
        os.write(ours, answer)
        out, err = child.communicate(timeout=LIMIT_S)
        os.close(ours)
        host.expect("asked", b"brew install x" in err and b"[y/N]" in err, True)
        host.expect(f"{answer!r}: {out!r}", (len(host.calls()), child.returncode == 0),
                    (calls, answer.strip().lower() in (b"y", b"yes")))


def the_installer_is_the_one_that_is_named_or_shown(place):
    extra = place.sandbox / "extra"
    host = Host(place, {"skills": {"load": {"extraDirs": [str(extra)]}, "entries": {"several": {"enabled": True}}}})
    url = f"https://{host.place.closed}/x"
    host.skill("several", {"kind": "download", "url": url},
               {"id": "second", "kind": "download", "url": url, "label": "Two"})
    host.skill("none")
    host.skill("elsewhere", {"kind": "brew", "formula": "x", "os": ["darwin"]})
    host.skill("from-extra", {"kind": "uv", "package": "x", "os": ["win32"]}, {"kind": "node", "package": "x"},
               root=extra)
    host.skill("keyed", {"kind": "node", "package": "x"}, skillKey="the-key")
    host.stub("npm")
    answer = host.refused("several", code="USAGE")
    host.expect(answer["message"], "download-0 (Download x), second (Two)" in answer["message"], True)
    for words in (["absent"], ["none"], ["elsewhere"], ["several", "brew-0"], ["several", "download-1"]):
        host.refused(*words, code="AGENT_SKILL_NOT_FOUND")
    host.expect("the installer", host.refused("several", "nope", code="AGENT_SKILL_NOT_FOUND")["message"],
                "Installer not found: nope")
    host.installed("from-extra")  # a skill of the configuration's folders
    host.installed("from-extra", "node-1")
    host.installed("from-extra", "node-0")  # as those number it who leave out other platforms first
    host.installed("the-key")
    host.expect("calls", host.calls(), [["npm", "install", "-g", NO_SCRIPTS, "x"]] * 4)


def managers_get_a_clean_environment(place):
    """[S4] What they are known to read; no key of ours or of a skill."""
    host = Host(place, {"skills": {"entries": {"n": {"apiKey": "hunter2-of-n", "env": {"N_VALUE": "hunter2-too"}}}}})
    host.stub("npm", 'env >"$HOME/variables"')
    host.skill("n", {"kind": "node", "package": "x"}, primaryEnv="N_KEY")
    known = {"NPM_CONFIG_PREFIX": "/p", "https_proxy": "http://proxy", "SSL_CERT_FILE": "/c.pem", "LANG": "C"}
    kept = {"CLAWPERATOR_TOKEN": "hunter2-0123456789-of-serve", "GOG_API_KEY": "hunter2-of-gog",
            "NPM_CONFIG__AUTHTOKEN": "hunter2-npm", "OTHER": "x"}

    def given(passed):
        host.installed("n", env={**known, **kept, "CLAWPERATOR_PASS_ENV": passed})
        lines = (host.home / "variables").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line)

    answer = given("")
    host.expect("what it reads", {name: answer.get(name) for name in known}, known)
    host.expect("what it gets of ours", [name for name in [*kept, "N_KEY", "N_VALUE"] if name in answer], [])
    answer = given("OTHER,CLAWPERATOR_TOKEN")
    host.expect("what is let through", [name for name in kept if name in answer], ["OTHER"])


def the_real_npm_installs_and_runs_no_script(place):
    host = Host(place)
    package = host.home / "made-1.0.0.tgz"
    files = {"package.json": json.dumps({"name": "made", "version": "1.0.0", "bin": {"made": "run.sh"},
                                         "scripts": {"postinstall": f"touch {host.home}/was-run"}}),
             "run.sh": "#!/bin/sh\necho made it\n"}
    with tarfile.open(package, "w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo("package/" + name)
            member.size, member.mode = len(text), 0o755
            archive.addfile(member, io.BytesIO(text.encode()))
    host.skill("real", {"kind": "node", "package": str(package)},
               {"kind": "node", "package": f"{host.home}/absent.tgz"})
    env = {"NPM_CONFIG_PREFIX": str(host.home / "prefix"), "NPM_CONFIG_CACHE": str(host.home / "npm"),
           "NPM_CONFIG_REGISTRY": f"http://{host.place.closed}/", "NPM_CONFIG_UPDATE_NOTIFIER": "false"}
    answer = host.installed("real", "node-0", env=env)
    host.expect("npm said", "added 1 package" in answer["stdout"], True)
    made = subprocess.run([host.home / "prefix/bin/made"], capture_output=True, check=False)
    host.expect("the program", made.stdout, b"made it\n")
    host.expect("the script", (host.home / "was-run").exists(), False)
    answer = host.refused("real", "node-1", env=env)
    host.expect("npm's failure", answer["message"].startswith("Install failed (exit "), True)
    host.expect("npm's words", "ENOENT" in answer["details"]["stderr"], True)


CHECKS = [(f"agent install: {check.__name__.replace('_', ' ')}", False, check) for check in (
    each_manager_gets_its_words, managers_do_not_see_our_working_folder, managers_get_a_clean_environment,
    the_node_manager_is_the_configurations, uv_and_go_are_brewed_first,
    brew_is_found_where_it_says, missing_programs_are_reported, a_failure_contains_the_programs_output,
    time_is_limited_and_no_process_is_left, ctrl_c_ends_the_program_too, nothing_happens_without_consent,
    the_installer_is_the_one_that_is_named_or_shown, the_real_npm_installs_and_runs_no_script)]
