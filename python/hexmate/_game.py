"""Games as trees of moves, and PGN."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Union

from ._native import PgnReader, Position, Rules, pgn_text
from ._review import Review, review

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._analysis import Told
    from ._options import GameName, Options

#: The results there are.
RESULTS = ("1-0", "3/4-1/4", "1/2-1/2", "1/4-3/4", "0-1", "*")

#: The tags that a game has by itself, in small letters; readers do not tell letters apart.
_OWN_TAGS = ("variant", "fen", "setup", "result")

#: As many variations within each other are read.
_MOST_NESTED = 30

#: What an outcome is worth in PGN, by White's share.
_BY_POINTS = {1.0: "1-0", 0.75: "3/4-1/4", 0.5: "1/2-1/2", 0.25: "1/4-3/4", 0.0: "0-1"}


class Node:
    """A position of a game, and what was or might have been played from there.

    The first of its :attr:`children` goes on with the line, the others are variations.
    """

    def __init__(self, position: Position, parent: Node | None = None, move: str | None = None) -> None:
        #: The position, with all the moves that led to it.
        self.position: Position = position
        #: The node before, None at the root.
        self.parent: Node | None = parent
        #: What was played from here, and variations.
        self.children: list[Node] = []
        #: Comments on the move that led here; at the root, on the game.
        self.comments: list[str] = []
        #: Numeric annotation glyphs of that move: 1 is !, 2 is ?, 3 is !!, 4 is ??, 5 is !?, 6 is ?!.
        self.nags: list[int] = []
        #: Comments before the first move of a variation that begins with this move; at the root, on the game.
        self.intro: list[str] = []
        # Kept, since the history is as long as the game.
        self._move: str | None = move

    @property
    def move(self) -> str | None:
        """The move that led here, in cells; None at the root."""
        if self.parent is None:
            return None
        return self._move or self.position.history[-1]

    @property
    def san(self) -> str | None:
        """The same in standard algebraic notation."""
        move = self.move
        return None if move is None or self.parent is None else self.parent.position.san(move)

    @property
    def next(self) -> Node | None:
        """The next node of the line."""
        return self.children[0] if self.children else None

    @property
    def variations(self) -> list[Node]:
        """What might have been played from here besides."""
        return self.children[1:]

    def play(self, moves: str | Iterable[str]) -> Node:
        """Play one or more moves, in any notation, and return the node that they lead to.

        A move that is there already is followed; any other is added: as the line if there is none, else as a
        variation. Raises ``ValueError`` if a move is not legal, and then adds nothing.
        """
        node = self
        for move in self.position._cells(moves):
            node = node._child(move)
        return node

    def _child(self, move: str) -> Node:
        for child in self.children:
            if child.move == move:
                return child
        child = Node(self.position.play([move]), self, move)
        self.children.append(child)
        return child

    def promote(self) -> None:
        """Make this node the line of its parent. Raises ``ValueError`` at the root."""
        siblings = self._siblings("the root of a game is no variation")
        siblings.remove(self)
        siblings.insert(0, self)

    def remove(self) -> None:
        """Take this node and all that follows out of the game. Raises ``ValueError`` at the root."""
        self._siblings("the root of a game cannot be removed").remove(self)
        self.parent = None

    def _siblings(self, at_root: str) -> list[Node]:
        """The parent's children. Without a parent there is a ``ValueError``, at the root with this text."""
        if self.parent is None:
            raise ValueError("this node was removed from its game" if self._was_removed else at_root)
        return self.parent.children

    @property
    def _was_removed(self) -> bool:
        # No move leads to the root of a game.
        return self.parent is None and bool(self.position.history)

    def line(self) -> Iterator[Node]:
        """Yield the nodes after this one, along the line."""
        node = self.next
        while node is not None:
            yield node
            node = node.next

    def __copy__(self) -> Node:
        """The same node of another tree: none belongs to the tree of another."""
        return deepcopy(self)

    def __reduce__(self) -> tuple[Callable[..., Node], tuple[Any, ...]]:
        """Pickling: a root takes its tree along as a list, since one node within another would be too deep."""
        from . import _pickle

        if self.parent is None:
            numbers: dict[int, int] = {}
            nodes: list[tuple[Any, ...]] = []
            for node in all_nodes(self):
                parent = None if node.parent is None else numbers[id(node.parent)]
                numbers[id(node)] = len(nodes)
                nodes.append((parent, node.move, node.comments, node.nags, node.intro))
            return _pickle.tree, (self.position, nodes)
        places: list[int] = []
        node = self
        while node.parent is not None:
            places.append([id(child) for child in node.parent.children].index(id(node)))
            node = node.parent
        return _pickle.node, (node, places[::-1])

    def __repr__(self) -> str:
        what = f"{self.position.history_san[-1]}, removed" if self._was_removed else self.san or "the start"
        return f"<hexmate.Node: {what}, {len(self.children)} children>"


