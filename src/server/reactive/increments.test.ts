import { ConvexClient } from "convex/browser";
import { afterEach, describe, expect, test } from "vitest";
import { applyIncrement, INCREMENTS as ASKED, IncrementReader } from "#contract/increments.ts";
import {
  type Answer,
  api,
  MemoryHost,
  startServer,
  type TestServer,
  tokenFor,
  until,
  watch,
} from "#test/support/reactive-server.ts";
import { addQuery, CONNECT, openSocket } from "#test/support/reactive-socket.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { incrementOf, INCREMENTS } from "./increments.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** The new text, rebuilt from the old one and the sent message. */
function madeFrom(before: string, increment: string): string {
  return applyIncrement(before, JSON.parse(increment) as (number | string)[]);
}

/** The length of the message that changes the text; it must lead to the new text. */
function sentLength(before: unknown, after: unknown): number {
  const [oldText, newText] = [JSON.stringify(before), JSON.stringify(after)];
  const increment = incrementOf(oldText, newText);
  if (increment === undefined) return newText.length;
  expect(madeFrom(oldText, increment)).toBe(newText);
  return increment.length;
}

describe("what is sent of a change", () => {
  const trades = Array.from({ length: 60 }, (_, index) => ({
    tradeId: 9_000 - index,
    price: `${64_000 - index * 7}.${String(index).padStart(2, "0")}`,
    quantity: `0.${String(index * 13).padStart(4, "0")}`,
    takerSide: index % 3 === 0 ? "buy" : "sell",
    time: 1_764_087_574_000 - index * 371,
  }));

  test("is one trade, of a tape that drops its oldest", () => {
    const length = sentLength(trades.slice(10), trades.slice(9, 59));
    expect(length).toBeLessThan(1.8 * JSON.stringify(trades[9]).length);
  });

  test("is a few levels, of a book", () => {
    const book = trades.flatMap(({ price, quantity }) => [price, quantity]);
    const changed = book.with(5, "9.5000").with(31, "0.7700").with(60, "12.0001");
    expect(sentLength({ updateId: 7, bids: book }, { updateId: 8, bids: changed })).toBeLessThan(
      110,
    );
    const inserted = [...book.slice(0, 6), "63989.99", "1.0000", ...book.slice(6, -2)];
    expect(sentLength(book, inserted)).toBeLessThan(80);
  });

  test("is little, of a list that loses one from its middle", () => {
    expect(sentLength(trades, trades.toSpliced(20, 1))).toBeLessThan(40);
  });

  test("is where a part came from, of a list in another order", () => {
    const rotated = [...trades.slice(30), ...trades.slice(0, 30)];
    expect(sentLength(trades, rotated)).toBeLessThan(200);
  });

  test("is everything if little stays, or if the text is short", () => {
    const [before, after] = ["a", "b"].map((letter) => JSON.stringify(letter.repeat(500)));
    expect(incrementOf(before, after)).toBeUndefined();
    expect(incrementOf(`{"value":1}`, `{"value":2}`)).toBeUndefined();
  });

  test("leads to the new text whatever has changed", () => {
    const random = seededRandom(20_261_125);
    const pick = (count: number) => Math.floor(random() * count);
    const tokens = [
      `"buy",`,
      `"sell",`,
      `{"a":1,`,
      `}]`,
      `,`,
      `é😀,`,
      `\\u2028,`,
      `"x":`,
      `0,0,0,`,
    ];
    const text = (count: number) =>
      Array.from({ length: count }, () => tokens[pick(tokens.length)]).join("");
    let smaller = 0;
    for (let round = 0; round < 3_000; round++) {
      const before = text(pick(80));
      let after = before;
      for (let change = pick(5); change > 0; change--) {
        // Including surrogate pairs and escapes.
        const [at, length] = [pick(after.length + 1), pick(12)];
        const moved = pick(3) === 0 ? before.slice(pick(before.length)) : text(pick(4));
        after = after.slice(0, at) + moved + after.slice(at + length);
      }
      const increment = incrementOf(before, after);
      if (increment === undefined) continue;
      smaller++;
      expect(madeFrom(before, increment)).toBe(after);
      expect(increment.length).toBeLessThan(after.length);
    }
    expect(smaller).toBeGreaterThan(300);
  });

  test("is bounded work, however large the texts are", () => {
    const numbers = (from: number) => Array.from({ length: 50_000 }, (_, index) => from + index);
    expect(sentLength(numbers(100_000), numbers(100_001))).toBeGreaterThan(1_000);
    const large = numbers(100_000);
    expect(sentLength(large, large.with(25_000, 7))).toBeLessThan(40);
  });
});

async function start(host = new MemoryHost()): Promise<TestServer> {
  const server = await startServer(host);
  closers.push(() => server.close());
  return server;
}

const LONG = "a text that is long enough to be worth referring to, ";

