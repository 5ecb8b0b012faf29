"""The options of analyses, for type checkers."""

from __future__ import annotations

import os
from typing import SupportsIndex, TypedDict, Union

from ._native import Rules

#: A path.
Path = Union[str, "os.PathLike[str]"]

#: What names a game: its name or title, the path of its file, or rules.
GameName = Union[str, "os.PathLike[str]", Rules]


class Options(TypedDict, total=False):
    """See :class:`hexmate.Analyser`."""

    game: Union[GameName, None]
    depth: Union[SupportsIndex, None]
    nodes: Union[SupportsIndex, None]
    movetime: Union[SupportsIndex, None]
    timeout: Union[SupportsIndex, None]
    mate: Union[SupportsIndex, None]
    multipv: Union[SupportsIndex, None]
    wdl: bool
    explain: bool
    threads: Union[SupportsIndex, None]
    hash: Union[SupportsIndex, None]
    eval_file: Union[Path, None]
    tables: Union[Path, None]
    letters: Union[str, None]
