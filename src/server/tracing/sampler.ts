/**
 * Which traces are recorded. A caller's `traceparent` names the span that a request continues; whether
 * it is recorded is decided here, by an id of our own: callers choose theirs, and could otherwise have
 * each of their requests recorded, and with that the spans of others dropped. Only the samplers with
 * `parentbased` in their names trust the callers' decision.
 */
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace";
import type { Config } from "../settings/config.ts";

export function samplerOf({
  OTEL_TRACES_SAMPLER: name,
  OTEL_TRACES_SAMPLER_ARG: ratio,
}: Pick<Config, "OTEL_TRACES_SAMPLER" | "OTEL_TRACES_SAMPLER_ARG">): Sampler {
  switch (name) {
    case "always_on":
      return deciding(new AlwaysOnSampler());
    case "always_off":
      return deciding(new AlwaysOffSampler());
    case "traceidratio":
      return deciding(new TraceIdRatioBasedSampler(ratio));
    case "parentbased_always_on":
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case "parentbased_always_off":
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case "parentbased_traceidratio":
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
    default:
      return name satisfies never;
  }
}

/** Decides for requests of callers with and without a trace in the same way; other spans follow their parents. */
function deciding(root: Sampler): Sampler {
  const ids = new RandomIdGenerator();
  const ofRemote: Sampler = {
    shouldSample: (context, _theirs, ...rest) =>
      root.shouldSample(context, ids.generateTraceId(), ...rest),
    toString: () => root.toString(),
  };
  return new ParentBasedSampler({
    root,
    remoteParentSampled: ofRemote,
    remoteParentNotSampled: ofRemote,
  });
}
