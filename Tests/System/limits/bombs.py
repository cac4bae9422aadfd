"""Small files that decompress to much, made without tools."""
import bz2
import gzip
import lzma
import struct
from collections.abc import Callable


COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress}


def zeros(compression: str, count: int) -> bytes:
    return zstd_zeros(count) if compression == "zstd" else COMPRESSORS[compression](bytes(count))


def member(compression: str, content: bytes) -> bytes:
    return zstd_raw(content) if compression == "zstd" else COMPRESSORS[compression](content)


BLOCK = 1 << 17


def zstd_start(window_log: int = 17) -> bytes:
    return b"\x28\xB5\x2F\xFD\x00" + bytes([window_log - 10 << 3])


def zstd_block(kind: int, size: int, is_last: bool, content: bytes) -> bytes:
    return struct.pack("<I", size << 3 | kind << 1 | is_last)[:3] + content


def zstd_zeros(count: int, window_log: int = 17) -> bytes:
    """A frame of blocks that repeat one byte: four bytes for 128 KiB."""
    sizes = [BLOCK] * (count // BLOCK) + ([count % BLOCK] if count % BLOCK else [])
    return zstd_start(window_log) + b"".join(
        zstd_block(1, size, index == len(sizes) - 1, b"\0") for index, size in enumerate(sizes))


def zstd_raw(content: bytes) -> bytes:
    pieces = [content[start:start + BLOCK] for start in range(0, max(1, len(content)), BLOCK)]
    return zstd_start() + b"".join(
        zstd_block(0, len(piece), index == len(pieces) - 1, piece) for index, piece in enumerate(pieces))
