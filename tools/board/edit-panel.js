// @ts-check
// The tab "Edit": a position is put together, and the rules that it breaks are told as they are broken. What was edited
// stays beside the other tabs and over a reload, and every change comes back by undo.

import { call } from "./api.js";
import { pieceName } from "./board-shapes.js";
import { board, extras, refresh } from "./board-view.js";
import { byId, choice, disable, h, icon, note, say } from "./dom.js";
import { piecePicture } from "./learn-panel.js";
import { copy, shortFault } from "./texts.js";
import { session } from "./session.js";
import { Tree } from "./tree.js";

/** @typedef {{pieces: Record<string, string>, side: "w" | "b", castling: string[], enPassant: string | null, moved: string[], fullmove: number, halfmove: number}} Setup What is edited; never changed itself. */
/**
 * @typedef {object} Edit
 * @property {string | null} from The text of the position from which it began. @property {boolean} changed Whether there is work in it.
 * @property {Setup} setup @property {{setup: Setup, changed: boolean}[]} before What undo brings back.
 * @property {string} text What was typed and is being read.
 */

const MOST_UNDONE = 200;
/** By game. @type {Map<string, Edit>} */ const edits = new Map();
/** @type {Edit} */ let edit = fresh();
/** What a click puts down: a letter, "" to move pieces, "-" to take them away. */
let brush = "";
/** @type {any} The last answer of `/api/setup`. */ let told = null;
/** Whether that is about what is shown. */ let known = false;
/** Why a text was refused. */ let refused = "";
/** What the field of the text was given, or had when it was read. */ let written = "";
let ticket = 0;
/** The last request about what is shown. @type {Promise<void>} */ let asking = Promise.resolve();
/** The last request that brings another position. @type {Promise<void>} */ let reading = Promise.resolve();
let using = false;

/** @returns {Edit} */
function fresh() {
  return { from: null, changed: false, setup: empty(), before: [], text: "" };
}

/** @returns {Setup} */
function empty() {
  return { pieces: {}, side: "w", castling: [], enPassant: null, moved: [], fullmove: 1, halfmove: 0 };
}

/** @param {any} position @returns {Setup} */
function setupOf(position) {
  return { pieces: { ...position.pieces }, side: position.side, castling: [...position.castling], enPassant: position.en_passant?.cells[0] ?? null, moved: [...position.moved], fullmove: position.fullmove, halfmove: position.halfmove };
}

// ---- asking the program

/** What is wrong with a setup; rights that its pieces do not allow go by themselves.
 * @param {string} game @param {Setup} setup @returns {Promise<{setup: Setup, answer: any}>} */
async function judged(game, setup) {
  const asked = { game, pieces: setup.pieces, side: setup.side, castling: setup.castling, en_passant: setup.enPassant, moved: setup.moved.filter((c) => setup.pieces[c]), halfmove: setup.halfmove, fullmove: setup.fullmove };
  const answer = await call("setup", asked);
  const castling = setup.castling.filter((c) => answer.may_castle.includes(c));
  const enPassant = setup.enPassant && answer.may_en_passant.includes(setup.enPassant) ? setup.enPassant : null;
  const moved = setup.moved.filter((c) => !answer.faults.some((/** @type {any} */ f) => f.rule === "moved" && f.cell === c));
  if (castling.length === setup.castling.length && enPassant === setup.enPassant && moved.length === setup.moved.length) return { setup, answer };
  return judged(game, { ...setup, castling, enPassant, moved });
}

/** Shows a setup that is to come, and what is wrong with it, unless another one is wanted meanwhile.
 * @param {() => Promise<Setup>} coming @param {boolean} other Whether it is another one than is shown. */
function show(coming, other) {
  const [now, mine, game] = [(ticket += 1), edit, session.game.name];
  known = false;
  refused = "";
  draw();
  const ask = async () => {
    try {
      const { setup, answer } = await judged(game, await coming());
      if (now !== ticket) return;
      if (other) put(mine, setup);
      else mine.setup = setup;
      mine.text = "";
      [told, known] = [answer, true];
      session.save();
    } catch (fault) {
      if (now !== ticket) return;
      refused = shortFault(/** @type {Error} */ (fault).message);
      // What is wrong with a text stands in the panel. A text that nobody has answered is read again.
      if (/** @type {any} */ (fault).code === "fen") mine.text = "";
      else session.complain(fault);
    }
    draw();
  };
  asking = ask();
  return asking;
}

function check() {
  const { setup } = edit;
  show(async () => setup, false);
}

/** Takes a position of the program. @param {string} [fen] Without one the first position of the game. */
function read(fen) {
  const asked = { game: session.game.name, ...(fen === undefined ? {} : { fen }) };
  reading = show(async () => setupOf(await call("position", asked)), true);
}

const field = () => byId("edit-fen");
/** Whether the field has a text that was not read yet. */
const typed = () => field() && field().value !== written;

function readTyped() {
  edit.text = written = field().value;
  session.save();
  read(written.trim());
}

