#!/usr/bin/env python3
"""Hold what `linkaudit` prints, stores and asks the network for against hostile input.

    Tests/Safety/test_safety.py --binary .build/debug/linkaudit [--quick] [--seed N] [--only SCENARIO] [--list]

Whatever logs, files, names, servers and arguments hold, no control byte, no bidirectional override and nothing
invisible comes to a terminal, and every form stays what it is. Only `fetch` uses the network. No output holds
client addresses, users or user agents.

Some scenarios need strace, openssl, or to be root; they say so and are left out where that is missing.
"""
from __future__ import annotations

import pathlib
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

# Importing a module lists its scenarios.
MODULES = [
    scenarios_text, scenarios_names, scenarios_forged, scenarios_fetch, scenarios_network, scenarios_privacy]

if __name__ == "__main__":
    sys.exit(SUITE.main(
        __doc__, seed="what decides which; at random unless given",
        quick="where there are many of a kind, play some, for each change"))
