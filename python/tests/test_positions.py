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


def test_what_stands_where():
    start = hexmate.Position()
    assert start.pieces["e1"] == "Q" and start.pieces["g10"] == "k" and len(start.pieces) == 36
    assert start.piece("e1") == "Q" and start.piece("F6") is None
    assert sorted(start.attacks("f5")) == ["e5", "g5"] and start.attacks("f6") == []
    assert "f5" in start.attackers("e5", "white") and start.attackers("e5", "black") == []
    assert start.attackers("e5") == start.attackers("e5", "white")
    for cell in start.pieces:
        assert all(cell in start.attackers(target) for target in start.attacks(cell))
    check = hexmate.Position("k/3/5/7/9/5R5/11/11/11/11/5K5 b - - 0 1")
    assert check.in_check and check.checkers == ["f6"] and start.checkers == []


def test_moves_in_any_notation():
    start = hexmate.Position()
    assert start.moves_san == [start.san(move) for move in start.moves]
    assert start.san("e1c3") == "Qc3" and start.move("Qe1-c3") == "e1c3"
    assert start.legal("Qc3") and start.legal("e1c3") and not start.legal("Qc4") and not start.legal("")
    after = start.play("1. Qc3 Qe10-c6 2. b1b2 b6?!")
    assert after.history_san == ["Qc3", "Qc6", "b2", "b6"]
    assert after == start.play(["Qc3", "Qc6", "b1b2", "b6"]) == start.play(move for move in after.history)
    assert start.play("Vc3", letters="hungarian") == start.play("Qc3")
    assert start.play([]) == start and start.play("") == start
    assert after.back() == start.play("Qc3 Qc6 b2") and after.back(4) == start and after.number == 3


def test_the_game_may_come_second():
    assert hexmate.Position(None, "mccooey") == hexmate.Position(game="mccooey")
    start = hexmate.Position(game="mccooey")
    assert hexmate.Position(start.fen, "mccooey") == start
    assert start.rules == hexmate.Rules("McCooey") and start.rules.start_fen == start.fen


def test_counts_after_each_move():
    start = hexmate.Position()
    counts = start.divide(2)
    assert sorted(counts) == start.moves and sum(counts.values()) == start.perft(2)
    assert start.perft(0) == 1


def test_the_evaluation_adds_up():
    for game in hexmate.GAMES[:2]:
        position = hexmate.Position(game=game)
        position = position.play(position.moves[3])
        found = position.eval()
        total = sum(white - black for white, black in found.terms.values())
        assert found.score == (total if position.turn == "white" else -total) and "material" in found.terms


def test_drawings_are_marked_turned_and_scaled():
    position = hexmate.Position().play("e4e5")
    plain = position.svg(lastmove=False)
    ring = "#1668c7"
    assert ring in position.svg() and ring not in plain and ring in position.svg(lastmove="e7e6")
    arrows = position.svg(arrows=["e7e6", ("b1", "b2"), "Qc6"])
    assert arrows.count('class="arrow"') == 3 == position.svg(arrows="e7e6 b1b2 Qc6").count('class="arrow"')
    small = ElementTree.fromstring(position.svg(size=300, flipped=True))
    assert small.get("width") == "300" and small.get("viewBox") == ElementTree.fromstring(plain).get("viewBox")
    assert position.svg(flipped=True) != position.svg()
