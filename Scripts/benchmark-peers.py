#!/usr/bin/env python3
"""Runs linkaudit, ClickHouse, DuckDB, GoAccess and plain decompression over the same gzipped logs.

    Scripts/benchmark-peers.py [--binary .build/release/linkaudit] [--python PYTHON] [--lines 4000000]
                               [--files 8] [--runs 5] [--seed 1] [--data DIRECTORY]

The databases answer one question in SQL: how many requests does an association file claim, exclude,
or leave unclaimed? They read lines, split them at quotes, count each target once, and judge targets
by regular expressions; the queries are in this file. linkaudit answers the same, and makes its
whole report besides. The script fails if the counts differ. GoAccess knows no rules: it makes its own
report, and must count as many requests.

Times are those of whole processes. They drift with the machine, so every round runs all programs,
and ratios are taken round by round. PYTHON has the packages chdb and duckdb; a program that is not
there is left out.
"""
import argparse, json, os, random, shutil, statistics, subprocess, sys, tempfile, zlib

from measuring import HOST, decompression, timed

AASA = {"applinks": {"details": [
    {"appIDs": ["ABCDE12345.com.example.shop"], "components": [
        {"/": "/help/website/*", "exclude": True},
        {"/": "/buy/*"},
        {"/": "/help/*", "?": {"articleNumber": "????"}},
        {"/": "/videos/20??/*", "caseSensitive": False},
        {"/": "/account/*", "exclude": True},
    ]},
    {"appID": "ABCDE12345.com.example.shop.legacy", "paths": ["NOT /help/website/*", "/help/*", "/product/*"]},
]}}

# The same rules as regular expressions over path and query, in order; the first that matches
# decides. iOS 12 knows the second app only.
RULES = [[
    (r"^/help/website(/|$|\?)", "excluded"), (r"^/buy(/|$|\?)", "claimed"),
    (r"^/help(/[^?]*)?\?(.*&)?articleNumber=.{4}(&.*)?$", "claimed"),
    (r"(?i)^/videos/20../[^?]", "claimed"), (r"^/account(/|$|\?)", "excluded"),
], [
    (r"^/help/website(/|$|\?)", "excluded"), (r"^/help(/|$|\?)", "claimed"), (r"^/product(/|$|\?)", "claimed"),
]]

