"""A disk, or a directory for temporary files, that is too small."""
import shutil

from store import oracle
from store.world import World
from support.cases import case

ROOM = 64 << 20


@case
def full_disk(world: World) -> None:
    """The store's disk ends at sizes from almost nothing up to enough, then has room again."""
    world.logs_of_days(4, 200 if world.settings.quick else 800)
    expected = world.folder / "expected"
    world.ingest(store=expected)
    peak = sum(path.stat().st_size for path in expected.rglob("*"))
    stages: dict[str, int] = {}
    size, finished = 4096, False
    while size < 4 * peak + (1 << 20) and not finished:
        with world.mounted("disk", "size=%d" % size) as disk:
            store = disk / "store"
            outcome = world.ingest("--batch", "16K", store=store, statuses=(0, 2), silent=False)
            finished = outcome.status == 0
            if outcome.status == 2:
                stages[outcome.message] = stages.get(outcome.message, 0) + 1
                world.check(
                    any(word in outcome.message.lower() for word in ("full", "space")),
                    "size %d: not said that the disk is full: %s" % (size, outcome.message[:300]))
                # Room for reading is needed; nothing else may be.
                world.remount(disk, "size=%d" % ROOM)
                # A database that was not even begun is no store yet.
                database = store / "store.sqlite"
                if database.exists() and database.stat().st_size > 0:
                    world.check_store(store=store)
                world.ingest("--batch", "16K", store=store)
            world.check_store(store=store)
            world.check_same(oracle.store_differences(expected, store), "full at %d bytes" % size)
        # Small steps where the store is begun, larger ones where it grows.
        part = size // (3 if world.settings.quick else 6)
        size += 4096 if size < 131072 and not world.settings.quick else max(16384, part)
    world.step("what was said: %s" % stages)
    world.check(finished, "no size was enough")
    world.check(len(stages) > 0, "no size was too small")


@case
def disk_that_fills_later(world: World) -> None:
    """A store that has worked for nights meets a full disk; what it has counted can still be read."""
    world.logs_of_days(4, 200)
    with world.mounted("disk", "size=%d" % ROOM) as disk:
        store = disk / "store"
        world.ingest(store=store)
        before = world.figures(store=store)
        fill_up = disk / "something-else"
        log = world.server.open("access.log")
        world.server.write(log, 1500)
        for spare in [0, 8192, 40960, 131072]:
            free = shutil.disk_usage(disk).free
            fill_up.write_bytes(bytes(max(0, free - spare)))
            world.step("leave %d bytes" % spare)
            outcome = world.ingest(store=store, statuses=(0, 2), silent=False)
            if outcome.status == 2:
                world.check_says(outcome, store)
                world.check_same(
                    oracle.differences(before, world.figures(store=store)), "report on a full disk")
                world.check_store(store=store)
            fill_up.unlink()
        world.ingest(store=store)
        world.check_store(store=store)
        world.check_same(oracle.differences(world.expected(), world.figures(store=store)), "report")


@case
def no_more_files(world: World) -> None:
    """A disk with room, but without another name."""
    world.logs_of_days(4, 150)
    expected = world.folder / "expected"
    world.ingest(store=expected)
    for inodes in range(3, 12, 2 if world.settings.quick else 1):
        with world.mounted("disk", "size=%d,nr_inodes=%d" % (ROOM, inodes)) as disk:
            store = disk / "store"
            outcome = world.ingest(store=store, statuses=(0, 2), silent=False)
            world.remount(disk, "size=%d,nr_inodes=10000" % ROOM)
            if outcome.status == 2:
                world.ingest(store=store)
            world.check_store(store=store)
            world.check_same(oracle.store_differences(expected, store), "%d inodes" % inodes)
