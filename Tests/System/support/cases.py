"""The cases of a topic: how they are listed, chosen, played and reported."""
import concurrent.futures
import contextlib
import dataclasses
import importlib
import os
import pathlib
import pkgutil
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from typing import Any

from support.command import Failure
from support.world import Settings, Skip, World

Play = Callable[[Any], None]


@dataclasses.dataclass(frozen=True)
class Case:
    """A function that is played under a name; `quick` says whether it is with `--quick`, too."""

    name: str
    play: Play
    quick: bool = True


CASES: dict[str, dict[str, Case]] = {}


def add(name: str, play: Play, quick: bool = True) -> None:
    """Adds a case to the topic in whose folder the function is."""
    CASES.setdefault(play.__module__.partition(".")[0], {})[name] = Case(name, play, quick)


def case(play: Play | None = None, *, quick: bool = True) -> Any:
    """Adds a function as a case of its name."""
    if play is None:
        return lambda play: case(play, quick=quick)
    add(play.__name__, play, quick)
    return play


@dataclasses.dataclass(frozen=True)
class Topic:
    """The cases of a folder. `missing` says why none of them can be played.

    The package may have `JOBS`, the number of cases that run at once; its module `world` may have a `World`, and
    `prepared`, a context manager that makes what all cases share, given the settings and a folder.
    """

    name: str
    package: Any
    cases: dict[str, Case]
    missing: str | None

    def play(self, settings: Settings, only: list[str] | None) -> list[str]:
        """Plays the chosen cases, and prints a line for each; returns how they ended."""
        chosen = [
            case for case in self.cases.values()
            if (case.name in only if only else case.quick or not settings.quick)]
        if self.missing:
            return [self.skipped(self.missing)]
        if not chosen:
            return []
        world = getattr(self.package, "world", None)
        prepared = getattr(world, "prepared", lambda *_: contextlib.nullcontext())
        folder = pathlib.Path(tempfile.mkdtemp(prefix="linkaudit-%s-" % self.name))
        # Other users need to reach the files of cases.
        folder.chmod(0o755)
        heed_signals()
        width = max(len(case.name) for case in chosen)
        workers = getattr(self.package, "JOBS", None) or os.cpu_count()
        outcomes: list[str] = []
        try:
            with prepared(settings, folder) as shared, concurrent.futures.ThreadPoolExecutor(workers) as pool:
                make = getattr(world, "World", World)

                def run(case: Case) -> tuple[str, float, World]:
                    return played(case, make, dataclasses.replace(settings, shared=shared), folder)

                for how, seconds, world_of_case in pool.map(run, chosen):
                    outcomes.append(how)
                    print("%s  %-*s %6.1f s  %s" % (self.name, width, world_of_case.name, seconds, how), flush=True)
                    self.conclude(world_of_case)
        except Skip as reason:
            outcomes.append(self.skipped(str(reason)))
        if "FAILED" not in outcomes:
            remove(folder)
        return outcomes

    def skipped(self, reason: str) -> str:
        """Reports that the whole topic can't be played."""
        print("%s  skipped: %s" % (self.name, reason), flush=True)
        return "FAILED" if skips_are_failures() else "skipped"

    def conclude(self, world: World) -> None:
        """Prints what failed and how to see it again, or removes the folder."""
        (world.folder / "steps.txt").write_text("\n".join(world.steps) + "\n", errors="backslashreplace")
        if not world.failures:
            remove(world.folder)
            return
        # Each failure is among the steps, too.
        for failure in world.failures[:10]:
            complain("  " + failure[:4000].replace("\n", "\n  "))
        complain("  its folder is kept, and in it steps.txt, which ends so: %s" % world.folder)
        for step in world.steps[-12:]:
            complain("    " + step[:4000].replace("\n", "\n    "))
        complain("  again: Tests/System/run.py %s --binary %s %s --only %s" % (
            self.name, world.settings.binary, " ".join(world.settings.options()), world.name))


def load(name: str) -> Topic:
    """Imports all modules of a topic, which adds its cases."""
    missing = None
    try:
        package = importlib.import_module(name)
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module("%s.%s" % (name, module.name))
    except Skip as reason:
        missing = str(reason)
    return Topic(name, sys.modules.get(name), CASES.get(name, {}), missing)


def played(case: Case, make: Callable[..., World], settings: Settings, folder: pathlib.Path) -> tuple[str, float, World]:
    """Plays a case in a folder of its own; returns `ok`, `FAILED` or why it was skipped, and its seconds."""
    start = time.monotonic()
    own = folder / case.name
    own.mkdir()
    world = make(settings, case.name, own)
    how = "ok"
    try:
        case.play(world)
    except Skip as reason:
        how = "skipped: %s" % reason
        if skips_are_failures():
            world.check(False, how)
    except (Failure, AssertionError) as failure:
        world.check(False, str(failure) or traceback.format_exc())
    except Exception:
        # Whatever goes wrong in one case, the others are played.
        world.check(False, "the test itself failed: " + traceback.format_exc())
    return "FAILED" if world.failures else how, time.monotonic() - start, world


def skips_are_failures() -> bool:
    """Whether a case that can't run fails, as on machines that should have every tool."""
    return bool(os.environ.get("LINKAUDIT_NO_SKIPS"))


def heed_signals() -> None:
    """Lets commands end by signals, also where the runner was started by `nohup` or in the background."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        if signal.getsignal(number) is signal.SIG_IGN:
            # A child inherits ignored signals, but not handlers.
            signal.signal(number, lambda *_: None)


def remove(folder: pathlib.Path) -> None:
    shutil.rmtree(os.fsencode(folder), ignore_errors=True)


def complain(text: str) -> None:
    """Prints an error; characters that a terminal would obey or hide are escaped."""
    print("".join(
        character if character.isprintable() or character == "\n" else ascii(character)[1:-1] for character in text),
        file=sys.stderr, flush=True)
