import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import { type ReadableSpan, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";
import { createLog } from "../log.ts";
import { SpanQueue } from "./span-queue.ts";

/** A queue in front of a collector whose answers the test gives. */
function scene() {
  const batches: { spans: ReadableSpan[]; done: (result: ExportResult) => void }[] = [];
  const lines: string[] = [];
  const exporter: SpanExporter = {
    export: (spans, done) => void batches.push({ spans, done }),
    shutdown: () => Promise.resolve(),
  };
  const log = createLog({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const queue = new SpanQueue(exporter, log);
  const provider = new TracerProvider({ spanProcessors: [queue] });
  const tracer = provider.getTracer("test");
  const end = (count: number) => {
    for (let left = count; left > 0; left -= 1) tracer.startSpan("span").end();
  };
  return { batches, lines, queue, end };
}

test("while the collector does not answer, memory is bounded and the rest is counted", () => {
  const { batches, lines, queue, end } = scene();
  end(100_000);
  const held = batches.reduce((sum, { spans }) => sum + spans.length, 0);
  expect(batches).toHaveLength(1);
  const { sent, dropped } = queue.counts();
  expect(sent).toBe(0);
  expect(100_000 - dropped - held).toBe(2_048);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("more slowly");
});

test("what the collector takes is counted as sent, what it refuses as dropped", async () => {
  const { batches, lines, queue, end } = scene();
  end(128);
  batches[0].done({ code: ExportResultCode.SUCCESS });
  expect(queue.counts()).toEqual({ sent: 128, dropped: 0 });
  // The next batch is sent once the first one has settled.
  await new Promise((resolve) => setImmediate(resolve));
  end(128);
  await expect.poll(() => batches.length).toBe(2);
  batches[1].done({ code: ExportResultCode.FAILED, error: new Error("401") });
  expect(queue.counts()).toEqual({ sent: 128, dropped: 128 });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('"reason":"401"');
});
