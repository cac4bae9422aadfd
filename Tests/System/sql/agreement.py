"""What engines say of URLs by compiled rules is what 'linkaudit match' says."""
from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from sql import PYTHON
from sql.world import Batch, Judged, World
from support.cases import case
from support.inputs import AASA, HOST, ROOT

# Dialects without an engine here, and the engine that is nearest.
STANDS_IN = {"trino": "spark", "bigquery": "duckdb"}

TARGETS = ["/buy/1", "/buy/2?x=1", "/help/website/cookies", "/help/faq?articleNumber=1234", "/account/", "/news", "//buy//7",
           "/buy/%C3%A9", "/caf\u00e9", "http://www.example.com/buy/3", "/buy/4#top", "*"]
STATUSES = [200, 200, 404]


class Asked(NamedTuple):
    """An expression for a file: `verdict` or `rule`, in a dialect."""

    file: Judged
    kind: str
    dialect: str
    text: str


def check(world: World, engine: str, name: str, table: str) -> None:
    """Compares verdicts and decisions for all URLs, and runs the statements and the query of the documentation.

    `name` is the heading of the documentation, `table` the statement that creates the table of requests.
    """
    batches: list[Batch] = world.settings.shared
    kept = [[number for number, url in enumerate(batch.urls) if engine != "duckdb" or is_text(url)] for batch in batches]
    asked = [expressions(world, engine, batch) for batch in batches]
    answer = world.evaluate(
        engine,
        [([batch.urls[number] for number in numbers], [(one.dialect, one.text) for one in found])
         for batch, numbers, found in zip(batches, kept, asked)],
        [table, insertion(), *statements(world, engine, "function"), *statements(world, engine, "view")],
        ["SELECT target, verdict, decision FROM linkaudit_requests", query(name)])
    compared = 0
    for batch, numbers, found, answers in zip(batches, kept, asked, answer["batches"]):
        for one, values in zip(found, answers):
            compared += compare(world, batch, numbers, one, values)
    world.step("%d verdicts and decisions compared" % compared)
    world.check(compared > 10_000, "only %d verdicts compared" % compared)
    rows, documented = answer["queries"]
    check_view(world, rows)
    world.check(len(documented) > 1, "the query of the documentation has no rows")


def expressions(world: World, engine: str, batch: Batch) -> list[Asked]:
    """Returns the expressions for the files of a batch in the dialects that an engine evaluates."""
    dialects = [engine, *(name for name, other in STANDS_IN.items() if other == engine)]
    wanted = [
        (file, kind, dialect) for number, file in enumerate(batch.files) for dialect in dialects
        for kind in ("verdict", "rule")
        # With '--quick', some files show what the others would.
        if (kind, dialect) == ("verdict", engine) or not world.settings.quick or number % 16 == 8 * (dialect == engine)]
    with ThreadPoolExecutor(2) as pool:
        texts = pool.map(lambda one: world.compile(*one), wanted)
    found = [Asked(*one, text) for one, text in zip(wanted, texts) if text]
    world.check(len(found) > 0.9 * len(wanted), "%s: too many files have no expression" % batch.name)
    return found


def compare(world: World, batch: Batch, numbers: list[int], asked: Asked, values: list[Any]) -> int:
    """Compares the values of one expression, and returns how many there are."""
    file = asked.file
    for number, value in zip(numbers, values):
        # Texts of Trino are UTF-8, which those of the engine in its place need not be.
        if asked.dialect in STANDS_IN and not is_text(batch.urls[number]):
            continue
        answer = {name: file.answers[number][name] for name in ("apps", "verdict")}
        seen, expected = (json.loads(value), answer) if asked.kind == "rule" else (value, answer["verdict"])
        if seen != expected:
            world.check(False, "%s, %s of %s, %s, %s, %s: %r: expected %s, saw %s" % (
                batch.name, asked.kind, asked.dialect, file.path, file.rules.host, file.rules.system, batch.urls[number],
                expected, seen))
            break
    return len(values)


def is_text(url: bytes) -> bool:
    """Whether a URL is UTF-8, as all texts of an engine are."""
    try:
        url.decode()
    except UnicodeDecodeError:
        return False
    return True


# MARK: - Statements


def query(name: str) -> str:
    """The query of an engine in the documentation."""
    page = (ROOT / "Documentation/Warehouses.md").read_text()
    return re.search(r"\n## %s\n.*?```sql\n(.*?)```" % name, page, re.DOTALL)[1]


def insertion() -> str:
    """A statement that adds requests to the table."""
    return "INSERT INTO access_log VALUES " + ", ".join(
        "('%s', '%s', %d, 'agent')" % (HOST + (":443" if number == 1 else ""), target, STATUSES[number % 3])
        for number, target in enumerate(TARGETS))


def statements(world: World, dialect: str, kind: str) -> list[str]:
    text = world.run("compile", AASA, "--host", HOST, "--dialect", dialect, "--output", kind).text
    return [statement for statement in re.split(r";\s*\n\s*(?=CREATE|\Z)", text) if statement]


def check_view(world: World, rows: list[Any]) -> None:
    """Compares the rows of the view with what 'linkaudit match' says of the requests."""
    # A fragment of a target counts nowhere, and a target can be a URL.
    urls = [("https://%s%s" % (HOST, target) if target[0] == "/" else target).partition("#")[0] for target in TARGETS]
    lines = "".join(url + "\n" for url in urls).encode()
    done = world.run("match", "--aasa", AASA, "--host", HOST, "--format", "ndjson", "-", data=lines)
    expected = dict(zip(TARGETS, map(json.loads, done.stdout.splitlines())))
    world.equal(sorted(target for target, _, _ in rows), sorted(TARGETS), "targets of the view")
    for target, verdict, decision in rows:
        answer = {key: expected[target][key] for key in ("apps", "verdict")}
        world.equal((verdict, json.loads(decision)), (answer["verdict"], answer), "answer for %s" % target)


@case
def clickhouse(world: World) -> None:
    check(world, "clickhouse", "ClickHouse",
          "CREATE TABLE access_log (host String, target String, status UInt16, agent String) ENGINE = Memory")


@case
def duckdb(world: World) -> None:
    check(world, "duckdb", "DuckDB",
          "CREATE TABLE access_log (host VARCHAR, target VARCHAR, status INTEGER, agent VARCHAR)")


@case
def spark(world: World) -> None:
    check(world, "spark", "Spark SQL",
          "CREATE TABLE access_log (host STRING, target STRING, status INT, agent STRING) USING parquet")


@case
def trino_and_bigquery(world: World) -> None:
    """A parser of SQL reads the statements and the documented queries of dialects without an engine."""
    script = "import json, sqlglot, sys\nfor name, text in json.load(sys.stdin): sqlglot.parse(text, read=name)"
    for dialect, name in [("trino", "Trino and Athena"), ("bigquery", "BigQuery")]:
        texts = [(dialect, text) for kind in ("function", "view") for text in statements(world, dialect, kind)]
        world.execute([str(PYTHON), "-c", script], data=json.dumps([*texts, (dialect, query(name))]).encode())
