"""--backend shell on the real adbd, in a phone's shell with a phone's tools: what is read of a dump, and what is sent
to input and am on releases that take it differently."""
import json
import unittest

import peer
import test_phones

SETTINGS = "com.android.settings"
setUpModule, tearDownModule = test_phones.setUpModule, test_phones.tearDownModule


class ShellBackend(test_phones.Phone):
    def answers(self, script, says="", **state):
        """One JSON document a command, and the words that the stub programs of the phone received."""
        self.has(**state)
        heard = test_phones.files.path / "heard"
        said = test_phones.files.path / "uiautomator_says"
        said.write_text(says)
        run = self.beside_adbd(f': >"$PHONE_STATE/heard"; hand="$claw --backend shell"; {script}; '
                               'echo "[heard]"; cat "$PHONE_STATE/heard"; echo "[files]"; phone "ls /data/local/tmp"')
        out, _, rest = run.out.partition(b"[heard]\n")
        calls, _, left = rest.partition(b"[files]\n")
        heard.unlink(missing_ok=True)
        said.unlink(missing_ok=True)
        self.assertNotIn(b"clawperator-", left, str(run))
        words = [call.split("\0") for call in calls.decode().split("\x1e")[:-1]]
        return [json.loads(line) for line in out.splitlines()], words, run.err

    def test_a_dump_is_read_and_a_node_of_it_tapped(self):
        """By the service from Android 12 on, by the program before. [T1]"""
        for sdk, tap in ((34, ["cmd", "input", "tap", "540", "90"]), (30, ["input", "tap", "540", "90"])):
            with self.subTest(sdk=sdk):
                (tree, click, opened), calls, _ = self.answers(
                    f'$hand snapshot --format compact; $hand click --text "Row 7"; $hand open {SETTINGS}', sdk=sdk)
                data = tree["envelope"]["stepResults"][0]["data"]
                self.assertIn('"Row 7"', data["text"])
                self.assertEqual((tree["backend"], data["foreground_package"]), ("shell", SETTINGS))
                self.assertEqual((click["envelope"]["status"], opened["envelope"]["error"]), ("success", None))
                self.assertIn(tap, calls)
                started = [call for call in calls if "start" in call]
                self.assertEqual([call[-2:] for call in started], [["-n", f"{SETTINGS}/.Main"]])

    def test_an_agent_looks_asserts_and_misses(self):
        """Of several nodes the n-th is tapped; what is not there is looked for once. [T1]"""
        (taken, holds, gone, waited, still, miss), calls, _ = self.answers(
            '$hand click --text-contains row --nth 5 --output brief; $hand assert --text "Row 7"; $hand assert --gone '
            '--text "Row 7" || true; '
            '$hand wait --gone --text Nowhere; $hand wait --still; $hand click --text "ROW 7" --patience 0 '
            '--output brief || true', sdk=34)
        self.assertTrue(taken["ok"] and taken["matches"] > 2, taken)
        self.assertEqual((holds["ok"], holds["matches"], gone["ok"], waited["ok"], still["still"]),
                         (True, 1, False, True, True))
        self.assertEqual((miss["ok"], miss["miss"]["foreground"]), (False, SETTINGS))
        self.assertIn('"Row 7"', "".join(miss["miss"]["near"]))
        self.assertEqual([call for call in calls if call[:3] == ["cmd", "input", "tap"]],
                         [["cmd", "input", "tap", "540", "78"]])

    def test_several_nodes_are_reported_and_the_screen_after_a_finger(self):
        """The first of those that fit is tapped, and named; a finger and a key are sent once, and the tree is read
        after them. [T1]"""
        (taken, swiped, pressed), calls, _ = self.answers(
            '$hand click --text-contains row --output brief; $hand swipe 540 90 540 20 --ms 50 --snapshot; $hand key '
            'home --snapshot --verify changed', sdk=34)
        data = taken["data"]
        self.assertTrue(int(data["matches"]) > 2 and data["taken"].startswith('"Row '), taken)
        self.assertEqual((taken["backend"], swiped["effect"]), ("shell", "unobserved"))
        for screen in (swiped, pressed):
            self.assertIn('"Row 7"', screen["tree"])
        # Its screencap gives one picture, whatever happens.
        self.assertEqual((pressed["effect"], pressed["proof"]), ("unchanged", "pixels"))
        sent = [call[2:] for call in calls if call[:2] == ["cmd", "input"]]
        self.assertEqual([call[0] for call in sent], ["tap", "swipe", "keyevent"], sent)
        self.assertEqual(sent[1], ["swipe", "540", "90", "540", "20", "50"])

    def test_a_screen_that_is_never_idle_ends_in_one_error_that_says_so(self):
        """Whatever the program's status is. [T1]"""
        idle = "ERROR: could not get idle state.\n"
        (first, second), calls, err = self.answers("$hand snapshot; $hand snapshot", says=idle * 3)
        data = first["envelope"]["stepResults"][0]["data"]
        self.assertEqual(data["error"], "SNAPSHOT_EXTRACTION_FAILED")
        self.assertIn("never became idle", data["message"])
        self.assertIn("</hierarchy>", second["envelope"]["stepResults"][0]["data"]["text"])
        self.assertEqual(len([call for call in calls if call[0] == "uiautomator"]), 4)
        self.assertIn("read once more", err)

    def test_a_video_is_ended_by_its_time_and_by_a_signal(self):
        """The shell becomes the recorder, so that its number is the recorder's; its file is fetched and taken away."""
        (whole, cut), calls, _ = self.answers('$claw record-video --seconds 1 --path "$PHONE_STATE/v.mp4"; '
                                              '(timeout -s INT 2 $claw record-video --seconds 50 --path '
                                              '"$PHONE_STATE/v.mp4" || true)')
        self.assertEqual([(video["bytes"], video["endedBy"]) for video in (whole, cut)],
                         [(100008, "time"), (100008, "signal")])
        self.assertEqual(len([call for call in calls if call[0] == "screenrecord"]), 2)


if __name__ == "__main__":
    unittest.main()
