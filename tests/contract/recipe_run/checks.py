"""`clawperator recipe run` on a phone, by the app, an old app and the shell; the phone's own record of touches judges.

A recipe is HEAD with its own fields and steps; `run` returns exit code and document. The seed's example is that of
../recipes."""
import contextlib
import json
import pathlib
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]
import home_app
from limits import LIMIT_S
from own_phone import own_phone

SEED = (HERE.parent / "recipes" / "seed.recipe.md").read_text(encoding="utf-8")
HEAD = {"recipe_id": "com.example.test", "recipe_version": "1.0.0", "recipe_type": "flow",
        "application_id": home_app.APP,
        "summary": "A test.", "frameworks": ["views"], "session_policy": "resume_ok",
        "app_build": {"version_name": "3", "version_code": 3}, "tested_on": {"android_api": 34},
        "capabilities": ["observe", "click", "navigate"], "inputs": [], "outputs": []}
POWER = {"id": "power", "type": "read_text", "selector": {"resource_id": "power_state"}}
# printf %s 'Jo Doe' | sha256sum
MARK = "sha256:7c0a7e89233a8995b28797cef6c18a119c98324f05a9a036040ec5122d86e43b"
TOGGLE = {"id": "toggle", "type": "click", "selector": {"text_equals": "Lounge"}}


def recipe(*steps, **head):
    """JSON is YAML, and its first line is line 3 of a block."""
    blocks = "".join(f"## Step {each['id']}\n```yaml\n{json.dumps(each)}\n```\n" for each in steps)
    return "---\n" + "\n".join(f"{name}: {json.dumps(value)}" for name, value in {**HEAD, **head}.items()) \
        + f"\n---\n{blocks}"


class Runner:
    def __init__(self, place, phone, hand):
        self.place, self.phone = place, phone
        self.words = ("--backend", "shell") if hand == "shell" else ()

    def begin(self, screen="devices", package=home_app.APP):
        self.phone.simctl("reset")
        self.phone.simctl("show", package, screen)

    def argv(self, text, variables, *words):
        (self.place.sandbox / "r.recipe.md").write_text(text, encoding="utf-8")
        return ("recipe", "run", "r.recipe.md", "--vars", json.dumps(variables or {}), *self.words, *words)

    def run(self, text, variables=None, code=0, *words):
        status, document, _ = self.phone.ask(*self.argv(text, variables, *words))
        self.same("exit code", code, status, document)
        return document

    def touched(self):
        """The places of the touches that reached a node, as (screen, number)."""
        return [(each["window"], each["node"]) for each in json.loads(self.phone.simctl("touches"))]

    def untouched(self):
        self.same("touches", [], self.touched())

    def state(self):
        return json.loads(self.phone.simctl("state"))["screen"]

    def same(self, what, wanted, got, beside=""):
        if wanted != got:
            raise self.place.Mismatch(f"{what}: expected {wanted}, got {got} {beside}")

    def fails(self, text, code, step, variables=None, **details):
        """The error of that step; `details` are those that it must have."""
        document = self.run(text, variables, 1)
        self.same("code", code, document["code"], document)
        got = document["details"]
        self.same("step", step, got["step"], document)
        self.same("file", "r.recipe.md", got["file"])
        for name, wanted in details.items():
            self.same(name, wanted, got.get(name), document)
        return document


@contextlib.contextmanager
def phone_with_apps(place, *options):
    folder = place.sandbox / "screens"
    folder.mkdir()
    for app in home_app.APPS:
        (folder / f"{app['package']}.json").write_text(json.dumps(app))
    with own_phone(place, "--screens", str(folder), *options) as phone:
        yield phone


def by(hand, check):
    def on_phone(place):
        # The app before 0.10 takes the first of several nodes.
        with phone_with_apps(place, *(("--operator", "0.5.3") if hand == "old app" else ())) as phone:
            check(Runner(place, phone, hand))
    return on_phone


def action(r):
    """The seed's example, as it stands: its container is found by its class."""
    r.phone.simctl("reset")
    status, document, _ = r.phone.ask(*r.argv(SEED, {}))
    r.same("a missing input", (1, "RECIPE_INPUT_MISSING"), (status, document["code"]))
    r.same("dispatched", [], [each for each in json.loads(r.phone.simctl("received")) if "am start" in str(each)])
    r.phone.simctl("word", "advert", "on")
    document = r.run(SEED, {"ac_tile_name": "Lounge"})
    r.same("outputs", {"power": "On"}, document["outputs"])
    r.same("done", ["fresh-close", "fresh-open", "home", "scroll_devices", "after-scroll_devices",
                    "confirm-scroll_devices", "toggle", "power"], document["done"])
    r.same("recipe", ("com.google.android.apps.chromecast.app.toggle-power", "1.2.0", r.phone.serial),
           (document["recipe"], document["version"], document["deviceId"]))


