/**
 * How a public function is declared: its kind, the schema of its arguments and its handler. The
 * schema is checked before the handler runs; a wrong argument is refused naming the field.
 */
import type { z } from "zod";
import type { Services } from "../context.ts";
import type { Identity } from "../reactive/executor.ts";

export interface QueryContext {
  readonly services: Services;
  /** The caller, null for a visitor. Reading it makes the answer the caller's own. */
  readonly identity: Identity | null;
  /** Declares that the answer depends on a topic of the read models. */
  readonly dependsOn: (topic: string) => void;
}

interface MutationContext {
  readonly services: Services;
  readonly identity: Identity | null;
  /** Pass on to `exchange.submit`, so that a repeated request is answered and not done twice. */
  readonly idempotencyKey: string;
}

interface ActionContext {
  readonly services: Services;
  readonly identity: Identity | null;
}

/** What a function says that takes more than others do. */
interface ArgumentSize {
  /** Of the arguments as JSON. */
  readonly argumentBytesMax: number;
}

export interface QueryDefinition<Args = unknown, Value = unknown> extends Partial<ArgumentSize> {
  readonly kind: "query";
  readonly args: z.ZodType<Args>;
  handler(context: QueryContext, args: Args): Value;
}
export interface MutationDefinition<Args = unknown, Value = unknown> extends Partial<ArgumentSize> {
  readonly kind: "mutation";
  readonly args: z.ZodType<Args>;
  handler(context: MutationContext, args: Args): Promise<Value>;
}
export interface ActionDefinition<Args = unknown, Value = unknown> extends Partial<ArgumentSize> {
  readonly kind: "action";
  readonly args: z.ZodType<Args>;
  handler(context: ActionContext, args: Args): Promise<Value>;
}
export type FunctionDefinition = QueryDefinition | MutationDefinition | ActionDefinition;

export function query<Args, Value>(
  args: z.ZodType<Args>,
  handler: QueryDefinition<Args, Value>["handler"],
  size?: ArgumentSize,
): QueryDefinition<Args, Value> {
  return { kind: "query", args, handler, ...size };
}
export function mutation<Args, Value>(
  args: z.ZodType<Args>,
  handler: MutationDefinition<Args, Value>["handler"],
  size?: ArgumentSize,
): MutationDefinition<Args, Value> {
  return { kind: "mutation", args, handler, ...size };
}
export function action<Args, Value>(
  args: z.ZodType<Args>,
  handler: ActionDefinition<Args, Value>["handler"],
  size?: ArgumentSize,
): ActionDefinition<Args, Value> {
  return { kind: "action", args, handler, ...size };
}
