/**
 * Validates arguments by their schema and reports an issue as a refusal that names the field and
 * the reason.
 */
import type { z } from "zod";
import { nullCharacterAt } from "../limits/null-characters.ts";
import type { FunctionError } from "./function-error.ts";
import { invalidArgument, quoted } from "./refusals.ts";

const FIELD_LENGTH_MAX = 60;

/**
 * The arguments as parsed by the schema.
 * @throws FunctionError `invalidArgument` that names the field
 */
export function parseArguments(schema: z.ZodType, args: unknown): unknown {
  // Before the schema, because unknown fields may also contain one.
  const field = nullCharacterAt(args);
  if (field !== undefined) {
    throw invalidArgument(field, `${field} must not contain a null character.`);
  }
  const parsed = schema.safeParse(args);
  if (!parsed.success) throw argumentError(parsed.error, args);
  return parsed.data;
}

/** Reports only the first issue: one clear sentence is more useful than a list. */
function argumentError(error: z.ZodError, args: unknown): FunctionError {
  const issue = error.issues[0];
  const field = issue.path.length === 0 ? undefined : issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0].slice(0, FIELD_LENGTH_MAX);
    return invalidArgument(key, `${quoted(key)} is not an argument of this function.`);
  }
  if (field === undefined) return invalidArgument(undefined, "The arguments must be one object.");
  return invalidArgument(field, `${field} ${complaintOf(issue, valueAt(args, issue.path))}.`);
}

function complaintOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${nounOf(issue.expected)}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_big":
      if (issue.origin === "string") return `is too long: at most ${issue.maximum} characters`;
      if (issue.origin === "array") return `is too long: at most ${issue.maximum} entries`;
      return `must be at most ${issue.maximum}`;
    case "too_small":
      return issue.origin === "string" ? "must not be empty" : `must be at least ${issue.minimum}`;
    default:
      return issue.message;
  }
}

function nounOf(expected: string): string {
  switch (expected) {
    case "string":
      return "a text";
    case "int":
      return "a whole number";
    case "number":
      return "a number";
    case "boolean":
      return "true or false";
    default:
      return `of type ${expected}`;
  }
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  let value = args;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
