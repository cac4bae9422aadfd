"""Warehouses: rows that they have counted become digests, and rows that they stream get answers.

Swift tests read rows that they have made themselves. Here, the statements of Documentation/Rows.md run in DuckDB,
ClickHouse (as chdb) and Spark, on a log of random lines. 'Scripts/setup.sh --warehouses' installs them; a case whose
warehouse is missing is skipped.
"""
