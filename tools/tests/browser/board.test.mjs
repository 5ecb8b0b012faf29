// The board itself: every game, moves by click, drag and keyboard, games to mate, arrows, a file's own game.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { choose, paste, pieceOn, play, startBrowser } from "./driver.mjs";

let browser;
before(async () => (browser = await startBrowser()));
after(async () => browser?.close());

const CELLS = { glinski: 91, hexachess: 91, mccooey: 91, chromatic3: 127, chromatic4: 169, shafran: 70, devasa: 81, brusky: 84, minihexchess: 37 };

test("every game shows its board, its pieces and its name", async () => {
  const page = await browser.page();
  const offered = await page.$$eval("#game option", (all) => all.map((o) => o.value));
  assert.deepEqual([...offered].sort(), Object.keys(CELLS).sort());
  for (const [game, cells] of Object.entries(CELLS)) {
    await choose(page, game);
    await page.waitForSelector("[data-piece]");
    assert.equal(await page.locator("[data-cell]").count(), cells, game);
    const pieces = await page.locator("[data-piece]").count();
    assert.equal(await page.locator(".hx-pieces > *").count(), pieces, game);
    assert.ok(pieces >= 18, `${game} has ${pieces} pieces`);
    const kings = await page.$$eval("[data-piece]", (all) => all.filter((c) => c.dataset.piece.toUpperCase() === "K").length);
    assert.equal(kings, 2, game);
    assert.match(await page.textContent("#status"), /White to move/);
    // A move is possible in every one.
    const cell = await page.$eval(".hx-movable", (c) => c.dataset.cell);
    await page.click(`[data-cell="${cell}"]`);
    await page.click(".hx-target");
    await page.waitForSelector('.move[aria-current="true"]');
  }
  assert.deepEqual(browser.faults, []);
});

const MATES = {
  glinski: "e1b4 g10h8 f3h2 h8i6 b4k4",
  mccooey: "g2k1 i8i6 k1i4 f8f7 i4h7",
  shafran: "h4d8 b7d8 f3f5 d8g5",
  minihexchess: "c2c3 d5d4 c1e3",
};

for (const [game, moves] of Object.entries(MATES)) {
  test(`a game of ${game} is played to mate`, async () => {
    const page = await browser.page();
    await choose(page, game);
    const all = moves.split(" ");
    for (const move of all) await play(page, move);
    assert.match(await page.textContent("#status"), /checkmate|mated|wins/i);
    assert.equal(await page.locator(".hx-movable").count(), 0);
    assert.equal(await page.locator(".hx-mark-check").count(), 1);
    assert.equal(await page.locator("#moves button.move").count(), all.length);
    assert.deepEqual(browser.faults, []);
  });
}

test("a piece can be dragged, and goes back if it may not stand there", async () => {
  const page = await browser.page();
  const middle = async (cell) => {
    const box = await page.locator(`[data-cell="${cell}"] .hx-hex`).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const drag = async (from, to) => {
    await page.mouse.move(...(await middle(from)));
    await page.mouse.down();
    await page.mouse.move(...(await middle("f6")), { steps: 4 });
    await page.mouse.move(...(await middle(to)), { steps: 4 });
    await page.mouse.up();
  };
  await drag("e4", "a1");
  assert.equal(await pieceOn(page, "e4"), "P");
  await drag("e4", "e6");
  await page.waitForSelector('.move[data-move="e4e6"]');
  assert.equal(await pieceOn(page, "e6"), "P");
  assert.equal(await pieceOn(page, "e4"), null);
});

test("a finger plays, too", async () => {
  const page = await browser.page({ width: 375, height: 800, touch: true });
  await page.tap('[data-cell="e4"]');
  await page.tap('[data-cell="e6"]');
  await page.waitForSelector('.move[data-move="e4e6"]');
  assert.equal(await pieceOn(page, "e6"), "P");
});

/** Moves fingers over the screen, each from one point to another. */
async function fingers(page, ...ways) {
  const touch = await page.context().newCDPSession(page);
  const at = (part) => ways.map(([from, to], id) => ({ id, x: from[0] + (to[0] - from[0]) * part, y: from[1] + (to[1] - from[1]) * part }));
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
  for (let n = 1; n <= 10; n += 1) {
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(n / 10) });
    await page.waitForTimeout(20);
  }
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await page.waitForTimeout(300);
}

