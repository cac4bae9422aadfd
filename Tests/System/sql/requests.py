"""The view of 'compile --output view' has the figures of 'linkaudit report' over the same requests."""
from __future__ import annotations

import gzip
import json
import re
from typing import Any

from sql.world import World
from support.cases import case
from support.inputs import AASA, HOST, SAMPLES, line

LINE = re.compile(rb'(\S+) \S+ \S+ \S+ \[([^\]]+)\] "(\S+) (\S+) HTTP/[0-9.]+" (\d+) \S+ "([^"\\]*)" "([^"\\]*)"')
VIEW = "CREATE OR REPLACE VIEW linkaudit_requests AS"
SITE = "site = '%s'" % HOST

# Agents and referrers that are easily taken for others.
AGENTS = [
    b"-", b"Mozilla/5.0 (iPhone; CPU iPhone OS 12_1_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    b"Version/12.0 Mobile/15E148 Safari/604.1",
    b"Mozilla/5.0 (iPhone; U; CPU like Mac OS X; en) AppleWebKit/420+ (KHTML, like Gecko) Version/3.0 Mobile/1A543a "
    b"Safari/419.3",
    b"Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 "
    b"Mobile/15E148 Safari/604.1  ",
    b"Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0 "
    b"Mobile/15E148 Safari/604.1",
    b"Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 300",
    b"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_14_6) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1 Safari/605.1.15",
    b"Mozilla/5.0 (iPhone; CPU iPhone OS 13_3_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 "
    b"Mobile/15E148 Safari/604.1",
    b"Mozilla/5.0 (iPhone; CPU iPhone OS 13_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1 "
    b"Mobile/15E148 Safari/604.1",
    b"Mozilla/5.0 (iPad; CPU OS 8_4 like Mac OS X) AppleWebKit/600.1.4 (KHTML, like Gecko) Version/8.0 Mobile/12H143 Safari/600.1.4",
    b"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15",
    b"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0 Safari/537.36",
    b"Mozilla/5.0 (Linux; Android 9; CUBOT NOVA) AppleWebKit/537.36 Chrome/125.0 Mobile Safari/537.36",
    b"Mozilla/5.0 (compatible; gOOGLEbOT/2.1)", b"WhatsApp/2.23.20.0", b"swcd (unknown version) CFNetwork/978 Darwin/18",
    b"AASA-Bot/1.0.0", b"MyApp/1 CFNetwork/1490 Darwin/23.0.0", b"Mozilla/5.0 (Windows Phone 10.0; Android 6.0; iPhone)",
]
REFERRERS = [
    b"-", b"https://www.example.com/a", b"HTTPS://WWW.example.com:8443/a?b", b"https://user@www.example.com", b"android-app://x",
    b"https://www.google.co.uk/", b"https://mail.google.com/a", b"https://t.co/x", b"https://l.facebook.com./",
    b"https://a.list-manage.com/", b"https://example.com/", b"https://example.co.uk",
    b"https://www.example.com.evil.example/", b"https://m.example.com/", b"www.example.com", b"http://www.example.com?q",
]
TARGETS = [
    b"/", b"/buy/1", b"/buy/1?ref=mail", b"/a.CSS", b"/a.css?x", b"/x.json/", b"/buy/a.jpg/2", b"*", b"//buy//1", b"/help/website/9",
    b"http://www.example.com/buy/2", b"http://www.example.com?buy", b"http://other.example/buy/3", b"/buy/%E8%8C%B6",
    b"/buy/1?code=1&state=2", b"/buy/1?utm_medium=EMail", b"/buy/1?a&gclid=1", b"/buy/1?utm_source=email&fbclid",
]


def requests(world: World, count: int) -> list[tuple[bytes, ...]]:
    """Lines of the samples and so many random ones: host, target, status, agent, method, referrer."""
    rows = []
    for path in sorted((SAMPLES / "logs").glob("all-hosts*")):
        for text in gzip.decompress(path.read_bytes()).splitlines():
            if found := LINE.fullmatch(text):
                host, _, method, target, status, referrer, agent = found.groups()
                rows.append((host, target, status, agent, method, referrer))
    world.check(len(rows) > 200, "%d lines of the samples" % len(rows))
    choose = world.random.choice
    rows += [(choose([HOST.encode(), HOST.encode(), b"m.example.com", HOST.upper().encode(), b"www.example.com:8080"]), choose(TARGETS),
              choose([b"200", b"200", b"302", b"404", b"100"]), choose(AGENTS), choose([b"GET", b"GET", b"GET", b"HEAD", b"POST"]),
              choose(REFERRERS)) for _ in range(count)]
    return rows


