"""The fixture of the cases about warehouses: a log of random lines, and programs that play a warehouse."""
import pathlib
import re

from support import world
from support.inputs import AGENT, HOST, ROOT, line
from support.world import Skip

PAGE = ROOT / "Documentation/Rows.md"
# 'Scripts/setup.sh --warehouses' installs it.
WAREHOUSES = ROOT / ".build/warehouses/bin/python"

AGENTS = (
    AGENT,
    "Mozilla/5.0 (iPhone; CPU iPhone OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1 "
    "Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36",
    "AASA-Bot/1.0.0", "curl/8, \\x22quoted\\x22", "-", "", r"a \"b\" \\ c")
TARGETS = (
    "/", "/buy/%d", "/buy/%d?ref=a,b", "/help/%d", r"/caf\xC3\xA9/%d", r"/a\x22b\x5C%d", "/%%C3%%A9?q=%%20%d",
    "/.well-known/apple-app-site-association", "http://m.example.com/x/%d", "/'%d'", r"/\"%d\"")
REFERRERS = (
    "-", "", "https://www.example.com/buy/%d?x=1", "https://www.google.com/", r"https://a.example/\x22,%d",
    "https://www.example.com/help/%d")

# The fields of a line, as a warehouse extracts them: time, method, target, status, size, referrer, agent.
FIELDS = (
    r'^\S+ \S+ \S+ \[([^\]]+)\] "(\S+) (\S+) [^"]*" (\d+) (\S+) "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)"')


class World(world.World):
    def random_log(self, name: str, lines: int) -> pathlib.Path:
        """Writes a log whose lines repeat, with all that escapes have to survive."""

        def chosen(texts: tuple[str, ...], most: int) -> str:
            text = self.random.choice(texts)
            return text % self.random.randrange(most) if "%d" in text else text.replace("%%", "%")

        return self.write(name, [
            line(self.random.randrange(86_400), chosen(TARGETS, 5), agent=self.random.choice(AGENTS),
                 day="%02d/Jun/2026" % self.random.randint(1, 2), referrer=chosen(REFERRERS, 2),
                 method=self.random.choice(("GET", "GET", "GET", "POST")),
                 status=self.random.choice((200, 200, 301, 404)))
            for _ in range(lines)])

    def digest(self, name: str, *arguments: object, **options: object) -> bytes:
        self.run("digest", *arguments, "--host", HOST, "--quiet", "-o", name, **options)
        path = self.folder / name
        return path.read_bytes() if path.exists() else b""

    def python(self, interpreter: pathlib.Path, module: str) -> pathlib.Path:
        if not interpreter.exists():
            raise Skip("%s is missing; 'Scripts/setup.sh --warehouses' installs it" % module)
        return interpreter


def block(language: str, heading: str) -> str:
    """Returns the first block of code in a language below a heading of the page."""
    text = PAGE.read_text().partition("\n%s\n" % heading)[2]
    found = re.search(r"```%s\n(.*?)```" % language, text, re.DOTALL)
    assert found, heading
    return found.group(1).strip()


def statement() -> str:
    """Returns the statement that groups and counts."""
    return block("sql", "## The query")