AGENTS = [
    (40, "Mozilla/5.0 (iPhone; CPU iPhone OS 17_%d like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.%d Mobile/15E148 Safari/604.1"),
    (6, "Mozilla/5.0 (iPhone; CPU iPhone OS 12_%d like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.%d Mobile/15E148 Safari/604.1"),
    (30, "Mozilla/5.0 (Linux; Android 14; Pixel %d) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/12%d.0.0.0 Mobile Safari/537.36"),
    (24, "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/1%d.0.0.%d Safari/537.36"),
]
AGENTS = [agent % (n, n) for weight, agent in AGENTS for n in range(1, weight // 3)]
REFERRERS = ["-", "https://%s/" % HOST, "https://%s/sale/summer" % HOST, "https://www.google.com/", "https://m.shop.example/a?b=1"]
REJECTED = ['192.0.2.9 - - [10/Nov/2026:12:00:00 +0000] "GET /cut\n', "not a request\n"]


def target(draw):
    """A target: some kinds have few, others as many as there are requests."""
    kind, number = draw.randrange(10), int(draw.paretovariate(0.8))
    if kind < 3: return "/buy/%d" % number
    if kind == 3: return "/product/%06d/red" % (number % 1_000_000)
    if kind == 4: return "/help/%d?articleNumber=%d" % (number % 400, number % 20_000)
    if kind == 5: return "/help/website/" + draw.choice(["cookies", "privacy", "terms"])
    if kind == 6: return "/Videos/%d/%d" % (draw.randrange(1990, 2026), number % 900)
    if kind == 7: return "/account/orders/%08x" % draw.randrange(1 << 32)
    if kind == 8: return "/search?q=%x&page=%d" % (number % 50_000, draw.randrange(20))
    return "/static/%x.js" % draw.randrange(5_000)


def write_logs(options):
    """Gzipped logs in the combined format, the same for the same arguments."""
    folder = os.path.join(options.data, "%d-%d-%d" % (options.lines, options.files, options.seed))
    if os.path.exists(os.path.join(folder, "done")): return folder
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for number in range(options.files):
        draw = random.Random("%d-%d" % (options.seed, number))
        packer = zlib.compressobj(6, zlib.DEFLATED, 31)
        with open(os.path.join(folder, "access-%03d.log.gz" % number), "wb") as file:
            count = options.lines // options.files
            for index in range(count):
                if draw.random() < 0.002:
                    line = draw.choice(REJECTED)
                else:
                    line = '203.0.%d.%d - - [10/Nov/2026:%02d:%02d:%02d +0000] "GET %s HTTP/1.1" %d %d "%s" "%s"\n' % (
                        draw.randrange(256), draw.randrange(256), index * 24 // count, index * 1440 // count % 60, index % 60,
                        target(draw), draw.choice((200, 200, 200, 301, 404)), draw.randrange(100_000), draw.choice(REFERRERS), draw.choice(AGENTS))
                file.write(packer.compress(line.encode()))
            file.write(packer.flush())
    open(os.path.join(folder, "done"), "w").close()
    return folder


def verdict(matches, target, legacy):
    """The site's verdict in SQL: claimed if an app claims the target, else excluded if one excludes it."""
    def app(rules): return "CASE %s ELSE 'unclaimed' END" % " ".join(
        "WHEN %s THEN '%s'" % (matches(target, pattern), verdict) for pattern, verdict in rules)
    first = "CASE WHEN %s THEN 'unclaimed' ELSE %s END" % (legacy, app(RULES[0]))
    return ("CASE WHEN first = 'claimed' OR second = 'claimed' THEN 'claimed'"
            " WHEN first = 'excluded' OR second = 'excluded' THEN 'excluded' ELSE 'unclaimed' END", first, app(RULES[1]))


CLICKHOUSE = """
WITH
  lines AS (SELECT splitByChar('"', line) AS parts FROM file('{files}', 'LineAsString')),
  requests AS (
    SELECT splitByChar(' ', parts[2])[2] AS target, position(parts[6], 'iPhone OS 12_') > 0 AS legacy
    FROM lines WHERE length(parts) = 7 AND startsWith(parts[2], 'GET /')),
  targets AS (SELECT target, legacy, count() AS requests FROM requests GROUP BY target, legacy),
  judged AS (SELECT requests, {first} AS first, {second} AS second FROM targets)
SELECT {verdict} AS verdict, sum(requests) FROM judged GROUP BY verdict ORDER BY verdict
"""

DUCKDB = """
WITH
  lines AS (
    SELECT string_split(line, '"') AS parts
    FROM read_csv('{files}', columns = {{'line': 'VARCHAR'}}, delim = chr(1), quote = '', escape = '',
      header = false, auto_detect = false, compression = 'gzip')),
  requests AS (
    SELECT string_split(parts[2], ' ')[2] AS target, contains(parts[6], 'iPhone OS 12_') AS legacy
    FROM lines WHERE len(parts) = 7 AND starts_with(parts[2], 'GET /')),
  targets AS (SELECT target, legacy, count(*) AS requests FROM requests GROUP BY ALL),
  judged AS (SELECT requests, {first} AS first, {second} AS second FROM targets)
SELECT {verdict} AS verdict, sum(requests) AS requests FROM judged GROUP BY verdict ORDER BY verdict
"""


def query(text, files, matches):
    whole, first, second = verdict(matches, "target", "legacy")
    return text.format(files=files, verdict=whole, first=first, second=second)


def programs(options, folder):
    """For each program, a command, and a function that finds its counts in what it prints."""
    files = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".gz"))
    aasa = os.path.join(options.data, "association.json")
    with open(aasa, "w") as file: json.dump(AASA, file)
    pattern, cores = os.path.join(folder, "*.gz"), os.cpu_count() or 1

    def audited(output):
        verdicts = json.loads(output)["sites"][0]["verdicts"]
        return {name: counts["requests"] for name, counts in verdicts.items() if counts["requests"]}

    def rows(output): return {name: int(count) for name, count in (line.split("\t") for line in output.decode().splitlines())}

    found = {"linkaudit": ([options.binary, "report", "--no-config", "--aasa", aasa, "--host", HOST, "--format", "json"] + files, audited)}
    decompress = decompression()
    found["decompression (%s)" % decompress.split()[0]] = (
        ["sh", "-c", 'printf "%%s\\n" "$@" | xargs -P%d -n1 %s >/dev/null' % (cores, decompress), "sh"] + files, None)
    clickhouse = query(CLICKHOUSE, pattern, lambda target, rule: "match(%s, '%s')" % (target, rule.replace("\\", "\\\\")))
    duckdb = query(DUCKDB, pattern, lambda target, rule: "regexp_matches(%s, '%s')" % (target, rule))
    for name, module, script in (
        ("ClickHouse (chdb)", "chdb", "import sys, chdb; sys.stdout.write(str(chdb.query(sys.argv[1], 'TabSeparated')))"),
        ("DuckDB", "duckdb", "import sys, duckdb\nduckdb.sql('SET enable_progress_bar = false')\nfor row in duckdb.sql(sys.argv[1]).fetchall(): print(*row, sep='\\t')"),
    ):
        if subprocess.run([options.python, "-c", "import " + module], stderr=subprocess.DEVNULL).returncode: continue
        found[name] = ([options.python, "-c", script, clickhouse if module == "chdb" else duckdb], rows)
    if shutil.which("goaccess"):
        report = os.path.join(options.data, "goaccess.json")
        # It decompresses nothing itself.
        command = "%s %s | goaccess --log-format=COMBINED --no-progress -o %s - >/dev/null" % (decompress, pattern, report)
        found["GoAccess"] = (["sh", "-c", command], lambda output: {"requests": json.load(open(report))["general"]["valid_requests"]})
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=".build/release/linkaudit")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--lines", type=int, default=4_000_000)
    parser.add_argument("--files", type=int, default=8)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", default=os.path.join(tempfile.gettempdir(), "linkaudit-peers"))
    options = parser.parse_args()
    os.makedirs(options.data, exist_ok=True)
    found = programs(options, write_logs(options))
    counts, peaks, seconds = {}, {}, {name: [] for name in found}
    for run in range(options.runs + 1):
        for name, (command, count) in found.items():
            time_taken, peak, output = timed(command)
            if run > 0: seconds[name].append(time_taken)
            peaks[name] = max(peak, peaks.get(name, 0))
            if count: counts[name] = count(output)
    requests = sum(counts["linkaudit"].values())
    for name, found_counts in counts.items():
        same = found_counts == counts["linkaudit"] or found_counts == {"requests": requests}
        if not same: sys.exit("%s counts otherwise: %s, but linkaudit %s" % (name, found_counts, counts["linkaudit"]))
    print("%d lines, %d files, %d cores; %s\n" % (options.lines, options.files, os.cpu_count() or 1, json.dumps(counts["linkaudit"])))
    print("| program | seconds | lines a second | times linkaudit's | peak MiB |\n| --- | --- | --- | --- | --- |")
    for name, times in seconds.items():
        ratios = sorted(time_taken / own for time_taken, own in zip(times, seconds["linkaudit"]))
        print("| %s | %.2f | %.1f million | %.2f (%.2f to %.2f) | %.0f |" % (
            name, statistics.median(times), options.lines / statistics.median(times) / 1e6,
            statistics.median(ratios), ratios[0], ratios[-1], peaks[name]))


if __name__ == "__main__": main()
