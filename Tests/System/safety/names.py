"""Hostile names: of files and directories, in arguments, in the environment, and in configurations."""
import json
import os

from safety import inputs
from safety.forms import form_complaint
from safety.texts import ALL, CONTROLS, HIDDEN
from safety.world import World, named
from support.cases import case
from support.inputs import HOST

SITE = ["--aasa", "plain.json", "--host", HOST, "--no-config"]


@case
def names_of_logs(world: World) -> None:
    """Logs and directories with hostile names, good, damaged and missing."""
    inputs.write(world.folder)
    world.run_everywhere("report", "strange", *SITE)
    for form in ("json", "html", "openmetrics", "ndjson"):
        world.run("report", "strange", *SITE, "--format", form, form=form)
    world.run("report", "strange", *SITE, "--format", "csv", "--table", "files", form="csv")
    listed = b"\0".join(b"strange/" + name + b"/" + name + b".log" for name in inputs.names())
    (world.folder / "list").write_bytes(listed)
    world.run("report", "--files-from", "list", *SITE)
    for name in world.some(inputs.names(), 12):
        inner = b"strange/" + name
        path = os.fsencode(world.folder) + b"/" + inner + b"/" + name + b".log"
        with open(path, "wb") as file:
            file.write(b"\x1f\x8b\x08\0damaged")
        world.run("report", inner, *SITE)
        world.run("report", b"missing/" + name, b"missing*" + name, *SITE)
        world.run("report", inner, "--aasa", inner, "--host", "www.example.com", "--no-config")
    world.run("report", "strange", *SITE)
    world.run("report", "strange", *SITE, "--format", "csv", "--table", "files", form="csv")
    world.run("report", "strange", *SITE, "--format", "html", form="html")


@case
def names_that_are_not_utf8(world: World) -> None:
    """Names that would be changed, and so name another file, are refused or reported."""
    inputs.write(world.folder)
    folder = world.folder / "bytes"
    folder.mkdir()
    name = b"caf\xe9.log"
    with open(os.fsencode(folder) + b"/" + name, "wb") as file:
        file.write((world.folder / "logs/hosts.log").read_bytes())
    for arguments in (
        ["report", b"bytes/" + name, *SITE], ["report", "logs/hosts.log", *SITE, "-o", b"bytes/" + name],
        ["digest", "logs/hosts.log", "--host", "www.example.com", "-o", b"\xff.digest"],
        ["report", "logs/hosts.log", *SITE, "--rejects", b"bytes/\xe9"],
    ):
        outcome = world.run(*arguments)
        world.equal(outcome.status, 64, named(arguments))
        world.check_says(outcome, "is not UTF-8")
    outcome = world.run("report", "bytes", *SITE)
    world.equal(outcome.status, 2, "a log whose name isn't UTF-8")
    world.check_says(outcome, "its name is not UTF-8")
    world.equal(os.listdir(os.fsencode(folder)), [name], "the files that are left")


# What options need before them for their values to be read.
CONTEXT = {
    "report": ["logs/combined.log", *SITE], "diff": ["plain.json", "plain.json"], "lint": ["plain.json"],
    "match": ["--aasa", "plain.json"], "compile": ["plain.json"], "ingest": ["logs", "--store", "s", *SITE],
    "digest": ["logs"], "init": ["-o", "-"], "suggest": ["logs", *SITE],
}


def options(world: World) -> list[list[str]]:
    """Each command, and each of its options, which a hostile word follows. 'fetch' gets no host, and asks nobody."""
    root = json.loads(world.run("--experimental-dump-help", checked=False).stdout)["command"]
    lines: list[list[str]] = [[], ["help"]]
    for command in root["subcommands"]:
        for part in [command, *command.get("subcommands", [])]:
            words = [*part["superCommands"][1:], part["commandName"]]
            lines += [words, [*words, *CONTEXT.get(words[0], [])]]
            lines += [[*lines[-1], "--" + name["name"]] for argument in part["arguments"]
                      for name in argument.get("names", []) if name["kind"] == "long"]
    return lines


