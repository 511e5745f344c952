import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { Audience } from "./audience.ts";

test("is there for a minute after a request, and as long as a WebSocket is open", async () => {
  let nowMs = 0;
  const audience = new Audience(() => nowMs);
  const isThereAt = (timeMs: number) => {
    nowMs = timeMs;
    return audience.isPresent();
  };
  expect([isThereAt(59_999), isThereAt(60_000)]).toEqual([true, false]);
  audience.finished({ path: "/trade" });
  expect([isThereAt(119_999), isThereAt(120_000)]).toEqual([true, false]);
  const [one, other] = [new PassThrough(), new PassThrough()];
  audience.connected(one);
  audience.connected(other);
  one.destroy();
  await new Promise((closed) => one.once("close", closed));
  expect(isThereAt(1e9)).toBe(true);
  other.destroy();
  await new Promise((closed) => other.once("close", closed));
  expect(isThereAt(1e9)).toBe(false);
});

test("what watches the exchange is no audience", () => {
  let nowMs = 0;
  const audience = new Audience(() => nowMs);
  nowMs = 60_000;
  for (const path of ["/api/health", "/api/health/ready", "/metrics"]) audience.finished({ path });
  expect(audience.isPresent()).toBe(false);
  audience.finished({ path: "/api/healthy" });
  expect(audience.isPresent()).toBe(true);
});
