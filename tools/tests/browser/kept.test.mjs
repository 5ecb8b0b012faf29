// Nothing that was made here is lost: games, comments, edited positions, and what belongs together stays together.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { choose, held, heldAnswer, paste, play, startBoard, startBrowser } from "./driver.mjs";

let browser;
before(async () => (browser = await startBrowser()));
after(async () => browser?.close());

const moves = (page) => page.$$eval("#moves button.move", (all) => all.map((m) => m.dataset.move));
const count = (page, n) => page.waitForFunction((wanted) => document.querySelectorAll("#moves button.move").length === wanted, n);
const game = (page) => page.inputValue("#game");
const current = (page) => page.$eval('.move[aria-current="true"]', (m) => m.dataset.move);

async function begin(page, side = "w") {
  await page.click("#tab-play");
  await page.click(`[data-side="${side}"]`);
  await page.click("#play-begin");
  await page.waitForSelector("#play-state");
}

/** Makes a move on the board and does not wait for what comes of it. */
async function move(page, from, to) {
  await page.click(`[data-cell="${from}"]`);
  await page.click(`[data-cell="${to}"]`);
}

test("after another game was chosen the arrow keys are for the moves, and the game before comes back", async () => {
  const page = await browser.page();
  await play(page, "e4e5");
  await page.focus("#game");
  await choose(page, "mccooey");
  await play(page, "d2d3");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => !document.querySelector('.move[aria-current="true"]'));
  assert.equal(await page.inputValue("#game"), "mccooey");
  await page.keyboard.press("Control+z");
  await count(page, 0);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.getElementById("game").value === "glinski");
  await count(page, 1);
  // A game that is opened takes the place of one, too.
  await paste(page, '[Variant "mccooey"]\n\n1. d2d3 *');
  await page.waitForFunction(() => document.getElementById("game").value === "mccooey");
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.getElementById("game").value === "glinski");
  assert.deepEqual(await moves(page), ["e4e5"]);
  // So does a position without moves.
  const fen = "1/3/5/7/4k4/11/11/5K5/5P5/11/11 w - - 0 1";
  await paste(page, fen);
  await page.waitForFunction(() => document.querySelectorAll("[data-piece]").length === 3);
  await page.click("#new");
  await page.waitForFunction(() => document.querySelectorAll("[data-piece]").length > 3);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelectorAll("[data-piece]").length === 3);
});

test("what is done while another game is on its way comes back with the one before", async () => {
  const page = await browser.page();
  const shows = (name) => page.waitForFunction((name) => document.querySelector("hexmate-board").geometry?.name === name, name);
  await play(page, "e4e5");
  const release = await held(page, "game");
  await page.selectOption("#game", "mccooey");
  await play(page, "g7g6");
  await page.keyboard.press("c");
  await page.keyboard.type("a long thought");
  release();
  await shows("mccooey");
  // Who writes on does so on the move that is shown.
  await page.waitForFunction(() => document.getElementById("comment").value === "");
  await page.click("#status");
  await page.keyboard.press("Control+z");
  await shows("glinski");
  await count(page, 2);
  assert.deepEqual(await moves(page), ["e4e5", "g7g6"]);
  assert.equal(await page.textContent("#moves .comment"), "a long thought");
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => !document.querySelector("#moves .comment"));
  await page.keyboard.press("Control+z");
  await count(page, 1);
  assert.deepEqual(browser.faults, []);
});

test("a comment that is being written is not lost to a click that changes the tree", async () => {
  const page = await browser.page();
  const comment = () => page.textContent("#moves .comment");
  const write = async (text) => {
    await page.fill("#comment", text);
    assert.equal(await page.evaluate(() => document.activeElement.id), "comment");
  };
  await play(page, "e4e5");
  await page.keyboard.press("c");
  for (const button of ["#new", "#delete"]) {
    await write(`before ${button}`);
    await page.click(button);
    await count(page, 0);
    await page.click("#undo");
    await count(page, 1);
    assert.equal(await comment(), `before ${button}`);
  }
  // Undo takes back what is being written, not the move, and the field can bring it back.
  await write("before undo");
  await page.click("#undo");
  await page.waitForFunction(() => document.getElementById("comment").value === "before #delete");
  assert.equal(await comment(), "before #delete");
  await count(page, 1);
  await page.keyboard.press("Control+Shift+z");
  assert.equal(await page.inputValue("#comment"), "before undo");
  await page.click("#status");
  await page.waitForFunction(() => document.querySelector("#moves .comment").textContent === "before undo");
  // Once it is written it is a change like others.
  await page.click("#undo");
  await page.waitForFunction(() => document.querySelector("#moves .comment").textContent === "before #delete");
  await count(page, 1);
  assert.deepEqual(browser.faults, []);
});

