"""Chess on hexagonal boards: positions, games and analysis.

    >>> import hexmate
    >>> start = hexmate.Position()
    >>> start.play("e5").turn
    'black'
    >>> answer = hexmate.analyse(start, nodes=1000)
    >>> answer.status
    'ok'
"""

from ._analysis import Progress, Record, analyse, analyse_lines, deepen, record_line, stream
from ._answer import Answer
from ._columns import columns
from ._game import Game, Node, read_games
from ._native import GAMES, Analyser, Position, Rules, Tables, __version__, build_tables, load_game
from ._notebook import live
from ._results import (
    WDL,
    AnswerDict,
    Evaluation,
    Explanation,
    Line,
    LineDict,
    Score,
    ScoreDict,
    TableAnswer,
    TableMove,
)
from ._review import Review, ReviewedMove, ReviewedSide

__all__ = [
    "GAMES",
    "WDL",
    "Analyser",
    "Answer",
    "AnswerDict",
    "Evaluation",
    "Explanation",
    "Game",
    "Line",
    "LineDict",
    "Node",
    "Position",
    "Progress",
    "Record",
    "Review",
    "ReviewedMove",
    "ReviewedSide",
    "Rules",
    "Score",
    "ScoreDict",
    "TableAnswer",
    "TableMove",
    "Tables",
    "__version__",
    "analyse",
    "analyse_lines",
    "build_tables",
    "columns",
    "deepen",
    "live",
    "load_game",
    "read_games",
    "record_line",
    "stream",
]
