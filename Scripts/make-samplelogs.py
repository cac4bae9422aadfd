#!/usr/bin/env python3
"""Write the logs of SampleLogs: small, synthetic, and the same bytes each time.

    Scripts/make-samplelogs.py [DIR]

Hosts are example.com's, addresses those that RFC 5737 and RFC 3849 set aside for documentation.
Only the standard library is used.
"""
import gzip
import io
import os
import random
import sys
import zlib

HOST = "www.example.com"
AGENTS = {
    "ios": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "ipad": "Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/17.7 Mobile/15E148 Safari/604.1",
    "ios12": "Mozilla/5.0 (iPhone; CPU iPhone OS 12_5_7 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/12.1.2 Mobile/15E148 Safari/604.1",
    "chrome-ios": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) CriOS/137.0.7151.51 Mobile/15E148 Safari/604.1",
    "in-app": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Mobile/15E148 Instagram 382.0.0.30.88 (iPhone15,3; iOS 18_5; en_US)",
    "mac": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.5 Safari/605.1.15",
    "android": "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 "
    "(KHTML, like Gecko) Chrome/137.0.0.0 Mobile Safari/537.36",
    "windows": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 "
    "(KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36",
    "bot": "Mozilla/5.0 (compatible; ExampleBot/2.1; +https://www.example.net/bot)",
    "cdn": "AASA-Bot/1.0.0",
    "swcd": "swcd (unknown version) CFNetwork/978.0.7 Darwin/18.7.0",
}
PEOPLE = ["ios"] * 9 + ["ipad"] * 2 + ["ios12", "chrome-ios", "chrome-ios", "in-app", "in-app"]
PEOPLE += ["mac"] * 3 + ["android"] * 7 + ["windows"] * 4 + ["bot"]
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def page(random_):
    """A path as visitors of a small shop ask for it."""
    kind = random_.choices(
        ["buy", "home", "search", "help", "website", "orders", "menu", "news", "asset", "api", "gift"],
        [24, 12, 10, 7, 8, 5, 5, 9, 10, 6, 4])[0]
    number = int(random_.paretovariate(1.1))
    return {
        "buy": "/buy/%d" % number,
        "home": "/",
        "search": "/search?q=" + random_.choice(["tea", "caf%C3%A9", "a+b", "x%2Fy"]),
        "help": "/help/%d?articleNumber=%04d" % (random_.randrange(60), random_.randrange(9999)),
        "website": "/help/website/" + random_.choice(["cookies", "privacy", "imprint"]),
        "orders": "/account/orders/%08x" % random_.randrange(1 << 32),
        "menu": "/%s/menu" % random_.choice(["en-US", "de-DE", "ja-JP", "xx-XX"]),
        "news": "/news/" + random_.choice(["spring", "summer", "autumn"]) + "-%d" % (number % 90),
        "asset": "/static/%x.%s" % (random_.randrange(40), random_.choice(["js", "css", "png"])),
        "api": "/api/cart",
        "gift": "/gift/%E8%8C%B6/" + str(number),
    }[kind]


