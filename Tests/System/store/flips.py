"""Damage at any byte of a store: a report is the same as before, or an error says where."""
from __future__ import annotations

import pathlib
import shutil
import sqlite3

from store import oracle
from store.damage import restore
from store.trust import change, dated_digest
from store.world import World
from support.cases import case
from support.command import Outcome
from support.inputs import SITE

# Remedies that messages about damage name.
REMEDIES = ["backup", "store rebuild", "store remove-day", "may be faulty", "may read and write"]


def reported(world: World) -> None:
    """A store with several runs, lines that can still become others, two files in force, and earlier reports."""
    log = world.server.open("access.log")
    for _ in range(4):
        world.server.write(log, 120)
        world.traffic.next_day()
    world.ingest()
    world.run("report", "--store", world.store)
    candidate = SITE[1].replace("aasa.json", "aasa-candidate.json")
    world.run(
        "ingest", "--store", world.store, "--aasa", candidate, "--host", SITE[3], "--deployed", "2020-01-01")
    # The last line lacks its end.
    world.server.write(world.server.open("more.log"), 30)
    world.server.append(world.server.open("last.log"), b"".join(world.traffic.lines(3, malformed=0))[:-1])
    world.ingest(silent=False)
    world.run("report", "--store", world.store, statuses=(0, 2))
    world.check_store()
    shutil.copytree(world.store, world.folder / "whole")


def commands(world: World) -> list[list[object]]:
    """Returns commands that read a store, in the formats that show most of it."""
    store = ["--store", world.store]
    return [
        ["report", *store, "--format", "json"], ["store", "list", *store],
        ["report", *store, *SITE, "--format", "csv", "--table", "unclaimed-heavy"],
        ["diff", SITE[1], SITE[1].replace("aasa.json", "aasa-candidate.json"), "--host", SITE[3], *store],
    ]


def files(folder: pathlib.Path) -> list[pathlib.Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "lock")


