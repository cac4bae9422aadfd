"""Association files, configurations, routes, and lists that are too much."""
import json
import os
import struct

from limits.world import World, association_file
from support.cases import case
from support.command import MIB
from support.inputs import FILE, line


@case
def association_files_that_are_deep(world: World) -> None:
    for depth, is_read in [(512, True), (513, False), (200_000, False)]:
        world.write("deep.json", b'{"a":' * depth + b"1" + b"}" * depth)
        outcome = world.run("match", "--aasa", "deep.json", "https://www.example.com/")
        world.equal("more than 512 levels deep" in outcome.message, not is_read, "depth %d: %s" % (depth, outcome.message))
        world.below(outcome, 300, "depth %d" % depth)


@case
def association_files_that_are_large(world: World) -> None:
    world.write("log", b"".join(line(number, target="/buy/%d/x?a=5x" % number) for number in range(300)))
    world.write("aasa.json", association_file(b",\n".join(
        b'{"/":"/buy/%d/*","?":{"a":"*%d?x"}}' % (number, number) for number in range(4_000))))
    outcome = world.report("log", "--format", "ndjson", "--top", "1")
    world.ends(outcome, 0, 256, "4,000 rules")
    world.check_says(outcome, "131,072")
    world.run("lint", "aasa.json")
    values = b",".join(b'"v%d"' % number for number in range(20_000))
    world.write("aasa.json", association_file(
        b'{"/":"/$(food)/$(food)/*"},{"/":"/buy/$(food)$(food)$(food)"}', b'"food":[%s]' % values))
    outcome = world.report("log")
    world.ends(outcome, 0, 256, "20,000 values of a variable")
    world.write("aasa.json", b"{" + b" " * (64 * MIB))
    outcome = world.report("log")
    world.equal(outcome.status, 2, "64 MiB")
    world.check_says(outcome, "aasa.json")


