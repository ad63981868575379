"""An agent's tasks, once for every hand (hands.py). A task is done when what it sees in the end says so."""
from hands import FORM

SETTINGS = "com.android.settings"


def saw(hand, seen, *texts):
    for text in texts:
        if text not in seen:
            raise hand.place.Mismatch(f"{hand.name}: {text!r} is not in {seen[:3000]}")


def tap_off_screen(hand):
    hand.open(SETTINGS, observe="")
    saw(hand, hand.find_and_tap(text="About phone"), "Android version")


def walk_down(hand):
    hand.open(SETTINGS)
    saw(hand, hand.tap(text="Network & internet"), "AndroidWifi")


def toggle(hand):
    hand.open(SETTINGS, observe="")
    hand.tap(text="Network & internet")
    seen = hand.tap(desc="Airplane mode")
    if hand.is_plain:
        return saw(hand, seen, r'checked=\"true\"')
    return saw(hand, next(line for line in seen.split("\n") if "#switch_widget" in line), " on")


def search_and_tap(hand):
    hand.open(SETTINGS, observe="")
    hand.tap(id=f"{SETTINGS}:id/search_action_bar")
    hand.type("wifi", id=f"{SETTINGS}:id/search_src_text")
    saw(hand, hand.tap(text="Wi-Fi"), "AndroidWifi")


def form(hand):
    hand.open("conformance://", observe="")
    hand.tap(text="Form")
    fields = {"name_field": "Ada", "email_field": "ada@example.org", "password_field": "s3cret"}
    seen = hand.plan(*({"id": name, "type": "enter_text",
                        "params": {"matcher": {"resourceId": f"{FORM}:id/{name}"}, "text": text}}
                       for name, text in fields.items()),
                     {"id": "send", "type": "click", "params": {"matcher": {"textEquals": "Submit"}}})
    saw(hand, seen, "Form sent")


def dialog(hand):
    hand.open("conformance://", observe="")
    saw(hand, hand.tap(text="Ask"), "Delete everything?")
    saw(hand, hand.tap(text="Delete"), "Form sent")


def other_apps_window(hand):
    hand.open("conformance://", observe="")
    saw(hand, hand.tap(text="Overlay"), "take pictures?")
    saw(hand, hand.tap(text="Allow"), "Overlay")


def wait_for_page(hand):
    hand.open("conformance://", observe="")
    hand.tap(text="Later")
    saw(hand, hand.wait(text="Here I am"), "After two seconds")


def crashed_app(hand):
    hand.open(SETTINGS, observe="")
    hand.place.run("close", SETTINGS)  # by whom the agent knows nothing of
    saw(hand, hand.tap(text="Network & internet", miss=True), "launcher")
    saw(hand, hand.open(SETTINGS), "Network & internet")


def rotated(hand):
    """While the agent thinks, somebody turns the phone."""
    hand.open(SETTINGS, observe="")
    hand.place.run("rotate", "180")
    seen = hand.tap(text="Network & internet")
    saw(hand, seen, "AndroidWifi", r'rotation=\"2\"' if hand.is_plain else "rotation 2")


def misspelt(hand):
    hand.open(SETTINGS, observe="")
    missed = hand.tap(text="network & INTERNET", miss=True)
    saw(hand, missed, "Network & internet")
    saw(hand, hand.tap(text="Network & internet"), "AndroidWifi")


def duplicates(hand):
    """The first of the texts that are alike: by its ref, where there are refs."""
    hand.open("conformance://", observe="")
    seen = hand.tap(text="Feed")
    if hand.is_plain:
        return saw(hand, hand.tap(text="Summary"), "Form sent")
    row = next(line for line in seen.split("\n") if '"Summary"' in line)
    return saw(hand, hand.tap(ref=hand.ref(row, '"Summary"')), "Form sent")


def emoji(hand):
    hand.open("conformance://", observe="")
    hand.tap(text="Form")
    hand.type("Grüße 😀", id=f"{FORM}:id/name_field")
    saw(hand, hand.read(id=f"{FORM}:id/name_field"), "Grüße 😀")


def big_screen(hand):
    saw(hand, hand.open("conformance://big"), "Row 3", "B3")


def hard_texts(hand):
    saw(hand, hand.open("conformance://texts"), "שלום", "设置")


def scroll_far(hand):
    hand.open("conformance://", observe="")
    hand.tap(text="Feed")
    saw(hand, hand.scroll_to(text="Post 20"), "Post 20")


def back_and_home(hand):
    hand.open(SETTINGS, observe="")
    hand.tap(text="Network & internet")
    saw(hand, hand.press("back"), "Search settings")
    saw(hand, hand.press("home"), "Chrome")


def read_fact(hand):
    hand.open(SETTINGS, observe="")
    saw(hand, hand.find_and_tap(text="About phone"), "Android version")


def web_page(hand):
    saw(hand, hand.open("https://example.org/a?b=c"), "example.org/a?b=c")


def nothing_happens(hand):
    hand.open("conformance://", observe="")
    hand.tap(text="Form")
    saw(hand, hand.tap(id=f"{FORM}:id/form_title"), "Form" if hand.is_plain else "as last shown")


def two_apps(hand):
    hand.open(SETTINGS, observe="")
    hand.find_and_tap(text="About phone")
    hand.open("conformance://", observe="")
    hand.tap(text="Form")
    hand.type("Pixel", id=f"{FORM}:id/name_field")
    saw(hand, hand.read(id=f"{FORM}:id/name_field"), "Pixel")


# The tasks of the agent; the goals are calls and bytes that come out, over all hands but `Plain`.
TASKS = {
    "walk to a page": (walk_down, {}),
    "tap what is off the screen": (tap_off_screen, {"calls": 2}),
    "search": (search_and_tap, {}),
    "a form of three fields": (form, {"calls": 3, "bytes": 1500}),
    "answer a dialog": (dialog, {}),
    "a window of another app": (other_apps_window, {}),
    "wait for what comes late": (wait_for_page, {}),
    "the app is gone": (crashed_app, {"calls": 3}),
    "a phone that is turned meanwhile": (rotated, {"calls": 3}),
    "a text that is spelt otherwise": (misspelt, {}),
    "a list with equal texts": (duplicates, {}),
    "text with umlauts and emoji": (emoji, {}),
    "a large screen": (big_screen, {}),
    "texts in other scripts": (hard_texts, {}),
    "scroll far": (scroll_far, {}),
    "back and home": (back_and_home, {}),
    "read a fact": (read_fact, {}),
    "a web page": (web_page, {}),
    "a tap that does nothing": (nothing_happens, {}),
    "two apps": (two_apps, {}),
    "switch airplane mode on": (toggle, {}),
}
