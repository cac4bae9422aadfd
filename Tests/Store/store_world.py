"""What a scenario has at hand besides what all suites have: a server with its logs, and a store."""
from __future__ import annotations

import dataclasses
import datetime
import pathlib
import shutil
from typing import Any

import store_oracle
import world
from command import Failure, Outcome, Process, Word
from store_server import Server
from store_traffic import HOST, Traffic
from suite import Suite
from world import SAMPLES

SITE = ["--aasa", str(SAMPLES / "aasa.json"), "--host", HOST]
ROUTES = ["--routes", str(SAMPLES / "routes.txt")]


@dataclasses.dataclass(frozen=True)
class Settings(world.Settings):
    """How the scenarios are played, with the day that logs end near, and how often ingests are killed."""

    today: datetime.date = datetime.date.min
    kills: int = 0

    def options(self) -> list[str]:
        quick = ["--quick"] if self.quick else []
        return ["--seed", str(self.seed), "--today", str(self.today), "--kills", str(self.kills), *quick]


class World(world.World):
    """A folder with logs and a store, and the commands that work on them."""

    def __init__(self, settings: Settings, name: str, folder: pathlib.Path) -> None:
        super().__init__(settings, name, folder)
        self.traffic = Traffic(self.random, settings.today - datetime.timedelta(days=12))
        self.server = Server(folder, self.traffic, self.step)
        self.logs = self.server.logs
        self.store = folder / "store"

    def check_same(self, found: list[str], what: str) -> None:
        """Notes differences, if there are any."""
        more = " (and %d more)" % (len(found) - 4) if len(found) > 4 else ""
        self.check(not found, "%s: %s%s" % (what, "; ".join(found[:4]), more))

    # MARK: - Commands

    def run(self, command: list[Word], statuses: tuple[int, ...] = (0,), **options: Any) -> Outcome:
        """Runs a command to its end; any other exit status than those expected is a failure."""
        return self.execute(command, statuses, **options)

    def start(self, command: list[Word]) -> Process:
        """Starts a command, and goes on; whoever ends it says so with `step`."""
        return self.launch(command)

    def ingest_command(self, *arguments: object, store: pathlib.Path | None = None) -> list[Word]:
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


SUITE = Suite("store", World)


def scenario(quick: bool = True) -> Any:
    """Lists a function as a scenario; `quick` says whether it is played with `--quick`, too."""
    return lambda play: SUITE.add(play.__name__, play, quick)
