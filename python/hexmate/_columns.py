"""Answers as columns, for tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

#: Columns that are always there, in this order.
_ALWAYS = ("id", "game", "fen", "status", "bestmove", "cp", "mate", "depth", "seldepth", "nodes", "time_ms", "pv")


def columns(answers: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return the answers as one list for each field, all of the same length: what makes a table.

    ``pandas.DataFrame(columns(answers))``, ``polars.DataFrame(columns(answers))`` and
    ``pyarrow.table(columns(answers))`` take it as it is. The score is two columns, ``cp`` and ``mate``, one of which is
    ``None``; so are ``win``, ``draw`` and ``loss`` if the chances are there. ``pv`` is text with blanks between the
    moves. Ids of different types become texts. ``bound``, ``tbhits``, ``no_mate_in``, ``timeout``, ``error`` and
    ``line`` are there if an answer has them, and so is ``explanation``, in words.
    """
    if isinstance(answers, Mapping) or not isinstance(answers, Iterable):
        kind = type(answers).__name__
        raise TypeError(f"answers: expected an iterable of answers, not {kind}; put a single one into a list")
    rows = [_row(number, answer) for number, answer in enumerate(answers, 1)]
    extra = {name for row in rows for name in row if name not in _ALWAYS}
    names = [*_ALWAYS, *sorted(extra)]
    table = {name: [row.get(name) for row in rows] for name in names}
    if len({type(value) for value in table["id"]}) > 1:
        table["id"] = [str(value) for value in table["id"]]
    return table


#: The fields that become columns of other names or kinds: whether they are dicts, and what is expected.
_PARTS = {
    "score": (True, "a dict with 'cp' or 'mate'"),
    "pv": (False, "a list of moves"),
    "wdl": (False, "a list of three numbers"),
    "explanation": (True, "a dict with 'words'"),
}


def _row(number: int, answer: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(answer, Mapping):
        raise TypeError(f"answers: expected an iterable of answers, not one with {type(answer).__name__}")
    for name, (is_dict, expected) in _PARTS.items():
        value = answer.get(name)
        is_list = isinstance(value, Iterable) and not isinstance(value, (str, Mapping))
        if value is not None and not (isinstance(value, Mapping) if is_dict else is_list):
            raise TypeError(f"answer {number}: {name}: expected {expected}, not {type(value).__name__}")
    row = {name: value for name, value in answer.items() if name not in ("score", "pv", "lines", "wdl", "explanation")}
    score = answer.get("score") or {}
    row["cp"], row["mate"] = score.get("cp"), score.get("mate")
    if "pv" in answer:
        row["pv"] = " ".join(answer["pv"])
    if answer.get("wdl") is not None:
        row["win"], row["draw"], row["loss"] = answer["wdl"]
    if answer.get("explanation") is not None:
        row["explanation"] = answer["explanation"]["words"]
    return row
