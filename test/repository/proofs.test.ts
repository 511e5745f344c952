/** The documents of rules are what `npm run docs` writes: their proofs are titles of tests. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const SCRIPT = resolve("scripts/write-proofs.ts");

let copy: string;
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), "openbell-proofs-"));
  cpSync("docs", join(copy, "docs"), { recursive: true });
  for (const folder of ["src", "test"]) symlinkSync(resolve(folder), join(copy, folder));
});
afterEach(() => rmSync(copy, { recursive: true }));

function writeProofs(...options: string[]) {
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, ...options], {
    cwd: copy,
    encoding: "utf8",
  });
  return { status, stderr };
}

function change(path: string, from: string, to: string): void {
  const text = readFileSync(join(copy, path), "utf8");
  expect(text).toContain(from);
  writeFileSync(join(copy, path), text.replace(from, to));
}

test("the documents of rules are up to date", () => {
  expect(writeProofs("--check")).toEqual({ status: 0, stderr: "" });
});

test("a document whose proof has another title is reported, and rewritten on request", () => {
  const written = readFileSync("docs/order-types.md", "utf8");
  change("docs/order-types.md", "`plain`: the best price trades first", "`plain`: the worst price");
  expect(writeProofs("--check").stderr).toBe(
    "out of date: docs/order-types.md; run npm run docs\n",
  );
  expect(writeProofs().status).toBe(0);
  expect(readFileSync(join(copy, "docs/order-types.md"), "utf8")).toBe(written);
});

test("a rule without a proof, a proof without a rule and a proof without a test are refused", () => {
  change("docs/order-types.md", "| IOC | What", "| IOK | What");
  expect(writeProofs().stderr).toContain(
    "docs/proofs.json has no proof of: docs/order-types.md, IOK",
  );
  change("docs/order-types.md", "| IOK | What", "| IOC | What");
  change("docs/proofs.json", '"IOC": [', '"IOC": ["plain: immediate or cancel"], "IOK": [');
  expect(writeProofs().stderr).toContain("docs/order-types.md has no rule: Plain orders, IOK");
  change("docs/proofs.json", '"IOC": ["plain: immediate or cancel"], "IOK": [', '"IOC": [');
  change("docs/proofs.json", "plain: the best price", "plain: the worst price");
  expect(writeProofs().stderr).toContain("0 tests of plain begin with: the worst price");
});
