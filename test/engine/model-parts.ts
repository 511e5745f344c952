/** Shared by the parts of the independent model: money, events and small helpers. */
import type { Command } from "#engine/commands.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import type { RejectReason } from "#engine/reject-reasons.ts";

export const EXACT_MAX = 2n ** 53n - 1n;
export const DAY_MS = 86_400_000;

/** An event without sequence and timestamp. */
export type Fields = Record<string, unknown> & { type: ExchangeEvent["type"] };
/** Every reason to refuse a command; empty if it is accepted. */
export type Reasons = Set<RejectReason>;
export type CommandOf<Type extends Command["type"]> = Extract<Command, { type: Type }>;

export const isPositive = (value: number): boolean => Number.isSafeInteger(value) && value >= 1;
/** Whether a text is valid as an administrator's name or a reason. */
export const isText = (value: string, lengthMax: number): boolean =>
  value.trim() !== "" && value.length <= lengthMax;

/** Balances of accounts, in units. */
export class ModelMoney {
  readonly #balances = new Map<string, bigint>();

  of(account: number, asset: number, kind: "available" | "held" = "available"): bigint {
    return this.#balances.get(`${account}/${asset}/${kind}`) ?? 0n;
  }

  add(account: number, asset: number, kind: "available" | "held", amount: bigint): void {
    this.#balances.set(`${account}/${asset}/${kind}`, this.of(account, asset, kind) + amount);
  }

  move(from: number, to: number, asset: number, amount: bigint): void {
    this.add(from, asset, "available", -amount);
    this.add(to, asset, "available", amount);
  }
}
