#!/usr/bin/env python3
"""Open pages of `linkaudit report --format html` in a browser, and see whether they hold.

    Tests/Browser/test_page.py --binary .build/debug/linkaudit [--screenshots DIR]

Needs Chromium, its driver, and Selenium ('Scripts/setup.sh --browser' installs them); says so and
leaves with status 0 where they are missing. Accessibility is checked with axe where
'Scripts/setup.sh --browser' could get it.
"""
import argparse
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SYSTEM_PYTHON = "/usr/bin/python3"

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select
except ImportError:
    # Debian installs Selenium for its own Python, which may not be the first in the path.
    if sys.executable != SYSTEM_PYTHON and os.path.exists(SYSTEM_PYTHON) and "LINKAUDIT_PYTHON" not in os.environ:
        os.environ["LINKAUDIT_PYTHON"] = "1"
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON] + sys.argv)
    print("test-page: skipped, Selenium is missing; 'Scripts/setup.sh --browser' installs it")
    sys.exit(0)

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
HOSTILE = [
    "/<script>alert(1)</script>",
    "/buy/</script><script>alert(2)</script>",
    '/help/\\"onload=\\"alert(3)',
    "/buy/<!--<script>",
    "/buy/--><img src=x onerror=alert(4)>",
    "/buy/'onmouseover='alert(5)",
    "/buy/]]>{{7*7}}${alert(6)}",
    "/help/\u2028\u2029line",
    "/help/%E2%80%AEgnp.exe",
    "/help/%E2%81%A6%E2%81%A9",
    "/buy/%3Cscript%3Ealert(7)%3C/script%3E",
    "/gift/%E8%8C%B6/1",
    "/gift/%D7%A9%D7%9C%D7%95%D7%9D/1",
    "/buy/\x01\x7f",
    "/buy/" + "a" * 3000,
    "/news/&lt;b&gt;&amp;",
    "/search?q=\"><svg onload=alert(8)>",
]


class Failure(Exception):
    pass


failures = []


def check(condition, message):
    """Notes what doesn't hold, and goes on."""
    if not condition:
        failures.append(message)
        print("FAILED: " + message)


# MARK: - Reports


def line(target, day=0, status=200, referrer="-"):
    """A line of the combined format; day 0 is the first of January 2026."""
    date = time.gmtime(1767225600 + day * 86400)
    stamp = "%02d/%s/%d:12:00:00 +0000" % (date.tm_mday, MONTHS[date.tm_mon - 1], date.tm_year)
    return '192.0.2.1 - - [%s] "GET %s HTTP/2.0" %d 512 "%s" "%s"\n' % (stamp, target, status, referrer, IPHONE)


def write(path, lines):
    path.write_text("".join(lines), encoding="utf-8", newline="\n")
    return str(path)


def letters(number):
    """A word for a number, which no template folds."""
    word = ""
    for _ in range(4):
        number, digit = divmod(number, 20)
        word += "ghijklmnopqrstuvwxyz"[digit]
    return word


def report(binary, folder, name, arguments, statuses=(0,)):
    page = folder / (name + ".html")
    command = [binary, "report", *arguments, "--format", "html", "-o", str(page), "--quiet"]
    outcome = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    if outcome.returncode not in statuses:
        raise Failure("%s: status %d: %s" % (name, outcome.returncode, outcome.stderr.decode()))
    return page


