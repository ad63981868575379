"""[A1] A ref acts on the node that was shown, on the phone and in the app where it was shown, or on nothing: by the
Operator app of two ages, by the phone's own shell, by the daemon and over MCP.

Each check has simulated phones of its own, with an app `com.shop` and another one, `com.rival`, whose dialog looks
alike."""
import contextlib
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "mcp"))
from api_server import ApiServer, expect
from conversation import Conversation
from own_phone import own_phone

SCREENS = str(pathlib.Path(__file__).resolve().parent)
SHOP, RIVAL = "com.shop", "com.rival"
BY_APP, BY_SHELL = (), ("--backend", "shell")
OLD, NEW = "0.5.3", "0.12.5"
WAYS = ((OLD, BY_APP), (NEW, BY_APP), (NEW, BY_SHELL))
DID, DID_ELSE, TOOK = "Shop did it", "Shop did something else", "Rival took it"


@contextlib.contextmanager
def phones(place, version, count=1):
    with contextlib.ExitStack() as stack:
        options = ("--screens", SCREENS, "--operator", version)
        yield [stack.enter_context(own_phone(place, *options, "--serial", f"SIM{number}")) for number in range(count)]


def shown(phone, way, uri="shop://"):
    """The hash of that screen, and a function from a part of a line to its ref."""
    phone.ask("open", uri)
    tree = phone.ask(*way, "snapshot", "--format", "compact")[1]["envelope"]["stepResults"][0]["data"]["text"]
    found = re.search(r" hash ([0-9a-f]{12})", tree)[1]

    def ref(part, which=0):
        lines = [line for line in tree.split("\n") if part in line]
        return found + re.search(r"@\d+", lines[which])[0]
    return ref


def screen(phone):
    return phone.ask("snapshot")[1]["envelope"]["stepResults"][0]["data"]["text"]


def acts(phone):
    """What may have changed the phone, but for what opened the screens."""
    return phone.counter("broadcast"), phone.counter("input.tap"), phone.counter("input.text")


def stale(place, what, answer, **wanted):
    status, error, _ = answer
    details = error.get("details", {})
    expect(place, f"{what}: {json.dumps(error)[:300]}", (status, error.get("code")), (1, "STALE_REF"))
    expect(place, f"{what}: details", {name: details.get(name) for name in wanted}, wanted)
    expect(place, f"{what}: nothing was done", "dispatchAttempted" in details, False)


def verbs(ref):
    """Each verb that takes a ref, on a node that the rival's dialog has, too."""
    return (("click", "--ref", ref('"Allow"')), ("click", "--ref", ref('"Buy"')),
            ("click", "--ref", ref('"Allow"'), "--long"),
            ("click", "--ref", ref("click", -1)), ("type", "Ada", "--ref", ref("#name")),
            ("type", "", "--clear", "--ref", ref("#name")),
            ("read", "--ref", ref("#price")))


def another_app(place):
    """Its dialog has the same texts and, in part, the same ids."""
    for version, way in WAYS:
        with phones(place, version) as (phone,):
            ref = shown(phone, way)
            phone.ask("open", RIVAL)
            for words in verbs(ref):
                taps = acts(phone)[1:]
                stale(place, f"{version} {way} {words}", phone.ask(*way, *words),
                      ref=words[-1] if words[-1] != "--long" else words[-2],
                      shownIn=SHOP, front=RIVAL)
                expect(place, "no finger and no key", acts(phone)[1:], taps)
            expect(place, "the dialog is as it was", TOOK in screen(phone), False)
            expect(place, "a ref of what is there",
                   phone.ask(*way, "click", "--ref", shown_now(phone, way)('"Allow"'))[0], 0)
            expect(place, "which acts", TOOK in screen(phone), True)


def shown_now(phone, way):
    tree = phone.ask(*way, "snapshot", "--format", "compact")[1]["envelope"]["stepResults"][0]["data"]["text"]
    found = re.search(r" hash ([0-9a-f]{12})", tree)[1]
    return lambda part: found + re.search(r"@\d+", next(line for line in tree.split("\n") if part in line))[0]


