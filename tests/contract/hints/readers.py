"""What HTTP and MCP advise can be followed there: no option of a command line, a route or a tool that exists.

Each row of src/base/hints.cpp has a case here: what shows it, and how its reader follows it."""
import json
import pathlib
import re
import time

from api_server import ApiServer, expect
from limits import LIMIT_S
from own_phone import own_phone

SOURCE = pathlib.Path(__file__).resolve().parents[3] / "src/base/hints.cpp"
PLAN = {"commandId": "c", "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
        "timeoutMs": 30000, "actions": [{"id": "s", "type": "snapshot_ui"}]}
SEEN = set()


def execute(server, more=None, **members):
    return server.json("POST", "/execute", {"execution": {**PLAN, **members}, **(more or {})})


def call(server, tool, **arguments):
    """The tool's document."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    result = server.json("POST", "/mcp", message)[1]["result"]
    text = result["content"][0]["text"]
    return json.loads(text) if result.get("isError") else result


def advice(error):
    return f"{error['message']} | {error.get('hint', '')}"


def shows(place, key, text, part):
    """The row's text, and no word for the command line outside of a command of the host."""
    SEEN.add(key)
    rest = re.sub(r"`clawperator [^`]*`|: clawperator [^|]*", "", text)
    if part not in text or re.search(r"(?<![\w'\"])--[a-z]", rest.replace("the server's --operator-package", "")):
        raise place.Mismatch(f"{key}: {part!r} in {text!r}")


def no_phone(place):
    with ApiServer(place, env={"ANDROID_SERIAL": ""}) as server:
        status, answer = server.json("GET", "/devices")
        expect(place, "no phone", (status, answer["error"]["code"]), (500, "INTERNAL_ERROR"))
        shows(place, "no_source", advice(answer["error"]), 'HOST:PORT of one on the network as "deviceId"')
        shows(place, "start_server", advice(answer["error"]), "`clawperator sim`")
        answer = call(server, "snapshot")
        shows(place, "no_source", advice(answer), 'HOST:PORT of one on the network as "device"')
        with own_phone(place) as phone:
            expect(place, "followed", execute(server, {"deviceId": phone.serial})[0], 200)
            expect(place, "followed by MCP", "isError" in call(server, "snapshot", device=phone.serial), False)


def absent(place):
    with ApiServer(place) as server:
        status, answer = execute(server, {"deviceId": "absent"})
        error = answer["error"]
        expect(place, "absent", (status, error["code"]), (404, "DEVICE_NOT_FOUND"))
        expect(place, "sources", [each["source"] for each in error["details"]["sources"]], ["server", "usb", "tcp"])
        shows(place, "absent_device", advice(error), "GET /devices lists")
        expect(place, "followed", server.json("GET", "/devices")[0] in (200, 500), True)
        shows(place, "absent_device", advice(call(server, "snapshot", device="absent")), "the tool `devices`")


def several(place):
    with own_phone(place, "--serial", "A") as one, own_phone(place, "--serial", "B") as other:
        for phone in (one, other):
            place.run("connect", phone.serial)
        with ApiServer(place) as server:
            error = execute(server)[1]["error"]
            expect(place, "several", error["code"], "MULTIPLE_DEVICES_DEVICE_ID_REQUIRED")
            shows(place, "several_devices", advice(error), '"deviceId":"')
            named = json.loads("{" + re.search(r'"deviceId":"[^"]*"', error["message"]).group() + "}")
            expect(place, "followed", execute(server, named)[0], 200)
            answer = call(server, "snapshot")
            shows(place, "several_devices", advice(answer), '"device":"')
            named = json.loads("{" + re.search(r'"device":"[^"]*"', answer["message"]).group() + "}")
            expect(place, "followed by MCP", "code" in call(server, "snapshot", **named), False)


def without_app(place):
    with own_phone(place, "--operator", "none") as phone, ApiServer(place, "--device", phone.serial) as server:
        error = execute(server)[1]["error"]
        shows(place, "shell_backend", advice(error), '"backend":"shell"')
        expect(place, "followed", execute(server, {"backend": "shell"})[0], 200)
        shows(place, "shell_backend", advice(call(server, "snapshot")), "`clawperator mcp --backend shell`")


def two_apps(place):
    with own_phone(place, "--operator", "0.12.5,1.0.0") as phone, ApiServer(place, "--device", phone.serial) as server:
        error = execute(server)[1]["error"]
        shows(place, "one_of_two_apps", advice(error), '"operatorPackage"')
        shows(place, "which_app", advice(error), "in each request")
        text = advice(call(server, "snapshot"))
        if "the server's --operator-package" not in text or "Start the server with" not in text:
            raise place.Mismatch(text)
        expect(place, "followed", execute(server, {"operatorPackage": error["details"]["packages"][0]})[0], 200)


def other_variant(place):
    with own_phone(place) as phone, ApiServer(place, "--device", phone.serial) as server:
        phone.simctl("fault", "package-variant")
        error = execute(server, {"operatorPackage": "com.clawperator.operator"})[1]["error"]
        shows(place, "other_app", advice(error), 'Add "operatorPackage":"com.clawperator.operator.dev"')
        expect(place, "followed", execute(server, {"operatorPackage": "com.clawperator.operator.dev"})[0], 200)


def stale(place):
    with own_phone(place) as phone, ApiServer(place, "--device", phone.serial) as server:
        click = [{"id": "c", "type": "click"}]
        error = execute(server, {"ref": "0123456789ab@1"}, actions=click)[1]["error"]
        shows(place, "new_snapshot", advice(error), "GET /devices/:serial/snapshot?format=compact")
        status, headers, _ = server.ask("GET", f"/devices/{phone.serial}/snapshot?format=compact")
        expect(place, "followed", status, 200)
        # The new hash is known: what fails now is not the ref's age.
        answer = execute(server, {"ref": f"{headers['X-Tree-Hash']}@1"}, actions=click)[1]
        expect(place, "the new ref", answer.get("error", {}).get("code") != "STALE_REF", True)
        shows(place, "new_snapshot", advice(call(server, "tap", ref="0123456789ab@1")), "the tool `snapshot`")


def in_flight(place):
    with own_phone(place) as phone, ApiServer(place, "--device", phone.serial) as server:
        sleep = [{"id": "n", "type": "sleep", "params": {"durationMs": 4000}}]
        first = server.in_background("POST", "/execute", {"execution": {**PLAN, "commandId": "d", "actions": sleep}})
        deadline = time.monotonic() + LIMIT_S
        while not phone.counter("broadcast") and time.monotonic() < deadline:
            time.sleep(0.02)
        error = execute(server)[1].get("error", {})
        shows(place, "line", advice(error), '"queue":true')
        expect(place, "followed", execute(server, {"queue": True})[0], 200)
        first.join()


def every_row(place):
    """Texts of rows that only a slow or a busy app shows are compared alone: their readers have these members."""
    rows = dict(re.findall(r'HintRow \w+\{\s*"(\w+)",(.*?)\};', SOURCE.read_text(), re.S))
    for key, member in (("longer_timeout", "timeoutMs"), ("settling", "queue")):
        if member not in rows[key]:
            raise place.Mismatch(f"{key}: {rows[key]}")
        SEEN.add(key)
    for case in (no_phone, absent, several, without_app, two_apps, other_variant, stale, in_flight):
        place.run("disconnect")
        (place.sandbox / ".clawperator/targets.json").unlink(missing_ok=True)
        case(place)
    missing = set(rows) - SEEN
    expect(place, "hints without a case", missing, set())