def make_reports(binary, folder):
    site = ["--aasa", "SampleLogs/aasa.json", "--host", "www.example.com"]
    routes = ["--routes", "SampleLogs/routes.txt"]
    pages = {}
    pages["sample"] = report(binary, folder, "sample", ["SampleLogs/logs", *site, *routes])
    pages["sites"] = report(binary, folder, "sites", [
        "SampleLogs/logs", "--site", "www.example.com=SampleLogs/aasa.json",
        "--site", "m.example.com=SampleLogs/aasa-ios12.json"])
    pages["damaged"] = report(binary, folder, "damaged", ["SampleLogs/damaged", *site], (2,))

    lines = []
    for target in HOSTILE:
        for status in (200, 301, 404):
            referrer = "https://www.example.com" + target.replace("\\", "").replace('"', "")
            lines.append(line(target, status=status, referrer=referrer if status == 200 else "-"))
    logs = folder / "<img src=x onerror=alert(9)>"
    logs.mkdir()
    rules = {"applinks": {"details": [{
        "appIDs": ["A1B2C3D4E5.<script>alert(10)</script>"],
        "components": [
            {"/": "/help/*", "exclude": True, "comment": "</script>"}, {"/": "/buy/*"},
            {"/": "/gift/\u202e*"}, {"/": "/\"onload=*"}, {"/": "/news/</script>*"}]}]}}
    aasa = folder / "hostile.json"
    aasa.write_text(json.dumps(rules), encoding="utf-8")
    (folder / "hostile.txt").write_text("/buy/:id\n/<script>alert(11)</script>/:id\n", encoding="utf-8")
    pages["hostile"] = report(binary, folder, "hostile", [
        write(logs / "access.log", lines), "--aasa", str(aasa), "--host", "www.example.com",
        "--routes", str(folder / "hostile.txt")])

    lines = []
    for number in range(10000):
        word = letters(number)
        for prefix, times in (("/buy/", 1), ("/news/", 1 + (number < 40)), ("/help/website/", 1)):
            for _ in range(times):
                lines.append(line(prefix + word, day=number % 400))
        if number % 3 == 0:
            lines.append(line("/buy/" + word, day=number % 400, referrer="https://www.example.com/news/" + word))
        if number % 5 == 0:
            lines.append(line("/buy/" + word, day=number % 400, status=(301, 404)[number % 2]))
    log = write(folder / "large.log", lines)
    pages["large"] = report(binary, folder, "large", [log, *site, *routes, "--fan-out", "1000000"])
    pages["one-day"] = report(binary, folder, "one-day", [write(folder / "one.log", [line("/buy/1")]), *site])
    pages["no-requests"] = report(binary, folder, "no-requests", [
        write(folder / "none.log", ["not a request\n"] * 3 + [line("/x").replace("GET", "POST")]), *site])
    again = folder / "again"
    again.mkdir()
    second = report(binary, again, "sample", ["SampleLogs/logs", *site, *routes, "--jobs", "1"])
    check(second.read_bytes() == pages["sample"].read_bytes(), "the same report is not the same bytes")
    return pages


# MARK: - The browser


WATCH = """
window.seen = [];
document.addEventListener("securitypolicyviolation", event =>
  seen.push("violation of " + event.violatedDirective + " by " + event.blockedURI + " line " + event.lineNumber));
addEventListener("error", event => seen.push("error: " + event.message), true);
window.alert = text => seen.push("alert: " + text);
"""


def open_browser(width=1280, scheme="light"):
    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    if shutil.which("chromium"):
        options.binary_location = shutil.which("chromium")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    browser.set_page_load_timeout(120)
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
    shape(browser, width, scheme)
    return browser


def shape(browser, width, scheme="light"):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 700})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": scheme}]})


def load(browser, page):
    browser.get_log("performance")
    browser.get_log("browser")
    browser.get(page.as_uri())


def check_quiet(browser, page):
    """Nothing was loaded, refused, or said."""
    name = page.stem
    seen = browser.execute_script("return window.seen")
    check(not seen, "%s: %s" % (name, seen))
    said = [entry["message"] for entry in browser.get_log("browser")]
    check(not said, "%s: the console says %s" % (name, said))
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            check(url.split("#")[0] == page.as_uri(), "%s: asks for %s" % (name, url))


STRUCTURE = """
const problems = [];
const ids = new Set();
for (const element of document.querySelectorAll("[id]")) {
  if (ids.has(element.id)) problems.push("the id " + element.id + " is there twice");
  ids.add(element.id);
}
for (const element of document.querySelectorAll("*")) {
  for (const attribute of element.attributes) {
    if (attribute.name === "style" || attribute.name.startsWith("on")) {
      problems.push("the attribute " + attribute.name + " of " + element.localName);
    }
    if (["href", "xlink:href"].includes(attribute.name)) {
      if (!attribute.value.startsWith("#")) problems.push("a link to " + attribute.value);
      else if (!document.getElementById(attribute.value.slice(1))) problems.push("a link to nothing: " + attribute.value);
    }
    if (["src", "action", "srcset", "data", "poster", "background"].includes(attribute.name)) {
      problems.push("the attribute " + attribute.name);
    }
    if (["aria-labelledby", "aria-describedby", "for"].includes(attribute.name)) {
      for (const id of attribute.value.split(" ")) {
        if (!document.getElementById(id)) problems.push(attribute.name + " names " + id + ", which is not there");
      }
    }
  }
}
for (const control of document.querySelectorAll("input, select, textarea")) {
  if (!control.labels.length || !control.labels[0].textContent.trim()) problems.push("a control has no label");
}
for (const button of document.querySelectorAll("button, a, summary")) {
  if (!button.textContent.trim()) problems.push("a button or link without text");
}
for (const table of document.querySelectorAll("table")) {
  if (!table.caption || !table.caption.textContent.trim()) problems.push("a table without a caption");
  for (const cell of table.querySelectorAll("th")) {
    if (!cell.scope) problems.push("a heading without a scope in " + table.caption.textContent);
  }
}
let level = 0;
for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
  const now = Number(heading.localName[1]);
  if (now > level + 1) problems.push("a heading of level " + now + " below one of " + level + ": " + heading.textContent);
  level = now;
}
if (document.querySelectorAll("h1").length !== 1) problems.push("not one h1");
for (const landmark of ["header", "nav", "main", "footer"]) {
  if (document.querySelectorAll("body > " + landmark).length !== 1) problems.push("not one " + landmark);
}
if (document.documentElement.lang !== "en") problems.push("no language");
return problems;
"""


