"""What a case has at hand: the command, certificates, and a list of what is wrong."""
import dataclasses
import json
import os
import pathlib
import subprocess
import time
from collections.abc import Callable

from fetch_certificates import HOST, Certificates

# No case takes longer; a command that does hangs.
LIMIT = 25.0

FILE = b"""{
  "applinks": {
    "details": [
      { "appIDs": ["A1B2C3D4E5.com.example.tea"], "components": [{ "/": "/buy/*" }, { "/": "/help/*" }] }
    ]
  }
}
"""


class Skip(Exception):
    """A case can't be played on this machine."""


@dataclasses.dataclass
class Outcome:
    """How a command ended, and what it said."""

    status: int
    stdout: bytes
    stderr: bytes
    seconds: float

    def report(self) -> dict:
        return json.loads(self.stdout)

    def codes(self) -> list[str]:
        return [finding["code"] for host in self.report()["hosts"] for finding in host["findings"]]


@dataclasses.dataclass
class World:
    """A case that is being played."""

    binary: pathlib.Path
    folder: pathlib.Path
    certificates: Certificates
    failures: list[str] = dataclasses.field(default_factory=list)

    def check(self, holds: bool, message: str) -> None:
        if not holds:
            self.failures.append(message)

    def equal(self, seen: object, expected: object, what: str) -> None:
        self.check(seen == expected, "%s: expected %r, saw %r" % (what, expected, seen))

    def run(self, *arguments: object, environment: "dict[str, str] | None" = None) -> Outcome:
        """Runs the command; whatever it prints must be safe, and it must come to an end."""
        variables = {name: value for name, value in os.environ.items() if name != "SSL_CERT_FILE"}
        start = time.monotonic()
        try:
            done = subprocess.run(
                [self.binary, "fetch", *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, timeout=LIMIT, env={**variables, **(environment or {})}, check=False)
        except subprocess.TimeoutExpired:
            self.check(False, "hangs: fetch " + " ".join(map(str, arguments)))
            return Outcome(-1, b'{"hosts": []}', b"", LIMIT)
        outcome = Outcome(done.returncode, done.stdout, done.stderr, time.monotonic() - start)
        self.check(done.returncode in (0, 1, 2, 64), "ended with %d: %r" % (done.returncode, done.stderr[-500:]))
        if "--save" not in arguments:
            self.check_safe(done.stdout, "standard output")
        self.check_safe(done.stderr, "standard error")
        return outcome

    def check_safe(self, output: bytes, where: str) -> None:
        bad = [byte for byte in output if byte < 0x20 and byte != 0x0A or byte == 0x7F]
        self.check(not bad, "%s has control bytes: %r" % (where, output[:200]))

    def json(self, *arguments: object, trusted: bool = True, environment: "dict[str, str] | None" = None) -> Outcome:
        """Runs the command with the test's authority, for a report in JSON; the text must not differ."""
        options = ["--ca-certificate", self.certificates.authority] if trusted else []
        return self.run(*arguments, *options, "--format", "json", environment=environment)

    def expect(
        self, outcome: Outcome, codes: list[str], status: int, seconds: float = LIMIT
    ) -> list[dict]:
        """Checks which problems there are, and returns them."""
        self.equal(sorted(outcome.codes()), sorted(codes), "codes")
        self.equal(outcome.status, status, "exit status (%r)" % outcome.stderr[-300:])
        self.check(outcome.seconds < seconds, "took %.1f s" % outcome.seconds)
        return [finding for host in outcome.report()["hosts"] for finding in host["findings"]]

    def ask(self, server: object, *options: object, source: str = "origin", host: str = HOST) -> Outcome:
        """Asks a server for the site's or the CDN's copy."""
        return self.json(host, "--from", source, "--base-url", server.url, *options)  # type: ignore[attr-defined]


Play = Callable[[World], None]
CASES: dict[str, Play] = {}


def case(play: Play) -> Play:
    """Lists a function as a case."""
    CASES[play.__name__] = play
    return play
