"""Digests that no log has made: their parts are as Documentation/Digests.md says, their content is not."""
from __future__ import annotations

import random
import struct
import zlib
from typing import Union

Value = Union[int, str, "list[Value]", "dict[str, Value]"]

# Days are counted from the year 1 on; this is 2026-11-20.
DAY = 719_530 + 20_777

# A visit of that day, by GET, answered with 200.
VISIT = DAY << 17 | 2 << 11 | 1 << 10 | 200


def number(value: int) -> bytes:
    """A number of variable length."""
    output = b""
    while value >= 0x80:
        output += bytes([value & 0x7F | 0x80])
        value >>= 7
    return output + bytes([value])


def text(value: bytes) -> bytes:
    return number(len(value)) + value


def named(value: Value) -> bytes:
    """A value of a summary."""
    if isinstance(value, int):
        return b"\0" + number(value << 1)
    if isinstance(value, str):
        return b"\1" + text(value.encode())
    if isinstance(value, list):
        return b"\2" + number(len(value)) + b"".join(map(named, value))
    return b"\3" + number(len(value)) + b"".join(text(name.encode()) + named(part) for name, part in value.items())


def block(kind: int, payload: bytes) -> bytes:
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    stored = compressor.compress(payload) + compressor.flush()
    header = struct.pack("<BBxxII", kind, 1, len(stored), len(payload))
    return header + struct.pack("<I", zlib.crc32(stored, zlib.crc32(header))) + stored


def summary(requests: int) -> bytes:
    moment: Value = {"seconds": 20_777 * 86_400, "offset": 0}
    return named({
        "inputs": [{"path": "x.log", "lines": requests, "requests": requests, "outside": 0, "settings": {}}],
        "days": [DAY], "times": [{"first": moment, "last": moment}]})


def digest(payload: bytes, count: int, first: bytes, summed: bytes) -> bytes:
    """A digest of one block of targets."""
    start = b"linkaudit digest" + struct.pack("<I", 1)
    content = start + struct.pack("<I", zlib.crc32(start)) + block(1, payload)
    checksum = struct.unpack("<I", content[36:40])[0]
    place = number(1) + number(len(content) - 24) + number(checksum) + number(count) + text(b"h.example")
    summary_offset = len(content)
    content += block(3, summed)
    end = struct.pack("<QQ", summary_offset, len(content))
    content += block(2, place + text(first[:256]))
    return content + end + struct.pack("<I", zlib.crc32(end)) + b"end\n"


def of_one_prefix(length: int, count: int) -> bytes:
    """A digest of targets each of which is the one before and a byte more."""
    first = b"/" + b"a" * length
    counts = b"\1\0\1\0"
    payload = number(1) + number(VISIT) + number(0) + number(count)
    payload += number(10) + b"h.example" + number(0) + text(first) + counts
    payload += b"".join(b"\0" + number(len(first) + index) + b"\1a" + counts for index in range(count - 1))
    return digest(payload, count, first, summary(count))


def of_many_values(count: int) -> bytes:
    """A digest whose summary has a list of numbers that nobody knows."""
    counts = b"\1\0\1\0"
    payload = number(1) + number(VISIT) + number(0) + number(1) + number(10) + b"h.example" + number(0)
    summed = summary(1)
    # Two members more: a list whose numbers take two bytes each, and enough that can't be compressed for the list not
    # to be refused for how far it expands.
    known = summed[2:]
    unknown = text(b"unknown") + b"\2" + number(count) + b"\0\0" * count
    ballast = text(b"ballast") + b"\1" + text(random.Random(1).randbytes(count // 40))
    return digest(payload + text(b"/a") + counts, 1, b"/a", b"\3" + number(5) + known + unknown + ballast)
