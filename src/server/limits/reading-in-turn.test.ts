import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { readInTurn } from "./reading-in-turn.ts";
import { WorkShares } from "./work-shares.ts";

test("what a client sends beyond its share is read when it has rested", async () => {
  vi.useFakeTimers();
  const nowMs = 0;
  const shares = new WorkShares(() => nowMs);
  const body = new PassThrough();
  let read = 0;
  readInTurn(
    body as unknown as IncomingMessage,
    { shares, client: "ann" },
    (chunk) => (read += chunk.length),
  );
  const megabyte = Buffer.alloc(1_000_000);
  for (let sent = 0; sent < 8; sent++) body.write(megabyte);
  await vi.advanceTimersByTimeAsync(0);
  expect(read).toBe(2_000_000);
  expect(shares.isResting("ann")).toBe(true);
  await vi.advanceTimersByTimeAsync(50);
  expect(read).toBe(4_000_000);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(read).toBe(8_000_000);
  shares.close();
  vi.useRealTimers();
});
