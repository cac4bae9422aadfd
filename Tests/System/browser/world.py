"""The fixture of the browser's cases: reports as pages, and a browser that shows them."""
import base64
import contextlib
import shutil

from browser import reports
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from support import world

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


def open_all(browser):
    """Opens all sections, as a person does who reads the whole page."""
    browser.execute_script("for (const details of document.querySelectorAll('details')) details.open = true")


def shoot(browser, path, width):
    height = browser.execute_script("return document.documentElement.scrollHeight")
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {
        "captureBeyondViewport": True,
        "clip": {"x": 0, "y": 0, "width": width, "height": min(height, 16000), "scale": 1}})
    path.write_bytes(base64.b64decode(shot["data"]))


def save_pictures(browser, pages, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("sample", "sites", "damaged", "hostile", "large", "one-day"):
        for scheme in ("light", "dark"):
            for width in (390, 1280):
                shape(browser, width, scheme)
                load(browser, pages[name])
                shoot(browser, folder / ("%s-%d-%s-start.png" % (name, width, scheme)), width)
                open_all(browser)
                shoot(browser, folder / ("%s-%d-%s.png" % (name, width, scheme)), width)
        printed = browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True, "paperWidth": 8.27, "paperHeight": 11.69})
        (folder / (name + ".pdf")).write_bytes(base64.b64decode(printed["data"]))


class Pages:
    def __init__(self, settings, folder):
        self.files = reports.make_reports(world.World(settings, "reports", folder))
        self.browser = open_browser()


@contextlib.contextmanager
def prepared(settings, folder):
    pages = Pages(settings, folder)
    try:
        yield pages
        if settings.screenshots:
            save_pictures(pages.browser, pages.files, settings.screenshots)
    finally:
        pages.browser.quit()


class World(world.World):
    @property
    def browser(self):
        return self.settings.shared.browser

    @property
    def pages(self):
        return self.settings.shared.files
