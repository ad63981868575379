"""Skills repositories of our own making, and what the program answers about them."""
import json

MARKER = "[Clawperator-Skill-Result]"
LOOK = {"commandId": "{{COMMAND_ID}}", "taskId": "{{TASK_ID}}", "source": "test",
        "expectedFormat": "android-ui-automator", "timeoutMs": 30000,
        "actions": [{"id": "look", "type": "snapshot_ui"}]}


class Repository:
    """A folder with skills/skills-registry.json, which the commands that are run here get by a variable."""

    def __init__(self, place, folder="repo"):
        self.place, self.root, self.entries = place, place.sandbox / folder, []
        self.registry = self.root / "skills/skills-registry.json"
        self.registry.parent.mkdir(parents=True)
        self.save()

    def save(self):
        self.registry.write_text(json.dumps({"schemaVersion": "1.0", "skills": self.entries}, indent=2) + "\n")

    def add(self, skill_id, script="#!/bin/sh\n", name="run.sh", mode=0o755, artifacts=(), **manifest):
        """Its entry; `manifest` are further members of skill.json."""
        app, intent = skill_id.rsplit(".", 1)
        path = f"skills/{skill_id}"
        entry = {"id": skill_id, "applicationId": app, "intent": intent, "summary": f"Does {intent}", "path": path,
                 "skillFile": f"{path}/SKILL.md", "scripts": [f"{path}/scripts/{name}"],
                 "artifacts": [f"{path}/artifacts/{each}.recipe.json" for each in artifacts]}
        self.put(f"{path}/SKILL.md", f"---\nname: {skill_id}\ndescription: a fixture\n---\n")
        self.put(f"{path}/skill.json", json.dumps({**entry, **manifest}))
        self.put(entry["scripts"][0], script, mode)
        for artifact in entry["artifacts"]:
            self.put(artifact, json.dumps(LOOK))
        self.entries.append(entry)
        self.save()
        return entry

    def put(self, path, text, mode=0o644):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)
        return file

    def ask(self, *words, env=None, **options):
        """Exit code and document of `skills WORDS`: one line of JSON, and nothing on stderr."""
        done = self.place.run("skills", *words, env={**self.env(), **(env or {})}, **options)
        if done.stdout.count(b"\n") != 1 or done.stderr:
            raise self.place.Mismatch(f"{words}: {done.returncode} {done.stdout[:600]!r} {done.stderr[:600]!r}")
        return done.returncode, json.loads(done.stdout)

    def env(self):
        return {"CLAWPERATOR_SKILLS_REGISTRY": str(self.registry)}

    def refused(self, words, code, *parts, **options):
        status, error = self.ask(*words, **options)
        expect(self.place, f"{words}: {error}", (status, error.get("code")), (1, code))
        for part in parts:
            if part not in json.dumps(error, ensure_ascii=False):
                raise self.place.Mismatch(f"{words}: {part!r} is not in {error}")
        return error


def expect(place, what, found, wanted):
    if found != wanted:
        raise place.Mismatch(f"{what}: expected {wanted!r}, got {found!r}")


def files_below(folder):
    """What is there, byte for byte."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
