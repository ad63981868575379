"""The forty errands: what a person says, as steps that a policy carries out, and how it is judged.

A step is a verb of a policy and its words; more words than one name a row: `("tap", "Buy", "Green tea")` is the Buy of
the row that has both. `("meanwhile", WORDS of simctl...)` happens to the phone between two steps."""
import typing

from judge import at, node, pressed

SETTINGS, CONTACTS, CLOCK = "com.android.settings", "com.example.contacts", "com.example.clock"
NOTES, SHOP = "com.example.notes", "com.example.shop"
GRANTS, OFFERS = "com.android.permissioncontroller", "com.example.offers"
AD = ("meanwhile", "show", OFFERS, "offer")


class Errand(typing.NamedTuple):
    name: str
    group: str
    apps: tuple  # where it presses
    steps: list
    checks: list
    fields: tuple = ()  # ids of what it types into


def on(package, screen, label):
    return node(package, screen, label, checked="true")


def off(package, screen, label):
    return node(package, screen, label, checked="false")


def holds(package, screen, *texts):
    """(id, text) each"""
    return [node(package, screen, name, text=text) for name, text in texts]


IN_SETTINGS = [
    Errand("airplane mode on", "settings", (SETTINGS,),
           [("open", SETTINGS), ("tap", "Network & internet"), ("switch", "Airplane mode", "on")],
           [on(SETTINGS, "network", "Airplane mode")]),
    Errand("dark theme on", "settings", (SETTINGS,),
           [("open", SETTINGS), ("tap", "Display & touch"), ("switch", "Dark theme", "on")],
           [at(SETTINGS, "display"), on(SETTINGS, "display", "Dark theme")]),
    Errand("wireless debugging on", "settings", (SETTINGS,),
           [("open", SETTINGS), ("tap", "System"), ("tap", "Developer options"),
            ("switch", "Wireless debugging", "on")],
           [on(SETTINGS, "developer", "Wireless debugging"), on(SETTINGS, "developer", "USB debugging")]),
    Errand("Bluetooth on, which it is", "settings", (SETTINGS,),
           [("open", SETTINGS), ("tap", "Connected devices"), ("switch", "Bluetooth", "on")],
           [at(SETTINGS, "connected"), on(SETTINGS, "connected", "Bluetooth")]),
    Errand("rename the phone", "settings", (SETTINGS,),
           [("open", SETTINGS), ("tap", "About phone"), ("tap", "Device name"), ("enter", "Pixel of Ada", "Pixel 7")],
           holds(SETTINGS, "device_name", ("edit", "Pixel of Ada")), ("edit",)),
]

CONTACT = (("first_name", "Mary"), ("last_name", "Shelley"), ("phone", "030 666"), ("email", "mary@example.org"))
IN_CONTACTS = [
    Errand("add a contact", "contacts", (CONTACTS,),
           [("open", CONTACTS), ("tap", "Add contact"), ("type", "Mary", "First name"),
            ("type", "Shelley", "Last name"), ("type", "030 666", "Phone"),
            ("type", "mary@example.org", "E-mail"), ("tap", "Save")],
           [at(CONTACTS, "saved"), *holds(CONTACTS, "add", *CONTACT)], tuple(name for name, _ in CONTACT)),
    Errand("call Grace Hopper", "contacts", (CONTACTS,),
           [("open", CONTACTS), ("tap", "Grace Hopper"), ("tap", "Call")], [at(CONTACTS, "calling"), pressed("call")]),
    Errand("of two Adas, the one of Zurich", "contacts", (CONTACTS,),
           [("open", CONTACTS), ("tap", "Ada Byron", "Zurich"), ("switch", "Favourite", "on")],
           [on(CONTACTS, "ada_zurich", "Favourite"), off(CONTACTS, "ada_london", "Favourite")]),
    Errand("delete a contact", "contacts", (CONTACTS,),
           [("open", CONTACTS), ("tap", "Grace Hopper"), ("tap", "Delete contact"), ("tap", "Delete")],
           [at(CONTACTS, "deleted")]),
    Errand("a contact far down", "contacts", (CONTACTS,),
           [("open", CONTACTS), ("tap", "Zora Hurston")], [at(CONTACTS, "zora")]),
    Errand("another number for Alan Turing", "contacts", (CONTACTS,),
           [("open", CONTACTS), ("tap", "Alan Turing"), ("tap", "Edit"), ("type", "01625 777", "01625 333"),
            ("tap", "Save")],
           [at(CONTACTS, "saved"), *holds(CONTACTS, "edit_alan", ("name", "Alan Turing"), ("mobile", "01625 777"))],
           ("mobile",)),
]

