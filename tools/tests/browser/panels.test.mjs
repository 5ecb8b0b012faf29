// What is beside the board: analysis, the tree, texts, play, review, learning, editor.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { choose, held, paste, pieceOn, play, startBoard, startBrowser } from "./driver.mjs";

let browser;
before(async () => (browser = await startBrowser()));
after(async () => browser?.close());

const GAME = `[Event "A test"]
[White "Ann"]
[Black "Bob"]
[Variant "Glinski"]
[Result "*"]

1. e5 e6 (1... f6 2. d4 (2. b3 h6)) 2. d5 $6 {Too bold.} d6 3. Nhf4 *
`;
const depth = (page) => page.$eval("#facts", (f) => Number(/depth (\d+)/.exec(f.textContent)?.[1] ?? 0));
const moves = (page) => page.$$eval("#moves button.move", (all) => all.map((m) => m.dataset.move));
const current = (page) => page.$eval('.move[aria-current="true"]', (m) => m.dataset.move);

test("analysis starts, follows the position, changes and stops", async () => {
  const page = await browser.page();
  assert.equal(await page.locator(".line").count(), 0);
  await page.keyboard.press("l");
  await page.waitForSelector(".engine.running .line:nth-child(3)");
  await page.waitForFunction(() => /depth ([3-9]|\d\d)/.test(document.getElementById("facts").textContent));
  assert.match(await page.textContent("#score"), /^[+−]?\d+\.\d\d$|^#/);
  assert.notEqual(await page.getAttribute("#gauge", "aria-label"), "Evaluation: none yet");
  assert.ok((await page.locator(".hx-arrow").count()) >= 1);
  // Other settings begin another search.
  await page.click("#engine-gear");
  await page.selectOption(".engine-settings select", "1");
  await page.waitForFunction(() => document.querySelectorAll(".line").length === 1);
  // The search follows a move.
  const first = await page.textContent(".line");
  await play(page, "e4e5");
  await page.waitForFunction((before) => document.querySelector(".line") && document.querySelector(".line").textContent !== before, first);
  assert.match(await page.textContent(".line .pv-number"), /^1…$/);
  // It stops when the tab is hidden, and goes on when it is seen again.
  const hide = (hidden) => page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
  await hide(true);
  await page.waitForSelector(".engine:not(.running)");
  await hide(false);
  await page.waitForSelector(".engine.running");
  await page.keyboard.press("l");
  await page.waitForSelector(".engine:not(.running)");
  assert.equal(await page.locator(".hx-arrow").count(), 0);
  assert.deepEqual(browser.faults, []);
});

test("a program that is stopped during an analysis is told as such", async () => {
  const page = await browser.page();
  const other = await startBoard();
  await page.goto(other.address);
  await page.waitForSelector("html[data-ready]");
  await page.keyboard.press("l");
  await page.waitForSelector(".line");
  await other.stop();
  await page.waitForSelector(".engine-message:has-text('The program does not answer')");
  browser.faults.length = 0; // The browser notes the connection that broke.
});

test("a limit ends the search, and it can go deeper", async () => {
  const page = await browser.page({ settings: { limit: "depth:4" } });
  await page.keyboard.press("l");
  await page.waitForSelector("#deeper:not([hidden])");
  assert.equal(await depth(page), 4);
  await page.click("#deeper");
  await page.waitForFunction(() => /depth ([5-9]|\d\d)/.test(document.getElementById("facts").textContent));
});

test("pointing at a line plays it out, a click takes it over, space plays the best move", async () => {
  const page = await browser.page({ settings: { limit: "depth:5", multipv: 2 } });
  await page.keyboard.press("l");
  await page.waitForSelector("#deeper:not([hidden])");
  const before = await page.$$eval("[data-piece]", (all) => all.map((c) => c.dataset.cell + c.dataset.piece).join());
  await page.hover(".line:nth-child(2) .pv-pair:nth-child(2) .pv-move");
  await page.waitForSelector(".hx-board.hx-preview");
  const looked = await page.$$eval("[data-piece]", (all) => all.map((c) => c.dataset.cell + c.dataset.piece).join());
  assert.notEqual(looked, before);
  await page.hover("#status");
  await page.waitForSelector(".hx-board:not(.hx-preview)");
  assert.equal(await page.$$eval("[data-piece]", (all) => all.map((c) => c.dataset.cell + c.dataset.piece).join()), before);
  await page.click(".line:nth-child(2) .pv-pair:nth-child(2) .pv-move");
  await page.waitForFunction(() => document.querySelectorAll("#moves button.move").length === 2);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector("#deeper:not([hidden])");
  await page.keyboard.press(" ");
  await page.waitForSelector('.move[aria-current="true"]');
});

test("the threat is the other side's best move", async () => {
  const page = await browser.page();
  await page.keyboard.press("x");
  await page.waitForSelector(".hx-arrow-threat");
  const arrow = await page.getAttribute(".hx-arrow-threat", "data-arrow");
  const from = /^[a-z]+\d+/.exec(arrow)[0];
  const piece = await pieceOn(page, from);
  assert.equal(piece, piece.toLowerCase(), "Black's piece");
});

test("a game comes in with its variations and goes out as it came", async () => {
  const page = await browser.page();
  await paste(page, GAME);
  await page.waitForSelector(".game-title:has-text('Ann – Bob')");
  assert.equal(await page.locator("#moves button.move").count(), 9);
  assert.equal(await page.locator(".variation .variation").count(), 1);
  assert.match(await page.textContent("#moves"), /Too bold\./);
  assert.equal(await page.textContent(".glyph-6 .glyph"), "?!");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.click("#copy-pgn");
  await page.waitForSelector(".note");
  const out = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(out, /\[White "Ann"\]/);
  assert.match(out.replace(/\s+/g, " "), /1\. e5 e6 \( ?1\.\.\. f6 2\. d4 \( ?2\. b3 h6 ?\) ?\) 2\. d5 \$6 \{ ?Too bold\. ?\}/);
  await page.click("#copy-fen");
  await page.waitForSelector(".note:nth-child(2)");
  const fen = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(fen, /^b\/qbk\/n1b1n\/r5r\/ppppppppp\/11\/5P5\/4P1P4\/3P1B1P3\/2P2B2P2\/1PRNQBKNRP1 w/);
  await paste(page, "k/3/5/7/9/5R5/11/11/11/11/5K5 b - - 0 1");
  await page.waitForSelector(".hx-mark-check");
  assert.match(await page.textContent("#status"), /Black to move, in check/);
  // What cannot be read says so and changes nothing.
  await paste(page, "certainly not a game");
  await page.waitForSelector("#read-fault:not([hidden])");
  assert.equal(await page.inputValue("#paste"), "certainly not a game");
  assert.equal(await pieceOn(page, "f6"), "R");
  browser.faults.length = 0; // The refusal is an answer with status 400, which the browser notes.
});

test("a text is opened once, and not after its dialog was closed", async () => {
  const page = await browser.page();
  let release = await held(page, "read");
  let answers = 0;
  page.on("response", (response) => (answers += Number(response.url().endsWith("/api/read"))));
  await paste(page, `${GAME}\n${GAME.replace("Ann", "Cleo")}`);
  await page.waitForSelector("#read:has-text('Opening…')");
  await page.click("#read");
  release();
  await page.waitForSelector("dialog h2:has-text('2 games in the text')");
  for (let tries = 0; tries < 100 && answers < 2; tries += 1) await page.waitForTimeout(100);
  assert.equal(answers, 2);
  await page.waitForTimeout(200);
  assert.equal(await page.locator("dialog").count(), 1);
  await page.keyboard.press("Escape");
  release = await held(page, "read");
  await paste(page, GAME);
  await page.keyboard.press("Escape");
  await Promise.all([page.waitForResponse("**/api/read"), release()]);
  await page.waitForTimeout(200);
  assert.equal(await page.locator("#moves button.move").count(), 0);
  assert.deepEqual(browser.faults, []);
});

test("a download is of the game on which it was pressed, and what was copied last is in the clipboard", async () => {
  const page = await browser.page();
  let release = await held(page, "write");
  const coming = page.waitForEvent("download");
  await page.click("#download");
  await choose(page, "mccooey");
  release();
  assert.equal((await coming).suggestedFilename(), "glinski.pgn");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  release = await held(page, "write");
  await page.click("#copy-pgn");
  await page.click("#copy-fen");
  await page.waitForSelector(".note:has-text('The position text is copied')");
  await Promise.all([page.waitForResponse("**/api/write"), release()]);
  await page.waitForTimeout(200);
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), / w - - 0 1$/);
  assert.deepEqual(browser.faults, []);
});

