/** The caller of a function: their identity, their ledger account, and commands on their behalf. */
import type { Command } from "#engine/commands.ts";
import type { RejectReason } from "#engine/reject-reasons.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { CommandOutcome, Exchange } from "../exchange/exchange.ts";
import type { Identity } from "../reactive/executor.ts";
import type { AccountView } from "../views/ledger-accounts.ts";
import type { Views } from "../views/views.ts";
import type { MutationContext, QueryContext } from "./handlers.ts";
import { FunctionError } from "./function-error.ts";
import { refused, unauthorized, type RefusedCommand } from "./refusals.ts";

/** How far ahead a request's time limit may be; the same as for the engine's commands. */
const VALID_MS_MAX = 60_000;

/** @throws FunctionError `unauthorized` for a visitor */
export function requireUser(context: { readonly identity: Identity | null }): string {
  const { identity } = context;
  if (identity === null) throw unauthorized();
  return identity.subject;
}

/** @throws FunctionError for a visitor, and for an administrator who is viewing as another user */
export function requireWriter(identity: Identity | null): asserts identity is Identity {
  if (identity === null) throw unauthorized();
  if (identity.readOnly !== true) return;
  const message = "You are viewing as another user; changes are disabled.";
  throw new FunctionError({ code: "forbidden", message });
}

/**
 * The id of an administrator acting as themselves; a query then depends on their role.
 * @throws FunctionError `unauthorized` for a visitor, `forbidden` for other users
 */
export function requireAdmin(context: {
  readonly services: { readonly accounts: Pick<Accounts, "profileOf"> };
  readonly identity: Identity | null;
  readonly dependsOn?: (topic: string) => void;
}): string {
  const userId = requireUser(context);
  context.dependsOn?.(`user:${userId}`);
  const isReading = context.identity?.readOnly === true;
  if (!isReading && context.services.accounts.profileOf(userId)?.role === "admin") return userId;
  const message = "Only administrators may do this.";
  throw new FunctionError({ code: "forbidden", message });
}

/**
 * The caller's account, which the query then depends on; undefined if the user has no account yet.
 * @throws FunctionError `unauthorized` for a visitor
 */
export function followAccount(context: QueryContext): AccountView | undefined {
  const userId = requireUser(context);
  const account = context.services.views.accounts.ofUser(userId);
  context.dependsOn("catalogue");
  context.dependsOn(account === undefined ? `user:${userId}` : `account:${account.account}`);
  return account;
}

/** @throws FunctionError `unknownAccount` */
export function requireAccount(views: Views, userId: string): number {
  const account = views.accounts.ofUser(userId);
  if (account === undefined) throw refused("unknownAccount");
  return account.account;
}

/**
 * The number of the user's ledger account, which is opened if it does not exist. Idempotent and
 * safe to call concurrently.
 */
export async function ensureAccount(
  services: { readonly exchange: Exchange; readonly views: Views },
  userId: string,
): Promise<number> {
  const { exchange, views } = services;
  const known = views.accounts.ofUser(userId);
  if (known !== undefined) return known.account;
  const outcome = await exchange.submit({ type: "openAccount", userId, kind: "person" });
  const racing: RejectReason = "duplicateAccount";
  if (outcome.rejected !== undefined && outcome.rejected !== racing)
    throw refused(outcome.rejected);
  const opened = views.accounts.ofUser(userId);
  if (opened === undefined) throw new Error(`the account of ${userId} was opened but is not shown`);
  return opened.account;
}

/**
 * Submits a command, which is executed once however often the client sends the request.
 * @param about details for the sentence of a refusal
 * @throws FunctionError with the engine's reason
 */
export async function submitCommand(
  { services, idempotencyKey }: MutationContext,
  command: Command,
  about?: RefusedCommand,
): Promise<CommandOutcome> {
  const outcome = await services.exchange.submit(command, idempotencyKey);
  if (outcome.rejected !== undefined) throw refused(outcome.rejected, about);
  return outcome;
}

/**
 * Checks a request's time limit ahead of other checks that precede the exchange's.
 * @throws FunctionError `requestExpired` or `invalidValidUntil`
 */
export function requireInTime(
  { views }: Pick<MutationContext["services"], "views">,
  validUntil: number | undefined,
): void {
  const leftMs = (validUntil ?? Infinity) - views.nowMs();
  if (leftMs < 0) throw refused("requestExpired");
  if (validUntil !== undefined && leftMs > VALID_MS_MAX) throw refused("invalidValidUntil");
}

/**
 * The id of the caller, after a check of the rate limit for changes that send no command to the exchange.
 * @throws FunctionError `unauthorized`, `requestExpired`, `invalidValidUntil` or `tooManyRequests`
 */
export function admitOwnChange(
  context: Pick<MutationContext, "identity" | "services">,
  validUntil?: number,
): string {
  const userId = requireUser(context);
  const { services, identity } = context;
  if (identity === null || !services.accounts.isSessionLive(identity.sessionId)) {
    throw unauthorized();
  }
  requireInTime(services, validUntil);
  services.ownChangeRates.admit(userId);
  return userId;
}