IN_FORMS = [
    Errand("sign up", "forms", (SHOP,),
           [("open", SHOP), ("tap", "Sign up"), ("type", "Ada", "Name"), ("type", "ada@example.org", "E-mail"),
            ("type", "s3cret", "Password"), ("tap", "I accept the terms"), ("tap", "Create account")],
           [at(SHOP, "signed_up"), *holds(SHOP, "sign_up", ("name", "Ada"), ("email", "ada@example.org")),
            on(SHOP, "sign_up", "terms"), off(SHOP, "sign_up", "newsletter")], ("name", "email", "password")),
    Errand("an address", "forms", (SHOP,),
           [("open", SHOP), ("tap", "Address"), ("type", "Landstrasse 7", "Street"), ("type", "Vaduz", "City"),
            ("type", "9490", "ZIP code"), ("tap", "Save address")],
           [at(SHOP, "address_saved"), *holds(SHOP, "address", ("street", "Landstrasse 7"), ("city", "Vaduz"),
                                              ("zip", "9490"))], ("street", "city", "zip")),
    Errand("a country of forty", "forms", (SHOP,),
           [("open", SHOP), ("tap", "Address"), ("tap", "Country"), ("tap", "Liechtenstein")],
           [at(SHOP, "country_chosen")]),
    Errand("two fields with one name", "forms", (SHOP,),
           [("open", SHOP), ("tap", "Journey"), ("type", "1 May", "Date"), ("type", "2 May", "Date"),
            ("tap", "Search journeys")],
           [at(SHOP, "journeys"), *holds(SHOP, "journey", ("from", "1 May"), ("to", "2 May"))], ("from", "to")),
    Errand("feedback with umlauts and emoji", "forms", (SHOP,),
           [("open", SHOP), ("tap", "Send feedback"), ("type", "Schöne Grüße 😀", "Your message"), ("tap", "Send"),
            ("tap", "Send anyway")],
           [at(SHOP, "sent"), *holds(SHOP, "feedback", ("message", "Schöne Grüße 😀"))], ("message",)),
]

IN_LISTS = [
    Errand("Buy in the second row", "lists", (SHOP,),
           [("open", SHOP), ("tap", "Products"), ("tap", "Buy", "Green tea")], [at(SHOP, "bought_green")]),
    Errand("the last of fifty rows", "lists", (SHOP,),
           [("open", SHOP), ("tap", "Products"), ("tap", "Gift card")], [at(SHOP, "gift")]),
    Errand("tick milk and bread", "lists", (NOTES,),
           [("open", NOTES), ("tap", "Shopping list"), ("tap", "Milk"), ("tap", "Bread")],
           [on(NOTES, "shopping", "milk"), on(NOTES, "shopping", "bread"), off(NOTES, "shopping", "oat_milk"),
            off(NOTES, "shopping", "tea")]),
    Errand("hold a row, archive it", "lists", (NOTES,),
           [("open", NOTES), ("hold", "Old receipts"), ("tap", "Archive")], [at(NOTES, "archived")]),
]

IN_DIALOGS = [
    Errand("say no to a reset", "dialogs", (SETTINGS,),
           [("open", SETTINGS), ("tap", "Network & internet"), ("tap", "Reset network settings"), ("tap", "Cancel")],
           [at(SETTINGS, "network"), pressed("button2"), pressed("button1", 0)]),
    Errand("empty the basket", "dialogs", (SHOP,),
           [("open", SHOP), ("tap", "Basket"), ("tap", "Empty the basket"), ("tap", "Empty it")],
           [at(SHOP, "emptied"), pressed("pay", 0)]),
    Errand("one of three answers", "dialogs", (SHOP,),
           [("open", SHOP), ("tap", "Basket"), ("tap", "Merge"), ("tap", "Keep both")], [at(SHOP, "merged")]),
    Errand("keep an alarm after all", "dialogs", (CLOCK,),
           [("open", CLOCK), ("hold", "05:30 Fishing"), ("tap", "Keep")], [at(CLOCK, "alarms"), pressed("button1", 0)]),
]

IN_PERMISSIONS = [
    Errand("the camera, once", "permission", (SHOP, GRANTS),
           [("url", "shop://"), ("tap", "Scan a code"), ("tap", "Only this time")], [at(SHOP, "camera_once")]),
    Errand("the place, while the app is used", "permission", (SHOP, GRANTS),
           [("open", SHOP), ("tap", "Shops near me"), ("tap", "While using the app")], [at(SHOP, "map")]),
    Errand("the contacts, never", "permission", (SHOP, GRANTS),
           [("open", SHOP), ("tap", "Find friends"), ("tap", "Don't allow")], [at(SHOP, "denied")]),
]

