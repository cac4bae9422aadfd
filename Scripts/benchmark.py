#!/usr/bin/env python3
"""Measures `linkaudit report` and prints tables in Markdown.

    Scripts/benchmark.py [--binary .build/release/linkaudit] [--lines 2000000] [--runs 3]
                         [--only shapes,formats,targets,rules,hostile] [--data DIRECTORY]

Logs are made from a seed, so that the same arguments give the same bytes; they are kept in the
directory for the next time. Times drift with the machine: the figures are ratios within one run.
A ratio to decompression is one to `igzip -dc` of the same files, as many at a time as there are
cores, or to `gzip -dc` where there is no igzip.
"""
import argparse, gzip, json, os, random, shutil, statistics, tempfile

from measuring import FORMAT_HEADS, FORMAT_OPTIONS, FORMATS, HOST, WORDS, compressed, decompression, fields, lines, timed


class Bench:
    def __init__(self, options):
        self.options, self.cores = options, os.cpu_count() or 1
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

    def report(self, folder, aasa=None, host=True):
        site = ["--aasa", aasa or self.aasa, "--host", HOST] if host else ["--site", HOST + "=" + (aasa or self.aasa)]
        return [self.options.binary, "report", "--format", "json", "--top", "10", folder] + site

    def measure(self, folder, *others, **keywords):
        """Medians of the seconds of a report, its peak in MiB, and its ratio to decompression."""
        command = keywords.get("command") or self.report(folder, **{k: v for k, v in keywords.items() if k != "command"})
        floor = ["sh", "-c", "find %s -name '*.gz' | xargs -P%d -n64 %s >/dev/null" % (folder, self.cores, decompression())]
        timed(command)
        rows = [(timed(command), timed(floor)[0]) for _ in range(self.options.runs)]
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
