"""skills run beside the real adbd: the phone's readiness is checked in a phone's own shell with a phone's own
tools."""
import json
import pathlib
import tempfile
import unittest

import test_phones

setUpModule, tearDownModule = test_phones.setUpModule, test_phones.tearDownModule


class SkillsRun(test_phones.Phone):
    def run_skill(self, **state):
        self.has(**state)
        with tempfile.TemporaryDirectory(prefix="skills-") as folder:
            root = pathlib.Path(folder)
            path = root / "skills/a.see"
            entry = {"id": "a.see", "applicationId": "a", "intent": "see", "summary": "Sees", "path": "skills/a.see",
                     "skillFile": "skills/a.see/SKILL.md", "scripts": ["skills/a.see/scripts/run.sh"], "artifacts": []}
            (path / "scripts").mkdir(parents=True)
            (path / "SKILL.md").write_text("sees\n")
            (path / "skill.json").write_text(json.dumps(entry))
            script = path / "scripts/run.sh"
            script.write_text(
                '#!/bin/sh\nexec "$CLAWPERATOR_BIN" --transport tcp adb -s "$1" shell "echo seen by \\$KSH_VERSION"\n')
            script.chmod(0o755)
            registry = root / "skills/skills-registry.json"
            registry.write_text(json.dumps({"skills": [entry]}))
            run = self.beside_adbd(f"CLAWPERATOR_SKILLS_REGISTRY={registry} $claw skills run a.see || true")
            return json.loads(run.out)

    def test_awake_and_unlocked_it_runs(self):
        """Also where a phone reports nothing of its lock screen. [T1]"""
        for state in ({}, {"keyguard": "unknown"}):
            answer = self.run_skill(**state)
            self.assertEqual((answer.get("status"), answer.get("exitCode")), ("success", 0), answer)
            self.assertIn("seen by @(#)MIRBSD KSH", answer["output"])

    def test_a_screen_that_is_off_or_locked_is_refused(self):
        """Android's words for it. [T1]"""
        for state, details in (({"wakefulness": "Asleep"}, {"awake": False, "locked": False}),
                               ({"wakefulness": "Dozing", "keyguard": "true"}, {"awake": False, "locked": True}),
                               ({"keyguard": "true"}, {"awake": True, "locked": True})):
            answer = self.run_skill(**state)
            self.assertEqual(answer["code"], "DEVICE_NOT_INTERACTIVE", answer)
            self.assertEqual({name: answer["details"][name] for name in details}, details)


if __name__ == "__main__":
    unittest.main()
