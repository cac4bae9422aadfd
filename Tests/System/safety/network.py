"""No command but 'fetch' uses the network."""
import pathlib
import re

from safety import inputs
from safety.world import World, named
from support.cases import case
from support.commands import Words, printing
from support.inputs import HOST, ROOT

SITE = ["--aasa", "hosts.json", "--host", HOST, "--routes", "plain-routes.txt"]
SIGNED = ROOT / "Tests/LinkAuditTests/Inputs/signed.p7"
URL = "https://www.example.com/apple-app-site-association"


def commands(world: World) -> list[Words]:
    """Everything but 'fetch', with URLs also where paths are expected."""
    report = ["report", "plain.log", *SITE, "--no-config"]
    return [
        *printing(world, "plain.log", "hosts.json", "plain.json", "plain-routes.txt").values(),
        [*report, "--output-directory", "all"], ["report", "plain.log", "--config", "urls.yml"],
        ["report", URL, *SITE, "--no-config"], ["report", "plain.log", "--aasa", URL, "--host", HOST],
        [*report, "--routes", URL], ["report", "--files-from", URL, *SITE], [*report, "--config", URL],
        ["report", "--store", URL], ["report", "ftp://www.example.com/x", "//www.example.com/x", *SITE],
        ["diff", URL, "hosts.json", "--host", HOST], ["suggest", URL, *SITE],
        ["suggest", "plain.log", *SITE, "--candidate", "candidate.json"],
        ["lint", "hosts.json", "--entitlements", "app.plist", "--host", HOST, "--rules"],
        ["lint", URL], ["lint", SIGNED],
        ["match", "--aasa", "hosts.json", "--explain", "--host", HOST, URL], ["match", "--aasa", URL, URL],
        ["match", "--aasa", "hosts.json", "--expect", URL],
        ["ingest", "plain.log", *SITE, "--store", "store", "--deployed", "2026-06-01"],
        ["ingest", URL, *SITE, "--store", "store"],
        ["store", "remove-day", "2026-06-03", "--store", "given.store"], ["store", "list", "--store", URL],
        ["digest", URL], ["merge", URL, "-o", "c.digest"], ["formats", "test", URL],
        ["init", "-o", "-", "--aasa", URL, URL], ["--help"], ["--version"], ["help", "fetch"], ["fetch", "--help"],
        ["--generate-completion-script", "bash"], ["nonsense"],
        # Told before anything is asked.
        ["fetch"], ["fetch", "https://www.example.com"], ["fetch", HOST, "--base-url", "x"],
    ]


def prepare(folder: pathlib.Path) -> None:
    """Files that name hosts and URLs wherever they can."""
    lines = [inputs.line(0, b"/buy/%d" % number, referrer=URL.encode()) for number in range(500)]
    lines += [
        inputs.line(0, b"https://other.example.com/x%d" % number, referrer=b"https://t.co/")
        for number in range(50)]
    (folder / "plain.log").write_bytes(b"".join(lines))
    (folder / "plain.json").write_text(
        '{"applinks": {"details": [{"appIDs": ["A1B2C3D4E5.com.example.tea"], "components": [{"/": "/buy/*"}]}]}}')
    (folder / "hosts.json").write_text(
        '{"$schema": "https://json.example.com/s", "applinks": {"details": [{"appIDs": ["A1B2C3D4E5.com.example.tea"], '
        '"components": [{"/": "https://www.example.com/buy/*"}, '
        '{"/": "/buy/*", "comment": "https://www.example.com/"}]}]}}')
    (folder / "plain-routes.txt").write_text("/buy/:id\nhttps://www.example.com/help/*\n")
    (folder / "app.plist").write_bytes(inputs.entitlements("shop.example.com"))
    (folder / "urls.yml").write_text(
        "sites:\n  - hosts: [www.example.com]\n    aasa: %s\n    routes: %s\nlogs:\n  inputs: [%s]\n" % (URL, URL, URL))


# Files that look-ups of hosts and TLS read, and nothing else does.
FILES = re.compile(
    r'"(/etc/(?:resolv\.conf|hosts|nsswitch\.conf|host\.conf|gai\.conf|services|ssl/[^"]*)|[^"]*libnss_[^"]*)"')
SOCKET = re.compile(r"\bsocket\((AF_[A-Z0-9]+)")


@case
def no_sockets(world: World) -> None:
    """No socket is opened, no name looked up, no list of certificates read."""
    world.need_strace()
    trace = world.folder / "trace"
    wrapper = ["strace", "-f", "-qq", "-o", str(trace), "-e", "trace=network,openat,open"]
    prepare(world.folder)
    for words in commands(world):
        world.run(*words, before=wrapper, checked=False)
        calls = trace.read_text(errors="replace")
        sockets = [name for name in SOCKET.findall(calls)]
        world.check(not sockets, "%s opens sockets: %s" % (named(words), sockets[:5]))
        world.check("connect(" not in calls and "sendto(" not in calls, "%s connects" % named(words))
        read = FILES.findall(calls)
        world.check(not read, "%s reads %s" % (named(words), sorted(set(read))[:5]))
    # The search must be able to find something.
    done = world.run(
        "fetch", "www.invalid", "--base-url", "http://127.0.0.1:1", "--timeout", "60", before=wrapper, checked=False)
    sockets = SOCKET.findall(trace.read_text(errors="replace"))
    world.check(sockets, "the trace does not see 'fetch' (%d)" % done.status)
