/**
 * The caller's acquisitions and disposals, newest first, one row per fill, transfer and plan fee, as
 * tax programs read them. A fill's amounts are before its fee. The value in the settlement coin is
 * exact for coins that are priced in it; for everything else it uses the market's last earlier price.
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
import type { Views } from "../views/views.ts";
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
  const movements = page.items.flatMap((record) => movementOf(views, record) ?? []);
  const prices = await pricesOf(services, movements);
  const items = movements.map((movement) => rowOf(views, movement, prices));
  return { items, cursor: page.cursor };
});

/** The amounts that a record moves between the caller and others. */
interface Movement {
  readonly timestampMs: number;
  readonly type: string;
  readonly assetId: number;
  /** Signed, if it is not that of a fill. */
  readonly amount: number;
  readonly sequence: number;
  readonly fill?: FillRecord;
}

/** Undefined for records that move nothing between the caller and others. */
function movementOf(views: Views, record: ActivityRecord): Movement | undefined {
  const { timestampMs } = record;
  switch (record.kind) {
    case "order":
      return undefined;
    case "fill": {
      const { fill } = record;
      const { marketId, notional: amount, sequence, side: type } = fill;
      const { quoteAssetId: assetId } = views.catalogue.market(marketId);
      return { timestampMs, type, assetId, amount, sequence, fill };
    }
    case "transfer": {
      if (!hasMoved(record.transfer)) return undefined;
      const { reason, assetId, amount, sequence } = record.transfer;
      const type = reason === "practiceFunds" ? "deposit" : reason;
      return { timestampMs, type, assetId, amount, sequence };
    }
    case "plan": {
      const { assetId, amount, sequence } = record.planChange;
      if (amount === 0) return undefined;
      return { timestampMs, type: "plan fee", assetId, amount: 0 - amount, sequence };
    }
    default:
      throw new TypeError(`no tax row tells ${String(record satisfies never)}`);
  }
}

/** Prices in ticks by market and command. */
type Prices = ReadonlyMap<number, ReadonlyMap<number, number>>;

/** The prices that value a page's movements, read once for each market. */
async function pricesOf(
  { views, history }: Services,
  movements: readonly Movement[],
): Promise<Prices> {
  const sequences = new Map<number, Set<number>>();
  for (const { assetId, sequence } of movements) {
    const marketId = views.valuation.marketOf(assetId)?.marketId;
    if (marketId === undefined) continue;
    sequences.set(marketId, (sequences.get(marketId) ?? new Set()).add(sequence));
  }
  const prices = new Map<number, ReadonlyMap<number, number>>();
  for (const [marketId, asked] of sequences) {
    prices.set(marketId, await history.read.ticksBeforeEach(marketId, [...asked]));
  }
  return prices;
}

function rowOf(views: Views, movement: Movement, prices: Prices): TaxRow {
  const { amount, assetId, fill, sequence, timestampMs, type } = movement;
  const common = {
    time: isoTime(timestampMs),
    type,
    value: valueOf(views, movement, prices),
    valueCoin: views.settlementCoin,
    sequence,
  };
  if (fill !== undefined) return { ...common, ...fillCells(views, fill) };
  const { symbol, scale } = views.catalogue.coin(assetId).definition;
  const moved = { coin: symbol, amount: formatDecimal(Math.abs(amount), scale) };
  return { ...common, ...(amount < 0 ? { given: moved } : { received: moved }) };
}

function fillCells(views: Views, record: FillRecord) {
  const { base, quote, definition } = views.catalogue.market(record.marketId);
  const fill = presentFill(views, record);
  const amount = formatDecimal(record.quantityLots * definition.lotUnits, base.scale);
  const ofBase = { coin: base.symbol, amount };
  const ofQuote = { coin: quote.symbol, amount: fill.quoteAmount };
  const isBuy = record.side === "buy";
  return {
    received: isBuy ? ofBase : ofQuote,
    given: isBuy ? ofQuote : ofBase,
    fee: { coin: fill.feeCoin, amount: fill.fee },
    fill,
  };
}

/** The value in the settlement coin at the time of a command; "" if the coin had no price then. */
function valueOf(views: Views, { amount, assetId, sequence }: Movement, prices: Prices): string {
  const units = Math.abs(amount);
  if (assetId === views.valuation.settlementAssetId) return formatSettlement(views, BigInt(units));
  const market = views.valuation.marketOf(assetId);
  if (market === undefined) return "";
  // Missing if the market has been listed since.
  const ticks = prices.get(market.marketId)?.get(sequence) ?? 0;
  return ticks === 0 ? "" : formatSettlement(views, quoteValue(market, units, ticks));
}
