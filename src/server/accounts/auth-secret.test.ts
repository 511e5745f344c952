import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadAuthSecret } from "./auth-secret.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "openbell-secret-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

test("development makes a secret once, readable by its owner only", async () => {
  const config = { ENVIRONMENT: "development" as const, DATA_DIR: join(dataDir, "new") };
  const secrets = await Promise.all([loadAuthSecret(config), loadAuthSecret(config)]);
  expect(secrets[0].length).toBeGreaterThanOrEqual(32);
  expect(secrets[1]).toBe(secrets[0]);
  expect(await loadAuthSecret(config)).toBe(secrets[0]);
  const path = join(config.DATA_DIR, "auth-secret");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await readFile(path, "utf8")).trim()).toBe(secrets[0]);
});

test("the setting wins over the file", async () => {
  const AUTH_SECRET = "given by the operator, long enough";
  const config = { ENVIRONMENT: "development" as const, DATA_DIR: dataDir, AUTH_SECRET };
  expect(await loadAuthSecret(config)).toBe(AUTH_SECRET);
});

test("production refuses to start without a secret", async () => {
  const config = { ENVIRONMENT: "production" as const, DATA_DIR: dataDir };
  await expect(loadAuthSecret(config)).rejects.toThrow(/AUTH_SECRET/);
});

test("a damaged secret stops the start and names the file", async () => {
  await writeFile(join(dataDir, "auth-secret"), "short\n");
  const config = { ENVIRONMENT: "development" as const, DATA_DIR: dataDir };
  await expect(loadAuthSecret(config)).rejects.toThrow(/auth-secret holds no usable secret/);
});
