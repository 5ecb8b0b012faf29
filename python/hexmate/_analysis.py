"""Many records at once, on the threads of this process."""

from __future__ import annotations

import json
import math
import os
import re
import sys
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sized
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from datetime import time as time_of_day
from decimal import Decimal
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Callable, TypeVar, Union, overload
from uuid import UUID

from ._answer import Answer
from ._native import Analyser, Position, Rules
from ._threads import Searchers

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options

#: What can be analysed: a position, a line as ``hexmate analyse`` reads it (a position text or a JSON
#: object), or a mapping with the fields of such an object.
Record = Union[Position, str, Mapping[str, Any]]

#: Records, or their answers, that may wait for each worker: this bounds the memory.
_AHEAD = 16

#: How lines begin that the program skips: the blanks that it knows, and then nothing or a comment.
_SKIPPED = re.compile(r"[^\S\x1c-\x1f]*(?:#|\Z)")


#: Answers as lines, with the rules that they were made with where these are from a file.
_Answered = Generator[tuple[str, Union[Rules, None]], None, None]


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


def job_count(jobs: int | None) -> int:
    """How many positions are searched at once: as many as there are processors unless it is said."""
    return _processors() if jobs is None else whole_number("jobs", jobs)


def whole_number(name: str, value: object, least: int = 1) -> int:
    """Check an argument: a whole number that is not too small."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name}: expected an int, not {type(value).__name__}")
    number: int = value.__index__()
    if number < least:
        raise ValueError(f"{name} must be at least {least}, not {number}")
    return number


def refuse_table(name: str, records: object) -> None:
    """Check an argument: a table of polars, Arrow or pandas is no iterable of records. Its items are columns."""
    # What a lazy table has as columns must not be asked: it would be computed.
    if hasattr(records, "collect") and hasattr(records, "collect_schema"):
        rows = ".collect().to_dicts()"
    elif hasattr(records, "columns"):
        ways = (".to_dicts()", ".to_pylist()", '.to_dict("records")')
        rows = next((way for way in ways if hasattr(records, way[1:].partition("(")[0])), "")
    else:
        rows = ""
    if rows:
        kind = type(records).__name__
        raise TypeError(f"{name}: expected an iterable of records, not a {kind}; pass its rows, {rows}")


def told_how(progress: object) -> None:
    """Check an argument: how to show the progress."""
    if not isinstance(progress, bool) and not callable(progress):
        raise TypeError(f"progress: expected a bool or a function, not {type(progress).__name__}")


def record_line(record: Record) -> str:
    """Return a record as a line of input for ``hexmate analyse``.

    A mapping keeps its ``id`` and ``game``. A position includes its game and the moves that led to it, which
    count for repetition; a game from a file is named by its path.

    In a mapping NaN and its like are taken for ``None``, as pandas has them in empty cells. Dates, times, decimals and
    UUIDs become texts, as in columns of Parquet; values of NumPy become Python's.

    Raises ``TypeError`` for anything else, and ``ValueError`` for text with several lines and infinite numbers.
    """
    if isinstance(record, Position):
        line = {"game": record._game_key, "fen": record.start_fen, "moves": record.history}
        return json.dumps(line)
    if isinstance(record, Mapping):
        fields = dict(record)
        if isinstance(fields.get("game"), (Rules, os.PathLike)):
            fields["game"] = Position(game=fields["game"])._game_key
        try:
            return json.dumps(fields, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError):
            for name, value in fields.items():
                try:
                    fields[name] = _plain(value)
                    json.dumps(fields[name])
                except (TypeError, ValueError, OverflowError, RecursionError) as error:
                    kind = TypeError if isinstance(error, TypeError) else ValueError
                    raise kind(f"{name}: {error}") from None
        return json.dumps(fields, ensure_ascii=False)
    if isinstance(record, str):
        text = record.strip("\r\n")
        if "\n" in text:
            raise ValueError("a record is one line; this text has several: pass its lines one by one")
        return text
    raise TypeError(f"a record is a Position, a str or a dict, not {type(record).__name__}")


def _plain(value: Any) -> Any:
    """Return the value of a field as JSON has it, with ``None`` for what pandas has where there is no value."""
    if isinstance(value, Decimal) and value.is_finite():
        return f"{value:f}"
    if isinstance(value, (float, Decimal)):
        if math.isinf(value):
            raise ValueError(f"expected a finite number, not {value}")
        return None if math.isnan(value) else value
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    # NaT is a datetime, too, but has no date: before those.
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, datetime):
        if value.tzinfo is not None:
            value = value.astimezone(timezone.utc)
        # Those of pandas may have nanoseconds.
        unit = "nanoseconds" if getattr(value, "nanosecond", 0) else "microseconds"
        text = value.replace(tzinfo=None).isoformat(" ", unit)
        return text if value.tzinfo is None else f"{text} +00:00"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, time_of_day):
        return value.isoformat("microseconds")
    if isinstance(value, (timedelta, UUID)):
        return str(value)
    if getattr(getattr(value, "dtype", None), "kind", "") in ("m", "M"):
        return _numpy_times(value)
    # Arrays and single values of NumPy; a few of the latter are their own.
    inside = value.tolist() if hasattr(value, "tolist") else value
    return value if type(inside) is type(value) else _plain(inside)


def _numpy_times(value: Any) -> Any:
    """Return dates and durations of NumPy as :func:`_plain` does."""
    inside = value.tolist()
    if isinstance(inside, list):
        return [_numpy_times(each) if hasattr(each, "dtype") else _plain(each) for each in value]
    if not isinstance(inside, int):
        return _plain(inside)
    # Python's own have no nanoseconds, months, or years beyond 9999.
    text = str(value)
    return None if text == "NaT" else text.replace("T", " ")


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


def numbered(records: Iterable[Record], skip: bool) -> Iterator[tuple[int, str]]:
    """Yield the lines of the records, each with the record's number from 1.

    With ``skip`` they are the lines of a file: those that are blank, and comments, count without being records.
    """
    for number, record in enumerate(records, 1):
        try:
            line = record_line(record)
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"record {number}: {error}") from error
        if skip and number == 1:
            # The byte order mark that some editors write.
            line = line.removeprefix("\ufeff")
        if not skip or not _SKIPPED.match(line):
            yield number, line


def analyse_lines(
    records: Iterable[Record], *, jobs: int | None = None, **options: Unpack[Options]
) -> Iterator[str]:
    """Yield the answers as JSON text, in the order of the records: the lines of ``hexmate analyse``.

    As there, blank texts and those that begin with ``#`` are skipped, but counted: an ``id`` is the number of a line.
    ``records``, a file for example, may have any length; it is read only a little ahead of the answers. ``jobs``
    positions are searched at once (default: the number of processors), each with its own transposition table.
    ``options`` are those of :class:`Analyser`. A record that cannot be used gets an answer that says so and does not
    raise. Something that is not a record at all raises ``TypeError`` in its place, after the answers to the records
    before it.
    """
    return _texts(_lines(records, jobs, True, options))


def _texts(lines: _Answered) -> Iterator[str]:
    with closing(lines):
        for line, _ in lines:
            yield line


def _lines(records: Iterable[Record], jobs: int | None, skip: bool, options: Options) -> _Answered:
    refuse_table("records", records)
    if isinstance(records, (str, Position, Mapping)) or not isinstance(records, Iterable):
        kind = type(records).__name__
        raise TypeError(f"records: expected an iterable of records, not {kind}; put a single one into a list")
    jobs = job_count(jobs)
    # Created here, so that wrong options raise at once and not with the first answer.
    analysers = [Analyser(**options) for _ in range(jobs)]
    return _answers(numbered(records, skip), analysers)


def _answers(lines: Iterable[tuple[int, str]], analysers: list[Analyser]) -> _Answered:
    ahead = _AHEAD * len(analysers)
    waiting: deque[Future[tuple[str, Union[Rules, None]]]] = deque()
    failure = None
    with Searchers(analysers) as searchers:
        for each in until_failure(lines):
            if isinstance(each, Failure):
                failure = each.error
                break
            number, line = each
            waiting.append(searchers.submit(partial(Analyser._answer, line=line, number=number)))
            # What is known by now does not wait for the next record, which may come slowly.
            while waiting and (waiting[0].done() or len(waiting) >= ahead):
                searchers.check_process()
                yield waiting.popleft().result()
        while waiting:
            searchers.check_process()
            yield waiting.popleft().result()
    if failure is not None:
        raise failure


def stream(
    records: Iterable[Record], *, jobs: int | None = None, progress: Told = False, **options: Unpack[Options]
) -> Iterator[Answer]:
    """Yield the answers one by one, in the order of the records.

    ``records`` may have any length, and each has an answer, blank texts included. ``jobs`` and ``options`` are as for
    :func:`analyse_lines`. ``progress`` shows the progress on standard error, or is called with a :class:`Progress`
    after each answer.
    """
    told_how(progress)
    lines = _lines(records, jobs, False, options)
    total = len(records) if isinstance(records, Sized) else None
    return _told(lines, total, progress)


def _told(lines: _Answered, total: int | None, progress: Told) -> Iterator[Answer]:
    # Whatever is raised here, the searches end with it, and not only when its traceback is forgotten.
    with closing(lines):
        yield from _shown(lines, total, progress)


def _shown(lines: _Answered, total: int | None, progress: Told) -> Iterator[Answer]:
    begin = told = time.monotonic()
    last, shown = None, False
    try:
        for done, (line, rules) in enumerate(lines, 1):
            answer = Answer._of(line, rules)
            if progress is not False:
                now = time.monotonic()
                last = Progress(done, total, now - begin, answer)
                if callable(progress):
                    progress(last)
                elif now - told >= 0.5:
                    told, shown = now, True
                    print(f"\r{last}    ", end="", file=sys.stderr, flush=True)
            yield answer
        if progress is True and last is not None:
            shown = True
            print(f"\r{last}    ", end="", file=sys.stderr, flush=True)
    finally:
        if shown:
            print(file=sys.stderr, flush=True)


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
        if jobs is not None:
            whole_number("jobs", jobs)
        [answer] = stream([records], jobs=1, progress=progress, **options)
        return answer
    return list(stream(records, jobs=jobs, progress=progress, **options))


def deepen(position: Position, **options: Unpack[Options]) -> Iterator[Answer]:
    """Yield what is known of a position after each depth, and at last the answer.

    ``options`` are those of :class:`Analyser`. The search runs meanwhile; it ends when the iterator is closed, and by
    Ctrl-C.
    """
    if not isinstance(position, Position):
        raise TypeError(f"position: expected a Position, not {type(position).__name__}")
    rules = position.rules if position.rules.path is not None else None
    return _deepened(record_line(position), rules, Analyser(**options))


def _deepened(line: str, rules: Rules | None, analyser: Analyser) -> Iterator[Answer]:
    found: SimpleQueue[str | None] = SimpleQueue()

    def parsed(text: str) -> Answer:
        answer = Answer._of(text, rules)
        answer["id"] = 1
        return answer

    with Searchers([analyser]) as searchers:
        last = searchers.submit(lambda it: it.answer(line, 1, found.put))
        last.add_done_callback(lambda _: found.put(None))
        while (text := found.get()) is not None:
            yield parsed(text)
            searchers.check_process()
        yield parsed(last.result())
