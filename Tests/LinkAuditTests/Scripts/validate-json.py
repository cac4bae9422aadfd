#!/usr/bin/env python3
"""Validates JSON against schemas, as long as there is something to validate.

Reads a request from each line of standard input, of three fields with tabs between them: a schema,
'whole' or 'lines' (each line of the file is a document), and a file. Answers with what doesn't fit,
a complaint in each line, and a line with a dot.
"""
import json
import sys

import jsonschema_rs


def documents(path, form):
    with open(path, encoding="utf-8") as file:
        if form == "whole":
            yield "", json.load(file)
            return
        for number, line in enumerate(file, 1):
            yield f":{number}", json.loads(line)


def complaints(validator, path, form):
    try:
        for place, document in documents(path, form):
            for error in validator.iter_errors(document):
                where = "/".join(str(part) for part in error.instance_path)
                yield f"{path}{place}: {where}: {error.message[:300]}"
    except (OSError, ValueError) as error:
        yield f"{path}: {error}"


def main():
    validators = {}
    for request in sys.stdin:
        schema, form, path = request.rstrip("\n").split("\t")
        if schema not in validators:
            with open(schema, encoding="utf-8") as file:
                content = json.load(file)
            jsonschema_rs.meta.validate(content)
            validators[schema] = jsonschema_rs.Draft202012Validator(content)
        for complaint in complaints(validators[schema], path, form):
            print(complaint.replace("\n", " "))
        print(".", flush=True)


if __name__ == "__main__":
    main()
