"""Client addresses, users, user agents, cookies and referring queries: in logs, and nowhere else."""
import base64
import contextlib
import hashlib
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import urllib.parse
import zlib
from typing import Any

from safety.world import World, named
from support.cases import case
from support.command import ended, injected, opened_below, until
from support.commands import printing
from support.inputs import AGENT, HOST, line

V4, V6, FORWARDED = "203.0.113.177", "2001:db8:dead:beef::7319", "198.51.100.231"
MARKERS = {
    "address": V4, "address of IPv6": V6, "forwarded address": FORWARDED, "user": "planteduser7319",
    "user agent": "PlantedAgent7319", "cookie": "plantedcookie7319", "query of a referrer": "plantedreferrer7319",
    "fragment of a referrer": "plantedfragment7319", "name in a referrer": "plantedlogin7319",
    "other host's referrer": "plantedforeign7319", "request body": "plantedbody7319"}
# Text that outputs keep, because it is counted; a search that misses it would find nothing.
KEPT = "kepttarget7319"

REFERRERS = [
    "https://%s/from/page?token=plantedreferrer7319#plantedfragment7319" % HOST,
    "https://plantedlogin7319:x@%s/from/page" % HOST, "https://search.example/plantedforeign7319?q=plantedforeign7319"]


def agent(number: int) -> str:
    return AGENT + " PlantedAgent7319/%d" % number


def target(number: int) -> str:
    return "/buy/%s%d?mail=kept" % (KEPT, number)


def entry(number: int, host: str = "", more: str = "") -> bytes:
    """A line of the combined format with all markers that it has a place for."""
    return line(number, target(number), host, agent(number) + more, "03/Jun/2026", REFERRERS[number % 3],
                user="planteduser7319", client=(V4, V6)[number % 2])


# What a server has written of the next line.
CUT = ("%s - planteduser7319 [03/Jun" % V6).encode()


def rest(number: int) -> bytes:
    """The rest of a line that was cut."""
    return entry(number)[entry(number).index(b"/2026"):]


def logs() -> dict[str, bytes]:
    """Logs with markers wherever their formats have a place; which fields are read of others, LogFormatTests assert."""
    numbers = range(60)
    combined = b"".join(entry(number, more='" "%s" "plantedcookie7319' % FORWARDED) for number in numbers)
    # Lines that are no requests, and an end that is cut short.
    combined += ('%s - planteduser7319 [x] "nonsense" PlantedAgent7319\n%s planteduser7319\n' % (V4, V6)).encode()
    nginx = "".join(json.dumps({
        "time_iso8601": "2026-06-03T10:00:00+00:00", "remote_addr": V4, "http_x_forwarded_for": FORWARDED + ", " + V6,
        "remote_user": "planteduser7319", "host": HOST, "request_method": "GET", "request_uri": target(number),
        "status": 200, "http_referer": REFERRERS[number % 3], "http_user_agent": agent(number),
        "http_cookie": "s=plantedcookie7319", "request_body": "plantedbody7319"}) + "\n" for number in numbers)
    # Where formats have the host, some setups have who asked.
    forwarded = b"".join(
        entry(number, (FORWARDED, V6, FORWARDED + ", " + V4, "[" + V6 + "]:7319")[number % 4]) for number in numbers)
    collector = "".join(json.dumps({
        "host": (V4, V6)[number % 2], "user": "planteduser7319", "method": "GET", "path": target(number), "code": "200",
        "size": "5", "referer": REFERRERS[number % 3], "agent": agent(number)}) + "\n" for number in numbers)
    # Of no format that is known: the complaint must not quote it.
    strange = "".join("%s|planteduser7319|PlantedAgent7319|plantedcookie7319|%d\n" % (V4, number) for number in numbers)
    return {
        "combined.log": combined + CUT, "nginx.log": nginx.encode(), "forwarded.log": forwarded,
        "collector.log": collector.encode(), "strange.log": strange.encode()}


