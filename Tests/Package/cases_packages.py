"""Archives and Debian packages, also on machines without Swift."""
from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import tarfile
import time

from package_world import ROOT, Skip, case, equal, need, run


@case
def archive_holds_what_it_should(world):
    archive = world.package("dist")
    run("sha256sum", "-c", "SHA256SUMS", cwd=archive.parent)
    equal(len((archive.parent / "SHA256SUMS").read_text().strip().split("\n")), 1, "lines of SHA256SUMS")
    with tarfile.open(archive) as content:
        members = content.getmembers()
        top = archive.name.removesuffix(".tar.gz")
        names = {member.name.removeprefix(top).lstrip("/") for member in members}
        for member in members:
            equal((member.uid, member.gid), (0, 0), f"owner of {member.name}")
            assert member.name == top or member.name.startswith(top + "/"), member.name
        equal(len({member.mtime for member in members}), 1, "number of times")
        equal([member.name for member in members], sorted((member.name for member in members),
              key=lambda name: name.split("/")), "order")
    for name in ["bin/linkaudit", "share/man/man1/linkaudit-report.1", "share/doc/linkaudit/README.md",
                 "share/doc/linkaudit/LICENSE", "share/bash-completion/completions/linkaudit",
                 "share/doc/linkaudit/licences/Yams.txt", "share/doc/linkaudit/licences/swift-argument-parser.txt"]:
        assert name in names, f"{name} is missing: {sorted(names)}"


@case
def archive_is_reproducible(world):
    first = world.package("dist").read_bytes()
    time.sleep(1.1)
    del world._packages["dist"]
    assert world.package("dist").read_bytes() == first


@case
def debian_package_is_sound(world):
    need("dpkg-deb", "dpkg-shlibdeps")
    package = world.package("deb")
    fields = run("dpkg-deb", "--field", package).stdout
    assert "libcurl" not in fields.split("\nDepends: ")[1].split("\n")[0], fields
    for field in [
            "\nRecommends: ca-certificates, libcurl4 | libcurl4t64, libisal2\n", "Package: linkaudit", f"Version: {world.number}-1", "\nDepends: ", "libc6 (>= ", "Installed-Size: ",
            "Maintainer: "]:
        assert field in fields, fields
    content = run("dpkg-deb", "--contents", package).stdout
    for path in ["./usr/bin/linkaudit", "./usr/share/man/man1/linkaudit.1.gz", "./usr/share/doc/linkaudit/copyright",
                 "./usr/share/doc/linkaudit/changelog.Debian.gz", "./usr/lib/systemd/system/linkaudit.timer"]:
        assert path in content, f"{path} is missing"
    assert all("root/root" in line for line in content.strip().split("\n"))
    folder = world.folder / "deb"
    run("dpkg-deb", "--raw-extract", package, folder)
    run("md5sum", "-c", "--quiet", "DEBIAN/md5sums", cwd=folder)
    equal((folder / "usr/share/man/man1/linkaudit.1.gz").read_bytes()[4:8], bytes(4), "time in a compressed page")
    assert "/usr/bin/linkaudit" in (folder / "usr/lib/systemd/system/linkaudit.service").read_text()


@case
def debian_package_passes_lintian(world):
    need("lintian")
    outcome = run("lintian", "--tag-display-limit", "0", world.package("deb"), check=False)
    told = [line for line in outcome.stdout.split("\n") if line[:2] in ("E:", "W:")]
    if world.release is None:
        # Only a release build has Swift's libraries in it.
        told = [line for line in told if "custom-library-search-path" not in line]
    equal(told, [], "what lintian says")


# Machines without Swift


def debian_root(suite: str) -> pathlib.Path:
    """A minimal root of a release of Debian, made once."""
    need("debootstrap")
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
        outcome = run("debootstrap", "--variant=minbase", suite, root, *([mirror[1]] if mirror else []), check=False,
                      environment={"PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"})
        if outcome.returncode != 0:
            reason = (outcome.stdout + outcome.stderr).strip().split("\n")[-1]
            raise Skip(f"debootstrap can't have {suite}: {reason}")
        (root / "complete").write_text("")
    return root


def listing(root: pathlib.Path) -> set[str]:
    passing = ("/proc", "/sys", "/dev", "/var/cache", "/var/log", "/var/lib/dpkg", "/tmp", "/var/backups")
    return {
        str(path)[len(str(root)):] for path in root.rglob("*") if not str(path)[len(str(root)):].startswith(passing)}


