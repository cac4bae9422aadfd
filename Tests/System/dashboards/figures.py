"""The figures of a report in JSON that panels and alerts show."""
import datetime
import itertools
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from dashboards.world import DAY, Figures, Night, labeled

Row = dict[str, Any]
# The figures of a night's report for some hosts; those about the input don't depend on them.
Expected = Callable[[Night, Collection[str]], Figures]

VERDICT = ("verdict",)
RULE = ("host", "version", "detail", "list", "rule", "pattern", "excludes")


def seconds(time: str) -> float:
    """Converts a time of a report to seconds since the Unix epoch."""
    return datetime.datetime.fromisoformat(time).timestamp()


def share(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


def chosen(night: Night, hosts: Collection[str]) -> list[Row]:
    return [site for site in night.report["sites"] if site["host"] in hosts]


def text(value: object) -> object:
    """Writes a value as a label has it."""
    return str(value).lower() if isinstance(value, bool) else value


def visits(site: Row, verdict: str | None = None) -> float:
    return sum(row["visits"] for name, row in site["verdicts"].items() if verdict in (None, name))


def claimed_from(site: Row, referral: str | None = None) -> float:
    return sum(row["visits"] for name, row in site["referrals"].items() if referral in (None, name))


def joined(rows: Iterable[Row], labels: Collection[str], figure: str, join: Callable[..., float] = sum) -> Figures:
    """Joins the figures of rows that have the same labels."""
    values: dict[Any, list[float]] = {}
    for row in rows:
        values.setdefault(labeled(**{label: text(row.get(label)) for label in labels}), []).append(row[figure])
    return {key: join(each) for key, each in values.items()}


def positive(figures: Figures) -> Figures:
    return {labels: value for labels, value in figures.items() if value > 0}


def named(table: Mapping[str, Row], label: str) -> list[Row]:
    """Returns the rows of a table whose rows have names, with the name as a column."""
    return [{label: name, **row} for name, row in table.items()]


def of_sites(rows: Callable[[Row], Iterable[Row]], labels: Collection[str], figure: str,
             join: Callable[..., float] = sum) -> Expected:
    """The joined figures of rows of all sites, which get the site's host as a column."""
    return lambda night, hosts: joined(
        ({"host": site["host"], **row} for site in chosen(night, hosts) for row in rows(site)), labels, figure, join)


def above_zero(expected: Expected) -> Expected:
    return lambda night, hosts: positive(expected(night, hosts))


def of_findings(figure: str) -> Expected:
    """Figures of findings; those about the input belong to every host."""
    def figures(night: Night, hosts: Collection[str]) -> Figures:
        rows = [{"findings": 1, **finding} for finding in night.report["findings"]]
        return joined(
            (row for row in rows if (row.get("host") or "") in ("", *hosts) and row.get(figure) is not None),
            ("host", "code", "severity"), figure)
    return figures


def severities(night: Night, hosts: Collection[str]) -> Figures:
    totals: Figures = {}
    for labels, value in of_findings("findings")(night, hosts).items():
        key = labeled(severity=dict(labels)["severity"])
        totals[key] = totals.get(key, 0) + value
    return totals


def changes(night: Night, _: Collection[str]) -> Figures:
    comparison = night.report.get("comparison")
    if not comparison:
        return {}
    counts = {**{change: comparison[change] for change in ("new", "worse", "better", "same")},
              "gone": len(comparison["gone"])}
    return {labeled(change=change): count for change, count in counts.items()}


def total(value: Callable[[Night], float]) -> Expected:
    return lambda night, _: {labeled(): value(night)}


def shares(part: Callable[[Row], float], whole: Callable[[Row], float], by_host: bool) -> Expected:
    """The share of each host, or that of all together."""
    def figures(night: Night, hosts: Collection[str]) -> Figures:
        sites = chosen(night, hosts)
        if by_host:
            return {labeled(host=site["host"]): share(part(site), whole(site)) for site in sites}
        return {labeled(): share(sum(map(part, sites)), sum(map(whole, sites)))}
    return figures


def newest(night: Night) -> float:
    return seconds(night.report["input"]["to"])


def since_good_fetch(night: Night, hosts: Collection[str]) -> Figures:
    return {
        labeled(host=site["host"], fetcher=row["fetcher"]): newest(night) - seconds(row["lastGood"])
        for site in chosen(night, hosts) for row in site["delivery"]["fetchers"] if row["lastGood"]}


def longest_gaps(night: Night, hosts: Collection[str]) -> Figures:
    return {
        labeled(host=site["host"], fetcher=row["fetcher"]): row["greatestGap"] * DAY
        for site in chosen(night, hosts) for row in site["delivery"]["fetchers"] if row["greatestGap"] is not None}


def versions(night: Night, hosts: Collection[str]) -> Figures:
    """Sites without rules have no version."""
    return {
        labeled(host=site["host"]): len({row.get("version") for row in site["rules"]})
        for site in chosen(night, hosts) if site["rules"]}


def answers(figure: Callable[[Row], float]) -> Expected:
    """A figure of the last answer of each server of each site."""
    def figures(night: Night, hosts: Collection[str]) -> Figures:
        last = {(site["host"], row["from"]): row
                for site in chosen(night, hosts) for row in site["delivery"].get("servedFiles", [])}
        return {labeled(host=host, source=source): figure(row) for (host, source), row in last.items()}
    return figures


def rejected(night: Night, _: Collection[str]) -> Figures:
    return positive({
        labeled(reason=reason): count for reason, count in night.report["input"]["rejectedByReason"].items()})


def statuses(night: Night, _: Collection[str]) -> Figures:
    files = sorted(file["status"] for file in night.report["input"]["files"])
    return {labeled(status=status): len(list(group)) for status, group in itertools.groupby(files)}


def coverage(table: str) -> Callable[[Row], Iterable[Row]]:
    return lambda site: site["coverage"][table]


claimed_share = (lambda site: visits(site, "claimed"), visits)
same_host_share = (lambda site: claimed_from(site, "sameHost"), claimed_from)

# The figures of each expression of each panel.
PANELS: dict[str, list[Expected]] = {
    "Visits": [lambda night, hosts: {labeled(): sum(map(visits, chosen(night, hosts)))}],
    "Claimed share of visits": [shares(*claimed_share, by_host=False)],
    "Claimed visits from the same host": [shares(*same_host_share, by_host=False)],
    "Findings by severity": [severities],
    "Age of the newest request": [total(lambda night: night.time - newest(night))],
    "Age of the report": [total(lambda night: night.time - night.written)],
    "Visits by verdict": [of_sites(lambda site: named(site["verdicts"], "verdict"), VERDICT, "visits")],
    "Claimed share of visits by host": [shares(*claimed_share, by_host=True)],
    "Why claimed visits stayed on the web": [of_sites(lambda site: site["causes"], ["cause"], "visits")],
    "Claimed visits from the same host, by host": [shares(*same_host_share, by_host=True)],
    "Where claimed visits came from": [
        of_sites(lambda site: named(site["referrals"], "referral"), ["referral"], "visits")],
    "Visits by platform": [
        above_zero(of_sites(lambda site: named(site["platforms"], "platform"), ["platform"], "visits"))],
    "Claimed visits by app": [of_sites(
        lambda site: ({"app": app["app"], **app["verdicts"]["claimed"]} for app in site["apps"]), ["app"], "visits")],
    "Findings": [of_findings(figure) for figure in ("findings", "requests", "visits", "visitsToWin")],
    "Changes of findings": [changes],
    "Rules that decide most visits": [of_sites(lambda site: site["rules"], RULE, "visits", max)],
    "Rules that others shadow": [above_zero(of_sites(lambda site: site["rules"], RULE, "shadowed", max))],
    "Requests for the association file": [
        of_sites(lambda site: site["delivery"]["fetches"], ["fetcher", "status"], "requests")],
    "Time from the last good fetch to the newest request": [since_good_fetch],
    "Longest time between good fetches": [longest_gaps],
    "Versions of the association file": [versions],
    "Answers of servers": [
        answers(lambda row: row["status"] or 0), answers(lambda row: 1 if row["identity"] else 0),
        answers(lambda row: seconds(row["last"]) * 1000)],
    "Claimed by no rule": [of_sites(coverage("unclaimedHeavy"), ["host", "path"], "visits", max)],
    "Excluded": [of_sites(coverage("excludedHeavy"), ["host", "path"], "visits", max)],
    "Claimed, but the web has no page": [
        above_zero(of_sites(coverage("claimedBroken"), ["host", "path"], "attempts", max))],
    "Links on the same host": [
        of_sites(lambda site: site["sameHostReferrals"], ["host", "from", "to"], "visits", max)],
    "Lines of logs": [
        total(lambda night: night.report["input"]["lines"]), total(lambda night: night.report["input"]["requests"])],
    "Rejected lines by reason": [rejected],
    "Logs by status": [statuses],
}
