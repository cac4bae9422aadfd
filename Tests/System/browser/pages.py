"""Each page, looked at as a whole."""
from browser.behavior import (
    check_chart, check_hostile, check_keyboard, check_links, check_print, check_table, check_without_script)
from browser.structure import (
    check_accessibility, check_height, check_quiet, check_schemes, check_structure, check_width, find_axe)
from browser.world import load
from support.cases import add, case, skips_are_failures


def page(name, *checks):
    """A case for a page: the checks of its own, then those of every page."""

    def play(world):
        browser, file = world.browser, world.pages[name]
        load(browser, file)
        check_structure(world, browser, file)
        check_height(world, browser, file)
        for check in checks:
            check(world, browser)
        check_width(world, browser, file)
        check_width(world, browser, file, 320)
        if axe := find_axe():
            for scheme in ("light", "dark"):
                check_accessibility(world, browser, file, axe, scheme)
        check_quiet(world, browser, file)

    add(name.replace("-", "_"), play)


def chart_of(days):
    return lambda world, browser: check_chart(world, browser, days)


page("sample", check_keyboard, check_links, lambda world, browser: check_schemes(world, browser, world.pages["sample"]), chart_of(4))
page("sites")
page("damaged")
page("hostile", check_hostile)
page("large", check_table, chart_of(400), check_print)
page("one-day", chart_of(1))
page("no-requests")


@case
def large_without_script(world):
    check_without_script(world, world.browser, world.pages["large"])


@case
def accessibility_is_checked(world):
    if not find_axe():
        world.step("axe is missing; accessibility is checked without it")
        world.check(not skips_are_failures(), "axe is missing")
