"""Connections that don't come about, or not as they should: names, ports, time, TLS, certificates."""
import ssl
import threading

from fetch.world import World, codes, told
from support.cases import add, case
from support.command import PATIENCE
from support.inputs import FILE, HOST, ROOT
from support.server import Connection, Request, answer, flooding, refusing, saying, serving

SOUND = saying(answer(FILE))
QUICK = ["--timeout", "1.5"]


@case
def name_not_resolved(world: World) -> None:
    # Who answers for names may take its time.
    outcome = world.json(HOST, "--from", "origin", "--base-url", "https://nowhere.invalid", "--timeout", "60")
    world.expect(outcome, ["name-not-resolved"], 2)


@case
def connection_refused(world: World) -> None:
    with refusing() as port:
        outcome = world.json(HOST, "--from", "cdn", "--base-url", "https://127.0.0.1:%d" % port)
        world.expect(outcome, ["connection-refused"], 2)


@case
def one_of_two_hosts_refused(world: World) -> None:
    with serving(SOUND, world.certificates.good) as server, refusing() as port:
        outcome = world.json(
            HOST, "--base-url", "origin=" + server.url, "--base-url", "cdn=https://127.0.0.1:%d" % port)
        world.expect(outcome, ["connection-refused"], 2)


@case
def never_answers(world: World) -> None:
    with serving(lambda connection, _: connection.wait(), None, raw=True) as server:
        outcome = world.json(HOST, "--from", "origin", "--base-url", "https://127.0.0.1:%d" % server.port, *QUICK)
        world.expect(outcome, ["timed-out"], 2)


