#!/usr/bin/env node
// Opens a row of Settings and proves it. Arguments: device id, --row TITLE.
// import() works in a module and in a script, whatever package.json says.
const skillId = "com.android.settings.open-row";

// [device id] --row TITLE | --row=TITLE | TITLE
function readArguments(words) {
  const plain = [];
  let row;
  for (let i = 0; i < words.length; ++i) {
    if (words[i].startsWith("--row=")) row = words[i].slice("--row=".length);
    else if (words[i] === "--row") row = words[++i];
    else plain.push(words[i]);
  }
  row ??= plain.length > (process.env.CLAWPERATOR_DEVICE_ID ? 1 : 0) ? plain.pop() : undefined;
  return { row, deviceId: plain[0] || process.env.CLAWPERATOR_DEVICE_ID };
}

// What the bar of a page of Settings calls it.
function pageTitle(nodes) {
  const toolbar = nodes.find((node) => node["resource-id"]?.endsWith(":id/collapsing_toolbar"));
  if (toolbar?.["content-desc"]) return toolbar["content-desc"];
  const bar = nodes.findIndex((node) => node["resource-id"]?.endsWith(":id/action_bar"));
  return bar < 0 ? null : (nodes.slice(bar).find((node) => node.text)?.text ?? null);
}

function frameOf(row, checkpoints, observed) {
  const isProved = observed === row && checkpoints.every((checkpoint) => checkpoint.status === "ok");
  const wasSeen = typeof observed === "string";
  return {
    skillId,
    goal: { kind: "open_row" },
    inputs: { row: row ?? "" },
    status: isProved ? "success" : "failed",
    ...(isProved ? { result: { kind: "text", text: observed } } : {}),
    checkpoints,
    terminalVerification: {
      status: isProved ? "verified" : wasSeen ? "failed" : "not_run",
      expected: { kind: "text", text: row ?? "" },
      observed: wasSeen ? { kind: "text", text: observed } : null,
    },
  };
}

async function main() {
  const clawperator = await import("../../common/clawperator.mjs");
  const { row, deviceId } = readArguments(process.argv.slice(2));
  const checkpoints = [];
  const check = (id, isOk, note) => checkpoints.push({ id, status: isOk ? "ok" : "failed", ...(isOk ? {} : { note }) });
  let observed;
  try {
    if (!row) throw new Error("usage: node run.js [device_id] --row <title>");
    const execution = clawperator.compileArtifact(skillId, "open-row", { ROW: row });
    check("recipe-compiled", true);
    const answer = clawperator.execute(execution, deviceId);
    const wasClicked = answer.envelope?.stepResults.some((step) => step.id === "row" && step.success) ?? false;
    check("row-opened", wasClicked, wasClicked || clawperator.failureOf(answer));
    if (wasClicked) {
      observed = pageTitle(clawperator.screenOf(answer));
      check("screen-proved", observed === row, `the screen's title is ${observed ?? "not there"}`);
    }
  } catch (error) {
    check(checkpoints.length > 0 ? "row-opened" : "recipe-compiled", false, error.message);
  }
  clawperator.printFrame(frameOf(row, checkpoints, observed));
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
