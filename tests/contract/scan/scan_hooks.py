"""The pre-commit hook: a commit by the real git is refused, and nothing of another's is touched."""
import json
import os
import shutil

from scanned import Repository, answer_of, expect, write, write_terms

LINE = "clawperator skills scan --staged --output pretty || exit 1"


def install(place, name="repo", code=0):
    return answer_of(place, "skills", "scan", name, "--install-hook", code=code)


def refused(place, name="repo"):
    answer = install(place, name, code=1)
    expect(place, "PRIVACY_HOOK_REFUSED", answer["code"], answer)
    return answer["message"]


def a_commit_is_refused(place):
    """With a term in the staged lines, however git gives them to the hook; --no-verify passes."""
    repository = Repository(place, "repo")
    answer = install(place)
    hook = repository.path / ".git/hooks/pre-commit"
    expect(place, {"installed": True, "created": True, "hook": str(hook)}, answer, "answer")
    expect(place, True, os.access(hook, os.X_OK), "executable")
    write_terms(place, "jane\n")
    repository.stage({"a.txt": "x\njane\n"})
    done = repository.run("commit", "-qm", "first")
    text = done.stderr.decode()
    expect(place, True, done.returncode != 0 and "a.txt:2:1: PRIVACY_TERM_FOUND" in text, text)
    expect(place, False, "jane" in text, text)
    repository.stage({"a.txt": "x\n", "b.txt": "1\n"})
    repository.git("commit", "-qm", "first")
    for words in (("-a",), ("b.txt",), ("-i", "b.txt")):
        repository.put({"b.txt": "jane\n"})
        done = repository.run("commit", "-qm", "x", *words)
        refusal = done.returncode != 0 and b"b.txt:1:1: PRIVACY_TERM" in done.stderr
        expect(place, True, refusal, f"{words} {done.stderr}")
        repository.git("reset", "-q", "--hard")
    # Another file is staged, and stays out of the commit.
    repository.stage({"a.txt": "jane\n"})
    repository.put({"b.txt": "2\n"})
    repository.git("commit", "-qm", "x", "b.txt")
    expect(place, 1, repository.run("commit", "-qm", "x").returncode, "the other one")
    repository.git("commit", "-qm", "x", "--no-verify")


def in_a_worktree(place):
    repository = Repository(place, "repo")
    repository.commit({"a.txt": "x\n"})
    repository.git("worktree", "add", "-q", "../tree")
    tree = place.sandbox / "tree"
    answer = install(place, "tree")
    expect(place, str(repository.path / ".git/hooks/pre-commit"), answer["hook"], "the common folder")
    write_terms(place, "jane\n")
    write(tree / "b.txt", "jane\n")
    repository.git("add", "b.txt", cwd=tree)
    done = repository.run("commit", "-qm", "x", cwd=tree)
    expect(place, True, done.returncode != 0 and b"b.txt:1:1" in done.stderr, done.stderr)
    write(tree / "b.txt", "y\n")
    repository.git("commit", "-qam", "x", cwd=tree)


def once_more(place):
    repository = Repository(place, "repo")
    install(place)
    hook = repository.path / ".git/hooks/pre-commit"
    before = hook.read_bytes(), os.stat(hook).st_ino
    expect(place, (True, False), (install(place)["installed"], install(place)["created"]), "again")
    expect(place, before, (hook.read_bytes(), os.stat(hook).st_ino), "unchanged")
    hook.chmod(0o644)
    expect(place, True, "chmod +x" in refused(place), "not executable")
    hook.write_text(f"#!/bin/sh\nmake lint\n{LINE}\n")
    hook.chmod(0o755)
    expect(place, False, install(place)["created"], "a hook that has the line")
    hook.write_text(f"#!/bin/sh\n# {LINE}\n")
    expect(place, True, LINE in refused(place), "a comment")


def another_hook(place):
    """A hook, a link, a link to nothing, a folder, a pipe: untouched, and the error has the line to add."""
    repository = Repository(place, "repo")
    hooks = repository.path / ".git/hooks"
    hook = hooks / "pre-commit"
    elsewhere = place.sandbox / "elsewhere"
    elsewhere.mkdir()
    write(elsewhere / "hook", "#!/bin/sh\n\xff")

    def expect_refused(what):
        before = os.lstat(hook)
        expect(place, True, LINE in refused(place), what)
        after = os.lstat(hook)
        expect(place, (before.st_ino, before.st_size, before.st_mode, before.st_mtime_ns),
               (after.st_ino, after.st_size, after.st_mode, after.st_mtime_ns), what)
        expect(place, ["hook"], os.listdir(elsewhere), what)
        expect(place, [], [name for name in os.listdir(hooks) if "clawperator" in name], "drafts")

    content = b"#!/bin/sh\nexit 0\n\xff\0"
    hook.write_bytes(content)
    expect_refused("a hook")
    expect(place, content, hook.read_bytes(), "its bytes")
    for target in ("hook", "absent"):
        os.remove(hook)
        os.symlink(elsewhere / target, hook)
        expect_refused(f"a link to {target}")
    os.remove(hook)
    os.mkfifo(hook)
    expect_refused("a pipe")
    os.remove(hook)
    hook.mkdir()
    expect_refused("a folder")
    shutil.rmtree(hooks)
    os.symlink(elsewhere, hooks)
    refused(place)
    expect(place, ["hook"], os.listdir(elsewhere), "hooks are a link")
    os.remove(hooks)
    install(place)


