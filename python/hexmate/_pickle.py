"""Positions on their way between processes."""

from ._native import Position


def rebuild(fen: str, game: str, moves: str) -> Position:
    """The position that these moves lead to."""
    return Position(fen, game=game).play(moves)
