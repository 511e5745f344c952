import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, expect, test } from "vitest";

const ENSURE = `await (await import(${JSON.stringify(resolve("scripts/ensure-build.ts"))})).ensureBuild();`;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A project whose build writes down for which environment it was. */
function projectThatTells(): string {
  const folder = mkdtempSync(join(tmpdir(), "openbell-build-"));
  folders.push(folder);
  mkdirSync(join(folder, "dist"));
  const build = "node -e \"fs.writeFileSync('dist/environment', process.env.NODE_ENV)\"";
  writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts: { build } }));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages: {} }));
  return folder;
}

test.each(["development", "test"])(
  "pages are built for production in an environment of %s",
  (environment) => {
    const folder = projectThatTells();
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", ENSURE], {
      cwd: folder,
      env: { ...process.env, NODE_ENV: environment },
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, ""]);
    expect(readFileSync(join(folder, "dist/environment"), "utf8")).toBe("production");
  },
);
