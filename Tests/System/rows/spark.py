"""Spark: its rows become a digest, and its pipe asks for verdicts. A session starts slowly, so both are one case."""
import json

from rows.streams import expected
from rows.world import FIELDS, WAREHOUSES, World, block, statement
from support.cases import case
from support.inputs import AASA

PROGRAM = r"""
import sys
from pyspark.sql import SparkSession
from pyspark.sql.functions import lit, regexp_extract, to_timestamp
log, fields, rows, program, out = sys.argv[1:]
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config(
    "spark.sql.shuffle.partitions", "2").config("spark.sql.session.timeZone", "UTC").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
names = ["clock", "method", "target", "status", "size", "referrer", "agent"]
lines = spark.read.text(log)
lines = lines.select(*(regexp_extract("value", fields, n + 1).alias(name) for n, name in enumerate(names)))
lines.select(to_timestamp("clock", "dd/MMM/yyyy:HH:mm:ss Z").alias("time"), lit("www.example.com").alias("host"),
             "method", "target", "status", "referrer", "agent").createOrReplaceTempView("logs")
spark.sql(rows).write.json(out + "/json", compression="gzip")
spark.sql(rows).write.csv(out + "/csv", header=True, escape='"', emptyValue="")
names = {"spark": spark}
exec(program, names)
names["answers"].write.json(out + "/answers")
"""


@case
def rows_and_pipes_of_spark(world: World) -> None:
    python = world.python(WAREHOUSES, "PySpark")
    log = world.random_log("access.log", 3_000)
    program = block("python", "## Match URLs in the warehouse").replace(
        "linkaudit match", "%s match" % world.settings.binary).replace("aasa.json", AASA)
    world.execute([python, "-c", PROGRAM, log, FIELDS, statement(), program, world.folder])
    compared = world.digest("log.digest", log, "--counts-only")
    for name in ("json", "csv"):
        world.check(world.digest(name + ".digest", "--from-rows", name, "--counts-only") == compared,
                    "the digest of rows in %s differs from that of the log" % name)
    rows = [
        json.loads(line) for path in sorted((world.folder / "answers").glob("part-*"))
        for line in path.read_text().splitlines()]
    world.check(len(rows) > 30, "there are few answers: %d" % len(rows))
    world.equal([{name: row["result"].get(name) for name in ("verdict", "app", "detail", "rule")} for row in rows],
                expected(world, [row["url"] for row in rows]), "answers")
