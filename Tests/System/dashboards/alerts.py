"""The alerts for Prometheus: their syntax, when they fire, and that they point to documentation that is there."""
import json
import re
from typing import NamedTuple

from dashboards.world import RULES, World, anchors
from support.cases import case
from support.inputs import ROOT

WWW = '{host="www.example.com"}'


class Scenario(NamedTuple):
    """Series in promtool's notation of values, and the labels with which an alert fires at a time, if it does."""

    alert: str
    interval: str
    series: dict[str, str]
    time: str
    fires: dict[str, str] | None = None


def finding(code: str, severity: str) -> dict[str, str]:
    return {'linkaudit_findings{host="www.example.com", code="%s", severity="%s"}' % (code, severity): "1"}


def of_code(code: str, **labels: str) -> dict[str, str]:
    return {"host": "www.example.com", "code": code, **labels}


def rejected(broken: int) -> dict[str, str]:
    return {'linkaudit_input_rejected_lines{reason="noFields"}': str(broken),
            'linkaudit_input_rejected_lines{reason="heading"}': "900", "linkaudit_input_lines": "1000"}


def unit(failed: int) -> dict[str, str]:
    return {'node_systemd_unit_state{name="linkaudit.service", state="failed"}': str(failed),
            'node_systemd_unit_state{name="nginx.service", state="failed"}': "1"}


def claimed(part: str, rest: str) -> dict[str, str]:
    """Visits on two days that are a week apart."""
    return {'linkaudit_visits{host="www.example.com", verdict="claimed"}': part,
            'linkaudit_visits{host="www.example.com", verdict="unclaimed"}': rest}


def same_host(part: str, rest: str) -> dict[str, str]:
    return {'linkaudit_referral_visits{host="www.example.com", referral="sameHost"}': part,
            'linkaudit_referral_visits{host="www.example.com", referral="none"}': rest}


HOST = {"host": "www.example.com"}
FILE = "/srv/metrics/linkaudit.prom"
# Of the other exporters' files, nothing is said.
AGES = {'node_textfile_mtime_seconds{file="%s"}' % FILE: "0x40",
        'node_textfile_mtime_seconds{file="/srv/metrics/apt.prom"}': "0x40"}
FETCHES = {'linkaudit_association_file_last_good_fetch_timestamp_seconds{host="www.example.com", fetcher="AASA-Bot"}':
           "0x3", "linkaudit_last_request_timestamp_seconds": "0 86400 172800 259200"}
CHECKS = {'linkaudit_served_file_last_check_timestamp_seconds{host="www.example.com", source="%s"}' % source: "0x3"
          for source in ("origin", "cdn")}


def certificate(source: str, days: int) -> dict[str, str]:
    name = 'linkaudit_certificate_expiry_timestamp_seconds{host="www.example.com", source="%s"}'
    return {name % source: str(days * 86_400)}


VERSIONS = {'linkaudit_rule_requests{host="www.example.com", version="%d", rule="%d"}' % pair: "5"
            for pair in [(0, 0), (0, 1), (1, 0)]}

