#!/usr/bin/env python3
"""Prints the copyright file of the Debian package: that of linkaudit, and what is linked in.

  write-copyright.py FOLDER

FOLDER is what list-licenses.py has written. Debian has the text of the Apache License itself, so
only what stands around it is kept: exceptions and notices.
"""

import pathlib
import re
import sys

APACHE = re.compile(
    r" *Apache License\n *Version 2\.0, January 2004.*?END OF TERMS AND CONDITIONS\n"
    r"(?:\s*APPENDIX.*?limitations under the License\.\n)?",
    re.DOTALL,
)


def main():
    here = pathlib.Path(__file__).parent
    out = [(here / "copyright").read_text(encoding="utf-8")]
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        rest, found = APACHE.subn("", text)
        if found:
            rest = (
                "Licensed under the Apache License, Version 2.0, of which the text is in\n"
                "/usr/share/common-licenses/Apache-2.0 on Debian systems.\n\n" + rest.strip("\n")
            )
        lines = [line.rstrip() for line in rest.strip("\n").split("\n")]
        holders = [
            line.strip(" *#")
            for line in lines
            if re.match(r"[ *#]*(?:Copyright|\(C\)|©).*(?:\d{4}|[Aa]uthors)", line)
        ] or ["the authors of " + path.stem]
        out.append(f"Files: linked/{path.stem}/*")
        out.append("Copyright: " + "\n ".join(dict.fromkeys(holders)))
        out.append(f"License: {'Apache-2.0-and-notices' if found else 'terms'}-of-{path.stem}")
        out.append("\n".join(" " + (line or ".") for line in lines) + "\n")
    print("\n".join(out), end="")


if __name__ == "__main__":
    main()
