"""Runs on many machines, tried on this one: each of them answers as one run of the program does, times aside."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif("HEXMATE" not in os.environ, reason="HEXMATE names no program to compare with")

MACHINES = Path(__file__).parents[2] / "examples" / "machines"
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


def test_spark(positions, expected, tmp_path):
    pytest.importorskip("pyspark", reason="Spark is not installed: pip install pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java: apt-get install default-jre-headless")
    answers = tmp_path / "answers"
    environment = {**os.environ, "PARTITIONS": "4", "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    command = [sys.executable, str(MACHINES / "spark.py"), str(positions), str(answers), *OPTIONS]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    parts = sorted(answers.glob("part-*"))
    assert len(parts) >= 4
    found = timeless("".join(part.read_text() for part in parts))

    def unnumbered(answer):
        """A bad record's answer without the number of its line, which counts within its partition."""
        answer = json.loads(answer)
        if "line" in answer:
            answer["error"] = answer["error"].replace(f"line {answer.pop('line')}, ", "")
        return answer

    assert [unnumbered(answer) for answer in found] == [unnumbered(answer) for answer in expected]
    good = [(a, b) for a, b in zip(found, expected) if '"line"' not in b]
    assert len(good) == 40 and all(a == b for a, b in good)


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
