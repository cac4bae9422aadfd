"""Logs that are rotated between two nights."""
from __future__ import annotations

import os
import shutil

from store.server import LogFile, compressions
from store.world import World
from support.cases import case


def days(world: World, count: int = 2, lines: int = 120) -> LogFile:
    """A log with some days in it, one of them ending at midnight in the middle."""
    log = world.server.open("access.log")
    for _ in range(count):
        world.server.write(log, lines)
        world.traffic.night()
        world.server.write(log, lines // 4)
    return log


@case
def rename_and_new_file(world: World) -> None:
    log = days(world)
    world.ingest()
    for number in range(3):
        world.server.write(log, 30)
        log = world.server.rotate(log, "access.log.old%d" % number)
        world.server.write(log, 40)
        world.ingest()
    world.settle()


@case
def numbered_shift(world: World) -> None:
    log = days(world)
    older: list[LogFile] = []
    for night in range(4):
        world.server.write(log, 25)
        if night % 2:
            world.ingest()
        older.append(log)
        world.server.shift(older, "access.log")
        log = world.server.open("access.log")
        world.server.write(log, 25)
        world.traffic.next_day()
        world.ingest()
    world.settle()


@case
def delayed_compress(world: World) -> None:
    """The server goes on writing into the renamed file until it is told to open the new one."""
    log = days(world)
    older: list[LogFile] = []
    for _ in range(3):
        world.ingest()
        older.append(log)
        world.server.shift(older, "access.log")
        late, log = log, world.server.open("access.log")
        world.server.write(late, 7)
        world.ingest()
        world.server.write(late, 5)
        world.server.write(log, 60)
        for old in older[:-1]:
            world.server.compress(old)
        world.traffic.next_day()
    world.settle()


@case
def every_compression(world: World) -> None:
    log = days(world)
    world.ingest()
    for kind in compressions():
        world.server.compress(log, kind)
        world.ingest()
        world.check_report()
    world.settle()


@case
def dated_names(world: World) -> None:
    log = days(world)
    for night in range(3):
        world.ingest()
        world.server.write(log, 40)
        old, log = log, world.server.rotate(log, "access.log-202601%02d" % (night + 1))
        world.server.compress(old, world.random.choice(compressions()))
        world.server.write(log, 40)
        world.traffic.next_day()
    world.settle()


@case
def copy_and_truncate(world: World) -> None:
    log = days(world)
    for night in range(3):
        world.ingest()
        world.server.write(log, 30)
        # Lines that the copy lacks are lost: no ingest met them.
        copy = world.server.copy_truncate(log, "access.log.%d" % night, between=3)
        world.server.write(log, world.random.choice([1, 20, 400]))
        if night == 1:
            world.server.compress(copy)
    world.settle()


@case
def copy_and_truncate_at_once(world: World) -> None:
    """An ingest between the copy and the truncation meets the same lines twice, and some more."""
    log = days(world)
    world.ingest()
    world.server.write(log, 30)
    shutil.copyfile(log.path, world.logs / "access.log.1")
    world.step("copy access.log to access.log.1")
    world.server.write(log, 9)
    # That the copy is shorter may be told once, but not each night.
    world.ingest(silent=False)
    world.server.truncate(log)
    world.ingest(silent=False)
    world.server.write(log, 50)
    world.settle()


@case
def moved_to_another_folder(world: World) -> None:
    log = days(world)
    world.ingest()
    world.server.rename(log, "archive/2026/access.log")
    new = world.server.open("access.log")
    world.server.write(new, 30)
    world.ingest()
    world.server.rename(log, "elsewhere/www.log")
    world.server.write(log, 30)
    world.settle()


@case
def links_and_copies(world: World) -> None:
    """The same log twice under one run, by links and as a copy, which grows apart from it."""
    log = days(world)
    os.link(log.path, world.logs / "hard.log")
    os.symlink(log.path, world.logs / "soft.log")
    world.step("link access.log as hard.log, and symbolically as soft.log")
    world.ingest(silent=False)
    world.check_report()
    (world.logs / "copies").mkdir()
    shutil.copyfile(log.path, world.logs / "copies/access.log")
    world.step("copy access.log to copies/access.log")
    world.ingest(silent=False)
    world.server.write(log, 40)
    world.settle(silent=False)


@case
def copies_in_two_folders_from_the_start(world: World) -> None:
    log = days(world)
    (world.logs / "copies").mkdir()
    shutil.copyfile(log.path, world.logs / "copies/access.log")
    world.step("copy access.log to copies/access.log")
    world.server.write(log, 11)
    world.settle(silent=False)


@case
def several_hosts_logs(world: World) -> None:
    """Logs of several servers with the same names in folders of their own."""
    logs = [world.server.open("web%d/access.log" % number) for number in range(4)]
    for night in range(3):
        for number, log in enumerate(logs):
            world.server.write(log, 30 + 10 * number)
        world.ingest()
        for number, log in enumerate(logs):
            if (night + number) % 2:
                logs[number] = world.server.rotate(log, "web%d/access.log-%d" % (number, night))
                world.server.compress(log)
        world.traffic.next_day()
    world.settle()


@case
def removed_logs(world: World) -> None:
    """Counted lines stay counted when their log is gone."""
    log = days(world)
    world.ingest()
    new = world.server.rotate(log, "access.log.1")
    world.server.write(new, 30)
    world.ingest()
    world.server.remove(log)
    world.server.write(new, 30)
    world.settle()
