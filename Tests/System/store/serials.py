"""Lives of logs whose lines are numbered, so that each line that is lost or counted twice has a name."""
from __future__ import annotations

import collections
import json
import os
import shutil

from store import oracle
from store.life import disturbed_ingest
from store.server import LogFile, compressed
from store.world import World
from support.cases import case
from support.command import Word

# The columns of CloudFront's standard logs, as far as they matter here.
FIELDS = "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent)"
HEADING = b"#Version: 1.0\n#Fields: %s\n" % FIELDS.encode()
DATE_FIELDS = "%Y-%m-%d\t%H:%M:%S\tFRA2-C1\t512\t192.0.2.7\tGET\twww.example.com\t"


class NumberedLog:
    """A log of columns with directives in front, each line of which asks for its own number."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.count = 0
        self.older: list[LogFile] = []
        self.copies = 0
        self.log = self.begin()

    def begin(self) -> LogFile:
        log = self.world.server.open("cdn.log")
        if self.world.random.random() < 0.5:
            self.world.server.append(log, HEADING)
            log.master.write_bytes(HEADING)
        return log

    def lines(self, count: int) -> bytes:
        rows = []
        for _ in range(count):
            self.world.traffic.line()
            rows.append(
                "%s/item/%d\t200\t-\t%s\n" % (
                    self.world.traffic.clock.strftime(DATE_FIELDS), self.count, "Mozilla/5.0"))
            self.count += 1
        return "".join(rows).encode()

    # MARK: - What can happen

    def write(self) -> None:
        if self.log.path.stat().st_size == 0:
            self.world.server.append(self.log, HEADING)
        data = self.lines(self.world.random.choice([1, 1, 2, 3, 30, 200]))
        cut = self.world.random.randrange(len(data)) if self.world.random.random() < 0.4 else 0
        self.world.server.append(self.log, data[:cut])
        if cut and self.world.random.random() < 0.5:
            self.ingest()
        self.world.server.append(self.log, data[cut:])

    def rotate(self) -> None:
        """As logrotate does with `create`, `dateext` and `delaycompress`."""
        if self.log.path.stat().st_size == 0:
            return
        if self.older:
            self.world.server.compress(self.older[-1])
        old = self.log
        self.world.server.rename(old, "cdn.log-%08d" % (20260101 + len(self.older)))
        self.older.append(old)
        self.log = self.begin()
        self.world.traffic.next_day()

    def cut_copy(self) -> None:
        """A copy under way: the beginning of a log, or of one that is compressed."""
        log = self.world.random.choice([*self.older, self.log])
        data = log.path.read_bytes()
        if data and log.path.suffix != ".gz" and self.world.random.random() < 0.7:
            data = compressed(data, "gzip")
        if not data:
            return
        # Where little is there of a log, most goes wrong.
        end = self.world.random.choice([
            self.world.random.randrange(1, len(data) + 1), self.world.random.randrange(1, min(len(data), 300) + 1)])
        self.copies += 1
        path = self.world.server.put("copies/%d-%s" % (self.copies, log.name), data[:end])
        self.world.ingest(statuses=(0, 2), silent=False)
        if self.world.random.random() < 0.5:
            self.world.step("remove %s" % path)
            path.unlink()

    def kill(self) -> None:
        disturbed_ingest(self.world)

    def ingest(self) -> None:
        self.world.ingest(statuses=(0, 2), silent=False)

    # MARK: - What has to hold

    def check(self) -> None:
        """Each line counts once."""
        shutil.rmtree(self.world.logs / "copies", ignore_errors=True)
        self.world.ingest(statuses=(0, 2), silent=False)
        counts: collections.Counter[str] = collections.Counter()
        for path in oracle.digest_files(self.world.store).values():
            command: list[Word] = self.world.command("digest", path, "--format", "ndjson")
            for row in self.world.execute(command, (0, 2)).stdout.splitlines():
                fields = json.loads(row)
                if fields["row"] == "requests":
                    counts[fields["target"]] += fields["requests"]
        pending = sum(oracle.pending_requests(self.world.store).values())
        wanted = {"/item/%d" % number for number in range(self.count)}
        lost = sorted(wanted - counts.keys())
        self.world.check(len(lost) <= pending, "lines that are lost: %s" % lost[:5])
        doubled = sorted(name for name, count in counts.items() if count > 1)
        self.world.check(not doubled, "lines that count twice: %s" % doubled[:5])


def live(world: World, events: int) -> None:
    log = NumberedLog(world)
    log.write()
    choices = [
        (NumberedLog.write, 8), (NumberedLog.rotate, 2), (NumberedLog.cut_copy, 4), (NumberedLog.kill, 1),
        (NumberedLog.ingest, 4),
    ]
    for event in range(events):
        (happens,) = world.random.choices([each for each, _ in choices], [weight for _, weight in choices])
        happens(log)
        if event % 20 == 19:
            log.check()
            if world.failures:
                return
    log.check()


@case
def numbered_life(world: World) -> None:
    live(world, 20 if world.settings.quick else 300)


@case(quick=False)
def numbered_lives(world: World) -> None:
    """Many short lives, because most goes wrong while logs are short."""
    for number in range(40):
        live(world, 20)
        if world.failures:
            return
        world.step("life %d begins" % (number + 2))
        for folder in [world.store, world.logs]:
            shutil.rmtree(folder)
        os.mkdir(world.logs)
