#!/usr/bin/env python3
"""Play a server's life with `linkaudit ingest`, and hold its store against one clean pass.

    Tests/Store/test_store.py --binary .build/debug/linkaudit [--quick] [--seed N] [--only SCENARIO]

Logs are written, rotated, compressed, cut and copied; ingests are killed, run out of disk, and run at once.
What the store says in the end is compared with a report over all lines ever written, and, table by table
and digest by digest, with a second store that met them all at once.

Some scenarios need root (to mount small disks and to be another user), strace or logrotate; they say so
and are left out where that is missing.
"""
from __future__ import annotations

import argparse
import datetime
import pathlib
import random
import subprocess
import sys

# What all suites share.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Support"))

import scenarios_content  # noqa: E402
import scenarios_crash  # noqa: E402
import scenarios_damage  # noqa: E402
import scenarios_disk  # noqa: E402
import scenarios_environment  # noqa: E402
import scenarios_flips  # noqa: E402
import scenarios_life  # noqa: E402
import scenarios_logrotate  # noqa: E402
import scenarios_reports  # noqa: E402
import scenarios_rotation  # noqa: E402
import scenarios_serials  # noqa: E402
import scenarios_together  # noqa: E402
import scenarios_trust  # noqa: E402
from store_world import SUITE, Settings  # noqa: E402
from suite import add_jobs  # noqa: E402

# Importing a module lists its scenarios.
MODULES = [
    scenarios_rotation, scenarios_content, scenarios_damage, scenarios_trust, scenarios_flips,
    scenarios_environment, scenarios_logrotate, scenarios_reports, scenarios_together, scenarios_disk,
    scenarios_crash, scenarios_life, scenarios_serials,
]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, help="what all logs and moments come from; at random unless given")
    parser.add_argument(
        "--today", type=datetime.date.fromisoformat, help="the day that logs end near (default: today)")
    parser.add_argument("--kills", type=int, help="how often ingests are killed (default: 100; 8 with --quick)")
    parser.add_argument("--quick", action="store_true", help="smaller logs and fewer kills, for each change")
    add_jobs(parser)


def has_store(binary: pathlib.Path) -> bool:
    """Whether a command knows the nightly store at all."""
    try:
        done = subprocess.run([binary, "ingest", "--help"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError as error:
        SUITE.complain(str(error))
        return False
    if done.returncode == 0 and b"--store" in done.stdout:
        return True
    SUITE.complain("%s has no 'ingest --store'" % binary)
    return False


def main() -> int:
    given = SUITE.arguments(__doc__, add_arguments, keeps=True)
    refusal = SUITE.refusal(given)
    if refusal is not None:
        return refusal
    if not has_store(given.binary.resolve()):
        return 64
    settings = Settings(
        given.binary.resolve(), random.randrange(1 << 31) if given.seed is None else given.seed, given.quick,
        given.today or datetime.date.today(), given.kills or (8 if given.quick else 100))
    print("seed %s, today %s" % (settings.seed, settings.today), flush=True)
    outcomes = SUITE.play(given, lambda _: settings)
    failed = [played.world.name for played in outcomes if played.has_failed]
    if failed:
        SUITE.complain("%d scenarios failed: %s" % (len(failed), ", ".join(failed)))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
