"""Damage that 'store check' finds, and its remedies."""
import pathlib
import shutil

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
    files = list(oracle.digest_files(world.store).values())
    world.check(bool(files), "there is no digest file")
    return sorted(files, key=lambda path: path.stat().st_size, reverse=True)


def restore(world: World) -> None:
    shutil.rmtree(world.store)
    shutil.copytree(world.folder / "whole", world.store)


def found(world: World, path: pathlib.Path, what: str) -> None:
    """Sees that a check finds the damage, names the file, and changes nothing."""
    before = oracle.snapshot(world.store)
    outcome = world.check_store(statuses=(2,))
    world.check(path.name in outcome.message + outcome.stdout.decode(), "%s: the file isn't named: %s" % (
        what, outcome.message[:300]))
    world.check(before == oracle.snapshot(world.store), "%s: a check changes the store" % what)


@case
def damaged_digests(world: World) -> None:
    """A check finds digests that are cut, missing, or of another day, and names the file."""
    files = filled(world)
    path, other = files[0], files[1]
    data = path.read_bytes()
    damages: list[tuple[str, bytes | None]] = [
        ("%d bytes are left" % length, data[:length]) for length in (0, 1, len(data) // 2, len(data) - 1)]
    damages += [("it is that of another day", other.read_bytes()), ("it is missing", None)]
    for what, content in damages:
        path.unlink()
        if content is not None:
            path.write_bytes(content)
        world.step("%s: %s" % (path, what))
        found(world, path, what)
        if content is None:
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
    world.check(other.name in outcome.message + outcome.stdout.decode(), "a file that is no digest isn't told")
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