/** The middle of a cell on the screen. */
async function middleOf(page, cell) {
  const box = await page.locator(`[data-cell="${cell}"] .hx-hex`).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

test("on a phone held sideways a finger beside the board scrolls, one on it drags, and two zoom", async () => {
  const page = await browser.page({ width: 667, height: 375, touch: true });
  const scrolled = () => page.evaluate(() => Math.round(scrollY));
  await fingers(page, [[60, 320], [60, 170]]);
  assert.ok((await scrolled()) > 60, `it has scrolled by ${await scrolled()}`);
  await page.evaluate(() => scrollTo(0, 0));
  await page.locator('[data-cell="f6"]').scrollIntoViewIfNeeded();
  await fingers(page, [await middleOf(page, "e4"), await middleOf(page, "e6")]);
  await page.waitForSelector('.move[data-move="e4e6"]');
  const [x, y] = await middleOf(page, "f6");
  await fingers(page, [[x - 20, y], [x - 100, y]], [[x + 20, y], [x + 100, y]]);
  assert.ok((await page.evaluate(() => visualViewport.scale)) > 1.5);
  assert.equal(await page.locator("#moves button.move").count(), 1);
});

test("two fingers zoom also where one of them begins on a goal of the piece that was taken up", async () => {
  const page = await browser.page({ width: 375, height: 800, touch: true });
  await page.tap('[data-cell="e4"]');
  const [x, y] = await middleOf(page, "e6");
  const touch = await page.context().newCDPSession(page);
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ id: 0, x, y }] });
  await fingers(page, [[x, y], [x, y - 80]], [[x + 60, y], [x + 140, y + 80]]);
  assert.equal(await page.locator("#moves button.move").count(), 0);
  assert.ok((await page.evaluate(() => visualViewport.scale)) > 1.2);
});

test("a finger draws arrows on a finished game, too", async () => {
  const page = await browser.page({ width: 375, height: 800, touch: true });
  for (const move of MATES.glinski.split(" ")) await play(page, move);
  await page.click("#draw");
  await page.evaluate(() => scrollTo(0, 0));
  await fingers(page, [await middleOf(page, "f2"), await middleOf(page, "f6")]);
  assert.equal(await page.locator('[data-arrow="f2f6"]').count(), 1);
});

test("a whole game without a mouse", async () => {
  const page = await browser.page();
  await page.focus('[data-cell][tabindex="0"]');
  const focused = () => page.evaluate(() => document.activeElement.dataset.cell);
  assert.equal(await focused(), "f6");
  // Up and down a file, level to the right, slanting by the letters' places.
  await page.keyboard.press("ArrowUp");
  assert.equal(await focused(), "f7");
  await page.keyboard.press("ArrowDown");
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft"]) await page.keyboard.press(key);
  assert.equal(await focused(), "f6");
  for (const [key, cell] of [["q", "e6"], ["d", "f6"], ["e", "g6"], ["a", "f6"]]) {
    await page.keyboard.press(key);
    assert.equal(await focused(), cell, key);
  }
  const walk = async (cell) => {
    // To the file first, then along it.
    for (let n = 0; n < 30 && (await focused())[0] !== cell[0]; n += 1) {
      const here = await focused();
      const right = here[0] < cell[0];
      await page.keyboard.press(right ? "d" : "a");
      // At the edge only the other one of both leads on.
      if ((await focused()) === here) await page.keyboard.press(right ? "e" : "q");
    }
    for (let n = 0; n < 30 && (await focused()) !== cell; n += 1) {
      const [here, there] = [await focused(), cell].map((c) => Number(c.slice(1)));
      await page.keyboard.press(here < there ? "ArrowUp" : "ArrowDown");
    }
    assert.equal(await focused(), cell);
  };
  for (const move of MATES.glinski.split(" ")) {
    const [, from, to] = /^([a-z]\d+)([a-z]\d+)$/.exec(move);
    await walk(from);
    await page.keyboard.press("Enter");
    await walk(to);
    await page.waitForFunction(() => /can be (reached|captured)/.test(document.activeElement.getAttribute("aria-label")));
    await page.keyboard.press("Enter");
    await page.waitForSelector(`.move[data-move="${move}"]`);
    assert.equal(await focused(), to);
  }
  // The server tells that the game is over after the move stands in the list.
  await page.waitForFunction(() => /checkmate|mated|wins/i.test(document.querySelector("#status").textContent));
  await page.waitForFunction(() => /k4|mate/i.test(document.querySelector("#say").textContent));
});

