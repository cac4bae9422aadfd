"""The named queries for Datasette, on the store's database."""
import json
import urllib.parse
from collections.abc import Iterable

from dashboards.world import HOSTS, Row, World
from support.cases import case
from support.inputs import ROOT
from support.world import Skip

METADATA = ROOT / "Integrations/datasette/metadata.json"
# 'Scripts/setup.sh --dashboards' installs it here.
DATASETTE = ROOT / ".build/dashboards/bin/datasette"
# The night with a damaged log; the store has four days then.
NIGHT = 4


def asked(world: World, query: str, **parameters: str) -> list[Row]:
    path = "/store/%s.json?%s" % (query, urllib.parse.urlencode({"_shape": "array", **parameters}))
    database = world.nights[NIGHT].store / "store.sqlite"
    return json.loads(world.execute([DATASETTE, database, "--metadata", METADATA, "--get", path]).stdout)


def report(world: World, *span: str) -> Row:
    return world.run("report", "--store", world.nights[NIGHT].store, *span, "--format", "json").report()


def percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None


def ordered(rows: Iterable[Row]) -> list[str]:
    """Rows that can be compared whatever their order is."""
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


@case
def queries_agree_with_reports(world: World) -> None:
    if not DATASETTE.exists():
        raise Skip("Datasette is missing; 'Scripts/setup.sh --dashboards' installs it")
    queries = json.loads(METADATA.read_text())["databases"]["store"]["queries"]
    world.equal(set(queries), {"days", "verdicts", "platforms", "findings", "nights"}, "queries")
    check = world.run("store", "check", "--store", world.nights[NIGHT].store)

    for host, since in [("", ""), (HOSTS[0], "2026-06-03")]:
        chosen = {"host": host, "since": since}
        sites = [site for site in report(world, *(["--since", since] if since else []))["sites"]
                 if site["host"] in (host or HOSTS)]
        world.equal(asked(world, "days", **chosen), sorted(
            (day_row(site["host"], day) for site in sites for day in site["days"]),
            key=lambda row: (row["day"], row["host"])), "days")
        world.equal(ordered(asked(world, "verdicts", **chosen)), ordered(
            {"host": site["host"], "verdict": verdict, **traffic}
            for site in sites for verdict, traffic in site["verdicts"].items() if traffic["requests"]), "verdicts")
        world.equal(ordered(asked(world, "platforms", **chosen)), ordered(
            {"host": site["host"], "kind": kind, "name": name, **traffic}
            for site in sites for kind, table in [("platform", "platforms"), ("referrer", "referrals")]
            for name, traffic in site[table].items() if traffic["requests"]), "platforms")

    for day in ("2026-06-02", "2026-06-04"):
        expected = report(world, "--since", day, "--until", day)["findings"]
        # Without a day, the newest one.
        seen = asked(world, "findings", day="" if day == "2026-06-04" else day)
        columns = ("host", "severity", "code", "message", "visits", "requests")
        # Findings about damage are those of the ledger.
        world.equal(
            ordered({column: row[column] for column in columns} for row in seen),
            ordered({column: finding.get(column) or "" if column == "host" else finding[column] for column in columns}
                    for finding in expected if finding["code"] != "input-incomplete"), "findings of " + day)
        world.equal({row["day"] for row in seen}, {day}, "days of the findings")

    nights = asked(world, "nights")
    whole = report(world)["input"]
    for column, total in [("logs", len(whole["files"])), ("lines", whole["lines"]), ("requests", whole["requests"])]:
        world.equal(sum(row[column] for row in nights), total, column + " of all nights")
    # Datasette has changed nothing.
    world.equal(world.run("store", "check", "--store", world.nights[NIGHT].store).stdout, check.stdout, "store check")


def day_row(host: str, day: Row) -> Row:
    """A row of the query 'days', from the figures of a day in a report."""
    visits = {verdict: traffic["visits"] for verdict, traffic in day["verdicts"].items()}
    total, same = sum(visits.values()), day["sameHost"]["visits"]
    return {
        "day": day["day"], "host": host, "visits": total, "claimed": visits["claimed"], "excluded": visits["excluded"],
        "unclaimed": visits["unclaimed"], "same_host_visits": same,
        "claimed_percent": percent(visits["claimed"], total),
        "same_host_percent": percent(same, visits["claimed"])}
