"""The example skills that come with the program (skills/), on the simulated phone, and what `skills new` writes."""
import json
import pathlib
import re
import shutil
import subprocess

from limits import LIMIT_S
from skill_repository import MARKER, Repository, expect

ROOT = pathlib.Path(__file__).resolve().parents[3]
OVERVIEW, OPEN_ROW = "com.android.settings.capture-overview", "com.android.settings.open-row"


def rows_of_settings():
    """The titles that the simulated phone's Settings begins with, as its screen file has them."""
    found = []

    def walk(node):
        if isinstance(node, dict):
            if node.get("use") == "row":
                found.append(node["title"])
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)
    walk(json.loads((ROOT / "tools/simdroid/screens/settings.json").read_text())["screens"]["home"])
    return found


def copied(place):
    """The bundled repository, to be changed."""
    repository = Repository(place)
    shutil.rmtree(repository.root / "skills")
    shutil.copytree(ROOT / "skills", repository.root / "skills")
    return repository


def in_order(place):
    """The repository keeps its own rules, and is found from a checkout without a setting."""
    for folder in (ROOT, ROOT / "docs/examples"):
        done = subprocess.run([place.binary, "skills", "index", "--check"], env=place.env, cwd=folder,
                              capture_output=True, timeout=LIMIT_S, check=False)
        answer = json.loads(done.stdout)
        expect(place, f"{folder}: {answer}", (done.returncode, answer["registryPath"], answer["totalSkills"]),
               (0, str(ROOT / "skills/skills-registry.json"), 2))
    repository = copied(place)
    status, answer = repository.ask("validate", "--all", "--dry-run")
    expect(place, f"{answer}", (status, [each["skill"]["id"] for each in answer["validSkills"]]),
           (0, [OVERVIEW, OPEN_ROW]))
    for skill_id in (OVERVIEW, OPEN_ROW):
        head = (ROOT / f"skills/{skill_id}/SKILL.md").read_text().split("---\n")[1]
        expect(place, "frontmatter",
               re.match(rf"name: {re.escape(skill_id)}\ndescription: \|-\n  \S", head) is not None, True)
    contract = json.loads((ROOT / f"skills/{OPEN_ROW}/skill.json").read_text())["contract"]
    expect(place, "contract", (contract["inputs"], contract["verification"]),
           ({"row": "string"}, {"kind": "node_text_matches", "matcher": "{row}"}))
    expect(place, "found by what it is for",
           [each["id"] for each in repository.ask("search", "click and verify")[1]["skills"]], [OPEN_ROW])


def overview(place):
    """The titles from the top of Settings on, by the program, by node and by the shell."""
    repository, serial = copied(place), place.device.serial
    status, answer = repository.ask("run", OVERVIEW)
    expect(place, f"{answer}", (status, list(answer), answer["skillResult"]["status"]),
           (0, ["skillResult", "durationMs"], "success"))
    titles = answer["skillResult"]["result"]["text"].split("\n")
    expect(place, "titles", (len(titles) > 5, titles), (True, rows_of_settings()[:len(titles)]))
    scripts = repository.root / f"skills/{OVERVIEW}/scripts"
    env = {**place.env, "CLAWPERATOR_BIN": place.binary}
    for kind in ("module", "commonjs"):
        repository.put("package.json", json.dumps({"type": kind}))
        for words in (["node", scripts / "run.js"], [scripts / "run.sh"]):
            done = subprocess.run([*words, serial], env=env, cwd=place.sandbox, capture_output=True, timeout=LIMIT_S,
                                  check=False)
            lines = done.stdout.decode().splitlines()
            expect(place, f"{words} as {kind}: {done.stderr[-400:]}",
                   (done.returncode, lines[0], json.loads(lines[1])["result"]["text"].split("\n")),
                   (0, MARKER, titles))


def row_opened(place):
    """A row by its title: compiled, clicked, and proved by the title of the screen that came."""
    repository, serial = copied(place), place.device.serial
    for words, row in ([["--row", "Display & touch"], "Display & touch"],
                       [["--device", serial, "--row=About phone"], "About phone"],
                       [["--device", serial, "Apps"], "Apps"], [["Storage"], "Storage"]):
        status, answer = repository.ask("run", OPEN_ROW, *words)
        expect(place, f"{words}: {answer}", (status, list(answer)), (0, ["skillResult", "durationMs"]))
        result = answer["skillResult"]
        expect(place, f"{words}", (result["status"], result["inputs"], result["result"]["text"]),
               ("success", {"row": row}, row))
        expect(place, "checkpoints", [(each["id"], each["status"]) for each in result["checkpoints"]],
               [("recipe-compiled", "ok"), ("row-opened", "ok"), ("screen-proved", "ok")])
        text = {"kind": "text", "text": row}
        expect(place, "verification", result["terminalVerification"],
               {"status": "verified", "expected": text, "observed": text})
        bar = place.run("snapshot", "--format", "compact", "--device", serial).stdout
        expect(place, "the screen that is there", json.dumps(f'desc "{row}"')[1:-1].encode() in bar, True)


