"""Positions and moves."""

import pickle
import xml.etree.ElementTree as ElementTree

import pytest

import hexmate


def test_every_game_has_a_first_position():
    assert hexmate.GAMES[:5] == ("glinski", "hexachess", "mccooey", "chromatic3", "chromatic4")
    assert sorted(hexmate.GAMES[5:]) == ["brusky", "devasa", "minihexchess", "shafran"]
    for game in hexmate.GAMES:
        start = hexmate.Position(game=game)
        assert start.perft(1) == len(start.moves) > 8
        assert start.turn == "white" and not start.in_check and start.outcome is None
        assert hexmate.Position(start.fen, game=game) == start


def test_perft():
    counts = {game: hexmate.Position(game=game).perft(2) for game in hexmate.GAMES}
    assert [counts[game] for game in hexmate.GAMES[:5]] == [2586, 2595, 947, 1936, 2116]
    assert [counts[game] for game in ("shafran", "devasa", "brusky", "minihexchess")] == [1706, 2992, 3583, 71]


def test_moves_are_played_on_a_copy():
    start = hexmate.Position()
    after = start.play("e4e5 g10h8")
    assert start.history == [] and after.history == ["e4e5", "g10h8"]
    assert after.turn == "white" and after.start_fen == start.fen
    assert after != start and hash(start) == hash(hexmate.Position())


def test_the_end_of_a_game():
    before = hexmate.Position().play("e1b4 g10h8 f3h2 h8i6")
    [answer] = hexmate.analyse([before], depth=3)
    assert answer["score"] == {"mate": 1}
    mated = before.play(answer["bestmove"])
    assert (mated.outcome, mated.points, mated.moves) == ("checkmate", (1.0, 0.0), [])
    repeated = hexmate.Position().play("d1f4 h9f8 f4d1 f8h9 " * 2)
    assert (repeated.outcome, repeated.points) == ("repetition", (0.5, 0.5))


def test_faults_are_named():
    with pytest.raises(ValueError, match="move 2: .*e4e5"):
        hexmate.Position().play("e4e5 e4e5")
    with pytest.raises(ValueError, match="fen: "):
        hexmate.Position("b/qbk/x w - - 0 1")
    with pytest.raises(ValueError, match="game: .*checkers"):
        hexmate.Position(game="checkers")


def test_drawings():
    position = hexmate.Position(game="chromatic3")
    picture = ElementTree.fromstring(position._repr_svg_())
    assert picture.tag.endswith("svg")
    assert position.svg() == position._repr_svg_()
    assert "White" in str(position)
    assert repr(position) == f"hexmate.Position('{position.fen}', game='chromatic3')"


def test_pickling_keeps_the_moves():
    position = hexmate.Position(game="mccooey").play("f4f5")
    again = pickle.loads(pickle.dumps(position))
    assert again == position and again.history == ["f4f5"]
