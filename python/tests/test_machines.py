"""Runs on many machines, tried on this one: each of them answers as one run of the program does, times aside."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif("HEXMATE" not in os.environ, reason="HEXMATE names no program to compare with")

MACHINES = Path(__file__).parents[2] / "examples" / "machines"
PAGES = Path(os.environ.get("HEXMATE_DOCS", Path(__file__).parents[2])) / "docs"
OPTIONS = ["--nodes", "300", "--hash", "1"]
GAMES = ("glinski", "hexachess", "mccooey", "chromatic3", "chromatic4")


def program(*words, **more):
    return subprocess.run([os.environ["HEXMATE"], *words], check=True, capture_output=True, text=True, **more).stdout


@pytest.fixture(scope="module")
def positions(tmp_path_factory):
    """A file of records with ids: of all games, some of them bad."""
    lines = []
    for game in GAMES:
        book = program("openings", game, "--count", "8", "--plies", "5", "--balance", "5000", "--format", "txt")
        lines += [{"game": game, "moves": moves, "from": "a book"} for moves in book.splitlines()]
    assert len(lines) == 40
    lines.insert(7, {"moves": "e4e5 e4e5"})
    lines.insert(23, {"fen": 5})
    lines.insert(33, {"fen": "nonsense", "game": "mccooey"})
    path = tmp_path_factory.mktemp("positions") / "positions.jsonl"
    path.write_text("".join(json.dumps({"id": f"p{i}", **line}) + "\n" for i, line in enumerate(lines)))
    return path


def timeless(text):
    answers = [json.loads(line) for line in text.splitlines()]
    for answer in answers:
        answer.pop("time_ms", None)
    return [json.dumps(answer) for answer in answers]


@pytest.fixture(scope="module")
def expected(positions):
    """The answers of one run."""
    answers = timeless(program("analyse", str(positions), *OPTIONS, "--jobs", "2", "--allow-bad", "--quiet"))
    assert len(answers) == 43 and sum('"status": "error"' in answer for answer in answers) == 3
    return answers


def test_ray(positions, expected):
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'ray[data]'")
    import hexmate.ray

    with positions.open() as lines:
        found = list(hexmate.ray.analyse_lines(lines, workers=2, batch=5, nodes=300, hash=1))
    assert timeless("\n".join(found)) == expected


@pytest.fixture
def with_program(tmp_path):
    """An environment in whose PATH the program is, as hexmate."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "hexmate").symlink_to(os.path.abspath(os.environ["HEXMATE"]))
    others = {name: value for name, value in os.environ.items() if name != "HEXMATE"}
    return {**others, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def unnumbered(answer):
    """A bad record's answer without the number of its line, which counts within its partition."""
    answer = json.loads(answer)
    if "line" in answer:
        answer["error"] = answer["error"].replace(f"line {answer.pop('line')}, ", "")
    return answer


def run_on_spark(name, *words, **environment):
    pytest.importorskip("pyspark", reason="Spark is not installed: pip install pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java: apt-get install default-jre-headless")
    environment = {**environment, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    command = [sys.executable, str(MACHINES / name), *map(str, words)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_spark(positions, expected, tmp_path, with_program):
    # A bad record that looks like the head of a table is one bad record.
    records = tmp_path / "records.jsonl"
    records.write_text("id,fen\n" + positions.read_text())
    answers = tmp_path / "answers"
    run_on_spark("spark.py", records, answers, *OPTIONS, **with_program, PARTITIONS="4")
    parts = sorted(answers.glob("part-*"))
    assert len(parts) >= 4
    first, *found = timeless("".join(part.read_text() for part in parts))
    assert json.loads(first)["status"] == "error"
    assert [unnumbered(answer) for answer in found] == [unnumbered(answer) for answer in expected]
    good = [(a, b) for a, b in zip(found, expected) if '"line"' not in b]
    assert len(good) == 40 and all(a == b for a, b in good)


def test_a_table_on_spark(positions, expected, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="Arrow is not installed: pip install pyarrow")
    answers = tmp_path / "answers"
    run_on_spark("spark_frame.py", positions, answers, "300", **os.environ)
    found = parquet.read_table(answers).to_pylist()
    assert [answer["id"] for answer in found] == [json.loads(answer)["id"] for answer in expected]
    for answer, same in zip(found, map(json.loads, expected)):
        if answer["score"] is not None:
            answer["score"] = {name: value for name, value in answer["score"].items() if value is not None}
        # A column has one type: a number among texts has become a text, which is another error.
        if same["status"] == "error":
            answer.update(game=same["game"], error=same["error"])
        assert answer == {name: same.get(name) for name in answer}


def test_dask(positions, expected, tmp_path):
    pytest.importorskip("distributed", reason="Dask is not installed: pip install 'dask[distributed]'")
    answers = tmp_path / "answers"
    command = [sys.executable, str(MACHINES / "dask_lines.py"), str(positions), str(answers), "300", "500B"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    parts = sorted(answers.iterdir())
    assert len(parts) >= 4
    found = timeless("".join(part.read_text() for part in parts))
    assert [unnumbered(answer) for answer in found] == [unnumbered(answer) for answer in expected]


def test_shares_of_a_slurm_array_can_be_submitted_again(positions, expected, tmp_path, with_program):
    """By the script of the documentation, with a program in place of Slurm's."""
    page = (PAGES / "scaling.md").read_text()
    [script] = re.findall(r"^#!/bin/sh\n#SBATCH.*?(?=^```$)", page, re.DOTALL | re.MULTILINE)
    changed = script.replace("positions.epd.zst", str(positions)).replace("--nodes 100000", " ".join(OPTIONS))
    (tmp_path / "script").write_text(changed)
    srun = tmp_path / "bin" / "srun"
    srun.write_text('#!/bin/sh\nexec "$@"\n')
    srun.chmod(0o755)

    def submit(*shares):
        for share in shares:
            slurm = {"SLURM_ARRAY_TASK_ID": share, "SLURM_ARRAY_TASK_COUNT": len(shares), "SLURM_CPUS_PER_TASK": 1}
            environment = {**with_program, **{name: str(value) for name, value in slurm.items()}}
            subprocess.run(["sh", "script"], env=environment, cwd=tmp_path, check=True, capture_output=True)

    submit(*range(1, 65))
    for each in ("out.7.jsonl", "out.7.jsonl.share"):
        (tmp_path / each).unlink()
    submit(7, 12)
    assert timeless(program("merge", *map(str, tmp_path.glob("out.*.jsonl")))) == expected


def test_hyperqueue(positions, expected, tmp_path):
    pytest.importorskip("hyperqueue", reason="HyperQueue is not installed: pip install hyperqueue")
    answers = tmp_path / "answers.jsonl"
    command = [sys.executable, str(MACHINES / "hyperqueue_shares.py"), "5", str(positions), str(answers), *OPTIONS]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert timeless(answers.read_text()) == expected
    assert "5 shares, 43 positions, 3 bad" in done.stderr


def test_processes_of_a_shell(positions, expected, tmp_path):
    if shutil.which("xargs") is None:
        pytest.skip("there is no xargs")
    words = " ".join([*OPTIONS, "--jobs 1 --quiet --allow-bad --shard %/4 --output out.% --resume"])
    loop = f'seq 4 | xargs -P 2 -I% "$HEXMATE" analyse "$POSITIONS" {words} && "$HEXMATE" merge out.*'
    environment = {**os.environ, "POSITIONS": str(positions), "HEXMATE": os.path.abspath(os.environ["HEXMATE"])}
    done = subprocess.run(["sh", "-c", loop], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert timeless(done.stdout) == expected


def test_gnu_parallel(positions, expected, tmp_path):
    found = shutil.which("parallel")
    told = subprocess.run([found, "--version"], capture_output=True, text=True).stdout if found else ""
    if "GNU parallel" not in told:
        pytest.skip("GNU parallel is not installed: apt-get install parallel")
    words = [os.path.abspath(os.environ["HEXMATE"]), "analyse", str(positions), *OPTIONS, "--jobs", "1", "--quiet"]
    words += ["--allow-bad", "--shard", "{}/6", "--output", "out.{}", "--resume"]
    command = [found, "--jobs", "2", "--joblog", "jobs.log", "--retries", "3", *words, ":::", *"123456"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert timeless(program("merge", *[str(tmp_path / f"out.{i}") for i in range(1, 7)])) == expected