def forms(text: str) -> set[bytes]:
    """A text as it may be written: raw, encoded, and hashed."""
    data = text.encode()
    found = {data, data.upper(), data.lower(), data.hex().encode(), data.hex().upper().encode(), data[::-1]}
    found |= {text.encode("utf-16-le"), text.encode("utf-16-be"), text.encode("utf-32-le")}
    found |= {urllib.parse.quote(text, safe="").encode(), b"".join(b"%%%02X" % byte for byte in data)}
    found |= {b"".join(b"\\x%02X" % byte for byte in data), b"".join(b"\\u%04x" % byte for byte in data)}
    for pad in range(3):
        # Base64 of it wherever it begins in what is encoded; its ends depend on what surrounds it.
        code = base64.b64encode(b"\0" * pad + data)
        found.add(code[4 if pad else 0:len(code) - 4])
    for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b", "blake2s"):
        digest = hashlib.new(name, data)
        # Also if it was cut short.
        found |= {digest.digest()[:8], digest.hexdigest()[:16].encode(), base64.b64encode(digest.digest())[:12]}
    if text == V6:
        found |= {bytes.fromhex("20010db8deadbeef0000000000007319"), b"2001:0db8:dead:beef", b"2001:db8:dead:beef"}
    if text == V4:
        # As one number; its four bytes alone stand in any large file by chance.
        found |= {b"3405803953", b"203.0.113.", b"203-0-113-177"}
    return {form for form in found if len(form) >= 8}


SOUGHT = {name: forms(text) for name, text in MARKERS.items()}


def inflated(data: bytes) -> bytes:
    """All that is raw deflate in some bytes, wherever it begins."""
    found = []
    for start in range(len(data)):
        if data[start] & 7 not in (4, 5, 2, 3):
            continue
        try:
            text = zlib.decompressobj(-15).decompress(data[start:], 1 << 20)
        except zlib.error:
            continue
        if len(text) > 64:
            found.append(text)
    return b"\n".join(found)


def search(world: World, data: bytes, where: str) -> None:
    for name, texts in SOUGHT.items():
        for text in texts:
            place = data.find(text)
            around = data[max(0, place - 60):place + 60]
            if not world.check(place < 0, "%s: %s at %d: %r" % (where, name, place, around)):
                break


def write(folder: pathlib.Path) -> None:
    (folder / "logs").mkdir()
    for name, text in logs().items():
        (folder / "logs" / name).write_bytes(text)
    (folder / "aasa.json").write_text(json.dumps({"applinks": {"details": [
        {"appIDs": ["A1B2C3D4E5.com.example.tea"], "components": [{"/": "/buy/*1*"}, {"/": "/from/*"}]}]}}))
    (folder / "routes.txt").write_text("/buy/:id\n/from/:page\n")


SITE = ["--aasa", "aasa.json", "--host", HOST, "--routes", "routes.txt", "--no-config"]


def sought(world: World, *words: Any) -> None:
    outcome = world.run(*words, checked=False)
    search(world, outcome.stdout, "standard output of " + named(words))
    search(world, outcome.stderr, "standard error of " + named(words))


@case
def nobody_in_outputs(world: World) -> None:
    """Every command and form, piped, in files and on a terminal."""
    write(world.folder)
    report = ["report", "logs", *SITE]
    for words in (
        *printing(world, "logs", "aasa.json", "aasa.json", "routes.txt").values(),
        [*report, "--output-directory", "all", "--top", "9999"], [*report, "--group", "exact", "--format", "json"],
        [*report, "--max-rejects", "0"], [*report, "--log-format", "combined"], [*report, "--log-format", "awss3"],
        [*report, "--json-keys", "target=request_uri"], ["report", "logs/strange.log", *SITE],
        ["digest", "logs/strange.log", "--no-config", "-o", "x.digest"],
        ["digest", "given.digest", "--format", "ndjson"],
        ["suggest", "logs", *SITE, "--candidate", "all/candidate.json"],
    ):
        sought(world, *words)
    search(world, world.run_on_terminal(*report, checked=False).stdout, "the terminal")
    for path in (world.folder / "all").iterdir():
        search(world, path.read_bytes(), path.name)
    inside = inflated((world.folder / "given.digest").read_bytes())
    world.check(KEPT.encode() in inside, "the search does not see into digests")
    search(world, inside, "what is compressed in a digest")
    rows = (world.folder / "all/report.json").read_text()
    world.check(KEPT in rows, "the search sees no report")
    requests = json.loads(rows)["input"]["requests"]
    world.check(requests >= 3 * 60, "not all logs were read: %r" % requests)


