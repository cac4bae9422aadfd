"""What holds or doesn't, and pages to look at."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Failure(Exception):
    """Nothing more can be seen of a page."""


failures = []


def check(condition, message):
    """Notes what doesn't hold, and goes on."""
    if not condition:
        failures.append(message)
        print("FAILED: " + message)
