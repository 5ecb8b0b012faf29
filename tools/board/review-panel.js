// @ts-check
// The tab "Review": every move of the game is judged; a graph, the mistakes, the better lines, the accuracy.

import { stream, wasAborted } from "./api.js";
import { extras, refresh } from "./board-view.js";
import { byId, choice, h, note, say } from "./dom.js";
import { cellsOf, drawGauge, lineButtons } from "./analyse-panel.js";
import { showAboveMoves } from "./moves-view.js";
import { boundText, scoreText } from "./score.js";
import { keep, kept, session } from "./session.js";
import { glyphSign } from "./tree.js";

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [480, 150];
const EFFORTS = /** @type {[string, string][]} */ ([["10000", "quick"], ["100000", "careful"], ["1000000", "thorough"]]);
const NAMES = /** @type {Record<string, string>} */ ({ inaccuracy: "Inaccuracy", mistake: "Mistake", blunder: "Blunder" });

/** @type {{tree: any, nodes: any[], moves: any[], plies: number, done: any, abort: AbortController} | null} */
let review = null;
let effort = "100000";

async function begin() {
  stop();
  const { tree } = session;
  const nodes = tree.mainLine();
  if (!nodes.length) {
    note("There is no move to review yet. Open a game, or play one.", true);
    return;
  }
  const abort = new AbortController();
  const now = (review = { tree, nodes, moves: /** @type {any[]} */ ([]), plies: nodes.length, done: /** @type {any} */ (null), abort });
  draw();
  try {
    const body = { game: tree.game, fen: tree.fen, moves: nodes.map((n) => n.move), nodes: Number(effort), threads: Math.min(4, session.hello.limits.threads) };
    for await (const told of stream("review", body, abort.signal)) {
      if (review !== now) return;
      if (told.type === "move") now.moves.push(told);
      else if (told.type === "done") now.done = told;
      if (told.type === "move" || told.type === "done") draw();
    }
    if (now.done) {
      keepReview(now);
      say(`The review is done. White ${percent(now.done.white.accuracy)}, Black ${percent(now.done.black.accuracy)} accurate.`);
    }
  } catch (fault) {
    if (!wasAborted(fault)) session.complain(fault);
    if (review === now && !now.done) {
      review = null;
      draw();
    }
  }
}

/** The nodes of the main line of the game that is shown, if it begins with these moves. @param {string[]} moves */
function nodesOf(moves) {
  const nodes = session.tree.mainLine().slice(0, moves.length);
  return nodes.length === moves.length && nodes.every((n, i) => n.move === moves[i]) ? nodes : null;
}

const KEPT = "hexmate-review";

/** Keeps a review that is done for a reload. @param {NonNullable<typeof review>} now */
function keepReview({ tree, nodes, moves, done }) {
  keep(KEPT, { game: tree.game, fen: tree.fen, line: nodes.map((n) => n.move), moves, done }, "session");
}

/** A review is there again after a reload, if its game is. */
export function resumeReview() {
  const before = kept(KEPT, "session");
  const { tree } = session;
  if (!Array.isArray(before?.line) || !Array.isArray(before.moves) || before.game !== tree.game || before.fen !== tree.fen) return;
  const nodes = nodesOf(before.line);
  if (nodes) review = { tree, nodes, moves: before.moves, plies: nodes.length, done: before.done, abort: new AbortController() };
}

function stop() {
  if (review && !review.done) {
    review.abort.abort();
    review = null;
  }
}

/** @param {number | null} value */
const percent = (value) => (value === null || value === undefined ? "–" : `${value.toFixed(1)} %`);

/** @param {string} name @param {Record<string, any>} attributes @param {Element} parent */
function svg(name, attributes, parent) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  parent.append(node);
  return node;
}

