import { resolve } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

// The tests start hundreds of servers and workers: what Node compiled for one serves the next.
process.env.NODE_COMPILE_CACHE ??= resolve("node_modules/.cache/node-compile-cache");

const BUNDLED_LIBRARIES = ["--import", resolve("test/support/bundled-libraries.ts")];
const shared = {
  pool: "forks" as const,
  // Node itself loads the sources, as it does in the product: Vite's module runner costs the engine
  // nearly half its speed.
  experimental: { viteModuleRunner: false },
  // Files of one project share processes and modules.
  isolate: false,
  setupFiles: [resolve("test/support/leave-globals.ts")],
  testTimeout: 60_000,
  hookTimeout: 180_000,
  // What comes true in the end is waited for, however busy the machine is.
  expect: { poll: { timeout: 20_000 } },
  execArgv: BUNDLED_LIBRARIES,
};
const CHEAP_PASSWORDS = ["--import", resolve("test/support/cheap-passwords.ts")];

/** Each needs a process of its own: it replaces a module, or hashes passwords at their real cost. */
const ISOLATED = [
  "test/contract/accounts-equal-work.test.ts",
  "test/contract/accounts-passwords.test.ts",
  "test/contract/accounts-second-factor.test.ts",
];

/** Folders of test whose files share processes: each project starts its own, and each of those loads the exchange. */
const SYSTEM = ["disk", "engine", "golden", "hostile-input", "operation", "repository"];

/** Half a minute to minutes each, of what shorter tests hold as well: with FULL=1 alone. */
const LONG =
  process.env.FULL === "1"
    ? []
    : [
        "test/browser/federated-production.test.ts",
        "test/browser/federated-sign-in.test.ts",
        "test/browser/nodes.test.ts",
        "test/crashes/cluster.test.ts",
        "test/crashes/connection-cuts.test.ts",
        "test/crashes/program-streams.test.ts",
        "test/crashes/rolling-upgrade.test.ts",
        "test/crashes/rounds.test.ts",
        "test/crashes/shared-snapshots.test.ts",
        "test/crashes/shortened-stream.test.ts",
        "test/operation/exchange-on-nats.test.ts",
      ];

/** The files of test/NAME. */
function projectOf(name: string, more: TestProjectInlineConfiguration["test"] = {}) {
  return { test: { ...shared, name, include: [`test/${name}/**/*.test.ts`], ...more } };
}

export default defineConfig({
  test: {
    globalSetup: [
      "test/support/run-folder.ts",
      "test/support/shared-servers.ts",
      "scripts/test-libraries.ts",
    ],
    // More than twice the cores of a small machine: the tests of pages, which come first, mostly wait.
    maxWorkers: 5,
    projects: [
      projectOf("unit", { include: ["src/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"] }),
      projectOf("contract", {
        exclude: [...ISOLATED, ...LONG],
        execArgv: [...BUNDLED_LIBRARIES, ...CHEAP_PASSWORDS],
      }),
      projectOf("contract-isolated", {
        include: ISOLATED,
        isolate: true,
        // Only Vite's module runner replaces modules.
        experimental: {},
        execArgv: CHEAP_PASSWORDS,
      }),
      projectOf("cluster", { testTimeout: 1_800_000 }),
      projectOf("crashes", { exclude: LONG, testTimeout: 300_000 }),
      projectOf("faults", { testTimeout: 300_000 }),
      // Projects come in the order of their names: behind those whose single files take minutes in full.
      projectOf("system", {
        include: SYSTEM.map((folder) => `test/${folder}/**/*.test.ts`),
        exclude: LONG,
        testTimeout: 300_000,
      }),
      projectOf("browser", {
        globalSetup: ["test/support/unpacked-chromium.ts"],
        setupFiles: [...shared.setupFiles, resolve("test/browser/show-failed-pages.ts")],
        exclude: LONG,
        testTimeout: 300_000,
        hookTimeout: 300_000,
      }),
    ],
  },
});
