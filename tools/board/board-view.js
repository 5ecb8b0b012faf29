// @ts-check
// What the board element shows: the position of the session, one that is only looked at, or what a panel puts there.

import "./hexmate-board.js";
import { byId } from "./dom.js";
import { session } from "./session.js";

/** @type {import("./hexmate-board.js").HexmateBoard} */
export const board = byId("board");

/** What panels add. A panel that takes the board over gives `own`.
 * `ghost` is a piece that is only imagined, `share` what White may expect, for the gauge while no engine runs.
 * @type {{arrows: any[], marks: any[], paths: any, mayMove: (() => boolean) | null, own: any, drawing: boolean, ghost: {cell: string, letter: string} | null, share: number | null}} */
export const extras = { arrows: [], marks: [], paths: null, mayMove: null, own: null, drawing: false, ghost: null, share: null };

/** Shows what there is to show. */
export function refresh() {
  const { position, looked, game, flipped, settings } = session;
  if (!game || !position) return;
  if (board.geometry !== game) board.geometry = game;
  const common = { flipped, labels: /** @type {any} */ (settings.labels), drawing: extras.drawing };
  if (extras.own) {
    board.show({ last: [], check: null, moves: [], arrows: [], paths: null, preview: false, ...common, drawing: false, ...extras.own });
    return;
  }
  const shown = looked ? looked.position : position;
  const last = shown.played[shown.played.length - 1];
  const may = !looked && (extras.mayMove ? extras.mayMove() : true);
  board.show({
    ...common,
    pieces: extras.ghost && !looked ? { ...shown.pieces, [extras.ghost.cell]: extras.ghost.letter } : shown.pieces,
    last: last ? [last.from, last.to] : [],
    check: shown.check ? kingOf(shown) : null,
    moves: may ? shown.legal : [],
    arrows: looked || !settings.arrows ? [] : extras.arrows,
    marks: looked ? [] : extras.marks,
    paths: looked ? null : extras.paths,
    preview: !!looked,
    editing: false,
    label: `${game.title}, ${shown.side === "w" ? "White" : "Black"} to move`,
  });
}

/** @param {any} position */
function kingOf(position) {
  const letter = session.game.kinds[1].letter;
  const wanted = position.side === "w" ? letter.toUpperCase() : letter.toLowerCase();
  return Object.keys(position.pieces).find((cell) => position.pieces[cell] === wanted) ?? null;
}
