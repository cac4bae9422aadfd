"""Reports over a store besides one over everything."""
import json
import pathlib
import shutil

from store import oracle
from store.world import World
from support.cases import case
from support.inputs import AASA, CANDIDATE, HOST, ROUTES, SITE


def nights(world: World) -> None:
    """A store with some days."""
    first = world.traffic.clock.date()
    world.days(5, 90)
    # In force from the first day on, whenever it was first seen.
    world.ingest("--deployed", first)


@case
def candidate_over_store(world: World) -> None:
    """A comparison over the store says what one over the logs says."""
    nights(world)
    documents = [
        world.run("diff", AASA, CANDIDATE, *source, "--host", HOST, "--format", "json", statuses=(0, 2)).report()
        for source in (["--store", world.store], [world.server.masters, "--quiet"])]
    for document in documents:
        # The names of logs differ, and nothing else.
        del document["traffic"]["input"]["files"]
    world.check_same(oracle.differences(documents[1], documents[0]), "diff")


@case
def two_sites(world: World) -> None:
    """Two hosts with a file each, in logs whose folders say which is which."""
    for name in ["www.example.com", "m.example.com"]:
        log = world.server.open(name + "/access.log")
        world.server.write(log, 150)
        shutil.copytree(log.path.parent, world.server.masters / name)
        log.master.unlink()
    sites = ["--site", "www.example.com=" + AASA, "--site", "m.example.com=" + CANDIDATE]
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
    app = json.loads(pathlib.Path(AASA).read_text())["applinks"]["details"][0]["appIDs"][0]
    options = ["--app", app, "--routes", "%s=%s" % (HOST, ROUTES[1])]
    world.write("sites.yml", b"sites: [{hosts: %s, aasa: %s, routes: %s, apps: %s}]\n" % tuple(
        map(str.encode, (HOST, AASA, ROUTES[1], app))))

    def seen(*words: object) -> dict[str, object]:
        document = world.run("report", *words, "--format", "json", statuses=(0, 2)).report()
        codes = [finding["code"] for finding in document["findings"] if "route" in finding["code"]]
        world.equal(len(document["sites"]), 1, "sites")
        return {**{name: document["sites"][0][name] for name in oracle.SITE_FIGURES}, "findings": codes}

    over_logs = seen(world.server.masters, *SITE, *options, "--quiet")
    for asked in (["--no-config", *options], ["--config", "sites.yml"]):
        actual = seen("--store", world.store, *asked)
        world.check_same(oracle.differences(over_logs, actual), "report with %s" % asked[0])
    outcome = world.run("report", "--store", world.store, "--no-config", "--app", "X.none", statuses=(2,))
    world.equal(outcome.message, "linkaudit: no association file names the app 'X.none'; they name "
                "A1B2C3D4E5.com.example.tea, A1B2C3D4E5.com.example.tea.beta", "an unknown app")
    world.run("report", "--store", world.store, "--no-config", "--routes", "-", statuses=(0, 2),
              data=pathlib.Path(ROUTES[1]).read_bytes())