class Judge:
    """The output of commands on the sound store, to compare with."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.expected: list[Outcome] = []
        self.same = self.told = 0
        for command in commands(world):
            restore(world)
            self.expected.append(world.run(*command, statuses=(0, 2)))
        restore(world)

    def see(self, what: str, number: int = 0) -> None:
        """Runs a command on the damaged store, and sees that nothing wrong is said."""
        world, expected = self.world, self.expected[number]
        steps = len(world.steps)
        world.step(what)
        outcome = world.run(*commands(world)[number], statuses=(0, 2))
        if (outcome.status, outcome.stdout) == (expected.status, expected.stdout):
            self.same += 1
            if not world.failures:
                # Thousands of these would hide what fails.
                del world.steps[steps:]
            return
        self.told += 1
        world.check(outcome.status == 2, "%s: other figures with status %d" % (what, outcome.status))
        world.check(outcome.stdout == b"", "%s: an error, and output" % what)
        world.check_says(outcome, str(world.store))
        world.check(
            any(remedy in outcome.message for remedy in REMEDIES),
            "%s: nothing is said to do: %s" % (what, outcome.message[:300]))
        if not world.failures:
            del world.steps[steps:]


def count(world: World, quick: int, full: int) -> int:
    return quick if world.settings.quick else full


def judged(world: World) -> Judge:
    """A store with a report, and what judges it after each change."""
    world.patience = 60.0
    reported(world)
    return Judge(world)


@case
def any_byte(world: World) -> None:
    """Bits and bytes, anywhere in the database and the digests."""
    judge = judged(world)
    paths = files(world.store)
    sizes = [path.stat().st_size for path in paths]
    for number in range(count(world, 60, 1000)):
        # Half of them where most bytes are, half in any file.
        path = world.random.choices(paths, sizes if number % 2 else None)[0]
        data = bytearray(path.read_bytes())
        offset, length = world.random.randrange(len(data)), world.random.choice([1, 1, 1, 2, 8, 512])
        if world.random.random() < 0.5:
            data[offset] ^= 1 << world.random.randrange(8)
            what = "flip a bit of byte %d" % offset
        else:
            part = data[offset:offset + length]
            new = world.random.randbytes(len(part)) if world.random.random() < 0.8 else bytes(len(part))
            data[offset:offset + length] = new
            what = "put %s in the place of bytes from %d on" % (new[:16].hex(), offset)
        path.write_bytes(data)
        judge.see("%s of %s" % (what, path), number % len(judge.expected))
        restore(world)
    world.check(judge.told > 0 and judge.same > 0, "of all flips, %d are told of and %d change nothing" % (
        judge.told, judge.same))
    world.step("%d told, %d without effect" % (judge.told, judge.same))


@case
def any_text(world: World) -> None:
    """Letters of values, where no checksum of SQLite or of a digest notices them."""
    judge = judged(world)
    path = world.store / "store.sqlite"
    data = path.read_bytes()
    letters = [offset for offset, byte in enumerate(data) if 0x21 <= byte <= 0x7E]
    for number in range(count(world, 40, 800)):
        offset = world.random.choice(letters)
        changed = bytearray(data)
        changed[offset] = world.random.randrange(0x21, 0x7F)
        path.write_bytes(changed)
        judge.see("put %r in the place of %r at byte %d" % (
            chr(changed[offset]), chr(data[offset]), offset), number % len(judge.expected))
        restore(world)


@case
def any_row(world: World) -> None:
    """Rows that are removed, changed, or doubled under another key, in each table."""
    judge = judged(world)
    columns: dict[str, list[str]] = {}
    for table, column in oracle.columns(world.store):
        columns.setdefault(table, []).append(column)
    for number in range(count(world, 40, 600)):
        table = world.random.choice(sorted(columns))
        database = oracle.connect(world.store)
        try:
            rows = database.execute('SELECT * FROM "%s"' % table).fetchall()
            if not rows:
                continue
            row = world.random.choice(rows)
            place = " AND ".join('"%s" IS ?' % column for column in columns[table])
            if world.random.random() < 0.5:
                what = "remove a row of %s: %r" % (table, row)
                database.execute('DELETE FROM "%s" WHERE %s' % (table, place), row)
            else:
                position = world.random.randrange(len(row))
                new = other(world, row[position])
                what = "set %s.%s of a row from %r to %r" % (table, columns[table][position], row[position], new)
                database.execute(
                    'UPDATE OR REPLACE "%s" SET "%s" = ? WHERE %s' % (table, columns[table][position], place),
                    (new, *row))
            database.commit()
        except sqlite3.IntegrityError:
            continue
        finally:
            database.close()
        judge.see(what[:300], number % len(judge.expected))
        restore(world)


def other(world: World, value: object) -> object:
    """A value of the same kind that could stand there, too."""
    if isinstance(value, int):
        return max(0, value + world.random.choice([-1, 1, 2, 64]))
    if isinstance(value, bytes) and value:
        place = world.random.randrange(len(value))
        return value[:place] + bytes([value[place] ^ 1 << world.random.randrange(8)]) + value[place + 1:]
    if isinstance(value, str) and value:
        place = world.random.randrange(len(value))
        return value[:place] + world.random.choice("0123456789abcdefg") + value[place + 1:]
    return world.random.choice(["x", 1, None])


@case
def any_length(world: World) -> None:
    """Files that are cut, longer than they were, or gone."""
    judge = judged(world)
    paths = files(world.store)
    for number in range(count(world, 24, 240)):
        path = paths[number % len(paths)]
        data = path.read_bytes()
        kind = world.random.randrange(4)
        if kind == 0:
            path.unlink()
            what = "remove %s" % path
        elif kind == 1:
            path.write_bytes(data + world.random.randbytes(world.random.choice([1, 512, 4096])))
            what = "append to %s" % path
        else:
            length = 0 if world.random.random() < 0.2 else world.random.randrange(len(data))
            path.write_bytes(data[:length])
            what = "cut %s to %d bytes" % (path, length)
        judge.see(what, number % len(judge.expected))
        restore(world)


@case
def any_byte_of_a_journal(world: World) -> None:
    """A run that was killed leaves a journal, which the next command plays back: damage to it is told."""
    judge = judged(world)
    database = oracle.connect(world.store)
    # Pages are written before the commit, and their journal stays.
    database.executescript("PRAGMA cache_size = 2; PRAGMA cache_spill = 2; PRAGMA foreign_keys = 0; BEGIN IMMEDIATE")
    for table, column in [("logs", "lines"), ("log_days", "requests"), ("digests", "targets"), ("runs", "lines")]:
        database.execute('UPDATE "%s" SET "%s" = "%s" + 1' % (table, column, column))
    database.execute("UPDATE association_files SET content = content || zeroblob(20000)")
    shutil.rmtree(world.folder / "whole")
    shutil.copytree(world.store, world.folder / "whole")
    database.rollback()
    database.close()
    restore(world)
    journal = world.store / "store.sqlite-journal"
    if not world.check(journal.exists() and journal.stat().st_size > 512, "there is no journal"):
        return
    judge.see("leave a journal")
    world.check(judge.same == 1, "a journal isn't played back")
    restore(world)
    size = journal.stat().st_size
    for number in range(count(world, 30, 400)):
        data = bytearray(journal.read_bytes())
        # The first bytes say what the others are.
        offset = world.random.randrange(32 if number % 3 == 0 else size)
        if number % 5 == 0:
            del data[offset:]
            what = "cut the journal to %d bytes" % offset
        else:
            data[offset] ^= 1 << world.random.randrange(8)
            what = "flip a bit of byte %d of the journal" % offset
        journal.write_bytes(data)
        judge.see(what, number % len(judge.expected))
        restore(world)


@case
def damage_reaches_no_ingest(world: World) -> None:
    """An ingest that looks up single rows reads all of them before: a log that isn't found counts twice."""
    reported(world)
    for sql in [
        "DELETE FROM log_beginnings", "UPDATE logs SET first_hash = first_hash + 1, length = length + 1",
        "UPDATE logs SET settled_length = settled_length - 1", "UPDATE log_days SET requests = requests + 1",
        "UPDATE digests SET requests = requests + 1", "UPDATE digests SET file = replace(file, '.1.', '.7.')",
        "UPDATE deployments SET day = '2021-01-01' WHERE day = '2020-01-01'",
    ]:
        # Those that were replaced go, as always.
        digests = {path.name for path in oracle.digest_files(world.store).values()}
        change(world, sql)
        outcome = world.execute(world.ingest_command(), (2,))
        world.check_says(outcome, "not those that linkaudit wrote")
        world.check_store(statuses=(2,))
        left = {path.name for path in (world.store / "digests").iterdir()}
        world.check(digests <= left, "%s, and an ingest removes digests" % sql)
        restore(world)
    world.ingest(silent=False)
    world.check_store()


