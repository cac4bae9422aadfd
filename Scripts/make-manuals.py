#!/usr/bin/env python3
"""Writes the manual: a page of section 1 for the command, and one for each of its commands.

The pages are made of what '--help' is made of, so that both say the same; the variables of the environment are those of
Documentation/Options.md. The day of the pages is that of the commit, or SOURCE_DATE_EPOCH.
"""
import argparse
import datetime
import functools
import itertools
import json
import os
import pathlib
import re
import subprocess
import textwrap

NAME = "linkaudit"
ROOT = pathlib.Path(__file__).resolve().parents[1]
# Characters that are special to roff.
ESCAPES = str.maketrans({"\\": "\\e", "~": "\\(ti", "^": "\\(ha", "`": "\\(ga", "-": "\\-"})


def roff(text):
    # An apostrophe stays one; other quotes are what can be typed.
    text = re.sub(r"(?<![A-Za-z])'|'(?![A-Za-z])", r"\\(aq", text.translate(ESCAPES))
    return re.sub(r"^(?=\.\S)", r"\\&", text)


def font(letter, text):
    return f"\\f{letter}{roff(text)}\\fR"


bold, italic = functools.partial(font, "B"), functools.partial(font, "I")


def prose(text):
    """A paragraph, with options in bold type and without line breaks."""
    parts = re.split(r"((?<![\w'-])'[^']*'(?!\w)|(?<![\w-])--?[a-z][a-z-]*)", re.sub(r"\s+", " ", text.strip()))
    return "".join(bold(part) if re.fullmatch(r"--?[a-z][a-z-]*", part) else roff(part) for part in parts)


def sentence(text):
    return text[0].upper() + text[1:].rstrip(".") + "."


def item(head, text, tag=".TP"):
    return [tag, head, prose(text)]


def literal(lines):
    """Lines that stay as they are, indented."""
    return [".PP", ".in +2n", ".nf", *map(roff, lines), ".fi", ".in"]


def paragraphs(lines, base):
    """Blocks of lines that blank lines separate; those that are indented further than the base stay as they are."""
    out = []
    for block in filter(str.strip, re.split(r"\n(?:\s*\n)+", "\n".join(lines).strip("\n"))):
        is_literal = all(line.startswith(" " * (base + 1)) for line in block.split("\n"))
        out += literal(textwrap.dedent(block).split("\n")) if is_literal else [".PP", prose(block)]
    return out


def examples(lines):
    """Commands, cut anew where they would be wider than a terminal of 80 columns."""
    out = []
    for command in re.sub(r" *\\?\n   +", " ", "\n".join(lines)).split("\n"):
        # An option stays beside its value, and what is in quotes is not cut.
        units = re.sub(r"\| \S+(?: [a-z][a-z-]*)?|--?\w\S*(?: [^-|\s'\"][^\s]*)?|'[^']*'|\"[^\"]*\"",
                       lambda unit: unit[0].replace(" ", "\0"), command.strip(" \\"))
        out += " \\\n".join(textwrap.wrap(
            units, 69, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)).splitlines()
    return literal(line.replace("\0", " ") for line in out)


def cut(discussion):
    """The lines of a discussion, and those of its sections by their headings."""
    parts = re.split(r"(?m)^([A-Z][A-Z ]+)$", discussion or "")
    return {title: text.strip("\n").split("\n") for title, text in zip(["", *parts[1::2]], parts[::2])}


def names(argument):
    """The names of an option as they are typed, the short one first."""
    found = [("-" if name["kind"] == "short" else "--") + name["name"] for name in argument.get("names", [])]
    # The parser knows no short name of this one.
    return ["-V", "--version"] if "--version" in found else sorted(found, key=lambda name: name.startswith("--"))


def described(command):
    """What help shows: arguments, then options, first those without a title, of which those of help are the last."""
    shown = [each for each in command["arguments"] if each["shouldDisplay"] and each.get("abstract")]
    titles = ["", *dict.fromkeys(each.get("sectionTitle", "") for each in shown)]
    return sorted(shown, key=lambda each: (
        each["kind"] != "positional", titles.index(each.get("sectionTitle", "")),
        bool({"--help", "--version"} & set(names(each)))))


def entry(argument):
    """An argument or option, and what it is for."""
    if "--help" in names(argument):
        return item(bold("-h"), "Show the usual options on one screen.") + item(bold("--help"), "Show all options.")
    head = ", ".join(map(bold, names(argument)))
    if argument["kind"] != "flag":
        head += " " * bool(head) + italic(argument["valueName"])
    text, parenthesis, default = (argument.get("abstract") or "").partition(" (default:")
    values = argument.get("allValues") or []
    if not all(value.split(":")[0] in text + argument["valueName"] for value in values):
        text = f"{sentence(text)} One of {', '.join(values[:-1])} or {values[-1]}."
    if argument.get("defaultValue"):
        parenthesis, default = " (default:", f" {argument['defaultValue']})"
    return item(head, text + parenthesis + default)


