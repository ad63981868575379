// Skills of the registry: found, read, validated, run with arguments while their output comes.
const page = await open({ path: "/#skills" });
const list = page.getByRole("list", { name: "Skills" });
const result = page.getByRole("region", { name: "Result of the run" });
const output = result.getByRole("log", { name: "Output of the script" });
const args = page.getByRole("textbox", { name: "Arguments, as on a command line" });
await until("all are listed", async () => (await list.getByRole("listitem").count()) === 3);
await page.getByRole("searchbox", { name: "Search skills" }).fill("fails");
await until("one is found", async () => (await list.getByRole("listitem").count()) === 1);
await page.getByRole("searchbox", { name: "Search skills" }).fill("");
await until("all again", async () => (await list.getByRole("listitem").count()) === 3);
await list.getByRole("button", { name: "waits" }).click();
await page.getByRole("heading", { name: "com.a.waits" }).waitFor();
await button(page, "Validate").click();
await page.getByText("The skill is in order").waitFor();
await args.fill(`"${facts.folder}/gate" 'two words'`);
await button(page, "Run").click();
await output.getByText("begun with two words").waitFor();
same("it still runs", await result.getAttribute("aria-busy"), "true");
await picture(page, "skill-runs");
writeFileSync(`${facts.folder}/gate`, "");
await result.getByText("The skill reached its goal").waitFor();
await result.getByText("forty-two").waitFor();
await result.getByText("verified", { exact: true }).waitFor();
same("its device", (await output.textContent()).includes(`on ${phone.serial}`), true);
await picture(page, "skill-result");
await list.getByRole("button", { name: "fails" }).click();
await args.fill("an 'open quote");
same("a quote is open", await button(page, "Run").isDisabled(), true);
await args.fill("");
await button(page, "Run").click();
await result.getByText("SKILL_EXECUTION_FAILED").waitFor();
await output.getByText("fatal").waitFor();

// Agent skills: what is missing, switches, a key, an installation.
const answers = [], sent = [];
page.on("response", async (answer) => answers.push(await answer.text().catch(() => "")));
page.on("request", (one) => one.url().includes("/agent-skills/install") && sent.push(one.postDataJSON()));
const config = () => readFileSync(`${facts.folder}/.openclaw/openclaw.json`, "utf8");
const brewRan = () => existsSync(`${facts.folder}/log`);
await tab(page, "Agent skills").click();
await page.getByRole("list", { name: "Agent skills" }).getByRole("button", { name: /weather/ }).click();
await page.getByText("missing:").first().waitFor();
await picture(page, "agent-skill");
await button(page, "Disable").click();
await button(page, "Enable").waitFor();
same("switched off", /enabled["']?: false/.test(config()), true);
await button(page, "Enable").click();
await button(page, "Disable").waitFor();
same("switched on", /enabled["']?: false/.test(config()), false);

const secret = "key-that-no-page-shows";
const field = page.getByLabel(/WEATHER_KEY/);
await field.fill(secret);
await field.press("Enter");
await page.getByText("WEATHER_KEY is saved. It is not shown again.").waitFor();
same("the field is empty", await field.inputValue(), "");
same("it is in the configuration", config().includes(secret), true);
const shown = await page.evaluate(() => document.documentElement.outerHTML
  + JSON.stringify({ ...localStorage, ...sessionStorage })
  + [...document.querySelectorAll("input")].map(({ value }) => value).join());
same("the page does not have it", shown.includes(secret), false);
await page.reload();
await page.getByRole("list", { name: "Agent skills" }).getByRole("button", { name: /weather/ }).click();
same("nor any answer", answers.some((text) => text.includes(secret)), false);

await button(page, "Install…").click();
const dialog = page.getByRole("dialog", { name: "Install for weather" });
await dialog.getByText("brew install forecast").waitFor();
await picture(page, "install");
await button(dialog, "Cancel").click();
await dialog.waitFor({ state: "hidden" });
same("nothing was installed", [brewRan(), sent.every(({ dryRun }) => dryRun)], [false, true]);
await button(page, "Install…").click();
await button(dialog, "Install").click();
await page.getByText("Installed", { exact: true }).waitFor();
same("the package manager", readFileSync(`${facts.folder}/log`, "utf8"), "install forecast\n");
await page.getByRole("log", { name: "Log of the installation" }).getByText("poured").waitFor();

await button(page, "Prompt preview").click();
await page.getByRole("heading", { name: "What a model reads" }).waitFor();
await page.getByText("Does notes.").last().waitFor();
await picture(page, "prompt");
await done();
