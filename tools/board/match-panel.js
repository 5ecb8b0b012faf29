// @ts-check
// The tab "Match": standings, finished games, and the boards of those that are being played, of the match whose journal
// the program follows.

import { call } from "./api.js";
import { arrange, byId, h, playersOf, setText, toggle } from "./dom.js";
import { movesView } from "./moves-view.js";
import { clockText } from "./score.js";
import { session } from "./session.js";
import { Tree } from "./tree.js";

/** Milliseconds between two looks, while games are being played and otherwise. */
const SOON = 1000;
const LATER = 3000;
/** Games of one answer, and of one step in the list. */
const MOST = 200;
/** What the standings tell by numbers, what matters most first; quarter points only where there are some. */
const COLUMNS = [["Games", "games"], ["Points", "points"], ["Elo", "elo"], ["Won", "wins"], ["3/4", "three_quarters"], ["Drawn", "draws"], ["1/4", "one_quarter"], ["Lost", "losses"]];

/** @type {any[]} Finished games, in the order in which they ended. */ const games = [];
/** @type {any} The last answer. */ let state = null;
/** The game on the large board: its number, its tree, and the node of its last move. @type {{number: number, tree: Tree, end: import("./tree.js").TreeNode, over: boolean} | null} */
let shown = null;
let follow = true;
/** Whether a look is under way, and whether the last one failed. */ let [looking, failing] = [false, false];
/** How many finished games are listed. */ let listed = MOST;
/** @type {ReturnType<typeof setTimeout> | undefined} */ let timer;
/** @type {Map<number, LiveCard>} */ const cards = new Map();
/** @type {WeakMap<any, HTMLElement>} The rows of finished games. */ const rows = new WeakMap();

/** Looks at the match, and again after a while. */
async function ask() {
  clearTimeout(timer);
  // Two looks at once would be told of the same games.
  if (looking || session.tab !== "match" || document.hidden) return;
  looking = true;
  const next = await look().catch((fault) => {
    // Told once: what is wrong may last.
    if (!failing) session.complain(fault);
    failing = true;
    return LATER;
  });
  looking = false;
  timer = setTimeout(ask, next);
}

/** One look at the match; gives the milliseconds until the next. */
async function look() {
  const told = await call("match", { after: games.length });
  games.push(...told.games);
  const more = told.games.length === MOST;
  const fresh = told.games.length > 0 || !state;
  state = told;
  if (session.tab === "match") {
    if (fresh) draw();
    await drawLive();
    if (!more) await watch();
  }
  failing = false;
  return more ? 0 : state.running.length ? SOON : LATER;
}

// ---- the large board

/** Brings the large board up to date. */
async function watch() {
  const mine = shown && shown.tree === session.tree ? shown : null;
  if (mine && !mine.over) {
    const game = state.running.find((/** @type {any} */ g) => g.number === mine.number) ?? games.find((g) => g.number === mine.number);
    // Its end stays to be seen until the next look.
    if (game) return show(game);
  }
  if (!follow) return;
  const next = state.running[0] ?? games[games.length - 1];
  if (next && (!mine || next.number !== mine.number)) await show(next);
}

/** Shows a game, or what has been played of it since. @param {any} game */
async function show(game) {
  const known = shown && shown.number === game.number && shown.tree === session.tree ? shown : null;
  const tree = known?.tree ?? new Tree(state.game, game.fen ?? null);
  tree.result = game.result ?? "*";
  tree.tags = [["Event", state.name], ["Round", String(game.round)], ["White", game.white], ["Black", game.black], ["Result", tree.result]];
  try {
    // The moves come in cells; their usual notation is asked for all at once.
    const told = await session.positionAfter(tree, game.moves);
    const atEnd = !known || session.node === known.end;
    let at = tree.root;
    for (const made of told.played) at = tree.add(at, made.move, made.san);
    shown = { number: game.number, tree, end: at, over: !!game.result };
    if (!known) await open(tree, at);
    else if (at !== known.end || game.result) {
      // Variations of the user's own stay beside the game.
      tree.makeMain(at);
      session.tell("tree");
      if (atEnd && at !== session.node) await session.go(at);
    }
  } catch (fault) {
    session.complain(fault);
  }
  mark();
}

let opening = false;

