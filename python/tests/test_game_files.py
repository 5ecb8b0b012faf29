"""Games from files."""

import json
import pickle
import subprocess
import sys

import pytest

import hexmate
from conftest import CALM
from hexmate._native import loaded_games


def test_a_file_stands_wherever_a_game_is_named(calm):
    rules = hexmate.load_game(calm)
    assert (rules.name, rules.title, rules.path) == ("calm", "Calm chess", str(calm.resolve()))
    assert len(rules.cells) == 91 and rules.pieces["Q"] == "queen"
    positions = [hexmate.Position(game=game) for game in (rules, "calm", str(calm), calm)]
    assert len(set(positions)) == 1 and positions[0].game == "calm"
    assert positions[0].perft(2) == 2586
    assert positions[0] != hexmate.Position()
    records = [*positions, {"game": "calm", "moves": "e4e5"}, {"game": rules, "moves": ""}, hexmate.Position()]
    answers = hexmate.analyse(records, nodes=200, hash=1, jobs=2)
    assert [a.game for a in answers] == ["calm"] * 6 + ["glinski"]
    text = positions[0].fen
    for game in (rules, "calm", calm):
        [answer] = hexmate.analyse([text], game=game, nodes=200, hash=1)
        assert answer.game == "calm" and answer.bestmove == answers[0].bestmove
    weights = calm.parent / "weights"
    weights.write_text("hexmate-weights 1\n[chess]\n")
    answer = hexmate.analyse(positions[0], nodes=200, eval_file=weights)
    assert "expected a section [calm]" in answer.error
    played = hexmate.Game(game=calm)
    played.play("e5 e6")
    [again] = hexmate.read_games(played.pgn())
    assert again.rules == rules and again.moves == ["e4e5", "e7e6"]


def test_two_loads_are_the_same_game(calm, tmp_path):
    copy = tmp_path / "copy.toml"
    copy.write_text("# The same in other words.\n" + CALM)
    first, second, third = (hexmate.load_game(path) for path in (calm, calm, copy))
    assert first == second == third and len({first, second, third}) == 1
    assert first != hexmate.Rules("glinski") and first == hexmate.Rules("calm")


def test_several_games_at_once_and_a_changed_file(tmp_path):
    calm = tmp_path / "calm.toml"
    text = CALM.replace("calm", "changing")
    calm.write_text(text)
    before = hexmate.Position(game=calm)
    other = tmp_path / "other.toml"
    other.write_text(CALM.replace("calm", "stormy"))
    answers = hexmate.analyse([before, hexmate.Position(game=other)], nodes=100, hash=1)
    assert [a.game for a in answers] == ["changing", "stormy"]
    calm.write_text(text + "no_progress = 40\n")
    after = hexmate.Position(game=hexmate.load_game(calm))
    assert before.rules != after.rules == hexmate.Rules("changing")
    with pytest.raises(ValueError, match="loaded again"):
        hexmate.record_line(before)
    assert json.loads(hexmate.record_line(after))["game"] == str(calm.resolve())
    assert "before it was loaded again" in repr(before.rules) and repr(after.rules).startswith("hexmate.load_game(")


def test_a_file_that_only_a_record_names(tmp_path):
    # Each in its own process: here the games of other tests are known.
    (tmp_path / "calm.toml").write_text(CALM.replace("glinski", "mccooey"))
    fen = hexmate.Position(game="mccooey").fen
    script = f"""
import hexmate, json, pickle
record = {{"game": "calm.toml", "fen": {fen!r}}}
given = [record, json.dumps(record), record["fen"] + '; game "calm.toml"', {{"variant": "calm.toml", "moves": ""}}]
for answer in hexmate.analyse(given[WHICH:], nodes=50, hash=1):
    print(answer.game, answer.position.game, answer.bestmove_san in answer.position.moves_san)
if WHICH == 0:
    open("pickle", "wb").write(pickle.dumps(answer))
assert hexmate.Rules("calm").path.endswith("calm.toml")
"""
    games = """
import hexmate
[game] = hexmate.read_games('[Variant "calm.toml"]\\n\\n1. f4f5 *\\n')
print(game.rules, game.moves, game.faults)
"""
    pickled = "import pickle; print(pickle.load(open('pickle', 'rb')).position.game)"
    runs = [(script.replace("WHICH", str(which)), "calm calm True\n" * (4 - which)) for which in range(4)]
    for told, expected in [*runs, (games, "calm ['f4f5'] []\n"), (pickled, "calm\n")]:
        run = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, cwd=tmp_path)
        assert run.stdout == expected, run.stderr


