"""How a page is made, whatever it shows: structure, widths, accessibility, and that it is quiet."""
import json
import pathlib
import sys

from browser.world import open_all, shape
from support.inputs import ROOT

STRUCTURE = pathlib.Path(__file__).with_name("structure.js").read_text()


def check_quiet(world, browser, page):
    """Nothing was loaded, refused, or said."""
    name = page.stem
    seen = browser.execute_script("return window.seen")
    world.check(not seen, "%s: %s" % (name, seen))
    said = [entry["message"] for entry in browser.get_log("browser")]
    world.check(not said, "%s: the console says %s" % (name, said))
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            world.check(url.split("#")[0] == page.as_uri(), "%s: asks for %s" % (name, url))


def check_structure(world, browser, page):
    for problem in browser.execute_script(STRUCTURE):
        world.check(False, "%s: %s" % (page.stem, problem))
    script = browser.execute_script("return document.querySelectorAll('script:not([type])').length")
    world.check(script == 1, "%s: %d scripts" % (page.stem, script))
    style = browser.execute_script("return getComputedStyle(document.querySelector('.skip')).position")
    world.check(style == "absolute", "%s: the style is not in force" % page.stem)


def check_height(world, browser, page):
    """Before anything is opened, a page is at most two screens high."""
    shape(browser, 1280)
    height = browser.execute_script("return document.documentElement.scrollHeight")
    world.check(height <= 1600, "%s: %d pixels high before anything is opened" % (page.stem, height))


def check_width(world, browser, page, width=360):
    shape(browser, width)
    open_all(browser)
    widths = browser.execute_script(
        "return [document.documentElement.scrollWidth, document.body.scrollWidth, innerWidth]")
    world.check(max(widths[:2]) <= width, "%s: %s pixels wide at %d" % (page.stem, widths, width))
    loose = browser.execute_script("""
      return [...document.querySelectorAll("body *")].filter(element =>
        element.getBoundingClientRect().right > innerWidth + 1
        && !element.closest(".scroll, svg, .quiet, .skip")).map(element => element.outerHTML.slice(0, 120))""")
    world.check(not loose, "%s: stands out at %d: %s" % (page.stem, width, loose[:3]))
    shape(browser, 1280)


def luminance(color):
    parts = [int(part) / 255 for part in color[4:-1].split(",")]
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def check_schemes(world, browser, page):
    grounds = []
    for scheme in ("light", "dark"):
        shape(browser, 1280, scheme)
        ground, ink = browser.execute_script(
            "const style = getComputedStyle(document.body); return [style.backgroundColor, style.color]")
        light, dark = sorted((luminance(ground), luminance(ink)), reverse=True)
        world.check((light + 0.05) / (dark + 0.05) >= 7, "%s: contrast of text" % scheme)
        grounds.append(luminance(ground))
    world.check(grounds[0] > 0.8 and grounds[1] < 0.05, "there is no dark scheme")
    shape(browser, 1280)


def find_axe():
    folders = [*(ROOT / ".build/browser").glob("lib/python*/site-packages"), *map(pathlib.Path, filter(None, sys.path))]
    for folder in folders:
        for path in folder.glob("axe_*_python/**/axe.min.js"):
            return path.read_text(encoding="utf-8")
    return None


def check_accessibility(world, browser, page, axe, scheme):
    shape(browser, 1280 if scheme == "light" else 390, scheme)
    open_all(browser)
    browser.execute_script(axe)
    browser.set_script_timeout(120)
    result = browser.execute_async_script("""
      const done = arguments[arguments.length - 1];
      axe.run(document, {resultTypes: ["violations"]}).then(done, error => done({error: String(error)}));""")
    world.check("error" not in result, "axe: %s" % result.get("error"))
    for violation in result.get("violations", []):
        nodes = [node["html"][:160] + " " + node.get("failureSummary", "")[:300] for node in violation["nodes"][:2]]
        world.check(False, "%s, %s: axe: %s: %s: %s" % (page.stem, scheme, violation["id"], violation["help"], nodes))
    shape(browser, 1280)
