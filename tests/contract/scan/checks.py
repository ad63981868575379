"""`skills scan` and `recipe lint`: rows of cases.json, by repositories that git has made, and bad kinds of both.

A row makes `commits`, a dict of files each (null: removed), and stages `staged`; `unstaged` is only written. `faults`
are all that the scan reports, "CODE FILE:LINE:COLUMN" each; a file of the history begins with its commit's number."""
import json
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import scan_hooks
import scan_limits
from scanned import (Repository, answer_of, commit_ids, expect, shown, write, write_terms)
from terminal import on_a_terminal

CASES = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))


def scanned(place, row):
    repository = Repository(place, "repo")
    ids = [repository.commit(files) for files in row["commits"]]
    repository.stage(row.get("staged", {}))
    repository.put(row.get("unstaged", {}))
    write_terms(place, row["terms"])
    answer = answer_of(place, "skills", "scan", "repo", *row["argv"], code=1 if row["faults"] else 0)
    expect(place, sorted(row["faults"]), shown(commit_ids(answer, ids)), f"faults of {answer}")
    expect(place, (not row["faults"], row["files"], row.get("skipped")),
           (answer["valid"], answer["files"], answer.get("skipped")), "report")


def linted(place, row):
    write(place.sandbox / "r.recipe.md", row["text"])
    write_terms(place, "jane\n")
    answer = answer_of(place, "recipe", "lint", "r.recipe.md", code=1 if row["faults"] else 0)
    found = sorted(f"{each['code']} {each['line']}:{each['column']}" for each in answer["faults"])
    expect(place, (sorted(row["faults"]), 1), (found, answer["recipes"]), f"faults of {answer}")


def lint_of_a_folder(place):
    """The files that `recipe validate --all` takes for recipes."""
    for name, text in (("a.recipe.md", "jane\n"), ("b/c.md", "---\nrecipe_id: x\n---\njane\n"),
                       ("README.md", "jane\n"), ("d.txt", "jane\n")):
        write(place.sandbox / "all" / name, text)
    write(place.sandbox / "terms", "jane\n")
    argv = ("recipe", "lint", "--all", "all", "--terms-file", "terms")
    answer = answer_of(place, *argv, code=1)
    expect(place, (2, ["PRIVACY_TERM_FOUND all/a.recipe.md:1:1", "PRIVACY_TERM_FOUND all/b/c.md:4:1"]),
           (answer["recipes"], shown(answer)), "faults")
    expect(place, 2, answer_of(place, "recipe", "validate", "--all", "all", code=1)["recipes"], "as validate")
    results = answer_of(place, *argv, "--format", "sarif", code=1)["runs"][0]["results"]
    expect(place, {"PRIVACY_TERM_FOUND"}, {each["ruleId"] for each in results}, "SARIF")
    done = place.run(*argv, "--output", "pretty")
    expect(place, b"all/a.recipe.md:1:1: PRIVACY_TERM_FOUND: a blocked term\n", done.stdout.splitlines(True)[0], "text")
    for words in (("lint",), ("lint", "--all"), ("lint", "a", "b")):
        expect(place, "USAGE", answer_of(place, "recipe", *words, code=1)["code"], words)
    expect(place, "FILE_UNREADABLE", answer_of(place, "recipe", "lint", "absent.md", code=1)["code"], "absent")


def without_terms(place):
    """No folder, no file: one warning, and only literals. A file that is named must be there."""
    Repository(place, "repo").commit({"a.txt": "jane jo@mail.net\n"})
    for made in (None, place.sandbox / ".clawperator"):
        if made:
            made.mkdir(exist_ok=True)
        done = place.run("skills", "scan", "repo")
        expect(place, ["PRIVACY_LITERAL_FOUND a.txt:1:6"], shown(json.loads(done.stdout)), "literals")
        lines = done.stderr.decode().splitlines()
        expect(place, True, len(lines) == 1 and "WARN" in lines[0] and "blocked-terms.txt" in lines[0], lines)
    Repository(place, "clean").commit({"a.txt": "jane\n"})
    expect(place, 0, place.run("skills", "scan", "clean").returncode, "it does not block")
    for argv in (("skills", "scan", "repo"), ("recipe", "lint", "repo/a.txt")):
        for absent in ("absent", "repo"):
            answer = answer_of(place, *argv, "--terms-file", absent, code=1)
            expect(place, "FILE_UNREADABLE", answer["code"], absent)
    write(place.sandbox / "own terms", "jane\n")
    done = place.run("skills", "scan", "repo", "--terms-file", "own terms")
    expect(place, (2, b""), (len(json.loads(done.stdout)["faults"]), done.stderr), "--terms-file")
    write_terms(place, "nothing\n")
    done = place.run("skills", "scan", "repo", "--terms-file", "own terms")
    expect(place, 2, len(json.loads(done.stdout)["faults"]), "instead of the default")
    os.remove(place.sandbox / ".clawperator/blocked-terms.txt")
    os.mkfifo(place.sandbox / ".clawperator/blocked-terms.txt")
    expect(place, "FILE_UNREADABLE", answer_of(place, "skills", "scan", "repo", code=1)["code"], "a pipe")


