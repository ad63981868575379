// One conversation with a client of the Model Context Protocol's makers; prints what it learned as one line of JSON.
//   arguments: {"package": "sdk" | "client", "era"?: the protocol's era for `client`, "url": ... | "command": ..., "args": [...], "env": {...},
//               "replay"?: [{"tool", "sent", "meant"}], whose answers are [meant, sent] each}
const given = JSON.parse(process.argv.at(-1));
const names = {
  sdk: ["@modelcontextprotocol/sdk/client/index.js", "@modelcontextprotocol/sdk/client/stdio.js",
        "@modelcontextprotocol/sdk/client/streamableHttp.js"],
  client: ["@modelcontextprotocol/client", "@modelcontextprotocol/client/stdio", "@modelcontextprotocol/client"],
}[given.package];
const [{ Client }, { StdioClientTransport }, { StreamableHTTPClientTransport }] =
  await Promise.all(names.map((name) => import(name)));

const faults = [];
const client = new Client({ name: "peer", version: "1" },
                          given.era ? { versionNegotiation: { mode: given.era } } : {});
client.onerror = (error) => error.name === "AbortError" || faults.push(String(error));  // what we abort ourselves is none
const transport = given.url ? new StreamableHTTPClientTransport(new URL(given.url)) : new StdioClientTransport(given);
await client.connect(transport);

const call = (name, args) => client.callTool({ name, arguments: args });
const text = (result) => result.content[0].text;
const { tools } = await client.listTools();
await call("close_app", { package: "com.android.settings", observe: "none" });
await call("open_app", { package: "com.android.settings", observe: "none" });
const snapshot = await call("snapshot", {});
const ref = /(@\d+) "Network & internet"/.exec(text(snapshot))?.[1];
const hash = / hash ([0-9a-f]{12})/.exec(text(snapshot))?.[1];
const tap = await call("tap", { ref: given.url ? hash + ref : ref });  // over HTTP a ref needs its hash
const miss = await call("tap", { selector: { text: "No such text" } });
const shot = await call("screenshot", { max_side: 200 });
const progress = [];
await client.callTool({ name: "execute", arguments: { actions: [{ id: "s", type: "snapshot_ui" }] } },
                      ...(given.package === "sdk" ? [undefined] : []), { onprogress: (each) => progress.push(each.progress) });
let unknown;
await call("no_such_tool", {}).catch((error) => { unknown = error.code; });
const stop = new AbortController();
const wait = client.callTool({ name: "wait_for", arguments: { selector: { text: "No such text" }, timeout_ms: 2000 } },
                             ...(given.package === "sdk" ? [undefined] : []), { signal: stop.signal });
setTimeout(() => stop.abort(), 300);
const aborted = await wait.then(() => false, () => true);
const afterwards = await call("devices", {});
const replayed = [];
for (const { tool, sent, meant } of given.replay ?? []) {
  const answers = [];
  for (const args of [meant, sent]) {
    await call("close_app", { package: "com.android.settings", observe: "none" });
    await call("open_app", { package: "com.android.settings", observe: "none" });
    await call("wait_for", { selector: { text: "Network & internet" }, observe: "compact" });
    answers.push(await call(tool, args));
  }
  replayed.push(answers);
}
const skills = [];  // each file of a skill, and whether it is what its entry says
if (given.package === "client") {
  const { SkillsClient } = await import("@modelcontextprotocol/client/ext/skills");
  const reader = new SkillsClient(client);
  for (const skill of (await reader.list()).skills) {
    const { skill: same } = await reader.get(skill.uri);
    for (const { uri } of same.resources) skills.push([uri, (await reader.read(skill, uri)).verified]);
  }
}
const about = { server: client.getServerVersion()?.name, era: client.getProtocolEra?.(), instructions: client.getInstructions()?.length > 0 };
await client.close();
console.log(JSON.stringify({
  ...about, tools: tools.length, snapshot: text(snapshot), tap: text(tap),
  miss: { isError: miss.isError, error: JSON.parse(text(miss)), structured: miss.structuredContent ?? null },
  shot: shot.content.map((block) => block.type), progress, unknown, aborted, afterwards: JSON.parse(text(afterwards)), replayed, skills, faults,
}));
