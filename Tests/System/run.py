#!/usr/bin/env python3
"""Run the system tests: the command as users run it, on files, servers, shells and broken machines.

    Tests/System/run.py TOPIC... --binary .build/debug/linkaudit [--quick] [--seed N] [--only CASE] [--list]

Each topic is a folder; its first lines say what it tests. A case that needs a missing tool, or root, is
skipped with a message. A case that fails keeps its folder and prints how to run it again.
"""
import argparse
import datetime
import os
import pathlib
import random
import sys

from support import cases
from support.world import Settings

TOPICS = ("store", "faults", "limits", "safety", "fetch", "browser", "dashboards", "pipeline", "package", "rows", "sql")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("topics", nargs="+", choices=TOPICS, metavar="TOPIC", help="one of: " + ", ".join(TOPICS))
    parser.add_argument("--binary", type=pathlib.Path, help="the command to test")
    parser.add_argument("--only", action="append", metavar="CASE", help="run this case; may be repeated")
    parser.add_argument("--seed", type=int, help="seed of all random inputs and moments (default: random)")
    parser.add_argument("--today", type=datetime.date.fromisoformat, default=datetime.date.today(),
                        metavar="DAY", help="the day on which the logs of the store end (default: today)")
    parser.add_argument("--quick", action="store_true", help="use smaller inputs, and skip the longest cases")
    parser.add_argument("--list", action="store_true", help="list the cases")
    parser.add_argument("--kills", type=int, help="store: how often ingests are killed (default: 100; 8 with --quick)")
    parser.add_argument("--release", nargs="?", const="", metavar="BINARY",
                        help="package: pack BINARY (default: a new release build), and run it without Swift")
    return parser.parse_args()


def main() -> int:
    given = parse()
    topics = [cases.load(name) for name in given.topics]
    if given.list:
        for topic in topics:
            for case in topic.cases.values():
                print("%s  %s%s" % (topic.name, case.name, "" if case.quick else "  (not with --quick)"))
        return 0
    unknown = set(given.only or []).difference(*(topic.cases for topic in topics))
    # Cases of a topic that can't be loaded are not known.
    if unknown and not any(topic.missing for topic in topics):
        cases.complain("no such case: " + ", ".join(sorted(unknown)))
        return 64
    if given.binary is None or not os.access(given.binary, os.X_OK):
        cases.complain("--binary is missing" if given.binary is None else "%s can't be run" % given.binary)
        return 64
    settings = Settings(
        binary=given.binary.resolve(), seed=random.randrange(1 << 31) if given.seed is None else given.seed,
        quick=given.quick, today=given.today, kills=given.kills or (8 if given.quick else 100),
        release=given.release)
    print("seed %s, today %s" % (settings.seed, settings.today), flush=True)
    outcomes = [outcome for topic in topics for outcome in topic.play(settings, given.only)]
    passed, failed = outcomes.count("ok"), outcomes.count("FAILED")
    skipped = len(outcomes) - passed - failed
    print("%d passed, %d failed%s" % (passed, failed, ", %d skipped" % skipped if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
