"""The screens of the table: an app with a button, a field and a price that are aimed at, and what can come between.

Wherever they go, other nodes come to lie where they were, so that a finger that goes by the old place is seen. A node
is known by its screen and by its number there (preorder, from 1), which the phone's record of touches has, too."""
import json

SHOP, BANK, ASKS = "com.example.shop", "com.example.bank", "com.android.permissioncontroller"
ASK = ASKS + ".permission.ui.GrantPermissionsActivity"
NAMES = (None, "field", "price")  # the button has no id, as many have none
ALLOW, NAME, PRICE = TEXTS = ("Allow", "Name", "Price 42")  # the field is empty: its hint


def column(*children, **more):
    return {"class": "LinearLayout", **more, "children": list(children)}


def space(height):
    return {"class": "FrameLayout", "h": height}


def group(names, texts, width=240, height=48, aim=False, **more):
    """A button, a field and a text below each other."""
    kinds = (("Button", {"flags": "long-clickable"}), ("EditText", {}), ("TextView", {}))
    nodes = [{"class": kind, **({"id": name} if name else {}), "hint" if kind == "EditText" else "text": text,
              "w": width, "h": height, **flags, **({"_aim": text} if aim else {})}
             for (kind, flags), name, text in zip(kinds, names, texts)]
    return column(*nodes, w="wrap", **more)


def aimed(**more):
    return group(NAMES, TEXTS, aim=True, **more)


def twin(**more):
    """They look like those that are aimed at."""
    return group(NAMES, TEXTS, **more)


def others(number, **more):
    return group([f"{name}{number}" for name in ("delete", "other", "cost")], ("Delete", "Other", "Price 7"), **more)


def page(*children):
    """In the middle of the screen, before a backdrop that takes clicks."""
    backdrop = {"class": "FrameLayout", "id": "backdrop", "h": "fill", "click": "toggle"}
    return {"class": "FrameLayout", "h": "fill", "children": [backdrop, column(*children, h="fill", align="centre")]}


def pager(unseen):
    """Its second page would lie on the group that stands beside it."""
    pages = [{"class": "FrameLayout", "w": 200, "h": 200}, column(aimed(width=150), w=200, h=200)]
    beside = {"class": "androidx.viewpager.widget.ViewPager", "flow": "row", "w": 200, "flags": "scrollable",
              "unseen": unseen,
              "children": pages}
    return column({"class": "LinearLayout", "flow": "row", "children": [beside, others(1, width=200)]}, h="fill")


def below():
    return column({"class": "WebView", "h": "fill", "flags": "scrollable", "unseen": "placed",
                   "children": [others(1), space(1000), aimed()]}, h="fill")


def without_size():
    return {"class": "FrameLayout", "h": "fill", "children": [others(1), aimed(width=0, height=0, unseen="clipped")]}


def bare(root, name=".Main", **more):
    return {"activity": name, "root": root, **more}


def activity(root, name=".Main", **more):
    """As Android builds a window: what the app draws lies in a frame that has the same id in every app."""
    size = {"h": "fill"} if "kind" not in more else {}
    return bare({"class": "FrameLayout", "id": "android:id/content", **size, "children": [root]}, name, **more)


def question(text, group):
    return activity(column({"class": "TextView", "text": text, "w": 240, "h": 48}, group, w="wrap"), kind="dialog")


SCREENS = {
    "main": activity(page(others(1, when="moved"), twin(when="twin"), aimed(when="!gone"), others(2)), turns=True),
    # The app reads a description as the text of a node without a text.
    "described": activity(page({"class": "ImageButton", "desc": ALLOW, "w": 240, "h": 48}, aimed(), others(1)),
                          ".Described"),
    "low": activity(page(space(640), aimed()), ".Low", keyboard="covers"),
    "pager": activity(pager("clipped"), ".Pager"),
    "web": activity(pager("placed"), ".Web"),
    "below": activity(below(), ".Below"),
    "flat": activity(without_size(), ".Flat"),
    "bare": bare(page(aimed(), others(2)), ".Bare"),
    # A dialog has the title of its activity's window, and may have the same nodes.
    "dialog": activity(twin(), kind="dialog"),
    "delete": question("Delete the file?", aimed()),
    "pay": question("Pay 5 euro?", twin()),
    "permission": activity(column({"class": "TextView", "text": "Allow Shop to take pictures?"},
                                  {"class": "Button", "id": "permission_allow_button", "text": "Allow"},
                                  {"class": "Button", "id": "permission_deny_button", "text": "Don\u2019t allow"}),
                           ASK, package=ASKS, kind="dialog"),
}


def numbers_of(root):
    """text -> number of the nodes that are aimed at."""
    found, count = {}, 0

    def visit(node):
        nonlocal count
        count += 1
        if "_aim" in node:
            found[node["_aim"]] = count
        for child in node.get("children", []):
            visit(child)
    visit(root)
    return found


AIMS = {name: numbers_of(screen["root"]) for name, screen in SCREENS.items()}


def without_marks(value):
    if isinstance(value, dict):
        return {key: without_marks(each) for key, each in value.items() if key != "_aim"}
    return [without_marks(each) for each in value] if isinstance(value, list) else value


def write(folder):
    folder.mkdir()
    shop = {"package": SHOP, "label": "Shop", "launch": "main", "screens": without_marks(SCREENS)}
    bank = {"package": BANK, "label": "Bank", "launch": "main",
            "screens": {"main": activity(page(twin(), others(1)))}}
    for name, app in (("shop", shop), ("bank", bank)):
        (folder / f"{name}.json").write_text(json.dumps(app))
