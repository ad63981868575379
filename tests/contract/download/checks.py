"""operator download, against a web server that can misbehave."""
import hashlib
import json
import os
import pathlib
import resource
import signal
import subprocess
import time

from limits import LIMIT_S, scaled_word
from web_server import WebServer, certificate

VERSION = "0.12.5"
NAME = f"operator-v{VERSION}.apk"
PATH = f"/operator/v{VERSION}/{NAME}"
APK = bytes(range(256)) * 4096  # 1 MiB
SHA256 = hashlib.sha256(APK).hexdigest()


class Web(WebServer):
    """A web server: routes[path] = {"body", "status", "headers", ...}; `seen` lists the requests.
    `cut`: so many bytes are sent, then the connection ends. `stall`: nothing more comes."""

    def __init__(self, routes=None, tls=None):
        self.routes = routes or {}
        self.seen = []
        super().__init__(self.answer, tls)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def answer(self, request):
        wanted = request.headers.get("Range")
        self.seen.append(request.path + (f" {wanted}" if wanted else ""))
        route = self.routes.get(request.path, {"status": 404, "body": b"<html>no such page</html>"})
        body, status, headers = route.get("body", b""), route.get("status", 200), {}
        if wanted and route.get("ranges", True) and status == 200:
            start = int(wanted.split("=")[1].rstrip("-"))
            if start >= len(body):
                body, status = b"", 416
            else:
                headers["Content-Range"] = f"bytes {start}-{len(body) - 1}/{len(body)}"
                body, status = body[start:], 206
        headers = {**headers, "Content-Length": len(body), **route.get("headers", {})}
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name, str(value))
        request.end_headers()
        cut = route.pop("cut", None)
        request.wfile.write(body[:cut])
        request.wfile.flush()
        if route.get("stall"):
            self.done.wait(LIMIT_S)
        if cut is not None or route.get("stall"):
            request.close_connection = True


def published(web, version=VERSION, apk=APK):
    """The scheme of the real server."""
    digest = hashlib.sha256(apk).hexdigest()
    name = f"operator-v{version}.apk"
    path = f"/operator/v{version}/{name}"
    web.routes.update({
        "/operator/latest.json": {"body": json.dumps({"version": version}).encode()},
        path: {"body": apk},
        path + ".sha256": {"body": f"{digest}  {name}\n".encode()},
    })


def environment(web):
    return {"CLAWPERATOR_APK_METADATA_URL": web.base + "/operator/latest.json"}


def downloads(place):
    return place.sandbox / ".clawperator" / "downloads"


def names(place):
    folder = downloads(place)
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def expect(condition, what, place):
    if not condition:
        raise place.Mismatch(what)


def document(place, done, code):
    expect(done.returncode == code, f"exit {done.returncode}: {done.stdout[:400]} {done.stderr[:200]}", place)
    expect(done.stdout.count(b"\n") == 1, f"not one line: {done.stdout[:400]}", place)
    return json.loads(done.stdout)


def succeeded(place, done):
    reply = document(place, done, 0)
    expect(reply["ok"] is True, f"reply {reply}", place)
    expect(pathlib.Path(reply["path"]).read_bytes() == APK, "the file is another", place)
    expect(reply["sha256"] == SHA256 and reply["bytes"] == len(APK), f"reply {reply}", place)
    return reply


def failed(place, done, code):
    reply = document(place, done, 1)
    expect(reply["code"] == code, f"expected {code}, got {reply}", place)
    return reply


def by_default_the_version_it_is_meant_for(place):
    with Web() as web:
        published(web)
        reply = succeeded(place, place.run("operator", "download", env=environment(web)))
        expect(reply["version"] == VERSION and reply["url"] == web.base + PATH, f"reply {reply}", place)
        expect(reply["path"] == str(downloads(place) / NAME), f"reply {reply}", place)
        expect(reply["defaultPath"] == str(downloads(place) / "operator.apk"), f"reply {reply}", place)
        expect((reply["resumed"], reply["alreadyPresent"]) == (False, False), f"reply {reply}", place)
        expect((downloads(place) / "operator.apk").read_bytes() == APK, "operator.apk", place)
        expect(names(place) == [NAME, NAME + ".sha256", "operator.apk"], f"{names(place)}", place)
        checked = subprocess.run(["sha256sum", "-c", NAME + ".sha256"], cwd=downloads(place),
                                 capture_output=True, check=False)
        expect(checked.returncode == 0, f"sha256sum: {checked.stdout}{checked.stderr}", place)


