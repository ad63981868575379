// The rules of axe in each state of the page, in both themes and at three widths.
const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const found = [];

async function runAxe(page, state, options) {
  const wanted = { ...options, resultTypes: ["violations"] };
  const { violations } = await page.evaluate((chosen) => window.axe.run(document, chosen), wanted);
  for (const { id, nodes } of violations) {
    const places = nodes.slice(0, 3).map(({ target, failureSummary }) => `${target} ${failureSummary}`);
    found.push(`${state}: ${id}: ${places.join("; ")}`);
  }
  await picture(page, `axe-${state}`);
}

/** The themes differ in colours alone. */
async function judge(page, state) {
  await runAxe(page, `light-${state}`, {});
  for (const [scheme, options] of [["dark", { runOnly: ["color-contrast"] }], ["light", null]]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.locator(`html[data-theme="${scheme}"]`).waitFor();
    if (options) await runAxe(page, `${scheme}-${state}`, options);
  }
}

for (const [width, height] of [[1280, 860], [768, 1000], [390, 800]]) {
  const page = await open({ width, height, token: null });
  // The policy of the page forbids scripts of others in its text, and not what the browser is sent by its debugger.
  await page.evaluate(axe);
  const state = (name) => judge(page, `${width}-${name}`);
  await state("token");
  await showToken(page, facts.token);
  await tab(page, "Screen").waitFor();
  if (width === 390) await screenImage(page).waitFor();
  if (width < 1100) await tab(page, "Tree").click();
  await row(page, "Dark theme").click();
  await state("selected");
  await tab(page, "Selector").click();
  await page.getByRole("group", { name: "Selectors, best first" }).waitFor();
  await state("selector");
  await tab(page, "Act").click();
  await page.getByRole("button", { name: "Tap" }).click();
  await until("the act ends", async () => (await page.getByRole("group", { name: /^Duration: / }).count())
    && (await page.getByRole("button", { name: "Tap" }).isEnabled()));
  await state("outcome");
  await tab(page, "Steps").click();
  await button(page, "Save…").click();
  await state("dialog");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await state("keys");
  await page.keyboard.press("Escape");
  await tab(page, "Skills").click();
  await page.getByRole("list", { name: "Skills" }).getByRole("button", { name: "waits" }).click();
  await page.getByRole("heading", { name: "com.a.waits" }).waitFor();
  await state("skills");
  await tab(page, "Agent skills").click();
  await page.getByRole("list", { name: "Agent skills" }).getByRole("button", { name: /weather/ }).click();
  await page.getByText("missing:").first().waitFor();
  await state("agent-skills");
  await page.context().close();
}
same("findings", found, []);
await done();