def all_nodes(root: Node) -> list[Node]:
    """All nodes; each comes after its parent, and siblings in their order."""
    nodes: list[Node] = []
    left = [root]
    while left:
        node = left.pop()
        nodes.append(node)
        left.extend(reversed(node.children))
    return nodes


class Game:
    """A game: tags, a tree of moves, a result.

        >>> import hexmate
        >>> game = hexmate.Game()
        >>> last = game.play("1. e5 e6 2. Qc3")
        >>> last.comments.append("as usual")
        >>> game.moves
        ['e4e5', 'e7e6', 'e1c3']
        >>> print(game.pgn().splitlines()[-2])
        1. e5 e6 2. Qc3 {as usual} *
    """

    def __init__(self, start: Position | None = None, *, game: GameName | None = None) -> None:
        """A game from the start of ``game``, or from a position. The moves that led to that are played first."""
        if start is not None and game is not None:
            raise ValueError("game: a position has its own; give only one of them")
        if start is None:
            start = Position(game=game)
        elif not isinstance(start, Position):
            raise TypeError(f"start: expected a Position, not {type(start).__name__}")
        #: The tags of PGN. ``Variant``, ``FEN``, ``SetUp`` and ``Result`` are written by themselves.
        self.tags: dict[str, str] = {}
        #: The first node.
        self.root: Node = Node(Position(start.start_fen, start.rules))
        #: What kept the rest of the game, or parts of it, from being read.
        self.faults: list[str] = []
        self._result: str | None = None
        if start.history:
            self.root.play(start.history)

    @property
    def rules(self) -> Rules:
        """The game's rules."""
        return self.root.position.rules

    @property
    def end(self) -> Node:
        """The last node of the game itself."""
        node = self.root
        for node in self.root.line():
            pass
        return node

    @property
    def position(self) -> Position:
        """The last position."""
        return self.end.position

    @property
    def moves(self) -> list[str]:
        """The moves of the game itself, in cells."""
        return self.position.history

    @property
    def moves_san(self) -> list[str]:
        """The same in standard algebraic notation."""
        return self.position.history_san

    @property
    def positions(self) -> list[Position]:
        """All positions of the game itself, the first and the last included."""
        return [self.root.position, *(node.position for node in self.root.line())]

    @property
    def result(self) -> str:
        """The result: what was set, or else what the rules say of the last position, ``"*"`` if nothing."""
        if self._result is not None:
            return self._result
        points = self.position.points
        return "*" if points is None else _BY_POINTS[points[0]]

    @result.setter
    def result(self, result: str) -> None:
        if result not in RESULTS:
            raise ValueError(f"result: {result!r}; expected one of {', '.join(RESULTS)}")
        self._result = result

    def play(self, moves: str | Iterable[str]) -> Node:
        """Play one or more moves, in any notation, at the end of the game."""
        return self.end.play(moves)

    def review(
        self, *, jobs: int | None = None, progress: Told = False, **options: Unpack[Options]
    ) -> Review:
        """Judge the moves of the game itself. The options are those of :func:`hexmate.analyse`.

        Inaccuracies, mistakes and blunders have explanations, whatever ``explain`` says.
        """
        tags = {**self._tags(), "Result": self.result}
        return review(self.positions, tags, jobs=jobs, progress=progress, **options)

    def _tags(self) -> Mapping[str, str]:
        """The tags, which anybody may have replaced."""
        if not isinstance(self.tags, Mapping):
            raise TypeError(f"tags: expected a dict, not {type(self.tags).__name__}")
        return self.tags

    def pgn(self, notation: Literal["san", "cells"] = "san") -> str:
        """The game as PGN text, variations and comments included, followed by an empty line.

        In comments a line end becomes a blank, and ``}``, which would end them, becomes ``)``; in the values of tags, line
        ends and other control characters become blanks. The comments in a node's ``intro`` stand before its move also where
        that is the line: when the text is read again, they are comments on the move before it.
        """
        if notation not in ("san", "cells"):
            raise ValueError(f"notation: {notation!r}; expected 'san' or 'cells'")
        start = self.root.position
        tags = {name: value for name, value in self._tags().items() if str(name).lower() not in _OWN_TAGS}
        tags.update(Variant=self.rules.name, Result=self.result)
        if start.fen != self.rules.start_fen:
            tags["FEN"] = start.fen
        for name, value in tags.items():
            if fault := _unwritable("a str", name, value):
                raise ValueError(f"tags: {name!r}: {fault}")
        if self.root.nags:
            raise ValueError(f"nags: {self.root.nags!r} at ply 0, the start: expected none, since no move led there")
        for node in all_nodes(self.root):
            if fault := _unwritable("lists of str and of int", node.comments, node.intro, node.nags):
                place = f"ply {len(node.position.history)}, {node.move or 'the start'}"
                raise ValueError(f"comments or nags at {place}: {fault}")
        told = {"tags": list(tags.items()), "result": self.result, "main": _told(self.root)}
        return pgn_text(json.dumps(told), self.rules, notation == "san")

    def __str__(self) -> str:
        return self.pgn()

    def __repr__(self) -> str:
        return f"<hexmate.Game: {self.rules}, {len(self.moves)} plies, {self.result}>"

    def _repr_html_(self) -> str:
        from ._notebook import player

        return player(self)


