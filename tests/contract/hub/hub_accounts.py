"""hub login, logout, whoami, publish, delete, undelete: who a hub's user is, and that no other program learns it."""
import base64
import json
import os
import pathlib
import socket
import stat
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request

from fake_hub import FakeHub
from hub_place import document, environment, expect, failed, rows, run, succeeded, work
from limits import LIMIT_S
from web_server import certificate

TOKEN = "clh_secret0123456789"


def config(place):
    return pathlib.Path(place.env["HOME"]) / ".config/clawdhub/config.json"


def log_in(place, hub):
    hub.tokens[TOKEN] = "me"
    return succeeded(place, hub, "login", "--token", TOKEN)


def lacks_token(place, done):
    expect(TOKEN.encode() not in done.stdout + done.stderr, f"the token is shown: {done}", place)
    return done


def a_token_is_verified_and_kept_privately(place, hub):
    failed(place, hub, "HUB_NOT_LOGGED_IN", "whoami", says="Run: clawperator hub login")
    lacks_token(place, run(place, hub, "login", "--token", TOKEN))
    expect(not config(place).exists(), "a token that the hub does not know is not kept", place)
    answer = log_in(place, hub)
    expect((answer["handle"], answer["configPath"]) == ("me", str(config(place))), f"{answer}", place)
    expect(json.loads(config(place).read_text()) == {"registry": hub.base, "token": TOKEN}, "config", place)
    expect(stat.S_IMODE(config(place).stat().st_mode) == 0o600, "the file's mode", place)
    expect(stat.S_IMODE(config(place).parent.stat().st_mode) == 0o700, "the folder's mode", place)
    expect(succeeded(place, hub, "whoami") == {"handle": "me", "displayName": "Me"}, "whoami", place)
    expect(run(place, hub, "whoami", "--output", "pretty").stdout == b"me\n", "pretty", place)
    expect(succeeded(place, hub, "logout") == {"loggedOut": True}, "logout", place)
    expect(json.loads(config(place).read_text()) == {"registry": hub.base}, "config", place)
    failed(place, hub, "HUB_NOT_LOGGED_IN", "whoami")
    succeeded(place, hub, "logout")


def a_file_of_another_client_becomes_private(place, hub):
    config(place).parent.mkdir(parents=True)
    config(place).write_text(json.dumps({"registry": hub.base, "token": "old", "theirs": [1]}))
    config(place).chmod(0o644)
    log_in(place, hub)
    expect(stat.S_IMODE(config(place).stat().st_mode) == 0o600, "the file's mode", place)
    expect(json.loads(config(place).read_text())["theirs"] == [1], "what others wrote is gone", place)
    elsewhere = work(place) / "hub.json"
    for name in ("CLAWHUB_CONFIG_PATH", "CLAWDHUB_CONFIG_PATH"):
        failed(place, hub, "HUB_NOT_LOGGED_IN", "whoami", env={name: str(elsewhere)})
    for text in ("", "{", "[]", '{"token":7}', '{"token":" "}'):
        elsewhere.write_text(text)
        failed(place, hub, "HUB_NOT_LOGGED_IN", "whoami", env={"CLAWHUB_CONFIG_PATH": str(elsewhere)})


def a_token_comes_from_standard_input(place, hub):
    hub.tokens[TOKEN] = "me"
    done = subprocess.run([place.binary, "hub", "login", "--token", "-"], env={**place.env, **environment(hub)},
                          input=TOKEN.encode() + b"\n", capture_output=True, cwd=place.sandbox, check=False)
    expect(document(place, lacks_token(place, done))["loggedIn"] is True, f"{done}", place)
    for bad in ("", "a b", "aaaaaaa b", "aaaaaa\nb", "ääääääää", "1234567", "***", "x" * 4097):
        failed(place, hub, "USAGE", "login", "--token=" + bad, says="token")


def a_token_is_sent_to_its_hub_only(place, hub):
    log_in(place, hub)
    with FakeHub() as other:
        failed(place, other, "HUB_NOT_LOGGED_IN", "whoami", says=other.base)
        expect(all("Authorization" not in each["headers"] for each in other.seen), f"sent {other.seen}", place)
        # Of the login's own site the registry may be another.
        other.tokens[TOKEN] = "me"
        hub.well_known["clawdhub.json"] = {"apiBase": other.base}
        succeeded(place, hub, "whoami", env={"CLAWHUB_REGISTRY": ""})
        expect(other.seen[-1]["headers"]["Authorization"] == "Bearer " + TOKEN, "not sent", place)


