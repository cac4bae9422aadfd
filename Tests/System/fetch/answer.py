"""Answers other than a file, and files that are not whole, not readable or not as they are said to be."""
import gzip

from fetch.world import World, told
from support.cases import case
from support.inputs import FILE
from support.server import ROOT, WELL_KNOWN, Connection, Request, answer, flooding, saying, serving

JSON = "Content-Type: application/json"
GZIP = [JSON, "Content-Encoding: gzip"]
HTML = b"<!DOCTYPE html><html><body>Welcome</body></html>"


def says(name: str, data: bytes, codes: list[str], status: int, *options: object) -> None:
    told(name, saying(data), codes, status, *options)


# What is judged of an answer, DeliveryJudgmentTests assert; these go through libcurl and its receiver.
# No HTTP: statuses are three digits from 100 on.
for number, line in enumerate([
    "HTTP/1.1 099 X", "HTTP/9.9 099 X", "HTTP 200 OK", "ICY 200 OK", "RTSP/1.0 200 OK", "220 mail ESMTP", "{}",
]):
    says("not_http_%d" % number, line.encode() + b"\r\nContent-Length: 2\r\n\r\n{}", ["not-http"], 1)

says("fail_on_note", answer(FILE, ["Content-Type: text/plain"]), ["content-type"], 1, "--fail-on", "note")
says("fail_on_warning", answer(FILE, ["Content-Type: text/plain"]), ["content-type"], 0, "--fail-on", "warning")

# Files.
says("sound_type_with_parameters", answer(FILE, ["content-type: Application/JSON ; charset=utf-8"]), [], 0)
says("sound_chunked", b"HTTP/1.1 200 OK\r\n" + JSON.encode() + b"\r\nTransfer-Encoding: chunked\r\n\r\n"
     + b"%x\r\n%s\r\n0\r\n\r\n" % (len(FILE), FILE), [], 0)
says("sound_old_http", b"HTTP/1.0 200 OK\r\n" + JSON.encode() + b"\r\n\r\n" + FILE, [], 0)
says("deep_json", answer(b'{"a":' * 20_000), ["not-json"], 1)
says("small_length", answer(FILE, length=40), ["not-json"], 1)
says("sound_gzip", answer(gzip.compress(FILE), GZIP), [], 0)
says("gzip_twice", answer(gzip.compress(FILE), [JSON, "Content-Encoding: gzip, gzip"]), ["coding-not-asked-for"], 1)

# Ends.
says("cut", answer(FILE[:50], length=len(FILE)), ["body-cut"], 1)
says("cut_before_any_byte", answer(b"", length=len(FILE)), ["body-cut"], 1)
says("cut_chunks", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n50\r\n" + FILE[:30], ["body-cut"], 1)
says("garbled_chunks", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnothing\r\n" + FILE, ["body-cut"], 1)


def drip(connection: Connection, _: Request) -> None:
    connection.send(answer(b"", length=4 * len(FILE)))
    connection.drip(FILE * 4)


# Time enough for the head to come, and much less than the body takes.
told("dripping_body", drip, ["too-slow"], 1, "--timeout", "8")


def endless(name: str, head: bytes, piece: bytes, code: str = "too-large") -> None:
    told(name, flooding(head, piece), [code], 1)


endless("endless_body", b"HTTP/1.1 200 OK\r\n" + JSON.encode() + b"\r\n\r\n", b" " * 10_000)
endless("endless_chunks", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"400\r\n" + b" " * 1024 + b"\r\n")
endless("endless_promise", b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n", b" " * 10_000)
endless("endless_field", b"HTTP/1.1 200 OK\r\nX-Fill: ", b"x" * 1000, "not-http")
endless("endless_status_line", b"HTTP/1.1 200 ", b"x" * 1000, "not-http")


@case
def gzip_bomb(world: World) -> None:
    world.measures = True
    bomb = gzip.compress(bytes(400 << 20))
    with serving(saying(answer(bomb, GZIP)), world.certificates.good) as server:
        outcome = world.ask(server)
        world.expect(outcome, ["too-large"], 1)
    world.below(outcome, 300, "a bomb")


@case
def trailing_comma(world: World) -> None:
    body = FILE.rstrip()[:-1] + b"\n,}\n"
    with serving(saying(answer(body)), world.certificates.good) as server:
        findings = world.expect(world.ask(server), ["lenient-json"], 0)
        line = body.count(b"\n")
        world.equal((findings[0]["line"], findings[0]["column"]), (line, 1), "place")
        world.check("Line %d, column 1" % line in findings[0]["message"], "message %r" % findings[0]["message"])


@case
def redirect_elsewhere(world: World) -> None:
    with serving(saying(answer(FILE)), world.certificates.good) as other:
        target = other.url + WELL_KNOWN
        with serving(
            saying(answer(b"", ["Location: " + target], "301 Moved Permanently")), world.certificates.good
        ) as server:
            findings = world.expect(world.ask(server), ["redirected"], 1)
            world.equal(findings[0]["location"], target, "location")
            world.check(target in findings[0]["message"], "message %r" % findings[0]["message"])
            world.equal([request.path for request in server.requests], [WELL_KNOWN, ROOT], "paths asked for")
        world.equal(other.connections, 0, "connections to where the redirect leads")


def page(connection: Connection, request: Request) -> None:
    connection.send(answer(FILE if request.path == ROOT else HTML))


told("page_in_place_of_the_file_at_root", page, ["html-page", "only-at-root"], 1)
