#!/usr/bin/env node
// Whichever Node found this file, the one that npm installed beside it runs the program.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("openbell.ts", import.meta.url));
const installed = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));
const node = existsSync(installed) ? installed : process.execPath;
const { status } = spawnSync(node, [program, ...process.argv.slice(2)], { stdio: "inherit" });
process.exitCode = status ?? 1;
