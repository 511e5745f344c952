/** Describes the exchange's state at a sequence as text: its markets, one book, one account. */
import type { StateReader } from "#engine/state-reader.ts";
import { createEngine } from "#engine/engine.ts";
import { engineOptions } from "../exchange/engine-options.ts";
import { Catalogue, type MarketView } from "../views/catalogue.ts";
import { amountText, priceText, quantityText, timeText } from "./exact-texts.ts";
import { eventsUntil, type JournalSource } from "./journal-events.ts";

export interface InspectOptions extends JournalSource {
  /** The last sequence to replay. */
  readonly to: number;
  /** A symbol, such as BTC-USD. */
  readonly market?: string;
  /** An account's number or its owner's user id. */
  readonly account?: string;
}

/** @throws Error if the market or account did not exist then */
export async function inspectJournal(options: InspectOptions): Promise<string[]> {
  const engine = createEngine(engineOptions);
  const catalogue = new Catalogue();
  const accounts = new Map<string, number>();
  for await (const events of eventsUntil(options, options.to, engine)) {
    for (const event of events) {
      catalogue.fold(event);
      if (event.type === "accountOpened") accounts.set(event.userId, event.account);
    }
  }
  const { read, sequence, timestampMs } = engine;
  const lines = [
    `sequence    ${sequence}`,
    `time        ${sequence === 0 ? "-" : timeText(timestampMs)}`,
    `state hash  ${engine.stateHash()}`,
  ];
  if (options.market !== undefined) {
    const market = catalogue.marketBySymbol(options.market);
    if (market === undefined)
      throw new Error(`there was no market ${options.market} at ${sequence}`);
    lines.push("", ...bookLines(read, catalogue, market));
  }
  if (options.account !== undefined) {
    const account = accounts.get(options.account) ?? Number(options.account);
    const isKnown = Number.isSafeInteger(account) && account >= 1 && account < read.accountEnd;
    if (!isKnown) throw new Error(`there was no account ${options.account} at ${sequence}`);
    lines.push("", ...accountLines(read, catalogue, account));
  }
  if (options.market === undefined && options.account === undefined) {
    lines.push("", ...overviewLines(read, catalogue));
  }
  return lines;
}

function overviewLines(read: StateReader, catalogue: Catalogue): string[] {
  const rows = catalogue.markets().map(({ marketId, definition }) => {
    const best = (side: "buy" | "sell") => {
      const [level] = read.bookLevels(marketId, side, 1);
      return level === undefined ? "-" : priceText(catalogue, marketId, level.priceTicks);
    };
    return [definition.symbol, definition.status, best("buy"), best("sell")];
  });
  return [
    `accounts    ${Math.max(0, read.accountEnd - 16)}`,
    `open orders ${read.openOrderCount}`,
    "",
    ...columns([["market", "status", "best bid", "best ask"], ...rows]),
  ];
}

function bookLines(read: StateReader, catalogue: Catalogue, market: MarketView): string[] {
  const { marketId, definition } = market;
  const side = (name: "buy" | "sell") =>
    read
      .bookOrders(marketId, name)
      .map(({ orderId, account, priceTicks, remainingLots, clientOrderId }) => [
        name,
        priceText(catalogue, marketId, priceTicks),
        quantityText(catalogue, marketId, remainingLots),
        String(orderId),
        String(account),
        clientOrderId,
      ]);
  return [
    `${definition.symbol}, ${definition.status}: the book, the best price of each side nearest the middle`,
    ...columns([
      ["side", "price", "remaining", "order", "account", "client order id"],
      ...side("sell").reverse(),
      ...side("buy"),
    ]),
  ];
}

function accountLines(read: StateReader, catalogue: Catalogue, account: number): string[] {
  const summary = read.account(account);
  const balances = catalogue.coins().flatMap(({ assetId, definition }) => {
    const { available, held } = read.exactBalance(account, assetId);
    if (available === 0n && held === 0n) return [];
    const text = (units: bigint) => amountText(catalogue, assetId, units);
    return [[definition.symbol, text(available), text(held)]];
  });
  const orders = read
    .openOrdersOf(account)
    .map(({ orderId, marketId, side, priceTicks, remainingLots, clientOrderId }) => [
      String(orderId),
      catalogue.market(marketId).definition.symbol,
      side,
      priceText(catalogue, marketId, priceTicks),
      quantityText(catalogue, marketId, remainingLots),
      clientOrderId,
    ]);
  const owner =
    summary === undefined
      ? "of the exchange itself"
      : `${summary.kind} ${summary.userId}, plan ${catalogue.plan(summary.planId).definition.slug}`;
  return [
    `account ${account}, ${owner}`,
    ...columns([["coin", "available", "held"], ...balances]),
    "",
    ...columns([["order", "market", "side", "price", "remaining", "client order id"], ...orders]),
  ];
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column]))
      .join("  ")
      .trimEnd(),
  );
}