def synopsis(path, command):
    needed = [option for option in described(command) if option["kind"] == "option" and not option["isOptional"]]
    words = [bold(names(option)[-1]) + " " + italic(option["valueName"]) for option in needed]
    words.append("[" + italic("options") + "]")
    for argument in (each for each in command["arguments"] if each["kind"] == "positional"):
        word = italic(argument["valueName"]) + " ..." * argument["isRepeating"]
        words.append("[" + word + "]" if argument["isOptional"] else word)
    return " ".join([bold(path), *words])


def body(path, command, sections):
    """The sections of a command's page that no other page has; what all of its subcommands take is told once."""
    children = [child for child in command.get("subcommands", []) if child["shouldDisplay"]]
    usage, commands = [] if children else [synopsis(path, command)], []
    common = [each for each in described((children or [command])[0])
              if all(entry(each) in map(entry, described(child)) for child in children)]
    options = [each for each in common if each["kind"] != "positional"]
    for child in children:
        name = f"{path} {child['commandName']}"
        usage.append(synopsis(name, child))
        commands += [f".SS {roff(name)}", prose(child["abstract"]), *paragraphs(cut(child.get("discussion"))[""], 0)]
        commands += [line for each in map(entry, described(child)) if each not in map(entry, common) for line in each]
    return {
        "SYNOPSIS": ["\n.br\n".join(usage)],
        "DESCRIPTION": paragraphs(sections[""], 0) or [".PP", prose(command["abstract"])],
        "COMMANDS": commands,
        "ARGUMENTS": [line for each in common if each["kind"] == "positional" for line in entry(each)],
        "OPTIONS": [line for title, its in itertools.groupby(options, lambda option: option.get("sectionTitle"))
                    for line in ([f".SS {title}"] if title else []) + [line for option in its for line in entry(option)]],
        **{title: paragraphs(lines, 2) for title, lines in sections.items() if title not in ("", "EXAMPLES", "EXIT STATUS")},
    }


def page(name, command, sections, lines, related, stamp):
    """A page: sections whose text is given, and what is the same for all."""
    variables = re.findall(
        r"(?m)^\| `([A-Z].*)` \| (.*) \|$", (ROOT / "Documentation/Options.md").read_text(encoding="utf-8"))
    statuses = re.findall(r"(?m)^  (\d+)\s+(.*)$", "\n".join(sections["EXIT STATUS"]))
    lines |= {
        "EXIT STATUS": [line for status, text in statuses if "--fail-on" not in text or '"fail-on"' in json.dumps(command)
                        for line in item(bold(status), sentence(text), ".TP 5")],
        "ENVIRONMENT": [line for variable, text in variables
                        for line in item(", ".join(map(bold, variable.split("`, `"))), sentence(text.replace("`", "'")))],
        "EXAMPLES": examples(sections["EXAMPLES"])[1:],
        "SEE ALSO": [",\n".join(f"{bold(other)}(1)" for other in related)],
    }
    abstract = command["abstract"][0].lower() + command["abstract"][1:].rstrip(".")
    # Words aren't cut, so that names can be copied; lines are ragged.
    out = ['.\\" Made by Scripts/make-manuals.py from the help of the command.', f".TH {name.upper()} 1 {stamp}", ".nh", ".ad l",
           ".SH NAME", f"{roff(name)} \\- {prose(abstract)}"]
    for title, text in lines.items():
        # A paragraph at the beginning of a section needs no distance.
        out += [f".SH {title}", *(text[1:] if text[0] == ".PP" else text)] if text else []
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Writes the manual.")
    parser.add_argument("--binary", required=True, help="the command")
    parser.add_argument("--output", required=True, type=pathlib.Path, help="where pages go")
    given = parser.parse_args()
    version, dump = (
        subprocess.run([given.binary, option], check=True, capture_output=True, text=True).stdout.strip()
        for option in ("--version", "--experimental-dump-help"))
    date = (re.search(r"\d{4}-\d{2}-\d{2}", version) or [datetime.date.today().isoformat()])[0]
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        date = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc).date().isoformat()
    stamp = f'"{date}" "{version.split(" (")[0]}" "User Commands"'
    root = json.loads(dump)["command"]
    commands = {f"{NAME}-{each['commandName']}": each for each in root["subcommands"]
                if each["shouldDisplay"] and each["commandName"] != "help"}
    sections = cut(root["discussion"])
    lines = body(NAME, {**root, "subcommands": []}, sections)
    lines |= {
        "SYNOPSIS": [f"{bold(NAME)} {italic('command')} [{italic('options')}] [{italic('arguments')}]"],
        "COMMANDS": [line for name, each in commands.items() for line in item(f"{bold(name)}(1)", each["abstract"])]}
    given.output.mkdir(parents=True, exist_ok=True)
    (given.output / f"{NAME}.1").write_text(page(NAME, root, sections, lines, commands, stamp), encoding="utf-8")
    for name, command in commands.items():
        own = {"EXIT STATUS": sections["EXIT STATUS"], "EXAMPLES": []} | cut(command.get("discussion"))
        text = page(name, command, own, body(name.replace("-", " "), command, own), [NAME], stamp)
        (given.output / f"{name}.1").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
