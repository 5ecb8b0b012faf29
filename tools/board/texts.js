// @ts-check
// Texts in and out: PGN, lists of moves and position texts, by paste, file and drop.

import { ApiError, call } from "./api.js";
import { h, iconButton, isolated, note, setText } from "./dom.js";
import { openDialog } from "./dialog.js";
import { chosenLetters, lettersChoice, sayingWhere } from "./letters.js";
import { session } from "./session.js";
import { Tree, moveNumber } from "./tree.js";

/** The longest request that is answered, in bytes. */
const MOST = 1 << 20;
/** @param {string} from */
const tooLong = (from) => `${from} has more than a mebibyte: cut it into parts.`;
/** @param {string} from */
const empty = (from) => `${from} is empty: expected a game in PGN, a list of moves or a position text.`;
/** Faulty games that are told one by one. */
const TOLD = 5;
/** Where letters are chosen, for messages. */
const UNDER_OPEN = "under Open…";

/** Reads a text of any kind; what is wrong with it goes to `complain`.
 * @param {string} text @param {string} from What it came from. @param {(message: string) => void} complain */
async function read(text, from, complain) {
  const body = { text, game: session.tree.game, letters: chosenLetters() };
  // Line ends and quotation marks are written with two characters.
  if (new Blob([JSON.stringify(body)]).size > MOST) {
    complain(tooLong(from));
    return null;
  }
  try {
    return await call("read", body);
  } catch (fault) {
    if (fault instanceof ApiError) complain(fault.message);
    else session.complain(fault);
    return null;
  }
}

/** Reads a text of any kind and shows what it holds. @param {string} text @param {string} [from] What it came from, for the note. */
export async function readText(text, from = "the text") {
  if (!text.trim() || !session.position) return;
  const told = await read(text, from, (message) => note(sayingWhere(message, UNDER_OPEN), true));
  if (told) takeGames(told, from);
}

/** The text of a file, in whatever the program reads, too: UTF-16 with its mark, UTF-8 or, line by line, Latin-1.
 * @param {File} file */
async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe && third && fourth === 0) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff && third === 0 && fourth) return new TextDecoder("utf-16be").decode(bytes);
  const lines = [];
  for (let at = 0; at <= bytes.length; ) {
    const end = bytes.indexOf(10, at);
    const line = bytes.subarray(at, end < 0 ? bytes.length : end);
    lines.push(textOfLine(line));
    at += line.length + 1;
  }
  return lines.join("\n");
}

/** @param {Uint8Array} line */
function textOfLine(line) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(line);
  } catch {
    // Not by TextDecoder, whose "latin1" is Windows-1252.
    return Array.from(line, (byte) => String.fromCharCode(byte)).join("");
  }
}

/** Shows the games of an answer of `/api/read`. @param {any} told @param {string} from */
export async function takeGames(told, from) {
  if (told.games.length > 1) chooseGame(told, from);
  else {
    await takeGame(told.games[0]);
    for (const words of refused(told, 2)) note(words, true);
  }
}

/** What is wrong with the games that could not be read, in so many notes. @param {any} told @param {number} most */
function refused({ faults }, most) {
  const shown = faults.length > most ? faults.slice(0, most - 1) : faults;
  const words = shown.map((/** @type {any} */ fault) => sayingWhere(shortFault(fault.message), UNDER_OPEN));
  return faults.length > shown.length ? [...words, `${faults.length - shown.length} more could not be read.`] : words;
}

/** @param {any} wire */
async function takeGame(wire) {
  const tree = Tree.fromWire(wire);
  try {
    if (!(await session.replace(tree))) return;
    for (const fault of (wire.faults ?? []).slice(0, 2)) note(sayingWhere(shortFault(fault.message), UNDER_OPEN), true);
  } catch (fault) {
    session.complain(fault);
  }
}

/** Without the whole position that a message names: the board shows it. @param {string} message */
export const shortFault = (message) => message.replace(/ in \S+\/\S+ [wb]( \S+)* \d+ \d+(?=:)/, "");

/** Whether it is a position alone, not a game. @param {any} game */
const isPosition = (game) => game.fen && !game.tags.length && !game.main.moves.length;

/** @param {string} name */
const titleOf = (name) => session.games.find((game) => game.name === name)?.title ?? name;

