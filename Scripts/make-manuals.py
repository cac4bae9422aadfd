#!/usr/bin/env python3
"""Writes the manual: a page of section 1 for the command, and one for each of its commands.

  make-manuals.py --binary linkaudit --output FOLDER

The pages are made of what '--help' is made of, so that both say the same. What help
doesn't hold, such as files and variables of the environment, stands below. The day of
the pages is that of the commit, or SOURCE_DATE_EPOCH.
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
    "report": ["diff", "suggest", "explain"],
    "diff": ["report", "suggest", "digest"],
    "suggest": ["report", "diff"],
    "lint": ["match", "fetch", "explain"],
    "fetch": ["lint", "report", "explain"],
    "match": ["lint", "compile", "diff"],
    "compile": ["match", "lint"],
    "ingest": ["store", "report"],
    "store": ["ingest", "report"],
    "digest": ["merge", "report", "diff"],
    "merge": ["digest"],
    "explain": ["lint", "report", "fetch"],
    "formats": ["report"],
    "init": ["report"],
}

# What exit statuses mean where it isn't what they mean elsewhere.
STATUSES = {
    "match": {"1": "with --expect, some URLs do something else than they should"},
    "compile": {"2": "the file could not be read, or SQL cannot say a rule exactly"},
    "store": {"2": "the store is damaged, or nothing could be done"},
}

CONFIGURATION = (
    "linkaudit.yml",
    "The configuration, read from the working directory unless '--config' names another file or "
    "'--no-config' is given. 'linkaudit init' writes one that says what each key is for. Options "
    "on the command line win over it.",
)

# Variables of the environment, what they do, and the options of the commands that they matter to.
ENVIRONMENT = [
    (
        "NO_COLOR",
        "If it is set and not empty, text on a terminal has no colors, unless '--color always' is given.",
        None,
    ),
    (
        "TERM",
        "With 'dumb', text on a terminal has neither colors nor bars of block elements.",
        None,
    ),
    (
        "LC_ALL, LC_CTYPE, LANG",
        "The first of these that isn't empty says whether the terminal shows UTF-8; if not, bars "
        "are drawn in ASCII. Files are always in UTF-8.",
        None,
    ),
    (
        "COLUMNS",
        "How wide help is. Reports are as wide as the terminal, or 80 columns in a file.",
        None,
    ),
    (
        "TMPDIR",
        "Where temporary files go if '--temporary-directory' isn't given; /tmp otherwise. They have "
        "no names, and vanish with the process.",
        "temporary-directory",
    ),
    (
        "SOURCE_DATE_EPOCH",
        "The present, in seconds since 1970, for '--since 7d' and the like, and for what a store "
        "keeps, so that runs can be repeated.",
        "since",
    ),
    (
        "SSL_CERT_FILE",
        "Certificates of authorities, in PEM, that are trusted besides those of the system.",
        "ca-certificate",
    ),
]


def roff(text):
    """The text with what is special to roff escaped."""
    text = text.replace("\\", "\\e")
    # An apostrophe stays one; other quotes are what can be typed.
    text = re.sub(r"(?<![A-Za-z])'|'(?![A-Za-z])", r"\\(aq", text)
    text = text.replace("~", "\\(ti").replace("^", "\\(ha").replace("`", "\\(ga")
    return text.replace("-", "\\-")


def prose(text):
    """A paragraph, with options in bold type and without line breaks."""
    text = re.sub(r"\s+", " ", text.strip())
    out = []
    for part in re.split(r"((?<![\w'-])'[^']*'(?!\w)|(?<![\w-])--?[a-z][a-z-]*)", text):
        if part.startswith("'") and part.endswith("'") and len(part) > 1:
            out.append("\\(aq" + roff(part[1:-1]) + "\\(aq")
        elif re.fullmatch(r"--?[a-z][a-z-]*", part):
            out.append(bold(part))
        else:
            out.append(roff(part))
    line = "".join(out)
    return "\\&" + line if line[:1] in (".", "'") else line


def bold(text):
    return "\\fB" + roff(text) + "\\fR"


def italic(text):
    return "\\fI" + roff(text) + "\\fR"


def literal(lines):
    """Lines that stay as they are, indented."""
    out = [".PP", ".in +2n", ".nf"]
    for line in lines:
        line = roff(line)
        out.append("\\&" + line if line[:1] in (".", "'") else line)
    return out + [".fi", ".in"]


def cut(discussion):
    """The paragraphs of a discussion, and its sections by their headings."""
    sections = {"": []}
    current = ""
    for line in (discussion or "").split("\n"):
        if re.fullmatch(r"[A-Z][A-Z ]+", line):
            current = line
            sections[current] = []
        else:
            sections[current].append(line)
    return sections


def paragraphs(lines):
    """Blocks of lines that blank lines separate, each with its indentation."""
    block = []
    for line in lines + [""]:
        if line.strip():
            block.append(line)
        elif block:
            depth = min(len(line) - len(line.lstrip()) for line in block)
            yield depth, [line[depth:] for line in block]
            block = []


def text_section(lines, base):
    out = []
    for depth, block in paragraphs(lines):
        if depth > base:
            out += literal(block)
        else:
            out += [".PP", prose(" ".join(block))]
    return out


def statuses(lines, changes=None):
    """What exit statuses mean; those that are changed to nothing are left out."""
    out = []
    for line in lines:
        match = re.fullmatch(r"  (\d+)\s+(.*)", line)
        meaning = match and (changes or {}).get(match[1], match[2])
        if meaning:
            out += [".TP 5", bold(match[1]), prose(sentence(meaning))]
    return out


def sentence(text):
    text = text[0].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else text + "."


def is_help(argument):
    names = {name["name"] for name in argument.get("names", [])}
    return bool(names & {"help", "version"})


def names(argument):
    """The names of an option as they are typed, the short one first."""
    # The parser knows no short name of this one.
    if any(name["name"] == "version" for name in argument["names"]):
        return ["-V", "--version"]
    dashes = {"short": "-", "long": "--", "longWithSingleDash": "-"}
    order = sorted(argument["names"], key=lambda name: name["kind"] != "short")
    return [dashes[name["kind"]] + name["name"] for name in order]


def entry(argument):
    """An argument or option, and what it is for."""
    if any(name["name"] == "help" for name in argument.get("names", [])):
        brief = [".TP", bold("-h"), prose("Show the usual options on one screen.")]
        return brief + [".TP", bold("--help"), prose("Show all options.")]
    if argument["kind"] == "positional":
        head = italic(argument["valueName"])
    else:
        head = ", ".join(bold(name) for name in names(argument))
        if argument["kind"] == "option":
            head += " " + italic(argument["valueName"])
    text, parenthesis, default = (argument.get("abstract") or "").partition(" (default:")
    values = argument.get("allValues") or []
    if not all(value.split(":")[0] in text + argument["valueName"] for value in values):
        text = f"{sentence(text)} One of {', '.join(values[:-1])} or {values[-1]}."
    if argument.get("defaultValue"):
        parenthesis, default = " (default:", f" {argument['defaultValue']})"
    return [".TP", head, prose(text + parenthesis + default)]


def options_of(command):
    """The options by their section's title, untitled ones first, and those of help last."""
    sections = {}
    for argument in command["arguments"]:
        if argument["kind"] == "positional" or not argument["shouldDisplay"]:
            continue
        if is_help(argument):
            continue
        sections.setdefault(argument.get("sectionTitle") or "", []).append(argument)
    sections.setdefault("", []).extend(
        argument
        for argument in command["arguments"]
        if argument["kind"] != "positional" and argument["shouldDisplay"] and is_help(argument)
    )
    return sorted(sections.items(), key=lambda section: section[0] != "")


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
    # Words of the command stay together.
    return " ".join(words)


