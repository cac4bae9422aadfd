"""Language, time zone and terminal of the machine: not a byte of any output depends on them."""
import itertools
import os
import shutil
import subprocess

from support.cases import case
from support.commands import printing, served
from support.inputs import HOST, SITE
from support.world import World

LOCALES = ["C", "POSIX", "C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8", "ar_EG.UTF-8", "ja_JP.eucJP", "nonsense", ""]
ZONES = ["UTC", "Asia/Kathmandu", "America/St_Johns", "nonsense", ":/etc/passwd", "", "<+99>-99"]


def made_locales(world: World) -> dict[str, str]:
    """Locales made for the test, where the machine can make them; without, it has but those it has."""
    folder = world.folder / "locales"
    folder.mkdir()
    for name in filter(lambda name: shutil.which("localedef") and "_" in name, LOCALES):
        language, _, charset = name.partition(".")
        subprocess.run(
            ["localedef", "-i", language, "-f", charset.replace("eucJP", "EUC-JP"), folder / name], capture_output=True)
    made = [path.name for path in folder.iterdir()]
    world.step("locales made: %s" % made)
    return {"LOCPATH": str(folder)} if made else {}


@case
def locale_and_zone(world: World) -> None:
    """Every command and every form under many languages and zones: byte for byte the same."""
    base = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "TMPDIR": str(world.temporary)}
    made = made_locales(world)
    languages = [{**made, "LC_ALL": name, "TZ": zone} for name, zone in zip(LOCALES, itertools.cycle(ZONES))]
    zones = [{**made, "LANG": "tr_TR.UTF-8", "LANGUAGE": "de:ar", "TZ": zone} for zone in ZONES]
    terminals = [
        {"COLUMNS": "1", "LINES": "1"}, {"COLUMNS": "nonsense", "LINES": "-5"}, {"COLUMNS": "99999999999999999999"},
        {"TERM": "nonsense", "NO_COLOR": "", "CLICOLOR_FORCE": "1"}, {"HOME": "/nonexistent", "USER": ""},
        {"SOURCE_DATE_EPOCH": "1"}]
    environments = [{**base, **each} for each in (*languages, *zones, *terminals)]
    if world.settings.quick:
        # One of each kind at once (languages, zones, columns), and another one.
        environments = [{**base, **languages[4], **terminals[0]}, {**base, **zones[4], **terminals[3]}]
    with served() as url:
        fetch = ["fetch", HOST, "--from", "origin", "--base-url", url, "--save", "-", "-o", "/dev/null"]
        commands = {**printing(world), "no such file": ["report", world.folder / "none", *SITE], "fetch": fetch}
        # 'report --store' says what has changed since the last one.
        world.run(*commands["report of a store"])
        for name, words in commands.items():
            expected, *found = [
                world.run(*words, statuses=(0, 1, 2, 64), env=each)
                for each in ({**base, "LC_ALL": "C", "TZ": "UTC"}, *environments, {})]
            for each, outcome in zip((*environments, {}), found):
                if outcome != expected:
                    place = len(os.path.commonprefix([outcome.stdout, expected.stdout]))
                    world.check(False, "%s differs under %s: status %d, byte %d: %r" % (
                        name, each, outcome.status, place, outcome.stdout[max(0, place - 40):place + 60]))


@case
def working_directory_that_is_gone(world: World) -> None:
    """A directory that was removed under the command's feet: full paths still lead everywhere."""
    gone = world.folder / "gone"
    gone.mkdir()
    log = world.log("access.log", 100)
    for arguments, status in (
        (["report", log, *SITE], 0), (["report", log, *SITE, "-o", world.folder / "out"], 0),
        (["report", "x.log", *SITE], 2), (["report", log, *SITE, "-o", "out"], 2), (["init"], 2),
        (["digest", log, "--host", HOST, "-o", "day.digest"], 2), (["lint", "aasa.json"], 2),
    ):
        gone.mkdir(exist_ok=True)
        process = world.start(*arguments, cwd=gone, preexec_fn=gone.rmdir)
        outcome = world.end(process, status)
        if status:
            world.check(outcome.message, "%s: no word" % arguments[0])
