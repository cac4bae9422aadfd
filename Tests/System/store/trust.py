"""Stores that come from elsewhere: what they say leads nowhere, and does nothing."""
import os
import pathlib
import struct
from collections.abc import Callable

from store import oracle
from store.damage import filled, restore
from store.world import World
from support.cases import case
from support.command import Word
from support.inputs import SITE


def commands(world: World) -> list[list[Word]]:
    return [
        world.command("store", "list", "--store", world.store),
        world.command("store", "check", "--store", world.store),
        world.command("report", "--store", world.store, *SITE),
        world.command("store", "rebuild", "--store", world.store),
        world.command("store", "remove-day", "2020-01-01", "--store", world.store),
        world.command("store", "remove-site", "other.example.com", "--store", world.store),
        world.ingest_command(),
    ]


def change(world: World, sql: str, *values: object) -> None:
    """Changes the database behind the program's back."""
    world.step("%s %r" % (sql, values))
    database = oracle.connect(world.store)
    try:
        if values:
            database.execute(sql, values)
            database.commit()
        else:
            database.executescript(sql)
    finally:
        database.close()


def dated_digest(world: World) -> tuple[str, pathlib.Path]:
    return next((day, path) for day, path in sorted(oracle.digest_files(world.store).items()) if day)


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
    for command in commands(world):
        (world.store / "store.sqlite-journal").write_bytes(content)
        outcome = world.execute(command, (2,))
        world.check_says(outcome, "names a file in another directory")
        world.check(victim.exists(), "a file outside of the store is gone")
    restore(world)
    (world.store / "store.sqlite-journal").unlink(missing_ok=True)
    world.settle()


@case
def no_files(world: World) -> None:
    """Nobody waits for pipes, or reads devices, that stand where a store has files."""
    world.patience = 60.0
    filled(world)
    _, digest = dated_digest(world)
    kinds: list[tuple[str, Callable[[pathlib.Path], None]]] = [
        ("a pipe", os.mkfifo), ("a device", lambda path: path.symlink_to("/dev/zero")),
        ("a loop of links", lambda path: path.symlink_to(path.name)),
    ]
    journal = world.store / "store.sqlite-journal"
    for kind, make in kinds:
        for path in [digest, world.store / "store.sqlite", world.store / "lock", journal]:
            path.unlink(missing_ok=True)
            make(path)
            world.step("make %s: %s" % (path, kind))
            every = commands(world)
            for command in every[1:4] if path == digest else every:
                outcome = world.execute(command, (2,))
                world.check_says(outcome, path.name, "not a regular file")
            restore(world)
    world.settle()
