"""A wall clock that jumps, back and forth, while a command runs."""
import fcntl
import os
import pathlib
import pty

from support.cases import case
from support.command import drained
from support.commands import served
from support.inputs import HOST, LOGS, SITE, line
from support.world import Skip, World


def jumping(world: World) -> dict[str, str]:
    """The environment in which the clock jumps."""
    source, library = pathlib.Path(__file__).with_name("jumps.c"), world.folder / "jumps.so"
    world.execute([world.need("cc"), "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"])
    if world.execute(["date"], environment={"LD_PRELOAD": str(library)}).stderr:
        raise Skip("no library can be put in front")
    return {"LD_PRELOAD": str(library)}


@case
def clock_that_jumps(world: World) -> None:
    """Only doubts about days depend on the wall clock, and what asks for it neither hangs nor crashes."""
    # The time of a repeatable build is that of the clock.
    environment = {**jumping(world), "SOURCE_DATE_EPOCH": "4000000000"}
    log = world.log("access.log", 20000, 20000)
    for form in ("text", "json", "html", "csv", "openmetrics"):
        expected = world.run("report", log, *SITE, "--format", form, "--memory", "1M").stdout
        found = world.run("report", log, *SITE, "--format", form, "--memory", "1M", environment=environment).stdout
        world.check(found == expected, "%s depends on the wall clock" % form)
    one, other = world.folder / "one", world.folder / "other"
    world.run("digest", log, "--host", HOST, "-o", one)
    world.run("digest", log, "--host", HOST, "-o", other, environment=environment)
    world.check(one.read_bytes() == other.read_bytes(), "a digest depends on the wall clock")
    world.run("report", LOGS, *SITE, "--since", "7d", statuses=(0, 2), environment=environment)
    with served() as url:
        for _ in range(3):
            outcome = world.run(
                "fetch", HOST, "--from", "origin", "--base-url", url, "--format", "json", "--timeout", "20",
                statuses=(0, 1), environment=environment)
            world.check(outcome.report()["hosts"], "no answer")


@case
def store_under_a_clock_that_jumps(world: World) -> None:
    """Nights whose times are in no order: each line counts once."""
    environment = jumping(world)
    store = world.folder / "store"
    logs = world.folder / "logs"
    logs.mkdir()
    for number in range(4):
        with open(logs / "access.log", "ab") as file:
            file.writelines(line(index, "/buy/%d/%d" % (number, index)) for index in range(500))
        if number == 2:
            (logs / "access.log").rename(logs / "access.log.1")
            (logs / "access.log").touch()
        world.run("ingest", logs, "--store", store, *SITE, environment=environment)
    world.run("store", "check", "--store", store)
    world.run("store", "check", "--store", store, environment=environment)
    found, expected = (outcome.report()["input"] for outcome in (
        world.run("report", "--store", store, "--format", "json", environment=environment), world.report(logs)))
    for what in ("lines", "requests"):
        world.equal(found[what], expected[what], what)
    # A lock is waited for as long as was asked, whatever the clock says.
    with open(store / "lock", "rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        outcome = world.run(
            "ingest", logs, "--store", store, "--wait", "2", *SITE, statuses=(2,), environment=environment)
        world.check_says(outcome, store, "in use")


@case
def progress_under_a_clock_that_jumps(world: World) -> None:
    """Time left and rates are of the steady clock."""
    environment = jumping(world)
    log = world.log("access.log", 60000, 60000)
    terminal, screen = pty.openpty()
    process = world.start("report", log, *SITE, "-o", world.folder / "out", environment=environment, stderr=screen)
    os.close(screen)
    shown = drained(terminal)
    world.end(process, 0)
    world.check(b"-" not in shown and b"nan" not in shown and b"inf" not in shown, "odd progress: %r" % shown[-300:])
    world.check(pathlib.Path(world.folder / "out").stat().st_size > 0, "no report")
    os.close(terminal)
