/** The tables in docs/accounts.md name tests that exist. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("every proof in the document on accounts is a test that exists", () => {
  const text = readFileSync("docs/accounts.md", "utf8");
  const proven = text.slice(text.indexOf("## What is proven"));
  const rows = proven.split("\n").filter((line) => /^\| (?!promise|---)/.test(line));
  expect(rows.length).toBeGreaterThan(100);
  for (const row of rows) {
    const proofs = row.split(" | ").at(-1) ?? "";
    expect(proofs, row).toMatch(/`(?:accounts|browser\/)[a-z-]*`: |\*\*not yet\*\*|^none/);
    for (const [, file, name] of proofs.matchAll(
      /`((?:accounts|browser\/)[a-z-]*)`: (.*?)(?=; `|; \*\*| \|$)/g,
    )) {
      const path = file.startsWith("browser/") ? file : `contract/${file}`;
      const source = readFileSync(`test/${path}.test.ts`, "utf8");
      expect(
        source.includes(`"${name.trim()}"`) || source.includes(`\`${name.trim()}`),
        `${file}: ${name}`,
      ).toBe(true);
    }
  }
});
