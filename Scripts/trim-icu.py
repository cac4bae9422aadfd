#!/usr/bin/env python3
"""Writes the data of ICU without what linkaudit never asks for: languages, other sets of characters, collations.

  trim-icu.py ARCHIVE OBJECT

ARCHIVE is Swift's lib_FoundationICU.a, whose data are more than half of a command that has Foundation linked into it,
although it formats no date and sorts no text for anybody's language. OBJECT is an object file with the rest of them:
English, and what all languages share. The name of the data is printed; a linker that is told '--wrap=NAME' takes them
from the object. Needs 'ar', 'nm', 'objcopy', and 'cc' or what CC names.
"""

import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

MEMBER = "icu_packaged_data.cpp.o"
LOCALES = {"root", "en", "en_001", "en_US", "en_US_POSIX"}


def is_needed(name):
    """Whether an item stays; names are such as 'icudt76l/lang/de.res'."""
    path = name.split("/")[1:]
    stem, _, kind = path[-1].rpartition(".")
    # Converters, names of characters, profiles of strings, lookalikes.
    if kind in ("cnv", "spp", "cfu") or path[-1] == "unames.icu":
        return False
    # Transliteration, and numbers in words.
    if len(path) == 2 and path[0] in ("translit", "rbnf"):
        return False
    if len(path) == 2 and path[0] == "brkitr":
        return stem in LOCALES or stem in ("pool", "res_index")
    # Locales are called as languages are; all else has longer names.
    if kind == "res" and re.fullmatch(r"[a-z]{2,3}(_.*)?", stem):
        return stem in LOCALES
    return True


def items(data):
    """The items of a package of ICU's common data, by name, and the header in front of them."""
    header = struct.unpack_from("<H", data)[0]
    if data[2:4] != b"\xda\x27" or data[12:16] != b"CmnD":
        sys.exit("trim-icu: these are not the common data of ICU")
    count = struct.unpack_from("<I", data, header)[0]
    entries = [struct.unpack_from("<II", data, header + 4 + 8 * index) for index in range(count)]
    ends = [offset for _, offset in entries[1:]] + [len(data) - header]
    found = []
    for (name, start), end in zip(entries, ends):
        text = data[header + name : data.index(b"\0", header + name)].decode("ascii")
        found.append((text, data[header + start : header + end]))
    return data[:header], found


def package(header, found):
    """A package of items, which have to be in the order of their names."""
    names = b""
    name_offsets = []
    first = 4 + 8 * len(found)
    for name, _ in found:
        name_offsets.append(first + len(names))
        names += name.encode("ascii") + b"\0"
    body = bytearray()
    begin = (len(header) + first + len(names) + 15) // 16 * 16 - len(header)
    offsets = []
    for _, content in found:
        body += bytes(-len(body) % 16)
        offsets.append(begin + len(body))
        body += content
    table = struct.pack("<I", len(found)) + b"".join(
        struct.pack("<II", *pair) for pair in zip(name_offsets, offsets)
    )
    return header + (table + names).ljust(begin, b"\0") + bytes(body)


def main():
    if len(sys.argv) != 3:
        sys.exit("trim-icu: pass the archive and the object")
    archive, target = (pathlib.Path(each).resolve() for each in sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def run(*words):
            return subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True).stdout

        run("ar", "x", str(archive), MEMBER)
        symbols = re.findall(r"\b[A-Z] (icudt\d+_dat)\b", run("nm", MEMBER))
        if len(symbols) != 1:
            sys.exit(f"trim-icu: {archive} has no data at the expected place")
        run("objcopy", "-O", "binary", "--only-section=.rodata", MEMBER, "all.dat")
        header, found = items((folder / "all.dat").read_bytes())
        kept = [(item, content) for item, content in found if is_needed(item)]
        (folder / "some.dat").write_bytes(package(header, kept))
        (folder / "data.s").write_text(
            f'.section .rodata\n.globl __wrap_{symbols[0]}\n.balign 16\n__wrap_{symbols[0]}:\n'
            '.incbin "some.dat"\n.section .note.GNU-stack,"",@progbits\n'
        )
        run(os.environ.get("CC", "cc"), "-c", "data.s", "-o", str(target))
    print(symbols[0])


if __name__ == "__main__":
    main()
