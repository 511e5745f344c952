import { ROOT_CONTEXT, SpanKind, trace, TraceFlags } from "@opentelemetry/api";
import { SamplingDecision } from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";
import { samplerOf } from "./sampler.ts";

type Name = Parameters<typeof samplerOf>[0]["OTEL_TRACES_SAMPLER"];

/** An id that is recorded at every ratio above zero, and one that is not at any below one. */
const CHOSEN = "00000000000000000000000000000001";
const UNLUCKY = "ffffffff000000000000000000000000";
const REQUESTS = 2_000;

/** The number of recorded requests whose caller names this trace. */
function recorded(name: Name, ratio: number, traceId: string, traceFlags: TraceFlags): number {
  const sampler = samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio });
  const parent = { traceId, spanId: "0000000000000001", traceFlags, isRemote: true };
  const context = trace.setSpanContext(ROOT_CONTEXT, parent);
  let count = 0;
  for (let left = REQUESTS; left > 0; left -= 1) {
    const { decision } = sampler.shouldSample(context, traceId, "GET /*", SpanKind.SERVER, {}, []);
    if (decision === SamplingDecision.RECORD_AND_SAMPLED) count += 1;
  }
  return count;
}

test.each([CHOSEN, UNLUCKY])("a caller who chooses the trace %s does not decide", (traceId) => {
  for (const flags of [TraceFlags.SAMPLED, TraceFlags.NONE]) {
    expect(recorded("always_off", 1, traceId, flags)).toBe(0);
    expect(recorded("always_on", 1, traceId, flags)).toBe(REQUESTS);
    const share = recorded("traceidratio", 0.1, traceId, flags);
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(REQUESTS / 2);
  }
});

test("a sampler based on parents follows the caller", () => {
  for (const name of ["parentbased_always_on", "parentbased_traceidratio"] as const) {
    expect(recorded(name, 0, CHOSEN, TraceFlags.SAMPLED)).toBe(REQUESTS);
    expect(recorded(name, 1, CHOSEN, TraceFlags.NONE)).toBe(0);
  }
  expect(recorded("parentbased_always_off", 1, CHOSEN, TraceFlags.SAMPLED)).toBe(REQUESTS);
});
