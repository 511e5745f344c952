/**
 * Queues ended spans in bounded memory and sends them in batches, in the background. A collector that is
 * away, slow or refuses them costs spans, which are counted, and nothing else.
 */
import { ExportResultCode } from "@opentelemetry/core";
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace";
import { RepeatedLog } from "../limits/repeated-log.ts";
import { type Log, messageOf } from "../log.ts";
import type { SpanCounts } from "./tracing.ts";

/** Spans that wait; some megabytes. */
const QUEUED_MAX = 2_048;
/** Encoding a batch holds the thread up: this many spans are 66 KB and take a fifth of a millisecond. */
const BATCH_SPANS = 128;
const BATCH_EVERY_MS = 1_000;
/** After this time the next batch is sent nevertheless; longer than the exporter tries. */
const BATCH_MS_MAX = 12_000;

export class SpanQueue implements SpanProcessor {
  readonly #exporter: SpanExporter;
  readonly #batches: BatchSpanProcessor;
  readonly #log: RepeatedLog;
  #queued = 0;
  #sent = 0;
  #dropped = 0;

  constructor(exporter: SpanExporter, log: Log) {
    this.#exporter = exporter;
    this.#log = new RepeatedLog(log, Date.now);
    this.#batches = new BatchSpanProcessor({
      exporter: {
        export: (spans, done) => this.#export(spans, done),
        shutdown: () => exporter.shutdown(),
      },
      maxQueueSize: QUEUED_MAX,
      maxExportBatchSize: BATCH_SPANS,
      scheduledDelayMillis: BATCH_EVERY_MS,
      exportTimeoutMillis: BATCH_MS_MAX,
    });
  }

  counts(): SpanCounts {
    return { sent: this.#sent, dropped: this.#dropped };
  }

  onStart(): void {}

  /** The processor would drop spans too, but without a report. */
  onEnd(span: ReadableSpan): void {
    if (this.#queued >= QUEUED_MAX) {
      this.#drop(1, "the collector takes them more slowly than they come");
      return;
    }
    this.#queued += 1;
    this.#batches.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.#batches.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#batches.shutdown();
  }

  #export(spans: ReadableSpan[], done: Parameters<SpanExporter["export"]>[1]): void {
    this.#queued -= spans.length;
    this.#exporter.export(spans, (result) => {
      if (result.code === ExportResultCode.SUCCESS) this.#sent += spans.length;
      else this.#drop(spans.length, messageOf(result.error ?? "the collector refused them"));
      done(result);
    });
  }

  #drop(count: number, reason: string): void {
    this.#dropped += count;
    this.#log.warn({ reason, dropped: this.#dropped }, "spans of traces are dropped");
  }
}
