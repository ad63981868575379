/** A phone of this check's own: it can be switched off, and on again at the same place. */
async function start(port) {
  const child = spawn(facts.binary, ["sim", "--port", port, "--control", "0"], { env: facts.env, cwd: facts.folder });
  process.on("exit", () => child.kill());
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const { address, control } = JSON.parse(line);
  return { serial: address, control, child, port: address.split(":")[1] };
}

const page = await open();
await page.getByRole("heading", { name: "No device", exact: true }).waitFor();
await page.getByRole("heading", { name: "No device is chosen" }).first().waitFor();
await picture(page, "no-device");
let mine = await start("0");
run("connect", mine.serial);
await screenImage(page).waitFor();
await rows(page).first().waitFor();

mine.child.kill("SIGKILL");
const pane = page.getByRole("region", { name: "Picture" });
const heading = pane.getByRole("heading", { name: /^The device is |is gone$/ });
await heading.waitFor();
same("its last picture is not shown", await screenImage(page).count(), 0);
await tab(page, "Act").click();
await picture(page, "vanished");

mine = await start(mine.port);
await simctl(mine, "show", "com.android.settings", "home");
await screenImage(page).waitFor();
await row(page, "Display & touch").click();
await page.getByRole("button", { name: "Tap" }).click();
await row(page, "Dark theme").waitFor();

// Taken off the list, and back.
run("disconnect", mine.serial);
const gone = page.getByRole("heading", { name: `${mine.serial} is gone` });
await until("both panes say so", async () => (await gone.count()) === 2);
await picture(page, "gone");
run("connect", mine.serial);
await screenImage(page).waitFor();
await row(page, "Dark theme").waitFor();
await done();