test("undo while another game is on its way leaves the game against the engine, and the list names it", async () => {
  const page = await browser.page();
  await begin(page);
  await move(page, "e4", "e5");
  await count(page, 2);
  const release = await held(page, "game");
  await page.selectOption("#game", "mccooey");
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.getElementById("game").value === "glinski");
  release();
  await page.waitForTimeout(300);
  assert.equal(await game(page), "glinski");
  await page.waitForSelector("#play-state");
  await count(page, 2);
  // A game that does not come is not named either, whatever else was wanted.
  await page.route("**/api/game", (route) => route.abort());
  await page.selectOption("#game", "chromatic4");
  await page.waitForSelector(".note.bad:has-text('The program does not answer')");
  assert.equal(await game(page), "glinski");
  browser.faults.length = 0; // The browser notes the request that failed.
});

test("the engine answers once where undo comes while its move is on its way to the board", async () => {
  const page = await browser.page();
  await begin(page);
  let release;
  const released = new Promise((done) => (release = done));
  await page.route("**/api/position", async (route) => {
    if (route.request().postDataJSON().moves.length === 2) await released;
    await route.continue().catch(() => {});
  });
  await move(page, "e4", "e5");
  await count(page, 2);
  const answered = await moves(page);
  const releaseGame = await held(page, "game");
  await page.selectOption("#game", "mccooey");
  await page.keyboard.press("Control+z");
  release();
  await page.waitForFunction(() => document.getElementById("game").value === "glinski");
  releaseGame();
  await page.waitForSelector("#play-state:has-text('Your move')");
  // A second answer would take its time.
  await page.waitForTimeout(1500);
  assert.deepEqual(await moves(page), answered);
  assert.deepEqual(browser.faults, []);
});

test("an undo that another game overtakes can be made later", async () => {
  const page = await browser.page();
  await paste(page, "1. e4e5 e7e6");
  await count(page, 2);
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector('.move[data-move="e4e5"][aria-current="true"]');
  // After a reload only the position on the board is known. The mark is made on one that does not come: undo asks for it.
  await page.reload();
  await page.waitForSelector('.move[data-move="e4e5"][aria-current="true"]');
  let release;
  await page.route("**/api/position", async (route) => {
    await new Promise((done) => (release = done));
    await route.abort();
  }, { times: 1 });
  await Promise.all([page.waitForRequest("**/api/position"), page.click("#forward")]);
  await page.click('[data-glyph="1"]');
  await page.waitForSelector(".glyph");
  release();
  await page.waitForSelector(".note.bad:has-text('The program does not answer')");
  await page.route("**/api/position", async (route) => {
    await new Promise((done) => (release = done));
    await route.continue();
  }, { times: 1 });
  await Promise.all([page.waitForRequest("**/api/position"), page.click("#undo")]);
  await choose(page, "mccooey");
  release();
  await page.click("#undo");
  await page.waitForFunction(() => document.getElementById("game").value === "glinski");
  await page.waitForSelector(".glyph");
  await page.click("#undo");
  await page.waitForSelector(".glyph", { state: "detached" });
  await count(page, 2);
  browser.faults.length = 0; // The browser notes the request that failed.
});

test("a comment is written while moves are judged", async () => {
  const page = await browser.page();
  await paste(page, "1. e4e5 e7e6 2. e1a5 g10h8 3. a5b7 f7f6 *");
  await page.waitForSelector('.move[data-move="f7f6"]');
  await page.click("#tab-review");
  await page.selectOption("#panel select", "10000");
  await page.click("#review-begin");
  await page.keyboard.press("c");
  await page.keyboard.type("no game on foot", { delay: 60 });
  await page.waitForSelector("#annotate");
  assert.equal(await page.evaluate(() => document.activeElement.id), "comment");
  assert.equal(await page.inputValue("#comment"), "no game on foot");
  // What was judged and is deleted can no longer be reached.
  await page.keyboard.press("Tab");
  await page.click('.move[data-move="e1a5"]');
  await page.waitForSelector('.move[data-move="e1a5"][aria-current="true"]');
  await page.click("#delete");
  await page.waitForSelector("#review-begin");
  assert.deepEqual(await moves(page), ["e4e5", "e7e6"]);
});

