"""What answers are made of: scores, chances, values of endgame tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class ScoreDict(TypedDict, total=False):
    """A score in an answer: one of the two."""

    cp: int
    mate: int


class LineDict(TypedDict):
    """One of several best moves in an answer."""

    move: str
    score: ScoreDict
    bound: NotRequired[Literal["lower", "upper"]]
    depth: int
    seldepth: int
    pv: list[str]


class ExplanationDict(TypedDict):
    """What separates the best move from another one; docs/formats.md describes the fields."""

    words: str
    best: dict[str, Any]
    other: NotRequired[dict[str, Any]]
    by: NotRequired[int]
    terms: NotRequired[list[dict[str, Any]]]
    next: NotRequired[dict[str, Any]]
    threat: NotRequired[dict[str, Any]]
    threatens: NotRequired[dict[str, Any]]


class AnswerDict(TypedDict):
    """An answer with the fields of docs/formats.md. One with the status ``"error"`` has ``line`` and ``error``, and
    nothing of what was found."""

    id: Any
    game: Union[str, None]
    fen: str
    status: str
    bestmove: Union[str, None]
    score: ScoreDict
    bound: NotRequired[Literal["lower", "upper"]]
    depth: int
    seldepth: int
    nodes: int
    time_ms: int
    pv: list[str]
    tbhits: NotRequired[int]
    lines: NotRequired[list[LineDict]]
    wdl: NotRequired[list[int]]
    explanation: NotRequired[ExplanationDict]
    no_mate_in: NotRequired[int]
    timeout: NotRequired[bool]
    line: NotRequired[int]
    error: NotRequired[str]


class Score(NamedTuple):
    """A score from the side to move: centipawns, or moves to mate (negative if it is mated itself).

    The greater of two is the better one: a mate is better the sooner it comes, and being mated the later.
    """

    cp: Union[int, None] = None
    mate: Union[int, None] = None

    @classmethod
    def of(cls, score: Mapping[str, Any]) -> Score:
        """The score of an answer, ``{"cp": 30}`` or ``{"mate": 2}``."""
        return cls(score.get("cp"), score.get("mate"))

    @property
    def pawns(self) -> float:
        """The score in pawns; a mate is infinite."""
        if self.mate is not None:
            return float("inf") if self.mate > 0 else float("-inf")
        return (self.cp or 0) / 100

    def _rank(self) -> tuple[int, int]:
        if self.mate is None:
            return (0, self.cp or 0)
        return (1 if self.mate > 0 else -1, -self.mate)

    def __lt__(self, other: tuple[Any, ...]) -> bool:
        return self._rank() < other._rank() if isinstance(other, Score) else NotImplemented

    def __le__(self, other: tuple[Any, ...]) -> bool:
        return self._rank() <= other._rank() if isinstance(other, Score) else NotImplemented

    def __gt__(self, other: tuple[Any, ...]) -> bool:
        return self._rank() > other._rank() if isinstance(other, Score) else NotImplemented

    def __ge__(self, other: tuple[Any, ...]) -> bool:
        return self._rank() >= other._rank() if isinstance(other, Score) else NotImplemented

    def __neg__(self) -> Score:
        """The same for the opponent. A side that is mated now has no such score: it stays."""
        return Score(None if self.cp is None else -self.cp, None if self.mate is None else -self.mate)

    def __str__(self) -> str:
        if self.mate is not None:
            return f"#{self.mate}"
        return f"{(self.cp or 0) / 100:+.2f}"


class WDL(NamedTuple):
    """Chances in thousandths; together 1000."""

    win: int
    draw: int
    loss: int

    @property
    def expected(self) -> float:
        """The share of the point that they promise, from 0 to 1."""
        return (self.win + self.draw / 2) / 1000


class Line(NamedTuple):
    """One of the best moves and how play may go on."""

    move: str
    score: Score
    depth: int
    seldepth: int
    pv: list[str]
    #: ``"lower"`` or ``"upper"`` if a limit has cut the search short: the score is this or better, or this or worse.
    bound: Union[Literal["lower", "upper"], None] = None


class Explanation(NamedTuple):
    """What separates the best move from another one: the move that was played, or the second best."""

    #: All of it in words.
    words: str
    best: str
    #: None if there is only one legal move, or only one to search.
    other: Union[str, None]
    #: The centipawns by which the best move has the better score; None if one of them is a mate.
    #: Not exact if one of them is a bound.
    by: Union[int, None]
    #: The centipawns by which the best move's line ends better, by ideas of the evaluation.
    terms: dict[str, int]
    #: Whether every other move, of those to search, would be a blunder.
    only: bool
    #: What the opponent would do if one passed, if that costs much.
    threat: Union[str, None]
    #: What one would do after the best move if the opponent passed, if that gains much.
    threatens: Union[str, None]

    def __str__(self) -> str:
        return self.words

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> Explanation:
        """The explanation of an answer."""

        def move(field: str) -> Union[str, None]:
            return found[field]["move"] if field in found else None

        terms = {part["term"]: part["cp"] for part in found.get("terms", [])}
        best = found["best"]["move"]
        by = found.get("by")
        only = "next" in found or "other" not in found
        return cls(found["words"], best, move("other"), by, terms, only, move("threat"), move("threatens"))


class Evaluation(NamedTuple):
    """A position's worth at sight, in centipawns."""

    #: From the side to move.
    score: int
    #: What each term gives White and Black.
    terms: dict[str, tuple[int, int]]


class TableMove(NamedTuple):
    """A move and its value for the side that makes it."""

    move: str
    category: str
    plies: int


class TableAnswer(NamedTuple):
    """What endgame tables know of a position."""

    #: ``"win"``, ``"gives stalemate"``, ``"draw"``, ``"stalemated"`` or ``"loss"``, for the side to move.
    category: str
    #: Plies to the mate or stalemate; 0 for a draw.
    plies: int
    #: Every legal move, best first.
    moves: list[TableMove]

    @classmethod
    def _of(cls, category: str, plies: int, moves: Iterable[tuple[str, str, int]]) -> TableAnswer:
        return cls(category, plies, [TableMove(*move) for move in moves])
