"""Wrong arguments: exceptions name them."""

import importlib
import os
import subprocess
import sys
import types

import pytest

import hexmate

START = hexmate.Position()

WRONG = [
    (ValueError, "nodes must be at least 1, not -1", lambda: hexmate.analyse(START, nodes=-1)),
    (ValueError, "nodes must be at least 1, not 0", lambda: hexmate.stream([], nodes=0)),
    (ValueError, "nodes must be at most 9223372036854775807, not 10{30}$", lambda: hexmate.Analyser(nodes=10**30)),
    (ValueError, "nodes must be at least 1, not -10{30}$", lambda: hexmate.Analyser(nodes=-(10**30))),
    (TypeError, "nodes: expected an int, not str", lambda: hexmate.analyse(START, nodes="5")),
    (TypeError, "nodes: expected an int, not bool", lambda: hexmate.analyse(START, nodes=True)),
    (TypeError, "depth: expected an int, not float", lambda: hexmate.analyse(START, depth=2.5)),
    (ValueError, "hash must be 1 to", lambda: hexmate.Analyser(hash=0)),
    (ValueError, "multipv must be 1 to", lambda: hexmate.Analyser(multipv=-3)),
    (ValueError, "multipv must be 1 to 500, not 501", lambda: hexmate.Analyser(multipv=501)),
    (ValueError, "threads must be 1 to 512, not 513", lambda: hexmate.Analyser(threads=513)),
    (ValueError, "mate must be 1 to 120, not 121", lambda: hexmate.Analyser(mate=121)),
    (TypeError, "deph", lambda: hexmate.analyse(START, deph=3)),
    (TypeError, "deph", lambda: hexmate.Analyser(deph=3)),
    (TypeError, "eval_file: expected a str or os.PathLike, not int", lambda: hexmate.Analyser(eval_file=5)),
    (TypeError, "tables: expected a str or os.PathLike, not bytes", lambda: hexmate.Analyser(tables=b"x")),
    (TypeError, "path: expected a str or os.PathLike, not NoneType", lambda: hexmate.load_game(None)),
    (TypeError, "folder: expected a str or os.PathLike, not bytes", lambda: hexmate.Tables(b"x")),
    (TypeError, "folder: expected a str or os.PathLike, not int", lambda: hexmate.build_tables(5, "KQK")),
    (ValueError, "tables: .*no such folder", lambda: hexmate.Analyser(tables="nowhere")),
    (ValueError, "letters: 'klingon'", lambda: hexmate.Analyser(letters="klingon")),
    (ValueError, "jobs must be at least 1, not 0", lambda: hexmate.analyse([START], jobs=0)),
    (TypeError, "jobs: expected an int, not str", lambda: hexmate.analyse([START], jobs="2")),
    (ValueError, "jobs must be at least 1, not -7", lambda: hexmate.analyse(START, jobs=-7)),
    (TypeError, "jobs: expected an int, not str", lambda: hexmate.analyse(START, jobs="x")),
    (TypeError, "progress: expected a bool or a function, not NoneType", lambda: hexmate.analyse(START, progress=None)),
    (TypeError, "progress: expected .*not int", lambda: hexmate.stream([START], progress=0)),
    (TypeError, "progress: expected .*not str", lambda: hexmate.Game(START.play("e5")).review(progress="x")),
    (TypeError, "records: .*not str", lambda: hexmate.analyse(START.fen)),
    (TypeError, "records: .*not int", lambda: hexmate.analyse(5)),
    (TypeError, "position: expected a Position, not str", lambda: hexmate.deepen(START.fen)),
    (TypeError, "fen: expected a str, not int", lambda: hexmate.Position(5)),
    (ValueError, "game: .*checkers", lambda: hexmate.Position(game="checkers")),
    (TypeError, "moves: expected .*not int", lambda: START.play(5)),
    (TypeError, "moves: expected .*not an iterable with int", lambda: START.play([5])),
    (ValueError, "letters: ", lambda: START.play("e5", letters="klingon")),
    (ValueError, "letters: not UTF-8", lambda: START.play("e5", letters="\ud83d")),
    (TypeError, "letters: expected a str, not int", lambda: hexmate.Analyser(letters=5)),
    (ValueError, "move: .*Zz9", lambda: START.san("Zz9")),
    (TypeError, "move: expected a str, not int", lambda: START.legal(5)),
    (ValueError, "^cell: 'e{40}…' is no cell", lambda: START.piece("e" * 10**6)),
    (ValueError, "cell: 'z9'", lambda: START.attacks("z9")),
    (ValueError, "side: 'green'", lambda: START.attackers("e4", "green")),
    (ValueError, "depth must be", lambda: START.perft(-1)),
    (ValueError, "depth must be 0 to 40", lambda: START.perft(41)),
    (TypeError, "depth: expected an int, not str", lambda: START.perft("3")),
    (TypeError, "depth: expected an int, not NoneType", lambda: START.perft(None)),
    (TypeError, "depth: expected an int, not NoneType", lambda: START.divide(None)),
    (ValueError, "plies: 1, but only 0", lambda: START.back()),
    (ValueError, "arrows: 'e4z9'", lambda: START.svg(arrows=["e4z9"])),
    (TypeError, "arrows: ", lambda: START.svg(arrows=5)),
    (ValueError, "lastmove: 'e4'", lambda: START.svg(lastmove="e4")),
    (ValueError, "size must be", lambda: START.svg(size=0)),
    (TypeError, "flipped", lambda: START.svg(flipped="yes")),
    (TypeError, "score: expected", lambda: START.wdl("much")),
    (TypeError, "score: expected", lambda: START.wdl(types.MappingProxyType({}))),
    (TypeError, "score: expected 'cp' or 'mate', but both are missing", lambda: START.wdl(hexmate.Score())),
    (TypeError, "score: expected 'cp' or 'mate', not both", lambda: START.wdl({"cp": 1, "mate": 2})),
    (TypeError, "score: expected an int, not bool", lambda: START.wdl(True)),
    (TypeError, "score: expected an int, not float", lambda: START.wdl({"cp": 0.5})),
    (ValueError, "score must be -2147483648 to 2147483647, not 2147483648", lambda: START.wdl(2**31)),
    (ValueError, "number must be at least 0, not -1", lambda: hexmate.Analyser(nodes=10).answer("x", -1)),
    (TypeError, "number: expected an int, not str", lambda: hexmate.Analyser(nodes=10).answer("x", "1")),
    (TypeError, "answer 2: score: expected a dict .*not int", lambda: hexmate.columns([{"id": 1}, {"score": 5}])),
    (TypeError, "answer 1: pv: expected a list of moves, not str", lambda: hexmate.columns([{"pv": "e4e5"}])),
    (FileNotFoundError, "nosuch.pgn", lambda: hexmate.read_games("nosuch.pgn")),
    (OSError, "/dev/null/x", lambda: hexmate.build_tables("/dev/null/x", "KQK")),
    (ValueError, "material: 'KXK'", lambda: hexmate.build_tables("nowhere", "KXK")),
    (TypeError, "position: expected a Position", lambda: hexmate.Tables(".").probe("x")),
    (FileNotFoundError, "nowhere: no such folder", lambda: hexmate.Tables("nowhere")),
]


