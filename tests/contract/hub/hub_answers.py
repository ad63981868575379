"""What a hub answers, well and badly: search and explore, retries, faults, where a hub is found."""
import json

from hub_place import V1, expect, expect_tidy, failed, rows, run, skills, succeeded, tree, work


def search_and_explore(place, hub):
    hub.add("demo-two", "2.0.0", V1, name="The second")
    answer = succeeded(place, hub, "search", "demo", "backups")
    expect([(each["slug"], each["version"], each["score"]) for each in answer["results"]] ==
           [("demo", "1.0.0", 1), ("demo-two", "2.0.0", 0.5)], f"{answer}", place)
    expect(hub.seen[-1]["query"] == {"q": "demo backups"}, f"asked {hub.seen[-1]}", place)
    succeeded(place, hub, "search", "demo", "--limit", "1")
    expect(hub.seen[-1]["query"] == {"q": "demo", "limit": "1"}, f"asked {hub.seen[-1]}", place)
    done = run(place, hub, "search", "demo", "--output", "pretty")
    expect(done.stdout == b"demo v1.0.0  Demo  (1.000)\ndemo-two v2.0.0  The second  (0.500)\n", f"{done}", place)
    answer = succeeded(place, hub, "explore")
    expect([each["slug"] for each in answer["items"]] == ["demo", "demo-two"] and answer["count"] == 2, f"{answer}",
           place)
    expect(answer["items"][0]["stats"] == {"downloads": 7}, f"{answer}", place)
    for words, query in ((["--limit", "500"], {"limit": "200"}),
                         (["--sort", "rating"], {"limit": "25", "sort": "stars"}),
                         (["--sort", "installs"], {"limit": "25", "sort": "installsCurrent"}),
                         (["--sort", "trending"], {"limit": "25", "sort": "trending"}), ([], {"limit": "25"})):
        succeeded(place, hub, "explore", *words)
        expect(hub.seen[-1]["query"] == query, f"{words}: {hub.seen[-1]}", place)
    expect(b"demo-two  v2.0.0  " in run(place, hub, "explore", "--output", "pretty").stdout, "pretty", place)
    expect(run(place, hub, "search", "nothing", "--output", "pretty").stdout == b"No skills found.\n", "none", place)


def a_skill_without_a_version_is_listed(place, hub):
    hub.skills["demo"]["latest"] = None
    answer = succeeded(place, hub, "explore")
    expect(answer["items"][0]["version"] is None, f"{answer}", place)
    expect(b"demo  v?  " in run(place, hub, "explore", "--output", "pretty").stdout, "pretty", place)


WRONG = (
    ("/api/v1/search", b'{"results":[{"score":"high"}]}', ("search", "x"),
     "API response: results.0.score: invalid value"),
    ("/api/v1/search", b'{"results":{}}', ("search", "x"), "API response: results: invalid value"),
    ("/api/v1/search", b'{"results":[{"score":1,"slug":7}]}', ("search", "x"), "results.0.slug"),
    ("/api/v1/search", b"[]", ("search", "x"), "an object is expected"),
    ("/api/v1/search", b"<html>", ("search", "x"), "API response: "),
    ("/api/v1/search", b"\xff\xfe", ("search", "x"), "API response: "),
    ("/api/v1/search", b"[" * 100000, ("search", "x"), "API response: "),
    ("/api/v1/search", b'{"results":[' + b'{"score":1},' * 900000 + b"]}", ("search", "x"), "longer than"),
    ("/api/v1/skills",
     b'{"items":[{"slug":"a","displayName":"A","updatedAt":1,"latestVersion":"1"}],"nextCursor":null}',
     ("explore",), "items.0.latestVersion"),
    ("/api/v1/skills", b'{"items":null}', ("explore",), "items"),
    ("/api/v1/skills/demo", b'{"latestVersion":{"version":null}}', ("install", "demo"), "latestVersion.version"),
    ("/api/v1/skills/demo", b'{"latestVersion":[]}', ("install", "demo"), "latestVersion"),
)


