"""Digests and stores with sound checksums that this program did not write."""
import json
import pathlib
import re
import shutil
import sqlite3

from safety import inputs
from safety.texts import ALL
from safety.world import World
from support.cases import case
from support.digests import Digest

# Values of other kinds, which a database takes in any column.
ODD = [b"many", None, -5, -2 ** 63, 2 ** 63 - 1]
SITE = ["--aasa", "plain.json", "--host", "www.example.com", "--no-config"]


@case
def forged_digests(world: World) -> None:
    """Each text of a summary is replaced by hostile ones, and checksums are mended."""
    inputs.write(world.folder)
    lines = [inputs.line(0, b"/buy/%d" % number) for number in range(20)]
    lines += [inputs.line(0, b"/.well-known/apple-app-site-association", agent=b"AASA-Bot/1.0.0")] * 3
    lines += [b"nonsense\n", inputs.line(0, b"/buy/1", referrer=b"https://www.example.com/from")]
    (world.folder / "a.log").write_bytes(b"".join(lines))
    world.run(
        "digest", "a.log", "--host", "www.example.com", "--no-config", "--since", "2020-01-01", "--until", "2030-01-01",
        "-o", "a.digest")
    whole = (world.folder / "a.digest").read_bytes()
    plain = Digest(whole)
    (world.folder / "b.digest").write_bytes(plain.content())
    described = world.run("digest", "--describe", "b.digest")
    world.equal(described.status, 0, "the status for one that is merely written anew")
    taken = 0
    # Texts that follow a comma or a brace are names of members.
    places = [match.span() for match in re.finditer(rb'(?<=[:\[])"[^"]*"', plain.summary)]
    world.check(len(places) > 10, "the test finds no texts in the summary")
    for start, end in world.some(places, 8):
        for text in world.some(ALL, 2):
            forged = Digest(whole)
            literal = json.dumps(text.decode(errors="replace")).encode()
            forged.summary = forged.summary[:start] + literal + forged.summary[end:]
            (world.folder / "b.digest").write_bytes(forged.content())
            taken += world.run("digest", "--describe", "b.digest").status == 0
            world.run("report", "b.digest", *SITE)
            world.run("report", "b.digest", *SITE, "--format", "html", form="html")
            world.run("digest", "b.digest", "--format", "ndjson", "--no-config", form="ndjson")
    world.check(taken > 0, "no forged digest was taken; the test forges nothing that counts")
    for text in world.some(ALL, 3):
        forged = Digest(whole)
        forged.targets = [payload.replace(b"www.example.com", text[:15].ljust(15, b"x")) for payload in forged.targets]
        (world.folder / "b.digest").write_bytes(forged.content())
        world.run("report", "b.digest", *SITE)
        world.run("digest", "--describe", "b.digest")
        world.run("digest", "b.digest", "--format", "ndjson", "--no-config", form="ndjson")


@case
def forged_stores(world: World) -> None:
    """Each text of the database is replaced by hostile ones, and each value by one of another kind."""
    inputs.write(world.folder)
    (world.folder / "a.log").write_bytes(b"".join(inputs.line(0, b"/buy/%d" % number) for number in range(40)))
    world.run("ingest", "a.log", *SITE, "--store", "sound", "--deployed", "2026-06-01")
    world.run("report", "--store", "sound", "--no-config")
    with open(world.folder / "a.log", "ab") as file:
        file.write(inputs.line(0, b"/buy/x", referrer=b"https://www.example.com/from") * 40 + b"nonsense\n")
    world.run("ingest", "a.log", *SITE, "--store", "sound", "--deployed", "2026-06-01")
    with sqlite3.connect(world.folder / "sound/store.sqlite") as database:
        columns = [
            (table, column[1], column[2] in ("TEXT", "BLOB"))
            for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            for column in database.execute('PRAGMA table_info("%s")' % table).fetchall()]
    world.check(len(columns) > 20, "the test finds no columns in the database")
    for table, column, is_text in world.some(columns, 16):
        for value in world.some([*(ALL if is_text else ()), *ODD], 1):
            forge(world.folder, table, column, value)
            for words in (["store", "list"], ["store", "check"], ["report"], ["report", "--format", "json"]):
                world.run(*words, "--store", "forged", *(["--no-config"] if words[0] == "report" else []),
                          form="json" if "json" in words else "text")
            world.run("ingest", "a.log", *SITE, "--store", "forged", "--summary")


def forge(folder: pathlib.Path, table: str, column: str, value: bytes | int | None) -> None:
    """Makes a copy of the store with a value in place of all of a column."""
    shutil.rmtree(folder / "forged", ignore_errors=True)
    shutil.copytree(folder / "sound", folder / "forged")
    with sqlite3.connect(folder / "forged/store.sqlite") as database:
        database.execute("PRAGMA ignore_check_constraints = 1")
        place = "CAST(? AS TEXT)" if isinstance(value, bytes) else "?"
        database.execute('UPDATE OR IGNORE "%s" SET "%s" = %s' % (table, column, place), (value,))
