const page = await openScreen();
const result = page.getByRole("region", { name: /^Result: / });
const shows = async (screen) => (await ask(phone, "state")).screen === screen;
const resultIs = (name, text) =>
  page.getByRole("region", { name: `Result: ${name}`, exact: true }).getByText(text).first().waitFor();
await tab(page, "Act").click();

// A tap leads to another screen; the tree follows, and what changed is shown.
await row(page, "Display & touch").click();
await page.getByRole("button", { name: "Tap" }).click();
await resultIs("Tap Display & touch", "The screen changed");
same("the phone", await shows("display"), true);
await row(page, "Dark theme").waitFor();
await result.getByText("What changed").waitFor();
same("the diff", (await result.locator("pre.diff").textContent()).includes("Dark theme"), true);
await result.getByRole("group", { name: /^Duration: / }).waitFor();
await result.getByText("What was sent").click();
same("what was sent", JSON.parse(await result.locator("details").last().locator("pre").textContent()).observe, "nodes");
await picture(page, "outcome");
await button(page, "Diff").click();
await page.getByText(/nodes are new or different/).waitFor();
await button(page, "Compact").click();

// Keys, and the buttons of the phone.
await page.keyboard.press("b");
await resultIs("Press back", "The screen changed");
same("the phone", await shows("home"), true);
await row(page, "Display & touch").waitFor();

// A finger on the picture: a drag scrolls.
same("not yet there", await row(page, "Tips & support").count(), 0);
await button(page, "Act").click();
const from = await onPage(page, [540, 2000]), to = await onPage(page, [540, 700]);
await page.mouse.move(from.x, from.y);
await page.mouse.down();
await page.mouse.move(from.x, (from.y + to.y) / 2, { steps: 3 });
await page.mouse.move(to.x, to.y, { steps: 3 });
await picture(page, "drag");
await page.mouse.up();
await until("it scrolls", async () => (await ask(phone, "touches")).some(({ kind }) => /^(swipe|scroll)$/.test(kind)));
await row(page, "Location").or(row(page, "Tips & support")).first().waitFor();
await picture(page, "scrolled");

// And a tap by a finger goes to the node below it.
await until("nothing runs", () => page.getByRole("button", { name: "Home" }).isEnabled());
const about = (await nodesOf(phone)).find(({ text }) => text === "About phone");
const at = await onPage(page, [about.bounds[0] + 20, about.bounds[1] + 20]);
await page.mouse.click(at.x, at.y);
await resultIs("Tap About phone", "The screen changed");
same("the phone", await shows("about"), true);
await button(page, "Act").click();

await page.getByRole("button", { name: "Home" }).click();
await resultIs("Press home", "The screen changed");
same("the phone", (await ask(phone, "state")).package, "com.google.android.apps.nexuslauncher");
await page.getByRole("textbox", { name: "Open an app or an address" }).fill("https://example.org/a");
await button(page, "Open").click();
await resultIs("Open https://example.org/a", "The screen changed");
same("the phone", (await ask(phone, "state")).package, "com.android.chrome");
await page.getByLabel("Another key").fill("volume up");
await button(page, "Press").click();
await resultIs("Press KEYCODE_VOLUME_UP", "The screen is the same as before");
await page.getByRole("button", { name: "Recents" }).click();
await resultIs("Press recents", "The screen changed");
same("each is a step", await (async () => {
  await tab(page, "Steps").click();
  return await page.getByRole("list").filter({ has: page.locator(".step") }).getByRole("listitem").count();
})(), 8);
await done();
