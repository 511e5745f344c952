/**
 * `node bench/from-compiled.ts run.ts …`: runs a benchmark as `npm start` runs the exchange from its
 * second start on, from a compile cache. The cache affects more than the start: Node strips types with a
 * WebAssembly module whose memory is detached when it grows, and in a thread where a buffer was ever
 * detached V8 guards every array access (docs/decisions/013).
 */
import { spawn } from "node:child_process";
import { enableCompileCache, flushCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

const [, , script, ...args] = process.argv;
const directory = fileURLToPath(new URL("../dist/.compiled", import.meta.url));
process.env.NODE_COMPILE_CACHE ??= directory;
enableCompileCache(process.env.NODE_COMPILE_CACHE);
// Compiles the modules of the benchmarks and of the engine's thread; importing them runs nothing.
await import("./contestant-thread.ts");
await import("./command-times.ts");
await import("./pipeline-flow.ts");
await import("#server/exchange/open-exchange.ts");
await import("#server/exchange/sequencer.ts");
flushCompileCache();

const path = fileURLToPath(new URL(script, import.meta.url));
const child = spawn(process.execPath, [...process.execArgv, path, ...args], { stdio: "inherit" });
child.once("exit", (code) => process.exit(code ?? 1));
