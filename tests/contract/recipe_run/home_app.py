"""The app of the seed's example: a list that has to be scrolled, devices as tiles, a switch, readings, a password."""
APP = "com.google.android.apps.chromecast.app"


def row(text, **more):
    return {"class": "TextView", "text": text, "w": "fill", "h": 96, "flags": "clickable", **more}


def page(*children, **more):
    return {"activity": ".Main", "root": {"class": "LinearLayout", "h": "fill", "children": list(children)}, **more}


def text(name, value, **more):
    return {"class": "TextView", "id": name, "text": value, "h": 48, **more}


def home():
    rows = [row(f"Room {number}") for number in range(1, 13)]
    rows.insert(0, row("Rooms", id="rooms", click="go:rooms"))
    rows.append(row("Devices", click="go:devices"))
    # A title that is no row, and a second list: which of them scrolls is the recipe's to say.
    return page(text("title", "Home"),
                {"class": "ScrollView", "flags": "scrollable", "h": 240,
                 "children": [row("News"), row("Devices to buy", when="advert")]},
                {"class": "androidx.recyclerview.widget.RecyclerView", "flags": "scrollable", "h": "fill",
                 "children": rows})


def devices(state, other):
    return page(text("title", "Devices"),
                row("Lounge", desc="power of the lounge", click=f"go:{other}", when="!broken"),
                row("Lounge", desc="power of the lounge", when="broken"),
                row("Lounge", desc="power of the second lounge", click="go:second", when="two"),
                text("power_state", state), text("warmth", "21,5 \u00b0C"), text("charge", "Charge: 85 %"),
                text("owner", "Jo Doe"), text("guest", "Jo Dean", when="guest"),
                text("serial", "Two numbers: 1 and 2"))


def rooms():
    """Two tiles that differ only in their places and states."""
    def tile(name, **more):
        return {"class": "Button", "text": "Open", "h": 96, "click": f"go:{name}", **more}
    return page(text("title", "Rooms"),
                {"class": "LinearLayout", "id": "tiles", "flow": "row", "h": 96, "children":
                 [{"class": "FrameLayout", "w": 120, "h": 96, "children": [tile("kitchen")]},
                  {"class": "FrameLayout", "w": 120, "h": 96, "flags": "selected", "children": [
                      tile("hall", flags="selected")]},
                  {"class": "FrameLayout", "w": 120, "h": 96, "children": [tile("attic", flags="!enabled")]}]})


def room(name):
    return page(text("title", name), {"class": "EditText", "id": "note", "hint": "Note", "h": 96},
                {"class": "EditText", "id": "pin", "hint": "PIN", "h": 96, "flags": "password"})


APPS = [{"package": APP, "label": "Home", "versionName": "3.31.100", "versionCode": 5311000, "launch": "home",
         "screens": {"home": home(), "devices": devices("Off", "on"), "on": devices("On", "devices"),
                     "second": page(text("title", "The wrong one")), "rooms": rooms(),
                     **{name.lower(): room(name) for name in ("Kitchen", "Hall", "Attic")}}},
        {"package": "com.example.other", "label": "Other", "launch": "main",
         "screens": {"main": page(text("title", "Devices"), row("Lounge", desc="power of another app"),
                                  text("power_state", "On"))}}]