test("arrows and marks of one's own, and flipping", async () => {
  const page = await browser.page();
  await page.click('[data-cell="c4"]', { button: "right" });
  assert.equal(await page.locator(".hx-mark-own").count(), 1);
  await page.click("#draw");
  const [a, b] = await Promise.all(["c4", "f6"].map((c) => page.locator(`[data-cell="${c}"] .hx-hex`).boundingBox()));
  await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
  await page.mouse.down();
  await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 5 });
  await page.mouse.up();
  assert.equal(await page.locator('[data-arrow="c4f6"]').count(), 1);
  const top = async (cell) => (await page.locator(`[data-cell="${cell}"]`).boundingBox()).y;
  assert.ok((await top("f11")) < (await top("f1")));
  await page.keyboard.press("f");
  assert.ok((await top("f11")) > (await top("f1")));
});

test("redrawing after a move on the largest board makes no element anew", async () => {
  const page = await browser.page();
  await choose(page, "chromatic4");
  // Without a limit of time that a busy machine could miss: what counts is that no cell is made anew.
  const [kept, fresh] = await page.evaluate(() => {
    const board = document.querySelector("hexmate-board");
    const cells = [...board.querySelectorAll("[data-cell]")];
    const pieces = [...board.querySelectorAll(".hx-piece")];
    const [from] = Object.keys(board.state.pieces);
    const to = board.geometry.cells.find((c) => !board.state.pieces[c.name]).name;
    const { [from]: letter, ...rest } = board.state.pieces;
    board.show({ pieces: { ...rest, [to]: letter }, last: [from, to] });
    const same = (before, selector) => [...board.querySelectorAll(selector)].every((node) => before.includes(node));
    return [same(cells, "[data-cell]"), same(pieces, ".hx-piece")];
  });
  assert.ok(kept && fresh);
});

test("a game from a file is offered first, with its board", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hexmate-board-"));
  const file = join(folder, "tiny.toml");
  const mini = readFileSync(new URL("../../../movegen/games/minihexchess.toml", import.meta.url), "utf8");
  writeFileSync(file, mini.replace('name = "minihexchess"', 'name = "tiny"').replace('title = "Mini hexchess"', 'title = "Tiny <b>test</b> chess"').replace(/\[proof\][\s\S]*$/, ""));
  const own = await startBrowser("--game", file);
  try {
    const page = await own.page();
    assert.equal(await page.inputValue("#game"), "tiny");
    assert.match(await page.textContent("#game"), /Tiny <b>test<\/b> chess/);
    assert.equal(await page.locator("[data-cell]").count(), 37);
    assert.deepEqual(own.faults, []);
  } finally {
    await own.close();
  }
});

test("the kinds to which a pawn promotes are offered, the best first", async () => {
  const page = await browser.page();
  await paste(page, "b/3/3P1/4k2/9/11/11/11/11/11/5K5 w - - 0 1");
  await page.waitForFunction(() => document.querySelectorAll("[data-piece]").length === 4);
  await page.click('[data-cell="g9"]');
  await page.click('[data-cell="g10"]');
  const offered = await page.$$eval("[data-promotion]", (all) => all.map((b) => b.dataset.promotion).join(""));
  assert.equal(offered, await page.evaluate(() => document.querySelector("hexmate-board").geometry.promotions.join("")));
  assert.equal(offered.length, 4);
  await page.keyboard.press("Escape");
  assert.equal(await pieceOn(page, "g9"), "P");
  await play(page, "g9g10r");
  assert.equal(await pieceOn(page, "g10"), "R");
});

