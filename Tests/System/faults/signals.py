"""Signals at any moment: nothing unfinished stays, what was there is untouched, and the process dies by them."""
import contextlib
import fcntl
import itertools
import os
import pty
import select
import signal
import socket
import threading

from support.cases import case
from support.command import Process, drained, injected, opened_below, stopped, waits, while_alive, worked
from support.commands import good, writers
from support.inputs import HOST, SITE
from support.world import World

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def check_ended(world: World, process: Process, sent: signal.Signals) -> None:
    """Sends a signal, and checks that the process dies by it, and says so."""
    process.send_signal(sent)
    world.check_says(world.end(process, -sent), "ended by " + sent.name)


def end_waiting(world: World, process: Process, sent: signal.Signals) -> None:
    """Ends a process that is seen to wait."""
    world.check(waits(process), "no wait")
    check_ended(world, process, sent)


@case
def signals_at_any_moment(world: World) -> None:
    """While a large output is written, again and again."""
    log = world.log("access.log", 12000 if world.settings.quick else 40000, 40000)
    folder = world.folder / "out"
    folder.mkdir()
    moments = 4 if world.settings.quick else 16
    for name in ("report ndjson", "digest digest", "report html", "rejects"):
        path = folder / "out"
        path.unlink(missing_ok=True)
        words = [*writers(log)[name], path]
        expected = good(world, words[:-1], path)
        whole = world.needed(world.command(*words, "--memory", "1M"))
        path.write_bytes(old := b"" if name == "digest digest" else b"old\n")
        hits = 0
        for number in range(moments):
            sent = SIGNALS[number % len(SIGNALS)]
            process = world.start(*words, "--memory", "1M")
            worked(process, whole * (number + world.random.random()) / moments)
            process.send_signal(sent)
            outcome = world.end(process)
            hits += outcome.status == -sent
            world.check(outcome.status in (0, -sent), "%s: %d after %s" % (name, outcome.status, sent.name))
            found = path.read_bytes()
            # A signal may come when all is done and named.
            world.check(found in (old, expected), "%s: %d bytes after %s" % (name, len(found), sent.name))
            world.check_clean(folder)
            if found == expected:
                path.write_bytes(old)
        told = "%s: %d of %d signals came before the end" % (name, hits, moments)
        world.step(told)
        world.check(hits * 2 >= moments, told)


@case
def signals_at_each_call(world: World) -> None:
    """Where a file is opened, written, named and removed, call by call: all of it is written, or nothing."""
    world.need_strace()
    log = world.log("access.log", 3000, 3000)
    folder = world.folder / "out"
    folder.mkdir()
    path = folder / "out.json"
    # Sound but for trailing commas, and long enough that one call doesn't write it.
    rules = "".join('{"/": "/%s/%d"},' % ("x" * 100, number) for number in range(1200))
    wrong = '{"applinks": {"details": [{"appIDs": ["7F2K9QX3LM.com.example.tea"], "components": [%s]}]}}' % rules
    for words, old in (
        ([*writers(log)["report json"], path], b"old\n"), ([*writers(log)["digest digest"], path], b""),
        (["lint", path, "--fix"], wrong.encode()),
    ):
        path.write_bytes(old)
        world.run(*words, statuses=(0, 1))
        expected = path.read_bytes()
        world.check(expected not in (b"", old), "nothing was written")
        ends = 0
        for call in "openat fstat newfstatat read write chmod fchmod fsync rename close unlink".split():
            for number in (1, 2, 6) if world.settings.quick else (1, 2, 3, 5, 6, 8, 13, 21):
                for sent in (SIGNALS[number % 2], signal.SIGKILL):
                    path.write_bytes(old)
                    outcome = world.run(*words, statuses=(0, 1, -sent), before=injected(
                        call, "signal=%s:when=%d" % (sent.name, number)))
                    ends += outcome.status == -sent
                    found = path.read_bytes()
                    world.check(found in (old, expected), "%s %d: %d bytes" % (call, number, len(found)))
                    world.check(found == expected or outcome.status < 0, "status %d and no output" % outcome.status)
                    # SIGKILL may leave a file, which is hidden.
                    left = [entry for entry in folder.iterdir() if entry != path]
                    world.check(not left or sent == signal.SIGKILL and all(
                        entry.name.startswith(".linkaudit-") for entry in left), "%s after %s" % (left, sent.name))
                    for entry in left:
                        entry.unlink()
                if outcome.status >= 0:
                    break
        told = "%s: %d ends by signals" % (words[0], ends)
        world.step(told)
        world.check(ends >= 10, told)


@case
def killed(world: World) -> None:
    """No later run trips over what a run that was killed has left."""
    world.need_strace()
    log = world.log("logs/access.log", 500)
    path = log.with_name("out.json")
    expected = world.report(log.parent).stdout
    world.run("report", log, *SITE, "--format", "json", "-o", path, statuses=(-9,), before=injected(
        "rename", "signal=KILL:when=1"))
    world.check(len(list(log.parent.glob(".linkaudit-*"))) == 1, "nothing was left behind")
    world.check(world.report(log.parent).stdout == expected, "a file that was left behind is read")
    world.report(log, "-o", path)
    process = world.start("report", world.log("many.log", 30000, 30000), *SITE, "--memory", "1M")
    seen = while_alive(process, lambda: opened_below(process, world.temporary))
    process.kill()
    world.end(process)
    world.check(seen, "no temporary file was seen")
    world.check_clean()


