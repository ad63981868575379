"""`clawperator recipe`: every row of cases.json by the binary, and files and folders of bad kinds.

A row edits base.recipe.md (or `file`): each `edit` is a text that stands there once, and what takes its place
(`all`: everywhere). Without `vars` the file is validated and `faults` are all it must report, "CODE LINE:COLUMN" each,
in any order. With `vars` it is compiled: to the same faults, to the actions `ids` with some `params`, or to one
`execution`."""
import json
import os
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
CASES = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))["rows"]


def edited(row):
    text = (HERE / row.get("file", "base.recipe.md")).read_bytes().decode()
    for old, new in row["edit"]:
        assert row.get("all") or text.count(old) == 1, f"{row['id']}: {old!r} stands there {text.count(old)} times"
        text = text.replace(old, new)
    return text


def write(place, name, text):
    (place.sandbox / name).write_bytes(text.encode())


def expect(place, wanted, got, what):
    if wanted != got:
        raise place.Mismatch(f"{what}: expected {wanted}, got {got}")


def shown(faults):
    return sorted(f"{each['code']} {each['line']}:{each['column']}" for each in faults)


def answer_of(place, *argv, code=None):
    done = place.run("recipe", *argv)
    if code is not None:
        expect(place, code, done.returncode, f"exit code of {argv}; {done.stdout[:600]}")
    return json.loads(done.stdout)


def validated(place, row):
    write(place, "r.md", edited(row))
    answer = answer_of(place, "validate", "r.md", code=1 if row["faults"] else 0)
    expect(place, sorted(row["faults"]), shown(answer["faults"]), f"faults {answer['faults']}")
    expect(place, (not row["faults"], 1), (answer["valid"], answer["recipes"]), "report")


def compiled(place, row):
    write(place, "r.md", edited(row))
    argv = ("compile", "r.md", "--vars", json.dumps(row["vars"]))
    answer = answer_of(place, *argv, code=1 if "faults" in row else 0)
    if "faults" in row:
        expect(place, sorted(row["faults"]), shown(answer["details"]["faults"]), f"faults of {answer}")
        first = answer["details"]
        expect(place, answer["code"], first["faults"][0]["code"], "code")
        where = f"r.md:{first['line']}:{first['column']}: "
        expect(place, where, answer["message"][:len(where)], "message")
        return
    execution = answer["execution"]
    if "execution" in row:
        expect(place, json.dumps(row["execution"]), json.dumps(execution), "execution")
    else:
        expect(place, row["ids"], [each["id"] for each in execution["actions"]], "ids")
        params = {each["id"]: each.get("params") for each in execution["actions"]}
        for name, wanted in row["params"].items():
            expect(place, wanted, params[name], name)
        expect(place, row.get("timeoutMs", execution["timeoutMs"]), execution["timeoutMs"], "timeoutMs")
    write(place, "plan.json", json.dumps(execution))
    expect(place, 0, place.run("exec", "--validate-only", "--payload", "plan.json").returncode, "exec --validate-only")
    again = answer_of(place, "compile", "r.md", "--vars", json.dumps(dict(reversed(row["vars"].items()))))
    expect(place, json.dumps(answer), json.dumps(again), "compiled again")


def check_of(row):
    return lambda place: (compiled if "vars" in row else validated)(place, row)


BASE = {"id": "base", "edit": []}


def folders(place):
    """Recipes by their names and by recipe_id; no links; ids are unique."""
    (place.sandbox / "all" / "below").mkdir(parents=True)
    (place.sandbox / "elsewhere").mkdir()
    write(place, "all/a.md", edited(BASE))
    write(place, "all/below/same.recipe.md", edited(BASE))
    write(place, "all/broken.recipe.md", "nothing\n")
    write(place, "all/README.md", "# Notes\n")
    write(place, "all/SKILL.md", "---\nname: x\n---\n")
    write(place, "elsewhere/bad.recipe.md", "nothing\n")
    os.symlink(place.sandbox / "elsewhere", place.sandbox / "all" / "folder")
    os.symlink(place.sandbox / "elsewhere" / "bad.recipe.md", place.sandbox / "all" / "link.recipe.md")
    answer = answer_of(place, "validate", "--all", "all", code=1)
    expect(place, 3, answer["recipes"], "recipes")
    places = [(each["file"], each["code"], each["line"], each["column"]) for each in answer["faults"]]
    expect(place, [("all/below/same.recipe.md", "RECIPE_NAME_REPEATED", 2, 12),
                   ("all/broken.recipe.md", "RECIPE_STEP_BLOCK_INVALID", 1, 1),
                   ("all/broken.recipe.md", "RECIPE_YAML_INVALID", 1, 1)], places, "faults")
    os.remove(place.sandbox / "all/broken.recipe.md")
    os.remove(place.sandbox / "all/below/same.recipe.md")
    answer_of(place, "validate", "--all", "all", code=0)