def terms_in_the_repository(place):
    """The file itself is no fault, by any name of it; a copy is one."""
    repository = Repository(place, "repo")
    repository.commit({"own/terms.txt": "jane\n", "copy.txt": "jane\n"})
    repository.stage({"own/terms.txt": "jane\njane doe\n"})
    os.symlink(repository.path / "own/terms.txt", place.sandbox / "link")
    for terms in ("repo/own/terms.txt", "link"):
        for mode, wanted in ((), ["copy.txt"]), (("--staged",), []), (("--history",), ["copy.txt"]):
            answer = answer_of(place, "skills", "scan", "repo", *mode, "--terms-file", terms, code=1 if wanted else 0)
            found = [each["file"].split(":")[-1] for each in answer["faults"]]
            # In the history the copy has the same content, and is not left out.
            expect(place, wanted, found, f"{terms} {mode}")


def a_copy_of_the_terms(place):
    """It is found in the history, also where the file itself comes first."""
    repository = Repository(place, "repo")
    repository.commit({"a/terms.txt": "jane\n"})
    repository.commit({"z.txt": "jane\n"})
    answer = answer_of(place, "skills", "scan", "repo", "--history", "--terms-file", "repo/a/terms.txt", code=1)
    expect(place, ["z.txt"], [each["file"].split(":")[1] for each in answer["faults"]], "faults")


def kinds_of_repositories(place):
    """A sparse and a partial clone are read. What libgit2 cannot read is refused, with what to do."""
    source = Repository(place, "source")
    source.commit({"a/a.txt": "x\n", "b/b.txt": "jane\n"})
    write_terms(place, "jane\n")
    source.git("config", "uploadpack.allowFilter", "true")
    source.git("clone", "-q", "--filter=blob:none", "--sparse", f"file://{source.path}", "../sparse")
    sparse = place.sandbox / "sparse"
    source.git("sparse-checkout", "set", "a", cwd=sparse)
    source.git("config", "extensions.partialClone", "origin", cwd=sparse)
    source.git("config", "extensions.worktreeConfig", "true", cwd=sparse)
    source.git("config", "core.repositoryFormatVersion", "1", cwd=sparse)
    write(sparse / "a/a.txt", "x\njane\n")
    source.git("add", "a/a.txt", cwd=sparse)
    answer = answer_of(place, "skills", "scan", "sparse", "--staged", code=1)
    expect(place, ["PRIVACY_TERM_FOUND a/a.txt:2:1"], shown(answer), "sparse")
    expect(place, True, answer_of(place, "skills", "scan", "sparse", "--install-hook", code=0)["created"], "hook")
    source.git("sparse-checkout", "reapply", "--sparse-index", cwd=sparse)
    message = answer_of(place, "skills", "scan", "sparse", "--staged", code=1)["message"]
    expect(place, True, "--no-sparse-index" in message, message)
    source.git("update-index", "--split-index")
    message = answer_of(place, "skills", "scan", "source", "--staged", code=1)["message"]
    expect(place, True, "--no-split-index" in message, message)
    source.git("init", "-q", "--object-format=sha256", "../sha256")
    message = answer_of(place, "skills", "scan", "sha256", code=1)["message"]
    expect(place, True, "objectformat" in message, message)


def only_on_a_terminal(place):
    """The text that was found: neither in JSON nor SARIF, nor in a pipe."""
    Repository(place, "repo").commit({"a.txt": "xx Jane \x1b[31m\n", "b.txt": "jo@mail.net\n"})
    write_terms(place, "jane \x1b[31m\n")
    for argv in ((), ("--output", "pretty"), ("--format", "sarif"), ("--history",),
                 ("--history", "--output", "pretty")):
        done = place.run("skills", "scan", "repo", *argv)
        expect(place, 1, done.returncode, argv)
        for text in (b"jane", b"jo@mail"):
            expect(place, False, text in (done.stdout + done.stderr).lower(), f"{text} in {argv}")
    expect(place, False, b"Jane" in on_a_terminal(place, "skills", "scan", "repo"), "JSON on a terminal")
    text = on_a_terminal(place, "skills", "scan", "repo", "--output", "pretty").decode()
    expect(place, True, "a.txt:1:4: PRIVACY_TERM_FOUND: a blocked term: Jane" in text, text)
    expect(place, True, "b.txt:1:1: PRIVACY_LITERAL_FOUND: an e-mail address: jo@mail.net" in text, text)
    expect(place, False, "\x1b" in text, text)