def probe(r):
    """Reads only; values by their types, and as they may be printed."""
    r.begin()
    steps = [{"id": name, "type": "read_text", "selector": {"resource_id": name}}
             for name in ("owner", "warmth", "charge", "power_state")]
    outputs = [{"name": "owner", "type": "string"},
               {"name": "plain", "type": "string", "redaction": "none", "step": "owner"},
               {"name": "mark", "type": "string", "redaction": "hash", "step": "owner"},
               {"name": "gone", "type": "string", "redaction": "drop", "step": "owner"},
               {"name": "warmth", "type": "number"}, {"name": "charge", "type": "number", "redaction": "none"},
               {"name": "is_on", "type": "boolean", "step": "power_state"}]
    text = recipe(*steps, recipe_type="probe", capabilities=["observe"], outputs=outputs)
    document = r.run(text)
    r.same("outputs", {"owner": "\u2022\u2022\u2022\u2022", "plain": "Jo Doe", "mark": MARK, "warmth": 21.5,
                       "charge": 85, "is_on": False}, document["outputs"])
    r.untouched()


def flow(r):
    """Every key that only a snapshot can find, one step each."""
    open_kitchen = {"id": "kitchen", "type": "click", "selector": {
        "class": "android.widget.Button", "text_equals": "Open", "selected": False, "enabled": True}}
    hall = {"id": "hall", "type": "click", "selector": {"class": "android.widget.Button", "selected": True}}
    second = {"id": "hall", "type": "click", "container": {"class": "android.widget.FrameLayout", "index_in_parent": 1},
              "selector": {"text_equals": "Open"}}
    any_of = {"id": "hall", "type": "click", "selector": {
        "clickable": True, "all_of": [{"any_of": [{"text_equals": "No such"}, {"text_equals": "Open"}]},
                                      {"selected": True}]}}
    for step, room in ((open_kitchen, "Kitchen"), (hall, "Hall"), (second, "Hall"), (any_of, "Hall")):
        r.begin("rooms")
        title = {"id": "title", "type": "read_text", "selector": {"class": "android.widget.TextView"}}
        text = recipe(step, title, outputs=[{"name": "title", "type": "string", "redaction": "none"}])
        r.same(json.dumps(step), {"title": room}, r.run(text)["outputs"])
        r.same("touches", 1, len(r.touched()))


def typing(r):
    """A text goes into its field; one for a password field stays out of everything that is written."""
    r.begin("kitchen")
    note = {"id": "note", "type": "enter_text", "selector": {"class": "android.widget.EditText", "index_in_parent": 1},
            "params": {"text": "${inputs.note}"}, "confirm": {"selector": {"text_equals": "${inputs.note}"}}}
    pin = {"id": "pin", "type": "enter_text", "selector": {"resource_id": "pin"}, "params": {"text": "${inputs.note}"},
           "confirm": {"selector": {"text_equals": "no such text"}, "timeout_ms": 300}}
    inputs = [{"name": "note", "type": "string", "required": True}]
    head = {"inputs": inputs, "capabilities": ["observe", "type_text"]}
    r.same("done", ["note", "confirm-note"], r.run(recipe(note, **head), {"note": "milk & \"eggs\""})["done"])
    document = r.fails(recipe(pin, **head), "VERIFY_FAILED", "confirm-pin", {"note": "hunter-22"}, done=["pin"])
    r.same("the password", False, "hunter-22" in json.dumps(document) + everything_below(r.place.sandbox))


def several(r):
    """Another number of nodes than the author had: nothing is touched, the candidates are listed."""
    r.begin()
    r.phone.simctl("word", "two", "on")
    document = r.fails(recipe(TOGGLE), "NODE_AMBIGUOUS", "toggle", done=[], matches=2, expected=TOGGLE["selector"])
    r.same("candidates", 2, len([each for each in document["details"]["candidates"] if "Lounge" in each]), document)
    r.untouched()
    # One of them can be meant by what distinguishes it.
    exact = {**TOGGLE, "selector": {"all_of": [TOGGLE["selector"], {"content_desc_contains": "the lounge"}]}}
    r.run(recipe(exact))
    r.same("touches", 1, len(r.touched()))


def missing(r):
    """The node is not there: what is near it, and the place in the file."""
    r.begin()
    step = {**TOGGLE, "selector": {"text_equals": "Loung"}, "retries": {"count": 1}}
    document = r.fails(recipe(POWER, step), "NODE_NOT_FOUND", "toggle", done=["power"], foreground=home_app.APP,
                       expected={"text_equals": "Loung"})
    r.same("near", True, any("Lounge" in each for each in document["details"]["near"]), document)
    # Behind the frontmatter, the first step's four lines, and two of its own.
    r.same("line", 1 + len(HEAD) + 1 + 4 + 2 + 1, document["details"]["line"])
    r.untouched()


