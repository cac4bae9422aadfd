"""Association files, configurations, routes, and lists that are too much."""
from __future__ import annotations

import os

from limits_world import FILE, MIB, World, case, line


def rules(count: int) -> bytes:
    return b'{"applinks":{"details":[{"appIDs":["A1B2C3D4E5.com.example.tea"],"components":[%s]}]}}' % b",\n".join(
        b'{"/":"/buy/%d/*","?":{"a":"*%d?x"}}' % (number, number) for number in range(count))


@case
def association_files_that_are_deep(world: World) -> None:
    for depth, is_read in [(512, True), (513, False), (200_000, False)]:
        world.write("deep.json", b'{"a":' * depth + b"1" + b"}" * depth)
        outcome = world.run("match", "--aasa", "deep.json", "https://www.example.com/")
        world.equal("more than 512 deep" in outcome.said(), not is_read, "depth %d: %s" % (depth, outcome.said()))
        world.below(outcome, 300, "depth %d" % depth)


@case
def association_files_that_are_large(world: World) -> None:
    world.write("log", b"".join(line(number, path="/buy/%d/x?a=5x" % number) for number in range(300)))
    world.write("aasa.json", rules(4_000))
    outcome = world.report("log", "--format", "ndjson", "--top", "1")
    world.equal(outcome.status, 0, "4,000 rules")
    world.check("131,072" in outcome.said(), "that devices don't read it: " + outcome.said())
    world.below(outcome, 256, "4,000 rules")
    world.run("lint", "aasa.json")
    values = b",".join(b'"v%d"' % number for number in range(20_000))
    world.write("aasa.json", b'{"applinks":{"substitutionVariables":{"food":[%s]},"details":[{"appIDs":'
                b'["A1B2C3D4E5.com.example.tea"],"components":[{"/":"/$(food)/$(food)/*"},'
                b'{"/":"/buy/$(food)$(food)$(food)"}]}]}}' % values)
    outcome = world.report("log")
    world.equal(outcome.status, 0, "20,000 values of a variable")
    world.below(outcome, 256, "20,000 values of a variable")
    world.write("aasa.json", b"{" + b" " * (64 * MIB))
    outcome = world.report("log")
    world.equal(outcome.status, 2, "64 MiB")
    world.check("aasa.json" in outcome.said(), outcome.said())


@case
def configurations_that_mean_too_much(world: World) -> None:
    world.write("log", line(1))
    world.write("aasa.json", FILE)
    names = ["a%d" % number for number in range(30)]
    laughs = "a0: &a0 {x: 1, y: 2}\n" + "".join(
        "%s: &%s {x: *%s, y: *%s}\n" % (name, name, last, last) for last, name in zip(names, names[1:]))
    for what, text, message in [
            ("aliases of aliases", laughs + "? *a29\n: 1\n", "more than 20 aliases"),
            ("depth", "logs: " + "[" * 100_000, "nesting"),
            ("size", "# " + "x" * (4 * MIB), "linkaudit.yml")]:
        world.write("linkaudit.yml", text.encode())
        outcome = world.report("log")
        world.check(outcome.status in (2, 64) and message in outcome.said(), "%s: %s" % (what, outcome.said()[:300]))
        world.below(outcome, 120, what)


@case
def routes_by_the_ten_thousand(world: World) -> None:
    world.write("log", b"".join(line(number, path="/shop/item-%d/x" % number) for number in range(300)))
    world.write("routes.txt", (b"/shop/item-%d/:name\n" % number for number in range(20_000)))
    outcome = world.report("log", "--routes", "routes.txt", "--format", "ndjson", "--top", "1")
    world.equal(outcome.status, 0, "routes")
    world.below(outcome, 256, "routes")


@case
def sites_by_the_hundred(world: World) -> None:
    world.write("log", b"".join(line(number, host="h%d.example.com" % (number % 300)) for number in range(3_000)))
    world.write("aasa.json", FILE)
    sites = [part for number in range(300) for part in ("--site", "h%d.example.com=aasa.json" % number)]
    outcome = world.run("report", "log", "--log-format", "vcombined", "--quiet", "--format", "json", *sites)
    world.equal((outcome.status, len(outcome.report()["sites"])), (0, 300), "sites")
    world.below(outcome, 256, "sites")


@case
def lists_of_names_that_are_not_there(world: World) -> None:
    world.write("names", (b"missing/%d\n" % number for number in range(10_000)))
    outcome = world.report("--files-from", "names")
    world.equal(outcome.status, 2, "status")
    world.below(outcome, 256, "names")


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
    world.check("File name too long" in outcome.said(), outcome.said()[-300:])


@case
def a_url_that_is_too_long(world: World) -> None:
    world.write("aasa.json", FILE)
    urls = [b"https://www.example.com/buy/1\n", b"https://www.example.com/" + b"x" * (MIB - 100) + b"\n"]
    outcome = world.run("match", "--aasa", "aasa.json", "-", "--format", "ndjson", stdin=urls)
    world.equal((outcome.status, outcome.stdout.count(b"\n")), (0, 2), "a URL of a mebibyte")
    outcome = world.run("match", "--aasa", "aasa.json", "-", stdin=[urls[0]] + [b"x" * MIB] * 200)
    world.equal(outcome.status, 2, "a line without end")
    world.check("line 2" in outcome.said() and "1048576 bytes" in outcome.said(), outcome.said())
    world.below(outcome, 120, "a line without end")
