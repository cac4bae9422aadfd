"""Logs that are cut, short, damaged, or odd in what they hold."""
from __future__ import annotations

import os
import pathlib
import shutil

from store import oracle
from store.server import LogFile, compressed
from store.traffic import FIRST_FIELDS, OTHER_FIELDS
from store.world import World
from support.cases import case
from support.inputs import HOST, SITE


@case
def cut_in_a_line(world: World) -> None:
    """The log is read while its last line is being written."""
    log = world.server.open("access.log")
    data = b"".join(world.traffic.lines(200))
    cuts = sorted(world.random.randrange(len(data)) for _ in range(6)) + [len(data)]
    start = 0
    for cut in cuts:
        world.server.append(log, data[start:cut])
        world.ingest()
        start = cut
    world.settle()


@case
def cut_at_each_byte_of_a_line(world: World) -> None:
    log = world.server.open("access.log")
    world.server.write(log, 40)
    line = world.traffic.line()
    step = 1 if not world.settings.quick else 23
    start = 0
    for cut in [*range(0, len(line), step), len(line)]:
        world.server.append(log, line[start:cut])
        world.ingest()
        start = cut
    world.server.write(log, 3, malformed=0)
    world.settle()


@case
def no_line_feed_for_good(world: World) -> None:
    """A last line without an end counts when nothing follows."""
    log = world.server.open("access.log")
    world.server.write(log, 60)
    world.server.append(log, world.traffic.line().rstrip(b"\n"))
    world.ingest()
    new = world.server.rotate(log, "access.log.1")
    world.server.write(new, 50)
    world.ingest()
    world.server.compress(log)
    world.settle()


@case
def no_line_feed_in_a_live_log(world: World) -> None:
    log = world.server.open("access.log")
    world.server.write(log, 60)
    world.server.append(log, world.traffic.line().rstrip(b"\n"))
    for _ in range(2):
        world.ingest()
    world.settle()
    world.server.append(log, b"\n")
    world.server.write(log, 5)
    world.settle()


