/** The walls between the layers hold: each planted violation makes a step of `npm run verify` fail. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isFull } from "../support/run-counts.ts";

let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "openbell-layers-"));
  for (const name of ["src", "package.json", "tsconfig.base.json", ".oxlintrc.json"]) {
    cpSync(name, join(copy, name), { recursive: true });
  }
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
});
afterAll(() => rmSync(copy, { recursive: true }));

function lint(...paths: string[]): { failed: boolean; output: string } {
  const run = spawnSync(resolve("node_modules/.bin/oxlint"), ["--deny-warnings", ...paths], {
    cwd: copy,
    encoding: "utf8",
  });
  return { failed: run.status !== 0, output: run.stdout + run.stderr };
}

/** What the lint says against each of the files, all looked at in one run. */
function messagesOf(files: readonly string[]): ReadonlyMap<string, string> {
  const run = spawnSync(resolve("node_modules/.bin/oxlint"), ["--format=json", ...files], {
    cwd: copy,
    encoding: "utf8",
  });
  const { diagnostics } = JSON.parse(run.stdout) as {
    diagnostics: readonly {
      readonly filename: string;
      readonly message: string;
      /** The rule's own sentence, of a restricted import. */
      readonly help?: string;
    }[];
  };
  return new Map(
    files.map((file) => [
      file,
      diagnostics
        .filter(({ filename }) => filename === file)
        .map(({ message, help = "" }) => `${message} ${help}`)
        .join("\n"),
    ]),
  );
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
  const planted = cases.map(([, file, source], at) => ({
    path: file.replace("planted.ts", `planted-${at}.ts`),
    source,
  }));
  let messages: ReadonlyMap<string, string>;
  beforeAll(() => {
    for (const { path, source } of planted) writeFileSync(join(copy, path), source);
    messages = messagesOf(planted.map(({ path }) => path));
    for (const { path } of planted) rmSync(join(copy, path));
  });
  test.each(cases.map(([name, , , message], at) => ({ name, message, at })))(
    "$name",
    ({ message, at }) => {
      expect(messages.get(planted[at].path)).toContain(message);
    },
  );
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

// The compiler takes a dozen seconds for the pages, and as many for the server.
describe("the types refuse", () => {
  const CONTRACT = "src/contract/public-functions.ts";

  test("a timer in the engine", () => {
    const source = "export const planted = (): unknown => setTimeout(() => 0, 1);\n";
    const { failed, output } = planting("src/engine/planted.ts", source, () => types("src/engine"));
    expect(failed).toBe(true);
    expect(output).toContain("setTimeout");
  });

  test.runIf(isFull)(
    "a page that imports the server, and an argument that its function does not take",
    () => {
      const server = `import { readConfig } from "#server/settings/config.ts";\nexport const planted = readConfig;\n`;
      const sent = `import type { FunctionArgs } from "convex/server";
import type { functions } from "#contract/functions.ts";
type Sent = FunctionArgs<typeof functions.orders.cancel>;
export const misspelt: Sent = { orderID: "1" };
export const ofAnotherType: Sent = { orderId: 1 };
export const right: Sent = { orderId: "1", validUntil: 0 };
`;
      const { failed, output } = planting("src/web/planted.ts", server, () =>
        planting("src/web/planted-arguments.ts", sent, () => types("src/web")),
      );
      expect(failed).toBe(true);
      expect(output).toContain("planted.ts(1");
      expect(output.match(/planted-arguments\.ts\(\d+/g)).toEqual([
        "planted-arguments.ts(4",
        "planted-arguments.ts(5",
      ]);
    },
  );

  test.runIf(isFull)(
    "a function of the contract alone, one of the server alone, and another answer",
    () => {
      const handlers = `
export const onServerAlone: Handlers["coins"]["onServerAlone"] = () => [];
export const answered: Handlers["coins"]["answered"] = () => 1;
`;
      const { failed, output } = inserting(
        [
          [CONTRACT, "  venue: {", " inContractAlone: query({}).answers<number>(),"],
          [CONTRACT, "  coins: {", " answered: query({}).answers<string>(),"],
          ["src/server/functions/coins.ts", `from "./present-market.ts";`, handlers],
        ],
        () => types("src/server"),
      );
      expect(failed).toBe(true);
      expect(output).toMatch(/'inContractAlone' is missing/);
      expect(output).toMatch(/'onServerAlone' does not exist/);
      expect(output).toMatch(/'number' is not assignable to type 'string'/);
    },
  );
});
