/**
 * A market, two people and one trade with the engine alone: no server, no disk, no dependency. It
 * runs unchanged in Node, in a worker and in a browser.
 */
import { createEngine } from "openbell-engine";
import { EventBuffer } from "openbell-engine/event-buffer";
import { postingsOf } from "openbell-engine/postings";

/** Runs the example; returns what happened, a line each, and the hash of the state it led to. */
export function firstTrade() {
  const engine = createEngine();
  const buffer = new EventBuffer();
  const lines = [];

  /** Time and sequence come from the caller: the engine has neither clock nor randomness. */
  function submit(command) {
    const timestampMs = Date.UTC(2026, 0, 1) + engine.sequence;
    engine.apply(engine.sequence + 1, timestampMs, "", command, buffer);
    const events = buffer.decode();
    buffer.clear();
    for (const event of events) {
      lines.push(`${event.sequence} ${event.type}`);
      for (const posting of postingsOf(event, (marketId) => engine.read.marketAssets(marketId))) {
        lines.push(
          `    ${posting.reason}: ${posting.amount} of asset ${posting.assetId}, account ` +
            `${posting.debitAccount} ${posting.debitBalance} to ` +
            `${posting.creditAccount} ${posting.creditBalance}`,
        );
      }
    }
    return events[0];
  }

  const text = { description: "", website: "", riskNote: "" };
  const coin = { kind: "crypto", status: "listed", ...text };
  submit({
    type: "listCoin",
    coin: { ...coin, symbol: "BTC", name: "Bitcoin", scale: 8, displayDecimals: 8 },
  });
  submit({
    type: "listCoin",
    coin: { ...coin, symbol: "USD", name: "Dollar", kind: "fiat", scale: 2, displayDecimals: 2 },
  });
  // A lot is 0.00001 BTC (1 000 units); a tick is 1 000 USD, which a lot turns into one cent.
  submit({
    type: "listMarket",
    market: {
      symbol: "BTC-USD",
      base: "BTC",
      quote: "USD",
      lotUnits: 1_000,
      tickLotUnits: 1,
      notionalMin: 100,
      quantityLotsMax: 1_000_000,
      status: "trading",
      simulated: false,
    },
  });
  submit({
    type: "definePlan",
    plan: {
      slug: "free",
      name: "Free",
      description: "",
      position: 0,
      makerFeeBps: 20,
      takerFeeBps: 25,
      price: "0",
      interval: "none",
      eligibility: "everyone",
      volumeMin: "0",
      openOrdersMax: 100,
      features: [],
    },
  });
  const ann = submit({ type: "openAccount", userId: "ann", kind: "person" }).account;
  const ben = submit({ type: "openAccount", userId: "ben", kind: "person" }).account;
  submit({ type: "takePracticeFunds", account: ann, assetId: 1, amount: 200_000_000 });
  submit({ type: "takePracticeFunds", account: ben, assetId: 2, amount: 10_000_000 });

  const order = {
    type: "placeOrder",
    marketId: 1,
    orderType: "limit",
    timeInForce: "gtc",
    postOnly: false,
    priceTicks: 60,
    quoteAmount: 0,
    clientOrderId: "",
  };
  submit({ ...order, account: ann, side: "sell", quantityLots: 50_000 });
  submit({ ...order, account: ben, side: "buy", quantityLots: 20_000 });

  // Everything that must hold between two commands, checked; throws where it does not.
  engine.read.checkInvariants();
  const { available } = engine.read.balance(ben, 1);
  lines.push(`Ben owns ${available} units of 0.00000001 BTC`);
  return { lines, stateHash: engine.stateHash() };
}