test("a review stays over undo and a reload", async () => {
  const page = await browser.page();
  await paste(page, "1. e5 e6 2. Qc3 d6 3. Bd2 f6");
  await count(page, 6);
  await page.click("#tab-review");
  await page.selectOption("#panel select", "10000");
  await page.click("#review-begin");
  await page.waitForSelector("#annotate");
  const summary = await page.textContent(".summary");
  await page.click("#bad-moves button");
  await page.locator(".better .pv-move").first().click();
  await page.waitForSelector(".variation .move");
  await page.mouse.move(0, 0);
  for (const change of [null, "#annotate"]) {
    if (change) {
      await page.click(change);
      await page.waitForSelector(".variation .move");
    }
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => !document.querySelector(".variation .move"));
    assert.equal(await page.textContent(".summary"), summary);
  }
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await page.textContent(".summary"), summary);
  // It leads to the positions as before.
  await page.click("#bad-moves button");
  await page.waitForSelector(".better .pv-move");
  // The review of another game is none of this one.
  await paste(page, "1. e5 e6 2. Qc3 d6 3. Bd2 g6");
  await page.waitForSelector("#review-begin");
  await page.reload();
  await page.waitForSelector("#review-begin");
  assert.deepEqual(browser.faults, []);
});

test("an answer to a move that was deleted is dropped", async () => {
  const page = await browser.page({ settings: { level: 1 } });
  await begin(page);
  const release = await heldAnswer(page);
  await move(page, "e4", "e5");
  await count(page, 1);
  await page.keyboard.press("Delete");
  await count(page, 0);
  release();
  await page.waitForSelector("#play-state:has-text('Your move')");
  // The position may come a little later.
  await page.waitForSelector("#status:has-text('White to move')");
  await move(page, "f5", "f6");
  await count(page, 2);
  assert.equal((await moves(page))[0], "f5f6");
});

test("a comment stays with its move while the engine answers", async () => {
  const page = await browser.page({ settings: { level: 1 } });
  await begin(page);
  const release = await heldAnswer(page);
  // The comment is begun before the position has come.
  await page.route("**/api/position", async (route) => {
    await new Promise((done) => setTimeout(done, 200));
    await route.continue();
  });
  await move(page, "e4", "e5");
  await count(page, 1);
  await page.keyboard.press("c");
  await page.keyboard.type("my plan");
  release();
  await count(page, 2);
  await page.keyboard.type(" is this");
  await page.keyboard.press("Tab");
  await page.waitForSelector(".comment");
  assert.equal(await page.textContent(".comment"), "my plan is this");
  await page.click('.move[data-move="e4e5"]');
  await page.waitForFunction(() => document.getElementById("comment").value === "my plan is this");
  // A move that is pressed while another's comment is written is gone to.
  await page.fill("#comment", "another plan");
  const [, reply] = await moves(page);
  const box = await page.locator(`.move[data-move="${reply}"]`).boundingBox();
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.mouse.down();
  await page.waitForTimeout(60);
  await page.mouse.up();
  await page.waitForSelector(`.move[data-move="${reply}"][aria-current="true"]`);
  await page.waitForFunction(() => document.querySelector(".comment").textContent === "another plan");
});

test("undo goes on with the game against the engine, and leaves an edited position alone", async () => {
  const page = await browser.page({ settings: { level: 1 } });
  await begin(page);
  await move(page, "e4", "e5");
  await count(page, 2);
  await page.waitForSelector("#play-state:has-text('Your move')");
  await page.keyboard.press("Control+z");
  await count(page, 0);
  assert.equal(await page.textContent("#play-state"), "Your move");
  await page.click("#tab-edit");
  await page.keyboard.press("Control+z");
  await page.click("#tab-play");
  assert.equal(await page.textContent("#play-state"), "Your move");
  // It goes on after a reload on another tab, too.
  await move(page, "e4", "e5");
  await count(page, 2);
  await page.click("#tab-learn");
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await page.click("#tab-play");
  await page.waitForSelector("#play-state:has-text('Your move')");
});

test("a game that is taken back after it was given up goes on", async () => {
  const page = await browser.page({ settings: { level: 1 } });
  await begin(page, "b");
  await count(page, 1);
  await page.click("#resign");
  await page.click("#takeback");
  await page.waitForSelector("#play-state:has-text('Your move')");
  assert.equal(await page.locator("#resign").count(), 1);
});