@pytest.mark.parametrize("error, says, call", WRONG, ids=[says for _, says, _ in WRONG])
def test_wrong_arguments_are_named(error, says, call):
    with pytest.raises(error, match=says):
        call()


def test_a_score_is_any_mapping():
    assert START.wdl(types.MappingProxyType({"cp": 30})) == START.wdl(30)


@pytest.mark.parametrize("library, rows", [("pandas", r'\.to_dict\("records"\)'), ("polars", r"\.to_dicts\(\)")])
def test_a_table_is_passed_by_its_rows(library, rows):
    frame = pytest.importorskip(library).DataFrame({"fen": [START.fen]})
    with pytest.raises(TypeError, match=f"records: .*not a DataFrame; pass its rows, {rows}"):
        hexmate.analyse(frame, nodes=10)


def test_tables_of_other_kinds_are_passed_by_their_rows():
    columns = {"fen": [START.fen]}
    for library, make, rows in [
        ("polars", lambda polars: polars.DataFrame(columns).lazy(), r"LazyFrame; .*\.collect\(\)\.to_dicts\(\)"),
        ("pyarrow", lambda arrow: arrow.table(columns), r"Table; .*\.to_pylist\(\)"),
        ("pyarrow", lambda arrow: arrow.record_batch(columns), r"RecordBatch; .*\.to_pylist\(\)"),
    ]:
        try:
            table = make(importlib.import_module(library))
        except ImportError:
            continue
        with pytest.raises(TypeError, match=f"records: .*not a {rows}"):
            hexmate.analyse(table, nodes=10)


def test_threads_without_memory():
    pytest.importorskip("resource")
    script = """
import hexmate, resource
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, resource.RLIM_INFINITY))
try:
    hexmate.analyse(hexmate.Position(), threads=512, nodes=100)
except MemoryError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.startswith("threads: no memory for 3072 MB"), done.stderr


def test_a_backend_that_does_not_exist():
    environment = {**os.environ, "HEXMATE_SIMD": "bogus"}
    done = subprocess.run([sys.executable, "-c", "import hexmate"], env=environment, capture_output=True, text=True)
    assert "ImportError: HEXMATE_SIMD: 'bogus' is not a backend" in done.stderr and done.returncode == 1


def test_numbers_of_other_types():
    class Five:
        def __index__(self):
            return 5

    assert hexmate.analyse(START, depth=Five(), nodes=None, hash=1).depth == 5
