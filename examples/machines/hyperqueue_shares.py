"""Analyse positions in shares on HyperQueue, and merge the shares.

    python3 examples/machines/hyperqueue_shares.py SHARES POSITIONS ANSWERS [OPTION OF hexmate analyse]...

Starts a server and a worker for each processor on this machine (pip install hyperqueue). With a server of your own, use
hyperqueue.Client() in place of the cluster. HEXMATE names the program.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig


def main(shares, positions, answers, *options):
    hexmate = shutil.which(os.environ.get("HEXMATE", "hexmate"))
    if hexmate is None:
        sys.exit("there is no program hexmate in PATH; HEXMATE may name one")
    answers = Path(answers).resolve()
    folder = answers.parent
    outputs = [str(folder / f"share-{i}-{answers.name}") for i in range(1, int(shares) + 1)]
    words = [hexmate, "analyse", str(Path(positions).resolve()), "--jobs", "1", "--quiet", "--allow-bad", *options]
    with tempfile.TemporaryDirectory() as server, LocalCluster(server_dir=server) as cluster:
        for _ in range(os.cpu_count()):
            cluster.start_worker(WorkerConfig(cores=1))
        client = cluster.client()
        job = Job(default_workdir=folder)
        for share, output in enumerate(outputs, 1):
            # A task that is started again goes on with its journal, or finds its share complete.
            of_share = ["--shard", f"{share}/{shares}", "--output", output, "--resume"]
            job.program([*words, *of_share], name=f"share-{share}", stdout=None, stderr=output + ".log")
        client.wait_for_jobs([client.submit(job)])
    subprocess.run([hexmate, "merge", *outputs, "--output", str(answers)], check=True)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