/** What White may expect, move after move; a click goes to the position. */
function graph() {
  const { moves, plies } = /** @type {NonNullable<typeof review>} */ (review);
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  picture.setAttribute("class", "graph");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", `What White may expect after each of ${plies} plies`);
  const x = (/** @type {number} */ ply) => (WIDTH * ply) / Math.max(plies, 1);
  const y = (/** @type {number} */ share) => 4 + (HEIGHT - 8) * (1 - share);
  svg("rect", { class: "graph-ground", width: WIDTH, height: HEIGHT, rx: 6 }, picture);
  if (moves.length) {
    const points = [[0, moves[0].before], ...moves.map((m) => [m.ply, m.after])];
    const line = points.map(([ply, share]) => `${x(ply).toFixed(1)} ${y(share).toFixed(1)}`).join("L");
    svg("path", { class: "graph-white", d: `M0 ${HEIGHT}L${line}L${x(points[points.length - 1][0]).toFixed(1)} ${HEIGHT}Z` }, picture);
    svg("path", { class: "graph-middle", d: `M0 ${HEIGHT / 2}H${WIDTH}` }, picture);
    svg("path", { class: "graph-line", d: `M${line}` }, picture);
    for (const m of moves) {
      if (!m.judgement) continue;
      // Shapes, not colours alone: a circle, a square on its tip, a triangle.
      const [cx, cy] = [x(m.ply), y(m.after)];
      const shape = { inaccuracy: `M${cx - 4} ${cy}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`, mistake: `M${cx} ${cy - 6}l6 6l-6 6l-6 -6Z`, blunder: `M${cx} ${cy - 7}l7 12h-14Z` }[/** @type {string} */ (m.judgement)];
      svg("path", { class: `graph-mark ${m.judgement}`, d: shape ?? "" }, picture);
    }
  }
  svg("path", { class: "graph-here", d: "" }, picture);
  const plyAt = (/** @type {MouseEvent} */ event) => {
    const box = picture.getBoundingClientRect();
    return Math.max(0, Math.min(plies, Math.round(((event.clientX - box.left) / box.width) * plies)));
  };
  picture.addEventListener("click", (event) => {
    const ply = plyAt(event);
    session.go(ply === 0 ? session.tree.root : /** @type {any} */ (review).nodes[ply - 1]);
  });
  return h("figure.graph-box", null, picture);
}

/** Marks on the graph where the board is. */
function here() {
  const line = document.querySelector(".graph-here");
  if (!line || !review) return;
  const ply = session.node === session.tree.root ? 0 : review.nodes.indexOf(session.node) + 1;
  const shown = session.node === session.tree.root || ply > 0;
  const x = (WIDTH * ply) / Math.max(review.plies, 1);
  line.setAttribute("d", shown ? `M${Math.min(Math.max(x, 1), WIDTH - 1)} 0V${HEIGHT}` : "");
}

/** What was said of the move that led here, and the better line. */
function verdict() {
  const box = byId("verdict");
  if (!box || !review) return;
  const index = review.nodes.indexOf(session.node);
  const told = review.moves[index];
  extras.arrows = [];
  extras.share = told?.after ?? (session.node === session.tree.root ? review.moves[0]?.before : null) ?? null;
  if (!told) {
    box.replaceChildren(h("p.quiet-text", null, index < 0 ? "Choose a move of the game: on the graph, in the list, or with the arrow keys." : "Not judged yet."));
  } else {
    const dots = told.side === "w" ? "." : "…";
    const kind = told.judgement ? NAMES[told.judgement] : told.move === told.best ? "Best move" : "Good move";
    box.replaceChildren(
      h("p", null, h(`b.judgement.${told.judgement ?? "fine"}`, null, `${told.number}${dots} ${told.san}${told.glyph ? glyphSign(told.glyph) : ""}`), ` ${kind}. `,
        told.judgement ? `White expected ${told.before.toFixed(2)} points before it and ${told.after.toFixed(2)} after it.` : ""),
      told.best && told.move !== told.best ? h("p.better", null, h("span", null, "Better: "), betterLine(told)) : "");
    if (told.best && told.move !== told.best) {
      const [best, played] = [cellsOf(told.best), cellsOf(told.move)];
      if (best) extras.arrows = [{ from: best[0], to: best[1], kind: "own", rank: 1, label: told.best_san }];
      if (played) extras.arrows.push({ from: played[0], to: played[1], kind: "played", rank: 1, label: told.san });
    }
  }
  refresh();
  drawGauge();
}

/** The better line, as buttons that go into the tree beside the move that was played. @param {any} told */
function betterLine(told) {
  const moves = told.line.map((/** @type {string} */ move, /** @type {number} */ i) => ({ move, san: told.line_san[i] }));
  const box = lineButtons(moves, session.node.parent ?? session.tree.root);
  return h("span", null, h("span.line-score", null, boundText(told.bound, "w") + scoreText(told.score)), box);
}

