import { expect, test, vi } from "vitest";
import type { Exchange } from "./exchange/exchange.ts";
import { createSilentLog } from "./log.ts";
import { createOpenOrders } from "./orders-of-departed-users.ts";
import type { Views } from "./views/views.ts";

const ACCOUNTS = 50_000;

test("orders of the banned are looked for in turns, however many accounts there are", async () => {
  let inTurn = 0;
  let inTurnMax = 0;
  const count = () => {
    inTurn += 1;
    inTurnMax = Math.max(inTurnMax, inTurn);
  };
  const views = {
    accounts: {
      *all() {
        for (let account = 0; account < ACCOUNTS; account += 1) {
          count();
          yield { kind: "person", account, userId: `user ${account}` };
        }
      },
      ofUser: (userId: string) => ({ account: Number(userId.slice("user ".length)) }),
    },
    people: { openOrderCount: (account: number) => account % 2 },
  } as unknown as Pick<Views, "accounts" | "people">;
  const cancelled: number[] = [];
  const submit = vi.fn<Exchange["submit"]>((command) => {
    cancelled.push("account" in command ? command.account : 0);
    return Promise.resolve({ events: [] } as unknown as Awaited<ReturnType<Exchange["submit"]>>);
  });
  const openOrders = createOpenOrders({
    config: { OPEN_ORDERS_AT_SIGN_OUT: "keep", OPEN_ORDERS_AT_BAN: "cancel" },
    exchange: { submit },
    views,
    log: createSilentLog(),
  });
  let isTurning = true;
  const turn = () => {
    inTurn = 0;
    if (isTurning) setImmediate(turn);
  };
  turn();
  let asked = 0;
  const end = openOrders.watchBans({
    bannedOf(userIds) {
      asked += userIds.length;
      return Promise.resolve(userIds.filter((id) => id === "user 7" || id === "user 49999"));
    },
  });
  await expect.poll(() => asked).toBe(ACCOUNTS / 2);
  end();
  isTurning = false;
  expect(cancelled).toEqual([7, 49_999]);
  expect(inTurnMax).toBeLessThanOrEqual(ACCOUNTS / 5);
});
