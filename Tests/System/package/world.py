"""The fixture of the package cases: an installation of the binary, and packages of it."""
import contextlib
import json
import pathlib
import subprocess
from collections.abc import Iterator
from typing import Any

from support import world
from support.command import Failure, Outcome
from support.inputs import ROOT
from support.world import Settings


class Product:
    """The installation and packages that cases share; each is made when it is first needed."""

    def __init__(self, folder: pathlib.Path, release: pathlib.Path | None) -> None:
        self.prefix = folder / "installed"
        self.release = release
        self.packages: dict[str, pathlib.Path] = {}


@contextlib.contextmanager
def prepared(settings: Settings, folder: pathlib.Path) -> Iterator[Product]:
    release = settings.release
    if release == "":
        release = subprocess.run(
            ["Scripts/build.sh", "--portable", "--quiet"], cwd=ROOT, stdout=subprocess.PIPE, text=True,
            check=True).stdout.strip()
    yield Product(folder, pathlib.Path(release).resolve() if release else None)


class World(world.World):
    def __init__(self, settings: Settings, name: str, folder: pathlib.Path) -> None:
        super().__init__(settings, name, folder)
        self.binary = settings.binary
        self.product: Product = settings.shared
        self.release = self.product.release
        self.number = self.tool("Scripts/version.sh").text.strip()

    def tool(self, *command: object, check: bool = True, cwd: pathlib.Path = ROOT, **options: Any) -> Outcome:
        """Runs any program in the repository; with `check`, it must succeed for the case to go on."""
        outcome = self.execute([str(word) for word in command], tuple(range(-64, 256)), cwd=cwd, **options)
        if check and outcome.status != 0:
            raise Failure("%s ended with %d:\n%s%s" % (
                command, outcome.status, outcome.text[-2000:], outcome.message[-2000:]))
        return outcome

    @property
    def installed(self) -> pathlib.Path:
        prefix = self.product.prefix
        if not prefix.exists():
            self.tool("make", "--silent", "install", f"BINARY={self.binary}", f"PREFIX={prefix}")
        return prefix

    @property
    def commands(self) -> list[dict]:
        help_ = json.loads(self.tool(self.binary, "--experimental-dump-help").stdout)["command"]
        return [each for each in help_["subcommands"] if each["commandName"] != "help" and each.get("shouldDisplay", True)]

    def package(self, kind: str, again: bool = False) -> pathlib.Path:
        packages = self.product.packages
        if again or kind not in packages:
            outcome = self.tool("make", "--silent", kind, f"BINARY={self.release or self.binary}")
            packages[kind] = pathlib.Path(outcome.text.strip().split("\n")[-1])
        return packages[kind]
