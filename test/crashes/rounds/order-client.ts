/**
 * A user with the official client, unchanged, who places orders one after another on one node. Each order has
 * a quantity of its own, by which the journal shows whether it is there, and how often.
 */
import { setTimeout as delay } from "node:timers/promises";
import { ConvexClient } from "convex/browser";
import { ConvexError } from "convex/values";
import { functions } from "#contract/functions.ts";
import type { Random } from "../../disk/journal-disk.ts";

/** Of BTC-USD: a key is the number of these in the order's quantity. */
const LOTS_PER_BTC = 10_000;
/** The smallest orders are refused. */
const FIRST_KEY = 100;
/** Below the limits of a user. */
const PAUSE_MS = 110;
const TOKEN_MS_MAX = 2_000;
/** What a browser does when its network is back. */
const HURRY_MS = 250;

let keys = FIRST_KEY;

export class OrderClient {
  /** The ids of orders by key, once their placement was acknowledged. */
  readonly acknowledged = new Map<number, number>();
  /** The codes of refusals by key. */
  readonly refused = new Map<number, string>();
  /** What a client should never be told. */
  readonly faults: string[] = [];
  /** When an order was acknowledged last, by a steady clock. */
  lastMs = 0;
  readonly #client: ConvexClient;
  readonly #random: Random;
  readonly #hurrying: NodeJS.Timeout;
  #isResting = true;
  #placing: Promise<void> = Promise.resolve();

  /**
   * @param url of the node
   * @param cookie of the user's session
   */
  constructor(url: string, cookie: string, random: Random) {
    this.#random = random;
    this.#client = new ConvexClient(url, { skipConvexDeploymentUrlCheck: true, logger: false });
    this.#client.setAuth(() => tokenOf(url, cookie));
    const { webSocketManager } = this.#client.client as unknown as {
      webSocketManager: { tryReconnectImmediately(): void };
    };
    this.#hurrying = setInterval(() => webSocketManager.tryReconnectImmediately(), HURRY_MS);
  }

  async takeFunds(): Promise<void> {
    await this.#client.mutation(functions.accounts.takePracticeFunds, {});
  }

  begin(): void {
    this.#isResting = false;
    this.#placing = this.#place();
  }

  /** Resolves when the last order was answered, and none is open. */
  async rest(): Promise<void> {
    this.#isResting = true;
    await this.#placing;
    await this.#client.mutation(functions.orders.cancelAll, {});
  }

  /** Places one order. */
  async placeOne(): Promise<void> {
    const key = keys++;
    const order = {
      market: "BTC-USD",
      side: this.#random(2) === 0 ? "buy" : "sell",
      type: "limit",
      price: (20_000 + this.#random(20)).toFixed(2),
      quantity: (key / LOTS_PER_BTC).toFixed(4),
      timeInForce: this.#random(10) < 3 ? "gtc" : "ioc",
    } as const;
    try {
      const placed = await this.#client.mutation(functions.orders.place, order);
      this.acknowledged.set(key, Number(placed.order.orderId));
      this.lastMs = performance.now();
    } catch (error) {
      if (error instanceof ConvexError) {
        this.refused.set(key, (error.data as { code: string }).code);
      } else this.faults.push(`order ${key} was answered ${String(error)}`);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#hurrying);
    await this.#client.close();
  }

  async #place(): Promise<void> {
    while (!this.#isResting) {
      await this.placeOne();
      await delay(PAUSE_MS);
    }
  }
}

/** Waits for a node that does not answer. */
async function tokenOf(url: string, cookie: string): Promise<string> {
  for (;;) {
    try {
      const answer = await fetch(`${url}/api/auth/token`, {
        headers: { origin: url, cookie },
        signal: AbortSignal.timeout(TOKEN_MS_MAX),
      });
      if (answer.ok) return ((await answer.json()) as { token: string }).token;
    } catch {
      // It may be frozen or not started again.
    }
    await delay(HURRY_MS);
  }
}
