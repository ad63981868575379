// A real browser on the page of a server: what the checks of this folder have in common. The text of a check
// follows behind this, as the body of `check`; it ends with `done(value)`. Everything that a page must not do is a
// fault: an error of a script, a line in the console, a request to another server, a breach of its policy.
import { chromium } from "playwright-core";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";

const facts = JSON.parse(readFileSync(0, "utf8"));
const browser = await chromium.launch({
  executablePath: facts.chromium,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"],
});
const faults = [];
// Requests that fail on purpose: their line in the console is the browser's own.
const isRefusal = (text) => text.startsWith("Failed to load resource: the server responded with a status of");

async function open({ path = "/", width = 1280, height = 860, scheme = "light", token = facts.token } = {}) {
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme: scheme, reducedMotion: "reduce", acceptDownloads: true,
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(facts.limit);
  page.on("pageerror", (error) => faults.push(`error: ${error}`));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("console", (message) => {
    if (message.type() === "error" && !isRefusal(message.text())) faults.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(facts.url) && !/^(blob|data):/.test(url)) faults.push(`request: ${url}`);
  });
  await page.goto(facts.url + path);
  if (token) await showToken(page, token);
  return page;
}

async function showToken(page, token) {
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Open" }).click();
}

/** What a check finds out beside the page: by the binary, by the phone's control socket, by a request of its own. */
const [phone, other] = facts.phones;
const run = (...words) => spawnSync(facts.binary, words, { env: facts.env, cwd: facts.folder, encoding: "utf8" });

function simctl({ control }, ...words) {
  return new Promise((resolve, reject) => {
    const [host, port] = control.split(":");
    let text = "";
    const socket = connect({ host, port: Number(port) }, () => socket.write(words.join(" ") + "\n"));
    socket.setEncoding("utf8").on("error", reject).on("data", (more) => {
      text += more;
      const end = /^exit (\d+)\n$/m.exec(text);
      if (!end) return;
      socket.destroy();
      const output = text.slice(0, end.index);
      if (end[1] === "0") resolve(output);
      else reject(new Error(`simctl ${words.join(" ")}: ${output}`));
    });
  });
}

const ask = async (of, ...words) => JSON.parse(await simctl(of, ...words));

async function request(method, path, body) {
  const answer = await fetch(facts.url + path, {
    method, body: body && JSON.stringify(body),
    headers: { Authorization: `Bearer ${facts.token}`, ...(body && { "Content-Type": "application/json" }) },
  });
  return await answer.json();
}

const nodesOf = async ({ serial }) => (await request("GET", `/devices/${serial}/snapshot?format=nodes`)).nodes;

function same(what, actual, wanted) {
  const [found, expected] = [actual, wanted].map((value) => JSON.stringify(value));
  if (found !== expected) throw new Error(`${what}: expected ${expected}, got ${String(found).slice(0, 1000)}`);
}

async function until(what, test) {
  const end = Date.now() + facts.limit;
  for (;;) {
    const value = await test();
    if (value) return value;
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

async function picture(page, name) {
  if (facts.pictures) await page.screenshot({ path: `${facts.pictures}/${name}.png` });
}

/** The parts of the page as a person, or a screen reader, finds them. */
const tree = (page) => page.getByRole("tree", { name: "Nodes of the screen" });
const rows = (page) => tree(page).getByRole("treeitem");
const row = (page, text) => rows(page).filter({ hasText: `"${text}"` }).first();
const screenImage = (page) => page.getByRole("img", { name: /^Screen of / });
const button = (within, name) => within.getByRole("button", { name, exact: true });
const tab = (page, name) => page.getByRole("tab", { name, exact: true });

async function openScreen(options) {
  const page = await open(options);
  await screenImage(page).waitFor();
  await rows(page).first().waitFor();
  return page;
}

const refOf = (one) => one.getAttribute("data-ref");
const selectedRef = (page) => refOf(tree(page).locator('[aria-selected="true"]'));

/** A place of the phone's screen on the page. */
async function onPage(page, [x, y]) {
  const box = await screenImage(page).boundingBox();
  const [width, height] = facts.screen;
  return { x: box.x + (x * box.width) / width, y: box.y + (y * box.height) / height };
}

async function done(value = null) {
  await browser.close();
  // A child that the check has started would keep this process alive.
  process.stdout.write(`${JSON.stringify({ value, faults })}\n`, () => process.exit());
}

async function check(body) {
  try {
    await body();
  } catch (problem) {
    for (const context of browser.contexts()) for (const page of context.pages()) await picture(page, "failed");
    throw problem;
  }
}
