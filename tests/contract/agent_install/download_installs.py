"""Tools that are downloaded: good archives and hostile ones, a server that misbehaves, an install that is killed."""
import hashlib
import io
import json
import os
import shutil
import signal
import subprocess
import tarfile
import zipfile

import peers
from limits import LIMIT_S
from tool_host import Host, tree, wait_until
from web_server import WebServer

FILES = {"tool-1/bin/run": "#!/bin/sh\necho new\n", "tool-1/lib/a/b": "deep", "tool-1/empty": "",
         "tool-1/caf\u00e9 au lait": "names of any kind", "top": "left out when stripped"}


def tar(files, mode="gz", **members):
    """`members`: NAME=TarInfo attributes, of what has no data."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=f"w:{mode}") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(text.encode()), 0o755 if name.endswith("run") else 0o640
            archive.addfile(member, io.BytesIO(text.encode()))
        for name, attributes in members.items():
            member = tarfile.TarInfo(attributes.pop("name", name))
            for attribute, value in attributes.items():
                setattr(member, attribute, value)
            archive.addfile(member)
    return out.getvalue()


def zipped(files, links=()):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            member = zipfile.ZipInfo(name)
            kind = 0o120777 if name in links else 0o100755 if name.endswith("run") else 0o100644
            member.external_attr = kind << 16
            archive.writestr(member, text)
    return out.getvalue()


class Web(WebServer):
    """routes[path] = bytes, or a function of the request."""

    def __init__(self):
        self.routes, self.seen = {}, []
        super().__init__(self.answer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def answer(self, request):
        self.seen.append(request.path)
        route = self.routes.get(request.path)
        if callable(route):
            return route(request)
        request.send_response(404 if route is None else 200)
        request.send_header("Content-Length", str(len(route or b"")))
        request.end_headers()
        request.wfile.write(route or b"")
        return None


def spec(web, path, body=None, **members):
    if body is not None:
        web.routes[path] = body
    return {"kind": "download", "url": web.base + path, **members}


def bytes_of(files):
    return {name: text.encode() for name, text in files.items()}


def with_folders(files):
    folders = {name.rsplit("/", depth)[0]: True for name in files for depth in range(1, name.count("/") + 1)}
    return {**files, **folders}


def every_kind_of_archive_is_unpacked_and_stripped(place):
    host = Host(place)
    stripped = bytes_of({name.removeprefix("tool-1/"): text for name, text in FILES.items() if name != "top"})
    with Web() as web:
        archives = {"t.tar.gz": tar(FILES), "t.tgz": tar(FILES), "t.tar.bz2": tar(FILES, "bz2"),
                    "t.tbz2": tar(FILES, "bz2"), "t.zip": zipped(FILES)}
        for name, body in archives.items():
            for strip, wanted in ((0, bytes_of(FILES)), (1, stripped)):
                skill = f"s{strip}-{name}"
                host.skill(skill, spec(web, f"/{name}?v=1", body, stripComponents=strip))
                answer = host.installed(skill)
                target = host.tools(skill)
                host.expect("message", answer["message"], f"Downloaded and extracted to {target}")
                host.expect(skill, tree(target), with_folders({**wanted, name: body}))
                run = next(target.rglob("run"))
                host.expect("it runs", subprocess.run([run], capture_output=True, check=True).stdout, b"new\n")
                host.expect("a text", os.access(next(target.rglob("b")), os.X_OK), False)


def what_is_no_archive_stays_a_file(place):
    host = Host(place)
    with Web() as web:
        host.skill("file", spec(web, "/d/tool.bin?x=/y.zip", b"\0bytes", targetDir="deep/er"),
                   spec(web, "/a.zip", b"no zip at all", extract=False),
                   spec(web, "/b", zipped({"x": "y"}), archive=" ZIP "))
        answer = host.installed("file", "download-0")
        path = host.tools("file") / "deep/er/tool.bin"
        host.expect("answer", (answer["message"], answer["stdout"]), (f"Downloaded to {path}", "downloaded=6"))
        host.expect("it", path.read_bytes(), b"\0bytes")
        host.installed("file", "download-1")
        host.expect("kept", (host.tools("file") / "a.zip").read_bytes(), b"no zip at all")
        host.installed("file", "download-2")
        host.expect("named", (host.tools("file") / "x").read_bytes(), b"y")
        host.skill("unknown", spec(web, "/c.bin", b"", extract=True), spec(web, "/c.zip", b"", archive="rar"))
        for install_id, message in {"download-0": "extract requested but archive type could not be detected",
                                    "download-1": "unsupported archive type: rar"}.items():
            host.expect(install_id, host.refused("unknown", install_id)["message"], message)
        host.expect("asked for", "/c.bin" in web.seen or "/c.zip" in web.seen, False)


def a_second_install_overwrites_and_keeps_the_rest(place):
    host = Host(place)
    with Web() as web:
        for kind, make in (("tar.gz", tar), ("zip", zipped)):
            host.skill(kind, spec(web, f"/t.{kind}", make({"bin/run": "old", "gone": "still here"})))
            host.installed(kind)
            (host.tools(kind) / "mine").write_text("precious")
            web.routes[f"/t.{kind}"] = make({"bin/run": "new", "bin/more": "x"})
            host.installed(kind)
            found = tree(host.tools(kind))
            host.expect(kind, {name: found[name] for name in found if not name.startswith("t.")},
                        {"bin": True, "bin/run": b"new", "bin/more": b"x", "gone": b"still here", "mine": b"precious"})


def a_file_system_without_hard_links_will_do(place):
    host = Host(place)
    strace = shutil.which("strace")
    if not strace:
        raise peers.Unavailable("strace may not trace here: it is not installed")
    with Web() as web:
        host.skill("tool", spec(web, "/t.tgz", tar({"bin/run": "x"})))
        done = subprocess.run([strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace=link,linkat", "-e",
                               "inject=link,linkat:error=EPERM", place.binary, "agent-skills", "install", "tool",
                               "--yes"],
                              env={**place.env, **host.env}, cwd=place.sandbox,
                              capture_output=True, check=False)
        if b"ptrace" in done.stderr or b"Operation not permitted" in done.stderr:
            raise peers.Unavailable("strace may not trace here")
        host.expect(f"{done}", done.returncode, 0)
        host.expect("tool", tree(host.tools("tool")), {"bin": True, "bin/run": b"x", "t.tgz": web.routes["/t.tgz"]})


def a_digest_is_checked(place):
    host = Host(place)
    body = tar(FILES)
    digest = hashlib.sha256(body).hexdigest()
    with Web() as web:
        host.skill("d", spec(web, "/t.tgz", body, sha256=digest.upper()), spec(web, "/t.tgz", sha256="0" * 64),
                   spec(web, "/t.tgz", sha256="short"))
        answer = host.refused("d", "download-1")
        host.expect(answer["message"], digest in answer["message"] and "0" * 64 in answer["message"], True)
        host.expect("nothing", tree(host.tools("d")) if host.tools("d").exists() else {}, {})
        host.expect("no digest", host.refused("d", "download-2")["message"], "sha256 must be 64 hex digits")
        host.installed("d", "download-0")


HOSTILE = {
    "climbs": lambda: tar({"good": "x", "../../../climbed": "y"}),
    "absolute": lambda: tar({"good": "x", "/tmp/clawperator-absolute": "y"}),
    "link": lambda: tar({"good": "x"}, l={"type": tarfile.SYMTYPE, "linkname": "/etc"}),
    "through a link": lambda: tar({"good": "x"}, l={"type": tarfile.SYMTYPE, "linkname": "/tmp"},
                                  f={"name": "l/clawperator-through", "type": tarfile.REGTYPE}),
    "hard link": lambda: tar({"good": "x"}, l={"type": tarfile.LNKTYPE, "linkname": "good"}),
    "device": lambda: tar({"good": "x"}, d={"type": tarfile.CHRTYPE, "devmajor": 1, "devminor": 3}),
    "pipe": lambda: tar({"good": "x"}, p={"type": tarfile.FIFOTYPE}),
    "cut": lambda: tar({"good": os.urandom(30_000).hex()})[:20_000],
    "no archive": lambda: b"<html>a page of an error</html>",
}
HOSTILE_ZIPS = {
    "climbs": lambda: zipped({"good": "x", "../climbed": "y"}),
    "absolute": lambda: zipped({"good": "x", "/climbed": "y"}),
    "backslash": lambda: zipped({"good": "x", "a/..\\..\\climbed": "y"}),
    "link": lambda: zipped({"good": "x", "l": "/etc"}, links=("l",)),
    "cut": lambda: zipped({"good": os.urandom(30_000).hex()})[:20_000],
}


def a_hostile_archive_changes_nothing(place):
    host = Host(place)
    with Web() as web:
        cases = [(f"/{name}.tar.gz", make) for name, make in HOSTILE.items()]
        cases += [(f"/{name}.zip", make) for name, make in HOSTILE_ZIPS.items()]
        for number, (path, make) in enumerate(cases):
            path = path.replace(" ", "-")
            skill = f"h{number}"
            host.skill(skill, spec(web, "/good.tgz", tar({"good": "old"})), spec(web, path, make()))
            host.installed(skill, "download-0")
            before = tree(host.tools(skill))
            answer = host.refused(skill, "download-1")
            host.expect(f"{path}: {answer}", answer["message"].startswith("the archive is refused: "), True)
            host.expect(path, tree(host.tools(skill)), before)
        outside = [path for path in host.home.rglob("*climbed*")] + [
            name for name in ("/tmp/clawperator-absolute", "/tmp/clawperator-through") if os.path.lexists(name)]
        host.expect("outside", outside, [])


def a_server_that_misbehaves_changes_nothing(place):
    host = Host(place)

    def status(code):
        def answer(request):
            request.send_response(code)
            request.send_header("Content-Length", "4")
            request.end_headers()
            request.wfile.write(b"page")
        return answer

    def short(request):
        request.send_response(200)
        request.send_header("Content-Length", "1000")
        request.end_headers()
        request.wfile.write(b"only this")
        request.close_connection = True

    def elsewhere(request):
        request.send_response(302)
        request.send_header("Location", "file:///etc/passwd")
        request.send_header("Content-Length", "0")
        request.end_headers()

    with Web() as web:
        host.skill("w", spec(web, "/x", b"old"), *(spec(web, f"/{code}/x", status(code)) for code in (404, 500, 418)),
                   spec(web, "/short/x", short), spec(web, "/elsewhere/x", elsewhere))
        host.installed("w", "download-0")
        for number, message in ((1, "Download failed (404 Not Found)"),
                                (2, "Download failed (500 Internal Server Error)"),
                                (3, "Download failed (418)"), (4, ""), (5, "")):
            reply = host.refused("w", f"download-{number}")
            host.expect(reply["message"], message in ("", reply["message"]), True)
            host.expect("details", reply["details"], {"stdout": "", "stderr": reply["message"], "code": None})
            host.expect("the old one", tree(host.tools("w")), {"x": b"old"})
        host.skill("plain", {"kind": "download", "url": "http://example.com/x"}, {"kind": "download"})
        host.expect("http", "https" in host.refused("plain", "download-0")["message"], True)
        host.expect("no url", host.refused("plain", "download-1")["message"], "missing download url")


def a_target_is_the_skills_own(place):
    host = Host(place)
    with Web() as web:
        body = tar({"x": "y"})
        targets = ["..", "/tmp", "~", "~/x", f"{host.state}/tools/other", f"{host.tools('t')}/../u"]
        host.skill("t", *(spec(web, "/t.tgz", body, targetDir=target)
                          for target in [*targets, str(host.tools("t")) + "/in"]))
        for number, target in enumerate(targets):
            answer = host.refused("t", f"download-{number}")
            host.expect(answer["message"], answer["message"].startswith(
                f'Refusing to install outside the skill tools directory. targetDir="{target}" resolves to "'), True)
            host.expect("stderr", answer["details"]["stderr"], answer["message"])
        host.expect("asked for", web.seen, [])
        host.installed("t", f"download-{len(targets)}")
        host.expect("inside", tree(host.tools("t"))["in/x"], b"y")
        # A link leads out.
        victim = host.home / "victim"
        victim.mkdir()
        for number, (link, below) in enumerate((("", ""), ("a", "a"), ("a", "a/b/c"))):
            skill = f"l{number}"
            host.tools(skill).parent.mkdir(exist_ok=True)
            (host.tools(skill) / link).parent.mkdir(parents=True, exist_ok=True)
            (host.tools(skill) / link).symlink_to(victim)
            host.skill(skill, spec(web, "/t.tgz", targetDir=below))
            answer = host.refused(skill)
            host.expect(answer["message"], "a link" in answer["message"], True)
        host.expect("victim", tree(victim), {})
        # A key that is no folder's name has one of its own.
        host.skill("k", spec(web, "/t.tgz"), skillKey="../../etc")
        host.installed("k")
        names = [path.name for path in (host.state / "tools").iterdir() if path.name.startswith("..-..-etc-")]
        host.expect("the folder", (len(names), tree(host.state / "tools" / names[0])["x"]), (1, b"y"))


class Stall:
    """An answer that stops after `first` bytes until it may go on."""

    def __init__(self, web, body, first):
        self.web, self.body, self.first, self.begun = web, body, first, False

    def __call__(self, request):
        request.send_response(200)
        request.send_header("Content-Length", str(len(self.body)))
        request.end_headers()
        request.wfile.write(self.body[:self.first])
        request.wfile.flush()
        self.begun = True
        self.web.done.wait(LIMIT_S)


def start(place, host, *words):
    return subprocess.Popen([place.binary, "agent-skills", "install", *words, "--yes"], env={**place.env, **host.env},
                            cwd=place.sandbox, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def an_install_that_is_killed_leaves_the_old_tool(place):
    host = Host(place)
    with Web() as web:
        new = tar({f"bin/{number}": os.urandom(2000).hex() for number in range(300)} | {"bin/run": "new"})
        host.skill("k", spec(web, "/t.tgz", tar({"bin/run": "old"})), spec(web, "/stalls/t.tgz"))
        host.installed("k", "download-0")
        before = tree(host.tools("k"))
        for end in (signal.SIGKILL, signal.SIGTERM):
            stall = web.routes["/stalls/t.tgz"] = Stall(web, new, 100_000)
            child = start(place, host, "k", "download-1")
            wait_until(place, "the download has begun", lambda: stall.begun)
            host.expect("one at a time", host.refused("k", "download-0")["message"],
                        "another install of tools for 'k' is under way")
            child.send_signal(end)
            child.communicate(timeout=LIMIT_S)
            host.expect("the old one", tree(host.tools("k")), before)
        web.routes["/stalls/t.tgz"] = new
        host.installed("k", "download-1")
        host.expect("the new one", (host.tools("k") / "bin/run").read_text(), "new")
        host.expect("nothing is left beside it", tree(host.state / "tools/.staging~"), {"k": True})


def a_server_that_stalls_is_given_up(place):
    host = Host(place)
    with Web() as web:
        host.skill("s", spec(web, "/t.tgz"))
        web.routes["/t.tgz"] = Stall(web, tar(FILES), 10)
        answer = host.refused("s", "--timeout", "1000")
        host.expect(answer, (answer["details"]["code"], tree(host.tools("s")) if host.tools("s").exists() else {}),
                    (None, {}))


def parts_are_stripped_as_the_real_tar_strips_them(place):
    """But for `a//b`, of which GNU tar strips `a/` and writes `/b`, outside of its folder."""
    host = Host(place)
    names = [["a/b/c", "a/d", "e"], ["./a/b/c", "./a/d"], ["a/./d", "a/e"], ["./x"], ["x/y/z/1", "x/y/2"]]
    with Web() as web:
        for number, files in enumerate(names):
            body = tar({name: name for name in files})
            archive = host.home / f"{number}.tar.gz"
            archive.write_bytes(body)
            for strip in range(4):
                skill, theirs = f"p{number}-{strip}", host.home / f"theirs-{number}-{strip}"
                theirs.mkdir()
                subprocess.run(["tar", "xf", archive, "-C", theirs, "--strip-components", str(strip)], check=True)
                host.skill(skill, spec(web, f"/{number}.tar.gz", body, stripComponents=strip))
                host.installed(skill)
                ours = tree(host.tools(skill))
                ours.pop(f"{number}.tar.gz")
                host.expect(f"{files} by {strip}", ours, tree(theirs))


def zips_are_unpacked_as_the_real_unzip_does(place):
    if not shutil.which("unzip"):
        raise peers.Unavailable("no unzip (Debian package unzip)")
    host = Host(place)
    body = zipped(FILES)
    archive, theirs = host.home / "t.zip", host.home / "theirs"
    archive.write_bytes(body)
    subprocess.run(["unzip", "-q", archive, "-d", theirs], check=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    with Web() as web:
        host.skill("z", spec(web, "/t.zip", body))
        host.installed("z")
    ours = tree(host.tools("z"))
    ours.pop("t.zip")
    host.expect("files", ours, tree(theirs))
    for path in theirs.rglob("*"):
        mine = host.tools("z") / path.relative_to(theirs)
        host.expect(str(path), os.access(mine, os.X_OK), os.access(path, os.X_OK))


def a_plan_is_printed_and_not_carried_out(place):
    host = Host(place)
    with Web() as web:
        host.skill("p", spec(web, "/d/t.tgz", tar(FILES), stripComponents=1, targetDir="in"))
        done = host.run("install", "p", "--dry-run")
        target = host.tools("p") / "in"
        host.expect("plan", json.loads(done.stdout)["plan"], {"download": {
            "url": web.base + "/d/t.tgz", "path": f"{target}/t.tgz", "archive": "tar.gz", "extractTo": str(target),
            "stripComponents": 1}})
        host.expect("nothing", (web.seen, (host.state / "tools").exists()), ([], False))


CHECKS = [(f"agent install: {check.__name__.replace('_', ' ')}", False, check) for check in (
    every_kind_of_archive_is_unpacked_and_stripped, what_is_no_archive_stays_a_file,
    a_second_install_overwrites_and_keeps_the_rest, a_file_system_without_hard_links_will_do, a_digest_is_checked,
    a_hostile_archive_changes_nothing,
    a_server_that_misbehaves_changes_nothing, a_target_is_the_skills_own, an_install_that_is_killed_leaves_the_old_tool,
    a_server_that_stalls_is_given_up, parts_are_stripped_as_the_real_tar_strips_them,
    zips_are_unpacked_as_the_real_unzip_does, a_plan_is_printed_and_not_carried_out)]
