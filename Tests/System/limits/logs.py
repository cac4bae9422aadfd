"""Logs with lines and names that nobody counted on."""
from __future__ import annotations

import os

from limits import bombs
from limits.world import World
from support.cases import case
from support.command import MIB
from support.inputs import line


@case
def a_line_without_end(world: World) -> None:
    path = world.write("zeros.log", line(1))
    # A hole takes no room on the disk.
    os.truncate(path, 1 << 30)
    outcome = world.report(path.name)
    report = outcome.report()["input"]
    world.equal((report["lines"], report["rejectedByReason"]["lineTooLong"]), (2, 1), "a gibibyte of zeros")
    world.below(outcome, 120, "a gibibyte of zeros")


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
    world.equal(outcome.status, 0, "status")
    world.below(outcome, 120, "a hole of a tebibyte")
    front = world.write("front.log", [])
    os.truncate(front, 1 << 40)
    with front.open("ab") as file:
        file.write(line(1) + line(2))
    outcome = world.report(front.name)
    report = outcome.report()["input"]
    world.equal((report["lines"], report["requests"], outcome.status), (2, 2, 0), "a hole in front of a log")
    world.write("padded.gz", bombs.gzip_member(line(1) * 20))
    os.truncate(world.folder / "padded.gz", 1 << 40)
    outcome = world.report("padded.gz")
    world.equal((outcome.status, outcome.report()["input"]["requests"]), (0, 20), "zeros behind a gzip member")


@case
def line_feeds_without_number(world: World) -> None:
    """Runs of empty lines count as each of them would, wherever they are."""
    count = 100_000_000
    for name, piece in [("feeds.gz", b"\n"), ("pairs.gz", b"\r\n")]:
        world.write(name, bombs.gzip_member(line(1) + piece * count + line(2) + piece * 3 + line(3)))
        # Gzip can't do more than 1,032 times.
        outcome = world.report(name, "--max-expansion", "1100")
        report = outcome.report()["input"]
        world.equal((report["lines"], report["requests"], report["rejectedByReason"]["emptyLine"]),
                    (count + 6, 3, count + 3), name)
        places = [(row["line"], row["offset"]) for row in report["rejectedLines"]]
        start = len(line(1))
        world.equal(places, [(2 + number, start + number * len(piece)) for number in range(3)], name + ", places")
        world.below(outcome, 120, name)


@case
def pipes_that_nobody_named(world: World) -> None:
    """A directory and a pattern find no pipe, which could keep the command waiting for ever."""
    world.write("logs/good.log", b"".join(line(number) for number in range(20)))
    os.mkfifo(world.folder / "logs/pipe")
    for argument in ["logs", "logs/*", "l*/pipe", "**/*"]:
        outcome = world.report(argument)
        world.check_says(outcome, "'logs/pipe' is not a regular file")
        if argument != "l*/pipe":
            world.equal(outcome.report()["input"]["requests"], 20, argument)


@case
def lines_of_a_mebibyte_and_longer_ones(world: World) -> None:
    def log(length: int) -> bytes:
        short = line(1, target="/buy/")
        return short.replace(b"/buy/", b"/buy/" + b"x" * (length - len(short) + 1))
    world.write("long.log", [line(number) for number in range(20)] + [log(MIB), log(MIB + 1)])
    report = world.report("long.log").report()
    world.equal((report["input"]["requests"], report["input"]["rejectedByReason"]["lineTooLong"]), (21, 1), "lines")


@case
def json_lines_that_are_deep(world: World) -> None:
    def log(depth: int) -> bytes:
        return b'{"request_uri":"/buy/1","status":200,"time":"2026-06-10T10:00:00+00:00","x":%s1%s}\n' % (
            b'{"a":' * depth, b"}" * depth)
    world.write("deep.log", [log(1)] * 20 + [log(64), log(65), log(100_000), b'{"a":' * 100_000 + b"\n"])
    outcome = world.report("deep.log")
    report = outcome.report()["input"]
    world.equal((report["lines"], report["requests"]), (24, 21), "lines")
    world.below(outcome, 120, "deep lines")


