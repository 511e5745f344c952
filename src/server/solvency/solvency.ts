/**
 * The public report of the exchange's liabilities, and each user's proof of inclusion in it. Both
 * describe the same sequence and are renewed every few minutes while they are requested.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { formatDecimal } from "#contract/decimal.ts";
import {
  addAmounts,
  type Amounts,
  type InclusionProof,
  type SolvencyReport,
} from "#contract/solvency.ts";
import type { AccountKind } from "#engine/commands.ts";
import {
  ADJUSTMENTS_ACCOUNT,
  EXTERNAL_ACCOUNT,
  FEES_ACCOUNT,
  HOUSE_ACCOUNT,
} from "#engine/accounts/postings.ts";
import type { AccountView } from "../views/ledger-accounts.ts";
import type { Views } from "../views/views.ts";
import { type Liability, LiabilityTree } from "./liability-tree.ts";

const TAKEN_EVERY_MS = 10 * 60_000;
/** Accounts read between two yields to the event loop. */
const SLICE = 500;
/** The exchange's own accounts, in the order of the report. */
const OWN_ACCOUNTS = [EXTERNAL_ACCOUNT, FEES_ACCOUNT, HOUSE_ACCOUNT, ADJUSTMENTS_ACCOUNT];

interface TakenReport {
  readonly report: Omit<SolvencyReport, "verifiedAt">;
  readonly tree: LiabilityTree;
}

interface CopiedAccount {
  readonly kind: AccountKind;
  readonly userId: string;
  readonly totals: readonly number[];
}

export interface SolvencyOptions {
  readonly views: Pick<Views, "accounts" | "catalogue" | "sequence" | "nowMs">;
  /** Resolves when the views include all events of the last command. */
  readonly whenSettled: () => Promise<void>;
  /** When the journal was last verified by a replay, milliseconds since 1970 UTC. */
  readonly verifiedMs: () => Promise<number | undefined>;
}

export class Solvency {
  readonly #options: SolvencyOptions;
  #taken: Promise<TakenReport> | undefined;
  #takenAtMs = -Infinity;

  constructor(options: SolvencyOptions) {
    this.#options = options;
  }

  async report(): Promise<SolvencyReport> {
    const { report } = await this.#newest();
    return { ...report, verifiedAt: (await this.#options.verifiedMs()) ?? null };
  }

  /** Null if the user owned nothing at the time of the report. */
  async proofOf(userId: string): Promise<InclusionProof | null> {
    const { report, tree } = await this.#newest();
    const parts = tree.proofOf(userId);
    if (parts.length === 0) return null;
    const coins = report.coins.map(({ coin, scale }) => ({ coin, scale }));
    return { userId, root: tree.root, coins, parts };
  }

  #newest(): Promise<TakenReport> {
    const nowMs = this.#options.views.nowMs();
    if (this.#taken !== undefined && nowMs - this.#takenAtMs < TAKEN_EVERY_MS) return this.#taken;
    this.#takenAtMs = nowMs;
    const taken = this.#take();
    // The next request tries again; those already waiting get the error.
    taken.catch(() => (this.#takenAtMs = -Infinity));
    this.#taken = taken;
    return taken;
  }

  /**
   * Balances are copied in slices. Those that changed in the meantime are copied again, synchronously,
   * so that all are of one sequence.
   */
  async #copy(assets: readonly { readonly assetId: number }[]) {
    const { views, whenSettled } = this.#options;
    const { accounts } = views;
    const copied = new Map<number, CopiedAccount>();
    const copy = ({ account, kind, userId }: AccountView) => {
      const totals = assets.map(({ assetId }) => accounts.total(account, assetId));
      copied.set(account, { kind, userId, totals });
    };
    const changed = accounts.watch();
    try {
      for (const account of accounts.all()) {
        copy(account);
        if (copied.size % SLICE === 0) await nextTurn();
      }
      await whenSettled();
      for (const number of changed) {
        const account = accounts.account(number);
        if (account !== undefined) copy(account);
      }
      const own = OWN_ACCOUNTS.map((account) =>
        assets.map(({ assetId }) => accounts.exactAvailable(account, assetId)),
      );
      return { copied: [...copied.values()], own, sequence: views.sequence, time: views.nowMs() };
    } finally {
      accounts.unwatch(changed);
    }
  }

  async #take(): Promise<TakenReport> {
    const coinsNow = this.#options.views.catalogue.coins();
    const assets = coinsNow.map(({ assetId, definition }) => ({ assetId, ...definition }));
    const { copied, own, sequence, time } = await this.#copy(assets);
    const people: Liability[] = [];
    const nothing: Amounts = assets.map(() => 0n);
    const owned: Record<AccountKind, Amounts> = { person: nothing, participant: nothing };
    for (const [at, { kind, totals, userId }] of copied.entries()) {
      const amounts = totals.map(BigInt);
      owned[kind] = addAmounts(owned[kind], amounts);
      if (kind === "person" && totals.some((total) => total > 0)) people.push({ userId, amounts });
      if (at % SLICE === SLICE - 1) await nextTurn();
    }
    const coins = assets.map(({ scale, symbol }, at) => {
      const text = (amount: bigint) => formatDecimal(amount, scale);
      const [external, fees, house, adjustments] = own.map((amounts) => amounts[at]);
      const sums = [owned.person[at], owned.participant[at], external, fees, house, adjustments];
      return {
        coin: symbol,
        scale,
        people: text(owned.person[at]),
        simulated: text(owned.participant[at]),
        fees: text(fees),
        house: text(house),
        external: text(external),
        adjustments: text(adjustments),
        sum: text(sums.reduce((sum, amount) => sum + amount)),
      };
    });
    const tree = await LiabilityTree.build(people);
    const liabilities = { root: tree.root, people: people.length };
    return { report: { sequence, time, coins, liabilities }, tree };
  }
}
