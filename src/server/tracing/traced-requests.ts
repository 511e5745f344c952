/** A span for each HTTP request, by OpenTelemetry's conventions for HTTP servers as far as they identify no user. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type SpanContext, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { parseTraceParent, TRACE_PARENT_HEADER } from "@opentelemetry/core";
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_NETWORK_PROTOCOL_VERSION,
  ATTR_URL_SCHEME,
} from "@opentelemetry/semantic-conventions";
import { requestIdOf } from "../http/request-id.ts";
import { isServerFailure } from "../http/request-log.ts";
import { type ActiveSpan, activeSpans } from "./active-span.ts";
import type { Spans } from "./spans.ts";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export interface RequestTraces {
  readonly spans: Spans;
  readonly routeOf: (path: string) => string | undefined;
  /** The scheme of the address that callers use. */
  readonly scheme: "http" | "https";
}

export function tracedRequests(traces: RequestTraces, handle: RequestListener): RequestListener {
  const { spans, routeOf, scheme } = traces;
  return (request, response) => {
    const { url = "", method = "", httpVersion } = request;
    const route = routeOf(url.split("?", 1)[0]);
    if (route === undefined) {
      handle(request, response);
      return;
    }
    const known = METHODS.has(method) ? method : "_OTHER";
    const attributes = {
      [ATTR_HTTP_REQUEST_METHOD]: known,
      [ATTR_HTTP_ROUTE]: route,
      [ATTR_URL_SCHEME]: scheme,
      [ATTR_NETWORK_PROTOCOL_VERSION]: httpVersion,
    };
    const name = `${known === "_OTHER" ? "HTTP" : known} ${route}`;
    const active = spans.begin(name, SpanKind.SERVER, attributes, callerOf(request));
    if (active.span.isRecording()) {
      active.span.setAttribute("openbell.request_id", requestIdOf(request));
      response.once("close", () => {
        describe(active, response);
        spans.end(active);
      });
    }
    activeSpans.run(active, () => handle(request, response));
  };
}

/** The caller's span; its `tracestate` is left out, since a caller can write anything into it. */
function callerOf({ headers }: IncomingMessage): SpanContext | undefined {
  const given = headers[TRACE_PARENT_HEADER];
  const caller = typeof given === "string" ? parseTraceParent(given) : null;
  return caller === null ? undefined : { ...caller, isRemote: true };
}

function describe({ span }: ActiveSpan, response: ServerResponse): void {
  const { statusCode, writableFinished } = response;
  span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, statusCode);
  if (!writableFinished) span.setAttribute("openbell.cut_off", true);
  if (!isServerFailure(statusCode)) return;
  span.setAttribute(ATTR_ERROR_TYPE, String(statusCode));
  span.setStatus({ code: SpanStatusCode.ERROR });
}
