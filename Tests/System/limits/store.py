"""Logs with very many hosts and days, in a store."""
import datetime
import sqlite3

from limits.world import World
from support.cases import case
from support.inputs import FILE, line


def ingest(world: World, log: str) -> sqlite3.Connection:
    world.write("aasa.json", FILE)
    outcome = world.run("ingest", log, "--store", "store", "--log-format", "vcombined", "--aasa", "aasa.json", "--host",
                        "www.example.com", "--memory", "16M", "--quiet")
    world.ends(outcome, 0, 192, "ingest")
    outcome = world.run("store", "check", "--store", "store")
    world.equal(outcome.status, 0, "store check: " + outcome.message[:300])
    return sqlite3.connect(world.folder / "store/store.sqlite")


@case
def days_in_a_store(world: World) -> None:
    """Each has a digest, however many there are, and none is lost."""
    count = 3_000
    first = datetime.date(1990, 1, 1)
    days = [first + datetime.timedelta(number * 25) for number in range(count)]
    world.write("days.log", (
        line(number, host="www.example.com", day=day.strftime("%d/%b/%Y"), target="/buy/%d" % (number % 700))
        for number, day in enumerate(days)))
    store = ingest(world, "days.log")
    world.equal(store.execute("SELECT count(*), sum(requests) FROM digests").fetchone(), (count, count), "digests")
    world.equal(store.execute("SELECT min(day), max(day) FROM daily_sites").fetchone(),
                (days[0].isoformat(), days[-1].isoformat()), "days")
    report = world.run("report", "--store", "store", "--format", "json", "--quiet").report()
    world.equal(report["input"]["requests"], count, "the report")
