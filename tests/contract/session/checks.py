"""POST and DELETE /session: how a page in a browser is let in where a token is required."""
import json
import pathlib

from api_server import ApiServer, expect, expect_error


def cookie_of(place, answer):
    """name=value of an answer's cookie, whose attributes keep scripts and other sites away from it."""
    pair, *attributes = answer[1]["Set-Cookie"].split("; ")
    expect(place, "attributes", {"HttpOnly", "Path=/", "SameSite=Strict"} - set(attributes), set())
    return pair


def browser_sessions(place):
    """The token is shown once, in a body; from then on a cookie that is not the token lets in, until it is ended."""
    token = "s3cret-token-of-this-test"
    with ApiServer(place, "--token", token) as server:
        server.token = None
        own = {"Origin": f"http://127.0.0.1:{server.port}"}
        for body in ({"token": "wrong"}, {"token": ""}, {"token": token + "x"}):
            expect_error(place, server.json("POST", "/session", body), 401, "UNAUTHORIZED")
        for body in ({}, {"token": 7}):
            expect_error(place, server.json("POST", "/session", body), 400, "INVALID_BODY")
        expect_error(place, server.json("POST", "/session", {"token": token}, {"Origin": "http://evil.example"}), 403,
                     "FORBIDDEN_ORIGIN")
        answer = server.ask("POST", "/session", {"token": token}, own)
        expect(place, "begun", (answer[0], json.loads(answer[2])), (200, {"ok": True, "tokenRequired": True}))
        pair = cookie_of(place, answer)
        value = pair.partition("=")[2]
        expect(place, "a value of its own", (len(value), token in answer[1]["Set-Cookie"]), (32, False))
        cookie = {"Cookie": f"other=1; {pair}"}
        expect(place, "GET", server.ask("GET", "/", headers=cookie)[0], 200)
        for headers in (cookie, {**cookie, "Origin": "http://127.0.0.1:1"},
                        {**cookie, "Origin": "http://evil.example"}):
            expect_error(place, server.json("POST", "/snapshot", {}, headers), 403, "FORBIDDEN_ORIGIN")
            expect_error(place, server.json("DELETE", "/session", headers=headers), 403, "FORBIDDEN_ORIGIN")
        expect_error(place, server.json("POST", "/snapshot", {}, {**cookie, **own}), 500, "ADB_SERVER_FAILED")
        expect_error(place, server.json("GET", "/metrics", headers={"Cookie": "clawperator_session=" + token}), 401,
                     "UNAUTHORIZED")
        expect_error(place, server.json("GET", "/metrics?token=" + token), 401, "UNAUTHORIZED")
        ended = server.ask("DELETE", "/session", headers={**cookie, **own})
        expect(place, "ended", (ended[0], cookie_of(place, ended), "Max-Age=0" in ended[1]["Set-Cookie"]),
               (200, "clawperator_session=", True))
        expect_error(place, server.json("GET", "/metrics", headers=cookie), 401, "UNAUTHORIZED")
        pairs = [cookie_of(place, server.ask("POST", "/session", {"token": token})) for _ in range(65)]
        statuses = [server.ask("GET", "/metrics", headers={"Cookie": pair})[0] for pair in pairs]
        expect(place, "64 at a time, the newest", statuses, [401] + [200] * 64)
        for file in filter(pathlib.Path.is_file, place.sandbox.rglob("*")):
            if any(secret.encode() in file.read_bytes() for secret in (value, token)):
                raise place.Mismatch(f"{file} has a secret")
        expect(place, "said", [line for line in server.said if token in line], [])


CHECKS = [
    ("session: browsers", False, browser_sessions),
]
