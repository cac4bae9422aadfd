"""Months of a server's life, at random: every kind of writing, rotation and disturbance."""
import os
import shutil
import signal

from store.server import LogFile, compressed, compressions
from store.world import World
from support.cases import case
from support.command import ended, worked


class Life:
    """A server with one log at a time, and those that it had before."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.log = world.server.open(name + "/access.log")
        self.older: list[LogFile] = []
        # A line that is half written, with what it lacks.
        self.rest: bytes = b""
        self.serial = 0

    def finish_line(self) -> None:
        if self.rest:
            self.world.server.append(self.log, self.rest)
            self.rest = b""

    def fresh_name(self) -> str:
        self.serial += 1
        return "%s/access.log-%05d" % (self.name, self.serial)

    # MARK: - What can happen

    def write(self) -> None:
        self.finish_line()
        self.world.server.write(self.log, self.world.random.choice([1, 2, 3, 20, 60, 200]))

    def write_half(self) -> None:
        self.finish_line()
        line = self.world.traffic.line()
        cut = self.world.random.randrange(1, len(line))
        self.world.server.append(self.log, line[:cut])
        self.rest = line[cut:]

    def rename(self) -> None:
        old = self.log
        self.finish_line()
        self.log = self.world.server.rotate(old, self.fresh_name())
        self.older.append(old)

    def copy_truncate(self) -> None:
        self.finish_line()
        name = self.fresh_name()
        self.older.append(self.world.server.copy_truncate(self.log, name, self.world.random.choice([0, 2])))

    def late_lines(self) -> None:
        plain = [log for log in self.older if not log.suffix]
        if plain:
            self.world.server.write(plain[-1], 3)

    def compress(self) -> None:
        if self.older:
            self.world.server.compress(
                self.world.random.choice(self.older), self.world.random.choice(compressions()))

    def move(self) -> None:
        if self.older:
            log = self.world.random.choice(self.older)
            self.world.server.rename(log, "%s/moved/%s" % (self.name, log.name))

    def touch(self) -> None:
        stamp = self.world.random.randrange(2**31)
        os.utime(self.log.path, (stamp, stamp))

    def back_up(self) -> None:
        """A copy of what is there now, which may be shorter than the log is later."""
        if self.rest:
            return
        log = self.world.random.choice([*self.older, self.log])
        self.serial += 1
        folder = self.world.logs / self.name / "backup"
        folder.mkdir(exist_ok=True)
        copy = folder / ("%05d-%s" % (self.serial, log.name))
        self.world.step("copy %s to %s" % (log.name, copy))
        shutil.copyfile(log.path, copy)

    def copy_under_way(self) -> None:
        """The beginning of a copy, plain or compressed, which an ingest meets before it is complete."""
        if self.rest or not self.log.path.stat().st_size:
            return
        data = self.log.path.read_bytes()
        if self.world.random.random() < 0.5:
            data = compressed(data, "gzip")
        # Where little is there of a log, most goes wrong.
        most = self.world.random.choice([len(data), min(len(data), 300)])
        path = self.world.server.put("%s/copy" % self.name, data[:self.world.random.randrange(1, most + 1)])
        self.world.ingest(statuses=(0, 2), silent=False)
        path.unlink()

    def remove(self) -> None:
        """Only what has been counted may go."""
        if len(self.older) > 3:
            self.world.ingest(silent=False)
            self.world.server.remove(self.older.pop(0))


def disturbed_ingest(world: World) -> None:
    process = world.launch(world.ingest_command("--batch", "16K"))
    delay = world.random.random() * 0.3
    worked(process, delay)
    process.send_signal(world.random.choice([signal.SIGKILL, signal.SIGTERM]))
    world.step("ingest --batch 16K, ended after %.3f s of work  -> %d" % (delay, ended(process).status))


def live(world: World, events: int) -> None:
    servers = [Life(world, "web1"), Life(world, "web2")]
    for server in servers:
        server.write()
    choices = [
        (Life.write, 10), (Life.write_half, 4), (lambda _: world.traffic.night(), 2),
        (lambda _: world.traffic.next_day(), 2), (Life.rename, 3), (Life.copy_truncate, 2), (Life.late_lines, 2),
        (Life.compress, 3), (Life.move, 1), (Life.touch, 1), (Life.back_up, 1), (Life.copy_under_way, 2),
        (Life.remove, 1),
    ]
    for event in range(events):
        for _ in range(world.random.randrange(1, 4)):
            (happens,) = world.random.choices([each for each, _ in choices], [weight for _, weight in choices])
            happens(world.random.choice(servers))
        kind = world.random.random()
        if kind < 0.5:
            world.ingest(silent=False)
        elif kind < 0.7:
            disturbed_ingest(world)
        if event % 10 == 9:
            for server in servers:
                server.finish_line()
            world.ingest(silent=False)
            world.check_report()
            if world.failures:
                return
    for server in servers:
        server.finish_line()
    world.settle(silent=False)


@case
def life(world: World) -> None:
    live(world, 12 if world.settings.quick else 300)
