"""The page of `recording export --html` in a real browser: what it shows, and that a phone's words
stay words."""
import base64
import html.parser
import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest
import zlib

import peer
from limits import LIMIT_S

RECORDINGS = peer.ROOT / "tests/contract/recordings"
VOID = {"meta", "link", "br", "hr", "img", "input"}


def setUpModule():
    if not shutil.which("chromium"):
        raise unittest.SkipTest("no chromium in PATH (package chromium)")


class Dom(html.parser.HTMLParser):
    """Elements of a dumped document: tag, attributes, text of all inside."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        element = {"tag": tag, "attributes": dict(attributes), "text": ""}
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag):
        while self.open and self.open.pop()["tag"] != tag:
            pass

    def handle_data(self, data):
        for element in self.open:
            element["text"] += data

    def all(self, tag, css_class=None):
        return [e for e in self.elements if e["tag"] == tag and
                (css_class is None or css_class in e["attributes"].get("class", "").split())]


class Browser:
    def __init__(self, folder):
        self.folder = folder

    def run(self, *options, page, limit=2 * LIMIT_S):
        with tempfile.TemporaryDirectory(dir=self.folder) as profile:
            return subprocess.run(
                ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync",
                 "--disable-dev-shm-usage", f"--user-data-dir={profile}", *options, page.as_uri()],
                stdin=subprocess.DEVNULL, capture_output=True, timeout=limit, check=True,
                env=os.environ | {"HOME": profile})  # beside its profile it writes to ~/.config

    def dom(self, page):
        return self.run("--dump-dom", page=page).stdout.decode()

    def picture(self, page, width, height):
        target = self.folder / "page.png"
        self.run(f"--screenshot={target}", f"--window-size={width},{height}", "--hide-scrollbars", page=page)
        return png_rows(target.read_bytes())


def png_rows(data):
    """Width and the unfiltered rows of an 8-bit PNG, without a library."""
    width, height, _, colour = struct.unpack(">IIBB", data[16:26])
    channels = {2: 3, 6: 4}[colour]
    body, at = b"", 8
    while at < len(data):
        length, = struct.unpack(">I", data[at:at + 4])
        if data[at + 4:at + 8] == b"IDAT":
            body += data[at + 8:at + 8 + length]
        at += 12 + length
    raw, stride, rows, above = zlib.decompress(body), width * channels, [], bytes(width * channels)
    for row in range(height):
        line = raw[row * (stride + 1):(row + 1) * (stride + 1)]
        above = unfilter(line[0], bytearray(line[1:]), above, channels)
        rows.append(bytes(above))
    return channels, rows


def unfilter(kind, line, above, channels):
    for i in range(len(line)):
        left = line[i - channels] if i >= channels else 0
        corner = above[i - channels] if i >= channels else 0
        if kind == 1:
            line[i] = (line[i] + left) & 255
        elif kind == 2:
            line[i] = (line[i] + above[i]) & 255
        elif kind == 3:
            line[i] = (line[i] + (left + above[i]) // 2) & 255
        elif kind == 4:
            near = min((left, above[i], corner), key=lambda value: abs(left + above[i] - corner - value))
            line[i] = (line[i] + near) & 255
    return line


def solid_png(width, height, rgb):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes(rgb) * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class RecordingPage(peer.PeerTest):
    def export(self, name, *options):
        source = self.home.path / f"{name}.ndjson"
        shutil.copy(RECORDINGS / source.name, source)
        run = self.run_clawperator("recording", "export", "--input", source, "--html", *options,
                                   environment=self.home.environment())
        self.assert_ok(run)
        return pathlib.Path(run.json["htmlFile"])

    def setUp(self):
        super().setUp()
        self.browser = Browser(self.home.path)

    def test_every_event_is_there_in_order_with_its_tree_and_what_was_touched(self):
        """What was typed and the back key are steps, as what was clicked is. [F52]"""
        dom = Dom(self.browser.dom(self.export("whole")))
        events = dom.all("li", "event")
        self.assertEqual([e["attributes"]["class"].split()[1] for e in events],
                         ["window_change", "click", "window_change", "click", "scroll", "text_change", "press_key"])
        self.assertEqual([e["attributes"]["id"] for e in dom.all("li", "step")], ["event-1", "event-2", "event-4", "event-6", "event-7"])
        self.assertIn("2.2 s later", events[1]["text"])
        self.assertIn("1 min 06 s later", events[6]["text"])
        self.assertEqual(len(dom.all("pre", "tree")), 4)
        self.assertIn("Network & internet", dom.all("pre", "tree")[0]["text"])
        marked = [e["text"] for e in dom.all("mark")]
        self.assertEqual(len(marked), 2)
        self.assertIn("#switch", marked[1])
        touched = dom.all("rect", "touched")
        self.assertEqual([(e["attributes"]["x"], e["attributes"]["y"]) for e in touched],
                         [("0", "480"), ("840", "320")])

    def test_a_phones_words_stay_words(self):
        text = self.browser.dom(self.export("hostile"))
        dom = Dom(text)
        for tag in ("script", "iframe", "img", "object", "embed", "b"):
            self.assertEqual(dom.all(tag), [], tag)
        self.assertEqual([e["attributes"] for e in dom.elements
                          if any(name.startswith("on") or name == "style" for name in e["attributes"])], [])
        self.assertEqual([e["attributes"]["href"] for e in dom.all("a") if not e["attributes"]["href"].startswith("#")],
                         [])
        self.assertEqual(len(dom.all("style")), 1)
        title, = dom.all("title")
        self.assertTrue(title["text"].startswith("</title><script>"), title)
        self.assertEqual(len(dom.all("li", "event")), 4)
        self.assertIn("</script><script>document.title=", dom.all("li", "event")[1]["text"])
        self.assertNotIn("\u202e", text)

    def test_the_policy_forbids_everything_but_the_pages_own_style(self):
        page = self.export("whole")
        dom = Dom(page.read_text())
        policy, = [e["attributes"]["content"] for e in dom.all("meta")
                   if e["attributes"].get("http-equiv") == "Content-Security-Policy"]
        self.assertTrue(policy.startswith("default-src 'none'; img-src data:; style-src 'sha256-"), policy)
        # A script that somebody smuggles in anyway is not run, a style is not applied.
        smuggled = page.with_name("smuggled.html")
        smuggled.write_text(page.read_text().replace(
            "</body>", "<script>document.title='owned'</script><style>html,body{background:#0f0}</style></body>"))
        self.assertNotEqual(Dom(self.browser.dom(smuggled)).all("title")[0]["text"], "owned")
        # The browser does not paint every letter's edge alike each time: a few rows may differ.
        unguarded = page.with_name("unguarded.html")
        unguarded.write_text(smuggled.read_text().replace(policy, ""))
        self.assertLess(self.rows_unlike(page, smuggled), 150)
        self.assertGreater(self.rows_unlike(page, unguarded), 300)

    def rows_unlike(self, one, other):
        rows = [self.browser.picture(page, 800, 600)[1] for page in (one, other)]
        return sum(a != b for a, b in zip(*rows, strict=True))

    def test_it_is_painted(self):
        page = self.export("whole")
        channels, rows = self.browser.picture(page, 800, 1200)
        pixels = {row[i:i + 3] for row in rows for i in range(0, len(row), channels)}
        self.assertGreater(len(pixels), 50)  # text, lines, colours
        self.assertIn(bytes.fromhex("f6f7f9"), pixels)  # the style sheet was let in

    def test_a_screenshot_beside_the_recording_is_shown(self):
        picture = solid_png(108, 240, (1, 200, 3))
        (self.home.path / "login-1.png").write_bytes(picture)
        page = self.export("whole")
        dom = Dom(self.browser.dom(page))
        image, = dom.all("image")
        self.assertEqual(image["attributes"]["href"],
                         "data:image/png;base64," + base64.b64encode(picture).decode())
        export = json.loads(page.with_name("whole.export.json").read_text())
        self.assertEqual([(p["seq"], p["width"], p["height"]) for p in export["screenshots"]], [(1, 108, 240)])
        channels, rows = self.browser.picture(page, 800, 3000)
        green = sum(row[i:i + 3] == b"\x01\xc8\x03" for row in rows for i in range(0, len(row), channels))
        self.assertGreater(green, 1000)


if __name__ == "__main__":
    unittest.main()
