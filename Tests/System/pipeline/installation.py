"""How the action gets the command."""
import hashlib
import os
import pathlib
import subprocess

from pipeline.action import BUY, rules
from pipeline.world import AASA, World, serving_files
from support.cases import case
from support.inputs import ROOT


def bare_path() -> str:
    """A path without linkaudit."""
    folders = os.environ["PATH"].split(":")
    return ":".join(folder for folder in folders if not os.access(os.path.join(folder, "linkaudit"), os.X_OK))


def archive(world: World) -> pathlib.Path:
    """Packs the command as an archive of a release is."""
    machine = os.uname().machine
    name = "linkaudit-0.0.0-linux-%s" % machine
    folder = world.folder / name / "bin"
    folder.mkdir(parents=True)
    (folder / "linkaudit").write_bytes(world.settings.binary.read_bytes())
    (folder / "linkaudit").chmod(0o755)
    path = world.folder / (name + ".tar.gz")
    subprocess.run(["tar", "-C", world.folder, "-czf", path, name], check=True)
    return path


@case
def archives_are_used(world: World) -> None:
    world.repository({AASA: rules(BUY)})
    job = world.play(package=str(archive(world)), path=bare_path())
    world.equal(job.status, 0, "status")
    world.check("linkaudit" in job.printed, job.printed)


@case
def packages_are_used(world: World) -> None:
    world.repository({AASA: rules(BUY)})
    root = world.folder / "deb"
    (root / "DEBIAN").mkdir(parents=True)
    (root / "DEBIAN/control").write_text(
        "Package: linkaudit\nVersion: 0\nArchitecture: all\nMaintainer: a <a@example.com>\nDescription: a\n")
    (root / "usr/bin").mkdir(parents=True)
    (root / "usr/bin/linkaudit").write_bytes(world.settings.binary.read_bytes())
    (root / "usr/bin/linkaudit").chmod(0o755)
    subprocess.run(["dpkg-deb", "--build", "-Znone", root, world.folder / "a.deb"], check=True, capture_output=True)
    job = world.play(package=str(world.folder / "a.deb"), path=bare_path())
    world.equal(job.status, 0, "status")


@case
def releases_are_checked(world: World) -> None:
    """A release comes from a server, and its checksum must be right."""
    world.repository({AASA: rules(BUY)})
    path = archive(world)
    folder = world.folder / "site/owner/linkaudit/releases/download/v1.2.3"
    folder.mkdir(parents=True)
    path.rename(folder / path.name)
    sums = folder / "SHA256SUMS"
    good = hashlib.sha256((folder / path.name).read_bytes()).hexdigest()
    with serving_files(world.folder / "site") as server:
        event = {"GITHUB_SERVER_URL": server.url}
        sums.write_text("%s  %s\n" % (good, path.name))
        world.equal(world.play(event, version="1.2.3", path=bare_path()).status, 0, "status")
        sums.write_text("%s  %s\n" % ("0" * 64, path.name))
        job = world.play(event, version="1.2.3", path=bare_path())
        world.equal(job.status, 2, "status with a wrong checksum")
        world.check("checksum" in job.printed, job.printed)
        job = world.play(event, version="9", path=bare_path())
        world.check(job.status == 2 and "check that '9' is a release" in job.printed, job.printed)


@case
def other_files_are_refused(world: World) -> None:
    world.repository({AASA: rules(BUY)})
    for name in ("none.deb", "README.md"):
        world.write("checkout/README.md", b"a\n")
        job = world.play(package=name, path=bare_path())
        world.check(job.status == 2 and name in job.printed, job.printed)
    world.check((ROOT / "Integrations/github/install.sh").stat().st_mode & 0o111, "install.sh can't be run")
