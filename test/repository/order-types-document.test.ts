/** The functions that docs/order-types.md names exist. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

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
