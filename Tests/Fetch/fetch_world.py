"""What a case has at hand besides what all suites have: certificates, and what a fetch says."""
from __future__ import annotations

import dataclasses
from typing import Any

import command
import world
from certificates import HOST, Certificates
from command import Peak, ended
from suite import Suite

FILE = b"""{
  "applinks": {
    "details": [
      { "appIDs": ["A1B2C3D4E5.com.example.tea"], "components": [{ "/": "/buy/*" }, { "/": "/help/*" }] }
    ]
  }
}
"""


@dataclasses.dataclass(frozen=True)
class Settings(world.Settings):
    """The settings of all cases, with the certificates that servers have."""

    certificates: Certificates | None = None


@dataclasses.dataclass(frozen=True)
class Outcome(command.Outcome):
    """How a command ended, what it said, and how much memory it had at most, in bytes."""

    peak: int

    def codes(self) -> list[str]:
        return [finding["code"] for host in self.report()["hosts"] for finding in host["findings"]]


class World(world.World):
    """A case that is being played."""

    @property
    def certificates(self) -> Certificates:
        """The certificates that servers have."""
        return self.settings.certificates

    def environment(self, changes: dict[str, Any] | None = None) -> dict[str, Any]:
        usual = super().environment()
        usual.pop("SSL_CERT_FILE", None)
        return {**usual, **(changes or {})}

    def run(self, *arguments: object, environment: dict[str, str] | None = None) -> Outcome:
        """Runs the command; whatever it prints must be safe, and it must come to an end."""
        line = self.command("fetch", *arguments)
        process = self.launch(line, environment)
        peak = Peak(process)
        done = ended(process)
        outcome = Outcome(done.status, done.stdout, done.stderr, peak.finish())
        self.conclude(line, outcome, (0, 1, 2, 64), environment)
        if "--save" not in arguments:
            self.check_safe(outcome.stdout, "standard output")
        self.check_safe(outcome.stderr, "standard error")
        return outcome

    def check_safe(self, output: bytes, where: str) -> None:
        bad = [byte for byte in output if byte < 0x20 and byte != 0x0A or byte == 0x7F]
        self.check(not bad, "%s has control bytes: %r" % (where, output[:200]))

    def json(self, *arguments: object, trusted: bool = True, environment: dict[str, str] | None = None) -> Outcome:
        """Runs the command with the test's authority, for a report in JSON; the text must not differ."""
        options = ["--ca-certificate", self.certificates.authority] if trusted else []
        return self.run(*arguments, *options, "--format", "json", environment=environment)

    def expect(self, outcome: Outcome, codes: list[str], status: int) -> list[dict]:
        """Checks which problems there are, and returns them."""
        self.equal(sorted(outcome.codes()), sorted(codes), "codes")
        self.equal(outcome.status, status, "exit status (%r)" % outcome.stderr[-300:])
        return [finding for host in outcome.report()["hosts"] for finding in host["findings"]]

    def ask(self, server: Any, *options: object, source: str = "origin", host: str = HOST) -> Outcome:
        """Asks a server for the site's or the CDN's copy."""
        return self.json(host, "--from", source, "--base-url", server.url, *options)


SUITE = Suite("fetch", World, kind="case", width=44, says_all=False)
case = SUITE.scenario
