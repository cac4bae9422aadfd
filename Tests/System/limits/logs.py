"""Logs with lines and names that nobody counted on, stores of very many days, and digests from elsewhere."""
import datetime
import os

from limits.world import World
from support.cases import case
from support.digests import Digest
from support.inputs import FILE, HOST, line


@case
def a_hole_of_a_tebibyte(world: World) -> None:
    """Zeros that are stored nowhere count as those that are, and take no time."""
    path = world.write("hole.log", [line(1), b"the start of a line"])
    os.truncate(path, 1 << 40)
    with path.open("ab") as file:
        file.write(b"the end of it\n" + line(2) + line(3))
    outcome = world.report(path.name)
    report = outcome.report()["input"]
    world.equal((report["lines"], report["requests"], report["rejectedByReason"]["lineTooLong"]), (4, 3, 1), "lines")
    world.ends(outcome, 0, 120, "a hole of a tebibyte")


@case
def names_without_number(world: World) -> None:
    """Hosts, agents, pages and targets: little memory gives the report that much gives."""
    hosts = [line(number, host="customer-%06d.shops.example.com" % number) for number in range(40_000)]
    others = [
        line(number, target="/buy/%d/%d" % (number % 90, number), agent="Agent/%d (iPhone; %d)" % (number, number * 7),
             referrer="https://www.example.com/from-%d/x" % number) for number in range(30_000)]
    for lines, form, memory, most in ((hosts, "vcombined", "8M", 128), (others, "combined", "4M", 160)):
        world.write("log", lines)
        outcomes = [world.report("log", "--log-format", form, "--memory", size) for size in (memory, "1G")]
        world.equal(outcomes[0].stdout, outcomes[1].stdout, "with little memory and with much")
        world.below(outcomes[0], most, memory + " for tables")
    world.write("log", hosts)
    text = world.report("log", "--log-format", "vcombined", "--format", "text", "--full").text
    world.check("30,000 more hosts" in text, "the text doesn't tell of the others")


@case
def days_in_a_store(world: World) -> None:
    """Each has a digest, however many there are, and none is lost."""
    count = 3_000
    days = [datetime.date(1990, 1, 1) + datetime.timedelta(number * 25) for number in range(count)]
    world.write("days.log", (
        line(number, "/buy/%d" % (number % 700), day=day.strftime("%d/%b/%Y")) for number, day in enumerate(days)))
    world.write("aasa.json", FILE)
    outcome = world.run(
        "ingest", "days.log", "--store", "store", "--aasa", "aasa.json", "--host", HOST, "--memory", "16M", "--quiet")
    world.ends(outcome, 0, 192, "ingest")
    world.run("store", "check", "--store", "store", statuses=(0,))
    report = world.run("report", "--store", "store", "--format", "json", "--quiet").report()
    world.equal((report["input"]["requests"], len(report["sites"][0]["days"])), (count, count), "the report")


@case
def targets_that_share_all_but_a_byte(world: World) -> None:
    """Some thousand bytes that stand for gigabytes of targets are damage; for less, they are a digest."""
    def spread(count: int, length: int) -> bytes:
        world.write("lines.log", line(1, target="/a", host="h.example") * count)
        world.run("digest", "lines.log", "--log-format", "vcombined", "--no-config", "-o", "lines.digest")
        return Digest((world.folder / "lines.digest").read_bytes()).spread(length)

    world.write("good.digest", spread(100, 1_000))
    outcome = world.run("digest", "good.digest", "--format", "ndjson", "-o", "rows")
    world.equal(outcome.status, 0, "a small one: %s" % outcome.message[:300])
    world.equal((world.folder / "rows").read_text().count('"row":"requests"'), 100, "its rows")
    world.write("bomb.digest", spread(300, 4_000_000))
    world.check((world.folder / "bomb.digest").stat().st_size < 10_000, "the bomb is large")
    outcome = world.run("merge", "good.digest", "bomb.digest", "-o", "merged.digest")
    world.ends(outcome, 2, 400, "a bomb of targets")
    world.check_says(outcome, "bomb.digest", "damaged")
    world.check(not (world.folder / "merged.digest").exists(), "a part of a digest was left")
