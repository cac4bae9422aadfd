"""Association files, and URLs to ask them about: conformance vectors, files of real sites, and random ones."""
import dataclasses
import json
import os
import pathlib
import random
import re
from collections.abc import Iterator
from typing import Any

from support.inputs import ROOT

SHARED = pathlib.Path(os.environ.get("LINKAUDIT_SHARED", ROOT.parent / "shared"))
HOST = "www.example.com"

# Texts that systems treat in their own way.
ODD = ["%2F", "%2f", "%61", "%41", "%", "%4", "%zz", "%25", "%00", "%C3%A9", "%c3%a9", "%C3", "%FF", "%ED%A0%80", "%F0%9F%98%80",
       "%2A", "%26", "%3D", "é", "É", "ß", "ẞ", "K", "ſ", "😀", " ", "|", "\"", "<", "\\", "^", "`", "{", "[", "]", "\t", "\r", "\0", "\x7f", "\u0085", "\u2028", "'",
       "+", ";", ",", ":", "@", "!", "~", "(", ")", "$", "*", "**", "//", "///", "/", ".", "-", "&", "=", "&&", "#", "?"]
PLAIN = ["a", "b", "B", "c", "7", "x", "K", "k", "s", "en", "US", "/", "/", "-", "."]


@dataclasses.dataclass(frozen=True)
class Rules:
    """An association file as a host and a generation of systems read it."""

    content: bytes
    host: str = HOST
    system: str = "ios13+"


@dataclasses.dataclass(frozen=True)
class Links:
    """Files, and the URLs that all of them are asked about."""

    name: str
    files: list[Rules]
    urls: list[bytes]


def vectors() -> Links:
    """The vectors of the package, and those of the shared folder."""
    lines = []
    for folder in (ROOT / "Tests/UniversalLinksTests/Vectors", SHARED / "vectors"):
        for path in sorted(folder.glob("*.jsonl")):
            lines += path.read_text().splitlines()
    found = [json.loads(line) for line in lines]
    files = [Rules(member(line, "aasa"), vector["host"].lower(), vector["os"]) for line, vector in zip(lines, found)]
    return Links("vectors", unique(files), unique(readable(vector["url"].encode() for vector in found)))


def member(line: str, name: str) -> bytes:
    """Returns the text of a member, in which names may repeat."""
    start = re.search(r'"%s":\s*' % name, line).end()
    value, end = json.JSONDecoder(object_pairs_hook=list).raw_decode(line, start)
    return line[start:end].encode()


def real(chance: random.Random, count: int) -> Links:
    """Files of real sites, and URLs made of their patterns."""
    files, urls = [], []
    for path in sorted((SHARED / "corpus/aasa").glob("*")):
        if path.name.startswith("index"):
            continue
        content = path.read_bytes()
        files.append(Rules(content, system=chance.choice(["ios13+", "ios13+", "ios12"])))
        texts = re.findall(r'"((?:[^"\\]|\\.)*)"', content.decode(errors="replace"))
        for _ in range(count):
            urls.append(url(chance, [text.replace("\\/", "/") for text in texts]))
    return Links("real files", files, unique(readable(urls)))


def fuzzed(chance: random.Random, count: int, size: int) -> Links:
    """Random files, and URLs made of their patterns."""
    files, patterns = [], []
    for _ in range(count):
        content = association_file(chance, patterns)
        files.append(Rules(
            json.dumps(content, ensure_ascii=chance.random() < 0.5).encode(),
            chance.choice([HOST, HOST, "*.example.com"]), chance.choice(["ios13+", "ios13+", "ios13+", "ios12"])))
    return Links("random files", files, unique(readable(url(chance, patterns) for _ in range(size))))


def unique(values: Any) -> list[Any]:
    return list(dict.fromkeys(values))


def readable(urls: Any) -> Iterator[bytes]:
    """The URLs that 'linkaudit match' reads from standard input as they are, a line each."""
    return (url for url in urls if url and b"\n" not in url and not url.endswith(b"\r") and not url.startswith(b"/"))


# MARK: - URLs


def url(chance: random.Random, patterns: list[str]) -> bytes:
    """Returns a URL with texts of patterns in its components."""
    def text() -> str:
        return instance(chance, chance.choice(patterns or ["/a"]))

    path = text()
    result = origin(chance) + (path if path.startswith("/") else "/" + path)
    if chance.random() < 0.4:
        result += "?" + "&".join(
            text().replace("&", "") + chance.choice(["", "=", "=" + text()]) for _ in range(chance.randrange(4)))
    if chance.random() < 0.2:
        result += "#" + text()
    for _ in range(chance.choice([0, 0, 0, 1, 2])):
        place = chance.randrange(len(result) + 1)
        cut = chance.choice([0, 0, 1])
        result = result[:place] + chance.choice(ODD + PLAIN) + result[place + cut:]
    if chance.random() < 0.2:
        place = chance.randrange(result.find("/", 8) if "/" in result[8:] else 0, len(result))
        result = result[:place] + "%%%02x" % (ord(result[place]) & 0x7F) + result[place + 1:]
    data = result.encode(errors="replace")
    if chance.random() < 0.03:
        place = chance.randrange(len(data) + 1)
        data = data[:place] + bytes([chance.randrange(128, 256)]) + data[place:]
    return data