def positionals(command):
    positional = [a for a in command["arguments"] if a["kind"] == "positional" and a.get("abstract")]
    return [line for argument in positional for line in entry(argument)]


class Page:
    """A page of the manual."""

    def __init__(self, name, abstract, version, date):
        self.lines = [
            '.\\" Made by Scripts/make-manuals.py from the help of the command.',
            f'.TH {name.upper()} 1 "{date}" "{NAME} {version}" "User Commands"',
            # Words aren't cut, so that names can be copied; lines are ragged.
            ".nh",
            ".ad l",
            ".SH NAME",
            f"{roff(name)} \\- {prose(summary(abstract))}",
        ]

    def section(self, title, lines):
        if lines:
            # A paragraph at the beginning of a section needs no distance.
            lines = lines[1:] if lines[0] == ".PP" else lines
            self.lines += [f".SH {title}"] + lines

    def arguments(self, command):
        self.section("ARGUMENTS", positionals(command))
        out = []
        for title, options in options_of(command):
            out += [f".SS {title}"] if title else []
            out += [line for option in options for line in entry(option)]
        self.section("OPTIONS", out)

    def text(self):
        return "\n".join(self.lines) + "\n"


def summary(abstract):
    """An abstract as the line of a page's name has it."""
    text = abstract.rstrip(".")
    return text[0].lower() + text[1:]


def references(names_of_pages):
    return ",\n".join(f"{bold(name)}(1)" for name in names_of_pages)


def environment(option_names):
    out = []
    for name, text, option in ENVIRONMENT:
        if option is None or option in option_names:
            out += [".TP", ", ".join(bold(each) for each in name.split(", ")), prose(text)]
    return out


def all_options(command):
    found = {name["name"] for a in command["arguments"] for name in a.get("names", [])}
    for child in command.get("subcommands", []):
        found |= all_options(child)
    return found


def examples(lines):
    """Commands, cut anew where they would be wider than a terminal of 80 columns."""
    commands = []
    for line in lines:
        if line.startswith("   "):
            commands[-1] += " " + line.strip(" \\")
        elif line.strip():
            commands.append(line.strip(" \\"))
    out = []
    for command in commands:
        # An option stays beside its value.
        units = re.findall(r"\| \S+(?: [a-z][a-z-]*)?|--?\w\S*(?: [^-|\s'\"][^\s]*)?|'[^']*'|\"[^\"]*\"|\S+", command)
        line = ""
        for unit in units:
            if line.strip() and len(line) + 1 + len(unit) > LITERAL_WIDTH - 2:
                out.append(line + " \\")
                line = "   "
            line += " " * bool(line) + unit
        out.append(line)
    return literal(out)


