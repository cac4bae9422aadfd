"""A report's file of metrics on its way through node_exporter to a server that scrapes it."""
from dashboards.world import RULES, World, answers, labeled, serving
from support.cases import case
from support.command import until
from support.server import listening


@case
def metrics_come_through_node_exporter(world: World) -> None:
    """All series come, and alerts are raised with texts that have all their values."""
    exporter = world.need("prometheus-node-exporter")
    # This night has a damaged log.
    night = world.nights[4]
    folder = world.folder / "metrics"
    file = world.write("metrics/linkaudit.prom", night.metrics.encode())

    def command(address: str) -> list[object]:
        return [exporter, "--collector.disable-defaults", "--collector.textfile",
                "--collector.textfile.directory", folder, "--web.listen-address", address]

    with listening(command, lambda address: answers("http://%s/metrics" % address), world.folder / "log") as address:
        configuration = (
            "global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [%s]\n"
            "scrape_configs: [{job_name: node, static_configs: [{targets: ['%s']}]}]\n" % (RULES, address))
        with serving(world.folder / "server", world.folder / "data", configuration) as server:

            def firing() -> set[str]:
                alerts = server.get("/api/v1/alerts")["alerts"]
                return {alert["labels"]["alertname"] for alert in alerts if alert["state"] == "firing"}

            raised = {"LinkauditNoNewRequests", "LinkauditLogDamaged", "LinkauditErrorFinding",
                      "LinkauditAssociationFileChanged", "LinkauditFindingsWorse"}
            world.check(until(lambda: firing() == raised, seconds=60, pause=0.2),
                        "alerts: expected %s, saw %s" % (sorted(raised), sorted(firing())))
            for alert in server.get("/api/v1/alerts")["alerts"]:
                for text in alert["annotations"].values():
                    world.check(not any(sign in text for sign in ("{{", "<error", "<no value>")),
                                "%s says: %s" % (alert["labels"]["alertname"], text))
            now = float(server.get("/api/v1/query", query="time()")["result"][1])
            lines = [line for line in night.metrics.splitlines() if not line.startswith("#")]
            world.same(server.figures('count({__name__=~"linkaudit_.*"})', now), {labeled(): len(lines)}, "series")
            world.same(server.figures('max by (file) (node_textfile_mtime_seconds{file=~".*linkaudit.*"})', now),
                       {labeled(file=file): file.stat().st_mtime}, "time of the file")
