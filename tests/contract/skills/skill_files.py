"""Skills on disk: validated, written, indexed; nothing is run and no device is used."""
import concurrent.futures
import hashlib
import json
import resource
import shutil
import signal

from skill_repository import LOOK, Repository, expect, files_below


def validated(place):
    """What is reported of a skill that is in order, and of all of them."""
    repository = Repository(place)
    plain = repository.add("org.app.plain")
    recipe = repository.add("org.app.recipe", artifacts=["look"])
    at = lambda path: str(repository.root / path)
    checks = lambda entry: {"skillJsonPath": at(entry["path"] + "/skill.json"), "skillFilePath": at(entry["skillFile"]),
                            "scriptPaths": [at(each) for each in entry["scripts"]],
                            "artifactPaths": [at(each) for each in entry["artifacts"]]}
    valid = {"valid": True, "skill": plain, "registryPath": str(repository.registry)}
    expect(place, "one", repository.ask("validate", plain["id"]), (0, {**valid, "checks": checks(plain)}))
    skipped = {"payloadValidation": "skipped", "reason": "skill has no pre-compiled artifacts; payload is generated at "
                                                         "runtime by the skill script"}
    expect(place, "dry run", repository.ask("validate", plain["id"], "--dry-run"),
           (0, {**valid, "dryRun": skipped, "checks": checks(plain)}))
    status, dry = repository.ask("validate", recipe["id"], "--dry-run")
    expect(place, "dry run of an artifact", (status, dry["valid"], dry["checks"]["artifactPaths"]),
           (0, True, [at("skills/org.app.recipe/artifacts/look.recipe.json")]))
    every = {"valid": True, "totalSkills": 2, "registryPath": str(repository.registry),
             "validSkills": [{"skill": entry, "checks": checks(entry)} for entry in (plain, recipe)]}
    expect(place, "all", repository.ask("validate", "--all"), (0, every))
    status, answer = repository.ask("validate", "--all", "--dry-run")
    expect(place, "all, dry run", (status, answer["validSkills"]), (0, every["validSkills"]))


def not_validated(place):
    """The first rule that is broken, in the published order, with its details."""
    repository = Repository(place)
    entry = repository.add("org.app.go", artifacts=["look"])
    good = files_below(repository.root)
    skill_json = repository.root / entry["path"] / "skill.json"

    def broken(message, details, *, registered=None, stored=None, gone=(), words=(), put=()):
        repository.entries[0] = {name: value
                                 for name, value in {**entry, **(registered or {})}.items() if value != "gone"}
        repository.save()
        if stored is not None:
            skill_json.write_text(stored if isinstance(stored, str) else json.dumps({**entry, **stored}))
        for name in gone:
            (repository.root / name).unlink()
        for name, text in put:
            repository.put(name, text)
        status, error = repository.ask("validate", "org.app.go", *words)
        expect(place, message, (status, error["code"], error["message"]), (1, "SKILL_VALIDATION_FAILED", message))
        expect(place, f"{message}: details", {name: error["details"].get(name) for name in details}, details)
        for name, text in good.items():
            (repository.root / name).write_bytes(text)
        return error

    where = {"skillJsonPath": str(skill_json)}
    for scripts in ("gone", "skills/x.sh", None):
        broken("Skill org.app.go registry entry is missing required scripts", {**where, "missingFields": ["scripts"]},
               registered={"scripts": scripts, "artifacts": {}}, gone=[entry["skillFile"]])
    broken("Skill org.app.go registry entry has an invalid artifacts value", where, registered={"artifacts": {}},
           gone=[entry["skillFile"]])
    lost = [f"{entry['path']}/skill.json", entry["skillFile"], *entry["scripts"], *entry["artifacts"]]
    broken("Skill org.app.go is missing required files",
           {**where, "missingFiles": [str(repository.root / name) for name in lost]}, gone=lost)
    broken("Skill org.app.go is missing required files", {"missingFiles": [str(repository.root / entry["skillFile"])]},
           gone=[entry["skillFile"]], stored={"intent": "other"})
    differing = {"id": "x.y", "applicationId": "x", "intent": "y", "summary": "", "path": "p", "skillFile": "s",
                 "scripts": [], "artifacts": ["a"]}
    message = "Skill org.app.go metadata does not match the registry entry"
    broken(message, {**where, "mismatchFields": list(differing)}, stored=dict(reversed(differing.items())))
    for name, value in differing.items():
        broken(message, {"mismatchFields": [name]}, stored={name: value, "unknown": 1})
    broken(message, {"mismatchFields": ["scripts"]}, registered={"scripts": [*entry["scripts"]] * 2})
    broken(message, {"mismatchFields": ["artifacts"]},
           stored=json.dumps({k: v for k, v in entry.items() if k != "artifacts"}))
    for agent in (1, {}, {"cli": ""}, {"cli": "a", "timeoutMs": 0}, {"cli": "a", "timeoutMs": "x"},
                  {"cli": "a", "cliPath": 7}):
        error = broken("Skill org.app.go has an invalid agent manifest", {}, stored={"agent": agent})
        expect(place, "a reason", isinstance(error["details"]["reason"], str), True)
    broken("Skill org.app.go: artifact payload schema violation", {"artifact": "look.recipe.json"}, words=["--dry-run"],
           put=[(entry["artifacts"][0], json.dumps({**LOOK, "actions": []}))])
    broken("Skill org.app.go: artifact payload schema violation", {"artifact": "look.recipe.json"}, words=["--dry-run"],
           put=[(entry["artifacts"][0], json.dumps(LOOK).replace("30000", "{{LIMIT}}"))])
    broken("Skill org.app.go: artifact payload schema violation", {"artifact": "look.recipe.json", "path": "actions"},
           words=["--dry-run"], put=[(entry["artifacts"][0], json.dumps(LOOK).replace("snapshot_ui", "fly"))])
    repository.put(entry["artifacts"][0], json.dumps({**LOOK, "actions": []}))
    expect(place, "without a dry run", repository.ask("validate", "org.app.go")[0], 0)
    skill_json.write_text("{")
    repository.refused(["validate", "org.app.go"], "REGISTRY_READ_FAILED")


