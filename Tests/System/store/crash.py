"""An ingest that is ended at any moment, by a signal or as if by a power cut."""
import collections
import itertools
import pathlib
import re
import shutil
import signal

from store import oracle
from store.world import World
from support.cases import case
from support.command import Outcome, Word, ended, shown, worked
from support.inputs import SITE

# Calls that change a file, a name or a size; 'fsync' represents all that wait for the disk.
CHANGES = ["write", "pwrite64", "rename", "renameat2", "unlink", "fsync", "fdatasync", "ftruncate", "mkdir", "linkat"]


def nights(world: World, lines: int) -> tuple[pathlib.Path, pathlib.Path]:
    """A store that knows a first night, and logs of a second one that it doesn't.

    Returns that store, and one that has met everything without being disturbed.
    """
    log = world.server.open("access.log")
    world.server.write(log, lines)
    world.traffic.night()
    world.server.write(log, lines)
    world.ingest()
    template = world.folder / "template"
    world.store.rename(template)
    for number in range(4):
        world.server.write(log, lines)
        old, log = log, world.server.rotate(log, "access.log.%d" % number)
        if number % 2:
            world.server.compress(old)
        world.traffic.next_day()
        world.server.write(log, lines)
    expected = world.folder / "expected"
    shutil.copytree(template, expected)
    world.ingest(store=expected)
    return template, expected


def fresh(world: World, template: pathlib.Path | None) -> None:
    shutil.rmtree(world.store, ignore_errors=True)
    if template:
        shutil.copytree(template, world.store)
        world.step("copy %s to %s" % (template, world.store))


def recover(world: World, expected: pathlib.Path, what: str, has_store: bool = True) -> bool:
    """Ingests after something went wrong, and compares; a store that fails is kept."""
    before = len(world.failures)
    if has_store:
        # Commands that only read come first: they can't repair anything, and needn't.
        world.run("store", "list", "--store", world.store)
        world.check_store()
    world.ingest("--batch", "16K")
    world.check_same(oracle.store_differences(expected, world.store), what)
    world.check_store()
    if len(world.failures) > before:
        shutil.copytree(world.store, world.folder / ("failed-%d" % before))
        world.step("the store is kept as failed-%d" % before)
    return len(world.failures) == before


def disturb(world: World, template: pathlib.Path | None, expected: pathlib.Path, signals: list[signal.Signals]) -> None:
    """Ends ingests at moments spread over what one has to do, one for each signal."""
    command = world.ingest_command("--batch", "16K")
    fresh(world, template)
    whole = world.needed(command)
    hits = 0
    for number, sent in enumerate(signals):
        # Every third time, the store is left as it is, and disturbed again.
        if number % 3 != 2 or number == 0:
            fresh(world, template)
        # Jitter keeps a moment from being missed each time.
        delay = whole * (number + world.random.random()) / len(signals)
        status = disturbed(world, command, sent, delay)
        hits += status != 0
        if number % 3 != 1 or number == len(signals) - 1:
            if not recover(world, expected, "%s after %.4f s of work" % (sent.name, delay), template is not None):
                fresh(world, template)
    world.step("%d of %d signals came before the end" % (hits, len(signals)))
    world.check(hits * 4 >= len(signals), "only %d of %d signals came before the end" % (hits, len(signals)))
    world.check_report()


def disturbed(world: World, command: list[Word], sent: signal.Signals, delay: float) -> int:
    """Ends a command when processors have worked so many seconds for it; returns its exit status."""
    process = world.launch(command)
    worked(process, delay)
    process.send_signal(sent)
    outcome = ended(process)
    world.step("%s, %s after %.4f s of work  -> %d" % (shown(command), sent.name, delay, outcome.status))
    if sent != signal.SIGKILL:
        world.check(
            outcome.status in (0, -sent, 128 + sent, 2),
            "%s after %.4f s of work: exit status %d: %s" % (sent.name, delay, outcome.status, outcome.message[:300]))
    return outcome.status


def lines(world: World) -> int:
    """How many lines make an ingest long enough to be hit."""
    return 500 if world.settings.quick else 2000


@case
def killed(world: World) -> None:
    template, expected = nights(world, lines(world))
    disturb(world, template, expected, [signal.SIGKILL] * world.settings.kills)


@case
def terminated(world: World) -> None:
    template, expected = nights(world, lines(world))
    count = max(1, world.settings.kills // 15)
    disturb(world, template, expected, [signal.SIGTERM, signal.SIGINT, signal.SIGHUP] * count)


@case
def killed_on_the_first_night(world: World) -> None:
    """There is no store yet, or not all of it."""
    world.server.write(world.server.open("access.log"), 300)
    world.ingest()
    expected = world.store.rename(world.folder / "expected")
    disturb(world, None, expected, [signal.SIGKILL] * max(5, world.settings.kills // 5))


# MARK: - At each call of the system


def traced(world: World, *options: str) -> Outcome:
    """Runs an ingest below strace; returns how it ended."""
    return world.run(
        "ingest", world.logs, "--store", world.store, *SITE, "--batch", "16K", "--jobs", "1", statuses=(0, 2, -9),
        before=("strace", "-f", "-qq", "-o", str(world.folder / "trace"), *options))


def calls(world: World, template: pathlib.Path, most: int) -> list[tuple[str, int]]:
    """Calls that change something in an undisturbed ingest: their names, and which of its name each is."""
    world.need_strace()
    fresh(world, template)
    world.equal(traced(world, "-e", "trace=" + ",".join(CHANGES)).status, 0, "exit status of an undisturbed ingest")
    counts: collections.Counter[str] = collections.Counter()
    found = []
    for name in re.findall(r"^\d+ +(\w+)\(", (world.folder / "trace").read_text(errors="replace"), re.MULTILINE):
        counts[name] += 1
        found.append((name, counts[name]))
    world.step("%d calls change something: %s" % (len(found), counts))
    world.check(found, "no call was seen")
    return found if len(found) <= most else [found[index * len(found) // most] for index in range(most)]


@case(quick=False)
def killed_at_each_call(world: World) -> None:
    """The process ends where it changes something, call by call."""
    template, expected = nights(world, 300)
    for name, number in calls(world, template, 2 * world.settings.kills):
        fresh(world, template)
        traced(world, "-e", "trace=" + name, "-e", "inject=%s:signal=KILL:when=%d" % (name, number))
        recover(world, expected, "killed at %s number %d" % (name, number))


@case(quick=False)
def calls_that_fail(world: World) -> None:
    """The disk is full, or broken, where something is changed, call by call."""
    template, expected = nights(world, 300)
    for (name, number), error in zip(calls(world, template, world.settings.kills), itertools.cycle(["ENOSPC", "EIO"])):
        fresh(world, template)
        what = "%s of %s number %d" % (error, name, number)
        outcome = traced(world, "-e", "trace=" + name, "-e", "inject=%s:error=%s:when=%d" % (name, error, number))
        # A call whose failure doesn't matter may go unmentioned; what was counted must be right.
        if world.check(outcome.status in (0, 2), "%s: exit status %d" % (what, outcome.status)) and not outcome.status:
            world.check_same(oracle.store_differences(expected, world.store), "exit status 0 after " + what)
        recover(world, expected, what)
