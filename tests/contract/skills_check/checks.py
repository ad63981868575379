"""`clawperator skills check`: every row of cases.json by the binary, its bounds, and hostile repositories.

A row changes a copy of repo/, whose indexes are current: each `edit` of a file replaces a text that stands there once,
`write` writes files, `remove` removes files. `faults` are all that must be reported, "CODE file:line:column" each; a
file is named below skills/, `LIGHT` is com.example.home.set-light. With `stale` each index is one, too. `terms` are
blocked terms."""
import json
import os
import pathlib
import shutil

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
CASES = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))["rows"]
LIGHT = "com.example.home.set-light"
INDEXES = ["by-app/com.example.home.json", "by-prefix/com.json", "manifest.json", "skills-index.jsonl",
           "skills-index.min.json"]


def expect(place, wanted, got, what):
    if wanted != got:
        raise place.Mismatch(f"{what}: expected {wanted}, got {got}")


def copied(place):
    shutil.copytree(HERE / "repo", place.sandbox / "repo")
    done = place.run("skills", "index",
                     env={"CLAWPERATOR_SKILLS_REGISTRY": str(place.sandbox / "repo/skills/skills-registry.json")})
    expect(place, 0, done.returncode, f"skills index: {done.stdout[:600]}")
    return place.sandbox / "repo" / "skills"


def planted(place, row):
    skills = copied(place)
    for file, old, new in row.get("edit", []):
        path = skills / file.replace("LIGHT", LIGHT)
        text = path.read_bytes().decode()
        assert text.count(old) == 1, f"{row['id']}: {old!r} stands there {text.count(old)} times"
        path.write_bytes(text.replace(old, new).encode())
    for file, text in row.get("write", {}).items():
        path = skills / file.replace("LIGHT", LIGHT)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for file in row.get("remove", []):
        os.remove(skills / file.replace("LIGHT", LIGHT))
    return skills


def checked(place, *argv, code, terms=""):
    """The report of a check that searches for `terms`."""
    (place.sandbox / "terms.txt").write_text(terms, encoding="utf-8")
    done = place.run("skills", "check", *argv, "--terms-file", "terms.txt")
    expect(place, (code, b""), (done.returncode, done.stderr), f"skills check {argv}: {done.stdout[:2000]}")
    return json.loads(done.stdout)


def shown(report):
    return sorted(f"{each['code']} {each['file']}:{each['line']}:{each['column']}" for each in report["faults"])


def check_of(row):
    def check(place):
        planted(place, row)
        wanted = [fault.replace(" ", " repo/skills/", 1).replace("LIGHT", LIGHT) for fault in row["faults"]]
        if row.get("stale"):
            wanted += [f"SKILLS_INDEX_STALE repo/skills/generated/{name}:1:1" for name in INDEXES]
        report = checked(place, "repo", code=1 if wanted else 0, terms=row.get("terms", ""))
        expect(place, sorted(wanted), shown(report), f"faults {report['faults']}")
        expect(place, not wanted, report["valid"], "valid")
        for term in filter(None, row.get("terms", "").split("\n")):
            expect(place, False, term.lower() in json.dumps(report["faults"]).lower(), "the term is printed")
    return check


def own_repository(place):
    """Ours and our examples pass, and a fault in a copy of them does not."""
    checked(place, str(ROOT), str(ROOT / "docs/examples"), code=0)
    shutil.copytree(ROOT / "skills", place.sandbox / "ours/skills")
    shutil.copytree(ROOT / "docs/examples", place.sandbox / "examples")
    example = place.sandbox / "examples/open-row.recipe.md"
    example.write_text(example.read_text().replace("[observe, navigate, click]", "[observe, navigate]"))
    skill_file = place.sandbox / "ours/skills/com.android.settings.open-row/SKILL.md"
    skill_file.write_text(skill_file.read_text().replace("name: com", "name: org"))
    expect(place, ["RECIPE_CAPABILITY_UNDECLARED examples/open-row.recipe.md:51:7",
                   "SKILLS_CHECK_NAME_INVALID ours/skills/com.android.settings.open-row/SKILL.md:2:7"],
           shown(checked(place, "ours", "examples", code=1)), "planted faults")
    for file in ("seed.recipe.md",):
        shutil.copy(HERE.parent / "recipes" / file, place.sandbox / "ours/skills")
    report = checked(place, "ours", code=1)
    expect(place, 1, len(report["faults"]), f"the seed's recipe has none: {report['faults']}")


