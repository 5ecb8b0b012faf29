// The analysis while it goes on: numbers between depths, lines that are played out, endgame tables.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { choose, paste, program, startBrowser } from "./driver.mjs";

const tables = mkdtempSync(join(tmpdir(), "hexmate-tables-"));
let browser;
before(async () => {
  execFileSync(program, ["tb", "build", "minihexchess", "KRK", "--tb", tables], { stdio: "ignore" });
  browser = await startBrowser("--tb", tables);
});
after(async () => browser?.close());

const pieces = (page) => page.$$eval("[data-piece]", (all) => all.map((c) => c.dataset.cell + c.dataset.piece).join());

test("positions and time are counted while a depth is being searched", async () => {
  const page = await browser.page({ settings: { multipv: 5 } });
  await choose(page, "chromatic4");
  await page.evaluate(() => {
    globalThis.counts = {};
    new MutationObserver(() => {
      const text = document.getElementById("facts").textContent;
      const [, depth] = /depth (\d+)/.exec(text) ?? [];
      const nodes = document.querySelector(".fact-nodes")?.textContent;
      if (depth && nodes) (globalThis.counts[depth] ??= new Set()).add(nodes);
    }).observe(document.getElementById("facts"), { childList: true, subtree: true, characterData: true });
  });
  await page.keyboard.press("l");
  // Between two reports of the engine there are several counts.
  await page.waitForFunction(() => Object.values(globalThis.counts).some((seen) => seen.size >= 5), null, { timeout: 60000 });
  assert.deepEqual(browser.faults, []);
});

test("a line is played out move by move, and where it was passed it is shown at once", async () => {
  const page = await browser.page({ motion: true, settings: { limit: "depth:6", multipv: 1 } });
  await page.keyboard.press("l");
  await page.waitForSelector("#deeper:not([hidden])");
  const begin = await pieces(page);
  await page.evaluate(() => {
    globalThis.steps = [];
    const board = document.querySelector("hexmate-board");
    const { show } = board;
    board.show = function (change) {
      if (change.preview) globalThis.steps.push(change.last.join(""));
      return show.call(this, change);
    };
  });
  const line = await page.$$eval(".line .pv-move", (all) => all.length);
  assert.ok(line >= 4);
  await page.hover(".line .pv-pair:nth-child(3) .pv-move");
  await page.waitForSelector(".line .pv-pair:nth-child(3) .pv-move.looked");
  const steps = await page.evaluate(() => [...new Set(globalThis.steps)]);
  assert.equal(steps.length, 3, `each of three moves is shown: ${steps}`);
  const third = await pieces(page);
  // On from there, without beginning again.
  await page.evaluate(() => (globalThis.steps.length = 0));
  await page.hover(".line .pv-pair:nth-child(4) .pv-move");
  await page.waitForSelector(".line .pv-pair:nth-child(4) .pv-move.looked");
  assert.equal(await page.evaluate(() => new Set(globalThis.steps).size), 1);
  // And back.
  await page.hover(".line .pv-pair:nth-child(3) .pv-move");
  await page.waitForSelector(".line .pv-pair:nth-child(3) .pv-move.looked");
  assert.equal(await pieces(page), third);
  await page.hover("#status");
  await page.waitForSelector(".hx-board:not(.hx-preview)");
  assert.equal(await pieces(page), begin);
  assert.equal(await page.locator(".pv-move.looked").count(), 0);
  // The score stands for the whole line; a click on a move takes over what leads there.
  await page.hover(".line .line-score");
  await page.waitForSelector(".hx-board.hx-preview");
  await page.click(".line .pv-pair:nth-child(3) .pv-move");
  await page.waitForFunction(() => document.querySelectorAll("#moves button.move").length === 3);
  await page.waitForSelector(".hx-board:not(.hx-preview)");
  assert.equal(await pieces(page), third);
  // New lines that come to lie under the pointer do not play themselves out.
  await page.waitForSelector("#deeper:not([hidden])");
  await page.waitForTimeout(1200);
  assert.equal(await page.locator(".hx-board.hx-preview").count(), 0);
  assert.equal(await pieces(page), third);
  await page.hover(".line .pv-pair:nth-child(2) .pv-move");
  await page.waitForSelector(".hx-board.hx-preview");
  assert.deepEqual(browser.faults, []);
});

