"""Files that clients of `serve` name: none, or below the folder of --files and nowhere else. [S2]"""
import json
import os
import pathlib
import socket
import stat
import subprocess
import sys

from api_server import ApiServer, expect, expect_error
from limits import LIMIT_S

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "mcp"))
from conversation import Conversation

PNG = b"\x89PNG"


def shot(number, **params):
    return {"id": f"p{number}", "type": "take_screenshot", **({"params": params} if params else {})}


def plan(*actions):
    return {"commandId": "c", "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
            "timeoutMs": 30000,
            "actions": list(actions)}


def take(server, path, route="/screenshot"):
    return server.json("POST", route, {} if path is None else {"path": str(path)})


def execute(server, *actions):
    return server.json("POST", "/execute", {"execution": plan(*actions), "backend": "shell"})


def tool(server, *actions):
    """What the tool `execute` of POST /mcp answers: (whether it is an error, its text as JSON)."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
               "params": {"name": "execute", "arguments": {"actions": list(actions)}}}
    result = server.json("POST", "/mcp", message)[1]["result"]
    return result.get("isError", False), json.loads(result["content"][0]["text"])


def written(place, answer):
    """The paths of the pictures of an answer, each of them a whole picture of this user alone."""
    expect(place, "the answer", (answer[0], answer[1]["ok"], answer[1].get("envelope", {}).get("status")),
           (200, True, "success"))
    paths = [step["data"]["path"]
             for step in answer[1]["envelope"]["stepResults"] if step["actionType"] == "take_screenshot"]
    for path in paths:
        expect(place, path, (pathlib.Path(path).read_bytes()[:4], stat.S_IMODE(os.lstat(path).st_mode)), (PNG, 0o600))
    return paths


def everything(*folders):
    """All that is below them, with what can be read of it."""
    found = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            kind = os.lstat(path).st_mode
            found[str(path)] = (stat.S_IFMT(kind), path.read_bytes() if stat.S_ISREG(kind) else None)
    return found


def refused(place, what, answer, part=""):
    expect_error(place, answer, 403, "FILE_NOT_ALLOWED")
    if part not in answer[1]["error"]["message"]:
        raise place.Mismatch(f"{what}: {answer[1]['error']['message']!r} lacks {part!r}")


def make_folder(place, name="given"):
    folder = place.sandbox / name
    folder.mkdir(mode=0o700)
    return folder


def run_in(place, folder, *words):
    return subprocess.run([place.binary, *words], env=place.env, cwd=folder, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=LIMIT_S,
                          check=False)


def no_folder(place):
    """Without --files no client names a file, by no route, no alias and no tool; the flag is named, and nothing is
    done."""
    target = place.sandbox / "taken.png"
    with ApiServer(place) as server:
        for path in (target, "taken.png", "../taken.png", "/etc/passwd", "-"):
            for route in ("/screenshot", "/observe/screenshot"):
                refused(place, path, take(server, path, route), "--files FOLDER")
        for member in ("path", "file", "filePath", "output_path"):
            answer = server.json("POST", "/execute", {"execution": plan(
                {"id": "h", "type": "press_key", "params": {"key": "home"}}, shot(1),
                shot(2, **{member: str(target)}))})
            refused(place, member, answer, "--files FOLDER")
        is_error, error = tool(server, shot(1, path=str(target)))
        expect(place, "by MCP", (is_error, error["code"], "--files FOLDER" in error["message"]),
               (True, "FILE_NOT_ALLOWED", True))
        expect(place, "GET", server.ask("GET", f"/devices/{place.device.serial}/screenshot.png")[2][:4], PNG)
    expect(place, "nothing was written", (target.exists(), list(place.sandbox.glob("clawperator-screenshot-*"))),
           (False, []))
    counters = place.device.counters()
    expect(place, "nothing was pressed", (counters.get("broadcast", 0), counters.get("input.keyevent", 0)), (0, 0))


def below_folder(place):
    """Names are below the folder, absolute ones when they lie there; answers have the whole path."""
    folder = make_folder(place)
    (folder / "sub/deep").mkdir(parents=True)
    with ApiServer(place, "--files", "given") as server:
        for name, path in (("a.png", "a.png"), (folder / "b.png", "b.png"), ("sub/deep/c.png", "sub/deep/c.png"),
                           ("./sub//d.png", "sub/d.png"),
                           (f"{folder}/./sub/e.png", "sub/e.png"), ("-", "-"), ("..a..", "..a.."),
                           ("é\n.png", "é\n.png")):
            expect(place, name, written(place, take(server, name)), [str(folder / path)])
        steps = [shot(1, path="1.png"), shot(2, path=str(folder / "sub/2.png")), shot(3), shot(4),
                 shot(5, path="1.png")]
        one, two, three, four, five = written(place, execute(server, *steps))
        expect(place, "steps", (one, two, five), (str(folder / "1.png"), str(folder / "sub/2.png"), one))
        expect(place, "steps without a name", (three == four, pathlib.Path(three).parent.name), (True, "pictures"))
        by_app = server.json("POST", "/execute",
                             {"execution": plan(shot(1, path="app.png"), {"id": "s", "type": "snapshot_ui"})})
        expect(place, "behind the app's steps", written(place, by_app), [str(folder / "app.png")])
        expect(place, "what the phone got of it", [name in place.device.simctl("received") for name in
                                                   ("app.png", str(folder))], [True, False])
        is_error, error = tool(server, shot(1, path="mcp.png"))
        expect(place, "by MCP", (is_error, (folder / "mcp.png").read_bytes()[:4]), (False, PNG))
    expect(place, "what is left in the folder", sorted(path.name for path in folder.iterdir()),
           sorted(["-", "..a..", "1.png", "a.png", "app.png", "b.png", "mcp.png", "sub", "é\n.png"]))


def outside_folder(place):
    """Whatever a name leads to that is not below the folder, or not by folders alone, or not this server's: it stays as
    it is."""
    folder, outside = make_folder(place), make_folder(place, "outside")
    beside = make_folder(place, "given-too")
    (folder / "sub").mkdir()
    (folder / "mine.png").write_text("of the user")
    (folder / "empty.png").touch()
    (outside / "key").write_text("a secret")
    for name, target in (("to-file", outside / "key"), ("to-nothing", outside / "new"), ("to-folder", outside),
                         ("sub/up", outside),
                         ("to-mine", "mine.png"), ("to-sub", "sub"), ("loop", "loop"),
                         ("proc", f"/proc/{os.getpid()}/cwd")):
        (folder / name).symlink_to(target)
    (outside / "back").symlink_to(folder)
    os.link(outside / "key", folder / "hard")
    os.mkfifo(folder / "fifo")
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(str(folder / "socket"))
    names = [".", "./", "/", "//", "sub", "sub/", "sub/.", "..", "../x.png", "../given/x.png", "sub/..", "sub/../x.png",
             "sub/../../x.png",
             "a\0b.png", "none/x.png", "mine.png/x.png", "x" * 300, "x/" * 3000 + "x", "/etc/x.png", outside / "x.png",
             outside / "key",
             beside / "x.png", f"{folder}-too/x.png", folder, f"{folder}/", f"{folder}/../x.png",
             f"{outside}/back/x.png",
             "to-file", "to-nothing", "to-folder", "to-folder/x.png", "to-folder/back/x.png", "sub/up/x.png", "to-mine",
             "to-sub/x.png",
             "loop", "loop/x.png", "proc/x.png", "mine.png", "empty.png", "hard", "fifo", "fifo/x.png", "socket",
             f"{folder}/to-folder/x.png"]
    if os.geteuid() == 0:
        os.mknod(folder / "device", 0o600 | stat.S_IFCHR, os.makedev(1, 7))  # /dev/full
        names.append("device")
    before = everything(folder, outside, beside)
    with ApiServer(place, "--files", str(folder)) as server:
        for name in names:
            refused(place, str(name)[:80], take(server, name))
        for name in ("to-folder/x.png", "mine.png"):
            refused(place, name,
                    execute(server, {"id": "h", "type": "press_key", "params": {"key": "home"}}, shot(1, path="ok.png"),
                            shot(2, path=name)))
            is_error, error = tool(server, shot(1, path=name))
            expect(place, f"{name} by MCP", (is_error, error["code"]), (True, "FILE_NOT_ALLOWED"))
        expect(place, "everything is as it was", everything(folder, outside, beside), before)
        expect(place, "nothing was pressed", place.device.counters().get("input.keyevent", 0), 0)
        written(place, take(server, "after.png"))


def own_files(place):
    """A file is replaced that this server has written and no other program since."""
    folder = make_folder(place)
    with ApiServer(place, "--files", str(folder)) as server:
        for _ in range(2):
            expect(place, "again", written(place, take(server, "a.png")), [str(folder / "a.png")])
        with open(folder / "a.png", "ab") as file:
            file.write(b"a note of the user")
        refused(place, "with a note", take(server, "a.png"), "has not written")
        expect(place, "the note", (folder / "a.png").read_bytes().endswith(b"a note of the user"), True)
        written(place, take(server, "b.png"))
    with ApiServer(place, "--files", str(folder)) as server:
        refused(place, "of the server before", take(server, "b.png"), "has not written")
        (folder / "b.png").unlink()
        written(place, take(server, "b.png"))


def folder_moves(place):
    """The folder is the one of the start: what takes its name gets nothing, nor is a path answered that leads there."""
    folder, other = make_folder(place), make_folder(place, "other")
    with ApiServer(place, "--files", str(folder)) as server:
        moved = folder.rename(place.sandbox / "moved")
        refused(place, "gone", take(server, "a.png"), "no longer the folder")
        folder.symlink_to(other)
        refused(place, "a link", take(server, "a.png"), "no longer the folder")
        folder.unlink()
        other.rename(folder)
        for name in ("a.png", folder / "a.png", moved / "a.png"):
            refused(place, name, take(server, name), "no longer the folder")
        expect(place, "nothing is there", everything(folder, moved), {})
        folder.rename(other)
        moved.rename(folder)
        written(place, take(server, "a.png"))


def bad_folders(place):
    """What is no folder of the user's own ends the server at its start."""
    (place.sandbox / "file").touch()
    for name, mode in (("group", 0o770), ("all", 0o777), ("sticky", 0o1777), ("writers", 0o702)):
        make_folder(place, name).chmod(mode)
    names = ["none", "file", "", "group", "all", "sticky", "writers"]
    if os.geteuid() == 0:
        os.chown(make_folder(place, "theirs"), 65534, 65534)
        names.append("theirs")
    for name in names:
        done = place.run("serve", "--port", "0", "--files", name)
        document = json.loads(done.stdout)
        expect(place, name, (done.returncode, document["code"], "--files" in document["message"]),
               (1, "SERVE_FAILED", True))


