"""Checks that output is valid in its format, whatever it was made of."""
import csv
import io
import json
import re

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


def html_complaint(output: bytes) -> str | None:
    """A page whose policy allows nothing; its structure is seen by HTMLReportTests and in a browser."""
    if "default-src &#39;none&#39;" not in output.decode("utf-8", errors="strict"):
        return "has another policy"
    return complaint(output)


def metrics_complaint(output: bytes) -> str | None:
    """Metrics with their end; promtool reads those of OpenMetricsTests."""
    return complaint(output) if output.endswith(b"\n# EOF\n") else "does not end with # EOF"


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
