// @ts-check
// The tab "Edit": a position is put together, and the rules that it breaks are told as they are broken.

import { call } from "./api.js";
import { board, extras, refresh } from "./board-view.js";
import { byId, choice, h, icon, note } from "./dom.js";
import { piecePicture } from "./learn-panel.js";
import { copy } from "./texts.js";
import { session } from "./session.js";
import { Tree } from "./tree.js";

/** @type {{pieces: Record<string, string>, side: "w" | "b", castling: string[], enPassant: string | null, moved: string[], fullmove: number, halfmove: number}} */
let setup = empty();
/** What a click puts down: a letter, "" to move pieces, "-" to take them away. */
let brush = "";
/** @type {any} */ let told = null;
let ticket = 0;

function empty() {
  return { pieces: /** @type {Record<string, string>} */ ({}), side: /** @type {"w" | "b"} */ ("w"), castling: /** @type {string[]} */ ([]), enPassant: /** @type {string | null} */ (null), moved: /** @type {string[]} */ ([]), fullmove: 1, halfmove: 0 };
}

/** @param {any} position */
function from(position) {
  setup = { pieces: { ...position.pieces }, side: position.side, castling: [...position.castling], enPassant: position.en_passant?.cells[0] ?? null, moved: [...position.moved], fullmove: position.fullmove, halfmove: position.halfmove };
}

/** Shows the edited position and asks what is wrong with it. */
async function changed() {
  const now = (ticket += 1);
  showBoard();
  try {
    const asked = { game: session.game.name, pieces: setup.pieces, side: setup.side, castling: setup.castling, en_passant: setup.enPassant, moved: setup.moved.filter((c) => setup.pieces[c]), halfmove: setup.halfmove, fullmove: setup.fullmove };
    const answer = await call("setup", asked);
    if (now !== ticket || session.tab !== "edit") return;
    told = answer;
    // Rights that the pieces no longer allow go by themselves.
    const castling = setup.castling.filter((c) => answer.may_castle.includes(c));
    const enPassant = setup.enPassant && answer.may_en_passant.includes(setup.enPassant) ? setup.enPassant : null;
    const moved = setup.moved.filter((c) => !answer.faults.some((/** @type {any} */ f) => f.rule === "moved" && f.cell === c));
    if (castling.length !== setup.castling.length || enPassant !== setup.enPassant || moved.length !== setup.moved.length) {
      Object.assign(setup, { castling, enPassant, moved });
      return changed();
    }
  } catch (fault) {
    session.complain(fault);
    return;
  }
  showBoard();
  drawState();
}

function showBoard() {
  const faults = (told?.faults ?? []).filter((/** @type {any} */ f) => f.cell).map((/** @type {any} */ f) => ({ cell: f.cell, kind: "fault" }));
  extras.own = { pieces: setup.pieces, editing: true, marks: faults, label: `Editing a position of ${session.game.title}` };
  refresh();
}

function drawState() {
  const box = byId("edit-state");
  if (!box || !told) return;
  byId("edit-use").disabled = !told.valid;
  byId("edit-copy").disabled = !told.valid;
  byId("edit-fen").value = told.fen ?? "";
  box.replaceChildren(told.valid ? h("p.good-text", null, "The position is valid.") : h("ul.fault-list", null, told.faults.map((/** @type {any} */ f) => h("li", null, f.message))));
  const rights = byId("edit-rights");
  rights.replaceChildren(
    ...told.may_castle.map((/** @type {string} */ cell) => h("label.check", null, h("input", { type: "checkbox", checked: setup.castling.includes(cell), onchange: (/** @type {any} */ e) => {
      setup.castling = e.target.checked ? [...setup.castling, cell] : setup.castling.filter((c) => c !== cell);
      changed();
    } }), h("span", null, `may castle with ${cell}`))),
    told.may_en_passant.length ? choice("En passant", [["", "none"], ...told.may_en_passant.map((/** @type {string} */ c) => /** @type {[string, string]} */ ([c, c]))], setup.enPassant ?? "", (v) => {
      setup.enPassant = v || null;
      changed();
    }) : "");
}

