// @ts-check
// What pointer and keyboard do to the board: click, drag, touch, drawing, and walking over the hexagons.
//
// Walking: up and down or left and right where cells have neighbours there, else the neighbour that keeps the level;
// the slanting neighbours are Q E A D (by place on the keyboard), Home, Page Up, End and Page Down, or 7 9 1 3 of the
// number pad. Enter and the space bar select a piece and put it down.

const BOARD_CODES = /** @type {Record<string, string>} */ ({
  KeyQ: "nw", KeyE: "ne", KeyA: "sw", KeyD: "se", Home: "nw", PageUp: "ne", End: "sw", PageDown: "se",
  Numpad7: "nw", Numpad9: "ne", Numpad1: "sw", Numpad3: "se", Numpad8: "n", Numpad2: "s", Numpad4: "w", Numpad6: "e",
  KeyW: "n", KeyS: "s", ArrowUp: "n", ArrowDown: "s", ArrowLeft: "w", ArrowRight: "e",
});
/** Where there is no straight neighbour, the two slanting ones on this side. */
const BOARD_SLANTS = /** @type {Record<string, string[]>} */ ({ n: ["ne", "nw"], s: ["se", "sw"], w: ["nw", "sw"], e: ["ne", "se"] });

export class BoardInput {
  /** @type {number | null} The level that walking keeps. */ #level = null;
  /** @type {{cell: string, x: number, y: number, was: boolean, drag: boolean, pointer: number, draw: boolean, second: boolean, goal: boolean} | null} */
  #press = null;
  #end = new AbortController();