def reported(world: World, rows: list[tuple[bytes, ...]]) -> dict[str, Any]:
    """The figures of the report, as the queries have them."""
    world.write("access.log", b"".join(
        line(number % 3_600, host=host, target=target, status=status, agent=agent, method=method, referrer=referrer)
        for number, (host, target, status, agent, method, referrer) in enumerate(rows)))
    report = world.run(
        "report", "access.log", "--aasa", AASA, "--host", HOST, "--format", "json", "--group", "exact", "--top", "100000").report()
    site = report["sites"][0]

    def figures(rows: dict[str, Any]) -> dict[str, tuple[int, int]]:
        return {name: (row["requests"], row["visits"]) for name, row in rows.items() if row["requests"]}

    # The report has what old systems alone don't claim in a table of its own.
    paths: dict[str, tuple[int, int]] = {}
    for row in site["coverage"]["unclaimedHeavy"] + site["coverage"]["olderSystems"]:
        asked, visits = paths.get(row["path"], (0, 0))
        paths[row["path"]] = (asked + row["requests"], visits + row["visits"])
    return {
        "verdict": figures(site["verdicts"]), "platform": figures(site["platforms"]),
        "referral": figures(site["referrals"]), "cause": figures({row["cause"]: row for row in site["causes"]}),
        "rule": figures({"%s %s" % (row["detail"], row["rule"]): row for row in site["rules"]}), "path": paths}


def queried(world: World, engine: str, rows: list[tuple[bytes, ...]]) -> dict[str, Any]:
    """The figures of the view."""
    view = world.run(
        "compile", AASA, "--dialect", engine, "--host", HOST, "--output", "view", "--table", "access_log",
        "--columns", "host,target,status,agent,method,referrer").text.strip()
    world.check(view.startswith(VIEW) and view.endswith(";"), "statement %r" % view[:80])
    names = ["host", "target", "status", "agent", "method", "referrer"]
    text = {"clickhouse": "String", "duckdb": "VARCHAR", "spark": "STRING"}[engine]
    number = "INT" if engine != "clickhouse" else "Int32"
    columns = ", ".join("%s %s" % (name, number if name == "status" else text) for name in names)
    kind = {"clickhouse": " ENGINE = Memory", "duckdb": "", "spark": " USING parquet"}[engine]

    def literal(name: str, value: bytes) -> str:
        return value.decode() if name == "status" else "'%s'" % value.decode().replace("'", "''")

    values = ", ".join("(%s)" % ", ".join(map(literal, names, row)) for row in rows)
    statements = ["CREATE TABLE access_log (%s)%s" % (columns, kind), "INSERT INTO access_log VALUES " + values, view.rstrip(";")]
    queries = [
        "SELECT verdict, count(*), sum(visits) FROM linkaudit_requests WHERE %s GROUP BY verdict" % SITE,
        "SELECT platform, count(*), sum(visits) FROM linkaudit_requests WHERE %s GROUP BY platform" % SITE,
        "SELECT referral, count(*), sum(visits) FROM linkaudit_requests WHERE %s AND verdict = 'claimed' "
        "GROUP BY referral" % SITE,
        "SELECT cause, count(*), sum(visits) FROM linkaudit_requests WHERE %s AND verdict = 'claimed' GROUP BY cause" % SITE,
        "SELECT decision, count(*), sum(visits) FROM linkaudit_requests WHERE %s GROUP BY decision" % SITE,
        "SELECT path, count(*), sum(visits) FROM linkaudit_requests WHERE %s AND verdict = 'unclaimed' GROUP BY path" % SITE,
    ]
    answers = world.evaluate(engine, statements=statements, queries=queries)["queries"]
    figures: dict[str, Any] = {
        name: {row[0]: (int(row[1]), int(row[2])) for row in found}
        for name, found in zip(["verdict", "platform", "referral", "cause", "decision", "path"], answers)}
    rules: dict[str, tuple[int, int]] = {}
    for decision, (asked, visits) in figures.pop("decision").items():
        # Apps of an entry share its rules.
        for name in {"%s %s" % (app["detail"], app["rule"]) for app in json.loads(decision)["apps"]}:
            one = rules.get(name, (0, 0))
            rules[name] = (one[0] + asked, one[1] + visits)
    figures["rule"] = rules
    return figures


def agree(world: World, engine: str, count: int = 5_000) -> None:
    rows = requests(world, count)
    expected, seen = reported(world, rows), queried(world, engine, rows)
    for name, figures in expected.items():
        world.equal({**seen[name]}, figures, "%s: figures by %s" % (engine, name))


@case
def clickhouse_counts_as_reports(world: World) -> None:
    agree(world, "clickhouse")


@case
def duckdb_counts_as_reports(world: World) -> None:
    agree(world, "duckdb")


@case
def spark_counts_as_reports(world: World) -> None:
    # It takes long to read the rows.
    agree(world, "spark", 700)
