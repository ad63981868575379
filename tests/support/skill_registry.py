"""A registry of phone skills whose scripts a test lays out."""
import json


def write_registry(root, scripts, summary, more=None):
    """(its entries, its path): a skill for each name of `scripts`; `summary` of an intent; `more` in a skill.json."""
    entries = []
    for name, script in scripts.items():
        app, intent = name.rsplit(".", 1)
        path = f"skills/{name}"
        entry = {"id": name, "applicationId": app, "intent": intent, "summary": summary(intent), "path": path,
                 "skillFile": f"{path}/SKILL.md", "scripts": [f"{path}/scripts/run.sh"], "artifacts": []}
        entries.append(entry)
        (root / path / "scripts").mkdir(parents=True)
        (root / path / "SKILL.md").write_text(f"---\nname: {name}\n---\n")
        (root / path / "skill.json").write_text(json.dumps({**entry, **(more or {}).get(name, {})}))
        run = root / path / "scripts" / "run.sh"
        run.write_text("#!/bin/sh\n" + script)
        run.chmod(0o755)
    registry = root / "skills" / "skills-registry.json"
    registry.write_text(json.dumps({"schemaVersion": "1.0", "skills": entries}))
    return entries, registry
