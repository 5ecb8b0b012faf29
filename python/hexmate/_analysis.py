"""Many records at once, on the threads of this process."""

from __future__ import annotations

import json
import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, Iterable, Iterator, TypeVar, Union

from ._native import Analyser, Position

#: What can be analysed: a position, a line as ``hexmate analyse`` reads it (a position text or a JSON
#: object), or a mapping with the fields of such an object.
Record = Union[Position, str, dict]

#: Records that wait, or whose answers wait, for each worker: what bounds the memory.
_AHEAD = 16


def _processors() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def record_line(record: Record) -> str:
    """The line of input for ``hexmate analyse`` that says what a record says.

    A mapping keeps its ``id`` and ``game``; a position brings its game and the moves that led to it, which
    count for repetition.

    Raises ``TypeError`` for anything else, and ``ValueError`` for text of several lines.
    """
    if isinstance(record, Position):
        line = {"game": record.game, "fen": record.start_fen, "moves": record.history}
        return json.dumps(line)
    if isinstance(record, dict):
        return json.dumps(record, ensure_ascii=False)
    if isinstance(record, str):
        text = record.strip("\r\n")
        if "\n" in text:
            raise ValueError("a record is one line; this text has several: pass its lines one by one")
        return text
    raise TypeError(f"a record is a Position, a str or a dict, not {type(record).__name__}")


_Item = TypeVar("_Item")


class Failure:
    """What an iterator raised, to be raised again when everything before it is done."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def until_failure(items: Iterable[_Item]) -> Iterator[Union[_Item, Failure]]:
    """The items; if their iterator raises, a failure in its place is the last one."""
    iterator = iter(items)
    while True:
        try:
            item = next(iterator)
        except StopIteration:
            return
        except Exception as error:
            yield Failure(error)
            return
        yield item


def analyse_lines(records: Iterable[Record], *, jobs: int | None = None, **options: Any) -> Iterator[str]:
    """The answers as JSON text, in the order of the records: the lines of ``hexmate analyse``.

    ``records`` is read as answers are taken, a little ahead; any length will do. ``jobs`` positions are
    searched at once (default: as many as there are processors), each with a table of its own. ``options``
    are those of :class:`Analyser`. A record that cannot be used gets an answer that says so; it never
    raises. What is not a record at all raises ``TypeError`` in its place, after the answers to those before it.
    """
    jobs = jobs or _processors()
    # Made here, so that wrong options raise at once and not with the first answer.
    idle: SimpleQueue[Analyser] = SimpleQueue()
    for _ in range(jobs):
        idle.put(Analyser(**options))
    return _answers(records, idle, jobs)


def _answers(records: Iterable[Record], idle: SimpleQueue[Analyser], jobs: int) -> Iterator[str]:
    def answer(line: str, number: int) -> str:
        analyser = idle.get()
        try:
            return analyser.answer(line, number)
        finally:
            idle.put(analyser)

    with ThreadPoolExecutor(jobs, thread_name_prefix="hexmate") as pool:
        waiting: deque[Future[str]] = deque()
        try:
            failure = None
            for number, line in enumerate(until_failure(map(record_line, records)), 1):
                if isinstance(line, Failure):
                    failure = line.error
                    break
                waiting.append(pool.submit(answer, line, number))
                if len(waiting) >= _AHEAD * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
            if failure is not None:
                raise failure
        finally:
            for future in waiting:
                future.cancel()


def analyse(records: Iterable[Record], *, jobs: int | None = None, **options: Any) -> list[dict[str, Any]]:
    """The answers to some records, in their order, each a ``dict`` with the fields of ``docs/formats.md``.

    ``jobs`` and ``options`` as for :func:`analyse_lines`, which is for more records than fit in memory.
    """
    return [json.loads(line) for line in analyse_lines(records, jobs=jobs, **options)]
