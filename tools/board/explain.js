// @ts-check
// What the static evaluation of the position is made of, on demand.

import { call } from "./api.js";
import { h } from "./dom.js";
import { scoreText } from "./score.js";
import { session } from "./session.js";

const table = h("div.explained");
const box = h("details.explain", { id: "explain", ontoggle: () => fillExplained() }, h("summary", null, "What the static evaluation is made of"), table);

/** The part of the panel. */
export const explainBox = box;

/** Shows the numbers of the position, if anybody sees them. */
export async function fillExplained() {
  if (!box.open || !box.isConnected || !session.position) return;
  const { node } = session;
  try {
    const told = await call("explain", session.asked);
    if (node !== session.node) return;
    const pawns = (/** @type {number} */ cp) => scoreText({ cp });
    // What says nothing is left out.
    const terms = told.terms.filter((/** @type {any} */ t) => t.white || t.black || t.sum);
    table.replaceChildren(
      told.check ? h("p.quiet-text", null, "In check this number means little.") : "",
      h("table.summary", null, h("thead", null, h("tr", null, h("td"), ["White", "Black", "Sum"].map((t) => h("th", { scope: "col" }, t)))),
        h("tbody", null, terms.map((/** @type {any} */ t) => h("tr", null, h("th", { scope: "row" }, t.name), h("td", null, pawns(t.white)), h("td", null, pawns(t.black)), h("td.accuracy", null, pawns(t.sum)))),
          h("tr.total", null, h("th", { scope: "row" }, "all"), h("td"), h("td"), h("td.accuracy", null, pawns(told.score))))));
  } catch (fault) {
    table.replaceChildren(h("p.quiet-text", null, /** @type {Error} */ (fault).message));
  }
}

session.on(["position"], fillExplained);
