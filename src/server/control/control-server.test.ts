import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSilentLog } from "../log.ts";
import { openControl } from "./control-server.ts";
import { askExchange, socketPathOf } from "./control-socket.ts";

let dataDir: string;
let close: () => Promise<void>;
let underWay = 0;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "openbell-control-"));
  close = await openControl({
    dataDir,
    log: createSilentLog(),
    requests: {
      async "/echo"(text) {
        underWay += 1;
        await new Promise((resolve) => setImmediate(resolve));
        const lines = [`${text}, ${underWay} under way`];
        underWay -= 1;
        return { lines, isRefused: false };
      },
    },
  });
});
afterEach(async () => {
  await close();
  rmSync(dataDir, { recursive: true });
});

test("commands are carried out one after another", async () => {
  const asked = ["one", "other"].map((text) => askExchange(dataDir, "/echo", text));
  const answers = await Promise.all(asked);
  expect(answers.flatMap(({ lines }) => lines)).toEqual(["one, 1 under way", "other, 1 under way"]);
});

test("a command that is never sent to its end keeps no other waiting", async () => {
  const unfinished = request({ socketPath: socketPathOf(dataDir), path: "/echo", method: "POST" });
  unfinished.on("error", () => undefined);
  const isSent = new Promise<void>((sent) => unfinished.write("half", () => sent()));
  await isSent;
  // Earlier messages have arrived before this one.
  const { lines } = await askExchange(dataDir, "/echo", "whole");
  expect(lines).toEqual(["whole, 1 under way"]);
  unfinished.destroy();
});
