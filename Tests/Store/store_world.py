"""What a scenario has at hand: a folder, a seed, the command, and a list of the steps so far."""
import contextlib
import dataclasses
import datetime
import json
import os
import pathlib
import random
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import store_oracle
from store_server import Server
from store_traffic import HOST, Traffic

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = ["--aasa", str(ROOT / "SampleLogs/aasa.json"), "--host", HOST]
ROUTES = ["--routes", str(ROOT / "SampleLogs/routes.txt")]
# A user who owns nothing.
NOBODY = 65534


class Skip(Exception):
    """A scenario can't be played on this machine."""


class Failure(Exception):
    """A scenario can't go on."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """How the scenarios are played."""

    binary: pathlib.Path
    seed: int
    today: datetime.date
    kills: int
    quick: bool


@dataclasses.dataclass(frozen=True)
class Outcome:
    """How a command ended, and what it said."""

    status: int
    stdout: bytes
    stderr: bytes

    @property
    def message(self) -> str:
        return self.stderr.decode(errors="backslashreplace").strip()


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    play: Callable[["World"], None]
    quick: bool


SCENARIOS: list[Scenario] = []


def scenario(quick: bool = True) -> Callable[[Callable[["World"], None]], Callable[["World"], None]]:
    """Lists a function as a scenario; `quick` says whether it is played with `--quick`, too."""

    def register(play: Callable[["World"], None]) -> Callable[["World"], None]:
        SCENARIOS.append(Scenario(play.__name__, play, quick))
        return play

    return register


class World:
    """A folder with logs and a store, and the commands that work on them."""

    def __init__(self, settings: Settings, name: str, folder: pathlib.Path) -> None:
        self.settings = settings
        self.name = name
        self.folder = folder
        self.random = random.Random("%d:%s" % (settings.seed, name))
        self.traffic = Traffic(self.random, settings.today - datetime.timedelta(days=12))
        self.steps: list[str] = []
        self.failures: list[str] = []
        self.server = Server(folder, self.traffic, self.step)
        self.logs = self.server.logs
        self.store = folder / "store"
        self.temporary = folder / "temporary"
        self.temporary.mkdir()

    # MARK: - What happened

    def step(self, text: str) -> None:
        """Adds a line to what is printed when something fails."""
        self.steps.append(text)

    def check(self, condition: bool, message: str) -> bool:
        """Notes what doesn't hold, and goes on."""
        if not condition:
            self.failures.append(message)
            self.step("FAILED: " + message)
        return condition

    def check_same(self, found: list[str], what: str) -> None:
        """Notes differences, if there are any."""
        more = " (and %d more)" % (len(found) - 4) if len(found) > 4 else ""
        self.check(not found, "%s: %s%s" % (what, "; ".join(found[:4]), more))

    # MARK: - Commands

    def command(self, *arguments: object) -> list[str]:
        return [str(self.settings.binary), *map(str, arguments)]

    def environment(self, changes: dict[str, str] | None = None) -> dict[str, str]:
        return {**os.environ, "TMPDIR": str(self.temporary), **(changes or {})}

    def run(
        self, command: list[str], statuses: tuple[int, ...] = (0,), environment: dict[str, str] | None = None,
        user: int | None = None, timeout: float = 300,
    ) -> Outcome:
        """Runs a command to its end; any other exit status than those expected is a failure."""
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env=self.environment(environment), timeout=timeout, user=user, group=user,
                extra_groups=None if user is None else [])
        except subprocess.TimeoutExpired:
            self.step(shlex.join(command))
            raise Failure("no end after %d s: %s" % (timeout, shlex.join(command))) from None
        outcome = Outcome(done.returncode, done.stdout, done.stderr)
        changes = "".join("%s=%s " % pair for pair in (environment or {}).items())
        self.step("%s%s  -> %d" % (changes, shlex.join(command), outcome.status))
        if outcome.message:
            self.step("    " + outcome.message.replace("\n", "\n    "))
        self.check(
            outcome.status in statuses,
            "exit status %d, expected %s: %s: %s" % (
                outcome.status, " or ".join(map(str, statuses)), shlex.join(command), outcome.message[:400]))
        return outcome

    def start(self, command: list[str]) -> subprocess.Popen[bytes]:
        """Starts a command, and goes on; whoever ends it says so with `step`."""
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=self.environment())

    def ingest_command(self, *arguments: object, store: pathlib.Path | None = None) -> list[str]:
        """The command that ingests; all logs of the server, unless `arguments` names some."""
        names_logs = any(isinstance(argument, pathlib.Path) for argument in arguments)
        logs = [] if names_logs else [self.logs]
        return self.command("ingest", *logs, *arguments, "--store", store or self.store, *SITE)

    def ingest(
        self, *arguments: object, store: pathlib.Path | None = None, statuses: tuple[int, ...] = (0,),
        silent: bool = True, environment: dict[str, str] | None = None, user: int | None = None,
    ) -> Outcome:
        """Ingests, and sees that nothing is said when nothing is wrong."""
        outcome = self.run(
            self.ingest_command(*arguments, store=store), statuses, environment=environment, user=user)
        if outcome.status == 0 and silent:
            self.check(
                outcome.message == "" and ("--summary" in arguments or outcome.stdout == b""),
                "not silent: %r %r" % (outcome.stdout[:200], outcome.message[:400]))
        return outcome

    def check_store(self, statuses: tuple[int, ...] = (0,), store: pathlib.Path | None = None) -> Outcome:
        return self.run(self.command("store", "check", "--store", store or self.store), statuses)

    def report(
        self, *arguments: object, store: pathlib.Path | None = None, user: int | None = None,
        statuses: tuple[int, ...] = (0, 2), environment: dict[str, str] | None = None,
    ) -> dict[str, object]:
        """What a report over the store says."""
        outcome = self.run(
            self.command("report", "--store", store or self.store, *SITE, *ROUTES, "--format", "json", *arguments),
            statuses, user=user, environment=environment)
        return self.read(outcome)

    def expected(self, *arguments: object) -> dict[str, object]:
        """What a clean pass over all lines ever written says."""
        outcome = self.run(
            self.command("report", self.server.masters, *SITE, *ROUTES, "--format", "json", "--quiet", *arguments),
            (0, 2))
        return self.read(outcome)

    def read(self, outcome: Outcome) -> dict[str, object]:
        try:
            return store_oracle.figures(outcome.stdout)
        except (ValueError, KeyError, TypeError) as error:
            raise Failure("not a report: %r: %s" % (error, outcome.message[:400])) from None

    # MARK: - What has to hold

    def settle(self, *arguments: object, silent: bool = True, tables: bool = True) -> None:
        """Ingests once more, then holds the store against one clean pass over all lines."""
        self.ingest(*arguments, silent=silent)
        before = store_oracle.snapshot(self.store)
        self.ingest(*arguments, silent=silent)
        self.check(before == store_oracle.snapshot(self.store), "figures change when nothing is new")
        named = set(store_oracle.digest_files(self.store).values())
        left = sorted(path.name for path in set((self.store / "digests").iterdir()) - named)
        self.check(not left, "files that nothing names are left among the digests: %s" % left[:5])
        self.check_store()
        self.check_report()
        if tables:
            reference = self.reference()
            self.check_same(store_oracle.store_differences(reference, self.store), "tables and digests")

    def check_report(self) -> None:
        """Holds the report of the store against one clean pass."""
        self.check_same(store_oracle.differences(self.expected(), self.report()), "report")

    def reference(self) -> pathlib.Path:
        """A second store that has met all lines at once."""
        store = self.folder / "reference"
        shutil.rmtree(store, ignore_errors=True)
        self.ingest(self.server.masters, store=store, silent=False)
        return store

    # MARK: - Places

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


def watchdog(process: subprocess.Popen[bytes], seconds: float = 300) -> Outcome:
    """Waits for a started command; one that doesn't end is killed."""
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    try:
        stdout, stderr = process.communicate()
    finally:
        timer.cancel()
    return Outcome(process.returncode, stdout, stderr)


def dump(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def complain(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
