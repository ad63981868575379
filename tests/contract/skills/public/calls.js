// Every call of published skills once; what they read of the answers is this skill's result.
const { spawnSync } = require("node:child_process");
const { call, runFile, runInline, runCommand, stepsOf, snapshotOf, emit } = require("./common.js");

const [deviceId, picture] = process.argv.slice(2);
const operatorPackage = process.env.CLAWPERATOR_OPERATOR_PACKAGE || "com.clawperator.operator";
const settings = "com.android.settings";
const target = ["--device", deviceId, "--operator-package", operatorPackage];

const plan = (actions, id) => ({
  commandId: `${id}-${Date.now()}`, taskId: id, source: "public", expectedFormat: "android-ui-automator", timeoutMs: 30000, actions,
});
const outline = (answer) => stepsOf(answer).map((step) => [step.id, step.actionType, step.success, step.data?.error ?? null]);

const result = {};
const whole = runFile(plan([
  { id: "close", type: "close_app", params: { applicationId: settings } },
  { id: "open", type: "open_app", params: { applicationId: settings } },
  { id: "settle", type: "sleep", params: { durationMs: 50 } },
  { id: "wait", type: "wait_for_node", params: { matcher: { textEquals: "Search settings" }, timeoutMs: 15000 } },
  { id: "down", type: "scroll", params: { direction: "down" } },
  { id: "up", type: "scroll", params: { direction: "up" } },
  { id: "search", type: "click", params: { matcher: { textEquals: "Search settings" } } },
  { id: "type", type: "enter_text", params: { matcher: { role: "textfield" }, text: "wifi" } },
  { id: "read", type: "read_text", params: { matcher: { role: "textfield" } } },
  { id: "snap", type: "snapshot" },
], "whole"), deviceId, operatorPackage);
result.whole = { ok: whole.ok, steps: outline(whole), read: stepsOf(whole).find((step) => step.id === "read")?.data?.text,
  seesField: snapshotOf(whole, "snap")?.includes("wifi") };

const missing = plan([{ id: "w", type: "wait_for_node", params: { matcher: { textEquals: "Nowhere" }, timeoutMs: 100 } }], "missing");
result.fileFails = runFile(missing, deviceId, operatorPackage).ok;
const failed = runInline(missing, deviceId, operatorPackage, 20000);
result.inlineFails = { ok: failed.ok, status: failed.result.envelope?.status, hasError: typeof failed.result.envelope?.error === "string" };
const scrolled = runInline(plan([
  { id: "close", type: "close_app", params: { applicationId: settings } },
  { id: "open", type: "open_app", params: { applicationId: settings } },
  { id: "row", type: "scroll_and_click", params: { matcher: { textEquals: "About phone" } } },
], "scrolled"), deviceId, operatorPackage);
result.scrolled = { ok: scrolled.ok, steps: outline(scrolled) };
const absent = runInline(missing, deviceId, "org.example.absent", 20000);
result.noOperator = { ok: absent.ok, code: absent.result.code, message: typeof absent.result.message };

const early = runCommand(["--timeout-ms", "20000", "--no-daemon"], ["snapshot", ...target, "--json"]);
result.globalsFirst = { ok: early.ok, sees: snapshotOf(early, "snap")?.includes("About phone") };
result.otherName = runCommand(["--timeout", "20000"], ["snapshot", "--device", deviceId, "--json"]).ok;
const plain = call(["snapshot", "--device", deviceId]);
result.plain = { code: plain.code, sees: JSON.parse(plain.out).envelope.stepResults[0].data.text.includes("<hierarchy") };

const shot = runCommand([], ["screenshot", ...target, "--path", picture, "--json"]);
result.screenshot = { ok: shot.ok, path: stepsOf(shot)[0]?.data?.path };
result.tap = outline(runCommand([], ["click", "--coordinate", "540", "1200", ...target, "--json"])).length;
result.close = outline(runCommand([], ["close", settings, ...target, "--json"]));
result.open = outline(runCommand([], ["open", settings, ...target, "--json"]));

const key = spawnSync("adb", ["-s", deviceId, "shell", "input", "keyevent", "66"], { encoding: "utf8" });
result.adb = { code: key.status, out: key.stdout, err: key.stderr };

const inner = runCommand([], ["skills", "run", "org.public.inner", "--device", deviceId, "--timeout", "300000",
  "--state", "on", "--mode", "heat", "--fan-level", "high"]);
result.inner = { ok: inner.ok, output: inner.result.output, timeoutMs: inner.result.timeoutMs };

emit({ skillId: "org.public.calls", status: "success", checkpoints: [], result: { kind: "json", value: result } });
