"""The fixture of the store's cases: a server with its logs, and a store."""
import datetime
import pathlib
import shutil

from store import oracle
from store.server import LogFile, Server
from store.traffic import Traffic
from support import world
from support.command import Failure, Outcome, Word
from support.inputs import ROUTES, SITE
from support.world import Settings


class World(world.World):
    def __init__(self, settings: Settings, name: str, folder: pathlib.Path) -> None:
        super().__init__(settings, name, folder)
        self.traffic = Traffic(self.random, settings.today - datetime.timedelta(days=12))
        self.server = Server(folder, self.traffic, self.step)
        self.logs = self.server.logs
        self.store = folder / "store"

    # MARK: - Logs

    def days(self, count: int, lines: int) -> LogFile:
        """A log of some days."""
        log = self.server.open("access.log")
        for _ in range(count):
            self.server.write(log, lines)
            self.traffic.next_day()
        return log

    def logs_of_days(self, count: int, lines: int) -> None:
        """Logs of a day each."""
        for number in range(count):
            self.server.write(self.server.open("access.log.%d" % number), lines)
            self.traffic.next_day()

    def check_same(self, found: list[str], what: str) -> None:
        more = " (and %d more)" % (len(found) - 4) if len(found) > 4 else ""
        self.check(not found, "%s: %s%s" % (what, "; ".join(found[:4]), more))

    # MARK: - Commands

    def ingest_command(self, *arguments: object, store: pathlib.Path | None = None) -> list[Word]:
        """The command that ingests; all logs of the server, unless `arguments` names some."""
        names_logs = any(isinstance(argument, pathlib.Path) for argument in arguments)
        logs = [] if names_logs else [self.logs]
        return self.command("ingest", *logs, *arguments, "--store", store or self.store, *SITE)

    def ingest(
        self, *arguments: object, store: pathlib.Path | None = None, statuses: tuple[int, ...] = (0,),
        silent: bool = True, user: int | None = None,
    ) -> Outcome:
        """Ingests, and sees that nothing is said when nothing is wrong."""
        outcome = self.execute(self.ingest_command(*arguments, store=store), statuses, user=user)
        if outcome.status == 0 and silent:
            self.check(
                outcome.message == "" and ("--summary" in arguments or outcome.stdout == b""),
                "not silent: %r %r" % (outcome.stdout[:200], outcome.message[:400]))
        return outcome

    def check_store(self, statuses: tuple[int, ...] = (0,), store: pathlib.Path | None = None) -> Outcome:
        return self.run("store", "check", "--store", store or self.store, statuses=statuses)

    def figures(self, store: pathlib.Path | None = None, user: int | None = None) -> dict[str, object]:
        return self.read(self.run(
            "report", "--store", store or self.store, *SITE, *ROUTES, "--format", "json", statuses=(0, 2), user=user))

    def expected(self) -> dict[str, object]:
        """Returns the figures of a clean pass over all lines ever written."""
        return self.read(self.run(
            "report", self.server.masters, *SITE, *ROUTES, "--format", "json", "--quiet", statuses=(0, 2)))

    def read(self, outcome: Outcome) -> dict[str, object]:
        try:
            return oracle.figures(outcome.stdout)
        except (ValueError, KeyError, TypeError) as error:
            raise Failure("not a report: %r: %s" % (error, outcome.message[:400])) from None

    # MARK: - What has to hold

    def settle(self, silent: bool = True) -> None:
        """Ingests once more, then holds the store against one clean pass over all lines."""
        self.ingest(silent=silent)
        before = oracle.snapshot(self.store)
        self.ingest(silent=silent)
        self.check(before == oracle.snapshot(self.store), "figures change when nothing is new")
        named = set(oracle.digest_files(self.store).values())
        left = sorted(path.name for path in set((self.store / "digests").iterdir()) - named)
        self.check(not left, "files that nothing names are left among the digests: %s" % left[:5])
        self.check_store()
        self.check_report()
        # A second store that meets all lines at once.
        reference = self.folder / "reference"
        shutil.rmtree(reference, ignore_errors=True)
        self.ingest(self.server.masters, store=reference, silent=False)
        self.check_same(oracle.store_differences(reference, self.store), "tables and digests")

    def check_report(self) -> None:
        """Holds the report of the store against one clean pass."""
        self.check_same(oracle.differences(self.expected(), self.figures()), "report")
