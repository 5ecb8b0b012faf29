"""Ctrl-C ends long work, and the iterators can be closed."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import hexmate
from hexmate._threads import Searchers

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are sent by Unix means")

#: Each would take minutes at least.
ENDLESS = {
    "perft": "start.perft(9)",
    "divide": "start.divide(9)",
    "analyse": "hexmate.analyse([start] * 3, movetime=600_000, jobs=2)",
    "one": "hexmate.analyse(start, movetime=600_000)",
    "analyser": "hexmate.Analyser(movetime=600_000).answer(start.fen)",
    "deepen": "list(hexmate.deepen(start, movetime=600_000))",
    "review": "hexmate.Game(start.play('e5 e6')).review(movetime=600_000)",
    "tables": "hexmate.build_tables(FOLDER, 'KQRKB')",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_an_interrupt_is_heard(name, tmp_path):
    script = f"""
import hexmate
import signal
# What begins in the background of a shell ignores interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
FOLDER = {str(tmp_path)!r}
start = hexmate.Position()
hexmate.analyse(start, nodes=10)
print("begun", flush=True)
try:
    {ENDLESS[name]}
except KeyboardInterrupt:
    print("ended", flush=True)
"""
    running = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        assert running.stdout.readline() == "begun\n"
        # It is in the middle of the work wherever it is.
        time.sleep(0.3)
        running.send_signal(signal.SIGINT)
        # No measure of time: without an end this would wait for minutes.
        said, _ = running.communicate(timeout=60)
        assert said == "ended\n" and running.returncode == 0
    finally:
        running.kill()


def test_an_iterator_that_is_closed_ends_its_searches():
    before = threading.active_count()
    answers = hexmate.deepen(hexmate.Position(), movetime=600_000)
    assert next(answers).depth == 1
    answers.close()
    stream = hexmate.stream([hexmate.Position()] * 5, movetime=300, hash=1, jobs=1)
    assert next(stream).ok
    stream.close()
    assert threading.active_count() == before


def test_an_exception_ends_the_searches_while_its_traceback_is_kept():
    def fail(progress):
        raise KeyError("told")

    before = threading.active_count()
    mated, start = hexmate.Position().play("e1b4 g10h8 f3h2 h8i6 b4k4"), hexmate.Position()
    with pytest.raises(KeyError, match="told") as kept:
        hexmate.analyse([mated, start, start], movetime=600_000, jobs=2, progress=fail)
    assert threading.active_count() == before
    answers = hexmate.stream([mated, start, start], movetime=600_000, jobs=2)
    next(answers)
    with pytest.raises(KeyError, match="thrown") as thrown:
        answers.throw(KeyError("thrown"))
    assert threading.active_count() == before
    assert kept.tb is not None and thrown.tb is not None


FORKED = {
    "stream": "hexmate.stream([start] * 100, nodes=10, hash=1, jobs=1)",
    "lines": "hexmate.analyse_lines([start] * 5, nodes=10, hash=1, jobs=1)",
    "deepen": "hexmate.deepen(start, movetime=600_000)",
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes do not fork here")
@pytest.mark.parametrize("name", FORKED)
def test_an_iterator_says_that_its_threads_are_in_the_parent(name):
    script = f"""
import os, signal
answers = {FORKED[name]}
next(answers)
child = os.fork()
if child == 0:
    # To wait for those threads would have no end.
    signal.alarm(30)
    try:
        list(answers)
    except RuntimeError as error:
        print(error, flush=True)
    print(hexmate.analyse(start, nodes=10, hash=1).ok, flush=True)
    os._exit(0)
os.waitpid(child, 0)
next(answers)
answers.close()
"""
    done = subprocess.run([sys.executable, "-c", BEGIN + script], capture_output=True, text=True)
    said = "this iterator was begun before the process forked, and its threads are in the parent"
    assert done.returncode == 0 and done.stdout.startswith(said) and done.stdout.endswith("\nTrue\n"), done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes do not fork here")
def test_an_analyser_says_that_its_thread_is_in_the_parent():
    script = """
