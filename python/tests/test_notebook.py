"""What notebooks show."""

import html
import json
import re
import shutil
import subprocess
import sys
import types
from html.parser import HTMLParser

import pytest

import hexmate

#: As much of a browser as the script of a player needs; what the text says tells the node.
BROWSER = """
const part = () => ({style: {}, dataset: {}, querySelector: part, querySelectorAll: () => []});
const parts = {".text": part()};
const root = {...part(), querySelector: name => parts[name] ??= part()};
globalThis.document = {getElementById: () => root};
"""


class Balance(HTMLParser):
    """Notes the tags that are open."""

    def __init__(self, text):
        super().__init__()
        self.open, self.seen = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        if tag != "input":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_player_has_every_position():
    game = hexmate.Game()
    game.tags["White"] = "Anna <&>"
    game.play("e5 e6 Qc3").comments.append("out </script> early")
    game.root.children[0].comments.append("in <!--<script> late")
    page = game._repr_html_()
    tags = Balance(page)
    assert tags.open == [] and tags.seen.count("button") == 4
    assert "Anna &lt;&amp;&gt;" in page
    data = json.loads(re.search(r"texts, parents} = (\{.*\});\n", page).group(1))
    pictures = ["\n".join(data["lines"][i] for i in frame) + "\n" for frame in data["frames"]]
    assert pictures == [position.svg() for position in game.positions]
    assert data["texts"] == ["", "in <!--<script> late", "", "out </script> early"]
    # After both of these a browser would not see where the script ends.
    assert "<!--" not in page and page.count("</script>") == 1
    assert data["parents"] == [0, 0, 1, 2]
    # Two players in one page do not get into each other's way.
    names = [re.search(r'<div id="([^"]+)"', g._repr_html_()).group(1) for g in (game, game)]
    assert names[0] != names[1]


def test_a_player_shows_variations():
    game = hexmate.Game()
    game.play("e5 e6 Qc3")
    game.root.play("d5").nags.append(5)
    answer = game.root.children[0].play("d6 d5")
    answer.parent.play("g5").comments.append("nested")
    page = game._repr_html_()
    assert Balance(page).open == []
    data = json.loads(re.search(r"texts, parents} = (\{.*\});\n", page).group(1))
    told = re.sub(r"<[^>]*>", "", page[page.index('class="moves"') : page.index("<script>")]).replace("\xa0", "")
    told = " ".join(told.partition(">")[2].split())
    assert told == "1.e5 (1.d5!?) 1...e6 (1...d6 2.d5 (2.g5)) 2.Qc3 *"
    # Each move leads to the position after it.
    nodes = re.findall(r'data-node="(\d+)">(.*?)</a>', page)
    assert len(nodes) == 7 == len(data["frames"]) - 1
    boards = {html.unescape(san).split("\xa0")[-1].rstrip("!?"): int(n) for n, san in nodes}
    shown = lambda n: "\n".join(data["lines"][i] for i in data["frames"][n]) + "\n"
    assert shown(boards["g5"]) == hexmate.Position().play("e5 d6 g5").svg()
    assert data["texts"][boards["g5"]] == "nested"
    # Back from there leads to the variation, not to the game.
    assert shown(data["parents"][boards["g5"]]) == hexmate.Position().play("e5 d6").svg()


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_keys_step_through_a_player():
    game = hexmate.Game()
    for move in ("e5", "d5", "f6"):
        game.root.play(move).comments.append(move)
    game.root.comments.append("start")
    [script] = re.findall(r"<script>(.*)</script>", game._repr_html_(), re.DOTALL)
    keys = ["Home", "ArrowDown", "ArrowUp", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowLeft"]
    press = f"""
for (const key of {json.dumps(keys)}) {{
  root.onkeydown({{key, preventDefault() {{}}, stopPropagation() {{}}}});
  console.log(parts[".text"].textContent);
}}
"""
    done = subprocess.run(["node", "-"], input=BROWSER + script + press, capture_output=True, text=True)
    # Nothing is beside the start.
    assert done.stdout.split() == ["start", "start", "start", "e5", "d5", "f6", "f6", "d5", "start"], done.stderr


def test_deep_variations_do_not_break_a_player():
    game = hexmate.Game()
    node = game.root
    for n in range(400):
        first, second = node.position.moves[:2]
        node.play([first])
        node = node.play([second])
        if node.position.outcome:
            break
    assert Balance(game._repr_html_()).open == []


def test_reviews_and_answers_are_shown():
    game = hexmate.Game()
    game.play("e1b4 g10h8 f3h2 h8i6 b4k4")
    review = game.review(nodes=500, hash=1)
    assert Balance(review._repr_html_()).open == [] and "??" in review._repr_html_()
    answer = hexmate.analyse(hexmate.Position(), nodes=200, hash=1)
    assert answer._repr_svg_().count('class="arrow"') == 1


def test_live_analysis_prints_without_a_notebook(capsys):
    answer = hexmate.live(hexmate.Position(), depth=3, hash=1)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [["depth", str(d)] for d in (1, 2, 3, 3)]
    assert answer.depth == 3


def test_live_analysis_updates_in_place(monkeypatch):
    shown = []

    class Handle:
        def update(self, page):
            shown.append(page)

    display = types.ModuleType("IPython.display")
    display.HTML = str
    display.display = lambda page, display_id: Handle()
    getipython = types.ModuleType("IPython.core.getipython")
    getipython.get_ipython = lambda: types.SimpleNamespace(kernel=True)
    package, core = types.ModuleType("IPython"), types.ModuleType("IPython.core")
    package.display = display
    for module in (package, core, display, getipython):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    answer = hexmate.live(hexmate.Position(), depth=3, multipv=2, hash=1)
    assert len(shown) == 4 and all(Balance(page).open == [] for page in shown)
    best = hexmate.Position().san(answer.bestmove)
    assert f"</b> {best}" in shown[-1] and shown[-1].count('class="arrow"') == 2
