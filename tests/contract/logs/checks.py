"""logs: what is there, and what is written meanwhile."""
import datetime
import json
import os
import pty
import signal
import subprocess
import threading
import time

from limits import LIMIT_S


def day(ago=0):
    return (datetime.date.today() - datetime.timedelta(days=ago)).isoformat()


def log_file(place, ago=0):
    folder = place.sandbox / ".clawperator" / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"clawperator-{day(ago)}.log"


def event(level="info", command="c-1", hours_ago=0.0, **more):
    at = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=hours_ago)
    return json.dumps({"ts": at.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z", "level": level,
                       "event": "x.y", "message": "m", "commandId": command, **more},
                      separators=(",", ":")) + "\n"


def append(path, text):
    with open(path, "a", encoding="utf-8") as file:
        file.write(text)


def expect(condition, what, place):
    if not condition:
        raise place.Mismatch(what)


class Running:
    """`logs` in the background; what it prints is collected."""

    def __init__(self, place, *words, **options):
        self.place = place
        self.out = b""
        self.child = subprocess.Popen([place.binary, "logs", *words], env=place.env, cwd=place.sandbox,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, **options)
        self.thread = threading.Thread(target=self.collect, daemon=True)
        self.thread.start()

    def collect(self):
        while chunk := os.read(self.child.stdout.fileno(), 65536):
            self.out += chunk

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.child.poll() is None:
            self.child.kill()
        self.child.wait(LIMIT_S)

    def shows(self, text):
        deadline = time.monotonic() + LIMIT_S
        while self.out != text.encode():
            expect(time.monotonic() < deadline, f"expected {text[-300:]!r}, got {self.out[-300:]!r}", self.place)
            time.sleep(0.01)

    def ends(self, number=signal.SIGINT):
        self.child.send_signal(number)
        self.child.wait(LIMIT_S)
        self.thread.join(LIMIT_S)
        expect(self.child.returncode == 0, f"exit {self.child.returncode}", self.place)


def prints(place, text, *words):
    done = place.run("logs", *words)
    expect((done.returncode, done.stdout.decode()) == (0, text), f"{words}: {done}", place)


def lines_are_printed_as_they_stand(place):
    text = event() + '{"odd": 1 ,"level":"info"}\nnot json\n\n'
    log_file(place).write_text(text + "unfinished")
    prints(place, (text + "unfinished\n").replace("\n\n", "\n"), "--no-follow")


def without_a_file_it_says_so(place):
    path = place.sandbox / ".clawperator" / "logs" / f"clawperator-{day()}.log"
    for words in ([], ["--no-follow"], ["--level", "warn"], ["--since", "1d"]):
        done = place.run("logs", *words)
        expect(done.returncode == 0 and done.stdout == b"", f"{done}", place)
        expect(done.stderr.decode() == f"No log file found at {path}\n", f"{done}", place)
    expect(not path.parent.exists(), "a folder was made", place)
    done = place.run("logs", env={"CLAWPERATOR_LOG_DIR": "~/elsewhere"})
    expect(f"{place.sandbox}/elsewhere/clawperator-" in done.stderr.decode(), f"{done}", place)


def only_todays_log_unless_asked(place):
    old, older = event(hours_ago=24.5), event(hours_ago=60)
    today = event()
    log_file(place, 3).write_text(older)
    log_file(place, 1).write_text(old)
    log_file(place).write_text(today)
    prints(place, today, "--no-follow")
    prints(place, old + today, "--no-follow", "--since", "2d")
    prints(place, older + old + today, "--no-follow", "--since", day(4))
    prints(place, today, "--no-follow", "--since", "1h")
    prints(place, today, "--no-follow", "--since=60m")


