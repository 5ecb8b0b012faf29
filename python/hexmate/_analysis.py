"""Many records at once, on the threads of this process."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sized
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Callable, TypeVar, Union, overload

from ._answer import Answer
from ._native import Analyser, Position, Rules

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options

#: What can be analysed: a position, a line as ``hexmate analyse`` reads it (a position text or a JSON
#: object), or a mapping with the fields of such an object.
Record = Union[Position, str, Mapping[str, Any]]

#: Records, or their answers, that may wait for each worker: this bounds the memory.
_AHEAD = 16


@dataclass(frozen=True)
class Progress:
    """How far an analysis of many records is."""

    #: Records answered.
    done: int
    #: All records, if that is known.
    total: int | None
    #: Since the beginning.
    seconds: float
    #: The last answer.
    answer: Answer

    def __str__(self) -> str:
        rate = self.done / max(self.seconds, 1e-9)
        of = f" of {self.total}" if self.total is not None else ""
        left = ""
        if self.total is not None and rate > 0:
            left = f", {(self.total - self.done) / rate:.0f} s left"
        return f"{self.done}{of} records, {rate:.1f}/s{left}"


#: Whether to show the progress on standard error, or what to call with it.
Told = Union[bool, Callable[[Progress], object]]


def _processors() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def whole_number(name: str, value: object, least: int = 1) -> int:
    """Check an argument: a whole number that is not too small."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name}: expected an int, not {type(value).__name__}")
    number: int = value.__index__()
    if number < least:
        raise ValueError(f"{name} must be at least {least}, not {number}")
    return number


def record_line(record: Record) -> str:
    """Return a record as a line of input for ``hexmate analyse``.

    A mapping keeps its ``id`` and ``game``. A position includes its game and the moves that led to it, which
    count for repetition; a game from a file is named by its path.

    Raises ``TypeError`` for anything else, and ``ValueError`` for text with several lines.
    """
    if isinstance(record, Position):
        line = {"game": record._game_key, "fen": record.start_fen, "moves": record.history}
        return json.dumps(line)
    if isinstance(record, Mapping):
        fields = dict(record)
        if isinstance(fields.get("game"), (Rules, os.PathLike)):
            fields["game"] = Position(game=fields["game"])._game_key
        return json.dumps(fields, ensure_ascii=False)
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


def analyse_lines(
    records: Iterable[Record], *, jobs: int | None = None, **options: Unpack[Options]
) -> Iterator[str]:
    """Yield the answers as JSON text, in the order of the records: the lines of ``hexmate analyse``.

    ``records`` may have any length; it is read only a little ahead of the answers. ``jobs`` positions are
    searched at once (default: the number of processors), each with its own transposition table. ``options``
    are those of :class:`Analyser`. A record that cannot be used gets an answer that says so and does not
    raise. Something that is not a record at all raises ``TypeError`` in its place, after the answers to the
    records before it.
    """
    if isinstance(records, (str, Position, Mapping)) or not isinstance(records, Iterable):
        kind = type(records).__name__
        raise TypeError(f"records: expected an iterable of records, not {kind}; put a single one into a list")
    jobs = _processors() if jobs is None else whole_number("jobs", jobs)
    # Created here, so that wrong options raise at once and not with the first answer.
    analysers = [Analyser(**options) for _ in range(jobs)]
    return _answers(records, analysers)


def _answers(records: Iterable[Record], analysers: list[Analyser]) -> Iterator[str]:
    idle: SimpleQueue[Analyser] = SimpleQueue()
    for each in analysers:
        idle.put(each)
    over = Event()

    def answer(line: str, number: int) -> str:
        analyser = idle.get()
        try:
            return "" if over.is_set() else analyser.answer(line, number)
        finally:
            idle.put(analyser)

    jobs = len(analysers)
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
                    yield waiting[0].result()
                    waiting.popleft()
            while waiting:
                yield waiting[0].result()
                waiting.popleft()
            if failure is not None:
                raise failure
        finally:
            # Whoever stops listening, by Ctrl-C or otherwise, does not wait for what is being searched.
            over.set()
            running = [future for future in waiting if not future.cancel()]
            while running:
                for analyser in analysers:
                    analyser.stop()
                running = list(wait(running, timeout=0.01).not_done)


