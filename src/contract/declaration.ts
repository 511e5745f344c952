/**
 * How a public function is declared: its kind, its arguments, its answer and its limits, in one place and
 * in the manner of the official builders. Arguments are checked by their schema with every call; an
 * answer by the compiler, because a mutation cannot be undone once its answer is known.
 */
import { z } from "zod";
import { timeLimit } from "./arguments.ts";

export type FunctionKind = "query" | "mutation" | "action";

type ArgumentSchema = z.ZodType<Record<string, unknown>, Record<string, unknown>>;

/** The limits of one call. */
export interface FunctionLimits {
  /** The largest size of the arguments as JSON. */
  readonly argumentBytesMax: number;
  /**
   * For actions: the time after which the caller receives an error, because the action was
   * abandoned.
   */
  readonly msMax: number;
  /**
   * For actions: "heavy" actions read all of a user's past, and take turns only among themselves.
   */
  readonly work: "light" | "heavy";
}

const LIMITS: Readonly<Record<FunctionKind, FunctionLimits>> = {
  query: { argumentBytesMax: 8_192, msMax: 60_000, work: "light" },
  mutation: { argumentBytesMax: 16_384, msMax: 60_000, work: "light" },
  action: { argumentBytesMax: 16_384, msMax: 60_000, work: "light" },
};

/** The arguments, the answer and the limits of one public function. */
export interface Declaration<Kind extends FunctionKind, Args extends ArgumentSchema, Answer> {
  readonly kind: Kind;
  readonly args: Args;
  readonly limits: FunctionLimits;
  /** Whether callers who are not administrators are refused, before their arguments are read. */
  readonly isForAdmins: boolean;
  /** Carries the answer's type; never present at run time. */
  readonly answer?: Answer;
}

/**
 * The type itself if the wire format can carry all its values, else a type that it does not match.
 * The format has no place for a Map, a Set, a Date, a function, a bigint, `undefined` in an array,
 * or field names that are only known at run time.
 */
export type Sendable<T> = T extends string | number | boolean | null
  ? T
  : T extends bigint | symbol | undefined | ((...args: never) => unknown)
    ? never
    : T extends readonly (infer Item)[]
      ? readonly Sendable<Item>[]
      : T extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | Date
        ? never
        : string extends keyof T
          ? never
          : { readonly [Name in keyof T]: SendableField<T, Name> };

/** Optional fields may be absent. */
type SendableField<T, Name extends keyof T> =
  object extends Pick<T, Name>
    ? Sendable<Exclude<T[Name], undefined>> | undefined
    : Sendable<T[Name]>;

interface Declaring<Kind extends FunctionKind, Args extends ArgumentSchema> {
  /**
   * Sets the answer's type. The parameter makes a call for a type that cannot be sent a compile
   * error.
   */
  answers<Answer>(
    ...sendable: [Answer] extends [Sendable<Answer>] ? [] : ["The wire has no place for this."]
  ): Declaration<Kind, Args, Answer>;
}

export function declare<Kind extends FunctionKind, Args extends ArgumentSchema>(
  kind: Kind,
  args: Args,
  limits: Partial<FunctionLimits> = {},
  isForAdmins = false,
): Declaring<Kind, Args> {
  return {
    answers: () => ({ kind, args, limits: { ...LIMITS[kind], ...limits }, isForAdmins }),
  };
}

const declaring = (isForAdmins: boolean) => ({
  query: <Shape extends z.ZodRawShape>(shape: Shape) =>
    declare("query", z.strictObject(shape), {}, isForAdmins),
  /** Declares a mutation, which takes a time limit in addition to its own arguments. */
  mutation: <Shape extends z.ZodRawShape>(shape: Shape, limits?: Partial<FunctionLimits>) =>
    declare("mutation", z.strictObject({ ...shape, ...timeLimit }), limits, isForAdmins),
  action: <Shape extends z.ZodRawShape>(shape: Shape, limits?: Partial<FunctionLimits>) =>
    declare("action", z.strictObject(shape), limits, isForAdmins),
  /** Declares an action that changes something: it takes a time limit, as a mutation does. */
  timedAction: <Shape extends z.ZodRawShape>(shape: Shape) =>
    declare("action", z.strictObject({ ...shape, ...timeLimit }), {}, isForAdmins),
});

export const { query, mutation, action, timedAction } = declaring(false);

// Only administrators may call these.
export const { query: adminQuery, mutation: adminMutation, action: adminAction } = declaring(true);
