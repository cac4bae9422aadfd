"""The fixture of the dashboard cases: nights of a store, and a Prometheus server with the metrics of all of them."""
import contextlib
import dataclasses
import json
import math
import pathlib
import re
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from support import inputs, world
from support.command import PATIENCE, Failure
from support.inputs import ROOT
from support.server import listening
from support.world import Settings

HOSTS = ("www.example.com", "m.example.com")
RULES = ROOT / "Integrations/prometheus/alerts.yml"
# A file of node_exporter that holds the metrics of a report.
METRICS_FILE = "/var/lib/prometheus/node-exporter/linkaudit.prom"
DAY = 86400
# 2026-06-02, 5:00 UTC.
FIRST_NIGHT = 1780376400

# A figure's labels, without empty ones, and its value.
Labels = frozenset[tuple[str, str]]
Figures = dict[Labels, float]
Row = dict[str, Any]


def labeled(**labels: object) -> Labels:
    """Returns the labels of a figure; Prometheus has no empty ones."""
    return frozenset((name.rstrip("_"), str(value)) for name, value in labels.items() if value not in ("", None))


@dataclasses.dataclass(frozen=True)
class Night:
    """A report: the store as it was, when Prometheus got the metrics, the rows of its tables, and the metrics."""

    store: pathlib.Path
    time: int
    # When the file of metrics was written.
    written: int
    rows: list[Row]
    metrics: str


class Prometheus:
    def __init__(self, url: str) -> None:
        self.url = url

    def get(self, path: str, **parameters: object) -> Any:
        data = urllib.parse.urlencode(parameters).encode() if parameters else None
        try:
            with urllib.request.urlopen(self.url + path, data, timeout=PATIENCE) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            raise Failure("%s %s: %s" % (path, parameters, error.read().decode())) from None

    def figures(self, expression: str, time: float) -> Figures:
        data = self.get("/api/v1/query", query=expression, time=time)
        assert data["resultType"] == "vector", data
        return {
            labeled(**{name: value for name, value in each["metric"].items() if name != "__name__"}):
            float(each["value"][1]) for each in data["result"]}


@contextlib.contextmanager
def prepared(settings: Settings, folder: pathlib.Path) -> Iterator[tuple[list[Night], Prometheus]]:
    nights = list(played(settings.binary, folder))
    data = folder / "prometheus"
    (folder / "backfill.txt").write_text("".join(samples(nights)) + "# EOF\n")
    subprocess.run(
        ["promtool", "tsdb", "create-blocks-from", "openmetrics", folder / "backfill.txt", data], check=True,
        stdout=subprocess.DEVNULL)
    with serving(folder / "server", data, "rule_files: [%s]\n" % RULES) as server:
        yield nights, server


def played(binary: pathlib.Path, folder: pathlib.Path) -> Iterator[Night]:
    """Ingests SampleLogs into a store on several nights, a week apart, with a report after each."""
    store = folder / "store"
    logs = folder / "logs"
    logs.mkdir()
    empty = folder / "empty.json"
    empty.write_text('{"applinks": {"details": []}}\n')
    samples = inputs.SAMPLES / "logs"
    # The new logs of a night, and the files that were deployed on some days.
    steps: list[tuple[Iterable[pathlib.Path], dict[str, object]]] = [
        ([samples / "www.access.log-20260602.gz"], {"2026-06-01": inputs.AASA}),
        ([samples / "www.access.log-20260603.gz"], {}),
        ([samples / "www.access.log"], {}),
        (samples.glob("*.access.log.gz"), {"2026-06-03": inputs.CANDIDATE}),
        ([inputs.SAMPLES / "damaged/truncated.access.log.gz"], {}),
        # A file without rules, as after a mistake in a deployment.
        ([], {"2026-06-01": empty, "2026-06-03": empty}),
    ]

    def run(*words: object) -> bytes:
        return subprocess.run(
            [binary, *map(str, words)], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout

    for number, (new, deployed) in enumerate(steps):
        for log in new:
            shutil.copy(log, logs)
        for day, file in deployed.items():
            run("ingest", "--store", store, "--deployed", day, "--site", "%s=%s" % (HOSTS[0], file),
                "--site", "%s=%s" % (HOSTS[1], inputs.SAMPLES / "aasa-ios12.json"))
        subprocess.run(
            [binary, "ingest", logs, "--host", HOSTS[0], "--store", store], stdout=subprocess.DEVNULL,
            # A damaged log ends with status 2.
            stderr=subprocess.DEVNULL, check=False)
        routes = "%s=%s" % (HOSTS[0], inputs.SAMPLES / "routes.txt")
        report = ["report", "--store", store, "--top", 10, "--routes", routes]
        time = FIRST_NIGHT + number * 7 * DAY
        # The last report is late.
        age = (30 if number == len(steps) - 1 else 1) * 3600
        yield Night(
            shutil.copytree(store, folder / ("store-%d" % number)), time, time - age,
            [json.loads(line) for line in run(*report, "--format", "ndjson").splitlines()],
            run(*report, "--format", "openmetrics").decode())


def samples(nights: Iterable[Night]) -> Iterator[str]:
    """The metrics of all nights with their times, and those of node_exporter."""
    for night in nights:
        for line in night.metrics.splitlines():
            if not line.startswith("#"):
                yield "%s %d\n" % (line, night.time)
        yield 'node_textfile_mtime_seconds{file="%s"} %d %d\n' % (METRICS_FILE, night.written, night.time)


@contextlib.contextmanager
def serving(folder: pathlib.Path, data: pathlib.Path, configuration: str) -> Iterator[Prometheus]:
    folder.mkdir()
    (folder / "prometheus.yml").write_text(configuration)

    def command(address: str) -> list[object]:
        # The samples are older than what is kept by default.
        return ["prometheus", "--config.file", folder / "prometheus.yml", "--storage.tsdb.path", data,
                "--storage.tsdb.retention.time", "100y", "--web.listen-address", address, "--log.level", "warn"]

    with listening(command, lambda address: answers("http://%s/-/ready" % address), folder / "log") as address:
        yield Prometheus("http://" + address)


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except OSError:
        return False


class World(world.World):
    @property
    def nights(self) -> list[Night]:
        return self.settings.shared[0]

    @property
    def server(self) -> Prometheus:
        return self.settings.shared[1]

    def rules(self) -> dict[str, Any]:
        """The rules that the server has, by the names of their alerts."""
        groups = self.server.get("/api/v1/rules")["groups"]
        return {rule["name"]: rule for group in groups for rule in group["rules"]}

    def same(self, seen: Mapping[Labels, float], expected: Mapping[Labels, float], name: str) -> None:
        """Checks that figures are equal; shares may differ by what rounding makes of them."""
        shown = [
            "%s: expected %s, saw %s" % (dict(labels), expected.get(labels), seen.get(labels))
            for labels in sorted({*seen, *expected}, key=sorted)
            if not close(seen.get(labels), expected.get(labels))]
        self.check(not shown, "%s: %s" % (name, "; ".join(shown[:5])))


def close(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-9) or math.isnan(one) and math.isnan(other)


def anchors(page: pathlib.Path) -> set[str]:
    """The headings of a page, as links name them."""
    headings = re.findall(r"(?m)^#+ (.*)$", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-") for heading in headings}
