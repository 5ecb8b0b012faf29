"""Analysis on the threads of this process."""

import itertools
import json
import os
import subprocess
import threading
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import pytest

import hexmate

START = hexmate.Position()

#: Positions of every game, and lines that are wrong.
RECORDS = [
    START,
    {"id": "mate", "moves": "e1b4 g10h8 f3h2 h8i6"},
    hexmate.Position(game="mccooey").play("f4f5"),
    "not a position",
    {"fen": 7},
    *[hexmate.Position(game=game) for game in hexmate.GAMES],
]


def without_time(line):
    answer = json.loads(line)
    answer.pop("time_ms", None)
    return answer


def lines(records, **options):
    return [without_time(line) for line in hexmate.analyse_lines(records, nodes=500, hash=1, **options)]


def test_answers_come_in_order_and_whole():
    answers = hexmate.analyse(RECORDS, nodes=500, hash=1, jobs=2)
    assert [a["status"] for a in answers] == ["ok", "ok", "ok", "error", "error"] + ["ok"] * len(hexmate.GAMES)
    assert answers[1]["id"] == "mate" and answers[1]["score"] == {"mate": 1}
    assert answers[2]["game"] == "mccooey"
    assert answers[3]["line"] == 4


def test_jobs_make_no_difference():
    records = RECORDS * 10
    assert lines(records, jobs=1) == lines(records, jobs=3)


def test_eval_file(tmp_path):
    file = tmp_path / "weights"
    file.write_text("hexmate-weights 9\n")
    with pytest.raises(ValueError, match="version 9; expected version 1"):
        hexmate.Analyser(eval_file=file)
    # Usable, and of no game that there is: records of others are refused.
    file.write_text("hexmate-weights 1\n[chess]\n")
    [answer] = hexmate.analyse([hexmate.Position()], nodes=500, eval_file=file)
    assert answer["status"] == "error" and "expected a section [glinski]" in answer["error"]


def test_multipv():
    [answer] = hexmate.analyse([hexmate.Position()], depth=3, multipv=3)
    assert len(answer["lines"]) == 3


def test_endless_input_is_read_a_little_ahead():
    def endless():
        while True:
            yield hexmate.Position()

    answers = hexmate.analyse_lines(endless(), nodes=10, hash=1, jobs=2)
    assert [json.loads(next(answers))["id"] for _ in range(50)] == list(range(1, 51))
    answers.close()


def test_blank_lines_and_comments_are_those_of_files():
    records = ["# Positions", START, "  \n", "\t# more", "", START]
    answers = [json.loads(line) for line in hexmate.analyse_lines(records, nodes=10, hash=1)]
    assert [(a["id"], a["status"]) for a in answers] == [(2, "ok"), (6, "ok")]
    # The byte order mark of a file, and blanks that only Python takes for such.
    records = ["\ufeff# one", "\u3000# two", "\x1c", "\x1f#"]
    answers = [json.loads(line) for line in hexmate.analyse_lines(records, nodes=10, hash=1)]
    assert [(a["line"], a["status"]) for a in answers] == [(3, "error"), (4, "error")]
    [answer] = hexmate.analyse_lines(["\ufeff" + START.fen], nodes=10, hash=1)
    assert json.loads(answer)["status"] == "ok"
    # A list has an answer for each of its records.
    records = ["# Positions", START, "  \n", "\t# more", "", START]
    assert [a.ok for a in hexmate.analyse(records, nodes=10, hash=1)] == [False, True, False, False, False, True]


def test_answers_do_not_wait_for_slow_records(monkeypatch):
    answered = threading.Semaphore(0)

    class Heard:
        """An analyser that tells when it has answered."""

        def __init__(self, **options):
            self.stop = hexmate.Analyser(**options).stop

        def _answer(self, line, number):
            answered.release()
            return json.dumps({"id": number}), None

    def slow():
        for number in range(100):
            read.append(number)
            yield START
            # The next one does not come before this one is answered.
            answered.acquire()

    read = []
    monkeypatch.setattr(hexmate._analysis, "Analyser", Heard)
    answers = hexmate.analyse_lines(slow(), jobs=1)
    assert json.loads(next(answers))["id"] == 1 and len(read) < 10
    answers.close()


