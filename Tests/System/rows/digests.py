"""Rows that a warehouse has grouped and counted give the digest of the log."""
from rows.world import FIELDS, WAREHOUSES, World, statement
from support.cases import case
from support.inputs import AASA, HOST

LINES = 20_000

DUCKDB = r"""
import duckdb, sys
log, fields, rows, kind = sys.argv[1:]
names = ["time", "method", "target", "status", "size", "referrer", "agent"]
duckdb.execute("create table lines as select column0 as line from read_csv(?, header = false, quote = '', escape = '',"
               " delim = '\x01', columns = {'column0': 'VARCHAR'})", [log])
duckdb.execute("create table logs as select strptime(f.time, '%d/%b/%Y:%H:%M:%S %z')::timestamp as time, 'HOST' as host,"
               " f.method, f.target, f.status::int as status, f.referrer, f.agent"
               " from (select regexp_extract(line, ?, ?) as f from lines)".replace("HOST", "www.example.com"),
               [fields, names])
if kind == "parquet":
    duckdb.execute("copy (%s) to 'rows.parquet'" % rows)
    rows = "from 'rows.parquet'"
form = "format json" if kind == "json" else "format csv, header"
duckdb.execute("copy (%s) to '/dev/stdout' (%s)" % (rows, form))
"""

CLICKHOUSE = r"""
import chdb, sys
log, fields, rows = sys.argv[1:]
quoted = fields.replace("\\", "\\\\").replace("'", "\\'")
table = ("(select parseDateTime(f[1], '%%d/%%b/%%Y:%%H:%%i:%%s +0000', 'UTC') as time, 'www.example.com' as host,"
         " f[2] as method, f[3] as target, toInt32(f[4]) as status, f[6] as referrer, f[7] as agent"
         " from (select extractGroups(line, '%s') as f from file('%s', LineAsString, 'line String')))" % (quoted, log))
sys.stdout.buffer.write(chdb.query(rows.replace("from logs", "from " + table), "JSONEachRow").bytes())
"""


def compare(world: World, log: str, rows: dict[str, list[bytes]]) -> None:
    expected = world.digest("log.digest", log, "--counts-only")
    for name, files in rows.items():
        paths = [world.write("%s-%d.rows" % (name, number), data) for number, data in enumerate(files)]
        seen = world.digest("%s.digest" % name, "--from-rows", *paths, "--counts-only", "--memory", "8M")
        world.check(seen == expected, "the digest of %s differs from that of the log" % name)
        world.digest("%s-named.digest" % name, "--from-rows", *paths)
        reports = [figures(world, digest) for digest in ("log.digest", "%s-named.digest" % name)]
        world.equal(reports[1], reports[0], "figures of a report on rows of " + name)


def figures(world: World, digest: str) -> object:
    """Returns what a report says of a digest, without the names of logs."""
    report = world.run("report", digest, "--aasa", AASA, "--host", HOST, "--format", "json").report()
    kept = {key: value for key, value in report["input"].items() if key in ("requests", "from", "to")}
    return [kept, *(report[key] for key in ("sites", "otherHosts"))]


def halves(data: bytes, *, heading: bool) -> list[bytes]:
    """Cuts rows into two files in another order, each with the names of its columns."""
    first, *lines = data.splitlines(keepends=True)
    lines, head = (lines, first) if heading else ([first, *lines], b"")
    middle = len(lines) // 3
    return [head + b"".join(lines[middle:]), head + b"".join(reversed(lines[:middle]))]


@case
def rows_of_duckdb(world: World) -> None:
    python = world.python(WAREHOUSES, "DuckDB")
    log = world.random_log("access.log", LINES)
    rows = {
        kind: world.execute([python, "-c", DUCKDB, log, FIELDS, statement(), kind]).stdout
        for kind in ("csv", "json", "parquet")}
    world.check(len(rows["csv"].splitlines()) < LINES * 3 / 4, "the rows are not grouped")
    compare(world, str(log), {
        "csv": [rows["csv"]], "json": [rows["json"]], "parquet": [rows["parquet"]],
        "csv-halves": halves(rows["csv"], heading=True), "json-halves": halves(rows["json"], heading=False)})
    # As in the pipe of the page.
    piped = world.digest("piped.digest", "--from-rows", "-", "--counts-only", data=rows["csv"])
    world.check(piped == (world.folder / "log.digest").read_bytes(), "the digest of a pipe differs")


@case
def rows_of_clickhouse(world: World) -> None:
    python = world.python(WAREHOUSES, "chdb")
    log = world.random_log("access.log", LINES)
    rows = world.execute([python, "-c", CLICKHOUSE, log, FIELDS, statement()]).stdout
    compare(world, str(log), {"clickhouse": [rows]})


@case
def more_requests_than_a_digest_holds(world: World) -> None:
    world.write("most.rows", b'{"target":"/","status":200,"count":17592186044416}\n' * 3)
    outcome = world.run("digest", "--from-rows", "most.rows", "-o", "most.digest", statuses=(2,))
    world.check_says(outcome, "4,398,046,511,104", "'count'")
    world.check(not (world.folder / "most.digest").exists(), "a digest was written")
