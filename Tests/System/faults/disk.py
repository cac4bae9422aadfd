"""Disks that are full, at each place that writes."""
import pathlib
import shutil

from support.cases import case
from support.commands import all_writers, good
from support.inputs import LOGS, SAMPLES, SITE
from support.world import World


def fill(disk: pathlib.Path, spare: int) -> None:
    """Leaves so many bytes of a disk."""
    filler = disk / "filler"
    filler.unlink(missing_ok=True)
    with open(filler, "wb") as file:
        file.write(bytes(max(0, shutil.disk_usage(disk).free - spare)))


@case
def full_disk(world: World) -> None:
    """Each output, on disks with less and less room: the old file stays, and no part of a new one."""
    with world.mounted("disk", "size=8m") as disk:
        for name, words in all_writers(world):
            path = disk / "out"
            # 'init' writes little; all others are cut at the beginning and in the middle.
            old = good(world, words, path)
            for spare in (0, 4096, max(8192, len(old) // 2 // 4096 * 4096)):
                fill(disk, spare)
                if spare >= len(old):
                    continue
                outcome = world.run(*words, path, statuses=(2,))
                world.check_says(outcome, "'%s'" % path, "No space left", "free space", words[-1])
                world.check(path.read_bytes() == old, "%s: the old file is gone" % name)
                left = sorted(entry.name for entry in disk.iterdir())
                world.check(left == ["filler", "out"], "%s: left behind: %s" % (name, left))
            (disk / "filler").unlink()
            world.run(*words, path, statuses=(0, 1))
            path.unlink()


@case
def full_disk_between_two_outputs(world: World) -> None:
    """Of a suggestion and its candidate, neither appears without the other."""
    with world.mounted("disk", "size=64k") as disk:
        arguments = ["suggest", LOGS, *SITE, "--routes", str(SAMPLES / "routes.txt"), "--format", "json"]
        candidate, text = disk / "candidate.json", disk / "out"
        world.run(*arguments, "--candidate", candidate, "-o", text)
        room = candidate.stat().st_size
        candidate.unlink()
        text.unlink()
        fill(disk, (room + 4095) // 4096 * 4096)
        outcome = world.run(*arguments, "--candidate", candidate, "-o", text, statuses=(2,))
        world.check_says(outcome, "'%s'" % text, "No space left")
        left = sorted(entry.name for entry in disk.iterdir())
        world.check(left == ["filler"], "left behind: %s" % left)


@case
def full_disk_below_a_directory(world: World) -> None:
    """'--output-directory': all files of the old report stay, or all are of the new one."""
    log = world.log("access.log", 400)
    with world.mounted("disk", "size=16m") as disk:
        folder = disk / "reports"
        world.run("report", LOGS, *SITE, "--output-directory", folder)
        old = {path.name: path.read_bytes() for path in folder.iterdir()}
        size = sum((len(content) + 4095) // 4096 * 4096 for content in old.values())
        for part in range(5):
            fill(disk, size * part // 6 // 4096 * 4096)
            outcome = world.run("report", log, *SITE, "--output-directory", folder, statuses=(0, 2))
            if outcome.status == 0:
                break
            world.check_says(outcome, folder, "No space left", "free space", "--output-directory")
            found = {path.name: path.read_bytes() for path in folder.iterdir()}
            world.check(found == old, "not as it was: %s" % sorted(set(found) ^ set(old)))
        (disk / "filler").unlink()
        world.run("report", log, *SITE, "--output-directory", folder)


@case
def full_temporary_directory(world: World) -> None:
    """Tables that go to a disk that is too small for them."""
    log = world.log("access.log", 60000, 60000)
    aasa = SITE[1]
    commands = [
        ["report", log, *SITE], ["diff", aasa, aasa, log, "--host", SITE[3]],
        ["digest", log, "--host", SITE[3], "-o", world.folder / "digest"],
        ["report", log, *SITE, "--rejects", world.folder / "rejects"],
        ["ingest", log, *SITE, "--store", world.folder / "store"],
    ]
    with world.mounted("small", "size=256k") as small:
        for command in commands:
            outcome = world.run(*command, "--memory", "1M", "--temporary-directory", small, statuses=(2,))
            world.check_says(outcome, "'%s'" % small, "no space left", "'--temporary-directory'", "'--memory'")
            world.check(not list(small.iterdir()), "left behind: %s" % list(small.iterdir()))
            world.check(not (world.folder / "digest").exists(), "half a digest")
            world.check(not (world.folder / "rejects").exists(), "half of the rejected lines")
        world.run("store", "check", "--store", world.folder / "store")
        world.run("ingest", log, *SITE, "--store", world.folder / "store")
        bad = world.folder / "bad.log"
        bad.write_text("no request at all, but a line that is kept\n" * 20000)
        outcome = world.report(
            log, bad, "--rejects", world.folder / "rejects", "--temporary-directory", small, statuses=(2,))
        world.check_says(outcome, "'%s'" % small, "no space left", "'--temporary-directory'")