def inform(connection: Connection, _: Request) -> None:
    while not connection.stop.wait(0.01):
        connection.send(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")


told("silent_after_request", lambda connection, _: connection.wait(), ["timed-out"], 2, *QUICK)
told("endless_information", inform, ["timed-out"], 2, *QUICK)
told("closes_without_answer", lambda connection, _: None, ["no-answer"], 1)
told("garbage", lambda connection, _: connection.send(bytes(range(256)) * 20), ["not-http"], 1)
told("old_tls", SOUND, ["old-tls"], 1, versions=(ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1))
told("tls_version_TLSv1_2", SOUND, [], 0, versions=(ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_2))
told("tls_version_TLSv1_3", SOUND, [], 0, versions=(ssl.TLSVersion.TLSv1_3, ssl.TLSVersion.TLSv1_3))


@case
def resets_during_handshake(world: World) -> None:
    with serving(lambda connection, _: connection.reset(), None, raw=True) as server:
        outcome = world.json(HOST, "--from", "origin", "--base-url", "https://127.0.0.1:%d" % server.port)
        world.equal(len(codes(outcome)), 1, "number of problems")
        world.check(codes(outcome)[0] in ("no-answer", "tls-failed"), "codes: %r" % codes(outcome))
        world.equal(outcome.status, 1, "exit status")


@case
def no_tls(world: World) -> None:
    with serving(saying(answer(FILE)), None) as server:
        outcome = world.json(HOST, "--from", "origin", "--base-url", "https://127.0.0.1:%d" % server.port, *QUICK)
        world.equal(outcome.status, 1 if codes(outcome) == ["tls-failed"] else 2, "exit status")
        world.check(codes(outcome) in (["tls-failed"], ["timed-out"]), "codes: %r" % codes(outcome))


@case
def endless_head(world: World) -> None:
    endless = flooding(b"HTTP/1.1 200 OK\r\n", b"X-Fill: " + b"x" * 1000 + b"\r\n")
    with serving(endless, world.certificates.good) as server:
        outcome = world.ask(server, *QUICK)
        world.check(codes(outcome) in (["not-http"], ["timed-out"]), "codes: %r" % codes(outcome))
        world.check(outcome.status in (1, 2), "exit status %d" % outcome.status)


def certificate(name: str, codes: list[str], *words: str) -> None:
    """A case for a certificate: which problems there are, and what the first one's message says."""

    def play(world: World) -> None:
        with serving(SOUND, getattr(world.certificates, name)) as server:
            findings = world.expect(world.ask(server), codes, 1 if codes else 0)
            text = " ".join(finding["message"] for finding in findings)
            for word in words:
                world.check(word in text, "%r is not in %r" % (word, text))
            world.equal(len(server.requests), 0 if codes else 1, "number of requests")

    add("certificate_" + name, play)


certificate("base", [])
certificate("wildcard", [])
certificate("chained", [])
certificate("unchained", ["certificate-unknown-authority"], "linkaudit test between", "no intermediate")
certificate("expired", ["certificate-expired"], "2021-01-01")
certificate("future", ["certificate-not-yet-valid"], "2048-01-01")
certificate("wrong", ["certificate-wrong-host"], "other.example.com", "www.example.com")
certificate("own", ["certificate-self-signed"])
certificate("unknown", ["certificate-unknown-authority"], "linkaudit test stranger")
certificate("expired_wrong", ["certificate-expired", "certificate-wrong-host"])
certificate("unknown_wrong", ["certificate-unknown-authority", "certificate-wrong-host"])


@case
def authority_must_be_named(world: World) -> None:
    with serving(SOUND, world.certificates.good) as server:
        outcome = world.json(HOST, "--from", "origin", "--base-url", server.url, trusted=False)
        world.expect(outcome, ["certificate-unknown-authority"], 1)


@case
def authority_from_the_environment(world: World) -> None:
    with serving(SOUND, world.certificates.good) as server:
        outcome = world.json(
            HOST, "--from", "origin", "--base-url", server.url, trusted=False,
            environment={"SSL_CERT_FILE": str(world.certificates.authority)})
        world.expect(outcome, [], 0)


@case
def authority_that_is_none(world: World) -> None:
    (world.folder / "none.pem").write_text("nothing\n")
    for path in ("none.pem", "missing.pem"):
        outcome = world.fetch(HOST, "--ca-certificate", world.folder / path)
        world.equal(outcome.status, 2, "exit status")
        world.check(path.encode() in outcome.stderr, "the file isn't named: %r" % outcome.stderr)


@case
def what_is_asked(world: World) -> None:
    with serving(SOUND, world.certificates.good) as server:
        site = ["--base-url", "origin=%s/under/" % server.url, "--from", "origin"]
        other = world.fetch(HOST, *site, "--base-url", "cdn=" + server.url)
        world.equal(other.status, 64, "exit status with a server that is not asked")
        world.expect(world.json(
            HOST, *site,
            environment={"https_proxy": "http://127.0.0.1:1", "all_proxy": "socks5://127.0.0.1:1"}), [], 0)
        world.equal(len(server.requests), 1, "number of requests")
        request = server.requests[0]
        world.equal(request.path, "/under/.well-known/apple-app-site-association", "path")
        world.equal(request.method, "GET", "method")
        world.equal(request.fields["host"], HOST, "host")
        world.equal(request.server_name, HOST, "server name")
        world.equal(request.fields["accept-encoding"], "gzip", "accepted codings")
        world.check(request.fields["user-agent"].startswith("linkaudit/"), "agent %r" % request.fields["user-agent"])
        world.expect(world.ask(server, "--user-agent", "AASA-Bot/1.0.0"), [], 0)
        world.equal(server.requests[1].fields["user-agent"], "AASA-Bot/1.0.0", "user agent")


@case
def wildcard_host(world: World) -> None:
    with serving(SOUND, world.certificates.good) as server:
        outcome = world.ask(server, host="*.example.com")
        world.expect(outcome, [], 0)
        world.equal(server.requests[0].fields["host"], "example.com", "host")
        world.equal(outcome.report()["hosts"][0]["host"], "*.example.com", "host in the report")


@case
def many_hosts(world: World) -> None:
    hosts = ["h%d.many.example" % number for number in range(40)]
    answered = [threading.Event() for _ in hosts]
    late: list[int] = []

    def behave(connection: Connection, request: Request) -> None:
        number = int(request.fields["host"][1:].partition(".")[0])
        # Several are asked at a time; of two, the later one answers first.
        if number % 2 == 0 and answered[number + 1].wait(PATIENCE / 4):
            late.append(number)
        connection.send(answer(FILE))
        answered[number].set()

    with serving(behave, world.certificates.good) as server:
        outcome = world.json(*hosts, "--from", "origin", "--base-url", server.url, "--timeout", str(PATIENCE / 2))
        world.expect(outcome, [], 0)
        world.equal(len(late), len(hosts) // 2, "number of hosts that answered after the next one")
        world.equal([host["host"] for host in outcome.report()["hosts"]], hosts, "hosts")
        world.equal(sorted(request.fields["host"] for request in server.requests), sorted(hosts), "hosts asked")


@case
def without_encryption(world: World) -> None:
    with serving(SOUND, None) as server:
        outcome = world.ask(server)
        world.expect(outcome, ["not-encrypted"], 0)
        world.equal(server.requests[0].fields["host"], HOST, "host")
        text = world.fetch(HOST, "--from", "origin", "--base-url", server.url).stdout.decode()
        text = " ".join(text.split())
        world.check("without encryption" in text and server.url in text, "not told: %r" % text)


@case
def without_libcurl(world: World) -> None:
    # The loader finds this first, and it is not a library.
    (world.folder / "libcurl.so.4").write_text("nothing\n")
    nowhere = {"LD_LIBRARY_PATH": str(world.folder)}
    outcome = world.fetch(HOST, environment=nowhere)
    world.equal(outcome.status, 2, "exit status")
    world.check_says(outcome, "needs libcurl", "libcurl4")
    # Everything else works.
    samples = ROOT / "SampleLogs"
    done = world.execute(
        world.command("report", samples / "logs", "--aasa", samples / "aasa.json", "--host", HOST),
        environment=nowhere)
    world.check(b"visits" in done.stdout, "no report")