/** @param {any} detail */
function edited({ cell, from: source }) {
  if (source) {
    const piece = setup.pieces[source];
    if (!piece || cell === source) return;
    delete setup.pieces[source];
    if (cell) setup.pieces[cell] = piece;
  } else if (brush === "") return;
  else if (brush === "-" || setup.pieces[cell] === brush) delete setup.pieces[cell];
  else setup.pieces[cell] = brush;
  setup.pieces = { ...setup.pieces };
  changed();
}

async function use() {
  const tree = new Tree(session.game.name, told.fen === session.game.start ? null : told.fen);
  extras.own = null;
  await session.replace(tree);
  session.showTab("analyse");
  note("The edited position is on the board.");
}

function palette() {
  const buttons = h("div.palette", { role: "group", "aria-label": "What a click puts down" });
  const add = (/** @type {string} */ key, /** @type {string} */ label, /** @type {Node} */ picture) => {
    buttons.append(h("button.brush", { "data-brush": key, "aria-label": label, title: label, "aria-pressed": String(brush === key), onclick: () => {
      brush = key;
      for (const one of buttons.querySelectorAll("button")) one.setAttribute("aria-pressed", String(one.dataset.brush === key));
    } }, picture));
  };
  add("", "Move pieces", icon("hand"));
  add("-", "Take pieces away", icon("trash"));
  for (const black of [false, true]) {
    buttons.append(h("span.palette-break"));
    for (const kind of session.game.kinds) add(black ? kind.letter.toLowerCase() : kind.letter, `${black ? "black" : "white"} ${kind.name}`, piecePicture(kind, black));
  }
  return buttons;
}

/** @param {HTMLElement} panel */
export function showEdit(panel) {
  told = null;
  brush = "";
  from(session.position);
  const side = h("div.segments", { role: "group", "aria-label": "Side to move" }, [["w", "White"], ["b", "Black"]].map(([key, text]) => h("button.segment", { "data-side": key, "aria-pressed": String(setup.side === key), onclick: () => {
    setup.side = /** @type {"w" | "b"} */ (key);
    setup.enPassant = null;
    mark();
    changed();
  } }, text)));
  const mark = () => {
    for (const one of side.children) one.setAttribute("aria-pressed", String(one.dataset.side === setup.side));
  };
  const fen = h("input", { id: "edit-fen", type: "text", spellcheck: "false", autocomplete: "off", "aria-label": "Position text", onchange: async () => {
    try {
      from(await call("position", { game: session.game.name, fen: fen.value.trim() }));
      mark();
      changed();
    } catch (fault) {
      session.complain(fault);
    }
  } });
  const start = async () => {
    from(await call("position", { game: session.game.name }));
    mark();
    changed();
  };
  panel.replaceChildren(h("section.card.form-card", null, h("h2", null, "Edit the position"),
    h("p.quiet-text", null, "Choose a piece and click cells, or drag pieces over the board. Drag one off the board to remove it."),
    palette(),
    h("div.field", null, h("span", null, "To move"), side),
    h("div.edit-rights", { id: "edit-rights" }),
    h("div.edit-state", { id: "edit-state", role: "status" }),
    h("div.button-row", null, h("button.quiet", { id: "edit-clear", onclick: () => {
      setup = { ...empty(), side: setup.side };
      changed();
    } }, "Clear"), h("button.quiet", { id: "edit-start", onclick: start }, "First position"), h("button.quiet", { id: "edit-copy", onclick: () => copy(told.fen, "The position text") }, "Copy text")),
    h("label.field.column", null, h("span", null, "Position text"), fen),
    h("button.primary.wide", { id: "edit-use", onclick: use, disabled: true }, "Use this position")));
  changed();
}

export function leaveEdit() {
  ticket += 1;
  extras.own = null;
  refresh();
}

board.addEventListener("edit", (event) => session.tab === "edit" && edited(/** @type {CustomEvent} */ (event).detail));
session.on(["game"], () => {
  if (session.tab === "edit") extras.own = null;
});
