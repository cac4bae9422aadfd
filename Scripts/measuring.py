"""What benchmark.py and benchmark-peers.py share: logs of a shop, and the time and memory of a command."""
import json, os, random, shutil, subprocess, sys, time, zlib

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


def decompression():
    """The command that decompresses gzip fastest here."""
    return "igzip -dc" if shutil.which("igzip") else "gzip -dc"


def timed(command):
    """The seconds, the peak in MiB of the largest process, and what a command prints."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    output, errors = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status: sys.exit("failed: %s\n%s" % (" ".join(command)[:300], errors.decode(errors="replace")[-2000:]))
    return seconds, usage.ru_maxrss / 1024, output
