/** The span for which asynchronous work is done. Loads no package of OpenTelemetry. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Span } from "@opentelemetry/api";

export interface ActiveSpan {
  readonly span: Span;
  /**
   * Milliseconds from `steadyMs` to the wall clock. All spans of a trace have the same, so that a change
   * of the clock does not change their order.
   */
  readonly wallOffsetMs: number;
}

/** The active span; for a request that is not sampled, one that records nothing. */
export const activeSpans = new AsyncLocalStorage<ActiveSpan>();

/** Fields of log lines: the id of the trace, if one is recorded. */
export function traceFields(): { readonly trace?: string } {
  const context = activeSpans.getStore()?.span.spanContext();
  // The last line of a request is logged after its span has ended.
  return context !== undefined && context.traceFlags !== 0 ? { trace: context.traceId } : {};
}
