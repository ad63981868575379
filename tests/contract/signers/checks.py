"""The signer of the Operator app's packages: the first is remembered, another one refused until it is accepted. The
digests are hashlib's, of certificates that are made here."""
import hashlib
import json
import zipfile

from apk import MANIFEST, RELEASE, signed_apk
from download.checks import Web, downloads, environment, names, published
from own_phone import own_phone

OURS, THEIRS = b"our certificate", b"another certificate"
OTHER = "com.androperator.operator"
FLAG = "--accept-new-signer"


def sha256(certificate):
    return hashlib.sha256(certificate).hexdigest()


def expect(condition, what, place):
    if not condition:
        raise place.Mismatch(what)


def store(place):
    return place.sandbox / ".clawperator" / "operator_signers.json"


def stored(place):
    if not store(place).exists():
        return {}
    return {row["package"]: row["sha256"] for row in json.loads(store(place).read_text())["packages"]}


def answer(place, done, code=0):
    expect(done.returncode == code, f"exit {done.returncode}: {done.stdout[:600]} {done.stderr[:300]}", place)
    return json.loads(done.stdout)


def refused(place, done, package=RELEASE, known=OURS, found=(THEIRS,)):
    reply = answer(place, done, 1)
    expect(reply["code"] == "OPERATOR_SIGNER_CHANGED", f"{reply}", place)
    expect(FLAG in reply["hint"], f"{reply}", place)
    details = reply["details"]
    expect(details["package"] == package and details["expected"] == [sha256(known)], f"{reply}", place)
    expect(details["found"] == sorted(map(sha256, found)), f"{reply}", place)
    for digest in details["expected"] + details["found"]:
        expect(digest in reply["message"], f"{reply}", place)
    return reply


def download(place, web, apk, *words, version="0.12.5"):
    published(web, version, apk)
    return place.run("operator", "download", "--version", version, *words, env=environment(web))


def setup(place, content, *words):
    """No device is there: what passes ends with ADB_SERVER_FAILED."""
    (place.sandbox / "the.apk").write_bytes(content)
    return place.run("operator", "setup", "--apk", "the.apk", *words)


def passes(place, done):
    reply = answer(place, done, 1)
    expect(reply["code"] == "ADB_SERVER_FAILED", f"{reply}", place)


def a_download_by_another_signer(place):
    """[S14]"""
    ours, theirs = signed_apk({"v2": [OURS]}), signed_apk({"v2": [THEIRS]})
    with Web() as web:
        answer(place, download(place, web, ours))
        expect(stored(place) == {RELEASE: [sha256(OURS)]}, f"{stored(place)}", place)
        newer = signed_apk({"v2": [OURS], "v3": [OURS]}, padding=2000)
        answer(place, download(place, web, newer, version="0.12.6"))
        before = names(place)
        refused(place, download(place, web, theirs, version="0.12.7"))
        expect(set(names(place)) - set(before) == {"operator-v0.12.7.apk.part"}, f"{names(place)}", place)
        expect((downloads(place) / "operator.apk").read_bytes() == newer, "operator.apk", place)
        expect(stored(place) == {RELEASE: [sha256(OURS)]}, f"{stored(place)}", place)
        answer(place, download(place, web, theirs, FLAG, version="0.12.7"))
        expect((downloads(place) / "operator.apk").read_bytes() == theirs, "operator.apk", place)
        expect(stored(place) == {RELEASE: [sha256(THEIRS)]}, f"{stored(place)}", place)
        refused(place, download(place, web, signed_apk({"v2": [OURS]}, padding=3000), version="0.12.8"),
                known=THEIRS, found=[OURS])


