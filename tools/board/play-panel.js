// @ts-check
// The tab "Play": a game against the engine, with levels, clocks, takeback and hint.

import { call, stream } from "./api.js";
import { extras, refresh } from "./board-view.js";
import { byId, choice, h, keepingFocus, note, say, toggle } from "./dom.js";
import { cellsOf } from "./analyse-panel.js";
import { showAboveMoves } from "./moves-view.js";
import { clockText } from "./score.js";
import { session } from "./session.js";
import { moveNumber } from "./tree.js";

/** @typedef {import("./tree.js").TreeNode} TreeNode */

const CLOCKS = /** @type {[string, string][]} */ ([["none", "no clock"], ["180000+2000", "3 min + 2 s"], ["300000+3000", "5 min + 3 s"], ["600000+5000", "10 min + 5 s"], ["1800000+10000", "30 min + 10 s"]]);

/** Milliseconds that a side has at least, if its game goes on after it ran out of time. */
const GRACE = 30_000;

/**
 * @typedef {object} PlayedGame
 * @property {"w" | "b"} human @property {number} level @property {{w: number, b: number} | null} left @property {number} increment
 * @property {number | null} since When the clock of the side to move began to run; `null`: it stands.
 * @property {string} over How it ended, in words. @property {string} [result] The result that its tree has by it. @property {boolean} thinking @property {boolean} silent The engine was asked in vain: not again by itself.
 * @property {TreeNode} first Where it began. @property {TreeNode} at Where it stands, whatever is looked at.
 */
/** @type {PlayedGame | null} */ let game = null;
/** @type {AbortController | null} */ let asked = null;
/** @type {AbortController | null} The search for a hint. */ let hinting = null;
/** @type {TreeNode | null} The engine's answer, which stands in the list before its position has come. */ let coming = null;
/** @type {string[][]} Ends of the game that were deleted, to come back by undo. */ let lost = [];
const SIDES = /** @type {const} */ (["w", "b"]);
const wish = { side: "w", clock: "none", here: false };

/** Whether the user may move now. */
const mayMove = () => session.tab !== "play" || !game || !!game.over || (session.node === game.at && sideAt(game.at) === game.human);

/** Whose turn it is at a node. @param {TreeNode} node @returns {"w" | "b"} */
function sideAt(node) {
  const { tree } = session;
  return moveNumber(tree.fen ?? session.game?.start ?? "w 1", tree.path(node).length + 1).white ? "w" : "b";
}

extras.mayMove = () => mayMove();

async function begin() {
  stopAsking();
  const side = wish.side === "random" ? (Math.random() < 0.5 ? "w" : "b") : wish.side;
  const [base, increment] = wish.clock === "none" ? [0, 0] : wish.clock.split("+").map(Number);
  try {
    if (!wish.here && !(await session.begin(session.tree.game))) return;
  } catch (fault) {
    session.complain(fault);
    return;
  }
  if (session.position.outcome) {
    note("The game is over here: start a new one, or go back a move.", true);
    return;
  }
  game = { human: /** @type {any} */ (side), level: session.settings.level, left: base ? { w: base, b: base } : null, increment, since: performance.now(), over: "", thinking: false, silent: false, first: session.node, at: session.node };
  lost = [];
  session.flip(side === "b");
  say(`You play ${side === "w" ? "White" : "Black"}.`);
  draw();
  refresh();
  goOn();
}

function stopAsking() {
  asked?.abort();
  asked = null;
  if (game) game.thinking = false;
}

/** The result of a game that a side loses. @param {"w" | "b"} side */
const lossOf = (side) => (side === "w" ? "0-1" : "1-0");

/** The time that a side has now. @param {"w" | "b"} side */
function left(side) {
  if (!game?.left) return 0;
  const runs = !game.over && game.since !== null && sideAt(game.at) === side;
  return game.left[side] - (runs ? performance.now() - /** @type {number} */ (game.since) : 0);
}

/** Books the time of the side to move, whose clock then stands. @param {number} [more] What it gets. */
function stopClock(more = 0) {
  if (!game) return;
  const side = sideAt(game.at);
  if (game.left) game.left[side] = left(side) + more;
  game.since = null;
}

