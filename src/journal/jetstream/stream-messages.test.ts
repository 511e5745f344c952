import { setTimeout as delay } from "node:timers/promises";
import type { JetStreamClient } from "@nats-io/jetstream";
import { describe, expect, test } from "vitest";
import { streamMessages } from "./stream-messages.ts";
import type { ServerChoice } from "./server-choice.ts";

/** A stream without a next message, whose consumers are late. */
function quietStream() {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  let isStopped = false;
  const messages = {
    stop() {
      isStopped = true;
      stopped.resolve();
    },
    async *status() {
      for (; !isStopped; await delay(100)) yield { type: "heartbeat" };
    },
    // oxlint-disable-next-line require-yield -- it has none
    async *[Symbol.asyncIterator]() {
      await stopped.promise;
    },
  };
  const consumers = {
    async get() {
      asked.resolve();
      await answer.promise;
      return { consume: async () => messages, delete: async () => true };
    },
  };
  const server = { onAnswer: () => undefined, onSilence: () => undefined };
  const source = {
    jetstream: {
      consumers,
      jetstreamManager: async () => ({
        streams: { info: async () => ({ state: { last_seq: 6 } }) },
      }),
    } as unknown as JetStreamClient,
    stream: "x",
    server: server as unknown as ServerChoice,
  };
  return { source, asked: asked.promise, answer: answer.resolve };
}

describe("reading a stream", () => {
  test.each([
    ["while its consumer is asked for", true],
    ["while it waits for a message", false],
  ])("ends when it is aborted %s", async (_, isEarly) => {
    const { source, asked, answer } = quietStream();
    const end = new AbortController();
    const next = streamMessages(source, 7, end.signal).next();
    await asked;
    if (isEarly) end.abort();
    answer();
    await new Promise((resolve) => setImmediate(resolve));
    end.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
