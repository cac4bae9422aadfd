"""Damage at any byte of a store: a report is the same as before, or an error says where."""
import pathlib
import shutil

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
        self.same = 0
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
        else:
            world.check(outcome.status == 2, "%s: other figures with status %d" % (what, outcome.status))
            world.check(outcome.stdout == b"", "%s: an error, and output" % what)
            world.check_says(outcome, str(world.store))
            world.check(
                any(remedy in outcome.message for remedy in REMEDIES),
                "%s: nothing is said to do: %s" % (what, outcome.message[:300]))
        if not world.failures:
            # Thousands of these would hide what fails.
            del world.steps[steps:]


def count(world: World, quick: int, full: int) -> int:
    return quick if world.settings.quick else full


def judged(world: World) -> Judge:
    world.patience = 60.0
    reported(world)
    return Judge(world)


@case
def any_length(world: World) -> None:
    """Files that are cut, longer than they were, or gone."""
    judge = judged(world)
    paths = files(world.store)
    for number in range(count(world, 12, 240)):
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
    for number in range(count(world, 15, 400)):
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
def damage_reaches_no_ingest(world: World) -> None:
    """An ingest that looks up single rows reads all of them before: a log that isn't found counts twice."""
    reported(world)
    for sql in [
        "DELETE FROM log_beginnings", "UPDATE logs SET first_hash = first_hash + 1, length = length + 1",
        "UPDATE logs SET settled_length = settled_length - 1", "UPDATE digests SET file = replace(file, '.1.', '.7.')",
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
