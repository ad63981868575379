#!/usr/bin/env node
// Opens Settings afresh and returns the titles of its rows. Argument: device id.
// import() works in a module and in a script, whatever package.json says.
const skillId = "com.android.settings.capture-overview";
const applicationId = "com.android.settings";
const deviceId = process.argv[2] || process.env.CLAWPERATOR_DEVICE_ID;
const rowTitle = "android:id/title";

const execution = {
  commandId: skillId,
  taskId: skillId,
  source: skillId,
  expectedFormat: "android-ui-automator",
  timeoutMs: 30000,
  actions: [
    { id: "close", type: "close_app", params: { applicationId } },
    { id: "open", type: "open_app", params: { applicationId } },
    { id: "rows", type: "wait_for_navigation", params: { expectedNode: { resourceId: rowTitle }, timeoutMs: 5000 } },
    { id: "screen", type: "snapshot_ui" },
  ],
};

async function main() {
  const { execute, failureOf, screenOf, printFrame } = await import("../../common/clawperator.mjs");
  const answer = execute(execution, deviceId);
  const titles = screenOf(answer).filter((node) => node["resource-id"] === rowTitle).map((node) => node.text).filter(Boolean);
  const isRead = titles.length > 0;
  printFrame({
    skillId,
    goal: { kind: "capture_overview" },
    inputs: {},
    status: isRead ? "success" : "failed",
    ...(isRead ? { result: { kind: "text", text: titles.join("\n") } } : {}),
    checkpoints: [
      isRead
        ? { id: "screen-read", status: "ok", note: `${titles.length} rows` }
        : { id: "screen-read", status: "failed", note: failureOf(answer) },
    ],
  });
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
