// What is copied is run as a person would run it: by a shell, by Python, by Node, by a client of MCP.
const page = await openScreen();
// As the app compares: a description is the text of a node without one, and so is a hint (docs/internals/android.md).
const labelsOf = ({ text, desc, hint }) => [text || desc, hint].filter(Boolean);
const includes = (text, part) => text?.toLowerCase().includes(part.toLowerCase()) ?? false;
const FIELDS = {
  resourceId: (node, value) => node.id === value,
  textEquals: (node, value) => labelsOf(node).includes(value),
  textContains: (node, value) => labelsOf(node).some((text) => includes(text, value)),
  contentDescEquals: (node, value) => node.desc === value,
  contentDescContains: (node, value) => includes(node.desc, value),
  role: (node, value) => node.role === value,
};
const fits = (node, matcher) => Object.entries(matcher).every(([field, value]) => FIELDS[field](node, value));
const env = {
  ...facts.env, PATH: `${facts.binary.replace(/\/[^/]*$/, "")}:${process.env.PATH}`, CLAWPERATOR_TOKEN: facts.token,
};
const execute = (program, ...words) => spawnSync(program, words, { env, cwd: facts.folder, encoding: "utf8" });

/** The forms as they are shown: each by its name. */
const shown = () => page.getByRole("listitem").filter({ has: page.locator(".form-name") }).evaluateAll((list) =>
  Object.fromEntries(list.map((each) => [each.querySelector("button").textContent,
    each.querySelector("code").textContent])));

async function copied(label) {
  await page.getByRole("button", { name: `Copy as ${label}` }).click();
  // What was copied before may still be there for a moment.
  return await until(`${label} is copied`, async () => {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    await page.evaluate(() => navigator.clipboard.writeText(""));
    return text;
  });
}

const candidates = page.getByRole("group", { name: "Selectors, best first" });

async function choose(node) {
  await tree(page).press("Escape");
  await page.getByRole("heading", { name: "No node is selected" }).waitFor();
  await tree(page).locator(`[data-ref="${node.ref}"]`).click();
  await candidates.getByRole("radio").first().waitFor();
}

/** Every matcher of the node; its number of matches must be true. */
async function matchersOf(node, nodes) {
  await choose(node);
  const found = [];
  for (const radio of await candidates.getByRole("radio").all()) {
    await radio.check();
    const matcher = JSON.parse((await shown())["JSON matcher"]);
    const said = await candidates.locator("label").nth(found.length).locator(".badge").textContent();
    const count = nodes.filter((each) => fits(each, matcher)).length;
    same(`matches of ${JSON.stringify(matcher)}`, said, count === 1 ? "1 match" : `${count} matches`);
    same("the node itself matches", fits(node, matcher), true);
    found.push({ matcher, count });
  }
  same("a selector for it", found.length > 0, true);
  same("what is unique comes first", found[0].count, Math.min(...found.map(({ count }) => count)));
  await candidates.getByRole("radio").first().check();
  return found;
}

// Of each kind one: a text, an id of many, a group without either.
let nodes = await nodesOf(phone);
await choose(nodes[0]);
await button(page, "CLI flags").click(); // it is open; its button to copy has no name of its own then
for (const text of ["Apps", "Mobile, Wi-Fi, hotspot", "Search settings"])
  await matchersOf(nodes.find((each) => each.text === text), nodes);

// Each form acts on the node.
const apps = nodes.find((each) => each.text === "Apps");
await choose(apps);
const contains = (outer, inner) =>
  outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3];
const ways = {
  "CLI flags": (text) => execute("bash", "-c", `clawperator click --device ${phone.serial} ${text}`),
  Command: (text) => execute("bash", "-c", text),
  curl: (text) => execute("bash", "-c", text),
  Python: (text) => execute("python3", "-c", text),
  JavaScript: (text) => execute(process.execPath, "--input-type=module", "--eval", text),
  "MCP call": async (text) => {
    const answer = await request("POST", "/mcp", JSON.parse(text));
    return { status: answer.result && !answer.result.isError ? 0 : 1, stdout: JSON.stringify(answer), stderr: "" };
  },
};
// All are copied first: an act changes the screen, and the page then has no node selected.
const texts = {};
for (const label of Object.keys(ways)) texts[label] = await copied(label);
for (const [label, way] of Object.entries(ways)) {
  await simctl(phone, "reset");
  await simctl(phone, "show", "com.android.settings", "home");
  const text = texts[label];
  const ended = await way(text);
  const touches = await ask(phone, "touches");
  const [touch] = touches.filter(({ node }) => node);
  if (ended.status !== 0 || touches.length !== 1 || !contains(touch.node.bounds, apps.bounds))
    throw new Error(`${label}: ${text}\n${ended.status} ${ended.stdout} ${ended.stderr} ${JSON.stringify(touches)}`);
}

// Texts that quote, break lines, and turn: every form for every purpose is what it says it is.
await simctl(phone, "show", "com.clawperator.conformance", "texts");
await row(page, "a b").waitFor();
nodes = await nodesOf(phone);
const pythons = [], shells = [];
async function formsAreValid(matcher) {
  const text = await shown();
  same("the matcher of the action", JSON.parse(text.Action).params.matcher, matcher);
  same("a call of a tool", JSON.parse(text["MCP call"]).method, "tools/call");
  new (async () => {}).constructor(text.JavaScript);
  pythons.push(text.Python);
  shells.push(text.Command, text.curl);
  return text["CLI flags"];
}

const hard = nodes.filter(({ id, text, desc }) => id && (text || desc) && !id.startsWith("android:"));
await choose(hard[0]);
await button(page, "Read").click();
for (const node of hard) {
  await choose(node);
  const matcher = JSON.parse((await shown())["JSON matcher"]);
  same("the node itself matches", fits(node, matcher), true);
  const flags = await formsAreValid(matcher);
  const done = execute("bash", "-c", `clawperator read --device ${phone.serial} ${flags}`);
  if (done.status !== 0) throw new Error(`${flags}: ${done.stdout} ${done.stderr}`);
}
for (const purpose of ["Tap", "Long press", "Type", "Wait"]) {
  await button(page, purpose).click();
  await page.getByRole("checkbox", { name: "strict" }).setChecked(purpose !== "Tap");
  await formsAreValid(JSON.parse((await shown())["JSON matcher"]));
}
const parse = "import ast, json, sys; [ast.parse(each) for each in json.loads(sys.argv[1])]";
const parsed = execute("python3", "-c", parse, JSON.stringify(pythons));
same("Python", [parsed.status, parsed.stderr], [0, ""]);
same("shell", execute("bash", "-n", "-c", shells.join("\n")).status, 0);
await picture(page, "candidates");
await done({ pythons: pythons.length });
