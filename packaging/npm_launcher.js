#!/usr/bin/env node
// Starts the program of the same name from the package of this platform, which npm has installed beside this one.
"use strict";
const path = require("node:path");
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const name = path.basename(__filename, ".js");
const platform = `clawperator-${process.platform}-${process.arch}`;

let program;
try {
  program = path.join(path.dirname(require.resolve(`${platform}/package.json`)), "bin", name);
} catch {
  console.error(`${name}: the package ${platform} is not installed: there is none for this platform (only for Linux ` +
    "with glibc on x64 or arm64), or npm was run with --omit=optional");
  process.exit(1);
}

const terminals = ["SIGINT", "SIGQUIT"];  // the terminal sends these to the child, too
const forwarded = ["SIGTERM", "SIGHUP", "SIGUSR2"];
// Before the child is there: a signal that comes early is handled after this script has run.
for (const signal of terminals) process.on(signal, () => {});
for (const signal of forwarded) process.on(signal, () => child.kill(signal));
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`${name}: ${program} cannot be started: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  for (const each of [...terminals, ...forwarded]) process.removeAllListeners(each);
  process.kill(process.pid, signal);
  setTimeout(() => process.exit(128 + constants.signals[signal]), 1000);  // a signal that Node ignores
});
