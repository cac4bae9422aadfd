"""What a scenario has at hand besides what all suites have: runs under limits, and logs."""
from __future__ import annotations

import os
import pathlib
import resource
from collections.abc import Mapping
from typing import Any

import world
from command import Outcome, Process, ended, shown
from suite import Suite
from world import SAMPLES

HOST = "www.example.com"
AASA = str(SAMPLES / "aasa.json")
SITE = ["--aasa", AASA, "--host", HOST]
ROUTES = ["--routes", str(SAMPLES / "routes.txt")]
AGENT = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Mobile/15E148 Safari/604.1")


class World(world.World):
    """A folder, and runs of the command in it, also such as the system doesn't let do all that they want."""

    def check_says(self, outcome: Outcome, *texts: object) -> None:
        """Notes what a message leaves out: the file, the place, the remedy."""
        for text in texts:
            self.check(str(text) in outcome.message, "not said: %r: %s" % (str(text), outcome.message[:400]))

    def check_clean(self, *folders: pathlib.Path) -> None:
        """Notes what is left behind of unfinished files."""
        for folder in (self.temporary, *folders):
            left = [path.name for path in folder.iterdir() if "linkaudit-" in path.name or ".part" in path.name]
            self.check(not left, "left behind in %s: %s" % (folder, left))

    # MARK: - Commands

    def run(
        self, *arguments: object, statuses: tuple[int, ...] = (0,), whole_environment: dict[str, str] | None = None,
        limits: Mapping[int, int | tuple[int, int]] | None = None, before: tuple[str, ...] = (),
        closing: tuple[int, ...] = (), **options: Any,
    ) -> Outcome:
        """Runs the command to its end; any other exit status than those expected is a failure.

        `before` is what starts it, such as strace; `limits` are what `ulimit` sets; `closing` are descriptors.
        """

        def prepare() -> None:
            for what, most in (limits or {}).items():
                resource.setrlimit(what, most if isinstance(most, tuple) else (most, most))
            for number in closing:
                os.close(number)

        if limits or closing:
            options["preexec_fn"] = prepare
            self.step("with limits %s, closing %s:" % (limits, closing))
        if whole_environment is not None:
            options["env"] = whole_environment
            self.step("with nothing in the environment but %s:" % whole_environment)
        return self.execute([*before, *self.command(*arguments)], statuses, **options)

    def start(self, *arguments: object, **options: Any) -> Process:
        """Starts the command, and goes on."""
        self.step(shown(self.command(*arguments)) + " &")
        return self.launch(self.command(*arguments), **options)

    def end(self, process: Process) -> Outcome:
        """Waits for a command that was started."""
        outcome = ended(process)
        self.step("  -> %d %s" % (outcome.status, outcome.message))
        return outcome

    def report(self, *arguments: object, **options: Any) -> Outcome:
        """A report in JSON on logs."""
        return self.run("report", *arguments, *SITE, "--format", "json", **options)

    # MARK: - Logs

    def log(self, name: str, lines: int, targets: int = 100) -> pathlib.Path:
        """A log of some lines with some distinct targets."""
        path = self.folder / name
        write_log(path, lines, targets)
        return path


def line(number: int, target: str) -> str:
    """A line of a log in the combined format."""
    return '192.0.2.%d - - [%02d/Jun/2026:12:%02d:%02d +0200] "GET %s HTTP/1.1" 200 123 "-" "%s"\n' % (
        number % 250 + 1, number % 28 + 1, number // 60 % 60, number % 60, target, AGENT)


def write_log(path: pathlib.Path, lines: int, targets: int) -> None:
    with open(path, "w", encoding="ascii") as file:
        for number in range(lines):
            file.write(line(number, "/%s/%d" % (("buy", "help", "news")[number % 3], number * 7919 % targets)))


SUITE = Suite("faults", World)
scenario = SUITE.scenario
