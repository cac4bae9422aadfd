"""The files of a release: checksums, the bill of materials, the formula for Homebrew, and the workflows."""
import hashlib
import json
import pathlib
import re
import subprocess
import tarfile
from typing import Any

from package.world import World
from support.cases import case
from support.inputs import ROOT
from support.world import Skip

URL = "https://www.example.com/releases/v1"
# 'Scripts/setup.sh --package' installs validators here.
VALIDATORS = ROOT / ".build/package/bin"
VALIDATE = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read())
sys.exit(str(error) if error else 0)
"""
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def validator(name: str) -> pathlib.Path:
    """A program that only some machines have."""
    path = VALIDATORS / name
    if not path.exists():
        raise Skip("validators are missing; 'Scripts/setup.sh --package' installs them")
    return path


def bill_of(world: World) -> dict[str, Any]:
    name = world.tool("make", "--silent", "sbom", f"BINARY={world.release or world.binary}").text.strip()
    return json.loads((ROOT / name).read_text())


@case
def release_has_all_files(world: World) -> None:
    if not (ROOT / ".git").exists():
        raise Skip("the sources of a release are those of a commit")
    world.need("dpkg-deb", "dpkg-shlibdeps")
    outcome = world.tool(
        "make", "--silent", "release", f"BINARY={world.release or world.binary}", f"RELEASE_URL={URL}/")
    paths = [pathlib.Path(line) for line in outcome.text.split()]
    kinds = [re.sub(r"^linkaudit[-_]?[0-9.]*[0-9]", "", path.name) for path in paths]
    expected = [r"-linux-\w+\.tar\.gz", r"-1_\w+\.deb", r"-linux-\w+\.cdx\.json", r"\.tar\.gz", r"linkaudit\.rb",
                "SHA256SUMS"]
    world.check(len(kinds) == len(expected) and all(map(re.fullmatch, expected, kinds)), f"files: {kinds}")
    archive, package, bill, sources, formula, sums = paths
    world.tool("sha256sum", "--check", "--strict", sums, cwd=sums.parent)
    world.equal([line.split()[1] for line in sums.read_text().splitlines()], [path.name for path in paths[:-1]],
                "files that have a checksum")

    hashes = {
        part["name"]: part["hashes"][0]["content"] for part in json.loads(bill.read_text())["components"]
        if part["type"] == "file"}
    world.equal(hashes, {path.name: sha256(path) for path in (archive, package)}, "files in the bill")
    with tarfile.open(sources) as content:
        names = content.getnames()
    top = f"linkaudit-{world.number}/"
    assert all((name + "/").startswith(top) for name in names) and top + "Package.swift" in names, names[:5]
    assert f'url "{URL}/{sources.name}"\n' in formula.read_text()
    assert f'sha256 "{sha256(sources)}"\n' in formula.read_text()

    again = world.tool(
        "Scripts/make-sbom.py", "--binary", world.release or world.binary, "--artifact", archive, "--artifact", package)
    world.equal(again.stdout, bill.read_bytes(), "a second bill of the same files")


def sha256(path: pathlib.Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@case
def bill_of_materials_is_valid(world: World) -> None:
    bill = bill_of(world)
    path = world.write("bill.json", json.dumps(bill).encode())
    world.tool(validator("python"), "-c", VALIDATE, path)
    parts = [bill["metadata"]["component"], *bill["components"]]
    references = [part["bom-ref"] for part in parts]
    world.equal(len(set(references)), len(references), "distinct references")
    named = {edge["ref"] for edge in bill["dependencies"]}.union(*(edge["dependsOn"] for edge in bill["dependencies"]))
    world.equal(named - set(references), set(), "dependencies that are no components")
    world.equal(parts[0]["version"], world.number, "version")
    # Everything but files is needed by something.
    needed = set().union(*(edge["dependsOn"] for edge in bill["dependencies"]))
    world.equal({part["bom-ref"] for part in parts[1:] if part["type"] != "file"}, needed, "components that are needed")


@case
def bill_of_materials_lists_what_is_linked(world: World) -> None:
    bill = bill_of(world)
    parts = {part["name"]: part for part in bill["components"]}
    binary = world.release or world.binary
    world.equal(bill["metadata"]["component"]["hashes"][0]["content"], sha256(binary), "hash of the binary")

    for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]:
        part = next((part for name, part in parts.items() if name.lower() == pin["identity"]), None)
        if world.check(part, "%s is missing" % pin["identity"]):
            world.equal(part["version"], pin["state"]["version"], "version of " + pin["identity"])
            world.equal(part["externalReferences"][0]["comment"], "commit " + pin["state"]["revision"], pin["identity"])
    # What each package needs, as the package manager says.
    graph = json.loads(world.tool(
        "swift", "package", "--force-resolved-versions", "show-dependencies", "--format", "json").stdout)
    edges = {edge["ref"]: edge["dependsOn"] for edge in bill["dependencies"]}
    for package in graph["dependencies"]:
        part = next(part for name, part in parts.items() if name.lower() == package["identity"])
        world.equal([reference for reference in edges[part["bom-ref"]] if reference.startswith("pkg:swift/")],
                    [need["identity"] for need in package["dependencies"]], "needs of " + package["identity"])

    # Libraries that are linked in have a license in the archive, and the same name there.
    licenses = world.folder / "licenses"
    world.tool("Scripts/list-licenses.py", "--binary", binary, "--output", licenses)
    provided = {name for name, part in parts.items() if part.get("properties")}
    linked = {name for name, part in parts.items() if part["type"] == "library"} - provided
    world.equal(linked, {path.stem for path in licenses.iterdir()}, "libraries that are linked in")
    # Those of the system.
    dynamic = world.tool("readelf", "--dynamic", "--wide", binary).text
    for library in re.findall(r"NEEDED.*\[(.*)\]", dynamic):
        name = "glibc" if re.match(r"(libc|libm|ld-linux.*)\.so", library) else library
        world.check(name in provided, "%s is missing" % library)
    # The static libraries that the linker was given, by the packages that they are of.
    purls = {name: part["purl"] for name, part in parts.items() if part.get("purl", "").startswith("pkg:deb/")}
    if world.release is not None:
        given = [path.resolve() for path in (binary.parents[2] / "libraries").glob("*.a")]
        world.check(given, "the linker's static libraries are not where they were")
        owners = {world.tool("dpkg", "--search", path).text.partition(":")[0] for path in given}
        world.equal({re.split("[/@]", purl)[2] for purl in purls.values()}, owners, "packages of static libraries")
    for name in ("zlib", "sqlite", "libyaml", "zstd", "bzip2", "xz"):
        library = parts.get(name)
        if library and "purl" in library:
            archive = re.search(r"pkg:deb/debian/(\S+)@", library["purl"])
            seen = world.tool("dpkg-query", "--show", "--showformat", "${source:Upstream-Version}", archive[1]).text
            world.equal(library["version"], seen, "version of " + name)


@case
def formula_builds_and_tests(world: World) -> None:
    """The formula's syntax, and its test with the binary, in a stand-in for Homebrew."""
    world.need("ruby")
    formula = ROOT / "Integrations/homebrew/linkaudit.rb"
    world.tool("ruby", "-wc", formula)
    # As 'make release' writes it.
    filled = world.write("linkaudit.rb", formula.read_bytes().replace(b"0.0.0", world.number.encode()))
    home = world.folder / "home"
    home.mkdir()
    outcome = world.tool(
        "ruby", ROOT / "Tests/System/package/homebrew.rb", filled, world.installed, cwd=home)
    seen = json.loads(outcome.text.splitlines()[-1])
    world.equal(seen["license"], "Apache-2.0", "license")
    world.equal(seen["version"], world.number, "version in the formula's address")
    for script in seen["scripts"]:
        world.check((ROOT / script).exists(), "%s is missing" % script)
    world.equal(seen["checks"], 2, "assertions of the formula's test")


@case
def workflows_are_sound(world: World) -> None:
    world.check(WORKFLOWS, "there are no workflows")
    targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text()))
    for path in WORKFLOWS:
        text = path.read_text()
        for action in re.findall(r"uses: (\S+)", text):
            world.check(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action), "%s is not pinned to a commit" % action)
        world.check(re.search(r"(?m)^permissions:", text), "%s grants every permission" % path.name)
        for target in re.findall(r"\bmake ([a-z-]+)\b(?! and)", re.sub(r"(?m)^ *#.*|name:.*|apt-get.*", "", text)):
            world.check(target in targets, "%s: there is no 'make %s'" % (path.name, target))
        for script in re.findall(r"(?:\.ci|Scripts)/[\w.-]+", text):
            world.check((ROOT / script).exists(), "%s: %s is missing" % (path.name, script))
        # Commands of steps, as a shell reads them.
        for command in re.findall(r"(?m)^        run: (?!\|)(.*)$", text):
            world.equal(subprocess.run(["sh", "-nc", command]).returncode, 0, command)
    world.tool(validator("check-jsonschema"), "--builtin-schema", "vendor.github-workflows", *WORKFLOWS)