def test_answers_keep_the_rules_that_they_were_made_with(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "kept.toml"
    path.write_text(CALM.replace("calm", "kept").replace("glinski", "mccooey"))
    position = hexmate.Position(game=path)
    record = {"game": "kept.toml", "moves": ""}
    [by_path] = hexmate.analyse([record], nodes=50, hash=1)
    answers = [hexmate.analyse(position, nodes=50, hash=1), by_path, *hexmate.deepen(position, depth=1)]
    best = [(answer.bestmove_san, answer.pv_san) for answer in answers]
    path.write_text(CALM.replace("calm", "kept").replace("glinski", "minihexchess"))
    changed = hexmate.load_game(path)
    assert [answer.position.rules for answer in answers] == [position.rules] * len(answers)
    assert [(answer.bestmove_san, answer.pv_san) for answer in answers] == best
    # The path in a record means the new rules, as everywhere.
    [after] = hexmate.analyse([record], nodes=50, hash=1)
    assert after.position.rules == changed != position.rules and after.fen == changed.start_fen


def test_another_process_takes_the_games_over(tmp_path):
    calm, moved = tmp_path / "calm.toml", tmp_path / "moved.toml"
    text = CALM.replace("calm", "handed")
    for now in (text, text.replace("glinski", "mccooey")):
        calm.write_text(now)
        fen = hexmate.load_game(calm).start_fen
    # Its old name goes to another file.
    calm.write_text(text.replace("handed", "renamed"))
    hexmate.load_game(calm)
    moved.write_text(now)
    hexmate.load_game(moved)
    hexmate.load_game(calm)
    games = [game for game in loaded_games() if game[0].startswith(str(tmp_path.resolve()))]
    assert games == [(str(moved.resolve()), now), (str(calm.resolve()), calm.read_text())]
    for file in (calm, moved):
        file.unlink()
    script = f"""
import hexmate
from hexmate._native import load_text, use_games
use_games({games!r})
for path, _ in {games!r}:
    record = {{"game": path, "moves": ""}}
    print(hexmate.analyse([record], nodes=10, hash=1)[0].game, hexmate.Position(game="handed").fen)
"""
    # One that knows nothing yet, and one for which the path and the name mean the old rules.
    for known in ("", f"load_text({games[1][0]!r}, {text!r})\n"):
        told = script.replace("use_games([", known + "use_games([")
        run = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True)
        assert run.stdout == f"handed {fen}\nrenamed {fen}\n", run.stderr


def test_files_of_another_ending_or_encoding(tmp_path):
    path = tmp_path / "calm.txt"
    path.write_text(CALM)
    with pytest.raises(ValueError, match=r"the names of files of games end with \.toml"):
        hexmate.load_game(path)
    path = tmp_path / "latin.toml"
    path.write_bytes(CALM.replace("Calm chess", "Gli\u0144ski").encode("iso8859_2"))
    with pytest.raises(ValueError, match="game: .*latin.toml: line 4 is not UTF-8"):
        hexmate.load_game(path)


def test_a_name_is_that_of_one_file(tmp_path):
    one, other = tmp_path / "one.toml", tmp_path / "other.toml"
    text = CALM.replace("calm", "twin")
    one.write_text(text)
    rules = hexmate.load_game(one)
    other.write_text(text.replace("glinski", "mccooey"))
    with pytest.raises(ValueError, match=r"other\.toml: the name 'twin' is that of another game, in .*one\.toml"):
        hexmate.load_game(other)
    with pytest.raises(ValueError, match="a name of its own"):
        hexmate.Position(game=other)
    assert hexmate.Rules("twin") == rules and hexmate.Position(game="twin").fen == rules.start_fen
    # Records may name both, as in `hexmate analyse`, and answers know which is meant.
    records = [{"game": str(file), "moves": ""} for file in (one, other)]
    answers = pickle.loads(pickle.dumps(hexmate.analyse(records, nodes=10, hash=1)))
    assert [answer.game for answer in answers] == ["twin", "twin"]
    assert [answer.position.fen for answer in answers] == [hexmate.Position(game=g).fen for g in ("glinski", "mccooey")]
    assert hexmate.Rules("twin") == rules
    # The same rules in another file, and the same file with other rules.
    other.write_text("# As before.\n" + text)
    assert hexmate.load_game(other) == rules
    other.write_text(text.replace("twin", "third"))
    hexmate.load_game(other)
    reader = hexmate.read_games("1. e5 *\n", game=one)
    one.write_text(text.replace("glinski", "mccooey"))
    changed = hexmate.load_game(one)
    assert changed == hexmate.Rules("twin") != rules
    # A reader goes on as it began.
    [game] = reader
    assert game.rules == rules and game.moves == ["e4e5"]


def test_faults_have_line_and_key(tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(CALM.replace("stalemate = '1/2'", "stalemate = 'much'"))
    with pytest.raises(ValueError, match=r"(?s)wrong\.toml.*line 6.*stalemate"):
        hexmate.load_game(path)
    with pytest.raises(ValueError, match="stalemate"):
        hexmate.Position(game=str(path))
    with pytest.raises(FileNotFoundError, match="nowhere"):
        hexmate.Position(game="nowhere.toml")
    with pytest.raises(TypeError, match="game: expected .* not int"):
        hexmate.Position(game=5)
    path.write_text(CALM.replace("calm", "mccooey"))
    with pytest.raises(ValueError, match="that of another game"):
        hexmate.load_game(path)


def test_pickles_take_the_rules_along(calm):
    position = hexmate.Position(game=calm).play("e4e5")
    file = calm.parent / "pickle"
    file.write_bytes(pickle.dumps([position, position.rules]))
    calm.unlink()
    script = f"""
import hexmate, pickle
position, rules = pickle.load(open({str(file)!r}, "rb"))
print(position.history, position.game, rules == position.rules, hexmate.analyse(position, nodes=50).game)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout == "['e4e5'] calm True calm\n", run.stderr
