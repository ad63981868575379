"""What somebody wants of a phone, in the words of each surface that has it. Rows of `GROUPS`: the files of
tests/golden."""
import dataclasses
import json

FORM, SETTINGS = "com.clawperator.conformance", "com.android.settings"
TITLE, NAME, PASSWORD = "android:id/title", f"{FORM}:id/name_field", f"{FORM}:id/password_field"
HOME, ON_FORM, FEED, ASK = (("show", FORM, screen) for screen in ("home", "form", "feed", "ask"))
ON_SETTINGS = ("run", "am", "start", "-a", "android.settings.SETTINGS")
ONCE = {"retry": {"maxAttempts": 1}}
BRIEF, PRETTY = ["--output", "brief"], ["--output", "pretty"]


@dataclasses.dataclass
class Wish:
    name: str
    screen: tuple  # what simctl does before
    cli: list = None  # command lines, one or several
    http: tuple = None  # (method, path, body)
    mcp: tuple = None  # (tool, arguments)
    seen: bool = False  # the screen is read before, and not shown here
    then: tuple = ()  # simctl after that
    busy: bool = False  # another command holds the phone


def plan(*steps, **more):
    actions = [{"id": f"s{number}", "type": kind, **({"params": params} if params else {})}
               for number, (kind, params) in enumerate(steps)]
    return {"commandId": "c", "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
            "timeoutMs": 20000,
            "actions": actions, **more}


def execute(*steps, **more):
    return "POST", "/execute", {"execution": plan(*steps), **more}


def by(**matcher):
    return {"matcher": matcher}


# A plan for the three of them.
STEPS = (("open_app", {"applicationId": SETTINGS}), ("wait_for_node", {**by(textEquals="Apps"), "timeoutMs": 3000}),
         ("click", by(textEquals="Apps")), ("press_key", {"key": "back"}), ("read_text", by(textEquals="Apps")))
FAILING = (("click", by(textEquals="Form")), ("click", {**by(textEquals="Nothing like this"), **ONCE}),
           ("press_key", {"key": "back"}))
UNKNOWN_STEP = (("dance", {"style": "slow"}), ("click", {}))


def payload(*steps):
    return json.dumps(plan(*steps))


def actions(*steps):
    return plan(*steps)["actions"]


