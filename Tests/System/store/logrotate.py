"""The real logrotate between ingests, as Debian runs it each night."""
import os
import pathlib
import shutil

from store.server import LogFile
from store.world import World
from support.cases import case
from support.command import Failure
from support.inputs import ROOT
from support.world import Skip

COMMON = """
    rotate 30
    missingok
    notifempty
    su root root
"""


def logrotate() -> str:
    for folder in ["/usr/sbin", "/usr/bin", "/sbin"]:
        if os.access(folder + "/logrotate", os.X_OK):
            return folder + "/logrotate"
    raise Skip("logrotate is missing")


class Rotation:
    def __init__(self, world: World, directives: str) -> None:
        if os.geteuid() != 0:
            raise Skip("only root can run this configuration of logrotate")
        self.world = world
        self.command = logrotate()
        self.state = world.folder / "logrotate.state"
        self.configuration = world.folder / "logrotate.conf"
        self.configuration.write_text('"%s/*.log" {%s%s}\n' % (world.logs, COMMON, directives))
        # It refuses what others could write.
        self.configuration.chmod(0o644)
        world.logs.chmod(0o755)
        world.step("logrotate with: " + " ".join((COMMON + directives).split()))

    def run(self) -> None:
        outcome = self.world.execute([self.command, "-f", "-s", str(self.state), str(self.configuration)])
        if outcome.status:
            raise Failure("logrotate: " + outcome.message)


def fill(world: World, count: int) -> list[LogFile]:
    logs = [world.server.open(name) for name in ["access.log", "shop.log"]]
    for log in logs:
        world.server.write(log, count)
    world.ingest()
    return logs


@case
def logrotate_delayed_compress(world: World) -> None:
    """The server writes into the renamed file until it is told; here that is some lines later."""
    rotation = Rotation(world, "    compress\n    delaycompress\n    create\n")
    logs = fill(world, 90)
    for _ in range(4):
        before = {log.path: log.path.stat().st_ino for log in logs}
        rotation.run()
        for number, log in enumerate(logs):
            old = pathlib.Path(str(log.path) + ".1")
            world.check(old.stat().st_ino == before[log.path], "logrotate didn't rename " + log.name)
            new = LogFile(log.path, world.server.new_master())
            log.path = old
            world.server.write(log, 6)
            world.ingest()
            world.server.write(log, 4)
            world.server.write(new, 50)
            logs[number] = new
        world.traffic.next_day()
        world.ingest()
    world.settle()
    world.check(any(path.suffix == ".gz" for path in world.logs.iterdir()), "logrotate compressed nothing")


@case
def logrotate_copytruncate(world: World) -> None:
    rotation = Rotation(world, "    copytruncate\n    compress\n    delaycompress\n")
    logs = fill(world, 90)
    for _ in range(4):
        for log in logs:
            world.server.write(log, world.random.randrange(1, 60))
        if world.random.random() < 0.5:
            world.ingest()
        rotation.run()
        for log in logs:
            world.check(log.path.stat().st_size == 0, "logrotate didn't truncate " + log.name)
            log.master = world.server.new_master()
            world.server.write(log, world.random.randrange(1, 150))
        world.traffic.next_day()
        world.ingest()
    world.settle()


@case
def logrotate_with_the_snippet(world: World) -> None:
    """The configuration that Integrations has: rotation ends with an ingest."""
    if shutil.which("sh") is None:
        raise Skip("there is no shell")
    snippet = ROOT / "Integrations/logrotate/linkaudit"
    text = snippet.read_text()
    # The script as it stands, with the paths of this case.
    script = text.partition("    lastaction\n")[2].partition("    endscript")[0]
    wrapper = world.folder / "linkaudit"
    wrapper.write_text('#!/bin/sh\nexec "%s" "$@"\n' % world.settings.binary)
    wrapper.chmod(0o755)
    for found, replacement in [
        ("/usr/local/bin/linkaudit", str(wrapper)),
        ("/var/log/nginx", str(world.logs)),
        ("/var/lib/linkaudit", str(world.store)),
        ("/etc/linkaudit/apple-app-site-association", str(ROOT / "SampleLogs/aasa.json")),
    ]:
        world.check(found in script, "the snippet doesn't name " + found)
        script = script.replace(found, replacement)
    if "runuser" in script or "setpriv" in script:
        world.check("--host www.example.com" in script, "the snippet names another host")
        # Whose files these are is tried where accounts are.
        script = "\n".join(line.partition(" -- ")[2] or line for line in script.split("\n"))
    rotation = Rotation(
        world,
        "    compress\n    delaycompress\n    create\n    sharedscripts\n    lastaction\n%s\n    endscript\n" % script)
    logs = fill(world, 60)
    for _ in range(3):
        rotation.run()
        logs = [LogFile(log.path, world.server.new_master()) for log in logs]
        world.check_report()
        for log in logs:
            world.server.write(log, 30)
    world.settle()
