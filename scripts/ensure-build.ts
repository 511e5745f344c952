/**
 * Builds the pages if the build is missing or was made from other sources. Sources are compared by
 * content, because file times mean nothing after a clone.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { missingNativeParts } from "./missing-native-parts.ts";

const STAMP = "dist/.sources";

/** @param beforeBuilding called if the pages have to be built; what it throws ends the start sooner than a build would */
export async function ensureBuild(beforeBuilding?: () => Promise<void>): Promise<void> {
  const sources = hashOfSources();
  if (builtFrom() === sources) return;
  await beforeBuilding?.();
  try {
    accessSync(".", constants.W_OK);
  } catch {
    throw new Error(
      "The pages are not built, and this directory cannot be written. Run `npm run build` where it " +
        "can, with these sources, and bring the directory dist here.",
    );
  }
  const missing = missingNativeParts(".");
  if (missing.length > 0) {
    throw new Error(
      `The pages cannot be built: ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing ` +
        "in node_modules. Run `npm ci` without --omit=optional.",
    );
  }
  process.stdout.write("Building the pages (this takes a few seconds) …\n");
  const built = spawnSync("npm", ["run", "--silent", "build"], {
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    // Vite would build the pages for another environment if this one names it.
    env: { ...process.env, NODE_ENV: "production" },
    shell: process.platform === "win32",
  });
  if (built.status !== 0) {
    process.stderr.write(`${built.stdout}\n${built.stderr}\n`);
    throw new Error("the pages could not be built; the lines above say why");
  }
  writeFileSync(STAMP, sources);
}

function builtFrom(): string | undefined {
  try {
    return readFileSync(STAMP, "utf8");
  } catch {
    return undefined;
  }
}

function hashOfSources(): string {
  const files = globSync([
    "src/web/**/*",
    "src/contract/**/*",
    "public/**/*",
    "scripts/compress.ts",
    "vite.config.ts",
    "package.json",
    "package-lock.json",
  ]).sort();
  const hash = createHash("sha256");
  for (const file of files) {
    if (!statSync(file).isFile() || /\.test\.tsx?$/.test(file)) continue;
    hash.update(file).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}