@case
def arguments(world: World) -> None:
    """Errors quote arguments, on pipes and on terminals."""
    inputs.write(world.folder)
    (world.folder / "s").mkdir()
    texts = [b"a\nlinkaudit: b", *CONTROLS.values(), *HIDDEN.values()]
    whole = b"\xff " + b" ".join(texts)
    for words in world.some(options(world), 12):
        hostile: list[str | bytes] = [*words, whole]
        outcome = world.run(*hostile)
        world.check(b"\nlinkaudit: b" not in outcome.stderr, "a line feed of an argument begins a line: %r" % words)
        world.run_on_terminal(*hostile)
        if words and words[-1].startswith("--"):
            world.run(*words[:-1], os.fsencode(words[-1]) + b"=" + whole)
    for text in world.some(texts, 4):
        for words in (
            ["report"], ["fetch"], ["report", "--host"], ["match", "--aasa", "plain.json"], ["--"], [], ["store"],
        ):
            world.run(*words, text)
            world.run(*words, b"--" + text)
            world.run(*words, b"-" + text)


@case
def outputs(world: World) -> None:
    """Where output goes can have a hostile name, too."""
    inputs.write(world.folder)
    for name in world.some(inputs.names(), 4):
        place = os.fsencode(world.folder) + b"/out-" + name
        world.run("report", "logs/hosts.log", *SITE, "-o", place)
        world.run("report", "logs/hosts.log", *SITE, "--rejects", place, "-o", place)
        world.run("report", "logs/hosts.log", *SITE, "-o", b"missing/" + name + b"/x")
        world.run("digest", "logs/hosts.log", "--no-config", "-o", place)
        world.run("init", "-o", place)
        world.run("init", "-o", place, "--force", "--host", "www.example.com", place)
        world.run("suggest", "logs/hosts.log", *SITE, "--routes", "routes.txt", "--candidate", place + b".json")
        world.run("ingest", "logs/hosts.log", *SITE, "--store", place + b"-store", "--summary")
        world.run("store", "check", "--store", place + b"-store")


@case
def configurations(world: World) -> None:
    """Keys, values and paths of a configuration; YAML that is none."""
    inputs.write(world.folder)
    keys = {
        "logs": "inputs format json-keys since until host-from-path max-rejects",
        "report": "format table top by group fan-out fail-on thresholds rejects",
        "run": "jobs memory temporary-directory", "sites": "", "store": "", "ignore": "", "asset-extensions": "",
        "nonsense": ""}
    site = "sites: [{hosts: [%s], aasa: %s%s}]\n"
    for text in ["a\nb", *(text.decode("utf-8", "replace") for text in world.some(ALL, 3))]:
        quoted = json.dumps(text)
        values = ["%s: {%s: %s}\n" % (name, key, quoted) for name in keys for key in keys[name].split()]
        values += ["%s: %s\n" % (name, quoted) for name in keys]
        mistakes = [
            quoted + ": 1\n", "logs: {%s: 1}\n" % quoted, site % (quoted, quoted, ""),
            *(site % (HOST, path, more) for path, more in (
                (quoted, ""), *(("plain.json", more % quoted) for more in (", routes: %s", ", apps: [%s]", ", %s: x")))),
            "sites: &a [*b, %s]\n" % quoted,
            *(mistake % text for mistake in ("a: !%s x\n", "a: %s\n", "%s\n", "[%s\n", "a: 'x\n%s"))]
        for content in [*world.some(values, 8), *mistakes]:
            (world.folder / "a.yml").write_bytes(content.encode("utf-8", "surrogateescape"))
            world.run("report", "logs/hosts.log", *([] if content in mistakes else SITE[:-1]), "--config", "a.yml")
    for number, text in world.some(enumerate(ALL), 8):
        path = os.fsencode(world.folder) + b"/config-" + inputs.names()[number] + b".yml"
        with open(path, "wb") as file:
            file.write(b"logs:\n  format: " + text + b"\n")
        world.run("report", "logs/hosts.log", *SITE[:-1], "--config", path)
    world.check(form_complaint("text", b"\x1b") is not None, "the test lets escapes pass")
