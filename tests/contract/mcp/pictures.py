"""Points that a client reads from a screenshot: of which picture, and when they are refused."""
import json

from acting import centre, says, start
from api_server import ApiServer, expect
from conversation import Conversation
from own_phone import turning_phone


def picture_points(place):
    """[D10] x and y of the picture reach what is drawn there; a screen point needs no word."""
    with Conversation(place) as talk:
        start(talk)
        x, y = centre(place, "Network & internet")
        reply = talk.refused("USAGE", "tap", x=100, y=100, space="picture")
        expect(place, "without a picture", "take a screenshot" in reply["message"], True)
        for side in (1200, 640, 2400):
            facts = talk.tool("screenshot", max_side=side).verdict
            expect(place, "explained", "x / scale" in facts.get("points", ""), side != 2400)
            point = {"x": int(x * facts["scale"]), "y": int(y * facts["scale"])}
            says(place, talk.tool("tap", **point, space="picture", observe="compact"), "AndroidWifi")
            start(talk)
        talk.tool("screenshot", max_side=1200)
        for given in ({"x": 540, "y": 10}, {"x": 10, "y": 1200}):
            reply = talk.refused("USAGE", "tap", **given, space="picture")
            expect(place, "outside", "outside of the picture, which is 540x1200" in reply["message"], True)
        says(place, talk.tool("tap", x=x, y=y, space="screen", observe="compact"), "AndroidWifi")
        ask = start(talk, "conformance://") and centre(place, "Ask")
        says(place, talk.tool("long_press", x=ask[0] // 2, y=ask[1] // 2, space="picture", observe="compact"),
             "You held it long enough.")
        start(talk)
        talk.tool("swipe", x1=270, y1=900, x2=270, y2=300, space="picture", observe="none")
        expect(place, "a drag", json.loads(place.device.simctl("touches"))[-1]["kind"], "swipe")
        with Conversation(place) as other:
            other.refused("USAGE", "tap", x=10, y=10, space="picture")


def picture_of_another_screen(place):
    """What was drawn stands elsewhere once the screen is turned; each device has its own picture."""
    with turning_phone(place) as phone, Conversation(place) as talk:
        talk.tool("screenshot", device=phone.serial)
        talk.refused("USAGE", "tap", x=10, y=10, space="picture", device=place.device.serial)
        phone.run("rotate", "90")
        before = phone.counter("broadcast")
        reply = talk.refused("USAGE", "tap", x=10, y=10, space="picture", device=phone.serial)
        expect(place, "turned", "2400x1080 now" in reply["message"], True)
        expect(place, "nothing was sent", phone.counter("broadcast"), before)
        wide = talk.tool("screenshot", device=phone.serial).verdict
        expect(place, "the new picture", wide["width"] > wide["height"], True)
        talk.tool("tap", x=wide["width"] - 1, y=wide["height"] - 1, space="picture", device=phone.serial,
                  observe="none")


def picture_points_by_http(place):
    """The server does not know who has which picture; its clients divide by scale."""
    with ApiServer(place) as server:
        def call(tool, **arguments):
            _, answer = server.json("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                                                     "params": {"name": tool, "arguments": arguments}})
            return json.loads(answer["result"]["content"][0]["text"].split("\n")[0])
        facts = call("screenshot", max_side=1200)
        expect(place, "explained", ("x / scale" in facts["points"], "space" in facts["points"]), (True, False))
        reply = call("tap", x=10, y=10, space="picture")
        expect(place, "refused", (reply["code"], "scale" in reply["message"]), ("USAGE", True))
        expect(place, "a point of the screen", call("tap", x=5, y=5, observe="none")["ok"], True)


CHECKS = [
    ("mcp: points of a picture", True, picture_points),
    ("mcp: points of another screen's picture", True, picture_of_another_screen),
    ("mcp: points of a picture by HTTP", True, picture_points_by_http),
]
