"""Games as trees, PGN, reviews."""

import copy
import json
import math
import os
import pickle
import subprocess

import pytest

import hexmate

PGN = """[Event "Friendly"]
[White "Anna"]

{Before} 1. e5! $14 e6 {solid} (1... d6 2. e6 (2. Qc3?!) 2... fxe6) 2. Qc3 1/2-1/2

[White "Béla"]
[Variant "mccooey"]

1. Zz9 *
"""


def test_games_are_read_and_written():
    game, broken = hexmate.read_games(PGN)
    assert game.tags == {"Event": "Friendly", "White": "Anna"} and game.result == "1/2-1/2"
    assert game.moves == ["e4e5", "e7e6", "e1c3"] and game.moves_san == ["e5", "e6", "Qc3"]
    assert game.root.comments == ["Before"]
    e5 = game.root.next
    assert e5.nags == [1, 14] and e5.next.comments == ["solid"]
    [d6] = e5.variations
    assert [node.san for node in d6.line()] == ["e6", "fxe6"]
    [queen] = d6.variations
    assert queen.san == "Qc3" and queen.nags == [6]
    again = next(hexmate.read_games(game.pgn()))
    assert again.pgn() == game.pgn()
    assert "1. e5 $1 $14 e6 {solid} (1... d6 2. e6 (2. Qc3 $6) 2... fxe6)" in game.pgn()
    assert next(hexmate.read_games(game.pgn("cells"))).pgn() == game.pgn()
    assert broken.moves == [] and broken.rules.name == "mccooey"
    assert "line 9" in broken.faults[0] and "Zz9" in broken.faults[0]


@pytest.mark.parametrize(
    "text",
    [
        "1. e5 (1. e5 d6) e6 2. Qc3 *",
        "1. e5 e6 (1... d6 2. e6 (2. e6 Qc6) fxe6 3. Qc3) 2. Qc3 *",
        "1. e5 (1. e5 e6 2. d5 (2. b3)) e6 2. Qc3 *",
    ],
)
def test_a_variation_that_repeats_moves_is_none_of_the_line(text):
    game = next(hexmate.read_games(text + "\n"))
    assert game.moves == ["e4e5", "e7e6", "e1c3"] and game.faults == []
    assert next(hexmate.read_games(game.pgn())).pgn() == game.pgn()
    e5 = game.root.next
    if "d6" in text:
        [d6] = e5.variations
        assert d6.san == "d6" and [node.san for node in d6.line()] in ([], ["e6", "fxe6", "Qc3"])


def test_comments_before_a_move_are_kept_where_it_is_the_line():
    game = next(hexmate.read_games("{all} 1. e5 {one} e6 ({two} 1... d6 2. e6 ({three} 2. Qc3)) ({four} 1... f6) *\n"))
    [d6, f6] = game.root.next.variations
    f6.promote()
    assert "{all} 1. e5 {one} {four} 1... f6 (1... e6) ({two} 1... d6" in game.pgn()
    d6.next.remove()
    # Within a variation, too.
    assert "({two} 1... d6 {three} 2. Qc3)" in game.pgn()
    d6.promote()
    assert "1. e5 {one} {two} 1... d6 {three} ({four} 1... f6) (1... e6) 2. Qc3" in game.pgn()
    assert next(hexmate.read_games(game.pgn())).pgn() == game.pgn()
    game = next(hexmate.read_games("1. e5 ({why not} 1. e5 e6) d6 *\n"))
    assert "{why not} 1. e5 d6 (1... e6)" in game.pgn()


def test_what_is_said_twice_counts_once():
    [game] = hexmate.read_games('[Event "first"]\n[Event "second"]\n\n1. e5 $1 (1. e5 $1 d6) e6 *\n')
    assert game.tags == {"Event": "first"} and game.root.next.nags == [1]


def test_comments_before_the_game_are_on_the_game():
    game = hexmate.Game()
    game.root.comments.append("one")
    game.root.intro.append("two")
    game.play("e5").intro.append("three")
    assert "{one} {two} {three} 1. e5 *" in game.pgn()
    [again] = hexmate.read_games(game.pgn())
    assert again.root.comments == ["one", "two", "three"]


