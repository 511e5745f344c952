/** Coins, deposits and withdrawals. No coin leaves the exchange or comes from a chain. */
import { z } from "zod";
import { DAY_MS } from "#engine/time/calendar.ts";
import type { Services } from "../../functions/services.ts";
import type { PracticeFundsQuery } from "../../history/readers/account-reader.ts";
import type { TransferRecord } from "../../records/activity.ts";
import type { Views } from "../../views/views.ts";
import { checkPeriod, type Period } from "../account/period.ts";
import {
  CREDITED,
  depositIdOf,
  describeCoin,
  describeDeposit,
  describeMoneyDeposit,
} from "../account/wallet.ts";
import { depositsNotOffered, withdrawalsNotOffered } from "../api-error.ts";
import { endpoint, RowsAnswer } from "../endpoint.ts";
import { count, flag, limitUpTo, text, time } from "../parameters.ts";

const PERIOD_DAYS = 90;
const ROWS_MAX = 1_000;
const coin = z.string().regex(/^[A-Z0-9]{1,20}$/);

export const coins = endpoint({
  method: "GET",
  path: "/sapi/v1/capital/config/getall",
  summary: "All coins with the balances of the caller and their networks.",
  security: "userData",
  weight: 10,
  parameters: z.object({}),
  answer({ config, views }, _, { account }) {
    const given = new Set(config.PRACTICE_FUNDS.map((funds) => funds.coin));
    return views.catalogue
      .coins()
      .map((each) => describeCoin(views, account, each, given.has(each.definition.symbol)));
  },
});

export const deposits = endpoint({
  method: "GET",
  path: "/sapi/v1/capital/deposit/hisrec",
  summary: "Coins that came to the caller.",
  security: "userData",
  weight: 1,
  errors: [-1127, -1130],
  parameters: z.object({
    coin: coin.optional(),
    status: count.optional(),
    startTime: time.optional(),
    endTime: time.optional(),
    offset: count.default(0),
    limit: limitUpTo(ROWS_MAX, ROWS_MAX),
    txId: text.optional(),
    includeSource: flag.optional(),
  }),
  async answer(services, given, { account }) {
    const { offset, limit, status, txId } = given;
    const assetIds = given.coin === undefined ? undefined : assetIdsOf(services.views, given.coin);
    if (status !== undefined && status !== CREDITED) return [];
    const pages = txId === undefined ? { offset, limit } : { offset: 0, limit: ROWS_MAX };
    const taken = await readPracticeFunds(services, { account, assetIds, ...pages }, given);
    const wanted = taken.filter((transfer) => txId === undefined || depositIdOf(transfer) === txId);
    return RowsAnswer.of(wanted, (transfer) => describeDeposit(services.views, transfer));
  },
});

export const moneyOrders = endpoint({
  method: "GET",
  path: "/sapi/v1/fiat/orders",
  summary: "Money that came to the caller or went.",
  security: "userData",
  weight: 10,
  errors: [-1127, -1130],
  parameters: z.object({
    transactionType: z.enum(["0", "1"]),
    beginTime: time.optional(),
    endTime: time.optional(),
    page: count.default(1),
    rows: limitUpTo(500, 100),
    /** ccxt chooses between calls by this parameter and then sends it. */
    fiat: flag.optional(),
  }),
  async answer(services, { transactionType, beginTime: startTime, endTime, page, rows }, caller) {
    const { views } = services;
    const money = views.catalogue.coins().filter(({ definition }) => definition.kind === "fiat");
    const query = {
      account: caller.account,
      assetIds: transactionType === "0" ? money.map(({ assetId }) => assetId) : [],
      offset: 0,
      limit: ROWS_MAX,
    };
    const taken = await readPracticeFunds(services, query, { startTime, endTime });
    const first = (page - 1) * rows;
    return {
      code: "000000",
      message: "success",
      data: taken
        .slice(first, first + rows)
        .map((transfer) => describeMoneyDeposit(views, transfer)),
      total: taken.length,
      success: true,
    };
  },
});

/**
 * Practice funds taken in a period; by default the longest period allowed, until now. @throws
 * ApiError
 */
async function readPracticeFunds(
  { views, history }: Services,
  query: Omit<PracticeFundsQuery, "fromMs" | "toMs">,
  { startTime, endTime = views.nowMs() }: Period,
): Promise<TransferRecord[]> {
  const fromMs = startTime ?? Math.max(0, endTime - PERIOD_DAYS * DAY_MS);
  checkPeriod({ startTime: fromMs, endTime }, PERIOD_DAYS * 24);
  if (query.assetIds?.length === 0) return [];
  const reads = await history.readsCaughtUpTo(views.people.lastSequence(query.account));
  return reads.practiceFunds({ ...query, fromMs, toMs: endTime });
}

/** Empty for a coin that is not listed. */
function assetIdsOf({ catalogue }: Views, symbol: string): number[] {
  const listed = catalogue.coinBySymbol(symbol);
  return listed === undefined ? [] : [listed.assetId];
}

/** Always empty: each user has one wallet. */
export const transfers = endpoint({
  method: "GET",
  path: "/sapi/v1/asset/transfer",
  summary: "Always empty: each user has one wallet.",
  security: "userData",
  weight: 1,
  parameters: z.object({
    type: text,
    startTime: time.optional(),
    endTime: time.optional(),
    current: count.optional(),
    size: limitUpTo(100, 10),
    fromSymbol: text.optional(),
    toSymbol: text.optional(),
  }),
  answer: () => ({ total: 0, rows: [] }),
});

export const depositAddress = endpoint({
  method: "GET",
  path: "/sapi/v1/capital/deposit/address",
  summary: "Always refused: no coin comes from a chain.",
  security: "userData",
  weight: 10,
  errors: [-4001],
  parameters: z.object({ coin, network: text.optional(), amount: text.optional() }),
  answer() {
    throw depositsNotOffered();
  },
});

export const withdrawals = endpoint({
  method: "GET",
  path: "/sapi/v1/capital/withdraw/history",
  summary: "Always empty: no coin leaves the exchange.",
  security: "userData",
  weight: 10,
  errors: [-1127, -1130],
  parameters: z.object({
    coin: coin.optional(),
    withdrawOrderId: text.optional(),
    status: count.optional(),
    idList: text.optional(),
    startTime: time.optional(),
    endTime: time.optional(),
    offset: count.optional(),
    limit: limitUpTo(ROWS_MAX, ROWS_MAX),
  }),
  answer(_, period) {
    checkPeriod(period, PERIOD_DAYS * 24);
    return [];
  },
});

export const withdraw = endpoint({
  method: "POST",
  path: "/sapi/v1/capital/withdraw/apply",
  summary: "Always refused: no coin leaves the exchange.",
  security: "userData",
  weight: 10,
  errors: [-4019],
  parameters: z.object({
    coin,
    address: text,
    amount: text,
    addressTag: text.optional(),
    name: text.optional(),
    network: text.optional(),
    transactionFeeFlag: text.optional(),
    walletType: text.optional(),
    withdrawOrderId: text.optional(),
  }),
  answer() {
    throw withdrawalsNotOffered();
  },
});
