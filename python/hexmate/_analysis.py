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

#: Records, or their answers, that may wait for each worker: this bounds the memory.
_AHEAD = 16


def _processors() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def record_line(record: Record) -> str:
    """Return a record as a line of input for ``hexmate analyse``.

    A mapping keeps its ``id`` and ``game``. A position includes its game and the moves that led to it, which
    count for repetition.

    Raises ``TypeError`` for anything else, and ``ValueError`` for text with several lines.
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
    """An exception from an iterator, to be raised again when everything before it is done."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def until_failure(items: Iterable[_Item]) -> Iterator[Union[_Item, Failure]]:
    """Yield the items; if their iterator raises, yield a failure last."""
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
    """Yield the answers as JSON text, in the order of the records: the lines of ``hexmate analyse``.

    ``records`` may have any length; it is read only a little ahead of the answers. ``jobs`` positions are
    searched at once (default: the number of processors), each with its own transposition table. ``options``
    are those of :class:`Analyser`. A record that cannot be used gets an answer that says so and does not
    raise. Something that is not a record at all raises ``TypeError`` in its place, after the answers to the
    records before it.
    """
    jobs = jobs or _processors()
    # Created here, so that wrong options raise at once and not with the first answer.
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
    """Return the answers to some records, in order, each a ``dict`` with the fields of ``docs/formats.md``.

    ``jobs`` and ``options`` are as for :func:`analyse_lines`, which is for more records than fit in memory.
    """
    return [json.loads(line) for line in analyse_lines(records, jobs=jobs, **options)]
