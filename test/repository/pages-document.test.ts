/** docs/pages.md names every route and feature, and only files and browser tests that exist. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const DOCUMENT = "docs/pages.md";
const FEATURES = "src/web/features";
const PROOF = /`([\w-]+)`: (.*?)(?=; `|$)/g;

interface Section {
  readonly title: string;
  readonly text: string;
  /** The rows of its tables without the heads. */
  readonly rows: readonly { readonly what: string; readonly proofs: string }[];
}

const document = readFileSync(DOCUMENT, "utf8");
const [, ...parts] = document.split(/^## /m);
const sections = parts.map((part): Section => {
  const [title, ...lines] = part.split("\n");
  const rows = lines.filter((line) => line.startsWith("| ") && line !== "| what | browser test |");
  return {
    title,
    text: part,
    rows: rows.map((row) => {
      const [what = "", proofs = ""] = row.slice(2).replace(/ \|$/, "").split(" | ");
      return { what, proofs };
    }),
  };
});

/** The addresses in the generated table of routes; that of a list ends with a slash there. */
const routes = new Set(
  Array.from(
    readFileSync("src/web/routeTree.gen.ts", "utf8").matchAll(/^ *fullPath: "(.+)"/gm),
    ([, path]) => (path === "/" ? path : path.replace(/\/$/, "")),
  ),
);

test("every route has its section with rows, and every section its route", () => {
  expect(sections.map(({ title }) => title).toSorted()).toEqual(
    ["Every page", ...routes].toSorted(),
  );
  for (const { title, rows } of sections) expect(rows.length, title).toBeGreaterThan(0);
});

test("every feature is named", () => {
  const named = new Set(
    Array.from(document.matchAll(/`src\/web\/features\/([\w-]+)`/g), ([, feature]) => feature),
  );
  const features = readdirSync(FEATURES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(features.filter((feature) => !named.has(feature))).toEqual([]);
});

test("every file that is named exists", () => {
  const files = Array.from(document.matchAll(/`((?:src|test)\/[^`]+)`/g), ([, file]) => file);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

test.each(sections)("every test in the section $title exists", ({ rows }) => {
  for (const { what, proofs } of rows) {
    const named = [...proofs.matchAll(PROOF)];
    expect(named.length, what).toBe((proofs.match(/`: /g) ?? []).length);
    expect(named.length, `${what} names no test`).toBeGreaterThan(0);
    for (const [, file, title] of named) {
      const path = `test/browser/${file}.test.ts`;
      expect(existsSync(path), `${DOCUMENT}: ${path}`).toBe(true);
      const isThere = readFileSync(path, "utf8").includes(`"${title}"`);
      expect(isThere, `${DOCUMENT} names ${path}: ${title}`).toBe(true);
    }
  }
});
