"""The version and the commit that the command prints."""
import json
import os
import re

from package.world import World
from support.cases import case
from support.inputs import HOST, ROOT, SITE


@case
def version_is_that_of_the_package(world: World) -> None:
    """A number, which stands in one place, and a commit, which is in no output: it says the same after every commit."""
    number, text = re.escape(world.number), world.tool(world.binary, "--version").text
    found = re.fullmatch(rf"linkaudit {number}(?: \(([0-9a-f]{{12}})[0-9a-f]*, \d{{4}}-\d\d-\d\d(?:, changed)?\))?\n", text)
    assert found, text
    places = world.tool("grep", "-rlF", f'"{world.number}"', "Sources", "Scripts", "Makefile", "Package.swift").text
    world.equal(places.split(), ["Sources/BuildVersion/Version.swift"], "files with the number")
    digest = world.folder / "a.digest"
    world.tool(world.binary, "digest", "SampleLogs/logs", "--host", HOST, "-o", digest)
    outputs = [digest.read_bytes()] + [world.tool(world.binary, *words, check=words[0] != "lint").stdout for words in (
        *(["report", "SampleLogs/logs", *SITE, "--format", form] for form in ("text", "json", "html", "openmetrics")),
        ["lint", "SampleLogs/aasa-mistakes.json", "--format", "sarif"])]
    commit = (found[1] or "4ef2052f1a2b").encode()
    world.check(not any(commit in output for output in outputs), "the commit is in an output")
    driver = json.loads(outputs[-1])["runs"][0]["tool"]["driver"]
    world.equal(driver["semanticVersion"], world.number, "version in SARIF")


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