def a_registry_that_a_redirect_names_gets_no_token(place, hub):
    """Who can make a site redirect names no registry for its users' tokens."""
    key, authority = certificate(work(place))
    asked = {"CURL_CA_BUNDLE": str(authority), "CLAWHUB_REGISTRY": ""}
    with FakeHub(key) as site, FakeHub(key) as other:
        site.tokens[TOKEN] = other.tokens[TOKEN] = "me"
        succeeded(place, site, "login", "--token", TOKEN, "--registry", site.base, env=asked)
        other.well_known["clawdhub.json"] = {"apiBase": other.base}
        site.fault("/.well-known/", times=9, status=302, body=b"",
                   headers={"Location": other.base + "/.well-known/clawdhub.json"})
        failed(place, site, "HUB_NOT_LOGGED_IN", "whoami", env=asked)
        expect(other.seen and all("Authorization" not in each["headers"] for each in other.seen), f"sent {other.seen}",
               place)
        other.add("there", "1.0.0", {"SKILL.md": b"x"})
        succeeded(place, site, "install", "there", env=asked)  # a download needs no token, and follows the redirect


def tokens_that_are_none_are_not_sent(place, hub):
    config(place).parent.mkdir(parents=True)
    for token in ("short", TOKEN + "\r\nX-Evil: 1", TOKEN + " x", "ä" * 20, "x" * 4097):
        config(place).write_text(json.dumps({"registry": hub.base, "token": token}))
        failed(place, hub, "HUB_NOT_LOGGED_IN", "whoami")
    expect(hub.seen == [], f"asked {hub.seen}", place)


def a_configuration_that_is_a_link_stays_one(place, hub):
    log_in(place, hub)
    dotfile = work(place) / "dotfile.json"
    config(place).rename(dotfile)
    dotfile.chmod(0o644)
    config(place).symlink_to(dotfile)
    log_in(place, hub)
    expect(config(place).is_symlink() and TOKEN in dotfile.read_text(), "written elsewhere", place)
    expect(stat.S_IMODE(dotfile.stat().st_mode) == 0o600, "the file's mode", place)
    newer = config(place).parent.parent / "clawhub/config.json"
    newer.parent.mkdir()
    newer.write_text(json.dumps({"registry": hub.base, "token": TOKEN, "theirs": 1}))
    succeeded(place, hub, "logout")
    expect(config(place).is_symlink() and json.loads(dotfile.read_text()) == {"registry": hub.base}, "the link's file",
           place)
    expect(json.loads(newer.read_text()) == {"registry": hub.base, "theirs": 1}, "the other name's file", place)
    newer.unlink()
    dotfile.unlink()  # a link to a file that is still to come
    log_in(place, hub)
    expect(config(place).is_symlink() and TOKEN in dotfile.read_text(), "written behind the link", place)


def a_token_comes_from_a_socket_and_in_time(place, hub):
    hub.tokens[TOKEN] = "me"
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(TOKEN.encode() + b"\n")
        done = subprocess.run([place.binary, "hub", "login", "--token", "-"], env={**place.env, **environment(hub)},
                              stdin=theirs,
                              capture_output=True, cwd=place.sandbox, check=False, timeout=LIMIT_S)
        expect(document(place, lacks_token(place, done))["loggedIn"] is True, f"{done}", place)
        done = subprocess.run([place.binary, "hub", "login", "--token", "-", "--timeout", "1000"], cwd=place.sandbox,
                              stdin=theirs,
                              env={**place.env, **environment(hub)}, capture_output=True, check=False, timeout=LIMIT_S)
        expect(document(place, done, 1)["code"] == "COMMAND_TIMEOUT", f"{done}", place)


def a_token_that_is_spelled_otherwise_is_not_shown(place, hub):
    token = "ab/cd+efgh12"
    hub.tokens[token] = "me"
    succeeded(place, hub, "login", "--token", token)
    for status, body in ((200, b'{"user":{"handle":"ab\\/cd+efgh12","displayName":"ab\\u002fcd\\u002befgh12"}}'),
                         (403, b"no: ab%2Fcd%2Befgh12, ab%2fcd+efgh12"), (403, b'{"error":"ab\\/cd\\u002Befgh12"}')):
        hub.fault("/api/v1/whoami", status=status, body=body)
        done = run(place, hub, "whoami")
        answer = json.dumps(json.loads(done.stdout))
        expect("***" in answer and "efgh12" not in answer, f"{done}", place)