/** The side to move goes on: its clock runs, and the engine thinks if it is its turn. */
async function goOn() {
  const now = game;
  if (!now || now.over || now.thinking || session.tab !== "play") return;
  now.since ??= performance.now();
  now.silent = false;
  const { tree } = session;
  const place = now.at;
  const side = sideAt(place);
  const abort = new AbortController();
  if (side !== now.human) {
    now.thinking = true;
    asked = abort;
  }
  draw();
  try {
    const { outcome } = await session.positionAfter(tree, tree.moves(place));
    if (game !== now || now.at !== place || now.over || abort.signal.aborted) return;
    if (outcome) return end(outcome.words);
    if (side === now.human) return;
    const clock = now.left ? { clock: { remaining: Math.max(1, Math.round(left(side))), increment: now.increment } } : {};
    const [told] = await Promise.all([
      call("play", { game: tree.game, fen: tree.fen, moves: tree.moves(place), level: now.level, ...clock }, abort.signal),
      // An answer in no time startles.
      new Promise((resolve) => setTimeout(resolve, 350)),
    ]);
    if (abort.signal.aborted) return;
    if (session.node !== place) await session.go(place);
    // Undo takes back the user's own move, too.
    const shown = session.play(told.move.move, told.move.san, false);
    coming = session.node;
    await shown;
  } catch (fault) {
    if (abort.signal.aborted) return;
    session.complain(fault);
  }
  if (game !== now || now.at !== place || abort.signal.aborted) return;
  // There is no answer. Until it is asked for again, its time does not count.
  stopAsking();
  stopClock();
  now.silent = true;
  draw();
}

/** A move was made; if the game goes on by it, the other side is to move. @param {TreeNode} node */
function played(node) {
  if (!game || game.over || session.tab !== "play" || node.parent !== game.at) return;
  stopClock(game.increment);
  stopAsking();
  game.at = node;
  refresh();
  goOn();
}

/** The game stands elsewhere: moves were deleted, or came back. @param {TreeNode} at @param {TreeNode} first */
function standAt(at, first) {
  if (!game) return;
  game.first = first;
  if (at === game.at) return;
  stopAsking();
  stopClock();
  game.silent = false;
  game.at = at;
}

/** @param {string} result In PGN; empty: there is none yet, or the moves say it. */
function writeResult(result) {
  if (!game) return;
  game.result = result;
  session.tree.result = result || "*";
  session.tell("tree");
}

/** @param {string} words @param {string} [result] What the moves themselves do not say. */
function end(words, result) {
  if (!game) return;
  stopAsking();
  stopHint();
  stopClock();
  // An answer that was on its way belongs to the game.
  if (coming?.parent === game.at && session.tree.holds(coming)) game.at = coming;
  game.over = words;
  // Where it is a variation, the result is that of another game.
  if (result && session.tree.end() === game.at) writeResult(result);
  // What the moves themselves say was said with the last one.
  if (result || !session.settings.spoken) say(words);
  draw();
  refresh();
}

async function takeBack() {
  if (!game) return;
  stopAsking();
  stopClock();
  if (game.over && game.left) for (const side of SIDES) game.left[side] = Math.max(GRACE, game.left[side]);
  game.over = "";
  if (game.result) writeResult("");
  // To the user's last move: one ply if the engine has not answered, else two.
  let plies = sideAt(game.at) === game.human ? 2 : 1;
  let [node, last] = [game.at, game.at];
  for (; plies > 0 && node !== game.first && node.parent; plies -= 1) [node, last] = [node.parent, node];
  // Where the engine has begun, its first move stays.
  if (!plies && node !== game.at) await session.change(() => session.tree.remove(last));
  refresh();
  draw();
  goOn();
}

/** A hint is for the position of which it was asked, as long as that is played on. */
function stopHint() {
  hinting?.abort();
  hinting = null;
}

async function hint() {
  if (!game) return;
  stopHint();
  const abort = (hinting = new AbortController());
  const { node } = session;
  try {
    let best = "";
    for await (const told of stream("analyse", { ...session.asked, movetime: 700 }, abort.signal)) if (told.lines?.[0]) best = told.lines[0].pv[0];
    const cells = cellsOf(best);
    if (!cells || session.node !== node || abort.signal.aborted) return;
    extras.marks = [{ cell: cells[0], kind: "hint" }, { cell: cells[1], kind: "hint" }];
    say(`Hint: from ${cells[0]} to ${cells[1]}`);
    refresh();
  } catch (fault) {
    session.complain(fault);
  }
}

