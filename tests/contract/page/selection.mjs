const page = await openScreen();
const nodes = await nodesOf(phone);
const areaOf = ([left, top, right, bottom]) => (right - left) * (bottom - top);

/** What lies at a point: the smallest node that contains it. */
const smallestAt = ([x, y]) => nodes
  .filter(({ bounds: [left, top, right, bottom] }) => x >= left && x < right && y >= top && y < bottom)
  .reduce((best, node) => (areaOf(node.bounds) <= areaOf(best.bounds) ? node : best));

async function outlineIs(kind, { ref, bounds: [left, top, right, bottom] }) {
  const from = await onPage(page, [left, top]), to = await onPage(page, [right, bottom]);
  await until(`the outline of ${ref}`, async () => {
    const box = await page.locator(`.outline.${kind}`).boundingBox();
    if (!box) return false;
    const off = [box.x - from.x, box.y - from.y, box.x + box.width - to.x, box.y + box.height - to.y];
    return off.every((each) => Math.abs(each) <= 1.5);
  });
}

const rowOf = (ref) => tree(page).locator(`[data-ref="${ref}"]`);
for (const text of ["Display & touch", "Search settings", "Battery"]) {
  const node = nodes.find((each) => each.text === text);
  const center = [(node.bounds[0] + node.bounds[2]) / 2, (node.bounds[1] + node.bounds[3]) / 2];
  const meant = smallestAt(center), at = await onPage(page, center);
  await page.mouse.move(at.x, at.y);
  await outlineIs("hover", meant);
  await page.mouse.click(at.x, at.y);
  await until(`${text} is selected in the tree`, async () => (await selectedRef(page)) === meant.ref);
  await outlineIs("selected", meant);
  await page.getByRole("heading", { name: text }).waitFor();
}
await page.mouse.move(0, 0);
await picture(page, "selection");

for (const text of ["Apps", "Storage"]) {
  const node = nodes.find((each) => each.text === text);
  await rowOf(node.ref).hover();
  await outlineIs("hover", node);
  await rowOf(node.ref).click();
  await outlineIs("selected", node);
  same("one row alone", await tree(page).locator('[aria-selected="true"]').count(), 1);
}

// By keys, with what the tree says of its rows to a screen reader.
await tree(page).press("Home");
await outlineIs("selected", nodes[0]);
await tree(page).press("ArrowDown");
await outlineIs("selected", nodes[1]);
same("the active row", await tree(page).getAttribute("aria-activedescendant"),
  await rowOf(nodes[1].ref).getAttribute("id"));
await tree(page).press("Escape");
same("none", await page.locator(".outline.selected").count(), 0);

// The other views of the same screen.
await rowOf(nodes.find((each) => each.text === "Apps").ref).click();
await button(page, "Full").click();
await until("more nodes", async () =>
  Number.parseInt(await page.getByRole("status").filter({ hasText: "nodes" }).textContent()) > nodes.length);
await until("rows fill the list", async () => {
  const [list, last] = [await tree(page).boundingBox(), await rows(page).last().boundingBox()];
  return last && last.y + last.height >= list.y + list.height;
});
await picture(page, "full-tree");
await button(page, "XML").click();
const xml = page.getByRole("region", { name: "XML of the screen" });
await xml.getByText('text="Apps"').waitFor(); // it shows the line of the selected node
await xml.evaluate((list) => list.scrollTo(0, 0));
await xml.getByText("<hierarchy").waitFor();
await button(page, "Compact").click();
await button(page, "interactive").click();
await until("fewer nodes", async () => (await rows(page).count()) < nodes.length);
await button(page, "interactive").click();

const search = page.getByRole("searchbox", { name: "Search the tree" });
const searches = [["text:battery", "Battery"], ["role:text storage", "Storage"],
  ['id:title text:"Sound &"', "Sound & vibration"]];
for (const [words, text] of searches) {
  await search.fill(words);
  await until(`${words} is found`, async () =>
    (await row(page, text).isVisible()) && !(await row(page, "Google").isVisible()));
  await search.press("Enter");
  await until("the first match is selected", async () => (await selectedRef(page)) === (await refOf(row(page, text))));
}
await search.fill("no such thing at all");
await page.getByRole("heading", { name: "No node matches" }).waitFor();
await button(page, "Show all").click();
await rows(page).first().waitFor();
await done();
