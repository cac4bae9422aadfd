#!/usr/bin/env python3
"""Hold UniversalLinks against those who use it: the example of the README in a package of its own, and its pages.

The package is built in .build/library, where what it needs stays from one run to the next, and so do the pages. The
variable SWIFT names another compiler.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
PLACE = ROOT / ".build/library"
CATALOG = ROOT / "Sources/UniversalLinks/UniversalLinks.docc"
MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "client",
  platforms: [.macOS(.v26)],
  dependencies: [.package(path: "../linkaudit")],
  targets: [
    .executableTarget(
      name: "client", dependencies: [.product(name: "UniversalLinks", package: "linkaudit")])
  ]
)
"""


def example(path: pathlib.Path) -> tuple[str, str]:
    """The first example of a document, and what the text behind it says that it prints."""
    text = path.read_text(encoding="utf-8")
    found = re.search(r"```swift\n(import UniversalLinks\n.*?)```\s*(?:which )?prints `(.*?)`", text, re.DOTALL)
    assert found, f"{path.name} has no example"
    return found[1], found[2]


def run(*command: object) -> str:
    outcome = subprocess.run([str(word) for word in command], cwd=PLACE, capture_output=True, text=True)
    if outcome.returncode != 0:
        sys.exit(f"{command} ended with {outcome.returncode}:\n{outcome.stdout[-4000:]}{outcome.stderr[-4000:]}")
    return outcome.stdout + outcome.stderr


def main(swift: str) -> None:
    (source, printed), page = example(ROOT / "README.md"), example(CATALOG / "UniversalLinks.md")
    assert (source, printed) == page, "the README's example isn't that of the documentation"
    assert len(source.strip().split("\n")) <= 11, "the example is longer than it was"

    client, graphs, link = PLACE / "client", PLACE / "graphs", PLACE / "linkaudit"
    shutil.rmtree(client, ignore_errors=True)
    (client / "Sources/client").mkdir(parents=True)
    graphs.mkdir(parents=True, exist_ok=True)
    if not (graphs / "UniversalLinks.symbols.json").exists():
        # It is written when the library is compiled, and at no other time.
        for built in PLACE.glob("build/*/debug/UniversalLinks.build"):
            shutil.rmtree(built)
        for module in PLACE.glob("build/*/debug/Modules/UniversalLinks.swift*"):
            module.unlink()
    if not link.exists():
        # A package goes by the name of its folder.
        link.symlink_to(ROOT, target_is_directory=True)
    (client / "Package.swift").write_text(MANIFEST)
    # The example, and the other code of the documentation.
    text = (CATALOG / "UniversalLinks.md").read_text()
    (client / "Sources/client/main.swift").write_text(source)
    (client / "Sources/client/Besides.swift").write_text(
        'import UniversalLinks\n\nfunc besides(\n  text: String, file: AssociationFile, matcher: LinkMatcher, '
        'evaluation: inout Evaluation\n) {\n' + "".join(re.findall(r"```swift\n(for .*?)```", text, re.DOTALL)) + "}\n")
    if (ROOT / "Package.resolved").exists():
        shutil.copy(ROOT / "Package.resolved", client)
    run(swift, "build", "--package-path", client, "--scratch-path", PLACE / "build",
        "-Xswiftc", "-emit-symbol-graph", "-Xswiftc", "-emit-symbol-graph-dir", "-Xswiftc", graphs)
    assert run(PLACE / "build/debug/client") == printed + "\n", "the example prints something else"

    # The library's own names, without its extensions of other modules.
    own = PLACE / "UniversalLinks"
    shutil.rmtree(own, ignore_errors=True)
    own.mkdir()
    shutil.copy(graphs / "UniversalLinks.symbols.json", own)
    symbols = [symbol for symbol in json.loads((own / "UniversalLinks.symbols.json").read_text())["symbols"]
               if symbol["identifier"]["precise"].startswith("s:14UniversalLinks")]
    bare = sorted(
        ".".join(symbol["pathComponents"]) for symbol in symbols
        if "docComment" not in symbol and "::SYNTHESIZED::" not in symbol["identifier"]["precise"]
        # The compiler writes it for enumerations.
        and symbol["pathComponents"][-1] != "init(rawValue:)")
    assert not bare, f"without a comment: {', '.join(bare)}"
    listed = set(re.findall(r"(?m)^- ``(\w+)``$", text))
    types = {symbol["pathComponents"][0] for symbol in symbols if len(symbol["pathComponents"]) == 1}
    assert listed == types, f"topics without {types - listed}, or with what isn't there: {listed - types}"

    docc = shutil.which("docc") or str(pathlib.Path(shutil.which(swift) or swift).resolve().parent / "docc")
    if not pathlib.Path(docc).exists():
        print("pages: left out: there is no docc beside Swift")
        return
    archive = PLACE / "UniversalLinks.doccarchive"
    shutil.rmtree(archive, ignore_errors=True)
    output = run(docc, "convert", CATALOG, "--additional-symbol-graph-dir", own, "--output-path", archive,
                 "--fallback-display-name", "UniversalLinks", "--fallback-bundle-identifier", "UniversalLinks")
    told = [line for line in output.split("\n") if "warning" in line or "error" in line]
    assert not told, "\n".join(told)
    assert (archive / "data/documentation/universallinks.json").exists()
    print(f"the example, {len(symbols)} names and the pages of UniversalLinks: passed")


if __name__ == "__main__":
    main(os.environ.get("SWIFT", "swift"))
