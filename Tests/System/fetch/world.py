"""The fixture of the fetch cases: certificates, and the problems that a fetch reports."""
import contextlib
import pathlib
import shutil
from collections.abc import Iterator, Sequence
from typing import Any

from support import world
from support.cases import add
from support.certificates import CDN, Certificates
from support.command import Outcome
from support.inputs import FILE, HOST
from support.server import Behavior, saying, serving
from support.world import Settings, Skip

# The path of the CDN's copy, and another file.
COPY = "/a/v1/" + HOST
OTHER = FILE.replace(b"/buy/*", b"/shop/*")


@contextlib.contextmanager
def prepared(settings: Settings, folder: pathlib.Path) -> Iterator[Certificates]:
    if shutil.which("openssl") is None:
        raise Skip("openssl is missing, which makes certificates; 'Scripts/setup.sh --fetch' installs it")
    yield Certificates(folder / "certificates")


def codes(outcome: Outcome) -> list[str]:
    return [finding["code"] for host in outcome.report()["hosts"] for finding in host["findings"]]


def told(
    name: str, behavior: Behavior, codes: list[str], status: int, *options: object, certificate: str | None = "good",
    says: Sequence[str] = (), requests: int | None = None, **how: Any,
) -> None:
    """Adds a case for a server: which problems there are with its file, and what their messages say."""

    def play(world: "World") -> None:
        with serving(behavior, certificate and getattr(world.certificates, certificate), **how) as server:
            text = " ".join(finding["message"] for finding in world.expect(world.ask(server, *options), codes, status))
            for word in says:
                world.check(word in text, "%r is not in %r" % (word, text))
            if requests is not None:
                world.equal(len(server.requests), requests, "number of requests")

    add(name, play)


class World(world.World):
    statuses = (0, 1, 2, 64)

    @property
    def certificates(self) -> Certificates:
        return self.settings.shared

    def fetch(self, *arguments: object, **options: Any) -> Outcome:
        """Runs 'fetch'; whatever it prints must be safe."""
        outcome = self.run("fetch", *arguments, **options)
        if "--save" not in arguments:
            self.check_safe(outcome.stdout, "standard output")
        self.check_safe(outcome.stderr, "standard error")
        return outcome

    def check_safe(self, output: bytes, where: str) -> None:
        bad = [byte for byte in output if byte < 0x20 and byte != 0x0A or byte == 0x7F]
        self.check(not bad, "%s has control bytes: %r" % (where, output[:200]))

    def json(self, *arguments: object, trusted: bool = True, **options: Any) -> Outcome:
        """Runs the command with the test's authority, for a report in JSON; the text must not differ."""
        authority = ["--ca-certificate", self.certificates.authority] if trusted else []
        return self.fetch(*arguments, *authority, "--format", "json", **options)

    def expect(self, outcome: Outcome, expected: list[str], status: int) -> list[dict]:
        self.equal(sorted(codes(outcome)), sorted(expected), "codes")
        self.equal(outcome.status, status, "exit status (%r)" % outcome.stderr[-300:])
        return [finding for host in outcome.report()["hosts"] for finding in host["findings"]]

    def ask(
        self, server: Any, *options: object, source: str = "origin", host: str = HOST, **more: Any,
    ) -> Outcome:
        return self.json(host, "--from", source, "--base-url", server.url, *options, **more)

    def both(self, hosts: Sequence[str], site: bytes, cdn: bytes, *options: object, **more: Any) -> Outcome:
        """Asks a site and the CDN, which answer with these bytes."""
        good = self.certificates.good
        with serving(saying(site), good) as one, serving(saying(cdn, COPY), good) as other:
            outcome = self.json(
                *hosts, "--base-url", "origin=" + one.url, "--base-url", "cdn=" + other.url, *options, **more)
            self.equal([request.path for request in other.requests], [COPY], "paths asked of the CDN")
            self.equal([request.fields["host"] for request in other.requests], [CDN], "host asked of the CDN")
            return outcome
