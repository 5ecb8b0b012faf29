"""The types: the package itself, good scripts, and a script of mistakes, by mypy and pyright where they are there."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hexmate
from examples import examples

#: Each of these lines, marked by a comment, is wrong.
MISTAKES = '''\
import hexmate

p = hexmate.Position()
bad: int = p.fen  # 1: a text
hexmate.analyse([p], deph=3)  # 2: no such option
hexmate.analyse(p, nodes="many")  # 3: not a number
p.play(5)  # 4: no moves
for piece in p.pieces.values():
    piece.append("x")  # 5: a piece is a text
hexmate.analyse(p)[0]  # 6: one answer, no list
score: int = hexmate.analyse(p).score  # 7: a Score
p.attackers("e4", "green")  # 8: no such side
game = hexmate.Game()
game.review().white.acuracy  # 9: no such field
hexmate.Tables("folder").probe(p).category  # 10: may be None
p.svg(size="large")  # 11: not a number
hexmate.columns(p)  # 12: not answers
'''

#: What must be right.
GOOD = '''\
import hexmate

p = hexmate.Position("1/3/2k2/7/9/11/11/4K6/11/11/Q10 w - - 0 1", "glinski")
text: str = p.play(["Qb2"]).fen
answer: hexmate.Answer = hexmate.analyse(p, depth=3, multipv=2)
answers: list[hexmate.Answer] = hexmate.analyse([p, {"fen": p.fen}, p.fen], nodes=100)
best: str | None = answer["bestmove"]
cp: int | None = answer.score.cp
pv: list[str] = answers[0].pv
win: int = answer.wdl.win
piece: str | None = p.pieces.get("e4")
picture: str = p.svg(arrows=[("e4", "e5"), "a1a2"], lastmove=False, size=300)
node: hexmate.Node = hexmate.Game(p).play("Qb2")
table: dict[str, list[object]] = hexmate.columns(answers)
expected: float = hexmate.Game().review(nodes=10).expected


class Number:
    def __index__(self) -> int:
        return 5


hexmate.analyse(p, nodes=Number(), game=None)
p.wdl(Number())
'''


def program(name):
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed")
    return [sys.executable, "-m", name]


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.stdout + done.stderr


def mypy(folder, *files):
    # What others have no types for, or very many, is not read: that would take a minute.
    others = "[mypy-ray.*,pandas.*,chess.*,IPython.*]\nfollow_imports = skip\nignore_missing_imports = True\n"
    (folder / "mypy.ini").write_text(f"[mypy]\nstrict = True\n{others}")
    cache = ["--cache-dir", str(folder / "cache")]
    return run([*program("mypy"), "--strict", "--no-error-summary", *cache, *files], folder)


def pyright(folder, *files):
    return run([*program("pyright"), "--pythonpath", sys.executable, *files], folder)


@pytest.mark.parametrize("check", [mypy, pyright])
def test_every_mistake_is_found(check, tmp_path):
    (tmp_path / "mistakes.py").write_text(MISTAKES)
    said = check(tmp_path, "mistakes.py")
    found = {int(line) for line in re.findall(r"mistakes\.py:(\d+):(?:\d+)?[ -]*(?:error)?", said) if "error" in said}
    wrong = {number for number, line in enumerate(MISTAKES.splitlines(), 1) if re.search(r"  # \d", line)}
    assert wrong == found, said


@pytest.mark.parametrize("check", [mypy, pyright])
def test_what_is_right_passes(check, tmp_path):
    (tmp_path / "good.py").write_text(GOOD)
    names = ["good.py"]
    for number, (page, code, needs) in enumerate(examples()):
        if all(importlib.util.find_spec(module) for module in needs):
            names.append(f"example_{page}_{number}.py")
            (tmp_path / names[-1]).write_text(code)
    said = check(tmp_path, *names)
    assert "error" not in said.replace("0 errors", ""), said


def test_the_package_is_typed_strictly(tmp_path):
    # Copied: beside other packages mypy takes all of them for its sources.
    shutil.copytree(Path(hexmate.__file__).parent, tmp_path / "hexmate")
    said = mypy(tmp_path, "hexmate")
    assert said == "", said


def test_the_stubs_are_those_of_the_module(tmp_path):
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    said = run([sys.executable, "-m", "mypy.stubtest", "hexmate._native"], tmp_path)
    assert "Success" in said, said
