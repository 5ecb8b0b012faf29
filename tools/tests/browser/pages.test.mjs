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
