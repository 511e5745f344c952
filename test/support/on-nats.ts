/**
 * Suites on real nats-server processes. If the binary is missing, they are reported as skipped; with
 * REQUIRE_NATS=1 they fail.
 */
import { describe, expect, test } from "vitest";
import { messageOf } from "#server/log.ts";
import { NATS_BINARY, natsVersion } from "./nats-cluster.ts";

const missing = reasonOf(natsVersion);

/** Whether tests that need nats-server run, or fail without it. */
export const hasNats = missing === undefined || process.env.REQUIRE_NATS === "1";

/** Runs a suite if nats-server is installed. */
export function describeOnNats(name: string, suite: () => void): void {
  if (missing === undefined) describe(name, suite);
  else if (process.env.REQUIRE_NATS === "1") {
    test(name, () => expect.fail(`NATS is required and cannot be started: ${missing}`));
  } else describe.skip(`${name} (skipped: there is no ${NATS_BINARY})`, suite);
}

/** Why the action fails; undefined if it does not. */
function reasonOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