test("a dropped file is opened, and a game chosen from several", async () => {
  const page = await browser.page();
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "two.pgn"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, `${GAME}\n${GAME.replace("Ann", "Cleo")}`);
  await page.click(".game-row:has-text('Cleo')");
  await page.waitForSelector(".game-title:has-text('Cleo – Bob')");
});

/** Drops files, each a name and its text, or its bytes. */
const drop = (page, ...files) => page.evaluate((files) => {
  const data = new DataTransfer();
  for (const [name, content] of files) data.items.add(new File([typeof content === "string" ? content : new Uint8Array(content)], name));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}, files);

test("of several files that are dropped at once none is lost", async () => {
  const page = await browser.page();
  await drop(page, ["one.pgn", GAME], ["none.txt", "certainly not a game"], ["two.pgn", GAME.replace("Ann", "Cleo")]);
  await page.waitForSelector("dialog h2:has-text('2 games in 3 files')");
  assert.match(await page.textContent("dialog .refused"), /^none\.txt: /);
  await page.click(".game-row:has-text('Cleo')");
  await page.waitForSelector(".game-title:has-text('Cleo – Bob')");
  browser.faults.length = 0; // The refusal is an answer with status 400, which the browser notes.
});

test("a file is read in whatever it is written: UTF-8, Latin-1 or UTF-16", async () => {
  const page = await browser.page();
  const game = GAME.replace("Ann", "Müller");
  const latin1 = Buffer.from(game, "latin1");
  const little = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(game, "utf16le")]);
  const big = Buffer.from(little).swap16();
  // A line in Latin-1 leaves the others as they are.
  const mixed = Buffer.concat([latin1.subarray(0, latin1.indexOf("Bob")), Buffer.from("Bób"), latin1.subarray(latin1.indexOf("Bob") + 3)]);
  for (const [bytes, name] of [[latin1, "Müller – Bob"], [little, "Müller – Bob"], [big, "Müller – Bob"], [mixed, "Müller – Bób"], [Buffer.from(game), "Müller – Bob"]]) {
    await page.click("#new");
    await page.waitForSelector(".game-title", { state: "hidden" });
    await drop(page, ["game.pgn", [...bytes]]);
    await page.waitForSelector(`.game-title:has-text('${name}')`);
  }
  await page.click("#new");
  await page.waitForSelector(".game-title", { state: "hidden" });
  await page.keyboard.press("o");
  await page.setInputFiles("dialog input[type=file]", { name: "game.pgn", mimeType: "application/x-chess-pgn", buffer: latin1 });
  await page.waitForSelector(".game-title:has-text('Müller – Bob')");
  assert.deepEqual(browser.faults, []);
});

