"""What engines say of URLs by compiled rules is what 'linkaudit match' says, and their rows are the digest of the log."""
import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from sql import PYTHON
from sql.world import Batch, Judged, World
from support.cases import case
from support.inputs import AASA, AGENT, HOST, ROOT, line

# Dialects without an engine here, and the engine that is nearest.
STANDS_IN = {"trino": "spark", "bigquery": "duckdb"}

TARGETS = ["/buy/1", "/buy/2?x=1", "/help/website/cookies", "/help/faq?articleNumber=1234", "/account/", "/news", "//buy//7",
           "/buy/%C3%A9", "/caf\u00e9", "http://www.example.com/buy/3", "/buy/4#top", "*"]
STATUSES = [200, 200, 404]
REFERRERS = ["-", "https://www.example.com/buy/1", "https://www.google.com/"]


class Asked(NamedTuple):
    """An expression for a file: `verdict` or `rule`, in a dialect."""

    file: Judged
    kind: str
    dialect: str
    text: str


def check(world: World, engine: str, name: str, table: str) -> None:
    """Compares verdicts and decisions for all URLs, and runs the statements and the query of the documentation.

    `name` is the heading of the documentation, `table` the statement that creates the table of parsed lines.
    """
    batches: list[Batch] = world.settings.shared
    kept = [[number for number, url in enumerate(batch.urls) if engine != "duckdb" or is_text(url)] for batch in batches]
    asked = [expressions(world, engine, batch) for batch in batches]
    answer = world.evaluate(
        engine,
        [([batch.urls[number] for number in numbers], [(one.dialect, one.text) for one in found])
         for batch, numbers, found in zip(batches, kept, asked)],
        [table, insertion(), *functions(world, engine)], [queries(name)[0], rows_query(name)])
    compared = 0
    for batch, numbers, found, answers in zip(batches, kept, asked, answer["batches"]):
        for one, values in zip(found, answers):
            compared += compare(world, batch, numbers, one, values)
    world.step("%d verdicts and decisions compared" % compared)
    world.check(compared > 10_000, "only %d verdicts compared" % compared)
    documented, rows = answer["queries"]
    world.check(len(documented) > 1, "the query of the documentation has no rows")
    check_rows(world, rows)


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


def queries(name: str) -> list[str]:
    """The queries of an engine in the documentation: one with verdicts, and one that makes rows."""
    page = (ROOT / "Documentation/Warehouses.md").read_text()
    section = re.search(r"\n## %s\n(.*?)\n## " % name, page, re.DOTALL)[1]
    found = re.findall(r"```sql\n(.*?)```", section, re.DOTALL)
    assert len(found) == 2, name
    return found


def rows_query(name: str) -> str:
    """The query that makes rows, without the statement that writes them."""
    return re.search(r"SELECT .*?GROUP BY [^\n]*", queries(name)[1], re.DOTALL)[0]


def requests() -> list[dict[str, Any]]:
    return [
        {"day": "2026-06-%02d" % (10 + number % 2), "host": HOST, "method": "POST" if number % 7 == 0 else "GET",
         "target": TARGETS[number % 5 if number > 40 else number % len(TARGETS)], "status": STATUSES[number % 3],
         "referrer": REFERRERS[number % 3], "agent": AGENT if number % 4 else "curl/8"} for number in range(120)]


def insertion() -> str:
    return "INSERT INTO access_log VALUES " + ", ".join(
        "('%(day)s 10:00:00', '%(host)s', '%(method)s', '%(target)s', %(status)d, '%(referrer)s', '%(agent)s')" % request
        for request in requests())


def functions(world: World, dialect: str) -> list[str]:
    """The statements that create functions."""
    text = world.run("compile", AASA, "--host", HOST, "--dialect", dialect, "--output", "function").text
    return [statement for statement in re.split(r";\s*\n\s*(?=CREATE|\Z)", text) if statement]


def check_rows(world: World, rows: list[Any]) -> None:
    """Compares the digest of the rows with that of the log."""
    names = ["day", "host", "method", "target", "status", "referrer", "agent", "count"]
    world.check(10 < len(rows) < len(requests()), "%d rows" % len(rows))
    world.write("rows.jsonl", b"".join(json.dumps(dict(zip(names, row))).encode() + b"\n" for row in rows))
    world.write("access.log", b"".join(
        line(day="%s/Jun/2026" % request["day"][-2:], **{key: request[key] for key in request if key != "day"})
        for request in requests()))
    digests = []
    for name, source in [("rows", ["--from-rows", "rows.jsonl"]), ("log", ["access.log"])]:
        world.run("digest", *source, "--counts-only", "--quiet", "-o", name + ".digest")
        digests.append((world.folder / (name + ".digest")).read_bytes())
    world.check(digests[0] == digests[1], "the digest of the rows differs from that of the log")


@case
def clickhouse(world: World) -> None:
    check(world, "clickhouse", "ClickHouse",
          "CREATE TABLE access_log (time DateTime, host String, method String, target String, status UInt16, referrer String, "
          "agent String) ENGINE = Memory")


@case
def duckdb(world: World) -> None:
    check(world, "duckdb", "DuckDB",
          "CREATE TABLE access_log (time TIMESTAMP, host VARCHAR, method VARCHAR, target VARCHAR, status INTEGER, "
          "referrer VARCHAR, agent VARCHAR)")


@case
def spark(world: World) -> None:
    check(world, "spark", "Spark SQL",
          "CREATE TABLE access_log (time STRING, host STRING, method STRING, target STRING, status INT, referrer STRING, "
          "agent STRING) USING parquet")


@case
def trino_and_bigquery(world: World) -> None:
    """A parser of SQL reads the statements and the documented queries of dialects without an engine."""
    script = "import json, sqlglot, sys\nfor name, text in json.load(sys.stdin): sqlglot.parse(text, read=name)"
    for dialect, name in [("trino", "Trino and Athena"), ("bigquery", "BigQuery")]:
        texts = [(dialect, text) for text in [*functions(world, dialect), *queries(name)]]
        world.execute([str(PYTHON), "-c", script], data=json.dumps(texts).encode())
