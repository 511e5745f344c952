/** deploy/prometheus/openbell-alerts.yaml in a real Prometheus, where its promtool is installed. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const hasPromtool = spawnSync("promtool", ["--version"]).error === undefined;

test.skipIf(!hasPromtool)(
  "the alert rules warn of what fails and of nothing else",
  () => {
    const { status, stderr } = spawnSync(
      "promtool",
      ["test", "rules", "test/operation/alert-rules.yaml"],
      {
        encoding: "utf8",
      },
    );
    expect([status, stderr]).toEqual([0, ""]);
  },
  120_000,
);
