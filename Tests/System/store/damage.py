"""Damage that 'store check' finds, and its remedies."""
import pathlib
import shutil
import struct

from store import oracle
from store.world import World
from support.cases import case
from support.inputs import SITE


def filled(world: World) -> list[pathlib.Path]:
    """A store with some days; returns its digest files, the largest first."""
    world.days(4, 120)
    world.ingest()
    world.check_store()
    shutil.copytree(world.store, world.folder / "whole")
    return sorted(oracle.digest_files(world.store).values(), key=lambda path: path.stat().st_size, reverse=True)


def restore(world: World) -> None:
    shutil.rmtree(world.store)
    shutil.copytree(world.folder / "whole", world.store)


def found(world: World, path: pathlib.Path, what: str) -> None:
    """Sees that a check finds the damage, names the file, and changes nothing."""
    before = oracle.snapshot(world.store)
    outcome = world.check_store(statuses=(2,))
    told = outcome.message + outcome.text
    world.check(path.name in told, "%s: the file isn't named: %s" % (what, told[:300]))
    world.check(before == oracle.snapshot(world.store), "%s: a check changes the store" % what)


@case
def misplaced_digests(world: World) -> None:
    """A check names digests that are of another day, or missing; `any_length` cuts them."""
    path, other, *_ = filled(world)
    shutil.copyfile(other, path)
    found(world, path, "it is that of another day")
    path.unlink()
    found(world, path, "it is missing")
    world.run("report", "--store", world.store, *SITE, statuses=(2,))
    # The ingest that meets it must not make figures of the rest.
    world.server.write(world.server.open("more.log"), 20)
    world.ingest(statuses=(0, 2), silent=False)
    restore(world)
    world.settle()


@case
def garbage_beside_digests(world: World) -> None:
    path = filled(world)[0]
    other = path.with_name("notes.txt")
    other.write_text("not a digest\n")
    world.step("write %s" % other)
    outcome = world.check_store()
    world.check(other.name in outcome.message + outcome.text, "a file that is no digest isn't told")
    world.ingest(silent=False)
    world.check(other.exists(), "an ingest removes a file that isn't its own")
    world.check_report()


@case
def damaged_database(world: World) -> None:
    """Nothing worse than a message comes of a database that is none, or is gone; digests stay."""
    files = filled(world)
    # Most logs of these digests would be long gone.
    small = world.folder / "small.log"
    small.write_bytes(b"".join(world.traffic.lines(3, malformed=0)))
    path = world.store / "store.sqlite"
    data = path.read_bytes()
    for bad in [None, b"", b"garbage" * 1000, data[:len(data) // 2], data[:4096] + bytes(len(data) - 4096)]:
        for rest in world.store.glob("store.sqlite*"):
            rest.unlink()
        if bad is not None:
            path.write_bytes(bad)
        what = "store.sqlite is gone" if bad is None else "store.sqlite has %d bytes that aren't its own" % len(bad)
        world.step(what)
        world.check_store(statuses=(2,))
        world.ingest(small, statuses=(2,), silent=False)
        lost = [file.name for file in files if not file.exists()]
        world.check(not lost, "%s, and an ingest removes digests: %s" % (what, lost))
        restore(world)
    world.settle()


@case
def journals_that_name_others(world: World) -> None:
    """SQLite removes a journal of several databases that a journal names; this program's journals name none."""
    filled(world)
    victim = world.folder / "victim"
    victim.write_bytes(b"precious")
    name = str(victim).encode()
    database = (world.store / "store.sqlite").read_bytes()
    size = int.from_bytes(database[16:18], "big")
    page, nonce = database[:size], 1
    checksum = nonce + sum(page[index] for index in range(size - 200, 0, -200))
    journal = bytes([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
    header = journal + struct.pack(">5I", 1, nonce, len(database) // size, 512, size)
    content = header.ljust(512, b"\0") + struct.pack(">I", 1) + page + struct.pack(">I", checksum)
    # The place of its lock, the name, its length, its sum, and the mark.
    content += struct.pack(">I", (1 << 30) // size + 1) + name + struct.pack(">II", len(name), sum(name)) + journal
    for words in (
        ["store", "list"], ["store", "check"], ["report", *SITE], ["store", "rebuild"],
        ["store", "remove-day", "2020-01-01"], ["store", "remove-site", "other.example.com"],
        ["ingest", world.logs, *SITE],
    ):
        (world.store / "store.sqlite-journal").write_bytes(content)
        outcome = world.run(*words, "--store", world.store, statuses=(2,))
        world.check_says(outcome, "names a file in another directory")
        world.check(victim.exists(), "a file outside of the store is gone")
    restore(world)
    (world.store / "store.sqlite-journal").unlink(missing_ok=True)
    world.settle()
