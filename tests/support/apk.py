"""Packages as the simulated phone takes them: a zip with a manifest in plain text."""
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
