#!/usr/bin/env python3
"""Hold what `linkaudit` prints, stores and asks the network for against hostile input.

    Tests/Safety/test_safety.py --binary .build/debug/linkaudit [--quick] [--seed N] [--only SCENARIO] [--list]

Whatever logs, files, names, servers and arguments hold, no control byte, no bidirectional override and nothing
invisible comes to a terminal, and every form stays what it is. Only `fetch` uses the network. No output holds
client addresses, users or user agents.

Some scenarios need strace, openssl, or to be root; they say so and are left out where that is missing.
"""
from __future__ import annotations

import argparse
import pathlib
import random
import sys

# What all suites share.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Support"))

import scenarios_fetch  # noqa: E402
import scenarios_forged  # noqa: E402
import scenarios_names  # noqa: E402
import scenarios_network  # noqa: E402
import scenarios_privacy  # noqa: E402
import scenarios_text  # noqa: E402
from safety_world import SUITE  # noqa: E402
from suite import add_jobs  # noqa: E402
from world import Settings  # noqa: E402

# Importing a module lists its scenarios.
MODULES = [
    scenarios_text, scenarios_names, scenarios_forged, scenarios_fetch, scenarios_network, scenarios_privacy]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--quick", action="store_true", help="where there are many of a kind, play some, for each change")
    parser.add_argument("--seed", type=int, help="what decides which; at random unless given")
    add_jobs(parser)


def main() -> int:
    given = SUITE.arguments(__doc__, add_arguments)
    refusal = SUITE.refusal(given)
    if refusal is not None:
        return refusal
    settings = Settings(
        given.binary.resolve(), random.randrange(1 << 31) if given.seed is None else given.seed, given.quick)
    print("seed %s" % settings.seed, flush=True)
    outcomes = SUITE.play(given, lambda _: settings)
    failed = sum(played.has_failed for played in outcomes)
    print("%d passed, %d failed" % (sum(played.how == "ok" for played in outcomes), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