test("who wants no motion sees the end of a line at once", async () => {
  const page = await browser.page({ settings: { limit: "depth:5", multipv: 1 } });
  await page.keyboard.press("l");
  await page.waitForSelector("#deeper:not([hidden])");
  await page.evaluate(() => {
    globalThis.steps = new Set();
    const board = document.querySelector("hexmate-board");
    const { show } = board;
    board.show = function (change) {
      if (change.preview) globalThis.steps.add(change.last.join(""));
      return show.call(this, change);
    };
  });
  await page.hover(".line .pv-pair:nth-child(3) .pv-move");
  await page.waitForSelector(".line .pv-pair:nth-child(3) .pv-move.looked");
  assert.equal(await page.evaluate(() => globalThis.steps.size), 1);
});

test("endgame tables tell the verdict of the position and of every move", async () => {
  const page = await browser.page();
  await choose(page, "minihexchess");
  // Their absence is told as well.
  await page.waitForSelector(".tables:has-text('up to 3 pieces')");
  await paste(page, "k/3/5/7/7/7/KR5 w - - 0 1");
  await page.waitForSelector(".table-moves li");
  const legal = await page.evaluate(async () => {
    const { session } = await import("/app/session.js");
    return session.position.legal.map((m) => m.san).sort();
  });
  const rows = await page.$$eval(".table-move", (all) => all.map((row) => [row.querySelector("b").textContent, row.querySelector(".verdict").textContent]));
  assert.deepEqual(rows.map(([san]) => san).sort(), legal);
  assert.match(await page.textContent(".tables h3 .verdict"), /^win in \d+ plies$/);
  for (const [san, words] of rows) assert.match(words, /^(win|draw|loss|stalemated|gives stalemate)/, san);
  // The best first, by plies.
  const plies = rows.filter(([, words]) => words.startsWith("win")).map(([, words]) => Number(/\d+/.exec(words)[0]));
  assert.ok(plies.length > 1);
  assert.deepEqual(plies, [...plies].sort((a, b) => a - b));
  // Pointing shows the position, a click plays the move.
  await page.hover(".table-moves li:first-child .table-move");
  await page.waitForSelector(".hx-board.hx-preview");
  await page.click(".table-moves li:first-child .table-move");
  await page.waitForSelector('.move[aria-current="true"]');
  await page.waitForSelector(".tables h3 .verdict:has-text('loss')");
  // Without the tables nothing is told.
  await page.click("#engine-gear");
  await page.click(".engine-settings .check:has-text('Endgame tables')");
  await page.waitForSelector(".tables", { state: "hidden" });
  assert.deepEqual(browser.faults, []);
});

test("an analysis that waits for others begins once they have ended", async () => {
  const page = await browser.page({ settings: { limit: "depth:4" } });
  await page.evaluate(async () => {
    const { stream } = await import("/app/api.js");
    globalThis.others = new AbortController();
    const begun = Array.from({ length: 4 }, async () => {
      const told = stream("analyse", { game: "glinski" }, globalThis.others.signal);
      await told.next();
      // Read on, or the connection is closed.
      (async () => {
        for await (const _ of told);
      })().catch(() => {});
    });
    await Promise.all(begun);
  });
  await page.keyboard.press("l");
  await page.waitForSelector(".engine-message:has-text('running already')");
  await page.evaluate(() => globalThis.others.abort());
  await page.waitForSelector("#lines .line");
  await page.waitForSelector(".engine-message", { state: "hidden" });
  browser.faults.length = 0;
});
