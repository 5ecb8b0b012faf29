// @ts-check
// The tree of moves: the main line in two columns, variations nested below the move that they replace.

import { disable, h, iconButton, isolated, keepingFocus, note, playersOf } from "./dom.js";
import { session } from "./session.js";
import { GLYPHS, glyphSign, moveNumber } from "./tree.js";

/** @typedef {import("./tree.js").TreeNode} TreeNode */

const MARKS = /** @type {[number, string][]} */ ([[1, "Good move"], [3, "Brilliant move"], [5, "Interesting move"], [6, "Dubious move"], [2, "Mistake"], [4, "Blunder"]]);
const JUDGED = [1, 2, 3, 4, 5, 6];

let pressed = false;
addEventListener("pointerdown", () => (pressed = true), true);
for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => (pressed = false), true);

/** Does something once no pointer is pressed and its click is over. @param {() => void} act */
function afterPress(act) {
  if (!pressed) return act();
  const once = () => {
    for (const name of ["pointerup", "pointercancel"]) removeEventListener(name, once, true);
    setTimeout(act, 0);
  };
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, once, true);
}

class MovesView {
  constructor() {
    this.list = h("div.moves", { id: "moves", role: "group", "aria-label": "Moves of the game" });
    this.title = h("div.game-title");
    this.comment = h("textarea", { rows: 2, id: "comment", placeholder: "A comment on this move", "aria-label": "Comment", onchange: () => this.#commentChanged(), onfocus: () => this.commented !== session.node && this.#fillComment(), onblur: () => this.#fillComment() });
    /** @type {TreeNode | null} The node whose comment is in the field. */
    this.commented = null;
    /** @type {(() => void) | null} Writes the comment that waits until no pointer is pressed. */
    this.unwritten = null;
    this.commentBox = h("div.comment-box", { hidden: true }, this.comment);
    this.marks = h("div.mark-buttons", { role: "group", "aria-label": "Marks" }, MARKS.map(([glyph, name]) =>
      h("button.mark-button", { title: name, "aria-label": name, "data-glyph": glyph, "aria-pressed": "false", onclick: () => this.toggleGlyph(glyph) }, GLYPHS[glyph])));
    this.promote = iconButton("up", "Promote the variation", () => this.#promote(), { id: "promote" });
    this.remove = iconButton("trash", "Delete from here (Del)", () => this.deleteHere(), { id: "delete" });
    this.undo = iconButton("undo", "Undo the last change (Ctrl+Z)", () => this.#undoHere(), {
      id: "undo",
      // What is being written keeps the focus: else it would be a change already.
      onmousedown: (/** @type {Event} */ event) => this.#isWriting() && event.preventDefault(),
    });
    this.commentButton = iconButton("comment", "Comment (c)", () => this.openComment(), { id: "comment-button", "aria-expanded": "false" });
    this.node = h("div.moves-view", null, this.title, this.list, this.commentBox,
      h("div.moves-tools", null, this.marks, h("div.tool-group", null, this.commentButton, this.promote, this.remove, this.undo)));
    /** @type {Map<number, HTMLElement>} */
    this.buttons = new Map();
    session.on(["tree", "game"], () => this.draw());
    session.on(["position"], () => this.mark());
    // A click may change what the comment belongs to before it is written.
    session.on(["changing"], () => this.#writeNow());
    session.on(["leaving"], () => this.#keepComment());
  }

  draw() {
    this.buttons.clear();
    const { tree } = session;
    const tags = new Map(tree.tags);
    const white = tags.get("White");
    const players = white && white !== "?" ? playersOf(white, tags.get("Black") ?? "?") : null;
    const event = [tags.get("Event"), tags.get("Date")].filter((t) => t && !/^[?.]+$/.test(t)).flatMap((t, i) => [i ? ", " : "", isolated(t)]);
    this.title.replaceChildren(...(players ? [h("b", null, players), event.length ? h("span", null, event) : ""] : []));
    this.title.hidden = !players;
    const parts = [];
    if (tree.root.comments.length) parts.push(this.#comments(tree.root));
    parts.push(...this.#mainLine(tree.root));
    if (!tree.root.children.length) parts.push(h("p.quiet-text.no-moves", null, "No moves yet. Play one on the board."));
    else if (tree.result !== "*") parts.push(h("div.result", null, tree.result));
    this.list.replaceChildren(...parts);
    this.mark();
  }

  #first() {
    const { tree, game } = session;
    return tree.fen ?? game?.start ?? "w 1";
  }

  /** @param {TreeNode} root */
  #mainLine(root) {
    const parts = [];
    let row = null;
    let at = root;
    for (let ply = 1; at.children.length; ply += 1) {
      const [main, ...others] = at.children;
      const { number, white } = moveNumber(this.#first(), ply);
      if (!row || white) {
        row = h("div.move-row", null, h("span.move-number", null, String(number)));
        if (!white) row.append(h("span.move.gap", null, "…"));
        parts.push(row);
      }
      row.append(this.#move(main, number, white));
      const extra = [main.comments.length ? this.#comments(main) : null, ...others.map((other) => this.#variation(other, ply))].filter(Boolean);
      if (extra.length) {
        if (white) row.append(h("span.move.gap", null, ""));
        parts.push(h("div.move-extra", null, extra));
        row = null;
      }
      at = main;
    }
    return parts;
  }

  /** @param {TreeNode} node @param {number} ply */
  #variation(node, ply) {
    const box = h("div.variation", { role: "group", "aria-label": `Variation ${node.san}` });
    if (node.intro.length) box.append(h("span.comment", null, node.intro.join(" ")), " ");
    let begins = this.#inline(box, node, ply, true);
    for (let at = node, n = ply + 1; at.children.length; at = at.children[0], n += 1) {
      const [main, ...others] = at.children;
      begins = this.#inline(box, main, n, begins);
      for (const other of others) box.append(this.#variation(other, n));
      begins ||= others.length > 0;
    }
    return box;
  }

  /** One move within a variation. Whether the next one needs its number, whoever makes it.
   * @param {HTMLElement} box @param {TreeNode} node @param {number} ply @param {boolean} begins */
  #inline(box, node, ply, begins) {
    const { number, white } = moveNumber(this.#first(), ply);
    if (white || begins) box.append(h("span.move-number", null, white ? `${number}.` : `${number}…`));
    box.append(this.#move(node, number, white), " ");
    if (node.comments.length) box.append(this.#comments(node), " ");
    return node.comments.length > 0;
  }

  /** @param {TreeNode} node @param {number} number @param {boolean} white */
  #move(node, number, white) {
    const signs = node.glyphs.map(glyphSign).join("");
    const judged = node.glyphs.find((g) => JUDGED.includes(g));
    const button = h(`button.move${judged ? `.glyph-${judged}` : ""}`, {
      "data-node": node.id, "data-move": node.move, "aria-label": `${number}${white ? "." : "…"} ${node.san}${signs ? ` ${signs}` : ""}`, onclick: () => session.go(node),
    }, node.san, signs ? h("span.glyph", null, signs) : null);
    this.buttons.set(node.id, button);
    return button;
  }

  /** @param {TreeNode} node */
  #comments(node) {
    return h("span.comment", null, node.comments.join(" "));
  }

  /** Shows which move is the one on the board. */
  mark() {
    const { node, tree } = session;
    for (const button of this.list.querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    const button = this.buttons.get(node.id);
    if (button) {
      button.setAttribute("aria-current", "true");
      // Within the list only: the page must not move.
      const [top, bottom] = [button.offsetTop - this.list.offsetTop, button.offsetTop - this.list.offsetTop + button.offsetHeight];
      if (top < this.list.scrollTop + 30 || bottom > this.list.scrollTop + this.list.clientHeight - 30) this.list.scrollTop = top - this.list.clientHeight / 2;
    } else this.list.scrollTop = 0;
    const atStart = node === tree.root;
    disable(this.promote, atStart || tree.path(node).every((n) => n.parent?.children[0] === n));
    disable(this.remove, atStart);
    disable(this.undo, !session.canUndo);
    for (const mark of this.marks.children) {
      disable(mark, atStart);
      mark.setAttribute("aria-pressed", String(node.glyphs.includes(Number(mark.dataset.glyph))));
    }
    // What is being written stays a comment on its own move.
    if (document.activeElement !== this.comment || !this.commented) this.#fillComment();
  }

  #fillComment() {
    const { node, tree } = session;
    // While another tree comes there is no move yet to comment on.
    this.commented = tree.holds(node) ? node : null;
    this.comment.value = node.comments.join("\n");
  }

  /** @param {number} glyph */
  toggleGlyph(glyph) {
    const { node, tree } = session;
    if (node === tree.root) return;
    session.change(() => {
      const has = node.glyphs.includes(glyph);
      // One judgement at a time; other signs stay.
      node.glyphs = node.glyphs.filter((g) => !JUDGED.includes(g));
      if (!has) node.glyphs.unshift(glyph);
    });
  }

  #promote() {
    session.change(() => {
      session.tree.promote(session.node);
    });
  }

  deleteHere() {
    const { node, tree } = session;
    if (node === tree.root) return;
    session.change(() => tree.remove(node));
    note(`${node.san} and what followed is deleted. Ctrl+Z brings it back.`);
  }

  openComment() {
    const open = this.commentBox.hidden;
    this.commentBox.hidden = !open;
    this.commentButton.setAttribute("aria-expanded", String(open));
    if (open) this.comment.focus();
  }

  /** Whether something is typed in the comment that is not written yet. */
  #isWriting() {
    const { comment, commented } = this;
    return document.activeElement === comment && !!commented && comment.value !== commented.comments.join("\n");
  }

  /** The last change; while a comment is being written only the typing, by the field itself, which can bring it back. */
  #undoHere() {
    if (this.#isWriting() && document.execCommand("undo")) return;
    this.comment.blur();
    session.undo();
  }

  #commentChanged() {
    const text = this.comment.value.trim();
    const node = this.commented;
    // The list must not change below a pointer that is pressed on one of its moves.
    this.unwritten = () => this.#write(node, text);
    afterPress(() => this.#writeNow());
  }

  #writeNow() {
    const write = this.unwritten;
    this.unwritten = null;
    write?.();
  }

  /** @param {TreeNode | null} node @param {string} text */
  #write(node, text) {
    if (!node || !session.tree.holds(node) || text === node.comments.join("\n")) return;
    session.change(() => {
      node.comments = text ? [text] : [];
    });
  }

  /** What is being written stays with the tree that goes; who writes on does so on the move that is shown then. */
  #keepComment() {
    this.#writeNow();
    this.#write(this.commented, this.comment.value.trim());
    this.commented = null;
  }
}

export const movesView = new MovesView();

/** Fills a panel with what stands above the moves. These stay where they are: somebody may be writing a comment.
 * @param {HTMLElement} panel @param {HTMLElement[]} above */
export function showAboveMoves(panel, above) {
  keepingFocus(() => {
    const moves = movesView.node.parentElement;
    if (moves && moves === panel.lastElementChild && moves.children.length === 1) {
      while (panel.firstElementChild !== moves) panel.firstElementChild?.remove();
      moves.before(...above);
    } else panel.replaceChildren(...above, h("section.card.game-card", { "aria-label": "Moves" }, movesView.node));
  });
}