def not_all_validated(place):
    """Each failure is listed, and the others are counted."""
    repository = Repository(place)
    for name in ("a", "b", "c"):
        repository.add(f"org.app.{name}")
    (repository.root / "skills/org.app.b/SKILL.md").unlink()
    (repository.root / "skills/org.app.c/skill.json").write_text("[")
    status, error = repository.ask("validate", "--all")
    expect(place, "all", (status, error["code"], error["message"], error["registryPath"]),
           (1, "SKILL_VALIDATION_FAILED", "2 of 3 registered skills failed validation", str(repository.registry)))
    details = error["details"]
    expect(place, "counts", (details["totalSkills"], details["validCount"], details["invalidCount"]), (3, 1, 2))
    expect(place, "failures", [(each["skillId"], each["code"]) for each in details["failures"]],
           [("org.app.b", "SKILL_VALIDATION_FAILED"), ("org.app.c", "REGISTRY_READ_FAILED")])
    expect(place, "its details", details["failures"][0]["details"]["missingFiles"],
           [str(repository.root / "skills/org.app.b/SKILL.md")])


def nothing_outside(place):
    """A name or a link that leads out of the repository is refused by every command; one that stays in it is not."""
    repository = Repository(place)
    outside = place.sandbox / "outside"
    outside.mkdir()
    (outside / "run.sh").write_text("#!/bin/sh\ntouch ran\n")
    (outside / "run.sh").chmod(0o755)
    (outside / "x.recipe.json").write_text(json.dumps(LOOK))
    entry = repository.add("org.app.go", artifacts=["x"])
    scripts = repository.root / entry["path"] / "scripts"
    (scripts / "out.sh").symlink_to(outside / "run.sh")
    (scripts / "up").symlink_to(outside)
    (scripts / "in.sh").symlink_to("run.sh")
    (repository.root / entry["artifacts"][0]).unlink()
    (repository.root / entry["artifacts"][0]).symlink_to(outside / "x.recipe.json")
    here = entry["path"] + "/scripts/"
    for path in ("../outside/run.sh", here + "../../../../outside/run.sh", str(outside / "run.sh"), here + "out.sh",
                 here + "up/run.sh"):
        repository.entries[0] = {**entry, "scripts": [path], "artifacts": []}
        repository.save()
        repository.refused(["validate", "org.app.go"], "SKILL_VALIDATION_FAILED", "outside the skills repository")
        repository.refused(["run", "org.app.go", "--skip-validate"], "SKILL_VALIDATION_FAILED",
                           "outside the skills repository")
    for member in ("path", "skillFile"):
        repository.entries[0] = {**entry, member: "../outside", "artifacts": []}
        repository.save()
        repository.refused(["validate", "org.app.go"], "SKILL_VALIDATION_FAILED", "outside the skills repository")
    repository.entries[0] = entry
    repository.save()
    repository.refused(["validate", "org.app.go"], "SKILL_VALIDATION_FAILED", "outside the skills repository")
    repository.refused(["compile-artifact", "org.app.go", "--artifact", "x"], "SKILL_VALIDATION_FAILED",
                       "outside the skills repository")
    repository.entries[0] = {**entry, "scripts": [here + "in.sh"], "artifacts": []}
    repository.put(entry["path"] + "/skill.json", json.dumps(repository.entries[0]))
    repository.save()
    expect(place, "a link that stays", repository.ask("validate", "org.app.go")[0], 0)
    expect(place, "nothing was run", (place.sandbox / "ran").exists(), False)