@case
def waiting_for_a_pipe(world: World) -> None:
    """A run that waits for somebody to write, or to read, ends at once when it is told to."""
    pipe, out = world.folder / "pipe", world.folder / "out"
    os.mkfifo(pipe)
    log = world.log("access.log", 100)
    for words, sent in zip((
        ["report", pipe, *SITE, "-o", out], ["report", log, *SITE, "-o", pipe],
        ["report", log, "--aasa", pipe, "--host", HOST], ["report", "--files-from", pipe, *SITE], ["lint", pipe],
        ["digest", pipe, "--host", HOST, "-o", out], ["formats", "test", pipe],
        ["match", "--aasa", pipe, "https://www.example.com/"],
        ["ingest", pipe, "--store", world.folder / "store", *SITE],
    ), itertools.cycle(SIGNALS)):
        end_waiting(world, world.start(*words), sent)
        world.check(not out.exists(), "an output of nothing")
    reader, writer = os.pipe()
    for words in (["report", "-", *SITE], ["match", "--aasa", SITE[1], "-"], ["lint", "-"]):
        end_waiting(world, world.start(*words, stdin=reader), signal.SIGTERM)
    # Of a full pipe, the run waits for the reader.
    os.write(writer, bytes(fcntl.fcntl(writer, fcntl.F_GETPIPE_SZ)))
    end_waiting(world, world.start("report", log, *SITE, stdout=writer), signal.SIGINT)
    os.close(reader)
    os.close(writer)


@case
def ignored_signals(world: World) -> None:
    """'nohup' keeps a run alive, and a shell without job control keeps Ctrl-C from what is in its background."""
    reader, writer = os.pipe()
    for sent in (signal.SIGHUP, signal.SIGINT):
        process = world.start(
            "report", "-", *SITE, stdin=reader, preexec_fn=lambda number=sent: signal.signal(number, signal.SIG_IGN))
        world.check(waits(process), "no wait for standard input")
        process.send_signal(sent)
        end_waiting(world, process, signal.SIGTERM)
    os.close(reader)
    os.close(writer)


@case
def stopped_and_continued(world: World) -> None:
    """Ctrl-Z and 'fg' change nothing."""
    log = world.log("access.log", 30000, 3000)
    expected = world.report(log).stdout
    arguments = ["report", log, *SITE, "--format", "json", "-o", world.folder / "out"]
    whole = world.needed(world.command(*arguments))
    process = world.start(*arguments)
    stops = 0
    while stops < 5 and worked(process, whole * (stops + 1) / 7) and stopped(process):
        stops += 1
        process.send_signal(signal.SIGCONT)
    world.end(process, 0)
    world.check(stops, "the run was never stopped")
    world.check((world.folder / "out").read_bytes() == expected, "another report")


@case
def progress_is_removed(world: World) -> None:
    """On a terminal, the line of progress is gone when the word about the signal comes."""
    pipe = world.folder / "pipe"
    os.mkfifo(pipe)
    content = world.log("access.log", 30000).read_bytes()
    terminal, line = pty.openpty()
    process = world.start("report", pipe, *SITE, "-o", world.folder / "out", stderr=line)
    os.close(line)

    is_over, is_enough = threading.Event(), threading.Event()

    def feed() -> None:
        # Ends when nobody reads any more, too.
        with contextlib.suppress(OSError), open(pipe, "wb") as file:
            while not is_enough.is_set():
                file.write(content)
            file.flush()
            is_over.wait()

    threading.Thread(target=feed, daemon=True).start()
    shown = drained(terminal, b"MB")
    world.check(b"MB" in shown, "no progress: %r" % shown)
    # A line that is being written when the signal comes isn't removed, so that a terminal that takes nothing doesn't
    # hold up the end; therefore it comes when all is written, and the run waits for more.
    is_enough.set()
    world.check(waits(process), "no wait for the pipe")
    process.send_signal(signal.SIGINT)
    rest = drained(terminal)
    is_over.set()
    world.end(process, -signal.SIGINT)
    word = (shown + rest).rpartition(b"MB")[2]
    world.check(b"\r\x1b[Klinkaudit: ended by SIGINT" in word, "not removed: %r" % rest)
    os.close(terminal)


@case
def fetch_that_waits(world: World) -> None:
    """A fetch that waits for a server ends at once."""
    silent = socket.create_server(("127.0.0.1", 0))
    path = world.folder / "saved"
    path.write_text("old")
    process = world.start(
        "fetch", HOST, "--from", "origin", "--base-url", "http://127.0.0.1:%d" % silent.getsockname()[1],
        "--timeout", "60", "--save", path)
    asked = while_alive(process, lambda: select.select([silent], [], [], 0)[0])
    check_ended(world, process, signal.SIGTERM)
    world.check(asked, "the server was never asked")
    world.check(path.read_text() == "old", "the old file is gone")
    silent.close()
