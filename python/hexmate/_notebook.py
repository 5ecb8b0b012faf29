"""What notebooks show: a player for games, reviews, analysis that updates in place."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ._analysis import deepen
from ._game import all_nodes

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._answer import Answer
    from ._game import Game, Node
    from ._native import Position
    from ._options import Options
    from ._review import Review

_BUTTON = "font:inherit;padding:2px 10px;cursor:pointer"

#: The script of a player: pictures are lists of numbers of lines, which most of them have in common; the parent of each
#: node makes the tree of it.
_SCRIPT = """
(() => {
  const root = document.getElementById("ID"), {lines, frames, texts, parents} = DATA;
  const [board, slider, text] = ["board", "slider", "text"].map(c => root.querySelector("." + c));
  const children = parents.map(() => []);
  parents.forEach((parent, n) => n && children[parent].push(n));
  const moves = [...root.querySelectorAll(".move")];
  let at = 0;
  const line = () => {
    const path = [at];
    while (path[0]) path.unshift(parents[path[0]]);
    for (let n = at; children[n].length; ) path.push(n = children[n][0]);
    return path;
  };
  const show = n => {
    at = n;
    const path = line();
    slider.max = path.length - 1;
    slider.value = path.indexOf(n);
    board.innerHTML = frames[n].map(i => lines[i]).join("\\n");
    const svg = board.querySelector("svg");
    svg.style.width = "100%"; svg.style.height = "auto";
    for (const m of moves) {
      const here = +m.dataset.node === n;
      m.style.fontWeight = here ? "bold" : "";
      here ? m.setAttribute("aria-current", "true") : m.removeAttribute("aria-current");
    }
    text.textContent = texts[n];
  };
  const steps = {
    first: () => 0, back: () => parents[at], forward: () => children[at][0] ?? at, last: () => line().pop(),
    beside: by => {
      // The start has nothing beside it.
      const siblings = at ? children[parents[at]] : [at];
      return siblings[siblings.indexOf(at) + by] ?? at;
    },
  };
  slider.oninput = () => show(line()[+slider.value]);
  root.querySelectorAll("button").forEach(b => b.onclick = () => show(steps[b.title]()));
  moves.forEach(m => m.onclick = () => show(+m.dataset.node));
  root.tabIndex = 0;
  root.onkeydown = e => {
    const [step, by] = {ArrowLeft: ["back"], ArrowRight: ["forward"], Home: ["first"], End: ["last"],
      ArrowUp: ["beside", -1], ArrowDown: ["beside", 1]}[e.key] ?? [];
    // Jupyter has keys of its own.
    if (step && e.target !== slider) { show(steps[step](by)); e.preventDefault(); e.stopPropagation(); }
  };
  show(line().pop());
})();
"""

_GLYPHS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}


def _frames(pictures: list[str]) -> tuple[list[str], list[list[int]]]:
    """All lines that occur, and each picture as numbers of lines."""
    numbers: dict[str, int] = {}
    frames = [
        [numbers.setdefault(line, len(numbers)) for line in picture.splitlines()] for picture in pictures
    ]
    return list(numbers), frames


def _move(node: Node, numbers: dict[int, int], is_first: bool) -> str:
    """A move to click on; with its number if it is White's, or the first of its line."""
    before = node.parent.position if node.parent else node.position
    dots = "." if before.turn == "white" else "..."
    number = f"{before.number}{dots}\u00a0" if is_first or before.turn == "white" else ""
    glyphs = "".join(_GLYPHS.get(nag, "") for nag in node.nags)
    text = html.escape(f"{number}{node.san}{glyphs}")
    return f'<a class="move" style="cursor:pointer" data-node="{numbers[id(node)]}">{text}</a>'


def _moves(root: Node, numbers: dict[int, int]) -> str:
    """The moves after a node, with variations in brackets, however deeply they are nested."""
    parts: list[str] = []
    # What is still to be told: a line after a node (whether a number is due, how deeply it is nested), or a text.
    left: list[tuple[Node, bool, int] | str] = [(root, True, 0)]
    while left:
        task = left.pop()
        if isinstance(task, str):
            parts.append(task)
            continue
        node, is_first, depth = task
        if not node.children:
            continue
        first, *others = node.children
        parts.append(_move(first, numbers, is_first))
        left.append((first, bool(others), depth))
        style = f' style="{_VARIATION}"' if depth == 0 else ""
        for other in reversed(others):
            begin = f'<span class="variation"{style}>({_move(other, numbers, True)}'
            left += [")</span>", (other, False, depth + 1), begin]
    return " ".join(parts).replace(" )</span>", ")</span>")


#: Variations of the game itself are paragraphs, those within them stand in the text.
_VARIATION = "display:block;margin-left:1em;padding-left:.6em;border-left:2px solid #8886;font-size:.92em"


