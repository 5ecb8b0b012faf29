"""Rebuilding what was pickled."""

from __future__ import annotations

from ._native import Position, Rules, load_text


def rules(game: str, text: str) -> Rules:
    """Return a game by its name, or that of a file with this text, which need not exist here."""
    return load_text(game, text) if text else Rules(game)


def position(fen: str, game: tuple[str, str], moves: str) -> Position:
    """Return the position that these moves lead to."""
    return Position(fen, rules(*game)).play(moves)