def secrets_are_never_shown(place, hub):
    log_in(place, hub)
    for status, body in ((500, TOKEN.encode()), (401, b"bad token " + TOKEN.encode()),
                         (200, b'{"user":{"handle":"' + TOKEN.encode() + b'"}}'), (200, TOKEN.encode())):
        hub.fault("/api/v1/whoami", times=3, status=status, body=body)
        for words in (["whoami"], ["whoami", "--output", "pretty"], ["whoami", "--verbose"]):
            lacks_token(place, run(place, hub, *words))
        hub.faults.clear()
    for words in (["list"], ["search", "demo"], ["publish", "."], ["delete", "demo", "--yes"]):
        lacks_token(place, run(place, hub, *words))
    logs = pathlib.Path(place.env["HOME"]) / ".clawperator"
    shown = [path for path in logs.rglob("*") if path.is_file() and TOKEN in path.read_text(errors="replace")]
    expect(not shown, f"in {shown}", place)


def a_folder_is_published(place, hub):
    folder = work(place) / "My_Skill"
    (folder / "docs/deep").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    (folder / "node_modules").mkdir()
    files = {"SKILL.md": b"---\nname: x\n---\n", "docs/deep/a.json": b"{}", "docs/b \"q\".txt": b"\r\n--x--\r\n"}
    for name, content in {**files, ".hidden/a.md": b"", "node_modules/b.md": b"", "secret.env": b"KEY", "pic.png": b"",
                          ".gitignore": b"*.env\n"}.items():
        (folder / name).write_bytes(content)
    os.symlink("/etc/passwd", folder / "link.md")
    words = ("publish", "./My_Skill", "--version", "1.2.0", "--changelog", "Fixes + docs")
    failed(place, hub, "HUB_NOT_LOGGED_IN", *words)
    log_in(place, hub)
    answer = succeeded(place, hub, *words)
    expect((answer["slug"], answer["version"], answer["versionId"], answer["files"]) ==
           ("my-skill", "1.2.0", "version-1", 3), f"{answer}", place)
    payload, sent, types = hub.published[0]
    expect(payload == {"slug": "my-skill", "displayName": "My Skill", "version": "1.2.0", "changelog": "Fixes + docs",
                       "tags": ["latest"]}, f"sent {payload}", place)
    expect({name.replace("%22", '"'): content for name, content in sent.items()} == files, f"sent {sent}", place)
    expect(sorted(types) == ["application/json", "text/markdown", "text/plain"], f"types {types}", place)
    answer = failed(place, hub, "HUB_REQUEST_FAILED", *words, says="Version already exists")
    expect(answer["details"]["status"] == 400, f"{answer}", place)
    succeeded(place, hub, "publish", str(folder), "--slug", "other", "--name", "N", "--version", "v1.0.0-rc.1",
              "--tags",
              " a, ,b", "--fork-of", "demo@1.0.0")
    payload = hub.published[-1][0]
    expect((payload["slug"], payload["tags"], payload["forkOf"])
           == ("other", ["a", "b"], {"slug": "demo", "version": "1.0.0"}),
           f"sent {payload}", place)
    # Round trip: what was published is what is installed, and is recognised.
    succeeded(place, hub, "install", "my-skill")
    expect(succeeded(place, hub, "update", "my-skill")["updates"][0]["status"] == "up_to_date", "round trip", place)


def a_lost_answer_is_reported(place, hub):
    log_in(place, hub)
    (work(place) / "mine").mkdir()
    (work(place) / "mine/SKILL.md").write_text("a")
    hub.fault("/api/v1/skills", cut=3)
    answer = failed(place, hub, "HUB_REQUEST_FAILED", "publish", "mine", "--version", "1.0.0",
                    says="Version already exists (an earlier")
    expect(answer["details"]["status"] == 400 and len(hub.published) == 2, f"{answer}", place)


def what_cannot_be_published(place, hub):
    log_in(place, hub)
    (work(place) / "empty").mkdir()
    (work(place) / "none").mkdir()
    (work(place) / "none/a.md").write_text("a")
    (work(place) / "file.md").write_text("a")
    (work(place) / "good").mkdir()
    (work(place) / "good/skill.md").write_text("a")
    hub.seen.clear()
    for words, says in ((("empty", "--version", "1.0.0"), "No files found"),
                        (("none", "--version", "1.0.0"), "SKILL.md required"),
                        (("file.md", "--version", "1.0.0"), "Path must be a folder"),
                        (("nowhere", "--version", "1.0.0"), "Path must be a folder"), (("good",), "valid semver"),
                        (("good", "--version", "v1"), "valid semver"),
                        (("good", "--version", "1.0.0", "--slug", "A_b"), "slug"),
                        (("good", "--version", "1.0.0", "--fork-of", "demo@x"), "--fork-of")):
        failed(place, hub, "USAGE", "publish", *words, says=says)
    expect(hub.seen == [], f"asked {hub.seen}", place)


