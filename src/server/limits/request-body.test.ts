import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { HeldBytes } from "./held-bytes.ts";
import { BodyCutOffError, readRequestBody } from "./request-body.ts";
import { WorkShares } from "./work-shares.ts";

const ANN = { holder: "ann", client: "ann" };

function limitsOf(perClient: number) {
  const shares = new WorkShares();
  onTestFinished(() => shares.close());
  return { held: new HeldBytes({ all: 1e9, perClient }), shares };
}

const asRequest = (body: PassThrough) => body as unknown as IncomingMessage;

test("a client that holds too much loses its largest request, and the others are read", async () => {
  const limits = limitsOf(1_500);
  const [small, large] = [new PassThrough(), new PassThrough()];
  const [first, second] = [small, large].map((body) =>
    readRequestBody(asRequest(body), limits, ANN, () => {}),
  );
  second.catch(() => {});
  small.write("a".repeat(600));
  await expect.poll(() => limits.held.bytes).toBe(600);
  large.write("b".repeat(1_000));
  await expect(second).rejects.toThrow(BodyCutOffError);
  expect(large.destroyed).toBe(true);
  expect(limits.held.bytes).toBe(600);
  small.end("a");
  expect(await first).toHaveLength(601);
  expect(limits.held.bytes).toBe(0);
});

test("of a refused body the rest is read and not held", async () => {
  const limits = limitsOf(1e9);
  const body = new PassThrough();
  const read = readRequestBody(asRequest(body), limits, ANN, ({ length }) => {
    if (length > 1_000) throw new RangeError("too large");
  });
  body.write("a".repeat(1_001));
  await expect(read).rejects.toThrow(RangeError);
  const ended = once(body, "end");
  body.end("a".repeat(1_000_000));
  await ended;
  expect(limits.held.bytes).toBe(0);
});

test("a client that has left is told apart from one that sends nothing", async () => {
  const limits = limitsOf(1e9);
  const body = new PassThrough();
  const read = readRequestBody(asRequest(body), limits, ANN, () => {});
  body.write("a");
  body.destroy();
  await expect(read).rejects.toThrow(BodyCutOffError);
  const again = readRequestBody(asRequest(body), limits, ANN, () => {});
  await expect(again).rejects.toThrow(BodyCutOffError);
  expect(limits.held.bytes).toBe(0);
});
