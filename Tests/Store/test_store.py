#!/usr/bin/env python3
"""Play a server's life with `linkaudit ingest`, and hold its store against one clean pass.

    Tests/Store/test_store.py --binary .build/debug/linkaudit [--quick] [--seed N] [--only SCENARIO]

Logs are written, rotated, compressed, cut and copied; ingests are killed, run out of disk, and run at once.
What the store says in the end is compared with a report over all lines ever written, and, table by table
and digest by digest, with a second store that met them all at once.

Some scenarios need root (to mount small disks and to be another user), strace or logrotate; they say so
and are left out where that is missing.
"""
import argparse
import concurrent.futures
import datetime
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

import scenarios_content
import scenarios_crash
import scenarios_damage
import scenarios_disk
import scenarios_environment
import scenarios_life
import scenarios_logrotate
import scenarios_reports
import scenarios_rotation
import scenarios_together
from store_world import SCENARIOS, Failure, Scenario, Settings, Skip, World, complain

# Importing a module lists its scenarios.
MODULES = [
    scenarios_rotation, scenarios_content, scenarios_damage, scenarios_environment, scenarios_logrotate,
    scenarios_reports, scenarios_together, scenarios_disk, scenarios_crash, scenarios_life,
]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=pathlib.Path, help="the command to test")
    parser.add_argument("--seed", type=int, help="what all logs and moments come from; at random unless given")
    parser.add_argument("--today", type=datetime.date.fromisoformat, help="the day that logs end near (default: today)")
    parser.add_argument("--kills", type=int, help="how often ingests are killed (default: 100; 8 with --quick)")
    parser.add_argument("--quick", action="store_true", help="smaller logs and fewer kills, for each change")
    parser.add_argument("--jobs", type=int, help="how many scenarios are played at once (default: one for each core)")
    parser.add_argument("--only", action="append", metavar="SCENARIO", help="play this one; may be repeated")
    parser.add_argument("--keep", action="store_true", help="keep the folders of scenarios that hold, too")
    parser.add_argument("--list", action="store_true", help="list the scenarios")
    return parser.parse_args()


def has_store(binary: pathlib.Path) -> bool:
    """Whether a command knows the nightly store at all."""
    try:
        done = subprocess.run([binary, "ingest", "--help"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError as error:
        complain("test-store: %s" % error)
        return False
    if done.returncode == 0 and b"--store" in done.stdout:
        return True
    complain("test-store: %s has no 'ingest --store'" % binary)
    return False


def play(scenario: Scenario, settings: Settings, folder: pathlib.Path) -> tuple[str, float, World]:
    """Plays a scenario; returns how it ended, how many seconds it took, and what happened."""
    start = time.monotonic()
    folder.mkdir()
    world = World(settings, scenario.name, folder)
    how = ""
    try:
        scenario.play(world)
    except Skip as reason:
        how = "skipped: %s" % reason
    except Failure as failure:
        world.check(False, str(failure))
    except Exception:
        # Whatever a store holds that it should not, the other scenarios are played.
        world.check(False, "the test itself failed: " + traceback.format_exc())
    return "FAILED" if world.failures else how or "ok", time.monotonic() - start, world


def tell(world: World, settings: Settings) -> None:
    """Prints what failed, and how to see it again."""
    for failure in world.failures[:10]:
        complain("  " + failure)
    if len(world.failures) > 10:
        complain("  and %d more" % (len(world.failures) - 10))
    steps = world.folder / "steps.txt"
    complain("  its folder is kept: %s" % world.folder)
    complain("  its last steps (all: %s):" % steps)
    for step in world.steps[-12:]:
        complain("    " + step.replace("\n", "\n    "))
    complain("  again: Tests/Store/test_store.py --binary %s --seed %d --today %s --kills %d%s --only %s" % (
        settings.binary, settings.seed, settings.today, settings.kills, " --quick" if settings.quick else "",
        world.name))


def main() -> int:
    given = arguments()
    if given.list:
        for scenario in SCENARIOS:
            print("%s%s" % (scenario.name, "" if scenario.quick else "  (not with --quick)"))
        return 0
    unknown = set(given.only or []) - {scenario.name for scenario in SCENARIOS}
    if given.binary is None or unknown:
        complain("test-store: " + ("no scenario: " + ", ".join(sorted(unknown)) if unknown else "--binary is missing"))
        return 64
    if not has_store(given.binary.resolve()):
        return 64
    settings = Settings(
        given.binary.resolve(), random.randrange(1 << 31) if given.seed is None else given.seed,
        given.today or datetime.date.today(), given.kills or (8 if given.quick else 100), given.quick)
    print("seed %d, today %s" % (settings.seed, settings.today), flush=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="linkaudit-store-"))
    # Other users have to get at what scenarios put there.
    folder.chmod(0o755)
    failed: list[str] = []
    chosen = [
        scenario for scenario in SCENARIOS
        if (scenario.name in given.only if given.only else scenario.quick or not given.quick)]
    with concurrent.futures.ThreadPoolExecutor(given.jobs or os.cpu_count()) as pool:
        for how, seconds, world in pool.map(lambda scenario: play(scenario, settings, folder / scenario.name), chosen):
            print("%-40s %5.1f s  %s" % (world.name, seconds, how), flush=True)
            (world.folder / "steps.txt").write_text("\n".join(world.steps) + "\n", errors="backslashreplace")
            if world.failures:
                failed.append(world.name)
                tell(world, settings)
            elif not given.keep:
                shutil.rmtree(world.folder, ignore_errors=True)
    if failed:
        complain("test-store: %d scenarios failed: %s" % (len(failed), ", ".join(failed)))
        return 1
    if not given.keep:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
