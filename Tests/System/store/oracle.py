"""Differences of two reports, or of two stores."""
import collections
import contextlib
import json
import pathlib
import sqlite3
import urllib.parse

INPUT_FIGURES = ["lines", "requests", "rejected", "rejectedByReason"]
SITE_FIGURES = [
    "host", "verdicts", "apps", "platforms", "referrals", "days", "rules", "sameHostReferrals", "coverage",
    "delivery",
]

Row = tuple[object, ...]


def figures(report: bytes) -> dict[str, object]:
    """Returns a JSON report's figures about traffic: all but the names of files and figures that depend on them."""
    document = json.loads(report)
    return {
        "input": {name: document["input"][name] for name in INPUT_FIGURES},
        "clients": document["clients"],
        "otherHosts": document["otherHosts"],
        "sites": [{name: site[name] for name in SITE_FIGURES} for site in document["sites"]],
    }


def differences(expected: object, actual: object, place: str = "") -> list[str]:
    """The places where two values of JSON differ, each with both values."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        found: list[str] = []
        for name in sorted(expected.keys() | actual.keys()):
            found += differences(expected.get(name), actual.get(name), "%s.%s" % (place, name))
        return found
    if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        found = []
        for index, (one, other) in enumerate(zip(expected, actual)):
            found += differences(one, other, "%s[%d]" % (place, index))
        return found
    if expected == actual:
        return []
    return ["%s: expected %s, found %s" % (place, short(expected), short(actual))]


def short(value: object) -> str:
    text = json.dumps(value, default=repr)
    return text if len(text) <= 120 else text[:117] + "..."


# MARK: - Stores


def connect(store: pathlib.Path) -> sqlite3.Connection:
    name = urllib.parse.quote(str(store / "store.sqlite"))
    return sqlite3.connect("file:%s?mode=rw" % name, uri=True)


def rows(store: pathlib.Path, query: str) -> list[Row]:
    with contextlib.closing(connect(store)) as database:
        return database.execute(query).fetchall()


def daily_tables(store: pathlib.Path) -> dict[str, list[Row]]:
    """The rows of the tables with figures by day, in an order of their own."""
    names = rows(store, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'daily\\_%' ESCAPE '\\'")
    return {name: sorted(rows(store, 'SELECT * FROM "%s"' % name), key=repr) for (name,) in names}


def digest_files(store: pathlib.Path) -> dict[str, pathlib.Path]:
    """The digests that a store names, by day; their own names say nothing."""
    return {day: store / "digests" / name for day, name in rows(store, "SELECT day, file FROM digests ORDER BY day")}


def digests(store: pathlib.Path) -> dict[str, bytes | None]:
    """The bytes of each day's digest, or nothing where it is missing."""
    return {day: path.read_bytes() if path.exists() else None for day, path in digest_files(store).items()}


def store_differences(expected: pathlib.Path, actual: pathlib.Path) -> list[str]:
    """Returns the differences of two stores: figures row by row, digests byte for byte."""
    one, other = daily_tables(expected), daily_tables(actual)
    found = [] if one else ["there are no tables daily_* in %s" % expected]
    for name in sorted(one.keys() | other.keys()):
        here, there = (collections.Counter(tables.get(name, [])) for tables in (one, other))
        found += ["%s: expected row %s" % (name, short(row)) for row in list(here - there)[:3]]
        found += ["%s: found row %s" % (name, short(row)) for row in list(there - here)[:3]]
    files, others = digests(expected), digests(actual)
    # A log of a few lines counts for good if it is met compressed, and waits for more if it is plain. Days with
    # such a log have other digests then; what both come to is in the tables.
    pending, other_pending = (
        dict(rows(store, "SELECT day, sum(requests) FROM pending_days GROUP BY day")) for store in (expected, actual))
    for day in sorted(files.keys() | others.keys()):
        if pending.get(day) == other_pending.get(day) and files.get(day) != others.get(day):
            found.append("digest of %r: %s" % (
                day, "other bytes" if files.get(day) and others.get(day) else "missing in one of the stores"))
    return found


def snapshot(store: pathlib.Path) -> tuple[dict[str, list[Row]], dict[str, bytes | None]]:
    """All figures of a store, to see whether something changes them."""
    return daily_tables(store), digests(store)
