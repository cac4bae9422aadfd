#!/usr/bin/env python3
"""Hold linkaudit's limits against inputs that are made to break them.

    Tests/Limits/test_limits.py --binary .build/debug/linkaudit [--only CASE] [--list]

Inputs are made on the fly in a temporary folder, and removed. Memory is the most that the command had in use at a
time; how long anything takes is nobody's business here, but a command that hangs is ended.
"""
from __future__ import annotations

import pathlib
import sys

# What all suites share.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Support"))

import cases_compression  # noqa: E402
import cases_digests  # noqa: E402
import cases_files  # noqa: E402
import cases_logs  # noqa: E402
import cases_store  # noqa: E402
from limits_world import SUITE  # noqa: E402
from world import Settings  # noqa: E402

# Importing a module lists its cases.
MODULES = [cases_compression, cases_logs, cases_files, cases_digests, cases_store]


def main() -> int:
    given = SUITE.arguments(__doc__)
    refusal = SUITE.refusal(given)
    if refusal is not None:
        return refusal
    settings = Settings(given.binary.resolve())
    outcomes = SUITE.play(given, lambda _: settings)
    failed = sum(played.has_failed for played in outcomes)
    print("test-limits: %d cases, %s" % (len(outcomes), "%d failed" % failed if failed else "all as expected"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