test("of many games the first ones are listed, and how many more there are", async () => {
  const page = await browser.page();
  await paste(page, "1. e5 *\n\n".repeat(1001));
  await page.waitForSelector("dialog p:text-is('Left off: 1 more.')");
  assert.equal(await page.locator(".game-row").count(), 1000);
});

test("a file that is empty is told in the dialog, and may be chosen again once it is not", async () => {
  const page = await browser.page();
  await page.keyboard.press("o");
  await page.fill("#paste", "1. e5");
  for (const content of ["", "\ufeff \n"]) {
    await page.setInputFiles("dialog input[type=file]", { name: "none.pgn", mimeType: "application/x-chess-pgn", buffer: Buffer.from(content) });
    await page.waitForSelector("#read-fault:has-text('none.pgn is empty: expected a game in PGN, a list of moves or a position text')");
    assert.equal(await page.inputValue("#paste"), "1. e5");
  }
  await page.setInputFiles("dialog input[type=file]", { name: "none.pgn", mimeType: "application/x-chess-pgn", buffer: Buffer.from("1. e5 e6") });
  await page.waitForSelector("dialog", { state: "detached" });
  await page.waitForFunction(() => document.querySelectorAll("#moves button.move").length === 2);
  assert.deepEqual(browser.faults, []);
});