def what_is_there_is_not_fetched_again(place):
    with Web() as web:
        published(web)
        succeeded(place, place.run("operator", "download", env=environment(web)))
        web.seen.clear()
        again = succeeded(place, place.run("operator", "download", env=environment(web)))
        expect(again["alreadyPresent"] is True, f"reply {again}", place)
        latest = succeeded(place, place.run("operator", "download", "--latest", env=environment(web)))
        expect(latest["alreadyPresent"] is True, f"reply {latest}", place)
        expect(PATH not in web.seen, f"asked for {web.seen}", place)
        (downloads(place) / NAME).write_bytes(b"damaged")
        third = succeeded(place, place.run("operator", "download", env=environment(web)))
        expect(third["alreadyPresent"] is False, f"reply {third}", place)
        expect((downloads(place) / "operator.apk").read_bytes() == APK, "operator.apk", place)


def what_is_there_needs_no_network(place):
    with Web() as web:
        published(web)
        succeeded(place, place.run("operator", "download", env=environment(web)))
    reply = succeeded(place, place.run("operator", "download", env={
        "CLAWPERATOR_APK_METADATA_URL": f"http://{place.closed}/operator/latest.json"}))
    expect(reply["alreadyPresent"] is True, f"reply {reply}", place)


def the_latest_is_what_the_metadata_says(place):
    with Web() as web:
        web.routes["/operator/latest.json"] = {"body": json.dumps({
            "version": "9.8.7", "apk_url": web.base + "/elsewhere.apk",
            "sha256_url": web.base + "/elsewhere.sum", "more": [1]}).encode()}
        web.routes["/elsewhere.apk"] = {"body": APK}
        web.routes["/elsewhere.sum"] = {"body": f"{SHA256} *operator-v9.8.7.apk\n".encode()}
        reply = succeeded(place, place.run("operator", "download", "--latest", env=environment(web)))
        expect(reply["version"] == "9.8.7", f"reply {reply}", place)
        expect(reply["path"].endswith("/operator-v9.8.7.apk"), f"reply {reply}", place)


def a_digest_in_the_metadata_is_enough(place):
    with Web() as web:
        web.routes["/operator/latest.json"] = {"body": json.dumps({
            "version": VERSION, "url": web.base + "/a.apk", "sha256": SHA256.upper()}).encode()}
        web.routes["/a.apk"] = {"body": APK}
        succeeded(place, place.run("operator", "download", env=environment(web)))
        expect(web.seen == ["/operator/latest.json", "/a.apk"], f"asked for {web.seen}", place)


def a_version_that_is_named(place):
    with Web() as web:
        published(web, "1.2.3")
        web.routes["/operator/latest.json"]["body"] = b'{"version":"4.5.6"}'
        for words in (["--version", "1.2.3"], ["--version=1.2.3"], ["--version", "v1.2.3"]):
            reply = succeeded(place, place.run("operator", "download", *words, env=environment(web)))
            expect(reply["version"] == "1.2.3", f"reply {reply}", place)
        web.routes.pop("/operator/latest.json")
        (downloads(place) / "operator-v1.2.3.apk").unlink()
        succeeded(place, place.run("operator", "download", "--version", "1.2.3", env=environment(web)))


def version_elsewhere_is_ours(place):
    for words in (["--version", "operator", "download"], ["operator", "--version"],
                  ["--device", "x", "--version", "operator", "download"], ["snapshot", "--version"]):
        done = place.run(*words)
        expect(done.returncode == 0 and done.stdout.count(b".") == 2 and b"{" not in done.stdout,
               f"{words}: {done}", place)


def words_that_make_no_sense(place):
    for words in (["--version"], ["--version", "latest"], ["--version", "../../x"], ["--version="],
                  ["--latest", "--version", "0.5.3"], ["0.5.3"], ["--out"], ["--out", "-"], ["--out="],
                  ["--version", "1.2.3", "--version", "1.2.4"], ["--nonsense"]):
        done = place.run("operator", "download", *words, env={
            "CLAWPERATOR_APK_METADATA_URL": f"http://{place.closed}/"})
        failed(place, done, "USAGE")
    for limit in ("soon", "0", "-5", "3600001"):
        failed(place, place.run("operator", "download", "--timeout", limit), "EXECUTION_VALIDATION_FAILED")


