"""The fixture of the browser's cases: reports as pages, and a browser that shows them."""
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


def open_browser():
    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    if shutil.which("chromium"):
        options.binary_location = shutil.which("chromium")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    browser.set_page_load_timeout(120)
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
    shape(browser, 1280)
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


@contextlib.contextmanager
def prepared(settings, folder):
    """The pages, and the browser that cases share."""
    pages = reports.make_reports(world.World(settings, "reports", folder))
    browser = open_browser()
    try:
        yield pages, browser
    finally:
        browser.quit()


class World(world.World):
    @property
    def pages(self):
        return self.settings.shared[0]

    @property
    def browser(self):
        return self.settings.shared[1]
