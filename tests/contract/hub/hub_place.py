"""A work folder, a hub, and what is expected of the two."""
import json
import pathlib
import subprocess

from fake_hub import FakeHub

V1 = {"SKILL.md": b"---\nname: demo\ndescription: one\n---\n", "scripts/run.sh": b"echo one\n"}
V2 = {"SKILL.md": b"---\nname: demo\ndescription: two\n---\n", "notes.md": b"two\n"}


def expect(condition, what, place):
    if not condition:
        raise place.Mismatch(what)


def environment(hub):
    return {"CLAWHUB_REGISTRY": hub.base, "CLAWHUB_SITE": hub.base}


def run(place, hub, *words, env=None, **more):
    return place.run("hub", *words, env={**environment(hub), **(env or {})}, **more)


def started(place, hub, *words):
    return subprocess.Popen([place.binary, "hub", *words], env={**place.env, **environment(hub)}, cwd=place.sandbox,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def document(place, done, code=0):
    expect(done.returncode == code, f"exit {done.returncode}: {done.stdout[:600]} {done.stderr[:300]}", place)
    expect(done.stdout.count(b"\n") == 1, f"not one line: {done.stdout[:400]}", place)
    return json.loads(done.stdout)


def succeeded(place, hub, *words, **more):
    return document(place, run(place, hub, *words, **more))


def failed(place, hub, code, *words, says="", **more):
    answer = document(place, run(place, hub, *words, **more), 1)
    expect(answer["code"] == code and says in answer["message"], f"expected {code} {says}, got {answer}", place)
    return answer


def work(place):
    return pathlib.Path(place.sandbox)


def skills(place):
    return work(place) / "skills"


def tree(folder, everything=False):
    """What lies in a skill's folder, without the hub's own note of it."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and (everything or ".clawdhub" not in path.parts)}


def lock(place):
    return json.loads((work(place) / ".clawdhub/lock.json").read_text())


def locked(place):
    return {slug: entry["version"] for slug, entry in lock(place)["skills"].items()}


def expect_tidy(place, names):
    """Nothing but these is in the skills' folder."""
    there = sorted(path.name for path in skills(place).iterdir())
    expect(there == sorted(names), f"left behind: {there}", place)
    marker = work(place) / ".clawdhub"
    there = {path.name for path in marker.iterdir()} if marker.is_dir() else set()
    expect(there <= {"lock.json"}, f"left behind: {there}", place)


def with_hub(check):
    def body(place):
        with FakeHub() as hub:
            hub.add("demo", "1.0.0", V1)
            try:
                check(place, hub)
            except OSError as problem:  # a file that should be there
                raise place.Mismatch(repr(problem)) from problem
    body.__name__ = check.__name__
    return body


def rows(*checks):
    return [(check.__name__.replace("_", " "), False, with_hub(check)) for check in checks]
