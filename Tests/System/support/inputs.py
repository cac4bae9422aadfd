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


def encoded(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


def line(
    number: int = 0, target: str | bytes = "/buy/1", host: str | bytes = "", agent: str | bytes = AGENT,
    day: str = "10/Jun/2026", referrer: str | bytes = "-", method: str | bytes = "GET", user: str | bytes = "-",
    status: int | str | bytes = 200, time: str | bytes = "", client: str = "192.0.2.1",
) -> bytes:
    """Returns a line in the combined format, with the host in front if there is one.

    The number sets the minute and second, unless a time is given.
    """
    time = time or "%s:10:%02d:%02d +0000" % (day, number // 60 % 60, number % 60)
    return b'%s%s - %s [%s] "%s %s HTTP/1.1" %s 512 "%s" "%s"\n' % (
        encoded(host) + b" " if host else b"", *map(
            encoded, (client, user, time, method, target, status, referrer, agent)))
