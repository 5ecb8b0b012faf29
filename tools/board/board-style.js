// @ts-check
// How the board element looks. Every colour is a custom property, so that a page can set it: they have no
// specificity, so that any rule of the page wins.

export const BOARD_STYLE = `
:where(hexmate-board) { display: block; position: relative; user-select: none; -webkit-user-select: none; }
/* A piece outside of a board is drawn in an element of class hx-picture. */
:where(hexmate-board, .hx-picture) {
  --hx-tone-0: #d9a96e; --hx-tone-1: #9f6d40; --hx-tone-2: #f5e4c6; --hx-tone-3: #6f4a2c;
  --hx-tone-4: #c9705c; --hx-tone-5: #98a05e; --hx-tone-6: #a987b5; --hx-tone-7: #e0c02f;
  --hx-hue-0: #f0cf6a; --hx-hue-1: #72a85f; --hx-hue-2: #b3bac5; --hx-hue-3: #faf7f0;
  --hx-hue-4: #78b4ea; --hx-hue-5: #e07a68; --hx-hue-6: #bb92de; --hx-hue-7: #a57c56;
  --hx-rim: #4a382a; --hx-line: rgb(74 56 42 / 0.55); --hx-label: #6b5d50; --hx-name: rgb(38 26 16 / 0.86);
  --hx-last: #4d7c0f; --hx-select: #0b5bd3; --hx-check: #c81e1e; --hx-target: #17407a;
  --hx-arrow: #0e5fae; --hx-second: #4b6b8a; --hx-threat: #b3261e; --hx-own: #1d7a3c; --hx-played: #7a3fb0;
  --hx-focus: #0b5bd3; --hx-focus-halo: #ffffff; --hx-path: #17407a; --hx-block: #b3261e;
  --hx-white: #fffdf8; --hx-white-line: #211a15; --hx-black: #2b2622; --hx-black-line: #f8f3e9; }
hexmate-board svg.hx-board { display: block; width: 100%; height: 100%; overflow: visible; touch-action: manipulation; }
/* One finger plays or draws, two zoom. */
hexmate-board svg.hx-playable { touch-action: pinch-zoom; }
.hx-board .hx-cell { outline: none; cursor: default; }
.hx-board .hx-cell.hx-movable { cursor: grab; }
.hx-board .hx-cell.hx-target { cursor: pointer; }
.hx-dragging .hx-cell { cursor: grabbing !important; }
.hx-hex { stroke: var(--hx-line); stroke-width: 0.9; }
.hx-rim { fill: var(--hx-rim); stroke: var(--hx-rim); stroke-width: 11; stroke-linejoin: round; }
.hx-tone-0 { fill: var(--hx-tone-0); } .hx-tone-1 { fill: var(--hx-tone-1); }
.hx-tone-2 { fill: var(--hx-tone-2); } .hx-tone-3 { fill: var(--hx-tone-3); }
.hx-tone-4 { fill: var(--hx-tone-4); } .hx-tone-5 { fill: var(--hx-tone-5); }
.hx-tone-6 { fill: var(--hx-tone-6); } .hx-tone-7 { fill: var(--hx-tone-7); }
.hx-hues .hx-tone-0 { fill: var(--hx-hue-0); } .hx-hues .hx-tone-1 { fill: var(--hx-hue-1); }
.hx-hues .hx-tone-2 { fill: var(--hx-hue-2); } .hx-hues .hx-tone-3 { fill: var(--hx-hue-3); }
.hx-hues .hx-tone-4 { fill: var(--hx-hue-4); } .hx-hues .hx-tone-5 { fill: var(--hx-hue-5); }
.hx-hues .hx-tone-6 { fill: var(--hx-hue-6); } .hx-hues .hx-tone-7 { fill: var(--hx-hue-7); }
.hx-layer { pointer-events: none; }
.hx-label, .hx-name, .hx-letter, .hx-rank { font-family: system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", Arial, sans-serif; text-anchor: middle; }
.hx-label { font-size: 19px; fill: var(--hx-label); dominant-baseline: central; }
.hx-name { font-size: 13px; fill: var(--hx-name); pointer-events: none; }
.hx-hex-mark { stroke-linejoin: round; }
.hx-hues { --hx-last: #1f6fd0; }
.hx-mark-last { fill: var(--hx-last); fill-opacity: 0.46; stroke: var(--hx-last); stroke-width: 4; }
.hx-mark-from { fill: var(--hx-last); fill-opacity: 0.28; stroke: var(--hx-last); stroke-width: 3.4; stroke-dasharray: 8 7; }
.hx-mark-select { fill: #8fc1ff; fill-opacity: 0.5; stroke: var(--hx-select); stroke-width: 5; }
.hx-mark-check { fill: var(--hx-check); fill-opacity: 0.42; stroke: var(--hx-check); stroke-width: 6; }
.hx-mark-over { fill: none; stroke: var(--hx-select); stroke-width: 4.5; stroke-dasharray: 3 6; stroke-linecap: round; }
.hx-mark-own { fill: var(--hx-own); fill-opacity: 0.18; stroke: var(--hx-own); stroke-width: 5; }
.hx-mark-own2 { fill: var(--hx-threat); fill-opacity: 0.18; stroke: var(--hx-threat); stroke-width: 5; stroke-dasharray: 12 5; }
.hx-mark-fault { fill: var(--hx-check); fill-opacity: 0.3; stroke: var(--hx-check); stroke-width: 5; stroke-dasharray: 5 4; }
.hx-mark-hint { fill: var(--hx-own); fill-opacity: 0.3; stroke: var(--hx-own); stroke-width: 5; }
.hx-goal { fill: var(--hx-target); fill-opacity: 0.62; stroke: #fff; stroke-opacity: 0.55; stroke-width: 1.5; }
.hx-goal-capture { fill: none; stroke: var(--hx-target); stroke-opacity: 0.8; stroke-width: 5.5; stroke-dasharray: 17 8.3; }
.hx-piece { transition: transform 150ms ease-out; }
.hx-piece.hx-still, .hx-still .hx-piece { transition: none; }
.hx-piece.hx-held { filter: drop-shadow(0 3px 3px rgb(0 0 0 / 0.35)); }
.hx-body { stroke-width: 3.6; stroke-linejoin: round; }
.hx-lines, .hx-rays { fill: none; stroke-width: 2.8; stroke-linecap: round; stroke-linejoin: round; }
.hx-rays { stroke-width: 3; }
.hx-white .hx-body { fill: var(--hx-white); stroke: var(--hx-white-line); }
.hx-black .hx-body { fill: var(--hx-black); stroke: var(--hx-black-line); }
.hx-white .hx-lines, .hx-white .hx-rays { stroke: var(--hx-white-line); }
.hx-black .hx-lines, .hx-black .hx-rays { stroke: var(--hx-black-line); }
.hx-disc-rim { fill: var(--hx-black); stroke-width: 3; }
.hx-white .hx-disc-rim { stroke: var(--hx-white-line); } .hx-black .hx-disc-rim { stroke: var(--hx-black-line); }
.hx-white .hx-disc { fill: var(--hx-white); } .hx-black .hx-disc { fill: var(--hx-black); }
.hx-white .hx-dot, .hx-white .hx-letter { fill: var(--hx-white-line); }
.hx-black .hx-dot, .hx-black .hx-letter { fill: var(--hx-black-line); }
.hx-letter { font-size: 26px; font-weight: 700; }
.hx-alone { font-size: 46px; }
.hx-arc { fill: none; stroke-width: 8; }
.hx-arc-0 { stroke: var(--hx-hue-0); } .hx-arc-1 { stroke: var(--hx-hue-1); }
.hx-arc-2 { stroke: var(--hx-hue-2); } .hx-arc-3 { stroke: var(--hx-hue-3); }
.hx-arc-4 { stroke: var(--hx-hue-4); } .hx-arc-5 { stroke: var(--hx-hue-5); }
.hx-arc-6 { stroke: var(--hx-hue-6); } .hx-arc-7 { stroke: var(--hx-hue-7); }
.hx-arrow { stroke: #fff; stroke-opacity: 0.85; stroke-width: 1.6; stroke-linejoin: round; fill: var(--hx-arrow); fill-opacity: 0.86; }
.hx-arrow-line { fill: var(--hx-second); fill-opacity: 0.74; }
.hx-arrow-best { fill: var(--hx-arrow); }
.hx-arrow-threat { fill: var(--hx-threat); } .hx-arrow-own { fill: var(--hx-own); } .hx-arrow-own2 { fill: var(--hx-threat); }
.hx-arrow-played { fill: var(--hx-played); }
.hx-rank-disc { fill: #fff; stroke: var(--hx-second); stroke-width: 2; }
.hx-rank { font-size: 15px; font-weight: 700; fill: #1c2733; dominant-baseline: central; }
.hx-path { fill: none; stroke: var(--hx-path); stroke-opacity: 0.75; stroke-width: 5; stroke-linecap: round; stroke-linejoin: round; }
.hx-path-shut { fill: none; stroke: var(--hx-path); stroke-opacity: 0.5; stroke-width: 3; stroke-dasharray: 1 9; stroke-linecap: round; }
.hx-path-end { fill: var(--hx-path); fill-opacity: 0.85; }
.hx-path-block { fill: none; stroke: var(--hx-block); stroke-width: 6; stroke-linecap: round; }
.hx-path-take { fill: none; stroke: var(--hx-path); stroke-width: 5; stroke-dasharray: 17 8.3; }
.hx-cursor { fill: none; stroke: none; stroke-linejoin: round; }
.hx-board:has(.hx-cell:focus-visible) .hx-cursor { stroke: var(--hx-focus); stroke-width: 6; }
.hx-board:has(.hx-cell:focus-visible) .hx-cursor-halo { stroke: var(--hx-focus-halo); stroke-width: 11; }
.hx-preview .hx-pieces { opacity: 0.82; }
/* As wide as its buttons need wherever it stands, and no wider than the board. */
.hx-choice { position: absolute; z-index: 5; display: flex; flex-wrap: wrap; justify-content: center;
  gap: 4px; padding: 6px; border-radius: 12px;
  inline-size: max-content; max-inline-size: 100%; box-sizing: border-box;
  background: var(--surface, #fff); box-shadow: 0 6px 24px rgb(0 0 0 / 0.35); border: 1px solid rgb(0 0 0 / 0.2); }
.hx-choice button { inline-size: 52px; block-size: 52px; padding: 2px; border: 1px solid transparent; border-radius: 8px; background: #d9b98e; cursor: pointer; color: #1d1712; font: 600 14px system-ui, sans-serif; }
.hx-choice button:hover, .hx-choice button:focus-visible { background: #f3e0bc; outline: 3px solid var(--hx-focus); }
.hx-choice button:not(:has(svg)) { inline-size: auto; padding-inline: 10px; }
.hx-choice svg { inline-size: 100%; block-size: 100%; display: block; }
@media (prefers-reduced-motion: reduce) { .hx-piece { transition: none; } }
`;

/** Gives a document or shadow root the style, once. No style element, so that a strict policy allows it.
 * @param {Node} root */
export function adoptStyle(root) {
  const owner = /** @type {Document | ShadowRoot} */ (root);
  if (!owner.adoptedStyleSheets || owner.adoptedStyleSheets.some((s) => /** @type {any} */ (s).hexmate)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(BOARD_STYLE);
  /** @type {any} */ (sheet).hexmate = true;
  // First, so that the page's own styles win.
  owner.adoptedStyleSheets = [sheet, ...owner.adoptedStyleSheets];
}
