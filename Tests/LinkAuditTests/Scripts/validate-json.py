#!/usr/bin/env python3
"""Holds JSON against a schema, and prints what doesn't fit.

    validate-json.py SCHEMA [--lines] FILE...

With --lines, each line of a file is a document. Exits with 1 if something doesn't fit.
"""
import json
import sys

from jsonschema import Draft202012Validator


def documents(path, by_line):
    with open(path, encoding="utf-8") as file:
        if not by_line:
            yield "", json.load(file)
            return
        for number, line in enumerate(file, 1):
            yield f":{number}", json.loads(line)


def main():
    schema_path, *paths = sys.argv[1:]
    by_line = "--lines" in paths
    paths = [path for path in paths if path != "--lines"]
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    fits = True
    for path in paths:
        for place, document in documents(path, by_line):
            for error in validator.iter_errors(document):
                fits = False
                where = "/".join(str(part) for part in error.absolute_path)
                print(f"{path}{place}: {where}: {error.message[:300]}")
    return 0 if fits else 1


if __name__ == "__main__":
    sys.exit(main())
