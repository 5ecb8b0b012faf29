"""Analyse positions on Dask: each partition by the Python package, within a worker of Dask.

    python3 examples/machines/dask_lines.py POSITIONS ANSWERS [NODES [PARTITION]]

POSITIONS are records, one per line, each with an "id" of its own: numbers of lines would count within partitions.
ANSWERS is a folder; its files in order are the output of one run. PARTITION is the size of a partition (1MB). Needs
pip install 'dask[distributed]'. Dask runs on this machine; DASK_SCHEDULER_ADDRESS names a cluster, whose workers need
the package hexmate.
"""

import sys

import dask.bag
import hexmate
from dask.distributed import Client


def main(positions, answers, nodes="100000", partition="1MB"):
    def answered(lines):
        # One job: Dask has a thread for each processor. A list: Dask cannot keep an iterator, which is not pickled.
        return list(hexmate.analyse_lines(lines, nodes=int(nodes), jobs=1))

    with Client():
        records = dask.bag.read_text(positions, blocksize=partition)
        # With an end to the last line of each file, too.
        records.map_partitions(answered).to_textfiles(f"{answers}/*.jsonl", last_endline=True)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
