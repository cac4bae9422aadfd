#!/usr/bin/env python3
"""Measures `linkaudit report` and prints tables in Markdown.

    Scripts/benchmark.py [--binary .build/release/linkaudit] [--lines 2000000] [--runs 3]
                         [--only shapes,formats,targets,rules,hostile] [--data DIRECTORY]

Logs are made from a seed, so that the same arguments give the same bytes; they are kept in the
directory for the next time. Times drift with the machine: the figures are ratios within one run.
A ratio to decompression is one to `igzip -dc` of the same files, as many at a time as there are
cores, or to `gzip -dc` where there is no igzip.
"""
import argparse, gzip, json, os, random, shutil, statistics, subprocess, sys, tempfile, time, zlib

HOST = "www.shop.example"
AGENTS = [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_%d_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.%d Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (iPad; CPU OS 16_%d like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.%d Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 14; Pixel %d) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/12%d.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:%d) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/12%d.0.0.0 Safari/537.36",
]
AGENTS = [agent % (n, n) for agent in AGENTS for n in range(1, 9)]
WORDS = ["red", "blue", "summer", "sale", "shoes", "bags", "garden", "kitchen", "guide", "new"]


def target(number):
    """The target with a number: popular ones are the low numbers."""
    kind = number % 5
    if kind == 0: return "/product/%06d/%s" % (number, WORDS[number // 5 % 10])
    if kind == 1: return "/help/%d?articleNumber=%04d" % (number % 97, number)
    if kind == 2: return "/news/%s-%s-%x" % (WORDS[number // 5 % 10], WORDS[number // 50 % 10], number)
    if kind == 3: return "/search?q=%s+%x&page=%d" % (WORDS[number // 5 % 10], number, number % 20)
    return "/account/orders/%08x" % number


def lines(count, targets, seed, host="", agents=AGENTS, make=target):
    """Lines of a log, with Zipf's distribution over targets, or each once if `targets` is None."""
    draw = random.Random(seed)
    for number in range(count):
        n = number if targets is None else int(targets ** draw.random()) - 1
        day, second = 1 + number * 9 // count, number // 50 % 60
        kind = draw.randrange(4)
        referrer = ("-", "https://%s%s" % (HOST, make(n * 7 % 1000)), "https://www.google.com/", "https://t.co/x%d" % (n % 500))[kind]
        agent = agents[n * 31 % len(agents)] if agents else "%s build/%d" % (AGENTS[n % 32], number)
        yield '%s10.%d.%d.%d - - [%02d/Nov/2026:12:00:%02d +0000] "GET %s HTTP/1.1" %d %d "%s" "%s"\n' % (
            host(n) + " " if host else "", n & 255, number & 255, kind, day, second, make(n),
            (200, 200, 200, 301, 404)[n % 5], 100 + n % 50000, referrer, agent)


def fields(line):
    """What a line of lines() says."""
    address, _, _, day, _, _, path, _, rest = line.split(" ", 8)
    status, size, referrer, agent = rest.split(" ", 3)
    clock = line[line.index("[") + 1:].split("]")[0]
    return {"address": address, "date": "2026-11-" + clock[:2], "time": clock[12:20], "clock": clock, "path": path, "status": status, "size": size,
            "referrer": referrer.strip('"'), "agent": agent.strip()[1:-1], "seconds": 1793491200 + 86400 * int(clock[:2]) + int(clock[18:20])}


def as_json(value): return json.dumps(value, separators=(",", ":")) + "\n"


# The lines of other formats that say the same.
FORMATS = {
    "w3c": lambda f: "%(date)s %(time)s 192.0.2.9 GET %(stem)s %(query)s 443 - %(address)s %(plus)s %(referrer)s www.shop.example %(status)s 0 0 12\n" % dict(
        f, stem=f["path"].partition("?")[0], query=f["path"].partition("?")[2] or "-", plus=f["agent"].replace(" ", "+")),
    "awsalb": lambda f: 'https %(date)sT%(time)s.123456Z app/x/1 %(address)s:2817 10.0.0.1:80 0.086 0.048 0.037 %(status)s %(status)s 0 %(size)s "GET https://www.shop.example:443%(path)s HTTP/1.1" "%(agent)s" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:x "Root=1-5" "www.shop.example" "arn:aws:acm:x" 1 %(date)sT%(time)s.0Z "forward" "-" "-" "10.0.0.1:80" "200" "-" "-"\n' % f,
    "nginx-json": lambda f: as_json({"time_iso8601": f["date"] + "T" + f["time"] + "+00:00", "remote_addr": f["address"], "host": HOST, "request_method": "GET", "request_uri": f["path"],
                                     "status": f["status"], "body_bytes_sent": f["size"], "http_referer": f["referrer"], "http_user_agent": f["agent"], "request_time": "0.003"}),
    "cloudflare": lambda f: as_json({"ClientIP": f["address"], "ClientRequestHost": HOST, "ClientRequestMethod": "GET", "ClientRequestURI": f["path"], "ClientRequestUserAgent": f["agent"],
                                     "ClientRequestReferer": f["referrer"], "EdgeEndTimestamp": f["seconds"] * 10**9, "EdgeResponseBytes": int(f["size"]), "EdgeResponseStatus": int(f["status"]),
                                     "EdgeStartTimestamp": f["seconds"] * 10**9, "RayID": "87a1b2c3d4e5f001", "CacheCacheStatus": "miss", "CacheResponseStatus": 200, "ClientCountry": "US",
                                     "ClientRequestProtocol": "HTTP/2", "EdgeColoCode": "SEA", "WAFAction": "allow", "WAFRuleID": "", "FirewallMatchesActions": []}),
    "caddy": lambda f: as_json({"level": "info", "ts": f["seconds"] + 0.5, "logger": "http.log.access", "msg": "handled request", "request": {
        "remote_ip": f["address"], "remote_port": "38574", "client_ip": f["address"], "proto": "HTTP/2.0", "method": "GET", "host": HOST, "uri": f["path"],
        "headers": {"Accept": ["*/*"], "User-Agent": [f["agent"]], "Referer": [f["referrer"]], "Accept-Encoding": ["gzip, deflate, br"], "Accept-Language": ["en-US"]},
        "tls": {"resumed": False, "version": 772, "cipher_suite": 4865, "proto": "h2", "server_name": HOST}}, "bytes_read": 0, "user_id": "", "duration": 0.017557,
        "size": int(f["size"]), "status": int(f["status"]), "resp_headers": {"Server": ["Caddy"], "Content-Type": ["text/html"], "X-Content-Type-Options": ["nosniff"]}}),
    "log_format": lambda f: '%(address)s www.shop.example [%(clock)s] "GET %(path)s HTTP/1.1" %(status)s %(size)s 0.003 "%(referrer)s" "%(agent)s" rt=0.1\n' % f,
}
FORMAT_HEADS = {"w3c": "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) cs-host sc-status sc-substatus sc-win32-status time-taken\n"}
FORMAT_OPTIONS = {"log_format": ["--log-format", '$remote_addr $host [$time_local] "$request" $status $body_bytes_sent $request_time "$http_referer" "$http_user_agent" rt=$ignored']}


def compressed(data): return zlib.compress(data, 6, 31)


class Bench:
    def __init__(self, options):
        self.options, self.cores = options, os.cpu_count() or 1
        self.igzip = "igzip -dc" if shutil.which("igzip") else "gzip -dc"
        os.makedirs(options.data, exist_ok=True)
        self.aasa = self.rules(9)

    def path(self, name): return os.path.join(self.options.data, name)

    def rules(self, count):
        """An association file with that many rules, most of which match something or other."""
        components = [{"/": "/product/*"}, {"/": "/help/*", "?": {"articleNumber": "????"}}, {"/": "/news/*-1*"},
                      {"/": "/account/*", "exclude": True}, {"/": "/$(lang)/videos/*"}]
        for n in range(count - len(components)):
            components.insert(0, [{"/": "/section%d/*" % n}, {"/": "/news/%s-%x*" % (WORDS[n % 10], n)}, {"/": "/*/page%d.html" % n},
                                  {"/": "/product/%06d/*" % n}, {"/": "/help/%d" % n, "#": "top"}][n % 5])
        path = self.path("rules-%d.json" % count)
        with open(path, "w") as file:
            json.dump({"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.shop"], "components": components[:count]}]}}, file)
        return path

    def log(self, name, chunks):
        """Files of a log, made unless they are there; `chunks` gives the bytes of each, uncompressed."""
        folder = self.path("%s-%d" % (name, self.options.lines))
        done = os.path.join(folder, ".size")
        # In a process of its own: what is measured later begins as a copy of this one, memory included.
        if not os.path.exists(done) and os.fork() == 0:
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
            size = 0
            for number, (data, stored) in enumerate(chunks()):
                size += data
                sub = os.path.join(folder, "%03d" % (number // 1000))
                os.makedirs(sub, exist_ok=True)
                with open(os.path.join(sub, "%06d.gz" % number), "wb") as file: file.write(stored)
            with open(done, "w") as file: file.write(str(size))
            os._exit(0)
        if not os.path.exists(done): os.wait()
        return folder, int(open(done).read())

    def split(self, name, files, make):
        def chunks():
            whole = "".join(make()).encode()
            if files == 1:
                yield len(whole), compressed(whole)
                return
            all_lines = whole.splitlines(keepends=True)
            for number in range(files):
                part = b"".join(all_lines[number * len(all_lines) // files:(number + 1) * len(all_lines) // files])
                yield len(part), compressed(part)
        return self.log(name, chunks)

    def timed(self, command):
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        complaint = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        if status: sys.exit("failed: %s\n%s" % (" ".join(command[:9]), complaint.decode(errors="replace")[-1000:]))
        return time.perf_counter() - start, usage.ru_maxrss / 1024

    def report(self, folder, aasa=None, host=True):
        site = ["--aasa", aasa or self.aasa, "--host", HOST] if host else ["--site", HOST + "=" + (aasa or self.aasa)]
        return [self.options.binary, "report", "--format", "json", "--top", "10", folder] + site

    def measure(self, folder, *others, **keywords):
        """Medians of the seconds of a report, its peak in MiB, and its ratio to decompression."""
        command = keywords.get("command") or self.report(folder, **{k: v for k, v in keywords.items() if k != "command"})
        floor = ["sh", "-c", "find %s -name '*.gz' | xargs -P%d -n64 %s >/dev/null" % (folder, self.cores, self.igzip)]
        self.timed(command)
        rows = [(self.timed(command), self.timed(floor)[0]) for _ in range(self.options.runs)]
        median = statistics.median
        return median(r[0][0] for r in rows), max(r[0][1] for r in rows), median(r[0][0] / r[1] for r in rows)

    def table(self, title, header, rows):
        print("\n### %s\n\n| %s |\n|%s" % (title, " | ".join(header), " --- |" * len(header)))
        for row in rows:
            print("| %s |" % " | ".join(row), flush=True)

    # The tables.

    def shapes(self):
        n = self.options.lines
        def rows():
            first = None
            for name, files, count in [("eight files", 8, n), ("one file", 1, n), ("1,000 files", 1000, n), ("20 lines a file", n // 20, n),
                                       ("a quarter of the lines", 8, n // 4), ("half of the lines", 8, n // 2), ("twice the lines", 8, 2 * n)]:
                folder, _ = self.split("shape-%d-%d" % (files, count), files, lambda: lines(count, 100_000, 1))
                seconds, peak, ratio = self.measure(folder)
                first = first or seconds / count
                yield name, "{:,}".format(files), "{:,}".format(count), "%.2f" % seconds, "%.2f" % (seconds / count / first), "%.1f" % ratio, "%d" % peak
        self.table("Files and lines", ["log", "files", "lines", "seconds", "a line, to the first", "to decompression", "peak MiB"], rows())

    def formats(self):
        n = self.options.lines // 2
        def rows():
            first = None
            for name in ["combined"] + list(FORMATS):
                def part(number, name=name):
                    # A piece of the log at a time: some of these formats are long.
                    text = FORMAT_HEADS.get(name, "")
                    for index, line in enumerate(lines(n, 100_000, 1)):
                        if index * 8 // n == number: text += line if name == "combined" else FORMATS[name](fields(line))
                    return text.encode()
                def chunks(part=part):
                    for number in range(8):
                        data = part(number)
                        yield len(data), compressed(data)
                folder, size = self.log("format-" + name, chunks)
                seconds, peak, ratio = self.measure(folder, command=self.report(folder) + FORMAT_OPTIONS.get(name, []))
                first = first or seconds
                yield name, "%d" % (size / n), "%.2f" % seconds, "%.2f" % (seconds / first), "%.1f" % ratio, "%d" % peak
        self.table("The same {:,} lines in other formats".format(n), ["format", "bytes a line", "seconds", "to the first", "to decompression", "peak MiB"], rows())

    def targets(self):
        n = self.options.lines
        def rows():
            first = None
            for count in [1_000, 10_000, 100_000, 1_000_000, None]:
                folder, _ = self.split("targets-%s" % count, 8, lambda: lines(n, count, 2))
                seconds, peak, ratio = self.measure(folder)
                first = first or seconds
                yield "each once" if count is None else "{:,}".format(count), "%.2f" % seconds, "%.2f" % (seconds / first), "%.1f" % ratio, "%d" % peak
        self.table("Distinct targets in {:,} lines".format(n), ["drawn from", "seconds", "to the first", "to decompression", "peak MiB"], rows())

    def rule_counts(self):
        n = self.options.lines // 2
        folder, _ = self.split("targets-rules", 8, lambda: lines(n, None, 2))
        def rows():
            base = self.measure(folder, aasa=self.rules(0))[0]
            first = None
            for count in [10, 100, 1_000, 10_000]:
                seconds, peak, _ = self.measure(folder, aasa=self.rules(count))
                cost = (seconds - base) * 1e9 * self.cores / n
                first = first or cost
                yield "{:,}".format(count), "%.2f" % seconds, "%d" % cost, "%.1f" % (cost / first), "%d" % peak
        self.table("Rules, {:,} distinct targets".format(n), ["rules", "seconds", "ns a target more than without rules", "to the first", "peak MiB"], rows())

    def hostile(self):
        n = self.options.lines
        long_line = lambda: iter([(len(b), compressed(b)) for b in [b"".join([
            "".join(lines(100_000, 1000, 3)).encode(), b'10.0.0.1 - - [01/Nov/2026:12:00:00 +0000] "GET /' + b"a" * (64 << 20) + b' HTTP/1.1" 200 5 "-" "-"\n'])]])
        def members():
            each = [s.encode() for s in lines(1_000_000, 1000, 4)]
            yield sum(map(len, each)), b"".join(gzip.compress(s, 1, mtime=0) for s in each)
        deep = lambda number: "/deep/%d/" % number + "%x" % random.Random(number).getrandbits(240_000)
        cases = [
            ("the usual log", self.split("shape-8-%d" % n, 8, lambda: lines(n, 100_000, 1)), {}),
            ("every target distinct", self.split("targets-None", 8, lambda: lines(n, None, 2)), {}),
            ("every agent distinct", self.split("agents", 8, lambda: lines(n, 100_000, 1, agents=None)), {}),
            ("1,000 hosts", self.split("hosts", 8, lambda: lines(n, 100_000, 1, host=lambda t: "h%d.example.com" % (t % 1000))), {"host": False}),
            ("10,000 rules", self.split("shape-8-%d" % n, 8, lambda: lines(n, 100_000, 1)), {"aasa": self.rules(10_000)}),
            ("a line of 64 MiB", self.log("line", long_line), {}),
            ("a million members", self.log("members", members), {}),
            ("targets of 60 KB", self.split("deep-targets", 8, lambda: lines(4_000, None, 5, make=deep)), {}),
        ]
        def rows():
            first = None
            for name, (folder, size), keywords in cases:
                seconds, peak, ratio = self.measure(folder, **keywords)
                stored = sum(os.path.getsize(os.path.join(root, f)) for root, _, files in os.walk(folder) for f in files)
                first = first or (seconds / stored, seconds / size)
                yield (name, "{:,}".format(stored >> 20), "{:,}".format(size >> 20), "%.2f" % seconds,
                       "%.1f" % (seconds / stored / first[0]), "%.1f" % (seconds / size / first[1]), "%.1f" % ratio, "%d" % peak)
        self.table("Hostile logs", ["log", "MiB", "unpacked", "seconds", "a byte, to the first", "an unpacked byte", "to decompression", "peak MiB"], rows())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=".build/release/linkaudit")
    parser.add_argument("--lines", type=int, default=2_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="shapes,formats,targets,rules,hostile")
    parser.add_argument("--data", default=os.path.join(tempfile.gettempdir(), "linkaudit-benchmark"))
    options = parser.parse_args()
    bench = Bench(options)
    tables = {"shapes": bench.shapes, "formats": bench.formats, "targets": bench.targets, "rules": bench.rule_counts, "hostile": bench.hostile}
    for name in options.only.split(","): tables[name]()


if __name__ == "__main__": main()