test("a name whose letters run from right to left does not turn the date beside it", async () => {
  const page = await browser.page();
  await paste(page, '[White "محمد"]\n[Black "Bob"]\n[Event "كأس"]\n[Date "1984.05.06"]\n\n1. e5 e6 *\n');
  await page.waitForSelector(".game-title:has-text('محمد – Bob')");
  assert.deepEqual(await page.$$eval(".game-title bdi", (all) => all.map((part) => part.textContent)), ["محمد", "Bob", "كأس", "1984.05.06"]);
});

test("positions are told apart by their names, and what cannot be read is told beside them", async () => {
  const page = await browser.page();
  const [lone, other] = ["k/3/5/7/9/11/11/11/11/11/5K5 w - - 0 1", "k/3/5/7/9/11/11/11/11/11/5K5 b - - 0 7"];
  await paste(page, `${lone}; id far kings\n${other}\n${lone}; game glimski\n`);
  await page.waitForSelector("dialog h2:has-text('2 positions in the text')");
  assert.deepEqual(await page.$$eval(".game-row > span:last-child", (all) => all.map((row) => [...row.children].map((part) => part.textContent))), [
    ["far kings", "Gliński's hexagonal chess · White to move, move 1"],
    ["Gliński's hexagonal chess", "Black to move, move 7"],
  ]);
  assert.match(await page.textContent(".refused"), /^line 3: .*'glimski'/);
  await page.fill("[type=search]", "far");
  assert.equal(await page.locator(".game-row:visible").count(), 1);
  await page.click(".game-row:visible");
  await page.waitForFunction(() => document.querySelectorAll("[data-piece]").length === 2);
  // What is shown at once has the faults of the others in notes.
  await paste(page, `1. e5 *\n\n[Variant "Glimski"]\n\n1. e5 *\n`);
  await page.waitForSelector(".note.bad:has-text('Glimski')");
  await page.waitForSelector('.move[data-move="e4e5"]');
  assert.deepEqual(browser.faults, []);
});

test("a text is too long when its request is", async () => {
  const page = await browser.page();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['"'.repeat(600_000)], "quoted.pgn"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await page.waitForSelector(".note.bad:has-text('quoted.pgn has more than a mebibyte')");
  assert.deepEqual(browser.faults, []);
});

test("variations are promoted and deleted, moves marked and commented, all undone, and kept over a reload", async () => {
  const page = await browser.page();
  await play(page, "e4e5");
  await play(page, "e7e6");
  await page.keyboard.press("ArrowLeft");
  await play(page, "f7f6");
  assert.equal(await page.locator(".variation").count(), 1);
  // Up and down change between the two.
  await page.keyboard.press("ArrowUp");
  await page.waitForSelector('.move[data-move="e7e6"][aria-current="true"]');
  await page.keyboard.press("ArrowDown");
  await page.waitForSelector('.move[data-move="f7f6"][aria-current="true"]');
  await page.click("#promote");
  assert.equal(await page.getAttribute(".variation .move", "data-move"), "e7e6");
  await page.click('[data-glyph="3"]');
  await page.waitForSelector('.move[data-move="f7f6"] .glyph');
  await page.keyboard.press("c");
  await page.fill("#comment", "A comment & <i>more</i>");
  await page.keyboard.press("Tab");
  await page.waitForSelector(".comment");
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await current(page), "f7f6");
  assert.equal(await page.textContent(".comment"), "A comment & <i>more</i>");
  assert.equal(await page.textContent('.move[data-move="f7f6"] .glyph'), "!!");
  await page.click("#delete");
  await page.waitForFunction(() => !document.querySelector('.move[data-move="f7f6"]'));
  await page.click("#undo");
  await page.waitForSelector('.move[data-move="f7f6"]');
});