def row_not_opened(place):
    """No such row, another screen, none: a frame that says so, and an exit code. What is not proved is no success."""
    repository = copied(place)

    def failed(row, checkpoint, verification):
        status, answer = repository.ask("run", OPEN_ROW, "--row", row)
        expect(place, f"{row}: {answer}", (status, answer["status"], answer["code"], answer["exitCode"]),
               (1, "failed", "SKILL_EXECUTION_FAILED", 1))
        result = answer["skillResult"]
        expect(place, row,
               (result["status"], result["inputs"], "result" in result, result["terminalVerification"]["status"]),
               ("failed", {"row": row}, False, verification))
        expect(place, f"{row}: where", [each["id"] for each in result["checkpoints"] if each["status"] == "failed"],
               [checkpoint])
        return result

    failed("No such row", "row-opened", "not_run")
    failed('say "hi" \\ {{ROW}} \u00fc', "row-opened", "not_run")
    observed = failed("Modes", "screen-proved", "failed")["terminalVerification"]["observed"]
    expect(place, "the screen that came", observed, {"kind": "text", "text": "Sound & vibration"})
    failed("Wallpaper & style", "screen-proved", "not_run")
    status, answer = repository.ask("run", OPEN_ROW)
    expect(place, "no row", (status, answer["code"], answer["skillResult"]["checkpoints"][0]["status"]),
           (1, "SKILL_EXECUTION_FAILED", "failed"))
    place.device.simctl("fault", "package-missing")
    status, answer = repository.ask("run", OPEN_ROW, "--row", "Apps")
    note = answer["skillResult"]["checkpoints"][1]["note"]
    expect(place, "without the app",
           (status, answer["skillResult"]["status"], note.startswith("OPERATOR_NOT_INSTALLED: ")), (1, "failed", True))
    status, answer = repository.ask("run", OVERVIEW)
    expect(place, "overview without the app", (status, answer["skillResult"]["status"], answer["skillResult"][
        "checkpoints"][0]["status"]), (1, "failed", "failed"))
    place.device.simctl("clear", "package-missing")
    manifest = repository.root / f"skills/{OPEN_ROW}/skill.json"
    manifest.write_text(manifest.read_text().replace('"matcher": "{row}"', '"matcher": "{row} settings"'))
    status, answer = repository.ask("run", OPEN_ROW, "--row", "Apps")
    expect(place, "a wrong verification",
           (status, answer["status"], answer["code"], answer["message"], answer["skillResult"]["status"]),
           (1, "indeterminate", "SKILL_VERIFICATION_INDETERMINATE",
            "Skill terminal verification expected 'Apps settings' but observed 'Apps'.", "success"))
    place.run("adb", "-s", place.device.serial, "shell", "input", "keyevent", "26")
    for words in ([OPEN_ROW, "--row", "Apps"], [OVERVIEW]):
        repository.refused(["run", *words], "DEVICE_NOT_INTERACTIVE")


def new_skill_runs(place):
    """What `skills new` writes runs as it is, on a phone and as whatever package.json says its modules are."""
    repository, serial = Repository(place), place.device.serial
    folder = pathlib.Path(repository.ask("new", "com.android.settings.look")[1]["skillPath"])
    echo = repository.put("echo", "#!/bin/sh\nfor word; do echo \"$word\"; done\n", 0o755)
    for kind in ("module", "commonjs"):
        repository.put("package.json", json.dumps({"type": kind}))
        done = subprocess.run([folder / "scripts/run.sh", "D", "org.mine"],
                              env={**place.env, "CLAWPERATOR_BIN": str(echo)}, capture_output=True,
                              text=True, timeout=LIMIT_S, check=False)
        words = done.stdout.splitlines()
        expect(place, f"{kind}: {done.stderr}", words[:6] + words[7:],
               ["exec", "--device", "D", "--operator-package", "org.mine", "--execution", "--json"])
        plan = json.loads(words[6])
        expect(place, "what it asks for", [each["type"] for each in plan["actions"]],
               ["close_app", "sleep", "open_app", "sleep", "snapshot_ui"])
        expect(place, "ids", (re.fullmatch(r"com\.android\.settings\.look-\d+", plan["commandId"]) is not None,
                              plan["taskId"], plan["source"], plan["timeoutMs"]),
               (True, "com.android.settings.look", "com.android.settings.look", 30000))
    status, answer = repository.ask("run", "com.android.settings.look", "--device", serial)
    envelope = json.loads(answer["output"])["envelope"]
    expect(place, "on the phone", (status, envelope["status"], "Network &amp; internet" in envelope["stepResults"][-1][
        "data"]["text"]), (0, "success", True))
    status, answer = repository.ask("run", "com.android.settings.look")
    expect(place, "on the only phone", (status, json.loads(answer["output"])["envelope"]["status"]), (0, "success"))
    repository.ask("new", "com.example.none.look")
    answer = repository.refused(["run", "com.example.none.look"], "SKILL_EXECUTION_FAILED")
    expect(place, "an app that is not there", (answer["exitCode"], "com.example.none" in answer["stdout"]), (1, True))


