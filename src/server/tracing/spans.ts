/** Begins and ends spans; each is a child of the span that is active for the current work. */
import {
  type Attributes,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { ATTR_ERROR_TYPE } from "@opentelemetry/semantic-conventions";
import { steadyMs } from "../exchange/command-times.ts";
import { type ActiveSpan, activeSpans } from "./active-span.ts";

export class Spans {
  readonly #tracer: Tracer;

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  /**
   * Begins the first span of this process in a trace, which a caller may have begun.
   * @param remote the caller's span
   */
  begin(name: string, kind: SpanKind, attributes: Attributes, remote?: SpanContext): ActiveSpan {
    const nowMs = steadyMs();
    const wallOffsetMs = Date.now() - nowMs;
    const parent = remote === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote);
    const startTime = nowMs + wallOffsetMs;
    const span = this.#tracer.startSpan(name, { kind, attributes, startTime }, parent);
    return { span, wallOffsetMs };
  }

  child(
    { span: parent, wallOffsetMs }: ActiveSpan,
    name: string,
    attributes: Attributes,
    beganMs = steadyMs(),
    kind = SpanKind.INTERNAL,
  ): ActiveSpan {
    const under = trace.setSpan(ROOT_CONTEXT, parent);
    const startTime = beganMs + wallOffsetMs;
    const span = this.#tracer.startSpan(name, { kind, attributes, startTime }, under);
    return { span, wallOffsetMs };
  }

  end({ span, wallOffsetMs }: ActiveSpan, endedMs = steadyMs()): void {
    span.end(endedMs + wallOffsetMs);
  }

  /**
   * Begins a child of the span that is active for the current work, or a new trace if no span is
   * active. Undefined if the active span is not recorded.
   */
  enter(name: string, attributes: Attributes): ActiveSpan | undefined {
    const active = activeSpans.getStore();
    if (active === undefined) return this.begin(name, SpanKind.SERVER, attributes);
    return active.span.isRecording() ? this.child(active, name, attributes) : undefined;
  }

  /** The span that is active for the current work, if it is recorded and has not ended. */
  recorded(): ActiveSpan | undefined {
    const active = activeSpans.getStore();
    return active?.span.isRecording() === true ? active : undefined;
  }

  /**
   * Does the work for a span, and ends it.
   * @param refusalOf the code of an error by which the work is refused; undefined if it failed
   */
  async run<T>(
    active: ActiveSpan,
    work: () => Promise<T>,
    refusalOf?: (error: unknown) => number | undefined,
  ): Promise<T> {
    try {
      return await activeSpans.run(active, work);
    } catch (error) {
      const code = refusalOf?.(error);
      if (code === undefined) failSpan(active, error);
      else active.span.setAttribute("openbell.refusal", code);
      throw error;
    } finally {
      this.end(active);
    }
  }
}

/** Marks a span as failed, without the error's message, which may quote a user. */
export function failSpan({ span }: ActiveSpan, error: unknown): void {
  span.setAttribute(ATTR_ERROR_TYPE, error instanceof Error ? error.constructor.name : "unknown");
  span.setStatus({ code: SpanStatusCode.ERROR });
}
