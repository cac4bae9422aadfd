"""Compressed logs that are small and hold much, or nothing."""
import struct

from limits import bombs
from limits.world import World
from support.cases import case
from support.command import MIB, Outcome
from support.inputs import line

GOOD = b"".join(line(number, target="/buy/%d" % number) for number in range(300))


def is_told(world: World, outcome: Outcome, name: str, what: str) -> None:
    world.equal(outcome.status, 2, what + ", status")
    world.check_says(outcome, name, "'--max-expansion'")
    report = outcome.report()
    file = report["input"]["files"][0]
    world.equal(file["status"], "truncated", what)
    world.check("more than 1000 times" in file.get("damage", ""), what + ": " + str(file))
    findings = {finding["code"]: finding["remedy"] for finding in report["findings"]}
    world.check("--max-expansion" in findings.get("input-incomplete", ""), what + ": " + str(findings))


@case
def small_bombs_end_in_a_message(world: World) -> None:
    tiny = {"gzip": 8 * MIB, "bzip2": 45 * MIB, "xz": 64 * MIB, "zstd": 9 * bombs.BLOCK}
    for compression, count in tiny.items():
        bomb = bombs.zeros(compression, count)
        name = "bomb." + compression
        world.write(name, bomb)
        outcome = world.report(name)
        is_told(world, outcome, name, "%s of %d bytes" % (compression, len(bomb)))
        allowed = max(65_536, 1_000 * len(bomb))
        world.check_says(outcome, "only the first %d bytes" % allowed)
        world.below(outcome, 160, compression)
    world.equal(len(bombs.zeros("zstd", 9 * bombs.BLOCK)), 42, "the bytes of the smallest bomb")
    for form in ["text", "html"]:
        outcome = world.report("bomb.zstd", "--format", form)
        world.equal(outcome.status, 2, form)
        text = " ".join(outcome.stdout.decode().replace("&#39;", "'").split())
        world.check("--max-expansion" in text, form + " doesn't tell of it")


@case
def a_bomb_beside_other_logs(world: World) -> None:
    """It keeps nobody from reading the others."""
    world.write("logs/good.log", GOOD)
    world.write("logs/bomb.gz", bombs.zeros("gzip", 8 * MIB))
    outcome = world.report("logs", "--max-expansion", "100")
    world.equal((outcome.status, outcome.report()["input"]["requests"]), (2, 300), "beside a good log")


@case
def more_can_be_allowed(world: World) -> None:
    # Good lines, much of nothing, and good lines again.
    world.write("zeros.bz2", [
        bombs.member("bzip2", GOOD), bombs.zeros("bzip2", 45 * MIB), bombs.member("bzip2", b"\n" + GOOD)])
    world.equal(world.report("zeros.bz2").report()["input"]["requests"], 300, "as usual")
    outcome = world.report("zeros.bz2", "--max-expansion", "1000000")
    world.equal((outcome.status, outcome.report()["input"]["requests"]), (0, 600), "with more allowed")
    world.write("linkaudit.yml", b"logs: {max-expansion: 1000000}\n")
    world.equal(world.report("zeros.bz2").status, 0, "from the configuration")
    world.equal(world.report("zeros.bz2", "--max-expansion", "1000").status, 2, "the command line wins")
    for value in ["0", "-1", "x", "1.5"]:
        world.equal(world.report("zeros.bz2", "--max-expansion=" + value).status, 64, value)


@case
def members_that_hold_nothing(world: World) -> None:
    nothing = {"gzip": 100_000, "bzip2": 10_000, "xz": 20_000, "zstd": 100_000}
    for compression, count in nothing.items():
        empty = bombs.member(compression, b"")
        world.write("empty", empty * count + bombs.member(compression, GOOD))
        outcome = world.report("empty")
        world.equal((outcome.status, outcome.report()["input"]["requests"]), (0, 300), compression)
        world.below(outcome, 120, compression)


@case
def headers_and_padding_without_end(world: World) -> None:
    start = b"\x1F\x8B\x08%c\0\0\0\0\0\x03"
    for what, flags in [("a name", 8), ("a comment", 16)]:
        world.write("long.gz", start % flags + b"a" * (48 * MIB))
        outcome = world.report("long.gz")
        world.equal((outcome.status, outcome.report()["input"]["files"][0]["status"]), (2, "truncated"), what)
        world.below(outcome, 120, what)
    extra = start % 4 + struct.pack("<H", 65_535) + bytes(65_535) + b"\x03\0" + bytes(8)
    world.write("extra.gz", extra * 300 + bombs.member("gzip", GOOD))
    outcome = world.report("extra.gz")
    world.equal((outcome.status, outcome.report()["input"]["requests"]), (0, 300), "extra fields")
    skipped = struct.pack("<II", 0x184D2A50, 0) * 200_000
    world.write("skipped.zst", skipped + bombs.zstd_raw(GOOD))
    outcome = world.report("skipped.zst")
    world.equal((outcome.status, outcome.report()["input"]["requests"]), (0, 300), "frames to be passed over")
    world.write("cut.zst", struct.pack("<II", 0x184D2A50, 0xFFFFFFFF) + bytes(8 * MIB))
    world.equal(world.report("cut.zst").report()["input"]["files"][0]["status"], "truncated", "a frame of 4 GiB")
    world.write("padded.xz", bombs.member("xz", GOOD) + bytes(32 * MIB))
    outcome = world.report("padded.xz")
    world.equal((outcome.status, outcome.report()["input"]["requests"]), (0, 300), "padding")
    world.below(outcome, 120, "padding")


@case
def great_windows_are_for_one_file_at_a_time(world: World) -> None:
    for number in range(4):
        world.write("windows/%d.zst" % number, bombs.zstd_zeros(256 * MIB, window_log=31))
    world.write("windows/good.log", GOOD)
    outcome = world.report("windows", "--jobs", "4", "--max-expansion", "100000", "--max-window", "2G")
    world.equal([file["status"] for file in outcome.report()["input"]["files"]], ["complete"] * 5, "windows of 2 GiB")
    world.below(outcome, 256 + 256, "windows of 2 GiB")
