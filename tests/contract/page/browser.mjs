// A real browser on the page of a server: what the checks of this folder have in common. The text of a check follows
// behind this; it ends with `done(value)`. Everything that a page must not do is a fault: an error of a script, a line
// in the console, a request to another server, a breach of its policy.
import { chromium } from "playwright-core";
import { readFileSync } from "node:fs";

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

async function done(value) {
  await browser.close();
  console.log(JSON.stringify({ value, faults }));
}
