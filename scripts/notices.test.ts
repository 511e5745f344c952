import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { noticesOf, NOTICES_PATH } from "./notices.ts";

test("the notices are those of the locked packages; if not, run npm run notices", () => {
  // Not compared by `toBe`, which would print two hundred kilobytes.
  expect(readFileSync(NOTICES_PATH, "utf8") === noticesOf("."), "notices are current").toBe(true);
});

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "notices-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function install(packages: Record<string, object>, files: Record<string, string>): void {
  writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

test("a text that several packages share is there once, development packages are not", () => {
  install(
    {
      "": { version: "1.0.0" },
      "node_modules/b": { version: "2.0.0", license: "MIT" },
      "node_modules/a": { version: "1.0.0", license: "MIT" },
      "node_modules/a/node_modules/c": { version: "3.0.0", license: "Apache-2.0" },
      "node_modules/tool": { version: "1.0.0", license: "MIT", dev: true },
    },
    {
      "node_modules/a/LICENSE": "One text.\r\n",
      "node_modules/b/license.md": "One text.",
      "node_modules/a/node_modules/c/LICENSE": "Another text.",
      "node_modules/a/node_modules/c/NOTICE": "A notice.",
    },
  );
  const notices = noticesOf(root);
  expect(notices).toContain(
    "| a | 1.0.0 | MIT |\n| b | 2.0.0 | MIT |\n| c | 3.0.0 | Apache-2.0 |\n",
  );
  expect(notices).toContain("### a, b\n\n````text\nOne text.\n````\n\n### c\n");
  expect(notices).toContain("A notice.");
  expect(notices).not.toContain("tool");
});

test("what only some systems install is listed, whether it is installed or not", () => {
  const packages = {
    "node_modules/here": { version: "1.0.0", license: "MIT", optional: true },
    "node_modules/elsewhere": { version: "1.0.0", license: "MIT", optional: true },
  };
  install(packages, { "node_modules/here/LICENSE": "Its own text." });
  expect(noticesOf(root)).toContain("| elsewhere | 1.0.0 | MIT |\n| here | 1.0.0 | MIT |\n");
  expect(noticesOf(root)).not.toContain("Its own text.");
});

test("a package without a licence or not installed is refused by name", () => {
  install({ "node_modules/a": { version: "1.0.0" } }, {});
  expect(() => noticesOf(root)).toThrow("node_modules/a declares no licence");
  install({ "node_modules/a": { version: "1.0.0", license: "MIT" } }, {});
  expect(() => noticesOf(root)).toThrow("node_modules/a is not installed: run npm ci first");
});
