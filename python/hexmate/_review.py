"""The review of a game: what each move lost."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union

from ._analysis import Told, job_count, record_line, stream, told_how
from ._native import Analyser, Position, judge
from ._results import Explanation
from ._threads import Searchers

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options

#: What is said of a bad move.
Judgement = Literal["inaccuracy", "mistake", "blunder"]


class ReviewedMove(NamedTuple):
    """A move, and what it lost. Expected scores are White's, from 0 to 1."""

    #: The number of the move.
    number: int
    side: Literal["white", "black"]
    move: str
    san: str
    #: The best move; None if nothing is known of a better one.
    best: Union[str, None]
    best_san: Union[str, None]
    before: float
    after: float
    #: What its side lost by it.
    loss: float
    #: In per cent.
    accuracy: float
    judgement: Union[Judgement, None]
    #: How the game might have gone on with the best move, in standard algebraic notation.
    best_line: list[str]
    #: What separates the best move from it; None if it has no judgement.
    explanation: Union[Explanation, None]


class ReviewedSide(NamedTuple):
    """The moves of a side, summed up."""

    moves: int
    #: The mean in per cent; None without moves.
    accuracy: Union[float, None]
    #: The mean in points; None without moves.
    loss: Union[float, None]
    inaccuracies: int
    mistakes: int
    blunders: int


class Review:
    """The review of a game."""

    def __init__(self, found: dict[str, Any], positions: list[Position]) -> None:
        self._found = found
        self.moves: list[ReviewedMove] = [
            _move(each, position) for each, position in zip(found["moves"], positions)
        ]
        #: White's moves and Black's.
        self.white: ReviewedSide = _side(found["white"])
        self.black: ReviewedSide = _side(found["black"])
        #: White's expected score before the first move.
        self.expected: float = found["expected"]

    def as_dict(self) -> dict[str, Any]:
        """The review as ``hexmate review --json`` writes it."""
        return self._found

    def __str__(self) -> str:
        lines = [f"{'':8}{'accuracy':>10}{'inaccuracies':>14}{'mistakes':>10}{'blunders':>10}"]
        for name, side in (("White", self.white), ("Black", self.black)):
            accuracy = "-" if side.accuracy is None else f"{side.accuracy:.1f} %"
            counts = f"{side.inaccuracies:>14}{side.mistakes:>10}{side.blunders:>10}"
            lines.append(f"{name:8}{accuracy:>10}{counts}")
        for move in self.moves:
            if move.judgement:
                dots = "." if move.side == "white" else "..."
                better = f"; {move.best_san} was better" if move.best_san not in (None, move.san) else ""
                change = f"{move.before:.2f} -> {move.after:.2f}"
                lines.append(f"{move.number}{dots} {move.san}: {move.judgement}, {change}{better}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from ._notebook import review_html

        return review_html(self)


def _side(found: dict[str, Any]) -> ReviewedSide:
    return ReviewedSide(*(found[field] for field in ReviewedSide._fields))


def _move(found: dict[str, Any], position: Position) -> ReviewedMove:
    best = found["best"]
    return ReviewedMove(
        number=found["number"],
        side="white" if found["white"] else "black",
        move=found["move"],
        san=position.san(found["move"]),
        best=best,
        best_san=None if best is None else position.san(best),
        before=found["before"],
        after=found["after"],
        loss=found["loss"],
        accuracy=found["accuracy"],
        judgement=found["judgement"],
        best_line=found["best_line"],
        explanation=Explanation.of(found["explanation"]) if "explanation" in found else None,
    )


def review(
    positions: Iterable[Position],
    tags: Mapping[str, str] | None = None,
    *,
    jobs: int | None = None,
    progress: Told = False,
    **options: Unpack[Options],
) -> Review:
    """Review a game, given by its positions in order, each with the moves that led to it, and its tags; see :meth:`Game.review`."""
    told_how(progress)
    # No answer to a position or to a move needs one.
    options["explain"] = False
    positions = list(positions)
    played = positions[-1].history[-len(positions) + 1 :] if len(positions) > 1 else []

    def answers(records: list[Any]) -> list[str]:
        return [json.dumps(answer) for answer in stream(records, jobs=jobs, progress=progress, **options)]

    before = answers(list(positions))
    # A move that is not the best is searched alone, so that both scores are of the same position.
    others = [i for i, move in enumerate(played) if json.loads(before[i]).get("bestmove") != move]
    alone = answers(
        [
            {
                "game": positions[i]._game_key,
                "fen": positions[i].start_fen,
                "moves": positions[i].history,
                "searchmoves": played[i],
            }
            for i in others
        ]
    )
    others_alone = list(zip(others, alone))

    def judged(explanations: list[tuple[int, str]]) -> dict[str, Any]:
        text = judge("1", positions[0].rules, played, before, others_alone, dict(tags or {}), explanations)
        found: dict[str, Any] = json.loads(text)
        return found

    moves = judged([])["moves"]
    both = {i: (before[i], answer) for i, answer in others_alone if moves[i]["judgement"]}
    explanations = _explanations([(positions[i], *answers) for i, answers in both.items()], job_count(jobs), options)
    found = judged([(i, explanation) for i, explanation in zip(both, explanations) if explanation is not None])
    return Review(found, positions)


def _explanations(
    judged: list[tuple[Position, str, str]], jobs: int, options: Options
) -> list[Union[str, None]]:
    """What separates the best moves from others, given positions and the answers to them and to those moves alone."""
    with Searchers([Analyser(**options) for _ in range(min(jobs, len(judged)))]) as searchers:
        asked = [
            searchers.submit(partial(Analyser._explain, line=record_line(position), before=before, alone=alone))
            for position, before, alone in judged
        ]
        return [each.result() for each in asked]
