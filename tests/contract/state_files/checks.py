"""Files of our own that are damaged, and drafts that a killed process left: nothing is lost, nothing stays."""
import fcntl
import json

from own_phone import own_phone

DAMAGED = '{"targets":["192.0.2.1:5555","192.0.2.2:55'  # as a full disk leaves it


def expect(condition, what, place):
    if not condition:
        raise place.Mismatch(what)


def state(place):
    folder = place.sandbox / ".clawperator"
    folder.mkdir(exist_ok=True)
    return folder


def connected(place, phone):
    """The file is written then."""
    done = place.run("connect", phone.serial, "--transport", "tcp")
    expect(done.returncode == 0, f"connect: {done}", place)
    return done


def a_damaged_list_of_targets(place):
    """[S12]"""
    file = state(place) / "targets.json"
    file.write_text(DAMAGED)
    for words in (("devices", "--transport", "tcp"), ("disconnect", "192.0.2.9:5555", "--transport", "tcp")):
        done = place.run(*words)
        expect(file.read_text() == DAMAGED, f"{words}: {file.read_text()!r}", place)
    done = place.run("devices", "--transport", "tcp")
    expect(f"{file} is damaged".encode() in done.stderr, f"not named: {done}", place)
    with own_phone(place) as phone:
        done = connected(place, phone)
        aside = [path.name for path in state(place).glob("targets.json.damaged-*")]
        expect(len(aside) == 1 and aside[0].encode() in done.stderr, f"{aside}: {done}", place)
        expect((state(place) / aside[0]).read_text() == DAMAGED, "its text", place)
        expect(json.loads(file.read_text())["targets"] == [phone.serial], file.read_text(), place)
        done = place.run("devices", "--transport", "tcp")
        expect(b"damaged" not in done.stderr, f"{done}", place)


def drafts_of_killed_processes(place):
    """[S9]"""
    left = state(place) / ".clawperator-1234567890.part"
    left.write_text("a secret")
    written = state(place) / ".clawperator-987654321.part"
    written.write_text("half")
    with open(written) as other, own_phone(place) as phone:
        fcntl.flock(other, fcntl.LOCK_EX)  # as its writer does
        connected(place, phone)
    expect(not left.exists(), "a draft without a writer stays", place)
    expect(written.exists(), "a draft that is written was removed", place)
    with own_phone(place) as phone:
        connected(place, phone)
    expect(not written.exists(), "its writer is gone, and the draft stays", place)


CHECKS = [("state files: a damaged list of targets is kept aside and named", False, a_damaged_list_of_targets),
          ("state files: drafts of killed processes go with the next write", False, drafts_of_killed_processes)]
