#!/usr/bin/env python3
"""Writes the licenses of what is linked into the command, a file for each package.

  list-licenses.py --binary .build/release/linkaudit --output FOLDER

What is linked is what the linker was given: the list of its objects lies beside the binary. Swift's
own libraries and those of C that are linked in have their licenses where their packages put them;
what can't be found is said.
"""

import argparse
import pathlib
import sys

from linked import C_LIBRARIES, checkouts, defined, license_texts, modules, packages, toolchain


def main():
    parser = argparse.ArgumentParser(description="Writes the licenses of what is linked in.")
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)

    def write(name, texts):
        content = "\n".join(text.rstrip("\n") + "\n" for text in texts)
        (arguments.output / f"{name}.txt").write_text(content, encoding="utf-8")

    binary = arguments.binary.resolve()
    for package in packages(checkouts(binary), modules(binary)):
        write(package.name.removesuffix(".swift"), license_texts(package))

    names = defined(binary)
    if "swift_retain" in names:
        text = toolchain() / "share/swift/LICENSE.txt"
        if text.is_file():
            write("swift", [text.read_text(encoding="utf-8")])
        else:
            print(f"list-licenses: {text}, Swift's license, is missing", file=sys.stderr)
    for name, (symbol, package) in C_LIBRARIES.items():
        if symbol not in names:
            continue
        texts = sorted(pathlib.Path("/usr/share/doc").glob(f"{package}/copyright"))
        if texts:
            write(name, [texts[-1].read_text(encoding="utf-8", errors="replace")])
        else:
            print(f"list-licenses: the license of {name} is not where Debian has it", file=sys.stderr)


if __name__ == "__main__":
    main()
