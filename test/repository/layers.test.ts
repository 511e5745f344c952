/** The walls between the layers hold: each planted violation makes a step of `npm run verify` fail. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "openbell-layers-"));
  for (const name of ["src", "package.json", "tsconfig.base.json", ".oxlintrc.json"]) {
    cpSync(name, join(copy, name), { recursive: true });
  }
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
});
afterAll(() => rmSync(copy, { recursive: true }));

function lint(folder: string): { failed: boolean; output: string } {
  const run = spawnSync(resolve("node_modules/.bin/oxlint"), ["--deny-warnings", folder], {
    cwd: copy,
    encoding: "utf8",
  });
  return { failed: run.status !== 0, output: run.stdout + run.stderr };
}

function types(layer: string): { failed: boolean; output: string } {
  const run = spawnSync(resolve("node_modules/.bin/tsc"), ["-b", layer], {
    cwd: copy,
    encoding: "utf8",
  });
  return { failed: run.status !== 0, output: run.stdout + run.stderr };
}

function planting<T>(file: string, source: string, check: () => T): T {
  const path = join(copy, file);
  writeFileSync(path, source);
  try {
    return check();
  } finally {
    rmSync(path);
  }
}

/** Runs the check while `after` follows the first `before` of each file. */
function inserting<T>(
  insertions: readonly (readonly [file: string, before: string, after: string])[],
  check: () => T,
): T {
  const originals = insertions.map(([file, before, after]) => {
    const original = readFileSync(join(copy, file), "utf8");
    expect(original).toContain(before);
    writeFileSync(join(copy, file), original.replace(before, `${before}${after}`));
    return [file, original] as const;
  });
  try {
    return check();
  } finally {
    for (const [file, original] of originals) writeFileSync(join(copy, file), original);
  }
}

describe("a planted violation is refused by the lint", () => {
  const cases: readonly [name: string, file: string, source: string, message: string][] = [
    [
      "a page that imports the server",
      "src/web/planted.ts",
      `import { readConfig } from "#server/settings/config.ts";\nexport const planted = readConfig;\n`,
      "Pages reach the server through the contract",
    ],
    [
      "a page that loads the contract's schemas",
      "src/web/planted.ts",
      `import { publicFunctions } from "#contract/public-functions.ts";\nexport const planted = publicFunctions;\n`,
      "Schemas stay on the server",
    ],
    [
      "a clock in the engine",
      "src/engine/planted.ts",
      "export const planted = (): number => Date.now();\n",
      "Time arrives with the command",
    ],
    [
      "a journal in an inner folder of the engine",
      "src/engine/book/planted.ts",
      `import { openFileJournal } from "../../journal/file-journal.ts";\nexport const planted = openFileJournal;\n`,
      "The engine imports only its own files",
    ],
    [
      "randomness in the engine",
      "src/engine/planted.ts",
      "export const planted = (): number => Math.random();\n",
      "The engine is deterministic",
    ],
    [
      "a Node module in the engine",
      "src/engine/planted.ts",
      `import { readFileSync } from "node:fs";\nexport const planted = readFileSync;\n`,
      "The engine imports only its own files",
    ],
    [
      "a database package in the reactive backend",
      "src/server/reactive/planted.ts",
      `import { Kysely } from "kysely";\nexport const planted = Kysely;\n`,
      "The reactive backend knows neither exchanges nor databases",
    ],
    [
      "our database in the reactive backend",
      "src/server/reactive/planted.ts",
      `import { openDatabase } from "../database/open-database.ts";\nexport const planted = openDatabase;\n`,
      "The reactive backend knows neither exchanges nor databases",
    ],
    [
      "the exchange in the reactive backend",
      "src/server/reactive/planted.ts",
      `import { openExchange } from "#server/exchange/open-exchange.ts";\nexport const planted = openExchange;\n`,
      "The reactive backend knows neither exchanges nor databases",
    ],
    [
      "the exchange in the limits",
      "src/server/limits/planted.ts",
      `import { openExchange } from "../exchange/open-exchange.ts";\nexport const planted = openExchange;\n`,
      "What limits clients knows nothing of what they ask for",
    ],
    [
      "a server import in the contract",
      "src/contract/planted.ts",
      `import { readConfig } from "#server/settings/config.ts";\nexport const planted = readConfig;\n`,
      "The contract is shared with the browser",
    ],
    [
      "a server import in the journal",
      "src/journal/planted.ts",
      `import { readConfig } from "#server/settings/config.ts";\nexport const planted = readConfig;\n`,
      "The journal imports the engine",
    ],
    [
      "a server import in the columns of the journal",
      "src/journal/columns/planted.ts",
      `import { readConfig } from "#server/settings/config.ts";\nexport const planted = readConfig;\n`,
      "The journal imports the engine",
    ],
    [
      "NATS in the journal of files",
      "src/journal/planted.ts",
      `import { jetstream } from "@nats-io/jetstream";\nexport const planted = jetstream;\n`,
      "The journal imports the engine",
    ],
    [
      "the journal on NATS in the journal of files, before one is opened",
      "src/journal/planted.ts",
      `import { openJetStreamJournal } from "./jetstream/jetstream-journal.ts";\nexport const planted = openJetStreamJournal;\n`,
      "The journal imports the engine",
    ],
    [
      "the server in the journal on NATS",
      "src/journal/jetstream/planted.ts",
      `import { readConfig } from "#server/settings/config.ts";\nexport const planted = readConfig;\n`,
      "The journal on NATS imports the journal",
    ],
    [
      "NATS in the server",
      "src/server/exchange/planted.ts",
      `import { jetstream } from "@nats-io/jetstream";\nexport const planted = jetstream;\n`,
      "NATS is loaded only where a journal is opened on it",
    ],
    [
      "NATS in what decides who leads",
      "src/server/cluster/planted.ts",
      `import { openNatsLinks } from "./nats/nats-links.ts";\nexport const planted = openNatsLinks;\n`,
      "NATS is loaded only where a journal is opened on it",
    ],
    [
      "the exchange in the network between the nodes",
      "src/server/cluster/nats/planted.ts",
      `import { openExchange } from "../../exchange/open-exchange.ts";\nexport const planted = openExchange;\n`,
      "The network between the nodes knows neither",
    ],
  ];
  test.each(cases)("%s", (_name, file, source, message) => {
    const folder = file.slice(0, file.lastIndexOf("/"));
    const { failed, output } = planting(file, source, () => lint(folder));
    expect(failed).toBe(true);
    expect(output.replaceAll(/\s+/g, " ")).toContain(message);
  });
});

