// @ts-check
// What the page is about: the game, its tree of moves, the position that is shown, the settings. Panels listen to it.
//
// Events: "game" (another game), "changing" (the tree is about to be changed), "leaving" (another one is about to take
// its place), "opened" (another tree), "tree" (moves, comments or marks changed), "position" (another position is shown),
// "played" (a move was made), "refused" (a tree or position could not be shown), "tab", "settings", "preview" (a position
// is only looked at).

import { call, ApiError } from "./api.js";
import { note } from "./dom.js";
import { Tree, TreeNode } from "./tree.js";

const KEPT = 60;
/** Milliseconds between two moves that are played out. */
const STEP = 450;

class Session extends EventTarget {
  /** @type {any} The answer of `/api/hello`. */ hello = null;
  /** @type {any[]} */ games = [];
  /** @type {any} The answer of `/api/game`. */ game = null;
  tree = new Tree("");
  node = this.tree.root;
  /** @type {any} The answer of `/api/position` for the node. */ position = null;
  /** @type {{position: any, moves: string[], from: TreeNode} | null} What is only looked at. */ looked = null;
  tab = "analyse";
  flipped = false;
  settings = {
    theme: "auto", tones: "wood", pieces: "pictures", labels: "edge", arrows: true, spoken: true,
    engine: false, multipv: 3, threads: 0, hash: 0, limit: "none", tables: true, level: 4,
    letters: "",
  };
  /** @type {Map<string, Promise<any>>} */ #positions = new Map();
  /** @type {Map<string, any>} */ #gameData = new Map();
  /** @type {{tree: any, place: number[], replaced: boolean}[]} */ #undone = [];
  /** What the tab "Play" keeps with the tree. @type {() => any} */ keptOfPlay = () => null;
  /** What the tab "Edit" keeps beside it. @type {() => any} */ keptOfEdit = () => null;
  #ticket = 0;
  #treeTicket = 0;
  /** The last undo: the next one waits for it. @type {Promise<any>} */ #undoing = Promise.resolve();
  #lookTicket = 0;
  /** @type {TreeNode | null} The node whose position is shown: another than `node` until that is there. */ #shown = null;

  /** @param {string} name @param {any} [detail] */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** @param {string[]} names @param {(event: any) => void} heard */
  on(names, heard) {
    for (const name of names) this.addEventListener(name, heard);
  }

  /** @param {Partial<Session["settings"]>} change */
  set(change) {
    Object.assign(this.settings, change);
    keep("hexmate-settings", this.settings);
    dispatchEvent(new Event("hexmate-theme"));
    this.tell("settings", change);
  }

  // ---- games

  /** @param {string} name */
  async gameData(name) {
    if (!this.#gameData.has(name)) this.#gameData.set(name, await call("game", { game: name }));
    return this.#gameData.get(name);
  }

  /** Begins a game anew. Says whether it is shown. @param {string} name @param {string | null} [fen] */
  async begin(name, fen = null) {
    return this.replace(new Tree(name, fen));
  }

  /** Shows another tree; what was here comes back by undo, whatever the game. Says whether it is shown.
   * @param {Tree} tree @param {TreeNode} [node] */
  async replace(tree, node = tree.root) {
    // As long as it is here, undo leads back to the same tree.
    let before = this.#rememberReplaced(false);
    let shown = false;
    try {
      shown = await this.setTree(tree, node, false, () => {
        // With what was made here while the other one was on its way.
        this.tell("leaving");
        this.#forget(before);
        before = this.#rememberReplaced(true);
      });
    } finally {
      if (!shown) this.#forget(before);
    }
    return shown;
  }

  /** Notes the tree whose place another one takes, if there is anything in it.
   * @param {boolean} replaced Whether it does so now. */
  #rememberReplaced(replaced) {
    const { root, fen } = this.tree;
    const keeps = root.children.length > 0 || root.comments.length > 0 || !!fen;
    return keeps ? this.remember(replaced) : null;
  }

  /** How many trees were wanted so far, whether they are shown or still on their way. */
  get wanted() {
    return this.#treeTicket;
  }