def test_a_line_of_progress_is_ended(capsys, monkeypatch):
    # Half a second passes with each look at the clock.
    monkeypatch.setattr(hexmate._analysis.time, "monotonic", itertools.count(0, 0.5).__next__)
    answers = hexmate.stream([START] * 3, nodes=10, hash=1, jobs=1, progress=True)
    next(answers)
    assert capsys.readouterr().err.startswith("\r1 of 3 records")
    answers.close()
    assert capsys.readouterr().err == "\n"
    hexmate.analyse(START, nodes=10, hash=1, progress=True)
    assert capsys.readouterr().err.endswith("    \n")


def test_nan_is_no_value():
    nan = float("nan")
    # As pandas has empty cells.
    records = [
        {"fen": START.fen, "id": "a", "note": "x", "elo": 1500.0, "moves": nan},
        {"fen": START.fen, "id": "b", "note": nan, "elo": nan, "moves": "e4e5", "deep": {"in": [1.5, nan]}},
        {"fen": START.fen, "id": nan, "searchmoves": nan},
    ]
    answers = hexmate.analyse(records, nodes=10, hash=1)
    assert [(a.ok, a.id) for a in answers] == [(True, "a"), (True, "b"), (True, 3)]
    assert (answers[0]["elo"], answers[1]["elo"], answers[1]["note"]) == (1500.0, None, None)
    assert answers[1]["deep"] == {"in": [1.5, None]}
    assert records[1]["elo"] is nan
    for value in (float("inf"), {"in": [float("-inf")]}):
        with pytest.raises(ValueError, match="record 1: elo: expected a finite number, not -?inf"):
            hexmate.analyse([{"moves": "", "elo": value}], nodes=10)


def test_dates_decimals_and_uuids_are_texts():
    zone = timezone(timedelta(hours=2))
    record = {
        "moves": "",
        "day": date(2026, 1, 2),
        "here": datetime(2026, 1, 2, 3, 4, 5),
        "there": datetime(2026, 1, 2, 1, 4, 5, 6, tzinfo=zone),
        "times": [time(3, 4, 5), time(3, 4, 5, 6), timedelta(days=1, seconds=2)],
        "price": {"now": Decimal("1.50"), "large": Decimal("1E+3"), "none": Decimal("NaN")},
        "key": UUID(int=1),
    }
    assert json.loads(hexmate.record_line(record)) == {
        "moves": "",
        "day": "2026-01-02",
        "here": "2026-01-02 03:04:05.000000",
        "there": "2026-01-01 23:04:05.000006 +00:00",
        "times": ["03:04:05.000000", "03:04:05.000006", "1 day, 0:00:02"],
        "price": {"now": "1.50", "large": "1000", "none": None},
        "key": "00000000-0000-0000-0000-000000000001",
    }
    with pytest.raises(ValueError, match="x: expected a finite number, not Infinity"):
        hexmate.record_line({"moves": "", "x": Decimal("inf")})


def test_rows_of_pandas_can_be_analysed_as_they_are():
    pandas = pytest.importorskip("pandas")
    numpy = pytest.importorskip("numpy")
    frame = pandas.DataFrame(
        {
            "moves": [numpy.array(["e4e5", "e7e6"]), []],
            "when": [pandas.Timestamp("2026-01-02 03:04:05.678901"), pandas.NaT],
            "nano": [pandas.Timestamp("2026-01-02 03:04:05.000000007", tz="UTC"), None],
            "count": pandas.array([1, None], dtype="Int64"),
            "flag": pandas.Series([numpy.bool_(True), numpy.int64(3)], dtype=object),
            "deep": [numpy.array([1.5, float("nan")]), {"in": numpy.float32(0.5)}],
        }
    )
    first, second = hexmate.analyse(frame.to_dict("records"), nodes=10, hash=1)
    own = ("status", "when", "nano", "count", "flag", "deep")
    assert [first[name] for name in own] == [
        "ok",
        "2026-01-02 03:04:05.678901",
        "2026-01-02 03:04:05.000000007 +00:00",
        1,
        True,
        [1.5, None],
    ]
    assert [second[name] for name in own] == ["ok", None, None, None, 3, {"in": 0.5}]
    with pytest.raises(TypeError, match="record 1: x: Object of type longdouble is not JSON"):
        hexmate.analyse([{"moves": "", "x": numpy.longdouble(1)}], nodes=10)