def sarif(place):
    (place.sandbox / "a b").mkdir()
    write(place, "a b/x.recipe.md", edited({"id": "x", "edit": [["resume_ok", "warm"]]}))
    document = answer_of(place, "validate", "--all", "a b", "--format", "sarif", code=1)
    run, = document["runs"]
    expect(place, ("2.1.0", "clawperator"), (document["version"], run["tool"]["driver"]["name"]), "head")
    result, = run["results"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    expect(place, "RECIPE_VALUE_NOT_ALLOWED", result["ruleId"], "rule")
    expect(place, True, result["ruleId"] in rules and len(rules) == len(set(rules)), "rules")
    expect(place, {"artifactLocation": {"uri": "a%20b/x.recipe.md"}, "region": {"startLine": 8, "startColumn": 17}},
           result["locations"][0]["physicalLocation"], "place")
    expect(place, "error", result["level"], "level")


def for_people(place):
    write(place, "r.md", edited({"id": "x", "edit": [["resume_ok", "\\e[31m"]]}))
    done = place.run("recipe", "validate", "r.md", "--output", "pretty")
    expect(place, True, done.stdout.startswith(b"r.md:8:17: RECIPE_VALUE_NOT_ALLOWED: "), done.stdout)
    expect(place, True, b"\x1b" not in done.stdout and done.stdout.endswith(b"recipes: 1, faults: 1\n"), done.stdout)


def limits(place):
    """Of a file, of its YAML, of its faults, and of a folder."""
    base = edited(BASE)
    write(place, "long.md", base + "x" * (1 << 20))
    for argv in (("validate", "long.md"), ("compile", "long.md")):
        expect(place, "RECIPE_LIMIT_EXCEEDED", answer_of(place, *argv, code=1)["code"], "a long file")
    write(place, "yaml.md", base.replace("tags: [light]", "tags: [" + "light, " * 10_000 + "]"))
    faults = answer_of(place, "validate", "yaml.md", code=1)["faults"]
    expect(place, ["RECIPE_LIMIT_EXCEEDED 2:1"], shown(faults), "YAML")
    write(place, "faults.md", base + "## Step x\n" * 2000)
    faults = answer_of(place, "validate", "faults.md", code=1)["faults"]
    over = [each for each in faults if each["code"] == "RECIPE_LIMIT_EXCEEDED"]
    expect(place, (1001, 1), (len(faults), len(over)), "faults")
    (place.sandbox / "many").mkdir()
    for number in range(10_001):
        write(place, f"many/{number}.recipe.md", "")
    answer = answer_of(place, "validate", "--all", "many", code=1)
    expect(place, "RECIPE_LIMIT_EXCEEDED", answer["code"], "a large folder")
    os.remove(place.sandbox / "many/0.recipe.md")
    answer = answer_of(place, "validate", "--all", "many", code=1)
    expect(place, (10_000, 10_000, 10_000), (answer["recipes"], len(answer["faults"]), answer["unlisted"]), "bounded")


def no_recipe(place):
    """What cannot be read, and what is no text."""
    (place.sandbox / "folder").mkdir()
    os.mkfifo(place.sandbox / "pipe")
    for argv in (("validate", "absent.md"), ("validate", "folder"), ("compile", "pipe"),
                 ("validate", "--all", "absent")):
        expect(place, "FILE_UNREADABLE", answer_of(place, *argv, code=1)["code"], argv)
    for argv in (("validate",), ("compile",), ("validate", "--all")):
        expect(place, "USAGE", answer_of(place, *argv, code=1)["code"], argv)
    expect(place, 0, answer_of(place, "validate", "--all", "folder", code=0)["recipes"], "an empty folder")
    (place.sandbox / "bad.md").write_bytes(edited(BASE).encode().replace(b"low", b"l\xffw"))
    faults = answer_of(place, "validate", "bad.md", code=1)["faults"]
    expect(place, ["RECIPE_YAML_INVALID 27:14"], shown(faults), "UTF-8")
    write(place, "r.md", edited(BASE))
    answer = answer_of(place, "compile", "r.md", "--vars", "[1]", code=1)
    expect(place, "COMPILE_VARS_PARSE_FAILED", answer["code"], "vars")


CHECKS = [*((row["id"], False, check_of(row)) for row in CASES),
          ("folders", False, folders), ("sarif", False, sarif), ("for people", False, for_people),
          ("limits", False, limits), ("no recipe", False, no_recipe)]