def only_the_release_is_published(place):
    done = place.run("operator", "download", "--operator-package", "com.clawperator.operator.dev")
    reply = failed(place, done, "UNSUPPORTED")
    expect("operator-debug.apk" in reply["hint"], f"reply {reply}", place)


def a_file_of_ones_own(place):
    with Web() as web:
        published(web)
        out = place.sandbox / "deep" / "my.apk"
        reply = succeeded(place, place.run("operator", "download", "--out", str(out), env=environment(web)))
        expect(reply["path"] == str(out) and "defaultPath" not in reply, f"reply {reply}", place)
        expect(names(place) == [] and list(out.parent.iterdir()) == [out], "more was written", place)
        again = succeeded(place, place.run("operator", "download", "--out", "deep/my.apk", env=environment(web)))
        expect(again["alreadyPresent"] is True, f"reply {again}", place)
        reply = failed(place, place.run("operator", "download", "--out", "deep", env=environment(web)),
                      "FILE_WRITE_FAILED")
        expect(reply["details"]["path"] == str(out.parent), f"reply {reply}", place)


def a_cut_download_goes_on_where_it_stopped(place):
    with Web() as web:
        published(web)
        web.routes[PATH]["cut"] = 300_000
        reply = failed(place, place.run("operator", "download", env=environment(web)),
                      "OPERATOR_DOWNLOAD_FAILED")
        expect(reply["details"]["url"] == web.base + PATH, f"reply {reply}", place)
        part = downloads(place) / (NAME + ".part")
        expect(names(place) == [NAME + ".part"] and part.read_bytes() == APK[:300_000], "part", place)
        reply = succeeded(place, place.run("operator", "download", env=environment(web)))
        expect(reply["resumed"] is True, f"reply {reply}", place)
        expect(web.seen[-1] == PATH + " bytes=300000-", f"asked for {web.seen}", place)
        expect(not part.exists(), "the part is still there", place)


def a_server_without_ranges_starts_over(place):
    with Web() as web:
        published(web)
        web.routes[PATH].update(cut=300_000, ranges=False)
        failed(place, place.run("operator", "download", env=environment(web)), "OPERATOR_DOWNLOAD_FAILED")
        reply = succeeded(place, place.run("operator", "download", env=environment(web)))
        expect(reply["resumed"] is False, f"reply {reply}", place)


def parts_that_do_not_fit(place):
    part = downloads(place) / (NAME + ".part")
    downloads(place).mkdir(parents=True)
    for content, resumed in ((APK, True), (APK + b"longer", False), (b"other" * 9, False),
                             (APK[:-1], True)):
        with Web() as web:
            published(web)
            part.write_bytes(content)
            reply = succeeded(place, place.run("operator", "download", env=environment(web)))
            expect(reply["resumed"] is resumed, f"{content[:9]}: {reply}", place)
        for name in names(place):
            (downloads(place) / name).unlink()


def a_wrong_part_of_the_file_is_refused(place):
    with Web() as web:
        published(web)
        web.routes[PATH]["headers"] = {"Content-Range": f"bytes 7-{len(APK) - 1}/{len(APK)}"}
        downloads(place).mkdir(parents=True)
        (downloads(place) / (NAME + ".part")).write_bytes(APK[:1000])
        reply = failed(place, place.run("operator", "download", env=environment(web)),
                      "OPERATOR_DOWNLOAD_FAILED")
        expect("was not requested" in reply["message"], f"answer {reply}", place)


def a_wrong_checksum_removes_the_file(place):
    with Web() as web:
        published(web)
        web.routes[PATH]["body"] = b"evil" + APK[4:]
        reply = failed(place, place.run("operator", "download", env=environment(web)),
                      "OPERATOR_CHECKSUM_FAILED")
        expect(reply["details"]["expected"] == SHA256, f"reply {reply}", place)
        expect(names(place) == [], f"left: {names(place)}", place)


def a_wrong_checksum_keeps_the_good_file(place):
    with Web() as web:
        published(web)
        succeeded(place, place.run("operator", "download", env=environment(web)))
        published(web, "1.0.0")
        web.routes["/operator/v1.0.0/operator-v1.0.0.apk"]["body"] = b"evil"
        failed(place, place.run("operator", "download", "--latest", env=environment(web)),
               "OPERATOR_CHECKSUM_FAILED")
        expect((downloads(place) / "operator.apk").read_bytes() == APK, "operator.apk", place)