def command_page(command, root_statuses, version, date):
    path = [NAME, command["commandName"]]
    page = Page("-".join(path), command["abstract"], version, date)
    children = [child for child in command.get("subcommands", []) if child["shouldDisplay"]]
    lines = []
    for child in children or [command]:
        name = child["commandName"]
        line = synopsis(child, path + [name] * bool(children))
        if name == command.get("defaultSubcommand"):
            line = f"{bold(' '.join(path))} [{bold(name)}]" + line.partition("\\fR")[2]
        lines += [line, ".br"]
    page.section("SYNOPSIS", lines[:-1])
    sections = cut(command.get("discussion"))
    page.section(
        "DESCRIPTION", text_section(sections[""], 0) or [".PP", prose(command["abstract"])]
    )
    shown = []
    if children:
        # What all of them take is told once.
        entries = [[entry(o) for _, group in options_of(child) for o in group] for child in children]
        common = [each for each in entries[0] if all(each in others for others in entries)]
        out = []
        for child, its in zip(children, entries):
            name = " ".join(path + [child["commandName"]])
            out += [f".SS {roff(name)}", prose(child["abstract"])]
            inner = cut(child.get("discussion"))
            out += text_section(inner[""], 0) + positionals(child)
            out += [line for each in its if each not in common for line in each]
            shown += inner.get("EXAMPLES", [])
        page.section("COMMANDS", out)
        page.section("OPTIONS", [line for each in common for line in each])
    else:
        page.arguments(command)
    for title, body in sections.items():
        if title not in ("", "EXAMPLES", "EXIT STATUS"):
            page.section(title, text_section(body, 2))
    options = all_options(command)
    changes = {"1": None} if "fail-on" not in options else {}
    changes |= STATUSES.get(command["commandName"], {})
    page.section("EXIT STATUS", statuses(sections.get("EXIT STATUS", root_statuses), changes))
    if "config" in options:
        page.section("FILES", [".TP", italic(CONFIGURATION[0]), prose(CONFIGURATION[1])])
    page.section("ENVIRONMENT", environment(options))
    known = sections.get("EXAMPLES", [])
    page.section("EXAMPLES", examples(known + [line for line in shown if line not in known])[1:])
    related = [NAME] + [f"{NAME}-{name}" for name in RELATED.get(command["commandName"], [])]
    page.section("SEE ALSO", [references(related)])
    return "-".join(path), page.text()


def root_page(command, version, date):
    page = Page(NAME, command["abstract"], version, date)
    sections = cut(command.get("discussion"))
    page.section(
        "SYNOPSIS",
        [
            f"{bold(NAME)} {italic('command')} [{italic('options')}] [{italic('arguments')}]",
            ".br",
            f"{bold(NAME + ' help')} {italic('command')}",
        ],
    )
    page.section("DESCRIPTION", text_section(sections[""], 0))
    commands = [c for c in command["subcommands"] if c["shouldDisplay"] and c["commandName"] != "help"]
    out = []
    for child in commands:
        name = f"{NAME}-{child['commandName']}"
        out += [".TP", f"{bold(name)}(1)", prose(child["abstract"])]
    page.section("COMMANDS", out)
    page.section("OPTIONS", [line for a in command["arguments"] for line in entry(a)])
    page.section("EXIT STATUS", statuses(sections["EXIT STATUS"]))
    page.section("FILES", [".TP", italic(CONFIGURATION[0]), prose(CONFIGURATION[1])])
    page.section("ENVIRONMENT", environment(all_options(command)))
    page.section("EXAMPLES", examples(sections["EXAMPLES"])[1:])
    page.section("SEE ALSO", [references(f"{NAME}-{c['commandName']}" for c in commands)])
    return NAME, page.text()


def day(version_line):
    """The day of the pages."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch:
        moment = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc)
        return moment.date().isoformat()
    found = re.search(r"\d{4}-\d{2}-\d{2}", version_line)
    return found[0] if found else datetime.date.today().isoformat()


def main():
    parser = argparse.ArgumentParser(description="Writes the manual.")
    parser.add_argument("--binary", required=True, help="the command")
    parser.add_argument("--output", required=True, type=pathlib.Path, help="where pages go")
    arguments = parser.parse_args()

    def ask(option):
        return subprocess.run(
            [arguments.binary, option], check=True, capture_output=True, text=True
        ).stdout

    version_line = ask("--version").strip()
    version = version_line.split(" (")[0].split()[-1]
    root = json.loads(ask("--experimental-dump-help"))["command"]
    root_statuses = cut(root["discussion"])["EXIT STATUS"]
    date = day(version_line)
    pages = [root_page(root, version, date)] + [
        command_page(child, root_statuses, version, date)
        for child in root["subcommands"]
        if child["shouldDisplay"] and child["commandName"] != "help"
    ]
    arguments.output.mkdir(parents=True, exist_ok=True)
    for name, text in pages:
        (arguments.output / f"{name}.1").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