def test_times_of_numpy_are_texts_in_each_unit():
    numpy = pytest.importorskip("numpy")
    when, nano = "2026-01-02T03:04:05.678901", "2026-01-02T03:04:05.000000007"
    record = {
        "moves": "",
        "day": numpy.datetime64("2026-01-02"),
        "when": numpy.datetime64(when),
        "nano": numpy.datetime64(nano),
        "none": [numpy.datetime64("NaT"), numpy.datetime64("NaT", "ns"), numpy.timedelta64("NaT", "ns")],
        "long": [numpy.timedelta64(7, "ns"), numpy.timedelta64(2, "s"), numpy.timedelta64(3, "M")],
        "many": numpy.array([[nano, "NaT"]], dtype="datetime64[ns]"),
        "days": numpy.array(["2026-01-02", "NaT"], dtype="datetime64[D]"),
        "only": numpy.array(nano, dtype="datetime64[ns]"),
    }
    told = "2026-01-02 03:04:05.000000007"
    assert json.loads(hexmate.record_line(record)) == {
        "moves": "",
        "day": "2026-01-02",
        "when": "2026-01-02 03:04:05.678901",
        "nano": told,
        "none": [None, None, None],
        "long": ["7 nanoseconds", "0:00:02", "3 months"],
        "many": [[told, None]],
        "days": ["2026-01-02", None],
        "only": told,
    }


def test_decimal_numbers_come_back_as_they_were():
    answer = hexmate.analyse([{"moves": "", "id": 1708845845.0591903, "x": 0.1}], nodes=10, hash=1)[0]
    assert (answer["id"], answer["x"]) == (1708845845.0591903, 0.1)


def test_what_is_no_record_raises():
    with pytest.raises(TypeError, match="record 2: .*not int"):
        list(hexmate.analyse_lines([START, 5], nodes=10))
    with pytest.raises(TypeError, match="record 1: fen: Object of type Position is not JSON"):
        hexmate.analyse([{"id": 1, "fen": START}], nodes=10)
    with pytest.raises(ValueError, match="several"):
        hexmate.record_line("a\nb")
    with pytest.raises(ValueError, match="depth"):
        hexmate.analyse_lines([], depth=0)
    with pytest.raises(ValueError, match="checkers"):
        hexmate.analyse_lines([], game="checkers")


def test_what_came_before_is_answered_first():
    # A wrong type, several lines, and records that fail by themselves.
    def failing():
        yield hexmate.Position()
        yield hexmate.Position()
        raise KeyError("the file")

    records = [hexmate.Position(), hexmate.Position()]
    for wrong, error in [([*records, 5], TypeError), ([*records, "a\nb"], ValueError), (failing(), KeyError)]:
        answers = hexmate.analyse_lines(wrong, nodes=10, hash=1, jobs=2)
        assert [json.loads(next(answers))["id"] for _ in range(2)] == [1, 2]
        with pytest.raises(error):
            next(answers)
        assert list(answers) == []


def test_half_of_a_surrogate_pair_is_an_error_of_its_record():
    records = ["\ud800", {"id": "\udfff", "moves": ""}, "gr\u00fc\u00dfe \ud83d", hexmate.Position()]
    answers = hexmate.analyse(records, nodes=10, hash=1)
    assert [a["status"] for a in answers] == ["error"] * 3 + ["ok"]
    assert [a["line"] for a in answers[:3]] == [1, 2, 3]
    assert answers[2]["error"] == "line 3, offset 8: not UTF-8"
    assert json.loads(hexmate.Analyser(nodes=10).answer("\udc00", 7))["line"] == 7


def test_the_interpreter_goes_on_while_a_position_is_searched():
    analyser = hexmate.Analyser(movetime=300, hash=1)
    searching = threading.Thread(target=analyser.answer, args=(hexmate.Position().fen,))
    searching.start()
    steps = 0
    while searching.is_alive():
        steps += 1
    searching.join()
    # With the lock held there would be one step, or a few.
    assert steps > 1000


@pytest.mark.skipif("HEXMATE" not in os.environ, reason="HEXMATE names no program to compare with")
def test_the_program_gives_the_same_lines(tmp_path):
    file = tmp_path / "records.jsonl"
    records = ["# All games.", *RECORDS, "", RECORDS[0]]
    file.write_text("".join(hexmate.record_line(r) + "\n" for r in records), encoding="utf-8")
    command = [os.environ["HEXMATE"], "analyse", str(file), "--nodes", "500", "--hash", "1", "--jobs", "2"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 1, run.stderr
    assert [without_time(line) for line in run.stdout.splitlines()] == lines(records)
