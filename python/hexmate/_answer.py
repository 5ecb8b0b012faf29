"""Answers as objects that are dicts, too."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal, Union, cast, overload

from ._native import Position, Rules
from ._results import WDL, AnswerDict, Explanation, Line, Score, ScoreDict

if TYPE_CHECKING:
    Base = dict[str, Any]
else:
    Base = dict


class Answer(Base):
    """The answer to a record: a dict with the fields of docs/formats.md, and the same as attributes.

    A record that cannot be used has an answer, too: its :attr:`ok` is false, and :attr:`error` says what is wrong.
    Asking such an answer for what was found raises ``ValueError`` with that text.
    """

    #: The rules that it was made with, where they are from a file: its name may mean others by now, or none.
    _rules: Union[Rules, None] = None

    @classmethod
    def parse(cls, line: str) -> Answer:
        """The answer in a line of JSON text."""
        return cls(json.loads(line))

    @classmethod
    def _of(cls, line: str, rules: Rules | None) -> Answer:
        answer = cls.parse(line)
        if rules is not None:
            answer._rules = rules
        return answer

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["fen", "status", "error"]) -> str: ...
        @overload
        def __getitem__(self, key: Literal["game", "bestmove"]) -> Union[str, None]: ...
        @overload
        def __getitem__(self, key: Literal["depth", "seldepth", "nodes", "time_ms", "line"]) -> int: ...
        @overload
        def __getitem__(self, key: Literal["score"]) -> ScoreDict: ...
        @overload
        def __getitem__(self, key: Literal["pv"]) -> list[str]: ...
        @overload
        def __getitem__(self, key: str) -> Any: ...
        def __getitem__(self, key: str) -> Any: ...

    def _found(self, field: str) -> Any:
        if "error" in self:
            raise ValueError(self["error"])
        return self[field]

    @property
    def ok(self) -> bool:
        """Whether the record could be used."""
        return "error" not in self

    @property
    def error(self) -> str | None:
        """What is wrong with the record, if anything."""
        return self.get("error")

    @property
    def id(self) -> Any:
        """The record's id, or its number."""
        return self["id"]

    @property
    def game(self) -> str:
        """The game's name."""
        return cast(str, self._found("game"))

    @property
    def fen(self) -> str:
        """The position as text."""
        return cast(str, self._found("fen"))

    @property
    def position(self) -> Position:
        """The position, without the moves that led to it."""
        return Position(self.fen, self._rules or self.game)

    @property
    def status(self) -> str:
        """``"ok"``, ``"checkmate"``, ``"stalemate"``, ``"draw"`` or ``"error"``."""
        return self["status"]

    @property
    def bestmove(self) -> str | None:
        """The best move in cells; None where the game is over."""
        return cast("str | None", self._found("bestmove"))

    @property
    def bestmove_san(self) -> str | None:
        """The best move in standard algebraic notation."""
        best = self.bestmove
        return None if best is None else self.position.san(best)

    @property
    def score(self) -> Score:
        """The score from the side to move."""
        return Score.of(self._found("score"))

    @property
    def bound(self) -> Literal["lower", "upper"] | None:
        """``"lower"`` or ``"upper"`` if a limit has cut the search short: the score is this or better, or this or
        worse."""
        self._found("score")
        return cast('Literal["lower", "upper"] | None', self.get("bound"))

    @property
    def depth(self) -> int:
        """The depth that was searched, in plies."""
        return cast(int, self._found("depth"))

    @property
    def seldepth(self) -> int:
        """The longest line that was looked at, in plies."""
        return cast(int, self._found("seldepth"))

    @property
    def nodes(self) -> int:
        """The positions visited."""
        return cast(int, self._found("nodes"))

    @property
    def tbhits(self) -> int:
        """How often endgame tables settled the score of a position; 0 without them."""
        self._found("nodes")
        return cast(int, self.get("tbhits", 0))

    @property
    def timeout(self) -> bool:
        """Whether the option ``timeout`` ended the search."""
        self._found("nodes")
        return cast(bool, self.get("timeout", False))

    @property
    def no_mate_in(self) -> int | None:
        """With the option ``mate``: it is proven that there is no mate in so many moves. None if there is one, or the
        search ended before."""
        self._found("nodes")
        return cast("int | None", self.get("no_mate_in"))

    @property
    def seconds(self) -> float:
        """The time it took."""
        return cast(float, self._found("time_ms") / 1000)

    @property
    def pv(self) -> list[str]:
        """How play may go on, beginning with the best move, in cells."""
        return cast("list[str]", self._found("pv"))

    @property
    def pv_san(self) -> list[str]:
        """The same in standard algebraic notation."""
        return self.position.play(self.pv).history_san

    @property
    def lines(self) -> list[Line]:
        """The best moves; without the option ``multipv`` only the best."""
        self._found("pv")
        found = self.get("lines")
        if found is None:
            line = (self.score, self.depth, self.seldepth, self.pv, self.bound)
            return [Line(self.pv[0], *line)] if self.pv else []
        return [
            Line(x["move"], Score.of(x["score"]), x["depth"], x["seldepth"], x["pv"], x.get("bound")) for x in found
        ]

    @property
    def wdl(self) -> WDL:
        """The chances of the side to move."""
        score, found = self.score, self.get("wdl")
        if found is not None:
            return WDL(*found)
        if self.status == "draw":
            return WDL(0, 1000, 0)
        if self.status == "stalemate":
            return self._stalemated()
        return self.position.wdl(score)

    def _stalemated(self) -> WDL:
        """What docs/formats.md says of a stalemate: half a win or half a loss has the mean that it is worth."""
        position = self.position
        white, black = position.points or (0.5, 0.5)
        share = white if position.turn == "white" else black
        win, loss = (round(1000 * max(0.0, 2 * part - 1)) for part in (share, 1 - share))
        return WDL(win, 1000 - win - loss, loss)

    @property
    def explanation(self) -> Explanation | None:
        """What separates the best move from another one; None without the option ``explain``."""
        self._found("pv")
        found = self.get("explanation")
        return None if found is None else Explanation.of(found)

    def as_dict(self) -> AnswerDict:
        """The same as a plain dict."""
        return cast(AnswerDict, dict(self))

    def _repr_svg_(self) -> str | None:
        if not self.ok:
            return None
        best = self.bestmove
        return self.position.svg(arrows=[] if best is None else [best])
