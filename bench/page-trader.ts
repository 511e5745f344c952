/** The users whose pages `bench/pages.ts` measures. */
import { setTimeout as delay } from "node:timers/promises";
import type { Ticker } from "#contract/types.ts";

const PASSWORD = "correct horse battery";
/** Reuse of a backend token, well within its validity. */
const TOKEN_USED_FOR_MS = 30_000;

/** A price, as a share of the market's, far from the market and within its band. */
const FAR_BELOW = 0.9;

export interface PriceOfMarket {
  readonly market: string;
  readonly price: string;
}

export interface Trader {
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
  /** Takes practice funds, trades, and places orders, for the history of an account after some days. */
  fillAccount(): Promise<void>;
  /** The market with the highest volume, and a price below all levels of its book. */
  liveliestMarket(): Promise<PriceOfMarket>;
  /**
   * Places and cancels orders at a rate, until the returned function is called.
   * @returns stops, and resolves with the number of orders placed
   */
  keepTrading(at: PriceOfMarket, perSecond: number): () => Promise<number>;
}

export async function newTrader(url: string, email: string): Promise<Trader> {
  const answer = await fetch(`${url}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ email, password: PASSWORD, name: "Sam", lastname: "Trader" }),
  });
  if (!answer.ok) throw new Error(`the sign-up answered ${answer.status}: ${await answer.text()}`);
  const pairs = answer.headers.getSetCookie().map((each) => each.split(";", 1)[0] ?? "");
  const cookie = pairs.join("; ");

  let token = "";
  let issuedMs = Number.NEGATIVE_INFINITY;
  async function freshToken(): Promise<string> {
    if (performance.now() - issuedMs < TOKEN_USED_FOR_MS) return token;
    const issued = await fetch(`${url}/api/auth/token`, { headers: { cookie } });
    ({ token } = (await issued.json()) as { token: string });
    issuedMs = performance.now();
    return token;
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what it asked for
  async function call<Value>(
    kind: "mutation" | "query",
    path: string,
    args: object,
  ): Promise<Value> {
    const result = await fetch(`${url}/api/${kind}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${await freshToken()}`,
      },
      body: JSON.stringify({ path, args, format: "convex_encoded_json" }),
    });
    const text = await result.text();
    if (!result.ok) throw new Error(`${path} answered ${result.status}: ${text}`);
    return (JSON.parse(text) as { value: Value }).value;
  }
  const place = (order: object) =>
    call<{ order: { orderId: string } }>("mutation", "orders:place", order);
  const limitBuy = (market: string, price: string) =>
    place({ market, side: "buy", type: "limit", price, quantity: "0.001" });

  return {
    cookies: pairs.map((pair) => {
      const at = pair.indexOf("=");
      return { name: pair.slice(0, at), value: pair.slice(at + 1) };
    }),
    async fillAccount() {
      await call("mutation", "accounts:takePracticeFunds", {});
      for (const market of ["BTC-USD", "ETH-USD", "SOL-USD"]) {
        for (let trade = 0; trade < 5; trade += 1) {
          await place({ market, side: "buy", type: "market", quoteAmount: "500" });
        }
      }
      for (let order = 0; order < 10; order += 1) await limitBuy("BTC-USD", `${30_000 + order}.00`);
    },
    async liveliestMarket() {
      const tickers = await call<Ticker[]>("query", "markets:tickers", {});
      const volume = (ticker: Ticker) => Number(ticker.quoteVolume24h);
      const [liveliest] = tickers.toSorted((one, other) => volume(other) - volume(one));
      const { market, bid } = liveliest ?? {};
      if (market === undefined || !bid) throw new Error("no market has a bid");
      const decimals = bid.split(".")[1]?.length ?? 0;
      return { market, price: (Number(bid) * FAR_BELOW).toFixed(decimals) };
    },
    keepTrading({ market, price }, perSecond) {
      let isOver = false;
      let count = 0;
      const trading = (async () => {
        while (!isOver) {
          const pause = delay(1_000 / perSecond);
          const { order } = await limitBuy(market, price);
          await call("mutation", "orders:cancel", { orderId: order.orderId });
          count += 1;
          await pause;
        }
      })();
      return async () => {
        isOver = true;
        await trading;
        return count;
      };
    },
  };
}
