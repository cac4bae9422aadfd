"""Rows that are answered at once: a caller that waits for its chunk, and ClickHouse's functions."""
import json
import re
import subprocess

from rows.world import WAREHOUSES, World
from support.cases import case
from support.command import limited
from support.inputs import AASA, HOST, ROOT

FUNCTIONS = ROOT / "Integrations/clickhouse/linkaudit_function.xml"
STREAM = ("match", "--no-config", "--aasa", AASA, "--host", HOST, "--stream")


def urls(world: World, count: int) -> list[str]:
    """Returns URLs of all verdicts, with all that rows have to escape."""
    paths = ["/buy/%d", "/help/website/%d", "/help/%d?articleNumber=1234", "/news/%d", "/a\\b%d", "/caf\u00e9/%d", "/%%C3%%A9"]
    hosts = ["https://%s" % HOST, "http://WWW.EXAMPLE.COM:80", "https://other.example", "ftp://%s" % HOST, ""]
    chosen = []
    for _ in range(count):
        path = world.random.choice(paths)
        path = path % world.random.randrange(9_000) if "%d" in path else path.replace("%%", "%")
        chosen.append(world.random.choice(hosts) + path + world.random.choice(("", "", "?q=a\tb", "#x", "\n")))
    return chosen


def as_tsv(url: str) -> bytes:
    return url.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").encode()


def as_json(url: str) -> bytes:
    return json.dumps({"id": [1, {"url": "no"}], "url": url}).encode()


def expected(world: World, asked: list[str]) -> list[dict[str, object]]:
    """Returns what `match` says of each URL, in the columns of a stream."""
    answers = []
    lines = "".join(url.replace("\n", "%0A") + "\n" for url in asked).encode()
    for text in world.run(
            "match", "--no-config", "--aasa", AASA, "--host", HOST, "--format", "ndjson", "-", data=lines
    ).text.splitlines():
        row = json.loads(text)
        deciding = next((app for app in row["apps"] if app["verdict"] == row["verdict"]), {})
        answers.append({"verdict": row["verdict"], **{name: deciding.get(name) for name in ("app", "detail", "rule")}})
    return answers


def values(answer: dict[str, object]) -> bytes:
    return "\t".join("\\N" if value is None else str(value) for value in answer.values()).encode()


@case
def chunks_are_answered_at_once(world: World) -> None:
    """Rows come in chunks of any size, cut anywhere; each complete row is answered before the next comes."""
    asked = urls(world, 3_000)
    answers = expected(world, asked)
    for form, encode, wanted in (("tsv", as_tsv, [values(answer) for answer in answers]), ("jsonl", as_json, answers)):
        for jobs in (1, 3):
            process = world.start(*STREAM, form, "--jobs", jobs, stdin=subprocess.PIPE)
            rows = [encode(url) + b"\n" for url in asked]
            seen: list[bytes] = []

            def send(data: bytes, count: int) -> None:
                """Sends rows, and waits for their answers, but not for the end of the output."""
                process.stdin.write(data)
                process.stdin.flush()
                seen.extend(process.stdout.readline()[:-1] for _ in range(count))

            with limited(process):
                while len(seen) < len(rows):
                    place = len(seen)
                    count = min(world.random.choice((1, 1, 2, 40, 500)), len(rows) - place)
                    # The beginning of the next row comes with this chunk, and its rest later.
                    *chunk, last = [*rows[place:place + count], b"".join(rows[place + count:place + count + 1])]
                    send(b"".join(chunk) + last[:9], count)
                    send(last[9:], 1 if last else 0)
            found = seen if form == "tsv" else [json.loads(line)["result"] for line in seen]
            world.check(found == wanted, "%s: other answers" % form)
            process.stdin.close()
            process.stdin = None
            outcome = world.end(process)
            world.equal((outcome.status, outcome.stdout, outcome.message), (0, b"", ""), "the end of %s" % form)