test("what is shown belongs to the position on the board", async () => {
  const page = await browser.page();
  await page.keyboard.press("l");
  await page.waitForSelector(".line .pv-move:nth-of-type(1)");
  await page.hover(".line .pv-move");
  await page.waitForSelector("#status.looking");
  await page.keyboard.press("4");
  await page.waitForSelector("#status:not(.looking)");
  await page.keyboard.press("1");
  await page.keyboard.press("l");
  // The numbers behind the evaluation, too.
  await page.mouse.move(0, 0);
  await paste(page, "1. e1a5 e7e6 2. a5b7 *");
  await page.waitForSelector('.move[data-move="a5b7"]');
  await page.keyboard.press("End");
  await page.waitForSelector('.move[data-move="a5b7"][aria-current="true"]');
  await page.click("#explain summary");
  await page.waitForSelector("#explain .total");
  const there = await page.textContent("#explain .total");
  await page.click("#tab-learn");
  await page.keyboard.press("Home");
  await page.waitForFunction(() => !document.querySelector('.move[aria-current="true"]'));
  await page.click("#tab-analyse");
  await page.waitForFunction((before) => document.querySelector("#explain .total")?.textContent !== before, there);
});

test("a variation that begins like the main line is one with it, and comments stay", async () => {
  const page = await browser.page();
  await paste(page, "1. e4e5 (1. e4e5 {a trap} f7f6) e7e6 *");
  await page.waitForSelector('.move[data-move="e7e6"]');
  assert.deepEqual(await page.$$eval(".move-row .move[data-move]", (all) => all.map((m) => m.dataset.move)), ["e4e5", "e7e6"]);
  assert.deepEqual(await page.$$eval(".variation .move", (all) => all.map((m) => m.dataset.move)), ["f7f6"]);
  assert.equal(await page.textContent(".comment"), "a trap");
  await paste(page, "1. e4e5 ({Better is this} 1. f5f6 e7e6) e7e6 *");
  await page.click('.variation .move[data-move="f5f6"]');
  await page.waitForSelector('.move[data-move="f5f6"][aria-current="true"]');
  await page.click("#promote");
  await page.waitForSelector('.variation .move[data-move="e4e5"]');
  assert.equal(await page.textContent(".comment"), "Better is this");
});

test("a move is made once, however often it is asked for", async () => {
  const page = await browser.page();
  await page.fill("#typed", "e4e5");
  await page.evaluate(() => {
    const form = document.querySelector("form.typed");
    form.requestSubmit();
    form.requestSubmit();
  });
  await page.waitForSelector('.move[data-move="e4e5"][aria-current="true"]');
  await page.waitForTimeout(300);
  assert.deepEqual(await moves(page), ["e4e5"]);
  assert.equal(await page.locator(".note").count(), 0);
  assert.equal(await current(page), "e4e5");
  assert.deepEqual(browser.faults, []);
});

test("the game of the command line is shown, and the one before comes back", async () => {
  const page = await browser.page();
  await begin(page);
  await move(page, "e4", "e5");
  await count(page, 2);
  const other = await startBoard("--game", "mccooey");
  try {
    // As if it had the same port: what the browser has kept is there, too.
    const kept = await page.evaluate(() => localStorage.getItem("hexmate-board"));
    const next = await page.context().newPage();
    await next.addInitScript((kept) => {
      if (!localStorage.getItem("hexmate-board")) localStorage.setItem("hexmate-board", kept);
    }, kept);
    await next.goto(other.address);
    await next.waitForSelector("html[data-ready]");
    assert.equal(await game(next), "mccooey");
    await next.click("#tab-play");
    await next.waitForSelector("#play-begin");
    await next.keyboard.press("Control+z");
    await next.click("#tab-analyse");
    await next.waitForSelector('.move[data-move="e4e5"]');
    assert.equal(await game(next), "glinski");
    // Once it was shown, what is here stays.
    await next.reload();
    await next.waitForSelector('.move[data-move="e4e5"]');
    assert.equal(await game(next), "glinski");
  } finally {
    await other.stop();
  }
});

/** What keeps a page from its storage, or stands damaged in it. */
const DAMAGE = {
  barred: () => {
    for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get: () => { throw new DOMException("barred", "SecurityError"); } });
  },
  full: () => {
    Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
  },
  tree: () => localStorage.setItem("hexmate-board", '{"tree":{"game":"glinski","main":{"moves":7}},"place":3}'),
  parts: () => localStorage.setItem("hexmate-board", '{"tree":{"game":"glinski","main":{"moves":[]}},"place":[],"play":{"human":"w"},"edit":{"glinski":null}}'),
  settings: () => localStorage.setItem("hexmate-settings", '{"limit":null,"multipv":"x","level":99,"engine":true}'),
  review: () => sessionStorage.setItem("hexmate-review", '{"game":"glinski","fen":null}'),
};