/** @param {string} name @param {any} sum */
function summary(name, sum) {
  return h("tr", null, h("th", { scope: "row" }, name), h("td.accuracy", null, percent(sum?.accuracy)), h("td", null, String(sum?.inaccuracies ?? "–")), h("td", null, String(sum?.mistakes ?? "–")), h("td", null, String(sum?.blunders ?? "–")));
}

/** Puts the signs and the better lines into the tree. */
function annotate() {
  const now = /** @type {NonNullable<typeof review>} */ (review);
  session.change(() => {
    now.moves.forEach((told, index) => {
      const node = now.nodes[index];
      if (!told.glyph) return;
      node.glyphs = [told.glyph, ...node.glyphs.filter((/** @type {number} */ g) => g > 6)];
      let at = node.parent;
      told.line.slice(0, 6).forEach((/** @type {string} */ move, /** @type {number} */ i) => {
        at = now.tree.add(at, move, told.line_san[i]);
      });
    });
  });
  note("Signs and better lines are in the tree now.");
}

/** Another review of the same game. */
function again() {
  review = null;
  keep(KEPT, null, "session");
  draw();
}

function draw() {
  if (session.tab === "review") showReview(byId("panel"));
}

/** Whether the game is no longer the one that is judged. */
const isStale = () => !!review && (review.tree !== session.tree || review.nodes.some((n, i) => n !== (i ? review?.nodes[i - 1] : session.tree.root).children[0]));

/** @param {HTMLElement} panel */
export function showReview(panel) {
  if (review && isStale()) {
    review.abort.abort();
    review = null;
  }
  // A better line that is pointed at is taken away without the pointer leaving it.
  session.look(null);
  const parts = [];
  if (!review) {
    const plies = session.tree.mainLine().length;
    parts.push(h("section.card.form-card", null, h("h2", null, "Review the game"),
      h("p.quiet-text", null, plies ? `${plies} plies are on the main line. Each is compared with the best that the engine finds.` : "Drop a game on the page, open one, or play one first."),
      choice("Search", EFFORTS, effort, (v) => (effort = v)),
      h("button.primary.wide", { id: "review-begin", onclick: begin, disabled: !plies }, "Review")));
  } else {
    const bad = review.moves.filter((m) => m.judgement);
    const progress = review.done ? null : h("div.progress", null, h("progress", { max: review.plies, value: review.moves.length, "aria-label": "Progress of the review" }), h("span", null, `${review.moves.length} of ${review.plies}`), h("button.quiet", { id: "review-stop", onclick: () => { stop(); draw(); } }, "Stop"));
    parts.push(h("section.card.form-card", null, progress, graph(),
      h("table.summary", null, h("thead", null, h("tr", null, h("td"), h("th", { scope: "col" }, "Accuracy"), h("th", { scope: "col" }, "Inaccuracies"), h("th", { scope: "col" }, "Mistakes"), h("th", { scope: "col" }, "Blunders"))),
        h("tbody", null, summary("White", review.done?.white), summary("Black", review.done?.black))),
      h("div.verdict-box", { id: "verdict" }),
      bad.length ? h("ul.bad-moves", { id: "bad-moves", "aria-label": "Moves that lost something" }, bad.map((m) => h("li", null, h("button.bad-move", { id: `bad-move-${m.ply}`, onclick: () => session.go(/** @type {any} */ (review).nodes[m.ply - 1]) },
        h(`span.judgement.${m.judgement}`, null, `${m.number}${m.side === "w" ? "." : "…"} ${m.san}${glyphSign(m.glyph)}`), h("span.quiet-text", null, m.best_san ? `better ${m.best_san}` : ""))))) : review.done ? h("p.quiet-text", null, "No move lost much.") : null,
      review.done ? h("div.button-row", null, h("button.quiet", { id: "annotate", onclick: annotate }, "Put signs and lines into the tree"), h("button.quiet", { onclick: again }, "Review again")) : null));
  }
  showAboveMoves(panel, parts);
  here();
  verdict();
}

session.on(["position"], () => {
  if (session.tab !== "review") return;
  here();
  verdict();
});
session.on(["tree"], () => isStale() && draw());
/** Another game is shown; the same one before a change keeps its review. */
session.on(["opened"], (event) => {
  const nodes = event.detail.undone && review ? nodesOf(review.nodes.map((n) => n.move)) : null;
  if (review && nodes) {
    Object.assign(review, { tree: session.tree, nodes });
    return;
  }
  stop();
  review = null;
});