def verification(r):
    """A change that is not confirmed, by `confirm` and by the reading behind it."""
    confirm = {"confirm": {"selector": {"resource_id": "power_state", "text_equals": "On"}, "timeout_ms": 500}}
    r.begin()
    r.same("done", ["toggle", "confirm-toggle"], r.run(recipe({**TOGGLE, **confirm}, recipe_type="action"))["done"])
    r.begin()
    r.phone.simctl("word", "broken", "on")
    document = r.fails(recipe({**TOGGLE, **confirm}, recipe_type="action"), "VERIFY_FAILED", "confirm-toggle",
                       done=["toggle"], cause={"code": "NODE_NOT_FOUND"}, expected=confirm["confirm"]["selector"])
    r.same("near", True, any("Off" in each for each in document["details"]["near"]), document)
    r.same("touches", 1, len(r.touched()))
    r.begin()
    check = {"id": "on", "type": "read_text", "selector": {"text_equals": "Gone"}, "retries": {"count": 1}}
    r.fails(recipe(TOGGLE, check, recipe_type="action"), "VERIFY_FAILED", "on", done=["toggle"])
    r.begin()  # no change is before this one
    r.fails(recipe(check), "NODE_NOT_FOUND", "on", done=[])


def another_app(r):
    """The same texts in another app are not touched, read or waited for."""
    wait = {"id": "wait", "type": "wait_for_node", "selector": TOGGLE["selector"], "params": {"timeout_ms": 500}}
    quick = {"retries": {"count": 1}}
    whole = {**POWER, **quick, "selector": {"resource_id": f"{home_app.APP}:id/power_state"}}
    for step in ({**TOGGLE, **quick}, {**POWER, **quick}, wait, {**POWER, **quick, "params": {"all": False}}, whole):
        r.begin("main", "com.example.other")
        document = r.run(recipe(step), None, 1)
        r.same(step["id"], "APP_NOT_IN_FRONT", document["code"], document)
        r.untouched()
    r.begin("main", "com.example.other")  # an id names its app
    named = {**POWER, "selector": {"resource_id": "com.example.other:id/power_state"}}
    outputs = [{"name": "power", "type": "boolean"}]
    r.same("named", {"power": True}, r.run(recipe(named, outputs=outputs))["outputs"])


def coming_app(r):
    """The app comes to the front a moment later."""
    r.begin("main", "com.example.other")
    r.phone.simctl("after look 300 simctl show", home_app.APP, "devices")
    r.run(recipe(TOGGLE))
    r.same("touches", 1, len(r.touched()))
    # Later than a list that is there comes to rest.
    r.begin("main", "com.example.other")
    r.phone.simctl("after look 2500 simctl show", home_app.APP, "home")
    scroll = {"id": "scroll", "type": "scroll_and_click", "selector": {"text_equals": "Devices"},
              "container": {"class": "androidx.recyclerview.widget.RecyclerView"}}
    r.same("done", ["scroll", "after-scroll"], r.run(recipe({**scroll, "wait": {"after_ms": 100}}))["done"])
    # Away between the look and the touch, and back again.
    r.begin()
    r.phone.simctl("after look 0 simctl show com.example.other main")
    r.phone.simctl("after look 700 simctl show", home_app.APP, "devices")
    r.run(recipe(TOGGLE))
    r.same("touches", 1, len(r.touched()))
    # Nothing on that page scrolls.
    r.begin("kitchen")
    scroll["retries"] = {"count": 1}
    r.fails(recipe({**scroll, "container": {"resource_id": "note"}}), "NODE_NOT_FOUND", "scroll")
    del scroll["container"]
    r.fails(recipe(scroll), "NODE_NOT_FOUND", "scroll", foreground=home_app.APP)


def limited(r):
    """--timeout limits a search; a warning of each look stands once."""
    r.begin()
    wait = {"id": "wait", "type": "wait_for_node", "selector": {"text_equals": "no"}, "params": {"timeout_ms": 90000}}
    status, document, stderr = r.phone.ask(*r.argv(recipe(wait), {}, "--timeout", "1000"))
    r.same("code", (1, "NODE_NOT_FOUND"), (status, document["code"]), document)
    r.same("warnings", 1 if r.words else 0, stderr.count("WARN"), stderr)


