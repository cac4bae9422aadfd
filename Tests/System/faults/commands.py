"""The commands that write, and how each is told where to."""
import contextlib
import dataclasses
import functools
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

from support.inputs import AASA, CANDIDATE, HOST, LOGS, ROUTES, SAMPLES, SITE
from support.server import answer, saying, serving
from support.world import World


@dataclasses.dataclass(frozen=True)
class Writer:
    """A command that writes a file: its arguments, given the path."""

    name: str
    arguments: Callable[[Any], list[Any]]
    # The option that messages name.
    option: str = "-o"


def writers(logs: object = LOGS) -> list[Writer]:
    """All places that a command writes to, but a directory of reports, temporary files and the store."""
    reports = [
        Writer("report " + form, functools.partial(
            lambda form, out: ["report", logs, *SITE, *ROUTES, "--format", form, "-o", out], form))
        for form in ("text", "json", "csv", "html", "ndjson", "openmetrics")]
    return [
        *reports,
        Writer("diff", lambda out: ["diff", AASA, CANDIDATE, logs, "--host", HOST, "--format", "json", "-o", out]),
        Writer("suggest", lambda out: ["suggest", logs, *SITE, *ROUTES, "--format", "json", "-o", out]),
        Writer("candidate", lambda out: ["suggest", logs, *SITE, *ROUTES, "--candidate", out], "--candidate"),
        Writer("digest", lambda out: ["digest", logs, "--host", HOST, "-o", out]),
        Writer("digest rows", lambda out: ["digest", logs, "--host", HOST, "--format", "ndjson", "-o", out]),
        Writer("lint", lambda out: ["lint", AASA, "--format", "json", "-o", out]),
        Writer("init", lambda out: ["init", "--force", "--host", HOST, "-o", out]),
        Writer("rejects", lambda out: ["report", logs, *SITE, "--format", "json", "--rejects", out], "--rejects"),
    ]


def all_writers(world: World) -> Iterator[Writer]:
    """All places, with those that need a digest or a server."""
    digest = world.folder / "given.digest"
    if not digest.exists():
        world.run("digest", LOGS, "--host", HOST, "-o", digest)
    # With '--quick', one of each way to write.
    quick = ("report text", "report json", "candidate", "digest", "init", "rejects", "merge", "save")
    with served() as url:
        fetch = ["fetch", HOST, "--from", "origin", "--base-url", url]
        for writer in [
            *writers(),
            Writer("merge", lambda out: ["merge", digest, "-o", out]),
            Writer("fetch", lambda out: [*fetch, "--format", "json", "-o", out]),
            Writer("save", lambda out: [*fetch, "--save", out], "--save"),
        ]:
            if not world.settings.quick or writer.name in quick:
                yield writer


@contextlib.contextmanager
def served() -> Iterator[str]:
    with serving(saying(answer((SAMPLES / "aasa.json").read_bytes())), None) as server:
        yield server.url


def good(world: World, writer: Writer, path: pathlib.Path) -> bytes:
    world.run(*writer.arguments(path), statuses=(0, 1))
    return path.read_bytes()
