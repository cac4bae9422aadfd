"""The container image: its second stage, built on a minimal Debian, and its commands on a read-only root."""
import json
import pathlib
import re
import shutil
import tarfile
import tempfile

from package.packages import debian_root
from package.world import World
from support.cases import case
from support.inputs import HOST, ROOT, SAMPLES
from support.world import Skip

CONTAINERFILE = ROOT / "Integrations/container/Containerfile"

# Limits that every root may set, in place of podman's.
LIMITS = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024"]


def stages() -> list[str]:
    """The instructions before the first stage, and those of each stage."""
    return re.split(r"(?m)^(?=FROM )", CONTAINERFILE.read_text(encoding="utf-8"))


@case
def containerfile_is_sound(world: World) -> None:
    """What can be seen without building it."""
    arguments, first, second = stages()
    for image in re.findall(r"(?m)^ARG \w+=(\S+)", arguments):
        world.check(re.search(r":\S*bookworm", image), "%s names no release" % image)
    world.check("USER 65534:65534\n" in second, "the user is not a number")
    world.check('ENTRYPOINT ["/usr/bin/linkaudit"]' in second, "no entry point that gets signals")
    world.check("swift" not in second.lower(), "the image has something of Swift")
    # Root has no work after that.
    world.check("RUN" not in second.partition("USER ")[2], "something runs after the user is set")
    for script in re.findall(r"Scripts/[\w.-]+", first):
        world.check((ROOT / script).exists(), "%s is missing" % script)
    with tarfile.open(world.package("dist")) as archive:
        names = {"/image/" + "/".join(name.split("/")[1:]) for name in archive.getnames()}
    copied = re.findall(r"/image/\S+", second)
    world.check(copied, "nothing is copied from the first stage")
    world.equal([path for path in copied if path not in names], [], "paths that the archive doesn't have")


@case
def image_runs_as_nobody_on_a_read_only_root(world: World) -> None:
    if world.release is None:
        raise Skip("a release build is needed: '--release'")
    world.need("podman", "runc")
    root = debian_root(world, "bookworm")
    storage = world.folder / "storage"
    # Layers can't be stacked on a layered file system.
    driver = "vfs" if world.tool("stat", "-f", "-c", "%T", world.folder).text.strip() == "overlayfs" else "overlay"
    # The older kind of control groups works everywhere. podman's folder needs a short name.
    short = pathlib.Path(tempfile.mkdtemp(prefix="linkaudit-"))
    options = ["--root", storage, "--runroot", short, "--storage-driver", driver, "--runtime", "runc",
               "--cgroup-manager", "cgroupfs", "--events-backend", "file"]

    def podman(*words: object, check: bool = True):
        return world.tool("podman", *options, *words, check=check)

    try:
        podman("import", "--quiet", packed(world, root), "localhost/debian:bookworm")
        build(world, podman)
        configuration = json.loads(podman("image", "inspect", "linkaudit").stdout)[0]["Config"]
        world.equal(configuration["User"], "65534:65534", "user of the image")
        world.equal(list(configuration["Volumes"]), ["/var/lib/linkaudit"], "volumes of the image")
        use(world, podman)
    finally:
        podman("rm", "--all", "--force", check=False)
        podman("rmi", "--all", "--force", check=False)
        world.execute(["umount", storage / driver], (0, 1, 32))
        world.execute(["umount", short / driver], (0, 1, 32))
        for folder in (storage, short):
            shutil.rmtree(folder, ignore_errors=True)


def packed(world: World, root):
    path = world.folder / "debian.tar"
    world.tool("tar", "--create", "--file", path, "--exclude=./proc/*", "--exclude=./tmp/*", "--directory", root, ".")
    return path


def build(world: World, podman) -> None:
    """Builds the second stage, with the archive of the binary for what the first one makes."""
    context = world.folder / "context"
    (context / "image").mkdir(parents=True)
    world.tool("tar", "-xzf", world.package("dist"), "--strip-components=1", "-C", context / "image")
    arguments, _, second = stages()
    (context / "Containerfile").write_text(
        arguments + "FROM scratch AS build\nCOPY image /image\n\n" + second, encoding="utf-8")
    outcome = podman(
        "build", "--isolation", "chroot", "--network", "host", "--build-arg", "BASE_IMAGE=localhost/debian:bookworm",
        "--tag", "linkaudit", context, check=False)
    if outcome.status != 0 and "Temporary failure resolving" in outcome.text + outcome.message:
        raise Skip("Debian's packages can't be reached")
    world.equal(outcome.status, 0, "status of the build: " + outcome.message[-1000:])


def use(world: World, podman) -> None:
    """Runs the commands of Documentation/Containers.md."""
    run = ["run", "--rm", "--read-only", "--network", "none", "--cap-drop", "all", *LIMITS]
    samples = ["-v", "%s:/work:ro" % SAMPLES]
    volume = ["-v", "linkaudit:/var/lib/linkaudit"]
    site = ["--aasa", "aasa.json", "--host", HOST]
    text = podman(*run, *samples, "linkaudit", "report", "logs", *site, "--format", "json").text
    world.equal(json.loads(text)["sites"][0]["verdicts"]["claimed"]["visits"], 488, "claimed visits")
    podman(*run, *samples, *volume, "linkaudit", "ingest", "logs", *site, "--store", "/var/lib/linkaudit")
    text = podman(*run, *volume, "linkaudit", "report", "--store", "/var/lib/linkaudit", "--format", "json").text
    world.equal(json.loads(text)["sites"][0]["verdicts"]["claimed"]["visits"], 488, "claimed visits of the store")
    # Spill files go to /tmp.
    podman(*run, *samples, "linkaudit", "report", "logs", *site, "--memory", "1M", "-o", "/dev/null")
    # The system's libcurl is loaded.
    outcome = podman(*run, "linkaudit", "fetch", HOST, "--base-url", "https://127.0.0.1:9", check=False)
    world.check("accepts no connections" in " ".join(outcome.text.split()), outcome.text + outcome.message)
    world.check(podman(*run, "linkaudit").text.startswith("OVERVIEW:"), "no help without arguments")

    inside = podman(*run, "--entrypoint", "/bin/sh", "linkaudit", "-c", """
        id -u; touch /x /usr/x /work/x 2>&1 | grep -c 'Read-only'; ls /usr/bin | grep -c -i -E 'swift|clang|^cc$|gcc'
        """, check=False).text.split()
    world.equal(inside, ["65534", "3", "0"], "user, places that are read-only, compilers")
