"""Logs that are damaged, or odd in what they hold.

Which lines count of logs that are cut, copied, set back or begin alike, AuditStoreTests assert; `life` has them all.
"""
import os
import shutil

from store.server import compressed
from store.world import World
from support.cases import case


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
def fields_that_change(world: World) -> None:
    """A log with headings grows, and its columns change on the way."""
    log = world.server.open("u_ex.log")
    columns = {"cs-method": "GET", "cs-uri-stem": "/buy/%d", "sc-status": "200", "time-taken": "7"}
    for day, names in enumerate([list(columns), list(columns)[::-1], list(columns)], 1):
        world.server.append(log, b"#Version: 1.0\n#Fields: date time %s\n" % " ".join(names).encode())
        world.ingest(silent=False)
        for hour in (7, 8):
            text = "2026-06-%02d %02d:%%02d:00 " % (day, hour) + " ".join(columns[name] for name in names) + "\n"
            world.server.append(log, "".join(text % (minute, minute) for minute in range(60)).encode())
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
