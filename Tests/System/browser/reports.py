"""Reports as pages: of the samples, of hostile logs, and of large ones."""
import datetime
import json

from support.command import Failure
from support.inputs import ROOT, SITE, ROUTES, line as log_line

HOSTILE = [
    "/<script>alert(1)</script>",
    "/buy/</script><script>alert(2)</script>",
    '/help/\\"onload=\\"alert(3)',
    "/buy/<!--<script>",
    "/buy/--><img src=x onerror=alert(4)>",
    "/buy/'onmouseover='alert(5)",
    "/buy/]]>{{7*7}}${alert(6)}",
    "/help/\u2028\u2029line",
    "/help/%E2%80%AEgnp.exe",
    "/help/%E2%81%A6%E2%81%A9",
    "/buy/%3Cscript%3Ealert(7)%3C/script%3E",
    "/gift/%E8%8C%B6/1",
    "/gift/%D7%A9%D7%9C%D7%95%D7%9D/1",
    "/buy/\x01\x7f",
    "/buy/" + "a" * 3000,
    "/news/&lt;b&gt;&amp;",
    "/search?q=\"><svg onload=alert(8)>",
]


def line(target, day=0, status=200, referrer="-"):
    """A line of the combined format; day 0 is the first of January 2026."""
    date = datetime.date(2026, 1, 1) + datetime.timedelta(day)
    return log_line(target=target, day=date.strftime("%d/%b/%Y"), status=status, referrer=referrer)


def write(path, lines):
    path.write_bytes(b"".join(lines))
    return str(path)


def letters(number):
    """A word for a number, which no template folds."""
    word = ""
    for _ in range(4):
        number, digit = divmod(number, 20)
        word += "ghijklmnopqrstuvwxyz"[digit]
    return word


def report(world, name, arguments, statuses=(0,)):
    page = world.folder / (name + ".html")
    world.run("report", *arguments, "--format", "html", "-o", page, "--quiet", statuses=statuses, cwd=ROOT)
    if world.failures:
        raise Failure(world.failures[0])
    return page


def make_reports(world):
    folder = world.folder
    pages = {}
    pages["sample"] = report(world, "sample", ["SampleLogs/logs", *SITE, *ROUTES])
    pages["sites"] = report(world, "sites", [
        "SampleLogs/logs", "--site", "www.example.com=SampleLogs/aasa.json",
        "--site", "m.example.com=SampleLogs/aasa-ios12.json"])
    pages["damaged"] = report(world, "damaged", ["SampleLogs/damaged", *SITE], (2,))

    lines = []
    for target in HOSTILE:
        for status in (200, 301, 404):
            referrer = "https://www.example.com" + target.replace("\\", "").replace('"', "")
            lines.append(line(target, status=status, referrer=referrer if status == 200 else "-"))
    logs = folder / "<img src=x onerror=alert(9)>"
    logs.mkdir()
    rules = {"applinks": {"details": [{
        "appIDs": ["A1B2C3D4E5.<script>alert(10)</script>"],
        "components": [
            {"/": "/help/*", "exclude": True, "comment": "</script>"}, {"/": "/buy/*"},
            {"/": "/gift/\u202e*"}, {"/": "/\"onload=*"}, {"/": "/news/</script>*"}]}]}}
    aasa = folder / "hostile.json"
    aasa.write_text(json.dumps(rules), encoding="utf-8")
    (folder / "hostile.txt").write_text("/buy/:id\n/<script>alert(11)</script>/:id\n", encoding="utf-8")
    pages["hostile"] = report(world, "hostile", [
        write(logs / "access.log", lines), "--aasa", str(aasa), "--host", "www.example.com",
        "--routes", str(folder / "hostile.txt")])

    lines = []
    for number in range(10000):
        word = letters(number)
        for prefix, times in (("/buy/", 1), ("/news/", 1 + (number < 40)), ("/help/website/", 1)):
            for _ in range(times):
                lines.append(line(prefix + word, day=number % 400))
        if number % 3 == 0:
            lines.append(line("/buy/" + word, day=number % 400, referrer="https://www.example.com/news/" + word))
        if number % 5 == 0:
            lines.append(line("/buy/" + word, day=number % 400, status=(301, 404)[number % 2]))
    log = write(folder / "large.log", lines)
    pages["large"] = report(world, "large", [log, *SITE, "--fan-out", "1000000"])
    pages["one-day"] = report(world, "one-day", [write(folder / "one.log", [line("/buy/1")]), *SITE])
    pages["no-requests"] = report(world, "no-requests", [
        write(folder / "none.log", [b"not a request\n"] * 3 + [line("/x").replace(b"GET", b"POST")]), *SITE])
    return pages
