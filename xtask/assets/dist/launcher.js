#!/usr/bin/env node
// Starts the program that the package of this platform brought along.
"use strict";
const { spawn } = require("node:child_process");

const packages = PACKAGES;
const platform = `${process.platform}-${process.arch}`;
const found = packages[platform];

function fail(text) {
  console.error(`scenewright: ${text}`);
  process.exit(1);
}

if (!found) {
  fail(`there is no build for ${platform}, only for ${Object.keys(packages).join(", ")}.\n` +
    "With Rust installed, this builds one: cargo install --locked --git REPOSITORY scenewright");
}
let program;
try {
  program = require.resolve(`${found.package}/bin/${found.program}`);
} catch {
  fail(`the package ${found.package} with the program for ${platform} is not installed.\n` +
    "npm leaves it out with --omit=optional, and when node_modules comes from another platform.\n" +
    "This brings it: npm install --include=optional scenewright@VERSION");
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => fail(`${program} cannot be started: ${error.message}`));
// What ends us ends the program; it says how it went.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  if (!signal) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
