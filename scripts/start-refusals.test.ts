/** What an operator reads when starting an installation that cannot run: one sentence, no stack. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { transformWithOxc } from "vite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { missingNativeParts } from "./missing-native-parts.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "openbell-start-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

interface Ended {
  readonly status: number | null;
  readonly said: string;
}

function run(script: string, options: { cwd?: string; env?: object; args?: string[] } = {}): Ended {
  const { cwd = process.cwd(), env = {}, args = [] } = options;
  const ended = spawnSync(process.execPath, [script, ...args], {
    cwd,
    env: { ...process.env, NODE_ENV: undefined, NODE_COMPILE_CACHE: undefined, ...env },
    encoding: "utf8",
    timeout: 60_000,
  });
  return { status: ended.status, said: `${ended.stdout}${ended.stderr}`.trim() };
}

/** A script that builds as `npm start` does, in a directory with only the files it reads. */
function installationWithoutBuild(before = ""): string {
  cpSync("package.json", join(directory, "package.json"));
  cpSync("package-lock.json", join(directory, "package-lock.json"));
  const script = join(directory, "build.mjs");
  const ensureBuild = JSON.stringify(resolve("scripts/ensure-build.ts"));
  writeFileSync(
    script,
    `import { ensureBuild } from ${ensureBuild};
     ${before}
     try { await ensureBuild(); } catch (error) { console.error(error.message); process.exit(1); }`,
  );
  return script;
}

test("without the native parts that npm calls optional nothing is built", () => {
  const { status, said } = run(installationWithoutBuild(), { cwd: directory });
  expect(status).toBe(1);
  expect(said).toMatch(
    /^The pages cannot be built: \S.* (is|are) missing in node_modules\. Run `npm ci` without --omit=optional\.$/,
  );
});

test("this installation has all native parts", () => {
  expect(missingNativeParts(".")).toEqual([]);
});

test("parts for other machines, of development only, and Node itself are not missed", () => {
  const locked = {
    "node_modules/a-linux": { optional: true, os: ["linux"], cpu: ["x64"], libc: ["glibc"] },
    "node_modules/a-musl": { optional: true, os: ["linux"], cpu: ["x64"], libc: ["musl"] },
    "node_modules/a-darwin": { optional: true, os: ["darwin"] },
    "node_modules/a-arm": { optional: true, os: ["linux"], cpu: ["arm64"] },
    "node_modules/lint-linux": { optional: true, dev: true, os: ["linux"], cpu: ["x64"] },
    "node_modules/node-linux": { optional: true, os: "linux", cpu: "x64" },
    "node_modules/peer": { optional: true },
    "node_modules/b/node_modules/b-linux": { optional: true, os: "linux", cpu: "x64" },
  };
  const optionalDependencies = { "node-linux": "26.0.0" };
  writeFileSync(join(directory, "package.json"), JSON.stringify({ optionalDependencies }));
  writeFileSync(join(directory, "package-lock.json"), JSON.stringify({ packages: locked }));
  const machine = { platform: "linux", arch: "x64", libc: "glibc" };
  const missing = () => missingNativeParts(directory, machine);
  expect(missing()).toEqual(["a-linux", "b/node_modules/b-linux"]);
  mkdirSync(join(directory, "node_modules/a-linux"), { recursive: true });
  expect(missing()).toEqual(["b/node_modules/b-linux"]);
});

test("a directory that cannot be written and has no build says where to build", () => {
  // The superuser may write everywhere.
  const isRoot = process.getuid?.() === 0;
  const script = installationWithoutBuild(isRoot ? "process.setuid(65534);" : "");
  chmodSync(directory, 0o555);
  const { status, said } = run(script, { cwd: directory });
  chmodSync(directory, 0o755);
  expect(status).toBe(1);
  expect(said).toBe(
    "The pages are not built, and this directory cannot be written. Run `npm run build` where it " +
      "can, with these sources, and bring the directory dist here.",
  );
});

