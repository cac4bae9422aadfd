"""Permissions, names, and the environment of a nightly run."""
import os
import pathlib
import shutil

from store import oracle
from store.world import World
from support.cases import case
from support.world import NOBODY


@case
def same_size_other_lines(world: World) -> None:
    """A log is replaced by another of the same size and time."""
    log = world.days(3, 80)
    world.ingest()
    status = log.path.stat()
    other = log.path.read_bytes().replace(b"2001:db8:", b"2001:db9:")
    world.server.copy_truncate(log, "access.log.1")
    world.server.append(log, other)
    os.utime(log.path, ns=(status.st_atime_ns, status.st_mtime_ns))
    world.equal(log.path.stat().st_size, status.st_size, "size")
    world.settle()


# MARK: - Permissions


@case
def store_that_can_only_be_read(world: World) -> None:
    """A report needs no right to write, whether by permission or by mount."""
    world.need_nobody()
    world.days(3, 80)
    world.ingest()
    expected = world.figures()
    for path in [world.store, *world.store.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    world.check_same(
        oracle.differences(expected, world.figures(user=NOBODY)), "report as a user who can only read")
    with world.mounted("disk", "size=64m") as disk:
        shutil.copytree(world.store, disk / "store")
        world.remount(disk, "ro")
        world.check_same(
            oracle.differences(expected, world.figures(store=disk / "store")), "report on a read-only mount")
        world.check_store(store=disk / "store")
        world.ingest(store=disk / "store", statuses=(2,))
    world.settle()


@case
def store_that_cannot_be_written(world: World) -> None:
    world.need_nobody()
    world.days(3, 80)
    outcome = world.ingest(user=NOBODY, statuses=(2,))
    world.check_says(outcome, world.store, "ermission")
    world.ingest()
    before = oracle.snapshot(world.store)
    world.check_says(world.ingest(user=NOBODY, statuses=(2,)), "ermission")
    world.check(before == oracle.snapshot(world.store), "something changed")
    world.settle()


# MARK: - Names


@case
def odd_names(world: World) -> None:
    """A store and logs whose names have spaces, quotes, and what a URL would take for something else."""
    world.store = world.folder / "it's a \"store\"; 100%41 #1?mode=ro&x=\u8336"
    world.server.open("a log; with 'quotes' \u8336.log")
    log = world.server.open("-c.log")
    world.server.write(log, 50)
    world.ingest(silent=False)
    world.server.write(log, 50)
    world.settle(silent=False)


@case
def store_by_another_way(world: World) -> None:
    """The same store by a relative path, by a link, and after it was moved."""
    log = world.days(3, 80)
    world.ingest()
    link = world.folder / "link"
    link.symlink_to(world.store)
    world.server.write(log, 20)
    world.ingest(store=link)
    moved = world.folder / "moved"
    world.store.rename(moved)
    world.step("move the store to %s" % moved)
    world.store = moved
    world.server.write(log, 20)
    world.ingest(store=pathlib.Path(moved.name))
    world.settle()
