"""python-chess drives the program."""

import os

import pytest

import hexmate

chess = pytest.importorskip("chess")
import chess.engine  # noqa: E402

import hexmate.chess_engine  # noqa: E402

pytestmark = pytest.mark.skipif("HEXMATE" not in os.environ, reason="HEXMATE names no program to drive")


@pytest.fixture
def engine():
    with hexmate.chess_engine.open(os.environ["HEXMATE"]) as engine:
        engine.configure({"Hash": 1})
        yield engine


@pytest.mark.parametrize("game", ["glinski", "mccooey", "chromatic4", "shafran"])
def test_games_are_played(engine, game):
    board = hexmate.chess_engine.board(game=game)
    for _ in range(4):
        result = engine.play(board, chess.engine.Limit(nodes=200))
        assert result.move in board.legal_moves
        board.push(result.move)
    assert len(board.move_stack) == 4 and board.position.game == game


def test_analysis_has_whole_lines(engine):
    board = hexmate.chess_engine.board(hexmate.Position().play("e1b4 g10h8 f3h2 h8i6"))
    info = engine.analyse(board, chess.engine.Limit(depth=3))
    assert info["score"].white() == chess.engine.Mate(1)
    start = hexmate.chess_engine.board()
    lines = engine.analyse(start, chess.engine.Limit(depth=4), multipv=2)
    for info in lines:
        assert hexmate.Position().play(info["pv"]).history and len(info["pv"]) >= 3
    assert len(lines) == 2


def test_a_game_from_a_file_is_played(engine, calm):
    rules = hexmate.load_game(calm)
    board = hexmate.chess_engine.board(game=rules)
    for _ in range(4):
        result = engine.play(board, chess.engine.Limit(nodes=200))
        assert result.move in board.legal_moves
        board.push(result.move)
    info = engine.analyse(board, chess.engine.Limit(depth=3))
    assert board.position.play(info["pv"]).game == rules.name
    # Another game in between, and back.
    assert engine.play(hexmate.chess_engine.board(game="mccooey"), chess.engine.Limit(nodes=200)).move
    assert engine.play(board, chess.engine.Limit(nodes=200)).move in board.legal_moves


def test_a_game_whose_file_is_gone(calm):
    rules = hexmate.load_game(calm)
    os.remove(calm)
    with pytest.raises(ValueError, match="there is none at"):
        hexmate.chess_engine.board(game=rules)


def test_a_board():
    board = hexmate.chess_engine.board(game="mccooey")
    board.push("f4f5")
    board.push_uci(board.legal_moves[0])
    first = board.pop()
    assert first in board.legal_moves and board.move_stack == ["f4f5"] and not board.turn
    assert board.root().position == hexmate.Position(game="mccooey")
    assert board.copy(stack=False).move_stack == [] and board.copy().move_stack == ["f4f5"]
    with pytest.raises(ValueError):
        board.push_uci("a1a9")
