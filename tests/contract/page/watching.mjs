// A page that is left open: its pictures make no events, and it asks for none while an execution runs.
const page = await open({ token: null });
const pictures = [];
page.on("request", (one) => one.url().includes("/screenshot.jpg") && pictures.push(Date.now()));
await showToken(page, facts.token);
await screenImage(page).waitFor();
await rows(page).first().waitFor();

// What another client of the server sees of it.
const seen = [];
const stream = await fetch(`${facts.url}/events?stages=true`, { headers: { Authorization: `Bearer ${facts.token}` } });
(async () => {
  for await (const text of stream.body.pipeThrough(new TextDecoderStream()))
    seen.push(...[...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)
      .filter((name) => name !== "clawperator:devices" && name !== "heartbeat"));
})().catch(() => {});
await page.getByLabel("Refresh the picture").selectOption("4 a second");
// The tree may be read once more: a picture of another size counts as a change.
await until("pictures without an event", async () => {
  seen.length = 0;
  const before = pictures.length;
  await until("some pictures", () => pictures.length >= before + 4);
  return seen.length === 0;
});

// It follows a change that it did not make, by the picture.
await simctl(phone, "show", "com.android.settings", "display");
await row(page, "Dark theme").waitFor();
seen.length = 0;

const running = request("POST", "/execute", {
  deviceId: phone.serial,
  execution: {
    commandId: "long", taskId: "long", source: "test", expectedFormat: "android-ui-automator", timeoutMs: 30000,
    actions: [{ id: "wait", type: "sleep", params: { durationMs: 1500 } }],
  },
});
await page.getByText("picture waits", { exact: true }).waitFor();
const waiting = pictures.length;
await page.getByRole("navigation", { name: "Devices" }).getByText(/busy .*: long/).waitFor();
await picture(page, "busy");
same("it ends well", (await running).envelope.status, "success");
same("pictures while it ran", pictures.length, waiting);
await until("the picture goes on", () => pictures.length > waiting);
same("it was seen", seen.includes("clawperator:execution"), true);

// Stopped by hand, and hidden: no picture.
await button(page, "Pause").click();
await page.getByText("picture paused", { exact: true }).waitFor();
const paused = pictures.length;
await request("GET", `/devices/${phone.serial}/snapshot?format=nodes`);
await simctl(phone, "show", "com.android.settings", "home");
await tab(page, "Skills").click();
await tab(page, "Screen").click();
same("pictures while it was stopped", pictures.length, paused);
await done();
