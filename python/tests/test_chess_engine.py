"""python-chess drives the program."""

import os
import sys
from pathlib import Path

import pytest

import hexmate
from conftest import CALM

chess = pytest.importorskip("chess")
fcntl = pytest.importorskip("fcntl")
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


def test_a_game_whose_file_was_loaded_again(calm):
    text = CALM.replace("calm", "engines")
    calm.write_text(text)
    before = hexmate.Position(game=calm)
    calm.write_text(text.replace("glinski", "mccooey"))
    after = hexmate.Position(game=calm)
    with pytest.raises(ValueError, match="loaded again with other rules"):
        hexmate.chess_engine.board(before)
    assert hexmate.chess_engine.board(after).uci_variant == str(calm.resolve())


def test_a_command_without_words():
    for program in ("", [], [""]):
        with pytest.raises(ValueError, match="program: expected its name"):
            hexmate.chess_engine.open(program)
    for program, kind in ((None, "NoneType"), (5, "int"), (["hexmate", 5], "list"), (b"hexmate", "bytes")):
        with pytest.raises(TypeError, match=f"program: expected its name, .*, not {kind}"):
            hexmate.chess_engine.open(program)


def test_a_game_that_is_over(engine):
    board = hexmate.chess_engine.board(hexmate.Position().play("e1b4 g10h8 f3h2 h8i6 b4k4"))
    result = engine.play(board, chess.engine.Limit(nodes=200))
    # As python-chess gives it for its own boards: a move that is none.
    assert result.move == "0000" and not result.move
    assert len(board.move_stack) == 5 and board.position.outcome == "checkmate"
    board.push(result.move)
    assert board.move_stack[-1] == "0000" == board.copy().move_stack[-1] and board.pop() == "0000"
    assert board.pop() == "b4k4" and len(board.move_stack) == 4
    with pytest.raises(ValueError):
        hexmate.chess_engine.board().push("0000")


def test_a_program_is_named_by_its_path_or_a_command():
    program = Path(os.environ["HEXMATE"])
    for named in (program, [str(program), "uci"], [program, "uci", "--tunable"]):
        with hexmate.chess_engine.open(named) as engine:
            assert engine.id["name"].startswith("Hexmate")


def test_another_engine_is_refused_and_ended(tmp_path):
    script = tmp_path / "other.py"
    # A lock that nobody has when the process is gone.
    held = tmp_path / "held"
    script.write_text(f"""
import fcntl, sys
held = open({str(held)!r}, "w")
fcntl.flock(held, fcntl.LOCK_EX)
for line in sys.stdin:
    if line == "uci\\n":
        print("id name Other\\nuciok", flush=True)
""")
    with pytest.raises(chess.engine.EngineError, match="other.py uci: no option UCI_Variant"):
        hexmate.chess_engine.open([sys.executable, str(script)])
    with held.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)


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
    with pytest.raises(ValueError, match="give only one"):
        hexmate.chess_engine.board(hexmate.Position(), game="mccooey")
