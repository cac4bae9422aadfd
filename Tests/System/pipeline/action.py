"""Pull requests: what the action says of them, and whether it fails."""
import json
import re

from pipeline.world import AASA, HOST, World, serving_files
from support.cases import case
from support.inputs import ROOT

SAMPLES = ROOT / "SampleLogs"


def rules(*components: dict[str, object]) -> bytes:
    """Returns an association file with some rules, one a line."""
    lines = ",\n".join("      " + json.dumps(component) for component in components)
    return ('{"applinks": {"details": [\n  {"appIDs": ["A1B2C3D4E5.com.example.tea"],\n   "components": [\n%s\n'
            '   ]}\n]}}\n' % lines).encode()


BUY = {"/": "/buy/*"}
HELP = {"/": "/help/*"}
NEWS = {"/": "/news/*"}


def traffic(world: World) -> None:
    """Makes a digest of the sample logs, as a server does each night."""
    world.run("digest", SAMPLES / "logs", "--host", HOST, "-o", world.checkout / "traffic.digest", statuses=(0,))


@case
def a_harmless_change_passes(world: World) -> None:
    world.repository({AASA: rules(BUY)})
    world.commit({AASA: rules(BUY, HELP)})
    job = world.play()
    world.equal(job.status, 0, "status")
    world.equal(job.outputs, {"comment-file": "linkaudit-comment.md", "result": "passed"}, "outputs")
    world.check(not [a for a in job.annotations if a["level"] == "error"], "errors: %s" % job.printed)
    world.check("no mistakes" in job.comment and "/help/" in job.comment, job.comment)
    world.equal(job.summary, job.comment, "summary and comment")


@case
def a_broken_rule_fails(world: World) -> None:
    world.repository({AASA: rules(BUY, HELP)})
    world.commit({AASA: rules({"/": "/buy/:id"}, HELP)})
    job = world.play()
    world.equal(job.status, 1, "status")
    world.equal(job.outputs["result"], "failed", "result")
    found = [a for a in job.annotations if "router-parameter" in a["title"]]
    world.equal([(a["level"], a["file"], a["line"]) for a in found], [("error", AASA, "4")], "annotations")
    world.check("router-parameter" in job.summary and "claims-lost" in job.summary, job.summary)
    world.equal(world.play(lint_fail_on="never", fail_on="never").status, 0, "status if nothing fails")


@case
def traffic_tells_how_much_is_lost(world: World) -> None:
    world.repository({AASA: (SAMPLES / "aasa.json").read_bytes()})
    traffic(world)
    world.commit({AASA: (SAMPLES / "aasa-candidate.json").read_bytes(),
                  "routes.txt": (SAMPLES / "routes.txt").read_bytes()})
    job = world.play(traffic="traffic.digest", routes="routes.txt")
    world.equal(job.status, 1, "status")
    report = world.run("diff", SAMPLES / "aasa.json", SAMPLES / "aasa-candidate.json", SAMPLES / "logs", "--host", HOST,
                       "--routes", SAMPLES / "routes.txt", "--format", "json", statuses=(0,)).report()
    lost = next(finding for finding in report["findings"] if finding["code"] == "claims-lost")
    world.check("**%d visits to keep**" % lost["visitsToWin"] in job.comment, job.comment)
    codes = re.findall(r"^(?:Error|Warning|Note) `([a-z-]+)`", job.comment, re.MULTILINE)
    world.equal(codes, [finding["code"] for finding in report["findings"]], "findings in the comment")
    # Without the digest, the same change is judged by patterns.
    (world.checkout / "traffic.digest").unlink()
    job = world.play(traffic="traffic.digest")
    world.check("there is no traffic at 'traffic.digest'" in job.printed, job.printed)
    world.check("only the patterns are compared" in job.comment, job.comment)


