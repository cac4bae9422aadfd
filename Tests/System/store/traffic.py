"""Lines as web servers log them: what people, robots and broken connections leave behind.

Everything comes from a seeded generator, so a seed and a first day say every byte.
"""
import datetime
import random

from support.inputs import AGENT, HOST

AGENTS = {
    "ios": AGENT,
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
    "bot": "Mozilla/5.0 (compatible; ExampleBot/2.1; +https://www.example.net/bot)",
    "cdn": "AASA-Bot/1.0.0",
}
PEOPLE = ["ios"] * 8 + ["ios12", "chrome-ios", "in-app", "mac", "mac"] + ["android"] * 4 + ["bot"] * 2
REFERRERS = ["-", "-", "https://m.example.com/", "https://search.example.net/?q=tea"]
ZONES = ["+0000", "+0200", "-0700"]
MALFORMED = [
    b"\n",
    b"no structure at all\n",
    b'203.0.113.9 - - [%s] "-" 408 0 "-" "-"\n',
    b'203.0.113.9 - - [%s] "\\x16\\x03\\x01" 400 157 "-" "-"\n',
    b'203.0.113.9 - - [%s] "GET /without/status HTTP/1.1" - 0 "-" "-"\n',
    b'203.0.113.9 - - [%s] "GET /cut/short\n',
    b'203.0.113.9 - - [not a time] "GET /buy/7 HTTP/1.1" 200 5 "-" "-"\n',
    b"\x00\xff\xfe\x1b[2J\x07\n",
]


class Traffic:
    """Writes lines whose times go on from where the last ones ended."""

    def __init__(self, generator: random.Random, first_day: datetime.date) -> None:
        self.random = generator
        self.clock = datetime.datetime.combine(first_day, datetime.time(9))
        self.serial = 0

    def lines(self, count: int, malformed: float = 0.02) -> list[bytes]:
        """Lines of the combined format in the order of a server's clock, each with its line feed."""
        return [self.line(malformed) for _ in range(count)]

    def line(self, malformed: float = 0.0) -> bytes:
        """One line; the clock goes on by a few seconds."""
        self.clock += datetime.timedelta(seconds=self.random.randrange(40))
        if self.random.random() < malformed:
            line = self.random.choice(MALFORMED)
            return line % self.stamp().encode() if b"%s" in line else line
        target, agent = self.target(), self.random.choice(PEOPLE)
        if self.random.random() < 0.01:
            target, agent = "/.well-known/apple-app-site-association", "cdn"
        method = "GET" if self.random.random() < 0.96 else "POST"
        # The address makes lines differ that say the same otherwise; it is in no figure.
        self.serial += 1
        address = "2001:db8::%x:%x" % (self.serial >> 16, self.serial & 0xFFFF)
        return ('%s - - [%s] "%s %s HTTP/2.0" %d %d "%s" "%s"\n' % (
            address, self.stamp(), method, target, self.status(), self.random.randrange(200, 60000),
            self.referrer(), AGENTS[agent])).encode()

    def night(self) -> None:
        """Sets the clock to shortly before the next midnight."""
        self.clock = self.clock.replace(hour=23, minute=55)

    def next_day(self, days: int = 1) -> None:
        """Sets the clock to a morning."""
        self.clock = (self.clock + datetime.timedelta(days=days)).replace(hour=7)

    def stamp(self) -> str:
        """The clock as the combined format has it; mostly in one time zone."""
        zone = ZONES[0] if self.random.random() < 0.9 else self.random.choice(ZONES)
        return self.clock.strftime("%d/%b/%Y:%H:%M:%S ") + zone

    def status(self) -> int:
        return self.random.choices([200, 304, 301, 404, 500], [88, 4, 4, 3, 1])[0]

    def referrer(self) -> str:
        if self.random.random() < 0.4:
            return "https://" + HOST + self.page()
        return self.random.choice(REFERRERS)

    def target(self) -> str:
        if self.random.random() < 0.04:
            host = self.random.choice([HOST, "m.example.com", "other.example.net", HOST + ":8080"])
            return "http://" + host + self.page()
        return self.page()

    def page(self) -> str:
        """A path as visitors of a small shop ask for it."""
        number = int(self.random.paretovariate(1.1))
        return self.random.choice([
            "/",
            "/buy/%d" % number,
            "/buy/%d?color=%d" % (number, self.random.randrange(9)),
            "/search?q=" + self.random.choice(["tea", "caf%C3%A9", "a+b", "x%2Fy"]),
            "/help/%d?articleNumber=%04d" % (self.random.randrange(60), self.random.randrange(9999)),
            "/help/website/" + self.random.choice(["cookies", "privacy", "imprint"]),
            "/account/orders/%08x" % self.random.randrange(1 << 32),
            "/%s/menu" % self.random.choice(["en-US", "de-DE", "xx-XX"]),
            "/news/%s-%d" % (self.random.choice(["spring", "autumn"]), number % 200),
            "/static/%x.%s" % (self.random.randrange(40), self.random.choice(["js", "css", "png"])),
            "/gift/%E8%8C%B6/" + str(number),
        ])
