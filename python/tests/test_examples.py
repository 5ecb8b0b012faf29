"""Every Python example of the documentation runs."""

import doctest
import importlib.util
import os
import shutil

import pytest

import hexmate
from conftest import CALM
from examples import examples

EXAMPLES = examples()


def test_there_are_examples():
    assert len(EXAMPLES) >= 10 and {page for page, _, _ in EXAMPLES} >= {"python", "start", "README"}


@pytest.mark.parametrize("page, code, needs", EXAMPLES, ids=[f"{e[0]}-{i}" for i, e in enumerate(EXAMPLES, 1)])
def test_an_example_runs(page, code, needs, tmp_path, monkeypatch):
    for module in needs:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    if "chess" in needs:
        if "HEXMATE" not in os.environ:
            pytest.skip("HEXMATE names no program to drive")
        (tmp_path / "bin").mkdir()
        shutil.copy(os.environ["HEXMATE"], tmp_path / "bin" / "hexmate")
        monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    # The files that examples name.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-game.toml").write_text(CALM.replace("calm", "mine"))
    (tmp_path / "games.pgn").write_text('[White "Anna"]\n[Black "Bela"]\n\n1. e5 e6 2. Qc3 d6 {quiet} *\n')
    lines = [hexmate.record_line(hexmate.Position().play(move)) + "\n" for move in ("e5", "d5", "Qc3")]
    (tmp_path / "positions.jsonl").write_text("".join(lines))
    exec(compile(code, f"{page}.md", "exec"), {"__name__": "__main__"})


def test_examples_in_the_sources_run():
    for module in (hexmate, hexmate._game):
        done = doctest.testmod(module)
        assert done.attempted > 3 and done.failed == 0
