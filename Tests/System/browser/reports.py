"""Reports as pages: of the samples, of hostile logs, and of large ones."""
import datetime
import json
import re

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
    """The pages of all cases, by name."""
    hostile = [
        line(target, status=status, referrer=referrer) for target in HOSTILE for status, referrer in (
            (200, "https://www.example.com" + re.sub(r'[\\"]', "", target)), (301, "-"), (404, "-"))]
    rules = {"applinks": {"details": [{
        "appIDs": ["A1B2C3D4E5.<script>alert(10)</script>"],
        "components": [
            {"/": "/help/*", "exclude": True, "comment": "</script>"}, {"/": "/buy/*"},
            {"/": "/gift/\u202e*"}, {"/": "/\"onload=*"}, {"/": "/news/</script>*"}]}]}}
    large = []
    for number in range(10000):
        word, day = letters(number), number % 400
        large += [line(prefix + word, day) for prefix in ("/buy/", "/news/", "/help/website/")]
        if number < 40:
            large.append(line("/news/" + word, day))
        if number % 3 == 0:
            large.append(line("/buy/" + word, day, referrer="https://www.example.com/news/" + word))
        if number % 5 == 0:
            large.append(line("/buy/" + word, day, (301, 404)[number % 2]))
    sites = ["--site", "www.example.com=SampleLogs/aasa.json", "--site", "m.example.com=SampleLogs/aasa-ios12.json"]
    return {name: report(world, name, arguments, (2,) if name == "damaged" else (0,)) for name, arguments in {
        "sample": ["SampleLogs/logs", *SITE, *ROUTES], "sites": ["SampleLogs/logs", *sites],
        "damaged": ["SampleLogs/damaged", *SITE],
        "hostile": [
            world.write("<img src=x onerror=alert(9)>.log", hostile),
            "--aasa", world.write("hostile.json", json.dumps(rules).encode()), "--host", "www.example.com",
            "--routes", world.write("hostile.txt", b"/buy/:id\n/<script>alert(11)</script>/:id\n")],
        "large": [world.write("large.log", large), *SITE, "--fan-out", "1000000"],
        "one-day": [world.write("one.log", line("/buy/1")), *SITE],
        "no-requests": [
            world.write("none.log", [b"not a request\n"] * 3 + [line("/x").replace(b"GET", b"POST")]), *SITE],
    }.items()}
