"""Expressions of 'linkaudit compile', evaluated by ClickHouse, DuckDB and Spark: they say what 'linkaudit match' says.

Swift tests evaluate regular expressions, but no SQL. The queries of Documentation/Warehouses.md run, too, and their
rows give the digest of the log.

The URLs and rules are the conformance vectors, files of real sites with URLs made of their patterns, and random ones.
Trino's and BigQuery's dialects are parsed, and run as far as DuckDB can stand in for them. 'Scripts/setup.sh --warehouses'
installs the engines.
"""
import pathlib
import os

from support.inputs import ROOT
from support.world import Skip

# Where the engines are; SQL_PYTHON names another interpreter that has them.
PYTHON = pathlib.Path(os.environ.get("SQL_PYTHON", ROOT / ".build/warehouses/bin/python"))

# Spark alone keeps two processors busy.
JOBS = 2

if not PYTHON.exists():
    raise Skip("chdb, duckdb, pyspark and sqlglot are missing; 'Scripts/setup.sh --warehouses' installs them")