def origin(chance: random.Random) -> str:
    """Returns the beginning of a URL, as a rule that of the host."""
    if chance.random() < 0.8:
        return "https://" + HOST
    scheme = chance.choice(["https", "http", "HTTPS", "Http", "ftp", "httpss", ""])
    user = chance.choice(["", "", "", "user@", "user:pass@", "a@b@", "\\@"])
    host = chance.choice([HOST, HOST, "WWW.Example.com", "example.com", "a.b.example.com", ".example.com", "localhost",
                          "a\\.example.com", "a:b.example.com", "x:]y.example.com", "wwwxexample.com", "é.example.com", HOST + "."])
    port = chance.choice(["", "", ":", ":443", ":80", ":0443", ":00080", ":8443", ":443x", ":٤٤٣", ":443:443"])
    return scheme + chance.choice(["://", "://", "://", ":/", ":", "//"]) + user + host + port


def instance(chance: random.Random, pattern: str) -> str:
    """Returns a text that is like those that match a pattern."""
    def filler(most: int) -> str:
        return "".join(chance.choice(PLAIN if chance.random() < 0.8 else ODD) for _ in range(chance.randrange(most + 1)))

    text = re.sub(r"\$\((\w*)\)?", lambda match: chance.choice(["en", "US", "7", "a", "ab", "", "x"]), pattern)
    text = "".join(filler(4) if letter == "*" else chance.choice(PLAIN + ["é"]) if letter == "?" else letter for letter in text)
    return text.swapcase() if chance.random() < 0.1 else text


# MARK: - Files


def association_file(chance: random.Random, patterns: list[str]) -> Any:
    """Returns a random file; its patterns are added to others."""
    variables = {
        name: chance.choice([values(chance), values(chance), chance.choice(PLAIN), 7])
        for name in chance.sample(["x", "y", "lang", "digit"], chance.randrange(4))}
    links: dict[str, Any] = {"details": [entry(chance, patterns) for _ in range(chance.choice([1, 1, 2, 3]))]}
    if variables:
        links["substitutionVariables"] = variables
    if chance.random() < 0.1:
        links["defaults"] = flags(chance)
    if chance.random() < 0.1:
        links["details"] = {"A1B2C3D4E5.com.example.app%d" % number: one for number, one in enumerate(links["details"])}
    return {"applinks": links}


def values(chance: random.Random) -> list[str]:
    return ["".join(chance.choice(PLAIN + ["", "*", "?", "é", "É", "%61", "$"]) for _ in range(chance.randrange(4)))
            for _ in range(chance.randrange(6))]


def pattern(chance: random.Random, patterns: list[str], slash: bool) -> str:
    pieces = PLAIN + ["*", "*", "?", "?*", "$(x)", "$(y)", "$(digit)", "$(lang)", "$(region)", "$(alpha)"]
    if chance.random() < 0.3:
        pieces = pieces + ODD + ["$(x", "$(none)", "$"]
    text = ("/" if slash and chance.random() < 0.9 else "") + "".join(
        chance.choice(pieces) for _ in range(chance.randrange(7)))
    if chance.random() < 0.3:
        text += chance.choice(["*", "/*", "/"])
    patterns.append(text)
    return text


def flags(chance: random.Random) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, likely in [("exclude", 0.3), ("caseSensitive", 0.3), ("percentEncoded", 0.3)]:
        if chance.random() < likely:
            found[name] = chance.choice([True, False, False, 1, "YES", None] if name != "exclude" else [True, True, False])
    return found


def component(chance: random.Random, patterns: list[str]) -> dict[str, Any]:
    rule: dict[str, Any] = {}
    if chance.random() < 0.85:
        rule["/"] = pattern(chance, patterns, True)
    if chance.random() < 0.15:
        rule["#"] = pattern(chance, patterns, False)
    if chance.random() < 0.35:
        names = ["a", "b", "B", "x", "", "é", "a%61", "a=b", "a&b", "."]
        rule["?"] = pattern(chance, patterns, False) if chance.random() < 0.3 else {
            chance.choice(names): pattern(chance, patterns, False) for _ in range(chance.randrange(3))}
        if isinstance(rule["?"], dict):
            patterns += rule["?"]
    if chance.random() < 0.02:
        rule["requiredEntitlement"] = "x"
    return {**rule, **flags(chance)}


def entry(chance: random.Random, patterns: list[str]) -> dict[str, Any]:
    apps = ["A1B2C3D4E5.com.example.%s" % name for name in ("tea", "shop", "'\"\\é*/")]
    found: dict[str, Any] = {"appIDs": chance.sample(apps, chance.choice([1, 1, 2]))}
    if chance.random() < 0.5:
        found["appID"] = chance.choice(apps)
    if chance.random() < 0.85:
        found["components"] = [component(chance, patterns) for _ in range(chance.randrange(7))]
    if chance.random() < 0.5:
        found["paths"] = [chance.choice(["", "", "NOT "]) + pattern(chance, patterns, True)
                          for _ in range(chance.randrange(5))]
    if chance.random() < 0.1:
        found["relativeOrder"] = chance.choice([-1, 1])
    if chance.random() < 0.1:
        found["defaults"] = flags(chance)
    return found
