"""Large and hostile repositories, files and lists of terms: bounded, and nothing is left out silently."""
import json
import os
import signal
import subprocess

from limits import LIMIT_S
from scanned import Repository, answer_of, expect, write, write_terms

FILES = 100_000


def many_files(place):
    """HEAD, the history and the staged lines of 100,000 files."""
    repository = Repository(place, "repo")
    files = "".join(f"M 100644 :{1 + (number == FILES // 2)} d{number % 100}/f{number}\n" for number in range(FILES))
    repository.git("fast-import", "--quiet", input=(
        "blob\nmark :1\ndata 2\nx\nblob\nmark :2\ndata 5\njane\n"
        f"commit refs/heads/main\ncommitter a <a@x> 1700000000 +0000\ndata 1\nx\n{files}").encode())
    write_terms(place, "jane\n")
    wanted = [f"d{FILES // 2 % 100}/f{FILES // 2}"]
    for mode, count in ((), FILES), (("--history",), 2), (("--staged",), FILES):
        if mode == ("--staged",):
            repository.git("read-tree", "main")
            repository.git("symbolic-ref", "HEAD", "refs/heads/none")
        answer = answer_of(place, "skills", "scan", "repo", *mode, code=1)
        found = [each["file"].split(":")[-1] for each in answer["faults"]]
        expect(place, (count, wanted), (answer["files"], found), mode)


def a_tree_of_trees(place):
    """100 folders of 100 folders of ...: a hundred million files, of four objects."""
    repository = Repository(place, "repo")
    below = repository.git("hash-object", "-w", "--stdin", input=b"jane\n")
    kind = "100644 blob"
    for _ in range(4):
        rows = "".join(f"{kind} {below}\t{number}\n" for number in range(100))
        below, kind = repository.git("mktree", input=rows.encode()), "040000 tree"
    repository.git("update-ref", "HEAD", repository.git("commit-tree", below, "-m", "x"))
    write_terms(place, "jane\n")
    answer = answer_of(place, "skills", "scan", "repo", code=1)
    expect(place, "PRIVACY_SCAN_FAILED", answer["code"], "HEAD")
    expect(place, 1, answer_of(place, "skills", "scan", "repo", "--history", code=1)["files"], "history")
    os.mkfifo(place.sandbox / "terms")
    with subprocess.Popen([place.binary, "skills", "scan", "repo", "--terms-file", "terms"], env=place.env,
                          cwd=place.sandbox, stdout=subprocess.PIPE) as process:
        (place.sandbox / "terms").write_text("jane\n")  # it is read: the scan begins, and takes seconds
        process.send_signal(signal.SIGINT)
        text = process.communicate(timeout=LIMIT_S)[0]
    expect(place, (130, "CANCELLED"), (process.returncode, json.loads(text)["code"]), "Ctrl-C")
    below = repository.git("mktree", input=b"")
    for _ in range(300):
        below = repository.git("mktree", input=f"040000 tree {below}\tx\n".encode())
    repository.git("update-ref", "HEAD", repository.git("commit-tree", below, "-m", "x"))
    answer = answer_of(place, "skills", "scan", "repo", code=1)
    expect(place, (True, "PRIVACY_SCAN_FAILED"), ("folders" in answer["message"], answer["code"]), "deep")


def large_files(place):
    """10 MiB are read, one byte more is counted as skipped; a line of 10 MiB has its column."""
    repository = Repository(place, "repo")
    end = "jane\n"
    size = 10 << 20
    files = {"line.txt": "x" * (size - len(end)) + end, "lines.txt": "x\n" * ((size - 6) // 2) + "x" + end,
             "more.txt": "x" * (size - 4) + end}
    write_terms(place, "jane\n")
    repository.stage(files)
    wanted = [f"PRIVACY_TERM_FOUND line.txt:1:{size - 4}", f"PRIVACY_TERM_FOUND lines.txt:{(size - 6) // 2 + 1}:2"]
    for mode in ("--staged",), ():
        answer = answer_of(place, "skills", "scan", "repo", *mode, code=1)
        found = sorted(f"{each['code']} {each['file']}:{each['line']}:{each['column']}" for each in answer["faults"])
        expect(place, (2, {"binary": 0, "large": 1}, wanted), (answer["files"], answer["skipped"], found), mode)
        repository.commit({})
    repository.stage({"more.txt": "jane\n", "lines.txt": "jane\n" + files["lines.txt"][5:]})
    answer = answer_of(place, "skills", "scan", "repo", "--staged", code=1)
    expect(place, ["lines.txt", "more.txt"], sorted(each["file"] for each in answer["faults"]), "no longer large")


def many_terms(place):
    """1 MiB of terms that all fail late, in a line of 1 MiB that is made for them; more terms are an error."""
    repository = Repository(place, "repo")
    terms = "".join(f"{'a' * 1000}{number:04}\n" for number in range(1043))
    repository.commit({"a.txt": "a" * (1 << 20) + "1042\n" + "a" * 1000 + "1043\n"})
    write_terms(place, terms)
    answer = answer_of(place, "skills", "scan", "repo", code=1)
    expect(place, [(1, (1 << 20) - 999)], [(each["line"], each["column"]) for each in answer["faults"]], "found")
    names = "".join(f"person {number}\n" for number in range(60_000))[:1 << 20]
    write_terms(place, names)
    repository.commit({"b.txt": "".join(f"Person {number}, " for number in range(10_000))})
    answer = answer_of(place, "skills", "scan", "repo", code=1)
    expect(place, 10_000, len(answer["faults"]) + answer.get("unlisted", 0), "50,000 terms")
    for bad in (names.ljust((1 << 20) + 1), "x" * 1025 + "\n"):
        write_terms(place, bad)
        expect(place, "PRIVACY_TERMS_INVALID", answer_of(place, "skills", "scan", "repo", code=1)["code"], "too much")


def many_faults(place):
    """A report is bounded; the rest is counted."""
    repository = Repository(place, "repo")
    repository.commit({"a.txt": "jane" * 1_000_000, "b.txt": "jane\n"})
    write_terms(place, "jane\n")
    answer = answer_of(place, "skills", "scan", "repo", code=1)
    expect(place, (10_000, 990_001), (len(answer["faults"]), answer["unlisted"]), "faults")


def a_damaged_repository(place):
    """An object that is missing is an error, not a clean report."""
    repository = Repository(place, "repo")
    repository.commit({"a.txt": "x\n"})
    blob = repository.git("rev-parse", "HEAD:a.txt")
    os.remove(repository.path / ".git/objects" / blob[:2] / blob[2:])
    for mode in (), ("--history",):
        answer = answer_of(place, "skills", "scan", "repo", *mode, code=1)
        expect(place, "PRIVACY_SCAN_FAILED", answer["code"], mode)
    write(repository.path / ".git/index", "DIRC nothing")
    answer = answer_of(place, "skills", "scan", "repo", "--staged", code=1)
    expect(place, "PRIVACY_SCAN_FAILED", answer["code"], "index")


CHECKS = [("many files", False, many_files), ("a tree of trees", False, a_tree_of_trees),
          ("large files", False, large_files), ("many terms", False, many_terms), ("many faults", False, many_faults),
          ("a damaged repository", False, a_damaged_repository)]
