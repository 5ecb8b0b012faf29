// @ts-check
// The tab "Analyse": the engine's lines, endgame tables, the tree of moves, texts in and out.

import { extras, refresh } from "./board-view.js";
import { byId, choice, disable, h, hide, iconButton, keepingFocus, note, say, setText, toggle } from "./dom.js";
import { analysis } from "./engine.js";
import { explainBox, fillExplained } from "./explain.js";
import { textTools } from "./texts.js";
import { movesView } from "./moves-view.js";
import { boundText, chancesForWhite, forWhite, gaugeText, perCent, scoreText, scoreWords, short, timeText } from "./score.js";
import { session } from "./session.js";
import { moveNumber } from "./tree.js";
import { typedMove } from "./typed-move.js";

const PV_SHOWN = 14;

/** The strip beside the board. */
export function drawGauge() {
  const gauge = byId("gauge");
  const outcome = session.position?.outcome;
  const best = analysis.found && !analysis.threat ? analysis.found.lines[0] : null;
  /** @type {number[]} */ let chances = [500, 0, 500];
  let [text, words] = ["", "none yet"];
  if (outcome && !["no_progress", "repetition"].includes(outcome.reason)) {
    const white = outcome.quarters[0] * 250;
    chances = [white, 0, 1000 - white];
    [text, words] = [outcome.result, outcome.words];
  } else if (best) {
    const score = forWhite(best.score, /** @type {any} */ (analysis.found).side);
    chances = best.wdl ? chancesForWhite(best.wdl, /** @type {any} */ (analysis.found).side) : chances;
    [text, words] = [gaugeText(score), `${scoreWords(score)}. White wins ${Math.round(chances[0] / 10)} %, draws ${Math.round(chances[1] / 10)} %, Black wins ${Math.round(chances[2] / 10)} %`];
  } else if (extras.share !== null) {
    chances = [extras.share * 1000, 0, 1000 - extras.share * 1000];
    [text, words] = [extras.share.toFixed(2), `White expects ${extras.share.toFixed(2)} points`];
  }
  gauge.classList.toggle("empty", !text);
  gauge.classList.toggle("aside", ["learn", "edit", "play"].includes(session.tab) || (session.tab === "match" && !text));
  gauge.classList.toggle("flipped", session.flipped);
  for (const [name, value] of [["w", chances[0]], ["d", chances[1]], ["b", chances[2]]]) gauge.querySelector(`.gauge-${name}`).style.flexGrow = String(value);
  setText(gauge.querySelector(".gauge-text"), text);
  gauge.setAttribute("aria-label", `Evaluation: ${words}`);
  gauge.title = text ? words : "";
}

/** Whether the pointer has moved since the position changed: new lines that come to lie under it must not play themselves
 * out until it moves. */
let pointed = true;
/** What it lies on, until then. @type {(() => void) | null} */
let waiting = null;
addEventListener("pointermove", () => {
  pointed = true;
  waiting?.();
  waiting = null;
}, { capture: true, passive: true });
session.on(["position"], () => {
  pointed = false;
  waiting = null;
});

/** What pointing at moves does. @param {string[]} moves @param {import("./tree.js").TreeNode} [from] */
function lookAt(moves, from) {
  if (pointed) session.look(moves, from);
  else waiting = () => session.look(moves, from);
}

/** The pointer has left them. */
function lookAway() {
  waiting = null;
  session.look(null);
}

/** A sequence of moves as buttons: hovering plays them out, a click takes them over.
 * @param {{move: string, san: string}[]} moves @param {import("./tree.js").TreeNode} [from] The node from which they go. */