import os, signal
idle, busy = hexmate.Analyser(nodes=10, hash=1), hexmate.Analyser(movetime=600_000, hash=1)
begun = threading.Event()
search = threading.Thread(target=busy.answer, args=(start.fen, 1, lambda _: begun.set()))
search.start()
begun.wait()
child = os.fork()
if child == 0:
    signal.alarm(30)
    for _ in range(2):
        try:
            busy.answer(start.fen)
        except RuntimeError as error:
            print(error, flush=True)
    # One that was idle is as good as before.
    print("bestmove" in idle.answer(start.fen), flush=True)
    os._exit(0)
os.waitpid(child, 0)
busy.stop()
search.join()
"""
    done = subprocess.run([sys.executable, "-c", BEGIN + script], capture_output=True, text=True, timeout=60)
    said = "this analyser was searching when the process forked, and its thread is in the parent"
    assert done.stdout.count(said) == 2 and done.stdout.endswith("\nTrue\n"), done.stderr


#: What may be alive when a program ends. Without an end these, too, would take minutes.
ALIVE = {
    "deepen": "answers = hexmate.deepen(start, movetime=600_000); next(answers)",
    "stream": "answers = hexmate.stream([mated, *[start] * 20], movetime=600_000, jobs=2); next(answers)",
    "lines": "answers = hexmate.analyse_lines([mated, *[start] * 20], movetime=600_000, jobs=2); next(answers)",
    # A traceback keeps the iterator.
    "failing": """
def fail():
    answers = hexmate.deepen(start, movetime=600_000)
    next(answers)
    raise ValueError
try:
    fail()
except ValueError as error:
    kept = error
""",
}

BEGIN = """
import hexmate, threading
start = hexmate.Position()
mated = start.play("e1b4 g10h8 f3h2 h8i6 b4k4")
"""


@pytest.mark.parametrize("name", ALIVE)
def test_a_program_ends_while_it_searches(name):
    command = [sys.executable, "-c", BEGIN + ALIVE[name]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_iterator_that_an_exit_handler_uses():
    script = """
import atexit
atexit.register(lambda: print("rest", len(list(answers))))
answers = hexmate.stream([start] * 100, nodes=10, hash=1, jobs=2)
next(answers)
"""
    done = subprocess.run([sys.executable, "-c", BEGIN + script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "" and "RuntimeError: the searches were ended" in done.stderr


def test_searches_that_are_ended_on_one_of_their_threads():
    # A forgotten iterator may be collected on any thread.
    searchers = Searchers([hexmate.Analyser(nodes=10, hash=1) for _ in range(2)])
    searchers.__enter__()
    ended = searchers.submit(lambda _: searchers.__exit__() or "ended")
    assert ended.result(60) == "ended"
    with pytest.raises(RuntimeError, match="the searches were ended"):
        searchers.submit(lambda _: "more")


def test_threads_of_a_program_go_on_when_its_main_thread_has_ended():
    script = """
begun = threading.Event()
def work():
    answers = hexmate.stream([start] * 60, nodes=10, hash=1, jobs=1)
    ids = [next(answers).id]
    begun.set()
    threading.main_thread().join()
    print(len(ids + [answer.id for answer in answers]))
threading.Thread(target=work).start()
begun.wait()
"""
    done = subprocess.run([sys.executable, "-c", BEGIN + script], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("60\n", "")


def test_a_callback_that_raises_ends_the_search():
    def stop(text):
        raise KeyError(text[:6])

    analyser = hexmate.Analyser(movetime=600_000)
    with pytest.raises(KeyError, match="id"):
        analyser.answer(hexmate.Position().fen, 1, stop)
    # The analyser can be used as before.
    assert hexmate.Answer.parse(hexmate.Analyser(nodes=20).answer(hexmate.Position().fen)).ok
