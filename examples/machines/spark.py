"""Analyse positions on Spark: each partition is piped through a process of hexmate.

    spark-submit examples/machines/spark.py POSITIONS ANSWERS [OPTION OF hexmate analyse]...

POSITIONS are records, one per line, each with an "id" of its own: numbers of lines would count within partitions.
ANSWERS is a folder; its files in order are the output of one run. HEXMATE names the program, which is looked for in the
PATH of this process; PARTITIONS how many partitions there are at least. Without spark-submit (pip install pyspark, and
Java) Spark runs on this machine.
"""

import os
import shlex
import sys

from pyspark import SparkConf, SparkContext


def main(positions, answers, *options):
    # A record that cannot be used has an answer that says so; it is no reason for Spark to try the partition again.
    # Nor does the first record of a partition decide how the others are read.
    forms = ["--input-format", "lines", "--format", "jsonl"]
    words = ["analyse", *forms, "--jobs", "1", "--quiet", "--allow-bad", *options]
    command = shlex.join([os.environ.get("HEXMATE", "hexmate"), *words])
    # Four attempts at each partition; "local[*]" makes only one.
    conf = SparkConf().setAppName("hexmate").setIfMissing("spark.master", "local[*, 4]")
    with SparkContext(conf=conf) as spark:
        records = spark.textFile(positions, int(os.environ.get("PARTITIONS", "2")))
        # By itself the process would have an empty environment.
        records.pipe(command, env={"PATH": os.environ["PATH"]}, checkCode=True).saveAsTextFile(answers)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
