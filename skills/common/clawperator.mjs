// What the scripts of these skills share: the program, an execution, the nodes of a screen, the frame.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const DEADLINE_MS = 120_000;
const MOST_OUTPUT = 64 << 20;
const registryPath = fileURLToPath(new URL("../skills-registry.json", import.meta.url));

// CLAWPERATOR_BIN is a path, or words with quotes ("node '/a b/cli.js'"); without it PATH has the program.
export function programWords(named = process.env.CLAWPERATOR_BIN) {
  if (!named) return ["clawperator"];
  if (existsSync(named)) return [named];
  const words = named.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? ["clawperator"];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single));
}

// The document that the program answered with, whether or not it calls that a failure.
function ask(words) {
  const [program, ...first] = programWords();
  const done = spawnSync(program, [...first, ...words], {
    encoding: "utf8", timeout: DEADLINE_MS, maxBuffer: MOST_OUTPUT, stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, CLAWPERATOR_SKILLS_REGISTRY: registryPath },
  });
  if (!done.stdout) throw done.error ?? new Error(`clawperator ${words[0]} printed nothing`);
  return JSON.parse(done.stdout);
}

// An artifact of a skill of this repository, its placeholders filled in: an execution.
export function compileArtifact(skillId, artifact, vars) {
  const answer = ask(["skills", "compile-artifact", skillId, "--artifact", artifact, "--vars", JSON.stringify(vars)]);
  if (!answer.execution) throw new Error(failureOf(answer));
  return answer.execution;
}

export function execute(execution, deviceId) {
  const commandId = `${execution.commandId}-${Date.now()}`; // late answers to another run are not ours
  return ask(["exec", ...targetWords(deviceId), "--execution", JSON.stringify({ ...execution, commandId }), "--json"]);
}

function targetWords(deviceId) {
  const operator = process.env.CLAWPERATOR_OPERATOR_PACKAGE;
  return [...(deviceId ? ["--device", deviceId] : []), ...(operator ? ["--operator-package", operator] : [])];
}

// Why nothing, or not everything, was done.
export function failureOf(answer) {
  if (answer.code) return `${answer.code}: ${answer.message}`;
  const failed = answer.envelope.stepResults.find((step) => !step.success);
  return answer.envelope.error ?? failed?.data.error ?? "the execution failed";
}

// The screen as a step of the execution read it; without a screen, no nodes.
export function screenOf(answer) {
  const step = answer.envelope?.stepResults.find((each) => each.actionType === "snapshot_ui" && each.success);
  return nodesIn(step?.data.text ?? "");
}

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescaped(text) {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
    hex || decimal ? String.fromCodePoint(parseInt(hex ?? decimal, hex ? 16 : 10)) : (ENTITIES[name] ?? whole));
}

// [{"text":..,"resource-id":..,"content-desc":..}, ...], in the order of the document.
function nodesIn(xml) {
  return [...xml.matchAll(/<node((?:\s+[\w-]+="[^"]*")*)/g)].map(([, attributes]) =>
    Object.fromEntries([...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, unescaped(value)])));
}

// The last two lines of the output. Exit code 1 unless it was a success.
export function printFrame(frame) {
  process.stdout.write(`[Clawperator-Skill-Result]\n${JSON.stringify({ contractVersion: "1.0.0", ...frame })}\n`);
  process.exitCode = frame.status === "success" ? 0 : 1;
}
