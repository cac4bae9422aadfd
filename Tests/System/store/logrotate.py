"""The real logrotate between ingests, as Debian runs it each night."""
import os

from store.server import LogFile
from store.world import World
from support.cases import case
from support.command import Failure
from support.inputs import ROOT
from support.world import Skip

CONFIGURATION = """"%s/*.log" {
    rotate 30
    missingok
    notifempty
    su root root
    compress
    delaycompress
    create
    sharedscripts
    lastaction
%s
    endscript
}
"""


def script_of(world: World) -> str:
    """The script of the snippet, with the paths of this case."""
    snippet = ROOT / "Integrations/logrotate/linkaudit"
    script = snippet.read_text().partition("    lastaction\n")[2].partition("    endscript")[0]
    wrapper = world.folder / "linkaudit"
    wrapper.write_text('#!/bin/sh\nexec "%s" "$@"\n' % world.settings.binary)
    wrapper.chmod(0o755)
    for found, replacement in [
        ("/usr/local/bin/linkaudit", wrapper), ("/var/log/nginx", world.logs), ("/var/lib/linkaudit", world.store),
        ("/etc/linkaudit/apple-app-site-association", ROOT / "SampleLogs/aasa.json"),
    ]:
        world.check(found in script, "the snippet doesn't name " + found)
        script = script.replace(found, str(replacement))
    if "runuser" in script or "setpriv" in script:
        world.check("--host www.example.com" in script, "the snippet names another host")
        # Whose files these are is tried where accounts are.
        script = "\n".join(line.partition(" -- ")[2] or line for line in script.split("\n"))
    return script


@case
def logrotate_with_the_snippet(world: World) -> None:
    """The configuration that Integrations has: rotation ends with an ingest."""
    program = world.need("sh", "logrotate")
    if os.geteuid() != 0:
        raise Skip("only root can run this configuration of logrotate")
    configuration = world.folder / "logrotate.conf"
    configuration.write_text(CONFIGURATION % (world.logs, script_of(world)))
    # It refuses what others could write.
    configuration.chmod(0o644)
    world.logs.chmod(0o755)
    logs = [world.server.open(name) for name in ["access.log", "shop.log"]]
    for log in logs:
        world.server.write(log, 60)
    world.ingest()
    for _ in range(3):
        outcome = world.execute([program, "-f", "-s", str(world.folder / "logrotate.state"), str(configuration)])
        if outcome.status:
            raise Failure("logrotate: " + outcome.message)
        world.check(all((world.logs / (log.name + ".1")).exists() for log in logs), "logrotate didn't rename the logs")
        logs = [LogFile(log.path, world.server.new_master()) for log in logs]
        world.check_report()
        for log in logs:
            world.server.write(log, 30)
    world.check(any(path.suffix == ".gz" for path in world.logs.iterdir()), "logrotate compressed nothing")
    world.settle()