def folders(place):
    """One id for two recipes of two folders; a folder without skills/; what is no folder of a repository."""
    copied(place)
    (place.sandbox / "more").mkdir()
    shutil.copy(HERE / "repo/skills/recipes/read.md", place.sandbox / "more/read.md")
    (place.sandbox / "more/SKILL.md").write_text("---\nname: x\n---\n")
    report = checked(place, "repo", "more", code=1)
    expect(place, ["RECIPE_NAME_REPEATED more/read.md:2:12"], shown(report), "two folders")
    expect(place, 2, checked(place, "more/", code=0)["files"], "files")
    done = place.run("skills", "check", "--terms-file", "terms.txt",
                     env={"CLAWPERATOR_SKILLS_REGISTRY": str(place.sandbox / "repo/skills/skills-registry.json")})
    expect(place, (0, 16), (done.returncode, json.loads(done.stdout)["files"]), "the default")
    for argv, code in ((["absent"], "FILE_UNREADABLE"), (["repo/skills"], "FILE_UNREADABLE"),
                       ([], "REGISTRY_READ_FAILED"), (["repo", "--agent"], "USAGE"),
                       (["repo", "--format", "xml"], "USAGE"), (["repo", "--eligible"], "USAGE")):
        expect(place, code, checked(place, *argv, code=1)["code"], argv)


def terms(place):
    """The default file, a missing one, and one that lies in the repository."""
    skills = copied(place)
    (skills / "recipes/notes.txt").write_text("aunt rosa\n")
    done = place.run("skills", "check", "repo")
    expect(place, (0, 1), (done.returncode, done.stderr.count(b"\n")), f"no terms: {done.stderr}")
    (place.sandbox / ".clawperator").mkdir(exist_ok=True)
    (place.sandbox / ".clawperator/blocked-terms.txt").write_text("Aunt Rosa\n")
    done = place.run("skills", "check", "repo")
    expect(place, ["PRIVACY_TERM_FOUND repo/skills/recipes/notes.txt:1:1"], shown(json.loads(done.stdout)), "default")
    expect(place, b"", done.stderr, "no warning")
    done = place.run("skills", "check", "repo", "--terms-file", "repo/skills/recipes/notes.txt")
    expect(place, (0, 16), (done.returncode, json.loads(done.stdout)["files"]), "the file itself")
    done = place.run("skills", "check", "repo", "--terms-file", "absent.txt")
    expect(place, "FILE_UNREADABLE", json.loads(done.stdout)["code"], "a missing one that is named")


