// @ts-check
// <hexmate-board>: a hexagonal board as a custom element. It needs no server and fetches nothing.
//
//   import "./hexmate-board.js";
//   const board = document.createElement("hexmate-board");
//   document.body.append(board);
//   board.geometry = answerOfApiGame;            // what the board is: `/api/game`, once
//   board.show({ pieces: { e1: "Q", f1: "B" },   // what is on it: any of the keys of `BoardState`, as often as wanted;
//                last: ["f5", "f6"], check: "g10" });  // what is left out stays as it is
//
// A page that has no modules can have the files board-style.js, board-shapes.js, board-input.js and hexmate-board.js
// joined in this order, without their lines that begin with "import " and without the word "export " at the beginnings
// of lines: all names are different, and every import is one line.
//
// Events, with `detail`:
//   move    {move}               one of `moves` was made by click, drag, touch or keyboard
//   select  {cell}               a piece was selected (null: none is)
//   hover   {cell}               the pointer or the focus went to a cell (null: it left the board)
//   draw    {arrows, circles}    the user's own arrows and marks changed (right button, or `drawing`)
//   edit    {cell, from}         with `editing`: a cell was clicked (from: null), or a piece was drawn from a cell onto
//                                another, or off the board (cell: null)
//
// Every cell is an element with `data-cell="e4"` and, if there is a piece, `data-piece="N"`. Colours and sizes are
// custom properties, see board-style.js. The element is as wide as its box lets it; `ratio` is width by height, which
// styles have as `--hx-ratio`.

import { adoptStyle } from "./board-style.js";
import { EDGE, arrowPoints, centres, corners, escapeText, pieceName, pieceShape, place, pointsText, round, viewBox } from "./board-shapes.js";
import { BoardInput } from "./board-input.js";

/** @typedef {import("./board-shapes.js").Geometry} Geometry */
/** @typedef {import("./board-shapes.js").Point} Point */
/**
 * @typedef {object} BoardMove As `/api/position` gives it. More keys do no harm.
 * @property {string} move
 * @property {string} san
 * @property {string} from
 * @property {string} to
 * @property {string | null} [promotion]
 * @property {boolean} [capture]
 */
/**
 * @typedef {object} BoardArrow
 * @property {string} from
 * @property {string} to
 * @property {"best" | "line" | "threat" | "own" | "own2" | "played"} kind
 * @property {number} [rank] 1 for the best: drawn broadest, and with its number from 2 on.
 * @property {string} [label] Spoken and shown as a tooltip.
 */
/**
 * @typedef {object} BoardPath A path of a piece, to be drawn from its cell.
 * @property {string[]} cells @property {number} open How many of them are empty.
 * @property {string} end "edge", "reach", "own", "enemy" or "empty" @property {string | null} [at]
 */
/**
 * @typedef {object} BoardState
 * @property {Record<string, string>} pieces By cell; upper case is White.
 * @property {string[]} last The two cells of the last move, or none.
 * @property {string | null} check The king's cell if it is attacked.
 * @property {BoardMove[]} moves What the user may play; empty: nothing.
 * @property {BoardArrow[]} arrows
 * @property {{cell: string, kind: "own" | "own2" | "fault" | "hint"}[]} marks
 * @property {{from: string, paths: BoardPath[]} | null} paths
 * @property {boolean} flipped
 * @property {"edge" | "cells" | "colours" | "none"} labels Names of files and rows at the edge, of all cells, of cells and colours.
 * @property {boolean} letters Whether all pieces are letters in discs instead of pictures.
 * @property {boolean} editing Clicks and drags are reported as `edit`.
 * @property {boolean} drawing The first button draws arrows, for fingers.
 * @property {boolean} preview What is shown is not the position itself: pieces are pale.
 * @property {string} label What the board is called.
 */

const SVG = "http://www.w3.org/2000/svg";
const LAYERS = ["marks", "paths", "pieces", "goals", "arrows", "cursors"];

/** @param {string} name @param {Record<string, string | number>} [attributes] @param {Element} [parent] */
function element(name, attributes = {}, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  parent?.append(made);
  return /** @type {SVGElement} */ (made);
}

