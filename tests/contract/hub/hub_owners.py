"""[C4] Skills of one slug by several owners, and whether installed files are the hub's."""
import json

from hub_place import V1, V2, expect, expect_tidy, failed, locked, rows, run, skills, succeeded, tree

BOB = "@bob/demo"


def owners_are_named(place, hub):
    hub.add(BOB, "2.0.0", V2)
    for words in (["install", "demo"], ["install", "demo", "--version", "1.0.0"]):
        answer = failed(place, hub, "HUB_SKILL_AMBIGUOUS", *words, says="@OWNER/SLUG")
        expect(answer["details"]["owners"] == ["me", "bob"] and answer["details"]["status"] == 409, f"{answer}", place)
    hub.ambiguous = "Ambiguous skill slug"
    failed(place, hub, "HUB_SKILL_AMBIGUOUS", "install", "demo", says="Ambiguous skill slug")
    expect(not (skills(place) / "demo").exists() and hub.asked("/api/v1/download") == [], "installed", place)


def an_owner_is_chosen(place, hub):
    hub.add(BOB, "2.0.0", V1)
    for given in BOB, "@BOB/Demo":
        answer = succeeded(place, hub, "install", given, "--force")
        expect((answer["slug"], answer["version"]) == (BOB, "2.0.0"), f"{answer}", place)
    expect(tree(skills(place) / BOB) == V1 and locked(place) == {BOB: "2.0.0"}, "the files", place)
    expect(all(each["query"]["ownerHandle"] == "bob" for each in hub.asked("/api/v1/download")), "the query", place)
    expect_tidy(place, ["@bob"])
    hub.add(BOB, "2.1.0", V2)
    update = succeeded(place, hub, "update", "--all")["updates"][0]
    expect((update["slug"], update["status"], update["version"]) == (BOB, "updated", "2.1.0"), f"{update}", place)
    expect(tree(skills(place) / BOB) == V2, "the files", place)
    listed = succeeded(place, hub, "list")["skills"][0]
    expect((listed["slug"], listed["path"]) == (BOB, str(skills(place) / BOB)), f"{listed}", place)
    succeeded(place, hub, "install", "@me/demo")
    expect(tree(skills(place) / "@me/demo") == V1, "the other one", place)


def a_skill_stays_its_owners(place, hub):
    """It was installed when its slug was one owner's."""
    succeeded(place, hub, "install", "demo")
    hub.add(BOB, "2.0.0", V2)
    hub.add("demo", "1.1.0", V2)
    update = succeeded(place, hub, "update", "demo")["updates"][0]
    expect((update["status"], update["version"]) == ("updated", "1.1.0"), f"{update}", place)


def no_other_owners_skill_is_installed(place, hub):
    hub.knows_owners = False
    failed(place, hub, "HUB_SKILL_NOT_FOUND", "install", BOB, says="@me")
    failed(place, hub, "HUB_SKILL_NOT_FOUND", "install", BOB, "--version", "1.0.0", says="@me")
    expect(hub.asked("/api/v1/download") == [], "downloaded", place)


def an_owner_that_the_hub_does_not_name(place, hub):
    unnamed = json.dumps({**hub.meta("demo", {}), "owner": None}).encode()
    hub.fault("/api/v1/skills/demo", body=unnamed, times=2)
    failed(place, hub, "HUB_SKILL_NOT_FOUND", "install", "@me/demo", says="does not name the owner")
    expect(hub.asked("/api/v1/download") == [], "downloaded", place)
    succeeded(place, hub, "install", "demo")


def names_that_are_none(place, hub):
    for name in "@/demo", "@bob/", "@bob", "@../demo", "@bob/../x", "@bob/a/b", "@b b/demo", "bob/demo", "@.bob/demo":
        failed(place, hub, "USAGE", "install", name)
    expect(hub.seen == [], "the hub got a request", place)


def no_link_is_an_owners_folder(place, hub):
    hub.add(BOB, "2.0.0", V2)
    away = skills(place).parent / "away"
    away.mkdir()
    skills(place).mkdir()
    (skills(place) / "@bob").symlink_to(away)
    failed(place, hub, "FILE_WRITE_FAILED", "install", BOB)
    expect(list(away.iterdir()) == [], "written through a link", place)


