#!/usr/bin/env python3
"""Play what can go wrong around `linkaudit`: files, disks, signals, limits, clocks and locales.

    Tests/Faults/test_faults.py --binary .build/debug/linkaudit [--quick] [--seed N] [--only SCENARIO]

Each fault must end in a message that names the file, the place and the remedy, with the documented exit
status, and nothing lost that was good. What 'ingest' does to its store is played by Tests/Store.

Some scenarios need root (to mount small disks and to be another user), strace or a C compiler; they say so
and are left out where that is missing.
"""
from __future__ import annotations

import pathlib
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

# Importing a module lists its scenarios.
MODULES = [
    scenarios_files, scenarios_pipes, scenarios_outputs, scenarios_disk, scenarios_signals, scenarios_limits,
    scenarios_clock, scenarios_locale,
]

if __name__ == "__main__":
    sys.exit(SUITE.main(
        __doc__, seed="what moments come from; at random unless given",
        quick="smaller logs and fewer moments, for each change", keeps=True))