/** What the program says of what is shown, once it is known, if that is a valid position. */
async function answered() {
  if (typed()) readTyped();
  for (let now = -1; now !== ticket; await asking) now = ticket;
  return known && told.valid ? told : null;
}

// ---- changes

/** Puts a setup in the place of the one before, which comes back by undo. @param {Edit} edit @param {Setup} setup */
function put(edit, setup) {
  if (JSON.stringify(setup) === JSON.stringify(edit.setup)) return;
  edit.before.push({ setup: edit.setup, changed: edit.changed });
  if (edit.before.length > MOST_UNDONE) edit.before.shift();
  Object.assign(edit, { setup, changed: true });
}

/** Changes what is shown, so that it can be undone. @param {(setup: Setup) => Partial<Setup>} next */
async function change(next) {
  // A text that was typed before is shown first.
  await reading;
  if (session.tab !== "edit") return;
  put(edit, { ...edit.setup, ...next(edit.setup) });
  session.save();
  check();
}

/** Takes the last change back, or a text that was not taken. */
export async function undoEdit() {
  await reading;
  if (session.tab !== "edit") return;
  if (typed() || refused) written = field().value;
  else {
    const last = edit.before.pop();
    if (!last) return;
    Object.assign(edit, last);
    board.select(null);
    session.save();
  }
  check();
}

/** Takes a piece from one cell to another, or off the board (null). @param {string} from @param {string | null} to */
function carry(from, to) {
  board.select(null);
  change(({ pieces }) => {
    const { [from]: piece, ...rest } = pieces;
    return { pieces: piece && to ? { ...rest, [to]: piece } : rest };
  });
  const piece = edit.setup.pieces[from];
  if (piece) say(`${pieceName(session.game, piece)} ${to ? `on ${to}` : "taken away"}`);
}

/** Without a brush, a click or Enter takes a piece up, and the next one puts it down. @param {string} cell */
function takeUp(cell) {
  const { selected } = board;
  if (selected && selected !== cell) return carry(selected, cell);
  const piece = edit.setup.pieces[cell];
  board.select(piece && !selected ? cell : null);
  if (piece) say(`${pieceName(session.game, piece)} ${selected ? "let go" : "taken up"}`);
}

/** @param {{cell: string | null, from: string | null}} detail */
function edited({ cell, from }) {
  // A click beside the field takes the text: what is clicked would be another position's cell.
  if (typed()) readTyped();
  else if (from) {
    if (edit.setup.pieces[from] && cell !== from) carry(from, cell);
  } else if (!cell) return;
  else if (brush === "") takeUp(cell);
  else {
    change(({ pieces }) => {
      const { [cell]: piece, ...rest } = pieces;
      return { pieces: brush === "-" || piece === brush ? rest : { ...rest, [cell]: brush } };
    });
  }
}

async function use() {
  if (using) return;
  using = true;
  const { wanted } = session;
  const answer = await answered();
  // What was opened or chosen meanwhile stays.
  if (session.wanted === wanted) {
    if (answer) await take(answer.fen);
    else if (session.tab !== "edit") {
      note(`The edited position is not on the board: ${known ? told.faults[0]?.message : refused}`, true);
    }
  }
  using = false;
}

/** Begins a game from the edited position. @param {string} fen */
async function take(fen) {
  const mine = edit;
  const { from, changed } = mine;
  let shown = false;
  // It is the position on the board then, no longer work that could be lost.
  Object.assign(mine, { from: fen, changed: false });
  try {
    shown = await session.replace(new Tree(session.game.name, fen === session.game.start ? null : fen));
  } catch (fault) {
    session.complain(fault);
  }
  if (shown) {
    if (session.tab === "edit") session.showTab("analyse");
    note("The edited position is on the board.");
  } else Object.assign(mine, { from, changed: changed || mine.changed });
}

// ---- drawing

function showBoard() {
  const faults = (told?.faults ?? []).filter((/** @type {any} */ f) => f.cell).map((/** @type {any} */ f) => ({ cell: f.cell, kind: "fault" }));
  extras.own = { pieces: edit.setup.pieces, editing: true, marks: faults, label: `Editing a position of ${session.game.title}` };
  refresh();
}

/** Draws the board and what is known of it; what is said of another position is pale. */
function draw() {
  const box = byId("edit-state");
  if (!box || session.tab !== "edit") return;
  showBoard();
  for (const one of byId("edit-side").children) one.setAttribute("aria-pressed", String(one.dataset.side === edit.setup.side));
  if (known && !typed()) field().value = written = told.fen ?? "";
  // Enabled while nothing is known: a click waits for the answer.
  for (const id of ["edit-use", "edit-copy"]) disable(byId(id), !typed() && (refused !== "" || (known && !told.valid)));
  disable(byId("edit-undo"), !edit.before.length && !typed() && !refused);
  box.classList.toggle("stale", typed() || (!known && !refused));
  if (refused) box.replaceChildren(h("ul.fault-list", null, h("li", null, refused)));
  if (!known) return;
  box.replaceChildren(told.valid ? h("p.good-text", null, "The position is valid.") : h("ul.fault-list", null, told.faults.map((/** @type {any} */ f) => h("li", null, f.message))));
  byId("edit-rights").replaceChildren(
    ...told.may_castle.map((/** @type {string} */ cell) => h("label.check", null, h("input", { type: "checkbox", checked: edit.setup.castling.includes(cell), onchange: (/** @type {any} */ e) => {
      const on = e.target.checked;
      change(({ castling }) => ({ castling: on ? [...castling, cell] : castling.filter((c) => c !== cell) }));
    } }), h("span", null, `may castle with ${cell}`))),
    told.may_en_passant.length ? choice("En passant", [["", "none"], ...told.may_en_passant.map((/** @type {string} */ c) => /** @type {[string, string]} */ ([c, c]))], edit.setup.enPassant ?? "", (v) => change(() => ({ enPassant: v || null }))) : "");
}

