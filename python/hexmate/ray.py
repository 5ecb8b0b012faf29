"""Analysis on Ray: on the processors of this machine, or on a cluster by address.

Needs ``pip install 'hexmate[ray]'``. The answers are those of :func:`hexmate.analyse`, line for line: each
position is searched by one worker with an empty transposition table, so it does not matter which.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sized
from importlib import import_module
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

from ._analysis import Failure, Record, numbered, refuse_table, until_failure, whole_number
from ._answer import Answer
from ._native import Analyser, loaded_games, use_games

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options

try:
    # Its types are half there only, and reading them takes type checkers minutes.
    ray: Any = import_module("ray")
except ImportError as error:  # pragma: no cover
    raise ImportError("hexmate.ray needs Ray: pip install 'hexmate[ray]'") from error

#: Batches in flight for each worker: one being searched, and the next one waiting.
_AHEAD = 2


class _How(NamedTuple):
    """How records are analysed: the arguments of :func:`analyse_lines`, and whether blank texts are skipped."""

    workers: int | None
    address: str | None
    batch: int
    retries: int
    progress: bool
    options: Options
    skip: bool


class _Worker:
    """An actor that keeps its analyser, so that tables are allocated once."""

    def __init__(self, options: Options) -> None:
        self._analyser = Analyser(**options)

    def answers(self, lines: list[tuple[int, str]], games: list[tuple[str, str]]) -> list[str]:
        # The records name games from files by path.
        use_games(games)
        return [self._analyser.answer(line, number) for number, line in lines]


def _batches(lines: Iterable[tuple[int, str]], size: int) -> Iterator[list[tuple[int, str]]]:
    """Yield batches of lines, each line with its number.

    An exception raised by the records is raised after the batches before it.
    """
    batch: list[tuple[int, str]] = []
    failure = None
    for line in until_failure(lines):
        if isinstance(line, Failure):
            failure = line.error
            break
        batch.append(line)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
    if failure is not None:
        raise failure


def _is_dataset(dataset: Any) -> bool:
    return hasattr(dataset, "iter_rows")


def _records(dataset: Any) -> Iterable[Record]:
    """Return the rows of a Ray dataset, or anything else as it is.

    Columns that are null in a row are left out, as they would be in JSON lines.
    """
    if _is_dataset(dataset):
        return ({k: v for k, v in row.items() if v is not None} for row in dataset.iter_rows())
    if isinstance(dataset, (str, bytes, Mapping)) or not isinstance(dataset, Iterable):
        raise TypeError(f"dataset: expected a Ray dataset or an iterable of records, not {type(dataset).__name__}")
    return dataset


class _Progress:
    """A line on standard error, at most once a second."""

    def __init__(self, total: int | None) -> None:
        self._total, self._done, self._open = total, 0, False
        self._begin = self._told = time.monotonic()

    def add(self, count: int) -> None:
        self._done += count
        if time.monotonic() - self._told >= 1:
            self.tell("\r")

    def tell(self, end: str) -> None:
        self._told, self._open = time.monotonic(), end != "\n"
        rate = self._done / max(self._told - self._begin, 1e-9)
        of = f" of {self._total}" if self._total is not None else ""
        left = ""
        if self._total is not None and rate > 0:
            left = f", {(self._total - self._done) / rate:.0f} s left"
        print(f"{self._done}{of} records, {rate:.1f}/s{left}", end=f"    {end}", file=sys.stderr, flush=True)

    def close(self) -> None:
        """End the line, if one is shown."""
        if self._open:
            print(file=sys.stderr, flush=True)


def analyse_lines(
    dataset: Any,
    *,
    workers: int | None = None,
    address: str | None = None,
    batch: int = 32,
    retries: int = 3,
    progress: bool = False,
    **options: Unpack[Options],
) -> Iterator[str]:
    """Yield the answers as JSON text, in the order of the records.

    ``dataset`` is an iterable of records as for :func:`hexmate.analyse`, or a ``ray.data.Dataset`` whose
    columns are the fields of a record (``fen`` or ``moves``, ``id``, ``game``). It is read only a little ahead
    of the answers. Blank texts and those that begin with ``#`` are skipped, but counted.

    Unless Ray is already running, it is started in this process with the first answer and shut down after the
    last. ``address`` names a cluster; the package must be installed on its machines. ``workers`` is the number
    of workers (default: the processors that Ray has, but one for the tasks that read a dataset); each keeps its
    transposition table. Records are sent in batches of ``batch``. If a worker dies, its batch is analysed again
    by its successor, up to ``retries`` times; after that ``ray.exceptions.RayError`` is raised. ``progress`` shows
    the progress on standard error. ``options`` are those of :class:`hexmate.Analyser`.
    """
    return _lines(dataset, _How(workers, address, batch, retries, progress, options, skip=True))


def _lines(dataset: Any, how: _How) -> Iterator[str]:
    Analyser(**how.options)  # Wrong options raise here, not in a remote worker.
    refuse_table("dataset", dataset)
    records = _records(dataset)
    whole_number("batch", how.batch)
    whole_number("retries", how.retries, 0)
    if how.workers is not None:
        whole_number("workers", how.workers)
    if not isinstance(how.progress, bool):
        raise TypeError(f"progress: expected a bool, not {type(how.progress).__name__}")
    if how.address is not None and ray.is_initialized():
        raise ValueError("Ray is already running: the address can no longer be chosen")
    return _answers(records, how, int(_is_dataset(dataset)))


def _answers(records: Iterable[Record], how: _How, readers: int) -> Iterator[str]:
    # Not before the first answer is requested: if the iterator is dropped unused, nobody would shut Ray down.
    started = not ray.is_initialized()
    if started:
        local = {"include_dashboard": False} if how.address is None else {}
        ray.init(address=how.address, log_to_driver=False, **local)
    pool: list[Any] = []
    # What is skipped has no answer: the records are fewer.
    total = len(records) if isinstance(records, Sized) and not how.skip else None
    told = _Progress(total) if how.progress else None
    try:
        yield from _pooled(records, how, readers, pool, told)
    finally:
        if told:
            told.close()
        for worker in pool:
            ray.kill(worker)
        if started:
            ray.shutdown()


def _pooled(
    records: Iterable[Record], how: _How, readers: int, pool: list[Any], told: _Progress | None
) -> Iterator[str]:
    """Yield the answers of workers, which are added to ``pool``; ``readers`` processors are left to a dataset."""
    threads = index(how.options.get("threads") or 1)
    processors = int(ray.cluster_resources().get("CPU", 1))
    workers = how.workers
    if workers is None:
        workers = max(1, (processors - readers) // threads)
    # If workers had all processors, the tasks that read a dataset would wait for ever.
    claimed = threads - readers if workers * threads == processors else threads
    # A dead worker is restarted, and its batch goes to its successor.
    remote = ray.remote(num_cpus=claimed, max_restarts=-1, max_task_retries=how.retries)(_Worker)
    pool.extend(remote.remote(how.options) for _ in range(workers))
    idle = deque(pool * _AHEAD)
    waiting: deque[tuple[Any, Any]] = deque()

    def take() -> list[str]:
        answers, worker = waiting.popleft()
        lines: list[str] = ray.get(answers)
        idle.append(worker)
        if told:
            told.add(len(lines))
        return lines

    failure = None
    for each in until_failure(_batches(numbered(records, how.skip), how.batch)):
        if isinstance(each, Failure):
            failure = each.error
            break
        if not idle:
            yield from take()
        worker = idle.popleft()
        waiting.append((worker.answers.remote(each, loaded_games()), worker))
    while waiting:
        yield from take()
    if failure is not None:
        raise failure
    if told:
        told.tell("\n")


def analyse(
    dataset: Any,
    *,
    workers: int | None = None,
    address: str | None = None,
    batch: int = 32,
    retries: int = 3,
    progress: bool = False,
    **options: Unpack[Options],
) -> list[Answer]:
    """Return the answers to the records of ``dataset``, in order; arguments as for :func:`analyse_lines`.

    Each record has an answer, blank texts included.
    """
    lines = _lines(dataset, _How(workers, address, batch, retries, progress, options, skip=False))
    return [Answer.parse(line) for line in lines]
