"""What `fetch --store` records, and what reports say of it."""
import contextlib
import sqlite3
from typing import Any

from fetch.world import OTHER, World
from support.cases import case
from support.command import Outcome
from support.inputs import FILE, HOST, line
from support.server import answer

DAY = 86_400
# Midnight of 2026-06-15, UTC, which is a Monday.
MONDAY = 1_781_481_600


def recorded(world: World, time: int, site: bytes, cdn: bytes, *hosts: str) -> Outcome:
    """Asks a site and a CDN at a time of the store's clock."""
    return world.both(hosts, site, cdn, "--store", "store", environment={"SOURCE_DATE_EPOCH": str(time)})


def ingested(world: World, file: bytes = FILE) -> None:
    world.write("logs/access.log", b"".join(line(number) for number in range(100)))
    world.write("aasa.json", file)
    world.run("ingest", "logs", "--store", "store", "--aasa", "aasa.json", "--host", HOST, "--deployed", "2026-06-01")


def rows(world: World, columns: str, source: str = "served_files ORDER BY source, number") -> list[tuple]:
    with contextlib.closing(sqlite3.connect(world.folder / "store/store.sqlite")) as database:
        return database.execute("SELECT %s FROM %s" % (columns, source)).fetchall()


def findings(world: World) -> dict[str, dict[str, Any]]:
    report = world.run("report", "--store", "store", "--format", "json").report()
    codes = ("served-file-missing", "cdn-behind", "served-file-differs")
    return {each["code"]: each for each in report["findings"] if each["code"] in codes}


@case
def history_of_answers(world: World) -> None:
    """An answer makes the last one longer, or begins anew; files are kept once."""
    ingested(world)
    answers = [FILE, FILE, OTHER, OTHER, OTHER, FILE]
    for hour, file in enumerate(answers):
        recorded(world, MONDAY + hour * 3_600, answer(file), answer(FILE), HOST)
    world.equal(
        rows(world, "source, first_seen, last_seen, checks, status, problem, size"),
        [("cdn", "2026-06-15T00:00:00+00:00", "2026-06-15T05:00:00+00:00", 6, 200, None, len(FILE)),
         ("origin", "2026-06-15T00:00:00+00:00", "2026-06-15T01:00:00+00:00", 2, 200, None, len(FILE)),
         ("origin", "2026-06-15T02:00:00+00:00", "2026-06-15T04:00:00+00:00", 3, 200, None, len(OTHER)),
         ("origin", "2026-06-15T05:00:00+00:00", "2026-06-15T05:00:00+00:00", 1, 200, None, len(FILE))], "answers")
    world.equal(sorted(set(rows(world, "association_file"))), [(1,), (2,)], "files")
    world.check(all("application/json" in fields for (fields,) in rows(world, "fields")), "fields")
    world.check(all(end for (end,) in rows(world, "certificate_end")), "certificates")
    world.equal(world.run("store", "check", "--store", "store").status, 0, "the store is sound")


@case
def history_of_the_stores_sites(world: World) -> None:
    """Without hosts, those of the store are asked; reports have the answers."""
    missing = world.fetch("--store", "none")
    world.equal(missing.status, 2, "status without a store")
    world.equal(world.fetch(HOST, "--store", "none").status, 2, "status without a store, with a host")
    world.equal(world.fetch().status, 64, "status without hosts")
    world.equal(world.fetch(HOST, "--wait", "5").status, 64, "status of --wait alone")
    ingested(world)
    world.equal(recorded(world, MONDAY, answer(FILE), answer(FILE)).status, 0, "status")
    report = world.run("report", "--store", "store", "--format", "json").report()
    served = report["sites"][0]["delivery"]["servedFiles"]
    world.equal([(each["from"], each["status"], each["inForceSince"]) for each in served],
                [("cdn", 200, "2026-06-01"), ("origin", 200, "2026-06-01")], "answers")
    metrics = world.run("report", "--store", "store", "--format", "openmetrics").text
    world.check('linkaudit_served_file_good{host="%s",source="cdn"} 1' % HOST in metrics, "metrics")
    world.check('_last_check_timestamp_seconds{host="%s",source="origin"} %d' % (HOST, MONDAY) in metrics, "metrics")
    world.equal(findings(world), {}, "findings")