def a_skill_goes_and_comes_back(place, hub):
    failed(place, hub, "HUB_NOT_LOGGED_IN", "delete", "demo", "--yes")
    log_in(place, hub)
    expect(succeeded(place, hub, "delete", "Demo", "--yes") == {"deleted": True, "slug": "demo"}, "delete", place)
    expect((hub.seen[-1]["method"], hub.seen[-1]["path"]) == ("DELETE", "/api/v1/skills/demo"), f"{hub.seen[-1]}",
           place)
    failed(place, hub, "HUB_SKILL_NOT_FOUND", "install", "demo")
    expect(succeeded(place, hub, "undelete", "demo", "--yes") == {"undeleted": True, "slug": "demo"}, "undelete", place)
    expect((hub.seen[-1]["method"], hub.seen[-1]["path"]) == ("POST", "/api/v1/skills/demo/undelete"),
           f"{hub.seen[-1]}", place)
    hub.skills["demo"]["owner"] = "somebody"
    failed(place, hub, "HUB_NOT_LOGGED_IN", "delete", "demo", "--yes", says="Unauthorized")
    hub.fault("/api/v1/skills/demo", body=b'{"ok":false}')
    hub.skills["demo"]["owner"] = "me"
    failed(place, hub, "HUB_REQUEST_FAILED", "delete", "demo", "--yes", says="API response: ok")


