#!/usr/bin/env python3
"""Writes the licences of what is linked into the command, a file for each package.

  list-licences.py --binary .build/release/linkaudit --output FOLDER

What is linked is what the linker was given: the list of its objects lies beside the binary. Swift's
own libraries and those of C that are linked in have their licences where their packages put them;
what can't be found is said.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

# Libraries of C, by a symbol that a binary has if they are linked in, and Debian's packages of them.
C_LIBRARIES = {
    "zlib": ("inflateInit2_", "zlib1g-dev"),
    "sqlite": ("sqlite3_open_v2", "libsqlite3-dev"),
    "zstd": ("ZSTD_decompressStream", "libzstd-dev"),
    "bzip2": ("BZ2_bzDecompress", "libbz2-dev"),
    "xz": ("lzma_code", "liblzma-dev"),
    "libstdc++": ("__cxa_allocate_exception", "libstdc++-*-dev"),
    # Swift's Foundation has its own copy.
    "icu": ("swift_retain", "libicu*"),
}


def modules(binary):
    """The modules whose objects were linked."""
    listing = binary.parent / "linkaudit.product" / "Objects.LinkFileList"
    if not listing.exists():
        sys.exit(f"list-licences: {listing} is missing; name a binary where it was built")
    return {
        match[1] for match in re.finditer(r"/([^/]+)\.build/", listing.read_text(encoding="utf-8"))
    }


def packages(checkouts, linked):
    """The packages that have one of the modules."""
    for package in sorted(checkouts.iterdir(), key=lambda path: path.name.lower()):
        sources = package / "Sources"
        folders = {path.name for path in sources.glob("*") if path.is_dir()}
        folders |= {path.name for path in sources.glob("*/*") if path.is_dir()}
        if folders & linked:
            yield package


def defined(binary):
    """The names that the binary brings itself."""
    lines = subprocess.run(
        ["nm", "--defined-only", str(binary)], check=True, capture_output=True, text=True
    ).stdout.split("\n")
    return {line.rsplit(" ", 1)[-1] for line in lines if line}


def main():
    parser = argparse.ArgumentParser(description="Writes the licences of what is linked in.")
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)

    def write(name, texts):
        content = "\n".join(text.rstrip("\n") + "\n" for text in texts)
        (arguments.output / f"{name}.txt").write_text(content, encoding="utf-8")

    # The folder of the build holds the checkouts, some levels up.
    binary = arguments.binary.resolve()
    checkouts = next(
        (folder / "checkouts" for folder in binary.parents if (folder / "checkouts").is_dir()), None
    )
    if checkouts is None:
        sys.exit("list-licences: there are no checkouts above the binary; name one where it was built")
    for package in packages(checkouts, modules(binary)):
        names = ["LICENSE", "LICENSE.txt", "LICENSE.md", "NOTICE.txt"]
        texts = [
            (package / name).read_text(encoding="utf-8", errors="replace")
            for name in names
            if (package / name).is_file()
        ]
        if not texts:
            sys.exit(f"list-licences: {package.name} has no licence")
        write(package.name.removesuffix(".swift"), texts)

    names = defined(binary)
    if "swift_retain" in names:
        swift = shutil.which(os.environ.get("SWIFT", "swift"))
        text = pathlib.Path(swift).resolve().parents[1] / "share/swift/LICENSE.txt"
        if text.is_file():
            write("swift", [text.read_text(encoding="utf-8")])
        else:
            print(f"list-licences: {text}, Swift's licence, is missing", file=sys.stderr)
    for name, (symbol, package) in C_LIBRARIES.items():
        if symbol not in names:
            continue
        texts = sorted(pathlib.Path("/usr/share/doc").glob(f"{package}/copyright"))
        if texts:
            write(name, [texts[-1].read_text(encoding="utf-8", errors="replace")])
        else:
            print(f"list-licences: the licence of {name} is not where Debian has it", file=sys.stderr)


if __name__ == "__main__":
    main()