test("all kinds of a promotion are on the screen of a phone", async () => {
  const page = await browser.page({ width: 390, height: 800, touch: true });
  await choose(page, "chromatic4");
  await paste(page, "7k/P8/10/11/12/13/14/15/14/13/12/11/10/9/3K4 w - - 0 1");
  await page.waitForFunction(() => document.querySelectorAll("[data-piece]").length === 3);
  const pawn = await page.$eval('[data-piece="P"]', (c) => c.dataset.cell);
  await page.tap(`[data-cell="${pawn}"]`);
  await page.locator(".hx-cell.hx-target").first().tap();
  const [boxes, board] = await page.evaluate(() => {
    const box = (node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      return { left, right, top, bottom };
    };
    return [[...document.querySelectorAll("[data-promotion]")].map(box), box(document.querySelector("hexmate-board"))];
  });
  assert.ok(boxes.length >= 9, `${boxes.length} kinds`);
  for (const box of boxes) {
    assert.ok(box.left >= 0 && box.right <= 390, JSON.stringify(box));
    assert.ok(box.top >= board.top && box.bottom <= board.bottom, JSON.stringify([box, board]));
  }
});

test("eight colours of cells look different in every theme", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hexmate-board-"));
  const file = join(folder, "eight.toml");
  writeFileSync(file, `format = 1
name = "eight"
title = "Eight colours"
[board]
hexagon = 5
other_side = "half turn"
colours = { count = 8, factor = 0 }
[pieces]
K = { name = "king", leaps = ["edges"] }
R = { name = "rook", slides = ["edges"] }
B = { name = "bound", slides = ["e2", "-e2"], on = [1, 5] }
[pawn]
steps = ["e2"]
captures = ["e1", "e3"]
[start]
white = "Ke1 a2 Ba1"
`);
  const own = await startBrowser("--game", file);
  try {
    for (const theme of ["light", "dark", "contrast"]) {
      const page = await own.page({ theme });
      const fills = await page.$$eval(".hx-hex", (all) => [...new Set(all.map((hex) => getComputedStyle(hex).fill))]);
      assert.equal(fills.length, 8, `${theme}: ${fills}`);
      const arcs = await page.$$eval(".hx-white .hx-arc", (all) => [...new Set(all.map((a) => getComputedStyle(a).stroke))]);
      assert.equal(arcs.length, 2, `${theme}: ${arcs}`);
    }
  } finally {
    await own.close();
  }
});

test("the element works alone, joined to one plain script, with nothing else", async () => {
  const page = await browser.page();
  const [geometry, pieces] = await page.evaluate(() => {
    const board = document.querySelector("hexmate-board");
    return [board.geometry, board.state.pieces];
  });
  const files = ["board-style.js", "board-shapes.js", "board-input.js", "hexmate-board.js"];
  const joined = files.map((name) => readFileSync(new URL(`../../board/${name}`, import.meta.url), "utf8").replace(/^import .*$/gm, "").replace(/^export /gm, "")).join("\n");
  await page.goto("about:blank");
  await page.setContent("<!doctype html><hexmate-board></hexmate-board>");
  await page.addScriptTag({ content: joined });
  const seen = await page.evaluate(([given, on]) => {
    const board = document.querySelector("hexmate-board");
    board.geometry = given;
    board.show({ pieces: on, last: ["f5", "f6"], arrows: [{ from: "e1", to: "a5", kind: "best", rank: 1 }] });
    return [board.querySelectorAll("[data-cell]").length, board.querySelectorAll(".hx-piece").length, board.querySelectorAll(".hx-arrow").length, getComputedStyle(board.querySelector(".hx-tone-0")).fill];
  }, [geometry, pieces]);
  assert.deepEqual(seen, [91, 36, 1, "rgb(217, 169, 110)"]);
});
