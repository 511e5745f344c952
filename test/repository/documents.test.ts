/** What the documents and the files for operators name is there: files, settings, commands. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileSettingOf, SECRET_SETTINGS } from "#server/settings/secret-files.ts";
import { settings } from "#server/settings/config.ts";

const DOCUMENTS = [
  ...readdirSync(".").filter((name) => name.endsWith(".md")),
  ...["docs", "docs/decisions"].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(folder, name)),
  ),
];
const DEPLOYED = readdirSync("deploy", { recursive: true, encoding: "utf8" })
  .map((name) => join("deploy", name))
  .filter((path) => path.includes("."));
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  scripts: Record<string, string>;
};
const usage = spawnSync(process.execPath, ["scripts/openbell.js", "help"], { encoding: "utf8" });
const SETTINGS = new Set([...Object.keys(settings), ...SECRET_SETTINGS.map(fileSettingOf)]);

/** Matches of the first group. */
function namedIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name]) => name))];
}

describe.each(DOCUMENTS)("%s", (path) => {
  const text = readFileSync(path, "utf8");

  test("links to files that are there", () => {
    const links = namedIn(text, /\]\((?!https?:|#|mailto:)([^)#\s]+)/g);
    expect(links.filter((link) => !existsSync(join(dirname(path), link)))).toEqual([]);
  });

  test("names commands that exist", () => {
    const runs = namedIn(text, /\bnpm run ([a-z][a-z-]*)/g);
    expect(runs.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    const commands = namedIn(text, /npx openbell ([a-z][a-z-]*)/g);
    expect(commands.filter((name) => !usage.stdout.includes(`openbell ${name}`))).toEqual([]);
  });
});

test.each([...DEPLOYED, "docs/first-exchange.md", "docs/catalogue.md"])(
  "%s sets nothing that is no setting",
  (path) => {
    const text = readFileSync(path, "utf8");
    const names = namedIn(text, /(?:^|Environment=|\s)([A-Z][A-Z]+(?:_[A-Z]+)*)=/gm);
    expect(names.filter((name) => !SETTINGS.has(name))).toEqual([]);
  },
);

test("the service's unit is one that systemd accepts", (context) => {
  const unit = "deploy/systemd/openbell.service";
  const { error, stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
  if (error !== undefined) context.skip("systemd is not on this machine");
  // The program is not installed here.
  const said = stderr.split("\n").filter((line) => line.includes("openbell.service"));
  expect(said.filter((line) => !line.includes("is not executable"))).toEqual([]);
});

test("the Caddyfile is one that Caddy accepts", (context) => {
  const args = ["validate", "--adapter", "caddyfile", "--config", "deploy/Caddyfile"];
  const { error, status, stderr } = spawnSync("caddy", args, { encoding: "utf8" });
  if (error !== undefined) context.skip("Caddy is not on this machine");
  expect(status, stderr).toBe(0);
});
