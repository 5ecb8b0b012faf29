"""Chess on hexagonal boards: positions, moves and analysis.

    >>> import hexmate
    >>> start = hexmate.Position()
    >>> start.play("e4e5").turn
    'black'
    >>> [answer] = hexmate.analyse([start], nodes=1000)
    >>> answer["status"]
    'ok'
"""

from ._analysis import analyse, analyse_lines, record_line
from ._native import GAMES, Analyser, Position, __version__

__all__ = [
    "GAMES",
    "Analyser",
    "Position",
    "__version__",
    "analyse",
    "analyse_lines",
    "record_line",
]