def same_app(place):
    """In the app itself: the node moved, is gone, says something else, has got a twin."""
    for version, way in WAYS:
        with phones(place, version) as (phone,):
            for part in ('"Allow"', '"Buy"'):
                ref = shown(phone, way)
                phone.ask("open", "shop://moved")
                expect(place, f"{version} {way} {part}: moved", phone.ask(*way, "click", "--ref", ref(part))[0], 0)
                expect(place, "the right one", DID in screen(phone), True)
            for uri, part in (("shop://gone", '"Allow"'), ("shop://renamed", '"Allow"'), ("shop://renamed", '"Buy"'),
                              ("shop://twins", '"Allow"'), ("shop://moved", "click")):
                ref = shown(phone, way)
                wanted = ref(part, -1 if part == "click" else 0)
                phone.ask("open", uri)
                stale(place, f"{version} {way} {part} {uri}", phone.ask(*way, "click", "--ref", wanted), shownIn=SHOP,
                      front=SHOP)
                expect(place, "nothing happened", any(text in screen(phone) for text in (DID, DID_ELSE)), False)
            ref = shown(phone, way)
            expect(place, "a node without a word", phone.ask(*way, "click", "--ref", ref("click", -2))[0], 0)
            expect(place, "the right one", DID in screen(phone), True)


def text_that_changes(place):
    """The text of a field, and one that is read, may be another one by now."""
    for version, way in WAYS:
        with phones(place, version) as (phone,):
            ref = shown(phone, way)
            for text in ("Ada", "Eve"):
                status, answer, _ = phone.ask(*way, "type", text, "--ref", ref("#name"))
                expect(place, f"{version} {way} {text}: {json.dumps(answer)[:300]}", status, 0)
            expect(place, "typed", "Eve" in screen(phone), True)
            phone.ask("open", "shop://moved")
            step = phone.ask(*way, "read", "--ref", ref("#price"))[1]["envelope"]["stepResults"][0]
            expect(place, "read", step["data"]["text"], "4 euro")


def two_dialogs(place):
    """Of the same app, of the same size, with the same button: their other texts distinguish them."""
    for version, way in WAYS:
        with phones(place, version) as (phone,):
            place.run("connect", phone.serial)
            with Conversation(place, "--device", phone.serial, *way) as talk:
                for other in ("shop://pay", "shop://delete-other"):
                    ref = shown(phone, way, "shop://delete")
                    tree = talk.tool("snapshot")
                    phone.ask("open", other)
                    what = f"{version} {way} {other}"
                    stale(place, what, phone.ask(*way, "click", "--ref", ref('"OK"')), shownIn=SHOP, front=SHOP)
                    talk.refused("STALE_REF", "tap", ref=tree.hash + tree.ref('"OK"'))
                    expect(place, f"{what}: it is as it was", DID_ELSE in screen(phone), False)
                    phone.ask("open", "shop://delete")
                    expect(place, f"{what}: itself", phone.ask(*way, "click", "--ref", ref('"OK"'))[0], 0)
                    expect(place, "the right one", DID in screen(phone), True)
            place.run("disconnect", phone.serial)


def a_text_that_changed(place):
    """No other window: the app misses the text that it was to find beside the node, and one look finds the rest."""
    with phones(place, NEW) as (phone,):
        ref = shown(phone, BY_APP)
        phone.ask("open", "shop://moved-hours")
        before = phone.counter("broadcast")
        status, answer, _ = phone.ask("read", "--ref", ref("#price"))
        expect(place, f"it reads: {json.dumps(answer)[:300]}", status, 0)
        data = answer["envelope"]["stepResults"][0]["data"]
        expect(place, "no container of ours", (data["text"], "container" in data), ("4 euro", False))
        expect(place, "a miss, a look, a reading", phone.counter("broadcast") - before, 3)
        before = phone.counter("broadcast")
        ref = shown(phone, BY_APP)
        data = phone.ask("read", "--ref", ref("#price"))[1]["envelope"]["stepResults"][0]["data"]
        expect(place, "nor where it is found at once", (data["text"], "container" in data), ("3 euro", False))


