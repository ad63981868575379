"""The inspector in a real browser (headless Chromium, driven by npm's playwright-core), on a real server."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess

import peers
from api_server import ApiServer, expect
from limits import LIMIT_S
from own_phone import own_phone, run_json
from skill_registry import write_registry

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
    child = subprocess.Popen([node, "--input-type=module", "--eval", text], cwd=peers.NPM, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
                             env={**os.environ, "HOME": str(place.sandbox)})
    try:
        output, errors = child.communicate(json.dumps(facts), timeout=8 * LIMIT_S)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)  # with what the script has started
        child.wait(LIMIT_S)
    if child.returncode != 0:
        raise place.Mismatch(f"{script}: {errors[-3000:]}")
    answer = json.loads(output.splitlines()[-1])
    expect(place, f"{script}: faults", answer["faults"], [])
    return answer["value"]


@contextlib.contextmanager
def page_of(place, *phones, env=None):
    """A server with these phones, which alone are its devices."""
    with ApiServer(place, "--token", TOKEN, "--require-token", env=env) as server:
        for phone in phones:
            place.run("connect", phone.serial)
        yield server


@contextlib.contextmanager
def one_phone(place, app=SETTINGS, *options, env=None):
    """A server with one phone that shows this app."""
    with own_phone(place, "--operator", "0.12.5", *options) as phone:
        with page_of(place, phone, env=env) as server:
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


HOSTILE = ["<script>window.hostile = 1</script>", '<img src="x" onerror="window.hostile = 1">',
           '"><svg onload=alert(1)>', "javascript:alert(1)", "</style><style>*{display:none}</style>",
           "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627", "user\u202egnp.exe", "'; DROP TABLE nodes; --",
           "long " + "word " * 20000]


def hostile_screens(place):
    """A folder with an app whose texts attack who shows them."""
    rows = [{"class": "TextView", "text": text, "h": 60, "click": "go:main"} for text in HOSTILE]
    column = {"class": "LinearLayout", "h": "fill", "children": rows}
    folder = place.sandbox / "screens"
    folder.mkdir()
    (folder / "hostile.json").write_text(json.dumps(
        {"package": "com.example.hostile", "label": "<b>Hostile", "launch": "home",
         "screens": {"home": {"activity": ".Main", "title": HOSTILE[0], "root": column}}}))
    return folder


def many_nodes(count):
    """What uiautomator would write of so many nodes."""
    row = ('<node index="{0}" text="number {0}" resource-id="" class="android.widget.TextView" package="com.example" '
           'content-desc="" clickable="true" enabled="true" visible-to-user="true" bounds="[0,{1}][1080,{2}]"/>')
    nodes = (row.format(number, number % 2000, number % 2000 + 60) for number in range(count))
    head = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
    return f'{head}<hierarchy rotation="0">{"".join(nodes)}</hierarchy>'


def hostile(place):
    """Texts that attack the page, a text of 100 KB, a screen with 10,000 nodes: shown, and nothing of it runs."""
    folder = hostile_screens(place)
    file = place.sandbox / "tree.xml"
    file.write_text(many_nodes(10000))
    with one_phone(place, "com.example.hostile", "--screens", str(folder)) as (server, phone):
        done = phone.place.run("adb", "-s", phone.serial, "push", str(file), "/data/local/tmp/tree.xml")
        expect(place, f"the tree is there {done.stderr}", done.returncode, 0)
        browse(place, server, "hostile.mjs", phone, texts=HOSTILE)


FRAME = """echo '[Clawperator-Skill-Result]'
echo '{"contractVersion":"1.0.0","skillId":"com.a.waits","status":"success","checkpoints":[],\
"result":{"kind":"text","text":"forty-two"},"terminalVerification":{"status":"verified"}}'
"""
SCRIPTS = {
    "com.a.waits": 'echo "begun with $3 on $1"\nwhile [ ! -e "$2" ]; do sleep 0.05; done\n' + FRAME,
    "com.a.fails": "echo partial\necho fatal >&2\nexit 3\n",
    "com.b.marks": "echo '<script>window.hostile = 1</script>'\n",
}


def write_skills(place):
    """Skills of a registry and agent skills, with a package manager that is a script of ours: their environment."""
    _, registry = write_registry(place.sandbox / "repo", SCRIPTS, (HOSTILE[1] + " {}").format)
    needs = {"primaryEnv": "WEATHER_KEY", "requires": {"bins": ["forecast-of-no-machine"]},
             "install": [{"id": "forecast", "kind": "brew", "formula": "forecast", "bins": ["forecast-of-no-machine"]}]}
    for name, metadata in ("weather", needs), ("notes", {}):
        folder = place.sandbox / ".openclaw/skills" / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Does {name}.\n"
                                         f"metadata: {json.dumps({'openclaw': metadata})}\n---\n")
    tools = place.sandbox / "tools"
    tools.mkdir()
    (tools / "brew").write_text('#!/bin/sh\necho "$@" >"$LOG"\necho poured\n')
    (tools / "brew").chmod(0o755)
    return {"CLAWPERATOR_SKILLS_REGISTRY": str(registry), "PATH": f"{tools}:{os.environ['PATH']}",
            "LOG": str(place.sandbox / "log"), "CLAWPERATOR_PASS_ENV": "LOG"}


def skills(place):
    """Skills are run with arguments while their output comes; agent skills are switched, get a key, are installed."""
    with one_phone(place, env=write_skills(place)) as (server, phone):
        browse(place, server, "skills.mjs", phone)


def accessible(place):
    """Without findings of axe: every page and pane, both themes, three widths."""
    with one_phone(place, env=write_skills(place)) as (server, phone):
        phone.simctl("show", SETTINGS, "display")
        browse(place, server, "accessible.mjs", phone)


def keyboard(place):
    """Everything by keys alone, with the focus always in sight; no motion where none is wanted; the chosen theme."""
    with one_phone(place) as (server, phone):
        browse(place, server, "keyboard.mjs", phone)


def watching(place):
    """A page that is left open makes no events, asks for no picture while an execution runs, and goes on after it."""
    with one_phone(place) as (server, phone):
        browse(place, server, "watching.mjs", phone)


CHECKS = [
    ("page: shelf", False, shelf),
    ("page: selection", False, selection),
    ("page: candidates", False, candidates),
    ("page: acts", False, acts),
    ("page: typing", False, typing),
    ("page: steps", False, steps),
    ("page: vanishing", False, vanishing),
    ("page: hostile texts", False, hostile),
    ("page: skills", False, skills),
    ("page: axe", False, accessible),
    ("page: keyboard", False, keyboard),
    ("page: watching", False, watching),
]
