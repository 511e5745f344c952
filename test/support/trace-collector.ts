/** A collector of traces on loopback that speaks OTLP over HTTP with JSON, and stores what it receives. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedSpan {
  readonly name: string;
  readonly kind: "internal" | "server" | "client";
  readonly traceId: string;
  readonly spanId: string;
  /** "" for the first span of a trace. */
  readonly parentSpanId: string;
  /** Nanoseconds since 1970. */
  readonly began: bigint;
  readonly ended: bigint;
  readonly hasFailed: boolean;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

export interface TraceCollector {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Everything received, as it was sent. */
  readonly texts: readonly string[];
  /** The headers of the newest request. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** What it does with requests. */
  mode: "accept" | "refuse" | "hang";
  spansOf(traceId: string): ReceivedSpan[];
  close(): Promise<void>;
}

interface SentValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
}

interface SentSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status?: { readonly code?: number };
  readonly attributes?: readonly { readonly key: string; readonly value: SentValue }[];
}

interface SentTraces {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

const KINDS = ["internal", "internal", "server", "client"] as const;
const STATUS_ERROR = 2;

export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: ReceivedSpan[] = [];
  const texts: string[] = [];
  const hanging = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      Object.assign(collector, { headers: request.headers });
      if (collector.mode === "hang") {
        hanging.add(response);
        return;
      }
      const isKnown = request.method === "POST" && request.url === "/v1/traces";
      if (!isKnown || collector.mode === "refuse") {
        response.writeHead(isKnown ? 400 : 404).end();
        return;
      }
      texts.push(text);
      spans.push(...spansIn(JSON.parse(text) as SentTraces));
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const collector: TraceCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    texts,
    headers: {},
    mode: "accept",
    spansOf: (traceId) =>
      spans
        .filter((span) => span.traceId === traceId)
        .toSorted((a, b) => (a.began < b.began ? -1 : Number(a.began > b.began))),
    async close() {
      for (const response of hanging) response.destroy();
      await new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      });
    },
  };
  return collector;
}

function spansIn({ resourceSpans }: SentTraces): ReceivedSpan[] {
  return resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        name: span.name,
        kind: KINDS[span.kind],
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? "",
        began: BigInt(span.startTimeUnixNano),
        ended: BigInt(span.endTimeUnixNano),
        hasFailed: span.status?.code === STATUS_ERROR,
        attributes: Object.fromEntries(
          (span.attributes ?? []).map(({ key, value }) => [key, plain(value)]),
        ),
      })),
    ),
  );
}

function plain({ stringValue, boolValue, intValue, doubleValue }: SentValue) {
  return stringValue ?? boolValue ?? Number(intValue ?? doubleValue);
}
