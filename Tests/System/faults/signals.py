"""Signals at any moment: nothing unfinished stays, what was there is untouched, and the process dies by them."""
import contextlib
import os
import pty
import select
import signal
import socket
import threading

from faults.commands import good, writers
from support.cases import case
from support.command import Outcome, drained, injected, opened_below, stopped, waits, while_alive, worked
from support.inputs import HOST, SITE
from support.world import World

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def check_ended(world: World, outcome: Outcome, sent: signal.Signals) -> None:
    """Checks that a process died by a signal, and said so."""
    world.check(outcome.status == -sent, "exit status %d after %s" % (outcome.status, sent.name))
    world.check_says(outcome, "ended by " + sent.name)


@case
def signals_at_any_moment(world: World) -> None:
    """While a large output is written, again and again."""
    log = world.log("access.log", 12000 if world.settings.quick else 40000, 40000)
    folder = world.folder / "out"
    folder.mkdir()
    chosen = [writer for writer in writers(log) if writer.name in ("report ndjson", "digest", "report html", "rejects")]
    moments = 4 if world.settings.quick else 16
    for writer in chosen:
        path = folder / "out"
        path.unlink(missing_ok=True)
        expected = good(world, writer, path)
        whole = world.needed(world.command(*writer.arguments(path), "--memory", "1M"))
        path.write_bytes(old := b"" if writer.name == "digest" else b"old\n")
        hits = 0
        for number in range(moments):
            sent = SIGNALS[number % len(SIGNALS)]
            process = world.start(*writer.arguments(path), "--memory", "1M")
            worked(process, whole * (number + world.random.random()) / moments)
            process.send_signal(sent)
            outcome = world.end(process)
            hits += outcome.status == -sent
            world.check(
                outcome.status in (0, -sent), "%s: %d after %s" % (writer.name, outcome.status, sent.name))
            found = path.read_bytes()
            # A signal may come when all is done and named.
            world.check(found in (old, expected), "%s: %d bytes after %s" % (writer.name, len(found), sent.name))
            world.check_clean(folder)
            if found == expected:
                path.write_bytes(old)
        told = "%s: %d of %d signals came before the end" % (writer.name, hits, moments)
        world.step(told)
        world.check(hits * 2 >= moments, told)


@case
def signals_at_each_call(world: World) -> None:
    """Where a file is opened, written, named and removed, call by call."""
    world.need_strace()
    log = world.log("access.log", 3000, 3000)
    folder = world.folder / "out"
    folder.mkdir()
    path = folder / "out"
    for writer in [writer for writer in writers(log) if writer.name in ("report json", "digest")]:
        path.unlink(missing_ok=True)
        expected = good(world, writer, path)
        for name, numbers in (
            ("rename", (1,)), ("write", (1, 2, 3)), ("chmod", (1,)), ("fsync", (1, 2)), ("close", (6,)),
        ):
            for number in numbers:
                for sent in (signal.SIGINT, signal.SIGTERM):
                    path.write_bytes(old := expected[:0] if writer.name == "digest" else b"old\n")
                    outcome = world.run(
                        *writer.arguments(path), statuses=(0, -sent),
                        before=injected(name, "signal=%s:when=%d" % (sent.name, number)))
                    found = path.read_bytes()
                    world.check(found in (old, expected), "%s %d: %d bytes" % (name, number, len(found)))
                    world.check(found == expected or outcome.status, "status 0 and no output")
                    world.check_clean(folder)


@case
def killed(world: World) -> None:
    """SIGKILL may leave a file, which is hidden, and which no later run trips over."""
    world.need_strace()
    log = world.log("access.log", 500)
    folder = world.folder / "out"
    folder.mkdir()
    path = folder / "out.json"
    path.write_text("old")
    world.run("report", log, *SITE, "--format", "json", "-o", path, statuses=(-9,), before=injected(
        "rename", "signal=KILL:when=1"))
    left = [entry.name for entry in folder.iterdir() if entry != path]
    world.check(path.read_text() == "old" and all(name.startswith(".linkaudit-") for name in left), "%s" % left)
    world.report(log, "-o", path)
    path.unlink()
    (folder / "access.log").write_bytes(log.read_bytes())
    expected = world.report(log).stdout
    found = world.report(folder).stdout
    world.check(found == expected.replace(b"/access.log", b"/out/access.log"), "a file that was left behind is read")
    process = world.start("report", world.log("many.log", 30000, 30000), *SITE, "--memory", "1M")
    seen = while_alive(process, lambda: opened_below(process, world.temporary))
    process.kill()
    world.end(process)
    world.check(seen, "no temporary file was seen")
    world.check_clean()