def stream(
    records: Iterable[Record], *, jobs: int | None = None, progress: Told = False, **options: Unpack[Options]
) -> Iterator[Answer]:
    """Yield the answers one by one, in the order of the records.

    ``records`` may have any length. ``jobs`` and ``options`` are as for :func:`analyse_lines`. ``progress`` shows
    the progress on standard error, or is called with a :class:`Progress` after each answer.
    """
    lines = analyse_lines(records, jobs=jobs, **options)
    total = len(records) if isinstance(records, Sized) else None
    return _told(lines, total, progress)


def _told(lines: Iterator[str], total: int | None, progress: Told) -> Iterator[Answer]:
    begin = told = time.monotonic()
    last = None
    for done, line in enumerate(lines, 1):
        answer = Answer.parse(line)
        if progress is not False:
            now = time.monotonic()
            last = Progress(done, total, now - begin, answer)
            if callable(progress):
                progress(last)
            elif now - told >= 0.5:
                told = now
                print(f"\r{last}    ", end="", file=sys.stderr, flush=True)
        yield answer
    if progress is True and last is not None:
        print(f"\r{last}    ", file=sys.stderr, flush=True)


@overload
def analyse(
    records: Position, *, jobs: int | None = ..., progress: Told = ..., **options: Unpack[Options]
) -> Answer: ...
@overload
def analyse(
    records: Iterable[Record], *, jobs: int | None = ..., progress: Told = ..., **options: Unpack[Options]
) -> list[Answer]: ...
def analyse(
    records: Position | Iterable[Record],
    *,
    jobs: int | None = None,
    progress: Told = False,
    **options: Unpack[Options],
) -> Answer | list[Answer]:
    """Return the answer to a position, or the list of answers to some records, in order.

    An answer is a ``dict`` with the fields of ``docs/formats.md``, which can also be read as attributes. ``jobs``,
    ``progress`` and ``options`` are as for :func:`stream`, which is for more records than fit in memory. Ctrl-C ends
    it at once.
    """
    if isinstance(records, Position):
        [answer] = stream([records], jobs=1, progress=progress, **options)
        return answer
    return list(stream(records, jobs=jobs, progress=progress, **options))


class _Deepening:
    """The answers to one position, depth by depth; see :func:`deepen`."""

    def __init__(self, analyser: Analyser, line: str) -> None:
        self._analyser = analyser
        self._line = line
        self._found: SimpleQueue[str | BaseException | None] = SimpleQueue()
        self._over = Event()

    def _search(self) -> None:
        try:
            self._found.put(self._analyser.answer(self._line, 1, self._found.put))
        except BaseException as error:
            self._found.put(error)
        finally:
            self._over.set()
            self._found.put(None)

    def answers(self) -> Iterator[Answer]:
        """Yield the answers; the search ends when nobody wants more."""
        thread = Thread(target=self._search, name="hexmate", daemon=True)
        thread.start()
        try:
            while (found := self._found.get()) is not None:
                if isinstance(found, BaseException):
                    raise found
                answer = Answer.parse(found)
                answer["id"] = 1
                yield answer
        finally:
            while not self._over.wait(0.01):
                self._analyser.stop()
            thread.join()


def deepen(position: Position, **options: Unpack[Options]) -> Iterator[Answer]:
    """Yield what is known of a position after each depth, and at last the answer.

    ``options`` are those of :class:`Analyser`. The search runs meanwhile; it ends when the iterator is closed, and by
    Ctrl-C.
    """
    if not isinstance(position, Position):
        raise TypeError(f"position: expected a Position, not {type(position).__name__}")
    return _Deepening(Analyser(**options), record_line(position)).answers()