def _unwritable(expected: str, *values: object) -> str | None:
    """What is wrong with values that cannot be written, if anything, and what would be right."""
    try:
        json.dumps(values, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        return "not UTF-8 (half of a surrogate pair)"
    except (TypeError, ValueError) as error:
        return f"{error}; expected {expected}"
    return None


def _told(root: Node) -> dict[str, Any]:
    """The line that begins at a node."""
    # Whatever stands before the first move is on the game.
    return {"intro": _joined(root.comments, root.intro, _next_intro(root)), "moves": _moves(root)}


def _moves(node: Node, depth: int = 0) -> list[dict[str, Any]]:
    if depth > _MOST_NESTED:
        raise ValueError(f"more than {_MOST_NESTED} variations within each other")
    moves = []
    while node.children:
        line, *others = node.children
        # Each variation is written behind the move that it replaces.
        variations = [{"intro": other.intro, "moves": [_one(other, []), *_moves(other, depth + 1)]} for other in others]
        moves.append(_one(line, variations))
        node = line
    return moves


def _one(node: Node, variations: list[dict[str, Any]]) -> dict[str, Any]:
    comments = _joined(node.comments, _next_intro(node))
    return {"move": node.move, "nags": node.nags, "comments": comments, "variations": variations}


def _next_intro(node: Node) -> Any:
    """The comments before the move that goes on."""
    return node.next.intro if node.next else []


def _joined(*comments: Any) -> Any:
    """Comments that stand between the same two moves of a line: there is but one place.

    What is no list is told of by whoever writes it.
    """
    for each in comments:
        if not isinstance(each, (list, tuple)):
            return each
    return [comment for each in comments for comment in each]


def _add(node: Node, line: dict[str, Any]) -> None:
    """Add the moves of a line that was read after a node."""
    parents = []
    for place, move in enumerate(line["moves"]):
        child = node._child(move["move"])
        child.comments += move["comments"]
        child.nags += [nag for nag in move["nags"] if nag not in child.nags]
        if place == 0:
            child.intro += line["intro"]
        parents.append(node)
        node = child
    # Not before the whole line is there: a variation may repeat its moves and go on, but as a variation.
    for parent, move in zip(parents, line["moves"]):
        for variation in move["variations"]:
            _add(parent, variation)


def _game(text: str, rules: Rules) -> Game:
    read = json.loads(text)
    game = Game(Position(read["fen"], rules))
    game.faults = ([read["fault"]] if read["fault"] else []) + read["faults"]
    for name, value in read["tags"]:
        if name.lower() not in _OWN_TAGS:
            game.tags.setdefault(name, value)
    main = read["main"]
    game.root.comments = main["intro"]
    _add(game.root, {"intro": [], "moves": main["moves"]})
    game.result = read["result"]
    return game


def read_games(
    source: Union[str, os.PathLike[str]], *, game: GameName | None = None, letters: str | None = None
) -> Iterator[Game]:
    """Yield the games of a file in PGN, one by one.

    ``source`` is the path of a file, or a text with at least one line end of any kind. ``game`` is that of games which
    do not name one. ``letters`` are those of pieces in another language, like ``"hungarian"``. A bad game raises
    nothing; whatever could not be read is listed in its :attr:`Game.faults`, and the moves before that are there.
    """
    rules = Rules(game)
    if isinstance(source, str) and ("\n" in source or "\r" in source):
        if fault := _unwritable("a str", source):
            raise ValueError(f"source: {fault}")
        text = source.replace("\r\n", "\n").replace("\r", "\n")
        reader = PgnReader(text=text, game=rules, letters=letters)
    elif isinstance(source, (str, os.PathLike)):
        # Not always by Path, for which an empty path is the folder that is current.
        path = source if isinstance(source, str) else Path(source)
        if os.path.isdir(path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        reader = PgnReader(path=path, game=rules, letters=letters)
    else:
        raise TypeError(f"source: expected a path or a text of games, not {type(source).__name__}")
    return (_game(text, which) for text, which in reader)
