/**
 * Exports the exchange's history as rows for other programs: trades, orders, ledger postings or events.
 * One pass over the journal; only open orders are kept in memory. Amounts and prices are exact
 * decimals, times are UTC.
 */
import type { ExchangeEvent } from "#engine/events.ts";
import { postingsOf } from "#engine/accounts/postings.ts";
import {
  applyChange,
  applyEnd,
  applyTrade,
  type OrderRecord,
  type OrderState,
  placedOrder,
} from "../records/orders.ts";
import { Catalogue } from "../views/catalogue.ts";
import { amountText, priceText, quantityText, timeText } from "./exact-texts.ts";
import type { ExportFormat, ExportName } from "./export-names.ts";
import { eventsUntil, type JournalSource } from "./journal-events.ts";

export interface ExportOptions extends JournalSource {
  readonly what: ExportName;
  readonly format: ExportFormat;
  /** The first and the last sequence to export. */
  readonly from: number;
  readonly to: number;
}

type Value = string | number | boolean;
type Row = Readonly<Record<string, Value>>;

/** The lines of an export with line ends; a CSV begins with a header line. */
export async function* exportLines(options: ExportOptions): AsyncGenerator<string> {
  const { format, from } = options;
  const rows = new Exporters[options.what]();
  if (format === "csv") yield csvLine(rows.columns);
  const write = (row: Row) =>
    format === "csv"
      ? csvLine(rows.columns.map((column) => row[column]))
      : `${JSON.stringify(row)}\n`;
  for await (const events of eventsUntil(options, options.to)) {
    for (const event of events) {
      rows.catalogue.fold(event);
      const isWanted = event.sequence >= from;
      for (const row of rows.rowsOf(event)) if (isWanted) yield write(row);
    }
  }
  for (const row of rows.rowsAtTheEnd()) yield write(row);
}

const words = (text: string): readonly string[] => text.split(" ");

