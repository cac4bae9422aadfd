"""The installed files, and the manual."""
import pathlib
import re

from package.world import World
from support.cases import case


@case
def installs_what_it_should(world: World) -> None:
    prefix = world.installed
    found = sorted(str(path.relative_to(prefix)) for path in prefix.rglob("*") if not path.is_dir())
    documents = world.tool(
        "find", "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "SECURITY.md",
        "Documentation", "Integrations", "-type", "f", "!", "-name", "test_*").text.split()
    pages = ["linkaudit"] + [f"linkaudit-{each['commandName']}" for each in world.commands]
    expected = [
        "bin/linkaudit", "lib/systemd/system/linkaudit.service", "lib/systemd/system/linkaudit.timer",
        "lib/systemd/system/linkaudit-fetch.service", "lib/systemd/system/linkaudit-fetch.timer",
        "lib/sysusers.d/linkaudit.conf", "share/bash-completion/completions/linkaudit",
        "share/fish/vendor_completions.d/linkaudit.fish", "share/zsh/site-functions/_linkaudit",
        *(f"share/doc/linkaudit/{document}" for document in documents), *(f"share/man/man1/{page}.1" for page in pages),
    ]
    world.equal(found, sorted(expected), "installed files")
    service = (prefix / "lib/systemd/system/linkaudit.service").read_text()
    assert f"ExecStart={prefix}/bin/linkaudit" in service and "/usr/local" not in service.replace(str(prefix), "")
    for path in prefix.rglob("*"):
        world.equal(path.stat().st_mode & 0o022, 0, f"who else may write {path}")
    for page in prefix.rglob("*.md"):
        for place in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / place).exists(), f"{page}: nothing is at '{place}'"


@case
def removes_what_it_installed_and_nothing_else(world: World) -> None:
    root = world.folder / "root"
    mine = [root / "opt/x" / path for path in (
        "share/doc/linkaudit/mine", "share/man/man1/linkaudit-mine.1", "bin/other",
        "share/doc/linkaudit/Documentation/mine.md")]
    for path in mine:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine\n")
    where = [f"DESTDIR={root}", "PREFIX=/opt/x"]
    world.tool("make", "--silent", "install", f"BINARY={world.binary}", *where)
    assert "/opt/x/bin/linkaudit" in (root / "opt/x/lib/systemd/system/linkaudit.service").read_text()
    # Twice is as good as once.
    world.tool("make", "--silent", "install", f"BINARY={world.binary}", *where)
    world.tool("make", "--silent", "uninstall", *where)
    left = sorted(path for path in root.rglob("*") if not path.is_dir())
    world.equal(left, sorted(mine), "files that are left")
    for path in mine:
        path.unlink()
    world.tool("make", "--silent", "uninstall", *where)
    world.tool("make", "--silent", "install", f"BINARY={world.binary}", *where)
    world.tool("make", "--silent", "uninstall", *where)
    world.equal([path for path in root.rglob("*linkaudit*")], [], "folders of its own that are left")


@case
def units_are_sound(world: World) -> None:
    world.need("systemd-analyze")
    units = world.installed / "lib/systemd/system"
    outcome = world.tool(
        "systemd-analyze", "verify", "--man=no", *sorted(units.glob("linkaudit*")), check=False)
    assert "linkaudit" not in outcome.message.replace(str(world.installed), ""), outcome.message


# Manual


def pages(world: World) -> list[pathlib.Path]:
    return sorted((world.installed / "share/man/man1").glob("*.1"))


@case
def manual_has_no_warnings(world: World) -> None:
    world.need("groff")
    for page in pages(world):
        world.equal(world.tool("groff", "-man", "-Tutf8", "-ww", "-z", page).message, "", f"groff about {page.name}")


@case
def manual_passes_mandoc(world: World) -> None:
    world.need("mandoc")
    for page in pages(world):
        world.equal(world.tool("mandoc", "-Tlint", "-W", "warning", page, check=False).text, "", f"mandoc about {page.name}")


@case
def manual_reads_well(world: World) -> None:
    """Everything that help says is in the pages, in lines of 80 columns."""
    world.need("man")
    environment = {"MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": "", "MANROFFOPT": "-c"}
    texts = {}
    for page in pages(world):
        outcome = world.tool("man", "--warnings", "-l", page, environment=environment)
        world.equal(outcome.message, "", f"man about {page.name}")
        texts[page.stem] = re.sub(r".\x08", "", outcome.text)
        for line in texts[page.stem].split("\n"):
            # A format in quotes can't be cut.
            assert len(line) <= 80 or "$remote_addr" in line, f"{page.name}: {line}"

    def flat(text):
        return re.sub(r"\s+", " ", text.replace("’", "'").replace("‐", "-"))

    for command in world.commands:
        text = texts[f"linkaudit-{command['commandName']}"]
        heads = re.findall(r"(?m)^([A-Z][A-Z ]+)$", text)
        order = ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "ARGUMENTS", "OPTIONS", "OUTPUTS", "EXPECTATIONS", "STREAMS",
                 "EXIT STATUS", "ENVIRONMENT", "EXAMPLES", "SEE ALSO"]
        world.equal(heads, sorted(heads, key=order.index), f"order of sections of {command['commandName']}")
        for each in [
                "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "EXAMPLES", "SEE ALSO"]:
            assert each in heads, f"{command['commandName']} has no {each}"
        for part in [command] + command.get("subcommands", []):
            for argument in part["arguments"]:
                # Hidden options are in no help.
                if not argument["shouldDisplay"]:
                    continue
                for name in argument.get("names", []):
                    assert ("--" if name["kind"] == "long" else "-") + name["name"] in text, name
                # '-h' and '--help' have entries of their own.
                if any(name["name"] == "help" for name in argument.get("names", [])):
                    continue
                for sentence in (argument.get("abstract") or "").split(". "):
                    assert flat(sentence.split(" (default")[0].rstrip(".")) in flat(text), sentence
            for line in (part.get("discussion") or "").split("\n"):
                # Commands are cut anew.
                if line and not line.startswith("  "):
                    assert flat(line) in flat(text) or line.isupper(), line
    for each in world.commands:
        assert f"linkaudit-{each['commandName']}(1)" in texts["linkaudit"]


@case
def manual_is_found_by_its_name(world: World) -> None:
    world.need("man")
    environment = {"MANPATH": str(world.installed / "share/man"), "LC_ALL": "C.UTF-8"}
    for words in [["linkaudit"], ["linkaudit-report"], ["linkaudit", "report"]]:
        assert "LINKAUDIT" in world.tool("man", *words, environment=environment).text