def a_checksum_file_without_checksum(place):
    with Web() as web:
        published(web)
        web.routes[PATH + ".sha256"]["body"] = b"<html>not here</html>"
        failed(place, place.run("operator", "download", env=environment(web)), "OPERATOR_CHECKSUM_FAILED")
        expect(PATH not in web.seen and names(place) == [], f"{web.seen} {names(place)}", place)


def what_is_not_there(place):
    with Web() as web:
        published(web)
        for gone, words in ((PATH, []), (PATH + ".sha256", []),
                            ("/operator/latest.json", ["--latest"])):
            kept = web.routes.pop(gone)
            reply = failed(place, place.run("operator", "download", *words, env=environment(web)),
                          "OPERATOR_DOWNLOAD_FAILED")
            expect(reply["details"]["url"] == web.base + gone and "404" in reply["message"], f"reply {reply}", place)
            web.routes[gone] = kept
        expect(names(place) == [], f"left: {names(place)}", place)


def metadata_that_is_none(place):
    for body in (b"<html>log in to the network</html>", b"", b"[]", b'{"version":"x"}', b"\xff\xfe{}",
                 b'{"version":"0.5.3","url":"http://evil.example/a.apk"}', b"[" * 10000):
        with Web() as web:
            published(web)
            web.routes["/operator/latest.json"]["body"] = body
            reply = failed(place, place.run("operator", "download", "--latest", env=environment(web)),
                          "OPERATOR_METADATA_INVALID")
            expect(reply["details"]["url"] == web.base + "/operator/latest.json", f"reply {reply}", place)
            expect(names(place) == [], f"left: {names(place)}", place)


def a_version_needs_no_metadata(place):
    """Whatever is wrong with it: the package lies where its version says."""
    for wrong in ({"status": 404}, {"status": 500}, {"body": b"<html>log in</html>"},
                  {"body": b'{"version":"0.5.3","url":"http://evil.example/a.apk"}'},
                  {"body": b" " * 100_000}, {"status": 302, "headers": {"Location": "http://x.example/"}}):
        for words in ([], ["--version", VERSION]):
            with Web() as web:
                published(web)
                web.routes["/operator/latest.json"] = wrong
                reply = succeeded(place, place.run("operator", "download", *words, env=environment(web)))
                expect((reply["version"], reply["url"]) == (VERSION, web.base + PATH), f"reply {reply}", place)
                expect((downloads(place) / NAME).read_bytes() == APK, "the package", place)
            for file in downloads(place).iterdir():
                file.unlink()


def what_is_there_cannot_be_linked(place):
    """The error says that, and no request is sent."""
    with Web() as web:
        published(web)
        succeeded(place, place.run("operator", "download", env=environment(web)))
        (downloads(place) / "operator.apk").unlink()
        (downloads(place) / "operator.apk").mkdir()
        (downloads(place) / "operator.apk" / "x").write_bytes(b"")
        web.seen.clear()
        failed(place, place.run("operator", "download", env=environment(web)), "FILE_WRITE_FAILED")
        expect(web.seen == [], f"asked for {web.seen}", place)


def more_than_it_may_be(place):
    with Web() as web:
        published(web)
        web.routes["/operator/latest.json"]["body"] = b" " * 100_000
        failed(place, place.run("operator", "download", "--latest", env=environment(web)),
               "OPERATOR_DOWNLOAD_FAILED")
        published(web)
        web.routes[PATH]["headers"] = {"Content-Length": 400 << 20}
        reply = failed(place, place.run("operator", "download", env=environment(web)),
                      "OPERATOR_DOWNLOAD_FAILED")
        expect("longer than" in reply["message"], f"reply {reply}", place)


def no_server_there(place):
    reply = failed(place, place.run("operator", "download", env={
        "CLAWPERATOR_APK_METADATA_URL": f"http://{place.closed}/operator/latest.json"}),
        "OPERATOR_DOWNLOAD_FAILED")
    expect(reply["details"]["url"] == f"http://{place.closed}" + PATH + ".sha256", f"reply {reply}", place)
    expect(reply["details"]["apkUrl"] == f"http://{place.closed}" + PATH, f"reply {reply}", place)
    expect(f"http://{place.closed}" + PATH in reply["hint"], f"reply {reply}", place)
    reply = failed(place, place.run("operator", "download", "--output", "json", env={
        "CLAWPERATOR_APK_METADATA_URL": "https://no-such-host.invalid/latest.json"}),
        "OPERATOR_DOWNLOAD_FAILED")
    expect("https://no-such-host.invalid/" in reply["message"], f"reply {reply}", place)