/** Another position is shown: by a move of the user, or by looking back. */
function shown() {
  stopHint();
  extras.marks = [];
  if (!game || session.tab !== "play") return;
  draw();
  if (!game.silent) goOn();
}

function setup() {
  const levels = session.hello.levels;
  const level = () => levels.find((/** @type {any} */ l) => l.level === session.settings.level) ?? levels[0];
  const words = h("p.quiet-text.level-words");
  const name = h("b");
  const tell = () => {
    name.textContent = `${level().level}. ${level().name}`;
    words.textContent = level().words;
    range.setAttribute("aria-valuetext", `${level().level}, ${level().name}`);
  };
  const range = h("input", { type: "range", id: "level", min: levels[0].level, max: levels[levels.length - 1].level, step: 1, "aria-label": "Strength", oninput: () => {
    session.set({ level: Number(range.value) });
    tell();
  } });
  range.value = String(session.settings.level);
  tell();
  const sides = h("div.segments", { role: "group", "aria-label": "Your side" }, [["w", "White"], ["random", "Either"], ["b", "Black"]].map(([key, text]) =>
    h("button.segment", { "data-side": key, "aria-pressed": String(wish.side === key), onclick: () => {
      wish.side = key;
      for (const one of sides.children) one.setAttribute("aria-pressed", String(one.dataset.side === key));
    } }, text)));
  return h("section.card.form-card", null, h("h2", null, "Play against Hexmate"),
    h("div.field", null, h("span", null, "You play"), sides),
    h("div.field", null, h("span", null, "Strength"), h("div", null, range, h("div.level-name", null, name), words)),
    choice("Clock", CLOCKS, wish.clock, (v) => (wish.clock = v)),
    toggle("Begin from the position on the board", wish.here, (on) => (wish.here = on)),
    h("button.primary.wide", { id: "play-begin", onclick: begin }, "Begin"));
}

/** The button that helps most as the game stands. They take each other's place, so that the moves below stay where they are.
 * @param {PlayedGame} now @param {boolean} mine Whether it is the user's turn. */
function helpful(now, mine) {
  if (!mine && !now.thinking) return h("button.primary", { id: "ask-again", onclick: goOn }, "Ask again");
  if (session.node !== now.at) return h("button.primary", { id: "play-here", onclick: () => session.go(now.at) }, "Return");
  return h("button.quiet", { id: "hint", onclick: hint, disabled: !mine }, "Hint");
}

function inGame() {
  const now = /** @type {NonNullable<typeof game>} */ (game);
  const name = session.hello.levels.find((/** @type {any} */ l) => l.level === now.level)?.name ?? "";
  const mine = sideAt(now.at) === now.human;
  const head = now.over ? now.over : now.thinking ? "Hexmate is thinking…" : mine ? "Your move" : "Hexmate has not answered";
  return h("section.card.form-card", null,
    h("h2", { id: "play-state" }, head),
    h("p.quiet-text", null, `You play ${now.human === "w" ? "White" : "Black"} against level ${now.level}${name ? `, ${name}` : ""}.`),
    h("div.button-row", null,
      h("button.quiet", { id: "takeback", onclick: takeBack, disabled: now.at === now.first }, "Take back"),
      now.over ? null : helpful(now, mine),
      now.over ? null : h("button.quiet", { id: "resign", onclick: () => end(`You resigned: ${now.human === "w" ? "Black" : "White"} wins.`, lossOf(now.human)) }, "Resign"),
      now.over ? h("button.quiet", { onclick: () => session.showTab("review") }, "Review the game") : null,
      now.over ? h("button.primary", { id: "play-again", onclick: () => {
        game = null;
        draw();
      } }, "New game") : null));
}

