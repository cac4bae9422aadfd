"""Stores that come from elsewhere: what they say leads nowhere, and does nothing."""
from __future__ import annotations

import os
import pathlib
import shutil
import sqlite3
import struct
from collections.abc import Callable

from store import oracle
from store.damage import filled, restore
from store.world import World
from support.cases import case
from support.command import Word
from support.inputs import SITE

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"


def commands(world: World) -> list[list[Word]]:
    """All that is done with a store."""
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
    """A day and its digest."""
    return next((day, path) for day, path in sorted(oracle.digest_files(world.store).items()) if day)


@case
def tables_of_somebody_else(world: World) -> None:
    """Views without an end, triggers and computed columns are refused, and never asked."""
    world.patience = 60.0
    filled(world)
    path = world.store / "store.sqlite"
    for sql, texts in [(sql, ["does not have linkaudit's schema", "backup"]) for sql in [
        "DROP TABLE digests; CREATE VIEW digests AS %s SELECT '' AS day, '' AS file, i AS size, '' AS identity, "
        "i AS requests, i AS targets, i AS run FROM n" % ENDLESS,
        "DROP TABLE runs; CREATE VIEW runs AS %s SELECT i AS id, '' AS started, '' AS finished, i AS logs, i AS lines, "
        "i AS requests, i AS rejected FROM n" % ENDLESS,
        "CREATE TRIGGER forgets AFTER INSERT ON log_files BEGIN DELETE FROM digests; END",
        "CREATE TRIGGER forgets AFTER UPDATE ON logs BEGIN DELETE FROM log_days; END",
        "ALTER TABLE runs ADD COLUMN more GENERATED ALWAYS AS (zeroblob(1000000000)) VIRTUAL",
        "DROP INDEX log_days_by_day; CREATE INDEX log_days_by_day ON log_days (requests)",
        "DROP TABLE report_findings",
    ]] + [("PRAGMA user_version = %d" % version, ["make it anew from its logs"]) for version in (0, -1)]:
        change(world, sql)
        before = path.read_bytes()
        for command in commands(world):
            outcome = world.execute(command, (2,))
            world.check_says(outcome, *texts)
        world.check(path.read_bytes() == before, "a database with other tables is changed")
        restore(world)
    change(world, "ANALYZE")
    world.settle()


@case
def names_that_lead_elsewhere(world: World) -> None:
    """Only names that runs give to digests of the row's day are opened."""
    world.patience = 60.0
    filled(world)
    day, path = dated_digest(world)
    shutil.copyfile(path, world.folder / "x.digest")
    files = sorted(path.parent.iterdir())
    other = next(file.name.split(".")[0] for file in files if not file.name.startswith(day))
    run = path.name.split(".")[1]
    for name in [
        "../../x.digest", str(world.folder / "x.digest"), "/dev/zero", "../store.sqlite", "", ".", path.name + "/",
        "./" + path.name, "%s.+%s.digest" % (day, run), "%s.0%s.digest" % (day, run), "%s.999.digest" % other,
        "undated.998.digest",
    ]:
        change(world, "UPDATE digests SET file = ? WHERE day = ?", name, day)
        for command in commands(world)[1:4]:
            outcome = world.execute(command, (2,))
            world.check_says(outcome, day)
        world.ingest(statuses=(0, 2), silent=False)
        world.check(sorted(path.parent.iterdir()) == files, "with the name %r, digests are removed" % name)
        world.run("store", "remove-day", day, "--store", world.store)
        world.check_store()
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
        ("a pipe", os.mkfifo), ("a directory", pathlib.Path.mkdir),
        ("a device", lambda path: path.symlink_to("/dev/zero")),
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


@case
def replaced_content(world: World) -> None:
    """An association file in the store is the one that was taken in, byte for byte."""
    filled(world)
    change(world, "UPDATE association_files SET content = ?", b'{"applinks": {"details": []}}')
    outcome = world.check_store(statuses=(2,))
    world.check_says(outcome, "association file")
    restore(world)
    world.settle()


@case
def values_that_cannot_be(world: World) -> None:
    """A check names each column that has a value which no run writes."""
    filled(world)
    world.run("report", "--store", world.store, *SITE)
    shutil.rmtree(world.folder / "whole")
    shutil.copytree(world.store, world.folder / "whole")
    values: list[tuple[str, object]] = [
        ("association_files.seen", b"\xff"), ("daily_causes.cause", "fate"), ("daily_findings.severity", "loud"), ("daily_findings.share", 1_000_001),
        ("daily_findings.visits", -1), ("daily_platforms.platform", "toaster"), ("daily_referrals.referral", ""),
        ("daily_sites.same_host_visits", "some"), ("daily_verdicts.verdict", "guilty"), ("deployments.day", ""),
        ("deployments.host", b"www"), ("digests.day", "2026-02-30"), ("digests.requests", -5), ("digests.size", 0.5),
        ("digests.targets", 2 ** 63 - 1), ("log_days.day", "yesterday"), ("log_days.first_time", b""),
        ("log_files.size", -2), ("log_rejections.reason", "because"), ("logs.checkpoints", "text"),
        ("logs.damage", b"x"), ("logs.length", 2 ** 44 + 1), ("logs.status", "odd"), ("report_findings.position", -1),
        ("reports.run", -1), ("runs.finished", b"now"), ("runs.logs", -2 ** 63),
    ]
    for name, value in values:
        table, column = name.split(".")
        database = oracle.connect(world.store)
        try:
            count = database.execute('UPDATE OR REPLACE "%s" SET "%s" = ?' % (table, column), (value,)).rowcount
            database.commit()
        except sqlite3.IntegrityError as error:
            world.check(False, "%s can't be set to %r: %s" % (name, value, error))
            continue
        finally:
            database.close()
        world.step("set %s to %r in %d rows" % (name, value, count))
        if count > 0:
            outcome = world.check_store(statuses=(2,))
            world.check_says(outcome, "'%s'" % name)
        restore(world)
    world.settle()
