#!/usr/bin/env python3
"""Write the table in Sources/UniversalLinks/Text/SimpleCaseFolding.swift.

Reads CaseFolding.txt of the Unicode Character Database (Debian: package unicode-data) and keeps its
simple foldings (status C and S) beyond ASCII as runs: first, last, step and offset.

    Scripts/generate-unicode-tables.py [/usr/share/unicode/CaseFolding.txt]
"""
import os
import re
import sys
import textwrap

# The simple foldings that Unicode 15.1 added; systems of today have them.
ADDED = {0x1FD3: 0x0390, 0x1FE3: 0x03B0, 0xFB05: 0xFB06}


def runs(pairs):
    """Merge (scalar, folded) pairs into (first, last, step, offset) runs."""
    found = []
    for scalar, folded in sorted(pairs.items()):
        offset = folded - scalar
        if found:
            first, last, step, known = found[-1]
            gap = scalar - last
            if known == offset and gap in (1, 2) and (first == last or gap == step):
                found[-1] = (first, scalar, gap, offset)
                continue
        found.append((scalar, scalar, 1, offset))
    return found


def main():
    source = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode/CaseFolding.txt"
    pairs = dict(ADDED)
    for line in open(source, encoding="utf-8"):
        fields = re.match(r"([0-9A-F]+); ([CS]); ([0-9A-F]+);", line)
        if fields and int(fields[1], 16) > 0x7F:
            pairs[int(fields[1], 16)] = int(fields[3], 16)
    here = os.path.dirname(os.path.abspath(__file__))
    target = os.path.join(here, "../Sources/UniversalLinks/Text/SimpleCaseFolding.swift")
    text = " ".join("%X,%X,%d,%d" % run for run in runs(pairs))
    lines = textwrap.wrap(text, 96, break_on_hyphens=False)
    table = "".join("    %s\n" % line for line in lines)
    swift = open(target, encoding="utf-8").read()
    with open(target, "w", encoding="utf-8") as out:
        out.write(re.sub(r'(?<=table = """\n).*?(?=    """)', table, swift, flags=re.DOTALL))


if __name__ == "__main__":
    main()