def answers_that_are_none(place, hub):
    for path, body, words, says in WRONG:
        hub.fault(path, body=body)
        answer = failed(place, hub, "HUB_REQUEST_FAILED", *words, says=says)
        expect(len(answer["message"]) < 2000, f"{answer}", place)
    succeeded(place, hub, "install", "demo")
    for body, says in ((b'{"match":{"version":1},"latestVersion":null}', "match.version"),
                       (b'{"match":null,"latestVersion":7}', "latestVersion")):
        hub.fault("/api/v1/resolve", body=body)
        failed(place, hub, "HUB_REQUEST_FAILED", "update", "demo", says=says)
    hub.fault("/api/v1/resolve", body=b'{"match":null,"latestVersion":null}')
    failed(place, hub, "HUB_SKILL_NOT_FOUND", "update", "demo", says="demo: not found")


def texts_of_errors(place, hub):
    for status, body, says in ((400, b"Some reason", "Some reason"), (403, b"", "HTTP 403"),
                               (418, b"<html>teapot</html>", "HTTP 418"), (400, b"a\x1b[2Jb", "a?[2Jb"),
                               (400, b"x" * 3000, "HTTP 400")):
        hub.fault("/api/v1/search", status=status, body=body)
        answer = failed(place, hub, "HUB_REQUEST_FAILED", "search", "x")
        expect(answer["message"] == says and answer["details"]["status"] == status, f"{answer}", place)
    hub.fault("/api/v1/skills/demo", status=410, body=b"Version not available")
    failed(place, hub, "HUB_SKILL_NOT_FOUND", "install", "demo", says="Version not available")


def what_may_pass_is_tried_three_times(place, hub):
    hub.fault("/api/v1/search", status=429, body=b"Rate limit exceeded", headers={"Retry-After": "99999999999"})
    hub.fault("/api/v1/search", status=503, body=b"")
    succeeded(place, hub, "search", "demo")
    expect(len(hub.asked("/api/v1/search")) == 3, f"{len(hub.seen)} tries", place)
    hub.seen.clear()
    hub.fault("/api/v1/search", times=3, status=500, body=b"broken")
    failed(place, hub, "HUB_REQUEST_FAILED", "search", "demo", says="broken")
    expect(len(hub.asked("/api/v1/search")) == 3, f"{len(hub.seen)} tries", place)
    hub.seen.clear()
    hub.fault("/api/v1/search", status=404, body=b"gone")
    failed(place, hub, "HUB_REQUEST_FAILED", "search", "demo", says="gone")
    expect(len(hub.asked("/api/v1/search")) == 1, "a 404 is final", place)


def an_archive_that_is_cut_is_fetched_again(place, hub):
    hub.fault("/api/v1/download", cut=60)
    succeeded(place, hub, "install", "demo")
    expect(len(hub.asked("/api/v1/download")) == 2, f"asked {hub.seen}", place)
    hub.fault("/api/v1/download", times=3, cut=60)
    failed(place, hub, "HUB_REQUEST_FAILED", "install", "demo", "--force", says="cannot reach")
    expect((skills(place) / "demo/SKILL.md").is_file(), "the old one", place)
    expect_tidy(place, ["demo"])


def no_server_there(place, hub):
    done = place.run("hub", "search", "x", env={"CLAWHUB_REGISTRY": f"http://{place.closed}"})
    answer = json.loads(done.stdout)
    expect(done.returncode == 1 and answer["code"] == "HUB_REQUEST_FAILED", f"{answer}", place)
    expect(f"http://{place.closed}" in answer["message"], f"{answer}", place)


