"""Completions that shells offer while something is typed."""
import pathlib
import re

from package import shells
from package.world import World
from support.cases import case

# Typed text, words that are offered, and words that aren't, in a folder with aasa.json, rules.yml and 'archive'.
TYPED = [
    ("linkaudit rep", ["report"], []),
    ("linkaudit ", ["report", "diff", "suggest", "lint", "fetch", "match", "ingest", "store", "digest", "merge",
                    "explain", "formats", "init"], []),
    ("linkaudit store re", ["remove-day", "remove-site", "rename-host", "rebuild"], ["report"]),
    ("linkaudit report --form", ["--format"], []),
    ("linkaudit report --format open", ["openmetrics"], []),
    ("linkaudit diff a b --format ", ["text", "json", "csv", "html"], ["ndjson"]),
    ("linkaudit report --table unvis", ["unvisited-routes"], []),
    ("linkaudit report --fail-on w", ["warning"], []),
    ("linkaudit report --log-format cloudfl", ["cloudflare"], []),
    ("linkaudit report --platform inA", ["inApp"], []),
    ("linkaudit report --route-syntax ang", ["angles"], []),
    ("linkaudit report --group ex", ["exact"], []),
    ("linkaudit report --aasa aa", ["aasa.json"], []),
    ("linkaudit report --site www.example.com=aa", ["aasa.json"], []),
    ("linkaudit report a", ["aasa.json", "archive"], []),
    ("linkaudit report --store a", ["archive"], ["aasa.json"]),
    ("linkaudit report --config ", ["rules.yml"], ["aasa.json"]),
    ("linkaudit explain same", ["same-host-links"], []),
    ("linkaudit match --os ios13", ["ios13+"], []),
]


def typing_place(world: World) -> tuple[pathlib.Path, str]:
    folder = world.folder / "typing"
    (folder / "archive").mkdir(parents=True, exist_ok=True)
    (folder / "aasa.json").write_text("{}")
    (folder / "rules.yml").write_text("")
    return folder, f"{world.installed / 'bin'}:/usr/local/bin:/usr/bin:/bin"


def type_everything(world: World, shell: str) -> None:
    world.need(shell)
    folder, path = typing_place(world)
    start, first = shells.SHELLS[shell]
    terminal = shells.Terminal(start, first.format(share=world.installed / "share"), folder, path)
    wrong = []
    try:
        for text, offered, others in TYPED:
            screen = terminal.complete(text)
            for word in offered:
                if word not in screen:
                    # The word is completed on the line itself.
                    begun = re.split("[ =]", text)[-1]
                    if not (len(offered) == 1 and word.startswith(begun) and word[len(begun):] in screen):
                        wrong.append(f"{text!r} doesn't offer {word!r}: {screen!r}")
            wrong += [f"{text!r} offers {word!r}: {screen!r}" for word in others if word in screen]
    finally:
        terminal.type("\x15\x0bexit\n")
        terminal.close()
    assert not wrong, "\n".join(wrong)


@case
def bash_completes(world: World) -> None:
    type_everything(world, "bash")


@case
def zsh_completes(world: World) -> None:
    type_everything(world, "zsh")


@case
def fish_completes(world: World) -> None:
    world.need("fish")
    folder, path = typing_place(world)
    wrong = []
    for text, offered, others in TYPED:
        found = shells.fish_completions(world.installed / "share", folder, text, path)
        for word in offered:
            if not any(each.startswith(word) or each.endswith("=" + word) for each in found):
                wrong.append(f"{text!r} doesn't offer {word!r}: {found}")
        wrong += [f"{text!r} offers {word!r}: {found}" for word in others if word in found]
    assert not wrong, "\n".join(wrong)
