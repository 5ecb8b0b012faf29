"""Hexmate for programs that use python-chess: its ``SimpleEngine`` drives ``hexmate uci``.

Needs ``pip install 'hexmate[chess]'``, and the program ``hexmate``. python-chess is under the GPL; nothing of it is
part of Hexmate.

    with hexmate.chess_engine.open("hexmate") as engine:
        board = hexmate.chess_engine.board(game="mccooey")
        board.push(engine.play(board, chess.engine.Limit(nodes=5000)).move)
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ._native import Position

if TYPE_CHECKING:
    from ._options import GameName

try:
    import chess
    import chess.engine
except ImportError as error:  # pragma: no cover
    raise ImportError("hexmate.chess_engine needs python-chess: pip install 'hexmate[chess]'") from error

# The line of an answer ends for python-chess with the first word that is no move on 64 squares. Every such move is one
# of these, too.
chess.engine.UCI_REGEX = re.compile(r"^[a-z][1-9][0-9]?[a-z][1-9][0-9]?[a-z]?\Z|[PNBRQK]@[a-h][1-8]|0000\Z")


class Move(str):
    """A move in cells, as text and as what python-chess takes for a move."""

    __slots__ = ()

    def uci(self) -> str:
        """The move in cells."""
        return str(self)

    def __bool__(self) -> bool:
        """Whether it is not the null move, as for python-chess's own moves."""
        return str(self) != "0000"


#: What engines give where no move can be made.
NULL = Move("0000")


class Board:
    """A position and the moves that led to it, as python-chess's engines want it.

    It has no other methods of ``chess.Board``: the position itself is in :attr:`position`.
    """

    #: The game, or the path of its file; each has a class of its own.
    uci_variant: str = "glinski"
    chess960 = False

    def __init__(self, position: Position) -> None:
        #: The position now.
        self.position: Position = position
        # Null moves after those of the position.
        self._passes = 0

    @property
    def turn(self) -> bool:
        """Whether it is White's turn."""
        return self.position.turn == "white"

    @property
    def move_stack(self) -> list[Move]:
        """The moves that led here."""
        return [Move(move) for move in self.position.history] + [NULL] * self._passes

    @property
    def legal_moves(self) -> list[Move]:
        """The legal moves."""
        return [Move(move) for move in self.position.moves]

    def root(self) -> Board:
        """The first position."""
        return type(self)(Position(self.position.start_fen, self.position.rules))

    def fen(self, **_: Any) -> str:
        """The position as text."""
        return self.position.fen

    def copy(self, *, stack: bool = True) -> Board:
        """Another board with the same position, with the moves that led there or without."""
        position = self.position
        if not stack:
            return type(self)(Position(position.fen, position.rules))
        board = type(self)(position)
        board._passes = self._passes
        return board

    def parse_uci(self, text: str) -> Move:
        """A legal move, or where there is none the null move ``0000``, which engines then give. Raises ``ValueError``
        for any other."""
        if text == NULL and not self.position.moves:
            return NULL
        return Move(self.position.move(text))

    def push(self, move: Any) -> None:
        """Play a move: text in any notation, or what an engine gave. After a null move nothing changes."""
        if str(move) == NULL and not self.position.moves:
            self._passes += 1
        else:
            self.position = self.position.play([str(move)])

    def push_uci(self, text: str) -> Move:
        """Play a move that is given as text."""
        move = self.parse_uci(text)
        self.push(move)
        return move

    def pop(self) -> Move:
        """Take the last move back."""
        if self._passes:
            self._passes -= 1
            return NULL
        move = Move(self.position.history[-1])
        self.position = self.position.back()
        return move

    def is_game_over(self) -> bool:
        """Whether the game has ended."""
        return self.position.outcome is not None

    def _repr_svg_(self) -> str:
        return self.position.svg()

    def __str__(self) -> str:
        return str(self.position)


def board(position: Position | str | None = None, *, game: GameName | None = None) -> Any:
    """A board of a position, of a position text, or of the start of a game, also of one from a file.

    Its type is ``Any``, since python-chess asks for a ``chess.Board``, which it need not be. Raises ``ValueError`` if
    the file of a game is gone (the program reads it itself) or was loaded again with other rules, or if a position is
    given and its game, too.
    """
    if isinstance(position, Position) and game is not None:
        raise ValueError("game: a position has its own; give only one of them")
    if not isinstance(position, Position):
        position = Position(position, game)
    name, key = position.game, position._game_key
    if key == name:
        return type(f"{name.capitalize()}Board", (Board,), {"uci_variant": name})(position)
    if not os.path.isfile(key):
        raise ValueError(f"game: the program must read the file of '{name}', and there is none at {key}")
    return type("FileBoard", (Board,), {"uci_variant": key})(position)


def open(
    program: str | os.PathLike[str] | Sequence[str] = "hexmate", **options: Any
) -> chess.engine.SimpleEngine:
    """Start the program as an engine: its name, its path, or the words of a command; ``uci`` is added if it is not one.

    ``options`` are those of ``SimpleEngine.popen_uci``. Raises ``chess.engine.EngineError`` if it is another engine.
    """
    words = [program] if isinstance(program, (str, os.PathLike)) else program
    expected = "program: expected its name, its path or the words of a command"
    if not isinstance(words, Sequence) or not all(isinstance(word, (str, os.PathLike)) for word in words):
        raise TypeError(f"{expected}, not {type(program).__name__}")
    command = [os.fspath(word) for word in words]
    if not command or not command[0]:
        raise ValueError(f"{expected}, not {program!r}")
    if "uci" not in command[1:]:
        command.append("uci")
    engine = chess.engine.SimpleEngine.popen_uci(command, **options)
    # python-chess allows only the games that the program lists. Games from files are named by their paths.
    known: Any = engine.protocol.options
    if "UCI_Variant" not in known:
        engine.close()
        raise chess.engine.EngineError(f"{' '.join(command)}: no option UCI_Variant; expected the program hexmate")
    known["UCI_Variant"] = replace(known["UCI_Variant"], type="string", var=None)
    return engine
