"""Logs that change, vanish or can't be read while they are read."""
import json
import os
import pathlib
import signal
import stat
import subprocess

from support.cases import case
from support.command import Outcome, Process, injected, positions, stopped, while_alive, worked
from support.inputs import AASA, HOST, ROUTES, SAMPLES, SITE, line
from support.world import NOBODY, Skip, World


def lines_of(outcome: Outcome) -> int:
    return outcome.report()["input"]["lines"]


def reading(world: World, lines: int) -> tuple[Process, pathlib.Path, int]:
    """Stops a report in the midst of a log of so many lines, or of more; returns it, the log, and its lines."""
    for attempt in range(6):
        log = world.log("access.log", lines << attempt)
        size = log.stat().st_size
        process = world.start("report", log, *SITE, "--format", "json", "--jobs", world.random.choice("12"))

        def is_reading() -> bool:
            # The first look at a log, which tells what it is, ends before this.
            return any(200_000 < position < size for position in positions(process, log))

        # It may have come to the end until it is stopped.
        while while_alive(process, is_reading, pause=0.0005) and stopped(process):
            if is_reading():
                return process, log, lines << attempt
            process.send_signal(signal.SIGCONT)
        # Where a run is over before it is seen, the next one has more to read.
        world.end(process)
    raise AssertionError("the log was never seen while it was read")


@case
def log_that_is_truncated(world: World) -> None:
    """'copytruncate' sets a log back while it is read: what was read counts, and nothing hangs or traps."""
    for size in (0, 1, 4096, 100_000):
        process, log, lines = reading(world, 20000)
        os.truncate(log, size)
        process.send_signal(signal.SIGCONT)
        outcome = world.end(process, 2)
        world.check(0 <= lines_of(outcome) <= lines, "%d lines" % lines_of(outcome))
        world.check_says(outcome, log, "bytes while linkaudit read it")


@case
def log_that_is_replaced(world: World) -> None:
    """A log that gets another name is read on; so is one that is removed."""
    for is_removed in (False, True):
        process, log, lines = reading(world, 50000)
        if is_removed:
            log.unlink()
        else:
            world.write("other.log", line(1, "/other")).rename(log)
        process.send_signal(signal.SIGCONT)
        world.equal(lines_of(world.end(process, 0)), lines, "lines")


@case
def log_that_grows(world: World) -> None:
    """A server goes on writing: the report ends, with whole lines."""
    process, log, lines = reading(world, 20000)
    process.send_signal(signal.SIGCONT)
    with open(log, "ab") as file:
        for number in range(2000):
            file.write(line(number, "/buy/%d" % number))
            file.flush()
    outcome = world.end(process, 0)
    world.check(lines <= lines_of(outcome) <= lines + 2000, "%d lines" % lines_of(outcome))


@case
def read_error(world: World) -> None:
    """The disk fails in the middle of a log: the lines in front of that count."""
    world.need_strace()
    log = world.log("access.log", 20000)
    whole = lines_of(world.report(log))
    for error in ("EIO", "ESTALE"):
        for number in (1, 4):
            outcome = world.report(
                log, "--jobs", "1", statuses=(2,), before=injected("read", "error=%s:when=%d+" % (error, number), log))
            world.check_says(outcome, log, "; ")
            if number > 1:
                world.check_says(outcome, "at byte", "before that count")
                world.check(0 < lines_of(outcome) < whole, "%d lines of %d" % (lines_of(outcome), whole))
            else:
                world.check_says(outcome, "no log could be read")
    # A signal that doesn't end the process interrupts a read, which is then asked for again.
    outcome = world.report(log, "--jobs", "1", before=injected("read", "error=EINTR:when=2", log))
    world.equal(lines_of(outcome), whole, "lines")
    digest = world.folder / "day.digest"
    world.run("digest", log, "--host", HOST, "-o", digest)
    outcome = world.report(digest, statuses=(2,), before=injected("pread64", "error=EIO:when=4+", digest))
    world.check_says(outcome, digest, "at byte", "disk")
    for what, arguments in (
        (AASA, ["lint", AASA]), (AASA, ["match", "--aasa", AASA, "https://www.example.com/buy/1"]),
        (AASA, ["report", log, *SITE]), (ROUTES[1], ["report", log, *SITE, *ROUTES]),
    ):
        outcome = world.run(*arguments, statuses=(2,), before=injected("read", "error=EIO", what))
        world.check_says(outcome, what, "disk")


@case
def directory_that_fails(world: World) -> None:
    """The disk fails while a directory is listed: that is told, and not that it is a directory."""
    world.need_strace()
    logs = world.log("logs/access.log", 100).parent
    for error, expected in (("EIO", "disk"), ("EACCES", "this user may"), ("ENOMEM", "memory")):
        outcome = world.report(logs, statuses=(2,), before=injected("getdents64", "error=" + error, logs))
        world.check_says(outcome, logs, expected)
        world.check("name a file in it" not in outcome.message, outcome.message)