export function lineButtons(moves, from = session.node) {
  const ply = session.tree.path(from).length + 1;
  const first = session.position.first ?? session.game.start;
  const box = h("span.pv", { onmouseleave: lookAway });
  moves.forEach(({ san }, index) => {
    const { number, white } = moveNumber(first, ply + index);
    const label = white || index === 0 ? h("span.pv-number", null, white ? `${number}.` : `${number}…`) : null;
    const upTo = moves.slice(0, index + 1);
    box.append(h("span.pv-pair", null, label, h("button.pv-move", {
      tabindex: index === 0 ? 0 : -1,
      onmouseenter: () => lookAt(upTo.map((m) => m.move), from),
      onfocus: (/** @type {any} */ e) => e.target.matches(":focus-visible") && session.look(upTo.map((m) => m.move), from),
      onblur: () => session.look(null),
      onclick: () => session.playAll(upTo, from),
      onkeydown: (/** @type {any} */ e) => walkLine(e),
    }, san)));
  });
  return box;
}

/** Marks how far a line is played out. */
function markLooked() {
  for (const button of document.querySelectorAll(".pv-move.looked")) button.classList.remove("looked");
  if (!session.looked) return;
  const line = document.querySelector(".line:hover .pv, .pv:hover, .pv:focus-within");
  line?.querySelectorAll(".pv-move")[session.looked.moves.length - 1]?.classList.add("looked");
}

/** Left and right within a line. @param {KeyboardEvent} event */
function walkLine(event) {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (!step) return;
  const button = /** @type {HTMLElement} */ (event.target);
  const all = [...(button.closest(".pv")?.querySelectorAll("button") ?? [])];
  all[all.indexOf(/** @type {any} */ (button)) + step]?.focus();
  event.preventDefault();
  event.stopPropagation();
}

/** The engine's part of the panel. */
class EngineCard {
  constructor() {
    this.power = h("input", { type: "checkbox", role: "switch", id: "engine", onchange: (/** @type {any} */ e) => analysis.switch(e.target.checked) });
    this.score = h("output.big-score", { id: "score", "aria-label": "Score" });
    this.facts = h("div.facts", { id: "facts" });
    this.threat = h("button.quiet", { id: "threat", "aria-pressed": "false", title: "What the other side threatens (x)", onclick: () => threat() }, "Threat");
    this.deeper = h("button.quiet", { id: "deeper", title: "Search without a limit", onclick: () => analysis.deeper(), hidden: true }, "Go deeper");
    this.gear = iconButton("gear", "Settings of the engine", () => this.#openSettings(), { "aria-expanded": "false", id: "engine-gear" });
    this.settings = h("div.engine-settings", { hidden: true });
    this.lines = h("ol.lines", { id: "lines", "aria-label": "Best lines" });
    this.message = h("p.quiet-text.engine-message");
    this.tables = h("div.tables", { hidden: true });
    this.node = h("section.card.engine", { "aria-label": "Engine" },
      h("div.engine-head", null,
        h("label.switch", { title: "Engine on or off (l)" }, this.power, h("span.knob", { "aria-hidden": "true" }), h("span", null, "Engine")),
        this.score, h("div.engine-buttons", null, this.threat, this.gear), this.facts, this.deeper),
      this.settings, this.lines, this.message, this.tables, explainBox);
    /** @type {{line: any, node: HTMLElement, key: string}[]} */
    this.rows = [];
    this.held = false;
    /** The node to which the rows belong. */
    this.place = 0;
    // While somebody points at a line or has the focus in it, its moves stay what they are.
    this.lines.addEventListener("mouseenter", () => (this.held = true));
    this.lines.addEventListener("mouseleave", () => {
      this.held = false;
      this.draw();
    });
    this.spoken = "";
  }

  #openSettings() {
    const open = this.settings.hidden;
    this.settings.hidden = !open;
    this.gear.setAttribute("aria-expanded", String(open));
    if (open) this.#fillSettings();
  }