@case
def history_of_a_deployment(world: World) -> None:
    """A file that is deployed on Monday, and isn't at the CDN on Wednesday."""
    ingested(world, OTHER)
    old, new = answer(FILE), answer(OTHER)
    recorded(world, MONDAY - DAY, old, old)
    world.check("served-file-differs" in findings(world), "the site serves the old file")
    recorded(world, MONDAY, new, old)
    world.check("cdn-behind" not in findings(world), "the CDN has a day")
    recorded(world, MONDAY + DAY, new, old)
    world.equal(findings(world)["cdn-behind"]["severity"], "warning", "severity after a day")
    recorded(world, MONDAY + DAY + 3_600, answer(b"", status="503 Busy"), old)
    world.equal(findings(world)["served-file-missing"]["severity"], "error", "severity of an outage")
    recorded(world, MONDAY + 2 * DAY + 1, new, old)
    behind = findings(world)["cdn-behind"]
    world.equal(behind["severity"], "error", "severity after two days")
    for time in ("2026-06-15T00:00:00+00:00", "2026-06-17T00:00:01+00:00"):
        world.check(time in behind["message"], "message %r" % behind["message"])
    recorded(world, MONDAY + 3 * DAY, new, new)
    world.equal(findings(world), {}, "findings at the end")


@case
def history_of_spelling(world: World) -> None:
    """Files that mean the same are no problem, however they are written."""
    ingested(world)
    spelt = answer(FILE.replace(b"\n", b"\r\n"))
    for day in range(4):
        recorded(world, MONDAY + day * DAY, spelt, answer(FILE))
    world.equal(findings(world), {}, "findings")


@case
def history_follows_its_site(world: World) -> None:
    """Answers go with the site, and with the days that are kept; the present ones stay."""
    ingested(world)
    recorded(world, MONDAY - 90 * DAY, answer(OTHER), answer(FILE))
    recorded(world, MONDAY - 80 * DAY, answer(FILE), answer(FILE))
    world.write("logs/later.log", b"".join(line(number, day="15/Jun/2026") for number in range(10)))
    world.run("ingest", "logs", "--store", "store", "--keep", "30d")
    world.equal(rows(world, "source, checks"), [("cdn", 2), ("origin", 1)], "answers that are kept")
    world.equal(rows(world, "count(*)", "association_files"), [(1,)], "files that are kept")
    world.run("store", "remove-site", HOST, "--store", "store")
    world.equal(rows(world, "source"), [], "answers of a site that was removed")
    world.equal(world.run("store", "check", "--store", "store").status, 0, "the store is sound")


@case
def history_of_clocks_and_pages(world: World) -> None:
    """Answers are in the order in which they came, whatever the clock says; a page may change its size."""
    ingested(world)
    recorded(world, MONDAY + 4_000 * DAY, answer(OTHER), answer(FILE))
    for hour in range(3):
        recorded(world, MONDAY + hour * 3_600, answer(FILE), answer(FILE))
    world.equal(rows(world, "source, checks"), [("cdn", 4), ("origin", 1), ("origin", 3)], "answers")
    world.equal(findings(world), {}, "findings")
    for size in range(5):
        recorded(world, MONDAY + DAY, answer(b"<html>" + b"x" * size, ["Content-Type: text/html"]), answer(FILE))
    world.equal(rows(world, "problem, checks")[-1], ("html-page", 5), "answers with a page")
    world.check("served-file-missing" in findings(world), "findings of a page")
    world.equal(world.run("store", "check", "--store", "store").status, 0, "the store is sound")
