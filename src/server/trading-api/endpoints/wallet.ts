/**
 * Coins, deposits and withdrawals: practice funds that were taken, and the reviewed transfers of an exchange
 * in funded mode. No program withdraws.
 */
import { z } from "zod";
import { DAY_MS } from "#engine/time/calendar.ts";
import type { Services } from "../../functions/services.ts";
import type { PracticeFundsQuery } from "../../history/readers/account-reader.ts";
import type { TransferRecord } from "../../records/activity.ts";
import type { TransferView } from "../../views/transfers.ts";
import type { Views } from "../../views/views.ts";
import { checkPeriod, type Period } from "../account/period.ts";
import {
  DEPOSIT_STATUS,
  depositAddressOf,
  describeMoneyTransfer,
  describeReviewedDeposit,
  describeWithdrawal,
  reviewedTransfers,
} from "../account/transfers.ts";
import {
  depositIdOf,
  describeCoin,
  describeDeposit,
  describeMoneyDeposit,
} from "../account/wallet.ts";
import {
  depositNotAnnounced,
  depositsNotOffered,
  invalidParameter,
  withdrawalsNotOffered,
} from "../api-error.ts";
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
    return views.catalogue.coins().map((each) =>
      describeCoin(views, account, each, {
        isGiven: given.has(each.definition.symbol),
        isFunded: config.FUNDED_MODE !== "off",
      }),
    );
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
    const { views } = services;
    const { coin, status, txId } = given;
    const period = periodOf(views, given);
    const asked = { account, assetIds: assetIdsOf(views, coin), ...period };
    const reviewed = reviewedTransfers(views, { ...asked, kind: "deposit", status }).filter(
      ({ receipt }) => txId === undefined || receipt === txId,
    );
    const readPracticeFunds = async (pages: Pages) => {
      if (status !== undefined && status !== DEPOSIT_STATUS.credited) return [];
      if (txId === undefined) return practiceFunds(services, { ...asked, ...pages });
      const all = await practiceFunds(services, { ...asked, offset: 0, limit: ROWS_MAX });
      return all.filter((transfer) => depositIdOf(transfer) === txId).slice(pages.offset);
    };
    const rows = await pageOf(reviewed, readPracticeFunds, given);
    return RowsAnswer.of(rows, (row) =>
      "transferId" in row ? describeReviewedDeposit(views, row) : describeDeposit(views, row),
    );
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
  async answer(services, given, { account }) {
    const { views } = services;
    const { beginTime: startTime, endTime, page, rows } = given;
    const kind = given.transactionType === "0" ? "deposit" : "withdrawal";
    const money = views.catalogue.coins().filter(({ definition }) => definition.kind === "fiat");
    const period = periodOf(views, { startTime, endTime });
    const asked = { account, assetIds: money.map(({ assetId }) => assetId), ...period };
    const all = await pageOf(
      reviewedTransfers(views, { ...asked, kind }),
      async (pages) => (kind === "deposit" ? practiceFunds(services, { ...asked, ...pages }) : []),
      { offset: 0, limit: ROWS_MAX },
    );
    const first = (page - 1) * rows;
    return {
      code: "000000",
      message: "success",
      data: all
        .slice(first, first + rows)
        .map((row) =>
          "transferId" in row
            ? describeMoneyTransfer(views, row)
            : describeMoneyDeposit(views, row),
        ),
      total: all.length,
      success: true,
    };
  },
});

/** The requested period; by default the longest one that is allowed, until now. @throws ApiError */
function periodOf(views: Views, { startTime, endTime = views.nowMs() }: Period) {
  const fromMs = startTime ?? Math.max(0, endTime - PERIOD_DAYS * DAY_MS);
  checkPeriod({ startTime: fromMs, endTime }, PERIOD_DAYS * 24);
  return { fromMs, toMs: endTime };
}

type Pages = Pick<PracticeFundsQuery, "offset" | "limit">;

