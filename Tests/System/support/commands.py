"""The commands in all their formats, for what holds for each of them."""
import contextlib
import pathlib
from collections.abc import Iterator
from typing import Any

from support.inputs import AASA, CANDIDATE, HOST, LOGS, ROUTES, SAMPLES
from support.server import answer, saying, serving
from support.world import World

Words = list[Any]
URLS = ["https://www.example.com/BUY/\u0130I\u0131i", "https://www.example.com/gift/\u8336/1"]


def writers(logs: object = LOGS, aasa: str = AASA, other: str = CANDIDATE, routes: str = ROUTES[1]) -> dict[str, Words]:
    """Commands that write a file: all words but its path. The last word is the option that messages name."""
    site = ["--aasa", aasa, "--host", HOST]
    judged = [logs, *site, "--routes", routes]
    found: dict[str, Words] = {
        "%s %s" % (command, form): [command, *words, "--format", form, "-o"] for command, words, forms in (
            ("report", judged, "text json csv html ndjson openmetrics"),
            ("diff", [aasa, other, logs, "--host", HOST], "text json csv html"), ("suggest", judged, "text json"),
            ("lint", [str(SAMPLES / "aasa-mistakes.json")], "text json sarif"),
            ("match", ["--aasa", aasa, *URLS], "text ndjson"), ("digest", [logs, "--host", HOST], "digest ndjson"),
        ) for form in forms.split()}
    return {
        **found, "diff of files": ["diff", aasa, other, "--host", HOST, "-o"],
        "init": ["init", "--force", "--host", HOST, "-o"],
        "candidate": ["suggest", *judged, "--candidate"], "rejects": ["report", *judged, "--rejects"]}


def printing(world: World, logs: object = LOGS, aasa: str = AASA, *others: str) -> dict[str, Words]:
    """Commands that print, but 'fetch'; the digest and the store that some of them read are made first."""
    site = ["--aasa", aasa, "--host", HOST]
    digest, store = made_digest(world, logs), world.folder / "given.store"
    world.run("ingest", logs, "--store", store, *site, statuses=(0, 2))
    return {
        **{name: [*words, "-"] for name, words in writers(logs, aasa, *others).items() if words[-1] == "-o"},
        **{"explain " + form: ["explain", "--format", form] for form in ("text", "json", "markdown")},
        "merge": ["merge", digest, "-o", "-"], "describe": ["digest", "--describe", digest],
        "report of a digest": ["report", digest, *site],
        "report of a store": ["report", "--store", store, "--format", "json"],
        "ingest": ["ingest", logs, "--store", store, *site, "--summary"],
        **{"store " + name: ["store", name, "--store", store] for name in ("list", "check", "rebuild")},
        "formats": ["formats"], "formats test": ["formats", "test", str(SAMPLES / "logs/www.access.log")],
        "help": ["report", "--help"], "wrong usage": ["report", "--nonsense"]}


def made_digest(world: World, logs: object = LOGS) -> pathlib.Path:
    digest = world.folder / "given.digest"
    if not digest.exists():
        world.run("digest", logs, "--host", HOST, "-o", digest, statuses=(0, 2))
    return digest


def all_writers(world: World) -> Iterator[tuple[str, Words]]:
    """Commands that write a file, also of a digest and a server; with '--quick', one of each way to write."""
    quick = ("report text", "report json", "candidate", "digest digest", "init", "rejects", "merge", "save")
    with served() as url:
        fetch = ["fetch", HOST, "--from", "origin", "--base-url", url]
        for name, words in {
            **writers(), "merge": ["merge", made_digest(world), "-o"], "fetch": [*fetch, "--format", "json", "-o"],
            "save": [*fetch, "--save"],
        }.items():
            if not world.settings.quick or name in quick:
                yield name, words


@contextlib.contextmanager
def served() -> Iterator[str]:
    """The address of a server that has a sound file."""
    with serving(saying(answer((SAMPLES / "aasa.json").read_bytes())), None) as server:
        yield server.url


def good(world: World, words: Words, path: pathlib.Path) -> bytes:
    """Returns what a command writes when nothing is wrong."""
    world.run(*words, path, statuses=(0, 1))
    return path.read_bytes()
