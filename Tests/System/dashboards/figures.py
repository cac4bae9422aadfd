"""The figures of a report, as rows of its tables, that panels and alerts show."""
import datetime
import math
from collections.abc import Callable, Collection, Iterable
from typing import Any

from dashboards.world import DAY, Figures, Night, Row, labeled

# The figures of a night's report for some hosts; those about the input don't depend on them.
Expected = Callable[[Night, Collection[str]], Figures]
Value = str | Callable[[Row], float | None]

RULE = ("host", "version", "detail", "list", "rule", "pattern", "excludes")


def seconds(time: str) -> float:
    """Converts a time of a report to seconds since the Unix epoch."""
    return datetime.datetime.fromisoformat(time).timestamp()


def text(value: object) -> object:
    """Writes a value as a label has it."""
    return str(value).lower() if isinstance(value, bool) else value


def rows(night: Night, table: str, hosts: Collection[str]) -> list[Row]:
    """The rows of a table for some hosts; those about the input, and findings about it, belong to every host."""
    return [{"source": row.get("from"), **row} for row in night.rows
            if row["type"] == table and (row.get("host") or "") in ("", *hosts)]


def joined(found: Iterable[Row], labels: Collection[str], value: Value, join: Callable[..., float] = sum) -> Figures:
    """Joins the figures of rows that have the same labels."""
    values: dict[Any, list[float]] = {}
    for row in found:
        figure = row.get(value) if isinstance(value, str) else value(row)
        if figure is not None:
            values.setdefault(labeled(**{label: text(row.get(label)) for label in labels}), []).append(figure)
    return {key: join(each) for key, each in values.items()}


def of(table: str, labels: Collection[str], value: Value, join: Callable[..., float] = sum, **only: object) -> Expected:
    """The joined figures of the rows of a table that have some values."""
    return lambda night, hosts: joined(
        (row for row in rows(night, table, hosts) if only.items() <= {**dict.fromkeys(only), **row}.items()),
        labels, value, join)


def above_zero(expected: Expected) -> Expected:
    return lambda night, hosts: {labels: value for labels, value in expected(night, hosts).items() if value > 0}


def changes(night: Night, _: Collection[str]) -> Figures:
    """How many findings have changed since the report before, if there is one."""
    found = [row.get("change", "gone") for row in night.rows if row["type"] in ("findings", "goneFindings")]
    return {labeled(change=change): found.count(change)
            for _ in rows(night, "comparison", ()) for change in ("new", "worse", "better", "same", "gone")}


def share(table: str, column: str, part: str, *labels: str) -> Expected:
    """The share of visits whose rows have a value, of each host or of all together."""
    def figures(night: Night, hosts: Collection[str]) -> Figures:
        whole = of(table, labels, "visits", app=None)(night, hosts)
        some = of(table, labels, "visits", app=None, **{column: part})(night, hosts)
        return {key: some.get(key, 0) / value if value else math.nan for key, value in whole.items()}
    return figures


def newest(night: Night) -> float:
    return seconds(rows(night, "report", ())[0]["to"])


def since_good_fetch(night: Night, hosts: Collection[str]) -> Figures:
    return of("fetchers", ("host", "fetcher"), lambda row: (
        newest(night) - seconds(row["lastGood"]) if row["lastGood"] else None))(night, hosts)


def versions(night: Night, hosts: Collection[str]) -> Figures:
    """Sites without rules have no version."""
    return of("rules", ["host"], lambda row: row.get("version", 0), lambda numbers: len(set(numbers)))(night, hosts)


# The figures of each expression of each panel.
PANELS: dict[str, list[Expected]] = {
    "Visits": [of("verdicts", [], "visits", app=None)],
    "Claimed share of visits": [share("verdicts", "verdict", "claimed")],
    "Claimed visits from the same host": [share("referrals", "referral", "sameHost")],
    "Findings by severity": [of("findings", ["severity"], lambda _: 1)],
    "Age of the newest request": [lambda night, _: {labeled(): night.time - newest(night)}],
    "Age of the report": [lambda night, _: {labeled(): night.time - night.written}],
    "Visits by verdict": [of("verdicts", ["verdict"], "visits", app=None)],
    "Claimed share of visits by host": [share("verdicts", "verdict", "claimed", "host")],
    "Why claimed visits stayed on the web": [of("causes", ["cause"], "visits")],
    "Claimed visits from the same host, by host": [share("referrals", "referral", "sameHost", "host")],
    "Where claimed visits came from": [of("referrals", ["referral"], "visits")],
    "Visits by platform": [above_zero(of("platforms", ["platform"], "visits"))],
    "Claimed visits by app": [
        of("verdicts", ["app"], lambda row: row["visits"] if row["app"] else None, verdict="claimed")],
    "Findings": [of("findings", ("host", "code", "severity"), value)
                 for value in (lambda _: 1, "requests", "visits", "visitsToWin")],
    "Changes of findings": [changes],
    "Rules that decide most visits": [of("rules", RULE, "visits", max)],
    "Rules that others shadow": [above_zero(of("rules", RULE, "shadowed", max))],
    "Requests for the association file": [of("fetches", ["fetcher", "status"], "requests")],
    "Time from the last good fetch to the newest request": [since_good_fetch],
    "Longest time between good fetches": [of("fetchers", ("host", "fetcher"), lambda row: (
        None if row["greatestGap"] is None else row["greatestGap"] * DAY))],
    "Versions of the association file": [versions],
    # Of each server, the last answer.
    "Answers of servers": [of("servedFiles", ("host", "source"), value, lambda answers: answers[-1]) for value in (
        lambda row: row["status"] or 0, lambda row: 1 if row["identity"] else 0,
        lambda row: seconds(row["last"]) * 1000)],
    "Claimed by no rule": [of("unclaimedHeavy", ["host", "path"], "visits", max)],
    "Excluded": [of("excludedHeavy", ["host", "path"], "visits", max)],
    "Claimed, but the web has no page": [above_zero(of("claimedBroken", ["host", "path"], "attempts", max))],
    "Links on the same host": [of("sameHostReferrals", ["host", "from", "to"], "visits", max)],
    "Lines of logs": [of("report", [], "lines"), of("report", [], "requests")],
    "Rejected lines by reason": [above_zero(of("rejectedByReason", ["reason"], "lines"))],
    "Logs by status": [of("files", ["status"], lambda _: 1)],
}
