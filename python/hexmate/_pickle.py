"""Pickling of positions."""

from ._native import Position


def rebuild(fen: str, game: str, moves: str) -> Position:
    """Return the position that these moves lead to."""
    return Position(fen, game=game).play(moves)