def large_registries(place):
    """Thousands of entries are as good as two; what is beyond every bound is refused at once."""
    repository = Repository(place)
    repository.add("org.app.go")
    first = repository.entries[0]
    repository.entries += [{**first, "id": f"org.app.number-{i}", "intent": f"number-{i}", "summary": "x" * 200}
                           for i in range(4999)]
    repository.save()
    listed = repository.ask("list")[1]
    expect(place, "list", (listed["count"], listed["skills"] == repository.entries), (5000, True))
    expect(place, "get", repository.ask("get", "org.app.number-4998")[1], {"skill": repository.entries[-1]})
    expect(place, "search", repository.ask("search", "number-4998")[1]["count"], 1)
    expect(place, "for-app", repository.ask("for-app", "org.app")[1]["count"], 5000)
    expect(place, "validate", repository.ask("validate", "org.app.go")[0], 0)
    expect(place, "new", repository.ask("new", "org.app.new")[0], 0)
    repository.registry.write_text('{"skills":[' + " " * (33 << 20) + "]}")
    repository.refused(["list"], "REGISTRY_READ_FAILED")


def compiled_number(place):
    """A placeholder may stand for more than a text; what comes out has to be an execution all the same."""
    repository = Repository(place)
    entry = repository.add("org.app.go", artifacts=["limit"])
    repository.put(entry["artifacts"][0], json.dumps(LOOK).replace("30000", "{{LIMIT}}"))
    compiled = ["compile-artifact", "org.app.go", "--artifact", "limit", "--vars"]
    expect(place, "a number", repository.ask(*compiled, '{"LIMIT":1500}')[1]["execution"]["timeoutMs"], 1500)
    error = repository.refused([*compiled, '{"LIMIT":"soon"}'], "COMPILE_VALIDATION_FAILED")
    expect(place, "no JSON any more", error["details"]["artifactName"], "limit")
    repository.put(entry["artifacts"][0], "x" * (2 << 20))
    repository.refused([*compiled, "{}"], "REGISTRY_READ_FAILED", "limit.recipe.json")


NEW_FILES = ["SKILL.md", "skill.json", "scripts/run.js", "scripts/run.sh"]


def new_skill(place):
    """Its folder and its entry, in the order of the ids; what the registry had besides stays."""
    repository = Repository(place)
    repository.registry.write_text(json.dumps({"$schema": "./s.json", "schemaVersion": "1.0", "generatedAt": "today",
                                               "skills": [
{"id": "org.app.b", "kept": [1.5, None]}, {"id": "org.app.A"}]}))
    (place.sandbox / "context.json").write_text('{"seen": true}')
    folder = repository.root / "skills/org.app.make-it"
    expect(place, "the answer", repository.ask("new", "org.app.make-it", "--summary", "Makes it\r\n\r\nAnd more: \"x\"",
                                               "--recording-context", "context.json"),
           (0, {"created": True, "skillId": "org.app.make-it", "registryPath": str(repository.registry),
                "skillPath": str(folder), "files": [*NEW_FILES, "recording-context.json"]}))
    expect(place, "files", sorted(files_below(folder)), sorted([*NEW_FILES, "recording-context.json"]))
    expect(place, "context", (folder / "recording-context.json").read_text(), '{"seen": true}')
    text = repository.registry.read_text()
    registry = json.loads(text)
    expect(place, "indented", text, json.dumps(registry, indent=2, ensure_ascii=False) + "\n")
    entry = {"id": "org.app.make-it", "applicationId": "org.app", "intent": "make-it",
             "summary": "Makes it\r\n\r\nAnd more: \"x\"", "path": "skills/org.app.make-it",
             "skillFile": "skills/org.app.make-it/SKILL.md",
             "scripts": ["skills/org.app.make-it/scripts/run.js", "skills/org.app.make-it/scripts/run.sh"],
             "artifacts": []}
    expect(place, "registry", registry,
           {"$schema": "./s.json", "schemaVersion": "1.0", "generatedAt": "today", "skills": [
{"id": "org.app.A"}, {"id": "org.app.b", "kept": [1.5, None]}, entry]})
    expect(place, "skill.json", json.loads((folder / "skill.json").read_text()), entry)
    head = "---\nname: org.app.make-it\ndescription: |-\n  Makes it\n\n  And more: \"x\"\n---\n"
    expect(place, "SKILL.md", (folder / "SKILL.md").read_text()[:len(head)], head)
    expect(place, "run.sh can be executed", (folder / "scripts/run.sh").stat().st_mode & 0o777, 0o755)
    expect(place, "it is valid", repository.ask("validate", "org.app.make-it", "--dry-run")[0], 0)
    expect(place, "no summary", repository.ask("new", "org.app.z")[1]["created"], True)
    expect(place, "its summary", repository.ask("get", "org.app.z")[1]["skill"]["summary"], "TODO: describe org.app.z")


