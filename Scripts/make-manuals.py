#!/usr/bin/env python3
"""Writes the manual: a page of section 1 for the command, and one for each of its commands.

  make-manuals.py --binary linkaudit --output FOLDER

The pages are made of what '--help' is made of, so that both say the same. What help doesn't hold, such as files and
variables of the environment, stands below. The day of the pages is that of the commit, or SOURCE_DATE_EPOCH.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess

NAME = "linkaudit"

# What lines that stay as they are have of 80 columns.
LITERAL_WIDTH = 80 - 7 - 2

# Commands that are often used together.
RELATED = {
    "report": "diff suggest explain", "diff": "report suggest digest", "suggest": "report diff", "lint": "match fetch explain",
    "fetch": "lint report explain", "match": "lint compile diff", "compile": "match lint", "ingest": "store report",
    "store": "ingest report", "digest": "merge report diff", "merge": "digest", "explain": "lint report fetch",
    "formats": "report", "init": "report",
}
# What exit statuses mean where it isn't what they mean elsewhere.
STATUSES = {
    "match": {"1": "with --expect, some URLs do something else than they should"},
    "compile": {"2": "the file could not be read, or SQL cannot say a rule exactly"},
    "store": {"2": "the store is damaged, or nothing could be done"},
}
CONFIGURATION = (
    "The configuration, read from the working directory unless '--config' names another file or '--no-config' is given. "
    "'linkaudit init' writes one that says what each key is for. Options on the command line win over it."
)
# Variables of the environment, the options of the commands that they matter to, and what they do.
ENVIRONMENT = [
    ("NO_COLOR", None, "If it is set and not empty, text on a terminal has no colors, unless '--color always' is given."),
    ("TERM", None, "With 'dumb', text on a terminal has neither colors nor bars of block elements."),
    ("LC_ALL, LC_CTYPE, LANG", None, "The first of these that isn't empty says whether the terminal shows UTF-8; if not, bars "
     "are drawn in ASCII. Files are always in UTF-8."),
    ("COLUMNS", None, "How wide help is. Reports are as wide as the terminal, or 80 columns in a file."),
    ("TMPDIR", "temporary-directory", "Where temporary files go if '--temporary-directory' isn't given; /tmp otherwise. They "
     "have no names, and vanish with the process."),
    ("SOURCE_DATE_EPOCH", "since", "The present, in seconds since 1970, for '--since 7d' and the like, and for what a store "
     "keeps, so that runs can be repeated."),
    ("SSL_CERT_FILE", "ca-certificate", "Certificates of authorities, in PEM, that are trusted besides those of the system."),
]


def roff(text):
    """The text with what is special to roff escaped."""
    # An apostrophe stays one; other quotes are what can be typed.
    text = re.sub(r"(?<![A-Za-z])'|'(?![A-Za-z])", r"\\(aq", text.replace("\\", "\\e"))
    for character, escaped in (("~", "\\(ti"), ("^", "\\(ha"), ("`", "\\(ga"), ("-", "\\-")):
        text = text.replace(character, escaped)
    return text


def plain(line):
    return "\\&" + line if line[:1] in (".", "'") else line


def prose(text):
    """A paragraph, with options in bold type and without line breaks."""
    parts = re.split(r"((?<![\w'-])'[^']*'(?!\w)|(?<![\w-])--?[a-z][a-z-]*)", re.sub(r"\s+", " ", text.strip()))
    for number, part in enumerate(parts):
        if part.startswith("'") and part.endswith("'") and len(part) > 1:
            parts[number] = "\\(aq" + roff(part[1:-1]) + "\\(aq"
        else:
            parts[number] = bold(part) if re.fullmatch(r"--?[a-z][a-z-]*", part) else roff(part)
    return plain("".join(parts))


def bold(text):
    return "\\fB" + roff(text) + "\\fR"


def italic(text):
    return "\\fI" + roff(text) + "\\fR"


def sentence(text):
    text = text[0].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else text + "."


def item(head, text, tag=".TP"):
    return [tag, head, prose(text)]


def literal(lines):
    """Lines that stay as they are, indented."""
    return [".PP", ".in +2n", ".nf", *(plain(roff(line)) for line in lines), ".fi", ".in"]


def cut(discussion):
    """The paragraphs of a discussion, and its sections by their headings."""
    sections = {"": []}
    for line in (discussion or "").split("\n"):
        if re.fullmatch(r"[A-Z][A-Z ]+", line):
            sections[line] = []
        else:
            sections[list(sections)[-1]].append(line)
    return sections


def text_section(lines, base):
    """Blocks of lines that blank lines separate; those that are indented further than the base stay as they are."""
    out = []
    for block in re.split(r"\n(?:\s*\n)+", "\n".join(lines).strip("\n")):
        rows = [line for line in block.split("\n") if line.strip()]
        depth = min((len(line) - len(line.lstrip()) for line in rows), default=0)
        rows = [line[depth:] for line in rows]
        out += [] if not rows else literal(rows) if depth > base else [".PP", prose(" ".join(rows))]
    return out


def statuses(lines, changes):
    """What exit statuses mean; those that are changed to nothing are left out."""
    found = [match.groups() for match in (re.fullmatch(r"  (\d+)\s+(.*)", line) for line in lines) if match]
    found = [(number, changes.get(number, meaning)) for number, meaning in found]
    return [line for number, meaning in found if meaning for line in item(bold(number), sentence(meaning), ".TP 5")]


def names(argument):
    """The names of an option as they are typed, the short one first."""
    found = argument.get("names", [])
    # The parser knows no short name of this one.
    if any(name["name"] == "version" for name in found):
        return ["-V", "--version"]
    dashes = {"short": "-", "long": "--", "longWithSingleDash": "-"}
    return [dashes[name["kind"]] + name["name"] for name in sorted(found, key=lambda name: name["kind"] != "short")]


def is_help(argument):
    return bool({"--help", "--version"} & set(names(argument)))


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


def options_of(command):
    """The options by their section's title, untitled ones first, and those of help last."""
    sections = {}
    shown = [a for a in command["arguments"] if a["kind"] != "positional" and a["shouldDisplay"]]
    for argument in sorted(shown, key=is_help):
        title = "" if is_help(argument) else argument.get("sectionTitle") or ""
        sections.setdefault(title, []).append(argument)
    return sorted(sections.items(), key=lambda section: section[0] != "")


