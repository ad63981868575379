const page = await openScreen();
const screenIs = async (screen) => (await ask(phone, "state")).screen === screen;
const list = page.locator("ol.step-list").getByRole("listitem");
const titles = () => page.locator(".step .title").allTextContents();
const ended = () => until("the act ends", () => page.getByRole("button", { name: "Home" }).isEnabled());
const field = page.getByRole("textbox", { name: /^Type / });
const form = async () => Object.fromEntries((await nodesOf(phone)).map(({ id, text }) => [id?.split("/")[1], text]));

async function tapNode(node) {
  await node.click();
  await page.getByRole("button", { name: "Tap" }).click();
  await ended();
}

async function typeInto(id, text) {
  await tree(page).getByText(`#${id}`).click();
  await field.fill(text);
  await button(page, "Type").last().click();
  await ended();
}

// Each act becomes a step, by a matcher: a ref would be of one screen alone.
await tab(page, "Act").click();
await tapNode(row(page, "Form"));
await tree(page).getByText("#name_field").waitFor();
await typeInto("name_field", "Ada");
await typeInto("email_field", "ada@example.org");
await tapNode(row(page, "Submit"));
same("the phone", await screenIs("greeting"), true);
await page.getByLabel("Another key").fill("volume up");
await button(page, "Press").click();
await ended();
await page.getByRole("textbox", { name: "Open an app or an address" }).fill("conformance://home");
await button(page, "Open").click();
await ended();
await tab(page, "Steps").click();
same("steps", await list.count(), 6);
await picture(page, "steps");

// Reordered: the last becomes the first. By the keyboard, too, and the focus stays with the step.
for (const at of [6, 5, 4]) await button(page, `Move step ${at} up`).click();
await button(page, "Move step 3 up").focus();
await page.keyboard.press("Enter");
await page.keyboard.press("Enter");
same("order", await titles(), ["Open conformance://home", 'Tap "Form"', ...(await titles()).slice(2)]);
same("the last", (await titles())[5], "Press KEYCODE_VOLUME_UP");

// Edited: what is no step is not kept.
await button(page, "Edit step 4").click();
const editor = page.getByRole("textbox", { name: /^The action as JSON/ });
const email = JSON.parse(await editor.inputValue());
await editor.fill("{");
await button(page, "Keep").click();
await page.getByRole("alert").getByText("This is no step").waitFor();
await editor.fill(JSON.stringify({ ...email, params: { ...email.params, text: "grace@example.org" } }));
await button(page, "Keep").click();
await button(page, "Make a value of the text of step 3").click();
const value = page.getByRole("group", { name: "Values" }).getByRole("textbox");
same("the value", await value.inputValue(), "Ada");
await value.fill("");
same("without the value", await button(page, "Run all").isDisabled(), true);
await value.fill("Grace");

// Removed, and back again.
await button(page, "Remove step 6").click();
same("one is gone", await list.count(), 5);
await button(page, "Undo").click();
same("and back", await list.count(), 6);

// Replayed from elsewhere: the phone is where it should be.
await simctl(phone, "show", "com.android.settings", "home");
await button(page, "Run all").click();
await until("all ran", async () =>
  (await page.locator(".step .badge").count()) === 6 && (await button(page, "Run all").isEnabled()));
same("the phone", await screenIs("greeting"), true);
await picture(page, "steps-ran");
await simctl(phone, "show", "com.clawperator.conformance", "form");
const { name_field, email_field } = await form();
same("what was typed", [name_field, email_field], ["Grace", "grace@example.org"]);

async function save(kind, name, skill) {
  await button(page, "Save…").click();
  const dialog = page.getByRole("dialog", { name: "Save the steps" });
  await button(dialog, kind).click();
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  if (skill) await dialog.getByLabel("Id of the skill").fill(skill);
  await picture(page, `save-${name}`);
  const [file] = await Promise.all([page.waitForEvent("download"), button(dialog, "Download").click()]);
  await file.saveAs(`${facts.folder}/${file.suggestedFilename()}`);
  await button(dialog, "Close").first().click();
  return `${facts.folder}/${file.suggestedFilename()}`;
}
const answerOf = (ran) => {
  if (ran.status !== 0) throw new Error(ran.stdout + ran.stderr);
  return JSON.parse(ran.stdout);
};

const execution = await save("Execution", "by-the-page");
answerOf(run("exec", execution, "--validate-only"));
await simctl(phone, "show", "com.android.settings", "home");
answerOf(run("exec", execution, "--device", phone.serial));
same("the phone", await screenIs("greeting"), true);
const written = JSON.parse(readFileSync(execution, "utf8"));
same("what it does", written.actions.map(({ type }) => type),
  ["open_uri", "click", "enter_text", "enter_text", "click"]);
same("with its value", written.actions[2].params.text, "Grace");
const recipe = await save("Skill recipe", "fill", "com.clawperator.conformance.fill");
const whole = await save("List of steps", "whole");

// Loaded again.
await button(page, "Clear").click();
await page.getByRole("heading", { name: "No steps yet" }).waitFor();
const load = (path) => page.getByLabel("File with steps").setInputFiles(path);
writeFileSync(`${facts.folder}/broken.json`, '{"actions":[{"type":"fly"}]}');
await load(`${facts.folder}/broken.json`);
await page.getByRole("alert").getByText("The file was not loaded").waitFor();
same("none", await list.count(), 0);
for (const [path, count] of [[whole, 6], [execution, 5], [recipe, 5]]) {
  await load(path);
  await until(`${path} is loaded`, async () => (await list.count()) === count);
  if (path === whole) await page.reload();
  await until("a reload keeps them", async () => (await tab(page, "Steps").isVisible()));
  await tab(page, "Steps").click();
  same(`steps of ${path}`, (await titles()).length, count);
  await button(page, "Clear").click();
}
await done({ recipe });