def levels_and_commands(place):
    log_file(place).write_text(event("debug") + event("info") + event("warn", "c-2") + event("error"))
    def levels(*words):
        done = place.run("logs", "--no-follow", *words)
        return [json.loads(line)["level"] for line in done.stdout.splitlines()]
    expect(levels("--level", "debug") == ["debug", "info", "warn", "error"], "debug", place)
    expect(levels("--level", "warn") == ["warn", "error"], "warn", place)
    expect(levels("--command", "c-2") == ["warn"], "command", place)
    expect(levels("--command-id=c-1", "--level=error") == ["error"], "both", place)
    expect(levels("--command", "c") == [], "a part of an id", place)


def words_that_make_no_sense(place):
    log_file(place).write_text(event())
    for words in (["--since"], ["--since", "soon"], ["--since", "5"], ["--since", "-5m"],
                  ["--since", "2026-13-01"], ["--level", "loud"], ["--level"], ["--command"], ["--command="],
                  ["--follow", "--no-follow"], ["--since", "1h", "--since", "2h"], ["--levels", "info"]):
        done = place.run("logs", *words, timeout=LIMIT_S)
        expect(done.returncode == 1 and json.loads(done.stdout)["code"] == "USAGE", f"{words}: {done}", place)
    done = place.run("logs", "--timeout", "soon", timeout=LIMIT_S)
    expect(json.loads(done.stdout)["code"] == "EXECUTION_VALIDATION_FAILED", f"--timeout: {done}", place)


def for_people(place):
    log_file(place).write_text(event("warn", durationMs=12, text="a\x1b[2Jb\nc") + "odd \x1b[2J line\n")
    done = place.run("logs", "--no-follow", "--output", "pretty")
    text = done.stdout.decode()
    expect(text.startswith(f"{day()} ") and "  WARN   x.y  m  commandId=c-1 durationMs=12" in text, text, place)
    expect("\x1b" not in text and text.count("\n") == 2, f"{text!r}", place)


def on_a_terminal_nothing_moves_the_cursor(place):
    log_file(place).write_text("odd \x1b[2J line\n")
    ours, theirs = pty.openpty()
    child = subprocess.Popen([place.binary, "logs", "--no-follow"], env=place.env, stdout=theirs)
    os.close(theirs)
    shown = b""
    try:
        while chunk := os.read(ours, 4096):
            shown += chunk
    except OSError:
        pass
    os.close(ours)
    expect(child.wait(LIMIT_S) == 0 and shown == b"odd ?[2J line\r\n", f"{shown}", place)


def a_line_that_is_too_long(place):
    log_file(place).write_text("x" * 3_000_000 + "\n" + event())
    done = place.run("logs", "--no-follow")
    first, second = done.stdout.decode().splitlines()
    expect(json.loads(first)["event"] == "log.line_too_long" and "3000000" in first, first[:200], place)
    expect(json.loads(second)["event"] == "x.y", second, place)


def what_is_added_is_shown(place):
    for number in (signal.SIGINT, signal.SIGTERM):
        path = log_file(place)
        first, second = event(), event("error")
        path.write_text(first)
        with Running(place) as running:
            running.shows(first)
            append(path, second[:20])
            append(path, second[20:])
            running.shows(first + second)
            running.ends(number)


def our_own_events_are_followed(place):
    path = log_file(place)
    path.write_text("")
    with Running(place) as running:
        place.run("snapshot", "--device", place.device.serial, "--log-level", "debug")
        expect(path.stat().st_size > 0, "nothing was logged", place)
        running.shows(path.read_text())
        running.ends()


def over_midnight(place):
    first, second = event(hours_ago=30), event()
    log_file(place, 1).write_text(first)
    with Running(place, "--since", "3d") as running:
        running.shows(first)
        append(log_file(place), second)
        running.shows(first + second)
        running.ends()


def a_file_of_a_day_to_come(place):
    """Somebody's clock was wrong: today's log is what is followed."""
    first, second = event(), event()
    log_file(place).write_text(first)
    log_file(place, -400).write_text(event(command="future"))
    with Running(place) as running:
        running.shows(first)
        append(log_file(place), second)
        running.shows(first + second)
        running.ends()
    prints(place, first + second, "--no-follow")


