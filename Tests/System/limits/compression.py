"""Compressed logs that are small and hold much, or nothing: what they cost, and what is said of them.

Where reading ends, ExpansionTests assert for all formats, limits and buffers.
"""
import bz2
import gzip
import lzma
from collections.abc import Callable

from limits.world import World
from support.cases import case
from support.command import MIB
from support.inputs import line

GOOD = b"".join(line(number, target="/buy/%d" % number) for number in range(300))
COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress}


def zstd(content: bytes, window_log: int = 17) -> bytes:
    """A frame of one block of bytes as they are, below 128 KiB."""
    return b"\x28\xB5\x2F\xFD\x00%c" % (window_log - 10 << 3) + (len(content) << 3 | 1).to_bytes(3, "little") + content


def zstd_zeros(blocks: int, window_log: int = 17) -> bytes:
    """A frame of blocks that repeat a zero: four bytes for 128 KiB."""
    return zstd(b"", window_log)[:6] + b"\2\0\x10\0" * (blocks - 1) + b"\3\0\x10\0"


@case
def small_bombs_end_in_a_message(world: World) -> None:
    bombs = {name: COMPRESSORS[name](bytes(size * MIB)) for name, size in (("gzip", 8), ("bzip2", 45), ("xz", 64))}
    for compression, bomb in {**bombs, "zstd": zstd_zeros(9)}.items():
        name = "bomb." + compression
        world.write(name, bomb)
        outcome = world.report(name)
        world.ends(outcome, 2, 160, compression)
        world.check_says(outcome, name, "'--max-expansion'", "only the first %d bytes" % max(65_536, 1_000 * len(bomb)))
        report = outcome.report()
        file = report["input"]["files"][0]
        world.equal(file["status"], "truncated", compression)
        world.check("more than 1000 times" in file["damage"], compression)
        remedies = {finding["code"]: finding["remedy"] for finding in report["findings"]}
        world.check("--max-expansion" in remedies["input-incomplete"], "%s: %s" % (compression, remedies))
    for form in ("text", "html"):
        outcome = world.report("bomb.zstd", "--format", form, statuses=(2,))
        world.check("--max-expansion" in outcome.text.replace("\n", " "), form + " doesn't tell of it")


@case
def more_can_be_allowed(world: World) -> None:
    """By the command line and the configuration; a bomb keeps nobody from reading other logs."""
    world.write("logs/good.log", GOOD)
    # Good lines, much of nothing, and good lines again.
    world.write("logs/zeros.bz2", map(bz2.compress, (GOOD, bytes(45 * MIB), b"\n" + GOOD)))
    for options, status, requests in (([], 2, 600), (["--max-expansion", "1000000"], 0, 900)):
        outcome = world.report("logs", *options)
        world.equal((outcome.status, outcome.report()["input"]["requests"]), (status, requests), "requests")
    world.write("linkaudit.yml", b"logs: {max-expansion: 1000000}\n")
    world.report("logs", statuses=(0,))
    world.report("logs", "--max-expansion", "1000", statuses=(2,))
    for value in ("0", "-1", "x", "1.5"):
        world.report("logs", "--max-expansion=" + value, statuses=(64,))


@case
def members_that_hold_nothing(world: World) -> None:
    """Empty members, headers and padding without end cost no memory."""
    start = b"\x1F\x8B\x08%c\0\0\0\0\0\x03"
    xz, skipped = lzma.compress, b"\x50\x2A\x4D\x18"
    for what, content, status in (
        ("zstd", zstd(b"") * 100_000 + zstd(GOOD), 0), ("skipped", (skipped + bytes(4)) * 200_000 + zstd(GOOD), 0),
        ("a frame of 4 GiB", skipped + b"\xFF" * 4 + bytes(8 * MIB), 2),
        ("gzip", gzip.compress(b"") * 100_000 + gzip.compress(GOOD), 0),
        ("bzip2", bz2.compress(b"") * 10_000 + bz2.compress(GOOD), 0), ("xz", xz(b"") * 20_000 + xz(GOOD), 0),
        ("padding", xz(GOOD) + bytes(32 * MIB), 0),
        ("extra fields", (start % 4 + b"\xFF\xFF" + bytes(65_535) + b"\x03" + bytes(9)) * 300 + gzip.compress(GOOD), 0),
        ("a name", start % 8 + b"a" * (48 * MIB), 2), ("a comment", start % 16 + b"a" * (48 * MIB), 2),
    ):
        world.write("log", content)
        outcome = world.report("log")
        world.ends(outcome, status, 120, what)
        read = outcome.report()["input"]
        found = read["requests"], read["files"][0]["status"]
        world.equal(found, (0, "truncated") if status else (300, "complete"), what)


@case
def great_windows_are_for_one_file_at_a_time(world: World) -> None:
    for number in range(4):
        world.write("windows/%d.zst" % number, zstd_zeros(2048, window_log=31))
    world.write("windows/good.log", GOOD)
    outcome = world.report("windows", "--jobs", "4", "--max-expansion", "100000", "--max-window", "2G")
    world.equal([file["status"] for file in outcome.report()["input"]["files"]], ["complete"] * 5, "windows of 2 GiB")
    world.below(outcome, 256 + 256, "windows of 2 GiB")