def urls_that_are_refused(place):
    for url in ("http://192.0.2.1/latest.json", "ftp://x.example/latest.json", "latest.json",
                "file:///etc/passwd", "http://localhost.evil.example/x"):
        reply = failed(place, place.run("operator", "download", env={"CLAWPERATOR_APK_METADATA_URL": url},
                                       timeout=LIMIT_S), "OPERATOR_DOWNLOAD_FAILED")
        expect("not an https URL" in reply["message"], f"reply {reply}", place)


def redirects(place):
    with Web() as web:
        published(web)
        web.routes["/moved"] = web.routes[PATH]
        web.routes[PATH] = {"status": 302, "headers": {"Location": web.base + "/moved"}}
        reply = failed(place, place.run("operator", "download", env=environment(web)),
                      "OPERATOR_DOWNLOAD_FAILED")
        expect("/moved" not in web.seen, f"asked for {web.seen}", place)
        expect(reply["details"]["url"] == web.base + PATH, f"reply {reply}", place)


def certificates_are_checked(place):
    with Web(tls=certificate(place.sandbox)[0]) as web:
        published(web)
        reply = failed(place, place.run("operator", "download", env=environment(web)),
                      "OPERATOR_DOWNLOAD_FAILED")
        expect("certificate" in reply["message"], f"reply {reply}", place)
        expect(web.seen == [], f"asked for {web.seen}", place)
        trusted = {**environment(web), "SSL_CERT_FILE": str(place.sandbox / "ca.pem")}
        succeeded(place, place.run("operator", "download", env=trusted))


def redirects_lead_to_https_only(place):
    with Web(tls=certificate(place.sandbox)[0]) as web, Web() as plain:
        published(web)
        trusted = {**environment(web), "CURL_CA_BUNDLE": str(place.sandbox / "ca.pem")}
        web.routes["/moved"] = web.routes[PATH]
        web.routes[PATH] = {"status": 302, "headers": {"Location": plain.base + "/moved"}}
        plain.routes["/moved"] = web.routes["/moved"]
        failed(place, place.run("operator", "download", env=trusted), "OPERATOR_DOWNLOAD_FAILED")
        expect(plain.seen == [], f"asked for {plain.seen}", place)
        web.routes[PATH] = {"status": 302, "headers": {"Location": PATH}}
        failed(place, place.run("operator", "download", env=trusted), "OPERATOR_DOWNLOAD_FAILED")
        expect(web.seen.count(PATH) < 10, "it went round in circles", place)
        web.routes[PATH] = {"status": 302, "headers": {"Location": web.base + "/moved"}}
        succeeded(place, place.run("operator", "download", env=trusted))


def a_server_that_stalls(place):
    with Web() as web:
        published(web)
        web.routes[PATH].update(cut=1000, stall=True)
        reply = failed(place, place.run("operator", "download", "--timeout", scaled_word(3000), env=environment(web)),
                      "OPERATOR_DOWNLOAD_FAILED")
        expect(reply["details"]["url"] == web.base + PATH, f"reply {reply}", place)
        expect((downloads(place) / (NAME + ".part")).stat().st_size == 1000, "part", place)


