// @ts-check
// Where the cells of a board are, and what pieces and arrows look like. Pure functions, no document.
//
// Lengths are in units of a drawing in which the edge of a cell is EDGE long. y goes down.

/** @typedef {[number, number]} Point */
/**
 * @typedef {object} Picture The picture of a piece, in a box of 100 by 100 around its middle.
 * @property {{outline: string, lines: string}} [glyph]
 * @property {{letter: string, arcs: {colour: number, path: string}[], lines: string, dots: Point[]}} [disc]
 */
/**
 * @typedef {object} BoardKind A kind of piece.
 * @property {string} letter Upper case.
 * @property {string} name
 * @property {Picture} picture
 */
/**
 * @typedef {object} BoardCell
 * @property {string} name As in "e4".
 * @property {number} x Its centre, in edges.
 * @property {number} y
 * @property {number} colour From 0.
 * @property {number} row
 * @property {(string | null)[]} neighbours By `directions`.
 */
/**
 * @typedef {object} Geometry What the board is, as `/api/game` gives it. More keys do no harm.
 * @property {string} [name]
 * @property {string} [title]
 * @property {boolean} upright Whether files are upright on the drawing. Otherwise rows are level.
 * @property {Point} box Width and height in edges.
 * @property {Point[]} corners Of any cell, from its centre.
 * @property {string[]} directions The names of the six directions, clockwise: `n ne se s sw nw` or `ne e se sw w nw`.
 * @property {BoardCell[]} cells
 * @property {{text: string, x: number, y: number}[]} labels
 * @property {{name: string, tone: string}[]} colours
 * @property {boolean} colours_matter Whether a rule depends on colours: their own tones instead of the board's.
 * @property {BoardKind[]} kinds
 */

export const EDGE = 50;

/** @param {number} value */
export const round = (value) => Math.round(value * 100) / 100;

/** @param {Point[]} points */
export const pointsText = (points) => points.map(([x, y]) => `${round(x)},${round(y)}`).join(" ");

/** The corners of a cell. @param {Geometry} geometry @param {number} [scale] */
export const corners = (geometry, scale = 1) =>
  geometry.corners.map(([x, y]) => /** @type {Point} */ ([x * EDGE * scale, y * EDGE * scale]));

/** The centres of all cells by their names, turned by half if the board is flipped.
 * @param {Geometry} geometry @param {boolean} flipped @returns {Map<string, Point>} */
export function centres(geometry, flipped) {
  return new Map(geometry.cells.map((cell) => [cell.name, place(geometry, flipped, cell.x, cell.y)]));
}

/** A point of the board on the drawing. @param {Geometry} geometry @param {boolean} flipped @returns {Point} */
export function place(geometry, flipped, /** @type {number} */ x, /** @type {number} */ y) {
  const [width, height] = geometry.box;
  return flipped ? [(width - x) * EDGE, (height - y) * EDGE] : [x * EDGE, y * EDGE];
}

/** The view box around board and labels. @param {Geometry} geometry @param {boolean} labels Whether there are any at the edge. */
export function viewBox(geometry, labels) {
  const [width, height] = geometry.box;
  // The rim and, if they are shown, the labels, on the same space on opposite sides so that flipping moves nothing.
  let [aside, above] = [0.16, 0.16];
  for (const label of labels ? geometry.labels : []) {
    aside = Math.max(aside, -label.x + 0.4, label.x - width + 0.4);
    above = Math.max(above, -label.y + 0.36, label.y - height + 0.36);
  }
  const parts = [-aside, -above, width + 2 * aside, height + 2 * above];
  return parts.map((part) => round(part * EDGE)).join(" ");
}

/** @param {string} text */
export const escapeText = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** The shape of a piece as the inside of an SVG group, in a box of 100 by 100 around its middle. Its paint comes
 * from the classes `hx-white` and `hx-black` of the group.
 * @param {Picture} picture @returns {string} */
export function pieceShape(picture) {
  if (picture.glyph) {
    const { outline, lines } = picture.glyph;
    return `<path class="hx-body" d="${escapeText(outline)}"/><path class="hx-lines" d="${escapeText(lines)}"/>`;
  }
  const disc = picture.disc;
  if (!disc) return "";
  const arcs = disc.arcs.map((arc) => `<path class="hx-arc hx-arc-${arc.colour}" d="${escapeText(arc.path)}"/>`);
  const dots = disc.dots.map(([x, y]) => `<circle class="hx-dot" cx="${x}" cy="${y}" r="2.3"/>`);
  return `<circle class="hx-disc-rim" r="42"/><circle class="hx-disc" r="${disc.arcs.length ? 29 : 39}"/>${arcs.join("")}
    <path class="hx-rays" d="${escapeText(disc.lines)}"/>${dots.join("")}
    <text class="hx-letter" y="9.5">${escapeText(disc.letter)}</text>`;
}

/** An arrow from one middle to another, as points. It begins aside of the piece, so that this stays visible.
 * @param {Point} from @param {Point} to @param {number} width Half the shaft's width, in edges. @returns {Point[]} */
export function arrowPoints(from, to, width) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  const at = (/** @type {number} */ along, /** @type {number} */ aside) =>
    /** @type {Point} */ ([
      from[0] + (dx * along - dy * aside * EDGE) / length,
      from[1] + (dy * along + dx * aside * EDGE) / length,
    ]);
  const head = 0.14 + 1.9 * width;
  const [tail, tip] = [0.4 * EDGE, length - 0.1 * EDGE];
  const neck = tip - (0.16 + 1.5 * head) * EDGE;
  return [at(tail, width * 0.7), at(neck, width), at(neck, head), at(tip, 0), at(neck, -head), at(neck, -width), at(tail, -width * 0.7)];
}

/** What a piece is called, as in "white knight". @param {Geometry} geometry @param {string} letter */
export function pieceName(geometry, letter) {
  const kind = geometry.kinds.find((k) => k.letter === letter.toUpperCase());
  return `${letter === letter.toUpperCase() ? "white" : "black"} ${kind ? kind.name : letter}`;
}
