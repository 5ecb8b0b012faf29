// @ts-check
// The tab "Learn": where a piece goes and why not further, all pieces of the game, and how doubtful rules are read.

import { call } from "./api.js";
import { board, extras, refresh } from "./board-view.js";
import { pieceShape } from "./board-shapes.js";
import { byId, h, say } from "./dom.js";
import { session } from "./session.js";

/** @type {string | null} A kind that is imagined on the board, by its letter. */ let imagined = null;
let ticket = 0;

/** What a kind is worth, in words; pawns are what the others are counted in. @param {any} kind */
function worth(kind) {
  if (!kind.worth || kind === session.game.kinds[0]) return "";
  return ` Worth about ${kind.worth} ${kind.worth === 1 ? "pawn" : "pawns"}.`;
}

/** The picture of a kind. @param {any} kind @param {boolean} [black] */
export function piecePicture(kind, black = false) {
  const box = h("span.piece-picture.hx-picture", { "aria-hidden": "true" });
  const hues = session.game.colours_matter ? " hx-hues" : "";
  box.innerHTML = `<svg class="hx-board${hues}" viewBox="-50 -50 100 100"><g class="${black ? "hx-black" : "hx-white"}">${pieceShape(kind.picture)}</g></svg>`;
  return box;
}

/** Shows the paths of the piece on a cell. @param {string | null} cell */
async function reach(cell) {
  const now = (ticket += 1);
  const piece = cell && session.position?.pieces[cell];
  extras.ghost = null;
  extras.marks = [];
  if (!cell || (!piece && !imagined)) {
    extras.paths = null;
    refresh();
    tell(null, cell);
    return;
  }
  try {
    const asked = { ...session.asked, cell, ...(imagined && !piece ? { piece: session.position.side === "w" ? imagined : imagined.toLowerCase() } : {}) };
    const told = await call("reach", asked);
    if (now !== ticket || session.tab !== "learn") return;
    if (!piece) {
      extras.ghost = { cell, letter: told.piece };
      extras.marks = [{ cell, kind: "hint" }];
    }
    extras.paths = { from: cell, paths: told.paths.filter((/** @type {any} */ p) => p.kind !== "en_passant" || p.end !== "empty") };
    refresh();
    tell(told, cell);
  } catch {
    // A kind that may not stand on this cell.
    if (now !== ticket) return;
    extras.paths = null;
    refresh();
    tell(null, cell);
  }
}

/** @param {any} told @param {string | null} cell */
function tell(told, cell) {
  const box = byId("about-piece");
  if (!box) return;
  const where = session.game.cells.find((/** @type {any} */ c) => c.name === cell);
  const colour = where ? session.game.colours[where.colour]?.name : "";
  if (!told) {
    box.replaceChildren(h("h2", null, cell ? cell : "Point at a piece"), h("p.quiet-text", null, cell ? `A ${colour} cell${session.position.pieces[cell] ? "" : ", empty"}.` : "Its paths are drawn on the board, as far as they are open, and what bars them."));
    return;
  }
  const white = told.piece === told.piece.toUpperCase();
  const blockers = told.paths.filter((/** @type {any} */ p) => p.end === "own" && p.at).map((/** @type {any} */ p) => p.at);
  const prey = told.paths.filter((/** @type {any} */ p) => p.end === "enemy" && p.kind !== "step").map((/** @type {any} */ p) => p.at);
  const legal = told.moves.map((/** @type {any} */ m) => m.san);
  const kind = session.game.kinds.find((/** @type {any} */ k) => k.letter === told.piece.toUpperCase());
  const facts = [
    ["Cell", `${cell}, ${colour}`],
    legal.length ? ["Moves now", [...new Set(legal)].join(" ")] : null,
    prey.length ? ["Captures", [...new Set(prey)].join(" ")] : null,
    blockers.length ? ["Barred by its own", [...new Set(blockers)].join(" ")] : null,
    told.pinned ? ["Pinned", "some moves would leave the king in check"] : null,
    kind.bound.length ? ["Bound to", kind.bound.map((/** @type {number} */ c) => session.game.colours[c].name).join(", ")] : null,
  ].filter((f) => f !== null);
  box.replaceChildren(h("div.about-head", null, piecePicture(kind, !white), h("div", null, h("h2", null, `${white ? "White" : "Black"} ${told.name}`), h("p.quiet-text", null, `${told.words}${/[.!]$/.test(told.words) ? "" : "."}`))),
    h("dl.facts-list", null, facts.map(([name, value]) => [h("dt", null, name), h("dd", null, value)])));
  if (board.contains(document.activeElement)) say(`${white ? "white" : "black"} ${told.name}: ${legal.length} ${legal.length === 1 ? "move" : "moves"}`);
}

