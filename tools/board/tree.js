// @ts-check
// A game as a tree of moves. Pure: no document, no requests.

/** @typedef {{move: string, san: string, glyphs?: number[], comments?: string[], variations?: WireLine[]}} WireMove */
/** @typedef {{intro?: string[], moves: WireMove[]}} WireLine As `/api/read` and `/api/write` have it. */

let count = 0;

export class TreeNode {
  /** @param {TreeNode | null} parent @param {string} move @param {string} san */
  constructor(parent, move, san) {
    this.id = (count += 1);
    this.parent = parent;
    this.move = move;
    this.san = san;
    /** @type {TreeNode[]} The first one is the main line. */
    this.children = [];
    /** @type {number[]} */ this.glyphs = [];
    /** @type {string[]} */ this.comments = [];
    /** @type {string[]} Comments before this move, where a line begins with it. */ this.intro = [];
  }
}

export class Tree {
  /** @param {string} game @param {string | null} fen The first position, `null`: the usual one. */
  constructor(game, fen = null) {
    this.game = game;
    this.fen = fen;
    /** @type {[string, string][]} */ this.tags = [];
    this.result = "*";
    this.root = new TreeNode(null, "", "");
  }

  /** The moves that lead to a node. @param {TreeNode} node @returns {string[]} */
  moves(node) {
    return this.path(node).map((n) => n.move);
  }

  /** The nodes on the way to a node, without the root. @param {TreeNode} node @returns {TreeNode[]} */
  path(node) {
    const path = [];
    for (let at = node; at.parent; at = at.parent) path.unshift(at);
    return path;
  }

  /** The end of the line on which a node is. @param {TreeNode} [node] */
  end(node = this.root) {
    let at = node;
    while (at.children.length) at = at.children[0];
    return at;
  }

  /** Whether a node is part of this tree, and was not deleted. @param {TreeNode} node */
  holds(node) {
    let at = node;
    while (at.parent?.children.includes(at)) at = at.parent;
    return at === this.root;
  }

  /** The nodes of the main line, without the root. */
  mainLine() {
    return this.path(this.end());
  }

  /** The node after a move, made if it is new. @param {TreeNode} parent @param {string} move @param {string} san */
  add(parent, move, san) {
    const known = parent.children.find((child) => child.move === move);
    if (known) return known;
    const node = new TreeNode(parent, move, san);
    parent.children.push(node);
    return node;
  }

  /** Makes the line of a node one rank more important. Whether that changed anything. @param {TreeNode} node */
  promote(node) {
    for (let at = node; at.parent; at = at.parent) {
      const all = at.parent.children;
      const index = all.indexOf(at);
      if (index > 0) {
        all.splice(index, 1);
        all.splice(index - 1, 0, at);
        settleIntro(at.parent);
        return true;
      }
    }
    return false;
  }

  /** Makes a node part of the main line. @param {TreeNode} node */
  makeMain(node) {
    for (let at = node; at.parent; at = at.parent) {
      const all = at.parent.children;
      all.splice(all.indexOf(at), 1);
      all.unshift(at);
      settleIntro(at.parent);
    }
  }

  /** Takes a move and all after it away. @param {TreeNode} node @returns {TreeNode} What was before it. */
  remove(node) {
    if (!node.parent) return node;
    node.parent.children = node.parent.children.filter((child) => child !== node);
    settleIntro(node.parent);
    return node.parent;
  }

  /** @returns {{game: string, fen: string | null, tags: [string, string][], result: string, main: WireLine}} */
  toWire() {
    return { game: this.game, fen: this.fen, tags: this.tags, result: this.result, main: { intro: this.root.comments, moves: wireLine(this.root) } };
  }

  /** @param {any} wire A game of `/api/read`. */
  static fromWire(wire) {
    const tree = new Tree(wire.game, wire.fen ?? null);
    tree.tags = wire.tags ?? [];
    tree.result = wire.result ?? "*";
    tree.root.comments = wire.main?.intro ?? [];
    readLine(tree.root, wire.main ?? { moves: [] });
    return tree;
  }

  /** Where a node is: the index among its siblings, for each of its path. @param {TreeNode} node */
  place(node) {
    return this.path(node).map((n) => /** @type {TreeNode} */ (n.parent).children.indexOf(n));
  }

  /** The node of a place, or the nearest before it. @param {number[]} place */
  at(place) {
    let node = this.root;
    for (const index of place) {
      if (!node.children[index]) break;
      node = node.children[index];
    }
    return node;
  }
}

/** What was said before a line that is the main one now is said after the move before it. @param {TreeNode} parent */
function settleIntro(parent) {
  const main = parent.children[0];
  if (!main?.intro.length) return;
  parent.comments = [...parent.comments, ...main.intro];
  main.intro = [];
}

/** @param {TreeNode} parent @returns {WireMove[]} */
function wireLine(parent) {
  const moves = [];
  for (let at = parent; at.children.length; at = at.children[0]) {
    const [main, ...rest] = at.children;
    moves.push({ ...wireMove(main), variations: rest.map((node) => ({ intro: node.intro, moves: [wireMove(node), ...wireLine(node)] })) });
  }
  return moves;
}

/** @param {TreeNode} node @returns {WireMove} */
const wireMove = ({ move, san, glyphs, comments }) => ({ move, san, glyphs, comments, variations: [] });

/** @param {TreeNode} parent @param {WireLine} line @param {boolean} [variation] */
function readLine(parent, line, variation = false) {
  let at = parent;
  // First the line as a whole: a variation that begins like it goes on beside it.
  const befores = (line.moves ?? []).map((wire, index) => {
    const before = at;
    const intro = index === 0 && variation ? (line.intro ?? []) : [];
    const same = at.children.find((child) => child.move === wire.move);
    if (same) {
      // A line that begins like a sibling is one with it.
      const glyphs = (wire.glyphs ?? []).filter((glyph) => !same.glyphs.includes(glyph));
      same.glyphs = [...same.glyphs, ...glyphs];
      same.comments = [...same.comments, ...intro, ...(wire.comments ?? [])];
      at = same;
    } else {
      const node = new TreeNode(at, wire.move, wire.san);
      node.glyphs = wire.glyphs ?? [];
      node.comments = wire.comments ?? [];
      node.intro = intro;
      at.children.push(node);
      at = node;
    }
    return before;
  });
  befores.forEach((before, index) => {
    for (const other of line.moves[index].variations ?? []) readLine(before, other, true);
  });
}

/** Number of a move and whether White makes it. @param {string} first The first position. @param {number} ply From 1. */
export function moveNumber(first, ply) {
  const fields = first.trim().split(/\s+/);
  const white = fields[1] !== "b";
  const start = Number(fields[fields.length - 1]) || 1;
  const half = (white ? 0 : 1) + ply - 1;
  return { number: start + Math.floor(half / 2), white: half % 2 === 0 };
}

/** Signs of numeric annotation glyphs. */
export const GLYPHS = /** @type {Record<number, string>} */ ({
  1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+−", 19: "−+", 22: "⨀", 40: "→", 132: "⇆",
});

/** @param {number} glyph */
export const glyphSign = (glyph) => GLYPHS[glyph] ?? `$${glyph}`;