def own_pictures(place):
    """A picture without a name goes into a folder of this user alone, which holds the last 64."""
    with ApiServer(place) as server:
        first = pathlib.Path(*written(place, take(server, None)))
        folder = first.parent
        expect(place, "its folder", stat.S_IMODE(folder.lstat().st_mode), 0o700)
        expect(place, "where they are", folder, place.sandbox / "cache" / "clawperator" / "pictures")
        for number in range(70):
            (folder / f"old-{number:02}.png").write_bytes(PNG)
            os.utime(folder / f"old-{number:02}.png", (1000 + number, 1000 + number))
        second = pathlib.Path(*written(place, execute(server, shot(1))))
        expect(place, "those that are left", sorted(path.name for path in folder.iterdir()),
               sorted([first.name, second.name, *(f"old-{number:02}.png" for number in range(8, 70))]))
        with open(folder / "old-69.png", "wb") as file:
            file.truncate(300 << 20)
        os.utime(folder / "old-69.png", (1069, 1069))
        third = pathlib.Path(*written(place, take(server, None)))
        expect(place, "of large ones", sorted(path.name for path in folder.iterdir()),
               sorted([first.name, second.name, third.name]))
        is_error, error = tool(server, shot(1))
        expect(place, "by MCP", is_error, False)
        folder.rename(folder.with_name("aside"))
        folder.symlink_to(place.sandbox)
        expect_error(place, take(server, None), 500, "FILE_WRITE_FAILED")
        expect(place, "behind the link", list(place.sandbox.glob("clawperator-screenshot-*")), [])