def check_structure(browser, page):
    for problem in browser.execute_script(STRUCTURE):
        check(False, "%s: %s" % (page.stem, problem))
    script = browser.execute_script("return document.querySelectorAll('script:not([type])').length")
    check(script == 1, "%s: %d scripts" % (page.stem, script))
    style = browser.execute_script("return getComputedStyle(document.querySelector('.figures')).display")
    check(style == "grid", "%s: the style is not in force" % page.stem)


def check_width(browser, page, width=360):
    shape(browser, width)
    browser.execute_script("for (const details of document.querySelectorAll('details')) details.open = true")
    widths = browser.execute_script(
        "return [document.documentElement.scrollWidth, document.body.scrollWidth, innerWidth]")
    check(max(widths[:2]) <= width, "%s: %s pixels wide at %d" % (page.stem, widths, width))
    loose = browser.execute_script("""
      return [...document.querySelectorAll("body *")].filter(element =>
        element.getBoundingClientRect().right > innerWidth + 1
        && !element.closest(".scroll, svg, .quiet, .skip")).map(element => element.outerHTML.slice(0, 120))""")
    check(not loose, "%s: stands out at %d: %s" % (page.stem, width, loose[:3]))
    shape(browser, 1280)


def column(browser, table, index):
    return browser.execute_script(
        "return [...arguments[0].tBodies[0].rows].map(row => row.cells[arguments[1]].innerText)", table, index)


def numbers(texts):
    return [int(text.replace(",", "")) for text in texts]


def find_table(browser, name):
    for box in browser.find_elements(By.CSS_SELECTOR, ".table"):
        if box.get_attribute("data-name") == name:
            return box
    raise Failure("there is no table " + name)


def check_table(browser):
    """Sorts, filters and pages a table of ten thousand rows."""
    box = find_table(browser, "Claimed by no rule")
    table = box.find_element(By.TAG_NAME, "table")
    headers = table.find_elements(By.CSS_SELECTOR, "thead th")
    statuses = lambda: [each.text for each in box.find_elements(By.CSS_SELECTOR, "[role=status]")]
    check(len(column(browser, table, 0)) == 25, "not 25 rows at first")
    check("1–25 of 10,000" in statuses(), "the status is %s" % statuses())
    check(headers[1].get_attribute("aria-sort") == "descending", "not sorted by visits at first")

    visits = headers[1].find_element(By.TAG_NAME, "button")
    before = column(browser, table, 0)
    visits.click()
    check(headers[1].get_attribute("aria-sort") == "ascending", "a click doesn't turn the order")
    check(set(numbers(column(browser, table, 1))) == {1}, "not ascending")
    visits.click()
    check(column(browser, table, 0) == before, "turned twice, the order is another")

    name = headers[0].find_element(By.TAG_NAME, "button")
    browser.execute_script("arguments[0].focus()", name)
    name.send_keys(Keys.ENTER)
    check(headers[0].get_attribute("aria-sort") == "ascending", "the Enter key doesn't sort")
    check(headers[1].get_attribute("aria-sort") is None, "two columns say that they sort")
    check(column(browser, table, 0)[0] == "/news/gggg", "ascending paths begin with %s" % column(browser, table, 0)[:2])
    name.send_keys(Keys.SPACE)
    check(headers[0].get_attribute("aria-sort") == "descending", "the space key doesn't sort")
    paths = column(browser, table, 0)
    check(paths == sorted(paths, reverse=True), "descending paths: %s" % paths[:3])
    focused = browser.execute_script("return document.activeElement === arguments[0]", name)
    check(focused, "sorting takes the focus away")

    def button(text):
        return next(each for each in box.find_elements(By.TAG_NAME, "button") if each.text.startswith(text))

    button("Next").click()
    check("26–50 of 10,000" in statuses(), "after Next the status is %s" % statuses())
    check(not set(column(browser, table, 0)) & set(paths), "the second page has rows of the first")
    button("Previous").click()
    check(column(browser, table, 0) == paths, "Previous doesn't go back")
    menu = Select(box.find_element(By.TAG_NAME, "select"))
    menu.select_by_visible_text("100")
    check(len(column(browser, table, 0)) == 100, "not 100 rows")
    menu.select_by_visible_text("all")
    check(len(set(column(browser, table, 0))) == 10000, "not all rows")
    menu.select_by_visible_text("25")

    filter_ = box.find_element(By.CSS_SELECTOR, "input[type=search]")
    filter_.send_keys("NEWS/gggh")
    check(column(browser, table, 0) == ["/news/gggh"], "filtered: %s" % column(browser, table, 0)[:3])
    check("1 row" in statuses(), "filtered, the status is %s" % statuses())
    filter_.send_keys("<b>")
    check(column(browser, table, 0) == [], "a filter finds what isn't there")
    filter_.send_keys(Keys.CONTROL + "a", Keys.DELETE)
    check(len(column(browser, table, 0)) == 25, "no filter, and not 25 rows")

    data = browser.execute_script("""
      return [...document.querySelectorAll(".table script")].map(each => JSON.parse(each.textContent).length)""")
    check(9975 in data, "data of %s rows" % data)