@case
def lines_within_lines(world: World) -> None:
    """Each collector that a line passes may wrap it in JSON; a line in which there is one again and again is none."""
    def log(depth: int) -> bytes:
        text = '{"request_uri":"/buy/1","status":200,"request_method":"GET","p":"%s"}' % ("a" * 200_000)
        for _ in range(depth):
            text = '{"log":"' + text.replace("\\", "\\x5c").replace('"', "\\x22") + '"}'
        return text.encode() + b"\n"
    world.write("wrapped.log", [log(0)] * 20 + [log(1), log(3), log(4), log(5), log(250)])
    outcome = world.report("wrapped.log")
    report = outcome.report()["input"]
    world.equal((report["lines"], report["requests"]), (25, 23), "lines")
    world.below(outcome, 150, "wrapped lines")


@case
def hosts_by_the_ten_thousand(world: World) -> None:
    count = 40_000
    world.write("hosts.log", (line(number, host="customer-%06d.shops.example.com" % number) for number in range(count)))
    with (world.folder / "hosts.log").open("ab") as file:
        for number in range(0, count, 20):
            file.write(line(number, host="customer-%06d.shops.example.com" % number, target="/buy/2"))
        file.write(line(1, host="www.example.com"))
    outcomes = [world.report("hosts.log", "--log-format", "vcombined", "--memory", memory, "--jobs", jobs)
                for memory, jobs in [("8M", "2"), ("1G", "1")]]
    report = outcomes[0].report()
    world.equal(outcomes[0].stdout, outcomes[1].stdout, "with little memory and with much")
    world.below(outcomes[0], 128, "8 MiB for tables")
    world.equal(len(report["otherHosts"]), 10_000, "the hosts that are named")
    world.equal([host["requests"] for host in report["otherHosts"][1_999:2_001]], [2, 1], "the heaviest first")
    world.equal(report["unlistedHosts"], {"hosts": count - 10_000, "requests": count - 10_000}, "the others")
    text = world.report("hosts.log", "--log-format", "vcombined", "--format", "text", "--full").stdout.decode()
    world.check("39,990 more hosts" in text, "the text doesn't tell of the others")


@case
def fetches_for_any_number_of_hosts(world: World) -> None:
    count = 55_000
    path = "/.well-known/apple-app-site-association"
    world.write("fetches.log", (line(number, host="customer-%06d.shops.example.com" % number, target=path)
                                for number in range(count)))
    with (world.folder / "fetches.log").open("ab") as file:
        file.write(line(1, host="www.example.com", target=path))
    outcome = world.report("fetches.log", "--log-format", "vcombined", "--memory", "8M")
    world.equal(outcome.status, 0, "status")
    world.check_says(outcome, "(OTHER HOSTS)")
    fetches = outcome.report()["sites"][0]["delivery"]["fetches"]
    world.equal([fetch["requests"] for fetch in fetches], [1], "those of the site")
    world.below(outcome, 300, "fetches")


@case
def agents_pages_and_targets_without_number(world: World) -> None:
    world.write("distinct.log", (
        line(number, target="/buy/%d/%d" % (number % 90, number), agent="Agent/%d (iPhone; %d)" % (number, number * 7),
             referrer="https://www.example.com/from-%d/x" % number) for number in range(30_000)))
    outcomes = [world.report("distinct.log", "--memory", memory) for memory in ["4M", "1G"]]
    world.equal(outcomes[0].stdout, outcomes[1].stdout, "with little memory and with much")
    world.below(outcomes[0], 160, "4 MiB for tables")


@case
def times_of_other_millennia(world: World) -> None:
    years = ["0000", "0001", "1969", "1970", "2026", "2199", "2200", "9999"]
    world.write("years.log", b"".join(line(1, day="10/Jun/" + year) for year in years))
    report = world.report("years.log").report()
    world.equal([day["day"] for day in report["sites"][0]["days"]],
                [None, "1970-06-10", "2026-06-10", "2199-06-10"], "days")
    world.equal(report["input"]["requests"], len(years), "requests")