def a_package_that_is_there_already(place):
    """[S14]"""
    with Web() as web:
        answer(place, download(place, web, signed_apk({"v2": [THEIRS]}), version="0.12.4"))
        store(place).unlink()
        ours = signed_apk({"v2": [OURS]})
        answer(place, download(place, web, ours))
        for words in ((), ("--out", str(downloads(place) / "operator-v0.12.4.apk"))):
            refused(place, download(place, web, signed_apk({"v2": [THEIRS]}), *words, version="0.12.4"))
            expect((downloads(place) / "operator.apk").read_bytes() == ours, "operator.apk", place)
        reply = answer(place, download(place, web, ours))
        expect(reply["alreadyPresent"] is True, f"{reply}", place)


def a_file_of_ones_own_stays(place):
    """[S14]"""
    out = place.sandbox / "mine.apk"
    ours = signed_apk({"v2": [OURS]})
    with Web() as web:
        answer(place, download(place, web, ours, "--out", str(out)))
        refused(place, download(place, web, signed_apk({"v3": [THEIRS]}), "--out", str(out)))
        expect(out.read_bytes() == ours, "mine.apk", place)


def what_cannot_be_read_is_refused_where_a_signer_is_known(place):
    """[S14]"""
    ours = signed_apk({"v2": [OURS]})
    with Web() as web:
        answer(place, download(place, web, ours))
        kept = names(place)
        hostile = {"no archive": b"no archive", "cut": ours[:-1], "unsigned": signed_apk(None),
                   "another app": signed_apk({"v2": [THEIRS]}, package="org.example.other"),
                   "no binary manifest": signed_apk({"v2": [OURS]}, manifest="<manifest/>"),
                   "a bomb": signed_apk({"v2": [OURS]}, manifest=bytes(64 << 20)),
                   "a lying block": ours.replace(b"\x1a\x87\x09\x71", b"\x1a\x87\x09\x71\xff", 1)}
        for i, (name, content) in enumerate(hostile.items()):
            reply = answer(place, download(place, web, content, version=f"0.13.{i}"), 1)
            expect(reply["code"] == "OPERATOR_SIGNER_CHANGED", f"{name}: {reply}", place)
            expect(f"operator-v0.13.{i}.apk" not in names(place), f"{name}: {names(place)}", place)
            reply = answer(place, setup(place, content, "--operator-package", RELEASE), 1)
            expect(reply["code"] == "OPERATOR_SIGNER_CHANGED", f"{name}: {reply}", place)
        expect((downloads(place) / "operator.apk").read_bytes() == ours, f"{kept} {names(place)}", place)
        expect(stored(place) == {RELEASE: [sha256(OURS)]}, f"{stored(place)}", place)


def what_cannot_be_read_is_for_android_where_none_is_known(place):
    """[S14]"""
    ours = signed_apk({"v2": [OURS]})
    contents = [b"no archive", signed_apk({"v2": []}), signed_apk({"v2": [OURS]}, manifest=bytes(64 << 20))]
    for content in contents + [ours[:size] for size in range(1, len(ours), 97)]:
        passes(place, setup(place, content))
        expect(not store(place).exists(), f"{content[:100]}: {stored(place)}", place)
    done = setup(place, signed_apk(None))
    passes(place, done)
    expect(b"no signature of APK Signature Scheme v2" in done.stderr, f"{done}", place)
    expect(not store(place).exists(), f"{stored(place)}", place)