@case
def rules_by_the_hundred_thousand(world: World) -> None:
    """Memory grows with the file; answers for people and findings are limited."""
    world.write("log", b"".join(line(number, target="/none/%d" % number) for number in range(300)))
    peaks = []
    for count in (50_000, 100_000):
        text = association_file(b",\n".join(b'{"/":"/b/%d"}' % number for number in range(count)))
        world.write("aasa.json", text)
        outcome = world.report("log", "--jobs", "2")
        world.equal(outcome.status, 0, "%d rules" % count)
        unused = [finding["message"] for finding in outcome.report()["findings"] if finding["code"] == "rule-unused"]
        world.equal(len(unused), 10_001, "findings")
        world.check(f"{count - 10_000:,} more rules" in unused[-1], unused[-1])
        world.below(outcome, 64 + 100 * len(text) // MIB, "%d rules" % count)
        for form, told in ((["--explain"], 10_000), (["--explain", "--format", "ndjson"], count), ([], 3)):
            outcome = world.run("match", "--aasa", "aasa.json", "https://www.example.com/none", *form)
            world.equal(outcome.status, 0, "match " + " ".join(form))
            world.check(outcome.stdout.count(b"/b/") >= told, "match tells of too few rules")
            peaks.append(outcome.peak)
            world.below(outcome, 48 + 50 * len(text) // MIB, "match of %d rules %s" % (count, " ".join(form)))


@case
def rules_that_are_too_much_for_sql(world: World) -> None:
    """Each rule has all values of the variables that it names."""
    values = b",".join(b'"v%d"' % (number * 7919) for number in range(5_000))
    for count, status in [(10, 0), (1_000, 2)]:
        world.write("aasa.json", association_file(
            b",".join(b'{"/":"/buy/%d/$(food)"}' % number for number in range(count)), b'"food":[%s]' % values))
        outcome = world.run("compile", "aasa.json", "--dialect", "duckdb", "--host", "www.example.com")
        world.equal(outcome.status, status, "%d rules" % count)
        world.below(outcome, 256, "%d rules" % count)
    world.check_says(outcome, "aasa.json", "4 MiB")


@case
def routes_by_the_million(world: World) -> None:
    world.write("log", line(1))
    world.write("routes.txt", (b"/shop/item-%d\n" % number for number in range(1_000_001)))
    outcome = world.report("log", "--routes", "routes.txt")
    world.ends(outcome, 2, 256, "too many routes")
    world.check_says(outcome, "'routes.txt'", "1,000,001 lines of routes")
    # Two hosts that a list names by turns each have a table of their own.
    world.write("half.txt", [b"https://a.example.com/x\n"] + [b"/shop/item-%d\n" % number for number in range(500_000)])
    world.write("aasa.json", FILE)
    sites = [part for host in "ab" for part in ("--site", host + ".example.com=aasa.json")]
    outcome = world.run("report", "log", *sites, "--routes", "half.txt", "--quiet")
    world.equal(outcome.status, 2, "status for two hosts")
    world.check_says(outcome, "for all sites")


@case
def association_files_that_repeat(world: World) -> None:
    """Values, names, entries and long patterns that everything has again: they cost their size, not its square."""
    world.write("log", line(1))
    def paths(paths: bytes, variables: bytes = b"") -> bytes:
        return association_file(b"", variables).replace(b'"components":[]', b'"paths":[%s]' % paths)

    for what, text in [
        ("alternatives", paths(b",".join([b'"/$(a)"'] * 1_500), b'"a":[%s]' % b",".join([b'"*"'] * 3_000))),
        ("long values", paths(b",".join([b'"/%x$(a)"'] * 5_000), b'"a":["%s"]' % (b"x" * 60_000))),
        ("unknown variables", paths(
            b'"%s"' % (b"$(ZZ)" * 8_000), b",".join(b'"v%d":["x"]' % number for number in range(5_000)))),
        ("escapes between variables", paths(b'"/%s"' % (b"%$(digit)" * 10_000))),
        ("apps", b'{"applinks":{"details":[{"appIDs":[%s],"components":[%s]}]}}' % (
            b",".join(b'"A.%d"' % number for number in range(3_000)), b",".join([b'{"/":"/a"}'] * 3_000))),
        ("searches in items", association_file(b",".join(
            b'{"?":{"a%d":"*%d?*","b%d":"?%d*"}}' % (number % 7, number, number % 5, number) for number in range(3_500)))),
        ("searches everywhere", association_file(b",".join(
            b'{"/":"*%x*%d*","?":{"q":"*%d"},"exclude":%s}' % (number * number, number, number, (b"true", b"false")[number % 2])
            for number in range(2_400)))),
        ("long values", association_file(
            b",".join(b'{"/":"/$(v)/%d"}' % number for number in range(20)),
            b'"v":[%s]' % b",".join(b'"%0200d"' % number for number in range(600)))),
    ]:
        world.write("aasa.json", text)
        world.write("other.json", text.replace(b"1", b"2", 1))
        for command in (["lint", "aasa.json"], ["match", "--aasa", "aasa.json", "https://www.example.com/a"],
                        ["diff", "aasa.json", "other.json", "--host", "www.example.com"]):
            outcome = world.run(*command)
            world.check(outcome.status in (0, 1), "%s of %s: %d %s" % (
                command[0], what, outcome.status, outcome.message[:300]))
            world.below(outcome, 900, "%s of %s" % (command[0], what))


def repeated_text(text: bytes, count: int) -> bytes:
    """A binary property list whose domains are the same text."""
    key = b"com.apple.developer.associated-domains"
    objects = [b"\xd1\x01\x02", b"\x5f\x10%c" % len(key) + key,
               b"\xaf\x12" + struct.pack(">I", count) + b"\x03" * count,
               b"\x5f\x12" + struct.pack(">I", len(text)) + text]
    file, offsets = b"bplist00", []
    for value in objects:
        offsets.append(len(file))
        file += value
    table = b"".join(struct.pack(">I", offset) for offset in offsets)
    return file + table + struct.pack(">6xBBQQQ", 4, 1, len(objects), 0, len(file))


@case
def patterns_that_defaults_multiply(world: World) -> None:
    """A long default that thousands of rules take over is more than what is judged by."""
    app = b'"appIDs":["A1B2C3D4E5.com.example.tea"]'
    world.write("log", line(1))
    world.write("aasa.json", b'{"applinks":{"defaults":{"/":"*%s"},"details":[{%s,"components":[%s]}]}}' % (
        b"a" * 60_000, app, b",".join([b"{}"] * 20_000)))
    for command in (["match", "--aasa", "aasa.json", "https://www.example.com/a"],
                    ["diff", "aasa.json", "aasa.json", "--host", "www.example.com"],
                    ["report", "log", "--aasa", "aasa.json", "--host", "www.example.com"]):
        outcome = world.run(*command)
        world.equal(outcome.status, 2, command[0])
        world.check_says(outcome, "aasa.json", "'defaults'")
        world.below(outcome, 300, command[0])
    outcome = world.run("lint", "aasa.json")
    world.check(outcome.status in (0, 1), "lint: %s" % outcome.message[:300])
    world.below(outcome, 300, "lint")


@case
def entitlements_that_are_deep(world: World) -> None:
    world.write("aasa.json", FILE)
    for what, text in [
        ("arrays", b"<plist>" + b"<array>" * 100_000 + b"</array>" * 100_000 + b"</plist>"),
        ("UTF-16", ("<?xml version='1.0'?><plist>" + "<array>" * 100_000 + "</array>" * 100_000).encode("utf-16")),
        ("ends in a comment", b"<!-- " + b"</array>" * 100_000 + b" -->" + b"<array>" * 100_000 + b"</array>" * 100_000),
        ("ends in comments", b"<array><!--</array>-->" * 100_000 + b"</array>" * 100_000),
        ("other elements", b"<plist>" * 100_000 + b"</plist>" * 100_000),
        ("data", b"<![CDATA[" + b"</dict>" * 100_000 + b"]]>" + b"<dict>" * 100_000),
        ("one text again and again", repeated_text(b"a" * 400_000, 60_000)),
    ]:
        world.write("deep.entitlements", text)
        outcome = world.run("lint", "aasa.json", "--entitlements", "deep.entitlements")
        world.equal(outcome.status, 2, what)
        world.check_says(outcome, "deep.entitlements")


@case
def sites_by_the_thousand(world: World) -> None:
    """Hosts that have the same file share what is made of it."""
    count = 5_000
    world.write("log", b"".join(line(number, host="h%d.example.com" % (number % count)) for number in range(10_000)))
    world.write("aasa.json", FILE)
    world.write("routes.txt", b"".join(b"/shop/item-%d/:name\n" % number for number in range(300)))
    hosts = b", ".join(b"h%d.example.com" % number for number in range(count - 1_000))
    rows = b"".join(b"  - {hosts: [h%d.example.com], aasa: aasa.json, routes: routes.txt}\n" % number
                    for number in range(count - 1_000, count))
    world.write("linkaudit.yml", b"sites:\n  - hosts: [" + hosts + b"]\n    aasa: aasa.json\n    routes: routes.txt\n" + rows)
    outcome = world.run("report", "log", "--log-format", "vcombined", "--quiet", "--format", "json")
    sites = outcome.report()["sites"]
    world.equal((outcome.status, len(sites), sum(site["verdicts"]["unclaimed"]["requests"] for site in sites)),
                (0, count, 0), "sites")
    world.below(outcome, 256, "sites")


@case
def long_names_and_deep_folders(world: World) -> None:
    log = b"".join(line(number) for number in range(20))
    world.write("logs/" + "n" * 251 + ".log", log)
    deep = world.folder / "logs"
    # Deeper than a path can be long.
    origin = os.open(".", os.O_RDONLY)
    os.chdir(deep)
    for _ in range(650):
        os.mkdir("folder")
        os.chdir("folder")
    with open("deep.log", "wb") as file:
        file.write(log)
    os.fchdir(origin)
    os.close(origin)
    outcome = world.report("logs")
    world.equal(outcome.report()["input"]["requests"], 20, "requests")
    world.equal(outcome.status, 2, "status: the deep one can't be named")
    world.check_says(outcome, "File name too long")


@case
def a_url_that_is_too_long(world: World) -> None:
    world.write("aasa.json", FILE)
    urls = [b"https://www.example.com/buy/1\n", b"https://www.example.com/" + b"x" * (MIB - 100) + b"\n"]
    outcome = world.run("match", "--aasa", "aasa.json", "-", "--format", "ndjson", data=urls)
    world.equal((outcome.status, outcome.stdout.count(b"\n")), (0, 2), "a URL of a mebibyte")
    outcome = world.run("match", "--aasa", "aasa.json", "-", data=[urls[0]] + [b"x" * MIB] * 200)
    world.ends(outcome, 2, 120, "a line without end")
    world.check_says(outcome, "line 2", "1048576 bytes")


# MARK: - Patterns and targets that are made to hurt


@case
def patterns_that_hurt(world: World) -> None:
    """What they cost grows with the sum of patterns and targets, not with their product."""
    # Random letters lead to another set of positions at almost each byte.
    targets = ["".join(world.random.choices("aaaaaaaaab", k=8_000)) for _ in range(600)]
    for name, start in (("log", "/"), ("queries", "/?q=")):
        world.write(name, (line(number, "%s%s/%dZ" % (start, text, number)) for number, text in enumerate(targets)))
    long = "*" + "a?" * 1_000 + "Z?*"
    values = json.dumps(["a" * (number % 30) + "b%d" % number for number in range(300)]).encode()
    for what, name, components, variables in [
        ("a hundred rules", "log", [{"/": "*" + "a?" * (50 + number) + "Z*"} for number in range(100)], b""),
        ("values", "log", [{"/": "*$(v)Z*"}], b'"v":' + values),
        ("queries", "queries", [{"/": "*", "?": long}], b""),
        ("query items", "queries", [{"/": "*", "?": {"q": long}}] * 50, b""),
    ]:
        world.write("aasa.json", association_file(json.dumps(components)[1:-1].encode(), variables))
        outcome = world.report(name)
        world.ends(outcome, 0, 128, what)
        world.equal(outcome.report()["input"]["requests"], 600, what)


@case
def items_without_number(world: World) -> None:
    """Each name is found at once, however many rules name others."""
    world.write("aasa.json", association_file(b",".join(
        b'{"/":"*","?":{"n%d":"?*"}}' % number for number in range(2_000))))
    query = "&".join("n%d" % (number % 3_000) for number in range(1_400))
    world.write("log", (line(number, "/%d?%s" % (number, query)) for number in range(1_000)))
    world.ends(world.report("log"), 0, 128, "items")