def start(place, web, *words):
    return subprocess.Popen([place.binary, "operator", "download", *words], cwd=place.sandbox,
                            env={**place.env, **environment(web)}, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def wait_until(condition, what, place):
    deadline = time.monotonic() + LIMIT_S
    while not condition():
        expect(time.monotonic() < deadline, f"never: {what}", place)
        time.sleep(0.02)


def signals_end_it_and_keep_what_arrived(place):
    for number in (signal.SIGINT, signal.SIGTERM):
        with Web() as web:
            published(web)
            web.routes[PATH].update(cut=5000, stall=True)
            part = downloads(place) / (NAME + ".part")
            child = start(place, web)
            wait_until(lambda: part.is_file() and part.stat().st_size >= 5000, "bytes arrive", place)
            child.send_signal(number)
            child.communicate(timeout=LIMIT_S)
            expect(child.returncode == 128 + number, f"exit {child.returncode}", place)
            expect(part.stat().st_size >= 5000, "the part is gone", place)
            part.unlink()


def one_at_a_time(place):
    with Web() as web:
        published(web)
        web.routes[PATH].update(cut=5000, stall=True)
        part = downloads(place) / (NAME + ".part")
        first = start(place, web)
        wait_until(lambda: part.is_file() and part.stat().st_size >= 5000, "bytes arrive", place)
        failed(place, place.run("operator", "download", env=environment(web)),
               "EXECUTION_CONFLICT_IN_FLIGHT")
        first.terminate()
        first.communicate(timeout=LIMIT_S)


def places_that_cannot_be_written(place):
    with Web() as web:
        published(web)
        (place.sandbox / "file").write_text("in the way")
        for home in ("/proc/no-such-home", str(place.sandbox / "file")):
            reply = failed(place, place.run("operator", "download", env={**environment(web), "HOME": home}),
                          "FILE_WRITE_FAILED")
            expect(home in reply["details"]["path"], f"reply {reply}", place)
        reply = failed(place, place.run("operator", "download", "--out", "/proc/x.apk", env=environment(web)),
                      "FILE_WRITE_FAILED")
        for device in ("/dev/zero", "/dev/null"):
            failed(place, place.run("operator", "download", "--out", device, env=environment(web)),
                   "FILE_WRITE_FAILED")
        os.symlink(place.sandbox / "file", place.sandbox / "mine.apk.part")
        failed(place, place.run("operator", "download", "--out", "mine.apk", env=environment(web)),
               "FILE_WRITE_FAILED")
        expect((place.sandbox / "file").read_text() == "in the way", "it wrote through a link", place)


def small_disk():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))


def a_disk_that_runs_full(place):
    with Web() as web:
        published(web)
        reply = failed(place, place.run("operator", "download", env=environment(web), preexec_fn=small_disk),
                      "FILE_WRITE_FAILED")
        expect(reply["details"]["path"].endswith(NAME + ".part"), f"reply {reply}", place)
        expect(names(place) == [], f"left: {names(place)}", place)


def proxies(place):
    with Web() as web, Web() as proxy:
        published(web)
        succeeded(place, place.run("operator", "download", env={**environment(web), "http_proxy": proxy.base}))
        expect(proxy.seen == [], "a request to this computer left it", place)
        reply = failed(place, place.run("operator", "download", "--latest", env={
            "https_proxy": proxy.base, "CLAWPERATOR_APK_METADATA_URL": "https://x.invalid/latest.json"}),
            "OPERATOR_DOWNLOAD_FAILED")
        expect("501" in reply["message"], f"the proxy was not asked: {reply}", place)


def without_libcurl(place):
    (place.sandbox / "libcurl.so.4").write_text("no library")
    reply = failed(place, place.run("operator", "download", env={"LD_LIBRARY_PATH": str(place.sandbox)}),
                  "OPERATOR_DOWNLOAD_FAILED")
    expect("libcurl4" in reply["message"] and reply["details"]["url"].startswith("http"), f"reply {reply}", place)


def for_people(place):
    with Web() as web:
        published(web)
        done = place.run("operator", "download", "--output", "pretty", env=environment(web))
        text = done.stdout.decode()
        expect(done.returncode == 0 and SHA256 in text and NAME in text, f"reply {text}", place)
        expect("clawperator operator setup --apk" in text, f"reply {text}", place)
        expect(done.stderr == b"", f"stderr is no terminal, yet {done.stderr}", place)


CHECKS = [(check.__name__.replace("_", " "), False, check) for check in (
    by_default_the_version_it_is_meant_for, what_is_there_is_not_fetched_again,
    what_is_there_needs_no_network, the_latest_is_what_the_metadata_says,
    a_digest_in_the_metadata_is_enough, a_version_that_is_named, version_elsewhere_is_ours,
    words_that_make_no_sense, only_the_release_is_published, a_file_of_ones_own,
    a_cut_download_goes_on_where_it_stopped, a_server_without_ranges_starts_over,
    parts_that_do_not_fit, a_wrong_part_of_the_file_is_refused, a_wrong_checksum_removes_the_file,
    a_wrong_checksum_keeps_the_good_file, a_checksum_file_without_checksum, what_is_not_there,
    metadata_that_is_none, a_version_needs_no_metadata, what_is_there_cannot_be_linked, more_than_it_may_be,
    no_server_there, urls_that_are_refused, redirects,
    certificates_are_checked, redirects_lead_to_https_only, a_server_that_stalls,
    signals_end_it_and_keep_what_arrived, one_at_a_time, places_that_cannot_be_written,
    a_disk_that_runs_full, proxies, without_libcurl, for_people)]