  /** Shows a tree at a node, unless another one is wanted meanwhile. Says whether it does. @param {Tree} tree @param {TreeNode} [node] @param {boolean} [undone] Whether it is the same tree before a change.
   * @param {() => void} [leave] Called right before this tree goes. */
  async setTree(tree, node = tree.root, undone = false, leave = () => {}) {
    const ticket = (this.#treeTicket += 1);
    let game;
    try {
      game = await this.gameData(tree.game);
      // Asked before anything changes: what cannot be shown leaves everything as it was.
      await this.positionAfter(tree, tree.moves(node));
    } catch (fault) {
      if (ticket !== this.#treeTicket) return false;
      this.tell("refused");
      throw fault;
    }
    if (ticket !== this.#treeTicket) return false;
    leave();
    const other = this.game?.name !== tree.game;
    [this.tree, this.game] = [tree, game];
    if (other) this.tell("game");
    this.tell("opened", { undone });
    this.tell("tree");
    await this.go(node);
    return true;
  }

  // ---- positions

  /** @param {Tree} tree @param {string[]} moves @returns {Promise<any>} */
  positionAfter(tree, moves) {
    const key = `${tree.game}|${tree.fen ?? ""}|${moves.join(" ")}`;
    let known = this.#positions.get(key);
    if (!known) {
      known = call("position", { game: tree.game, fen: tree.fen, moves });
      known.catch(() => this.#positions.delete(key));
      this.#positions.set(key, known);
      if (this.#positions.size > 800) this.#positions.delete(this.#positions.keys().next().value ?? "");
    }
    return known;
  }

  /** What a request about the position that is shown begins with. */
  get asked() {
    return { game: this.tree.game, fen: this.tree.fen, moves: this.tree.moves(this.node) };
  }

  /** Shows the position of a node, unless that was deleted meanwhile, or another one is wanted. Says whether there is
   * such a position. @param {TreeNode} node */
  async go(node) {
    if (!this.tree.holds(node)) return false;
    const ticket = (this.#ticket += 1);
    this.look(null);
    this.node = node;
    try {
      const position = await this.positionAfter(this.tree, this.tree.moves(node));
      if (ticket !== this.#ticket) return true;
      this.position = position;
      this.#shown = node;
    } catch (fault) {
      if (ticket !== this.#ticket) return false;
      if (this.#shown && this.tree.holds(this.#shown)) this.node = this.#shown;
      this.complain(fault);
      this.tell("refused");
      return false;
    }
    this.save();
    this.tell("position");
    return true;
  }

  /** Plays a move in the position that is shown. Says whether it is made. @param {string} move @param {string} san
   * @param {boolean} [alone] Whether undo takes back this move alone; else the change before it, too. */
  async play(move, san, alone = true) {
    // A move that was meant for the position before: a key that is held, a slow answer.
    if (this.#shown !== this.node) return false;
    const known = this.node.children.find((child) => child.move === move);
    const before = !known && alone ? this.remember() : null;
    const node = this.tree.add(this.node, move, san);
    if (!known) this.tell("tree");
    const shown = await this.go(node);
    // It may have been deleted meanwhile.
    if (shown && this.tree.holds(node)) this.tell("played", { node });
    else if (!shown && !known) this.#takeOut(node, before);
    return shown;
  }

  /** Plays several moves. @param {{move: string, san: string}[]} moves @param {TreeNode} [from] */
  async playAll(moves, from = this.node) {
    const before = this.remember();
    let node = from;
    /** @type {TreeNode | null} */ let added = null;
    for (const { move, san } of moves) {
      const known = node.children.length;
      const next = this.tree.add(node, move, san);
      if (node.children.length > known) added ??= next;
      node = next;
    }
    this.tell("tree");
    if (!(await this.go(node)) && added) this.#takeOut(added, before);
  }

  /** Takes moves out again whose position could not be shown.
   * @param {TreeNode} node The first of them. @param {object | null} before What undo would bring back. */
  #takeOut(node, before) {
    if (!this.tree.holds(node) || this.tree.path(this.node).includes(node)) return;
    this.tree.remove(node);
    this.#forget(before);
    this.tell("tree");
    this.save();
  }

  /** Plays moves out on the board, one after the other, without going there; null ends that. Who wants no motion sees
   * the last position at once. @param {string[] | null} moves @param {TreeNode} [from] */
  async look(moves, from = this.node) {
    const ticket = (this.#lookTicket += 1);
    if (!moves) {
      if (this.looked) {
        this.looked = null;
        this.tell("preview");
      }
      return;
    }
    const seen = this.looked?.from === from ? this.looked.moves : [];
    const common = moves.findIndex((move, i) => move !== seen[i]);
    // On from what is seen if that leads there, back to it at once if it was passed, else from the beginning.
    let ply = matchMedia("(prefers-reduced-motion: reduce)").matches || common < 0 ? moves.length : common === seen.length ? common + 1 : 1;
    try {
      for (; ply <= moves.length; ply += 1) {
        const upTo = moves.slice(0, ply);
        const position = await this.positionAfter(this.tree, [...this.tree.moves(from), ...upTo]);
        if (ticket !== this.#lookTicket) return;
        this.looked = { position, moves: upTo, from };
        this.tell("preview");
        if (ply < moves.length) await new Promise((resolve) => setTimeout(resolve, STEP));
        if (ticket !== this.#lookTicket) return;
      }
    } catch {
      // A line that the engine has changed meanwhile.
    }
  }

  // ---- changing the tree

  /** Notes the tree before a change, so that it can be undone. @param {boolean} [replaced] Whether another takes its place. */
  remember(replaced = false) {
    const before = { tree: this.tree.toWire(), place: this.tree.place(this.node), replaced };
    this.#undone.push(before);
    if (this.#undone.length > KEPT) this.#undone.shift();
    return before;
  }

  /** Drops what was noted before a change that was not made. @param {object | null} before */
  #forget(before) {
    this.#undone = this.#undone.filter((one) => one !== before);
  }

  get canUndo() {
    return this.#undone.length > 0;
  }

  async undo() {
    const before = this.#undoing;
    return (this.#undoing = before.catch(() => {}).then(() => this.#undoOne()));
  }

  async #undoOne() {
    this.tell("changing");
    const last = this.#undone[this.#undone.length - 1];
    if (!last) return;
    const tree = Tree.fromWire(last.tree);
    try {
      // Until it is shown it stays in its place: another tree may be wanted meanwhile.
      await this.setTree(tree, tree.at(last.place), !last.replaced, () => this.#forget(last));
    } catch (fault) {
      this.complain(fault);
    }
  }

  /** Changes the tree by a function, so that it can be undone. @param {() => TreeNode | void} change Gives the node to go to. */
  async change(change) {
    this.tell("changing");
    this.remember();
    const node = change() ?? this.node;
    this.tell("tree");
    if (node !== this.node) await this.go(node);
    else this.save();
  }

  // ---- keeping

  save() {
    const { tab, flipped } = this;
    const here = { tree: this.tree.toWire(), place: this.tree.place(this.node), tab, flipped, play: this.keptOfPlay(), edit: this.keptOfEdit() };
    // Each tab of the browser has its own; a new one begins with what was there last.
    for (const storage of ["session", "local"]) keep("hexmate-board", here, storage);
  }

  load() {
    const settings = /** @type {Record<string, any>} */ (this.settings);
    for (const [name, value] of Object.entries(kept("hexmate-settings") ?? {})) {
      // What is damaged, or of another version, is left out.
      if (typeof value === typeof settings[name]) settings[name] = value;
    }
    return kept("hexmate-board", "session") ?? kept("hexmate-board");
  }

  /** Tells of a fault that a request met. @param {any} fault */
  complain(fault) {
    if (fault?.name === "AbortError") return;
    note(fault instanceof ApiError ? fault.message : String(fault?.message ?? fault), true);
    if (!(fault instanceof ApiError)) console.error(fault);
  }

  /** @param {string} name */
  showTab(name) {
    if (name === this.tab) return;
    const before = this.tab;
    this.tab = name;
    this.save();
    this.tell("tab", { before });
  }

  /** @param {boolean} [flipped] */
  flip(flipped = !this.flipped) {
    this.flipped = flipped;
    this.save();
    this.tell("settings", { flipped });
  }
}

/** @param {string} name */
const storageOf = (name) => (name === "session" ? sessionStorage : localStorage);

/** Keeps something for the next time. @param {string} key @param {any} value @param {string} [storage] */
export function keep(key, value, storage = "local") {
  try {
    storageOf(storage).setItem(key, JSON.stringify(value));
  } catch {
    // Storage may be barred or full; the page works without.
  }
}

/** What was kept. @param {string} key @param {string} [storage] @returns {any} */
export function kept(key, storage = "local") {
  try {
    return JSON.parse(storageOf(storage).getItem(key) ?? "null");
  } catch {
    return null;
  }
}

export const session = new Session();
