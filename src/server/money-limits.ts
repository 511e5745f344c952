/**
 * Says long before it happens that a coin runs out: all accounts together can own at most AMOUNT_MAX
 * units of it, and beyond that none can be given out. `/api/health` lists what is close, the log
 * says it once for each step. This covers every single account too: no account owns more than all do.
 */
import { AMOUNT_MAX } from "#engine/amount.ts";
import { ADJUSTMENTS_ACCOUNT, EXTERNAL_ACCOUNT } from "#engine/postings.ts";
import type { Log } from "./log.ts";
import type { Views } from "./views/views.ts";

const LOOKED_AT_EVERY_MS = 60_000;
/** Percent of the largest supply at which it is worth a warning. */
const STEPS = [90, 80, 50];

type Ledger = Pick<Views, "accounts" | "catalog">;

interface Supply {
  readonly symbol: string;
  /** Of STEPS, the highest that is reached. */
  readonly step: number;
}

/** Coins of whose largest supply at least half is given out. */
function largeSupplies({ accounts, catalog }: Ledger): Supply[] {
  return catalog.coins().flatMap(({ assetId, definition: { symbol } }) => {
    const external = accounts.available(EXTERNAL_ACCOUNT, assetId);
    const adjustments = accounts.available(ADJUSTMENTS_ACCOUNT, assetId);
    const supply = 0 - external - Math.min(0, adjustments);
    const step = STEPS.find((percent) => supply >= (AMOUNT_MAX / 100) * percent);
    return step === undefined ? [] : [{ symbol, step }];
  });
}

function sentenceOf({ symbol, step }: Supply): string {
  return `More than ${step} % of all ${symbol} that an exchange can keep is given out.`;
}

/** For `/api/health`; empty while all is well. */
export function moneyWarnings(ledger: Ledger): string[] {
  return largeSupplies(ledger).map(sentenceOf);
}

/** Logs each step once, now and every minute. @returns ends it */
export function watchMoneyLimits(ledger: Ledger, log: Pick<Log, "warn">): () => void {
  const said = new Map<string, number>();
  const look = (): void => {
    for (const supply of largeSupplies(ledger)) {
      const { symbol, step } = supply;
      if ((said.get(symbol) ?? 0) >= step) continue;
      said.set(symbol, step);
      log.warn({ coin: symbol, percent: step }, sentenceOf(supply));
    }
  };
  look();
  const timer = setInterval(look, LOOKED_AT_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
