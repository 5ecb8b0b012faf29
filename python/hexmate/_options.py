"""The options of analyses, for type checkers."""

from __future__ import annotations

import os
from typing import TypedDict, Union

from ._native import Rules

#: A path.
Path = Union[str, "os.PathLike[str]"]

#: What names a game: its name or title, the path of its file, or rules.
GameName = Union[str, "os.PathLike[str]", Rules]


class Options(TypedDict, total=False):
    """See :class:`hexmate.Analyser`."""

    game: GameName
    depth: Union[int, None]
    nodes: Union[int, None]
    movetime: Union[int, None]
    timeout: Union[int, None]
    mate: Union[int, None]
    multipv: Union[int, None]
    wdl: bool
    explain: bool
    threads: Union[int, None]
    hash: Union[int, None]
    eval_file: Union[Path, None]
    tables: Union[Path, None]
    letters: Union[str, None]
