"""A hub of skills, as its API is written down, in a thread: what it has is in memory, and it can misbehave."""
import email
import email.policy
import hashlib
import io
import json
import re
import threading
import urllib.parse
import zipfile

from limits import LIMIT_S
from web_server import WebServer

SEMVER = re.compile(r"v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?")
ORDER = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"


def sort_key(path):
    """ICU's root collation of an ASCII text."""
    return [ORDER.index(c.lower()) for c in path], [c.isupper() for c in path]


def fingerprint(files):
    lines = [f"{path}:{hashlib.sha256(files[path]).hexdigest()}" for path in sorted(files, key=sort_key)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def zipped(files):
    """By their names, whatever those are."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


class Failure(Exception):
    def __init__(self, status, text):
        super().__init__(text)
        self.status, self.text = status, text


class Fault:
    """What becomes of the next `times` requests whose path begins with `path`: another `status` and `body`, a body
    that is `cut` after so many bytes, or one that is held there until `released` is set."""

    def __init__(self, path, times=1, status=None, body=None, cut=None, hold=None, headers=None):
        self.path, self.times, self.status, self.body, self.cut, self.hold = path, times, status, body, cut, hold
        self.headers = headers or {}
        self.reached, self.released = threading.Event(), threading.Event()


class FakeHub(WebServer):
    def __init__(self, tls=None):
        self.skills, self.tokens, self.seen, self.faults = {}, {}, [], []
        self.published = []  # payload and files, as they came
        self.well_known = {}
        self.knows_owners, self.ambiguous = True, None  # the text of a 409 in place of the JSON
        super().__init__(self.answer, tls)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for fault in self.faults:
            fault.released.set()
        self.stop()

    def add(self, slug, version, files, name=None, owner="me"):
        """Under the key SLUG; one of several owners' is added as @OWNER/SLUG."""
        if slug.startswith("@"):
            owner = slug[1:].split("/")[0]
        skill = self.skills.setdefault(slug, {"name": name or slug.title(), "versions": {}, "latest": None,
                                              "moderation": None,
                                              "owner": owner, "deleted": False})
        skill["versions"][version] = dict(files)
        skill["latest"] = version

    def fault(self, path, **what):
        self.faults.append(Fault(path, **what))
        return self.faults[-1]

    def asked(self, path):
        return [each for each in self.seen if each["path"].startswith(path)]

    # --- answering ----------------------------------------------------------------------------

    def answer(self, request):
        url = urllib.parse.urlsplit(request.path)
        query = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
        body = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        self.seen.append({"method": request.command, "path": url.path, "query": query,
                          "headers": dict(request.headers)})
        fault = next((each for each in self.faults if each.times > 0 and url.path.startswith(each.path)), None)
        if fault:
            fault.times -= 1
        try:
            status, headers, text = 200, {"Content-Type": "application/json"}, self.route(request, url.path, query,
                                                                                          body)
            if isinstance(text, bytes):
                headers["Content-Type"] = "application/zip"
            else:
                text = json.dumps(text).encode()
        except Failure as failure:
            status, headers, text = failure.status, {"Content-Type": "text/plain; charset=utf-8"}, failure.text.encode()
        if fault:
            status = fault.status or status
            headers.update(fault.headers)
            text = fault.body if fault.body is not None else text
        self.send(request, status, headers, text, fault)

    def send(self, request, status, headers, body, fault):
        cut = fault.cut if fault else None
        hold = fault.hold if fault else None
        request.send_response(status)
        for name, value in {**headers, "Content-Length": len(body), "Cache-Control": "no-store"}.items():
            request.send_header(name, str(value))
        if hold is not None:
            body, rest = body[:hold], body[hold:]
        request.end_headers()
        request.wfile.write(body[:cut])
        request.wfile.flush()
        if hold is not None:
            fault.reached.set()
            fault.released.wait(LIMIT_S)
            request.wfile.write(rest)
        if cut is not None:
            request.close_connection = True

    def route(self, request, path, query, body):
        if path.startswith("/.well-known/"):
            return self.known(path.rsplit("/", 1)[1])
        parts = path.removeprefix("/api/v1/").split("/")
        if not path.startswith("/api/v1/"):
            raise Failure(404, "No matching routes found")
        kind = (request.command, parts[0], len(parts))
        if kind == ("GET", "search", 1):
            return {"results": self.search(query)}
        if kind == ("GET", "skills", 1):
            items = [self.listed(slug) for slug in self.skills if not self.skills[slug]["deleted"]]
            return {"items": items[:int(query.get("limit", 24))], "nextCursor": None}
        if kind == ("GET", "skills", 2):
            return self.meta(parts[1], query)
        if kind == ("GET", "skills", 4) and parts[2] == "versions":
            return self.version_files(parts[1], urllib.parse.unquote(parts[3]), query)
        if kind == ("GET", "resolve", 1):
            return self.resolve(query)
        if kind == ("GET", "download", 1):
            return self.download(query)
        user = self.user(request)
        if kind == ("GET", "whoami", 1):
            return {"user": {"handle": user, "displayName": user.title(), "image": None}}
        if kind == ("POST", "skills", 1):
            return self.publish(user, request.headers["Content-Type"], body)
        if kind in (("DELETE", "skills", 2), ("POST", "skills", 3)):
            return self.delete(user, parts[1], request.command == "DELETE")
        raise Failure(404, "No matching routes found")

    def known(self, name):
        if name not in self.well_known:
            raise Failure(404, "")
        return self.well_known[name]

    def user(self, request):
        token = (request.headers.get("Authorization") or "").removeprefix("Bearer ")
        if token not in self.tokens:
            raise Failure(401, "Unauthorized")
        return self.tokens[token]

    def find(self, slug, query=None):
        slug = urllib.parse.unquote(slug).strip().lower()
        owner = (query or {}).get("ownerHandle") if self.knows_owners else None
        found = [skill for key, skill in self.skills.items() if key.split("/")[-1] == slug and not skill["deleted"]
                 and owner in (None, skill["owner"])]
        if not found:
            raise Failure(404, "Skill not found")
        if len(found) > 1 and self.knows_owners:
            matches = [{"ownerHandle": each["owner"], "slug": slug, "ref": f"@{each['owner']}/{slug}"}
                       for each in found]
            raise Failure(409, self.ambiguous or json.dumps({"code": "AMBIGUOUS_SKILL_SLUG", "slug": slug,
                                                             "message": "Found multiple skills", "matches": matches}))
        return found[0]

    def search(self, query):
        words = query.get("q", "").lower().split()
        found = [slug for slug in self.skills if words and any(word in slug for word in words)]
        return [{"score": 1 / (1 + at), "slug": slug, "displayName": self.skills[slug]["name"],
                 "summary": "About " + slug,
                 "version": self.skills[slug]["latest"], "updatedAt": 1700000000000}
                for at, slug in enumerate(found[:int(query.get("limit", 10))])]

    def listed(self, slug):
        skill = self.skills[slug]
        return {"slug": slug, "displayName": skill["name"], "summary": "About " + slug,
                "tags": {"latest": skill["latest"]},
                "stats": {"downloads": 7}, "createdAt": 1700000000000, "updatedAt": 1700000000000,
                "latestVersion": self.version(skill)}

    @staticmethod
    def version(skill):
        if skill["latest"] is None:
            return None
        return {"version": skill["latest"], "createdAt": 1700000000000, "changelog": ""}

    def version_files(self, slug, version, query):
        skill = self.find(slug, query)
        if version not in skill["versions"]:
            raise Failure(404, "Version not found")
        files = [{"path": path, "size": len(content), "sha256": hashlib.sha256(content).hexdigest(),
                  "contentType": None} for path, content in skill["versions"][version].items()]
        return {"skill": {"slug": slug, "displayName": skill["name"]},
                "version": {"version": version, "createdAt": 1700000000000, "changelog": "", "files": files}}

    def meta(self, slug, query):
        skill = self.find(slug, query)
        listed = self.listed(next(key for key, each in self.skills.items() if each is skill))
        listed["slug"] = slug.lower()
        listed.pop("latestVersion")
        return {"skill": listed, "latestVersion": self.version(skill), "moderation": skill["moderation"],
                "owner": {"handle": skill["owner"],
"displayName": None, "image": None}}

    def resolve(self, query):
        if not query.get("slug") or not query.get("hash"):
            raise Failure(400, "Missing slug or hash")
        if not re.fullmatch("[0-9a-f]{64}", query["hash"]):
            raise Failure(400, "Invalid hash")
        skill = self.find(query["slug"], query)
        match = next((version for version, files in skill["versions"].items() if fingerprint(files) == query["hash"]),
                     None)
        return {"slug": query["slug"], "match": match and {"version": match},
                "latestVersion": skill["latest"] and {"version": skill["latest"]}}

    def download(self, query):
        skill = self.find(query.get("slug", ""), query)
        version = query.get("version", skill["latest"])
        if version not in skill["versions"]:
            raise Failure(404, "Version not found")
        return zipped(skill["versions"][version])

    def publish(self, user, content_type, body):
        if not content_type.startswith("multipart/form-data"):
            raise Failure(415, "Unsupported content type")
        form = email.message_from_bytes(b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + body,
                                        policy=email.policy.HTTP)
        fields = [(part.get_param("name", header="content-disposition"), part.get_filename(), part.get_content_type(),
                   part.get_payload(decode=True)) for part in form.iter_parts()]
        payload = json.loads(next(content for name, _, _, content in fields if name == "payload"))
        files = {filename: content for name, filename, _, content in fields if name == "files"}
        self.published.append((payload, files, [kind for name, _, kind, _ in fields if name == "files"]))
        if not re.fullmatch("[a-z0-9][a-z0-9-]*", payload["slug"]):
            raise Failure(400, "Slug must be lowercase and url-safe")
        if not SEMVER.fullmatch(payload["version"]):
            raise Failure(400, "Version must be valid semver")
        if not any(path.lower() in ("skill.md", "skills.md") for path in files):
            raise Failure(400, "SKILL.md is required")
        skill = self.skills.get(payload["slug"])
        if skill and skill["owner"] != user:
            raise Failure(400, "Only the owner can publish updates")
        if skill and payload["version"] in skill["versions"]:
            raise Failure(400, "Version already exists")
        self.add(payload["slug"], payload["version"], files, payload["displayName"], user)
        self.skills[payload["slug"]]["deleted"] = False
        return {"ok": True, "skillId": "skill-1", "versionId": "version-1", "embeddingId": "embedding-1"}

    def delete(self, user, slug, gone):
        skill = self.skills.get(slug)
        if not skill or skill["owner"] != user:
            raise Failure(401, "Unauthorized")
        skill["deleted"] = gone
        return {"ok": True}