@case
def fix_killed(world: World) -> None:
    """'lint --fix' writes the whole file or none of it, at whichever call it is killed."""
    world.need_strace()
    folder = world.folder / "files"
    folder.mkdir()
    path = folder / "aasa.json"
    # Sound but for trailing commas, and long enough that one call doesn't write it.
    rules = "".join('{"/": "/%s/%d"},' % ("x" * 100, number) for number in range(1200))
    old = ('{"applinks": {"details": [{"appIDs": ["7F2K9QX3LM.com.example.tea"], "components": [%s]}]}}' % rules).encode()
    path.write_bytes(old)
    world.run("lint", path, "--fix", statuses=(0, 1))
    fixed = path.read_bytes()
    world.check(fixed not in (b"", old) and path.stat().st_size < len(old), "the file was not fixed")
    kills = 0
    for name in ("openat", "fstat", "newfstatat", "read", "write", "chmod", "fchmod", "fsync", "rename", "close", "unlink"):
        for number in (1, 2, 3, 5, 8, 13, 21):
            path.write_bytes(old)
            outcome = world.run("lint", path, "--fix", statuses=(0, 1, -9), before=injected(
                name, "signal=KILL:when=%d" % number))
            kills += outcome.status == -9
            world.check(path.read_bytes() in (old, fixed), "%s %d: a part of the file was written" % (name, number))
            left = [entry for entry in folder.iterdir() if entry != path]
            world.check(all(entry.name.startswith(".linkaudit-") for entry in left), "%s" % left)
            for entry in left:
                entry.unlink()
            if outcome.status != -9:
                break
    told = "%d kills" % kills
    world.step(told)
    world.check(kills >= 10, told)


@case
def waiting_for_a_pipe(world: World) -> None:
    """A run that waits for somebody to write, or to read, ends at once when it is told to."""
    pipe, out = world.folder / "pipe", world.folder / "out"
    os.mkfifo(pipe)
    log = world.log("access.log", 100)
    commands = [
        ["report", pipe, *SITE, "-o", out], ["report", log, *SITE, "-o", pipe],
        ["report", log, "--aasa", pipe, "--host", HOST], ["report", "--files-from", pipe, *SITE], ["lint", pipe],
        ["digest", pipe, "--host", HOST, "-o", out], ["formats", "test", pipe],
        ["match", "--aasa", pipe, "https://www.example.com/"],
        ["ingest", pipe, "--store", world.folder / "store", *SITE],
    ]
    for number, arguments in enumerate(commands):
        sent = SIGNALS[number % len(SIGNALS)]
        process = world.start(*arguments)
        if not waits(process):
            outcome = world.end(process)
            # A store reads nothing that it can't read again.
            world.check(arguments[0] == "ingest" and outcome.status == 2, "no wait: %s" % outcome.message)
            continue
        process.send_signal(sent)
        check_ended(world, world.end(process), sent)
        world.check(not out.exists(), "an output of nothing")
    reader, writer = os.pipe()
    for words in (["report", "-", *SITE], ["match", "--aasa", SITE[1], "-"], ["lint", "-"]):
        process = world.start(*words, stdin=reader)
        world.check(waits(process), "no wait for standard input")
        process.send_signal(signal.SIGTERM)
        check_ended(world, world.end(process), signal.SIGTERM)
    os.close(reader)
    os.close(writer)
    # A full pipe: the run waits in a write.
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        while True:
            os.write(writer, bytes(65536))
    except BlockingIOError:
        os.set_blocking(writer, True)
    process = world.start("report", log, *SITE, stdout=writer)
    world.check(waits(process), "no wait for a full pipe")
    process.send_signal(signal.SIGINT)
    check_ended(world, world.end(process), signal.SIGINT)
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
        world.check(waits(process), "%s ends a run that ignores it" % sent.name)
        process.send_signal(signal.SIGTERM)
        check_ended(world, world.end(process), signal.SIGTERM)
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
    outcome = world.end(process)
    world.check(stops, "the run was never stopped")
    found = (world.folder / "out").read_bytes()
    world.check(outcome.status == 0 and found == expected, "exit status %d" % outcome.status)


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
        with contextlib.suppress(OSError), open(pipe, "wb", buffering=0) as file:
            while not is_enough.is_set():
                for start in range(0, len(content), 1 << 16):
                    file.write(content[start:start + (1 << 16)])
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
    process.send_signal(signal.SIGTERM)
    check_ended(world, world.end(process), signal.SIGTERM)
    world.check(asked, "the server was never asked")
    world.check(path.read_text() == "old", "the old file is gone")
    silent.close()
