"""Packages as the simulated phone takes them: a zip with a manifest in plain text. And signed ones as Android has them:
a zip with a binary manifest and a signing block."""
import io
import struct
import zipfile

RELEASE = "com.clawperator.operator"
MANIFEST = ('<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="{}" '
            'android:versionName="{}" android:versionCode="{}"/>')


def write_apk(path, package=RELEASE, version="0.5.3", code=503900, padding=0):
    """`padding` more bytes, as a real package has them."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as apk:
        apk.writestr("AndroidManifest.xml", MANIFEST.format(package, version, code))
        apk.writestr("classes.dex", b"\0" * padding)
    return path


SCHEMES = {"v2": 0x7109871A, "v3": 0xF05368C0, "v3.1": 0x1B93AD61}


def prefixed(*pieces):
    content = b"".join(pieces)
    return struct.pack("<I", len(content)) + content


def xml_chunk(kind, header, body):
    return struct.pack("<HHI", kind, 8 + len(header), 8 + len(header) + len(body)) + header + body


def binary_manifest(package):
    strings = ["manifest", "package", package]
    texts = [struct.pack("<H", len(text)) + text.encode("utf-16-le") + b"\0\0" for text in strings]
    offsets = b"".join(struct.pack("<I", sum(map(len, texts[:i]))) for i in range(len(texts)))
    pool = xml_chunk(1, struct.pack("<5I", len(strings), 0, 0, 28 + len(offsets), 0), offsets + b"".join(texts))
    none = 0xFFFFFFFF
    attribute = struct.pack("<3IHBBI", none, 1, 2, 8, 0, 3, 2)
    element = xml_chunk(0x102, struct.pack("<II", 1, none),
                        struct.pack("<II6H", none, 0, 20, 20, 1, 0, 0, 0) + attribute)
    return xml_chunk(3, b"", pool + element)


def signing_block(signers):
    """{"v2": [certificate, ...]}: one signer for each certificate."""
    def signer(certificate):
        signed = prefixed(prefixed(b"digests"), prefixed(prefixed(certificate)), prefixed())
        return prefixed(signed, prefixed(b"signatures"), prefixed(b"key"))

    pairs = b""
    for scheme, certificates in signers.items():
        value = prefixed(*map(signer, certificates))
        pairs += struct.pack("<QI", len(value) + 4, SCHEMES[scheme]) + value
    size = struct.pack("<Q", len(pairs) + 24)
    return size + pairs + size + b"APK Sig Block 42"


def signed_apk(signers, package=RELEASE, manifest=None, padding=1000, compression=zipfile.ZIP_DEFLATED):
    """Nothing verifies the signature: it is none. `signers` None: no block."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as apk:
        content = binary_manifest(package) if manifest is None else manifest
        apk.writestr(zipfile.ZipInfo("AndroidManifest.xml"), content, compression)
        apk.writestr(zipfile.ZipInfo("classes.dex"), b"\0" * padding)
    content = file.getvalue()
    if signers is None:
        return content
    block = signing_block(signers)
    directory = struct.unpack_from("<I", content, len(content) - 6)[0]
    end = content[directory:-6] + struct.pack("<I", directory + len(block)) + content[-2:]
    return content[:directory] + block + end