def check_chart(browser, days):
    plot = browser.find_element(By.CSS_SELECTOR, ".plot")
    count = len(browser.find_elements(By.CSS_SELECTOR, ".plot g"))
    check(count == days, "%d days instead of %d" % (count, days))
    browser.execute_script("arguments[0].focus()", plot)
    plot.send_keys(Keys.HOME)
    check(plot.get_attribute("aria-valuenow") == "1", "the Home key doesn't lead to the first day")
    text = plot.get_attribute("aria-valuetext")
    check("visit" in text and text.startswith("20"), "a day says " + text)
    readout = browser.find_element(By.CSS_SELECTOR, ".readout").text
    check(readout == text, "the readout says %r, not %r" % (readout, text))
    if days > 1:
        plot.send_keys(Keys.ARROW_RIGHT)
        check(plot.get_attribute("aria-valuenow") == "2", "an arrow key doesn't lead on")


def check_hostile(browser):
    text = browser.execute_script("return document.body.innerText")
    check("<script>alert" in text or "%3Cscript%3E" in text, "hostile text is not shown")
    check("/help/%E2%80%AEgnp.exe" in text, "an override is not shown encoded")
    check("\u202e" not in text and "\u2028" not in text, "a control character is shown")
    check("茶" in text, "a readable path is not")
    count = browser.execute_script("return document.querySelectorAll('img, iframe, object, embed, link, form').length")
    check(count == 0, "hostile text became %d elements" % count)
    check("A1B2C3D4E5.<script>" in text, "an app's name is not shown")


def check_keyboard(browser):
    """The first stop leads past the contents, and stops can be seen."""
    body = browser.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.TAB)
    active = browser.switch_to.active_element
    check(active.text == "Skip to the report", "the first stop is %r" % active.text)
    check(active.size["height"] > 20, "the skip link can't be seen")
    active.send_keys(Keys.ENTER)
    check(browser.execute_script("return document.activeElement.localName") == "main", "the skip link leads nowhere")
    browser.switch_to.active_element.send_keys(Keys.TAB)
    outline = browser.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
    check(outline == "solid", "the focus can't be seen: %s" % outline)


def check_print(browser):
    """More rows are printed, what is closed opens, and all goes back."""
    count = "return [document.querySelectorAll('tbody tr').length, document.querySelectorAll('details:not([open])').length]"
    before = browser.execute_script(count)
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    box = find_table(browser, "Claimed by no rule")
    check(len(box.find_elements(By.CSS_SELECTOR, "tbody tr")) == 100, "not 100 rows are printed")
    check("The first 100 of 10,000 rows are printed." in box.text, "no word of the rows that aren't printed")
    check(browser.execute_script(count)[1] == 0, "closed details are printed")
    browser.execute_script("dispatchEvent(new Event('afterprint'))")
    check(browser.execute_script(count) == before, "printing leaves traces")


def check_without_script(browser, page):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    load(browser, page)
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    box = find_table(browser, "Claimed by no rule")
    check(len(box.find_elements(By.CSS_SELECTOR, "tbody tr")) == 25, "without a script, not 25 rows")
    check("The first 25 of 10,000 rows." in box.text, "without a script, no word of other rows")
    check(not browser.find_elements(By.CSS_SELECTOR, "main button, main input, main select"),
          "without a script, there are controls that do nothing")