def sarif(place):
    repository = Repository(place, "repo")
    commit = repository.commit({"a b.txt": "x jane\n"})
    write_terms(place, "jane\n")
    for mode, suffix in ((), ""), (("--history",), f" in commit {commit[:12]}"):
        document = answer_of(place, "skills", "scan", "repo", *mode, "--format", "sarif", code=1)
        run, = document["runs"]
        result, = run["results"]
        expect(place, "PRIVACY_TERM_FOUND", result["ruleId"], "rule")
        expect(place, True, result["ruleId"] in [rule["id"] for rule in run["tool"]["driver"]["rules"]], "rules")
        expect(place, "a blocked term" + suffix, result["message"]["text"], "message")
        expect(place, {"artifactLocation": {"uri": "a%20b.txt"}, "region": {"startLine": 1, "startColumn": 3}},
               result["locations"][0]["physicalLocation"], "place")


def other_repositories(place):
    """Below a folder of it, bare, another branch, a stash, a link's target, a submodule; none."""
    repository = Repository(place, "repo")
    repository.commit({"sub/a.txt": "x\n"})
    os.symlink("/home/jdoe/x", repository.path / "link")
    repository.git("add", "link")
    answer = answer_of(place, "skills", "scan", "repo", "--staged", code=1)
    expect(place, ["PRIVACY_LITERAL_FOUND link:1:1"], shown(answer), "a staged link")
    repository.git("commit", "-qm", "link")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module")
    repository.git("commit", "-qm", "submodule")
    wanted = ["PRIVACY_LITERAL_FOUND link:1:1"]
    done = place.run("skills", "scan", "repo/sub")
    expect(place, wanted, shown(json.loads(done.stdout)), "from below")
    repository.git("checkout", "-qb", "other")
    write_terms(place, "jane\n")
    repository.commit({"c.txt": "jane\n"})
    repository.git("tag", "-am", "t", "t")
    repository.git("checkout", "-q", "main")
    repository.git("branch", "-qD", "other")
    repository.put({"sub/a.txt": "jane in a stash\n"})
    repository.git("stash", "-q")
    answer = answer_of(place, "skills", "scan", "repo", "--history", code=1)
    found = sorted(each["file"].split(":")[1] for each in answer["faults"])
    expect(place, ["c.txt", "link", "sub/a.txt"], found, "history")
    repository.git("checkout", "-q", "--detach")
    repository.commit({"d.txt": "jane without a branch\n"})
    answer = answer_of(place, "skills", "scan", "repo", "--history", code=1)
    expect(place, 4, len(answer["faults"]), "a detached HEAD")
    repository.git("checkout", "-q", "main")
    repository.git("clone", "-q", "--bare", ".", "../bare.git")
    for mode in (), ("--history",):
        expect(place, 1, place.run("skills", "scan", "bare.git", *mode).returncode, "bare")
    repository.git("clone", "-q", "--depth", "1", f"file://{repository.path}", "../shallow")
    answer = answer_of(place, "skills", "scan", "shallow", "--history", code=1)
    expect(place, ["link"], [each["file"].split(":")[1] for each in answer["faults"]], "shallow")
    (place.sandbox / "plain").mkdir()
    done = place.run("skills", "scan", env={"GIT_DIR": "repo/.git"})
    expect(place, wanted, shown(json.loads(done.stdout)), "GIT_DIR")
    for argv in (("plain",), ("absent",), ("bare.git", "--staged")):
        answer = answer_of(place, "skills", "scan", *argv, code=1)
        expect(place, "PRIVACY_SCAN_FAILED", answer["code"], argv)
    for argv in (("--staged", "--history"), ("--history", "--install-hook"), ("a", "b"), ("--terms-file",),
                 ("--install-hook", "--format", "sarif"), ("--format", "xml")):
        expect(place, "USAGE", answer_of(place, "skills", "scan", *argv, code=1)["code"], argv)


CHECKS = [*((row["id"], False, lambda place, row=row: scanned(place, row)) for row in CASES["rows"]),
          *((row["id"], False, lambda place, row=row: linted(place, row)) for row in CASES["recipes"]),
          ("lint of a folder", False, lint_of_a_folder), ("without terms", False, without_terms),
          ("terms in the repository", False, terms_in_the_repository),
          ("a copy of the terms", False, a_copy_of_the_terms),
          ("kinds of repositories", False, kinds_of_repositories),
          ("only on a terminal", False, only_on_a_terminal),
          ("sarif", False, sarif), ("other repositories", False, other_repositories),
          *scan_hooks.CHECKS, *scan_limits.CHECKS]