test("a move can be typed, and what is wrong with one is told below it", async () => {
  const page = await browser.page();
  assert.match(await page.getAttribute("#typed", "placeholder"), /^Type a move: [a-z]\S*, [A-Z]\S*$/);
  await page.fill("#typed", "Ne9");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#typed-fault:visible");
  assert.equal(await page.textContent("#typed-fault"), "'Ne9' is not legal: no knight of White goes to e9");
  assert.equal(await page.getAttribute("#typed", "aria-invalid"), "true");
  assert.equal(await page.locator(".note").count(), 0);
  await page.fill("#typed", "e5");
  assert.equal(await page.isVisible("#typed-fault"), false);
  await page.keyboard.press("Enter");
  await page.waitForSelector('.move[data-move="e4e5"][aria-current="true"]');
  browser.faults.length = 0;
});

test("what is typed while a move is awaited is the next move", async () => {
  const page = await browser.page();
  let release = await held(page, "position");
  await page.fill("#typed", "e5");
  await page.keyboard.press("Enter");
  await page.keyboard.type("e6");
  await page.keyboard.press("Enter");
  release();
  await page.waitForSelector('.move[data-move="e7e6"][aria-current="true"]');
  assert.equal(await page.inputValue("#typed"), "");
  // A move that is wrong does not take the place of the next one.
  release = await held(page, "position");
  await page.keyboard.type("Ne9");
  await page.keyboard.press("Enter");
  await page.keyboard.type("d5");
  release();
  await page.waitForSelector(".note.bad:has-text('Ne9')");
  assert.equal(await page.inputValue("#typed"), "d5");
  browser.faults.length = 0;
});

test("moves that are typed in haste are made one after the other, also while another tab is shown", async () => {
  const page = await browser.page();
  const release = await held(page, "position");
  await page.click("#typed");
  for (const text of ["e5", "e6", "d5"]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  }
  await page.click("#tab-learn");
  release();
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("after d5"));
  await page.click("#tab-analyse");
  assert.deepEqual(await moves(page), ["e4e5", "e7e6", "d3d5"]);
  assert.equal(await page.inputValue("#typed"), "");
  assert.deepEqual(browser.faults, []);
});

test("a typed move that cannot be shown comes back, and the next one is not made in its place", async () => {
  const page = await browser.page();
  let asked = 0;
  let release;
  const first = new Promise((done) => (release = done));
  await page.route("**/api/position", async (route) => {
    asked += 1;
    await first;
    await (asked === 2 ? route.fulfill({ status: 500 }) : route.continue());
  });
  await page.fill("#typed", "e5");
  await page.keyboard.press("Enter");
  await page.keyboard.type("e6");
  await page.keyboard.press("Enter");
  release();
  await page.waitForSelector(".note.bad:has-text('Not played: e6')");
  assert.equal(await page.inputValue("#typed"), "e5");
  assert.deepEqual(await moves(page), []);
  assert.doesNotMatch(await page.textContent("#say"), /played/);
  await page.keyboard.press("Enter");
  await page.waitForSelector('.move[data-move="e4e5"][aria-current="true"]');
  browser.faults.length = 0; // The browser notes the request that failed.
});

