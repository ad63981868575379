"""`agent-skills watch`: real folders that change, a line for each burst."""
import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import time

import peers
from limits import LIMIT_S
from tool_host import Host

BURST_MS = 300


class Watch:
    """The command, once it says that it watches."""

    def __init__(self, host, *words, prefix=()):
        self.host = host
        self.child = subprocess.Popen([*prefix, host.place.binary, "agent-skills", "watch", *words],
                                      env={**host.place.env, **host.env}, cwd=host.home, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.said = []
        while not (line := self.child.stderr.readline().decode()).startswith("watching "):
            if not line:
                raise host.place.Mismatch(f"it does not watch: {self.said}, {self.child.communicate()[0][:600]!r}")
            self.said.append(line)
        self.roots = line.removeprefix("watching ").strip().split(", ")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.kill()
        self.child.communicate()

    @contextlib.contextmanager
    def stopped(self):
        """What happens meanwhile is one burst, however long the writer takes."""
        self.child.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.child.pid, os.WSTOPPED | os.WNOWAIT)
        try:
            yield
        finally:
            self.child.send_signal(signal.SIGCONT)

    def line(self):
        if not select.select([self.child.stdout], [], [], LIMIT_S)[0]:
            raise self.host.place.Mismatch(f"nothing in {LIMIT_S} s")
        return json.loads(self.child.stdout.readline())

    def reports(self, path):
        event = self.line()
        self.host.expect("refresh", {name: event[name] for name in ("event", "reason", "changedPath")},
                         {"event": "refresh", "reason": "watch", "changedPath": str(path)})
        self.host.expect("members", list(event), ["event", "reason", "changedPath", "version"])
        return event["version"]


def watched_host(place, **load):
    config = {"skills": {"load": {"watchDebounceMs": BURST_MS, **load}},
              "agents": {"defaults": {"workspace": str(place.sandbox / "ws")}}}
    return Host(place, config)


def every_folder_of_skills_is_watched(place):
    extra = place.sandbox / "extra"
    host = watched_host(place, extraDirs=[str(extra)])
    host.skill("managed")
    with Watch(host) as watch:
        host.expect("roots", watch.roots, [f"{host.home}/ws/skills", f"{host.state}/skills", str(extra)])
        versions, before = [0], int(time.time() * 1000)
        for root in (host.home / "ws/skills", host.state / "skills", extra):
            path = host.skill("new", root=root) / "SKILL.md"  # two of the folders come only now
            versions.append(watch.reports(path))
            path.write_text("changed")
            versions.append(watch.reports(path))
            path.unlink()
            versions.append(watch.reports(path))
            (root / "new").rmdir()  # nothing by itself
            (root / "new2").mkdir()
        host.expect("versions grow", versions, sorted(set(versions)))
        host.expect("by the clock", before <= versions[1] <= int(time.time() * 1000) + len(versions), True)
        other = extra / "any.file"
        other.write_text("x")
        watch.reports(other)


def a_burst_is_reported_once_with_its_last_path(place):
    host = watched_host(place)
    folder = host.skill("a")
    with Watch(host, "--count", "2") as watch:
        with watch.stopped():
            for number in range(50):
                (folder / f"{number:02}").write_text("x")
        watch.reports(folder / "49")
        with watch.stopped():
            shutil.rmtree(folder)
            host.skill("a")
        watch.reports(folder / "SKILL.md")
        host.expect("it ends", watch.child.wait(LIMIT_S), 0)
        host.expect("no more", watch.child.stdout.read(), b"")


def what_is_ignored_and_what_comes_again(place):
    host = watched_host(place)
    folder = host.skill("a")
    with Watch(host) as watch:
        for name in (".git", "node_modules", "dist"):
            (folder / name).mkdir()
            (folder / name / "x").write_text("x")
        (folder / "seen").write_text("x")
        watch.reports(folder / "seen")
        (host.state / "skills").rename(host.state / "old")
        changed = watch.line()["changedPath"]
        host.expect(changed, changed.startswith(str(host.state / "skills")), True)
        path = host.skill("b") / "SKILL.md"
        watch.reports(path)
        (host.state / "old/a/seen").write_text("not ours any more")
        path.write_text("y")
        watch.reports(path)


def it_ends_on_request(place):
    host = watched_host(place)
    for number in (signal.SIGINT, signal.SIGTERM):
        with Watch(host) as watch:
            watch.child.send_signal(number)
            host.expect(f"{number}", (watch.child.wait(LIMIT_S), watch.child.stdout.read()), (0, b""))
    with Watch(host) as watch:
        watch.child.stdout.close()  # no program reads any more
        (host.skill("a") / "x").write_text("x")
        host.expect("it has ended", watch.child.wait(LIMIT_S), 0)
        watch.child.stdout = None


def it_says_when_the_configuration_forbids_it(place):
    host = watched_host(place, watch=False)
    done = host.run("watch")
    host.expect("printed", (done.returncode, json.loads(done.stdout)),
                (0, {"watching": False, "message": "skills.load.watch is false"}))
    for wrong in ("0", "-1", "x", ""):
        done = host.run("watch", "--count", wrong)
        host.expect(wrong, (done.returncode, json.loads(done.stdout)["code"]), (1, "USAGE"))


def without_watches_the_roots_are_left(place):
    """In a user namespace of its own, where the kernel gives fewer."""
    host = watched_host(place)
    for number in range(30):
        host.skill(f"s{number}")
    depth = len((host.state / "skills").parts) + len((host.home / "ws/skills").parts)
    limit = ["unshare", "-Ur", "sh", "-c", f'echo {depth + 5} >/proc/sys/user/max_inotify_watches && exec "$@"', "sh"]
    if subprocess.run([*limit, "true"], capture_output=True, check=False).returncode != 0:
        raise peers.Unavailable("no user namespace can be made here")
    with Watch(host, prefix=limit) as watch:
        host.expect("warnings", (len(watch.said), "no watches left" in "".join(watch.said)), (1, True))
        top = host.state / "skills/top"
        top.write_text("x")
        watch.reports(top)
        host.skill("s99")
        watch.reports(host.state / "skills/s99")
        # With fewer folders there are enough of them again.
        for number in range(1, 30):
            shutil.rmtree(host.state / f"skills/s{number}")
        shutil.rmtree(host.state / "skills/s99")
        (host.state / "skills/last").write_text("x")
        while watch.line()["changedPath"] != str(host.state / "skills/last"):
            pass
        (host.state / "skills/s0/deep").mkdir()
        deep = host.state / "skills/s0/deep/x"
        deep.write_text("x")
        watch.reports(deep)


CHECKS = [(f"agent watch: {check.__name__.replace('_', ' ')}", False, check) for check in (
    every_folder_of_skills_is_watched, a_burst_is_reported_once_with_its_last_path,
    what_is_ignored_and_what_comes_again, it_ends_on_request, it_says_when_the_configuration_forbids_it,
    without_watches_the_roots_are_left)]