async function practiceFunds(
  { history, views }: Services,
  query: PracticeFundsQuery,
): Promise<TransferRecord[]> {
  if (query.assetIds?.length === 0) return [];
  const reads = await history.readsCaughtUpTo(views.people.lastSequence(query.account));
  const { limit, offset } = query;
  const rows = await reads.practiceFunds({ ...query, limit: Math.min(limit, ROWS_MAX) });
  if (rows.length < ROWS_MAX || limit === ROWS_MAX) return rows;
  // A read has as many rows as a page, and a page with reviewed transfers before it needs a few more.
  const further = { offset: offset + ROWS_MAX, limit: limit - ROWS_MAX };
  return [...rows, ...(await reads.practiceFunds({ ...query, ...further }))];
}

/** A page of reviewed transfers and practice funds together, newest first, as both are. */
async function pageOf(
  reviewed: readonly TransferView[],
  readPracticeFunds: (pages: Pages) => Promise<TransferRecord[]>,
  { limit, offset }: Pages,
): Promise<(TransferRecord | TransferView)[]> {
  // Rows of practice funds so far before the page that all reviewed transfers cannot push them into it are
  // not read.
  const before = Math.min(offset, reviewed.length);
  const taken = await readPracticeFunds({ offset: offset - before, limit: limit + before });
  return [...reviewed, ...taken]
    .toSorted((one, other) => sequenceOf(other) - sequenceOf(one))
    .slice(before, before + limit);
}

function sequenceOf(row: TransferRecord | TransferView): number {
  return "transferId" in row ? row.requestedSequence : row.sequence;
}

/** Empty for a coin that is not listed, undefined for all coins. */
function assetIdsOf({ catalogue }: Views, symbol: string | undefined): number[] | undefined {
  if (symbol === undefined) return undefined;
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

/** Coins of practice money, and of an exchange that offers no deposits, have none. */
export const depositAddress = endpoint({
  method: "GET",
  path: "/sapi/v1/capital/deposit/address",
  summary: "How to pay the deposit that the caller announced last, with the reference to state.",
  security: "userData",
  weight: 10,
  errors: [-4001],
  parameters: z.object({ coin, network: text.optional(), amount: text.optional() }),
  answer({ config, views }, { coin, network }, { account }) {
    const listed = views.catalogue.coinBySymbol(coin)?.definition;
    if (config.FUNDED_MODE === "off" || listed?.transfers === undefined) throw depositsNotOffered();
    const address = depositAddressOf(views, account, coin, network);
    if (address === undefined) throw depositNotAnnounced();
    return address;
  },
});

const ID_LIST_MAX = 45;

export const withdrawals = endpoint({
  method: "GET",
  path: "/sapi/v1/capital/withdraw/history",
  summary: "Withdrawals of the caller.",
  security: "userData",
  weight: 10,
  errors: [-1127, -1130],
  parameters: z.object({
    coin: coin.optional(),
    /** A name that the caller gives in the call that requests a withdrawal. No withdrawal has one. */
    withdrawOrderId: text.optional(),
    status: count.optional(),
    idList: z.string().min(1).max(1_000).optional(),
    startTime: time.optional(),
    endTime: time.optional(),
    offset: count.default(0),
    limit: limitUpTo(ROWS_MAX, ROWS_MAX),
  }),
  answer({ views }, given, { account }) {
    const { idList, limit, offset, status, withdrawOrderId } = given;
    const period = periodOf(views, given);
    const ids = idList?.split(",");
    if (ids !== undefined && ids.length > ID_LIST_MAX) throw invalidParameter("idList");
    if (withdrawOrderId !== undefined) return [];
    const assetIds = assetIdsOf(views, given.coin);
    const asked = { account, kind: "withdrawal", assetIds, status, ...period } as const;
    const found = reviewedTransfers(views, asked).filter(
      ({ transferId }) => ids === undefined || ids.includes(String(transferId)),
    );
    return RowsAnswer.of(found.slice(offset, offset + limit), (transfer) =>
      describeWithdrawal(views, transfer),
    );
  },
});

export const withdraw = endpoint({
  method: "POST",
  path: "/sapi/v1/capital/withdraw/apply",
  summary: "Always refused: no API key can be permitted to withdraw.",
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
