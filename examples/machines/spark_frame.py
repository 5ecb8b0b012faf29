"""Analyse a table of positions on Spark: each batch of rows by the Python package, within a worker of Spark.

    spark-submit examples/machines/spark_frame.py POSITIONS ANSWERS [NODES]

POSITIONS are JSON lines, each with an "id" of its own: numbers would count within batches. ANSWERS is a folder of
Parquet files. The workers need the packages hexmate and pyarrow; PYSPARK_PYTHON names their Python. Without
spark-submit (pip install pyspark, and Java) Spark runs on this machine.
"""

import sys

import hexmate
import pyarrow
from pyspark import SparkConf
from pyspark.sql import SparkSession
from pyspark.sql.functions import from_json

#: What to keep of the answers. Of bad records only id, game, status and error are there.
FIELDS = """id string, game string, fen string, status string, bestmove string, score struct<cp: long, mate: long>,
    depth long, nodes long, pv array<string>, error string"""


def main(positions, answers, nodes="100000"):
    def answered(batches):
        for batch in batches:
            # One job: Spark has a worker for each processor.
            lines = hexmate.analyse_lines(batch.to_pylist(), nodes=int(nodes), jobs=1)
            yield pyarrow.record_batch([pyarrow.array(lines, pyarrow.string())], ["answer"])

    # Four attempts at each partition; "local[*]" makes only one.
    conf = SparkConf().setAppName("hexmate").setIfMissing("spark.master", "local[*, 4]")
    spark = SparkSession.builder.config(conf=conf).getOrCreate()
    rows = spark.read.json(positions)
    lines = rows.mapInArrow(answered, "answer string")
    lines.select(from_json("answer", FIELDS).alias("answer")).select("answer.*").write.parquet(answers)
    spark.stop()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