@case
def no_arguments_from_the_system(world: World) -> None:
    """Without /proc, where Linux tells a process its arguments, nothing is done and nothing seems done."""
    if os.geteuid() != 0:
        raise Skip("only root can hide /proc")
    log = world.log("access.log", 100)
    hidden = ("unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$0" "$@"')
    try:
        subprocess.run([*hidden, "true"], check=True, stderr=subprocess.PIPE)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Skip("/proc can't be hidden here") from error
    for arguments in (["report", log, *SITE], ["--version"], ["lint", AASA]):
        outcome = world.run(*arguments, statuses=(2,), before=hidden)
        world.check_says(outcome, "/proc")
        world.check(not outcome.stdout, "it printed %d bytes" % len(outcome.stdout))


@case
def permission_denied(world: World) -> None:
    """Another's files: each is named, with the remedy, and the others count."""
    world.need_nobody()
    log, secret, store = world.log("access.log", 100), world.log("secret.log", 100, 90), world.temporary / "store"
    closed = world.log("closed/inside.log", 10).parent
    secret.chmod(0)
    closed.chmod(0)
    outcome = world.report(log, secret, closed, statuses=(2,), user=NOBODY)
    world.check_says(outcome, "'%s'" % secret, "'%s'" % closed, "Permission denied; check that this user may read it")
    world.equal(lines_of(outcome), 100, "lines")
    for arguments in (
        ["report", log, "--aasa", secret, "--host", HOST], ["report", log, *SITE, "--routes", secret],
        ["report", "--files-from", secret, *SITE], ["lint", secret], ["formats", "test", secret],
        ["match", "--aasa", secret, "https://www.example.com/"], ["diff", secret, AASA, "--host", HOST],
        ["suggest", secret, *SITE, *ROUTES], ["digest", secret, "--host", HOST, "-o", "/dev/null"],
        ["merge", secret, "-o", world.temporary / "x"], ["report", log, *SITE, "--config", secret],
        ["report", "--store", closed, *SITE],
    ):
        # A bad value of an option may be wrong usage, too.
        outcome = world.run(*arguments, statuses=(2, 64), user=NOBODY)
        world.check_says(outcome, closed if closed in arguments else secret, "ermission")
    ingest = ["ingest", log, secret, "--store", store, *SITE]
    world.check_says(world.run(*ingest, statuses=(2,), user=NOBODY), secret, "ermission")
    for lines in (100, 210):
        world.equal(lines_of(world.run("report", "--store", store, "--format", "json")), lines, "lines in the store")
        # It can be read from now on, and the other one grows.
        secret.chmod(0o644)
        world.log("access.log", 110)
        world.run(*ingest, user=NOBODY)


@case
def directory_that_vanishes(world: World) -> None:
    """Directories are removed and made while they are walked: no hang, no crash, and what is missing is named."""
    tree = world.folder / "tree"

    def plant() -> None:
        for number in range(240):
            world.write("tree/day-%d/%d.log" % divmod(number, 4), line(number, "/buy/%d" % number))

    plant()
    whole = world.needed(world.command("report", tree, *SITE, "--format", "json"))
    for number in range(4 if world.settings.quick else 12):
        if number:
            plant()
        # Not to a pipe that nobody reads, in which it would wait.
        process = world.start("report", tree, *SITE, "--format", "json", "-o", world.folder / "out")
        worked(process, whole * world.random.random())
        subprocess.run(["rm", "-rf", str(tree)], check=True)
        outcome = world.end(process, 0, 2)
        if outcome.status == 2:
            world.check("tree" in outcome.message or "nothing to read" in outcome.message, outcome.message[:300])


@case
def files_that_are_no_logs(world: World) -> None:
    """Sockets and devices end in a message, not in a run without an end."""
    os.mknod(world.folder / "socket.log", stat.S_IFSOCK | 0o600)
    log = world.log("access.log", 10)
    for path in (world.folder / "socket.log", "/dev/zero", "/dev/urandom", "/dev/full"):
        outcome = world.report(log, path, statuses=(2,))
        world.check_says(outcome, path, "not logs")
        world.equal(lines_of(outcome), 10, "lines")
    with open("/dev/zero", "rb") as zero:
        world.check_says(world.report("-", statuses=(2,), stdin=zero), "standard input", "not logs")
        for arguments in (
            ["match", "--aasa", "-", "https://www.example.com/"], ["lint", "-"],
            ["report", "--files-from", "-", *SITE], ["report", log, "--aasa", "/dev/zero", "--host", HOST],
        ):
            world.check_says(world.run(*arguments, statuses=(2,), stdin=zero), "cannot read")
    world.check_says(world.report("/dev/null", statuses=(2,)), "nothing was counted", "empty")


@case
def closed_standard_streams(world: World) -> None:
    """A file must not get the number of a stream that is closed, or messages would go into it."""
    log = world.log("access.log", 30000, 30000)
    expected = lines_of(world.report(log))
    world.check_says(world.report("-", statuses=(2,), closing=(0,)), "standard input", "closed")
    world.check_says(world.report(log, statuses=(2,), closing=(1,)), "standard output", "closed")
    out = world.folder / "out.json"
    for closing in ((0,), (2,), (0, 1, 2)):
        world.report(log, SAMPLES / "none", "-o", out, "--memory", "1M", statuses=(2,), closing=closing)
        world.equal(json.loads(out.read_bytes())["input"]["lines"], expected, "lines with %s closed" % (closing,))
        out.unlink()