/** Puts a tree on the large board. What the user had there comes back by undo. @param {Tree} tree @param {import("./tree.js").TreeNode} node */
async function open(tree, node) {
  const ours = session.tree.tags.some(([name, value]) => name === "Event" && value === state.name);
  opening = true;
  try {
    await (ours ? session.setTree(tree, node) : session.replace(tree, node));
  } finally {
    opening = false;
  }
}

// Whoever opens another game here wants to see that one.
session.on(["opened"], () => {
  if (session.tab === "match" && !opening) stopFollowing();
});

function stopFollowing() {
  follow = false;
  const box = /** @type {HTMLInputElement | null} */ (document.querySelector("#match-follow input"));
  if (box) box.checked = false;
}

/** Shows a game that the user has chosen. @param {any} game */
function choose(game) {
  stopFollowing();
  return show(game);
}

function mark() {
  for (const row of document.querySelectorAll("[data-number]")) {
    if (/** @type {HTMLElement} */ (row).dataset.number === String(shown?.number ?? "")) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
}

// ---- the small boards

/** A small board of a game that is being played. */
class LiveCard {
  /** @param {any} game @param {any} geometry */
  constructor(game, geometry) {
    this.game = game;
    this.board = /** @type {import("./hexmate-board.js").HexmateBoard} */ (document.createElement("hexmate-board"));
    this.board.inert = true;
    this.board.setAttribute("aria-hidden", "true");
    this.board.show({ labels: "none" });
    this.board.geometry = geometry;
    /** @type {Record<"w" | "b", any>} */
    this.clocks = { w: h("span.live-clock"), b: h("span.live-clock") };
    this.last = h("span");
    this.score = h("span.live-score");
    const player = (/** @type {"w" | "b"} */ side, /** @type {string} */ name) =>
      h("span.live-player", null, h(`span.side-dot.${side === "w" ? "white" : "black"}`, { role: "img", "aria-label": side === "w" ? "White" : "Black" }), h("b", null, name), this.clocks[side]);
    this.button = h("button.live-choose", { "data-number": game.number, onclick: () => choose(this.game) }, player("w", game.white), player("b", game.black),
      h("small.live-last", null, h("span.live-number", null, `Game ${game.number}`), this.last, this.score));
    this.node = h("li.live-card", null, this.board, this.button);
  }

  /** @param {any} game */
  update(game) {
    this.game = game;
    const { position, last, clocks, since } = game;
    if (position) this.board.show({ pieces: position.pieces, last: last ? [last.from, last.to] : [], check: position.checkers.length ? kingOf(position, this.board.geometry) : null });
    const number = position ? position.fullmove - (position.side === "w" ? 1 : 0) : Math.ceil(game.moves.length / 2);
    setText(this.last, last ? `${number}${position.side === "w" ? "…" : "."} ${last.san}` : "");
    setText(this.score, scoreForWhite(game.scores[game.scores.length - 1], position?.side));
    for (const side of /** @type {const} */ (["w", "b"])) {
      if (clocks[side] === null) continue;
      const runs = position?.side === side;
      setText(this.clocks[side], clockText(clocks[side] - (runs ? since : 0)));
      this.clocks[side].classList.toggle("running", runs);
    }
  }
}

/** The mover's score as White's. @param {string | undefined} score @param {"w" | "b" | undefined} next Who moves next. */
function scoreForWhite(score, next) {
  if (!score || !next) return "";
  const mirrored = next === "w" ? score.replace(/^[+-]/, (sign) => (sign === "+" ? "-" : "+")) : score;
  return mirrored.replace("-", "−");
}

/** @param {any} position @param {any} geometry */
function kingOf(position, geometry) {
  const letter = geometry.kinds[1].letter;
  const wanted = position.side === "w" ? letter.toUpperCase() : letter.toLowerCase();
  return Object.keys(position.pieces).find((cell) => position.pieces[cell] === wanted) ?? null;
}

async function drawLive() {
  const list = byId("match-live");
  if (!list) return;
  const { running } = state;
  const geometry = running.length ? await session.gameData(state.game) : null;
  for (const [number, card] of cards) {
    if (running.some((/** @type {any} */ g) => g.number === number)) continue;
    card.node.remove();
    cards.delete(number);
  }
  for (const game of running) {
    const card = cards.get(game.number) ?? new LiveCard(game, geometry);
    cards.set(game.number, card);
    if (card.node.parentNode !== list) list.append(card.node);
    card.update(game);
  }
  list.hidden = byId("match-live-head").hidden = !running.length;
  const finished = state.total === 1 ? "1 game finished" : `${state.total} games finished`;
  setText(byId("match-count"), running.length ? `${finished}, ${running.length} being played.` : state.going_on ? `${finished}; the match goes on.` : `${finished}; nothing is being played.`);
  mark();
}

// ---- standings and finished games

/** @param {any} game */
function rowOf(game) {
  const row = rows.get(game) ?? h("li", null, h("button.game-row", { "data-number": game.number, onclick: () => choose(game) },
    h("span.game-index", null, String(game.number)), h("span", null, h("b", null, playersOf(game.white, game.black)), h("small", null, `${game.result} · ${game.plies} plies · ${game.reason}`))));
  rows.set(game, row);
  return row;
}

function drawStandings() {
  const number = (/** @type {number | null} */ value) => (value === null ? "–" : `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(0)}`);
  const elo = (/** @type {any} */ s) => h("td.nowrap", null, number(s.elo), s.error ? h("small", null, ` ± ${s.error.toFixed(0)}`) : null);
  const points = (/** @type {number} */ value) => value.toFixed(Number.isInteger(2 * value) ? 1 : 2);
  const quarters = state.standings.some((/** @type {any} */ s) => s.others > 0);
  const columns = COLUMNS.filter(([name]) => quarters || !name.includes("/"));
  const place = byId("match-standings");
  if (!state.standings.length) return place.replaceChildren();
  const box = place.firstElementChild ?? h("div.table-box", { tabindex: 0, role: "region", "aria-label": "Standings" });
  box.replaceChildren(h("table.summary", null, h("thead", null, h("tr", null, ["Player", ...columns.map(([name]) => name)].map((t) => h("th", { scope: "col" }, t)))),
    h("tbody", null, state.standings.map((/** @type {any} */ s) => h("tr", null, h("th", { scope: "row" }, s.name), columns.map(([, key]) => (key === "elo" ? elo(s) : h("td", null, key === "points" ? points(s.points) : String(s[key])))))))));
  arrange(place, [box]);
}

function draw() {
  setText(byId("match-name"), state.name);
  drawStandings();
  byId("match-notes").replaceChildren(...state.notes.map((/** @type {string} */ words) => h("p.quiet-text", null, `${words}.`)));
  arrange(byId("match-games"), [...games].reverse().slice(0, listed).map(rowOf));
  byId("match-games-head").hidden = !games.length;
  const left = Math.min(games.length - listed, MOST);
  byId("match-older").hidden = left <= 0;
  setText(byId("match-older"), left === 1 ? "Show 1 older game" : `Show ${left} older games`);
  mark();
}

function showOlder() {
  const first = listed;
  listed += MOST;
  draw();
  byId("match-games").children[first]?.querySelector("button")?.focus();
}

/** @param {HTMLElement} panel */
export function showMatch(panel) {
  cards.clear();
  panel.replaceChildren(
    h("section.card.match", { id: "match", "aria-labelledby": "match-name" },
      h("h2", { id: "match-name" }, "Match"), h("p.quiet-text", { id: "match-count" }, "Reading the journal…"),
      h("div", { id: "match-standings" }), h("div", { id: "match-notes" }),
      h("div", { id: "match-follow" }, toggle("Follow the match on the large board", follow, (on) => {
        follow = on;
        if (on) ask();
      })),
      h("h3", { id: "match-live-head", hidden: true }, "Being played"), h("ul.live-list", { id: "match-live", hidden: true, "aria-labelledby": "match-live-head" }),
      h("h3", { id: "match-games-head", hidden: true }, "Finished"), h("ul.game-list", { id: "match-games", "aria-labelledby": "match-games-head" }),
      h("button.quiet.wide", { id: "match-older", hidden: true, onclick: showOlder })),
    h("section.card.game-card", { "aria-label": "Moves" }, movesView.node));
  if (state) {
    draw();
    drawLive();
  }
  ask();
}

document.addEventListener("visibilitychange", ask);