@case
def gzip_half_written(world: World) -> None:
    log = world.server.open("access.log.1")
    world.server.write(log, 600)
    whole = compressed(log.master.read_bytes(), "gzip")
    world.server.remove(log)
    path = world.server.put("access.log.1.gz", whole[:len(whole) // 3])
    world.ingest(statuses=(2,))
    world.server.put("access.log.1.gz", whole[:len(whole) * 2 // 3])
    world.ingest(statuses=(2,))
    world.check_store()
    world.server.put(path.name, whole)
    world.settle()


@case
def gzip_beside_its_log(world: World) -> None:
    """An ingest meets a log, and the .gz that is being made of it."""
    log = world.server.open("access.log.1")
    world.server.write(log, 600)
    world.ingest()
    whole = compressed(log.master.read_bytes(), "gzip")
    path = world.server.put("access.log.1.gz", whole[:len(whole) // 2])
    world.ingest(statuses=(0, 2), silent=False)
    world.check_report()
    world.server.put(path.name, whole)
    world.ingest(silent=False)
    world.server.remove(log)
    world.settle()


@case
def gzip_of_growing_members(world: World) -> None:
    master = world.server.new_master()
    log = LogFile(world.server.put("access.log.gz", b""), master)
    for count in [80, 1, 120, 40]:
        data = b"".join(world.traffic.lines(count))
        world.server.append(log, compressed(data, "gzip"), keep=False)
        with master.open("ab") as file:
            file.write(data)
        world.ingest()
    world.settle()


@case
def empty_then_filled(world: World) -> None:
    log = world.server.open("access.log")
    other = world.server.open("other.log")
    world.ingest(silent=False)
    world.server.write(log, 50)
    world.ingest(silent=False)
    world.server.write(other, 50)
    world.settle()


@case
def hole_of_nulls(world: World) -> None:
    """A server that doesn't append goes on at its old place when its log is truncated."""
    log = world.server.open("access.log")
    world.server.write(log, 90)
    world.ingest()
    size = log.path.stat().st_size
    world.server.copy_truncate(log, "access.log.1")
    os.truncate(log.path, size)
    world.step("access.log begins with a hole of %d bytes" % size)
    log.master.write_bytes(bytes(size))
    world.server.write(log, 70)
    world.ingest(silent=False)
    world.server.write(log, 30)
    world.settle(silent=False)


@case
def hole_longer_than_a_line_may_be(world: World) -> None:
    """A hole of more than 1 MiB in front of the first line, which is read while it grows."""
    log = world.server.open("access.log")
    world.server.write(log, 90)
    for size in [(1 << 20) + 5, 3 << 20]:
        world.ingest(silent=False)
        world.server.copy_truncate(log, "access.log.%d" % size)
        os.truncate(log.path, size)
        world.step("access.log begins with a hole of %d bytes" % size)
        log.master.write_bytes(bytes(size))
        # Zeros alone are no line of any format.
        world.ingest(statuses=(0, 2), silent=False)
        world.server.write(log, 23, malformed=0)
        world.ingest(silent=False)
        world.server.write(log, 5)
    world.settle(silent=False)


@case
def holes_one_after_another(world: World) -> None:
    """Logs that begin with the same nulls, and are longer and shorter than each other."""
    log = world.server.open("access.log")
    world.server.write(log, 90)
    for number, lines in enumerate([70, 20, 90, 3]):
        world.ingest(silent=False)
        size = log.path.stat().st_size if number < 2 else 40_000
        world.server.copy_truncate(log, "access.log.%d" % number)
        os.truncate(log.path, size)
        world.step("access.log begins with a hole of %d bytes" % size)
        log.master.write_bytes(bytes(size))
        world.server.write(log, lines)
    world.settle(silent=False)


def shared_beginning(world: World, lines: int) -> tuple[LogFile, LogFile]:
    """Two logs that begin with the same lines, of which one is known."""
    log = world.server.open("access.log")
    world.server.write(log, lines)
    other = world.server.open("restored/access.log")
    shutil.copyfile(log.path, other.path)
    world.step("copy access.log to restored/access.log")
    return log, other


def goes_on_otherwise(world: World, lines: int, more: int, others: int) -> None:
    """A machine is set back to what it was: its log loses its end, and goes on otherwise.

    The lines that both have count once or twice, because nothing says whether they are the same. Those
    behind count once each.
    """
    log, other = shared_beginning(world, lines)
    shared = log.path.read_bytes()
    world.server.write(log, more, malformed=0)
    world.ingest(silent=False)
    before = world.figures()
    world.server.write(other, others, malformed=0)
    world.ingest(silent=False)
    world.check_store()
    after = world.figures()
    added = after["input"]["lines"] - before["input"]["lines"]  # type: ignore[index]
    world.check(
        others <= added <= others + shared.count(b"\n"),
        "%d new lines behind %d known ones: %d were counted" % (others, shared.count(b"\n"), added))
    world.ingest(silent=False)
    world.check_same(oracle.differences(after, world.figures()), "report after another night")
    for number, path in enumerate([log.path, other.path]):
        shutil.copyfile(path, world.server.masters / ("whole%d.log" % number))


@case
def set_back_short(world: World) -> None:
    goes_on_otherwise(world, lines=60, more=40, others=5)


@case
def set_back_and_longer(world: World) -> None:
    goes_on_otherwise(world, lines=60, more=10, others=50)


@case
def set_back_long(world: World) -> None:
    goes_on_otherwise(world, lines=2000, more=400, others=30)


@case
def set_back_to_a_few_lines(world: World) -> None:
    goes_on_otherwise(world, lines=2, more=40, others=5)


@case
def fields_that_change(world: World) -> None:
    """A log with headings grows, and its columns change on the way."""
    log = world.server.open("u_ex.log")
    for fields, count in [(FIRST_FIELDS, 60), (OTHER_FIELDS, 60), (FIRST_FIELDS, 30)]:
        world.server.append(log, b"".join(world.traffic.heading(fields)))
        world.ingest(silent=False)
        world.server.append(log, b"".join(world.traffic.columns(count, fields)))
        world.ingest()
        world.server.append(log, b"".join(world.traffic.columns(count, fields)))
        world.ingest()
        world.traffic.next_day()
    world.settle()


@case
def logs_that_begin_alike(world: World) -> None:
    """Two logs have the same heading, and a third and fourth the same first line."""
    heading = b"".join(world.traffic.heading(FIRST_FIELDS))
    line = world.traffic.line()
    logs = [world.server.open("one/u_ex.log"), world.server.open("two/u_ex.log")]
    others = [world.server.open("one/access.log"), world.server.open("two/access.log")]
    for log in logs:
        world.server.append(log, heading)
    for log in others:
        world.server.append(log, line)
    # Apart from the other, each counts; a copy at the same moment could be the same log.
    for log in logs:
        world.server.append(log, b"".join(world.traffic.columns(30, FIRST_FIELDS)))
    for log in others:
        world.server.write(log, 30)
    world.ingest()
    for log in logs:
        world.server.append(log, b"".join(world.traffic.columns(30, FIRST_FIELDS)))
    for log in others:
        world.server.write(log, 30)
    world.settle()


@case
def servers_with_one_health_check(world: World) -> None:
    """Logs of several servers begin with the same lines, and one of them has no others for a night."""
    checks = b"".join(world.traffic.lines(6, malformed=0))
    logs = [world.server.open("web%d/access.log" % number) for number in range(4)]
    for log in logs:
        world.server.append(log, checks)
    for night in range(3):
        for log in logs[1 if night == 0 else 0:]:
            world.server.write(log, 30, malformed=0)
        world.ingest(silent=False)
        if night == 1:
            logs = [world.server.rotate(log, "%s/access.log.1" % log.path.parent.name) for log in logs]
            checks = b"".join(world.traffic.lines(6, malformed=0))
            for log in logs:
                world.server.append(log, checks)
    world.settle(silent=False)


@case
def short_logs(world: World) -> None:
    """Logs of one to three lines that grow."""
    logs = [world.server.open("short%d.log" % number) for number in range(3)]
    for number, log in enumerate(logs):
        world.server.write(log, number + 1, malformed=0)
    world.ingest()
    for _ in range(3):
        for log in logs:
            world.server.write(log, world.random.randrange(3), malformed=0)
        world.ingest()
    world.settle()


@case
def garbage_in_front(world: World) -> None:
    """The first lines of a log say nothing of its format, so that it waits for those that do."""
    log = world.server.open("access.log")
    world.server.append(log, b"starting up\nlistening on port 443\n\n")
    world.ingest(statuses=(2,))
    world.server.append(log, b"ready\n" * 20)
    world.ingest(statuses=(2,))
    world.server.write(log, 100)
    world.ingest()
    world.server.write(log, 100)
    world.settle()


@case
def older_copy(world: World) -> None:
    """A backup from some nights ago turns up."""
    log = world.server.open("access.log")
    world.server.write(log, 50)
    for kind in ["plain", "gzip"]:
        world.server.write(log, 50)
        shutil.copyfile(log.path, world.folder / kind)
    world.server.write(log, 50)
    world.ingest()
    world.server.put("backup/access.log", (world.folder / "plain").read_bytes())
    world.server.put("backup/access.log.gz", compressed((world.folder / "gzip").read_bytes(), "gzip"))
    world.settle(silent=False)


@case
def out_of_order(world: World) -> None:
    """Days come in any order, and a day comes in several logs."""
    pieces: list[tuple[pathlib.Path, bytes]] = []
    for number in range(6):
        master = world.server.new_master()
        data = b"".join(world.traffic.lines(40))
        world.traffic.night()
        data += b"".join(world.traffic.lines(20))
        master.write_bytes(data)
        pieces.append((world.logs / ("part%d.log" % number), data))
    world.random.shuffle(pieces)
    for path, data in pieces:
        world.server.put(path.name, data)
        world.ingest()
    world.settle()


@case
def damaged_for_good(world: World) -> None:
    """Lines before damage count once, night after night."""
    log = world.server.open("access.log.1")
    world.server.write(log, 900)
    whole = bytearray(compressed(log.master.read_bytes(), "gzip"))
    world.server.remove(log)
    log.master.unlink()
    whole[-8] ^= 1
    world.server.put("access.log.1.gz", bytes(whole))
    shutil.copyfile(world.logs / "access.log.1.gz", world.server.masters / "damaged.gz")
    world.ingest(statuses=(2,))
    world.ingest(statuses=(0, 2), silent=False)
    good = world.server.open("access.log")
    world.server.write(good, 50)
    world.ingest(statuses=(0, 2), silent=False)
    world.check_store()
    world.check_report()


@case
def hosts_that_nobody_names(world: World) -> None:
    """A log is taken in while no line names a host yet, and refused where none ever could."""
    sites = ["--site", "%s=%s" % (HOST, SITE[1]), "--site", "m.example.com=%s" % SITE[1]]
    # Some requests are for whole URLs, which name a host.
    lines = [line for line in world.traffic.lines(80, malformed=0) if b"http://" not in line.split(b'"')[1]]

    def ingest(name: str, prefix: bytes, status: int) -> None:
        path = world.server.put(name + ".log", b"".join(prefix + line for line in lines))
        world.run("ingest", path, "--store", world.folder / name, *sites, statuses=(status,))

    ingest("quiet", b"- ", 0)
    ingest("quiet", b"%s " % HOST.encode(), 0)
    ingest("nameless", b"", 2)
    world.check_store(store=world.folder / "quiet")