/** What tells a position from others. @param {any} position @returns {[any, any[]]} */
function positionWords({ game, fen, id }) {
  const { number, white } = moveNumber(fen, 1);
  const title = titleOf(game);
  const turn = `${white ? "White" : "Black"} to move, move ${number}`;
  return id === undefined ? [title, [turn]] : [id, [title, turn]];
}

/** What tells a game from others. @param {any} game @returns {[any, any[]]} */
function gameWords(game) {
  const tags = new Map(game.tags.filter((/** @type {[string, string]} */ [, value]) => !/^[?.*]*$/.test(value)));
  const [white, black, event] = ["White", "Black", "Event"].map((name) => tags.get(name));
  const players = white || black ? `${white ?? "?"} – ${black ?? "?"}` : "";
  const unnamed = !players && !event && game.id !== undefined;
  const facts = [unnamed && titleOf(game.game), players && event, tags.get("Date"), game.result !== "*" && game.result, `${game.main.moves.length} plies`];
  return [players || event || (game.id ?? "Players unknown"), facts.filter(Boolean)];
}

/** @param {any} told @param {string} from */
function chooseGame(told, from) {
  const positions = told.kind === "position" || told.games.every(isPosition);
  const [finds, hint] = positions ? ["Find a position", "Find a position"] : ["Find a game", "Find a player or event"];
  const find = h("input", { type: "search", placeholder: hint, "aria-label": finds });
  const list = h("ul.game-list");
  const rows = told.games.map((/** @type {any} */ game, /** @type {number} */ index) => {
    const [title, facts] = isPosition(game) ? positionWords(game) : gameWords(game);
    const row = h("li", null, h("button.game-row", {
      onclick: () => {
        dialog.close();
        takeGame(game);
      },
    }, h("span.game-index", null, String(index + 1)), h("span", null, h("b", null, title), h("small", null, facts.map((fact, i) => [i ? " · " : "", isolated(fact)])), game.faults.length ? h("small.bad-text", null, sayingWhere(shortFault(game.faults[0].message), UNDER_OPEN)) : null)));
    list.append(row);
    return { row, words: `${title} ${facts.join(" ")}`.toLowerCase() };
  });
  find.addEventListener("input", () => {
    for (const { row, words } of rows) row.hidden = !words.includes(find.value.toLowerCase());
  });
  const what = positions ? "positions" : "games";
  const left = told.left_off ? h("p.quiet-text", null, `Left off: ${told.left_off} more.`) : null;
  const faults = refused(told, TOLD).map((/** @type {string} */ words) => h("p.bad-text.refused", null, words));
  const dialog = openDialog(`${told.games.length} ${what} in ${from}`, find, list, faults, left);
}

/** A game as PGN. @param {Tree} tree */
async function pgn(tree) {
  return (await call("write", { ...tree.toWire(), notation: "san" })).text;
}

let copies = 0;

/** Copies a text, unless another one is wanted before it has come. @param {string | Promise<string>} coming @param {string} what */
export async function copy(coming, what) {
  const ticket = (copies += 1);
  const text = await coming;
  if (ticket !== copies) return;
  try {
    await navigator.clipboard.writeText(text);
    note(`${what} is copied.`);
  } catch {
    // Some browsers bar the clipboard: the text can be taken by hand.
    openDialog(what, h("textarea.text-out", { rows: 10, readonly: true, "aria-label": what, value: text }));
  }
}