SCENARIOS = [
    Scenario("LinkauditMetricsMissing", "1h", {}, "30m"),
    Scenario("LinkauditMetricsMissing", "1h", {}, "2h", {}),
    Scenario("LinkauditMetricsMissing", "1h", {"linkaudit_input_requests": "0x3"}, "2h"),
    Scenario("LinkauditReportLate", "1h", AGES, "26h"),
    Scenario("LinkauditReportLate", "1h", AGES, "27h", {"file": FILE}),
    Scenario("LinkauditRunFailed", "1h", unit(0), "0h"),
    Scenario("LinkauditRunFailed", "1h", unit(1), "0h", {"name": "linkaudit.service"}),
    Scenario("LinkauditNoNewRequests", "1h", {"linkaudit_last_request_timestamp_seconds": "0x40"}, "36h"),
    Scenario("LinkauditNoNewRequests", "1h", {"linkaudit_last_request_timestamp_seconds": "0x40"}, "37h", {}),
    Scenario("LinkauditLogDamaged", "1h", {'linkaudit_input_files{status="complete"}': "3",
                                           'linkaudit_input_files{status="corrupt"}': "0"}, "0h"),
    Scenario("LinkauditLogDamaged", "1h", {'linkaudit_input_files{status="corrupt"}': "2"}, "0h",
             {"status": "corrupt"}),
    Scenario("LinkauditLinesRejected", "1h", rejected(50), "0h"),
    Scenario("LinkauditLinesRejected", "1h", rejected(51), "0h", {}),
    Scenario("LinkauditInputDoubtful", "1h", finding("lines-rejected", "warning"), "0h"),
    *(Scenario("LinkauditInputDoubtful", "1h", finding(code, severity), "0h", of_code(code))
      for code, severity in [
          ("host-doubtful", "warning"), ("format-doubtful", "error"), ("no-user-agents", "warning"),
          ("no-referrers", "warning")]),
    Scenario("LinkauditAssociationFileInvalid", "1h", finding("no-usable-rules", "note"), "0h"),
    Scenario("LinkauditAssociationFileInvalid", "1h", finding("no-usable-rules", "error"), "0h",
             of_code("no-usable-rules", severity="critical")),
    Scenario("LinkauditAssociationFileNotServed", "1h", finding("file-not-served", "warning"), "0h"),
    Scenario("LinkauditAssociationFileNotServed", "1h", finding("file-not-served", "error"), "0h",
             of_code("file-not-served", severity="critical")),
    Scenario("LinkauditAssociationFileNotFetched", "1d", FETCHES, "2d"),
    Scenario("LinkauditAssociationFileNotFetched", "1d", FETCHES, "3d", HOST),
    Scenario("LinkauditAssociationFileNotServed", "1h", finding("cdn-behind", "error"), "0h",
             of_code("cdn-behind", severity="critical")),
    Scenario("LinkauditFetchLate", "1d", CHECKS, "2d"),
    Scenario("LinkauditFetchLate", "1d", CHECKS, "3d", HOST),
    Scenario("LinkauditCertificateExpires", "1h", certificate("origin", 14), "0h"),
    Scenario("LinkauditCertificateExpires", "1h", certificate("origin", 13), "0h", {**HOST, "severity": "critical"}),
    Scenario("LinkauditCertificateExpires", "1h", certificate("cdn", 1), "0h"),
    Scenario("LinkauditAssociationFileChanged", "1h", {"linkaudit_rule_requests" + WWW: "5"}, "0h"),
    Scenario("LinkauditAssociationFileChanged", "1h", VERSIONS, "0h", {**HOST, "severity": "info"}),
    Scenario("LinkauditErrorFinding", "1h", finding("claimed-broken", "warning"), "0h"),
    # Another alert fires.
    Scenario("LinkauditErrorFinding", "1h", finding("file-not-served", "error"), "0h"),
    Scenario("LinkauditErrorFinding", "1h", finding("claimed-broken", "error"), "0h", of_code("claimed-broken")),
    Scenario("LinkauditFindingsWorse", "1h", {'linkaudit_finding_changes{change="better"}': "3",
                                              'linkaudit_finding_changes{change="new"}': "0"}, "0h"),
    Scenario("LinkauditFindingsWorse", "1h", {'linkaudit_finding_changes{change="worse"}': "3"}, "0h",
             {"severity": "info"}),
    # From 50 % to 41 %, to 39 %, and that of too few visits.
    Scenario("LinkauditClaimedShareFell", "7d", claimed("50 41", "50 59"), "7d"),
    Scenario("LinkauditClaimedShareFell", "7d", claimed("50 39", "50 61"), "7d", HOST),
    Scenario("LinkauditClaimedShareFell", "7d", claimed("50 10", "50 61"), "7d"),
    Scenario("LinkauditClaimedShareFell", "7d", claimed("50 39", "50 61"), "0d"),
    Scenario("LinkauditSameHostShareRose", "7d", same_host("40 50", "60 50"), "7d"),
    Scenario("LinkauditSameHostShareRose", "7d", same_host("40 51", "60 49"), "7d", HOST),
    Scenario("LinkauditSameHostShareRose", "7d", same_host("40 51", "60 9"), "7d"),
]


