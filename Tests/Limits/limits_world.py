"""What a case has at hand besides what all suites have: inputs, and how much memory the command has had."""
from __future__ import annotations

import dataclasses
import pathlib
import subprocess
import tempfile
from collections.abc import Iterable

import command
import world
from command import Peak, limited
from suite import Suite

MIB = 1 << 20

FILE = b"""{
  "applinks": {
    "details": [
      { "appIDs": ["A1B2C3D4E5.com.example.tea"], "components": [{ "/": "/buy/*" }, { "/": "/help/*" }] }
    ]
  }
}
"""

AGENT = ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
         "Version/18.5 Mobile/15E148 Safari/604.1")


def line(number: int, host: str = "", path: str = "/buy/1", agent: str = AGENT, day: str = "10/Jun/2026",
         referrer: str = "-") -> bytes:
    """A line of a log, of the combined format with or without a host in front."""
    text = '%s192.0.2.1 - - [%s:10:%02d:%02d +0000] "GET %s HTTP/1.1" 200 512 "%s" "%s"\n' % (
        host + " " if host else "", day, number // 60 % 60, number % 60, path, referrer, agent)
    return text.encode()


@dataclasses.dataclass(frozen=True)
class Outcome(command.Outcome):
    """How a command ended, what it said, and how much memory it had at most, in bytes."""

    peak: int

    def said(self) -> str:
        return self.stderr.decode()


class World(world.World):
    """A case that is being played."""

    def write(self, name: str, content: bytes | Iterable[bytes]) -> pathlib.Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            for piece in [content] if isinstance(content, bytes) else content:
                file.write(piece)
        return path

    def run(self, *arguments: str | pathlib.Path, stdin: Iterable[bytes] | None = None) -> Outcome:
        """Runs the command; standard input comes in the pieces that are given."""
        line = self.command(*arguments)
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            process = self.launch(
                line, stdout=output, stderr=errors, cwd=self.folder,
                stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE)
            peak = Peak(process)
            with limited(process):
                if process.stdin is not None:
                    try:
                        for piece in stdin or []:
                            process.stdin.write(piece)
                            process.stdin.flush()
                        process.stdin.close()
                    except BrokenPipeError:
                        pass
                process.wait()
            output.seek(0)
            errors.seek(0)
            outcome = Outcome(process.returncode, output.read(), errors.read(), peak.finish())
        self.conclude(line, outcome, (0, 1, 2, 64))
        return outcome

    def report(self, *arguments: str | pathlib.Path, stdin: Iterable[bytes] | None = None) -> Outcome:
        """Runs 'report' with one association file, as JSON unless told otherwise."""
        if not (self.folder / "aasa.json").exists():
            self.write("aasa.json", FILE)
        form = [] if "--format" in arguments else ["--format", "json"]
        return self.run("report", *arguments, "--aasa", "aasa.json", "--host", "www.example.com", "--quiet", *form,
                        stdin=stdin)

    def below(self, outcome: Outcome, mebibytes: int, what: str) -> None:
        """Notes if a command had more memory, or if nobody saw how much it had."""
        self.check(0 < outcome.peak < mebibytes * MIB,
                   "%s: %d MiB, and %d are allowed" % (what, outcome.peak // MIB, mebibytes))


SUITE = Suite("limits", World, kind="case", width=56, says_all=False)
case = SUITE.scenario
