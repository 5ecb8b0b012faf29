"""Threads that search."""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Lock, Thread, current_thread
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    from ._native import Analyser

#: What to ask an analyser, and who gets the answer.
_Task = tuple["Future[Any]", Callable[["Analyser"], Any]]

#: What becomes of searches that were not begun.
_ENDED = "the searches were ended; nothing more is analysed"

#: What is said in a process that has copies of these objects, but none of the threads.
_FORKED = "this iterator was begun before the process forked, and its threads are in the parent; begin another one here"


class Searchers:
    """Threads that search, each with its analyser, within a ``with`` statement.

    Whoever leaves that does not wait for what is being searched. Nor does the interpreter when it ends: an iterator
    that is alive then would otherwise be closed only after its threads, or never. They are daemons, since those that
    are not are waited for before anybody can end their searches; and no daemon may be in Python when that is gone.
    """

    def __init__(self, analysers: list[Analyser]) -> None:
        self._analysers = analysers
        self._tasks: SimpleQueue[Union[_Task, None]] = SimpleQueue()
        self._over, self._lock = False, Lock()
        self._process = os.getpid()
        self._threads = [
            Thread(target=self._work, args=(each,), name="hexmate", daemon=True) for each in analysers
        ]

    def __enter__(self) -> Searchers:
        atexit.register(self.end)
        try:
            for thread in self._threads:
                thread.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.end()
        finally:
            atexit.unregister(self.end)

    def check_process(self) -> None:
        """Raise ``RuntimeError`` in a process that forked off: there nobody searches, and to wait would have no end."""
        if os.getpid() != self._process:
            raise RuntimeError(_FORKED)

    def submit(self, ask: Callable[[Analyser], Any]) -> Future[Any]:
        """Ask the next analyser that is idle. Raises ``RuntimeError`` when all searches were ended, or by a fork."""
        self.check_process()
        answer: Future[Any] = Future()
        with self._lock:
            if self._over:
                raise RuntimeError(_ENDED)
            self._tasks.put((answer, ask))
        return answer

    def end(self) -> None:
        """End all searches, and wait for the threads. The answer to what was not begun is a ``RuntimeError``."""
        with self._lock:
            self._over = True
            for _ in self._threads:
                self._tasks.put(None)
        for thread in self._threads:
            # One of them may be the one that collects a forgotten iterator.
            while thread.is_alive() and thread is not current_thread():
                # Again and again: a search that has not quite begun does not hear of it.
                for analyser in self._analysers:
                    analyser.stop()
                thread.join(0.01)

    def _work(self, analyser: Analyser) -> None:
        while (task := self._tasks.get()) is not None:
            answer, ask = task
            try:
                if self._over:
                    raise RuntimeError(_ENDED)
                answer.set_result(ask(analyser))
            except BaseException as error:
                answer.set_exception(error)
            # While it waits for the next task it keeps nothing of this one.
            del task, answer, ask
