#!/usr/bin/env node
// Whichever Node found this file, the one that npm installed beside it runs the program.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { installedNode, requireNode } from "./require-node.js";

const program = fileURLToPath(new URL("openbell.ts", import.meta.url));
const installed = installedNode();
if (installed === undefined) requireNode();
const node = installed === undefined ? process.execPath : installed;
const { status } = spawnSync(node, [program, ...process.argv.slice(2)], { stdio: "inherit" });
process.exitCode = status === null ? 1 : status;
