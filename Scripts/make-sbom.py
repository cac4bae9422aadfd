#!/usr/bin/env python3
"""Writes a software bill of materials: CycloneDX 1.6, in JSON.

  make-sbom.py --binary FILE [--output FILE] [--artifact FILE]...

It lists the packages of Package.resolved, the libraries of C and of Swift that are linked into the binary, those that
the system provides, and the files of the release with their hashes. The binary must lie where it was built. The same
commit and the same files give the same bytes: the time is SOURCE_DATE_EPOCH, or that of the commit.
"""

import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse
import uuid

from linked import C_LIBRARIES, checkouts, defined, license_texts, modules, packages

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Licenses of libraries, as SPDX expressions; those of packages are detected from their texts.
LICENSES = {
    "zlib": "Zlib",
    "sqlite": "blessing",
    "zstd": "BSD-3-Clause OR GPL-2.0-only",
    "bzip2": "bzip2-1.0.6",
    "xz": "LicenseRef-xz-public-domain",
    "libstdc++": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "swift": "Apache-2.0 WITH Swift-exception",
    "glibc": "LGPL-2.1-or-later",
    "libcurl": "curl",
    "isa-l": "BSD-3-Clause",
    "libyaml": "MIT",
}
# Static libraries.
ARCHIVES = {
    "zlib": "libz.a", "sqlite": "libsqlite3.a", "zstd": "libzstd.a", "bzip2": "libbz2.a", "xz": "liblzma.a",
    "libyaml": "libyaml.a", "libstdc++": "libstdc++.a",
}
# Libraries that the command loads when it needs them, if the system has them.
LOADED = {"libcurl": "libcurl.so.4", "isa-l": "libisal.so.2"}


def output(*words):
    """What a program prints; nothing, if it is missing or fails."""
    try:
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def spdx(text):
    """The SPDX expression of a license's text."""
    if re.search(r"Apache License\s+Version 2\.0", text):
        return "Apache-2.0 WITH Swift-exception" if "Runtime Library Exception" in text else "Apache-2.0"
    if "Permission is hereby granted, free of charge" in text:
        return "MIT"
    sys.exit("make-sbom: an unknown license: " + text[:200])


def component(name, license, kind="library", **more):
    """A component whose reference is its package URL, or its name."""
    reference = more.get("purl", name)
    return {"type": kind, "bom-ref": reference, "name": name, "licenses": [{"expression": license}], **more}


def package_components(binary):
    """The packages of Package.resolved, those that aren't linked as well."""
    sources = {path.name.lower(): path for path in checkouts(binary).iterdir()}
    linked = {path.name.lower() for path in packages(checkouts(binary), modules(binary))}
    for pin in json.loads((ROOT / "Package.resolved").read_text(encoding="utf-8"))["pins"]:
        location = pin["location"].removesuffix(".git")
        folder = sources[location.rpartition("/")[2].lower()]
        version = pin["state"]["version"]
        yield component(
            folder.name, spdx("\n".join(license_texts(folder))), version=version,
            scope="required" if folder.name.lower() in linked else "excluded",
            purl="pkg:swift/%s@%s" % (location.removeprefix("https://"), version),
            externalReferences=[{"type": "vcs", "url": location, "comment": "commit " + pin["state"]["revision"]}])


def linked_components(names, binary):
    """The libraries of C and C++ that are linked in, in the versions that Debian's packages have."""
    static = binary.parents[2] / "libraries"
    for name, (symbol, package) in C_LIBRARIES.items():
        if symbol not in names:
            continue
        fields = "${Package} ${Version} ${Architecture} ${source:Upstream-Version}\n"
        rows = output("dpkg-query", "--show", "--showformat", fields, package).splitlines()
        more = {}
        if rows:
            owner, version, architecture, upstream = rows[-1].split(" ")
            more = {"version": upstream, "purl": "pkg:deb/debian/%s@%s?arch=%s" % (
                owner, urllib.parse.quote(version, safe=":~"), architecture)}
        archive = static / ARCHIVES[name]
        if archive.exists():
            more["hashes"] = [digest(archive)]
        yield component(name, LICENSES[name], **more)


