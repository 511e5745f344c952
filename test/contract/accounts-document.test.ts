/** The tables in docs/accounts.md name tests that exist. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** A file of test/contract by its name, one of test/browser, or any other by its path; then the title. */
const PROOF =
  /`(accounts[a-z-]*|browser\/[a-z-]+|(?:src|test)\/[\w./-]+\.test\.tsx?)`: (.*?)(?=; `|; \*\*| \|$)/g;

test("every proof in the document on accounts is a test that exists", () => {
  const text = readFileSync("docs/accounts.md", "utf8");
  const proven = text.slice(text.indexOf("## What is proven"));
  const rows = proven.split("\n").filter((line) => /^\| (?!promise|---)/.test(line));
  expect(rows.length).toBeGreaterThan(100);
  for (const row of rows) {
    const proofs = row.split(" | ").at(-1) ?? "";
    const named = [...proofs.matchAll(PROOF)];
    if (named.length === 0) expect(proofs, row).toMatch(/\*\*not yet\*\*|^none/);
    // Whatever looks like a proof was looked at as one.
    expect(proofs.match(/`: /g)?.length ?? 0, row).toBe(named.length);
    for (const [, file, name] of named) {
      const source = readFileSync(pathOf(file), "utf8");
      const title = name.trim();
      // Of a test that is repeated with other values the words before them are named.
      const isThere = source.includes(`"${title}"`) || source.includes(`\`${title}`);
      expect(isThere, `${file}: ${name}`).toBe(true);
    }
  }
});

function pathOf(file: string): string {
  if (file.endsWith(".ts") || file.endsWith(".tsx")) return file;
  return file.startsWith("browser/") ? `test/${file}.test.ts` : `test/contract/${file}.test.ts`;
}