def redaction(r):
    """What is read and not printed is not in an error either, nor in a file."""
    r.begin()
    owner = {"id": "owner", "type": "read_text", "selector": {"resource_id": "owner"}}
    lost = {"id": "lost", "type": "click", "selector": {"text_equals": "Jo Do"}, "retries": {"count": 1}}
    for kind in ("mask", "hash", "drop"):
        text = recipe(owner, lost, outputs=[{"name": "owner", "type": "string", "redaction": kind}])
        status, document, stderr = r.phone.ask(*r.argv(text, {}, "--trace", "trace.json", "--log-level", "debug"))
        r.same("code", (1, "NODE_NOT_FOUND"), (status, document["code"]))
        (r.place.sandbox / "r.recipe.md").unlink()
        r.same(kind, False, "Jo Doe" in json.dumps(document) + stderr + everything_below(r.place.sandbox))
    # Before it is read, and where the reading itself fails.
    outputs = [{"name": "owner", "type": "string"}]
    wide = {**owner, "selector": {"text_contains": "Jo D"}, "retries": {"count": 1}}
    r.phone.simctl("word", "guest", "on")
    for text, code in ((recipe(wide, outputs=outputs), "NODE_AMBIGUOUS"),
                       (recipe({**wide, "params": {"all": False}}, outputs=outputs), "NODE_AMBIGUOUS"),
                       (recipe(lost, owner, outputs=outputs), "NODE_NOT_FOUND")):
        document = r.run(text, None, 1)
        r.same("code", code, document["code"], document)
        (r.place.sandbox / "r.recipe.md").unlink()
        written = json.dumps(document) + everything_below(r.place.sandbox)
        # The guest's name is hidden where the reading fits it, too.
        guest = code == "NODE_NOT_FOUND"
        r.same("shown", (False, guest), ("Jo Doe" in written, "Jo Dean" in written), document)
        named = document["details"].get("hint", "nothing was done: describe")
        r.same("hint", True, named.startswith("nothing was done: describe"), document)
    # The hash is that of the text, also after another step has read it.
    r.begin()
    by_app = {**owner, "id": "again", "params": {"all": False},
              "selector": {"resource_id": "owner"}}
    marked = [*outputs, {"name": "again", "type": "string", "redaction": "hash"}]
    r.same("mark", MARK, r.run(recipe(owner, by_app, outputs=marked))["outputs"]["again"])
    bad = recipe(owner, TOGGLE, outputs=[{"name": "owner", "type": "number"}])
    r.fails(bad, "RECIPE_OUTPUT_INVALID", "owner", done=[])
    two = {"id": "serial", "type": "read_text", "selector": {"resource_id": "serial"}}
    r.fails(recipe(two, outputs=[{"name": "serial", "type": "number"}]), "RECIPE_OUTPUT_INVALID", "serial")
    r.untouched()


def everything_below(folder):
    # The screens of the phone itself are the test's own.
    return "".join(path.read_text(errors="replace") for path in folder.rglob("*")
                   if path.is_file() and "screens" not in path.parts and path.name != "r.recipe.md")


def invalid(r):
    """A faulty recipe sends nothing."""
    before = r.phone.simctl("received")
    for text, code in ((recipe({**TOGGLE, "type": "tap"}), "RECIPE_ACTION_UNSUPPORTED"),
                       (recipe(TOGGLE, outputs=[{"name": "x", "type": "string"}]), "RECIPE_REFERENCE_INVALID"),
                       (recipe({**POWER, "selector": {"class": "x"}, "params": {"all": True}}),
                        "RECIPE_SELECTOR_UNSUPPORTED")):
        document = r.run(text, None, 1)
        r.same("code", code, document["code"], document)
    r.same("received", before, r.phone.simctl("received"))


def interrupted(r):
    """Ctrl-C between two steps and within one: what was done is reported."""
    r.begin()
    pause = {"id": "pause", "type": "sleep", "params": {"duration_ms": 60000}}
    again = {**TOGGLE, "id": "again"}
    argv = [r.place.binary, *r.argv(recipe(TOGGLE, pause, again), {}), "--device", r.phone.serial, "--transport", "tcp"]
    child = subprocess.Popen(argv, env=r.place.env, cwd=r.place.sandbox, stdout=subprocess.PIPE)
    end = time.monotonic() + LIMIT_S
    while not r.touched() and time.monotonic() < end:
        time.sleep(0.02)
    time.sleep(0.5)  # the answer to the click has arrived
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=LIMIT_S)
    document = json.loads(out)
    r.same("exit code", 130, child.returncode, document)
    r.same("error", ("CANCELLED", "pause", ["toggle"]),
             (document["code"], document["details"]["step"], document["details"]["done"]))
    r.same("touches", 1, len(r.touched()))


BY_ALL = (action, flow, several)
BY_BOTH = (*BY_ALL, probe, typing, missing, verification, another_app, redaction, limited)
CHECKS = [*((f"{check.__name__.replace('_', ' ')}: {hand}", False, by(hand, check))
            for hands, checks in ((("app", "shell"), BY_BOTH), (("old app",), BY_ALL))
            for check in checks for hand in hands),
          *((check.__name__.replace("_", " "), False, by("app", check))
            for check in (coming_app, invalid, interrupted))]
