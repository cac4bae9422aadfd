"""Archives and Debian packages, also on machines without Swift."""
import json
import os
import pathlib
import re
import shutil
import tarfile
import time
from collections.abc import Iterator

from package.world import World
from support.cases import case
from support.inputs import ROOT
from support.world import Skip


@case
def archive_holds_what_it_should(world: World) -> None:
    archive = world.package("dist")
    world.tool("sha256sum", "-c", "SHA256SUMS", cwd=archive.parent)
    world.equal(len((archive.parent / "SHA256SUMS").read_text().strip().split("\n")), 1, "lines of SHA256SUMS")
    with tarfile.open(archive) as content:
        members = content.getmembers()
        top = archive.name.removesuffix(".tar.gz")
        names = {member.name.removeprefix(top).lstrip("/") for member in members}
        for member in members:
            world.equal((member.uid, member.gid), (0, 0), f"owner of {member.name}")
            assert member.name == top or member.name.startswith(top + "/"), member.name
        world.equal(len({member.mtime for member in members}), 1, "number of times")
        world.equal([member.name for member in members], sorted((member.name for member in members),
              key=lambda name: name.split("/")), "order")
    for name in ["bin/linkaudit", "share/man/man1/linkaudit-report.1", "share/doc/linkaudit/README.md",
                 "share/doc/linkaudit/LICENSE", "share/bash-completion/completions/linkaudit",
                 "share/doc/linkaudit/licenses/libyaml.txt", "share/doc/linkaudit/licenses/swift-argument-parser.txt"]:
        assert name in names, f"{name} is missing: {sorted(names)}"


@case
def archive_is_reproducible(world: World) -> None:
    first = world.package("dist").read_bytes()
    time.sleep(1.1)
    assert world.package("dist", again=True).read_bytes() == first


@case
def debian_package_is_sound(world: World) -> None:
    world.need("dpkg-deb", "dpkg-shlibdeps")
    package = world.package("deb")
    fields = world.tool("dpkg-deb", "--field", package).text
    assert "libcurl" not in fields.split("\nDepends: ")[1].split("\n")[0], fields
    for field in [
            "\nRecommends: ca-certificates, libcurl4 | libcurl4t64, libisal2\n", "Package: linkaudit",
            f"Version: {world.number}-1", "\nDepends: ", "libc6 (>= ", "Installed-Size: ", "Maintainer: "]:
        assert field in fields, fields
    content = world.tool("dpkg-deb", "--contents", package).text
    for path in ["./usr/bin/linkaudit", "./usr/share/man/man1/linkaudit.1.gz", "./usr/share/doc/linkaudit/copyright",
                 "./usr/share/doc/linkaudit/changelog.Debian.gz", "./usr/lib/systemd/system/linkaudit.timer"]:
        assert path in content, f"{path} is missing"
    assert all("root/root" in line for line in content.strip().split("\n"))
    folder = world.folder / "deb"
    world.tool("dpkg-deb", "--raw-extract", package, folder)
    world.tool("md5sum", "-c", "--quiet", "DEBIAN/md5sums", cwd=folder)
    world.equal((folder / "usr/share/man/man1/linkaudit.1.gz").read_bytes()[4:8], bytes(4), "time in a compressed page")
    assert "/usr/bin/linkaudit" in (folder / "usr/lib/systemd/system/linkaudit.service").read_text()


@case
def debian_package_passes_lintian(world: World) -> None:
    world.need("lintian")
    outcome = world.tool("lintian", "--tag-display-limit", "0", world.package("deb"), check=False)
    told = [line for line in outcome.text.split("\n") if line[:2] in ("E:", "W:")]
    if world.release is None:
        # Only a release build has Swift's libraries in it.
        told = [line for line in told if "custom-library-search-path" not in line]
    world.equal(told, [], "what lintian says")


# Machines without Swift


def debian_root(world: World, suite: str) -> pathlib.Path:
    """A minimal root of a release of Debian, made once."""
    world.need("debootstrap")
    if os.geteuid() != 0:
        raise Skip("roots are made by root")
    base = ROOT / ".build/roots"
    base.mkdir(parents=True, exist_ok=True)
    root = base / suite
    if not (root / "complete").exists():
        shutil.rmtree(root, ignore_errors=True)
        sources = "".join(path.read_text() for path in [pathlib.Path("/etc/apt/sources.list"), *sorted(
            pathlib.Path("/etc/apt/sources.list.d").glob("*"))] if path.is_file())
        mirror = re.search(r"(?m)^(?:URIs: |deb (?:\[[^]]*\] )?)(\S+)", sources)
        outcome = world.tool("debootstrap", "--variant=minbase", suite, root, *([mirror[1]] if mirror else []), check=False,
                      environment={"PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"})
        if outcome.status != 0:
            reason = (outcome.text + outcome.message).strip().split("\n")[-1]
            raise Skip(f"debootstrap can't have {suite}: {reason}")
        (root / "complete").write_text("")
    return root


