"""Digests from elsewhere."""
from __future__ import annotations

from limits.world import World
from support import digests
from support.cases import case


@case
def targets_that_share_all_but_a_byte(world: World) -> None:
    """Some thousand bytes that stand for gigabytes of targets are damage; for less, they are a digest."""
    world.write("good.digest", digests.of_one_prefix(1_000, 2_000))
    outcome = world.run("digest", "good.digest", "--format", "ndjson", "-o", "rows")
    world.equal(outcome.status, 0, "a small one: %s" % outcome.message[:300])
    world.write("bomb.digest", digests.of_one_prefix(4_000_000, 2_200))
    world.check((world.folder / "bomb.digest").stat().st_size < 10_000, "the bomb is large")
    outcome = world.run("merge", "good.digest", "bomb.digest", "-o", "merged.digest")
    world.equal(outcome.status, 2, "status")
    world.check_says(outcome, "bomb.digest", "damaged")
    world.below(outcome, 400, "a bomb of targets")
    world.check(not (world.folder / "merged.digest").exists(), "a part of a digest was left")


@case
def summaries_of_too_many_values(world: World) -> None:
    for count, status in ((100_000, 0), (18_000_000, 2)):
        world.write("values.digest", digests.of_many_values(count))
        outcome = world.run("digest", "--describe", "values.digest")
        world.equal(outcome.status, status, "%d values: %s" % (count, outcome.message[:300]))
        world.below(outcome, 900, "values of a summary")