/** RFC 4180: quoted if it contains a comma, a quote or a line break. */
function csvLine(values: readonly Value[]): string {
  const texts = values.map((value) => {
    const text = String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${texts.join(",")}\r\n`;
}

abstract class Exporter {
  readonly catalogue = new Catalogue();
  abstract readonly columns: readonly string[];
  /** The rows that an event completes; must be called with every event, exported or not. */
  abstract rowsOf(event: ExchangeEvent): Iterable<Row>;
  rowsAtTheEnd(): Iterable<Row> {
    return [];
  }
}

class TradeRows extends Exporter {
  readonly columns = words(
    "sequence time market tradeId takerSide price quantity notional makerOrderId " +
      "takerOrderId makerAccount takerAccount makerFee makerFeeCoin takerFee " +
      "takerFeeCoin",
  );

  *rowsOf(event: ExchangeEvent): Generator<Row> {
    if (event.type !== "traded") return;
    const { catalogue } = this;
    const { marketId, takerSide } = event;
    const { baseAssetId, quoteAssetId } = catalogue.market(marketId);
    const makerFeeAsset = takerSide === "buy" ? quoteAssetId : baseAssetId;
    const takerFeeAsset = takerSide === "buy" ? baseAssetId : quoteAssetId;
    yield {
      sequence: event.sequence,
      time: timeText(event.timestampMs),
      market: catalogue.market(marketId).definition.symbol,
      tradeId: event.tradeId,
      takerSide,
      price: priceText(catalogue, marketId, event.priceTicks),
      quantity: quantityText(catalogue, marketId, event.quantityLots),
      notional: amountText(catalogue, quoteAssetId, event.notional),
      makerOrderId: event.makerOrderId,
      takerOrderId: event.takerOrderId,
      makerAccount: event.makerAccount,
      takerAccount: event.takerAccount,
      makerFee: amountText(catalogue, makerFeeAsset, event.makerFee),
      makerFeeCoin: catalogue.coin(makerFeeAsset).definition.symbol,
      takerFee: amountText(catalogue, takerFeeAsset, event.takerFee),
      takerFeeCoin: catalogue.coin(takerFeeAsset).definition.symbol,
    };
  }
}

/** One row per order in its final state, in the order in which they ended; open orders come last. */
class OrderRows extends Exporter {
  readonly columns = words(
    "orderId account market side type timeInForce postOnly price quantity total " +
      "clientOrderId placedSequence placedTime status filled filledTotal endedSequence " +
      "endedTime",
  );
  readonly #open = new Map<number, OrderState>();

  *rowsOf(event: ExchangeEvent): Generator<Row> {
    switch (event.type) {
      case "orderPlaced":
        this.#open.set(event.orderId, placedOrder(event));
        break;
      case "orderWaiting":
      case "orderActivated":
      case "orderAmended":
      case "waitingOrderAmended":
      case "quantityDecremented":
        applyChange(this.#order(event.orderId), event);
        break;
      case "traded":
        applyTrade(this.#order(event.makerOrderId), event);
        applyTrade(this.#order(event.takerOrderId), event);
        break;
      case "orderEnded": {
        const order = this.#order(event.orderId);
        applyEnd(order, event);
        this.#open.delete(event.orderId);
        yield this.#row(order);
        break;
      }
      default:
        break;
    }
  }

  override *rowsAtTheEnd(): Generator<Row> {
    for (const order of this.#open.values()) yield this.#row(order);
  }

  #order(orderId: number): OrderState {
    const order = this.#open.get(orderId);
    if (order === undefined) throw new Error(`no event placed the order ${orderId}`);
    return order;
  }

  #row(order: OrderRecord): Row {
    const { catalogue } = this;
    const { marketId, status } = order;
    const { quoteAssetId } = catalogue.market(marketId);
    const total = (units: number) => amountText(catalogue, quoteAssetId, units);
    const lots = (count: number) => quantityText(catalogue, marketId, count);
    return {
      orderId: order.orderId,
      account: order.account,
      market: catalogue.market(marketId).definition.symbol,
      side: order.side,
      type: order.orderType,
      timeInForce: order.timeInForce,
      postOnly: order.postOnly,
      price: priceText(catalogue, marketId, order.priceTicks),
      quantity: order.quantityLots === 0 ? "" : lots(order.quantityLots),
      total: order.quoteAmount === 0 ? "" : total(order.quoteAmount),
      clientOrderId: order.clientOrderId,
      placedSequence: order.placedSequence,
      placedTime: timeText(order.placedAtMs),
      status,
      filled: lots(order.filledLots),
      filledTotal: total(order.filledNotional),
      endedSequence: status === "open" ? "" : order.updatedSequence,
      endedTime: status === "open" ? "" : timeText(order.updatedAtMs),
    };
  }
}

/** One row per posting: the amount debited from one balance is credited to the other. */
class LedgerRows extends Exporter {
  readonly columns = words(
    "sequence time position reason coin amount debitAccount debitBalance " +
      "creditAccount creditBalance",
  );
  #sequence = 0;
  #position = 0;

  *rowsOf(event: ExchangeEvent): Generator<Row> {
    if (event.sequence !== this.#sequence) {
      this.#sequence = event.sequence;
      this.#position = 0;
    }
    for (const posting of postingsOf(event, this.catalogue.assetsOf)) {
      yield {
        sequence: event.sequence,
        time: timeText(event.timestampMs),
        position: this.#position++,
        reason: posting.reason,
        coin: this.catalogue.coin(posting.assetId).definition.symbol,
        amount: amountText(this.catalogue, posting.assetId, posting.amount),
        debitAccount: posting.debitAccount,
        debitBalance: posting.debitBalance,
        creditAccount: posting.creditAccount,
        creditBalance: posting.creditBalance,
      };
    }
  }
}

/** The events unchanged, in the engine's integers. */
class EventRows extends Exporter {
  readonly columns = ["sequence", "time", "type", "event"];

  *rowsOf(event: ExchangeEvent): Generator<Row> {
    const { sequence, timestampMs, type, ...fields } = event;
    yield { sequence, time: timeText(timestampMs), type, event: JSON.stringify(fields) };
  }
}

const Exporters: Readonly<Record<ExportName, new () => Exporter>> = {
  trades: TradeRows,
  orders: OrderRows,
  ledger: LedgerRows,
  events: EventRows,
};