def listing(root: pathlib.Path) -> set[str]:
    passing = ("/proc", "/sys", "/dev", "/var/cache", "/var/log", "/var/lib/dpkg", "/tmp", "/var/backups")
    return {
        str(path)[len(str(root)):] for path in root.rglob("*") if not str(path)[len(str(root)):].startswith(passing)}


def try_command(world: World, root: pathlib.Path) -> None:
    """Lets a root's command do what it is for."""
    place = root / "tmp/samples"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(ROOT / "SampleLogs", place)

    def here(*words, check=True):
        # Swift reads a command's arguments from /proc.
        return world.tool("unshare", "--mount", "--pid", "--fork", f"--mount-proc={root}/proc", "chroot", root, "env", "-i",
                   "PATH=/usr/local/bin:/usr/bin:/bin", "TMPDIR=/tmp", *words, check=check)

    assert here("linkaudit", "--version").text.startswith("linkaudit ")
    site = ["--aasa", "/tmp/samples/aasa.json", "--host", "www.example.com"]
    text = here("linkaudit", "report", "/tmp/samples/logs", *site, "--format", "json", check=False).text
    world.equal(json.loads(text)["sites"][0]["verdicts"]["claimed"]["visits"], 488, "claimed visits")
    here("linkaudit", "ingest", "/tmp/samples/logs", *site, "--store", "/tmp/samples/store", check=False)
    assert "2026-06-01" in here("linkaudit", "store", "list", "--store", "/tmp/samples/store").text
    (place / "linkaudit.yml").write_text(
        "sites:\n  - hosts: [www.example.com]\n    aasa: aasa.json\nlogs:\n  inputs: [logs]\n")
    here("linkaudit", "report", "--config", "/tmp/samples/linkaudit.yml", check=False)
    # A minimal system has no libcurl, and 'fetch' alone needs it; the container has one.
    outcome = here("linkaudit", "fetch", "www.example.com", "--base-url", "https://127.0.0.1:9", check=False)
    world.equal(outcome.status, 2, "status of fetch without libcurl")
    assert "needs libcurl" in outcome.message and "libcurl4" in outcome.message, outcome.message
    shutil.rmtree(place)


def machines(world: World) -> Iterator[tuple[str, pathlib.Path, set[str]]]:
    """Systems without Swift, each with its name and what is there."""
    if world.release is None:
        raise Skip("a release build is needed: '--release'")
    for suite in os.environ.get("SUITES", "bookworm").split():
        root = debian_root(world, suite)
        yield suite, root, listing(root)


@case
def archive_runs_without_swift(world: World) -> None:
    for _, root, before in machines(world):
        world.tool("tar", "-xzf", world.package("dist"), "--strip-components=1", "-C", root / "usr/local")
        try_command(world, root)
        with tarfile.open(world.package("dist")) as content:
            for member in sorted(content.getnames(), reverse=True):
                path = root / "usr/local" / "/".join(member.split("/")[1:])
                if path.is_dir():
                    if str(path)[len(str(root)):] not in before:
                        path.rmdir()
                else:
                    path.unlink()


@case
def debian_package_installs_runs_and_goes(world: World) -> None:
    for suite, root, before in machines(world):
        shutil.copy(world.package("deb"), root / "tmp/linkaudit.deb")
        outcome = world.tool("chroot", root, "dpkg", "-i", "/tmp/linkaudit.deb", check=False)
        if outcome.status != 0 and "depends on libc6" in outcome.message:
            world.tool("chroot", root, "dpkg", "--purge", "linkaudit")
            print(f"    {suite} has too old a C library for the package: {outcome.message.strip().split(chr(10))[1:3]}")
            continue
        world.equal(outcome.status, 0, outcome.message)
        try_command(world, root)
        assert not list((root / "etc/systemd").rglob("linkaudit*")), "the timer is turned on"
        world.tool("chroot", root, "dpkg", "-r", "linkaudit")
        world.tool("chroot", root, "dpkg", "--purge", "linkaudit")
        world.equal(sorted(listing(root) - before), [], f"what is left in {suite}")
        world.equal(sorted(before - listing(root)), [], f"what is missing from {suite}")
