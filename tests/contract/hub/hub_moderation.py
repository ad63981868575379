"""[A5] What the hub's moderators say is heeded: malware is never installed, what is suspicious by --force alone."""
import json

from hub_place import V1, V2, expect, expect_tidy, failed, locked, rows, run, skills, succeeded, tree, work

MALWARE = {"isMalwareBlocked": True, "isSuspicious": True}
SUSPICIOUS = {"isMalwareBlocked": False, "isSuspicious": True}


def mark(hub, moderation):
    hub.skills["demo"]["moderation"] = moderation


def malware_is_never_installed(place, hub):
    mark(hub, MALWARE)
    for more in ([], ["--force"], ["--version", "1.0.0"], ["--version", "1.0.0", "--force"]):
        answer = failed(place, hub, "HUB_SKILL_FLAGGED", "install", "demo", *more, says="malware")
        expect(answer["details"] == {"slug": "demo", "moderation": "malware"}, f"{more}: {answer}", place)
    expect(hub.asked("/api/v1/download") == [], "downloaded", place)
    expect(not (skills(place) / "demo").exists() and not (work(place) / ".clawdhub").exists(), "something was made",
           place)


def what_is_suspicious_needs_force(place, hub):
    mark(hub, SUSPICIOUS)
    for more in ([], ["--version", "1.0.0"]):
        answer = failed(place, hub, "HUB_SKILL_FLAGGED", "install", "demo", *more, says="--force")
        expect(answer["details"]["moderation"] == "suspicious", f"{more}: {answer}", place)
    expect(hub.asked("/api/v1/download") == [] and not (skills(place) / "demo").exists(), "downloaded", place)
    answer = succeeded(place, hub, "install", "demo", "--force")
    expect(answer["moderation"] == "suspicious" and tree(skills(place) / "demo") == V1, f"{answer}", place)
    done = run(place, hub, "install", "demo", "--force", "--output", "pretty")
    expect(done.stdout.endswith(b"\n  the hub marks it as suspicious\n"), f"{done}", place)


def an_update_heeds_them_too(place, hub):
    succeeded(place, hub, "install", "demo")
    hub.add("demo", "1.1.0", V2)
    hub.seen.clear()
    for moderation, name in ((SUSPICIOUS, "suspicious"), (MALWARE, "malware")):
        mark(hub, moderation)
        answer = failed(place, hub, "HUB_SKILL_FLAGGED", "update", "demo")
        expect(answer["details"]["moderation"] == name, f"{answer}", place)
    failed(place, hub, "HUB_SKILL_FLAGGED", "update", "demo", "--force", says="malware")
    done = run(place, hub, "update", "--all")
    update = json.loads(done.stdout)["updates"][0]
    expect((done.returncode, update["status"], update["error"]["code"]) == (1, "failed", "HUB_SKILL_FLAGGED"),
           f"{done}", place)
    expect(hub.asked("/api/v1/download") == [] and tree(skills(place) / "demo") == V1, "downloaded", place)
    expect(locked(place) == {"demo": "1.0.0"}, "the lock file", place)
    mark(hub, SUSPICIOUS)
    update = succeeded(place, hub, "update", "demo", "--force")["updates"][0]
    expect((update["status"], update["moderation"]) == ("updated", "suspicious"), f"{update}", place)
    expect_tidy(place, ["demo"])


def what_is_not_marked_is_not_named(place, hub):
    for moderation in (None, {}, {"isMalwareBlocked": False, "isSuspicious": False}):
        mark(hub, moderation)
        expect("moderation" not in succeeded(place, hub, "install", "demo", "--force"), f"{moderation}", place)


def a_mark_that_cannot_be_read_installs_nothing(place, hub):
    for moderation in ("malware", {"isMalwareBlocked": "true"}, {"isSuspicious": 1}):
        mark(hub, moderation)
        failed(place, hub, "HUB_REQUEST_FAILED", "install", "demo", "--force", says="API response: moderation")
    expect(not (skills(place) / "demo").exists(), "installed", place)


CHECKS = rows(malware_is_never_installed, what_is_suspicious_needs_force, an_update_heeds_them_too,
              what_is_not_marked_is_not_named, a_mark_that_cannot_be_read_installs_nothing)
