"""`adb bugreport` on phones of every age, and commands that wait for their phone, beside the real adb."""
import pathlib
import shutil
import tempfile

import compare
import peer
from compare import Case

# $PHONE_STATE/bugreportz says what kind of phone it is.
BUGREPORTZ = r"""#!/bin/sh
kind=$(cat "$PHONE_STATE/bugreportz")
zip=$PHONE_STATE/bugreport-x.zip
case "$kind $1" in
  "none "*) echo "sh: bugreportz: not found" >&2; exit 127 ;;
  "silent -v") exit 0 ;;
  "1.0 -v" | "1.1 -v") echo "$kind" >&2 ;;
  *" -v") echo 1.1 >&2 ;;
  "1.0 ") head -c 100000 /dev/zero >"$zip"; echo "OK:$zip" ;;
  "1.1 -p") head -c 100000 /dev/zero >"$zip"; echo "BEGIN:$zip"; echo PROGRESS:1/2; printf 'OK:%s' "$zip" ;;
  "fails -p") echo "BEGIN:$zip"; echo "FAIL:no space left" ;;
  "mute -p") echo PROGRESS:1/2 ;;
  "odd -p") echo what; echo is this; echo "FAIL:odd" ;;
  "gone -p") echo "OK:$PHONE_STATE/none.zip" ;;
  *) echo "usage" >&2; exit 1 ;;
esac
"""
BUGREPORT = "#!/bin/sh\necho a plain report; echo of words >&2; exit 5\n"
BLUR = r"[0-9.]+ MB/s.*|[^ ']*/(theirs|ours)-[^/ ']*"


def bugreport(kind, *arguments):
    return Case("bugreport", *arguments, setup=f"echo {kind} >$PHONE_STATE/bugreportz; rm -f {{tmp}}/*",
                after="cd {tmp}; cksum * 2>/dev/null", blur=BLUR, same=("out", "err", "status", "after"))


REPORTS = [bugreport(kind, *arguments) for kind in ("none", "silent", "1.0", "1.1", "fails", "mute", "odd", "gone")
           for arguments in (("{tmp}",), ("{tmp}/named",), ("{tmp}/named.ZIP",))] + [
    bugreport("none"),
    bugreport("none", "--stream"),
    bugreport("1.1", "{tmp}/no/such/folder"),
    bugreport("1.1", "a", "b"),
]
WAITING = [Case("-s", "absent", *words, signal=("SIGINT", 1), same=("out", "err", "status"))
           for words in (("logcat", "-d"), ("bugreport", "{tmp}"))]


class Reports(peer.PeerTest):
    def setUp(self):
        super().setUp()
        self.userland = pathlib.Path(tempfile.mkdtemp(prefix="userland-"))
        self.addCleanup(shutil.rmtree, self.userland, ignore_errors=True)
        for name, text in {"bugreportz": BUGREPORTZ, "bugreport": BUGREPORT}.items():
            (self.userland / name).write_text(text)
            (self.userland / name).chmod(0o755)

    def test_of_phones_of_every_age(self):
        for route in ("direct", "server34"):
            compare.check(self, REPORTS, route, self.userland)

    def test_a_phone_that_is_not_there_is_waited_for(self):
        for route in compare.ROUTES:
            compare.check(self, WAITING, route, self.userland)