@case
def known_findings_pass_and_new_ones_fail(world: World) -> None:
    bad = {"/": "/shop/:id"}
    world.repository({AASA: rules(BUY, bad)})
    accept = ["--baseline", "known.json", "--update-baseline"]
    world.run("lint", "--site", "%s=%s" % (HOST, AASA), *accept, statuses=(0,), cwd=world.checkout)
    world.commit({AASA: rules(BUY, HELP, bad)})
    job = world.play(baseline="known.json")
    world.equal(job.status, 0, "status with the known mistake")
    world.check("no new mistakes; 1 known" in job.comment, job.comment)
    world.check("router-parameter" not in job.printed, job.printed)
    world.commit({AASA: rules(BUY, HELP, bad, {"/": "/sell/:id"})})
    job = world.play(baseline="known.json")
    world.equal(job.status, 1, "status with another mistake")
    world.equal([a["line"] for a in job.annotations if "router-parameter" in a["title"]], ["7"], "lines")
    # A mended one is said, and does no harm.
    world.commit({AASA: rules(BUY, HELP)})
    job = world.play(baseline="known.json")
    world.equal(job.status, 0, "status once it is mended")
    world.check("no longer occurs: router-parameter" in job.printed, job.printed)


@case
def there_may_be_nothing_to_compare_with(world: World) -> None:
    world.repository({"README.md": b"a\n"})
    world.commit({AASA: rules(BUY)})
    job = world.play()
    world.equal(job.status, 0, "status of a new file")
    world.check("nothing to compare with" in job.printed, job.printed)
    world.equal(world.play(event={"GITHUB_BASE_REF": ""}).status, 0, "status outside pull requests")
    world.equal(world.play(deployed="none").status, 0, "status without a comparison")
    world.commit({"old.json": rules(HELP)})
    world.check("claims-lost" in world.play(deployed="old.json").comment, "the named file is not compared")


@case
def the_served_file_can_be_compared_with(world: World) -> None:
    """What the CDN and the site serve; a server on this machine is asked in their place."""
    for source, path in (("cdn", "a/v1/" + HOST), ("site", ".well-known/apple-app-site-association")):
        world.write("served/" + path, rules(HELP) if source == "cdn" else rules(NEWS))
    world.repository({AASA: rules(BUY)})
    with serving_files(world.folder / "served") as server:
        command = world.bin / "linkaudit"
        command.unlink()
        command.write_text('#!/bin/sh\n[ "$1" != fetch ] || set -- "$@" --base-url %s\nexec %s "$@"\n' % (
            server.url, world.settings.binary))
        command.chmod(0o755)
        for source, lost in (("cdn", "/help/"), ("site", "/news/")):
            job = world.play(deployed=source, fail_on="never")
            world.equal(job.status, 0, "status")
            world.check("claims-lost" in job.comment and lost in job.comment, "%s: %s" % (source, job.comment))
        (world.folder / "served/a/v1" / HOST).unlink()
        job = world.play(deployed="cdn")
        world.check(job.status == 0 and "nothing to compare with" in job.printed, job.printed)


@case
def what_cannot_be_read_fails(world: World) -> None:
    world.repository({AASA: rules(BUY)})
    world.commit({AASA: None})
    job = world.play()
    world.equal((job.status, job.outputs["result"]), (2, "failed"), "status of a missing file")
    world.check(AASA in job.printed, job.printed)
    world.commit({AASA: rules(BUY)})
    world.equal(world.play(baseline="none.json").status, 2, "status without the baseline")
    world.equal(world.play(deployed="none.json").status, 2, "status without the deployed file")


@case
def names_are_no_commands(world: World) -> None:
    """Names in the repository and in links are text, wherever they go."""
    name = "a;touch X $(touch Y) `touch Z`.json"
    world.repository({name: rules(BUY)})
    world.commit({name: rules(BUY, {"/": "/@team/*"}, {"/": "/x", "?": {"a\n::error::b": "*"}})})
    job = world.play(aasa=name)
    world.check(not any((world.checkout / letter).exists() for letter in "XYZ"), "a name was run")
    world.check(all(a["level"] != "error" or a["text"] != "b" for a in job.annotations), job.printed)
    for line in job.comment.splitlines():
        bare = re.sub(r"`[^`]*`|<code>.*?</code>", "", line)
        world.check(not re.search(r"@\w", bare), "a mention: " + line)