def try_command(root: pathlib.Path) -> None:
    """Lets a root's command do what it is for."""
    place = root / "tmp/samples"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(ROOT / "SampleLogs", place)

    def here(*words, check=True):
        # Swift reads a command's arguments from /proc.
        return run("unshare", "--mount", "--pid", "--fork", f"--mount-proc={root}/proc", "chroot", root, "env", "-i",
                   "PATH=/usr/local/bin:/usr/bin:/bin", "TMPDIR=/tmp", *words, check=check)

    assert here("linkaudit", "--version").stdout.startswith("linkaudit ")
    site = ["--aasa", "/tmp/samples/aasa.json", "--host", "www.example.com"]
    text = here("linkaudit", "report", "/tmp/samples/logs", *site, "--format", "json", check=False).stdout
    equal(json.loads(text)["sites"][0]["verdicts"]["claimed"]["visits"], 488, "claimed visits")
    here("linkaudit", "ingest", "/tmp/samples/logs", *site, "--store", "/tmp/samples/store", check=False)
    assert "2026-06-01" in here("linkaudit", "store", "list", "--store", "/tmp/samples/store").stdout
    (place / "linkaudit.yml").write_text(
        "sites:\n  - hosts: [www.example.com]\n    aasa: aasa.json\nlogs:\n  inputs: [logs]\n")
    here("linkaudit", "report", "--config", "/tmp/samples/linkaudit.yml", check=False)
    # A minimal system has no libcurl, and 'fetch' alone needs it.
    fetch = ["linkaudit", "fetch", "www.example.com", "--base-url", "https://127.0.0.1:9"]
    outcome = here(*fetch, check=False)
    equal(outcome.returncode, 2, "status of fetch without libcurl")
    assert "needs libcurl" in outcome.stderr and "libcurl4" in outcome.stderr, outcome.stderr
    outcome = here(f"LD_LIBRARY_PATH={libcurl(root)}", *fetch, check=False)
    equal(outcome.returncode, 2, "status of fetch with libcurl")
    assert "accepts no connections" in " ".join(outcome.stdout.split()), outcome.stdout + outcome.stderr
    shutil.rmtree(place)


def libcurl(root: pathlib.Path) -> str:
    """A folder below the root's /tmp with libcurl and the libraries that it needs."""
    folder = root / "tmp/samples/curl"
    folder.mkdir()
    found = run("/sbin/ldconfig", "-p").stdout
    names = {match[1]: match[2] for match in re.finditer(r"(?m)^\s+(\S+) .*(?:x86-64|AArch64).*=> (\S+)$", found)}
    library = names.get("libcurl.so.4")
    if library is None:
        raise Skip("there is no libcurl here")
    shutil.copy(library, folder)
    for match in re.finditer(r"(?m)^\s+(\S+) => (/\S+)", run("ldd", library).stdout):
        # The root has a C library of its own.
        if not re.match(r"(libc|libm|libdl|libpthread|libresolv|librt)\.so", match[1]):
            shutil.copy(match[2], folder)
    return "/tmp/samples/curl"


def suites() -> list[str]:
    return os.environ.get("SUITES", "bookworm").split()


@case
def archive_runs_without_swift(world):
    if world.release is None:
        raise Skip("a release build is needed: '--release'")
    for suite in suites():
        root = debian_root(suite)
        before = listing(root)
        run("tar", "-xzf", world.package("dist"), "--strip-components=1", "-C", root / "usr/local")
        try_command(root)
        with tarfile.open(world.package("dist")) as content:
            for member in sorted(content.getnames(), reverse=True):
                path = root / "usr/local" / "/".join(member.split("/")[1:])
                if path.is_dir():
                    if str(path)[len(str(root)):] not in before:
                        path.rmdir()
                else:
                    path.unlink()


@case
def debian_package_installs_runs_and_goes(world):
    if world.release is None:
        raise Skip("a release build is needed: '--release'")
    for suite in suites():
        root = debian_root(suite)
        before = listing(root)
        shutil.copy(world.package("deb"), root / "tmp/linkaudit.deb")
        outcome = run("chroot", root, "dpkg", "-i", "/tmp/linkaudit.deb", check=False)
        if outcome.returncode != 0 and "depends on libc6" in outcome.stderr:
            run("chroot", root, "dpkg", "--purge", "linkaudit")
            print(f"    {suite} has too old a C library for the package: {outcome.stderr.strip().split(chr(10))[1:3]}")
            continue
        equal(outcome.returncode, 0, outcome.stderr)
        try_command(root)
        assert not list((root / "etc/systemd").rglob("linkaudit*")), "the timer is turned on"
        run("chroot", root, "dpkg", "-r", "linkaudit")
        run("chroot", root, "dpkg", "--purge", "linkaudit")
        equal(sorted(listing(root) - before), [], f"what is left in {suite}")
        equal(sorted(before - listing(root)), [], f"what is missing from {suite}")