/** As pages are connected: the official client above, increments below. */
function openClient(server: TestServer) {
  const frames: Answer[] = [];
  const incremental = class extends WebSocket {
    constructor(url: string | URL) {
      super(url, ASKED);
      const reader = new IncrementReader();
      this.addEventListener("message", (event: MessageEvent<string>) => {
        const whole = reader.read(event.data);
        if (whole === event.data) return;
        frames.push(JSON.parse(event.data));
        event.stopImmediatePropagation();
        this.dispatchEvent(new MessageEvent("message", { data: whole }));
      });
    }
  };
  const client = new ConvexClient(server.address, {
    skipConvexDeploymentUrlCheck: true,
    logger: false,
    webSocketConstructor: incremental,
  });
  closers.push(() => client.close());
  const typesOf = () =>
    frames.flatMap(({ modifications }) => modifications.map(({ type }: Answer) => type as string));
  return { client, typesOf };
}

describe("a client that asks for increments", () => {
  test("asks by the name that the server knows", () => {
    expect(ASKED).toBe(INCREMENTS);
  });

  test("is sent what has changed, and its official client sees whole answers", async () => {
    const server = await start();
    const page = openClient(server);
    const list = watch(page.client, api.lists.items);
    for (let item = 0; item < 20; item++) {
      await page.client.mutation(api.lists.append, { text: `${LONG}${item}` });
    }
    await until(() => list.latest()?.length === 20);
    expect(list.latest()).toEqual(server.host.items);
    expect(page.typesOf().filter((type) => type === "QueryChanged").length).toBeGreaterThan(10);
  });

  test("shares the answer with one that does not ask, who is sent all of it", async () => {
    const server = await start();
    const page = openClient(server);
    const plain = await openSocket(server);
    plain.send(CONNECT);
    plain.send(addQuery(0, "lists:items", {}));
    const list = watch(page.client, api.lists.items);
    for (let item = 0; item < 5; item++) {
      await page.client.mutation(api.lists.append, { text: `${LONG}${item}` });
    }
    const shown = () => plain.heard.at(-1)?.modifications?.[0]?.value as string[] | undefined;
    await until(() => shown()?.length === 5 && list.latest()?.length === 5);
    expect(shown()).toEqual(list.latest());
    expect(plain.heard.every(({ lengths }) => lengths === undefined)).toBe(true);
    const types = plain.heard.flatMap(({ modifications = [] }) => modifications);
    expect(types.map(({ type }: Answer) => type)).not.toContain("QueryChanged");
    plain.socket.terminate();
  });

  test("is sent the whole answer after it came back, and after it asked again", async () => {
    const server = await start();
    const page = openClient(server);
    const list = watch(page.client, api.lists.items);
    const append = (text: string) => page.client.mutation(api.lists.append, { text: LONG + text });
    await append("one");
    await append("two");
    list.stop();
    const again = watch(page.client, api.lists.items);
    await until(() => again.latest()?.length === 2);
    await append("three");
    await until(() => again.latest()?.length === 3);
    expect(again.latest()).toEqual(server.host.items);
  });

  test("is not sent one user's text as the beginning of another's", async () => {
    const server = await start();
    const page = openClient(server);
    const { host } = server;
    host.notes.set("ann", [`${LONG}of Ann`]);
    host.notes.set("bob", [`${LONG}of Bob`, `${LONG}also of Bob`]);
    page.client.setAuth(async () => tokenFor("ann"));
    const notes = watch(page.client, api.notes.mine);
    await until(() => notes.latest()?.length === 1);
    page.client.setAuth(async () => tokenFor("bob"));
    await until(() => notes.latest()?.length === 2);
    await page.client.mutation(api.notes.add, { text: `${LONG}at last` });
    await until(() => notes.latest()?.length === 3);
    expect(notes.latest()).toEqual(host.notes.get("bob"));
  });
});

test("clients that are updated at different times all end with the same answers", async () => {
  const server = await start();
  const random = seededRandom(7);
  const sockets = await Promise.all(
    Array.from({ length: 6 }, () => openSocket(server, { protocols: [INCREMENTS] })),
  );
  const texts = new Map<number, string>();
  for (const [number, { socket, send }] of sockets.entries()) {
    const reader = new IncrementReader();
    socket.on("message", (data) => {
      const whole: Answer = JSON.parse(reader.read((data as Buffer).toString()));
      for (const { value } of whole.modifications ?? []) texts.set(number, JSON.stringify(value));
    });
    send({ ...CONNECT, sessionId: `s${number}` });
    send(addQuery(0, "lists:items", {}));
  }
  const { host } = server;
  for (let change = 0; change < 300; change++) {
    const at = Math.floor(random() * (host.items.length + 1));
    if (random() < 0.6) host.items.splice(at, 0, `${LONG}${change}`);
    else host.items.splice(at, 1);
    host.change("items", random() < 0.5 ? "now" : "conflated");
    // Some confirm mutations of their own in the meantime, and so are updated before the others.
    if (random() < 0.3) {
      const requestId = change;
      const { send } = sockets[Math.floor(random() * sockets.length)];
      send({ type: "Mutation", requestId, udfPath: "counters:add", args: [{ name: "a" }] });
    }
    if (random() < 0.3) await new Promise((next) => setTimeout(next, 20 * random()));
  }
  const end = JSON.stringify(host.items);
  await until(() => texts.size === 6 && [...texts.values()].every((text) => text === end));
  const changes = sockets.flatMap(({ heard }) => heard.flatMap((each) => each.modifications ?? []));
  expect(changes.filter(({ type }) => type === "QueryChanged").length).toBeGreaterThan(50);
  for (const { socket } of sockets) socket.terminate();
});