def a_killed_install_is_completed(place, hub):
    hub.add(BOB, "2.0.0", V2)
    succeeded(place, hub, "install", BOB)
    part = skills(place) / "@bob/.demo.0123456789abcdef.part"
    (part / "old").mkdir(parents=True)
    (part / "old/SKILL.md").write_text("mine")
    succeeded(place, hub, "update", BOB)
    expect(not part.exists() and tree(skills(place) / BOB) == V2, "not tidied", place)
    kept = list((skills(place) / "@bob/.hub-replaced").iterdir())
    expect((kept[0] / "SKILL.md").read_text() == "mine", "the user's files", place)


def files_are_verified(place, hub):
    hub.add(BOB, "2.0.0", {**V1, "a.png": b"\0"})
    succeeded(place, hub, "install", BOB)
    answer = succeeded(place, hub, "verify", BOB)
    expect(answer == {"verified": True, "slug": BOB, "version": "2.0.0", "path": str(skills(place) / BOB),
                    "registry": hub.base, "files": 3}, f"{answer}", place)
    (skills(place) / BOB / "SKILL.md").write_text("mine")
    (skills(place) / BOB / "a.png").unlink()
    (skills(place) / BOB / "new.md").write_text("mine")
    answer = failed(place, hub, "HUB_FILES_DIFFER", "verify", BOB, says="1 changed, 1 missing, 1 added")
    expect({name: answer["details"][name] for name in ("changed", "missing", "added")} ==
           {"changed": ["SKILL.md"], "missing": ["a.png"], "added": ["new.md"]}, f"{answer}", place)
    failed(place, hub, "HUB_SKILL_NOT_FOUND", "verify", BOB, "--version", "9.0.0", says="Version not found")
    failed(place, hub, "HUB_SKILL_NOT_FOUND", "verify", "other", says="not installed")
    done = run(place, hub, "verify", BOB, "--output", "pretty")
    expect(b"HUB_FILES_DIFFER" in done.stdout + done.stderr, f"{done}", place)


def files_are_verified_by_the_hub_that_gave_them(place, hub):
    succeeded(place, hub, "install", "demo")
    unnamed = {"CLAWHUB_REGISTRY": "", "CLAWHUB_SITE": ""}
    answer = succeeded(place, hub, "verify", "demo", env=unnamed)
    expect((answer["registry"], answer["files"]) == (hub.base, 2), f"{answer}", place)
    with type(hub)() as other:
        failed(place, hub, "HUB_SKILL_NOT_FOUND", "verify", "demo", "--registry", other.base, env=unnamed)
    (skills(place) / "demo/.gitignore").symlink_to("SKILL.md")
    failed(place, hub, "FILE_UNREADABLE", "verify", "demo", says="it is a link")


def a_search_names_owners(place, hub):
    hub.fault("/api/v1/search", body=b'{"results":[{"score":1,"slug":"demo","ownerHandle":"bob","displayName":"D",'
                                     b'"summary":null,"version":"1.0.0"}]}', times=2)
    expect(succeeded(place, hub, "search", "demo")["results"][0]["ownerHandle"] == "bob", "no owner", place)
    done = run(place, hub, "search", "demo", "--output", "pretty")
    expect(done.stdout.startswith(b"@bob/demo v1.0.0"), f"{done}", place)


def an_owners_skill_is_deleted(place, hub):
    hub.tokens["clh_secret01"] = "me"
    succeeded(place, hub, "login", "--token", "clh_secret01")
    hub.seen.clear()
    expect(succeeded(place, hub, "delete", "@me/demo", "--yes")["slug"] == "@me/demo", "the slug", place)
    asked = hub.asked("/api/v1/skills/demo")[0]
    expect((asked["method"], asked["query"]) == ("DELETE", {"ownerHandle": "me"}), f"{asked}", place)


CHECKS = rows(owners_are_named, an_owner_is_chosen, a_skill_stays_its_owners, no_other_owners_skill_is_installed,
              an_owner_that_the_hub_does_not_name, names_that_are_none, no_link_is_an_owners_folder,
              a_killed_install_is_completed, files_are_verified, files_are_verified_by_the_hub_that_gave_them,
              a_search_names_owners, an_owners_skill_is_deleted)