def swift_components(names):
    """Swift's own libraries."""
    version = re.search(r"Swift version (\S+)", output(os.environ.get("SWIFT", "swift"), "--version"))
    if "swift_retain" not in names:
        return
    yield component("swift", LICENSES["swift"], version=version[1] if version else "unknown",
                    description="The standard library, Foundation and Dispatch")


def provided_components(binary):
    """The libraries that the system provides: those that are needed, and those that are used if they are there."""
    needed = re.findall(r"NEEDED.*\[(.*)\]", output("readelf", "--dynamic", "--wide", str(binary)))
    versions = re.findall(r"GLIBC_(\d+)\.(\d+)", output("readelf", "--version-info", "--wide", str(binary)))
    others = [name for name in needed if not re.match(r"(libc|libm|ld-linux.*)\.so", name)]
    if len(others) < len(needed):
        least = ".".join(map(str, max((int(major), int(minor)) for major, minor in versions)))
        yield component("glibc", LICENSES["glibc"], scope="required", properties=[
            {"name": "linkaudit:provided-by", "value": "system"},
            {"name": "linkaudit:minimum-version", "value": least}])
    for name in others:
        yield component(name, "LicenseRef-unknown", scope="required",
                        properties=[{"name": "linkaudit:provided-by", "value": "system"}])
    content = binary.read_bytes()
    for name, file in LOADED.items():
        if file.encode() in content:
            yield component(name, LICENSES[name], scope="optional", properties=[
                {"name": "linkaudit:provided-by", "value": "system"}, {"name": "linkaudit:file", "value": file}])


def digest(path):
    """The hash of a file."""
    with open(path, "rb") as file:
        return {"alg": "SHA-256", "content": hashlib.file_digest(file, "sha256").hexdigest()}


def bill(binary, artifacts):
    """The bill as a value of JSON."""
    version = output("Scripts/version.sh")
    commit = output("git", "rev-parse", "HEAD")
    moment = os.environ.get("SOURCE_DATE_EPOCH") or output("git", "log", "-1", "--format=%ct") or "0"
    time = datetime.datetime.fromtimestamp(int(moment), datetime.timezone.utc)
    names = defined(binary)

    packages_ = list(package_components(binary))
    parts = [*packages_, *linked_components(names, binary), *swift_components(names), *provided_components(binary)]
    files = [
        {"type": "file", "bom-ref": "file:" + path.name, "name": path.name, "hashes": [digest(path)]}
        for path in artifacts]
    command = component(
        "linkaudit", "Apache-2.0", "application", version=version, purl="pkg:generic/linkaudit@" + version,
        hashes=[digest(binary)],
        properties=[{"name": "linkaudit:commit", "value": commit}] if commit else [])
    # No package needs another one; a test of the bill asks the package manager.
    edges = [{"ref": command["bom-ref"], "dependsOn": sorted(part["bom-ref"] for part in parts)}]
    edges += [{"ref": part["bom-ref"], "dependsOn": []} for part in parts]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6",
        # The same for the same content.
        "serialNumber": "urn:uuid:%s" % uuid.uuid5(uuid.NAMESPACE_URL, "linkaudit %s %s %s" % (
            version, commit, [file["hashes"] for file in [command, *files]])),
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "lifecycles": [{"phase": "build"}],
            "tools": {"components": [{"type": "application", "name": "make-sbom.py", "version": version}]},
            "component": command},
        "components": [*parts, *files],
        "dependencies": edges,
    }


def main():
    parser = argparse.ArgumentParser(description="Writes a software bill of materials.")
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--artifact", action="append", default=[], type=pathlib.Path, help="a file of the release")
    arguments = parser.parse_args()
    text = json.dumps(bill(arguments.binary.resolve(), arguments.artifact), indent=2) + "\n"
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
