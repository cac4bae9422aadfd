"""Hostile text in whatever is read, and every command, form and destination."""
import os
import pathlib

from safety import inputs
from safety.forms import form_complaint
from safety.texts import complaint
from safety.world import World
from support.cases import case

SITE = ["--aasa", "aasa.json", "--host", "www.example.com", "--routes", "routes.txt", "--no-config"]
OTHER = ["--site", "www.example.com=old.json", "--site", "*.example.com=raw.json", "--no-config"]
SUFFIXES = {".csv": "csv", ".json": "json", ".html": "html", ".ndjson": "ndjson", ".prom": "openmetrics"}


def check_files(world: World, folder: pathlib.Path) -> None:
    """Every file of a report by its form."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    world.check(bool(files), "%s: no file was written" % folder.name)
    for path in files:
        problem = form_complaint(SUFFIXES[path.suffix], path.read_bytes())
        world.check(problem is None, "%s %s" % (path.name, problem))


@case
def report_forms(world: World) -> None:
    """All forms of a report, on pipes, on terminals and in files, say the same, safely."""
    inputs.write(world.folder)
    world.run_everywhere("report", "logs", *SITE, "--top", "100000")
    world.run_everywhere("report", "logs", *OTHER)
    for form in ("json", "ndjson", "html", "openmetrics"):
        more = ["--top", "100000"] if form == "openmetrics" else []
        piped = world.run("report", "logs", *SITE, "--format", form, *more, form=form)
        shown = world.run_on_terminal(
            "report", "logs", *SITE, "--format", form, *more, colors=False, checked=False).stdout
        problem = form_complaint(form, shown[shown.rfind(b"\x1b[K") + 3:]) if b"\x1b[K" in shown else None
        world.check(problem is None, "%s on a terminal %s" % (form, problem))
        world.run("report", "logs", *SITE, "--format", form, *more, "-o", "out." + form)
        world.equal((world.folder / ("out." + form)).read_bytes(), piped.stdout, "-o of " + form)
    world.run("report", "logs", *SITE, "--output-directory", "all")
    world.run("report", "logs", *OTHER, "--group", "exact", "--output-directory", "all-others")
    check_files(world, world.folder / "all")
    check_files(world, world.folder / "all-others")


@case
def lint_forms(world: World) -> None:
    """Mistakes, with the lines they stand in."""
    inputs.write(world.folder)
    rules = ["--rules", "--host", "www.example.com", "--no-config"]
    world.run_everywhere("lint", "aasa.json", *rules)
    for file in ("raw.json", "old.json", "logs/combined.log", "logs/json.log", "routes.txt"):
        world.run("lint", file, *rules)
        world.run("lint", file, "--format", "json", "--no-config", form="json")
        world.run("lint", file, "--format", "sarif", "--no-config", form="sarif")
    for path in world.some(sorted(world.folder.glob("entitlements-*.plist")), 8):
        world.run("lint", "plain.json", "--host", "www.example.com", "--entitlements", path, "--no-config")
        world.run("lint", "plain.json", "--entitlements", path, "--format", "sarif", "--no-config", form="sarif")
    for name in world.some(inputs.names(), 8):
        copy = os.fsencode(world.folder) + b"/named-" + name + b".json"
        with open(copy, "wb") as file:
            file.write((world.folder / "plain.json").read_bytes().replace(b"/buy", b"buy"))
        world.run("lint", copy, "--no-config")
        world.run("lint", copy, "--format", "sarif", "--no-config", form="sarif")


@case
def changes(world: World) -> None:
    """What another file changes, which rules would do, and mistakes as annotations and comments."""
    inputs.write(world.folder)
    files = ["plain.json", "aasa.json", "--host", "www.example.com", "--no-config"]
    world.run_everywhere("diff", *files)
    world.run_everywhere("diff", *files[:2], "logs", *files[2:], "--full")
    world.run_everywhere("suggest", "logs", *SITE)
    world.run("suggest", "logs", *SITE, "--format", "json", form="json")
    world.run("suggest", "logs", *SITE, "--format", "components")
    for form in ("github", "markdown"):
        world.run("lint", "aasa.json", "--format", form, "--no-config")


@case
def match_forms(world: World) -> None:
    """Hostile URLs and files of expectations."""
    inputs.write(world.folder)
    urls = [b"https://www.example.com/open/" + text for text in inputs.ALL]
    lines = b"\n".join(urls + inputs.ALL) + b"\n"
    world.run_everywhere("match", "--aasa", "plain.json", "--explain", "-", data=lines)
    for file in ("aasa.json", "old.json"):
        # Each answer names all rules that could have decided.
        some = b"\n".join(world.some(lines.split(b"\n"), 12)) + b"\n"
        world.run_everywhere("match", "--aasa", file, "-", data=some)
        world.run("match", "--aasa", file, "--format", "ndjson", "-", data=lines, form="ndjson")
        world.run("match", "--aasa", file, "--host", "www.example.com", "--os", "ios12", "-", data=some)
    world.run("match", "--aasa", "aasa.json", "--explain", *urls[:3])
    for url in world.some(urls, 10):
        world.run("match", "--aasa", "plain.json", url)
        world.run("match", "--aasa", "plain.json", "--expect", "-", data=b"open " + url + b"\n")
        world.run("match", "--aasa", "plain.json", "--expect", "-", stdin=url + b"\nbrowser:" + url + b"\n")


@case
def formats_test(world: World) -> None:
    """How lines are read, field by field, and how near formats come to those that aren't."""
    inputs.write(world.folder)
    for name in ("combined", "hosts", "json", "w3c"):
        world.run_everywhere("formats", "test", "logs/%s.log" % name, "--lines", "3000")
    for number, text in world.some(enumerate(inputs.ALL), 6):
        log = world.folder / ("log-%d" % number)
        log.write_bytes((text + b"\n") * 20)
        world.run("formats", "test", log)
        world.run("report", log, *SITE)
        log.write_bytes(b"#Fields: %s\n" % text + b"x y z\n" * 20)
        world.run("formats", "test", log)
        log.write_bytes(b'{"request_uri": "/%s", "%s": 1}\n' % (text, text) * 20)
        world.run("formats", "test", log)
        world.run("formats", "test", log, "--json-keys", b"target=" + text)
        world.run("formats", "test", log, "--log-format", text)
        world.run("formats", "test", log, "--log-format", b"$request_uri " + text + b" $status $" + text)