def test_long_comments_come_back_and_longer_ones_are_refused():
    game = hexmate.Game()
    node = game.play("e5")
    node.comments = ["words e5 " * 20_000 + "end"]
    [again] = hexmate.read_games(game.pgn())
    assert again.root.next.comments == node.comments and again.faults == []
    node.comments = ["x" * 2**19]
    [again] = hexmate.read_games(game.pgn())
    assert again.root.next.comments == node.comments and again.faults == []
    node.comments = ["x" * (2**19 + 1)]
    with pytest.raises(ValueError, match="comments: 524289 bytes at ply 1, e4e5,; expected at most 524288"):
        game.pgn()
    node.comments = ["x" * 2**19] * 8
    [again] = hexmate.read_games(game.pgn())
    assert again.root.next.comments == node.comments
    node.comments.append("x")
    with pytest.raises(ValueError, match="4194305 bytes in one game; expected at most 4194304"):
        game.pgn()


def test_variations_within_each_other():
    queens, pawns = ["e1c3", "e10c6", "c3e1", "c6e10"], ["e4e5", "e7e6"]

    def nested(depth):
        begun = [f"({queens[n % 4]} {{why}} {pawns[(n + 1) % 2]} $1 " for n in range(depth)]
        return "e4e5 " + "".join(begun) + ")" * depth + " *\n"

    game = next(hexmate.read_games(nested(30)))
    assert game.faults == [] and game.pgn().count("(") == 30
    assert next(hexmate.read_games(game.pgn())).pgn() == game.pgn()
    game = next(hexmate.read_games(nested(31)))
    [fault] = game.faults
    assert f"column {nested(31).rindex('(') + 1}: more than 30 variations within each other" in fault
    assert game.pgn().count("(") == 30
    # Whoever nests more by hand is told when the game is written.
    game = hexmate.Game()
    node = game.root
    for n in range(31):
        node.play(pawns[n % 2])
        node = node.play(queens[n % 4])
        node.play(pawns[(n + 1) % 2])
        if n == 29:
            assert game.pgn().count("(") == 30
    for more in (0, 300):
        for n in range(more):
            node = node.play(node.position.moves[0]).parent.play(node.position.moves[1])
        with pytest.raises(ValueError, match="more than 30 variations within each other"):
            game.pgn()


