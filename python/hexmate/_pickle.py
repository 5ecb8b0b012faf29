"""Rebuilding what was pickled."""

from __future__ import annotations

from typing import Any

from ._game import Node
from ._native import Position, Rules, load_text


def rules(game: str, text: str) -> Rules:
    """Return a game by its name, or that of a file with this text, which need not exist here."""
    return load_text(game, text) if text else Rules(game)


def position(fen: str, game: tuple[str, str], moves: str) -> Position:
    """Return the position that these moves lead to."""
    return Position(fen, rules(*game)).play(moves)


def tree(start: Position, nodes: list[tuple[Any, ...]]) -> Node:
    """Return the root of a tree. Its nodes come after their parents, each as the parent's number and what it has."""
    made: list[Node] = []
    for parent, move, comments, nags, intro in nodes:
        if parent is None:
            node = Node(start)
        else:
            before = made[parent]
            node = Node(before.position.play([move]), before, move)
            before.children.append(node)
        node.comments, node.nags, node.intro = list(comments), list(nags), list(intro)
        made.append(node)
    return made[0]


def node(root: Node, places: list[int]) -> Node:
    """Return the node that one comes to from the root by these places among the children."""
    for place in places:
        root = root.children[place]
    return root