def command_line(place):
    """Files of the user's own commands are the commands', although `serve` carries them out; so it is with MCP over
    stdio."""
    elsewhere = make_folder(place, "elsewhere")
    with ApiServer(place):
        for words in (["screenshot", "--path", "a.png"],
                      ["exec", json.dumps(plan(shot(1, path="b.png"))), "--backend", "shell"]):
            document = json.loads(run_in(place, elsewhere, *words, "--timings").stdout)
            expect(place, words[0], (document["timings"].get("daemon"), document["envelope"]["status"]),
                   (True, "success"))
        expect(place, "files", sorted(path.name for path in elsewhere.iterdir()), ["a.png", "b.png"])
        with Conversation(place) as talk:
            done = talk.tool("execute", actions=[shot(1, path=str(elsewhere / "c.png"))])
            expect(place, "MCP over stdio", (done.verdict["ok"], (elsewhere / "c.png").read_bytes()[:4]), (True, PNG))


CHECKS = [
    ("files: no folder", True, no_folder),
    ("files: below the folder", True, below_folder),
    ("files: outside of the folder", True, outside_folder),
    ("files: own files", True, own_files),
    ("files: the folder moves", True, folder_moves),
    ("files: bad folders", False, bad_folders),
    ("files: own pictures", True, own_pictures),
    ("files: command line", True, command_line),
]
