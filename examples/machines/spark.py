"""Analyse positions on Spark: each partition is piped through a process of hexmate.

    spark-submit examples/machines/spark.py POSITIONS ANSWERS [OPTION OF hexmate analyse]...

POSITIONS are records, one per line, each with an "id" of its own: numbers of lines would count within partitions.
ANSWERS is a folder; its files in order are the output of one run. HEXMATE names the program, PARTITIONS how many
partitions there are at least. Without spark-submit (pip install pyspark, and Java) Spark runs on this machine.
"""

import os
import shlex
import sys

from pyspark import SparkConf, SparkContext


def main(positions, answers, *options):
    # A record that cannot be used has an answer that says so; it is no reason for Spark to try the partition again.
    words = ["analyse", "--format", "jsonl", "--jobs", "1", "--quiet", "--allow-bad", *options]
    command = shlex.join([os.environ.get("HEXMATE", "hexmate"), *words])
    conf = SparkConf().setAppName("hexmate").setIfMissing("spark.master", "local[*]")
    with SparkContext(conf=conf) as spark:
        records = spark.textFile(positions, int(os.environ.get("PARTITIONS", "2")))
        records.pipe(command, checkCode=True).saveAsTextFile(answers)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
