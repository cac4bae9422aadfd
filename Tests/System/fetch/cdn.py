"""Answers of Apple's CDN, copies that differ from the site's file, and saved files."""
import email.utils
import gzip
import time

from fetch.world import COPY, OTHER, World, codes
from support.cases import case
from support.command import Outcome
from support.inputs import FILE, HOST
from support.server import Server, answer, saying, serving

JSON = "Content-Type: application/json"


def moment(hours_ago: float) -> str:
    return email.utils.formatdate(time.time() - hours_ago * 3_600, usegmt=True)


def refusal(status: str, reason: str, details: str) -> bytes:
    return answer(b"Not Found\n", [
        "Content-Type: text/plain; charset=utf-8", "Apple-Failure-Reason: " + reason,
        "Apple-Failure-Details: " + details,
        "Apple-From: https://%s/.well-known/apple-app-site-association" % HOST, "Apple-Try-Direct: false",
        "Cache-Control: max-age=3600,public", "Age: 1399",
    ], status)


@case
def cdn_sound(world: World) -> None:
    outcome = world.both([HOST], answer(FILE), answer(FILE, [JSON, "Apple-Origin-Format: json", "Age: 30"]))
    world.expect(outcome, [], 0)
    difference = outcome.report()["hosts"][0]["difference"]
    world.equal((difference["sameBytes"], difference["sameVerdicts"]), (True, True), "difference")
    copies = outcome.report()["hosts"][0]["copies"]
    world.equal([copy["from"] for copy in copies], ["origin", "cdn"], "copies")
    world.equal(copies[1]["age"], 30, "age")
    world.equal(copies[0]["bytes"], len(FILE), "bytes")


@case
def cdn_refused(world: World) -> None:
    for reason, details, word in [
        ("SWCERR00101 Bad HTTP Response: 403 Forbidden", '{"status":"403 Forbidden"}', "status 200"),
        ("SWCERR00301 Timeout", '{"cause":"context deadline exceeded"}', "quickly"),
        ("SWCERR00401 Bad JSON content", "{}", "JSON"),
        ("SWCERR99999 Something new", "{}", "that the CDN reports"),
    ]:
        outcome = world.both([HOST], answer(FILE), refusal("404 Not Found", reason, details))
        findings = world.expect(outcome, ["cdn-refused"], 1)
        world.check(reason in findings[0]["message"], "message %r" % findings[0]["message"])
        world.check("37 minutes" in findings[0]["message"], "message %r" % findings[0]["message"])
        world.check(word in findings[0]["remedy"], "remedy %r" % findings[0]["remedy"])
        failure = outcome.report()["hosts"][0]["copies"][1]["failure"]
        world.equal((failure["reason"], failure["tryDirect"]), (reason, "false"), "failure")
        world.equal(outcome.report()["hosts"][0]["difference"], None, "difference")


@case
def cdn_outdated(world: World) -> None:
    outcome = world.both(
        [HOST], answer(OTHER, [JSON, "Last-Modified: " + moment(2)]),
        answer(FILE, [JSON, "Date: " + moment(0), "Age: %d" % (5 * 3_600)]))
    findings = world.expect(outcome, ["cdn-outdated"], 0)
    world.equal(findings[0]["severity"], "warning", "severity")
    changes = outcome.report()["hosts"][0]["difference"]["changes"]
    world.check(
        any("/shop/" in change["url"] and change["to"] == "claimed" for change in changes), "changes %r" % changes)
    world.check(
        any("/buy/" in change["url"] and change["from"] == "claimed" for change in changes), "changes %r" % changes)


def saved(world: World, server: Server, *options: object) -> Outcome:
    return world.fetch(
        HOST, "--from", "cdn", "--base-url", server.url, "--ca-certificate", world.certificates.authority, *options)


@case
def save_to_standard_output(world: World) -> None:
    packed = answer(gzip.compress(FILE), [JSON, "Content-Encoding: gzip"])
    with serving(saying(packed, COPY), world.certificates.good) as server:
        outcome = saved(world, server, "--save", "-")
        world.equal((outcome.status, outcome.stdout), (0, FILE), "what was saved")
        world.check_says(outcome, "Nothing is wrong")


@case
def save_to_file(world: World) -> None:
    with serving(saying(answer(FILE), COPY), world.certificates.good) as server:
        path = world.folder / "aasa.json"
        outcome = saved(world, server, "--save", path, "--format", "json")
        world.equal((outcome.status, path.read_bytes()), (0, FILE), "what was saved")
        world.equal(codes(outcome), [], "codes")


@case
def save_nothing(world: World) -> None:
    for data in (answer(b"page", status="404 Not Found"), answer(FILE[:20], length=500), answer(gzip.compress(FILE))):
        with serving(saying(data, COPY), world.certificates.good) as server:
            path = world.folder / "none.json"
            outcome = saved(world, server, "--save", path)
            world.equal((outcome.status, path.exists()), (1, False), "whether it was saved")
            world.check_says(outcome, "nothing is saved")
            outcome = saved(world, server, "--save", "-")
            world.equal((outcome.status, outcome.stdout), (1, b""), "what was saved")
