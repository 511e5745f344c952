import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { CallerLeftError, FairQueue, QueueFullError } from "./fair-queue.ts";

const LIMITS = {
  what: "reads",
  underWay: 1,
  underWayPerClient: 1,
  waiting: 100,
  waitingPerClient: 50,
};

/** Work that notes its name when it starts and ends when the test says so. */
function gate(order: string[], name: string) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    end,
    work: async () => {
      order.push(name);
      await ended;
      return name;
    },
  };
}

function refusalOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => "done",
    (error: unknown) => error,
  );
}

describe("a fair queue", () => {
  test("preferred clients have two of three turns, and the others the third", async () => {
    const queue = new FairQueue(LIMITS);
    const order: string[] = [];
    const all: Promise<unknown>[] = [];
    const add = (client: string, preference: "preferred" | "ordinary") => {
      all.push(queue.run(client, () => void order.push(client[0] ?? ""), undefined, preference));
    };
    for (let n = 0; n < 5; n++) add(`s${n}`, "ordinary");
    for (let n = 0; n < 5; n++) add(`k${n}`, "preferred");
    await Promise.all(all);
    // The first visitor came before all others.
    expect(order.join("")).toBe("skkskkskss");
  });

  test("a client with one task waits for one task of a client with fifty", async () => {
    const queue = new FairQueue(LIMITS);
    const order: string[] = [];
    const note = (name: string) => () => {
      order.push(name);
    };
    const flood = Array.from({ length: 50 }, () => queue.run("flood", note("flood")));
    await queue.run("honest", note("honest"));
    expect(order.indexOf("honest")).toBeLessThanOrEqual(2);
    await Promise.all(flood);
    expect(order).toHaveLength(51);
  });

  test("every one of many flooding clients costs an honest one a single turn", async () => {
    const queue = new FairQueue(LIMITS);
    const order: string[] = [];
    const note = (name: string) => () => {
      order.push(name);
    };
    const floods = [1, 2, 3, 4, 5].flatMap((n) =>
      Array.from({ length: 15 }, () => queue.run(`flood ${n}`, note("flood"))),
    );
    await queue.run("honest", note("honest"));
    expect(order.indexOf("honest")).toBeLessThanOrEqual(6);
    await Promise.all(floods);
  });

  test("a client's own tasks are done in their order of arrival", async () => {
    const queue = new FairQueue(LIMITS);
    const order: number[] = [];
    await Promise.all([1, 2, 3, 4].map((n) => queue.run("one", () => order.push(n))));
    expect(order).toEqual([1, 2, 3, 4]);
  });

  test("one client never has more than its share of the places", async () => {
    const queue = new FairQueue({ ...LIMITS, underWay: 3, underWayPerClient: 2 });
    const order: string[] = [];
    const gates = ["a1", "a2", "a3", "b1"].map((name) => gate(order, name));
    const [a1, a2, a3, b1] = gates;
    const all = [
      queue.run("a", a1.work),
      queue.run("a", a2.work),
      queue.run("a", a3.work),
      queue.run("b", b1.work),
    ];
    expect(order).toEqual(["a1", "a2", "b1"]);
    a1.end();
    await nextTurn();
    await nextTurn();
    expect(order).toEqual(["a1", "a2", "b1", "a3"]);
    for (const { end } of gates) end();
    await Promise.all(all);
  });

  test("work that ends at once starts no more than the places in one turn of the loop", async () => {
    const queue = new FairQueue({ ...LIMITS, underWay: 2, underWayPerClient: 2 });
    let started = 0;
    const all = Array.from({ length: 10 }, () => queue.run("one", () => (started += 1)));
    await Promise.resolve();
    expect(started).toBe(2);
    await Promise.all(all);
    expect(started).toBe(10);
  });

  test("a client beyond its own limit is refused with a sentence that names the limit", async () => {
    const queue = new FairQueue({ ...LIMITS, waitingPerClient: 2 });
    const order: string[] = [];
    const first = gate(order, "first");
    const running = queue.run("one", first.work);
    const waiting = [1, 2].map(() => queue.run("one", () => {}));
    const error = await refusalOf(queue.run("one", () => {}));
    expect(error).toBeInstanceOf(QueueFullError);
    expect(error).toMatchObject({
      scope: "client",
      message: "At most 2 reads of one client may wait at once.",
    });
    first.end();
    await Promise.all([running, ...waiting]);
  });

  test("where all places to wait are taken, the longest line gives one up for a newcomer", async () => {
    const queue = new FairQueue({ ...LIMITS, waiting: 4 });
    const order: string[] = [];
    const first = gate(order, "first");
    const running = queue.run("flood", first.work);
    const flood = [1, 2, 3, 4].map((n) => queue.run("flood", () => n));
    const outcomes = flood.map(refusalOf);
    const honest = queue.run("honest", () => "served");
    expect(await outcomes[3]).toMatchObject({ name: "QueueFullError", scope: "all" });
    first.end();
    expect(await honest).toBe("served");
    expect(await Promise.all(flood.slice(0, 3))).toEqual([1, 2, 3]);
    await running;
  });

  test("where all lines are short and full, a newcomer is refused", async () => {
    const queue = new FairQueue({ ...LIMITS, waiting: 2 });
    const first = gate([], "first");
    const running = queue.run("a", first.work);
    const waiting = ["b", "c"].map((client) => queue.run(client, () => client));
    expect(await refusalOf(queue.run("d", () => {}))).toMatchObject({
      scope: "all",
      message: "At most 2 reads may wait at once.",
    });
    first.end();
    expect(await Promise.all(waiting)).toEqual(["b", "c"]);
    await running;
  });

  test("where all lines are short and full, an ordinary one gives its place up for a preferred client", async () => {
    const queue = new FairQueue({ ...LIMITS, waiting: 2 });
    const first = gate([], "first");
    const running = queue.run("a", first.work);
    const waiting = ["b", "c"].map((client) => queue.run(client, () => client));
    const outcomes = waiting.map((each) => each.catch(() => "refused"));
    const known = ["d", "e"].map((client) =>
      queue.run(client, () => client, undefined, "preferred"),
    );
    await expect(queue.run("f", () => "f", undefined, "preferred")).rejects.toThrow("At most 2");
    first.end();
    expect(await Promise.all(known)).toEqual(["d", "e"]);
    expect(await Promise.all(outcomes)).toEqual(["refused", "refused"]);
    await running;
  });

  test("visitors of a site with many networks are one client", async () => {
    const queue = new FairQueue({ ...LIMITS, waitingPerClient: 2 });
    const first = gate([], "first");
    const running = queue.run("address:2001:db8:1:0::/64", first.work);
    const waiting = [1, 2].map((n) => queue.run(`address:2001:db8:1:${n}::/64`, () => n));
    const error = await refusalOf(queue.run("address:2001:db8:1:3::/64", () => {}));
    expect(error).toMatchObject({ scope: "client" });
    const other = queue.run("address:2001:db8:2:0::/64", () => "other");
    first.end();
    expect(await Promise.all([...waiting, other])).toEqual([1, 2, "other"]);
    await running;
  });

  test("work whose caller left is never started, and gives its place to another", async () => {
    const queue = new FairQueue({ ...LIMITS, waitingPerClient: 1 });
    const order: string[] = [];
    const first = gate(order, "first");
    const running = queue.run("one", first.work);
    const caller = new AbortController();
    const abandoned = refusalOf(queue.run("one", gate(order, "abandoned").work, caller.signal));
    caller.abort();
    const next = queue.run("one", () => order.push("next"));
    expect(await abandoned).toBeInstanceOf(CallerLeftError);
    first.end();
    await Promise.all([running, next]);
    expect(order).toEqual(["first", "next"]);
    expect(queue.waiting).toBe(0);
  });

  test("a client whose tasks were all abandoned is served again", async () => {
    const queue = new FairQueue({ ...LIMITS, waitingPerClient: 1 });
    const first = gate([], "first");
    const running = queue.run("other", first.work);
    const abandoned = refusalOf(queue.run("one", () => {}, AbortSignal.abort()));
    const next = queue.run("one", () => "served");
    expect(await abandoned).toBeInstanceOf(CallerLeftError);
    first.end();
    expect(await next).toBe("served");
    await running;
  });

  test("work that another one's end begins has the asynchronous context of its caller", async () => {
    const queue = new FairQueue(LIMITS);
    const context = new AsyncLocalStorage<string>();
    const first = gate([], "first");
    const running = context.run("first", () => queue.run("one", first.work));
    const second = context.run("second", () => queue.run("one", () => context.getStore()));
    first.end();
    expect(await second).toBe("second");
    await running;
  });

  test("work that fails tells its caller and frees its place", async () => {
    const queue = new FairQueue(LIMITS);
    const failed = queue.run("one", () => Promise.reject(new Error("no")));
    await expect(failed).rejects.toThrow("no");
    expect(await queue.run("one", () => "yes")).toBe("yes");
  });
});
