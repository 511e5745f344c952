/**
 * Bundles libraries, which load from a few files several times faster than from the hundreds that they consist of.
 * The installed package contains the bundles; tests load them too.
 */
import { build } from "vite";

/**
 * Bundled libraries. npm would install far more of convex than is used. The others fit together only
 * through our overrides, which a package cannot declare: npm would find no versions that satisfy all of
 * them. Modules that they share with our code must be the same.
 */
const BUNDLED: ReadonlySet<string> = new Set([
  "convex",
  "better-auth",
  "@better-auth/passkey",
  "kysely",
  "zod",
  "jose",
]);
/** What a source imports from a package, in the first group. */
export const FROM_PACKAGE = /(?:\bfrom|\bimport\()\s*"([@a-z][^":\n]*)"/g;

/** The package of an import such as "kysely/migration". */
export function packageOf(specifier: string): string {
  const [first, second] = specifier.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}

export function isBundled(specifier: string): boolean {
  return BUNDLED.has(packageOf(specifier));
}

/**
 * Writes what is imported as `kysely/migration` to kysely/migration.js in the directory, and so on. It is one build,
 * so that all share common modules.
 * @param external packages that the bundles import
 */
export async function bundleLibraries(
  specifiers: readonly string[],
  external: readonly string[],
  directory: string,
): Promise<void> {
  await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    ssr: { noExternal: true, external: [...external] },
    build: {
      ssr: true,
      outDir: directory,
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(specifiers.map((specifier) => [specifier, specifier])),
        output: { entryFileNames: "[name].js", chunkFileNames: "shared/[name].js" },
      },
    },
  });
}