@case
def alerts_are_accepted(world: World) -> None:
    world.execute(["promtool", "check", "rules", "--lint=all", "--lint-fatal", RULES])


@case
def alerts_fire_and_are_silent(world: World) -> None:
    """Plays the scenarios with 'promtool test rules'."""
    # Annotations are tested where they are shown; here, each scenario would have to repeat them.
    rules = re.sub(r"(?m)^        annotations:\n(?:          .*\n)+", "", RULES.read_text(encoding="utf-8"))
    world.write("alerts.yml", rules.encode())
    tests = [{
        "interval": each.interval,
        "input_series": [{"series": series, "values": values} for series, values in each.series.items()],
        "alert_rule_test": [{
            "eval_time": each.time, "alertname": each.alert,
            "exp_alerts": [] if each.fires is None else [{"exp_labels": {"severity": "warning", **each.fires}}]}],
    } for each in SCENARIOS]
    # YAML contains JSON.
    path = world.write("scenarios.yml", json.dumps(
        {"rule_files": ["alerts.yml"], "evaluation_interval": "30m", "tests": tests}, indent=1).encode())
    outcome = world.execute(["promtool", "test", "rules", path])
    world.check("SUCCESS" in outcome.text, outcome.text)
    for name in world.rules():
        world.equal({each.fires is not None for each in SCENARIOS if each.alert == name}, {True, False},
                    "outcomes that are tested of " + name)


# The nights on which alerts fire; of the others, there are only scenarios.
NIGHTS = {
    "LinkauditAssociationFileChanged": [3, 4], "LinkauditAssociationFileInvalid": [5], "LinkauditClaimedShareFell": [5],
    "LinkauditErrorFinding": [3, 4], "LinkauditFindingsWorse": [1, 2, 3, 4, 5], "LinkauditLogDamaged": [4, 5],
    "LinkauditNoNewRequests": [1, 2, 3, 4, 5], "LinkauditReportLate": [5],
}


@case
def alerts_fire_on_reports(world: World) -> None:
    """Alerts read what reports write: they fire on the nights whose report has their problem."""
    for name, rule in world.rules().items():
        world.check(rule["health"] in ("ok", "unknown"), "%s: %s" % (name, rule.get("lastError")))
        nights = [number for number, night in enumerate(world.nights) if world.server.figures(rule["query"], night.time)]
        world.equal(nights, NIGHTS.get(name, []), "nights on which %s fires" % name)


@case
def alerts_name_their_remedy(world: World) -> None:
    guide = (ROOT / "Documentation/Dashboards.md").read_text(encoding="utf-8")
    for name, rule in world.rules().items():
        texts = rule["annotations"]
        world.check("`%s`" % name in guide, "Documentation/Dashboards.md doesn't list " + name)
        world.equal(set(texts), {"summary", "description", "runbook"}, "annotations of " + name)
        world.check(rule["labels"]["severity"] in ("info", "warning", "critical"), "severity of " + name)
        # Prometheus puts nothing in the place of a label that isn't there.
        used = set(re.findall(r"\$labels\.(\w+)", " ".join(texts.values())))
        kept = set(re.split(r"[ ,]+", (re.search(r"by \(([^)]*)\)", rule["query"]) or ("", ""))[1]))
        world.check(used <= kept, "%s names labels that it doesn't have: %s" % (name, used - kept))
        page, _, anchor = texts["runbook"].partition("#")
        wanted = {anchor}
        if "{{" in anchor:
            # Each code of a finding has a heading.
            codes = re.search(r'code=~"([^"]+)"', rule["query"])
            wanted = set(codes[1].split("|")) if codes else set()
        missing = wanted - anchors(ROOT / page)
        world.check(not missing, "%s: %s has no %s" % (name, page, missing))
