/** A span for each call of a public function. */
import { SpanStatusCode } from "@opentelemetry/api";
import { ATTR_ERROR_TYPE } from "@opentelemetry/semantic-conventions";
import { publicFunctions } from "#contract/public-functions.ts";
import type {
  ActionCall,
  Executor,
  FunctionCall,
  FunctionKind,
  FunctionResult,
} from "../reactive/executor.ts";
import { type ActiveSpan, activeSpans } from "./active-span.ts";
import { failSpan, type Spans } from "./spans.ts";

const PATHS: ReadonlySet<string> = new Set(
  Object.entries(publicFunctions).flatMap(([noun, functions]) =>
    Object.keys(functions).map((name) => `${noun}:${name}`),
  ),
);

export function tracedFunctions(spans: Spans, executor: Executor): Executor {
  /** Undefined for a call that is not recorded. */
  function begin(kind: FunctionKind, path: string): ActiveSpan | undefined {
    // A path that is no function's may be anything.
    const known = PATHS.has(path) ? path : "unknown";
    return spans.enter(`${kind} ${known}`, { "openbell.function": known });
  }

  async function traced(
    kind: FunctionKind,
    call: FunctionCall,
    run: () => Promise<FunctionResult>,
  ): Promise<FunctionResult> {
    const active = begin(kind, call.path);
    if (active === undefined) return run();
    return spans.run(active, async () => {
      const result = await run();
      describe(active, result);
      return result;
    });
  }

  return {
    ...executor,
    query(call) {
      // Queries that run again for their subscribers belong to no call.
      const active = call.request === undefined ? undefined : begin("query", call.path);
      if (active === undefined) return executor.query(call);
      try {
        const answer = activeSpans.run(active, () => executor.query(call));
        if (!(answer.result instanceof Promise)) describe(active, answer.result);
        return answer;
      } catch (error) {
        failSpan(active, error);
        throw error;
      } finally {
        spans.end(active);
      }
    },
    mutation: (call, idempotencyKey) =>
      traced("mutation", call, () => executor.mutation(call, idempotencyKey)),
    action: (call: ActionCall) => traced("action", call, () => executor.action(call)),
  };
}

/** A refusal is an answer like any other; an error without data is a failure of the server. */
function describe({ span }: ActiveSpan, result: FunctionResult): void {
  if (result.status === "success") return;
  const code = codeOf(result.data);
  if (code !== undefined) {
    span.setAttribute("openbell.refusal", code);
    return;
  }
  span.setAttribute(ATTR_ERROR_TYPE, "unexpected");
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function codeOf(data: unknown): string | undefined {
  if (typeof data !== "object" || data === null || !("code" in data)) return undefined;
  return typeof data.code === "string" ? data.code : undefined;
}