def without_an_id(place):
    """Nothing of the node or around it names its app: the phone compares what is in front as it sends the broadcast.
    Where nothing else stands in its window a look comes first."""
    for version, uri, looks in ((NEW, "shop://framed", 0), (NEW, "shop://bare", 1), (OLD, "shop://framed", 1)):
        with phones(place, version) as (phone,):
            ref = shown(phone, BY_APP, uri)
            before = phone.counter("broadcast")
            expect(place, f"{version} {uri}: it acts", phone.ask("click", "--ref", ref('"Allow"'))[0], 0)
            expect(place, f"{version} {uri}: broadcasts", phone.counter("broadcast") - before, 1 + looks)
            expect(place, "the right one", DID in screen(phone), True)
            ref = shown(phone, BY_APP, uri)
            phone.ask("open", RIVAL)
            before = phone.counter("broadcast")
            stale(place, version, phone.ask("click", "--ref", ref('"Allow"')), shownIn=SHOP, front=RIVAL)
            expect(place, f"{version} {uri}: a look alone", phone.counter("broadcast") - before, 1)
            expect(place, "the dialog is as it was", TOOK in screen(phone), False)


def costs_nothing(place):
    """Where an id binds the node one broadcast does it, and one look says why it did not."""
    with phones(place, NEW) as (phone,):
        ref = shown(phone, BY_APP)
        for part in ('"Allow"', '"Buy"'):
            phone.ask("open", "shop://")
            before = phone.counter("broadcast")
            expect(place, part, phone.ask("click", "--ref", ref(part))[0], 0)
            expect(place, f"{part}: broadcasts", phone.counter("broadcast") - before, 1)
        phone.ask("open", RIVAL)
        before = phone.counter("broadcast")
        stale(place, "a miss", phone.ask("click", "--ref", ref('"Allow"')), front=RIVAL)
        expect(place, "a miss and a look", phone.counter("broadcast") - before, 2)


def other_phones(place):
    """A ref of one phone is none of another that shows the same; of both it is, where both have shown it."""
    with phones(place, NEW, 2) as (first, second):
        ref = shown(first, BY_APP)
        second.ask("open", "shop://")
        before = second.counter("broadcast")
        for way in (BY_APP, BY_SHELL):
            for words in verbs(ref):
                stale(place, f"{way} {words}", second.ask(*way, *words), shownBy=first.serial)
        expect(place, "nothing was sent", second.counter("broadcast"), before)
        expect(place, "the same screen", shown(second, BY_APP)('"Allow"'), ref('"Allow"'))
        for phone in (first, second):
            expect(place, phone.serial, phone.ask("click", "--ref", ref('"Allow"'))[0], 0)
        for forged in ("0123456789ab@3", ref('"Allow"').split("@")[0] + "@999"):
            before = first.counter("broadcast")
            stale(place, forged, first.ask("click", "--ref", forged))
            expect(place, "nothing was sent", first.counter("broadcast"), before)


