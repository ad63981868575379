"""A repository that the real git makes, and what a scan answers."""
import json
import os
import subprocess

from limits import LIMIT_S


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(errors="surrogateescape"))


def write_terms(place, text):
    write(place.sandbox / ".clawperator/blocked-terms.txt", text)


def expect(place, wanted, got, what):
    if wanted != got:
        raise place.Mismatch(f"{what}: expected {wanted}, got {got}")


def answer_of(place, *argv, code):
    done = place.run(*argv)
    expect(place, code, done.returncode, f"exit code of {argv}; {done.stdout[:600]}{done.stderr[:600]}")
    return json.loads(done.stdout)


def shown(answer):
    return sorted(f"{each['code']} {each['file']}:{each['line']}:{each['column']}" for each in answer["faults"])


def commit_ids(answer, ids):
    """The files of the history by the number of their commit."""
    for fault in answer["faults"]:
        for number, commit in enumerate(ids, 1):
            fault["file"] = fault["file"].replace(commit[:12] + ":", f"{number}:")
    return answer


class Repository:
    def __init__(self, place, name):
        self.path = place.sandbox / name
        # As a person's: the same home, and the built program on PATH.
        folder = place.sandbox / "bin"
        folder.mkdir(exist_ok=True)
        if not (folder / "clawperator").exists():
            os.symlink(os.path.abspath(place.binary), folder / "clawperator")
        self.environment = {**place.env, "PATH": f"{folder}:/usr/bin:/bin", "GIT_CONFIG_SYSTEM": "/dev/null",
                            "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@x", "GIT_COMMITTER_NAME": "a",
                            "GIT_COMMITTER_EMAIL": "a@x"}
        self.path.mkdir()
        self.git("init", "-q", "-b", "main")

    def run(self, *words, **options):
        options = {"env": self.environment, "cwd": self.path, **options}
        return subprocess.run(["git", *words], capture_output=True, check=False, timeout=LIMIT_S, **options)

    def git(self, *words, **options):
        done = self.run(*words, **options)
        if done.returncode != 0:
            raise AssertionError(f"git {words}: {done.stderr.decode()}")
        return done.stdout.decode().strip()

    def put(self, files):
        for name, text in files.items():
            if text is None:
                os.remove(self.path / name)
            else:
                write(self.path / name, text)

    def stage(self, files):
        self.put(files)
        if files:
            self.git("add", "-A", "--", *files)

    def commit(self, files):
        self.stage(files)
        self.git("commit", "-q", "--no-verify", "--allow-empty", "-m", "x")
        return self.git("rev-parse", "HEAD")