function palette() {
  const buttons = h("div.palette", { role: "group", "aria-label": "What a click puts down" });
  const add = (/** @type {string} */ key, /** @type {string} */ label, /** @type {Node} */ picture) => {
    buttons.append(h("button.brush", { "data-brush": key, "aria-label": label, title: label, "aria-pressed": String(brush === key), onclick: () => {
      brush = key;
      board.select(null);
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

/** What was edited, or the position on the board, if that is another one than when the work began. */
function begin() {
  const { name } = session.game;
  const { fen } = session.position;
  edit = edits.get(name) ?? fresh();
  edits.set(name, edit);
  const here = { setup: setupOf(session.position), changed: false };
  if (edit.from === fen) {
    // After a reload undo leads back to it at least.
    if (edit.changed && !edit.before.length) edit.before.push(here);
    return;
  }
  if (edit.changed) put(edit, here.setup);
  // A text that is still to be read comes on top.
  if (edit.text) note("What was typed is edited, not the position on the board. Undo brings that one back.");
  else if (edit.changed) note("Another position is on the board now. Undo brings back the edited one.");
  Object.assign(edit, here, { from: fen });
}

/** @param {HTMLElement} panel */
export function showEdit(panel) {
  told = null;
  written = "";
  brush = "";
  board.select(null);
  begin();
  const side = h("div.segments", { id: "edit-side", role: "group", "aria-label": "Side to move" }, [["w", "White"], ["b", "Black"]].map(([key, text]) => h("button.segment", { "data-side": key,
    onclick: () => change(() => ({ side: /** @type {"w" | "b"} */ (key), enPassant: null })) }, text)));
  const fen = h("input", { id: "edit-fen", type: "text", spellcheck: "false", autocomplete: "off", "aria-label": "Position text", oninput: draw,
    onchange: () => typed() && readTyped(),
    // The browser's own undo and redo run texts together that were put in here by the page.
    onbeforeinput: (/** @type {InputEvent} */ event) => event.inputType.startsWith("history") && event.preventDefault(),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.key !== "z") return;
      event.preventDefault();
      undoEdit();
    } });
  panel.replaceChildren(h("section.card.form-card", null, h("h2", null, "Edit the position"),
    h("p.quiet-text", null, "Choose a piece and click cells. With the hand, drag a piece, or click it and then its new cell. Off the board it is removed."),
    palette(),
    h("div.field", null, h("span", null, "To move"), side),
    h("div.edit-rights", { id: "edit-rights" }),
    h("div.edit-state", { id: "edit-state", role: "status" }),
    h("div.button-row", null, h("button.quiet", { id: "edit-undo", title: "Undo the last change (Ctrl Z)", onclick: undoEdit }, "Undo"),
      h("button.quiet", { id: "edit-clear", onclick: () => change(({ side }) => ({ ...empty(), side })) }, "Clear"),
      h("button.quiet", { id: "edit-start", onclick: () => read() }, "First position"),
      h("button.quiet", { id: "edit-copy", onclick: async () => {
        const answer = await answered();
        if (answer) copy(answer.fen, "The position text");
      } }, "Copy text")),
    h("label.field.column", null, h("span", null, "Position text"), fen),
    h("button.primary.wide", { id: "edit-use", onclick: use }, "Use this position")));
  if (edit.text) {
    fen.value = edit.text;
    readTyped();
  } else check();
}

export function leaveEdit() {
  board.select(null);
  extras.own = null;
  refresh();
}

/** What was edited before a reload. @param {any} kept */
export function resumeEdit(kept) {
  for (const [game, one] of Object.entries(kept ?? {})) {
    // What is damaged is left out.
    if (!one?.setup?.pieces) continue;
    const { from, changed = true, text = "" } = one;
    edits.set(game, { from, changed, setup: { ...empty(), ...one.setup }, before: [], text: String(text) });
  }
}

session.keptOfEdit = () => Object.fromEntries([...edits].filter(([, { changed, text }]) => changed || text)
  .map(([game, { from, changed, setup, text }]) => [game, { from, changed, setup, text }]));

board.addEventListener("edit", (event) => session.tab === "edit" && edited(/** @type {CustomEvent} */ (event).detail));
session.on(["game"], () => {
  if (session.tab === "edit") extras.own = null;
});