  #fillSettings() {
    const { settings, hello } = session;
    const change = (/** @type {any} */ what) => {
      session.set(what);
      analysis.restart();
    };
    const powers = (/** @type {number} */ most, /** @type {number} */ from) => {
      const all = [];
      for (let n = from; n <= most; n *= 2) all.push(n);
      if (!all.includes(most)) all.push(most);
      return all;
    };
    const threads = powers(hello.limits.threads, 1);
    const hash = powers(hello.limits.hash, 16);
    this.settings.replaceChildren(
      choice("Lines", [1, 2, 3, 4, 5, 8].map((n) => [String(n), String(n)]), String(settings.multipv), (v) => change({ multipv: Number(v) })),
      choice("Stop", [["none", "never"], ["movetime:1000", "after 1 s"], ["movetime:5000", "after 5 s"], ["movetime:30000", "after 30 s"], ["depth:10", "at depth 10"], ["depth:16", "at depth 16"], ["depth:24", "at depth 24"], ["nodes:1000000", "after 1 M nodes"]], settings.limit, (v) => change({ limit: v })),
      choice("Threads", threads.map((n) => [String(n), String(n)]), String(settings.threads || hello.defaults.threads), (v) => change({ threads: Number(v) })),
      choice("Memory", hash.map((n) => [String(n), `${n} MB`]), String(settings.hash || hello.defaults.hash), (v) => change({ hash: Number(v) })),
      toggle("Endgame tables", settings.tables, (on) => {
        session.set({ tables: on });
        analysis.moved();
      }));
  }

  draw() {
    const { found, threat: asThreat } = analysis;
    this.power.checked = analysis.on;
    this.threat.setAttribute("aria-pressed", String(asThreat));
    disable(this.threat, !!session.position?.check || !session.position?.legal.length);
    this.node.classList.toggle("running", analysis.running);
    this.node.classList.toggle("as-threat", asThreat);
    const best = found?.lines[0];
    const score = best && forWhite(best.score, found.side);
    setText(this.score, score ? scoreText(score) : "");
    this.drawFacts();
    hide(this.deeper, analysis.running || !found?.done || !["depth", "nodes", "time"].includes(found.done));
    const message = analysis.fault || (session.position?.outcome ? session.position.outcome.words : analysis.on ? "" : "Switch the engine on to see its lines.");
    setText(this.message, message);
    this.message.hidden = !message;
    keepingFocus(() => {
      this.#drawLines();
      this.#drawTables();
    });
    drawArrows();
    drawGauge();
    const depth = found?.depth ?? 0;
    // Not every depth, or a listener hears nothing else.
    if (score && session.settings.spoken && (found.done || depth % 6 === 0)) {
      const words = `Depth ${depth}: ${scoreWords(score)}, best ${best.san[0]}`;
      if (words !== this.spoken && (found.done || depth > 6)) say(words);
      this.spoken = words;
    }
  }

  /** Depth, positions, speed and time; while a search runs these go on between its depths. */
  drawFacts() {
    const { found, running } = analysis;
    const count = (running && analysis.count) || found;
    this.facts.replaceChildren(...(found ? [h("span", null, `depth ${found.depth}`, h("small", null, `/${found.seldepth}`))] : running ? [h("span", null, "thinking…")] : []),
      ...(count ? [h("span.fact-nodes", null, `${short(count.nodes)} nodes`), h("span", null, `${short(count.nps)}/s`), h("span", null, timeText(count.time))] : []),
      ...(found ? [chancesText(found)] : []));
  }

  #drawLines() {
    const { found } = analysis;
    const lines = found?.lines ?? [];
    const place = session.node.id;
    const focused = this.lines.contains(document.activeElement) && document.activeElement?.matches(":focus-visible");
    if ((this.held || focused) && this.place === place && lines.length && this.rows.length) return;
    this.place = place;
    lines.forEach((line, index) => {
      const key = `${place} ${found?.side} ${JSON.stringify(line.score)} ${line.bound} ${line.pv.slice(0, PV_SHOWN).join(" ")}`;
      const row = this.rows[index];
      if (row?.key === key) return;
      const score = forWhite(line.score, /** @type {any} */ (found).side);
      const bound = boundText(line.bound, /** @type {any} */ (found).side);
      const wdl = line.wdl ? perCent(chancesForWhite(line.wdl, /** @type {any} */ (found).side)) : null;
      const chances = wdl ? `White wins ${wdl[0]} %, draws ${wdl[1]} %, Black wins ${wdl[2]} %` : "";
      const good = (score.mate ?? score.cp ?? 0) >= 0;
      const moves = line.pv.slice(0, PV_SHOWN).map((/** @type {string} */ move, /** @type {number} */ i) => ({ move, san: line.san[i] }));
      const node = h("li.line", null,
        h(`span.line-score.${good ? "for-white" : "for-black"}`, analysis.threat ? { title: chances } : { title: chances, onmouseenter: () => lookAt(line.pv.slice(0, PV_SHOWN)), onmouseleave: lookAway }, bound + scoreText(score)),
        analysis.threat ? h("span.pv", null, line.san.slice(0, 6).join(" ")) : lineButtons(moves));
      if (row) row.node.replaceWith(node);
      else this.lines.append(node);
      this.rows[index] = { line, node, key };
    });
    for (const row of this.rows.splice(lines.length)) row.node.remove();
  }

  #drawTables() {
    const { verdicts } = analysis;
    this.tables.hidden = !verdicts;
    if (!verdicts) return;
    if (!verdicts.covered) {
      this.tables.replaceChildren(h("p.quiet-text", null, `Endgame tables: up to ${verdicts.most_men} pieces.`));
      return;
    }
    this.tables.replaceChildren(h("h3", null, "Endgame tables", h(`span.verdict.${verdicts.verdict.category.replace(/ /g, "-")}`, null, verdicts.verdict.words)),
      h("ul.table-moves", null, verdicts.moves.map((/** @type {any} */ m) => h("li", null,
        h("button.table-move", { onclick: () => session.play(m.move, m.san), onmouseenter: () => lookAt([m.move]), onmouseleave: lookAway },
          h("b", null, m.san), h(`span.verdict.${m.category.replace(/ /g, "-")}`, null, m.words))))));
  }
}

