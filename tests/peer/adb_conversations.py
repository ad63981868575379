"""Inside the namespace of a real adbd: runs command lines by every client and every route.

usage: adb_conversations.py BINARY ADB34 < plan.json > results.json

A plan (JSON) is a list of command lines (lists of words). Ways to run it, each on a fresh connection:
  real29, ours29     Debian's adb, and our binary, through Debian's own server
  real34, ours34     the same with trixie's adb 34 (absent when ADB34 is empty)
  direct             our binary without any server
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import limits

ROUTES = {"29": 5637, "34": 5638}
NO_SERVER = "5639"


def run(command, port):
    environment = os.environ | {"ANDROID_ADB_SERVER_PORT": str(port), "ADB_LOCAL_TRANSPORT_MAX_PORT": "5553"}
    try:
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=limits.scaled(20), check=False)
    except subprocess.TimeoutExpired:
        return {"status": "timeout", "out": "", "err": ""}
    return {"status": done.returncode, "out": done.stdout.decode(errors="replace"),
            "err": done.stderr.decode(errors="replace")}


def start_server(adb, port):
    server = subprocess.Popen([*adb, "-L", f"tcp:{port}", "nodaemon", "server"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env=os.environ | {"ADB_LOCAL_TRANSPORT_MAX_PORT": "5553", "ADB_MDNS": "0"})
    for _ in range(250):
        if run([*adb, "host-features"], port)["status"] == 0:
            return server
        time.sleep(0.02)
    raise SystemExit(f"the adb server {adb} did not start")


def converse(client, plan, port):
    return [run([*client, *words], port) for words in plan]


def main():
    binary, adb34 = sys.argv[1:3]
    plan = json.load(sys.stdin)
    link = pathlib.Path(tempfile.mkdtemp()) / "adb"
    link.symlink_to(binary)
    ours = [str(link)]
    results = {}
    for name, adb in (("29", ["adb"]), ("34", adb34.split())):
        if not adb:
            continue
        server = start_server(adb, ROUTES[name])
        results["real" + name] = converse(adb, plan, ROUTES[name])
        results["ours" + name] = converse(ours, plan, ROUTES[name])
        server.terminate()
        server.wait()
    # Without a server a forward stays until it is ended.
    alone = [[] if {"forward", "reverse"} & set(words) else words for words in plan]
    results["direct"] = converse(ours, alone, NO_SERVER)
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
