"""Patterns and targets that are made to hurt: what they cost grows with their sum, not with their product."""
import json
import random

from limits.world import World
from support.cases import case
from support.inputs import line

LENGTH = 8_000


def rules(components: list[object], variables: dict[str, list[str]] | None = None) -> bytes:
    details = [{"appIDs": ["A1B2C3D4E5.com.example.tea"], "components": components}]
    return json.dumps({"applinks": {"substitutionVariables": variables or {}, "details": details}}).encode()


def log(count: int, letters: str, start: str = "/") -> bytes:
    """Targets of random letters, which lead to another set of positions at almost each byte."""
    generator = random.Random(1)
    return b"".join(
        line(number, target="%s%s/%dZ" % (start, "".join(generator.choices(letters, k=LENGTH)), number))
        for number in range(count))


@case
def patterns_that_hurt(world: World) -> None:
    world.write("log", log(600, "aaaaaaaaab"))
    world.write("queries", log(600, "aaaaaaaaab", start="/?q="))
    long = "*" + "a?" * 1_000 + "Z?*"
    for what, name, text in [
        ("a hundred rules", "log", rules([{"/": "*" + "a?" * (50 + number) + "Z*"} for number in range(100)])),
        ("values", "log", rules([{"/": "*$(v)Z*"}], {"v": ["a" * (number % 30) + "b%d" % number for number in range(300)]})),
        ("queries", "queries", rules([{"/": "*", "?": long}])),
        ("query items", "queries", rules([{"/": "*", "?": {"q": long}}] * 50)),
    ]:
        world.write("aasa.json", text)
        outcome = world.report(name)
        world.ends(outcome, 0, 128, what)
        world.equal(outcome.report()["input"]["requests"], 600, what)


@case
def items_without_number(world: World) -> None:
    """Each name is found at once, however many rules name others."""
    world.write("aasa.json", rules([{"/": "*", "?": {"n%d" % number: "?*"}} for number in range(2_000)]))
    query = "&".join("n%d" % (number % 3_000) for number in range(1_400))
    world.write("log", b"".join(line(number, target="/%d?%s" % (number, query)) for number in range(1_000)))
    outcome = world.report("log")
    world.ends(outcome, 0, 128, "items")
