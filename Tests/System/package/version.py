"""The version and the commit that the command prints."""
import json
import os
import re

from package.world import World
from support.cases import case
from support.inputs import ROOT


@case
def version_has_number_and_commit(world: World) -> None:
    text = world.tool(world.binary, "--version").text
    pattern = rf"linkaudit {re.escape(world.number)}( \([0-9a-f]{{12,}}, \d{{4}}-\d{{2}}-\d{{2}}(, changed)?\))?\n"
    assert re.fullmatch(pattern, text), text


@case
def number_stands_in_one_place(world: World) -> None:
    found = world.tool("grep", "-rlF", f'"{world.number}"', "Sources", "Scripts", "Makefile", "Package.swift").text.split()
    world.equal(found, ["Sources/BuildVersion/Version.swift"], "files with the number")


@case
def outputs_name_the_number_only(world: World) -> None:
    """The same input gives the same bytes after every commit."""
    commit = (re.search(r"\(([0-9a-f]{12})", world.tool(world.binary, "--version").text) or [None, "4ef2052f1a2b"])[1]
    site = ["--aasa", "SampleLogs/aasa.json", "--host", "www.example.com"]
    digest = world.folder / "a.digest"
    world.tool(world.binary, "digest", "SampleLogs/logs", "--host", "www.example.com", "-o", digest)
    outputs = [digest.read_bytes()]
    for form in ["text", "json", "html", "openmetrics"]:
        outputs.append(world.tool(world.binary, "report", "SampleLogs/logs", *site, "--format", form).stdout)
    sarif = world.tool(world.binary, "lint", "SampleLogs/aasa-mistakes.json", "--format", "sarif", check=False).text
    outputs.append(sarif.encode())
    for output in outputs:
        assert commit.encode() not in output
    world.equal(json.loads(sarif)["runs"][0]["tool"]["driver"]["semanticVersion"], world.number, "version in SARIF")


@case
def commit_is_that_of_the_package(world: World) -> None:
    """Clones, worktrees, archives: what a build there would say."""
    world.need("git")
    folder = world.folder / "repositories"
    package = folder / "package"
    (package / "Sources").mkdir(parents=True)
    (package / "Sources/a.swift").write_text("// a\n")
    (package / "README.md").write_text("a\n")
    own = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_DATE": "2026-11-21T23:30:00-0500",
           "GIT_COMMITTER_DATE": "2026-11-21T23:30:00-0500"}

    def git(*words, cwd=package):
        return world.tool("git", "-c", "user.name=a", "-c", "user.email=a@example.com", *words, cwd=cwd, environment=own)

    def stamp(where, **environment):
        file = folder / "Stamped.swift"
        world.tool("sh", ROOT / "Scripts/stamp-commit.sh", where, file, environment=environment)
        return re.fullmatch(r'let stampedCommit = "(.*)"\n', file.read_text())[1]

    world.equal(stamp(package), "", "without a repository")
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "a")
    head = git("rev-parse", "HEAD").text[:12]
    # The day is that of UTC.
    clean = f"{head}, 2026-11-22"
    world.equal(stamp(package), clean, "a clean tree")
    world.equal(stamp(package, GIT_DIR=str(ROOT / ".git")), clean, "inside a hook")
    (package / "note.txt").write_text("a\n")
    world.equal(stamp(package), clean, "a file that git doesn't know, and that isn't compiled")
    (package / "Sources/b.swift").write_text("// b\n")
    world.equal(stamp(package), clean + ", changed", "a new source")
    (package / "Sources/b.swift").unlink()
    (package / "README.md").write_text("b\n")
    world.equal(stamp(package), clean + ", changed", "a changed file")
    git("checkout", "-q", "README.md")
    world.equal(stamp(package), clean, "the file as it was")
    git("worktree", "add", "-q", folder / "worktree")
    world.equal(stamp(folder / "worktree"), clean, "a worktree")
    git("clone", "-q", "--depth", "1", f"file://{package}", folder / "shallow")
    world.equal(stamp(folder / "shallow"), clean, "a shallow clone")
    (folder / "shallow/archive/Sources").mkdir(parents=True)
    world.equal(stamp(folder / "shallow/archive"), "", "an archive that was unpacked inside a repository")
    # A file that says so already is left alone, so that nothing is compiled anew.
    file = folder / "Stamped.swift"
    stamp(package)
    os.utime(file, (1, 1))
    stamp(package)
    world.equal(file.stat().st_mtime, 1, "time of a file that says so already")
