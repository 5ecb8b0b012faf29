"""Endgame tables."""

import pytest

import hexmate

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


def test_building_goes_on(folder):
    # Nothing is built twice.
    file = folder / "glinski" / "KQK.hxtb"
    before = file.stat().st_mtime_ns
    assert hexmate.build_tables(folder, "KQK").names() == ["KQK"]
    assert file.stat().st_mtime_ns == before
