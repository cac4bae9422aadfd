"""Places that can't be written to: the old file is still there, and nothing unfinished is."""
import os
import pathlib
import resource

from support.cases import case
from support.commands import all_writers, good
from support.inputs import LOGS, SITE
from support.world import NOBODY, World


def old_files(world: World, folder: pathlib.Path) -> dict[str, bytes]:
    return {
        name: good(world, words, folder / name.replace(" ", "-")) for name, words in all_writers(world)}


@case
def output_without_permission(world: World) -> None:
    """A directory that belongs to somebody else."""
    world.need_nobody()
    folder = world.folder / "out"
    folder.mkdir()
    old = old_files(world, folder)
    folder.chmod(0o755)
    world.folder.joinpath("given.digest").chmod(0o644)
    for name, words in all_writers(world):
        path = folder / name.replace(" ", "-")
        outcome = world.run(*words, path, statuses=(2,), user=NOBODY)
        world.check_says(outcome, path, "Permission denied", "this user", words[-1])
        world.check(path.read_bytes() == old[name], "%s: the old file is gone" % name)
    outcome = world.run(
        "report", LOGS, *SITE, "--output-directory", folder / "new" / "deep", statuses=(2,), user=NOBODY)
    world.check_says(outcome, folder / "new" / "deep", "Permission denied", "--output-directory")
    outcome = world.run("report", LOGS, *SITE, "--output-directory", folder, statuses=(2,), user=NOBODY)
    world.check_says(outcome, folder, "Permission denied", "--output-directory")
    world.check_clean(folder)


@case
def limit_on_file_sizes(world: World) -> None:
    """'ulimit -f' ends in a message, not in a signal; with temporary files, too."""
    folder = world.folder / "out"
    folder.mkdir()
    old = old_files(world, folder)
    for name, words in all_writers(world):
        path = folder / name.replace(" ", "-")
        most = min(100, len(old[name]) - 1)
        outcome = world.run(*words, path, statuses=(2,), limits={resource.RLIMIT_FSIZE: most})
        world.check_says(outcome, "'ulimit -f'")
        world.check(path.read_bytes() == old[name], "%s: the old file is gone" % name)
    world.check_clean(folder)
    log = world.log("access.log", 60000, 60000)
    outcome = world.report(log, "--memory", "1M", statuses=(2,), limits={resource.RLIMIT_FSIZE: 20_000})
    world.check_says(outcome, "temporary file", world.temporary, "'ulimit -f'")


@case
def temporary_directory(world: World) -> None:
    """A directory for temporary files that isn't one, or belongs to somebody else."""
    log = world.log("access.log", 60000, 60000)
    for path, reason in ((log, "Not a directory"), ("/proc", "")):
        outcome = world.report(log, "--memory", "1M", "--temporary-directory", path, statuses=(2,))
        world.check_says(outcome, "'%s'" % path, reason, "'--temporary-directory'")
    if os.geteuid() == 0:
        world.need_nobody()
        world.temporary.chmod(0o700)
        outcome = world.report(log, "--memory", "1M", statuses=(2,), user=NOBODY)
        world.check_says(outcome, world.temporary, "ermission", "'--temporary-directory'")
