"""What engines say of URLs by compiled rules is what 'linkaudit match' says."""
from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sql import PYTHON
from sql.world import Batch, Judged, World
from support.cases import case
from support.inputs import AASA, HOST, ROOT

# Dialects without an engine here, and the engine that is nearest.
STANDS_IN = {"trino": "spark", "bigquery": "duckdb"}

TARGETS = ["/buy/1", "/buy/2?x=1", "/help/website/cookies", "/help/faq?articleNumber=1234", "/account/", "/news", "//buy//7",
           "/buy/%C3%A9", "/caf\u00e9", "http://www.example.com/buy/3", "/buy/4#top", "*"]
STATUSES = [200, 200, 404]


def agree(world: World, engine: str) -> None:
    """Compares verdicts and decisions for all URLs of all batches."""
    tasks, asked = [], []
    for batch in world.settings.shared:
        kept = [number for number, url in enumerate(batch.urls) if engine != "duckdb" or is_text(url)]
        wanted = [
            (file, kind, dialect) for number, file in enumerate(batch.files)
            for dialect in [engine, *(name for name, other in STANDS_IN.items() if other == engine)]
            for kind in ("verdict", "rule")
            # Some files show what the others would.
            if (kind, dialect) == ("verdict", engine) or not world.settings.quick or number % 8 == (dialect == engine)]
        with ThreadPoolExecutor(2) as pool:
            texts = pool.map(lambda one: world.compile(one[0], one[2], one[1]), wanted)
        expressions = [(*one, text) for one, text in zip(wanted, texts) if text]
        world.check(len(expressions) > 0.9 * len(wanted), "%s: too many files have no expression" % batch.name)
        tasks.append(([batch.urls[number] for number in kept], [(dialect, text) for _, _, dialect, text in expressions]))
        asked.append((batch, kept, expressions))
    compared = 0
    for (batch, kept, expressions), answers in zip(asked, world.evaluate(engine, tasks)["batches"]):
        for (file, kind, dialect, _), values in zip(expressions, answers):
            compared += compare(world, batch, kept, file, "%s of %s" % (kind, dialect), values)
    world.step("%s: %d verdicts and decisions compared" % (engine, compared))
    world.check(compared > 10_000, "only %d verdicts compared" % compared)


def compare(world: World, batch: Batch, kept: list[int], file: Judged, what: str, values: list[Any]) -> int:
    """Compares the values of one expression, and returns how many there are."""
    for number, value in zip(kept, values):
        answer = {name: file.answers[number][name] for name in ("apps", "verdict")}
        expected = answer if what.startswith("rule") else answer["verdict"]
        seen = json.loads(value) if what.startswith("rule") else value
        if seen != expected:
            world.check(False, "%s, %s, %s, %s, %s: %r: expected %s, saw %s" % (
                batch.name, what, file.path, file.rules.host, file.rules.system, batch.urls[number], expected, seen))
            break
    return len(values)


def is_text(url: bytes) -> bool:
    """Whether a URL is UTF-8, as all texts of an engine are."""
    try:
        url.decode()
    except UnicodeDecodeError:
        return False
    return True


@case
def clickhouse_agrees(world: World) -> None:
    agree(world, "clickhouse")


@case
def duckdb_agrees(world: World) -> None:
    agree(world, "duckdb")


@case
def spark_agrees(world: World) -> None:
    agree(world, "spark")


# MARK: - Statements


def section(name: str) -> str:
    """The query of an engine in the documentation."""
    page = (ROOT / "Documentation/Warehouses.md").read_text()
    return re.search(r"\n## %s\n.*?```sql\n(.*?)```" % name, page, re.DOTALL)[1]


def statements(world: World, dialect: str, kind: str) -> list[str]:
    text = world.run("compile", AASA, "--host", HOST, "--dialect", dialect, "--output", kind).text
    return [statement for statement in re.split(r";\s*\n\s*(?=CREATE|\Z)", text) if statement]


def check_statements(world: World, engine: str, name: str, table: str) -> None:
    """Creates functions, and the view over a table of requests, and runs the query of the documentation."""
    values = ", ".join(
        "('%s', '%s', %d, 'agent')" % (HOST + (":443" if number == 1 else ""), target, STATUSES[number % 3])
        for number, target in enumerate(TARGETS))
    create = [table, "INSERT INTO access_log VALUES " + values,
              *statements(world, engine, "function"), *statements(world, engine, "view")]
    seen, documented = world.evaluate(engine, statements=create, queries=[
        "SELECT target, verdict, decision FROM linkaudit_requests", section(name)])["queries"]
    world.check(len(documented) > 1, "the query of the documentation has no rows")
    # A fragment of a target counts nowhere, and a target can be a URL.
    urls = [(target if "://" in target else "https://%s%s" % (HOST, target) if target[0] == "/" else target).partition("#")[0]
            for target in TARGETS]
    lines = "".join(url + "\n" for url in urls).encode()
    done = world.run("match", "--aasa", AASA, "--host", HOST, "--format", "ndjson", "-", data=lines)
    expected = dict(zip(TARGETS, map(json.loads, done.stdout.splitlines())))
    world.equal({target for target, _, _ in seen}, set(TARGETS), "targets of the view")
    for target, verdict, decision in seen:
        answer = {key: expected[target][key] for key in ("apps", "verdict")}
        world.equal((verdict, json.loads(decision)), (answer["verdict"], answer), "answer for %s" % target)


@case
def clickhouse_runs_statements(world: World) -> None:
    check_statements(
        world, "clickhouse", "ClickHouse",
        "CREATE TABLE access_log (host String, target String, status UInt16, agent String) ENGINE = Memory")


@case
def duckdb_runs_statements(world: World) -> None:
    check_statements(
        world, "duckdb", "DuckDB",
        "CREATE TABLE access_log (host VARCHAR, target VARCHAR, status INTEGER, agent VARCHAR)")


@case
def spark_runs_statements(world: World) -> None:
    check_statements(
        world, "spark", "Spark SQL",
        "CREATE TABLE access_log (host STRING, target STRING, status INT, agent STRING) USING parquet")


@case
def other_dialects_parse(world: World) -> None:
    """A parser of SQL reads the statements and the documented queries of dialects without an engine."""
    script = "import json, sqlglot, sys\nfor name, text in json.load(sys.stdin): sqlglot.parse(text, read=name)"
    for dialect, name in [("trino", "Trino and Athena"), ("bigquery", "BigQuery")]:
        texts = [(dialect, text) for kind in ("function", "view") for text in statements(world, dialect, kind)]
        task = json.dumps([*texts, (dialect, section(name))])
        world.execute([str(PYTHON), "-c", script], data=task.encode())
