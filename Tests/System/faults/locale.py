"""Language, time zone and terminal of the machine: not a byte of any output depends on them."""
import os
import shutil
import subprocess
from typing import Any

from faults.commands import served
from support.cases import case
from support.inputs import AASA, CANDIDATE, HOST, LOGS, ROUTES, SAMPLES, SITE
from support.world import World

LOCALES = ["C", "POSIX", "C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8", "ar_EG.UTF-8", "ja_JP.eucJP", "nonsense", ""]
ZONES = ["UTC", "Asia/Kathmandu", "America/St_Johns", "nonsense", ":/etc/passwd", "", "<+99>-99"]


def commands(world: World, url: str) -> dict[str, list[Any]]:
    digest, store = world.folder / "day.digest", world.folder / "store"
    if not digest.exists():
        world.run("digest", LOGS, "--host", HOST, "-o", digest)
        world.run("ingest", LOGS, "--store", store, *SITE, statuses=(0, 2))
    found: dict[str, list[Any]] = {}
    for form in ("text", "json", "csv", "html", "ndjson", "openmetrics"):
        found["report " + form] = ["report", LOGS, *SITE, *ROUTES, "--format", form]
    for form in ("text", "json", "csv"):
        found["diff " + form] = ["diff", AASA, CANDIDATE, LOGS, "--host", HOST, "--format", form]
    for form in ("text", "json"):
        found["diff of files " + form] = ["diff", AASA, CANDIDATE, "--host", HOST, "--format", form]
        found["suggest " + form] = ["suggest", LOGS, *SITE, *ROUTES, "--format", form]
        found["explain " + form] = ["explain", "--format", form]
        found["match " + form] = [
            "match", "--aasa", AASA, "--format", "text" if form == "text" else "ndjson",
            "https://www.example.com/BUY/\u0130I\u0131i", "https://www.example.com/gift/\u8336/1"]
    for form in ("text", "json", "sarif"):
        found["lint " + form] = ["lint", str(SAMPLES / "aasa-mistakes.json"), "--format", form]
    found["digest"] = ["digest", LOGS, "--host", HOST, "-o", "-"]
    found["digest rows"] = ["digest", LOGS, "--host", HOST, "--format", "ndjson"]
    found["describe"] = ["digest", "--describe", digest]
    found["merge"] = ["merge", digest, "-o", "-"]
    found["formats"] = ["formats"]
    found["formats test"] = ["formats", "test", str(SAMPLES / "logs/www.access.log")]
    found["init"] = ["init", "-o", "-"]
    found["ingest"] = ["ingest", LOGS, "--store", store, *SITE, "--summary"]
    found["store list"] = ["store", "list", "--store", store]
    found["report of a store"] = ["report", "--store", store, "--format", "json"]
    found["help"] = ["report", "--help"]
    found["no such file"] = ["report", world.folder / "none", *SITE]
    found["wrong usage"] = ["report", "--nonsense"]
    found["fetch and save"] = ["fetch", HOST, "--from", "origin", "--base-url", url, "--save", "-", "-o", "/dev/null"]
    return found


def locale_folder(world: World) -> dict[str, str]:
    """Locales made for the test, where the machine can make them; without, it has but those it has."""
    folder = world.folder / "locales"
    folder.mkdir(exist_ok=True)
    for name in ("de_DE.UTF-8", "tr_TR.UTF-8", "ar_EG.UTF-8", "ja_JP.eucJP"):
        language, _, charset = name.partition(".")
        if shutil.which("localedef"):
            subprocess.run(
                ["localedef", "-i", language, "-f", "EUC-JP" if charset == "eucJP" else charset, str(folder / name)],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    made = [path.name for path in folder.iterdir()]
    world.step("locales made: %s" % made)
    return {"LOCPATH": str(folder)} if made else {}


@case
def locale_and_zone(world: World) -> None:
    """Every command and every form under many languages and zones: byte for byte the same."""
    base = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "TMPDIR": str(world.temporary)}
    made = locale_folder(world)
    environments: list[dict[str, str]] = []
    for number, name in enumerate(LOCALES):
        environments.append({**base, **made, "LC_ALL": name, "TZ": ZONES[number % len(ZONES)]})
    for zone in ZONES:
        environments.append({**base, **made, "LANG": "tr_TR.UTF-8", "LANGUAGE": "de:ar", "TZ": zone})
    for size in (
        {"COLUMNS": "1", "LINES": "1"}, {"COLUMNS": "nonsense", "LINES": "-5"}, {"COLUMNS": "99999999999999999999"},
        {"TERM": "nonsense", "NO_COLOR": "", "CLICOLOR_FORCE": "1"}, {"HOME": "/nonexistent", "USER": ""},
        {"SOURCE_DATE_EPOCH": "1"},
    ):
        environments.append({**base, **size})
    environments.append({})
    if world.settings.quick:
        # One of each kind at once (languages, zones, columns), another one, and nothing at all.
        environments = [{**environments[4], **environments[-7]}, {**environments[13], **environments[-4]}, {}]
    with served() as url:
        for name, arguments in commands(world, url).items():
            expected = None
            # 'report --store' says what has changed since the last one.
            runs = [{"PATH": base["PATH"], "TMPDIR": base["TMPDIR"], "LC_ALL": "C", "TZ": "UTC"}, *environments]
            if name == "report of a store":
                world.run(*arguments, env=runs[0])
            for environment in runs:
                outcome = world.run(*arguments, statuses=(0, 1, 2, 64), env=environment)
                found = (outcome.status, outcome.stdout, outcome.stderr)
                if expected is None:
                    expected = found
                elif found != expected:
                    where = next(
                        (index for index, pair in enumerate(zip(found[1], expected[1])) if pair[0] != pair[1]), -1)
                    world.check(
                        False, "%s differs under %s: status %d and %d, byte %d: %r" % (
                            name, environment, found[0], expected[0], where, found[1][max(0, where - 40):where + 60]))


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
