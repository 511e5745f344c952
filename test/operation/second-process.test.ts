/** A second exchange started by mistake on the data of one that runs. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startServerProcess } from "../support/running-server.ts";

test("it is refused and leaves nothing behind, a generated secret included", async () => {
  const running = await startServerProcess({ SIMULATION: "off", AUTH_SECRET: "s".repeat(40) });
  const kept = join(running.dataDir, "auth-secret");
  // The prepared directory has one, which this exchange does not use.
  rmSync(kept, { force: true });
  try {
    const second = startServerProcess({
      SIMULATION: "off",
      AUTH_SECRET: "",
      DATA_DIR: running.dataDir,
    });
    await expect(second).rejects.toThrow(/is in use by the process with pid \d+/);
    expect(existsSync(kept)).toBe(false);
    expect((await fetch(`${running.url}/api/health`)).status).toBe(200);
  } finally {
    await running.remove();
  }
});