def new_skill_is_in_order(place):
    """`new` refuses what `index --check` refuses, and writes nothing then; what it writes is in order."""
    repository = Repository(place)
    for bad in ("com.example.app.Open", "com.example.app.a_b", "com.ex-ample.app.x", "com.example.ä.x"):
        answer = repository.refused(["new", bad], "SKILL_ID_INVALID")
        expect(place, f"{bad}: {answer}", "must match" in answer["message"], True)
    for summary in ("", " \n"):
        repository.refused(["new", "com.example.app.x", "--summary", summary], "INVALID_ARGUMENT")
    repository.ask("new", "com.example.app.open-cart2", "--summary", "Two\nlines: \"quoted\"")
    expect(place, "written", repository.ask("index")[0], 0)
    expect(place, "in order", repository.ask("index", "--check")[0], 0)


def fits(value, schema, whole):
    """As much of JSON Schema as skills-registry.schema.json says."""
    if "$ref" in schema:
        return fits(value, whole["$defs"][schema["$ref"].rsplit("/", 1)[1]], whole)
    known = {"type", "pattern", "required", "properties", "items", "minItems", "uniqueItems", "const", "description",
             "title", "$schema", "$defs"}
    assert schema.keys() <= known, schema.keys() - known
    kinds = {"string": str, "array": list, "object": dict}
    if "type" in schema and not isinstance(value, kinds[schema["type"]]):
        return False
    if "pattern" in schema and not re.search(schema["pattern"].replace("$", r"\Z"), value):
        return False
    if "const" in schema and value != schema["const"]:
        return False
    if isinstance(value, list):
        enough = len(value) >= schema.get("minItems",
                                          0) and (not schema.get("uniqueItems") or len(set(value)) == len(value))
        return enough and all(fits(each, schema["items"], whole) for each in value)
    if isinstance(value, dict):
        return value.keys() >= set(schema["required"]) and all(
            fits(each, schema["properties"][name], whole)
            for name, each in value.items() if name in schema["properties"])
    return True


def schema_says_so(place):
    """What the schema file accepts, `index --check` accepts, too; and the other way round."""
    schema = json.loads((ROOT / "skills/skills-registry.schema.json").read_text())
    registry = json.loads((ROOT / "skills/skills-registry.json").read_text())
    expect(place, "the bundled registry",
           (fits(registry, schema, schema), registry["schemaVersion"], registry["$schema"]),
           (True, "1.0", "./skills-registry.schema.json"))
    repository = Repository(place)
    entry = repository.add("org.app.go")
    path = entry["path"]
    seen = set()
    for member, values in {
            "id": ["", "a b.c", "org.app.\u00fc"], "applicationId": ["org.App_1", "org-app", ""],
            "intent": ["go", "Go", "g_o"],
            "summary": [" x", " ", ""], "path": ["skills/a/b", "../x"], "skillFile": [f"{path}/README.md"],
            "scripts": [[f"{path}/scripts/a.js", f"{path}/scripts/b.sh"], [], "x", [f"{path}/scripts/run.py"],
                        [f"{path}/run.sh"], [f"{path}/scripts/a/b.sh"]],
            "artifacts": [[f"{path}/artifacts/a.recipe.json", f"{path}/artifacts/a.md", f"{path}/artifacts/a.json"], [],
                          {}, [f"{path}/artifacts/a.yaml"],
                          [f"{path}/a.json"]],
            "keywords": [["a", "b c"], ["a", "a"], [" "]]}.items():
        for value in values:
            repository.entries[0] = {**entry, member: value}
            repository.save()
            problems = repository.ask("index", "--check")[1]["details"]["problems"]
            refused = any(f": {member} " in problem for problem in problems)
            expect(place, f"{member} {value!r}: {problems}",
                   fits(json.loads(repository.registry.read_text()), schema, schema), not refused)
            seen.add(refused)
    expect(place, "both were seen", seen, {True, False})


CHECKS = [("bundled skills: in order", False, in_order),
          ("bundled skills: the schema", False, schema_says_so),
          ("bundled skills: capture-overview", True, overview),
          ("bundled skills: open-row", True, row_opened),
          ("bundled skills: open-row that fails", True, row_not_opened),
          ("a new skill runs", True, new_skill_runs),
          ("a new skill is in order", False, new_skill_is_in_order)]
