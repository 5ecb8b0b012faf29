// @ts-check
// The live analysis: begins, changes and stops searches, and keeps what they found. Draws nothing.
//
// Events: "found" (other lines), "count" (only more positions and time), "state" (running or not, threat or not).

import { call, stream, wasAborted } from "./api.js";
import { session } from "./session.js";

/**
 * @typedef {object} Found
 * @property {"w" | "b"} side Whose move is sought; scores are from its point of view.
 * @property {any[]} lines @property {number} depth @property {number} seldepth @property {number} nodes @property {number} nps
 * @property {number} time @property {string | null} done Why the search ended, if it did.
 */

/** Milliseconds after which is asked again where too many searches run. */
const AGAIN = 2000;

class Analysis extends EventTarget {
  on = false;
  threat = false;
  /** Whether a search is running now. */ running = false;
  /** @type {Found | null} */ found = null;
  /** @type {{nodes: number, nps: number, time: number} | null} How far the search is that runs now. */ count = null;
  /** @type {string} What is wrong, if no search can run. */ fault = "";
  /** @type {any} What the endgame tables say. */ verdicts = null;
  /** Whether this tab of the panel wants an analysis at all. */ wanted = () => true;
  /** @type {AbortController | null} */ #abort = null;
  /** @type {Map<string, Found>} */ #known = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #deeper = false;

  constructor() {
    super();
    document.addEventListener("visibilitychange", () => this.restart());
    addEventListener("pagehide", () => this.#stop());
  }

  /** @param {boolean} on */
  switch(on) {
    if (on === this.on) return;
    this.on = on;
    session.set({ engine: on });
    this.restart();
  }

  switchThreat() {
    if (!this.threat && session.position?.check) return false;
    this.threat = !this.threat;
    if (this.threat && !this.on) this.on = true;
    this.restart();
    return true;
  }

  /** Another position is shown. */
  moved() {
    this.threat = false;
    this.#deeper = false;
    this.verdicts = null;
    this.restart();
    this.#askTables();
  }

  /** Goes on without a limit. */
  deeper() {
    this.#deeper = true;
    this.restart();
  }

  #key() {
    const { game, fen, moves } = session.asked;
    return [game, fen, moves.join(" "), this.threat, session.settings.multipv].join("|");
  }

  #stop() {
    this.count = null;
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#abort = null;
    this.running = false;
  }

  /** Begins the search that is wanted now, after ending the one that runs. */
  restart() {
    this.#stop();
    this.fault = "";
    if (!session.position) return;
    this.found = this.on && this.wanted() ? this.#known.get(this.#key()) ?? null : null;
    this.dispatchEvent(new Event("found"));
    const may = this.on && this.wanted() && !document.hidden;
    if (may && session.position.legal.length) {
      // Not at once: whoever steps through a game passes many positions.
      this.running = true;
      this.#timer = setTimeout(() => this.#search(), 70);
    }
    this.dispatchEvent(new Event("state"));
  }

  #limits() {
    const [kind, value] = session.settings.limit.split(":");
    if (this.#deeper || kind === "none") return {};
    return { [kind]: Number(value) };
  }

  async #search() {
    const abort = new AbortController();
    this.#abort = abort;
    const { settings, asked } = session;
    const key = this.#key();
    const body = {
      ...asked,
      multipv: this.threat ? 1 : settings.multipv,
      ...(settings.threads ? { threads: settings.threads } : {}),
      ...(settings.hash ? { hash: settings.hash } : {}),
      ...this.#limits(),
      threat: this.threat,
      tables: settings.tables,
    };
    /** @type {"w" | "b"} */
    let side = session.position.side;
    try {
      for await (const told of stream("analyse", body, abort.signal)) {
        if (abort.signal.aborted) return;
        if (told.type === "begin") {
          side = told.side;
          if (this.fault) {
            this.fault = "";
            this.running = true;
            this.dispatchEvent(new Event("state"));
          }
        } else if (told.type === "nodes") {
          this.count = told;
          this.dispatchEvent(new Event("count"));
        } else if (told.type === "info") {
          this.count = told;
          const before = this.#known.get(key);
          // What is known from an earlier visit stays until this search is as deep.
          if (before && before.depth > told.depth && before.done === null && this.found === before && told.depth < before.depth) {
            this.dispatchEvent(new Event("found"));
            continue;
          }
          this.found = { ...told, side, done: null };
          this.#known.set(key, /** @type {Found} */ (this.found));
          if (this.#known.size > 300) this.#known.delete(this.#known.keys().next().value ?? "");
          this.dispatchEvent(new Event("found"));
        } else if (told.type === "done" && this.found) this.found = { ...this.found, done: told.reason, nodes: told.nodes, time: told.time, nps: Math.round((told.nodes * 1000) / Math.max(1, told.time)) };
      }
    } catch (fault) {
      if (wasAborted(fault) || abort.signal.aborted) return;
      this.fault = /** @type {Error} */ (fault).message;
      // Those of other pages end without a word.
      if (/** @type {any} */ (fault).code === "busy") this.#timer = setTimeout(() => this.#search(), AGAIN);
    }
    if (this.#abort !== abort) return;
    this.running = false;
    this.dispatchEvent(new Event("found"));
    this.dispatchEvent(new Event("state"));
  }

  async #askTables() {
    if (!session.settings.tables || !session.hello?.tables.includes(session.tree.game)) return;
    const asked = session.asked;
    const { node } = session;
    try {
      const verdicts = await call("tables", asked);
      if (session.node !== node) return;
      this.verdicts = verdicts;
    } catch {
      return;
    }
    this.dispatchEvent(new Event("found"));
  }
}

export const analysis = new Analysis();
