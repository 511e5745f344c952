/**
 * Warns long before an account reaches the largest balance of a coin, AMOUNT_MAX units: beyond it
 * the account's orders end instead of trading. `/api/health` lists the coins; the log names the
 * account, once for each step. The total supply of all accounts has no limit.
 */
import { AMOUNT_MAX } from "#engine/amount.ts";
import type { Log } from "../log.ts";
import type { Views } from "../views/views.ts";

const CHECK_INTERVAL_MS = 60_000;
/** Percentages of AMOUNT_MAX at which to warn; `large()` uses the lowest. */
const STEPS = [90, 80, 50];

type Ledger = Pick<Views, "accounts" | "catalogue">;

interface LargeBalance {
  readonly account: number;
  readonly symbol: string;
  /** The highest of STEPS that the balance has reached. */
  readonly step: number;
}

function largeBalances({ accounts, catalogue }: Ledger): LargeBalance[] {
  return accounts.large().flatMap((account) =>
    catalogue.coins().flatMap(({ assetId, definition: { symbol } }) => {
      const units = accounts.total(account, assetId);
      const step = STEPS.find((percent) => units >= (AMOUNT_MAX / 100) * percent);
      return step === undefined ? [] : [{ account, symbol, step }];
    }),
  );
}

function sentenceOf({ symbol, step }: Pick<LargeBalance, "symbol" | "step">): string {
  return `An account owns more than ${step} % of the ${symbol} that one account can keep.`;
}

/** Warnings for `/api/health`, one per coin; empty if there are none. */
export function moneyWarnings(ledger: Ledger): string[] {
  const steps = new Map<string, number>();
  for (const { symbol, step } of largeBalances(ledger)) {
    steps.set(symbol, Math.max(steps.get(symbol) ?? 0, step));
  }
  return [...steps].map(([symbol, step]) => sentenceOf({ symbol, step }));
}

/**
 * Logs each step of each balance once: checks at once and every minute.
 * @returns a function that stops it
 */
export function watchMoneyLimits(ledger: Ledger, log: Pick<Log, "warn">): () => void {
  const warned = new Map<string, number>();
  const check = (): void => {
    for (const balance of largeBalances(ledger)) {
      const { account, symbol, step } = balance;
      const key = `${account}/${symbol}`;
      if ((warned.get(key) ?? 0) >= step) continue;
      warned.set(key, step);
      log.warn({ account, coin: symbol, percent: step }, sentenceOf(balance));
    }
  };
  check();
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}