@case
def rejected_lines(world: World) -> None:
    """'--rejects' keeps lines as they are in a file, and shows them safely on a terminal."""
    inputs.write(world.folder)
    world.run("report", "logs", *SITE, "--rejects", "rejects.tsv")
    kept = (world.folder / "rejects.tsv").read_bytes()
    world.check(b"\x1b[31mred" in kept, "rejected lines aren't kept as they are")
    for place in ("/dev/stderr", "/dev/stdout", "/dev/tty", "/proc/self/fd/2"):
        world.run_on_terminal("report", "logs", *SITE, "--rejects", place, "-o", "out.txt")
    names = [line.split(b"\t")[0] for line in kept.split(b"\n")]
    world.check(all(complaint(name) is None for name in names if name.startswith(b"logs/")), "names in it are unsafe")


@case
def stores(world: World) -> None:
    """The store takes hostile logs in, and every command about it is safe."""
    inputs.write(world.folder)
    site = [*SITE, "--store", "store", "--deployed", "2026-06-01"]
    world.run_everywhere("ingest", "logs", "strange", *site, "--summary")
    for command in ("list", "check"):
        world.run_everywhere("store", command, "--store", "store")
    world.run("report", "--store", "store", "--no-config")
    world.run("report", "--store", "store", "--no-config", "--output-directory", "all")
    check_files(world, world.folder / "all")
    world.run("diff", "plain.json", "aasa.json", "--store", "store", "--host", "www.example.com", "--no-config")
    world.run("store", "rebuild", "--store", "store", "--routes", "routes.txt", "--no-config")
    for name in inputs.names():
        # Files in a store that aren't the command's own.
        with open(os.fsencode(world.folder) + b"/store/" + name, "wb") as file:
            file.write(name)
    world.run("store", "check", "--store", "store")
    world.run("ingest", "logs", *site)
    for name in world.some(inputs.names(), 8):
        world.run("store", "list", "--store", os.fsencode(world.folder) + b"/" + name)
        world.run("store", "remove-day", b"d" + name, "--store", "store")