class Browser:
    """What opens the page of a login: it plays the hub's page and ours."""

    def __init__(self, place, hub, *words, env=None):
        folder = work(place) / "bin"
        folder.mkdir(exist_ok=True)
        opener = folder / "xdg-open"
        opener.write_text(
            f'#!/bin/sh\necho "$1" > {work(place)}/opened.tmp\nmv {work(place)}/opened.tmp {work(place)}/opened\n')
        opener.chmod(0o755)
        env = {**place.env, "PATH": f"{folder}:{place.env['PATH']}", **environment(hub), **(env or {})}
        self.child = subprocess.Popen([place.binary, "hub", "login", *words], env=env, cwd=place.sandbox,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      text=True)
        printed = self.child.stderr.readline()
        self.printed = printed
        self.url = urllib.parse.urlsplit(printed.split(": ", 1)[1].strip())
        self.query = dict(urllib.parse.parse_qsl(self.url.query))
        self.base = self.query["redirect_uri"].removesuffix("/callback")

    def ask(self, path, body=None, **headers):
        request = urllib.request.Request(self.base + path, data=body and json.dumps(body).encode(), headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def end(self):
        out, _ = self.child.communicate(timeout=LIMIT_S)
        return self.child.returncode, json.loads(out)


def a_login_by_the_browser(place, hub):
    hub.tokens[TOKEN] = "me"
    browser = Browser(place, hub, "--label", "my <laptop>")
    expect(browser.url.geturl().startswith(hub.base + "/cli/auth?redirect_uri="), f"{browser.printed}", place)
    label = browser.query["label_b64"]
    expect(base64.urlsafe_b64decode(label + "=" * (-len(label) % 4)) == b"my <laptop>", f"{browser.query}", place)
    expect(len(browser.query["state"]) == 32 and int(browser.query["state"], 16) >= 0, f"{browser.query}", place)
    expect(browser.base.startswith("http://127.0.0.1:"), f"{browser.query}", place)
    status, page = browser.ask("/callback?x=1")
    expect(status == 200 and "location.hash" in page, f"{status} {page}", place)
    expect(browser.ask("/other")[0] == 404 and browser.ask("/callback", Host="evil.example")[0] == 403, "strangers",
           place)
    status, answer = browser.ask("/token", {"token": TOKEN, "registry": f"http://{place.closed}",
                                            "state": browser.query["state"]})
    expect((status, json.loads(answer)) == (200, {"ok": True}), f"{status} {answer}", place)
    code, reply = browser.end()
    expect(code == 0 and reply["handle"] == "me" and reply["registry"] == hub.base, f"{code} {reply}", place)
    expect((work(place) / "opened").read_text().strip() == browser.url.geturl(), "the browser was opened", place)
    expect(json.loads(config(place).read_text())["token"] == TOKEN, "config", place)


def a_sites_token_goes_to_no_other_registry(place, hub):
    """Of a registry that is named by hand the site knows nothing."""
    with FakeHub() as other:
        other.tokens[TOKEN] = "me"
        for brought in ({"registry": hub.base}, {"registry": f"http://{place.closed}"}, {"registry": None}, {}):
            browser = Browser(place, hub, "--no-browser", "--registry", other.base, "--site", hub.base)
            expect(browser.url.geturl().startswith(hub.base + "/cli/auth?"), f"{browser.printed}", place)
            status, answer = browser.ask("/token", {"token": TOKEN, "state": browser.query["state"], **brought})
            expect((status, json.loads(answer)) == (400, {"ok": False}), f"{status} {answer}", place)
            code, reply = browser.end()
            expect(code == 1 and reply["code"] == "HUB_NOT_LOGGED_IN" and "another registry" in reply["message"],
                   f"{reply}", place)
        expect(other.seen == [] and not config(place).exists(), f"sent {other.seen}", place)
        # One whose pages are elsewhere says for whom its token is.
        browser = Browser(place, hub, "--no-browser", "--registry", other.base, "--site", hub.base)
        browser.ask("/token", {"token": TOKEN, "state": browser.query["state"], "registry": other.base + "/"})
        code, reply = browser.end()
        expect(code == 0 and reply["registry"] == other.base, f"{reply}", place)


def a_registry_that_is_named_has_its_own_pages(place, hub):
    hub.tokens[TOKEN] = "me"
    for auth, pages in ((None, hub.base), (hub.base + "/people", hub.base + "/people")):
        hub.well_known["clawdhub.json"] = {"apiBase": "https://other.example", **({"authBase": auth} if auth else {})}
        browser = Browser(place, hub, "--no-browser", env={"CLAWHUB_SITE": ""})
        expect(browser.url.geturl().startswith(pages + "/cli/auth?"), f"{browser.printed}", place)
        browser.ask("/token", {"token": TOKEN, "state": browser.query["state"], "registry": hub.base})
        code, answer = browser.end()
        expect(code == 0 and answer["registry"] == hub.base, f"{answer}", place)
    # Pages that a registry names elsewhere may be another hub's: their token is for whom they say.
    hub.well_known["clawdhub.json"] = {"apiBase": hub.base, "authBase": "https://other.example"}
    browser = Browser(place, hub, "--no-browser", env={"CLAWHUB_SITE": ""})
    browser.ask("/token", {"token": TOKEN, "state": browser.query["state"], "registry": "https://other.example"})
    code, answer = browser.end()
    expect(code == 1 and answer["code"] == "HUB_NOT_LOGGED_IN", f"{answer}", place)


def a_login_that_is_not_this_one(place, hub):
    hub.tokens[TOKEN] = "me"
    for body in ({"token": TOKEN, "registry": hub.base, "state": "0" * 32}, {"token": TOKEN},
                 {"token": "", "state": "x"},
                 ["x"], {"token": 7, "state": "x"}):
        browser = Browser(place, hub, "--no-browser")
        status, answer = browser.ask("/token", body)
        expect((status, json.loads(answer)) == (400, {"ok": False}), f"{status} {answer}", place)
        code, error = browser.end()
        expect(code == 1 and error["code"] == "HUB_NOT_LOGGED_IN", f"{code} {error}", place)
    expect(not config(place).exists() and not (work(place) / "opened").exists(), "kept, or a browser opened", place)


def a_login_without_an_answer(place, hub):
    browser = Browser(place, hub, "--no-browser", "--timeout", "1000")
    code, answer = browser.end()
    expect(code == 1 and answer["code"] == "COMMAND_TIMEOUT", f"{code} {answer}", place)
    browser = Browser(place, hub, "--no-browser")
    threading.Timer(0, browser.child.terminate).start()
    code, answer = browser.end()
    expect(code == 143 and answer["code"] == "CANCELLED", f"{code} {answer}", place)


CHECKS = rows(
    a_token_is_verified_and_kept_privately, a_file_of_another_client_becomes_private, a_token_comes_from_standard_input,
    a_token_is_sent_to_its_hub_only, a_registry_that_a_redirect_names_gets_no_token, tokens_that_are_none_are_not_sent,
    a_configuration_that_is_a_link_stays_one, a_token_comes_from_a_socket_and_in_time,
    a_token_that_is_spelled_otherwise_is_not_shown, secrets_are_never_shown, a_folder_is_published,
    a_lost_answer_is_reported, what_cannot_be_published, a_skill_goes_and_comes_back, a_login_by_the_browser,
    a_sites_token_goes_to_no_other_registry, a_registry_that_is_named_has_its_own_pages, a_login_that_is_not_this_one,
    a_login_without_an_answer)