def an_absent_hub_is_queried_once_for_all(place, hub):
    (work(place) / ".clawdhub").mkdir()
    (work(place) / ".clawdhub/lock.json").write_text(json.dumps(
        {"version": 1, "skills": {f"s{number}": {"version": "1.0.0", "installedAt": 1} for number in range(30)}}))
    for number in range(30):
        (skills(place) / f"s{number}").mkdir(parents=True)
        (skills(place) / f"s{number}/SKILL.md").write_text("x")
    done = place.run("hub", "update", "--all", env={"CLAWHUB_REGISTRY": f"http://{place.closed}"})
    updates = json.loads(done.stdout)["updates"]
    expect(done.returncode == 1 and len(updates) == 30, f"{done}", place)
    expect(all(each["error"]["message"].startswith("cannot reach") for each in updates), f"{done}", place)


def an_archive_that_breaks_off_stops_no_other(place, hub):
    for slug in ("a", "b"):
        hub.add(slug, "1.0.0", V1)
        succeeded(place, hub, "install", slug)
        hub.add(slug, "1.1.0", {"SKILL.md": b"new"})
    hub.fault("/api/v1/download", times=3, cut=60)
    answer = json.loads(run(place, hub, "update", "--all").stdout)
    expect([each["status"] for each in answer["updates"]] == ["failed", "updated"], f"{answer}", place)


def a_skill_of_another_clients_is_updated(place, hub):
    hub.add("@me/x", "2.0.0", V1)
    succeeded(place, hub, "install", "demo")
    path = work(place) / ".clawdhub/lock.json"
    document = json.loads(path.read_text())
    document["skills"]["@me/x"] = {"version": "1.0.0", "installedAt": 1}
    path.write_text(json.dumps(document))
    answer = succeeded(place, hub, "update", "--all")
    expect([(each["slug"], each["status"]) for each in answer["updates"]]
           == [("demo", "up_to_date"), ("@me/x", "updated")],
           f"{answer}", place)
    expect(tree(skills(place) / "@me/x") == V1, "the files", place)


def half_a_character_spoils_no_search(place, hub):
    hub.fault("/api/v1/search",
              body=b'{"results":[{"score":1,"slug":"a","summary":"cut \\ud83d"},{"score":0.5,"slug":"demo"}]}')
    answer = succeeded(place, hub, "search", "x")
    expect([each["slug"] for each in answer["results"]] == ["a", "demo"], f"{answer}", place)


def a_hub_that_is_silent_for_too_long(place, hub):
    fault = hub.fault("/api/v1/search", hold=0)
    failed(place, hub, "COMMAND_TIMEOUT", "search", "x", "--timeout", "1500")
    fault.released.set()


def where_a_hub_is_found(place, hub):
    site = {"CLAWHUB_REGISTRY": "", "CLAWHUB_SITE": hub.base}
    hub.well_known["clawdhub.json"] = {"apiBase": hub.base + "/behind/a/path/"}
    failed(place, hub, "HUB_REQUEST_FAILED", "search", "x", env=site)
    expect(hub.seen[-1]["path"] == "/behind/a/path/api/v1/search", f"asked {hub.seen[-1]}", place)
    hub.well_known.clear()
    hub.well_known["clawhub.json"] = {"registry": hub.base}
    succeeded(place, hub, "search", "demo", env=site)
    hub.seen.clear()
    for bad in ({"apiBase": "http://example.com"}, {"apiBase": 7}, {}, ["x"]):
        hub.well_known["clawdhub.json"] = hub.well_known["clawhub.json"] = bad
        succeeded(place, hub, "search", "demo", env=site)  # the site itself
    succeeded(place, hub, "search", "demo", "--registry", hub.base + "/", "--site", hub.base,
              env={"CLAWHUB_REGISTRY": ""})
    expect(hub.seen[-2]["path"] != "/.well-known/clawdhub.json", "a registry that is named needs no site", place)


CHECKS = rows(search_and_explore, a_skill_without_a_version_is_listed, answers_that_are_none, texts_of_errors,
              what_may_pass_is_tried_three_times, an_archive_that_is_cut_is_fetched_again, no_server_there,
              an_absent_hub_is_queried_once_for_all, an_archive_that_breaks_off_stops_no_other,
              a_skill_of_another_clients_is_updated, half_a_character_spoils_no_search,
              a_hub_that_is_silent_for_too_long, where_a_hub_is_found)
