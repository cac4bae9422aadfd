"""What is linked into the command; list-licenses.py and make-sbom.py ask.

The list of objects that the linker was given lies beside the binary, and the packages' sources some folders above.
"""

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
    "libyaml": ("yaml_parser_parse", "libyaml-dev"),
    "libstdc++": ("__cxa_allocate_exception", "libstdc++-*-dev"),
}


def modules(binary):
    """The modules whose objects were linked."""
    listing = binary.parent / "linkaudit.product" / "Objects.LinkFileList"
    if not listing.exists():
        sys.exit(f"{listing} is missing; name a binary where it was built")
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


def checkouts(binary):
    """The folder of the packages' sources, some levels above a binary."""
    found = next((folder / "checkouts" for folder in binary.parents if (folder / "checkouts").is_dir()), None)
    if found is None:
        sys.exit("there are no checkouts above the binary; name one where it was built")
    return found


def license_texts(package):
    """The texts of a package's license and notices."""
    names = ["LICENSE", "LICENSE.txt", "LICENSE.md", "NOTICE.txt"]
    texts = [
        (package / name).read_text(encoding="utf-8", errors="replace") for name in names if (package / name).is_file()
    ]
    if not texts:
        sys.exit(f"{package.name} has no license")
    return texts


def toolchain():
    """The folder of Swift's toolchain."""
    return pathlib.Path(shutil.which(os.environ.get("SWIFT", "swift"))).resolve().parents[1]
