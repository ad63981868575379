// The page by keys alone, with the focus in sight; motion that is not wanted.
const page = await openScreen();
await page.reload(); // the focus is at the beginning
await rows(page).first().waitFor();
// What turns while the page waits is all that moves.
const motion = () => page.evaluate(() => {
  const spinner = document.createElement("span");
  spinner.className = "spinner";
  document.body.append(spinner);
  const { animationName } = getComputedStyle(spinner);
  spinner.remove();
  return animationName;
});
same("motion that is not wanted", await motion(), "none");
await page.emulateMedia({ reducedMotion: "no-preference" });
same("motion", await motion(), "turn");

/** What has the focus, and whether its looks say so. */
const focused = () => page.evaluate(() => {
  const looks = (each) => {
    const { outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor } = getComputedStyle(each);
    if (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) return "outline";
    return [boxShadow, borderColor, backgroundColor].join();
  };
  const each = document.activeElement;
  if (each === document.body) return null;
  const with_ = looks(each);
  const name = each.getAttribute("aria-label") ?? each.id ?? "";
  const what = `${each.tagName} ${name} ${each.textContent.slice(0, 20)}`;
  if (with_ === "outline") return { what, seen: true };
  each.blur();
  const without = looks(each);
  each.focus();
  return { what, seen: with_ !== without };
});

const passed = [];
for (let count = 0; count < 60; count += 1) {
  await page.keyboard.press("Tab");
  const one = await focused();
  if (!one) break;
  passed.push(one.what);
  same(`the focus on ${one.what}`, one.seen, true);
}
const parts = ["tab-screen", "Search the tree", "Nodes of the screen", "pane-tab-selector"];
same(`all parts are reached: ${passed.join(" | ")}`, parts
  .every((part) => passed.some((what) => what.includes(part))), true);

// Search, tree, act, and the list of keys.
await page.keyboard.press("/");
const hasFocus = (one) => one.evaluate((each) => each === document.activeElement);
await until("the search has the focus", () => hasFocus(page.getByRole("searchbox", { name: "Search the tree" })));
await page.keyboard.type("display");
await page.keyboard.press("Enter");
const first = await refOf(row(page, "Display & touch"));
await until("the match is selected", async () => (await selectedRef(page)) === first);
await page.keyboard.press("ArrowUp");
await until("the one above", async () => (await selectedRef(page)) !== first);
await page.keyboard.press("ArrowDown");
await until("and back", async () => (await selectedRef(page)) === first);
await page.keyboard.press("?");
const keys = page.getByRole("dialog", { name: "Keys" });
await keys.getByText("search the tree").waitFor();
await keys.getByText("tap the selected node").waitFor();
await picture(page, "keys");
await page.keyboard.press("Escape");
await until("closed", async () => (await keys.count()) === 0);
same("the focus is where it was", await hasFocus(tree(page)), true);
await page.keyboard.press("t");
await until("the key taps", async () => (await ask(phone, "state")).screen === "display");
await page.keyboard.press("Escape");
await until("nothing is selected", async () => (await tree(page).locator('[aria-selected="true"]').count()) === 0);
for (const [key, name] of [["2", "Skills"], ["3", "Agent skills"], ["1", "Screen"]]) {
  await page.keyboard.press(key);
  await until(name, async () => (await tab(page, name).getAttribute("aria-selected")) === "true");
}
await tab(page, "Screen").focus();
await page.keyboard.press("ArrowRight");
same("arrows move among tabs", await tab(page, "Skills").getAttribute("aria-selected"), "true");

// The theme by choice, which stays.
const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const light = await background();
await page.getByLabel("Theme").selectOption("dark");
await until("dark", async () => (await background()) !== light);
await page.reload();
await tab(page, "Skills").waitFor();
same("it stays", (await background()) !== light, true);
await done();
