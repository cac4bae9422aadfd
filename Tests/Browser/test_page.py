#!/usr/bin/env python3
"""Open pages of `linkaudit report --format html` in a browser, and see whether they hold.

    Tests/Browser/test_page.py --binary .build/debug/linkaudit [--screenshots DIR]

Needs Chromium, its driver, and Selenium ('Scripts/setup.sh --browser' installs them); says so and
leaves with status 0 where they are missing. Accessibility is checked with axe where
'Scripts/setup.sh --browser' could get it.
"""
import argparse
import os
import pathlib
import shutil
import sys
import tempfile

# First, because it looks for a Python that has Selenium.
from page_browser import load, open_browser, screenshots
from page_behaviour import (
    check_chart, check_hostile, check_keyboard, check_print, check_table, check_without_script)
from page_checks import ROOT, failures
from page_reports import make_reports
from page_structure import (
    check_accessibility, check_quiet, check_schemes, check_structure, check_width, find_axe)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=str(ROOT / ".build" / "debug" / "linkaudit"))
    parser.add_argument("--screenshots", type=pathlib.Path, help="a directory for pictures of the pages")
    parser.add_argument("--no-skips", action="store_true", help="fail if the browser or axe is missing")
    options = parser.parse_args()
    needs_all = options.no_skips or bool(os.environ.get("LINKAUDIT_NO_SKIPS"))
    if not shutil.which("chromedriver") or not (shutil.which("chromium") or shutil.which("google-chrome")):
        print("test-page: skipped, Chromium or its driver is missing; 'Scripts/setup.sh --browser' installs them")
        return 1 if needs_all else 0
    axe = find_axe()
    if not axe:
        print("test-page: axe is missing; accessibility is checked without it")
        if needs_all:
            return 1
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