test("a planted cycle of type imports is refused by the lint", () => {
  const source = `import type { Changes } from "./changes.ts";\nexport type Planted = Changes;\n`;
  const { failed, output } = planting("src/server/views/planted.ts", source, () =>
    inserting(
      [["src/server/views/changes.ts", "*/", `\nimport type { Planted } from "./planted.ts";\n`]],
      () => lint("src/server/views"),
    ),
  );
  expect(failed).toBe(true);
  expect(output).toContain("import(no-cycle)");
});

describe("a planted violation is refused by the types", () => {
  test("a page that imports the server", () => {
    const source = `import { readConfig } from "#server/settings/config.ts";\nexport const planted = readConfig;\n`;
    const { failed, output } = planting("src/web/planted.ts", source, () => types("src/web"));
    expect(failed).toBe(true);
    expect(output).toContain("planted.ts");
  });

  test("a timer in the engine", () => {
    const source = "export const planted = (): unknown => setTimeout(() => 0, 1);\n";
    const { failed, output } = planting("src/engine/planted.ts", source, () => types("src/engine"));
    expect(failed).toBe(true);
    expect(output).toContain("setTimeout");
  });
});

describe("the contract is checked by the types", () => {
  const CONTRACT = "src/contract/public-functions.ts";

  test("a function of the contract alone, one of the server alone, and another answer", () => {
    const { failed, output } = inserting(
      [
        [CONTRACT, "  venue: {", " inContractAlone: query({}).answers<number>(),"],
        [CONTRACT, "  coins: {", " answered: query({}).answers<string>(),"],
        ["src/server/functions/definitions.ts", "  plans: {", " onServerAlone: plans.list,"],
        ["src/server/functions/definitions.ts", " coins: {", " answered: venue.time,"],
      ],
      () => types("src/server"),
    );
    expect(failed).toBe(true);
    expect(output).toMatch(/'inContractAlone' is missing/);
    expect(output).toMatch(/'onServerAlone' does not exist/);
    expect(output).toMatch(/'number' is not assignable to type 'string'/);
  });

  test("an argument that the function does not take", () => {
    const source = `import type { FunctionArgs } from "convex/server";
import type { functions } from "#contract/functions.ts";
type Sent = FunctionArgs<typeof functions.orders.cancel>;
export const misspelt: Sent = { orderID: "1" };
export const ofAnotherType: Sent = { orderId: 1 };
export const right: Sent = { orderId: "1", validUntil: 0 };
`;
    const { failed, output } = planting("src/web/planted.ts", source, () => types("src/web"));
    expect(failed).toBe(true);
    expect(output.match(/planted\.ts\(\d+/g)).toEqual(["planted.ts(4", "planted.ts(5"]);
  });
});