def database_bytes(folder: pathlib.Path) -> bytes:
    """All that lies in a store, with what SQLite has freed."""
    return b"\n".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@case
def nobody_in_the_store(world: World) -> None:
    """Ledger, digests, pending lines, freed pages and the journal."""
    world.need_strace()
    write(world.folder)
    ingest = ["ingest", "logs", *SITE, "--store", "store", "--deployed", "2026-06-01", "--summary"]
    store = world.folder / "store"
    sought(world, *ingest)
    combined = world.folder / "logs/combined.log"
    for number in range(5):
        # Logs grow; the last line is without its end each time, and waits in the store.
        with open(combined, "ab") as file:
            file.write(rest(1000 + number) + CUT)
        sought(world, *ingest)
        data = database_bytes(store)
        search(world, data, "the store after %d runs" % (number + 2))
        search(world, inflated(data[:1 << 18]), "what is compressed in the store")
    with sqlite3.connect("file:%s?mode=ro" % (store / "store.sqlite"), uri=True) as database:
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in database.execute('SELECT * FROM "%s"' % table).fetchall():
                text = b"\0".join(cell if isinstance(cell, bytes) else str(cell).encode() for cell in row)
                search(world, text, "the table " + table)
                search(world, inflated(text[:4096]), "what is compressed in the table " + table)
    for words in (["store", "list"], ["store", "check"], ["store", "rebuild"], ["report"]):
        sought(world, *words, "--store", "store", "--no-config")
    # A commit that is cut off leaves a journal.
    with open(combined, "ab") as file:
        file.writelines(rest(number) + CUT for number in range(3000))
    journal = store / "store.sqlite-journal"
    world.run(*ingest, statuses=(-9,), before=injected("?unlink,unlinkat", "signal=KILL", journal))
    seen = journal.read_bytes()
    world.check(len(seen) > 512, "the journal is empty; the search found nothing to look at")
    search(world, seen, "the journal")
    sought(world, "store", "remove-day", "2026-06-03", "--store", "store", "--no-config")
    # The digest of the day goes with the next change, for those who are reading it.
    sought(world, "store", "rebuild", "--store", "store", "--no-config")
    left = database_bytes(store)
    search(world, left, "the store without its day")
    place = left.find(KEPT.encode())
    world.check(place < 0, "a day was removed, and of its targets is left: %r" % left[max(0, place - 300):place + 60])


@case
def nobody_in_temporary_files(world: World) -> None:
    """Runs on disk have no names; they are looked at while the command waits for more."""
    write(world.folder)
    spill = world.folder / "spill"
    spill.mkdir()
    process = world.start(
        "report", "-", *SITE, "--memory", "1M", "--jobs", "1", "--temporary-directory", "spill", "--rejects", "r",
        stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.writelines(map(entry, range(60_000)))
    process.stdin.flush()
    # The last lines may still be in the pipe; what was read before them has been written long since.
    runs = b""

    def look() -> bool:
        nonlocal runs
        runs = b""
        for path in opened_below(process, spill):
            with contextlib.suppress(OSError):
                runs += path.read_bytes()
        return KEPT.encode() in runs

    until(look, pause=0.2)
    names = os.listdir(spill)
    outcome = ended(process)
    world.check(KEPT.encode() in runs, "no run was seen on disk; the search found nothing to look at")
    search(world, runs, "runs on disk")
    search(world, outcome.stdout + outcome.stderr, "what was said in the end")
    world.equal(names, [], "names of temporary files")
    shutil.rmtree(spill)
