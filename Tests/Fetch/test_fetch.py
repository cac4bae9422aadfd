#!/usr/bin/env python3
"""Hold `linkaudit fetch` against real servers on this machine that behave well and badly.

    Tests/Fetch/test_fetch.py --binary .build/debug/linkaudit [--only CASE] [--list]

A private authority is made with the openssl command. Cases with nginx say so and are left out where there is
none. Whatever a server does, the command comes to an end.
"""
from __future__ import annotations

import argparse
import pathlib
import shutil
import sys

# What all suites share.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Support"))

import cases_answer  # noqa: E402
import cases_cdn  # noqa: E402
import cases_connection  # noqa: E402
import cases_nginx  # noqa: E402
from certificates import Certificates  # noqa: E402
from fetch_world import SUITE, Settings  # noqa: E402
from suite import add_jobs  # noqa: E402
from world import skips_are_failures  # noqa: E402

# Importing a module lists its cases.
MODULES = [cases_connection, cases_answer, cases_cdn, cases_nginx]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_jobs(parser, "case", 4)


def main() -> int:
    given = SUITE.arguments(__doc__, add_arguments)
    refusal = SUITE.refusal(given)
    if refusal is not None:
        return refusal
    if shutil.which("openssl") is None:
        SUITE.complain("no openssl, with which certificates are made; 'Scripts/setup.sh --fetch' installs it")
        return 1 if skips_are_failures() else 0
    outcomes = SUITE.play(given, lambda folder: Settings(
        given.binary.resolve(), certificates=Certificates(folder / "certificates")))
    skipped = [played.how for played in outcomes if played.was_skipped]
    for how in dict.fromkeys(skipped):
        print("%d cases %s" % (skipped.count(how), how))
    failed = [played.world.name for played in outcomes if played.has_failed]
    if failed:
        SUITE.complain("%d of %d cases failed: %s" % (len(failed), len(outcomes), ", ".join(failed)))
        return 1
    print("%d cases hold" % (len(outcomes) - len(skipped)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