def test_files_and_letters(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text('[White "Anna"]\n\n1. Vc3 *\n', encoding="utf-8")
    [game] = hexmate.read_games(path, letters="hungarian")
    assert game.moves == ["e1c3"]
    [game] = hexmate.read_games(str(path))
    assert game.moves == [] and len(game.faults) == 1
    with pytest.raises(FileNotFoundError):
        hexmate.read_games("nowhere.pgn")
    with pytest.raises(FileNotFoundError, match="''"):
        hexmate.read_games("")
    with pytest.raises(IsADirectoryError, match=str(tmp_path)):
        hexmate.read_games(tmp_path)
    # An end of a line is one of any system.
    for end in ("\n", "\r\n", "\r"):
        [game] = hexmate.read_games(end.join(['[White "Anna"]', "", "1. e5 ; well", "e6 *", ""]))
        assert game.tags == {"White": "Anna"} and game.moves == ["e4e5", "e7e6"]
    with pytest.raises(ValueError, match="source: not UTF-8"):
        hexmate.read_games("1. e5 {\ud83d} *\n")
    with pytest.raises(TypeError, match="source: .*not int"):
        hexmate.read_games(5)


def test_what_cannot_be_written_is_named():
    def refused(says, change):
        game = hexmate.Game()
        game.play("e5 e6")
        game.root.play("d5")
        change(game)
        with pytest.raises(ValueError, match=says):
            game.pgn()

    refused("nags: 70000 at ply 2, e7e6, is no glyph", lambda game: game.end.nags.append(70000))
    refused("nags: -1 at ply 1, d3d5,", lambda game: game.root.children[1].nags.append(-1))
    refused("comments: 5 at ply 1, e4e5, is not a str", lambda game: game.root.next.comments.append(5))
    refused("comments: 5 before ply 1 is not a str", lambda game: game.root.comments.append(5))
    refused('comments: "usual" at ply 2, e7e6, is not a list', lambda game: setattr(game.end, "comments", "usual"))
    refused("nags: 5 at ply 2, e7e6, is not a list", lambda game: setattr(game.end, "nags", 5))
    refused("comments or nags at ply 2, e7e6: .*set is not JSON", lambda game: setattr(game.end, "nags", {5}))
    refused("comments or nags at ply 2, e7e6: .*; expected lists of str", lambda game: game.end.nags.append(math.nan))
    refused("comments or nags at ply 2, e7e6: .*bytes.*; expected", lambda game: game.end.comments.append(b""))
    refused("tags: 'White': .*; expected a str", lambda game: game.tags.update(White=math.inf))
    refused("nags: \\[5\\] at ply 0, the start: expected none", lambda game: game.root.nags.append(5))
    refused("comments: 5 before ply 1 is not a str", lambda game: game.root.intro.append(5))
    refused("comments or nags at ply 0, the start: not UTF-8", lambda game: game.root.comments.append("\ud83d"))
    refused("comments or nags at ply 1, d3d5: not UTF-8", lambda game: game.root.children[1].intro.append("\ud83d"))
    refused("tags: 'White': not UTF-8", lambda game: game.tags.update(White="\ud83d"))
    refused("tags: White: expected a str, not 5", lambda game: game.tags.update(White=5))
    refused('tags: "Bad name" is no name of a tag', lambda game: game.tags.update({"Bad name": "x"}))
    game = hexmate.Game()
    game.tags = None
    for use in (game.pgn, lambda: game.review(nodes=10)):
        with pytest.raises(TypeError, match="tags: expected a dict, not NoneType"):
            use()


def test_no_text_makes_another_game_of_it():
    game = hexmate.Game()
    game.play("e5 e6").comments.append('\n[Event "x"]\n\n1. e5 *')
    game.root.next.comments.append("a}b")
    game.tags.update(FEN="k/3/5/7/9/5R5/11/11/11/11/5K5 b - - 0 1", SetUp="1", fen="x", Event="y", variant="mccooey")
    [again] = hexmate.read_games(game.pgn())
    assert again.root.position == hexmate.Position() and again.moves == game.moves and again.faults == []
    assert again.tags == {"Event": "y"} and again.pgn() == game.pgn()
    assert again.root.next.comments == ["a)b"] and again.end.comments == ['[Event "x"]  1. e5 *']


def test_long_games_are_copied_and_pickled():
    game = hexmate.Game()
    for _ in range(300):
        game.play(game.position.moves[0])
    game.tags["White"], game.result = "Anna", "1-0"
    game.root.comments.append("begun")
    first = game.root.next
    branch = first.play(first.position.moves[1])
    branch.intro.append("or")
    branch.nags.append(5)
    for made, at in (pickle.loads(pickle.dumps((game, branch))), copy.deepcopy((game, branch))):
        assert made.pgn() == game.pgn() and made.positions == game.positions and made.tags == game.tags
        assert made is not game and made.root is not game.root and made.root.comments is not game.root.comments
        # What belongs together still does.
        assert at in made.root.next.children and at.parent is made.root.next and at.intro == ["or"] and at.nags == [5]
        at.comments.append("alone")
    assert branch.comments == []
    made = copy.copy(branch)
    assert made is not branch and made in made.parent.children and made.parent is not first


class Watched:
    """A position that counts how often its whole history is asked for."""

    asked = 0

    def __init__(self, *arguments):
        self.real = hexmate.Position(*arguments)

    def __getattr__(self, name):
        return getattr(self.real, name)

    def __deepcopy__(self, memo):
        return self

    @property
    def history(self):
        Watched.asked += 1
        return self.real.history

    def play(self, moves):
        after = self.real.play(moves)
        made = Watched(after.start_fen, after.rules)
        made.real = after
        return made


def test_nodes_know_their_moves_without_the_history_of_the_game(monkeypatch):
    monkeypatch.setattr(hexmate._game, "Position", Watched)
    monkeypatch.setattr(Watched, "asked", 0)
    [game] = hexmate.read_games("1. e5 (1. d5) (1. f6) e6 (1... d6 2. e6 (2. Qc3)) (1... f6) 2. Qc3 *\n")
    last = game.root.play("1. e5 e6 2. Qc3 Qc6")
    made = copy.deepcopy(game)
    assert made.pgn() == game.pgn() and made.pgn("cells") == game.pgn("cells")
    assert (last.move, last.san) == ("e10c6", "Qc6") and made.end.san == "Qc6" and "Qc6" in repr(last)
    assert [child.move for child in game.root.children] == ["e4e5", "d3d5", "f5f6"]
    # Once, whether moves led to the first position.
    assert Watched.asked == 1
    # A node that somebody makes has its move from there.
    assert hexmate.Node(last.position, last.parent).move == "e10c6"


def test_trees_grow():
    game = hexmate.Game()
    last = game.play(["e5", "e6"])
    assert last is game.end and last.position.history == ["e4e5", "e7e6"]
    # What is there is followed, not added.
    assert game.root.play("e4e5 e7e6") is last
    other = game.root.play("d5 d6")
    assert len(game.root.children) == 2 and other.position.history == ["d3d5", "d7d6"]
    with pytest.raises(ValueError, match="move 2"):
        game.play("Qc3 Zz9")
    assert game.moves == ["e4e5", "e7e6"]
    game.root.children[1].promote()
    assert game.moves == ["d3d5", "d7d6"]
    game.root.children[0].remove()
    assert game.moves == ["e4e5", "e7e6"] and game.root.variations == []
    with pytest.raises(ValueError, match="root"):
        game.root.promote()
    assert "the start" in repr(game.root)
    removed = game.root.next
    removed.remove()
    assert "e5, removed" in repr(removed)
    for use in (removed.promote, removed.remove):
        with pytest.raises(ValueError, match="was removed from its game"):
            use()


def test_a_game_from_a_position():
    position = hexmate.Position("k/3/5/7/9/5R5/11/11/11/11/5K5 b - - 0 1")
    game = hexmate.Game(position)
    game.play(position.moves[0])
    [again] = hexmate.read_games(game.pgn())
    assert again.root.position == position and again.moves == game.moves
    # The moves that led to a position belong to the game.
    assert hexmate.Game(hexmate.Position().play("e5 e6")).moves == ["e4e5", "e7e6"]
    with pytest.raises(TypeError, match="start: .*not str"):
        hexmate.Game("start")
    with pytest.raises(ValueError, match="game: "):
        hexmate.Game(position, game="glinski")


def test_results():
    game = hexmate.Game()
    assert game.result == "*"
    game.play("e1b4 g10h8 f3h2 h8i6 b4k4")
    assert game.result == "1-0"
    game.result = "0-1"
    assert '[Result "0-1"]' in game.pgn() and game.pgn().rstrip().endswith("0-1")
    with pytest.raises(ValueError, match="result: '2-0'"):
        game.result = "2-0"
    with pytest.raises(ValueError, match="notation: 'long'"):
        game.pgn("long")


def test_a_review():
    game = hexmate.Game()
    game.play("e1b4 g10h8 f3h2 h8i6 b4k4")
    game.tags["White"] = "Anna"
    told = []
    review = game.review(nodes=1500, hash=1, jobs=2, progress=told.append)
    assert [move.move for move in review.moves] == game.moves
    assert [move.san for move in review.moves] == game.moves_san
    assert (review.white.moves, review.black.moves) == (3, 2)
    # Black overlooked a mate.
    blunder = review.moves[3]
    assert (blunder.judgement, blunder.side, blunder.after) == ("blunder", "black", 1.0)
    assert blunder.loss == pytest.approx(blunder.after - blunder.before) and blunder.best != blunder.move
    assert review.black.blunders >= 1 and "blunder" in str(review)
    assert review.as_dict()["black"]["moves"] == 2 and review.as_dict()["players"] == ["Anna", None]
    assert review.as_dict()["result"] == game.result == "1-0"
    assert blunder.best_line[0] == blunder.best_san
    assert [p.done for p in told[:6]] == [1, 2, 3, 4, 5, 6] and told[0].total == 6
    assert hexmate.Game().review(nodes=10).white.accuracy is None


def test_bad_moves_of_a_review_are_explained():
    game = hexmate.Game()
    game.play("e1b4 g10h8 f3h2 h8i6 b4k4")
    for explain in (False, True):
        review = game.review(nodes=1500, hash=1, jobs=2, explain=explain)
        for move, told in zip(review.moves, review.as_dict()["moves"]):
            assert (move.explanation is not None) == (move.judgement is not None) == ("explanation" in told)
            if move.explanation is not None:
                assert (move.explanation.best, move.explanation.other) == (move.best, move.move)
        assert review.black.blunders >= 1


@pytest.mark.skipif("HEXMATE" not in os.environ, reason="HEXMATE names no program to compare with")
@pytest.mark.parametrize(
    "moves",
    [
        "e1b4 g10h8 f3h2 h8i6 b4k4",
        # The words quote a move after the end of the search's own line.
        "g4g5 e7e5 h1i3 i7i6 f1g2 e5f5 e4f5 e10e1 f3e1 f9d5 e1f3 d5f3 g1f3 g10f9 i1e4 c8e8",
    ],
)
def test_the_program_gives_the_same_review(tmp_path, moves):
    game = hexmate.Game()
    game.play(moves)
    path = tmp_path / "game.pgn"
    path.write_text(game.pgn())
    # Without a network: with each the lines are others.
    options = ["--nodes", "1500", "--eval-file", "handmade"]
    command = [os.environ["HEXMATE"], "review", "--json", "--quiet", *options, str(path)]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    found = game.review(nodes=1500, eval_file="handmade").as_dict()
    assert any(move["judgement"] for move in found["moves"])
    assert found["moves"] == told["moves"] and found["black"] == told["black"]