export class HexmateBoard extends HTMLElement {
  /** @type {Geometry | null} */ #geometry = null;
  /** @type {BoardState} */
  #state = { pieces: {}, last: [], check: null, moves: [], arrows: [], marks: [], paths: null, flipped: false, labels: "edge", letters: false,
    editing: false, drawing: false, preview: false, label: "Board" };
  /** @type {Map<string, Point>} */ #centres = new Map();
  /** @type {Map<string, SVGElement>} */ #cells = new Map();
  /** @type {Map<string, {letter: string, node: SVGElement}>} Pieces by cell. */ #pieces = new Map();
  /** @type {Map<string, SVGElement>} Shapes by letter. */ #shapes = new Map();
  /** @type {Record<string, SVGElement>} */ #layers = {};
  /** @type {SVGElement | null} */ #svg = null;
  /** @type {string | null} */ selected = null;
  /** @type {string | null} */ #over = null;
  /** @type {BoardArrow[]} */ #ownArrows = [];
  /** @type {string[]} */ #circles = [];
  /** @type {BoardInput | null} */ #input = null;

  connectedCallback() {
    adoptStyle(this.getRootNode());
    if (this.#geometry && !this.#svg) this.#build();
  }

  get geometry() {
    return this.#geometry;
  }

  set geometry(geometry) {
    this.#geometry = geometry;
    this.selected = null;
    this.#ownArrows = [];
    this.#circles = [];
    if (geometry && this.isConnected) this.#build();
  }

  /** What is shown. */
  get state() {
    return this.#state;
  }

  get ratio() {
    const [, , width, height] = (this.#svg?.getAttribute("viewBox") ?? "0 0 1 1").split(" ").map(Number);
    return width / height;
  }

  /** The cell that Tab leads to. */
  get focusCell() {
    return this.#input?.focusCell ?? null;
  }

  /** Shows what is given and leaves the rest as it is. @param {Partial<BoardState>} change */
  show(change) {
    const before = this.#state;
    const state = (this.#state = { ...before, ...change });
    if (!this.#svg) return;
    if (state.flipped !== before.flipped || state.labels !== before.labels || state.letters !== before.letters) {
      this.#build();
      return;
    }
    if (change.pieces || change.moves || change.editing !== undefined) {
      if (this.selected && !state.pieces[this.selected]) this.select(null);
    }
    this.#update();
  }

  /** Selects the piece of a cell. @param {string | null} cell */
  select(cell) {
    if (cell === this.selected) return;
    this.selected = cell;
    this.#update();
    this.emit("select", { cell });
  }

  /** Marks a cell that the pointer is over with a piece in hand. @param {string | null} cell */
  over(cell) {
    if (cell === this.#over) return;
    this.#over = cell;
    this.#drawMarks();
  }

  /** The legal moves from a cell. @param {string} cell @returns {BoardMove[]} */
  movesFrom(cell) {
    return this.#state.moves.filter((m) => m.from === cell);
  }

  /** Makes the move from one cell to the other, if there is one; asks if there are several.
   * @param {string} from @param {string} to @param {boolean} [still] Without gliding: the piece was drawn there. */
  play(from, to, still = false) {
    const moves = this.movesFrom(from).filter((m) => m.to === to);
    if (!moves.length) return false;
    const chosen = (/** @type {BoardMove} */ move) => {
      this.#svg?.classList.toggle("hx-still", still);
      this.selected = null;
      // Shown at once; the page tells the rest, as captures en passant and castling rooks.
      const { [move.from]: piece, ...pieces } = this.#state.pieces;
      const white = piece === piece.toUpperCase();
      pieces[move.to] = !move.promotion ? piece : white ? move.promotion.toUpperCase() : move.promotion.toLowerCase();
      this.#state = { ...this.#state, pieces, last: [move.from, move.to], moves: [], arrows: [], paths: null };
      this.emit("move", { move });
      this.emit("select", { cell: null });
      requestAnimationFrame(() => this.#svg?.classList.remove("hx-still"));
      this.#update();
    };
    if (moves.length === 1) chosen(moves[0]);
    else this.#choose(moves, chosen);
    return true;
  }

  /** The user's own arrows and circles. @param {BoardArrow[]} arrows @param {string[]} circles */
  setDrawn(arrows, circles) {
    [this.#ownArrows, this.#circles] = [arrows, circles];
    this.#update();
  }

  /** Adds an arrow (a mark, if both cells are the same) or takes it away again. @param {string} from @param {string} to @param {boolean} second */
  toggleDrawn(from, to, second) {
    if (from === to) {
      const key = second ? `${from}!` : from;
      const has = this.#circles.includes(key);
      this.#circles = this.#circles.filter((c) => c.replace("!", "") !== from);
      if (!has) this.#circles.push(key);
    } else {
      const has = this.#ownArrows.some((a) => a.from === from && a.to === to);
      this.#ownArrows = this.#ownArrows.filter((a) => a.from !== from || a.to !== to);
      if (!has) this.#ownArrows.push({ from, to, kind: second ? "own2" : "own" });
    }
    this.#update();
    this.emit("draw", { arrows: this.#ownArrows, circles: this.#circles });
  }

  /** @param {string} name @param {object} detail */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  /** The element of a cell. @param {string} name */
  cellElement(name) {
    return this.#cells.get(name) ?? null;
  }

  /** The middle of a cell on the drawing. @param {string} name */
  centre(name) {
    return this.#centres.get(name) ?? null;
  }

  /** The piece of a cell as it is drawn. @param {string} name */
  pieceElement(name) {
    return this.#pieces.get(name)?.node ?? null;
  }

  /** Puts the piece of a cell somewhere on the drawing, or back (null). @param {string} cell @param {Point | null} point */
  hold(cell, point) {
    const node = this.pieceElement(cell);
    if (!node) return;
    node.classList.toggle("hx-held", !!point);
    node.classList.add("hx-still");
    this.#svg?.classList.toggle("hx-dragging", !!point);
    if (point) node.parentNode?.append(node);
    this.#move(node, point ?? this.#seat(cell));
    if (!point) requestAnimationFrame(() => node.classList.remove("hx-still"));
  }

  // ---- building

  #build() {
    const geometry = /** @type {Geometry} */ (this.#geometry);
    const { flipped, labels } = this.#state;
    const focus = this.#input?.focusCell;
    const hadFocus = this.contains(document.activeElement);
    this.#input?.end();
    this.#svg?.remove();
    this.#centres = centres(geometry, flipped);
    this.#cells.clear();
    this.#pieces.clear();
    this.#shapes.clear();
    const hues = geometry.colours_matter ? " hx-hues" : "";
    const svg = element("svg", { class: `hx-board${hues}`, viewBox: viewBox(geometry, labels !== "none"), role: "grid", "aria-label": this.#state.label });
    this.#svg = svg;
    const hexagon = pointsText(corners(geometry));
    const outline = (/** @type {Point} */ [x, y]) => `M${corners(geometry).map(([dx, dy]) => `${round(x + dx)} ${round(y + dy)}`).join("L")}Z`;
    element("path", { class: "hx-rim hx-layer", d: [...this.#centres.values()].map(outline).join(""), "aria-hidden": "true" }, svg);
    const board = element("g", {}, svg);
    // One row for each row of the board, so that the grid has rows as a table has.
    /** @type {Map<number, SVGElement>} */
    const rows = new Map();
    for (const cell of geometry.cells) {
      const row = rows.get(cell.row) ?? element("g", { role: "row" }, board);
      rows.set(cell.row, row);
      const [x, y] = /** @type {Point} */ (this.#centres.get(cell.name));
      const group = element("g", { class: "hx-cell", role: "gridcell", tabindex: "-1", "data-cell": cell.name, transform: `translate(${round(x)} ${round(y)})` }, row);
      element("polygon", { class: `hx-hex hx-tone-${cell.colour}`, points: hexagon }, group);
      if (labels === "cells" || labels === "colours") {
        const text = element("text", { class: "hx-name", y: geometry.upright ? 38 : 35, "aria-hidden": "true" }, group);
        text.textContent = labels === "colours" ? `${cell.name}\u2009·\u2009${cell.colour + 1}` : cell.name;
      }
      this.#cells.set(cell.name, group);
    }
    for (const name of LAYERS) this.#layers[name] = element("g", { class: `hx-layer hx-${name}`, "aria-hidden": "true" }, svg);
    element("polygon", { class: "hx-cursor hx-cursor-halo", points: pointsText(corners(geometry, 0.9)) }, this.#layers.cursors);
    element("polygon", { class: "hx-cursor", points: pointsText(corners(geometry, 0.9)) }, this.#layers.cursors);
    if (labels === "edge") {
      const layer = element("g", { class: "hx-layer", "aria-hidden": "true" }, svg);
      for (const label of geometry.labels) {
        const [x, y] = place(geometry, flipped, label.x, label.y);
        element("text", { class: "hx-label", x: round(x), y: round(y) }, layer).textContent = label.text;
      }
    }
    this.prepend(svg);
    this.style.aspectRatio = String(this.ratio);
    this.style.setProperty("--hx-ratio", String(this.ratio));
    this.#input = new BoardInput(this, /** @type {SVGSVGElement} */ (svg), geometry, focus ?? null);
    this.#update();
    if (hadFocus) this.cellElement(this.#input.focusCell)?.focus();
  }

  /** Moves the ring of the keyboard's focus. @param {string} cell */
  placeCursor(cell) {
    const centre = this.#centres.get(cell);
    if (centre) for (const ring of this.#layers.cursors.children) ring.setAttribute("transform", `translate(${round(centre[0])} ${round(centre[1])})`);
  }

  // ---- updating, only what changes

  #update() {
    if (!this.#svg || !this.#geometry) return;
    const state = this.#state;
    this.#svg.classList.toggle("hx-playable", state.moves.length > 0 || state.editing || state.drawing);
    this.#svg.classList.toggle("hx-preview", state.preview);
    if (this.#svg.getAttribute("aria-label") !== state.label) this.#svg.setAttribute("aria-label", state.label);
    this.#drawPieces();
    this.#drawMarks();
    this.#drawGoals();
    this.#drawPaths();
    this.#drawArrows();
    this.#describe();
  }

  /** Where a piece's middle is. @param {string} cell @returns {Point} */
  #seat(cell) {
    const [x, y] = /** @type {Point} */ (this.#centres.get(cell));
    return [x, y - (this.#named ? (this.#geometry?.upright ? 0.14 : 0.22) : 0.02) * EDGE];
  }

  get #named() {
    return this.#state.labels === "cells" || this.#state.labels === "colours";
  }

  /** @param {SVGElement} node @param {Point} point */
  #move(node, [x, y]) {
    node.style.transform = `translate(${round(x)}px, ${round(y)}px) scale(${round(EDGE / (this.#named ? (this.#geometry?.upright ? 70 : 80) : 60))})`;
  }

  /** @param {string} letter */
  #shape(letter) {
    let shape = this.#shapes.get(letter);
    if (!shape) {
      shape = element("g", { class: `hx-piece ${letter === letter.toUpperCase() ? "hx-white" : "hx-black"}` });
      const kind = this.#geometry?.kinds.find((k) => k.letter === letter.toUpperCase());
      const picture = kind && this.#state.letters && !kind.picture.disc ? { disc: { letter: kind.letter, arcs: [], lines: "", dots: [] } } : kind?.picture;
      shape.innerHTML = picture ? pieceShape(picture) : "";
      this.#shapes.set(letter, shape);
    }
    return /** @type {SVGElement} */ (shape.cloneNode(true));
  }

  #drawPieces() {
    const wanted = Object.entries(this.#state.pieces).filter(([cell]) => this.#cells.has(cell));
    /** @type {{cell: string, letter: string, node: SVGElement}[]} */
    const spare = [];
    for (const [cell, { letter, node }] of this.#pieces) {
      if (this.#state.pieces[cell] === letter) continue;
      spare.push({ cell, letter, node });
      this.#pieces.delete(cell);
      this.#cells.get(cell)?.removeAttribute("data-piece");
    }
    for (const [cell, letter] of wanted) {
      if (this.#pieces.has(cell)) continue;
      // A piece of this letter that left another cell has gone here: it glides. The last move tells which of several.
      const same = spare.filter((s) => s.letter === letter);
      const from = same.find((s) => this.#state.last.includes(s.cell)) ?? same[0];
      let node = from?.node;
      if (from) spare.splice(spare.indexOf(from), 1);
      else {
        node = this.#shape(letter);
        this.#layers.pieces.append(node);
      }
      this.#move(node, this.#seat(cell));
      this.#pieces.set(cell, { letter, node });
      this.#cells.get(cell)?.setAttribute("data-piece", letter);
    }
    for (const { node } of spare) node.remove();
  }

  /** Makes the children of a layer those that are listed, by key; what is there already is only changed.
   * @param {string} name @param {{key: string, tag: string, attributes: Record<string, string | number>, text?: string}[]} items */
  #fill(name, items) {
    const layer = this.#layers[name];
    const old = new Map([...layer.children].map((child) => [child.getAttribute("data-key"), child]));
    items.forEach((item, index) => {
      const node = old.get(item.key) ?? element(item.tag, { "data-key": item.key });
      old.delete(item.key);
      for (const [key, value] of Object.entries(item.attributes)) {
        if (node.getAttribute(key) !== String(value)) node.setAttribute(key, String(value));
      }
      if (item.text !== undefined && node.textContent !== item.text) node.textContent = item.text;
      if (layer.children[index] !== node) layer.insertBefore(node, layer.children[index] ?? null);
    });
    for (const node of old.values()) node.remove();
  }

  /** @param {string} kind @param {string} cell */
  #hexagon(kind, cell) {
    const [x, y] = /** @type {Point} */ (this.#centres.get(cell));
    const points = pointsText(corners(/** @type {Geometry} */ (this.#geometry), 0.93));
    return { key: `${kind} ${cell}`, tag: "polygon", attributes: { class: `hx-hex-mark hx-mark-${kind}`, points, transform: `translate(${round(x)} ${round(y)})` } };
  }

  #drawMarks() {
    const { last, check, marks } = this.#state;
    /** @type {[string, string | null][]} */
    const all = last.length === 2 ? [["from", last[0]], ["last", last[1]]] : [];
    all.push(["check", check], ...marks.map((m) => /** @type {[string, string]} */ ([m.kind, m.cell])));
    all.push(...this.#circles.map((c) => /** @type {[string, string]} */ (c.endsWith("!") ? ["own2", c.slice(0, -1)] : ["own", c])));
    all.push(["select", this.selected], ["over", this.#over]);
    this.#fill("marks", all.flatMap(([kind, cell]) => (cell && this.#cells.has(cell) ? [this.#hexagon(kind, cell)] : [])));
  }

  #drawGoals() {
    const goals = new Map(this.selected ? this.movesFrom(this.selected).map((m) => [m.to, m.capture]) : []);
    this.#fill("goals", [...goals].flatMap(([cell, capture]) => {
      const centre = this.#centres.get(cell);
      if (!centre) return [];
      const [cx, cy] = centre;
      const look = capture ? { class: "hx-goal-capture", r: 36 } : { class: "hx-goal", r: 10.5 };
      return [{ key: `${cell}${capture ? "x" : ""}`, tag: "circle", attributes: { ...look, cx: round(cx), cy: round(cy) } }];
    }));
    for (const [name, node] of this.#cells) {
      const movable = this.#state.editing ? name in this.#state.pieces : this.#state.moves.some((m) => m.from === name);
      node.classList.toggle("hx-movable", movable);
      node.classList.toggle("hx-target", goals.has(name));
    }
  }

  #drawPaths() {
    /** @type {{key: string, tag: string, attributes: Record<string, string | number>}[]} */
    const items = [];
    const { paths } = this.#state;
    const from = paths && this.#centres.get(paths.from);
    const line = (/** @type {Point[]} */ points) => `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}`;
    (from ? paths.paths : []).forEach((path, n) => {
      const points = path.cells.map((cell) => this.#centres.get(cell)).filter((p) => !!p);
      const barred = (path.end === "own" || path.end === "enemy") && path.at;
      const open = [/** @type {Point} */ (from), ...points.slice(0, path.open + (path.end === "enemy" && barred ? 1 : 0))];
      if (open.length > 1) items.push({ key: `open ${n}`, tag: "path", attributes: { class: "hx-path", d: line(open) } });
      if (points.length > path.open + 1 || path.end === "own" || path.end === "empty") {
        const shut = [open[open.length - 1], ...points.slice(open.length - 1)];
        if (shut.length > 1) items.push({ key: `shut ${n}`, tag: "path", attributes: { class: "hx-path-shut", d: line(shut) } });
      }
      path.cells.slice(0, path.open).forEach((cell) => {
        const [cx, cy] = /** @type {Point} */ (this.#centres.get(cell));
        items.push({ key: `dot ${n} ${cell}`, tag: "circle", attributes: { class: "hx-path-end", cx: round(cx), cy: round(cy), r: 7 } });
      });
      const at = barred && this.#centres.get(/** @type {string} */ (path.at));
      if (at && path.end === "enemy") items.push({ key: `take ${n}`, tag: "circle", attributes: { class: "hx-path-take", cx: round(at[0]), cy: round(at[1]), r: 36 } });
      // A bar across the way, in front of what blocks it.
      if (at && path.end === "own") {
        const [px, py] = path.open ? points[path.open - 1] : /** @type {Point} */ (from);
        const [dx, dy] = [at[0] - px, at[1] - py];
        const length = Math.hypot(dx, dy) || 1;
        const [mx, my] = [at[0] - (dx / length) * 36, at[1] - (dy / length) * 36];
        const [ox, oy] = [(-dy / length) * 15, (dx / length) * 15];
        items.push({ key: `block ${n}`, tag: "path", attributes: { class: "hx-path-block", d: line([[mx - ox, my - oy], [mx + ox, my + oy]]) } });
      }
    });
    this.#fill("paths", items);
  }

  #drawArrows() {
    /** @type {{key: string, tag: string, attributes: Record<string, string | number>, text?: string}[][]} */
    const [shafts, numbers] = [[], []];
    const all = [...this.#state.arrows, ...this.#ownArrows];
    // The best one last, above the others.
    for (const arrow of [...all].sort((a, b) => (b.rank ?? 0) - (a.rank ?? 0))) {
      const [from, to] = [this.#centres.get(arrow.from), this.#centres.get(arrow.to)];
      if (!from || !to || from === to) continue;
      const rank = arrow.rank ?? 1;
      const key = `${arrow.kind} ${arrow.from} ${arrow.to}`;
      const width = Math.max(0.05, 0.135 - 0.025 * (rank - 1));
      const kind = arrow.kind === "best" && rank > 1 ? "line" : arrow.kind;
      shafts.push({ key, tag: "polygon", attributes: { class: `hx-arrow hx-arrow-${kind}`, points: pointsText(arrowPoints(from, to, width)), "data-arrow": `${arrow.from}${arrow.to}` } });
      if (rank < 2) continue;
      const [x, y] = [from[0] + (to[0] - from[0]) * 0.55, from[1] + (to[1] - from[1]) * 0.55];
      numbers.push({ key: `disc ${key}`, tag: "circle", attributes: { class: "hx-rank-disc", cx: round(x), cy: round(y), r: 11 } });
      numbers.push({ key: `rank ${key}`, tag: "text", attributes: { class: "hx-rank", x: round(x), y: round(y) }, text: String(rank) });
    }
    this.#fill("arrows", [...shafts, ...numbers]);
  }

  /** What a screen reader says of each cell. */
  #describe() {
    const geometry = /** @type {Geometry} */ (this.#geometry);
    const goals = new Set(this.selected ? this.movesFrom(this.selected).map((m) => m.to) : []);
    for (const cell of geometry.cells) {
      const piece = this.#state.pieces[cell.name];
      const words = [cell.name];
      if (geometry.colours_matter || this.#state.labels === "colours") words.push(geometry.colours[cell.colour]?.name ?? "");
      words.push(piece ? pieceName(geometry, piece) : "empty");
      if (cell.name === this.#state.check) words.push("in check");
      if (this.#state.last[1] === cell.name) words.push("last move");
      if (goals.has(cell.name)) words.push(piece ? "can be captured" : "can be reached");
      const node = /** @type {SVGElement} */ (this.#cells.get(cell.name));
      const text = words.filter(Boolean).join(", ");
      if (node.getAttribute("aria-label") !== text) node.setAttribute("aria-label", text);
      const chosen = String(cell.name === this.selected);
      if (node.getAttribute("aria-selected") !== chosen) node.setAttribute("aria-selected", chosen);
    }
  }

  // ---- several moves from one cell to another

  /** @param {BoardMove[]} moves @param {(move: BoardMove) => void} chosen */
  #choose(moves, chosen) {
    this.querySelector(".hx-choice")?.remove();
    const box = document.createElement("div");
    box.className = "hx-choice";
    box.setAttribute("role", "dialog");
    box.setAttribute("aria-label", moves[0].promotion ? "Promote to" : "Which move");
    const before = document.activeElement;
    const close = () => {
      removeEventListener("pointerdown", aside, true);
      box.remove();
      if (before instanceof HTMLElement || before instanceof SVGElement) before.focus();
    };
    const cancel = () => {
      close();
      this.select(null);
    };
    const aside = (/** @type {Event} */ event) => {
      if (!box.contains(/** @type {Node} */ (event.target))) cancel();
    };
    const white = (this.#state.pieces[moves[0].from] ?? "P") === (this.#state.pieces[moves[0].from] ?? "P").toUpperCase();
    // In the order in which people want them, if the geometry tells it.
    const order = (/** @type {BoardMove} */ m) => this.#geometry?.promotions?.indexOf(m.promotion ?? "") ?? 0;
    for (const move of [...moves].sort((a, b) => order(a) - order(b))) {
      const button = document.createElement("button");
      button.type = "button";
      const kind = this.#geometry?.kinds.find((k) => k.letter === move.promotion?.toUpperCase());
      button.setAttribute("aria-label", kind?.name ?? move.san);
      button.title = kind?.name ?? move.san;
      button.dataset.promotion = move.promotion ?? "";
      if (kind) button.innerHTML = `<svg viewBox="-50 -50 100 100" class="${this.#svg?.getAttribute("class") ?? ""}" aria-hidden="true"><g class="${white ? "hx-white" : "hx-black"}">${pieceShape(kind.picture)}</g></svg>`;
      else button.innerHTML = escapeText(move.san);
      button.addEventListener("click", () => {
        close();
        chosen(move);
      });
      box.append(button);
    }
    box.addEventListener("keydown", (event) => {
      const buttons = [...box.querySelectorAll("button")];
      const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Tab: event.shiftKey ? -1 : 1 }[event.key];
      if (step) {
        const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
        buttons[(at + step + buttons.length) % buttons.length].focus();
        event.preventDefault();
      } else if (event.key === "Escape") cancel();
      event.stopPropagation();
    });
    this.append(box);
    const [own, target] = [this.getBoundingClientRect(), /** @type {Element} */ (this.cellElement(moves[0].to)).getBoundingClientRect()];
    const left = target.left + target.width / 2 - own.left - box.offsetWidth / 2;
    const top = target.top - own.top + (target.top - own.top < own.height / 2 ? target.height : -box.offsetHeight);
    box.style.left = `${Math.max(0, Math.min(left, own.width - box.offsetWidth))}px`;
    box.style.top = `${Math.max(0, Math.min(top, own.height - box.offsetHeight))}px`;
    addEventListener("pointerdown", aside, true);
    box.querySelector("button")?.focus();
  }
}

customElements.define("hexmate-board", HexmateBoard);
