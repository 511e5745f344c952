/**
 * Traces of requests, functions and commands, sent to a collector by OTLP over HTTP. Off unless
 * OTEL_EXPORTER_OTLP_ENDPOINT is set. While off, nothing here loads a package of OpenTelemetry, and every
 * part of the server is used as it is.
 *
 * Attributes contain nothing that users or their programs choose or that identifies them: no addresses,
 * arguments, paths, queries, headers or messages of errors.
 */
import type { RequestListener } from "node:http";
import type { LogEvent } from "kysely";
import type { Exchange } from "../exchange/exchange.ts";
import type { Log } from "../log.ts";
import type { Executor } from "../reactive/executor.ts";
import type { Config } from "../settings/config.ts";

/** Work with a name from a small set. */
type TraceWork = <T>(name: string, work: () => Promise<T>) => Promise<T>;
type TraceCall = <T>(
  name: string,
  call: () => Promise<T>,
  refusalOf: (error: unknown) => number | undefined,
) => Promise<T>;

export interface SpanCounts {
  /** Spans that the collector has accepted. */
  readonly sent: number;
  /** Spans that were dropped because it is away, slow or refuses them. */
  readonly dropped: number;
}

export interface Tracing {
  readonly isOn: boolean;
  /** Traces requests that have a route. */
  requests(handle: RequestListener): RequestListener;
  /** Traces calls of public functions; those over WebSockets begin a trace. */
  functions(executor: Executor): Executor;
  /** Traces commands that are submitted for a traced request or call. */
  commands(exchange: Exchange): Exchange;
  /** Traces calls of the trading API; those over WebSockets begin a trace. Undefined if off. */
  readonly call: TraceCall | undefined;
  /** Traces reads of the history for a traced request or call. Undefined if off. */
  readonly read: TraceWork | undefined;
  /** Traces the sending of a mail, which is a trace of its own. Undefined if off. */
  readonly mail: (<T>(send: () => Promise<T>) => Promise<T>) | undefined;
  /** Takes the executed statements of the database. Undefined if off. */
  readonly onStatement: ((event: LogEvent) => void) | undefined;
  counts(): SpanCounts;
  /** Sends the remaining spans, for some seconds at most. */
  close(): Promise<void>;
}

export interface TracingOptions {
  readonly config: Pick<
    Config,
    | "OTEL_EXPORTER_OTLP_ENDPOINT"
    | "OTEL_EXPORTER_OTLP_HEADERS"
    | "OTEL_SERVICE_NAME"
    | "OTEL_TRACES_SAMPLER"
    | "OTEL_TRACES_SAMPLER_ARG"
    | "DATABASE_URL"
    | "PUBLIC_URL"
  >;
  readonly log: Log;
  /** The route of a path, from a small set; undefined for requests that are not traced. */
  readonly routeOf: (path: string) => string | undefined;
}

const OFF: Tracing = {
  isOn: false,
  requests: (handle) => handle,
  functions: (executor) => executor,
  commands: (exchange) => exchange,
  call: undefined,
  read: undefined,
  mail: undefined,
  onStatement: undefined,
  counts: () => ({ sent: 0, dropped: 0 }),
  close: () => Promise.resolve(),
};

export async function openTracing(options: TracingOptions): Promise<Tracing> {
  const endpoint = options.config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return OFF;
  const { openCollectorTracing } = await import("./collector-tracing.ts");
  return openCollectorTracing(options, endpoint);
}
