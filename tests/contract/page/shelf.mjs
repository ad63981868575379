import { spawnSync } from "node:child_process";
const run = ([program, ...words]) => spawnSync(program, words, { env: facts.env });

const page = await open({ token: null });
await showToken(page, "not-the-token-at-all");
await until("the refusal is shown", () => page.getByText("UNAUTHORIZED").isVisible());
await picture(page, "wrong-token");
await showToken(page, facts.token);
const cardOf = (serial) => page.locator("button.device", { hasText: serial });
await until("both phones", async () => (await cardOf(facts.first).count()) && (await cardOf(facts.second).count()));
await until("its versions", async () => (await cardOf(facts.first).textContent()).includes("0.12.5"));
const first = await cardOf(facts.first).textContent(), second = await cardOf(facts.second).textContent();
await picture(page, "shelf");
run(facts.disconnect);
await until("it vanishes", async () => (await cardOf(facts.second).count()) === 0);
run(facts.connect);
await until("it returns", async () => (await cardOf(facts.second).count()) === 1);
await done({ first, second });