def setup_before_any_device(place):
    """[S14]"""
    passes(place, setup(place, signed_apk({"v3": [OURS]}, compression=zipfile.ZIP_STORED)))
    expect(stored(place) == {RELEASE: [sha256(OURS)]}, f"{stored(place)}", place)
    passes(place, setup(place, signed_apk({"v2": [OURS], "v3": [OURS], "v3.1": [OURS]})))
    theirs = signed_apk({"v2": [OURS], "v3.1": [THEIRS]})
    reply = refused(place, setup(place, theirs), found=[OURS, THEIRS])
    expect(reply["install"] == {"ok": False, "error": reply["message"]}, f"{reply}", place)
    (place.sandbox / "the.apk").write_bytes(theirs)
    for words in (["setup"], ["install"], ["operator", "install"]):
        refused(place, place.run(*words, "--apk", "the.apk"), found=[OURS, THEIRS])
    expect(stored(place) == {RELEASE: [sha256(OURS)]}, f"{stored(place)}", place)
    for words in (["setup"], ["install"], ["operator", "install"], ["operator", "setup"]):
        store(place).write_text(json.dumps({"packages": [{"package": RELEASE, "sha256": [sha256(OURS)]}]}))
        passes(place, place.run(*words, "--apk", "the.apk", FLAG))
        expect(stored(place) == {RELEASE: sorted([sha256(OURS), sha256(THEIRS)])}, f"{stored(place)}", place)


def nothing_is_sent_to_the_phone(place):
    """[S14]"""
    with own_phone(place) as phone:
        there = ("--device", phone.serial, "--transport", "tcp")
        passes(place, setup(place, signed_apk({"v2": [OURS]})))
        # The simulated phone reads manifests in plain text alone: Android's part is to refuse it or not.
        plain = signed_apk({"v2": [THEIRS]}, manifest=MANIFEST.format(RELEASE, "9.9.9", 99_999_999),
                           compression=zipfile.ZIP_STORED)
        refused(place, setup(place, plain, *there), found=[])
        version = ("version", "--check-compat", *there)
        expect(b"9.9.9" not in place.run(*version).stdout, "it is installed", place)
        reply = answer(place, setup(place, plain, *there, FLAG))
        expect(reply["apkVersion"] == "9.9.9", f"{reply}", place)
        expect(stored(place) == {RELEASE: [sha256(OURS)]}, f"{stored(place)}", place)


def each_package_has_its_own(place):
    """[S14]"""
    passes(place, setup(place, signed_apk({"v2": [OURS]})))
    passes(place, setup(place, signed_apk({"v2": [THEIRS]}, package=OTHER)))
    expect(stored(place) == {RELEASE: [sha256(OURS)], OTHER: [sha256(THEIRS)]}, f"{stored(place)}", place)
    refused(place, setup(place, signed_apk({"v2": [OURS]}, package=OTHER)), OTHER, THEIRS, [OURS])
    passes(place, setup(place, signed_apk({"v2": [OURS]})))


def a_damaged_store(place):
    """[S14] [S12]"""
    store(place).parent.mkdir()
    damaged = '{"packages":[{"package":"com.cl'
    store(place).write_text(damaged)
    done = setup(place, signed_apk({"v2": [OURS]}))
    passes(place, done)
    aside = list(store(place).parent.glob("operator_signers.json.damaged-*"))
    expect(len(aside) == 1 and aside[0].read_text() == damaged, f"{aside}", place)
    expect(aside[0].name.encode() in done.stderr, f"{done}", place)
    expect(stored(place) == {RELEASE: [sha256(OURS)]}, f"{stored(place)}", place)
    expect(store(place).stat().st_mode & 0o777 == 0o600, f"{store(place).stat()}", place)
    refused(place, setup(place, signed_apk({"v2": [THEIRS]})))


CHECKS = [
    ("signers: a download by another signer does not become the target", False, a_download_by_another_signer),
    ("signers: nor does a package that is there already", False, a_package_that_is_there_already),
    ("signers: nor --out", False, a_file_of_ones_own_stays),
    ("signers: hostile files where a signer is known", False, what_cannot_be_read_is_refused_where_a_signer_is_known),
    ("signers: hostile files where none is known", False, what_cannot_be_read_is_for_android_where_none_is_known),
    ("signers: setup and its aliases, before any device", False, setup_before_any_device),
    ("signers: nothing is sent to the phone", False, nothing_is_sent_to_the_phone),
    ("signers: each package has its own", False, each_package_has_its_own),
    ("signers: a damaged store is kept aside", False, a_damaged_store),
]
