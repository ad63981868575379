const page = await openScreen();
const field = page.getByRole("textbox", { name: /^Type / });
const type = () => button(page, "Type").last().click();
const result = page.getByRole("region", { name: /^Result: / });
const typed = async (id) => (await nodesOf(phone)).find((node) => node.id.endsWith(`:id/${id}`))?.text;
const FORM = ["com.clawperator.conformance", "form"];
const stays = async (what, text) => same(`${what}: what was typed`, await field.inputValue(), text);

await tab(page, "Act").click();
await tree(page).getByText("#name_field").click();
await page.getByText("Type into").waitFor();
await field.fill("Ada Lovelace");

// The tree is read again: the node is found again, the text stays.
await simctl(phone, "show", "com.clawperator.conformance", "home");
await row(page, "Big screen").waitFor();
await stays("another screen", "Ada Lovelace");
await simctl(phone, "show", ...FORM);
await tree(page).getByText("#name_field").waitFor();
await button(page, "Refresh").click();
await stays("the first screen again", "Ada Lovelace");

// The act fails: the Operator app is gone.
await tree(page).getByText("#name_field").click();
await simctl(phone, "fault", "package-missing");
await type();
await result.getByText(/^OPERATOR_/).waitFor();
await stays("the app is gone", "Ada Lovelace");
same("nothing was typed", (await ask(phone, "touches")).length, 0);
await picture(page, "typing-failed");
await tab(page, "Steps").click();
await tab(page, "Act").click();
await stays("another pane", "Ada Lovelace");
await simctl(phone, "clear", "package-missing");

await until("it is typed", async () => {
  await type();
  await until("the act ends", () => button(page, "Type").last().isEnabled());
  return (await typed("name_field")) === "Ada Lovelace";
});
await stays("done", "Ada Lovelace");

// A password is shown nowhere, and is gone once it is typed.
const secret = "s3cret-of-the-phone";
await tree(page).getByText("#password_field").click();
same("hidden", await page.getByRole("checkbox", { name: "Secret" }).isChecked(), true);
same("its kind", await page.locator("#act-text").getAttribute("type"), "password");
await page.locator("#act-text").fill(secret);
await type();
await until("the field is empty", async () => (await page.locator("#act-text").inputValue()) === "");
const stored = await page.evaluate(() =>
  JSON.stringify({ ...sessionStorage, ...localStorage }) + document.documentElement.outerHTML);
same("the secret is nowhere", stored.includes(secret), false);
same("but for a placeholder", stored.includes("{{SECRET}}"), true);
await picture(page, "typing");
await done();