def sarif(place):
    planted(place, {"id": "sarif", "write": {"a b/x.recipe.md": "nothing\n", "recipes/notes.txt": "jane.roe@kth.se\n"},
                    "remove": ["generated/manifest.json", f"{LIGHT}/skill.json"]})
    document = checked(place, "repo", "--format", "sarif", code=1)
    run, = document["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    expect(place, ("2.1.0", len(set(rules))), (document["version"], len(rules)), "version, and each rule once")
    found = {(each["ruleId"], each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
             for each in run["results"]}
    expect(place, {("RECIPE_YAML_INVALID", "repo/skills/a%20b/x.recipe.md"),
                   ("RECIPE_STEP_BLOCK_INVALID", "repo/skills/a%20b/x.recipe.md"),
                   ("PRIVACY_LITERAL_FOUND", "repo/skills/recipes/notes.txt"),
                   ("SKILLS_INDEX_STALE", "repo/skills/generated/manifest.json"),
                   ("SKILLS_CHECK_FILE_MISSING", "repo/skills/skills-registry.json")}, found, "results")
    expect(place, set(), {rule for rule, _ in found} - set(rules), "rules that are not listed")
    expect(place, True, all(row.split(" ")[0] in rules for case in CASES for row in case["faults"]), "all rules")


def for_people(place):
    planted(place, {"id": "people", "edit": [["LIGHT/SKILL.md", "name: com", "name: \u001b[31m"]]})
    (place.sandbox / "terms.txt").write_text("")
    done = place.run("skills", "check", "repo", "--terms-file", "terms.txt", "--output", "pretty")
    expect(place, True, done.stdout.startswith(f"repo/skills/{LIGHT}/SKILL.md:".encode()), done.stdout)
    expect(place, True, b"\x1b" not in done.stdout and done.stdout.endswith(b"files: 16, faults: 1\n"), done.stdout)


def hostile(place):
    """Links are not followed, a pipe is not waited for, a large file is counted; a link out of it is no file."""
    skills = copied(place)
    outside = place.sandbox / "outside"
    outside.mkdir()
    (outside / "x.recipe.md").write_text("jane.roe@kth.se\n")
    (skills / "folder").symlink_to(outside)
    (skills / "x.recipe.md").symlink_to(outside / "x.recipe.md")
    (skills / "loop").symlink_to(skills)
    os.mkfifo(skills / "recipes/pipe.recipe.md")
    (skills / "recipes/large.txt").write_bytes(b"jane.roe@kth.se\n" * 700_000)
    (skills / LIGHT / "scripts/run.sh").unlink()
    (skills / LIGHT / "scripts/run.sh").symlink_to(outside / "x.recipe.md")
    (skills / "com.example.home.read-light/skill.json").unlink()
    os.mkfifo(skills / "com.example.home.read-light/skill.json")
    report = checked(place, "repo", code=1)
    expect(place, ["SKILLS_CHECK_FILE_MISSING repo/skills/skills-registry.json:24:9",
                   "SKILLS_CHECK_FILE_MISSING repo/skills/skills-registry.json:9:15",
                   "SKILLS_CHECK_FILE_UNREADABLE repo/skills/com.example.home.read-light/skill.json:1:1",
                   "SKILLS_CHECK_FILE_UNREADABLE repo/skills/recipes/pipe.recipe.md:1:1"], shown(report), "faults")
    expect(place, (14, {"binary": 0, "large": 1}), (report["files"], report["skipped"]), "files")
    shutil.move(skills, place.sandbox / "moved")
    skills.symlink_to(place.sandbox / "moved")
    expect(place, ["SKILLS_CHECK_REGISTRY_INVALID repo/skills/skills-registry.json:1:1"],
           shown(checked(place, "repo", code=1)), "skills/ is a link")


def bounds(place):
    """Of files, of entries and of reported faults; names of every kind, and deep folders."""
    many = place.sandbox / "many"
    many.mkdir()
    for number in range(100_001):
        (many / str(number)).touch()
    report = checked(place, "many", code=1)
    expect(place, (["SKILLS_CHECK_LIMIT_EXCEEDED many:1:1"], 100_000), (shown(report), report["files"]), "files")
    (place.sandbox / "faults").mkdir()
    (place.sandbox / "faults/x.txt").write_text("jane.roe@kth.se\n" * 10_003)
    report = checked(place, "faults", code=1)
    expect(place, (10_000, 3), (len(report["faults"]), report["unlisted"]), "faults")
    deep = place.sandbox / "deep"
    folder = deep
    for _ in range(300):
        folder /= "d"
    folder.mkdir(parents=True)
    (folder / "\x1b\u202e.txt").write_text("jane.roe@kth.se\n")
    expect(place, 1, len(checked(place, "deep", code=1)["faults"]), "a deep folder")
    skills = copied(place)
    (skills / "skills-registry.json").write_text('{"skills":[' + "7," * 100_000 + "7]}")
    codes = [each["code"] for each in checked(place, "repo", code=1)["faults"]]
    expect(place, ["SKILLS_CHECK_REGISTRY_INVALID"], codes, "entries")
    (skills / "skills-registry.json").write_bytes(b" " * ((32 << 20) + 1))
    codes = [each["code"] for each in checked(place, "repo", code=1)["faults"]]
    expect(place, ["SKILLS_CHECK_REGISTRY_INVALID"], codes, "a large registry")


CHECKS = [*((row["id"], False, check_of(row)) for row in CASES),
          ("own repository", False, own_repository), ("folders", False, folders), ("terms", False, terms),
          ("sarif", False, sarif), ("for people", False, for_people), ("hostile", False, hostile),
          ("bounds", False, bounds)]