def no_new_skill(place):
    """Nothing is written where something speaks against it."""
    repository = Repository(place)
    repository.add("org.app.there")
    (repository.root / "skills/org.app.folder").mkdir()
    (repository.root / "skills/org.app.link").symlink_to("nowhere")
    before = files_below(place.sandbox)
    no_dot = "skill_id must contain at least one dot so applicationId and intent can be derived"
    for bad in ("nodot", ".first", "last.", "", " ", "."):
        expect(place, f"{bad!r}", repository.ask("new", bad), (1, {"code": "SKILL_ID_INVALID", "message": no_dot}))
    for bad in ("../org.app.x", "org/app.x", "org..x.y", "a b.c", "a.\u00fc", "a." + "x" * 300, "..a.b"):
        repository.refused(["new", bad], "SKILL_ID_INVALID")
    expect(place, "registered", repository.ask("new", "org.app.there"),
           (1, {"code": "SKILL_ALREADY_EXISTS", "message": "Skill already exists: org.app.there"}))
    for name in ("folder", "link"):
        expect(place, name, repository.ask("new", f"org.app.{name}"), (1, {
            "code": "SKILL_ALREADY_EXISTS",
            "message": f"Skill directory already exists: {repository.root}/skills/org.app.{name}"}))
    repository.refused(["new", "org.app.x", "--recording-context", "absent.json"], "SKILLS_SCAFFOLD_FAILED",
                       "absent.json")
    expect(place, "nothing was written", files_below(place.sandbox), before)
    repository.registry.write_text("{}")
    repository.refused(["new", "org.app.x"], "REGISTRY_READ_FAILED", "skills array required")
    repository.registry.unlink()
    repository.refused(["new", "org.app.x"], "REGISTRY_READ_FAILED", "Registry not found at configured path")


def limited_to(size):
    """No file may become longer than that: each further write fails, also root's."""
    def prepare():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return prepare


def half_a_new_skill(place):
    """A registry or a file that cannot be written leaves nothing behind."""
    repository = Repository(place)
    for i in range(40):
        repository.add(f"org.app.number-{i}")
    if len(repository.registry.read_bytes()) < 12000:
        raise place.Mismatch("the registry is too short for this check")
    before = files_below(repository.root)
    folders = sorted(repository.root.rglob("*"))
    for size in (12000, 1000, 0):
        repository.refused(["new", "org.app.x"], "SKILLS_SCAFFOLD_FAILED", preexec_fn=limited_to(size))
        expect(place, f"{size} bytes", files_below(repository.root), before)
        expect(place, f"{size} bytes: no folder is left", sorted(repository.root.rglob("*")), folders)


def new_skills_at_once(place):
    """Of several that write the registry no entry is lost; of several with one id one has it."""
    repository = Repository(place)
    ids = [f"org.app.number-{i}" for i in range(6)] + ["org.app.same"] * 4
    with concurrent.futures.ThreadPoolExecutor(len(ids)) as pool:
        answers = list(pool.map(lambda skill_id: repository.ask("new", skill_id), ids))
    codes = [answer.get("code", "created") for _, answer in answers]
    expect(place, "each of its own", codes[:6], ["created"] * 6)
    expect(place, "one of the four", sorted(codes[6:]), ["SKILL_ALREADY_EXISTS"] * 3 + ["created"])
    expect(place, "registered", sorted(each["id"] for each in repository.ask("list")[1]["skills"]), sorted(set(ids)))
    expect(place, "all are valid", repository.ask("validate", "--all")[0], 0)


