"""Checks of a page in use: tables, charts, keys, and print."""
from browser.world import load, open_all
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from support.command import Failure


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


def check_table(world, browser):
    """Sorts, filters and pages a table of ten thousand rows."""
    open_all(browser)
    box = find_table(browser, "Claimed by no rule")
    table = box.find_element(By.TAG_NAME, "table")
    headers = table.find_elements(By.CSS_SELECTOR, "thead th")
    statuses = lambda: [each.text for each in box.find_elements(By.CSS_SELECTOR, "[role=status]")]
    world.check(len(column(browser, table, 0)) == 25, "not 25 rows at first")
    world.check("1–25 of 10,000" in statuses(), "the status is %s" % statuses())
    world.check(headers[1].get_attribute("aria-sort") == "descending", "not sorted by visits at first")

    visits = headers[1].find_element(By.TAG_NAME, "button")
    before = column(browser, table, 0)
    visits.click()
    world.check(headers[1].get_attribute("aria-sort") == "ascending", "a click doesn't turn the order")
    world.check(set(numbers(column(browser, table, 1))) == {1}, "not ascending")
    visits.click()
    world.check(column(browser, table, 0) == before, "turned twice, the order is another")

    name = headers[0].find_element(By.TAG_NAME, "button")
    browser.execute_script("arguments[0].focus()", name)
    name.send_keys(Keys.ENTER)
    world.check(headers[0].get_attribute("aria-sort") == "ascending", "the Enter key doesn't sort")
    world.check(headers[1].get_attribute("aria-sort") is None, "two columns say that they sort")
    world.check(column(browser, table, 0)[0] == "/news/gggg", "ascending paths begin with %s" % column(browser, table, 0)[:2])
    name.send_keys(Keys.SPACE)
    world.check(headers[0].get_attribute("aria-sort") == "descending", "the space key doesn't sort")
    paths = column(browser, table, 0)
    world.check(paths == sorted(paths, reverse=True), "descending paths: %s" % paths[:3])
    focused = browser.execute_script("return document.activeElement === arguments[0]", name)
    world.check(focused, "sorting takes the focus away")

    def button(text):
        return next(each for each in box.find_elements(By.TAG_NAME, "button") if each.text.startswith(text))

    button("Next").click()
    world.check("26–50 of 10,000" in statuses(), "after Next the status is %s" % statuses())
    world.check(not set(column(browser, table, 0)) & set(paths), "the second page has rows of the first")
    button("Previous").click()
    world.check(column(browser, table, 0) == paths, "Previous doesn't go back")
    menu = Select(box.find_element(By.TAG_NAME, "select"))
    menu.select_by_visible_text("100")
    world.check(len(column(browser, table, 0)) == 100, "not 100 rows")
    menu.select_by_visible_text("all")
    world.check(len(set(column(browser, table, 0))) == 10000, "not all rows")
    menu.select_by_visible_text("25")

    filter_ = box.find_element(By.CSS_SELECTOR, "input[type=search]")
    filter_.send_keys("NEWS/gggh")
    world.check(column(browser, table, 0) == ["/news/gggh"], "filtered: %s" % column(browser, table, 0)[:3])
    world.check("1 row" in statuses(), "filtered, the status is %s" % statuses())
    filter_.send_keys("<b>")
    world.check(column(browser, table, 0) == [], "a filter finds what isn't there")
    filter_.send_keys(Keys.CONTROL + "a", Keys.DELETE)
    world.check(len(column(browser, table, 0)) == 25, "no filter, and not 25 rows")

    data = browser.execute_script("""
      return [...document.querySelectorAll(".table script")].map(each => JSON.parse(each.textContent).length)""")
    world.check(9975 in data, "data of %s rows" % data)


