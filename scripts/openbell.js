#!/usr/bin/env node
// Whichever Node found this file, the one that npm installed beside it runs the program.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { installedNode, requireNode } from "./require-node.js";

const program = fileURLToPath(new URL("./openbell.ts", import.meta.url));
const installed = installedNode();
if (installed === undefined) requireNode();
const node = installed === undefined ? process.execPath : installed;
const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: "inherit" });
// A terminal interrupts both processes; other senders know this one alone.
process.on("SIGINT", () => undefined);
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  process.stderr.write(error.message + "\n");
  process.exitCode = 1;
});
child.on("exit", (status) => {
  process.exitCode = status === null ? 1 : status;
});