def positionals(command):
    found = [a for a in command["arguments"] if a["kind"] == "positional" and a.get("abstract")]
    return [line for argument in found for line in entry(argument)]


def synopsis(command, path):
    words = [bold(" ".join(path))]
    for argument in command["arguments"]:
        if argument["kind"] == "option" and not argument["isOptional"]:
            words.append(bold(names(argument)[-1]) + " " + italic(argument["valueName"]))
    if any(a["kind"] != "positional" and not is_help(a) for a in command["arguments"]):
        words.append("[" + italic("options") + "]")
    for argument in command["arguments"]:
        if argument["kind"] == "positional":
            word = italic(argument["valueName"]) + " ..." * argument["isRepeating"]
            words.append("[" + word + "]" if argument["isOptional"] else word)
    return " ".join(words)


def all_options(command):
    found = {name["name"] for a in command["arguments"] for name in a.get("names", [])}
    return found.union(*map(all_options, command.get("subcommands", [])))


def examples(lines):
    """Commands, cut anew where they would be wider than a terminal of 80 columns."""
    out = []
    for command in re.sub(r" *\\?\n   +", " ", "\n".join(lines)).split("\n"):
        # An option stays beside its value.
        units = re.findall(r"\| \S+(?: [a-z][a-z-]*)?|--?\w\S*(?: [^-|\s'\"][^\s]*)?|'[^']*'|\"[^\"]*\"|\S+", command.strip(" \\"))
        line = ""
        for unit in units:
            if line.strip() and len(line) + 1 + len(unit) > LITERAL_WIDTH - 2:
                out.append(line + " \\")
                line = "   "
            line += " " * bool(line) + unit
        out += [line] if units else []
    return literal(out)[1:]


