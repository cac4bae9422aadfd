#!/usr/bin/env python3
"""Hold `linkaudit fetch` against real servers on this machine that behave well and badly.

    Tests/Fetch/test_fetch.py --binary .build/debug/linkaudit [--only CASE] [--list]

A private authority is made with the openssl command. Cases with nginx say so and are left out where there is
none. No case takes longer than half a minute: whatever a server does, the command comes to an end.
"""
import argparse
import concurrent.futures
import pathlib
import shutil
import sys
import tempfile
import time
import traceback

import cases_answer
import cases_cdn
import cases_connection
import cases_nginx
from fetch_certificates import Certificates
from fetch_world import CASES, Skip, World

# Importing a module lists its cases.
MODULES = [cases_connection, cases_answer, cases_cdn, cases_nginx]


def play(name: str, binary: pathlib.Path, folder: pathlib.Path, certificates: Certificates) -> tuple[str, float, list[str]]:
    """Plays a case; returns how it ended, how many seconds it took, and what failed."""
    start = time.monotonic()
    folder.mkdir()
    world = World(binary, folder, certificates)
    how = "ok"
    try:
        CASES[name](world)
    except Skip as reason:
        how = "skipped: %s" % reason
    except Exception:
        world.check(False, "the test itself failed: " + traceback.format_exc())
    return "FAILED" if world.failures else how, time.monotonic() - start, world.failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=pathlib.Path, help="the command to test")
    parser.add_argument("--jobs", type=int, default=4, help="how many cases are played at once (default: 4)")
    parser.add_argument("--only", action="append", metavar="CASE", help="play this one; may be repeated")
    parser.add_argument("--list", action="store_true", help="list the cases")
    given = parser.parse_args()
    if given.list:
        print("\n".join(CASES))
        return 0
    unknown = set(given.only or []) - set(CASES)
    if given.binary is None or unknown:
        print("test-fetch: " + ("no case: " + ", ".join(sorted(unknown)) if unknown else "--binary is missing"),
              file=sys.stderr)
        return 64
    if shutil.which("openssl") is None:
        print("test-fetch: no openssl, with which certificates are made; 'Scripts/setup.sh --fetch' installs it",
              file=sys.stderr)
        return 0
    folder = pathlib.Path(tempfile.mkdtemp(prefix="linkaudit-fetch-"))
    failed: list[str] = []
    skipped: dict[str, int] = {}
    names = given.only or list(CASES)
    try:
        certificates = Certificates(folder / "certificates")
        binary = given.binary.resolve()
        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            outcomes = pool.map(lambda name: play(name, binary, folder / name, certificates), names)
            for name, (how, seconds, failures) in zip(names, outcomes):
                if how.startswith("skipped"):
                    skipped[how] = skipped.get(how, 0) + 1
                if failures or given.only:
                    print("%-44s %5.1f s  %s" % (name, seconds, how), flush=True)
                for failure in failures[:10]:
                    print("  " + failure.replace("\n", "\n  "), file=sys.stderr, flush=True)
                if failures:
                    failed.append(name)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for how, count in skipped.items():
        print("%d cases %s" % (count, how))
    if failed:
        print("test-fetch: %d of %d cases failed: %s" % (len(failed), len(names), ", ".join(failed)), file=sys.stderr)
        return 1
    print("%d cases hold" % (len(names) - sum(skipped.values())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
