"""What cases have at hand: the binary, an installation of it, and packages."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES: list = []


class Skip(Exception):
    """A case that the machine lacks something for."""


def case(function):
    CASES.append(function)
    return function


def run(*command, check=True, cwd=ROOT, environment=None, **options) -> subprocess.CompletedProcess:
    """Runs a command to its end; what it printed is in the outcome, or in the failure."""
    outcome = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, errors="replace", cwd=cwd,
        env={**os.environ, **(environment or {})}, **options)
    if check and outcome.returncode != 0:
        raise AssertionError(
            f"{command} ended with {outcome.returncode}:\n{outcome.stdout[-2000:]}{outcome.stderr[-2000:]}")
    return outcome


def need(*programs: str) -> None:
    for program in programs:
        if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
            raise Skip(f"{program} is not installed; 'Scripts/setup.sh --package' does that")


def equal(found, expected, what: str) -> None:
    if found != expected:
        raise AssertionError(f"{what}:\n  found    {found!r}\n  expected {expected!r}")


class World:
    """What cases share: the binary, an installation of it, and packages."""

    def __init__(self, binary: pathlib.Path, release: pathlib.Path | None, folder: pathlib.Path):
        self.binary = binary
        self.release = release
        self.folder = folder
        self.number = run("Scripts/version.sh").stdout.strip()
        self._installed: pathlib.Path | None = None
        self._packages: dict[str, pathlib.Path] = {}

    @property
    def installed(self) -> pathlib.Path:
        """A prefix with everything in it."""
        if self._installed is None:
            prefix = self.folder / "installed"
            run("make", "--silent", "install", f"BINARY={self.binary}", f"PREFIX={prefix}")
            self._installed = prefix
        return self._installed

    @property
    def commands(self) -> list[dict]:
        help_ = json.loads(run(self.binary, "--experimental-dump-help").stdout)["command"]
        return [each for each in help_["subcommands"] if each["commandName"] != "help"]

    def package(self, kind: str) -> pathlib.Path:
        """An archive or a Debian package."""
        if kind not in self._packages:
            outcome = run("make", "--silent", kind, f"BINARY={self.release or self.binary}")
            self._packages[kind] = pathlib.Path(outcome.stdout.strip().split("\n")[-1])
        return self._packages[kind]
