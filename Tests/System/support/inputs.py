"""The sample files, and lines of logs."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "SampleLogs"

HOST = "www.example.com"
AASA = str(SAMPLES / "aasa.json")
CANDIDATE = str(SAMPLES / "aasa-candidate.json")
LOGS = str(SAMPLES / "logs")
SITE = ["--aasa", AASA, "--host", HOST]
ROUTES = ["--routes", str(SAMPLES / "routes.txt")]
AGENT = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Mobile/15E148 Safari/604.1")
# A small association file.
FILE = b"""{
  "applinks": {
    "details": [
      { "appIDs": ["A1B2C3D4E5.com.example.tea"], "components": [{ "/": "/buy/*" }, { "/": "/help/*" }] }
    ]
  }
}
"""


def encoded(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


def line(
    number: int = 0, target: str | bytes = "/buy/1", host: str | bytes = "", agent: str | bytes = AGENT,
    day: str = "10/Jun/2026", referrer: str | bytes = "-", method: str | bytes = "GET", user: str | bytes = "-",
    status: int | str | bytes = 200, time: str | bytes = "",
) -> bytes:
    """Returns a line in the combined format, with the host in front if there is one.

    The number sets the minute and second, unless a time is given.
    """
    time = time or "%s:10:%02d:%02d +0000" % (day, number // 60 % 60, number % 60)
    return b'%s192.0.2.1 - %s [%s] "%s %s HTTP/1.1" %s 512 "%s" "%s"\n' % (
        encoded(host) + b" " if host else b"", encoded(user), encoded(time), encoded(method), encoded(target),
        encoded(status if isinstance(status, (str, bytes)) else str(status)), encoded(referrer), encoded(agent))


def write_log(path: pathlib.Path, lines: int, targets: int) -> None:
    """Writes a log of 28 days with some distinct targets."""
    with open(path, "wb") as file:
        file.writelines(
            line(number, "/%s/%d" % (("buy", "help", "news")[number % 3], number * 7919 % targets),
                 day="%02d/Jun/2026" % (number % 28 + 1))
            for number in range(lines))