/** White's chances. @param {import("./engine.js").Found} found */
function chancesText({ lines, side }) {
  const wdl = lines[0]?.wdl;
  if (!wdl) return "";
  const [win, draw, loss] = perCent(chancesForWhite(wdl, side));
  return h("span", null, `White ${win} %, draw ${draw} %, Black ${loss} %`);
}

function drawArrows() {
  const { found, threat: asThreat } = analysis;
  const arrows = (found?.lines ?? []).slice(0, 5).flatMap((line, index) => {
    const cells = line.pv[0] ? cellsOf(line.pv[0]) : null;
    if (!cells) return [];
    return [{ from: cells[0], to: cells[1], kind: asThreat ? "threat" : "best", rank: index + 1, label: line.san[0] }];
  });
  if (JSON.stringify(arrows) === JSON.stringify(extras.arrows)) return;
  extras.arrows = arrows;
  refresh();
}

/** The two cells of a move in cells. @param {string} move @returns {[string, string] | null} */
export function cellsOf(move) {
  const found = /^([a-z]+\d+)([a-z]+\d+)/.exec(move);
  return found ? [found[1], found[2]] : null;
}

export function threat() {
  if (!analysis.switchThreat()) note("In check there is nothing to threaten: the check must be met first.");
}

/** @type {EngineCard} */
let card;
/** @type {HTMLElement} */
let typed;

/** @param {HTMLElement} panel */
export function showAnalyse(panel) {
  card ??= new EngineCard();
  typed ??= typedMove();
  panel.replaceChildren(card.node, h("section.card.game-card", { "aria-label": "Moves" }, movesView.node, h("div.card-foot", null, typed, textTools())));
  card.draw();
  fillExplained();
}

analysis.addEventListener("found", () => card && session.tab === "analyse" ? card.draw() : drawGauge());
session.on(["preview"], markLooked);
analysis.addEventListener("count", () => session.tab === "analyse" && card?.drawFacts());
analysis.addEventListener("state", () => session.tab === "analyse" && card?.draw());
