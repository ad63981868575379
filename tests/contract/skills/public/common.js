// How published skills call the program, in words of our own: every shape here is one that they rely on.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

function splitWords(text) {
  const words = [];
  let word = null;
  let quote = null;
  for (const c of text) {
    if (quote) {
      if (c === quote) quote = null;
      else word += c;
    } else if (c === '"' || c === "'") {
      quote = c;
      word ??= "";
    } else if (/\s/.test(c)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? "") + c;
    }
  }
  return word === null ? words : [...words, word];
}

// A path that is there is the program; what is not is a command line; otherwise PATH has it.
function resolveProgram() {
  const named = process.env.CLAWPERATOR_BIN;
  if (named && fs.existsSync(named)) return named.endsWith(".js") ? [process.execPath, named] : [named];
  if (named) return splitWords(named);
  const cli = process.env.CLAWPERATOR_CLI_PATH;
  return cli && fs.existsSync(cli) ? [process.execPath, cli] : ["clawperator"];
}

function call(words) {
  const [program, ...first] = resolveProgram();
  const done = spawnSync(program, [...first, ...words], { encoding: "utf8", maxBuffer: 64 << 20 });
  if (done.error) throw done.error;
  return { code: done.status, out: done.stdout, err: done.stderr };
}

// By a file, without --json: one object on stdout, and any other exit code than 0 is a failure.
function runFile(execution, deviceId, operatorPackage) {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "skill-")), "execution.json");
  fs.writeFileSync(file, JSON.stringify(execution));
  const done = call(["exec", file, "--device", deviceId, "--operator-package", operatorPackage]);
  fs.rmSync(path.dirname(file), { recursive: true });
  return done.code === 0 ? { ok: true, result: JSON.parse(done.out) } : { ok: false };
}

// Inline, with --json: stdout is parsed whatever the exit code is.
function runInline(execution, deviceId, operatorPackage, limit) {
  const done = call(["exec", "--device", deviceId, "--operator-package", operatorPackage, "--execution", JSON.stringify(execution),
    ...(limit ? ["--timeout-ms", String(limit)] : []), "--json"]);
  return { ok: done.code === 0, result: JSON.parse(done.out) };
}

// Any other command; its globals come before it.
function runCommand(globals, words) {
  const done = call([...globals, ...words]);
  return { ok: done.code === 0, result: JSON.parse(done.out) };
}

function stepsOf(answer) {
  return answer.result?.envelope?.stepResults ?? [];
}

// The tree of a plan: older scripts look for the action's old name, then for the step's id, then take the first.
function snapshotOf(answer, id) {
  const steps = stepsOf(answer);
  const step = steps.find((each) => each.actionType === "snapshot" || each.actionType === "snapshot_ui") ??
    steps.find((each) => each.id === id) ?? steps[0];
  return step?.data?.text ?? null;
}

function emit(frame) {
  process.stdout.write("[Clawperator-Skill-Result]\n" + JSON.stringify({ contractVersion: "1.0.0", ...frame }) + "\n");
}

module.exports = { call, runFile, runInline, runCommand, stepsOf, snapshotOf, emit };
