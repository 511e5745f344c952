/** The types of the contract's handlers: one for each public function. */
import type { z } from "zod";
import type { Declaration, FunctionKind } from "#contract/declaration.ts";
import type { PublicFunctions } from "#contract/public-functions.ts";
import type { QueryJournal } from "./pagination.ts";
import type { Services } from "./services.ts";
import type { SharedValue } from "../reactive/encoding.ts";
import type { Identity } from "../reactive/executor.ts";

interface ActionContext {
  readonly services: Services;
  /**
   * The caller; null for a visitor. The answer of a query that reads this is specific to the
   * caller.
   */
  readonly identity: Identity | null;
}

export interface QueryContext extends ActionContext {
  /** Declares that the answer depends on a topic of the read models. */
  readonly dependsOn: (topic: string) => void;
  readonly journal: QueryJournal;
}

export interface MutationContext extends ActionContext {
  /**
   * Passed to `exchange.submit`, so that a repeated request gets the first answer and is not
   * executed again.
   */
  readonly idempotencyKey: string;
}

export interface Contexts {
  readonly query: QueryContext;
  readonly mutation: MutationContext;
  readonly action: ActionContext;
}

type HandlerResult<Kind extends FunctionKind, Answer> = Kind extends "query"
  ? Answer
  : Promise<Answer | SharedValue<Answer>>;

type Handler<Declared> =
  Declared extends Declaration<infer Kind, infer Args, infer Answer>
    ? (context: Contexts[Kind], args: z.output<Args>) => HandlerResult<Kind, Answer>
    : never;

/** Handlers by noun and name. Their arguments have been validated. */
export type Handlers = {
  readonly [Noun in keyof PublicFunctions]: {
    readonly [Name in keyof PublicFunctions[Noun]]: Handler<PublicFunctions[Noun][Name]>;
  };
};
