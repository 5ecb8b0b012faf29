// Games to step through, and boards of single positions. The page has, for each, a <hexmate-board> with a picture
// inside, which stays where scripts do not run, and what the board shows as data-* attributes:
//
//   data-game    the name of the game; its geometry is in the element "hexmate-geometry"
//   data-pieces  "e1Q f1B": cells and letters
//   data-last    "e4e5": the last move;  data-check: the cell of a king in check
//   data-arrows  "e4e5:played d1d3:best"
//
// A .viewer around a board has data-plies: for each move "e4e5=e4-e5P!g10": its cells, what changes (- is empty), and
// whose king is in check after it; perhaps data-best, the best move of each position, or -; and data-name, what the
// game is called.

const geometries = JSON.parse(document.getElementById("hexmate-geometry")?.textContent ?? "{}");
document.documentElement.classList.add("scripted");

/** The cells and letters of a text like "e4-e5P". */
function changesOf(text) {
  return [...text.matchAll(/([a-z]+\d+)([A-Za-z-])/g)].map((m) => [m[1], m[2]]);
}

/** The two cells of a move like "e10f11". */
function cellsOf(move) {
  return move.match(/[a-z]+\d+/g)?.slice(0, 2) ?? [];
}

/** Shows what the attributes of a board say, in place of its picture. */
function upgrade(board) {
  const geometry = geometries[board.dataset.game ?? ""];
  if (!geometry || board.geometry) return;
  const arrows = (board.dataset.arrows ?? "").split(" ").filter(Boolean).map((text) => {
    const [move, kind] = text.split(":");
    const [from, to] = cellsOf(move);
    return { from, to, kind, label: kind === "played" ? "played" : "better" };
  });
  const picture = board.querySelector("svg.board");
  const label = picture?.getAttribute("aria-label") ?? "Board";
  board.geometry = geometry;
  board.show({ pieces: Object.fromEntries(changesOf(board.dataset.pieces ?? "")), last: cellsOf(board.dataset.last ?? ""),
    check: board.dataset.check || null, arrows, label });
  picture?.remove();
}

class Viewer {
  constructor(root) {
    this.root = root;
    this.board = root.querySelector("hexmate-board");
    this.moves = [...root.querySelectorAll(".mv")];
    this.best = (root.dataset.best ?? "").split(" ").filter(Boolean);
    let pieces = Object.fromEntries(changesOf(root.dataset.first ?? ""));
    this.positions = [{ pieces, last: [], check: root.dataset.check || null }];
    for (const ply of (root.dataset.plies ?? "").split(" ").filter(Boolean)) {
      const [move, rest = ""] = ply.split("=");
      const [changes, check] = rest.split("!");
      pieces = { ...pieces };
      for (const [cell, letter] of changesOf(changes)) {
        if (letter === "-") delete pieces[cell];
        else pieces[cell] = letter;
      }
      this.positions.push({ pieces, last: cellsOf(move), check: check || null });
    }
    this.at = this.positions.length - 1;
    this.output = root.querySelector(".steps output");
    this.buttons = Object.fromEntries([...root.querySelectorAll(".steps button")].map((b) => [b.dataset.step, b]));
    for (const [step, button] of Object.entries(this.buttons)) button.addEventListener("click", () => this.step(step));
    for (const move of this.moves) {
      move.addEventListener("click", (event) => {
        event.preventDefault();
        this.go(Number(move.dataset.ply));
      });
    }
    root.addEventListener("pointerdown", () => (Viewer.active = this));
    root.addEventListener("focusin", () => (Viewer.active = this));
    upgrade(this.board);
    this.go(Number(root.dataset.start ?? this.at));
  }

  step(step) {
    const last = this.positions.length - 1;
    this.go({ first: 0, back: this.at - 1, on: this.at + 1, last }[step]);
  }

  go(ply) {
    this.at = Math.max(0, Math.min(ply, this.positions.length - 1));
    const [from, to] = cellsOf(this.best[this.at] ?? "");
    const arrows = from ? [{ from, to, kind: "best", label: "the best move" }] : [];
    let text = "start";
    for (const move of this.moves) {
      const here = Number(move.dataset.ply) === this.at;
      move.classList.toggle("here", here);
      if (!here) continue;
      text = move.dataset.words ?? move.textContent;
      // Inside the list alone: the page stays where it is.
      const list = move.closest(".moves");
      if (list.scrollHeight > list.clientHeight) {
        list.scrollTop = move.offsetTop - list.offsetTop - list.clientHeight / 2;
      }
    }
    this.output.textContent = text;
    const label = `${this.root.dataset.name} ${this.at ? `after ${text}` : "at the start"}`;
    this.board.show({ ...this.positions[this.at], arrows, label });
    const last = this.positions.length - 1;
    const use = { first: this.at > 0, back: this.at > 0, on: this.at < last, last: this.at < last };
    for (const [step, button] of Object.entries(this.buttons)) button.disabled = !use[step];
    Viewer.active = this;
  }
}

/** The viewer of an element, made when it is first wanted. */
function viewerOf(root) {
  root.viewer ??= new Viewer(root);
  return root.viewer;
}

/** Whether an element is seen, at least a part of it. */
function isSeen(root) {
  const box = root.getBoundingClientRect();
  return box.height > 0 && box.bottom > 0 && box.top < innerHeight;
}

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    if (target.matches(".viewer")) viewerOf(target);
    else upgrade(target);
  }
}, { rootMargin: "400px" });
for (const root of document.querySelectorAll(".viewer, hexmate-board.still")) seen.observe(root);

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, textarea, hexmate-board")) return;
  const step = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
  if (!step) return;
  // The game that was used last, if it is still in sight, else the first one that is.
  let viewer = Viewer.active;
  if (!viewer || !isSeen(viewer.root)) {
    const root = [...document.querySelectorAll(".viewer")].find(isSeen);
    if (!root) return;
    viewer = viewerOf(root);
  }
  event.preventDefault();
  viewer.step(step);
});

// A link to a move shows it; a link to a game opens it, also where the address has it already.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.('a[data-show], a[href^="#game-"]');
  if (!link) return;
  if (!link.dataset.show) {
    openTarget(link.hash);
    return;
  }
  const root = document.getElementById(link.dataset.show);
  if (!root) return;
  viewerOf(root).go(Number(link.dataset.at ?? 0));
  root.scrollIntoView({ block: "center" });
  event.preventDefault();
});
function openTarget(hash) {
  // Ids of games are plain ASCII: nothing is to be decoded.
  const target = document.getElementById(hash.slice(1));
  if (target?.matches("details")) target.open = true;
}
addEventListener("hashchange", () => openTarget(location.hash));
openTarget(location.hash);

// What scrolls can be reached with the keyboard.
const scrolling = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const scrolls = target.scrollHeight > target.clientHeight || target.scrollWidth > target.clientWidth;
    if (scrolls && /auto|scroll/.test(getComputedStyle(target).overflow)) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const part of document.querySelectorAll(".moves, .scroll")) scrolling.observe(part);