/** @param {HTMLElement} panel */
export function showLearn(panel) {
  const { game } = session;
  imagined = null;
  const kinds = h("ul.kinds", null, game.kinds.map((/** @type {any} */ kind) => h("li", null, h("button.kind", {
    "aria-pressed": "false", "data-kind": kind.letter, onclick: (/** @type {any} */ event) => {
      const on = imagined !== kind.letter;
      imagined = on ? kind.letter : null;
      for (const one of kinds.querySelectorAll("button")) one.setAttribute("aria-pressed", String(on && one === event.currentTarget));
      if (on) reach(freeCell(kind));
      else reach(null);
    },
  }, piecePicture(kind), h("span", null, h("b", null, `${kind.letter} ${kind.name}`), h("small", null, `${kind.words}${worth(kind)}`))))));
  const rules = /** @type {[string, string | null][]} */ ([["Pawns", game.pawn_words], ["Castling", game.castling_words], ["Stalemate", game.ends.stalemate.words],
    ["Draws", `The same position ${game.ends.repetitions} times; ${game.ends.no_progress_plies} plies without capture or pawn move${game.ends.bare_kings_draw ? "; bare kings" : ""}.`], ["Source", game.source]]);
  panel.replaceChildren(
    h("section.card.about", { id: "about-piece", "aria-live": "off" }),
    h("section.card", null, h("h2", null, "Pieces"), h("p.quiet-text", null, "Choose one, then point at an empty cell to see where it would go from there."), kinds),
    h("section.card", null, h("h2", null, "Rules"), h("dl.rules", null, rules.filter(([, words]) => words).map(([name, words]) => [h("dt", null, name), h("dd", null, words)]))),
    game.readings.length ? h("section.card", null, h("h2", null, "Readings of doubtful rules"), h("p.quiet-text", null, "Where the sources leave something open, this is how Hexmate plays."),
      h("dl.rules", null, game.readings.map((/** @type {any} */ r) => [h("dt", null, r.about, r.reconstruction ? h("span.tag", null, "reconstructed") : null), h("dd", null, r.text)]))) : "");
  tell(null, null);
  if (board.selected) reach(board.selected);
}

/** An empty cell near the middle on which a kind may stand. @param {any} kind */
function freeCell(kind) {
  const { cells, box } = session.game;
  const may = (/** @type {any} */ c) => !session.position.pieces[c.name] && (!kind.bound.length || kind.bound.includes(c.colour));
  const far = (/** @type {any} */ c) => Math.hypot(c.x - box[0] / 2, c.y - box[1] / 2);
  return cells.filter(may).sort((/** @type {any} */ a, /** @type {any} */ b) => far(a) - far(b))[0]?.name ?? null;
}

export function leaveLearn() {
  ticket += 1;
  extras.paths = null;
  extras.ghost = null;
  extras.marks = [];
  refresh();
}

/** @type {string | null} */ let shown = null;
board.addEventListener("hover", (event) => {
  if (session.tab !== "learn") return;
  const cell = /** @type {CustomEvent} */ (event).detail.cell;
  // What was pointed at last stays when the pointer leaves the board.
  if (!cell || cell === shown) return;
  shown = cell;
  reach(board.selected && !imagined ? board.selected : cell);
});
board.addEventListener("select", (event) => {
  if (session.tab !== "learn") return;
  shown = null;
  const cell = /** @type {CustomEvent} */ (event).detail.cell;
  if (cell) reach(cell);
});
session.on(["position"], () => {
  if (session.tab !== "learn") return;
  extras.paths = null;
  extras.ghost = null;
  tell(null, null);
});