def page(name, command, sections, version, date, lines, related):
    """A page: sections whose text is given, and what is the same for all."""
    options = all_options(command)
    changes = {} if "fail-on" in options else {"1": None}
    changes |= STATUSES.get(command["commandName"], {})
    environment = [(head, text) for head, option, text in ENVIRONMENT if option in (None, *options)]
    lines |= {
        "EXIT STATUS": statuses(sections["EXIT STATUS"], changes),
        "FILES": item(italic("linkaudit.yml"), CONFIGURATION) if "config" in options else [],
        "ENVIRONMENT": [
            line for head, text in environment for line in item(", ".join(map(bold, head.split(", "))), text)],
        "EXAMPLES": examples(sections["EXAMPLES"]),
        "SEE ALSO": [",\n".join(f"{bold(name)}(1)" for name in related)],
    }
    abstract = command["abstract"].rstrip(".")
    # Words aren't cut, so that names can be copied; lines are ragged.
    out = ['.\\" Made by Scripts/make-manuals.py from the help of the command.',
           f'.TH {name.upper()} 1 "{date}" "{NAME} {version}" "User Commands"', ".nh", ".ad l", ".SH NAME",
           f"{roff(name)} \\- {prose(abstract[0].lower() + abstract[1:])}"]
    for title, text in lines.items():
        # A paragraph at the beginning of a section needs no distance.
        out += [f".SH {title}", *(text[1:] if text[0] == ".PP" else text)] if text else []
    return "\n".join(out) + "\n"


def command_lines(command, sections):
    """The sections of a command's page that no other page has."""
    path = [NAME, command["commandName"]]
    children = [child for child in command.get("subcommands", []) if child["shouldDisplay"]]
    lines = []
    for child in children or [command]:
        name = child["commandName"]
        line = synopsis(child, path + [name] * bool(children))
        if name == command.get("defaultSubcommand"):
            line = f"{bold(' '.join(path))} [{bold(name)}]" + line.partition("\\fR")[2]
        lines += [line, ".br"]
    found = {"SYNOPSIS": lines[:-1], "DESCRIPTION": text_section(sections[""], 0) or [".PP", prose(command["abstract"])]}
    if children:
        # What all of them take is told once.
        entries = [[entry(o) for _, group in options_of(child) for o in group] for child in children]
        common = [each for each in entries[0] if all(each in others for others in entries)]
        out = []
        for child, its in zip(children, entries):
            out += [f".SS {roff(' '.join(path + [child['commandName']]))}", prose(child["abstract"])]
            inner = cut(child.get("discussion"))
            out += text_section(inner[""], 0) + positionals(child)
            out += [line for each in its if each not in common for line in each]
            known = sections.setdefault("EXAMPLES", [])
            known += [line for line in inner.get("EXAMPLES", []) if line not in known]
        found |= {"COMMANDS": out, "OPTIONS": [line for each in common for line in each]}
    else:
        out = []
        for title, options in options_of(command):
            out += ([f".SS {title}"] if title else []) + [line for option in options for line in entry(option)]
        found |= {"ARGUMENTS": positionals(command), "OPTIONS": out}
    for title, body in sections.items():
        if title not in ("", "EXAMPLES", "EXIT STATUS"):
            found[title] = text_section(body, 2)
    return found


def main():
    parser = argparse.ArgumentParser(description="Writes the manual.")
    parser.add_argument("--binary", required=True, help="the command")
    parser.add_argument("--output", required=True, type=pathlib.Path, help="where pages go")
    given = parser.parse_args()
    version_line, text = (
        subprocess.run([given.binary, option], check=True, capture_output=True, text=True).stdout.strip()
        for option in ("--version", "--experimental-dump-help"))
    version = version_line.split(" (")[0].split()[-1]
    stamp = re.search(r"\d{4}-\d{2}-\d{2}", version_line)
    date = stamp[0] if stamp else datetime.date.today().isoformat()
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        date = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc).date().isoformat()
    root = json.loads(text)["command"]
    sections = cut(root["discussion"])
    commands = {f"{NAME}-{c['commandName']}": c for c in root["subcommands"] if c["shouldDisplay"] and c["commandName"] != "help"}
    pages = {NAME: page(NAME, root, sections, version, date, {
        "SYNOPSIS": [f"{bold(NAME)} {italic('command')} [{italic('options')}] [{italic('arguments')}]", ".br",
                     f"{bold(NAME + ' help')} {italic('command')}"],
        "DESCRIPTION": text_section(sections[""], 0),
        "COMMANDS": [line for name, c in commands.items() for line in item(f"{bold(name)}(1)", c["abstract"])],
        "OPTIONS": [line for argument in root["arguments"] for line in entry(argument)],
    }, commands)}
    for name, command in commands.items():
        own = {"EXIT STATUS": sections["EXIT STATUS"], "EXAMPLES": []} | cut(command.get("discussion"))
        related = [NAME] + [f"{NAME}-{other}" for other in RELATED.get(command["commandName"], "").split()]
        pages[name] = page(name, command, own, version, date, command_lines(command, own), related)
    given.output.mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        (given.output / f"{name}.1").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
