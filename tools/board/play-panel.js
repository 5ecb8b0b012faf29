// @ts-check
// The tab "Play": a game against the engine, with levels, clocks, takeback and hint.

import { call, stream, wasAborted } from "./api.js";
import { extras, refresh } from "./board-view.js";
import { byId, choice, h, note, say, toggle } from "./dom.js";
import { cellsOf } from "./analyse-panel.js";
import { showAboveMoves } from "./moves-view.js";
import { clockText } from "./score.js";
import { keep, kept, session } from "./session.js";

const CLOCKS = /** @type {[string, string][]} */ ([["none", "no clock"], ["180000+2000", "3 min + 2 s"], ["300000+3000", "5 min + 3 s"], ["600000+5000", "10 min + 5 s"], ["1800000+10000", "30 min + 10 s"]]);

/** @type {{human: "w" | "b", level: number, left: {w: number, b: number} | null, increment: number, since: number, over: string, thinking: boolean} | null} */
let game = null;
/** @type {AbortController | null} */ let asked = null;
const wish = { side: "w", clock: "none", here: false };

/** Whether the user is playing a game that is not over. */
export const playing = () => !!game && !game.over;

/** Whether the user may move now. */
const mayMove = () => session.tab !== "play" || !playing() || (session.position.side === /** @type {any} */ (game).human && session.node === session.tree.end(session.node));

extras.mayMove = () => mayMove();

async function begin() {
  stopAsking();
  const side = wish.side === "random" ? (Math.random() < 0.5 ? "w" : "b") : wish.side;
  const [base, increment] = wish.clock === "none" ? [0, 0] : wish.clock.split("+").map(Number);
  if (!wish.here) await session.begin(session.tree.game);
  if (session.position.outcome) {
    note("The game is over here: start a new one, or go back a move.", true);
    return;
  }
  game = { human: /** @type {any} */ (side), level: session.settings.level, left: base ? { w: base, b: base } : null, increment, since: performance.now(), over: "", thinking: false };
  session.flip(side === "b");
  say(`You play ${side === "w" ? "White" : "Black"}.`);
  draw();
  refresh();
  answer();
}

function stopAsking() {
  asked?.abort();
  asked = null;
  if (game) game.thinking = false;
}

/** The time that a side has now. @param {"w" | "b"} side */
function left(side) {
  if (!game?.left) return 0;
  const runs = !game.over && session.position?.side === side;
  return game.left[side] - (runs ? performance.now() - game.since : 0);
}

/** Books the time of the side that has moved. @param {"w" | "b"} side */
function moved(side) {
  if (!game?.left) return;
  game.left[side] = left(side) + game.increment;
  game.since = performance.now();
}

/** The engine's turn, if it is. */
async function answer() {
  const now = game;
  if (!now || now.over || session.tab !== "play") return;
  if (session.position.outcome) return end(session.position.outcome.words);
  if (session.position.side === now.human || now.thinking) return;
  now.thinking = true;
  const place = session.node;
  const abort = (asked = new AbortController());
  draw();
  try {
    const side = session.position.side;
    const clock = now.left ? { clock: { remaining: Math.max(1, Math.round(left(side))), increment: now.increment } } : {};
    const [told] = await Promise.all([
      call("play", { ...session.asked, level: now.level, ...clock }, abort.signal),
      // An answer in no time startles.
      new Promise((resolve) => setTimeout(resolve, 350)),
    ]);
    if (abort.signal.aborted || game !== now || now.over) return;
    now.thinking = false;
    // The move that it answers was deleted.
    if (!session.tree.holds(place)) {
      draw();
      return answer();
    }
    moved(side);
    if (session.node !== place) await session.go(place);
    // Undo takes back the user's own move, too.
    await session.play(told.move.move, told.move.san, false);
    say(`${told.move.san}${told.move.check ? ", check" : ""}`);
  } catch (fault) {
    now.thinking = false;
    if (!wasAborted(fault)) session.complain(fault);
  }
  draw();
}

/** @param {string} words */
function end(words) {
  if (!game) return;
  stopAsking();
  if (game.left) for (const side of /** @type {const} */ (["w", "b"])) game.left[side] = left(side);
  game.over = words;
  say(words);
  draw();
  refresh();
}

async function takeBack() {
  if (!game) return;
  stopAsking();
  game.over = "";
  let node = session.node;
  // To the user's last move: one ply if the engine has not answered, else two.
  const plies = session.position.side === game.human ? 2 : 1;
  for (let n = 0; n < plies && node.parent; n += 1) node = node.parent;
  if (node.parent === null && (await session.positionAfter(session.tree, [])).side !== game.human) {
    draw();
    refresh();
    return answer();
  }
  const first = session.tree.path(session.node)[session.tree.path(node).length];
  await session.change(() => (first ? session.tree.remove(first) : node));
  game.since = performance.now();
  draw();
}