  /** @param {import("./hexmate-board.js").HexmateBoard} board @param {SVGSVGElement} svg
   * @param {import("./board-shapes.js").Geometry} geometry @param {string | null} focus The cell that Tab leads to. */
  constructor(board, svg, geometry, focus) {
    this.board = board;
    this.svg = svg;
    this.geometry = geometry;
    this.cells = new Map(geometry.cells.map((cell) => [cell.name, cell]));
    const [width, height] = geometry.box;
    const middle = [...geometry.cells].sort((a, b) => Math.hypot(a.x - width / 2, a.y - height / 2) - Math.hypot(b.x - width / 2, b.y - height / 2))[0];
    this.focusCell = focus && this.cells.has(focus) ? focus : middle.name;
    board.cellElement(this.focusCell)?.setAttribute("tabindex", "0");
    board.placeCursor(this.focusCell);
    const options = { signal: this.#end.signal };
    svg.addEventListener("pointerdown", (e) => this.#down(e), options);
    svg.addEventListener("pointermove", (e) => this.#moved(e), options);
    svg.addEventListener("pointerup", (e) => this.#up(e), options);
    svg.addEventListener("pointercancel", () => this.#drop(), options);
    svg.addEventListener("contextmenu", (e) => e.preventDefault(), options);
    svg.addEventListener("pointerleave", () => board.emit("hover", { cell: null }), options);
    svg.addEventListener("keydown", (e) => this.#key(e), options);
    svg.addEventListener("focusin", (e) => this.#focused(/** @type {Element} */ (e.target)), options);
    svg.addEventListener("focusout", () => board.emit("hover", { cell: null }), options);
    // A click must not take the focus: the keys of the page go on working.
    svg.addEventListener("mousedown", (e) => e.preventDefault(), options);
  }

  end() {
    this.#end.abort();
  }

  // ---- pointer

  /** @param {PointerEvent} event */
  #cellAt(event) {
    const target = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]");
    return target && this.svg.contains(target) ? target.getAttribute("data-cell") : null;
  }

  /** The pointer on the drawing. @param {PointerEvent} event @returns {[number, number]} */
  #point(event) {
    const matrix = this.svg.getScreenCTM()?.inverse();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return [point.x, point.y];
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const cell = this.#cellAt(event);
    const { board } = this;
    // Two fingers are for zooming.
    if (this.#press) this.#press.goal = false;
    if (!cell || this.#press) return;
    // A walker's focus would hide that the pointer took over.
    if (this.svg.contains(document.activeElement)) /** @type {any} */ (document.activeElement).blur();
    this.#setFocusCell(cell);
    // A finger does not hover: what it touches is what it points at.
    if (event.pointerType === "touch") this.#hover(cell);
    const draw = event.button === 2 || (event.button === 0 && board.state.drawing);
    const second = event.shiftKey || event.ctrlKey || event.altKey;
    if (event.button !== 0 && !draw) return;
    this.#press = { cell, x: event.clientX, y: event.clientY, was: board.selected === cell, drag: false, pointer: event.pointerId, draw, second, goal: false };
    this.svg.setPointerCapture?.(event.pointerId);
    if (draw || board.state.editing) return;
    if (board.selected && board.selected !== cell) {
      // A finger plays when it is lifted: a second one may follow.
      this.#press.goal = event.pointerType === "touch" && board.movesFrom(board.selected).some((m) => m.to === cell);
      if (this.#press.goal) return;
      if (board.play(board.selected, cell)) {
        this.#press = null;
        return;
      }
    }
    board.select(board.state.pieces[cell] ? cell : null);
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    const { board } = this;
    const press = this.#press;
    if (!press) {
      if (event.pointerType !== "touch") this.#hover(this.#cellAt(event));
      return;
    }
    if (press.pointer !== event.pointerId || press.draw) return;
    const may = board.state.editing ? board.state.pieces[press.cell] : board.movesFrom(press.cell).length;
    if (!press.drag && (!may || Math.hypot(event.clientX - press.x, event.clientY - press.y) < 6)) return;
    press.drag = true;
    board.hold(press.cell, this.#point(event));
    const over = this.#cellAt(event);
    const goal = over && (board.state.editing || board.movesFrom(press.cell).some((m) => m.to === over));
    board.over(goal ? over : null);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const press = this.#press;
    if (!press || press.pointer !== event.pointerId) return;
    const { board } = this;
    const cell = this.#cellAt(event);
    this.#drop();
    if (press.draw) {
      if (cell) board.toggleDrawn(press.cell, cell, press.second);
    } else if (board.state.editing) {
      if (press.drag) board.emit("edit", { cell, from: press.cell });
      else board.emit("edit", { cell: press.cell, from: null });
    } else if (press.drag) {
      if (cell && cell !== press.cell) board.play(press.cell, cell, true);
    } else if (press.goal) {
      if (board.selected && cell === press.cell) board.play(board.selected, cell);
    } else if (press.was && cell === press.cell) board.select(null);
  }

  #drop() {
    if (this.#press?.drag) this.board.hold(this.#press.cell, null);
    this.#press = null;
    this.board.over(null);
  }

  /** @type {string | null} */ #hovered = null;

  /** @param {string | null} cell */
  #hover(cell) {
    if (cell === this.#hovered) return;
    this.#hovered = cell;
    this.board.emit("hover", { cell });
  }

  // ---- keyboard

  /** @param {string} cell */
  #setFocusCell(cell) {
    this.#level = null;
    this.board.cellElement(this.focusCell)?.setAttribute("tabindex", "-1");
    this.focusCell = cell;
    this.board.cellElement(cell)?.setAttribute("tabindex", "0");
    this.board.placeCursor(cell);
  }

  /** @param {Element} target */
  #focused(target) {
    const cell = target.getAttribute("data-cell");
    if (!cell) return;
    if (cell !== this.focusCell) this.#setFocusCell(cell);
    this.board.emit("hover", { cell });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { board } = this;
    const direction = BOARD_CODES[event.code];
    if (direction) this.#walk(direction);
    else if (event.key === "Enter" || event.key === " ") this.#enter();
    else if (event.key === "Escape" && board.selected) board.select(null);
    else if ((event.key === "Delete" || event.key === "Backspace") && board.state.editing) board.emit("edit", { cell: null, from: this.focusCell });
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Enter or space on the cell that has the focus. */
  #enter() {
    const { board, focusCell } = this;
    if (board.state.editing) board.emit("edit", { cell: focusCell, from: null });
    else if (board.selected === focusCell) board.select(null);
    else if (!board.selected || !board.play(board.selected, focusCell)) board.select(board.state.pieces[focusCell] ? focusCell : null);
  }

  /** @param {string} direction */
  #walk(direction) {
    const cell = this.cells.get(this.focusCell);
    if (!cell) return;
    const names = this.geometry.directions;
    const to = (/** @type {string} */ name) => {
      const index = names.indexOf(name);
      return index < 0 ? null : cell.neighbours[this.board.state.flipped ? (index + 3) % 6 : index];
    };
    let next = to(direction);
    const across = this.geometry.upright ? 1 : 0;
    const level = this.#level ?? this.board.centre(cell.name)?.[across] ?? 0;
    if (!names.includes(direction)) {
      // The one of both that is nearer to the level on which the walk began.
      const away = (/** @type {string} */ name) => Math.abs((this.board.centre(name)?.[across] ?? 0) - level);
      const both = (BOARD_SLANTS[direction] ?? []).map(to).filter((name) => name !== null);
      next = both.sort((a, b) => away(a) - away(b))[0] ?? null;
    }
    if (!next) return;
    this.#setFocusCell(next);
    this.#level = names.includes(direction) ? null : level;
    this.board.cellElement(next)?.focus();
  }
}
