"""Pages of `linkaudit report --format html` in Chromium: hostile logs, many rows, the keyboard, print, small screens.

No Swift test runs the script, applies the style, or asks the security policy. Accessibility is checked with axe where
'Scripts/setup.sh --browser' could install it.
"""
import os
import shutil
import sys

from support.world import Skip

# Cases share one browser.
JOBS = 1
SYSTEM_PYTHON = "/usr/bin/python3"

try:
    import selenium  # noqa: F401
except ImportError:
    # Debian installs Selenium for its own Python, which may not be the first in the path.
    if sys.executable != SYSTEM_PYTHON and os.path.exists(SYSTEM_PYTHON) and "LINKAUDIT_PYTHON" not in os.environ:
        os.environ["LINKAUDIT_PYTHON"] = "1"
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
    raise Skip("Selenium is missing; 'Scripts/setup.sh --browser' installs it") from None
if not shutil.which("chromedriver") or not (shutil.which("chromium") or shutil.which("google-chrome")):
    raise Skip("Chromium or its driver is missing; 'Scripts/setup.sh --browser' installs them")