test.each([
  [{ PORT: "many" }, /^The setting PORT is wrong: .+\.$/],
  [{ CATALOGUE: "." }, /^The setting CATALOGUE is wrong: \. is a directory; name a file in it\.$/],
  [{ ENVIRONMENT: "production", AUTH_SECRET: "" }, /^The setting AUTH_SECRET is missing: .+\.$/],
])("a start with %j says so before it builds the pages", (env, sentence) => {
  for (const part of ["package.json", "package-lock.json", "scripts", "src/contract"]) {
    cpSync(part, join(directory, part), { recursive: true });
  }
  for (const part of ["src/server", "src/engine", "src/journal", "node_modules"]) {
    symlinkSync(resolve(part), join(directory, part));
  }
  mkdirSync(join(directory, "src/web"));
  const { status, said } = run("scripts/start.ts", { cwd: directory, env });
  expect(status).toBe(1);
  expect(said).toMatch(sentence);
});

test.each([
  ["that is not there", "missing"],
  ["that holds no exchange", "."],
])("create-admin makes nothing in a data directory %s", (_name, path) => {
  const dataDir = join(directory, path);
  const { status, said } = run("scripts/openbell.ts", {
    args: ["create-admin", "ada@example.com"],
    env: { DATA_DIR: dataDir, DATABASE_URL: "", AUTH_SECRET: "", ADMIN_PASSWORD: "x" },
  });
  expect(status).toBe(1);
  expect(said).toBe(
    `There is no exchange in the data directory ${dataDir}. Correct DATA_DIR, or start the exchange ` +
      "there first.",
  );
  expect(existsSync(join(directory, "missing"))).toBe(false);
  expect(readdirSync(directory)).toEqual([]);
});

test.each(["start.js", "openbell.js"])("%s says on an older Node which one it needs", (script) => {
  // Beside these files alone, so that no other Node is found: as in an installation without it.
  mkdirSync(join(directory, "scripts"));
  for (const file of [script, "require-node.js"]) {
    cpSync(join("scripts", file), join(directory, "scripts", file));
  }
  writeFileSync(join(directory, "package.json"), '{ "type": "module" }');
  const old = `data:text/javascript,${encodeURIComponent(
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.4" } });',
  )}`;
  const { status, said } = run(join(directory, "scripts", script), {
    env: { NODE_OPTIONS: `--import=${old}` },
  });
  expect(status).toBe(1);
  expect(said).toBe(
    "Openbell needs Node 26 and this is Node 18.20.4. npm installs it as an optional package, which " +
      "is not there. Run `npm ci` without --omit=optional (and with Node 20 or newer).",
  );
});

test.each(["start.js", "openbell.js", "require-node.js"])(
  "%s says nothing that a Node of 2019 cannot read",
  async (script) => {
    const path = join("scripts", script);
    const code = readFileSync(path, "utf8");
    const writtenFor = async (target: string) =>
      (await transformWithOxc(code, path, { target, sourcemap: false })).code;
    // Syntax of a later standard would be rewritten.
    expect(await writtenFor("es2018")).toBe(await writtenFor("esnext"));
    // Which is left unchanged, since it has no substitute.
    expect(code).not.toMatch(/^await\b/m);
  },
);

test("a start says which setting it does not know", () => {
  const script = join(directory, "run.mjs");
  const program = JSON.stringify(resolve("src/server/run.ts"));
  writeFileSync(script, `import { run } from ${program}; await run(() => undefined);`);
  const { status, said } = run(script, {
    // Refused before anything is opened, since production needs a secret.
    env: { PROT: "3001", ENVIRONMENT: "production", AUTH_SECRET: "", DATA_DIR: directory },
  });
  expect(status).toBe(1);
  expect(said).toContain("There is no setting PROT. Did you mean PORT?");
  expect(said).toContain("AUTH_SECRET");
});
