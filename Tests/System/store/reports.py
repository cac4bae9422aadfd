"""Reports over a store besides one over everything."""
import json
import shutil

from store import oracle
from store.world import World
from support.cases import case
from support.inputs import HOST, ROOT, SITE

CANDIDATE = ROOT / "SampleLogs/aasa-candidate.json"


def nights(world: World) -> None:
    """A store with some days."""
    first = world.traffic.clock.date()
    world.days(5, 90)
    # In force from the first day on, whenever it was first seen.
    world.ingest("--deployed", first)


def site(document: dict[str, object]) -> dict[str, object]:
    """The figures of the only site of a report."""
    sites = document["sites"]
    assert isinstance(sites, list) and len(sites) == 1
    return {name: sites[0][name] for name in oracle.SITE_FIGURES}


@case
def candidate_over_store(world: World) -> None:
    """A comparison over the store says what one over the logs says."""
    nights(world)
    documents = []
    for source in [["--store", str(world.store)], [str(world.server.masters), "--quiet"]]:
        outcome = world.run(
                "diff", ROOT / "SampleLogs/aasa.json", CANDIDATE, *source, "--host", HOST, "--format", "json", statuses=(0, 2))
        document = json.loads(outcome.stdout)
        # The names of logs differ, and nothing else.
        del document["traffic"]["input"]["files"]
        documents.append(document)
    world.check_same(oracle.differences(documents[1], documents[0]), "diff")


@case
def two_sites(world: World) -> None:
    """Two hosts with a file each, in logs whose folders say which is which."""
    for name in ["www.example.com", "m.example.com"]:
        log = world.server.open(name + "/access.log")
        world.server.write(log, 150)
        shutil.copytree(log.path.parent, world.server.masters / name)
        log.master.unlink()
    sites = ["--site", "www.example.com=%s" % (ROOT / "SampleLogs/aasa.json"),
             "--site", "m.example.com=%s" % CANDIDATE]
    hosts = ["--host-from-path", "{host}/access.log"]
    for _ in range(2):
        world.run("ingest", world.logs, *hosts, *sites, "--store", world.store)
    world.check_store()
    reports = [
        world.read(world.run("report", *source, *sites, "--format", "json", statuses=(0, 2)))
        for source in [[str(world.server.masters), "--quiet", *hosts], ["--store", str(world.store)]]]
    world.check_same(oracle.differences(reports[0], reports[1]), "report of two sites")


@case
def configured_sites_over_store(world: World) -> None:
    """Routes and apps that a configuration, or options, give to the sites of a store count as they
    do over logs, though the store has the association files."""
    nights(world)
    app = next(iter(json.loads((ROOT / "SampleLogs/aasa.json").read_text())["applinks"]["details"]))["appIDs"][0]
    routes = ROOT / "SampleLogs/routes.txt"
    options = ["--app", app, "--routes", "%s=%s" % (HOST, routes)]
    over_logs = json.loads(world.run(
            "report", world.server.masters, *SITE, *options, "--format", "json", "--quiet", statuses=(0, 2)).stdout)
    text = "sites:\n  - hosts: %s\n    aasa: %s\n    routes: %s\n    apps: %s\n" % (
        HOST, ROOT / "SampleLogs/aasa.json", routes, app)
    configuration = world.folder / "sites.yml"
    configuration.write_text(text)
    for asked in [["--no-config", *options], ["--config", configuration]]:
        outcome = world.run("report", "--store", world.store, *asked, "--format", "json", statuses=(0, 2))
        actual = json.loads(outcome.stdout)
        world.check_same(oracle.differences(site(over_logs), site(actual)), "report with %s" % asked[0])
        codes = [finding["code"] for finding in actual["findings"] if "route" in finding["code"]]
        expected = [finding["code"] for finding in over_logs["findings"] if "route" in finding["code"]]
        world.check(codes == expected, "findings about routes differ: %s, %s" % (codes, expected))
    outcome = world.run("report", "--store", world.store, "--no-config", "--app", "X.none", statuses=(2,))
    world.check("don't name" in outcome.message or "names the app" in outcome.message, "an unknown app isn't told: " + outcome.message)
    world.run("report", "--store", world.store, "--no-config", "--routes", "-", statuses=(0, 2), data=routes.read_bytes())
