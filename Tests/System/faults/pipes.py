"""Pipes with and without a name, in and out."""
import os

from support.cases import case
from support.commands import all_writers, good
from support.inputs import LOGS
from support.world import World


@case
def pipe_as_log(world: World) -> None:
    """A named pipe is read as a stream, whatever its writer's pace."""
    log = world.log("access.log", 3000)
    expected = world.report(log).stdout
    pipe = world.folder / "stream"
    os.mkfifo(pipe)
    writer = world.launch(["dd", "if=%s" % log, "of=%s" % pipe, "bs=50000"])
    found = world.report(pipe).stdout
    world.end(writer, 0)
    world.check(found.replace(b"/stream", b"/access.log") == expected, "a pipe gives another report than a file")


@case
def reader_that_goes_away(world: World) -> None:
    """A pipe with a name that nobody reads any more is no error."""
    for name, words in all_writers(world):
        pipe = world.folder / ("pipe " + name)
        os.mkfifo(pipe)
        # Small output fits into a pipe, so the reader may leave too late to be missed.
        reader = world.launch(["head", "-c", "1", pipe])
        outcome = world.run(*words, pipe, statuses=(0, 1))
        world.end(reader, 0)
        world.check("roken pipe" not in outcome.message, "%s: %s" % (name, outcome.message))
        pipe.unlink()


@case
def pipe_as_output(world: World) -> None:
    """A named pipe is written to, and stays one."""
    for name, words in all_writers(world):
        # A fetch says how long it took, and 'init' names the file.
        if name in ("fetch", "init"):
            continue
        expected = good(world, words, world.folder / ("file of " + name))
        pipe = world.folder / "out"
        os.mkfifo(pipe)
        copy = world.folder / "copy"
        reader = world.launch(["cp", pipe, copy])
        world.run(*words, pipe, statuses=(0, 1))
        world.end(reader, 0)
        found = copy.read_bytes()
        world.check(found == expected, "%s: %d bytes in the pipe, %d in a file" % (
            name, len(found), len(expected)))
        world.check(pipe.is_fifo(), "%s: the pipe was replaced" % name)
        pipe.unlink()


@case
def devices_as_output(world: World) -> None:
    """'/dev/full' is a full disk, '/dev/null' takes all, and '/dev/stdout' is standard output."""
    for name, words in all_writers(world):
        outcome = world.run(*words, "/dev/full", statuses=(2,))
        world.check_says(outcome, "'/dev/full'", "No space left", words[-1])
        world.run(*words, "/dev/null", statuses=(0, 1))
    expected = world.report(LOGS).stdout
    for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        found = world.report(LOGS, "-o", name).stdout
        world.check(found == expected, "%s is not standard output" % name)
        # Text that others have written to the same file stays.
        shared = world.folder / "shared"
        with open(shared, "wb", buffering=0) as file:
            file.write(b"before\n")
            world.report(LOGS, "-o", name, stdout=file)
            file.write(b"after\n")
        world.check(shared.read_bytes() == b"before\n" + expected + b"after\n", "%s replaces a shared file" % name)
