"""Answers as objects and as tables."""

import json
import math

import pytest

import hexmate

START = hexmate.Position()
STALEMATE = "1/Q2/4k/7/6K2/11/11/11/11/11/11 b - - 23 12"
MATE = START.play("e1b4 g10h8 f3h2 h8i6")


def test_answers_are_objects_and_dicts():
    answer = hexmate.analyse(START, depth=3, hash=1)
    assert answer.bestmove == answer["bestmove"] and answer.score.cp == answer["score"]["cp"]
    assert answer.pv_san == START.play(answer.pv).history_san
    assert answer.bestmove_san == answer.pv_san[0]
    assert answer.position == START and answer.ok and answer.error is None
    assert json.loads(json.dumps(answer)) == answer.as_dict() == answer
    assert type(answer.as_dict()) is dict
    assert [line.move for line in answer.lines] == [answer.bestmove]
    lines = hexmate.analyse(START, depth=3, hash=1, multipv=3).lines
    assert len(lines) == 3 and lines[0].score.cp >= lines[1].score.cp


def test_an_error_says_so_wherever_it_is_asked():
    [answer] = hexmate.analyse(["no position"], nodes=10)
    assert not answer.ok and "field 1" in answer.error and answer.status == "error"
    for field in ("bestmove", "score", "pv", "wdl", "lines", "nodes"):
        with pytest.raises(ValueError, match="field 1"):
            getattr(answer, field)
    # Notebooks show it as a dict.
    assert answer._repr_svg_() is None


def test_scores():
    answer = hexmate.analyse(MATE, depth=3, hash=1, wdl=True)
    assert answer.score == hexmate.Score(mate=1) and str(answer.score) == "#1"
    assert answer.score.pawns == math.inf and answer.wdl == (1000, 0, 0)
    assert str(hexmate.Score(cp=-25)) == "-0.25" and -hexmate.Score(cp=5) == hexmate.Score(cp=-5)
    assert -hexmate.Score(mate=3) == hexmate.Score(mate=-3) and hexmate.WDL(100, 500, 400).expected == 0.35
    chances = START.wdl(100)
    assert sum(chances) == 1000 and chances.win > chances.loss and chances.expected > 0.5
    assert START.wdl(-(2**31)) == (0, 0, 1000)
    assert chances == START.wdl({"cp": 100}) == START.wdl(hexmate.Score(cp=100))
    assert hexmate.analyse(START, nodes=50, hash=1, wdl=True)["wdl"] == list(
        hexmate.analyse(START, nodes=50, hash=1).wdl
    )


def test_how_a_search_ended():
    none = hexmate.analyse(START, mate=1, hash=1)
    assert none.no_mate_in == 1 and not none.timeout and none.tbhits == 0
    assert hexmate.analyse(MATE, mate=1, hash=1).no_mate_in is None
    assert hexmate.analyse(START, nodes=10**9, timeout=20, hash=1).timeout
    [bad] = hexmate.analyse(["no position"], nodes=10)
    for field in ("no_mate_in", "timeout", "tbhits"):
        with pytest.raises(ValueError, match="field 1"):
            getattr(bad, field)
    columns = hexmate.columns([none])
    assert columns["no_mate_in"] == [1]


def test_a_score_may_be_a_bound():
    fen = "7/8/7q1/2K7/11/12/2u10/4k7/11/10/9/8/7 b - - 7 198"
    answer = hexmate.analyse(hexmate.Position(fen, "chromatic3"), nodes=5000, multipv=3, hash=1)
    assert [line.bound for line in answer.lines] == [None, "lower", None] and answer.bound is None
    answer = hexmate.analyse(START, nodes=50, hash=1)
    assert answer.lines[0].bound is None
    # Without multipv the one line has the bound of the answer.
    assert hexmate.Answer({**answer, "bound": "lower"}).lines[0].bound == "lower"


def test_scores_have_an_order():
    score = hexmate.Score
    ordered = [score(mate=0), score(mate=-1), score(mate=-4), score(cp=-90), score(cp=0), score(mate=5), score(mate=1)]
    assert sorted(reversed(ordered)) == ordered and max(ordered) == score(mate=1)
    for place, one in enumerate(ordered):
        for other_place, other in enumerate(ordered):
            compared = (one < other, one <= other, one > other, one >= other, one == other)
            a, b = place, other_place
            assert compared == (a < b, a <= b, a > b, a >= b, a == b)


