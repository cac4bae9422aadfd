"""The fixture: a repository with an association file, a pull request, and a runner."""
import contextlib
import dataclasses
import os
import pathlib
import re
from typing import Any

from support import world
from support.command import Outcome
from support.inputs import ROOT
from support.server import Connection, Request, Server, answer, serving

try:
    import yaml
except ImportError as missing:
    raise world.Skip("PyYAML is missing; 'Scripts/setup.sh --checks' installs it") from missing

ACTION = ROOT / "Integrations/github"
AASA = "public/.well-known/apple-app-site-association"
HOST = "www.example.com"


def serving_files(folder: pathlib.Path) -> contextlib.AbstractContextManager[Server]:
    def behave(connection: Connection, request: Request) -> None:
        path = folder / request.path.lstrip("/")
        connection.send(answer(path.read_bytes()) if path.is_file() else answer(b"", status="404 Not Found"))

    return serving(behave, None)


@dataclasses.dataclass(frozen=True)
class Job:
    """What a run of the action left: its status, what it printed, its summary, and its outputs."""

    status: int
    printed: str
    summary: str
    outputs: dict[str, str]
    comment: str

    @property
    def annotations(self) -> list[dict[str, str]]:
        """The workflow commands, with their properties and the text."""
        found = []
        for line in self.printed.splitlines():
            parts = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
            if parts:
                pairs = (pair.split("=", 1) for pair in parts[2].split(",")) if parts[2] else ()
                found.append({"level": parts[1], "text": parts[3], **dict(pairs)})
        return found


class World(world.World):
    statuses = (0, 1, 2)

    def __init__(self, settings: world.Settings, name: str, folder: pathlib.Path) -> None:
        super().__init__(settings, name, folder)
        self.origin = folder / "origin.git"
        self.checkout = folder / "checkout"
        # The runner has the command on its path.
        self.bin = folder / "bin"
        self.bin.mkdir()
        (self.bin / "linkaudit").symlink_to(settings.binary)
        self.path = "%s:%s" % (self.bin, os.environ["PATH"])

    def git(self, *words: object, cwd: pathlib.Path | None = None) -> str:
        own = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
        return self.execute(
            ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always",
             *map(str, words)], (0,), environment=own, cwd=cwd or self.checkout).text

    def repository(self, files: dict[str, bytes]) -> None:
        """Makes a repository whose branch `main` has some files, and a checkout on the branch `change`."""
        self.checkout.mkdir()
        self.git("init", "--quiet", "--bare", "--initial-branch=main", self.origin, cwd=self.folder)
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("remote", "add", "origin", self.origin.as_uri())
        self.commit(files)
        self.git("push", "--quiet", "origin", "main")
        self.git("checkout", "--quiet", "-b", "change")
        # A runner's checkout has no other branches.
        self.git("branch", "--quiet", "-D", "main")
        self.git("update-ref", "-d", "refs/remotes/origin/main")

    def commit(self, files: dict[str, bytes | None]) -> None:
        for name, content in files.items():
            path = self.checkout / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "Change")

    def play(self, event: dict[str, str] | None = None, path: str | None = None, **given: str) -> Job:
        """Runs the action as a runner does, with some inputs."""
        action = yaml.safe_load((ACTION / "action.yml").read_text())
        inputs = {name: str(about.get("default", "")) for name, about in action["inputs"].items()}
        unknown = {name.replace("_", "-") for name in given} - set(inputs)
        self.check(not unknown, "the action has no inputs %s" % unknown)
        inputs.update({name.replace("_", "-"): value for name, value in {"aasa": AASA, "host": HOST, **given}.items()})
        files = {}
        for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GITHUB_PATH"):
            files[name] = self.folder / name.lower()
            files[name].write_bytes(b"")
        temporary = self.folder / "runner"
        temporary.mkdir(exist_ok=True)
        environment = {
            **{name: str(file) for name, file in files.items()}, "RUNNER_TEMP": str(temporary), "CI": "true",
            "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(self.checkout), "GITHUB_BASE_REF": "main",
            "GIT_CONFIG_GLOBAL": "/dev/null", **(event or {})}
        searched = path or self.path
        steps: dict[str, dict[str, str]] = {}
        status, printed = 0, ""

        def value(match: re.Match[str]) -> str:
            first, *rest = match[1].strip().split(".")
            if first == "inputs":
                return inputs[rest[0]]
            if first == "github":
                return {"action_path": str(ACTION), "action_repository": "owner/linkaudit"}[rest[0]]
            return steps.get(rest[0], {}).get(rest[2], "")

        def replaced(text: Any) -> str:
            return re.sub(r"\$\{\{(.*?)\}\}", value, str(text))

        for step in action["runs"]["steps"]:
            self.equal(step["shell"], "bash", "shell of a step")
            script = self.folder / "step.sh"
            script.write_text(replaced(step["run"]) + "\n")
            own = {name: replaced(text) for name, text in step.get("env", {}).items()}
            added = ":".join(reversed(files["GITHUB_PATH"].read_text().split()))
            outcome: Outcome = self.execute(
                ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)], cwd=self.checkout,
                environment={**environment, **own, "PATH": "%s:%s" % (added, searched) if added else searched})
            printed += outcome.text + outcome.message
            if "id" in step:
                lines = files["GITHUB_OUTPUT"].read_text().splitlines()
                steps[step["id"]] = dict(line.split("=", 1) for line in lines)
            status = outcome.status
            if status:
                break
        outputs = {name: replaced(about["value"]) for name, about in action["outputs"].items()}
        comment = self.checkout / outputs["comment-file"] if outputs["comment-file"] else None
        return Job(status, printed, files["GITHUB_STEP_SUMMARY"].read_text(), outputs,
                   comment.read_text() if comment and comment.exists() else "")
