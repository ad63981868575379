"""The inspector in a real browser (headless Chromium, driven by npm's playwright-core), on a real server."""
import contextlib
import json
import os
import pathlib
import shutil
import subprocess

import peers
from api_server import ApiServer, expect
from limits import LIMIT_S
from own_phone import own_phone, run_json

HERE = pathlib.Path(__file__).resolve().parent
PICTURES = os.environ.get("PAGE_PICTURES")  # a folder for pictures of the states that are passed through
TOKEN = "a-token-for-the-page"
SCREEN = [1080, 2400]  # of a simulated phone, in pixels
SETTINGS, CONFORMANCE = "com.android.settings", "com.clawperator.conformance"


def browse(place, server, script, *phones, **facts):
    """What the script is done with. The page must do nothing that it may not do."""
    if not shutil.which("chromium"):
        raise peers.Unavailable("no chromium in PATH (package chromium)")
    node = peers.node()
    facts = {"url": f"http://127.0.0.1:{server.port}", "token": TOKEN, "limit": LIMIT_S * 1000, "pictures": PICTURES,
             "chromium": shutil.which("chromium"), "folder": str(place.sandbox), "binary": place.binary,
             "env": place.env, "screen": SCREEN, **facts,
             "phones": [{"serial": each.serial, "control": each.control} for each in phones]}
    text = f"{(HERE / 'browser.mjs').read_text()}\nawait check(async () => {{\n{(HERE / script).read_text()}\n}});"
    ended = subprocess.run([node, "--input-type=module", "--eval", text], cwd=peers.NPM, input=json.dumps(facts),
                           capture_output=True, text=True, timeout=8 * LIMIT_S, check=False,
                           env={**os.environ, "HOME": str(place.sandbox)})
    if ended.returncode != 0:
        raise place.Mismatch(f"{script}: {ended.stderr[-3000:]}")
    answer = json.loads(ended.stdout.splitlines()[-1])
    expect(place, f"{script}: faults", answer["faults"], [])
    return answer["value"]


@contextlib.contextmanager
def page_of(place, *phones, words=()):
    """A server with these phones, which alone are its devices."""
    with ApiServer(place, "--token", TOKEN, "--require-token", *words) as server:
        for phone in phones:
            place.run("connect", phone.serial)
        yield server


@contextlib.contextmanager
def one_phone(place, app=SETTINGS, *options, words=()):
    """A server with one phone that shows this app."""
    with own_phone(place, "--operator", "0.12.5", *options) as phone:
        with page_of(place, phone, words=words) as server:
            phone.simctl("show", app, "home")
            yield server, phone


def shelf(place):
    """Every phone with its state and versions; one that vanishes and returns; a wrong token."""
    with own_phone(place, "--serial", "PAGE1", "--operator-version", "0.12.5") as first:
        with own_phone(place, "--serial", "PAGE2", "--operator", "none", port=0) as second:
            with page_of(place, first, second) as server:
                seen = browse(place, server, "shelf.mjs", first, second)
    expect(place, "the first", [word in seen["first"] for word in ("Android 14", "0.12.5", "TCP")], [True] * 3)
    expect(place, "without the app", "0.12.5" in seen["second"], False)


def selection(place):
    """A node that is pointed at in the picture is selected in the tree, and back; its outline is where it is."""
    with one_phone(place) as (server, phone):
        browse(place, server, "selection.mjs", phone)


def candidates(place):
    """The selectors of a node match as many nodes as they show; each form that is copied acts on that node."""
    with one_phone(place) as (server, phone):
        browse(place, server, "candidates.mjs", phone)


def acts(place):
    """A tap, keys, a drag, an address: the phone does it, the tree follows, and what changed is shown."""
    with one_phone(place) as (server, phone):
        browse(place, server, "acts.mjs", phone)


def typing(place):
    """What was typed stays when the act fails and when the tree is read again; a secret is shown nowhere."""
    with one_phone(place, CONFORMANCE) as (server, phone):
        phone.simctl("show", CONFORMANCE, "form")
        browse(place, server, "typing.mjs", phone)


def compile_recipe(place, recipe, skill="com.clawperator.conformance.fill"):
    """The file of the page as the artifact of a skill: its execution with a value of ours."""
    root = place.sandbox / "repo"
    (root / "skills").mkdir(parents=True)
    registry = root / "skills/skills-registry.json"
    registry.write_text('{"schemaVersion": "1.0", "skills": []}\n')
    env = {"CLAWPERATOR_SKILLS_REGISTRY": str(registry)}
    status, answer, stderr = run_json(place, "skills", "new", skill, env=env)
    expect(place, f"a new skill {answer} {stderr}", status, 0)
    path = f"skills/{skill}/artifacts/{pathlib.Path(recipe).name}"
    (root / path).parent.mkdir(exist_ok=True)
    (root / path).write_text(pathlib.Path(recipe).read_text())
    entries = json.loads(registry.read_text())
    entries["skills"][0]["artifacts"] = [path]
    registry.write_text(json.dumps(entries))
    manifest = root / f"skills/{skill}/skill.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "artifacts": [path]}))
    status, answer, stderr = run_json(place, "skills", "validate", skill, "--dry-run", env=env)
    expect(place, f"the skill is in order {answer} {stderr}", status, 0)
    status, answer, stderr = run_json(place, "skills", "compile-artifact", skill, "--artifact", "fill", "--vars",
                                      '{"TEXT": "Joan"}', env=env)
    expect(place, f"compiled {answer} {stderr}", status, 0)
    return answer["execution"]


def steps(place):
    """A list that acts have recorded: reordered, edited, replayed, saved as each kind of file, loaded again."""
    with one_phone(place, CONFORMANCE) as (server, phone):
        recipe = browse(place, server, "steps.mjs", phone)["recipe"]
        execution = compile_recipe(place, recipe)
        expect(place, "its value", execution["actions"][2]["params"]["text"], "Joan")
        phone.simctl("show", SETTINGS, "home")
        status, answer, stderr = phone.ask("exec", json.dumps(execution))
        expect(place, f"the artifact runs {answer} {stderr}", status, 0)
        expect(place, "the phone", json.loads(phone.simctl("state"))["screen"], "greeting")


def vanishing(place):
    """A phone that vanishes while its screen is shown, and returns: the page says so, and goes on."""
    with page_of(place) as server:
        browse(place, server, "vanishing.mjs")


CHECKS = [
    ("page: shelf", False, shelf),
    ("page: selection", False, selection),
    ("page: candidates", False, candidates),
    ("page: acts", False, acts),
    ("page: typing", False, typing),
    ("page: steps", False, steps),
    ("page: vanishing", False, vanishing),
]
