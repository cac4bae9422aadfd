"""Logs with lines and names that nobody counted on."""
import os

from limits.world import World
from support.cases import case
from support.inputs import line


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
def hosts_by_the_ten_thousand(world: World) -> None:
    count = 40_000
    world.write("hosts.log", (line(number, host="customer-%06d.shops.example.com" % number) for number in range(count)))
    outcomes = [world.report("hosts.log", "--log-format", "vcombined", "--memory", memory, "--jobs", jobs)
                for memory, jobs in [("8M", "2"), ("1G", "1")]]
    world.equal(outcomes[0].stdout, outcomes[1].stdout, "with little memory and with much")
    world.below(outcomes[0], 128, "8 MiB for tables")
    text = world.report("hosts.log", "--log-format", "vcombined", "--format", "text", "--full").stdout.decode()
    world.check("30,000 more hosts" in text, "the text doesn't tell of the others")


@case
def agents_pages_and_targets_without_number(world: World) -> None:
    world.write("distinct.log", (
        line(number, target="/buy/%d/%d" % (number % 90, number), agent="Agent/%d (iPhone; %d)" % (number, number * 7),
             referrer="https://www.example.com/from-%d/x" % number) for number in range(30_000)))
    outcomes = [world.report("distinct.log", "--memory", memory) for memory in ["4M", "1G"]]
    world.equal(outcomes[0].stdout, outcomes[1].stdout, "with little memory and with much")
    world.below(outcomes[0], 160, "4 MiB for tables")
