"""Analysis on Ray, in this machine's processes."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import hexmate
from conftest import CALM

ray = pytest.importorskip("ray")
import hexmate.ray  # noqa: E402

OPTIONS = {"nodes": 300, "hash": 1}


@pytest.fixture(scope="module", autouse=True)
def cluster():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def without_time(line):
    answer = json.loads(line)
    answer.pop("time_ms", None)
    return answer


def records(count):
    """Positions on the way of games in which each side makes its first or its last move."""
    for number in range(count):
        game = hexmate.GAMES[number % len(hexmate.GAMES)]
        position = hexmate.Position(game=game)
        for ply in range(number % 7):
            moves = position.moves
            position = position.play(moves[(number + ply) % len(moves)])
        yield position


def workers():
    """The processes of workers, by what Ray writes over their names."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and b"ray::_Worker" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            pass
    return found


def test_the_same_lines_as_without_ray():
    expected = [without_time(line) for line in hexmate.analyse_lines(records(60), jobs=2, **OPTIONS)]
    found = hexmate.ray.analyse_lines(records(60), workers=2, batch=7, **OPTIONS)
    assert [without_time(line) for line in found] == expected


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are found by /proc")
def test_a_killed_worker_loses_nothing():
    expected = [without_time(line) for line in hexmate.analyse_lines(records(200), jobs=2, **OPTIONS)]
    answers = hexmate.ray.analyse_lines(list(records(200)), workers=2, batch=5, progress=True, **OPTIONS)
    found = [next(answers) for _ in range(60)]
    running = workers()
    assert len(running) == 2
    os.kill(running[0], signal.SIGKILL)
    found += answers
    assert [without_time(line) for line in found] == expected


def test_a_dataset_of_ray():
    data = pytest.importorskip("ray.data")
    rows = [{"id": str(i), "fen": p.fen, "game": p.game} for i, p in enumerate(records(20))]
    answers = hexmate.ray.analyse(data.from_items(rows), workers=2, batch=4, **OPTIONS)
    assert [a["id"] for a in answers] == [row["id"] for row in rows]
    assert all(a["status"] == "ok" for a in answers)


@pytest.mark.parametrize("options", [{}, {"workers": 2}, {"threads": 2}], ids=str)
def test_a_lazy_dataset_is_read_beside_the_workers(options):
    """Its tasks need a processor, of which there are two."""
    data = pytest.importorskip("ray.data")
    fen = hexmate.Position().fen
    rows = data.range(4).map(lambda row: {"id": row["id"], "fen": fen})
    answers = hexmate.ray.analyse(rows, **options, **OPTIONS)
    assert sorted(a["id"] for a in answers) == [0, 1, 2, 3]


@pytest.mark.parametrize("library, rows", [("pandas", r'\.to_dict\("records"\)'), ("polars", r"\.to_dicts\(\)")])
def test_a_table_is_passed_by_its_rows(library, rows):
    frame = pytest.importorskip(library).DataFrame({"fen": [hexmate.Position().fen]})
    with pytest.raises(TypeError, match=f"dataset: .*not a DataFrame; pass its rows, {rows}"):
        hexmate.ray.analyse(frame, workers=1, **OPTIONS)


def test_games_from_files_go_along(calm):
    position = hexmate.Position(game=calm).play("e4e5")
    calm.unlink()
    answers = hexmate.ray.analyse([position, hexmate.Position()], workers=1, **OPTIONS)
    assert [a.game for a in answers] == ["calm", "glinski"]
    assert answers[0].bestmove == hexmate.analyse(position, **OPTIONS).bestmove
    # What a path means now.
    path = calm.with_name("again.toml")
    for base in ("glinski", "mccooey"):
        path.write_text(CALM.replace("calm", "again").replace("glinski", base))
        position = hexmate.Position(game=path)
    path.unlink()
    [answer] = hexmate.ray.analyse([position], workers=1, **OPTIONS)
    assert answer["fen"] == position.fen


def test_what_came_before_is_answered_first():
    answers = hexmate.ray.analyse_lines([*records(5), 5, *records(5)], workers=1, batch=2, **OPTIONS)
    assert [json.loads(next(answers))["id"] for _ in range(5)] == [1, 2, 3, 4, 5]
    with pytest.raises(TypeError, match="not int"):
        next(answers)


def test_blank_lines_and_comments_are_those_of_files(capsys):
    lines = ["# Positions", hexmate.Position().fen, "", hexmate.Position().fen]
    expected = [without_time(line) for line in hexmate.analyse_lines(lines, **OPTIONS)]
    found = hexmate.ray.analyse_lines(lines, workers=1, batch=1, **OPTIONS)
    assert [without_time(line) for line in found] == expected and [line["id"] for line in expected] == [2, 4]
    list(hexmate.ray.analyse_lines(lines, workers=1, batch=1, progress=True, **OPTIONS))
    assert capsys.readouterr().err.splitlines()[-1].startswith("2 records, ")
    answers = hexmate.ray.analyse(lines, workers=1, batch=3, **OPTIONS)
    assert [a.ok for a in answers] == [False, True, False, True]


def test_ray_is_not_started_for_nothing():
    """By another process, in which Ray does not run yet."""
    script = """
import hexmate, hexmate.ray, ray
answers = hexmate.ray.analyse_lines([hexmate.Position()], nodes=10, hash=1, workers=1)
assert not ray.is_initialized()
del answers
assert not ray.is_initialized()
print("not started")
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout == "not started\n", run.stderr


def test_wrong_options_are_told_at_once():
    with pytest.raises(ValueError, match="nodes"):
        hexmate.ray.analyse_lines([], nodes=0)
    for option in ("workers", "batch"):
        with pytest.raises(ValueError, match=f"{option} must be at least 1"):
            hexmate.ray.analyse_lines([], **{option: 0})
    with pytest.raises(TypeError, match="progress: expected a bool, not NoneType"):
        hexmate.ray.analyse_lines([], progress=None)
    with pytest.raises(TypeError, match="dataset: .*not int"):
        hexmate.ray.analyse_lines(5)