@case
def damaged_days_can_go(world: World) -> None:
    """A day whose rows are damaged can be removed, and the store is sound again."""
    reported(world)
    day, _ = dated_digest(world)
    for sql in [
        "UPDATE digests SET requests = requests + 1 WHERE day = ?", "DELETE FROM digests WHERE day = ?",
        "UPDATE log_days SET requests = requests - 1 WHERE day = ?",
    ]:
        change(world, sql, day)
        outcome = world.run("report", "--store", world.store, statuses=(2,))
        world.check_says(outcome, day)
        world.run("store", "remove-day", day, "--store", world.store)
        world.check_store()
        world.run("report", "--store", world.store, statuses=(0, 2))
        restore(world)
    change(world, "UPDATE daily_hosts SET targets = targets + 1 WHERE day = ?", day)
    world.check_store(statuses=(2,))
    world.run("store", "rebuild", "--store", world.store)
    world.check_store()


@case
def empty_digests(world: World) -> None:
    """A digest without a byte is an error wherever digests are read."""
    reported(world)
    _, stored = dated_digest(world)
    digest = world.folder / "day.digest"
    shutil.copyfile(stored, digest)
    for name in ["empty.digest", "sub/empty.digest"]:
        empty = world.folder / name
        empty.parent.mkdir(exist_ok=True)
        empty.write_bytes(b"")
        for command in [
            ["report", empty, *SITE], ["report", digest, empty, *SITE], ["merge", digest, empty, "-o", "-"],
            ["digest", digest, empty, "-o", "-"], ["digest", "--describe", empty],
            ["diff", SITE[1], SITE[1], "--host", SITE[3], digest, empty],
        ]:
            outcome = world.run(*command, statuses=(2,))
            world.check_says(outcome, name, "empty")
            world.check_says(outcome, "make it again")
        other_store = world.folder / "other"
        outcome = world.run("ingest", empty, "--store", other_store, *SITE, statuses=(2,))
        world.check_says(outcome, name, "empty")
        empty.unlink()
    # Whatever digests are called.
    first, second = world.folder / "first.night", world.folder / "second.night"
    shutil.copyfile(stored, first)
    second.write_bytes(b"")
    outcome = world.run("report", first, second, *SITE, statuses=(2,))
    world.check_says(outcome, second.name)
    # A log without a line is none.
    (world.folder / "empty.log").write_bytes(b"")
    world.run("report", first, world.folder / "empty.log", *SITE)
