const page = await openScreen();
const list = tree(page);
const scrolled = () => list.evaluate((element) => element.scrollTop);
const rowsInPage = () => rows(page).count();

const answered = page.getByRole("group", { name: "Selectors, best first" })
  .or(page.getByText("No selector names this node"));

/** A row by how its text begins. */
const begins = (text) => rows(page).filter({ hasText: `"${text.slice(0, 30)}` }).first();

// Every text is shown as it is, wherever a text is shown.
for (const text of facts.texts) {
  const found = begins(text);
  await found.click();
  await until("it is selected", async () => (await selectedRef(page)) === (await refOf(found)));
  await answered.waitFor();
  for (const name of ["Act", "Selector"]) await tab(page, name).click();
}
await picture(page, "hostile");
await begins("user").click();
await page.locator(".forms").getByText("u202e").first().waitFor();
const forms = await page.locator(".forms").textContent();
same("no mark of direction is copied as itself", /[\u202a-\u202e]/.test(forms), false);
await tab(page, "Act").click();
await begins("<script>").click();
await page.getByRole("button", { name: "Tap" }).click();
await page.getByRole("region", { name: /^Result: Tap <script>/ }).waitFor();
await until("the act ends", () => page.getByRole("button", { name: "Home" }).isEnabled());
await tab(page, "Steps").click();
await page.locator(".step .title").first().waitFor();
await picture(page, "hostile-steps");
for (const view of ["Full", "XML", "Compact"]) {
  await button(page, view).click();
  await page.getByText(view === "XML" ? "<hierarchy" : "<script>").first().waitFor();
}

// The long text leaves the page usable: what follows it can be reached.
await tab(page, "Selector").click();
await begins("long word").click();
await answered.waitFor();
await picture(page, "hostile-long");
const fits = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
same("the page is no wider than its window", fits, true);
const pane = await page.getByRole("tabpanel", { name: "Selector" }).evaluate((element) => element.scrollHeight);
same(`the pane has a bearable height: ${pane}`, pane < 5000, true);

// Ten thousand nodes, as the phone's own shell reads them.
await simctl(phone, "fault", "tree-file", "/data/local/tmp/tree.xml");
await simctl(phone, "fault", "package-missing");
await button(page, "Refresh").click();
await button(page, "Read by the phone's own shell").click();
await until("all are there", async () =>
  (await page.getByRole("status").filter({ hasText: "nodes" }).textContent()).startsWith("10000 "));
same("few rows are drawn", (await rowsInPage()) < 200, true);
await list.press("End");
await row(page, "number 9999").waitFor();
same("few rows are drawn", (await rowsInPage()) < 200, true);
await list.press("Home");
await until("the top", async () => (await scrolled()) === 0);
await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
await row(page, "number 9999").waitFor();
await picture(page, "many-nodes");
const search = page.getByRole("searchbox", { name: "Search the tree" });
await search.fill('text:"number 7777"');
await until("one is found", async () => (await page.getByText("1 of 10000 nodes").count()) === 1);
await search.press("Enter");
await until("and selected", async () => (await selectedRef(page)) === (await refOf(row(page, "number 7777"))));
await search.fill("");
await until("it stays in sight", () => row(page, "number 7777").isVisible());
same("few rows are drawn", (await rowsInPage()) < 200, true);
same("no script has run", await page.evaluate(() => window.hostile ?? null), null);
await done();
