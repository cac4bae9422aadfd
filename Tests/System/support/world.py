"""The fixture of a case: a folder, a seed, commands, checks, and lists of its steps and failures."""
import contextlib
import dataclasses
import datetime
import os
import pathlib
import random
import resource
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from support import inputs
from support.command import (
    MIB, PATIENCE, Outcome, Process, Word, effort, ended, shown)

# A user who owns nothing.
NOBODY = 65534


class Skip(Exception):
    """A case can't be played on this machine."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """How cases are played, and what those of a topic share."""

    binary: pathlib.Path
    seed: int
    quick: bool
    # The day on which the logs of the store end.
    today: datetime.date
    # How often ingests are killed.
    kills: int
    # The command to pack; empty for a new release build.
    release: str | None = None
    shared: Any = None

    def options(self) -> list[str]:
        """Returns the arguments with which a case is played like that again."""
        return ["--seed", str(self.seed), "--today", str(self.today), "--kills", str(self.kills),
                *(["--quick"] if self.quick else [])]


class World:
    """A folder, and commands that work in it."""

    # A command that takes longer hangs, in seconds.
    patience = PATIENCE
    # Exit statuses of the command that are no failure by themselves.
    statuses: tuple[int, ...] = (0,)
    # Whether the memory of every command is measured.
    measures = False

    def __init__(self, settings: Settings, name: str, folder: pathlib.Path) -> None:
        self.settings = settings
        self.name = name
        self.folder = folder
        self.random = random.Random("%s:%s" % (settings.seed, name))
        self.steps: list[str] = []
        self.failures: list[str] = []
        self.temporary = folder / "temporary"
        self.temporary.mkdir()

    # MARK: - Checks

    def step(self, text: str) -> None:
        """Adds a line to what is printed when something fails."""
        self.steps.append(text)

    def check(self, condition: object, message: str) -> bool:
        """Notes a failure, and goes on."""
        if not condition:
            self.failures.append(message)
            self.step("FAILED: " + message)
        return bool(condition)

    def equal(self, seen: object, expected: object, what: str) -> bool:
        return self.check(seen == expected, "%s: expected %.300r, saw %.300r" % (what, expected, seen))

    def check_says(self, outcome: Outcome, *texts: object) -> None:
        for text in texts:
            self.check(str(text) in outcome.message, "not said: %r: %s" % (str(text), outcome.message[:400]))

    def check_clean(self, *folders: pathlib.Path) -> None:
        """Checks that no unfinished file is left."""
        for folder in (self.temporary, *folders):
            left = [path.name for path in folder.iterdir() if "linkaudit-" in path.name or ".part" in path.name]
            self.check(not left, "left behind in %s: %s" % (folder, left))

    def below(self, outcome: Outcome, mebibytes: int, what: str) -> None:
        """Checks how much memory a command had at most."""
        self.check(0 < outcome.peak < mebibytes * MIB,
                   "%s: %d MiB, and %d are allowed" % (what, outcome.peak // MIB, mebibytes))

    # MARK: - Files

    def write(self, name: str, content: bytes | Iterable[bytes]) -> pathlib.Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            file.writelines([content] if isinstance(content, bytes) else content)
        return path

    def log(self, name: str, lines: int, targets: int = 100) -> pathlib.Path:
        """Writes a log of some lines, on 28 days, with some distinct targets."""
        return self.write(name, (
            inputs.line(number, "/%s/%d" % (("buy", "help", "news")[number % 3], number * 7919 % targets),
                        day="%02d/Jun/2026" % (number % 28 + 1))
            for number in range(lines)))

    # MARK: - Commands

    def command(self, *arguments: object) -> list[Word]:
        """Returns a command line of linkaudit; arguments other than bytes become text."""
        return [str(self.settings.binary), *(word if isinstance(word, bytes) else str(word) for word in arguments)]

    def environment(self, changes: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Returns the runner's environment, without the variables that change what is printed."""
        kept = {
            name: value for name, value in os.environ.items()
            if name not in ("NO_COLOR", "LC_ALL", "LC_CTYPE", "SSL_CERT_FILE", "COLUMNS")}
        return {**kept, "TMPDIR": str(self.temporary), "TERM": "xterm-256color", "LANG": "C.UTF-8", **(changes or {})}

    def launch(
        self, command: Sequence[Word], environment: Mapping[str, Any] | None = None, user: int | None = None,
        limits: Mapping[int, int | tuple[int, int]] | None = None, closing: tuple[int, ...] = (), **options: Any,
    ) -> Process:
        """Starts any command in the folder, and goes on.

        `limits` are set as by `ulimit`; `closing` are descriptors that the command doesn't get.
        """

        def prepare() -> None:
            for what, most in (limits or {}).items():
                resource.setrlimit(what, most if isinstance(most, tuple) else (most, most))
            for number in closing:
                os.close(number)

        if limits or closing:
            options["preexec_fn"] = prepare
            self.step("with limits %s, closing %s:" % (limits, closing))
        if user is not None:
            options = {"user": user, "group": user, "extra_groups": [], **options}
        return subprocess.Popen(list(command), **{
            "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": self.folder,
            "env": self.environment(environment), **options})

    def execute(
        self, command: Sequence[Word], statuses: tuple[int, ...] | None = None,
        environment: Mapping[str, Any] | None = None, data: bytes | Iterable[bytes] | None = None,
        **options: Any,
    ) -> Outcome:
        """Runs any command to its end; an exit status other than those expected is a failure.

        `data` is for standard input, as a whole or in pieces.
        """
        if data is not None:
            options["stdin"] = subprocess.PIPE
        process = self.launch(command, environment, **options)
        outcome = ended(process, data, self.patience, self.measures)
        changes = "".join("%s=%s " % pair for pair in (environment or {}).items())
        self.step("%s%s  -> %d" % (changes, shown(command), outcome.status))
        if outcome.message:
            self.step("    " + outcome.message.replace("\n", "\n    "))
        statuses = self.statuses if statuses is None else statuses
        self.check(
            outcome.status in statuses,
            "exit status %d, expected %s: %s: %s" % (
                outcome.status, " or ".join(map(str, statuses)), shown(command)[:1000], outcome.message[:600]))
        return outcome

    def run(
        self, *arguments: object, statuses: tuple[int, ...] | None = None, before: Iterable[str] = (), **options: Any,
    ) -> Outcome:
        """Runs linkaudit to its end; `before` is a command that starts it, such as strace."""
        return self.execute([*before, *self.command(*arguments)], statuses, **options)

    def report(self, *arguments: object, **options: Any) -> Outcome:
        return self.run("report", *arguments, *inputs.SITE, "--format", "json", **options)

    def start(self, *arguments: object, **options: Any) -> Process:
        self.step(shown(self.command(*arguments)) + " &")
        return self.launch(self.command(*arguments), **options)

    def end(self, process: Process, *statuses: int) -> Outcome:
        """Waits for a command that was started, and checks its exit status if some are given."""
        outcome = ended(process)
        self.step("  -> %d %s" % (outcome.status, outcome.message))
        self.check(not statuses or outcome.status in statuses, "exit status %d: %s" % (outcome.status, outcome.message[:600]))
        return outcome

    def needed(self, command: Sequence[Word]) -> float:
        """Runs a command to its end, and returns the processor time that it took, in seconds."""
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
        """Lets other users reach the folder, or skips the case."""
        if os.geteuid() != 0:
            raise Skip("only root can be another user")
        self.folder.chmod(0o755)
        self.temporary.chmod(0o1777)
        for right, path in (("-x", self.settings.binary), ("-r", inputs.AASA)):
            if subprocess.run(["test", right, path], user=NOBODY, group=NOBODY, extra_groups=[]).returncode:
                raise Skip("another user can't reach %s" % path)

    def need_strace(self) -> None:
        """Skips the case where calls can't be traced."""
        if not shutil.which("strace") or subprocess.run(
                ["strace", "-o", "/dev/null", "true"], stderr=subprocess.DEVNULL).returncode:
            raise Skip("strace is missing, or can't trace here")

    def need(self, *programs: str) -> str:
        """Skips the case if a program is missing; returns where the last one is, which may be in root's path only."""
        found = ""
        for program in programs:
            found = shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin") or ""
            if not found:
                raise Skip("%s is missing; 'Scripts/setup.sh' installs it" % program)
        return found
