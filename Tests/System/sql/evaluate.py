#!/usr/bin/env python3
"""Evaluates expressions in an engine: 'evaluate.py ENGINE' with a task in JSON on standard input.

A task has `statements`, which come first, `queries`, and `batches`, each with `urls` (hexadecimal bytes) and `expressions`
over the column `url`: a dialect and a text. What is in the dialect of another engine is translated. The answer in JSON
has the rows of each query, and the values of each expression by batch.
"""
import json
import sys
from typing import Any

# So many expressions are in one query.
WIDTH = 24


class ClickHouse:
    dialect = "clickhouse"

    def __init__(self) -> None:
        from chdb import session

        self.session = session.Session()
        # A query has the expressions of many files.
        for setting in ("max_query_size = 1000000000", "max_ast_elements = 10000000", "max_parser_depth = 10000",
                        "max_expanded_ast_elements = 10000000", "max_parser_backtracks = 100000000"):
            self.session.query("SET " + setting)

    def rows(self, query: str) -> list[list[Any]]:
        answer = self.session.query(query, "JSONCompactEachRow")
        return [json.loads(line) for line in answer.bytes().splitlines()]

    def load(self, urls: list[str]) -> str:
        self.rows("CREATE OR REPLACE TABLE links (id UInt32, url String) ENGINE = Memory")
        values = ", ".join("(%d, unhex('%s'))" % (number, url) for number, url in enumerate(urls))
        self.rows("INSERT INTO links VALUES " + values)
        return "links"


class DuckDB:
    dialect = "duckdb"

    def __init__(self) -> None:
        import duckdb

        self.connection = duckdb.connect()
        self.connection.execute("SET threads = 2")
        # A function of BigQuery.
        self.connection.execute("CREATE MACRO safe_convert_bytes_to_string(bytes) AS decode(bytes, 'replace')")

    def rows(self, query: str) -> list[list[Any]]:
        return [list(row) for row in self.connection.execute(query).fetchall()]

    def load(self, urls: list[str]) -> str:
        values = ", ".join("(%d, decode(unhex('%s')))" % (number, url) for number, url in enumerate(urls))
        self.rows("CREATE OR REPLACE TABLE links AS SELECT * FROM (VALUES %s) AS rows(id, url)" % values)
        return "links"


class Spark:
    dialect = "spark"

    def __init__(self) -> None:
        from pyspark.sql import SparkSession

        self.session = (
            SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2").config("spark.log.level", "FATAL")
            # Compiling so long queries takes longer than interpreting them for a few thousand rows.
            .config("spark.sql.codegen.wholeStage", "false")
            .config("spark.sql.codegen.factoryMode", "NO_CODEGEN").getOrCreate())

    def rows(self, query: str) -> list[list[Any]]:
        return [list(row) for row in self.session.sql(query).collect()]

    def load(self, urls: list[str]) -> str:
        rows = [(number, bytearray.fromhex(url)) for number, url in enumerate(urls)]
        self.session.createDataFrame(rows, "id INT, bytes BINARY").coalesce(2).createOrReplaceTempView("rows")
        return "(SELECT id, CAST(bytes AS STRING) AS url FROM rows)"


def main() -> None:
    task = json.load(sys.stdin)
    engine = {"clickhouse": ClickHouse, "duckdb": DuckDB, "spark": Spark}[sys.argv[1]]()

    def translated(dialect: str, text: str) -> str:
        if dialect == engine.dialect:
            return text
        import sqlglot

        text = sqlglot.transpile(text, read=dialect, write=engine.dialect)[0]
        # The translation leaves a function of Trino, and DuckDB's casts read escapes.
        return text.replace("ALL_MATCH(", "FORALL(").replace("CAST(run AS BLOB)", "encode(run)")

    for statement in task["statements"]:
        engine.rows(statement)
    batches = []
    for batch in task["batches"]:
        table = engine.load(batch["urls"])
        texts = [translated(*expression) for expression in batch["expressions"]]
        values: list[list[Any]] = []
        for start in range(0, len(texts), WIDTH):
            columns = ", ".join("%s AS v%d" % pair[::-1] for pair in enumerate(texts[start:start + WIDTH]))
            rows = sorted(engine.rows("SELECT id, %s FROM %s" % (columns, table)), key=lambda row: row[0])
            values += map(list, list(zip(*rows))[1:])
        batches.append(values)
    json.dump({"queries": [engine.rows(query) for query in task["queries"]], "batches": batches}, sys.stdout,
              default=str)


if __name__ == "__main__":
    main()
