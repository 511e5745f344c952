/** Traces that are sent to a collector. This file and those that it imports load OpenTelemetry's packages. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { SpanKind } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { TracerProvider } from "@opentelemetry/sdk-trace";
import { ATTR_SERVICE_INSTANCE_ID, ATTR_SERVICE_NAME } from "@opentelemetry/semantic-conventions";
import { samplerOf } from "./sampler.ts";
import { SpanQueue } from "./span-queue.ts";
import { Spans } from "./spans.ts";
import { tracedCommands } from "./traced-commands.ts";
import { tracedFunctions } from "./traced-functions.ts";
import { tracedRequests } from "./traced-requests.ts";
import { tracedStatements } from "./traced-statements.ts";
import type { Tracing, TracingOptions } from "./tracing.ts";

const SEND_MS_MAX = 10_000;
/** Batches under way: those of a collector that hangs, and all that wait when the server stops. */
const BATCHES_UNDER_WAY_MAX = 24;
/** How long a stop waits for the collector. */
const CLOSE_MS_MAX = 3_000;
/** No attribute is nearly that long. */
const ATTRIBUTE_LENGTH_MAX = 128;

export function openCollectorTracing(options: TracingOptions, endpoint: string): Tracing {
  const { config, log, routeOf } = options;
  // Options that are omitted here are read from the environment by the exporter: whether to compress.
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, "")}/v1/traces`,
    headers: { ...config.OTEL_EXPORTER_OTLP_HEADERS },
    timeoutMillis: SEND_MS_MAX,
    concurrencyLimit: BATCHES_UNDER_WAY_MAX,
    keepAlive: true,
  });
  const queue = new SpanQueue(exporter, log);
  // Not registered globally: libraries have spans of their own, whose attributes have not been reviewed.
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      [ATTR_SERVICE_NAME]: config.OTEL_SERVICE_NAME,
      [ATTR_SERVICE_INSTANCE_ID]: randomUUID(),
    }),
    sampler: samplerOf(config),
    spanProcessors: [queue],
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_LENGTH_MAX },
  });
  const spans = new Spans(provider.getTracer("openbell"));
  const scheme = config.PUBLIC_URL?.startsWith("https:") === true ? "https" : "http";
  return {
    isOn: true,
    requests: (handle) => tracedRequests({ spans, routeOf, scheme }, handle),
    functions: (executor) => tracedFunctions(spans, executor),
    commands: (exchange) => tracedCommands(spans, exchange),
    call(name, call, refusalOf) {
      const active = spans.enter(`call ${name}`, {});
      return active === undefined ? call() : spans.run(active, call, refusalOf);
    },
    read(name, work) {
      const active = spans.recorded();
      if (active === undefined) return work();
      return spans.run(spans.child(active, `history ${name}`, {}), work);
    },
    mail: (send) => spans.run(spans.begin("send mail", SpanKind.CLIENT, {}), send),
    onStatement: tracedStatements(
      spans,
      config.DATABASE_URL === undefined ? "sqlite" : "postgresql",
    ),
    counts: () => queue.counts(),
    async close() {
      const given = delay(CLOSE_MS_MAX, "late" as const, { ref: false });
      const sent = provider.shutdown().catch(() => undefined);
      if ((await Promise.race([sent, given])) === "late") {
        log.warn({ ...queue.counts() }, "the last spans of traces were not sent in time");
      }
    },
  };
}
