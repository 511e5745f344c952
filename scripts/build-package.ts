/**
 * `npm run package`: packs `dist/openbell-VERSION.tgz`, which npm installs into any folder and which runs there
 * without a build. Below node_modules Node strips no types, so the package contains JavaScript. Some libraries are
 * bundled into it; npm installs the others in the versions of package.json.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";
import { bundleLibraries, FROM_PACKAGE, isBundled, packageOf } from "./bundle-libraries.ts";
import { ensureBuild } from "./ensure-build.ts";

const PACKAGE = "dist/package";
const SOURCES = ["src/engine", "src/journal", "src/contract", "src/server"];
const SCRIPTS = [
  "openbell.js",
  "require-node.js",
  "create-admin.ts",
  "ensure-build.ts",
  "missing-native-parts.ts",
  "openbell.ts",
  "or-say-why.ts",
  "rebuild-history.ts",
  "start.ts",
].map((name) => `scripts/${name}`);
/** The launcher openbell.js is renamed, because openbell.ts becomes openbell.js in the package. */
const RENAMED: Readonly<Record<string, string>> = { "scripts/openbell.js": "scripts/launch.js" };
const COPIED = [
  "src/server/trading-api/documents/recorded-answers.json",
  "dist/client",
  "dist/server",
  "catalogues",
  "deploy",
  "docs",
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "THIRD-PARTY-NOTICES.md",
];
/** Development only: needs Vite. */
const LEFT_OUT = new Set(["src/server/pages/vite-pages.ts"]);
/** Optional dependencies that ws loads if they are installed; no code imports them. */
const FOUND = ["bufferutil"];

interface Manifest {
  readonly version: string;
  readonly imports: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** Import paths of our own files; in the package they end in .js. */
const OWN_PATH = /(["'])((?:\.{1,2}\/|#(?:engine|journal|contract|server)\/)[^"'\n]*)\.ts\1/g;

await ensureBuild();
rmSync(PACKAGE, { recursive: true, force: true });
const needed = new Set(FOUND);
const bundled = new Set<string>();
for (const path of [...SOURCES.flatMap(sourcesIn), ...SCRIPTS]) writeAsJavaScript(path);
for (const path of COPIED) cpSync(path, join(PACKAGE, path), { recursive: true });
await bundleLibraries([...bundled], [...needed], join(PACKAGE, "bundled"));
const manifest = writeManifest();
const packed = execFileSync(
  "npm",
  ["pack", "--silent", "--pack-destination", "dist", `./${PACKAGE}`],
  { encoding: "utf8", shell: process.platform === "win32" },
);
process.stdout.write(`openbell ${manifest.version} is in dist/${packed.trim()}\n`);

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => join(folder, name).replaceAll("\\", "/"))
    .filter((path) => !LEFT_OUT.has(path));
}

function writeAsJavaScript(path: string): void {
  const source = readFileSync(path, "utf8");
  const plain = path.endsWith(".ts") ? stripTypeScriptTypes(source) : source;
  const own = plain.replaceAll(OWN_PATH, "$1$2.js$1");
  const code = own.replaceAll(FROM_PACKAGE, (whole: string, specifier: string) => {
    if (!isBundled(specifier)) {
      needed.add(packageOf(specifier));
      return whole;
    }
    bundled.add(specifier);
    return whole.replace(specifier, `#bundled/${specifier}.js`);
  });
  const target = join(PACKAGE, RENAMED[path] ?? path.replace(/\.ts$/, ".js"));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, code);
}

function writeManifest(): Manifest {
  const root = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
  const { version, description, license, type, engines, optionalDependencies } = root;
  const lacking = [...needed].filter((name) => !Object.hasOwn(root.dependencies, name));
  if (lacking.length > 0) throw new Error(`package.json lacks ${lacking.join(", ")}.`);
  const { "#test/*": _test, ...imports } = root.imports;
  const made = {
    name: "openbell",
    version,
    description,
    license,
    type,
    engines,
    bin: { openbell: RENAMED["scripts/openbell.js"] },
    imports: { ...imports, "#bundled/*": "./bundled/*" },
    dependencies: Object.fromEntries(
      Object.entries(root.dependencies).filter(([name]) => needed.has(name)),
    ),
    optionalDependencies,
  };
  writeFileSync(join(PACKAGE, "package.json"), `${JSON.stringify(made, null, 2)}\n`);
  return root;
}
