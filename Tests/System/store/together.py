"""Several ingests at once, and ingests while the server writes."""
import shutil
import threading
import time
from typing import Any

from store.world import World
from support.cases import case
from support.command import PATIENCE, ended, limited, until, while_alive
from support.inputs import SITE

# How long an ingest waits for others.
WAIT = ("--wait", "%d" % (PATIENCE * 0.9))


@case
def five_at_once(world: World) -> None:
    """Some of them wait for others, or find the store in use."""
    world.logs_of_days(3, 300 if world.settings.quick else 1500)
    for arguments, statuses in [((), (0, 2)), (WAIT, (0,))]:
        shutil.rmtree(world.store, ignore_errors=True)
        for _ in range(2):
            words = ["ingest", world.logs, "--store", world.store, *SITE, "--batch", "16K", *arguments]
            outcomes = [world.end(process, *statuses) for process in [world.start(*words) for _ in range(5)]]
            world.check(any(outcome.status == 0 for outcome in outcomes), "none of the ingests was done")
            for outcome in outcomes:
                if outcome.status == 2:
                    world.check_says(outcome, "in use by process")
            world.check_store()
            world.check_report()
    world.settle()


@case
def lock_of_a_process_that_died(world: World) -> None:
    """The lock of an ingest that was killed holds nobody up."""
    world.logs_of_days(3, 300)
    process = world.launch(world.ingest_command("--batch", "16K"))
    seen = while_alive(process, (world.store / "lock").exists, pause=0.001)
    process.kill()
    ended(process)
    world.step("an ingest is killed as soon as the lock is there")
    world.check(seen, "no lock was seen")
    world.settle()


@case
def reports_meanwhile(world: World) -> None:
    """A report never fails, nor sees half of a commit, while an ingest runs."""
    world.logs_of_days(3, 100)
    world.ingest()
    world.logs_of_days(3, 300 if world.settings.quick else 2500)
    process = world.launch(world.ingest_command("--batch", "16K"))
    totals: list[int] = []
    with limited(process):
        while process.poll() is None:
            report: dict[str, Any] = world.figures()
            totals.append(report["input"]["lines"])
            counts = [count for site in report["sites"] for count in site["verdicts"].values()] + report["otherHosts"]
            world.equal(sum(count["requests"] for count in counts), report["input"]["requests"], "requests by verdict")
    world.end(process, 0)
    world.check(totals == sorted(totals), "lines grow less with time: %s" % totals)
    world.step("%d reports meanwhile: lines %s" % (len(totals), totals))
    world.settle()


@case
def busy_server(world: World) -> None:
    """The server writes and rotates all the time, also in the midst of lines."""
    rounds = 4 if world.settings.quick else 15
    stop = threading.Event()
    trouble: list[str] = []
    written = 0

    def serve() -> None:
        nonlocal written
        log = world.server.open("access.log")
        generation = 0
        try:
            while not stop.is_set():
                data = b"".join(world.traffic.lines(world.random.randrange(1, 40)))
                cut = world.random.randrange(len(data))
                world.server.append(log, data[:cut])
                time.sleep(world.random.random() * 0.02)
                world.server.append(log, data[cut:])
                written += 1
                if world.random.random() < 0.08:
                    generation += 1
                    # No compression here: its file and the log would be there at once for a moment.
                    log = world.server.rotate(log, "access.log-%04d" % generation)
                    world.traffic.next_day()
        except OSError as error:
            trouble.append(str(error))

    server = threading.Thread(target=serve)
    server.start()
    try:
        for _ in range(rounds):
            world.ingest("--batch", "32K", silent=False, statuses=(0,))
            before = written
            until(lambda: written > before + 3 or trouble)
    finally:
        stop.set()
        server.join()
    world.check(not trouble, "the server failed: %s" % trouble)
    world.settle()
