"""Damage at any byte of a store: a report is the same as before, or an error says where."""
import shutil

from store import oracle
from store.damage import found, restore
from store.world import World
from support.cases import case
from support.command import Outcome
from support.inputs import AASA, CANDIDATE, HOST, SITE

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
    world.run("ingest", "--store", world.store, "--aasa", CANDIDATE, "--host", HOST, "--deployed", "2020-01-01")
    # The last line lacks its end.
    world.server.write(world.server.open("more.log"), 30)
    world.server.append(world.server.open("last.log"), b"".join(world.traffic.lines(3, malformed=0))[:-1])
    world.ingest(silent=False)
    world.run("report", "--store", world.store, statuses=(0, 2))
    world.check_store()
    shutil.copytree(world.store, world.folder / "whole")


# Commands that read a store, in the formats that show most of it.
COMMANDS = (
    ["report", "--format", "json"], ["store", "list"],
    ["report", *SITE, "--format", "csv", "--table", "unclaimed-heavy"], ["diff", AASA, CANDIDATE, "--host", HOST])


class Judge:
    """The output of commands on the sound store, to compare with."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.expected: list[Outcome] = []
        self.same = 0
        for words in COMMANDS:
            self.expected.append(world.run(*words, "--store", world.store, statuses=(0, 2)))
            restore(world)

    def see(self, what: str, number: int = 0) -> None:
        """Runs a command on the damaged store, and sees that nothing wrong is said."""
        world, expected = self.world, self.expected[number]
        steps = len(world.steps)
        world.step(what)
        outcome = world.run(*COMMANDS[number], "--store", world.store, statuses=(0, 2))
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


def judged(world: World) -> Judge:
    world.patience = 60.0
    reported(world)
    return Judge(world)


@case
def any_length(world: World) -> None:
    """Files that are cut, longer than they were, or gone."""
    judge = judged(world)
    paths = sorted(path for path in world.store.rglob("*") if path.is_file() and path.name != "lock")
    for number in range(12 if world.settings.quick else 240):
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
        if path.parent.name == "digests":
            found(world, path, what)
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
    for number in range(15 if world.settings.quick else 400):
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