test("the page begins where the browser bars or has filled its storage, and without what is damaged in it", async () => {
  const context = (await browser.page()).context();
  for (const [name, damage] of Object.entries(DAMAGE)) {
    const page = await context.newPage();
    const faults = [];
    await page.addInitScript(damage);
    await page.goto(browser.address);
    // From here on: the driver's own script needs the storage.
    page.on("pageerror", (fault) => faults.push(String(fault)));
    await page.waitForSelector("html[data-ready]", { timeout: 5000 }).catch(() => assert.fail(`${name}: ${faults}`));
    if (name === "settings") await page.waitForSelector(".line");
    await play(page, "e4e5");
    assert.deepEqual(faults, [], name);
    await page.close();
  }
});

test("a game from a file is there again after the program ran without that file", async () => {
  const context = (await browser.page()).context();
  let kept = {};
  // As if it had the same port each time: what the browser has kept is there, too.
  const visit = async (args, act) => {
    const board = await startBoard(...args);
    try {
      const page = await context.newPage();
      await page.addInitScript((kept) => Object.assign(localStorage, kept), kept);
      await page.goto(board.address);
      await page.waitForSelector("html[data-ready]");
      await act(page);
      kept = await page.evaluate(() => ({ ...localStorage }));
      await page.close();
    } finally {
      await board.stop();
    }
  };
  const file = ["--game", "examples/games/nightriders.toml"];
  await visit(file, async (page) => {
    await page.fill("#typed", "e5");
    await page.keyboard.press("Enter");
    await page.waitForSelector('.move[aria-current="true"]');
  });
  const own = JSON.parse(kept["hexmate-board"]).tree.game;
  await visit([], async (page) => {
    assert.equal(await game(page), "glinski");
    await play(page, "e4e5");
  });
  await visit(file, async (page) => {
    assert.equal(await game(page), own);
    assert.equal((await moves(page)).length, 1);
    // What was played meanwhile comes back by undo.
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => document.getElementById("game").value === "glinski");
    assert.deepEqual(await moves(page), ["e4e5"]);
  });
});

test("an empty game of a file does not take the place of a comment or a position that was put aside", async () => {
  const context = (await browser.page()).context();
  const kept = (fen, intro) => JSON.stringify({ tree: { game: "gone", fen, tags: [], result: "*", main: { intro, moves: [] } }, place: [] });
  for (const work of [kept(null, ["a thought"]), kept("8/8 w - - 0 1", [])]) {
    const page = await context.newPage();
    await page.addInitScript(([work, empty]) => {
      localStorage.setItem("hexmate-board-gone", work);
      sessionStorage.setItem("hexmate-board", empty);
    }, [work, kept(null, [])]);
    await page.goto(browser.address);
    await page.waitForSelector("html[data-ready]");
    assert.equal(await page.evaluate(() => localStorage.getItem("hexmate-board-gone")), work);
    await page.close();
  }
});

test("each tab of the browser has its own game of a file again, also beneath a text that is opened", async () => {
  const context = (await browser.page()).context();
  const file = ["--game", "examples/games/nightriders.toml"];
  const pages = [await context.newPage(), await context.newPage()];
  // As if it had the same port each time: what the browser has kept is there, too.
  const local = {};
  const visit = async (args, act) => {
    const board = await startBoard(...args);
    try {
      for (const [index, page] of pages.entries()) {
        page.setDefaultTimeout(8000);
        await page.bringToFront();
        const before = await page.evaluate(() => (location.protocol === "http:" ? { ...sessionStorage } : {}));
        await page.goto(new URL("/app/app.css", board.address).href);
        await page.evaluate(([local, before]) => {
          Object.assign(localStorage, local);
          Object.assign(sessionStorage, before);
        }, [local, before]);
        await page.goto(board.address);
        await page.waitForSelector("html[data-ready]");
        await act(page, index);
        Object.assign(local, await page.evaluate(() => ({ ...localStorage })));
      }
    } finally {
      await board.stop();
    }
  };
  const played = ["e4e5", "b1b2"];
  let start;
  await visit(file, async (page, index) => {
    await page.click("#new");
    await count(page, 0);
    start = await page.evaluate(async () => (await import("/app/session.js")).session.position.fen);
    await play(page, played[index]);
  });
  const glinski = async (page) => assert.equal(await game(page), "glinski");
  await visit([], glinski);
  await visit(file, async (page, index) => assert.deepEqual(await moves(page), [played[index]]));
  await visit([], glinski);
  // A position that the command line opens does not take its place.
  await visit([...file, start], async (page, index) => {
    assert.deepEqual(await moves(page), []);
    await page.keyboard.press("Control+z");
    await count(page, 1);
    assert.deepEqual(await moves(page), [played[index]]);
  });
});
