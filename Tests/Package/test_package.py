#!/usr/bin/env python3
"""Hold what is installed and packed against shells, readers of manuals, and Debian's tools.

    Tests/Package/test_package.py --binary .build/debug/linkaudit [--release [BINARY]] [--only CASE] [--list]

With --release, packages are made of a release build (of BINARY, if it is given, which 'build.sh --portable' has
built), and installed, run and removed in roots without Swift, which debootstrap makes under .build/roots. Without it,
they are made of the given binary, and not run elsewhere. What the machine lacks for a case is said, and the case left
out. SUITES names releases of Debian for roots; 'bookworm' unless given.
"""
from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback

import cases_completions
import cases_installation
import cases_packages
import cases_version
from package_world import CASES, ROOT, Skip, World

# Importing a module lists its cases.
MODULES = [cases_version, cases_installation, cases_completions, cases_packages]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", type=pathlib.Path, required=True)
    parser.add_argument("--release", nargs="?", const="", metavar="BINARY")
    parser.add_argument("--only", action="append", default=[], metavar="CASE")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--no-skips", action="store_true", help="fail if a case can't be played on this machine")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(each.__name__ for each in CASES))
        return 0
    release = arguments.release
    if release == "":
        outcome = subprocess.run(
            ["Scripts/build.sh", "--portable", "--quiet"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
        release = outcome.stdout.strip()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="linkaudit-package-") as folder:
        packed = pathlib.Path(release).resolve() if release else None
        world = World(arguments.binary.resolve(), packed, pathlib.Path(folder))
        for each in CASES:
            if arguments.only and each.__name__ not in arguments.only:
                continue
            began = time.monotonic()
            try:
                each(world)
                how = "passed"
            except Skip as reason:
                how = f"left out: {reason}"
                if arguments.no_skips or os.environ.get("LINKAUDIT_NO_SKIPS"):
                    failed += 1
                    how = f"FAILED, {how}"
            except AssertionError as failure:
                failed += 1
                how = f"FAILED: {failure}"
            except Exception:
                failed += 1
                how = f"FAILED: {traceback.format_exc()}"
            print(f"{each.__name__.replace('_', ' ')} ({time.monotonic() - began:.1f} s): {how}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
