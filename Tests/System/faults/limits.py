"""Limits on memory, open files and threads, as 'ulimit' sets them."""
import lzma
import pathlib
import re
import resource

from support.cases import case
from support.command import MIB
from support.commands import printing
from support.inputs import LOGS, SITE, line
from support.world import World


def big_log(world: World) -> pathlib.Path:
    """A log in which each line asks for a target of its own."""
    return world.write("big.log", (
        line(number, "/%s/%x-%d" % (("buy", "help", "a/b/c")[number % 3], world.random.getrandbits(40), number))
        for number in range(30_000 if world.settings.quick else 1_000_000)))


def needed(world: World, *arguments: object) -> int:
    """The least limit on address space with which a command doesn't complain, found from its message, in bytes."""
    most = 200 * MIB
    for _ in range(8):
        outcome = world.run(*arguments, statuses=(0, 2), limits={resource.RLIMIT_AS: most})
        if outcome.status == 0:
            return most
        world.check_says(outcome, "'ulimit -v'", "MiB")
        found = re.search(r"by (\d+) MiB", outcome.message)
        if not found:
            break
        most += int(found.group(1)) * MIB
    world.check(False, "what the message says doesn't help: %s" % outcome.message[:300])
    return most


@case
def address_space(world: World) -> None:
    """A million distinct targets within small limits: the same bytes, or a message, never a trap."""
    log = big_log(world)
    expected = world.report(log, "--jobs", "2").stdout
    least = needed(world, "report", LOGS, *SITE, "--format", "json", "--jobs", "1")
    world.step("%d MiB are enough" % (least // MIB))
    for memory, jobs in (("1M", "1"), ("16M", "2"), ("64M", "1"), ("256M", "2"), ("1G", "8")):
        for more in (1, 150) if world.settings.quick else (1, 40, 150, 400):
            outcome = world.report(
                log, "--memory", memory, "--jobs", jobs, limits={resource.RLIMIT_AS: least + more * MIB})
            what = "%s, %s jobs, %d MiB more than the least: another report" % (memory, jobs, more)
            world.check(outcome.stdout == expected, what)
    # Nothing asked for: the budget is what fits.
    outcome = world.report(log, limits={resource.RLIMIT_AS: least + 30 * MIB})
    world.check(outcome.stdout == expected, "no budget: another report")
    world.check_clean()


@case
def too_little_address_space(world: World) -> None:
    """From the least with which the program is loaded up to enough: a message, then a result."""
    log = world.log("access.log", 3000, 3000)
    commands = {"first ingest": ["ingest", log, "--store", world.folder / "other", *SITE], **printing(world, log)}
    for name in list(commands)[::2 if world.settings.quick else 1]:
        reached, allowed = False, (2, 127, 64) if name == "wrong usage" else (2, 127, 0, 1)
        for most in range(120, 560, 40):
            # 127 is the loader's, which can't even load the program.
            outcome = world.run(*commands[name], statuses=allowed, limits={resource.RLIMIT_AS: most * MIB})
            if outcome.status == 2:
                world.check_says(outcome, "'ulimit -v'")
            reached = reached or outcome.status not in (2, 127)
        world.check(reached, "no limit was enough for " + name)


@case
def compressed_logs_in_little_memory(world: World) -> None:
    """A decoder that gets no memory is told, file by file."""
    log = world.log("access.log", 30000, 3000)
    packed = world.folder / "access.log.xz"
    # A dictionary of 64 MiB is what 'xz -9' has.
    packed.write_bytes(lzma.compress(log.read_bytes(), preset=9))
    least = needed(world, "report", LOGS, *SITE, "--format", "json", "--jobs", "1")
    for more in (0, 20, 60, 120, 200):
        outcome = world.report(packed, statuses=(0, 2), limits={resource.RLIMIT_AS: least + more * MIB})
        if outcome.status == 2:
            world.check_says(outcome, packed, "memory", "'ulimit -v'")


@case
def open_files(world: World) -> None:
    """Few open files: fewer runs are read at a time, and fewer workers are at work."""
    size = 25_000 if world.settings.quick else 100_000
    log = world.log("big.log", size, size)
    expected = world.report(log).stdout
    for most in (12, 16, 64) if world.settings.quick else (12, 13, 16, 20, 24, 64):
        limits = {resource.RLIMIT_NOFILE: most}
        for jobs in ("1", "8") if world.settings.quick else ("1", "2", "3", "8"):
            found = world.report(log, "--memory", "1M", "--jobs", jobs, limits=limits).stdout
            world.check(found == expected, "%d open files, %s jobs: another report" % (most, jobs))
        world.run("report", log, *SITE, "--output-directory", world.folder / "reports", limits=limits)
    for most in (4, 5, 6, 8):
        outcome = world.report(log, "--memory", "1M", statuses=(0, 2), limits={resource.RLIMIT_NOFILE: most})
        if outcome.status == 2:
            world.check_says(outcome, "'ulimit -n'")


@case
def processor_time(world: World) -> None:
    """'ulimit -t' ends a run; nothing unfinished stays."""
    log = world.log("big.log", 150_000, 150_000)
    folder = world.folder / "out"
    folder.mkdir()
    outcome = world.run(
        "report", log, *SITE, "--format", "ndjson", "-o", folder / "out", statuses=(0, -24),
        limits={resource.RLIMIT_CPU: (1, 10)})
    world.check_clean(folder)
    if outcome.status:
        world.check_says(outcome, "ended by SIGXCPU")
        world.check(not (folder / "out").exists(), "half a report")
