#!/usr/bin/env python3
"""Play what can go wrong around `linkaudit`: files, disks, signals, limits, clocks and locales.

    Tests/Faults/test_faults.py --binary .build/debug/linkaudit [--quick] [--seed N] [--only SCENARIO]

Each fault must end in a message that names the file, the place and the remedy, with the documented exit
status, and nothing lost that was good. What 'ingest' does to its store is played by Tests/Store.

Some scenarios need root (to mount small disks and to be another user), strace or a C compiler; they say so
and are left out where that is missing.
"""
from __future__ import annotations

import argparse
import pathlib
import random
import sys

# What all suites share.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Support"))

import scenarios_clock  # noqa: E402
import scenarios_disk  # noqa: E402
import scenarios_files  # noqa: E402
import scenarios_limits  # noqa: E402
import scenarios_locale  # noqa: E402
import scenarios_outputs  # noqa: E402
import scenarios_pipes  # noqa: E402
import scenarios_signals  # noqa: E402
from faults_world import SUITE  # noqa: E402
from suite import add_jobs  # noqa: E402
from world import Settings  # noqa: E402

# Importing a module lists its scenarios.
MODULES = [
    scenarios_files, scenarios_pipes, scenarios_outputs, scenarios_disk, scenarios_signals, scenarios_limits,
    scenarios_clock, scenarios_locale,
]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, help="what moments come from; at random unless given")
    parser.add_argument("--quick", action="store_true", help="smaller logs and fewer moments, for each change")
    add_jobs(parser)


def main() -> int:
    given = SUITE.arguments(__doc__, add_arguments, keeps=True)
    refusal = SUITE.refusal(given)
    if refusal is not None:
        return refusal
    settings = Settings(
        given.binary.resolve(), random.randrange(1 << 31) if given.seed is None else given.seed, given.quick)
    print("seed %s" % settings.seed, flush=True)
    outcomes = SUITE.play(given, lambda _: settings)
    failed = sum(played.has_failed for played in outcomes)
    print("%d passed, %d failed" % (len(outcomes) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
