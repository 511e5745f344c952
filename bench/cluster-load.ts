/**
 * Users of `bench/cluster-answers.ts` with the official client, in their own process: orders far from
 * the market are placed and cancelled at a steady rate. No client waits for an earlier answer before
 * it sends the next request.
 */
import { setTimeout as delay } from "node:timers/promises";
import { ConvexClient } from "convex/browser";
import { functions } from "#contract/functions.ts";
import { MARKET } from "./page-queries.ts";
import { restingOrder } from "./page-scene.ts";

export type UsersRequest =
  | { readonly kind: "open"; readonly url: string; readonly tokens: readonly string[] }
  | { readonly kind: "load"; readonly rate: number; readonly seconds: number }
  | { readonly kind: "close" };

export interface Answers {
  /** Milliseconds from the moment at which a command was due to its answer. */
  readonly times: readonly number[];
  readonly failures: readonly string[];
}

interface User {
  readonly client: ConvexClient;
  readonly openOrders: string[];
  /** Whether the next command cancels, if an order is open. */
  cancels: boolean;
}

const ORDER = restingOrder(40_000);

const users: User[] = [];

process.on("message", (asked: UsersRequest) => {
  answer(asked).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.once("disconnect", () => process.exit(0));

async function answer(asked: UsersRequest): Promise<object> {
  switch (asked.kind) {
    case "open":
      return open(asked.url, asked.tokens);
    case "load":
      return load(asked.rate, asked.seconds);
    case "close":
      await Promise.all(users.map(({ client }) => client.close()));
      return {};
    default:
      throw new Error(`nothing does ${String(asked satisfies never)}`);
  }
}

/** Each user has its open orders on a page. */
async function open(url: string, tokens: readonly string[]): Promise<object> {
  await Promise.all(
    tokens.map(async (token) => {
      const client = new ConvexClient(url, {
        expectAuth: true,
        skipConvexDeploymentUrlCheck: true,
        logger: false,
      });
      client.setAuth(async () => token);
      await new Promise<void>((shown) => {
        client.onUpdate(functions.orders.open, MARKET, () => shown());
      });
      users.push({ client, openOrders: [], cancels: false });
    }),
  );
  return {};
}

async function load(rate: number, seconds: number): Promise<Answers> {
  const times: number[] = [];
  const failures: string[] = [];
  const startedMs = performance.now();
  const pending: Promise<void>[] = [];
  for (let sent = 0; sent < rate * seconds;) {
    const dueMs = startedMs + (sent * 1_000) / rate;
    if (performance.now() < dueMs) {
      await delay(1);
      continue;
    }
    const command = commandOf(users[sent++ % users.length]).then(
      () => void times.push(performance.now() - dueMs),
      (error: unknown) =>
        void failures.push(error instanceof Error ? error.message : String(error)),
    );
    pending.push(command);
  }
  await Promise.all(pending);
  return { times, failures };
}

/** Places an order, or cancels one that was placed before. */
async function commandOf(user: User): Promise<void> {
  const { client, openOrders } = user;
  const orderId = user.cancels ? openOrders.shift() : undefined;
  user.cancels = !user.cancels;
  if (orderId !== undefined) await client.mutation(functions.orders.cancel, { orderId });
  else {
    const { order } = await client.mutation(functions.orders.place, ORDER);
    openOrders.push(order.orderId);
  }
}
