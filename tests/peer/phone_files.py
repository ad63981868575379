"""The state that the stub userland of the real adbd starts with: one screen, as tree and picture."""
import pathlib
import random
import struct
import zlib

WIDTH, HEIGHT = 1080, 2400
NODE = ('{indent}<node index="{index}" text="{text}" resource-id="com.android.settings:id/row_{index}" '
        'class="android.widget.TextView" package="com.android.settings" content-desc="" checkable="false" '
        'checked="false" clickable="{clickable}" enabled="true" focusable="false" focused="false" '
        'scrollable="false" long-clickable="false" password="false" selected="false" '
        'bounds="[0,{top}][1080,{bottom}]" />')


def hierarchy(size=60000):
    """About `size` bytes in the layout of the app's own log."""
    lines = ["<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>", '<hierarchy rotation="0">']
    written = 0
    while written < size:
        index = len(lines)
        lines.append(NODE.format(indent="  ", index=index, text=f"Row {index}", top=index * 12,
                                 clickable="true" if index % 3 == 0 else "false", bottom=index * 12 + 12))
        written += len(lines[-1]) + 1
    return "\n".join(lines + ["</hierarchy>"])


def pixels():
    """RGBA rows: a gradient, bands like list rows, and stripes that stand for text."""
    noise, rows = random.Random(1), []
    for y in range(HEIGHT):
        shade = 255 - y * 64 // HEIGHT
        row = bytearray(bytes((shade, shade, 255, 255)) * WIDTH)
        if y % 160 < 60 and y % 3:
            for x in range(160, 160 + 600 * 4, 4):
                row[x] = row[x + 1] = 32 * noise.getrandbits(2)
        rows.append(bytes(row))
    return rows


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(rows):
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 6, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows), 6)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def write_phone_files(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    rows = pixels()
    (folder / "hierarchy.xml").write_text(hierarchy())
    (folder / "screen.png").write_bytes(png(rows))
    rgba_8888, srgb = 1, 1
    (folder / "screen.raw").write_bytes(struct.pack("<IIII", WIDTH, HEIGHT, rgba_8888, srgb) + b"".join(rows))
    return folder
