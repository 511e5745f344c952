import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { UNUSED_FUNCTIONS, withoutUnusedFeatures } from "./lean-react.ts";

const client = readFileSync(
  fileURLToPath(
    new URL("cjs/react-dom-client.production.js", import.meta.resolve("react-dom/client")),
  ),
  "utf8",
);

test("the functions are empty in React's client, and the methods of fragments are gone", () => {
  const lean = withoutUnusedFeatures(client);
  for (const name of UNUSED_FUNCTIONS) {
    expect(lean).toMatch(new RegExp(`\\nfunction ${name}\\([^)]*\\) \\{\\}\\n`));
  }
  expect(lean).not.toContain("FragmentInstance.prototype.");
  expect(lean.length).toBeLessThan(client.length - 50_000);
});

test("a client without one of them is refused", () => {
  const other = client.replace("function startViewTransition(", "function beginViewTransition(");
  expect(() => withoutUnusedFeatures(other)).toThrow("React lacks startViewTransition");
});

test("no page uses the features", () => {
  const folder = join(import.meta.dirname, "../src/web");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const used =
    /\b(?:ViewTransition|SuspenseList|useActionState|useFormStatus|useOptimistic|preloadModule|preinit\w*|preconnect|prefetchDNS)\b|<Activity mode|<Fragment[^>]* ref=|"react-dom"/;
  const using = files.filter(
    (file) => /\.tsx?$/.test(file) && used.test(readFileSync(join(folder, file), "utf8")),
  );
  expect(using).toEqual([]);
});