def indexed(place):
    """What agents read is made of the registry, always the same, and --check sees what is not."""
    repository = Repository(place)
    repository.add("org.b.go")
    repository.add("com.a.go")
    repository.add("org.a.go")
    folder = repository.root / "skills/generated"
    status, answer = repository.ask("index")
    names = ["by-app/com.a.json", "by-app/org.a.json", "by-app/org.b.json", "by-prefix/com.json", "by-prefix/org.json",
             "manifest.json", "skills-index.jsonl", "skills-index.min.json"]
    expect(place, "the answer", (status, answer),
           (0, {"written": True, "registryPath": str(repository.registry), "totalSkills": 3,
                "files": [f"skills/generated/{name}" for name in names]}))
    written = files_below(folder)
    expect(place, "files", sorted(written), sorted(names))
    by_id = sorted(repository.entries, key=lambda entry: entry["id"])
    read = lambda name: json.loads(written[name])
    expect(place, "lines", [json.loads(line) for line in written["skills-index.jsonl"].splitlines()], by_id)
    expect(place, "all", (read("skills-index.min.json")["skills"], read("skills-index.min.json")["count"]), (by_id, 3))
    expect(place, "by app", read("by-app/org.a.json")["skills"], [by_id[1]])
    expect(place, "by prefix", read("by-prefix/org.json")["skills"], by_id[1:])
    digests = {f"skills/generated/{name}": hashlib.sha256(text).hexdigest() for name, text in written.items()
               if name != "manifest.json"}
    expect(place, "digests", read("manifest.json")["files"], digests)
    repository.entries.reverse()
    repository.save()
    expect(place, "in any order", (repository.ask("index")[0], files_below(folder)), (0, written))
    expect(place, "checked", repository.ask("index", "--check")[1]["valid"], True)

    def stale(part, disturb):
        disturb()
        before = files_below(repository.root)
        repository.refused(["index", "--check"], "SKILLS_INDEX_STALE", part)
        expect(place, "--check writes nothing", files_below(repository.root), before)

    def mended(part, disturb):
        stale(part, disturb)
        expect(place, part, (repository.ask("index")[0], files_below(folder)), (0, written))

    mended("skills/generated/skills-index.jsonl", lambda: (folder / "skills-index.jsonl").write_text(""))
    mended("skills/generated/by-app/org.a.json", lambda: (folder / "by-app/org.a.json").unlink())
    mended("skills/generated/by-app/old.json", lambda: (folder / "by-app/old.json").write_text("{}"))
    mended("skills/generated/manifest.json", lambda: shutil.rmtree(folder))
    stale("skills/org.c.go", lambda: repository.put("skills/org.c.go/skill.json", "{}"))
    repository.refused(["index"], "SKILLS_INDEX_STALE", "skills/org.c.go")
    shutil.rmtree(repository.root / "skills/org.c.go")
    stale("is missing required files", lambda: (repository.root / "skills/com.a.go/scripts/run.sh").unlink())


def schema_rules(place):
    """Each rule of a repository, broken alone, is what `index --check` complains about."""
    repository = Repository(place)
    entry = repository.add("org.app.go")
    path = entry["path"]
    for member, values in {
            "id": ["a b.c", "", "\u00fc.x"], "applicationId": ["org-app", ""], "intent": ["Go", "g_o", ""],
            "summary": ["", "  "],
            "path": ["skills/other", ""], "skillFile": [f"{path}/README.md"],
            "scripts": [[], "x", [f"{path}/scripts/run.py"], [f"{path}/run.sh"], [f"{path}/scripts/.sh"],
                        [f"{path}/scripts/a/b.sh"]],
            "artifacts": [[f"{path}/artifacts/x.yaml"], [f"{path}/x.json"], {}],
            "keywords": [["a", "a"], [""], [" "]]}.items():
        for value in values:
            repository.entries[0] = {**entry, member: value}
            repository.save()
            error = repository.refused(["index", "--check"], "SKILLS_INDEX_STALE")
            if not any(f": {member} " in problem for problem in error["details"]["problems"]):
                raise place.Mismatch(f"{member} {value!r}: {error['details']['problems']}")
    repository.entries[:] = [entry, entry]
    repository.save()
    repository.refused(["index", "--check"], "SKILLS_INDEX_STALE", "registered twice")


CHECKS = [("validate: what is in order", False, validated),
          ("validate: the first rule that is broken", False, not_validated),
          ("validate --all: each failure", False, not_all_validated),
          ("nothing outside the repository", False, nothing_outside),
          ("registries of any size", False, large_registries),
          ("compile-artifact: a number", False, compiled_number),
          ("new: folder and entry", False, new_skill),
          ("new: what speaks against it", False, no_new_skill),
          ("new: nothing half written", False, half_a_new_skill),
          ("new: several at once", False, new_skills_at_once),
          ("index: what is written and checked", False, indexed),
          ("index: the rules of a repository", False, schema_rules)]
