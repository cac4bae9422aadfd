"""Dashboards, alerts and named queries of Integrations, evaluated by Prometheus, node_exporter and Datasette.

Swift tests compare metrics with other formats; none evaluates an expression. A store of SampleLogs grows for some
nights, Prometheus gets the metrics of each night's report, and must say what the same report says in NDJSON.
'Scripts/setup.sh --dashboards' installs the programs.
"""
import shutil

from support.world import Skip

# Cases share one store and one server.
JOBS = 2

for program in ("prometheus", "promtool"):
    if not shutil.which(program):
        raise Skip("%s is missing; 'Scripts/setup.sh --dashboards' installs it" % program)
