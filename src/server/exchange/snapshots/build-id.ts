/**
 * Identifies the code that this process runs, and its runtime. A snapshot written by the same code was
 * verified when written; one written by other code in the same formats is verified when restored.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCES = fileURLToPath(new URL("../../..", import.meta.url));
/** Folders with all files that a read model or the engine may consist of. */
const ROOMS = ["engine", "journal", "contract", "server"];

export function buildId(): string {
  const hash = createHash("sha256").update(`node ${process.version} ${process.arch}\n`);
  for (const room of ROOMS) {
    const names = readdirSync(join(SOURCES, room), { recursive: true, encoding: "utf8" });
    for (const name of names.sort()) {
      // An installed package contains the sources as JavaScript.
      if (!/\.[jt]s$/.test(name) || name.endsWith(".test.ts")) continue;
      hash.update(`${room}/${name}\n`);
      hash.update(readFileSync(join(SOURCES, room, name)));
    }
  }
  return hash.digest("hex").slice(0, 32);
}
