// @ts-check
// Dialogs, and those that every page has: how it looks, and the keys.

import { choice, h, iconButton, toggle } from "./dom.js";
import { session } from "./session.js";

/** Opens a dialog over the page; a long one is broad. @param {string} title @param {...any} content @returns {HTMLDialogElement} */
export function openDialog(title, ...content) {
  const dialog = h("dialog", { "aria-label": title },
    h("div.dialog-head", null, h("h2", null, title), iconButton("close", "Close", () => dialog.close())), h("div.dialog-body", null, ...content));
  dialog.addEventListener("close", () => dialog.remove());
  // A click beside the box closes it.
  dialog.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function openView() {
  const { settings, game } = session;
  const colours = game.colours.map((/** @type {{name: string}} */ { name }, /** @type {number} */ index) => `${index + 1} ${name}`);
  const legend = h("p.quiet-text", { id: "colour-numbers", hidden: settings.labels !== "colours" }, `Colours by their numbers: ${colours.join(", ")}.`);
  openDialog("View",
    choice("Theme", [["auto", "as the system"], ["light", "light"], ["dark", "dark"], ["contrast", "high contrast"]], settings.theme, (theme) => session.set({ theme })),
    choice("Board", [["wood", "wood"], ["slate", "slate"], ["sand", "sand"]], settings.tones, (tones) => session.set({ tones })),
    choice("Pieces", [["pictures", "pictures"], ["letters", "letters"]], settings.pieces, (pieces) => session.set({ pieces })),
    choice("Names", [["edge", "at the edge"], ["cells", "on every cell"], ["colours", "on every cell, with its colour"], ["none", "none"]], settings.labels, (labels) => {
      session.set({ labels });
      legend.hidden = labels !== "colours";
    }), legend,
    toggle("Arrows of the engine (a)", settings.arrows, (arrows) => session.set({ arrows })),
    toggle("Speak moves and scores to screen readers", settings.spoken, (spoken) => session.set({ spoken })));
}

const KEYS = /** @type {[string, [string, string][]][]} */ ([
  ["Moves", [
    ["← →  or  k j", "one move back, one forward"], ["↑ ↓", "the other variation at a fork; else first and last position"], ["Home End", "first and last position"],
    ["Space", "play the engine's best move"], ["Del", "delete from here"], ["c", "comment"], ["Ctrl Z", "undo the last change"],
  ]],
  ["Engine and page", [
    ["l", "engine on or off"], ["x", "threat"], ["a", "arrows"], ["f", "turn the board"], ["n", "new game"], ["o", "open a game or position"], ["1 – 6", "the tabs"], ["v", "view"], ["?", "these keys"],
  ]],
  ["On the board, once Tab has reached it", [
    ["Arrow keys", "to the next cell; where there is none, slantwise on the same level"], ["Q E A D", "to the slanting neighbours (by their place on the keyboard); also Home, Page Up, End, Page Down, or 7 9 1 3 of the number pad"],
    ["Enter or Space", "take up a piece, put it down; in the editor with a piece chosen: put that down"], ["Esc", "let it go"], ["Del", "in the editor: take the piece away"],
  ]],
  ["Mouse", [["Right button", "draw an arrow or mark a cell; with Shift in red"], ["Point at a line", "see it on the board; a click takes it over"]]],
]);

export function openKeys() {
  openDialog("Keys", h("div.key-groups", null, KEYS.map(([title, keys]) => h("section", null, h("h3", null, title),
    h("dl.keys", null, keys.map(([key, words]) => [h("dt", null, key.split("  ").map((k) => (k === "or" ? h("span", null, " or ") : h("kbd", null, k)))), h("dd", null, words)]))))));
}
