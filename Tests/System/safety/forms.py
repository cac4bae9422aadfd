"""Checks that output is valid in its format, whatever it was made of."""
from __future__ import annotations

import csv
import html.parser
import io
import json
import re
import shutil
import subprocess

from safety.texts import complaint


def json_complaint(output: bytes) -> str | None:
    """JSON, one value, nothing twice, no number that isn't one."""

    def unique(pairs: list) -> dict:
        names = [name for name, _ in pairs]
        if len(set(names)) < len(names):
            raise ValueError("a name stands twice: %r" % names)
        return dict(pairs)

    def refuse(word: str) -> None:
        raise ValueError("%s is no number" % word)

    try:
        json.loads(output.decode("utf-8", errors="strict"), object_pairs_hook=unique, parse_constant=refuse)
    except ValueError as error:
        return "is not JSON: %s" % error
    return None


def ndjson_complaint(output: bytes) -> str | None:
    for line in output.split(b"\n")[:-1]:
        if problem := json_complaint(line):
            return problem + " in %r" % line[:200]
    return None if output.endswith(b"\n") or not output else "does not end with a line feed"


NUMBER = re.compile(r"^-?[0-9]+(\.[0-9]+)?$")
# With white space and quotes in front, too, and behind what some locales take for a separator.
FORMULA = re.compile("(?:^|[;\t|])[\\s\u00a0\"]*[=+\\-@\t\r\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b\u2212]")


def csv_complaint(output: bytes) -> str | None:
    """RFC 4180: as many cells in each row, and none that a spreadsheet would run."""
    text = output.decode("utf-8", errors="strict")
    if text and not text.endswith("\r\n"):
        return "does not end with a line's end"
    if "\r" in text.replace("\r\n", "") or "\n" in text.replace("\r\n", ""):
        return "has half an end of a line"
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    for row in rows:
        if len(row) != len(rows[0]):
            return "has a row of %d cells, not %d: %r" % (len(row), len(rows[0]), row)
        for cell in row:
            if FORMULA.search(cell) and not NUMBER.match(cell):
                return "has a cell that a spreadsheet runs: %r" % cell
    # Columns are also apart for who reads lines and knows of quotes only.
    return complaint(output.replace(b"\r\n", b"\n"))


ELEMENTS = set(
    "html head meta title style script body header main footer section article nav details summary h1 h2 h3 h4 h5 p "
    "ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr th td span strong em b i small code pre a div "
    "figure figcaption svg g rect path line circle text tspan defs use symbol foreignobject polyline polygon desc button input "
    "label select option output time abbr noscript pattern br hr wbr form fieldset legend mark template bdi".split())
URL_ATTRIBUTES = {"href", "src", "action", "formaction", "data", "poster", "xlink:href", "srcset", "background", "ping"}


class Page(html.parser.HTMLParser):
    """An HTML page's elements, and what is wrong with them."""

    VOID = {"meta", "br", "hr", "col", "input", "wbr"}

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.problems: list[str] = []
        self.open: list[str] = []
        self.policy = ""
        self.text: list[str] = []
        self.scripts: list[tuple[str, str]] = []
        self.kind = ""

    def handle_starttag(self, tag: str, attributes: list) -> None:
        if tag not in ELEMENTS:
            self.problems.append("a strange element: <%s>" % tag)
        names = [name for name, _ in attributes]
        if len(set(names)) < len(names):
            self.problems.append("an attribute twice: %r" % names)
        for name, value in attributes:
            if name.startswith("on") or name == "style" or not re.fullmatch(r"[a-zA-Z][a-zA-Z0-9:-]*", name):
                self.problems.append("a strange attribute: %s=%r" % (name, value))
            if name in URL_ATTRIBUTES and not (value or "").startswith("#"):
                self.problems.append("leads elsewhere: %s=%r" % (name, value))
            if value and (problem := complaint(value.encode("utf-8", "surrogatepass"))):
                self.problems.append("%s of <%s> %s" % (name, tag, problem))
        values = dict(attributes)
        if tag == "meta" and (values.get("http-equiv") or "").lower() == "content-security-policy":
            self.policy = values.get("content") or ""
        if tag == "meta" and (values.get("http-equiv") or "").lower() == "refresh":
            self.problems.append("the page leads elsewhere by itself")
        if tag == "script":
            self.kind = values.get("type") or ""
            self.scripts.append((self.kind, ""))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.problems.append("</%s> ends what isn't open" % tag)

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            kind, text = self.scripts[-1]
            self.scripts[-1] = (kind, text + data)
        elif not self.open or self.open[-1] != "style":
            self.text.append(data)

    def handle_comment(self, data: str) -> None:
        self.problems.append("a comment: %r" % data[:100])


def html_complaint(output: bytes) -> str | None:
    """One page that loads nothing, in which strangers' text is text."""
    text = output.decode("utf-8", errors="strict")
    if problem := complaint(output):
        return problem
    page = Page()
    page.feed(text)
    page.close()
    if page.open:
        page.problems.append("left open: %r" % page.open)
    if "default-src 'none'" not in page.policy or "unsafe" in page.policy or "http" in page.policy:
        page.problems.append("its policy is %r" % page.policy)
    for kind, script in page.scripts:
        if kind == "application/json":
            if problem := json_complaint(script.encode("utf-8")):
                page.problems.append("data " + problem)
            if "<" in script:
                page.problems.append("data with markup: %r" % script[max(0, script.index("<") - 20):][:60])
    if len([kind for kind, _ in page.scripts if kind != "application/json"]) > 1:
        page.problems.append("has more than one script")
    return "; ".join(page.problems[:5]) or None


SAMPLE = re.compile(
    r'^[a-zA-Z_:][a-zA-Z0-9_:]*(?:\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*\})? -?[0-9.e+]+$')


def metrics_complaint(output: bytes) -> str | None:
    """Checks metrics as Prometheus reads them, with its own tool where there is one."""
    if problem := complaint(output):
        return problem
    lines = output.decode("utf-8").split("\n")
    if lines[-2:] != ["# EOF", ""]:
        return "does not end with # EOF"
    for line in lines[:-2]:
        if not line.startswith(("# TYPE ", "# UNIT ", "# HELP ")) and not SAMPLE.match(line):
            return "has a line that is no sample: %r" % line[:300]
    if shutil.which("promtool") is not None:
        done = subprocess.run(
            ["promtool", "check", "metrics"], input=output, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            check=False)
        # Status 3 is advice about names.
        if done.returncode not in (0, 3):
            return "promtool: %r" % done.stdout[:300]
    return None


def sarif_complaint(output: bytes) -> str | None:
    """SARIF 2.1.0, with references to files that are URIs."""
    if problem := json_complaint(output):
        return problem
    for result in json.loads(output)["runs"][0]["results"]:
        for location in result["locations"] + result.get("relatedLocations", []):
            uri = location["physicalLocation"]["artifactLocation"]["uri"]
            if not re.fullmatch(r"(?:file:///)?(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri):
                return "has a URI that isn't one: %r" % uri
    return complaint(output)


CHECKS = {
    "text": complaint, "json": lambda output: json_complaint(output) or complaint(output),
    "ndjson": lambda output: ndjson_complaint(output) or complaint(output), "csv": csv_complaint,
    "html": html_complaint, "openmetrics": metrics_complaint, "sarif": sarif_complaint,
}


def form_complaint(form: str, output: bytes) -> str | None:
    """Returns what is wrong with output of a format, or nothing."""
    try:
        return CHECKS[form](output)
    except (UnicodeDecodeError, csv.Error, KeyError) as error:
        return "can't be read as %s: %r" % (form, error)
