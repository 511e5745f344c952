/** Shared parts of all requests of the operator: their services, arguments and answers. */
import { z } from "zod";
import type { Command } from "#engine/commands.ts";
import { OPERATOR_ID } from "#contract/users.ts";
import { FunctionError } from "../functions/function-error.ts";
import { refused } from "../functions/refusals.ts";
import type { Services } from "../functions/services.ts";
import { nullCharacterAt } from "../limits/null-characters.ts";

/** The part of the services that requests use. */
export type OperatorServices = Pick<Services, "accounts" | "config" | "exchange" | "log" | "views">;

export interface OperatorAnswer {
  readonly lines: readonly string[];
  /** Whether nothing was changed, for the reasons in `lines`. */
  readonly isRefused: boolean;
}

/** A sentence for the operator; nothing was changed. */
export class RequestError extends Error {}

/** Limit of rows in an answer. */
export const OPERATOR_LIMIT = 200;

export const reason = z.string().trim().min(1, "say why: --reason TEXT").max(200);

export const administrator = z.string().min(1, "say which administrator").max(254);

export const done = (...lines: readonly string[]): OperatorAnswer => ({ lines, isRefused: false });

export const decidedBecause = (why: string) => ({ byAdmin: OPERATOR_ID, reason: why });

/** Declares a request with arguments of this schema, sent as JSON; refusals become its answer. */
export function request<Shape extends z.ZodRawShape>(
  shape: Shape,
  answer: (args: z.output<z.ZodObject<Shape>>) => OperatorAnswer | Promise<OperatorAnswer>,
): (text: string) => Promise<OperatorAnswer> {
  const schema = z.strictObject(shape);
  return async (text) => {
    try {
      const sent: unknown = text === "" ? {} : JSON.parse(text);
      const at = nullCharacterAt(sent);
      if (at !== undefined) throw new RequestError(`${at}: must not contain null characters`);
      const parsed = schema.safeParse(sent);
      if (!parsed.success) throw new RequestError(issuesOf(parsed.error).join("\n"));
      return await answer(parsed.data);
    } catch (error) {
      if (!(error instanceof FunctionError) && !(error instanceof RequestError)) throw error;
      const lines = error.message.split("\n").map((line) => `  ${line}`);
      return { lines: ["Nothing was changed:", ...lines], isRefused: true };
    }
  };
}

export function issuesOf(error: z.ZodError): string[] {
  return error.issues.map(({ message, path }) =>
    path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`,
  );
}

/** @throws FunctionError with the engine's reason */
export async function submitCommand(
  { exchange }: OperatorServices,
  command: Command,
): Promise<void> {
  const { rejected } = await exchange.submit(command);
  if (rejected !== undefined) throw refused(rejected, { isOfAnother: true });
}

/**
 * The id of a user by id or complete email address.
 * @throws RequestError if no such user has a ledger account
 */
export async function requireUser(services: OperatorServices, user: string): Promise<string> {
  const id = await services.accounts.idOf(user);
  if (id === null || services.views.accounts.ofUser(id) === undefined) {
    throw new RequestError(`There is no user ${user}. Name one by the email address or the id.`);
  }
  return id;
}

/**
 * The id of the administrator in whose name a step of dual control is taken: they may not take the other.
 * @throws RequestError if the named user is no administrator
 */
export async function requireAdministrator(
  { accounts }: OperatorServices,
  as: string,
): Promise<string> {
  const id = await accounts.idOf(as);
  const found = id === null ? null : await accounts.userById(id);
  if (found?.role !== "admin") throw new RequestError(`${as} is no administrator.`);
  return found.id;
}

/** Formats rows as columns; columns of numbers are right-aligned. */
export function alignColumns(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  numeric: readonly number[] = [],
): string[] {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all.map((row) =>
    row
      .map((text, column) =>
        numeric.includes(column) ? text.padStart(widths[column]) : text.padEnd(widths[column]),
      )
      .join("  ")
      .trimEnd(),
  );
}