def where_git_looks(place):
    """core.hooksPath of the repository is used; that of the user's configuration is refused."""
    repository = Repository(place, "repo")
    repository.git("config", "core.hooksPath", "tools/hooks")
    expect(place, str(repository.path / "tools/hooks/pre-commit"), install(place)["hook"], "of the repository")
    write_terms(place, "jane\n")
    repository.stage({"a.txt": "jane\n"})
    expect(place, 1, repository.run("commit", "-qm", "x").returncode, "git runs it")
    repository.git("config", "core.hooksPath", "~/my hooks")
    expect(place, str(place.sandbox / "my hooks/pre-commit"), install(place)["hook"], "below the home")
    expect(place, 1, repository.run("commit", "-qm", "x").returncode, "git runs it")
    repository.git("config", "--unset", "core.hooksPath")
    write(place.sandbox / "more", "[core]\n  hooksPath = /hooks-of-all\n")
    for text in ("[core]\n  hooksPath = ~/all\n", f"[include]\n  path = {place.sandbox}/more\n"):
        write(place.sandbox / ".gitconfig", text)
        message = refused(place)
        expect(place, True, "core.hooksPath" in message and LINE in message, message)
    os.remove(place.sandbox / ".gitconfig")
    expect(place, False, (repository.path / ".git/hooks/pre-commit").exists(), "not written")
    repository.git("clone", "-q", "--bare", ".", "../bare.git")
    expect(place, True, "bare" in refused(place, "bare.git"), "bare")
    (place.sandbox / "plain").mkdir()
    expect(place, "PRIVACY_SCAN_FAILED", install(place, "plain", code=1)["code"], "no repository")


def the_users_script(place):
    """~/.clawperator/pre-commit-blocked-terms.sh is called where it is, first; its failure refuses the commit."""
    repository = Repository(place, "repo")
    install(place)
    write_terms(place, "jane\n")
    script = place.sandbox / ".clawperator/pre-commit-blocked-terms.sh"
    write(script, '#!/bin/sh\necho "$0" >> "$HOME/called"\ntest ! -e "$HOME/refuse"\n')
    repository.stage({"a.txt": "x\n"})
    repository.git("commit", "-qm", "x")
    called = place.sandbox / "called"
    expect(place, False, called.exists(), "not executable")
    script.chmod(0o755)
    repository.stage({"a.txt": "y\n"})
    repository.git("commit", "-qm", "x")
    expect(place, f"{script}\n", called.read_text(), "called")
    repository.stage({"a.txt": "jane\n"})
    done = repository.run("commit", "-qm", "x")
    expect(place, True, done.returncode != 0 and b"PRIVACY_TERM_FOUND" in done.stderr, "the scan comes after it")
    write(place.sandbox / "refuse", "")
    done = repository.run("commit", "-qm", "x")
    expect(place, (1, False), (done.returncode, b"PRIVACY" in done.stderr), "it comes first")


def without_the_program(place):
    """A commit that cannot be scanned is refused; without a file of terms it passes."""
    repository = Repository(place, "repo")
    install(place)
    repository.stage({"a.txt": "x\n"})
    nowhere = {**repository.environment, "PATH": "/usr/bin:/bin"}
    done = repository.run("commit", "-qm", "x", env=nowhere)
    expect(place, True, done.returncode != 0 and b"not on PATH" in done.stderr, done.stderr)
    done = repository.run("commit", "-qm", "x")
    expect(place, (0, True), (done.returncode, b"blocked-terms.txt" in done.stderr), done.stderr)
    done = place.run("skills", "scan", "repo", "--install-hook", "--output", "pretty")
    expect(place, (0, 1), (done.returncode, len(done.stdout.splitlines())), "for people")
    expect(place, True, json.loads(place.run("skills", "scan", "repo").stdout)["valid"], "HEAD")


CHECKS = [("a commit is refused", False, a_commit_is_refused), ("hook in a worktree", False, in_a_worktree),
          ("the hook once more", False, once_more), ("another hook", False, another_hook),
          ("where git looks", False, where_git_looks), ("the user's script", False, the_users_script),
          ("without the program", False, without_the_program)]
