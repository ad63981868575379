// Behind tests/contract/page/browser.mjs: what the page takes for its first paint, its first tree, and a selection.
const middle = (values) => [...values].sort((a, b) => a - b);
const paints = [], trees = [];
for (let round = 0; round < facts.rounds; ++round) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  await context.request.post(`${facts.url}/session`, { data: { token: facts.token }, headers: { Origin: facts.url } });
  await page.goto(facts.url + "/");
  await page.getByRole("treeitem").first().waitFor();
  trees.push(await page.evaluate(() => performance.now()));
  paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
  await context.close();
}

const page = await open();
await page.getByRole("treeitem").first().waitFor();
const count = await page.getByRole("tree").getAttribute("aria-label");
const selections = await page.evaluate(async (rounds) => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const took = [];
  for (let round = 0; round < rounds; ++round) {
    const rows = [...document.querySelectorAll("[role=treeitem]")].filter((row) => row.ariaSelected !== "true");
    const row = rows[1 + (round % (rows.length - 2))];
    const began = performance.now();
    (row.querySelector("button") ?? row).click();
    await frame();
    took.push(performance.now() - began);
    if (!document.querySelector("[role=treeitem][aria-selected=true]")) throw new Error("nothing is selected");
  }
  return took;
}, facts.rounds);
await done({ paints: middle(paints), trees: middle(trees), selections: middle(selections), count });