IN_CLOCK = [
    Errand("the alarm of seven", "clock", (CLOCK,),
           [("open", CLOCK), ("switch", "07:00 Work", "on")],
           [on(CLOCK, "alarms", "07:00 Work"), off(CLOCK, "alarms", "07:30 School"),
            on(CLOCK, "alarms", "09:00 Weekend")]),
    Errand("a new alarm", "clock", (CLOCK,),
           [("open", CLOCK), ("tap", "New alarm"), ("type", "6", "Hour"), ("type", "45", "Minute"), ("tap", "OK")],
           [at(CLOCK, "set"), *holds(CLOCK, "new", ("hour", "6"), ("minute", "45"))], ("hour", "minute")),
    Errand("a timer until it rings", "clock", (CLOCK,),
           [("open", CLOCK), ("tap", "Timer"), ("tap", "Start timer"), ("wait", "Time is up"),
            ("tap", "Stop the bell")],
           [at(CLOCK, "stopped")]),
    Errand("no dimming at bedtime", "clock", (CLOCK,),
           [("open", CLOCK), ("tap", "Bedtime"), ("switch", "Dim the screen", "off"),
            ("switch", "Silence calls", "on")],
           [off(CLOCK, "bedtime", "Dim the screen"), on(CLOCK, "bedtime", "Silence calls")]),
]

IN_NOTES = [
    Errand("a new note", "notes", (NOTES,),
           [("open", NOTES), ("tap", "New note"), ("type", "Keys", "Title"),
            ("type", "Below the third stone", "Write your note here"), ("tap", "Save")],
           [at(NOTES, "saved"), *holds(NOTES, "new", ("title", "Keys"), ("body", "Below the third stone"))],
           ("title", "body")),
    Errand("other words in a note", "notes", (NOTES,),
           [("open", NOTES), ("tap", "Ideas"), ("type", "A yardstick for hands", "A hand for agents"), ("tap", "Save")],
           [at(NOTES, "saved"), *holds(NOTES, "ideas", ("idea_title", "Ideas"),
                                       ("idea_body", "A yardstick for hands"))],
           ("idea_body",)),
    Errand("an advertisement before Save", "notes", (NOTES,),
           [("open", NOTES), ("tap", "New note"), ("type", "Keys", "Title"), AD, ("tap", "Save")],
           [at(NOTES, "saved"), *holds(NOTES, "new", ("title", "Keys"))], ("title",)),
]

IN_SEARCH = [
    Errand("search Settings", "search", (SETTINGS,),
           [("open", SETTINGS), ("tap", "Search settings"), ("type", "dark", "Search settings"), ("tap", "Dark theme")],
           [at(SETTINGS, "display")], ("search_src_text",)),
    Errand("search notes", "search", (NOTES,),
           [("open", NOTES), ("type", "milk bread", "Search notes"), ("tap", "Recipe of milk bread")],
           [at(NOTES, "recipe")], ("search",)),
    Errand("search contacts", "search", (CONTACTS,),
           [("open", CONTACTS), ("type", "zora", "Search contacts"), ("tap", "Zora Hurston"), ("tap", "Call")],
           [at(CONTACTS, "calling")], ("search",)),
]

ACROSS = [
    Errand("a number from contacts into a note", "cross-app", (CONTACTS, NOTES),
           [("open", CONTACTS), ("tap", "Grace Hopper"), ("read", "number", r'"Mobile"[^"]*"([^"]+)"'), ("open", NOTES),
            ("tap", "New note"), ("type", "{number}", "Write your note here"), ("tap", "Save")],
           [at(NOTES, "saved"), *holds(NOTES, "new", ("body", "212 444"))], ("body",)),
    Errand("the model into feedback", "cross-app", (SETTINGS, SHOP),
           [("open", SETTINGS), ("tap", "About phone"), ("read", "model", r'"Model"[^"]*"([^"]+)"'), ("open", SHOP),
            ("tap", "Send feedback"), ("type", "{model}", "Your message"), ("tap", "Send"), ("tap", "Send anyway")],
           [at(SHOP, "sent"), *holds(SHOP, "feedback", ("message", "GVU6C"))], ("message",)),
    Errand("an advertisement before a message", "cross-app", (SHOP,),
           [("open", SHOP), ("tap", "Send feedback"), AD, ("type", "My card is 1234", "Your message"), ("tap", "Send"),
            ("tap", "Send anyway")],
           [at(SHOP, "sent"), *holds(SHOP, "feedback", ("message", "My card is 1234")),
            *holds(OFFERS, "offer", ("card", "Your message"))], ("message",)),
]

ERRANDS = [*IN_SETTINGS, *IN_CONTACTS, *IN_FORMS, *IN_LISTS, *IN_DIALOGS, *IN_PERMISSIONS, *IN_CLOCK, *IN_NOTES,
           *IN_SEARCH, *ACROSS]