test("a move that is typed before its position has come waits for that, and is told if another one is shown", async () => {
  const page = await browser.page();
  await play(page, "e4e5");
  await play(page, "e7e6");
  // After a reload only the position on the board is known.
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  let release;
  const first = new Promise((done) => (release = done));
  await page.route("**/api/position", async (route) => {
    await first;
    await route.continue();
  }, { times: 1 });
  await Promise.all([page.waitForRequest("**/api/position"), page.click("#back")]);
  const answered = page.waitForResponse("**/api/position");
  await page.fill("#typed", "f6");
  await page.keyboard.press("Enter");
  await answered;
  release();
  await page.waitForSelector('.move[data-move="f7f6"][aria-current="true"]');
  assert.deepEqual(await moves(page), ["e4e5", "e7e6", "f7f6"]);
  const go = await held(page, "position");
  await page.fill("#typed", "d5");
  await page.keyboard.press("Enter");
  await page.keyboard.type("d6");
  await page.click("#back");
  go();
  await page.waitForSelector(".note.bad:has-text(\"'d5' is not played\")");
  assert.equal(await page.inputValue("#typed"), "d6");
  assert.deepEqual(browser.faults, []);
});

test("a game against the engine: it answers, gives hints, takes back, and counts the time", async () => {
  const page = await browser.page({ settings: { level: 1 } });
  await page.click("#tab-play");
  await page.selectOption("#panel select", "180000+2000");
  await page.click("#play-begin");
  await play(page, "e4e5").catch(() => {});
  await page.waitForFunction(() => document.querySelectorAll("#moves button.move").length === 2);
  assert.equal(await page.locator(".clock").count(), 2);
  await page.waitForSelector("#play-state:has-text('Your move')");
  // A reload does not end the game.
  await page.reload();
  await page.waitForSelector("#play-state:has-text('Your move')");
  assert.equal(await page.locator("#moves button.move").count(), 2);
  assert.match(await page.textContent(".clock.running"), /^[23]:\d\d$/);
  await page.click("#hint");
  await page.waitForSelector(".hx-mark-hint");
  assert.equal(await page.locator(".hx-mark-hint").count(), 2, "from where and to where");
  await page.click("#takeback");
  await page.waitForFunction(() => document.querySelectorAll("#moves button.move").length === 0);
  // Black's pieces are not the user's.
  await page.click('[data-cell="e7"]');
  assert.equal(await page.locator(".hx-goal").count(), 0);
  await page.click("#resign");
  assert.match(await page.textContent("#play-state"), /You resigned: Black wins/);
  // As Black, the engine begins and the board is turned.
  await page.click("#play-again");
  await page.click('[data-side="b"]');
  await page.click("#play-begin");
  await page.waitForFunction(() => document.querySelectorAll("#moves button.move").length === 1);
  const y = async (cell) => (await page.locator(`[data-cell="${cell}"]`).boundingBox()).y;
  assert.ok((await y("f11")) > (await y("f1")));
  assert.deepEqual(browser.faults, []);
});

test("the level is chosen by its words, kept, and is what the program is asked for", async () => {
  const page = await browser.page();
  await page.click("#tab-play");
  const asked = [];
  page.on("request", (request) => request.url().endsWith("/api/play") && asked.push(JSON.parse(request.postData()).level));
  for (const [key, name] of [["Home", "Newcomer"], ["ArrowRight", "Beginner"], ["ArrowRight", "Learner"]]) {
    await page.focus("#level");
    await page.keyboard.press(key);
    assert.match(await page.textContent(".level-name"), new RegExp(name));
    assert.match(await page.getAttribute("#level", "aria-valuetext"), new RegExp(name));
  }
  assert.ok((await page.textContent(".level-words")).length > 20);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.match(await page.textContent(".level-name"), /3\. Learner/);
  await page.click("#play-begin");
  await page.click('[data-cell="e4"]');
  await page.click('[data-cell="e5"]');
  await page.waitForFunction(() => document.querySelectorAll("#moves button.move").length === 2);
  assert.match(await page.textContent("#panel"), /against level 3, Learner/);
  assert.deepEqual(asked, [3]);
});