ACTING = [
    Wish("click by text", HOME, [["click", "--text", "Form"]], execute(("click", by(textEquals="Form"))),
         ("tap", {"selector": {"text": "Form"}})),
    Wish("click, and the screen afterwards", HOME, [["click", "--text", "Form", "--snapshot"]],
         execute(("click", by(textEquals="Form")), ("snapshot_ui", None)),
         ("tap", {"selector": {"text": "Form"}, "observe": "compact"})),
    Wish("click by id, which several have", HOME, [["click", "--id", TITLE, "--strict", "--patience", "0"]],
         execute(("click", {**by(resourceId=TITLE), "strict": True, **ONCE})), ("tap", {"selector": {"id": TITLE}})),
    Wish("the third that fits", HOME, [["click", "--id", TITLE, "--nth", "3"]],
         execute(("click", by(resourceId=TITLE)), nth=3),
         ("tap", {"selector": {"id": TITLE}, "nth": 3})),
    Wish("one more than fit", HOME, [["click", "--id", TITLE, "--nth", "30"]],
         execute(("click", by(resourceId=TITLE)), nth=30),
         ("tap", {"selector": {"id": TITLE}, "nth": 30})),
    Wish("click by ref", HOME, [["click", "--ref", "@5"]], None, ("tap", {"ref": "@5"}), seen=True),
    Wish("click by a ref of a screen that is gone", HOME, [["click", "--ref", "@5"]], None, ("tap", {"ref": "@5"}),
         seen=True, then=ON_SETTINGS),
    Wish("click by a ref that there is not", HOME, [["click", "--ref", "@999"]], None, ("tap", {"ref": "@999"}),
         seen=True),
    Wish("click a point", HOME, [["click", "--coordinate", "240", "352"]],
         execute(("click", {"coordinate": {"x": 240, "y": 352}})),
         ("tap", {"x": 240, "y": 352})),
    Wish("click a point outside", HOME, [["click", "--coordinate", "5000", "5"]],
         execute(("click", {"coordinate": {"x": 5000, "y": 5}})),
         ("tap", {"x": 5000, "y": 5})),
    Wish("a finger by the shell", HOME, [["input", "tap", "240", "352"]],
         ("POST", "/devices/{serial}/input", {"type": "tap", "x": 240, "y": 352})),
    Wish("press long", HOME, [["click", "--text", "Ask", "--long"]],
         execute(("click", {**by(textEquals="Ask"), "clickType": "long_click"})),
         ("long_press", {"selector": {"text": "Ask"}})),
    Wish("click with a proof", HOME, [["click", "--text", "Form", "--verify", "changed"]],
         execute(("click", by(textEquals="Form")), verify="changed"),
         ("tap", {"selector": {"text": "Form"}, "verify": "changed"})),
    Wish("click without an effect", HOME, [["click", "--coordinate", "5", "5", "--verify", "changed"]],
         execute(("click", {"coordinate": {"x": 5, "y": 5}}), verify="changed"),
         ("tap", {"x": 5, "y": 5, "verify": "changed"})),
    Wish("click by the phone's shell", HOME, [["click", "--text", "Form", "--backend", "shell"]],
         execute(("click", by(textEquals="Form")), backend="shell")),
    Wish("type", ON_FORM, [["type", "Ada \"L\"", "--id", NAME]],
         execute(("enter_text", {**by(resourceId=NAME), "text": "Ada \"L\""})),
         ("type_text", {"text": "Ada \"L\"", "selector": {"id": NAME}})),
    Wish("type into a password field", ON_FORM, [["type", "hunter2", "--id", PASSWORD, "--snapshot"]],
         execute(("enter_text", {**by(resourceId=PASSWORD), "text": "hunter2"})),
         ("type_text", {"text": "hunter2", "selector": {"id": PASSWORD}}),
         seen=True),
    Wish("type a secret", ON_FORM, [["type", "hunter2", "--id", NAME, "--secret"]],
         execute(("enter_text", {**by(resourceId=NAME), "text": "hunter2", "secret": True})),
         ("type_text", {"text": "hunter2", "selector": {"id": NAME}, "secret": True})),
    Wish("type where no field is", HOME, [["type", "x", "--text", "Form", "--patience", "0"]],
         execute(("enter_text", {**by(textEquals="Form"), "text": "x", **ONCE})),
         ("type_text", {"text": "x", "selector": {"text": "Form"}})),
    Wish("scroll", ON_SETTINGS, [["scroll", "down"], ["scroll", "up"]],
         execute(("scroll", {"direction": "down"}), ("scroll", {"direction": "up"})),
         ("swipe", {"direction": "down"})),
    Wish("scroll to a node and click it", ON_SETTINGS, [["scroll-until", "--text", "About phone", "--click"]],
         execute(("scroll_and_click", by(textEquals="About phone"))),
         ("tap", {"selector": {"text": "About phone"}, "scroll": "down"})),
    Wish("scroll what does not", HOME, [["scroll", "down", "--container-text", "Form"]],
         execute(("scroll", {"direction": "down", "container": {"textEquals": "Form"}}))),
    Wish("scroll where nothing does", ASK, [["scroll", "down", "--snapshot", "--output", "brief"], ["scroll", "down"]],
         execute(("scroll", {"direction": "down", **ONCE})), ("swipe", {"direction": "up"})),
    Wish("scroll a container that is not there", ON_SETTINGS, [["scroll", "down", "--container-text", "Aps", *BRIEF]],
         execute(("scroll", {"direction": "down", "container": {"textEquals": "Aps"}, **ONCE}), miss=True),
         ("execute", {"actions": actions(("scroll", {"direction": "down", "container": {"textEquals": "Aps"}}))})),
    Wish("open an app", HOME, [["open", SETTINGS]], execute(("open_app", {"applicationId": SETTINGS})),
         ("open_app", {"package": SETTINGS})),
    Wish("open an app that is not there", HOME, [["open", "com.nobody"]],
         execute(("open_app", {"applicationId": "com.nobody", **ONCE})),
         ("open_app", {"package": "com.nobody"})),
    Wish("open an app by its name", HOME, [["open", "Settings"]], execute(("open_app", {"applicationId": "settings"})),
         ("open_app", {"package": "Settings"})),
    Wish("open a URI", HOME, [["open", "conformance://texts"]], execute(("open_uri", {"uri": "conformance://texts"})),
         ("open_url", {"url": "conformance://texts", "observe": "none"})),
    Wish("close an app", ON_SETTINGS, [["close", SETTINGS]], execute(("close_app", {"applicationId": SETTINGS})),
         ("close_app", {"package": SETTINGS})),
    Wish("back", ON_FORM, [["back"]], execute(("press_key", {"key": "back"})), ("press_key", {"key": "back"})),
    Wish("another key", HOME, [["key", "volume_up"]],
         ("POST", "/devices/{serial}/input", {"type": "key", "key": "VOLUME_UP"}),
         ("press_key", {"key": "volume_up"})),
]
LOOKING = [
    Wish("wait", HOME, [["wait", "--text", "Form", "--timeout", "3000"]],
         execute(("wait_for_node", {**by(textEquals="Form"), "timeoutMs": 3000})),
         ("wait_for", {"selector": {"text": "Form"}, "timeout_ms": 3000})),
    Wish("wait in vain", HOME, [["wait", "--text", "Fron", "--timeout", "1000"]],
         execute(("wait_for_node", {**by(textEquals="Fron"), "timeoutMs": 300})),
         ("wait_for", {"selector": {"text": "Fron"}, "timeout_ms": 1000})),
    Wish("wait until it is gone", HOME, [["wait", "--text", "Submit", "--gone"]], None,
         ("wait_for", {"selector": {"text": "Submit"}, "gone": True})),
    Wish("wait for an app", HOME, [["wait-for-nav", "--app", FORM, "--timeout", "3000"]],
         execute(("wait_for_navigation", {"expectedPackage": FORM, "timeoutMs": 3000})),
         ("wait_for", {"package": FORM})),
    Wish("read", ON_FORM, [["read", "--id", f"{FORM}:id/form_title"], ["read", "--role", "button", "--all"]],
         execute(("read_text", by(resourceId=f"{FORM}:id/form_title")),
                 ("read_text", {**by(role="button"), "all": True})),
         ("execute", {"actions": actions(("read_text", by(resourceId=f"{FORM}:id/form_title")))})),
    Wish("is it there", HOME, [["assert", "--text", "Form"], ["assert", "--text", "Fron"]]),
    Wish("the screen, for models", HOME, [["snapshot", "--format", "compact"]],
         ("GET", "/devices/{serial}/snapshot?format=compact", None), ("snapshot", {})),
    Wish("the screen, as XML", ASK, [["snapshot"]], ("GET", "/devices/{serial}/snapshot", None),
         ("snapshot", {"mode": "full"})),
    Wish("the screen, as nodes", ASK, [["snapshot", "--format", "nodes"]],
         ("GET", "/devices/{serial}/snapshot?format=nodes", None)),
    Wish("the screen, by a plan", ASK, [["exec", payload(("snapshot_ui", None)), "--format", "compact"]],
         ("POST", "/snapshot", {}),
         ("execute", {"actions": actions(("snapshot_ui", None))})),
    Wish("the screen, for people", HOME, [["snapshot", *PRETTY], ["snapshot", *BRIEF]]),
    Wish("the screen has not changed", HOME, [["snapshot", "--since", "{hash}"]],
         ("GET", "/devices/{serial}/snapshot?format=compact&since={hash}", None),
         ("snapshot", {"mode": "diff"}), seen=True),
    Wish("the screen has changed", HOME, [["snapshot", "--since", "{hash}"]],
         ("GET", "/devices/{serial}/snapshot?format=compact&since={hash}", None),
         ("snapshot", {"mode": "diff"}), seen=True, then=("show", FORM, "ask")),
    Wish("a picture", HOME, [["screenshot", "--path", "a.png"]], ("GET", "/devices/{serial}/screenshot.png", None),
         ("screenshot", {"format": "png"})),
    Wish("a smaller picture, with marks", ASK, [["screenshot", "--path", "a.jpg", "--max-side", "600", "--marks"]],
         ("GET", "/devices/{serial}/screenshot.jpg", None), ("screenshot", {"max_side": 600, "marks": "actionable"})),
    Wish("devices", HOME, [["devices"]], ("GET", "/devices", None), ("devices", {})),
]
FAILING_WISHES = [
    Wish("a miss with something near", HOME,
         [["click", "--text", "Fron", "--patience", "0"], ["click", "--text", "form", "--patience", "0"]],
         execute(("click", {**by(textEquals="form"), **ONCE}), miss=True), ("tap", {"selector": {"text": "form"}})),
    Wish("a miss, for people", HOME,
         [["click", "--text", "form", "--patience", "0", *PRETTY],
          ["click", "--text", "form", "--patience", "0", *BRIEF]]),
    Wish("a dialog in the way", ASK, [["click", "--text", "Form", "--patience", "0"]],
         execute(("click", {**by(textEquals="Form"), **ONCE}), miss=True),
         ("tap", {"selector": {"text": "Form"}})),
    Wish("another app in the way", HOME, [["click", "--text", "Form", "--patience", "0"]],
         execute(("click", {**by(textEquals="Form"), **ONCE}), miss=True), ("tap", {"selector": {"text": "Form"}}),
         seen=True, then=ON_SETTINGS),
    Wish("no selector", HOME, [["click"]], execute(("click", None)), ("tap", {})),
    Wish("two places at once", HOME, [["click", "--text", "Form", "--coordinate", "5", "5"]],
         execute(("click", {**by(textEquals="Form"), "coordinate": {"x": 5, "y": 5}})),
         ("tap", {"selector": {"text": "Form"}, "x": 5, "y": 5})),
    Wish("an unknown word", HOME, [["click", "--txet", "Form"]], execute(("click", {"matcher": {"txet": "Form"}})),
         ("tap", {"selector": {"txet": "Form"}})),
    Wish("a number that is none", HOME, [["click", "--text", "Form", "--nth", "zero"]],
         execute(("click", by(textEquals="Form")), nth=0),
         ("tap", {"selector": {"text": "Form"}, "nth": -1})),
    Wish("a key that there is not", HOME, [["press", "fire"]], execute(("press_key", {"key": "fire"})),
         ("press_key", {"key": "fire"})),
    Wish("an unknown device", HOME, [["back", "--device", "nobody"]],
         execute(("press_key", {"key": "back"}), deviceId="nobody"),
         ("press_key", {"key": "back", "device": "nobody"})),
    Wish("a busy phone", HOME, [["click", "--text", "Form"], ["snapshot", *BRIEF]],
         execute(("click", by(textEquals="Form"))),
         ("tap", {"selector": {"text": "Form"}}), busy=True),
    Wish("no Operator app", ("fault", "package-missing"),
         [["click", "--text", "Form"], ["click", "--text", "Form", *PRETTY]],
         execute(("click", by(textEquals="Form"))), ("tap", {"selector": {"text": "Form"}})),
    Wish("an answer that does not come", ("fault", "envelope-none"),
         [["press", "home", "--backend", "app", "--timeout", "1000"]],
         ("POST", "/execute", {"execution": plan(("press_key", {"key": "home"}), timeoutMs=1000), "backend": "app"})),
]
PLANS = [
    Wish("a plan", HOME, [["exec", payload(*STEPS)]], execute(*STEPS), ("execute", {"actions": actions(*STEPS)})),
    Wish("a plan, for people", HOME, [["exec", payload(*STEPS), *PRETTY], ["exec", payload(*STEPS), *BRIEF],
                                      ["exec", payload(*STEPS), "--stream"]]),
    Wish("a plan by the shell", HOME, [["exec", payload(*STEPS), "--backend", "shell"]],
         execute(*STEPS, backend="shell")),
    Wish("a plan with a step that fails", HOME, [["exec", payload(*FAILING)]], execute(*FAILING),
         ("execute", {"actions": actions(*FAILING)})),
    Wish("a plan that is none", HOME, [["exec", payload(*UNKNOWN_STEP)], ["exec", "{"]], execute(*UNKNOWN_STEP),
         ("execute", {"actions": actions(*UNKNOWN_STEP)})),
    Wish("a plan without steps", HOME, [["exec", payload()]], execute(), ("execute", {"actions": []})),
    Wish("a plan that is only judged", HOME,
         [["exec", payload(*STEPS), "--validate-only"], ["exec", payload(*STEPS), "--dry-run"]]),
    Wish("verbs that are only planned", HOME, [[*words, "--dry-run"] for words in (
        ["click", "--text", "Form", "--snapshot"], ["type", "x", "--id", NAME], ["scroll", "down"],
        ["read", "--text", "Form", "--all"],
        ["wait", "--text", "Form", "--timeout", "2000"], ["wait-for-nav", "--app", FORM, "--timeout", "2000"], ["back"],
        ["open", SETTINGS],
        ["close", SETTINGS], ["scroll-until", "--text", "About phone", "--click"], ["read-value", "--label", "Apps"])]),
]
GROUPS = {"acting": ACTING, "looking": LOOKING, "failing": FAILING_WISHES, "plans": PLANS}