def player(game: Game, size: int = 480) -> str:
    """A game as HTML: a board with buttons, a slider and the moves, variations included. It needs nothing from elsewhere."""
    nodes = all_nodes(game.root)
    numbers = {id(node): n for n, node in enumerate(nodes)}
    lines, frames = _frames([node.position.svg() for node in nodes])
    texts = [" ".join([*node.intro, *node.comments]) for node in nodes]
    parents = [numbers[id(node.parent)] if node.parent else 0 for node in nodes]
    name = f"hexmate-{uuid4().hex}"
    data = json.dumps({"lines": lines, "frames": frames, "texts": texts, "parents": parents})
    # Texts neither end the script nor begin a comment in it.
    data = data.replace("</", "<\\/").replace("<!--", "\\u003c!--")
    script = _SCRIPT.replace("ID", name, 1).replace("DATA", data, 1)
    white, black = (game.tags.get(side, "") for side in ("White", "Black"))
    title = f"{white or '?'} – {black or '?'}  {game.result}" if white or black else game.rules.title
    buttons = "".join(
        f'<button style="{_BUTTON}" title="{title}" aria-label="{title}">{sign}</button>'
        for sign, title in (("|◀", "first"), ("◀", "back"), ("▶", "forward"), ("▶|", "last"))
    )
    plies = len(game.moves)
    # The last picture is there without scripts, too.
    return (
        f'<div id="{name}" style="max-width:{size}px;font-family:system-ui,sans-serif">'
        f"<b>{html.escape(title)}</b>"
        f'<div class="board">{game.position.svg(size=size)}</div>'
        f'<div style="display:flex;gap:6px;align-items:center;margin:6px 0">{buttons}'
        f'<input class="slider" type="range" min="0" max="{plies}" value="{plies}" style="flex:1" aria-label="ply"></div>'
        f'<div class="text" style="font-style:italic;min-height:1.3em"></div>'
        f'<div class="moves" style="line-height:1.6">{_moves(game.root, numbers)} {game.result}</div>'
        f"<script>{script}</script></div>"
    )


_SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}


def review_html(review: Review) -> str:
    """A review as HTML: both sides summed up, and the moves that lost something."""

    def row(cells: list[str], tag: str = "td") -> str:
        return "<tr>" + "".join(f'<{tag} style="text-align:left;padding:2px 12px 2px 0">{cell}</{tag}>' for cell in cells) + "</tr>"

    sides = [row(["", "accuracy", "inaccuracies", "mistakes", "blunders"], "th")]
    for name, side in (("White", review.white), ("Black", review.black)):
        accuracy = "–" if side.accuracy is None else f"{side.accuracy:.1f} %"
        sides.append(row([name, accuracy, str(side.inaccuracies), str(side.mistakes), str(side.blunders)]))
    moves = [row(["move", "White expects", "better"], "th")]
    for move in review.moves:
        if move.judgement:
            dots = "." if move.side == "white" else "..."
            played = html.escape(f"{move.number}{dots} {move.san}{_SIGNS[move.judgement]}")
            moves.append(row([played, f"{move.before:.2f} → {move.after:.2f}", html.escape(move.best_san or "")]))
    return f"<table>{''.join(sides)}</table>" + (f"<table>{''.join(moves)}</table>" if len(moves) > 1 else "")


def answer_html(answer: Answer, size: int = 400) -> str:
    """An answer as HTML: the board with its best moves, score, depth and lines."""
    position = answer.position
    arrows = [line.move for line in answer.lines]
    lines = "".join(
        f"<li><b>{line.score}</b> {html.escape(' '.join(position.play(line.pv).history_san))}</li>"
        for line in answer.lines
    )
    return (
        '<div style="font-family:system-ui,sans-serif;display:flex;flex-wrap:wrap;gap:16px">'
        f"<div>{position.svg(arrows=arrows, size=size)}</div>"
        f'<div style="min-width:16em;flex:1">depth {answer.depth}, {answer.nodes:,} nodes, {answer.seconds:.1f} s'
        f'<ol style="padding-left:1.5em">{lines}</ol></div></div>'
    )


def live(position: Position, **options: Unpack[Options]) -> Answer:
    """Analyse a position while the output of the notebook's cell shows what is known by now; return the answer.

    ``options`` are those of :class:`hexmate.Analyser`. "Interrupt" ends the search, and the last answer is returned.
    Without IPython each depth is a line on standard output.
    """
    show = _display()
    answer = None
    try:
        for answer in deepen(position, **options):
            show(answer)
    except KeyboardInterrupt:
        if answer is None:
            raise
    assert answer is not None
    return answer


def _display() -> Callable[[Answer], object]:
    """What shows an answer in place of the one before."""
    try:
        from IPython import display as ipython
        from IPython.core.getipython import get_ipython
    except ImportError:
        return _print
    # In a terminal IPython would only name what it cannot draw.
    if not hasattr(get_ipython(), "kernel"):
        return _print
    page: Any = ipython
    shown = page.display(page.HTML("…"), display_id=True)
    return lambda answer: shown.update(page.HTML(answer_html(answer)))


def _print(answer: Answer) -> None:
    print(f"depth {answer.depth:2}  {answer.score}  {' '.join(answer.pv_san[:8])}", flush=True)
