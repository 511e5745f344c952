/** The tables in the documents of rules name tests and functions that exist. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const SCRIPTS: Readonly<Record<string, string>> = {
  plain: "test/engine/scripts.test.ts",
  resting: "test/engine/scripts-resting.test.ts",
  triggers: "test/engine/scripts-triggers.test.ts",
  lists: "test/engine/scripts-lists.test.ts",
  resuming: "test/engine/scripts-resuming.test.ts",
  own: "test/engine/scripts-own-orders.test.ts",
  combined: "test/engine/scripts-combinations.test.ts",
  markets: "test/engine/scripts-markets.test.ts",
  house: "test/engine/scripts-house.test.ts",
};
const PROOF = /`([\w./-]+)`: (.*?)(?=; `|$)/g;

interface Row {
  readonly text: string;
  readonly proofs: string;
}

/** The rows of every table whose last column is headed "proof". */
function rowsOf(text: string): Row[] {
  const rows: Row[] = [];
  let isProven = false;
  let isInTable = false;
  for (const line of text.split("\n")) {
    if (!line.startsWith("|")) {
      isInTable = false;
      continue;
    }
    const cells = line.split(" | ");
    const last = (cells.at(-1) ?? "").replace(/ ?\|$/, "");
    if (!isInTable) isProven = last === "proof";
    else if (isProven && !line.startsWith("|---")) rows.push({ text: line, proofs: last });
    isInTable = true;
  }
  return rows;
}

test.each([
  ["docs/order-types.md", 62],
  ["docs/plans-and-money.md", 22],
])("every proof in %s is a test that exists", (path, rowsMin) => {
  const rows = rowsOf(readFileSync(path, "utf8"));
  expect(rows.length).toBeGreaterThan(rowsMin);
  for (const { text, proofs } of rows) {
    const named = [...proofs.matchAll(PROOF)];
    expect(named.length, text).toBeGreaterThan(0);
    // Whatever looks like a proof was looked at as one.
    expect(proofs.match(/`: /g)?.length, text).toBe(named.length);
    for (const [, file, name] of named) {
      const source = readFileSync(SCRIPTS[file] ?? file, "utf8");
      const isThere = source.includes(`("${name}"`) || source.includes(`(\`${name}`);
      expect(isThere, `${file}: ${name}`).toBe(true);
    }
  }
});

test("the functions in which docs/order-types.md says that rules are decided are there", () => {
  const [, table] = readFileSync("docs/order-types.md", "utf8").split(
    "| rule | where |\n|---|---|\n",
  );
  const places = table
    .trimEnd()
    .split("\n")
    .flatMap((row) => row.replace(/^\|.*? \| (.*) \|$/, "$1").split("; "));
  expect(places.length).toBeGreaterThan(60);
  for (const place of places) {
    const [, file, functions] = /`([\w/-]+\.ts)`: (`.*`)$/.exec(place) ?? [];
    expect(file, place).toBeDefined();
    const source = readFileSync(`src/engine/${file}`, "utf8");
    for (const name of functions.slice(1, -1).split("`, `")) {
      const definition = new RegExp(`^(  (static |get )?|(export )?function )${name}\\(`, "m");
      expect(source, place).toMatch(definition);
    }
  }
});
