"""nginx as sites run it, with TLS."""
import contextlib
import pathlib
import string
from collections.abc import Iterator
from typing import NamedTuple

from fetch.world import World
from support.cases import case
from support.inputs import FILE, HOST
from support.server import listening

CONFIGURATION = string.Template(pathlib.Path(__file__).with_name("nginx.conf").read_text())


class Site(NamedTuple):
    url: str
    known: pathlib.Path


@contextlib.contextmanager
def nginx(world: World, rules: str, protocols: str = "") -> Iterator[Site]:
    program = world.need("nginx")
    known = world.folder / "www/.well-known"
    known.mkdir(parents=True)
    (known / "apple-app-site-association").write_bytes(FILE)
    (world.folder / "www/index.html").write_text("<!DOCTYPE html><title>App</title>\n")
    path = world.folder / "nginx.conf"

    def command(address: str) -> list[str]:
        path.write_text(CONFIGURATION.substitute(
            folder=world.folder, address=address, host=HOST, certificate=world.certificates.good, rules=rules,
            protocols=protocols))
        return [program, "-c", str(path), "-e", str(world.folder / "error.log")]

    # It says who it is when it listens.
    with listening(command, lambda _: (world.folder / "nginx.pid").exists(), world.folder / "nginx.log") as address:
        yield Site("https://" + address, known)


TYPE = "location /.well-known/ { default_type application/json; %s }"


@case
def nginx_sound(world: World) -> None:
    with nginx(world, TYPE % "") as site:
        outcome = world.ask(site)
        world.expect(outcome, [], 0)
        copy = outcome.report()["hosts"][0]["copies"][0]
        world.equal((copy["status"], copy["bytes"], copy["contentType"]), (200, len(FILE), "application/json"), "copy")
        world.check(copy["lastModified"] is not None, "no time of the last change")


@case
def nginx_http2(world: World) -> None:
    with nginx(world, TYPE % "gzip on; gzip_min_length 1; gzip_types application/json;", " http2") as site:
        outcome = world.ask(site)
        world.expect(outcome, [], 0)
        copy = outcome.report()["hosts"][0]["copies"][0]
        world.equal((copy["status"], copy["bytes"], copy["contentType"]), (200, len(FILE), "application/json"), "copy")
        (site.known / "apple-app-site-association").unlink()
        world.expect(world.ask(site), ["not-found"], 1)
    log = (world.folder / "access.log").read_text()
    world.check("HTTP/2.0" in log, "the protocol is another one: %r" % log[:300])


@case
def nginx_http2_too_large(world: World) -> None:
    with nginx(world, TYPE % "", " http2") as site:
        (site.known / "apple-app-site-association").write_bytes(FILE + b" " * 2_000_000)
        world.expect(world.ask(site), ["too-large"], 1)