@case
def rows_that_cannot_be_read_are_answered(world: World) -> None:
    rows = [b"{}", b'{"url":"https://www.example.com/buy/1","x":' + b"[" * 70_000 + b"]" * 70_000 + b"}",
            b'{"url":"https://www.example.com/buy/' + b"1" * (1 << 21) + b'"}', b'{"url":"https://www.example.com/\xff"}']
    outcome = world.run(*STREAM, "jsonl", "--columns", "verdict", data=b"\n".join(rows))
    seen = [json.loads(line)["result"] for line in outcome.stdout.splitlines()]
    world.equal(seen, ["ineligible", "claimed", "ineligible", "unclaimed"], "verdicts")
    world.check_says(outcome, "'ineligible'", "rows are invalid")
    long = b"https://www.example.com/buy/" + b"1" * (3 << 20)
    outcome = world.run(*STREAM, "tsv", "--columns", "rule,verdict", "--append", data=b"/buy/1\tid\r\n" + long + b"\n\n\\N\tx")
    world.equal(outcome.stdout.splitlines()[1:], [b"\\N\tineligible", b"\t\\N\tineligible", b"\\N\tx\t\\N\tineligible"], "answers")
    world.check(re.fullmatch(rb"/buy/1\tid\t\d+\tclaimed", outcome.stdout.splitlines()[0]), "the row is not repeated")
    # Nobody reads any more: the end, and no error.
    process = world.start(*STREAM, "tsv", stdin=subprocess.PIPE)
    assert process.stdin and process.stdout
    process.stdout.close()
    try:
        for _ in range(100):
            process.stdin.write(b"/buy/1\n" * 10_000)
        process.stdin.close()
    except BrokenPipeError:
        pass
    world.equal((process.wait(), process.stderr.read()), (0, b""), "a closed pipe")


CLICKHOUSE = r"""
import sys
from chdb.session import Session
folder, functions = sys.argv[1:]
session = Session("%s/database?user_scripts_path=%s&user_defined_executable_functions_config=%s" % (folder, folder, functions))
rows = "file('%s/urls.json', JSONEachRow, 'n Int32, url String')" % folder
for query in ("select n, linkVerdict(url) as verdict from %s order by n" % rows,
              "select n, linkRule(url) as answer from %s order by n" % rows,
              "select linkVerdict(url) as verdict, count() as rows from (select url from %s array join range(200) as copy) group by 1" % rows):
    sys.stdout.buffer.write(session.query(query, "JSONEachRow").bytes())
"""


@case
def functions_of_clickhouse(world: World) -> None:
    """The file of Integrations, with the command and the association file of the test."""
    python = world.python(WAREHOUSES, "chdb")
    asked = urls(world, 1_000)
    answers = expected(world, asked)
    text = FUNCTIONS.read_text()
    world.check(text.count("<command>linkaudit ") == 2 and text.count("/etc/linkaudit/aasa.json") == 2, "other commands")
    text = text.replace("<command>linkaudit ", "<command>%s " % world.settings.binary)
    functions = world.write("linkaudit_function.xml", text.replace("/etc/linkaudit/aasa.json", AASA).encode())
    world.write("urls.json", "".join(json.dumps({"n": n, "url": url}) + "\n" for n, url in enumerate(asked)).encode())
    rows = [json.loads(line) for line in world.execute(
        [python, "-c", CLICKHOUSE, world.folder, functions]).text.splitlines()]
    verdicts, rules, counts = rows[:len(asked)], rows[len(asked):2 * len(asked)], rows[2 * len(asked):]
    world.equal([row["verdict"] for row in verdicts], [answer["verdict"] for answer in answers], "verdicts")
    world.equal([row["answer"] for row in rules],
                [{**answer, "detail": None if answer["detail"] is None else str(answer["detail"])} for answer in answers],
                "rules")
    world.equal({row["verdict"]: int(row["rows"]) for row in counts},
                {name: 200 * sum(answer["verdict"] == name for answer in answers)
                 for name in {str(answer["verdict"]) for answer in answers}}, "counts of 200,000 rows")