/** The strips above and below the board. */
function strips() {
  const top = byId("player-top");
  const bottom = byId("player-bottom");
  const show = session.tab === "play" && !!game;
  top.hidden = bottom.hidden = !show;
  if (!show || !game) return;
  for (const [node, side] of /** @type {[HTMLElement, "w" | "b"][]} */ ([[top, session.flipped ? "w" : "b"], [bottom, session.flipped ? "b" : "w"]])) {
    const who = side === game.human ? "You" : "Hexmate";
    const runs = !game.over && game.since !== null && sideAt(game.at) === side;
    node.replaceChildren(h(`span.side-dot.${side === "w" ? "white" : "black"}`, { "aria-hidden": "true" }), h("span.player-name", null, who),
      game.left ? h(`span.clock${runs ? ".running" : ""}`, { "data-clock": side, role: "timer", "aria-label": `${who}: time left` }, clockText(left(side))) : "");
  }
}

setInterval(() => {
  if (!game?.left || game.over || session.tab !== "play" || !session.position) return;
  const side = sideAt(game.at);
  if (left(side) <= 0) {
    end(`${side === game.human ? "You" : "Hexmate"} ran out of time.`, lossOf(side));
    return;
  }
  const node = document.querySelector(`[data-clock="${side}"]`);
  if (node) node.textContent = clockText(left(side));
}, 100);

/** A game that was going on goes on after a reload; the time between does not count. @param {any} before */
export function resumePlay(before) {
  // What is damaged is as good as nothing.
  if (!SIDES.includes(before?.human) || !Array.isArray(before.first) || !Array.isArray(before.at)) return;
  const { tree } = session;
  game = { ...before, since: null, thinking: false, first: tree.at(before.first), at: tree.at(before.at) };
  draw();
}

session.keptOfPlay = () => {
  if (!game) return null;
  const { tree } = session;
  const now = game.left && { w: left("w"), b: left("b") };
  return { ...game, left: now, since: null, thinking: false, first: tree.place(game.first), at: tree.place(game.at) };
};

/** Keeps the game, unless the position that belongs to it is still to come. */
function keepGame() {
  if (session.position && session.tree.holds(session.node)) session.save();
}
addEventListener("pagehide", keepGame);

function draw() {
  strips();
  keepGame();
  if (session.tab === "play") showPlay(byId("panel"));
}

/** @param {HTMLElement} panel */
export function showPlay(panel) {
  if (game) showAboveMoves(panel, [inGame()]);
  else keepingFocus(() => panel.replaceChildren(setup()));
  strips();
}

/** The tab is shown or left. */
export function playTab() {
  stopHint();
  if (session.tab === "play") goOn();
  else if (game?.thinking) {
    stopAsking();
    stopClock();
  }
  strips();
}

/** The node of a tree after moves, or the nearest before it. @param {import("./tree.js").Tree} tree @param {string[]} moves */
function nearest(tree, moves) {
  let node = tree.root;
  for (const move of moves) {
    const next = node.children.find((child) => child.move === move);
    if (!next) break;
    node = next;
  }
  return node;
}

/** Another game was chosen, or a tree was opened: there is nothing to play on. The same tree before a change is played on. */
session.on(["opened"], (event) => {
  stopAsking();
  if (!event.detail.undone) game = null;
  if (game) {
    const { tree } = session;
    // An answer that was on its way is there already.
    let at = nearest(tree, tree.moves(coming?.parent === game.at ? coming : game.at));
    // Moves that were deleted from there are back.
    const end = lost[lost.length - 1] ?? [];
    const back = tree.path(nearest(tree, end));
    if (back.length === end.length && back.length > tree.path(at).length && (at === tree.root || back.includes(at))) {
      at = back[back.length - 1];
      lost.pop();
    }
    standAt(at, nearest(tree, tree.moves(game.first)));
    // The tree may have that of another moment.
    if (game.result || (game.at !== game.first && tree.end() === game.at)) writeResult(game.result ?? "");
  }
  draw();
});
/** Moves were deleted, perhaps those of the game. */
session.on(["tree"], () => {
  if (!game) return;
  const { tree } = session;
  let { at, first } = game;
  while (!tree.holds(at) && at.parent) at = at.parent;
  while (!tree.holds(first) && first.parent) first = first.parent;
  if (at !== game.at) lost.push(tree.moves(game.at));
  standAt(at, first);
});
session.on(["position"], shown);
session.on(["played"], (event) => played(event.detail.node));
session.on(["settings"], (event) => "flipped" in event.detail && strips());
