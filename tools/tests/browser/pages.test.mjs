// Pages that are files: the viewer of games in them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { program, startBrowser } from "./driver.mjs";

let browser;
before(async () => (browser = await startBrowser()));
after(async () => browser?.close());

test("the move that a review shows is in sight in the list, and the page stays where it is", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hexmate-"));
  try {
    const file = join(folder, "long.html");
    const input = `${JSON.stringify({ moves: Array(50).fill("e1c3 e10c6 c3e1 c6e10").join(" ") })}\n`;
    execFileSync(program, ["review", "--nodes", "20", "--hash", "1", "--quiet", "--html", file], { input });
    const page = await browser.page({ width: 1280, height: 900 });
    await page.goto(pathToFileURL(file).href);
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
  } finally {
    rmSync(folder, { recursive: true });
  }
});

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
