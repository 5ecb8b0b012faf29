// @ts-check
// The tab "Match": standings and games of the match whose journal the program follows.

import { call } from "./api.js";
import { byId, h, toggle } from "./dom.js";
import { movesView } from "./moves-view.js";
import { session } from "./session.js";
import { Tree } from "./tree.js";

/** @type {any[]} */ const games = [];
/** @type {any} */ let state = null;
/** @type {number} */ let shownGame = 0;
let follow = true;
/** @type {ReturnType<typeof setTimeout> | undefined} */ let timer;

async function ask() {
  clearTimeout(timer);
  if (session.tab !== "match" || document.hidden) return;
  let more = false;
  try {
    const told = await call("match", { after: games.length });
    games.push(...told.games);
    more = told.games.length === 200;
    const fresh = told.games.length > 0 || !state;
    state = told;
    if (fresh && session.tab === "match") {
      draw();
      if (follow && !more && games.length) await open(games[games.length - 1]);
    }
  } catch (fault) {
    session.complain(fault);
    return;
  }
  timer = setTimeout(ask, more ? 0 : 2000);
}

/** @param {any} game */
async function open(game) {
  if (shownGame === game.number) return;
  shownGame = game.number;
  const tree = new Tree(state.game, game.fen ?? null);
  tree.tags = [["Event", state.name], ["Round", String(game.round)], ["White", game.white], ["Black", game.black], ["Result", game.result]];
  tree.result = game.result;
  try {
    // The moves come in cells; their usual notation is asked for all at once.
    const told = await session.positionAfter(tree, game.moves);
    let at = tree.root;
    for (const made of told.played) at = tree.add(at, made.move, made.san);
    const offset = game.moves.length - game.scores.length;
    tree.path(at).forEach((node, index) => {
      const score = game.scores[index - offset];
      if (score) node.comments = [score];
    });
    await session.setTree(tree, at);
  } catch (fault) {
    session.complain(fault);
  }
  mark();
}

function mark() {
  for (const row of document.querySelectorAll(".game-row")) row.toggleAttribute("aria-current", /** @type {HTMLElement} */ (row).dataset.number === String(shownGame));
}

function draw() {
  const box = byId("match");
  if (!box || !state) return;
  const number = (/** @type {number | null} */ value) => (value === null ? "–" : `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(0)}`);
  box.replaceChildren(
    h("h2", null, state.name), h("p.quiet-text", null, `${state.total} games so far.`),
    h("table.summary", null, h("thead", null, h("tr", null, ["Player", "Games", "Points", "Won", "Drawn", "Lost", "Elo"].map((t) => h("th", { scope: "col" }, t)))),
      h("tbody", null, state.standings.map((/** @type {any} */ s) => h("tr", null, h("th", { scope: "row" }, s.name), [s.games, s.points, s.wins, s.draws, s.losses].map((v) => h("td", null, String(v))), h("td", null, number(s.elo), s.error ? h("small", null, ` ± ${s.error.toFixed(0)}`) : null))))),
    toggle("Follow the newest game", follow, (on) => {
      follow = on;
      if (on && games.length) open(games[games.length - 1]);
    }),
    h("ul.game-list", null, [...games].reverse().slice(0, 200).map((game) => h("li", null, h("button.game-row", { "data-number": game.number, onclick: () => {
      follow = false;
      open(game);
    } }, h("span.game-index", null, String(game.number)), h("span", null, h("b", null, `${game.white} – ${game.black}`), h("small", null, `${game.result} · ${game.plies} plies · ${game.reason}`)))))));
  mark();
}

/** @param {HTMLElement} panel */
export function showMatch(panel) {
  panel.replaceChildren(h("section.card", { id: "match" }, h("p.quiet-text", null, "Reading the journal…")), h("section.card.game-card", { "aria-label": "Moves" }, movesView.node));
  draw();
  ask();
}

document.addEventListener("visibilitychange", ask);