def luminance(color):
    parts = [int(part) / 255 for part in color[4:-1].split(",")]
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def check_schemes(browser, page):
    grounds = []
    for scheme in ("light", "dark"):
        shape(browser, 1280, scheme)
        ground, ink = browser.execute_script(
            "const style = getComputedStyle(document.body); return [style.backgroundColor, style.color]")
        light, dark = sorted((luminance(ground), luminance(ink)), reverse=True)
        check((light + 0.05) / (dark + 0.05) >= 7, "%s: contrast of text" % scheme)
        grounds.append(luminance(ground))
    check(grounds[0] > 0.8 and grounds[1] < 0.05, "there is no dark scheme")
    shape(browser, 1280)


def find_axe():
    folders = [ROOT / ".build" / "browser"] + [pathlib.Path(path) for path in sys.path if path]
    for folder in folders:
        for path in folder.glob("axe_*_python/**/axe.min.js"):
            return path.read_text(encoding="utf-8")
    return None


def check_accessibility(browser, page, axe, scheme):
    shape(browser, 1280 if scheme == "light" else 390, scheme)
    browser.execute_script("for (const details of document.querySelectorAll('details')) details.open = true")
    browser.execute_script(axe)
    browser.set_script_timeout(120)
    result = browser.execute_async_script("""
      const done = arguments[arguments.length - 1];
      axe.run(document, {resultTypes: ["violations"]}).then(done, error => done({error: String(error)}));""")
    check("error" not in result, "axe: %s" % result.get("error"))
    for violation in result.get("violations", []):
        nodes = [node["html"][:160] + " " + node.get("failureSummary", "")[:300] for node in violation["nodes"][:2]]
        check(False, "%s, %s: axe: %s: %s: %s" % (page.stem, scheme, violation["id"], violation["help"], nodes))
    shape(browser, 1280)


def screenshots(browser, pages, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("sample", "sites", "damaged", "hostile", "large", "one-day"):
        for scheme in ("light", "dark"):
            for width in (390, 1280):
                shape(browser, width, scheme)
                load(browser, pages[name])
                height = browser.execute_script("return document.documentElement.scrollHeight")
                shot = browser.execute_cdp_cmd("Page.captureScreenshot", {
                    "captureBeyondViewport": True,
                    "clip": {"x": 0, "y": 0, "width": width, "height": min(height, 16000), "scale": 1}})
                (folder / ("%s-%d-%s.png" % (name, width, scheme))).write_bytes(base64.b64decode(shot["data"]))
        printed = browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True, "paperWidth": 8.27, "paperHeight": 11.69})
        (folder / (name + ".pdf")).write_bytes(base64.b64decode(printed["data"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=str(ROOT / ".build" / "debug" / "linkaudit"))
    parser.add_argument("--screenshots", type=pathlib.Path, help="a directory for pictures of the pages")
    options = parser.parse_args()
    if not shutil.which("chromedriver") or not (shutil.which("chromium") or shutil.which("google-chrome")):
        print("test-page: skipped, Chromium or its driver is missing; 'Scripts/setup.sh --browser' installs them")
        return 0
    axe = find_axe()
    if not axe:
        print("test-page: axe is missing; accessibility is checked without it")
    with tempfile.TemporaryDirectory(prefix="linkaudit-pages-") as folder:
        pages = make_reports(os.path.abspath(options.binary), pathlib.Path(folder))
        browser = open_browser()
        try:
            for name, page in pages.items():
                load(browser, page)
                if name == "large":
                    timing = browser.execute_script(
                        "const entry = performance.getEntriesByType('navigation')[0];"
                        "return [entry.domContentLoadedEventEnd, entry.loadEventEnd]")
                    print("test-page: ten thousand families, %.1f MB: %d ms to the load event"
                          % (page.stat().st_size / 1e6, timing[1]))
                check_structure(browser, page)
                if name == "hostile":
                    check_hostile(browser)
                if name == "large":
                    check_table(browser)
                    check_chart(browser, 400)
                    check_print(browser)
                if name == "one-day":
                    check_chart(browser, 1)
                if name == "sample":
                    check_keyboard(browser)
                    check_schemes(browser, page)
                    check_chart(browser, 4)
                check_width(browser, page)
                check_width(browser, page, 320)
                if axe:
                    for scheme in ("light", "dark"):
                        check_accessibility(browser, page, axe, scheme)
                check_quiet(browser, page)
            check_without_script(browser, pages["large"])
            if options.screenshots:
                screenshots(browser, pages, options.screenshots)
        finally:
            browser.quit()
    if failures:
        print("test-page: %d failures" % len(failures))
        return 1
    print("test-page: %d pages hold" % len(pages))
    return 0


if __name__ == "__main__":
    sys.exit(main())
