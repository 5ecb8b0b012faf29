// Starts the program and a real browser for the tests of the board's page.
//
//   node --test tools/tests/browser/*.test.mjs
//
// HEXMATE_BIN is the program (default: target/debug/hexmate), HEXMATE_NODE_MODULES the folder that has playwright-core
// and axe-core (default: target/browser/node_modules), HEXMATE_CHROMIUM the browser (default: Debian's shell of Chromium,
// which has no windows of its own and so takes half the processor time, else Debian's Chromium).
// HEXMATE_DELAY holds each request to the program back for so many milliseconds: tests must not depend on its speed.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { existsSync, readFileSync } from "node:fs";
import { afterEach } from "node:test";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const modules = resolve(process.env.HEXMATE_NODE_MODULES ?? join(root, "target/browser/node_modules"));
const require = createRequire(join(modules, "here.js"));
const { chromium } = require("playwright-core");

const delay = Number(process.env.HEXMATE_DELAY ?? 0);

const CHROMIUMS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** The program. */
export const program = resolve(root, process.env.HEXMATE_BIN ?? "target/debug/hexmate");

// A page that stays open goes on with its analysis: the next test would have to share the processor with it.
const contexts = new Set();
afterEach(async () => {
  await Promise.all([...contexts].map((context) => context.close()));
  contexts.clear();
});

/** Starts `hexmate board` with more arguments. Gives its address and a function that ends it. */
export async function startBoard(...args) {
  const child = spawn(program, ["board", "--no-open", "--port", "0", ...args], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((found, failed) => {
    createInterface({ input: child.stdout }).once("line", found);
    child.once("error", failed);
    child.once("exit", (code) => failed(new Error(`hexmate board ended with ${code}`)));
  });
  const stop = () =>
    new Promise((ended) => {
      child.removeAllListeners("exit");
      child.once("exit", ended);
      child.kill();
      setTimeout(() => child.kill("SIGKILL"), 3000).unref();
    });
  return { address, stop };
}

/** A browser with the program behind it: `page()` opens the board in a fresh profile, which is closed
 * after the test; `close()` ends both. */
export async function startBrowser(...args) {
  const browser = await chromium.launch({
    executablePath: process.env.HEXMATE_CHROMIUM ?? CHROMIUMS.find(existsSync) ?? CHROMIUMS[0],
    args: ["--no-sandbox", "--disable-background-networking"],
  });
  // Whatever of the two is left alone would keep the tests from ending.
  const board = await startBoard(...args).catch(async (fault) => {
    await browser.close();
    throw fault;
  });
  /** Everything that no page may say: errors on the console, faults of scripts, refusals of the policy. */
  const faults = [];
  return {
    address: board.address,
    faults,
    async page({ width = 1400, height = 900, theme = "light", settings = {}, touch = false, motion = false } = {}) {
      const context = await browser.newContext({ viewport: { width, height }, hasTouch: touch, isMobile: touch, reducedMotion: motion ? "no-preference" : "reduce" });
      contexts.add(context);
      await context.addInitScript((kept) => {
        if (!localStorage.getItem("hexmate-settings")) localStorage.setItem("hexmate-settings", JSON.stringify(kept));
      }, { theme, ...settings });
      if (delay) {
        await context.route("**/api/**", async (route) => {
          await new Promise((done) => setTimeout(done, delay));
          // The page may be gone, or may have given up.
          await route.continue().catch(() => {});
        });
      }
      const page = await context.newPage();
      page.setDefaultTimeout(20000);
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
      });
      page.on("pageerror", (fault) => faults.push(String(fault)));
      await page.goto(board.address);
      await page.waitForSelector("html[data-ready]");
      return page;
    },
    async close() {
      await browser.close();
      await board.stop();
    },
  };
}

/** Makes a move on the board by two clicks, and waits until the position has come. */
export async function play(page, move) {
  const [, from, to, promotion] = /^([a-z]+\d+)([a-z]+\d+)([a-z]?)$/.exec(move);
  await page.click(`[data-cell="${from}"]`);
  await page.click(`[data-cell="${to}"]`);
  if (promotion) await page.click(`[data-promotion="${promotion}"]`);
  await page.waitForSelector(`.move[data-move="${move}"][aria-current="true"]`);
}

/** Waits until this has been said to people who listen. */
export const hears = (page, text) => page.waitForFunction((wanted) => document.getElementById("say").textContent.trim() === wanted, text);

/** Holds the engine's answer back until the function that comes back is called. */
export const heldAnswer = (page) => held(page, "play");

/** Holds the answers of one kind back until the function that comes back is called. */
export async function held(page, name) {
  let release;
  const released = new Promise((done) => (release = done));
  await page.route(`**/api/${name}`, async (route) => {
    await released;
    // Nobody may wait for it any more.
    await route.continue().catch(() => {});
  });
  return release;
}

/** The piece on a cell, or null. */
export const pieceOn = (page, cell) => page.getAttribute(`[data-cell="${cell}"]`, "data-piece");

/** Chooses a game by its name. */
export async function choose(page, game) {
  await page.selectOption("#game", game);
  await page.waitForFunction((name) => document.querySelector("hexmate-board").geometry?.name === name, game);
}

/** Opens a text in the dialog for it. */
export async function paste(page, text) {
  await page.keyboard.press("o");
  await page.waitForSelector("#paste");
  // As people paste: typed by the driver, a text of 2,000 lines takes six seconds.
  await page.$eval("#paste", (/** @type {HTMLTextAreaElement} */ field, text) => {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }, text);
  await page.click("#read");
}

/** What axe finds against WCAG A and AA, by all rules or by some. */
export async function violations(page, rules = null) {
  // Run by the driver, not added to the page: the page's policy stays as it is.
  await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
  const found = await page.evaluate((rules) => {
    const runOnly = rules ? { type: "rule", values: rules } : ["wcag2a", "wcag2aa"];
    return globalThis.axe.run(document, { runOnly, resultTypes: ["violations"] });
  }, rules);
  return found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).slice(0, 3).join(" ")}`);
}
