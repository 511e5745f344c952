import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { definitions } from "#server/functions/definitions.ts";
import { EXAMPLES } from "./function-examples.ts";
import { functionsDocument } from "./functions-document.ts";

test("docs/functions.md says what the contract says; npm run docs writes it", () => {
  expect(readFileSync("docs/functions.md", "utf8")).toBe(functionsDocument());
});

test("every public function is in it, with an example that its schema accepts", () => {
  const document = functionsDocument();
  for (const [path, { args }] of definitions) {
    expect(document).toContain(`\n### ${path}\n`);
    const example = (EXAMPLES as Record<string, object | undefined>)[path] ?? {};
    expect([path, args.safeParse(example).error]).toEqual([path, undefined]);
  }
  expect(Object.keys(EXAMPLES).filter((path) => !definitions.has(path))).toEqual([]);
});
