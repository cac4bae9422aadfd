"""The fixture: files and URLs with what 'linkaudit match' says of them, which all engines are compared with."""
import contextlib
import dataclasses
import json
import pathlib
import random
import subprocess
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sql import PYTHON, links
from support import world
from support.command import Failure

EVALUATE = pathlib.Path(__file__).with_name("evaluate.py")


@dataclasses.dataclass(frozen=True)
class Judged:
    """A file with its answers for each URL, as rows of 'match --format ndjson'."""

    path: pathlib.Path
    rules: links.Rules
    answers: list[Any]


@dataclasses.dataclass(frozen=True)
class Batch:
    """Files, and the URLs that all of them were asked about."""

    name: str
    urls: list[bytes]
    files: list[Judged]


@contextlib.contextmanager
def prepared(settings: world.Settings, folder: pathlib.Path) -> Iterator[list[Batch]]:
    def judged(number: int, rules: links.Rules, urls: bytes) -> Judged | None:
        path = folder / ("aasa-%d.json" % number)
        path.write_bytes(rules.content)
        done = subprocess.run(
            [settings.binary, "match", "--aasa", path, "--host", rules.host, "--os", rules.system, "--format", "ndjson",
             "-"], input=urls, capture_output=True)
        # No system reads such a file.
        if done.returncode == 2:
            return None
        if done.returncode:
            raise Failure("match: " + done.stderr.decode(errors="replace"))
        return Judged(path, rules, [json.loads(line) for line in done.stdout.splitlines()])

    chance = random.Random(settings.seed)
    size = 1 if settings.quick else 10
    sets = [links.vectors(), links.real(chance, 5 * size), links.fuzzed(chance, 60 * size, 300 * size)]
    batches, number = [], 0
    with ThreadPoolExecutor(2) as pool:
        for one in sets:
            lines = b"".join(url + b"\n" for url in one.urls)
            found = pool.map(lambda pair: judged(*pair, lines), enumerate(one.files, number))
            number += len(one.files)
            files = [file for file in found if file]
            if files and one.urls:
                batches.append(Batch(one.name, one.urls, files))
            else:
                print("sql: there are no %s, so none are compared" % one.name)
    yield batches


class World(world.World):
    # Engines evaluate for minutes.
    patience = 3_600.0

    def compile(self, file: Judged, kind: str, dialect: str) -> str | None:
        outcome = self.run("compile", file.path, "--host", file.rules.host, "--os", file.rules.system, "--dialect", dialect,
                           "--output", kind, statuses=(0, 2))
        if outcome.status:
            self.check_says(outcome, "--allow-inexact")
            return None
        return outcome.text

    def evaluate(
        self, engine: str, batches: Iterable[tuple[list[bytes], list[tuple[str, str]]]] = (),
        statements: Iterable[str] = (), queries: Iterable[str] = (),
    ) -> Any:
        """Returns the rows of queries, and the values of expressions over URLs by batch."""
        task = {"statements": list(statements), "queries": list(queries), "batches": [
            {"urls": [url.hex() for url in urls], "expressions": expressions} for urls, expressions in batches]}
        outcome = self.execute([PYTHON, EVALUATE, engine], data=json.dumps(task).encode())
        if outcome.status:
            raise Failure("%s: %s" % (engine, outcome.message[-3000:]))
        return json.loads(outcome.stdout)
