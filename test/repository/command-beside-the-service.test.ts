/** deploy/bin/openbell, the command line beside the service, as far as it goes without one. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

test("who is not the superuser is told what to say", () => {
  const folder = mkdtempSync(join(tmpdir(), "openbell-command-"));
  try {
    writeFileSync(join(folder, "id"), "#!/bin/sh\necho 1000\n", { mode: 0o755 });
    const { status, stderr } = spawnSync("sh", ["deploy/bin/openbell", "users", "list"], {
      env: { PATH: `${folder}:${process.env.PATH}` },
      encoding: "utf8",
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^openbell acts as [^\n]+ Say: sudo openbell users list\n$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
