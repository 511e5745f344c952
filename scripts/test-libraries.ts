/**
 * Bundles of the libraries that take longest to load (vitest's globalSetup), kept for later runs: every process of
 * tests, server and thread that loads them costs a tenth to half a second less of processor time. They are those of
 * the installed package; test/support/bundled-libraries.ts, in each of these processes, has them loaded.
 */
import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { bundleLibraries, FROM_PACKAGE, isBundled } from "./bundle-libraries.ts";

const CACHE = resolve("node_modules/.cache/library-bundles");
/** Whatever else decides what is in the bundles. */
const MADE_FROM = ["package-lock.json", "scripts/bundle-libraries.ts"];

export default async function setUp(): Promise<void> {
  const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    readonly [kind in "dependencies" | "devDependencies"]: Readonly<Record<string, string>>;
  };
  const specifiers = bundledImports();
  const hash = createHash("sha256").update(specifiers.join());
  for (const path of MADE_FROM) hash.update(readFileSync(path));
  const directory = join(CACHE, hash.digest("hex"));
  if (!existsSync(directory)) {
    mkdirSync(CACHE, { recursive: true });
    const unfinished = mkdtempSync(join(CACHE, "unfinished-"));
    const external = Object.keys({ ...dependencies, ...devDependencies }).filter(
      (name) => !isBundled(name),
    );
    await bundleLibraries(specifiers, external, unfinished);
    try {
      renameSync(unfinished, directory);
    } catch (error) {
      // Another run was faster.
      if (!existsSync(directory)) throw error;
      rmSync(unfinished, { recursive: true });
    }
  }
  // Inherited by the test processes and their children.
  process.env.TEST_LIBRARIES = directory;
}

function bundledImports(): string[] {
  const sources = globSync(["src/**/*.ts", "test/**/*.ts"]);
  const found = sources.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(FROM_PACKAGE)].map(([, specifier]) => specifier),
  );
  return [...new Set(found.filter(isBundled))].toSorted();
}
