"""Connections that don't come about, or not as they should: names, ports, time, TLS, certificates."""
import ssl
import threading

from fetch.world import World, codes, told
from support.cases import case
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
    """One of two hosts, and the only one."""
    with serving(SOUND, world.certificates.good) as server, refusing() as port:
        for site in ([], ["--base-url", "origin=" + server.url]):
            source = [] if site else ["--from", "cdn"]
            outcome = world.json(HOST, *site, *source, "--base-url", "cdn=https://127.0.0.1:%d" % port)
            world.expect(outcome, ["connection-refused"], 2)


def inform(connection: Connection, _: Request) -> None:
    while not connection.stop.wait(0.01):
        connection.send(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")


told("never_answers", lambda connection, _: connection.wait(), ["timed-out"], 2, *QUICK, certificate=None, raw=True)
told("silent_after_request", lambda connection, _: connection.wait(), ["timed-out"], 2, *QUICK)
told("endless_information", inform, ["timed-out"], 2, *QUICK)
told("closes_without_answer", lambda connection, _: None, ["no-answer"], 1)
told("garbage", lambda connection, _: connection.send(bytes(range(256)) * 20), ["not-http"], 1)
told("old_tls", SOUND, ["old-tls"], 1, versions=(ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1))
told("tls_version_TLSv1_2", SOUND, [], 0, versions=(ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_2))
told("tls_version_TLSv1_3", SOUND, [], 0, versions=(ssl.TLSVersion.TLSv1_3, ssl.TLSVersion.TLSv1_3))


@case
def talk_of_another_kind(world: World) -> None:
    """What libcurl says of these depends on its version and on who is faster."""
    endless = flooding(b"HTTP/1.1 200 OK\r\n", b"X-Fill: " + b"x" * 1000 + b"\r\n")
    for behavior, certificate, raw, expected in (
        (lambda connection, _: connection.reset(), None, True, ("no-answer", "tls-failed")),
        (lambda connection, _: connection.drip(answer(FILE), 0), None, True, ("tls-failed", "timed-out")),
        (endless, world.certificates.good, False, ("not-http", "timed-out")),
    ):
        with serving(behavior, certificate, raw) as server:
            outcome = world.ask(server, *QUICK)
        world.check(len(codes(outcome)) == 1 and codes(outcome)[0] in expected, "codes: %r" % codes(outcome))
        world.equal(outcome.status, 2 if codes(outcome) == ["timed-out"] else 1, "exit status")


def certificate(name: str, codes: list[str], *words: str) -> None:
    status, requests = (1, 0) if codes else (0, 1)
    told("certificate_" + name, SOUND, codes, status, certificate=name, says=words, requests=requests)


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
def authority_from_the_environment(world: World) -> None:
    with serving(SOUND, world.certificates.good) as server:
        words = [HOST, "--from", "origin", "--base-url", server.url]
        world.expect(world.json(*words, trusted=False), ["certificate-unknown-authority"], 1)
        world.expect(world.json(
            *words, trusted=False, environment={"SSL_CERT_FILE": str(world.certificates.authority)}), [], 0)


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
        text = " ".join(world.fetch(HOST, "--from", "origin", "--base-url", server.url).stdout.decode().split())
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
    done = world.run(
        "report", samples / "logs", "--aasa", samples / "aasa.json", "--host", HOST, environment=nowhere)
    world.check(b"visits" in done.stdout, "no report")