test("a clock that runs out ends the game", async () => {
  const page = await browser.page({ settings: { level: 1 } });
  await page.clock.install();
  await page.click("#tab-play");
  await page.selectOption("#panel select", "180000+2000");
  await page.click("#play-begin");
  await page.waitForSelector("#play-state:has-text('Your move')");
  await page.clock.runFor(65_000);
  await page.waitForSelector(".clock.running:text-matches('^1:5')");
  await page.clock.runFor(120_000);
  await page.waitForSelector("#play-state:has-text('You ran out of time')");
  // Nothing can be moved any more, and the clocks stand.
  assert.equal(await page.locator(".clock.running").count(), 0);
  await page.click("#play-again");
  await page.waitForSelector("#play-begin");
});

test("a review shows graph, accuracy, mistakes and better lines, and leads to the positions", async () => {
  const page = await browser.page();
  await paste(page, "1. e4e5 e7e6 2. e1a5 g10h8 3. a5b7 *");
  await page.waitForSelector('.move[data-move="a5b7"], .note.bad');
  await page.click("#tab-review");
  await page.selectOption("#panel select", "10000");
  await page.click("#review-begin");
  await page.waitForSelector("#annotate");
  assert.ok((await page.locator(".graph-mark").count()) >= 1);
  assert.match(await page.textContent(".summary"), /White.*%/);
  await page.click(".bad-move");
  await page.waitForSelector(".better .pv-move");
  const bad = await current(page);
  assert.ok((await page.textContent("#verdict")).length > 10);
  // Where the mouse was the better line may have come, and its moves are previewed while the mouse is on them.
  await page.mouse.move(0, 0);
  await page.waitForFunction(() => document.querySelectorAll(".hx-arrow-played").length === 1);
  // The graph leads to positions: its left end is the first one.
  const box = await page.locator(".graph").boundingBox();
  await page.mouse.click(box.x + 2, box.y + 20);
  await page.waitForFunction(() => !document.querySelector('.move[aria-current="true"]'));
  await page.click("#annotate");
  await page.waitForSelector(`.move[data-move="${bad}"] .glyph`);
  assert.ok((await page.locator(".variation").count()) >= 1);
  assert.deepEqual(browser.faults, []);
});

test("learning: paths, blockers, pieces that are imagined, readings of the rules", async () => {
  const page = await browser.page();
  await page.click("#tab-learn");
  await page.click('[data-cell="f3"]');
  await page.waitForSelector(".hx-path", { state: "attached" });
  assert.match(await page.textContent("#about-piece"), /White bishop/);
  assert.ok((await page.locator(".hx-path-block").count()) >= 2);
  await choose(page, "chromatic4");
  await page.click('[data-kind="E"]');
  await page.waitForSelector(".hx-path", { state: "attached" });
  assert.match(await page.textContent("#about-piece"), /3-colors 134/);
  assert.match(await page.textContent("#panel"), /The figure is lost/);
  await page.click("#tab-analyse");
  assert.equal(await page.locator(".hx-path").count(), 0);
  assert.deepEqual(browser.faults, []);
});

test("the editor tells broken rules as they are broken, and its position is played on", async () => {
  const page = await browser.page();
  await page.click("#tab-edit");
  await page.waitForSelector(".good-text");
  await page.click('[data-brush="-"]');
  await page.click('[data-cell="g1"]');
  await page.waitForSelector(".fault-list:has-text('king')");
  assert.equal(await page.isDisabled("#edit-use"), true);
  await page.click('[data-brush="K"]');
  await page.click('[data-cell="f5"]');
  await page.waitForSelector(".fault-list, .good-text");
  await page.click('[data-brush="K"]');
  await page.click('[data-cell="f5"]'); // Again: it is taken away.
  await page.click('[data-cell="g1"]');
  await page.waitForSelector(".good-text");
  await page.click('#panel [data-side="b"]');
  await page.waitForFunction(() => / b /.test(document.getElementById("edit-fen").value) && document.querySelector(".good-text"));
  await page.click("#edit-use");
  await page.waitForSelector("#tab-analyse[aria-selected='true']");
  assert.match(await page.textContent("#status"), /Black to move/);
  await play(page, "e7e6");
  assert.deepEqual(browser.faults, []);
});
