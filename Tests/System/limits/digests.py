"""Digests from elsewhere."""
from limits.world import World
from support.cases import case
from support.digests import Digest

LINE = 'h.example 192.0.2.1 - - [20/Nov/2026:08:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "A"\n'


@case
def targets_that_share_all_but_a_byte(world: World) -> None:
    """Some thousand bytes that stand for gigabytes of targets are damage; for less, they are a digest."""
    def spread(count: int, length: int) -> bytes:
        world.write("lines.log", (LINE * count).encode())
        world.run("digest", "lines.log", "--no-config", "-o", "lines.digest")
        return Digest((world.folder / "lines.digest").read_bytes()).spread(length)

    world.write("good.digest", spread(100, 1_000))
    outcome = world.run("digest", "good.digest", "--format", "ndjson", "-o", "rows")
    world.equal(outcome.status, 0, "a small one: %s" % outcome.message[:300])
    world.equal((world.folder / "rows").read_text().count('"row":"requests"'), 100, "its rows")
    world.write("bomb.digest", spread(300, 4_000_000))
    world.check((world.folder / "bomb.digest").stat().st_size < 10_000, "the bomb is large")
    outcome = world.run("merge", "good.digest", "bomb.digest", "-o", "merged.digest")
    world.ends(outcome, 2, 400, "a bomb of targets")
    world.check_says(outcome, "bomb.digest", "damaged")
    world.check(not (world.folder / "merged.digest").exists(), "a part of a digest was left")