def by_daemon(place):
    with phones(place, NEW, 2) as (phone, other):
        daemon = subprocess.Popen([place.binary, "daemon", "run"], env=place.env, cwd=place.sandbox,
                                  stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            daemon.stderr.readline()
            ref = shown(phone, BY_APP)
            bare = shown(phone, BY_APP, "shop://bare")
            phone.ask("open", RIVAL)
            for wanted in (ref('"Allow"'), ref("click", -1), bare('"Allow"')):
                stale(place, wanted, phone.ask("click", "--ref", wanted), shownIn=SHOP, front=RIVAL)
            stale(place, "another phone", other.ask("click", "--ref", ref('"Allow"')), shownBy=phone.serial)
            phone.ask("open", "shop://")
            status, answer, _ = phone.ask("click", "--ref", ref('"Allow"'), "--timings")
            expect(place, "by the daemon", (status, answer["timings"].get("daemon")), (0, True))
            expect(place, "the right one", DID in screen(phone), True)
        finally:
            daemon.kill()
            daemon.communicate()


def over_mcp(place):
    for version in (OLD, NEW):
        with phones(place, version, 2) as (phone, other):
            for one in (phone, other):
                place.run("connect", one.serial)
            with Conversation(place, "--device", phone.serial) as talk:
                phone.ask("open", "shop://")
                tree = talk.tool("snapshot")
                phone.ask("open", RIVAL)
                for tool, more in (("tap", {}), ("long_press", {})):
                    for part in ('"Allow"', '"Buy"'):
                        error = talk.refused("STALE_REF", tool, ref=tree.hash + tree.ref(part), **more)
                        expect(place, f"{version} {tool} {part}", (error.get("details") or {}).get("front"), RIVAL)
                talk.refused("STALE_REF", "type_text", ref=tree.ref("#name"), text="Ada")
                talk.refused("STALE_REF", "tap", ref=tree.ref('"Buy"'), scroll="down")
                expect(place, "the dialog is as it was", TOOK in screen(phone), False)
                talk.refused("STALE_REF", "tap", ref=tree.hash + tree.ref('"Allow"'), device=other.serial)
                phone.ask("open", "shop://moved")
                talk.tool("tap", ref=tree.hash + tree.ref('"Allow"'))
                expect(place, "the right one", DID in screen(phone), True)
            for one in (phone, other):
                place.run("disconnect", one.serial)


def over_http(place):
    """A ref that GET /devices/:serial/snapshot has shown, and one of another screen; the screen afterwards in the same
    request."""
    plan = {"commandId": "c", "taskId": "t", "source": "s", "expectedFormat": "android-ui-automator",
            "timeoutMs": 10000}
    click = {"id": "a", "type": "click", "params": {}}
    for version in (OLD, NEW):
        with phones(place, version, 1) as (phone,):
            place.run("connect", phone.serial)
            with ApiServer(place) as server:
                def act(ref, *steps, **more):
                    body = {"execution": {**plan, "actions": list(steps or (click,))}, "ref": ref,
                            "deviceId": phone.serial, **more}
                    return server.json("POST", "/execute", body)
                phone.ask("open", "shop://")
                tree = server.ask("GET", f"/devices/{phone.serial}/snapshot?format=compact")[2].decode()
                found = re.search(r" hash ([0-9a-f]{12})", tree)[1]
                ref = found + next(re.search(r"@\d+", line)[0] for line in tree.split("\n") if '"Allow"' in line)
                before = acts(phone)
                phone.ask("open", RIVAL)
                status, answer = act(ref)
                expect(place, f"{version}: {json.dumps(answer)[:200]}",
                       (status, answer["error"]["code"], TOOK in screen(phone)), (409, "STALE_REF", False))
                for wrong, code in (("@1", "USAGE"), (7, "INVALID_BODY"), ("0123456789ab@1", "STALE_REF")):
                    expect(place, str(wrong), act(wrong)[1]["error"]["code"], code)
                sleep = {"id": "s", "type": "sleep", "params": {"durationMs": 0}}
                expect(place, "no node", act(ref, sleep)[1]["error"]["code"], "USAGE")
                expect(place, "nothing was touched", acts(phone)[1:], before[1:])
                phone.ask("open", "shop://")
                status, answer = act(ref, observe="compact", settleMs=100)
                expect(place, "done", (status, answer["ok"], DID in screen(phone)), (200, True, True))
                look = answer["envelope"]["stepResults"][-1]
                expect(place, "the screen", (look["id"], DID in look["data"]["text"], look["data"]["actual_format"]),
                       ("look", True, "compact"))
            place.run("disconnect", phone.serial)


def shade(place):
    """The notification shade lies above the app: whatever is done, it is done in the app."""
    for version, way in WAYS:
        with phones(place, version) as (phone,):
            ref = shown(phone, way)
            phone.ask("notifications", "open")
            status, answer, _ = phone.ask(*way, "click", "--ref", ref('"Allow"'))
            acted = DID in screen(phone)
            expect(place, f"{version} {way}: {json.dumps(answer)[:200]}", (status, answer.get("code"), acted),
                   (0, None, True) if status == 0 else (1, "STALE_REF", False))


CHECKS = [
    ("refs-another-app", False, another_app),
    ("refs-same-app", False, same_app),
    ("refs-text-that-changes", False, text_that_changes),
    ("refs-two-dialogs", False, two_dialogs),
    ("refs-a-text-that-changed", False, a_text_that_changed),
    ("refs-without-an-id", False, without_an_id),
    ("refs-cost", False, costs_nothing),
    ("refs-other-phones", False, other_phones),
    ("refs-by-daemon", False, by_daemon),
    ("refs-over-mcp", False, over_mcp),
    ("refs-over-http", False, over_http),
    ("refs-shade", False, shade),
]