#: How a game may be over, and the chances of the side to move.
OVER = {
    "bare kings": ({"fen": "1/3/2k2/7/9/11/11/4K6/11/11/11 w - - 0 1"}, "draw", (0, 1000, 0)),
    "repetition": ({"moves": "e1e2 e10e9 e2e1 e9e10 " * 2}, "draw", (0, 1000, 0)),
    "mate": ({"moves": "e1b4 g10h8 f3h2 h8i6 b4k4"}, "checkmate", (0, 0, 1000)),
    "stalemate": ({"fen": STALEMATE}, "stalemate", (0, 500, 500)),
    "stalemate as a draw": ({"fen": STALEMATE, "game": "mccooey"}, "stalemate", (0, 1000, 0)),
}


@pytest.mark.parametrize("how", OVER)
def test_chances_when_the_game_is_over(how):
    record, status, chances = OVER[how]
    [answer], [told] = (hexmate.analyse([record], nodes=10, hash=1, wdl=wdl) for wdl in (False, True))
    assert (answer.status, "wdl" in answer) == (status, False)
    assert answer.wdl == told.wdl == chances


def test_what_separates_the_best_move_from_another():
    record = {"moves": "", "played": "b1b2"}
    [answer] = hexmate.analyse([record], nodes=3_000, hash=1, explain=True)
    explanation = answer.explanation
    assert explanation is not None and str(explanation) == explanation.words == answer["explanation"]["words"]
    assert explanation.best == answer.bestmove != "b1b2" and explanation.other == "b1b2"
    found = answer["explanation"]
    if explanation.terms:
        assert sum(explanation.terms.values()) == found["best"]["eval"] - found["other"]["eval"]
    assert hexmate.analyse(START, nodes=100, hash=1).explanation is None
    [alone] = hexmate.analyse([{"moves": "", "searchmoves": "e4e5"}], nodes=100, hash=1, explain=True)
    assert alone.explanation.only and alone.explanation.other is None
    mate = hexmate.analyse(MATE, depth=3, hash=1, explain=True).explanation
    assert mate.by is None and "mate" in mate.words
    assert hexmate.columns([answer])["explanation"] == [explanation.words]


def test_progress(capsys):
    told = []
    answers = list(hexmate.stream([START] * 4, nodes=50, hash=1, jobs=2, progress=told.append))
    assert [(p.done, p.total) for p in told] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert [p.answer for p in told] == answers
    hexmate.analyse([START] * 2, nodes=50, hash=1, progress=True)
    assert "2 of 2 records" in capsys.readouterr().err


def test_a_search_tells_each_depth():
    answers = list(hexmate.deepen(START, depth=4, hash=1))
    assert [a.depth for a in answers] == [1, 2, 3, 4, 4] and {a.id for a in answers} == {1}
    whole = hexmate.analyse(START, depth=4, hash=1)
    assert answers[-1].pv == whole.pv and answers[-1].nodes == whole.nodes


def test_columns():
    answers = hexmate.analyse([START, MATE, "x", {"id": "a", "moves": ""}], nodes=200, hash=1, wdl=True)
    table = hexmate.columns(answers)
    assert {len(column) for column in table.values()} == {4}
    assert table["bestmove"][:2] == [answers[0].bestmove, answers[1].bestmove]
    assert table["mate"] == [None, 1, None, None] and table["cp"][0] == answers[0].score.cp
    assert table["win"][1] == 1000 and table["pv"][0] == " ".join(answers[0].pv)
    assert table["id"] == ["1", "2", "3", "a"] and "field 1" in table["error"][2]
    assert hexmate.columns([])["bestmove"] == []
    with pytest.raises(TypeError, match="answers: expected an iterable of answers, not Answer; .* into a list"):
        hexmate.columns(answers[0])
    with pytest.raises(TypeError, match="not one with str"):
        hexmate.columns(["x"])


@pytest.mark.parametrize("library, make", [("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table")])
def test_tables_of_others(library, make):
    module = pytest.importorskip(library)
    answers = hexmate.analyse([START, MATE, "x"], nodes=200, hash=1)
    table = getattr(module, make)(hexmate.columns(answers))
    assert table.shape[0] == 3
