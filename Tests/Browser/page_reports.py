"""Reports as pages: of the samples, of hostile logs, and of large ones."""
import json
import subprocess
import time

from page_checks import ROOT, Failure, check

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
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
    date = time.gmtime(1767225600 + day * 86400)
    stamp = "%02d/%s/%d:12:00:00 +0000" % (date.tm_mday, MONTHS[date.tm_mon - 1], date.tm_year)
    return '192.0.2.1 - - [%s] "GET %s HTTP/2.0" %d 512 "%s" "%s"\n' % (stamp, target, status, referrer, IPHONE)


def write(path, lines):
    path.write_text("".join(lines), encoding="utf-8", newline="\n")
    return str(path)


def letters(number):
    """A word for a number, which no template folds."""
    word = ""
    for _ in range(4):
        number, digit = divmod(number, 20)
        word += "ghijklmnopqrstuvwxyz"[digit]
    return word


def report(binary, folder, name, arguments, statuses=(0,)):
    page = folder / (name + ".html")
    command = [binary, "report", *arguments, "--format", "html", "-o", str(page), "--quiet"]
    outcome = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    if outcome.returncode not in statuses:
        raise Failure("%s: status %d: %s" % (name, outcome.returncode, outcome.stderr.decode()))
    return page


def make_reports(binary, folder):
    site = ["--aasa", "SampleLogs/aasa.json", "--host", "www.example.com"]
    routes = ["--routes", "SampleLogs/routes.txt"]
    pages = {}
    pages["sample"] = report(binary, folder, "sample", ["SampleLogs/logs", *site, *routes])
    pages["sites"] = report(binary, folder, "sites", [
        "SampleLogs/logs", "--site", "www.example.com=SampleLogs/aasa.json",
        "--site", "m.example.com=SampleLogs/aasa-ios12.json"])
    pages["damaged"] = report(binary, folder, "damaged", ["SampleLogs/damaged", *site], (2,))

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
    pages["hostile"] = report(binary, folder, "hostile", [
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
    pages["large"] = report(binary, folder, "large", [log, *site, *routes, "--fan-out", "1000000"])
    pages["one-day"] = report(binary, folder, "one-day", [write(folder / "one.log", [line("/buy/1")]), *site])
    pages["no-requests"] = report(binary, folder, "no-requests", [
        write(folder / "none.log", ["not a request\n"] * 3 + [line("/x").replace("GET", "POST")]), *site])
    again = folder / "again"
    again.mkdir()
    second = report(binary, again, "sample", ["SampleLogs/logs", *site, *routes, "--jobs", "1"])
    check(second.read_bytes() == pages["sample"].read_bytes(), "the same report is not the same bytes")
    return pages