def truncation_and_replacement(place):
    path = log_file(place)
    first, second, third = event(), event("warn"), event("error", more="x" * 300)
    path.write_text(first + event())
    with Running(place, "--command", "c-1") as running:
        deadline = time.monotonic() + LIMIT_S
        while running.out.count(b"\n") < 2:
            expect(time.monotonic() < deadline, "the first lines", place)
            time.sleep(0.01)
        before = running.out.decode()
        path.write_text(second)
        running.shows(before + second)
        new = path.with_suffix(".new")
        new.write_text(third)
        new.rename(path)
        running.shows(before + second + third)
        running.ends()


def waiting_for_the_log(place):
    with Running(place, "--follow") as running:
        line = event()
        log_file(place).write_text(line)
        running.shows(line)
        running.ends()


def the_reader_is_gone(place):
    path = log_file(place)
    path.write_text(event() * 5000)
    done = subprocess.run(["bash", "-c", '"$0" logs | head -n 1; echo "${PIPESTATUS[0]}"', place.binary],
                          env=place.env, capture_output=True, timeout=LIMIT_S, check=False)
    lines = done.stdout.decode().splitlines()
    expect(len(lines) == 2 and lines[1] == "0" and done.stderr == b"", f"{done}", place)


def no_reader_and_no_events(place):
    log_file(place).write_text(event())
    child = subprocess.Popen([place.binary, "logs"], env=place.env, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
    child.stdout.readline()
    child.stdout.close()
    expect(child.wait(LIMIT_S) == 0 and child.stderr.read() == b"", "it waits for no client", place)


def a_full_disk_is_reported(place):
    log_file(place).write_text(event())
    with open("/dev/full", "w", encoding="utf-8") as full:
        child = subprocess.run([place.binary, "logs", "--no-follow"], env=place.env, stdout=full,
                               stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)
    expect(child.returncode == 1 and b"stdout" in child.stderr, f"{child}", place)


def files_are_private_and_bounded(place):
    """[S4] Only the user reads the log; all its files take 256 MiB at most, the oldest day goes first, and a file of
    today that has half of it begins anew."""
    def act():
        place.run("click", "--text", "x", "--transport", "tcp", "--device", place.closed)  # fails, which is logged

    today = log_file(place)
    act()
    mode = today.stat().st_mode & 0o777
    expect(mode == 0o600, f"mode of a new file: {mode:o}", place)
    today.chmod(0o644)
    act()
    mode = today.stat().st_mode & 0o777
    expect(mode == 0o600, f"mode of a file that was public: {mode:o}", place)
    other = today.parent / "clawperator-notes.txt"
    other.write_text("mine")
    for ago in (9, 8, 7):
        log_file(place, ago).touch()
        os.truncate(log_file(place, ago), 100 << 20)
    act()
    left = sorted(path.name for path in today.parent.iterdir())
    expect(left == sorted(path.name for path in (log_file(place, 8), log_file(place, 7), today, other)),
           f"left: {left}", place)
    os.truncate(today, 200 << 20)
    act()
    left = {path.name: path.stat().st_size for path in today.parent.iterdir()}
    expect(0 < left[today.name] < 1 << 20, f"today's file: {left}", place)


CHECKS = [(check.__name__.replace("_", " "), check is our_own_events_are_followed, check) for check in (
    lines_are_printed_as_they_stand, without_a_file_it_says_so, only_todays_log_unless_asked,
    levels_and_commands, words_that_make_no_sense, for_people, on_a_terminal_nothing_moves_the_cursor,
    a_line_that_is_too_long, what_is_added_is_shown, our_own_events_are_followed, over_midnight,
    a_file_of_a_day_to_come, truncation_and_replacement, waiting_for_the_log, the_reader_is_gone,
    no_reader_and_no_events, a_full_disk_is_reported,
    files_are_private_and_bounded)]
