/** `npm start` and `openbell start`: builds the pages if needed and starts the exchange. */
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { ensureBuild } from "./ensure-build.ts";

/**
 * The compile cache: code with its types stripped, keyed by the hash of its source. The threads of the
 * engine and the history, and the processes that take snapshots, read this variable at their start.
 */
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../dist/.compiled", import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);

const isPackage = !existsSync(new URL("../src/web", import.meta.url));
try {
  // An installed package contains the built pages.
  if (!isPackage) await ensureBuild(requireSettings);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
await import("#server/main.ts");

/** A wrong setting is reported before a build that may take minutes. @throws SettingsError */
async function requireSettings(): Promise<void> {
  const { readConfig } = await import("#server/settings/config.ts");
  const { requireAuthSecret } = await import("#server/accounts/auth-secret.ts");
  requireAuthSecret(readConfig(process.env));
}
