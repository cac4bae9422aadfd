"""The dashboard for Grafana: its structure, and every expression of its panels."""
import itertools
import json
import re
from typing import Any

from dashboards.figures import PANELS
from dashboards.world import HOSTS, Figures, World
from support.cases import case
from support.inputs import ROOT

DASHBOARD = ROOT / "Integrations/grafana/linkaudit.json"
SOURCE = {"type": "prometheus", "uid": "${datasource}"}


def dashboard() -> dict[str, Any]:
    return json.loads(DASHBOARD.read_text(encoding="utf-8"))


def panels() -> list[dict[str, Any]]:
    """The panels that show figures, without the rows."""
    return [panel for panel in dashboard()["panels"] if panel["type"] != "row"]


@case
def dashboard_is_sound(world: World) -> None:
    document = dashboard()
    everything = document["panels"]
    ids = [panel["id"] for panel in everything]
    world.equal(len(set(ids)), len(ids), "distinct identifiers")
    titles = [panel["title"] for panel in panels()]
    world.equal(len(set(titles)), len(titles), "distinct titles")
    variables = {variable["name"]: variable for variable in document["templating"]["list"]}
    world.equal(variables["datasource"]["type"], "datasource", "type of the variable 'datasource'")
    world.equal(variables["host"]["datasource"], SOURCE, "data source of the variable 'host'")
    for panel in panels():
        title = panel["title"]
        world.equal(panel["datasource"], SOURCE, "data source of '%s'" % title)
        world.check(panel["description"].endswith("."), "'%s' has no description" % title)
        world.check(panel["fieldConfig"]["defaults"]["unit"] in ("short", "percentunit", "s"), "'%s' has no unit" % title)
        world.check(panel["targets"], "'%s' has no expression" % title)
        references = [target["refId"] for target in panel["targets"]]
        world.equal(len(set(references)), len(references), "distinct expressions of '%s'" % title)
        for target in panel["targets"]:
            world.equal(target["datasource"], SOURCE, "data source of an expression of '%s'" % title)
            used = set(re.findall(r"\$\{?(\w+)", target["expr"]))
            world.check(used <= set(variables), "'%s' has unknown variables: %s" % (title, used))
    for one, other in itertools.combinations(everything, 2):
        a, b = one["gridPos"], other["gridPos"]
        overlap = (a["x"] < b["x"] + b["w"] and b["x"] < a["x"] + a["w"]
                   and a["y"] < b["y"] + b["h"] and b["y"] < a["y"] + a["h"])
        world.check(not overlap, "'%s' and '%s' overlap" % (one["title"], other["title"]))
        world.check(a["x"] + a["w"] <= 24, "'%s' is wider than the page" % one["title"])


@case
def panels_show_the_figures_of_reports(world: World) -> None:
    """Every expression, on every night, for all hosts, for one, and for two that were chosen."""
    world.equal([panel["title"] for panel in panels()], list(PANELS), "panels with expected figures")
    choices = {".*": HOSTS, **{re.escape(host).replace("\\", "\\\\"): (host,) for host in HOSTS},
               "(%s)" % "|".join(HOSTS): HOSTS}
    for panel in panels():
        expected = PANELS[panel["title"]]
        world.equal(len(panel["targets"]), len(expected), "expressions of '%s'" % panel["title"])
        seen_any = False
        for night, (pattern, hosts) in itertools.product(world.nights, choices.items()):
            for target, figures in zip(panel["targets"], expected):
                expression = target["expr"].replace("$host", pattern)
                seen = world.server.figures(expression, night.time)
                seen_any = seen_any or bool(seen)
                wanted = figures(night, hosts)
                if expression.startswith("topk(10, "):
                    wanted = heaviest(seen, wanted)
                world.same(seen, wanted, "%s, %s, %s" % (panel["title"], night.time, hosts))
        # The nights ask no servers; an answer in their store would raise alerts.
        world.check(seen_any or panel["title"] == "Answers of servers", "'%s' never shows a figure" % panel["title"])


def heaviest(seen: Figures, figures: Figures) -> Figures:
    """The ten heaviest figures; of those that weigh the same, the ones that Prometheus chose."""
    order = sorted(figures, key=lambda labels: (-figures[labels], labels not in seen))
    return {labels: figures[labels] for labels in order[:10]}


@case
def hosts_can_be_chosen(world: World) -> None:
    """The variable 'host' lists the sites of the report."""
    query = next(
        variable["query"]["query"] for variable in dashboard()["templating"]["list"] if variable["name"] == "host")
    match = re.fullmatch(r"label_values\((\w+), (\w+)\)", query)
    assert match, query
    found = world.server.get(
        "/api/v1/series", **{"match[]": match[1], "start": world.nights[0].time, "end": world.nights[-1].time})
    world.equal({series[match[2]] for series in found}, set(HOSTS), "hosts")
