// Pages that are files: the viewer of games in them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { program, startBrowser, violations } from "./driver.mjs";

let browser;
before(async () => (browser = await startBrowser()));
after(async () => browser?.close());

test("the move that a review shows is in sight in the list, and the page stays where it is", async () => {
  const input = `${JSON.stringify({ moves: Array(50).fill("e1c3 e10c6 c3e1 c6e10").join(" ") })}\n`;
  const page = await review(input, { width: 1280, height: 900 });
  await page.waitForSelector(".viewer .mv.here");
  const seen = () => page.evaluate(() => {
    const list = document.querySelector(".viewer .moves").getBoundingClientRect();
    const move = document.querySelector(".viewer .mv.here");
    const box = move.getBoundingClientRect();
    return { ply: Number(move.dataset.ply), inside: box.top >= list.top && box.bottom <= list.bottom, page: scrollY };
  });
  assert.deepEqual(await seen(), { ply: 200, inside: true, page: 0 });
  await page.click('[data-step="first"]');
  await page.click('[data-step="on"]');
  const first = await seen();
  assert.deepEqual([first.ply, first.inside], [1, true]);
});

/** The page of a review of these games, opened. */
async function review(input, viewport, ...words) {
  const folder = mkdtempSync(join(tmpdir(), "hexmate-"));
  try {
    const file = join(folder, "review.html");
    execFileSync(program, ["review", "--nodes", "20", "--hash", "1", "--quiet", "--html", file, ...words], { input });
    const page = await browser.page(viewport);
    await page.goto(pathToFileURL(file).href);
    return page;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A game with bad moves. */
const BAD = `${JSON.stringify({ moves: "e1b4 g10h8 f3h2 h8i6 b4k4", white: "Ann", black: "Bob" })}\n`;

/** The report of a short match between engines of these names, opened. */
async function report(names, viewport) {
  const folder = mkdtempSync(join(tmpdir(), "hexmate-"));
  try {
    const file = join(folder, "report.html");
    const engines = names.flatMap((name) => ["-engine", "cmd=internal", `name=${name}`, "nodes=2"]);
    const words = ["-variant", "minihexchess", "-event", "Cup", "-rounds", "1", "-maxmoves", "1", "-report", `file=${file}`];
    execFileSync(program, ["match", ...engines, ...words]);
    const page = await browser.page(viewport);
    await page.goto(pathToFileURL(file).href);
    return page;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The right edge of the last of these elements. */
const rightOf = (page, what) => page.$$eval(what, (all) => all.at(-1).getBoundingClientRect().right);

test("long names of engines leave their points in sight on a phone", async () => {
  const page = await report(["a", "b"].map((end) => "engine_".repeat(11) + end), { width: 375, height: 800 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 375);
  assert.ok(await rightOf(page, "h2 + .scroll td.name + td") <= 375);
});

test("paper has the whole of wide tables, and bars", async () => {
  const page = await report(Array.from({ length: 12 }, (_, i) => `Engine-dev-2026-${i}`), { width: 700, height: 1000 });
  await page.emulateMedia({ media: "print" });
  assert.ok(await rightOf(page, "table:has(th:nth-child(14)) td") <= 700);
  assert.equal(await page.$eval(".bar-row i", (bar) => getComputedStyle(bar).printColorAdjust), "exact");
});

test("on paper only names and texts are broken into lines, and there is no empty list of games", async () => {
  const page = await report(["a", "b"], { width: 700, height: 1000 });
  await page.emulateMedia({ media: "print" });
  const wraps = await page.$$eval("td", (all) => all.filter((td) => !td.matches(".name, .wide") && getComputedStyle(td).whiteSpace !== "nowrap").length);
  assert.equal(wraps, 0);
  const games = () => page.$$eval("h2", (all) => getComputedStyle(all.find((h2) => h2.textContent === "Games")).display);
  assert.equal(await games(), "none");
  await page.$eval("details.game", (game) => (game.open = true));
  assert.equal(await games(), "block");
});

test("games fit the narrowest phone, whatever their players are called", async () => {
  const long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
  for (const width of [320, 360]) {
    const size = { width, height: 800 };
    const pages = [
      await report(["a", "b"], size),
      await review(BAD.replace("Ann", long), size),
    ];
    for (const page of pages) {
      await page.$$eval("details.game", (all) => all.forEach((game) => (game.open = true)));
      await page.$eval(".viewer", (viewer) => viewer.scrollIntoView());
      await page.waitForSelector(".viewer svg.hx-board");
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    }
  }
});

test("a board is called after the game and the move that it shows", async () => {
  const page = await review(BAD, { width: 1280, height: 900 });
  const label = () => page.getAttribute(".viewer hexmate-board svg", "aria-label");
  await page.waitForSelector(".viewer svg.hx-board");
  assert.match(await label(), /^Ann – Bob after 3\. Qk4/);
  await page.click('[data-step="first"]');
  assert.equal(await label(), "Ann – Bob at the start");
  await page.click('[data-step="on"]');
  assert.match(await label(), /^Ann – Bob after 1\. Qb4/);
});

test("a link to a game opens it each time, and an odd address harms nothing", async () => {
  const page = await report(["a", "b"], { width: 1280, height: 900 });
  for (const time of [1, 2]) {
    await page.$eval("#game-1", (game) => (game.open = false));
    await page.click('a[href="#game-1"]');
    assert.equal(await page.$eval("#game-1", (game) => game.open), true, `time ${time}`);
  }
  await page.evaluate(() => (location.hash = "#%E0%A4%A"));
  await page.waitForTimeout(50);
  assert.deepEqual(browser.faults, []);
});

test("arrows and the last move look alike with and without scripts", async () => {
  const page = await review(BAD, { width: 700, height: 300 });
  const last = page.locator("hexmate-board.still").last();
  /** The breadths of shaft and head of the first arrow, and how the cells of the last move are filled. */
  const look = () => last.evaluate((board) => {
    const words = board.querySelector("polygon.arrow, polygon.hx-arrow").getAttribute("points").split(" ");
    const points = words.map((words) => words.split(",").map(Number));
    // Coordinates are rounded: 13.5 may be a little more or less.
    const between = (a, b) => Math.round(0.2 + Math.hypot(points[a][0] - points[b][0], points[a][1] - points[b][1]));
    const cells = [...board.querySelectorAll(".last use, .hx-mark-last, .hx-mark-from")].map((cell) => getComputedStyle(cell));
    const fills = cells.map((style) => [style.fill, style.fillOpacity, style.strokeDasharray].join(" ")).sort();
    return { shaft: between(1, 5), head: between(2, 4), neck: between(1, 2), fills };
  });
  const picture = await look();
  assert.equal(await last.locator("svg.board").count(), 1);
  await last.scrollIntoViewIfNeeded();
  await last.locator("svg.hx-board").waitFor();
  assert.deepEqual(await look(), picture);
  assert.equal(picture.fills.length, 2);
});

test("a high board is seen as a whole", async () => {
  const game = join(mkdtempSync(join(tmpdir(), "hexmate-")), "tall.toml");
  const rows = Array(32).fill('"a-d"').join(", ");
  writeFileSync(game, `format = 1
name = "tall"
title = "Tall"
[board]
rows = [${rows}]
upright = "files"
other_side = "half turn"
[pieces]
K = { name = "king", leaps = ["all"] }
R = { name = "rook", slides = ["edges"] }
[pawn]
steps = ["e2"]
captures = ["e1", "e3"]
[start]
white = "Kb1 Ra1 a2 b2 c2 d2"
`);
  try {
    const page = await review('{"moves":"a2a3 "}\n', { width: 1280, height: 900 }, "--game", game);
    for (const board of ["svg.hx-board", "hexmate-board"]) {
      const box = await page.locator(`.viewer ${board}`).first().boundingBox();
      assert.ok(box.height < 900, `${board}: ${box.height}`);
    }
  } finally {
    rmSync(dirname(game), { recursive: true });
  }
});

test("axe finds nothing on reviews and reports", async () => {
  const size = { width: 1280, height: 900 };
  for (const page of [await review(BAD, size), await review(BAD + BAD, { width: 375, height: 800 }), await report(["a", "b"], size)]) {
    await page.$$eval("details.game", (all) => all.forEach((game) => (game.open = true)));
    await page.waitForTimeout(100);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(await violations(page, ["heading-order"]), []);
  }
});