async function hint() {
  if (!game) return;
  try {
    const abort = new AbortController();
    const node = session.node;
    let best = "";
    for await (const told of stream("analyse", { ...session.asked, movetime: 700 }, abort.signal)) if (told.lines?.[0]) best = told.lines[0].pv[0];
    const cells = cellsOf(best);
    if (!cells || session.node !== node) return;
    extras.marks = [{ cell: cells[0], kind: "hint" }, { cell: cells[1], kind: "hint" }];
    say(`Hint: from ${cells[0]} to ${cells[1]}`);
    refresh();
  } catch (fault) {
    session.complain(fault);
  }
}

/** Another position is shown: by a move of the user, or by looking back. */
function shown() {
  extras.marks = [];
  if (!game || session.tab !== "play") return;
  const last = session.position.played[session.position.played.length - 1];
  if (last && session.position.side !== game.human && session.node === session.tree.end(session.node) && !game.thinking && !game.over) moved(game.human);
  if (session.node === session.tree.end(session.node)) answer();
  draw();
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

function inGame() {
  const now = /** @type {NonNullable<typeof game>} */ (game);
  const name = session.hello.levels.find((/** @type {any} */ l) => l.level === now.level)?.name ?? "";
  const head = now.over ? now.over : now.thinking ? "Hexmate is thinking…" : session.position.side === now.human ? "Your move" : "";
  return h("section.card.form-card", null,
    h("h2", { id: "play-state" }, head),
    h("p.quiet-text", null, `You play ${now.human === "w" ? "White" : "Black"} against level ${now.level}${name ? `, ${name}` : ""}.`),
    h("div.button-row", null,
      h("button.quiet", { id: "takeback", onclick: takeBack, disabled: session.node === session.tree.root }, "Take back"),
      now.over ? null : h("button.quiet", { id: "hint", onclick: hint, disabled: now.thinking }, "Hint"),
      now.over ? null : h("button.quiet", { id: "resign", onclick: () => end(`You resigned: ${now.human === "w" ? "Black" : "White"} wins.`) }, "Resign"),
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
    const turn = !game.over && session.position?.side === side;
    node.replaceChildren(h(`span.side-dot.${side === "w" ? "white" : "black"}`, { "aria-hidden": "true" }), h("span.player-name", null, who),
      game.left ? h(`span.clock${turn ? ".running" : ""}`, { "data-clock": side, role: "timer", "aria-label": `${who}: time left` }, clockText(left(side))) : "");
  }
}

setInterval(() => {
  if (!game?.left || game.over || session.tab !== "play" || !session.position) return;
  const side = session.position.side;
  if (left(side) <= 0) {
    end(`${side === game.human ? "You" : "Hexmate"} ran out of time.`);
    return;
  }
  const node = document.querySelector(`[data-clock="${side}"]`);
  if (node) node.textContent = clockText(left(side));
}, 100);

/** A game that was going on goes on after a reload; the time between does not count. */
export function resumePlay() {
  const before = kept("hexmate-play");
  if (!before || before.tree !== session.tree.game) return;
  game = { ...before, since: performance.now(), thinking: false };
  draw();
}

function keepGame() {
  if (!game) return keep("hexmate-play", null);
  const now = game.left && session.position ? { w: left("w"), b: left("b") } : game.left;
  keep("hexmate-play", { ...game, left: now, thinking: false, tree: session.tree.game });
}
addEventListener("pagehide", keepGame);

function draw() {
  strips();
  if (session.position) keepGame();
  if (session.tab === "play") showPlay(byId("panel"));
}

/** @param {HTMLElement} panel */
export function showPlay(panel) {
  if (game) showAboveMoves(panel, [inGame()]);
  else {
    const id = document.activeElement?.id;
    panel.replaceChildren(setup());
    if (id) document.getElementById(id)?.focus();
  }
  strips();
}

/** The tab is shown or left. */
export function playTab() {
  if (session.tab === "play") answer();
  else stopAsking();
  strips();
}

/** Another game was chosen, or a tree was opened: there is nothing to play on. The same tree before a change is played on. */
session.on(["opened"], (event) => {
  stopAsking();
  if (!event.detail.undone) game = null;
  if (game) game.since = performance.now();
  draw();
});
session.on(["position"], shown);
session.on(["settings"], (event) => "flipped" in event.detail && strips());
