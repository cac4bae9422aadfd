"""A suite of scenarios: how they are chosen and played, and what is told of each.

Those that fail keep their folders, and are told with how to see them again.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from typing import Any, Generic, Optional, TypeVar

from command import Failure
from world import Settings, Skip, World, skips_are_failures

AnyWorld = TypeVar("AnyWorld", bound=World)
Play = Callable[[AnyWorld], None]
# What adds arguments of a suite's own.
Arguments = Callable[[argparse.ArgumentParser], None]


@dataclasses.dataclass(frozen=True)
class Scenario(Generic[AnyWorld]):
    """What is played under a name; `quick` says whether it is with '--quick', too."""

    name: str
    play: Callable[[AnyWorld], None]
    quick: bool = True


@dataclasses.dataclass(frozen=True)
class Played(Generic[AnyWorld]):
    """How a scenario ended: 'ok', 'FAILED', or why it was left out."""

    how: str
    seconds: float
    world: AnyWorld

    @property
    def was_skipped(self) -> bool:
        return self.how.startswith("skipped")

    @property
    def has_failed(self) -> bool:
        return bool(self.world.failures)


class Suite(Generic[AnyWorld]):
    """Scenarios, and how they are played.

    `make` makes what a scenario has at hand, of settings, a name and a folder; `kind` is what messages call a scenario.
    With `says_all`, a line is printed for each; without, for those that fail and those that were asked for.
    """

    def __init__(
        self, name: str, make: Callable[..., AnyWorld], kind: str = "scenario", width: int = 40, says_all: bool = True,
    ) -> None:
        self.name = name
        self.make = make
        self.kind = kind
        self.width = width
        self.says_all = says_all
        self.scenarios: dict[str, Scenario[AnyWorld]] = {}

    def add(self, name: str, play: Play[AnyWorld], quick: bool = True) -> Play[AnyWorld]:
        """Lists what is played under a name."""
        self.scenarios[name] = Scenario(name, play, quick)
        return play

    def scenario(self, play: Play[AnyWorld]) -> Play[AnyWorld]:
        """Lists a function under its name."""
        return self.add(play.__name__, play)

    # MARK: - The command line

    def arguments(
        self, description: Optional[str], add: Arguments = lambda parser: None, keeps: bool = False,
    ) -> argparse.Namespace:
        parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("--binary", type=pathlib.Path, help="the command to test")
        add(parser)
        parser.add_argument(
            "--only", action="append", metavar=self.kind.upper(), help="play this one; may be repeated")
        if keeps:
            parser.add_argument(
                "--keep", action="store_true", help="keep the folders of %ss that hold, too" % self.kind)
        parser.add_argument("--list", action="store_true", help="list the %ss" % self.kind)
        parser.add_argument(
            "--no-skips", action="store_true", help="fail if a %s can't be played on this machine" % self.kind)
        given = parser.parse_args()
        if given.no_skips:
            os.environ["LINKAUDIT_NO_SKIPS"] = "1"
        return given

    def refusal(self, given: argparse.Namespace) -> int | None:
        """Lists the scenarios, or says what is wrong with the arguments; returns the exit status if nothing is left."""
        if given.list:
            for scenario in self.scenarios.values():
                print(scenario.name + ("" if scenario.quick else "  (not with --quick)"))
            return 0
        unknown = set(given.only or []) - set(self.scenarios)
        if unknown:
            self.complain("no %s: %s" % (self.kind, ", ".join(sorted(unknown))))
        elif given.binary is None:
            self.complain("--binary is missing")
        else:
            return None
        return 64

    def main(self, description: Optional[str], seed: str, quick: str, keeps: bool = False) -> int:
        """Plays what a command line asks for, and returns the exit status.

        `seed` and `quick` say what the two options do. Suites that need more arguments, or have more to tell at the
        end, do the same in their own way.
        """
        def add(parser: argparse.ArgumentParser) -> None:
            parser.add_argument("--seed", type=int, help=seed)
            parser.add_argument("--quick", action="store_true", help=quick)
            add_jobs(parser)

        given = self.arguments(description, add, keeps)
        refusal = self.refusal(given)
        if refusal is not None:
            return refusal
        settings = Settings(
            given.binary.resolve(), random.randrange(1 << 31) if given.seed is None else given.seed, given.quick)
        print("seed %s" % settings.seed, flush=True)
        outcomes = self.play(given, lambda _: settings)
        failed = sum(played.has_failed for played in outcomes)
        print("%d passed, %d failed" % (sum(played.how == "ok" for played in outcomes), failed))
        return 1 if failed else 0

    def complain(self, text: str) -> None:
        complain("test-%s: %s" % (self.name, text))

    # MARK: - Playing

    def play(self, given: argparse.Namespace, settings: Callable[[pathlib.Path], Settings]) -> list[Played[AnyWorld]]:
        """Plays what was chosen, tells of it, and returns how all of it ended.

        `settings` gets a folder, in which there may be what all scenarios share.
        """
        folder = pathlib.Path(tempfile.mkdtemp(prefix="linkaudit-%s-" % self.name))
        # Other users have to get at what scenarios put there.
        folder.chmod(0o755)
        heed_signals()
        keeps = getattr(given, "keep", False)
        chosen = [
            scenario for scenario in self.scenarios.values()
            if (scenario.name in given.only if given.only else scenario.quick or not getattr(given, "quick", False))]
        jobs = getattr(given, "jobs", 1) or os.cpu_count()
        outcomes: list[Played[AnyWorld]] = []
        try:
            common = settings(folder)
            with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
                for played in pool.map(lambda scenario: self.played(scenario, common, folder), chosen):
                    outcomes.append(played)
                    if self.says_all or played.has_failed or given.only:
                        print(self.line(played), flush=True)
                    world = played.world
                    (world.folder / "steps.txt").write_text("\n".join(world.steps) + "\n", errors="backslashreplace")
                    if played.has_failed:
                        self.tell(world)
                    elif not keeps:
                        remove(world.folder)
        finally:
            if not keeps and not any(played.has_failed for played in outcomes):
                remove(folder)
        return outcomes

    def played(self, scenario: Scenario[AnyWorld], settings: Settings, folder: pathlib.Path) -> Played[AnyWorld]:
        """Plays a scenario in a folder of its own."""
        start = time.monotonic()
        own = folder / scenario.name
        own.mkdir()
        world = self.make(settings, scenario.name, own)
        how = "ok"
        try:
            scenario.play(world)
        except Skip as reason:
            how = "skipped: %s" % reason
            if skips_are_failures():
                world.check(False, how)
        except Failure as failure:
            world.check(False, str(failure))
        except Exception:
            # Whatever goes wrong in one scenario, the others are played.
            world.check(False, "the test itself failed: " + traceback.format_exc())
        return Played("FAILED" if world.failures else how, time.monotonic() - start, world)

    # MARK: - Telling

    def line(self, played: Played[AnyWorld]) -> str:
        return "%-*s %5.1f s  %s" % (self.width, played.world.name, played.seconds, played.how)

    def tell(self, world: AnyWorld) -> None:
        """Prints what failed, and how to see it again."""
        for failure in world.failures[:10]:
            complain("  " + failure[:4000].replace("\n", "\n  "))
        if len(world.failures) > 10:
            complain("  and %d more" % (len(world.failures) - 10))
        complain("  its folder is kept: %s" % world.folder)
        if world.steps:
            complain("  its last steps (all: %s):" % (world.folder / "steps.txt"))
        for step in world.steps[-12:]:
            complain("    " + step[:4000].replace("\n", "\n    "))
        complain("  again: Tests/%s/test_%s.py --binary %s%s --only %s" % (
            self.name.capitalize(), self.name, world.settings.binary,
            "".join(" " + word for word in world.settings.options()), world.name))


def heed_signals() -> None:
    """Lets commands end by signals as usual, also where the suite was started by 'nohup' or in the background."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        if signal.getsignal(number) is signal.SIG_IGN:
            # Unlike what is ignored, what has a handler is as usual again in a command that is started.
            signal.signal(number, lambda *_: None)


def remove(folder: pathlib.Path) -> None:
    """Removes a folder, whatever the names are of what is in it."""
    shutil.rmtree(os.fsencode(folder), ignore_errors=True)


def complain(text: str) -> None:
    """Prints what is wrong; what a terminal would obey, or hide, is escaped."""
    print("".join(
        character if character.isprintable() or character == "\n" else ascii(character)[1:-1] for character in text),
        file=sys.stderr, flush=True)


def add_jobs(parser: argparse.ArgumentParser, kind: str = "scenario", default: Any = None) -> None:
    """How many are played at once."""
    parser.add_argument("--jobs", type=int, default=default, help="how many %ss are played at once (default: %s)" % (
        kind, default or "one for each core"))
