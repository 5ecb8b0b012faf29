"""Endgame tables."""

import os
import shutil
import subprocess
import sys
import warnings

import pytest

import hexmate
from conftest import CALM

#: White mates with the queen.
WON = "1/3/2k2/7/9/11/11/4K6/11/11/Q10 w - - 0 1"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    hexmate.build_tables(folder, ["KQK"])
    return folder


def test_probing(folder):
    tables = hexmate.Tables(folder)
    assert tables.names() == ["KQK"] and tables.names("mccooey") == [] and tables.faults() == []
    position = hexmate.Position(WON)
    found = tables.probe(position)
    assert found.category == "win" and found.plies % 2 == 1
    assert sorted(move.move for move in found.moves) == position.moves
    best = found.moves[0]
    assert (best.category, best.plies) == ("win", found.plies)
    after = tables.probe(position.play(best.move))
    assert (after.category, after.plies) == ("loss", found.plies - 1)
    assert tables.probe(hexmate.Position()) is None


def test_best_play_mates(folder):
    tables = hexmate.Tables(folder)
    position = hexmate.Position(WON)
    plies = tables.probe(position).plies
    for _ in range(plies):
        position = position.play(tables.probe(position).moves[0].move)
    assert position.outcome == "checkmate" and len(position.history) == plies


def test_searches_ask_them(folder):
    answer = hexmate.analyse(hexmate.Position(WON), nodes=500, hash=1, tables=folder)
    assert answer["tbhits"] > 0
    assert "tbhits" not in hexmate.analyse(hexmate.Position(WON), nodes=500, hash=1)


@pytest.fixture
def damaged(folder, tmp_path):
    """A copy of the folder whose table is damaged from end to end, but for its header."""
    copied = shutil.copytree(folder, tmp_path / "tables")
    file = copied / "glinski" / "KQK.hxtb"
    whole = file.read_bytes()
    file.write_bytes(whole[:4096] + bytes(byte ^ 1 for byte in whole[4096:-1000]) + whole[-1000:])
    return copied


DAMAGED = "KQK.hxtb: bytes .* damaged .*'hexmate tb build glinski KQK'"


def test_damage_is_told_once(damaged):
    tables, position = hexmate.Tables(damaged), hexmate.Position(WON)
    with pytest.warns(RuntimeWarning, match=DAMAGED):
        assert tables.probe(position) is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tables.probe(position) is None
    with pytest.warns(RuntimeWarning, match=DAMAGED) as told:
        answer = hexmate.analyse(position, nodes=500, hash=1, tables=damaged)
    assert len(told) == 1 and "tbhits" not in answer
    with pytest.warns(RuntimeWarning, match=DAMAGED):
        assert list(hexmate.deepen(position, depth=2, tables=damaged))[-1]["depth"] == 2


def test_files_that_cannot_be_used_are_told(damaged):
    file = damaged / "glinski" / "KQK.hxtb"
    file.write_bytes(file.read_bytes()[:50_000])
    with pytest.warns(RuntimeWarning, match="KQK.hxtb: .*50000 bytes"):
        hexmate.analyse(hexmate.Position(WON), nodes=500, hash=1, tables=damaged)
    assert len(hexmate.Tables(damaged).faults()) == 1


def test_tables_of_games_from_files(tmp_path):
    file, folder = tmp_path / "small.toml", tmp_path / "tables"
    file.write_text(CALM.replace("glinski", "minihexchess").replace("calm", "small"))
    hexmate.build_tables(folder, "KRK", game=file)
    won = "k/3/5/7/7/7/K5R w - - 0 1"
    records = [hexmate.Position(won, file), {"game": str(file), "fen": won}]
    for answer in hexmate.analyse(records, nodes=500, hash=1, tables=folder):
        assert answer.tbhits > 0
    table = folder / "small" / "KRK.hxtb"
    table.write_bytes(table.read_bytes()[:-9])
    with pytest.warns(RuntimeWarning, match="KRK.hxtb: .*ignored"):
        assert hexmate.analyse(records[0], nodes=500, hash=1, tables=folder).tbhits == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes do not fork here")
def test_a_process_that_forks_builds_as_its_parent_does(tmp_path):
    script = f"""
import hexmate, os, signal
hexmate.build_tables({str(tmp_path)!r}, "KBK", "minihexchess")
child = os.fork()
if child == 0:
    # A child that waits for threads that it does not have would never end.
    signal.alarm(60)
    print(hexmate.build_tables({str(tmp_path)!r}, "KRK", "minihexchess").names("minihexchess"), flush=True)
    os._exit(0)
os.waitpid(child, 0)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout == "['KBK', 'KRK']\n", run.stderr


def test_building_goes_on(folder):
    # Nothing is built twice.
    file = folder / "glinski" / "KQK.hxtb"
    before = file.stat().st_mtime_ns
    assert hexmate.build_tables(folder, "KQK").names() == ["KQK"]
    assert file.stat().st_mtime_ns == before
