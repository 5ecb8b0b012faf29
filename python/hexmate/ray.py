"""Analysis on Ray: on the processors of this machine, or on a cluster by address.

Needs ``pip install 'hexmate[ray]'``. The answers are those of :func:`hexmate.analyse`, line for line: each
position is searched by one worker from an empty table, so it does not matter which.
"""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from typing import Any, Iterable, Iterator

from ._analysis import Failure, Record, record_line, until_failure
from ._native import Analyser

try:
    import ray
except ImportError as error:  # pragma: no cover
    raise ImportError("hexmate.ray needs Ray: pip install 'hexmate[ray]'") from error

#: Batches that are under way for each worker: one is searched, the other is there when it ends.
_AHEAD = 2


class _Worker:
    """Keeps its analyser, so that tables are allocated once."""

    def __init__(self, options: dict[str, Any]) -> None:
        self._analyser = Analyser(**options)

    def answers(self, first: int, lines: list[str]) -> list[str]:
        return [self._analyser.answer(line, number) for number, line in enumerate(lines, first)]


def _batches(records: Iterable[Record], size: int) -> Iterator[tuple[int, list[str]]]:
    """The lines of some records and the number of the first, batch by batch.

    What the records raise is raised after the last batch of those before it.
    """
    first, lines = 1, []
    failure = None
    for line in until_failure(map(record_line, records)):
        if isinstance(line, Failure):
            failure = line.error
            break
        lines.append(line)
        if len(lines) == size:
            yield first, lines
            first, lines = first + size, []
    if lines:
        yield first, lines
    if failure is not None:
        raise failure


def _records(dataset: Any) -> Iterable[Record]:
    """The rows of a Ray dataset, or whatever was given.

    Columns that say nothing in a row are left out of it, as they would be in JSON lines.
    """
    if hasattr(dataset, "iter_rows"):
        return ({k: v for k, v in row.items() if v is not None} for row in dataset.iter_rows())
    return dataset


class _Progress:
    """A line on standard error, at most once a second."""

    def __init__(self, total: int | None) -> None:
        self._total, self._done = total, 0
        self._begin = self._told = time.monotonic()

    def add(self, count: int) -> None:
        self._done += count
        if time.monotonic() - self._told >= 1:
            self.tell("\r")

    def tell(self, end: str) -> None:
        self._told = time.monotonic()
        rate = self._done / max(self._told - self._begin, 1e-9)
        of = f" of {self._total}" if self._total is not None else ""
        left = ""
        if self._total is not None and rate > 0:
            left = f", {(self._total - self._done) / rate:.0f} s left"
        print(f"{self._done}{of} records, {rate:.1f}/s{left}", end=f"    {end}", file=sys.stderr, flush=True)


def analyse_lines(
    dataset: Any,
    *,
    workers: int | None = None,
    address: str | None = None,
    batch: int = 32,
    retries: int = 3,
    progress: bool = False,
    **options: Any,
) -> Iterator[str]:
    """The answers as JSON text, in the order of the records.

    ``dataset`` is an iterable of records as :func:`hexmate.analyse` has them, or a ``ray.data.Dataset``
    whose columns are the fields of a record (``fen`` or ``moves``, ``id``, ``game``). It is read as answers
    are taken, a little ahead.

    With the first answer Ray is started within this process unless it runs already, and it is shut down after
    the last; ``address`` names a cluster, which needs the package on its machines. ``workers`` (default: the processors that Ray has) keep their tables from record
    to record. Records travel in batches of ``batch``. A batch whose worker dies is analysed again by its
    successor, up to ``retries`` times; after that ``ray.exceptions.RayError`` is raised. ``progress`` tells on
    standard error how it goes. ``options`` are those of :class:`hexmate.Analyser`.
    """
    Analyser(**options)  # Wrong options are told here, not by a worker far away.
    if address is not None and ray.is_initialized():
        raise ValueError("Ray is already running: the address can no longer be chosen")
    return _answers(dataset, workers, address, batch, retries, progress, options)


def _answers(
    dataset: Any,
    workers: int | None,
    address: str | None,
    batch: int,
    retries: int,
    progress: bool,
    options: dict[str, Any],
) -> Iterator[str]:
    # Not before the first answer is asked for: nobody would shut down what an iterator that is thrown away has
    # started.
    started = not ray.is_initialized()
    if started:
        local = {"include_dashboard": False} if address is None else {}
        ray.init(address=address, log_to_driver=False, **local)
    pool: list[Any] = []
    try:
        yield from _pooled(_records(dataset), workers, batch, retries, progress, options, pool)
    finally:
        for worker in pool:
            ray.kill(worker)
        if started:
            ray.shutdown()


def _pooled(
    records: Iterable[Record],
    workers: int | None,
    batch: int,
    retries: int,
    progress: bool,
    options: dict[str, Any],
    pool: list[Any],
) -> Iterator[str]:
    """The answers of workers, which are put into ``pool``."""
    total = len(records) if hasattr(records, "__len__") else None
    told = _Progress(total) if progress else None
    threads = options.get("threads") or 1
    if workers is None:
        workers = max(1, int(ray.cluster_resources().get("CPU", 1)) // threads)
    # A dead worker is started again, and the batch it had is given to its successor.
    remote = ray.remote(num_cpus=threads, max_restarts=-1, max_task_retries=retries)(_Worker)
    pool.extend(remote.remote(options) for _ in range(workers))
    idle = deque(pool * _AHEAD)
    waiting: deque[tuple[Any, Any]] = deque()

    def take() -> list[str]:
        answers, worker = waiting.popleft()
        lines = ray.get(answers)
        idle.append(worker)
        if told:
            told.add(len(lines))
        return lines

    failure = None
    for each in until_failure(_batches(records, batch)):
        if isinstance(each, Failure):
            failure = each.error
            break
        if not idle:
            yield from take()
        first, lines = each
        worker = idle.popleft()
        waiting.append((worker.answers.remote(first, lines), worker))
    while waiting:
        yield from take()
    if failure is not None:
        raise failure
    if told:
        told.tell("\n")


def analyse(dataset: Any, **options: Any) -> list[dict[str, Any]]:
    """The answers to the records of ``dataset``, in their order; arguments as for :func:`analyse_lines`."""
    return [json.loads(line) for line in analyse_lines(dataset, **options)]
