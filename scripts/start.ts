/** `npm start`: builds the pages where needed and starts the exchange. */
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { ensureBuild } from "./ensure-build.ts";

/**
 * Code as it was compiled, its types stripped, kept under the hash of what it was made from. The
 * threads of the engine and the history and the processes that take snapshots look for the setting when
 * they begin.
 */
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../dist/.compiled", import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);

try {
  ensureBuild();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
await import("#server/main.ts");