async function download() {
  // Another game may be on the board when the text has come.
  const { tree } = session;
  try {
    const link = h("a", { href: URL.createObjectURL(new Blob([await pgn(tree)], { type: "application/x-chess-pgn" })), download: `${tree.game}.pgn` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  } catch (fault) {
    session.complain(fault);
  }
}

/** Opens the dialog in which a text is pasted or a file is chosen. */
export function openTexts() {
  const text = h("textarea", { id: "paste", rows: 8, spellcheck: "false", placeholder: "Paste a game in PGN, a list of moves, or a position text", "aria-label": "Game or position" });
  const fault = h("p.bad-text", { id: "read-fault", role: "alert", hidden: true });
  const button = h("button.primary", { id: "read", onclick: () => open("the text") }, "Open");
  const complain = (/** @type {string} */ message) => {
    fault.textContent = message;
    fault.hidden = false;
  };
  let ticket = 0;
  // The dialog stays until the text could be read: nobody should have to paste it again.
  const open = async (/** @type {string} */ from) => {
    // Pressed again, or a file was chosen: what is wanted last is opened, once.
    const now = (ticket += 1);
    fault.hidden = true;
    if (!text.value.trim()) {
      dialog.close();
      return;
    }
    setText(button, "Opening…");
    const told = await read(text.value, from, (message) => {
      if (now === ticket) complain(sayingWhere(message, "below"));
    });
    if (now !== ticket) return;
    setText(button, "Open");
    // Closed meanwhile, it is not wanted any more.
    if (!told || !dialog.open) return;
    dialog.close();
    takeGames(told, from);
  };
  const file = h("input", { type: "file", "aria-label": "A file", onchange: async () => {
    const chosen = file.files?.[0];
    if (!chosen) return;
    // Else the same file could not be chosen again.
    file.value = "";
    if (chosen.size > MOST) return complain(tooLong(chosen.name));
    const content = await textOf(chosen);
    if (!content.trim()) return complain(empty(chosen.name));
    text.value = content;
    await open(chosen.name);
  } });
  const dialog = openDialog("Open a game or position",
    text,
    fault,
    lettersChoice(),
    h("div.dialog-row", null, h("label.file-choice.button", null, "Choose a file", file), button),
    h("p.quiet-text", null, "Files can also be dropped anywhere on the page."));
  text.focus();
}

/** Reads files and shows what all of them hold. @param {File[]} files */
async function readFiles(files) {
  const all = { kind: "", games: /** @type {any[]} */ ([]), faults: /** @type {any[]} */ ([]), left_off: 0 };
  const refuse = (/** @type {File} */ { name }, /** @type {string} */ message) =>
    all.faults.push({ message: files.length > 1 && !message.startsWith(name) ? `${name}: ${message}` : message });
  for (const file of files) {
    const told = await readFile(file, (message) => refuse(file, message));
    if (!told) continue;
    all.kind = all.games.length && all.kind !== told.kind ? "games" : told.kind;
    all.games.push(...told.games);
    all.left_off += told.left_off;
    for (const { message } of told.faults) refuse(file, message);
  }
  if (all.games.length) takeGames(all, files.length > 1 ? `${files.length} files` : files[0].name);
  else for (const words of refused(all, TOLD)) note(words, true);
}

/** What a file holds. @param {File} file @param {(message: string) => void} complain */
async function readFile(file, complain) {
  if (file.size > MOST) return complain(tooLong(file.name));
  let text = "";
  try {
    text = await textOf(file);
  } catch {
    return complain(`${file.name} cannot be read: it is a folder, or not there any more.`);
  }
  if (!text.trim()) return complain(empty(file.name));
  return read(text, file.name, complain);
}

/** Files and texts that are dropped on the page. */
export function acceptDrops() {
  let depth = 0;
  const end = () => {
    depth = 0;
    document.body.classList.remove("dropping");
  };
  addEventListener("dragenter", (event) => {
    event.preventDefault();
    depth += 1;
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", () => {
    depth -= 1;
    if (depth <= 0) end();
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    end();
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length && session.position) readFiles(files);
    else readText(event.dataTransfer?.getData("text/plain") ?? "");
  });
  // A paste outside of any field.
  addEventListener("paste", (event) => {
    if (/** @type {Element} */ (event.target)?.closest?.("input, textarea, dialog")) return;
    readText(event.clipboardData?.getData("text/plain") ?? "");
  });
}

/** The buttons for texts. */
export function textTools() {
  return h("div.text-tools", null,
    h("button.quiet", { id: "open-text", title: "Paste or open a game or position (o)", onclick: openTexts }, "Open…"),
    h("button.quiet", { id: "copy-pgn", onclick: async () => {
      try {
        await copy(pgn(session.tree), "The game in PGN");
      } catch (fault) {
        session.complain(fault);
      }
    } }, "Copy PGN"),
    h("button.quiet", { id: "copy-fen", onclick: () => copy(session.position.fen, "The position text") }, "Copy position"),
    iconButton("save", "Download as PGN", download, { id: "download" }));
}
