/**
 * A process of its own that runs single tests on sources with a planted fault, one after the other, each
 * in a new process: Node itself loads the sources, as in all other tests, and no file is changed. For each
 * `Trial` that it is sent it answers with an `Outcome`. A mistake may make a loop endless; that ends
 * when the parent ends this process and its group.
 */
import { resolve } from "node:path";
import { createVitest } from "vitest/node";
import type { PlantedFault } from "./planted-faults.ts";

export interface Trial {
  /** Without one the sources are as they stand. */
  readonly fault?: PlantedFault;
  readonly file: string;
  /** Their full names. */
  readonly tests: readonly string[];
}

export interface Outcome {
  /** By full name; "pending" is a test whose process ended during it. */
  readonly states: Readonly<Record<string, "passed" | "failed" | "pending">>;
  /** Why the file could not be loaded. */
  readonly errors: readonly string[];
}

const vitest = await createVitest("test", {
  config: false,
  watch: false,
  reporters: [{}],
  maxWorkers: 1,
  testTimeout: 60_000,
  experimental: { viteModuleRunner: false },
  setupFiles: [resolve("test/faults/without-shrinking.ts")],
  execArgv: [
    "--import",
    resolve("test/faults/plant.ts"),
    // A loop that gathers without end fails soon, not when the machine's memory is full.
    "--max-old-space-size=512",
  ],
});
await vitest.standalone();

async function run({ fault, file, tests }: Trial): Promise<Outcome> {
  // Inherited by the process of the trial.
  if (fault === undefined) delete process.env.PLANTED_FAULT;
  else process.env.PLANTED_FAULT = JSON.stringify(fault);
  const project = vitest.getRootProject();
  const specification = project.createSpecification(resolve(file), { testNames: [...tests] });
  await vitest.runTestSpecifications([specification]);
  const { testModule } = specification;
  const ended = [...(testModule?.children.allTests() ?? [])].flatMap((test) => {
    const { state } = test.result();
    return state === "skipped" ? [] : [[test.fullName, state] as const];
  });
  const errors = (testModule?.errors() ?? []).map(({ message }) => message);
  return { states: Object.fromEntries(ended), errors };
}

process.on("message", (trial: Trial) => {
  void run(trial).then((outcome) => process.send?.(outcome));
});