def check_chart(world, browser, days):
    open_all(browser)
    plot = browser.find_element(By.CSS_SELECTOR, ".plot")
    count = len(plot.find_elements(By.TAG_NAME, "g"))
    world.check(count == days, "%d days instead of %d" % (count, days))
    browser.execute_script("arguments[0].focus()", plot)
    plot.send_keys(Keys.HOME)
    world.check(plot.get_attribute("aria-valuenow") == "1", "the Home key doesn't lead to the first day")
    text = plot.get_attribute("aria-valuetext")
    world.check("visit" in text and text.startswith("20"), "a day says " + text)
    readout = browser.find_element(By.CSS_SELECTOR, ".readout").text
    world.check(readout == text, "the readout says %r, not %r" % (readout, text))
    if days > 1:
        plot.send_keys(Keys.ARROW_RIGHT)
        world.check(plot.get_attribute("aria-valuenow") == "2", "an arrow key doesn't lead on")


def check_hostile(world, browser):
    open_all(browser)
    text = browser.execute_script("return document.body.innerText")
    world.check("<script>alert" in text or "%3Cscript%3E" in text, "hostile text is not shown")
    world.check("/help/%E2%80%AEgnp.exe" in text, "an override is not shown encoded")
    world.check("\u202e" not in text and "\u2028" not in text, "a control character is shown")
    world.check("茶" in text, "a readable path is not")
    count = browser.execute_script("return document.querySelectorAll('img, iframe, object, embed, link, form').length")
    world.check(count == 0, "hostile text became %d elements" % count)
    world.check("A1B2C3D4E5.<script>" in text, "an app's name is not shown")


def check_keyboard(world, browser):
    """The first stop leads past the contents, and stops can be seen."""
    body = browser.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.TAB)
    active = browser.switch_to.active_element
    world.check(active.text == "Skip to the report", "the first stop is %r" % active.text)
    world.check(active.size["height"] > 20, "the skip link can't be seen")
    active.send_keys(Keys.ENTER)
    world.check(browser.execute_script("return document.activeElement.localName") == "main", "the skip link leads nowhere")
    browser.switch_to.active_element.send_keys(Keys.TAB)
    outline = browser.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
    world.check(outline == "solid", "the focus can't be seen: %s" % outline)


def check_links(world, browser):
    """A link of the contents opens the section that it leads to."""
    closed = "return document.querySelectorAll('.fold > details:not([open])').length"
    before = browser.execute_script(closed)
    browser.execute_script("document.querySelector('nav a[href$=-rules]').click()")
    world.check(browser.execute_script("""
        const details = document.querySelector("[id$=-rules] > details"), top = details.getBoundingClientRect().top;
        return details.open && top >= 0 && top < innerHeight"""), "a link doesn't open its section")
    world.check(browser.execute_script(closed) == before - 1, "a link opens other sections")


def check_print(world, browser):
    """More rows are printed, what is closed opens, and all goes back."""
    count = "return [document.querySelectorAll('tbody tr').length, document.querySelectorAll('details:not([open])').length]"
    before = browser.execute_script(count)
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    box = find_table(browser, "Claimed by no rule")
    world.check(len(box.find_elements(By.CSS_SELECTOR, "tbody tr")) == 100, "not 100 rows are printed")
    world.check("The first 100 of 10,000 rows are printed." in box.text, "no word of the rows that aren't printed")
    world.check(browser.execute_script(count)[1] == 0, "closed details are printed")
    browser.execute_script("dispatchEvent(new Event('afterprint'))")
    world.check(browser.execute_script(count) == before, "printing leaves traces")


def check_without_script(world, browser, page):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    load(browser, page)
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    box = find_table(browser, "Claimed by no rule")
    world.check(len(box.find_elements(By.CSS_SELECTOR, "tbody tr")) == 25, "without a script, not 25 rows")
    world.check("The first 25 of 10,000 rows." in box.get_attribute("textContent"), "without a script, no word of other rows")
    world.check(not browser.find_elements(By.CSS_SELECTOR, "main button, main input, main select"),
          "without a script, there are controls that do nothing")
