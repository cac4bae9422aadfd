"""What a scenario has at hand: a folder, a seed, commands, and lists of its steps and of what is wrong."""
from __future__ import annotations

import contextlib
import dataclasses
import os
import pathlib
import random
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any

from command import PATIENCE, Outcome, Process, Word, effort, ended, shown

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "SampleLogs"
# A user who owns nothing.
NOBODY = 65534


class Skip(Exception):
    """A scenario can't be played on this machine."""


def skips_are_failures() -> bool:
    """Whether a scenario that can't be played fails the suite, as on machines that should have every tool."""
    return bool(os.environ.get("LINKAUDIT_NO_SKIPS"))


@dataclasses.dataclass(frozen=True)
class Settings:
    """How the scenarios are played; those of a suite that draws nothing at random have no seed."""

    binary: pathlib.Path
    seed: int | None = None
    quick: bool = False

    def options(self) -> list[str]:
        """The arguments with which a scenario is played like that again."""
        seed = [] if self.seed is None else ["--seed", str(self.seed)]
        return seed + (["--quick"] if self.quick else [])


class World:
    """A folder, and the commands that work in it."""

    # So long a command may take, in seconds; one that takes longer hangs.
    patience = PATIENCE

    def __init__(self, settings: Any, name: str, folder: pathlib.Path) -> None:
        self.settings = settings
        self.name = name
        self.folder = folder
        self.random = random.Random("%s:%s" % (settings.seed, name))
        self.steps: list[str] = []
        self.failures: list[str] = []
        self.temporary = folder / "temporary"
        self.temporary.mkdir()

    # MARK: - What happened

    def step(self, text: str) -> None:
        """Adds a line to what is printed when something fails."""
        self.steps.append(text)

    def check(self, condition: object, message: str) -> bool:
        """Notes what doesn't hold, and goes on."""
        if not condition:
            self.failures.append(message)
            self.step("FAILED: " + message)
        return bool(condition)

    def equal(self, seen: object, expected: object, what: str) -> bool:
        """Notes what is other than it should be."""
        return self.check(seen == expected, "%s: expected %.300r, saw %.300r" % (what, expected, seen))

    # MARK: - Commands

    def command(self, *arguments: object) -> list[Word]:
        """The command line of the command to test; arguments other than bytes are written as text."""
        return [str(self.settings.binary), *(word if isinstance(word, bytes) else str(word) for word in arguments)]

    def environment(self, changes: dict[str, Any] | None = None) -> dict[str, Any]:
        return {**os.environ, "TMPDIR": str(self.temporary), **(changes or {})}

    def launch(self, command: Sequence[Word], environment: dict[str, Any] | None = None, **options: Any) -> Process:
        """Starts a command, and goes on."""
        given = {
            "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
            "env": self.environment(environment), **options}
        return subprocess.Popen(list(command), **given)

    def execute(
        self, command: Sequence[Word], statuses: tuple[int, ...] = (0,), environment: dict[str, Any] | None = None,
        data: bytes | None = None, user: int | None = None, **options: Any,
    ) -> Outcome:
        """Runs a command to its end; any other exit status than those expected is a failure."""
        if user is not None:
            options = {"user": user, "group": user, "extra_groups": [], **options}
        if data is not None:
            options["stdin"] = subprocess.PIPE
        outcome = ended(self.launch(command, environment, **options), data, self.patience)
        self.conclude(command, outcome, statuses, environment)
        return outcome

    def conclude(
        self, command: Sequence[Word], outcome: Outcome, statuses: tuple[int, ...],
        environment: dict[str, Any] | None = None,
    ) -> None:
        """Notes how a command ended, and whether it should have."""
        changes = "".join("%s=%s " % pair for pair in (environment or {}).items())
        self.step("%s%s  -> %d" % (changes, shown(command), outcome.status))
        if outcome.message:
            self.step("    " + outcome.message.replace("\n", "\n    "))
        self.check(
            outcome.status in statuses,
            "exit status %d, expected %s: %s: %s" % (
                outcome.status, " or ".join(map(str, statuses)), shown(command)[:1000], outcome.message[:600]))

    def needed(self, command: Sequence[Word]) -> float:
        """Runs a command to its end; returns how many seconds processors worked for it, whatever else they did."""
        self.step("%s  to see how long it takes" % shown(command))
        return effort(self.launch(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    # MARK: - The machine

    @contextlib.contextmanager
    def mounted(self, name: str, options: str) -> Iterator[pathlib.Path]:
        """A file system in memory, for as long as the block takes."""
        if os.geteuid() != 0:
            raise Skip("only root can mount a file system")
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", str(folder)], stderr=subprocess.PIPE)
        if done.returncode != 0:
            raise Skip("nothing can be mounted here: " + done.stderr.decode().strip())
        self.step("mount -t tmpfs -o %s none %s" % (options, folder))
        try:
            yield folder
        finally:
            subprocess.run(["umount", str(folder)], check=False, stderr=subprocess.PIPE)

    def remount(self, folder: pathlib.Path, options: str) -> None:
        subprocess.run(["mount", "-o", "remount," + options, str(folder)], check=True)
        self.step("mount -o remount,%s %s" % (options, folder))

    def need_nobody(self) -> None:
        """Lets other users reach the folder, or leaves the scenario out."""
        if os.geteuid() != 0:
            raise Skip("only root can be another user")
        self.folder.chmod(0o755)
        self.temporary.chmod(0o1777)
        for right, path in (("-x", self.settings.binary), ("-r", SAMPLES / "aasa.json")):
            if subprocess.run(["test", right, path], user=NOBODY, group=NOBODY, extra_groups=[]).returncode:
                raise Skip("another user can't reach %s" % path)

    def need_strace(self) -> None:
        """Leaves the scenario out where calls can't be traced."""
        if not shutil.which("strace") or subprocess.run(
                ["strace", "-o", "/dev/null", "true"], stderr=subprocess.DEVNULL).returncode:
            raise Skip("strace is missing, or can't trace here")
