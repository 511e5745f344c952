/**
 * The caller's acquisitions and disposals, newest first, one row per fill, transfer and plan fee, as
 * tax programs read them. A fill's amounts are before its fee. The value in the settlement coin is
 * exact for what is priced in it; for everything else it uses the market's last earlier price.
 */
import { z } from "zod";
import { formatDecimal } from "#contract/decimal.ts";
import type { CoinAmount, Fill } from "#contract/types.ts";
import { requireUser } from "../functions/caller.ts";
import { presentFill } from "../functions/present-account.ts";
import { formatSettlement } from "../functions/present-market.ts";
import type { Services } from "../functions/services.ts";
import { hasMoved, type ActivityRecord } from "../records/activity.ts";
import type { FillRecord } from "../records/trades.ts";
import { quoteValue } from "../views/valuation.ts";
import { type ColumnsOf, csvFile, isoTime, moment, PAGE_SIZE } from "./export-file.ts";

/** Absent fields become empty cells. */
interface TaxRow {
  readonly time: string;
  readonly type: string;
  /** Coin and amount, like the fields below. */
  readonly received?: CoinAmount;
  readonly given?: CoinAmount;
  readonly fee?: CoinAmount;
  readonly value: string;
  readonly valueCoin: string;
  readonly fill?: Fill;
  readonly sequence: number;
}

const COLUMNS: ColumnsOf<TaxRow> = {
  date: ({ time }) => time,
  type: ({ type }) => type,
  "asset in": ({ received }) => received?.coin,
  "amount in": ({ received }) => received?.amount,
  "asset out": ({ given }) => given?.coin,
  "amount out": ({ given }) => given?.amount,
  "fee asset": ({ fee }) => fee?.coin,
  "fee amount": ({ fee }) => fee?.amount,
  value: ({ value }) => value,
  "value coin": ({ valueCoin }) => valueCoin,
  market: ({ fill }) => fill?.market,
  "order id": ({ fill }) => fill?.orderId,
  "trade id": ({ fill }) => fill?.tradeId,
  sequence: ({ sequence }) => sequence,
};

/** A time range; `to` is exclusive. */
const args = z.strictObject({ from: moment, to: moment });

export const taxFile = csvFile(COLUMNS, args, async (context, { from, to }, cursor) => {
  const { services } = context;
  const { views, history } = services;
  const account = views.accounts.ofUser(requireUser(context))?.account;
  if (account === undefined) return { items: [], cursor: null };
  await history.whenFresh();
  const query = { account, fromMs: from, toMs: to, cursor, limit: PAGE_SIZE };
  const page = await history.read.activity(query);
  const items: TaxRow[] = [];
  for (const record of page.items) {
    const row = await rowOf(services, record);
    if (row !== undefined) items.push(row);
  }
  return { items, cursor: page.cursor };
});

/** Undefined for records that move nothing between the caller and others. */
async function rowOf(services: Services, record: ActivityRecord): Promise<TaxRow | undefined> {
  const time = isoTime(record.timestampMs);
  switch (record.kind) {
    case "order":
      return undefined;
    case "fill":
      return fillRow(services, time, record.fill);
    case "transfer": {
      if (!hasMoved(record.transfer)) return undefined;
      const { reason, assetId, amount, sequence } = record.transfer;
      const type = reason === "practiceFunds" ? "deposit" : reason;
      return await movementRow(services, { time, type, assetId, amount, sequence });
    }
    case "plan": {
      const { assetId, amount, sequence } = record.planChange;
      if (amount === 0) return undefined;
      const paid = 0 - amount;
      return await movementRow(services, {
        time,
        type: "plan fee",
        assetId,
        amount: paid,
        sequence,
      });
    }
    default:
      throw new TypeError(`no tax row tells ${String(record satisfies never)}`);
  }
}

async function fillRow(services: Services, time: string, record: FillRecord): Promise<TaxRow> {
  const { views } = services;
  const { base, quote, quoteAssetId, definition } = views.catalogue.market(record.marketId);
  const fill = presentFill(views, record);
  const { sequence, side } = record;
  const amount = formatDecimal(record.quantityLots * definition.lotUnits, base.scale);
  const ofBase = { coin: base.symbol, amount };
  const ofQuote = { coin: quote.symbol, amount: fill.quoteAmount };
  return {
    time,
    type: side,
    received: side === "buy" ? ofBase : ofQuote,
    given: side === "buy" ? ofQuote : ofBase,
    fee: { coin: fill.feeCoin, amount: fill.fee },
    value: await valueOf(services, quoteAssetId, record.notional, sequence),
    valueCoin: views.settlementCoin,
    fill,
    sequence,
  };
}

interface Movement {
  readonly time: string;
  readonly type: string;
  readonly assetId: number;
  /** Signed amount. */
  readonly amount: number;
  readonly sequence: number;
}

async function movementRow(
  services: Services,
  { time, type, assetId, amount, sequence }: Movement,
): Promise<TaxRow> {
  const { views } = services;
  const { symbol, scale } = views.catalogue.coin(assetId).definition;
  const moved = { coin: symbol, amount: formatDecimal(Math.abs(amount), scale) };
  return {
    time,
    type,
    ...(amount < 0 ? { given: moved } : { received: moved }),
    value: await valueOf(services, assetId, Math.abs(amount), sequence),
    valueCoin: views.settlementCoin,
    sequence,
  };
}

/** The value in the settlement coin at the time of a command; "" if the coin had no price then. */
async function valueOf(
  { views, history }: Services,
  assetId: number,
  units: number,
  sequence: number,
): Promise<string> {
  if (assetId === views.valuation.settlementAssetId) return formatSettlement(views, BigInt(units));
  const market = views.valuation.marketOf(assetId);
  if (market === undefined) return "";
  const ticks = await history.read.ticksBefore(market.marketId, sequence);
  return ticks === 0 ? "" : formatSettlement(views, quoteValue(market, units, ticks));
}
