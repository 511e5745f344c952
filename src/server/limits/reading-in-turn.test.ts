import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { readInTurn } from "./reading-in-turn.ts";
import { WorkShares } from "./work-shares.ts";

test("many small chunks cost more than the same bytes in one", async () => {
  const shares = new WorkShares(() => 0);
  const body = new PassThrough();
  readInTurn(body as unknown as IncomingMessage, { shares, client: "ann" });
  const pause = vi.spyOn(body, "pause");
  for (let sent = 0; sent < 2_000; sent++) {
    body.write("x");
    if (sent % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(pause).toHaveBeenCalled();
  shares.close();
});

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
  expect(shares.isThrottled("ann")).toBe(true);
  await vi.advanceTimersByTimeAsync(50);
  expect(read).toBe(4_000_000);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(read).toBe(8_000_000);
  shares.close();
  vi.useRealTimers();
});