def line(random_, second, host=None, own=HOST):
    """A line of the combined format, with the host in front if one is given."""
    target = page(random_)
    who = random_.choice(PEOPLE)
    if random_.random() < 0.01:
        target, who = "/.well-known/apple-app-site-association", random_.choice(["cdn", "swcd"])
    if random_.random() < 0.4:
        referrer = "https://%s%s" % (own, page(random_))
    else:
        referrer = random_.choice(["-", "-", "https://m.example.com/", "https://search.example.net/?q=tea",
                                   "https://news.example.org/item/7"])
    status = random_.choices([200, 304, 301, 404, 500], [88, 4, 4, 3, 1])[0]
    day, rest = divmod(second, 86400)
    time = "%02d/%s/2026:%02d:%02d:%02d +0200" % (
        1 + day, MONTHS[5], rest // 3600, rest // 60 % 60, rest % 60)
    address = random_.choice(["192.0.2.%d", "198.51.100.%d", "203.0.113.%d", "2001:db8::%x"])
    method = "GET" if random_.random() < 0.97 else "POST"
    return '%s%s - - [%s] "%s %s HTTP/2.0" %d %d "%s" "%s"\n' % (
        host + " " if host else "", address % random_.randrange(1, 255), time, method, target, status,
        random_.randrange(200, 60000), referrer, AGENTS[who])


def lines(seed, count, start_day, **options):
    random_ = random.Random(seed)
    seconds = sorted(random_.randrange(86400) for _ in range(count))
    return [line(random_, start_day * 86400 + second, **options) for second in seconds]


def member(data):
    """One gzip member with no time and no name in it."""
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=out, compresslevel=9, mtime=0) as stream:
        stream.write(data)
    return out.getvalue()


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(
        os.path.dirname(os.path.abspath(__file__)), "../SampleLogs")

    def write(name, data):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as out:
            out.write(data)

    def text(some):
        return "".join(some).encode()

    # Three days of a shop: what most people have.
    days = [text(lines(seed, 700, seed)) for seed in range(3)]
    write("logs/www.access.log-20260602.gz", member(days[0]))
    # logrotate appends a member a run, pigz writes several; one here is empty.
    half = days[1].index(b"\n", len(days[1]) // 2) + 1
    write("logs/www.access.log-20260603.gz", member(days[1][:half]) + member(b"") + member(days[1][half:]))
    # Not yet compressed.
    write("logs/www.access.log", days[2])
    # A server on Windows ends lines with a carriage return, too.
    write("logs/www-crlf.access.log.gz", member(text(lines(4, 60, 3)).replace(b"\n", b"\r\n")))
    # Several hosts in one log, each line with its own in front.
    mixed = lines(5, 150, 3, host="www.example.com:443") + lines(
        6, 90, 3, host="m.example.com", own="m.example.com")
    random.Random(7).shuffle(mixed)
    write("logs/all-hosts.access.log.gz", member(text(mixed)))

    # What scanners and broken connections leave.
    head = '203.0.113.9 - - [04/Jun/2026:03:04:05 +0200] "%s" %s "-" "-"\n'
    garbage = [
        head % ("\\x16\\x03\\x01\\x02\\x00\\x01\\x00\\x01\\xFC\\x03\\x03", "400 157"),
        head % ("-", "408 0"),
        "\n",
        "garbage without any structure\n",
        head % ("GET /.env HTTP/1.1", "404 153"),
        head % ("GET /buy/1?q=\\\"<script>alert(1)</script>\\\" HTTP/1.1", "200 99"),
        head % ("GET /buy/2?q=\\x22\\xE8\\x8C\\xB6\\x22 HTTP/1.1", "200 99"),
        head % ("GET http://www.example.com/buy/3 HTTP/1.1", "200 99"),
        head % ("GET http://www.example.com:8080/buy/4 HTTP/1.1", "200 99"),
        head % ("GET http://other.example.net/ HTTP/1.1", "404 153"),
        head % ("CONNECT other.example.net:443 HTTP/1.1", "405 157"),
        head % ("OPTIONS * HTTP/1.0", "200 0"),
        head % ("GET /caf\udce9/\udcff HTTP/1.1", "404 153"),
        head % ("GET /a b c HTTP/1.1", "400 153"),
        head % ("GET /", "200 612"),
        head % ("GET /no-status HTTP/1.1", "-"),
        '203.0.113.9 - - [04/Jun/2026:03:04:05 +0200] "GET /cut-short-in-the-agent HTTP/1.1" 200 5 "-" "Mozilla/5.0 (iPho\n',
        '203.0.113.9 - - [04/Jun/2026:03:04:06 +0200] "GET /cut',
    ]
    write("logs/scanners.access.log.gz", member("".join(garbage).encode("utf-8", "surrogateescape")))

    # A copy that broke off, and one with a flipped bit in its checksum.
    whole = member(text(lines(8, 200, 3)))
    write("damaged/truncated.access.log.gz", whole[: len(whole) * 2 // 3])
    broken = bytearray(member(text(lines(9, 100, 3))))
    broken[-8] ^= 1
    write("damaged/checksum.access.log.gz", bytes(broken))
    assert zlib  # gzip needs it; say so here rather than in a trace


if __name__ == "__main__":
    main()
