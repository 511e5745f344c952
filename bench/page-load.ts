/**
 * The pages of `bench/live-pages.ts`, in their own process: connections with the queries of a trade page
 * or a dashboard, each with a user and a loopback address of its own, some of them behind a slow link.
 * Answers its parent's requests one after another.
 */
import { setTimeout as delay } from "node:timers/promises";
import { startSlowLink, type SlowLink } from "#test/support/slow-link.ts";
import { PAGES, type PageName } from "./page-queries.ts";
import { type Placed, restingOrder } from "./page-scene.ts";
import { type Times, timesOf } from "./times.ts";
import { type MutationAnswer, PageSocket, type PageSocketOptions } from "./page-socket.ts";

export type LoadRequest =
  | {
      readonly kind: "open";
      readonly url: string;
      readonly tokens: readonly string[];
      /** Number of pages, the first ones, behind links of `slowBytesPerSecond`. */
      readonly slow: number;
      readonly slowBytesPerSecond: number;
      /** Every n-th page is a dashboard. */
      readonly dashboardEvery: number;
      readonly takesIncrements: boolean;
    }
  | { readonly kind: "measure"; readonly seconds: number; readonly ordersPerSecond: number }
  /** Cuts all connections at once and reconnects them. */
  | { readonly kind: "storm" }
  | { readonly kind: "check" }
  | { readonly kind: "flood"; readonly token: string; readonly connections: number }
  | { readonly kind: "endFlood" }
  | { readonly kind: "churn"; readonly seconds: number; readonly perMinute: number }
  | { readonly kind: "close" };

export interface Measured {
  /** Per page and second. */
  readonly pages: Readonly<Record<PageName, { bytes: number; transitions: number }>>;
  /** Milliseconds from the server's sending to the page. */
  readonly delay: Times;
  /** Milliseconds since the server sent the state that a page shows. */
  readonly age: Times;
  readonly slowDelay: Times;
  readonly slowAge: Times;
  /** From sending an order to its answer, and to its appearance on the page. */
  readonly answered: Times;
  readonly shown: Times;
  readonly failures: readonly string[];
}

interface Page {
  readonly name: PageName;
  readonly options: PageSocketOptions;
  readonly isSlow: boolean;
  socket: PageSocket;
  nextRequestId: number;
  bytesBefore: number;
  transitionsBefore: number;
}

const CONNECTIONS_PER_ADDRESS = 50;
const OPENED_AT_ONCE = 50;
const AGES_EVERY_MS = 50;
const FLOOD_IN_FLIGHT = 20;
const CHECKED = 30;
const CHECKED_WITHIN_MS = 15_000;
const OPEN_ORDERS = { trade: 11, dashboard: 9 } as const;

const pages: Page[] = [];
const failures = new Map<string, number>();
let serverUrl = "";
let slowLink: SlowLink | undefined;
let flooding: { readonly sockets: PageSocket[]; answers: number } | undefined;

process.on("message", (asked: LoadRequest) => {
  answer(asked).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.once("disconnect", () => process.exit(0));

async function answer(asked: LoadRequest): Promise<object> {
  switch (asked.kind) {
    case "open":
      return open(asked);
    case "measure":
      return measure(asked.seconds, asked.ordersPerSecond);
    case "storm":
      return storm();
    case "check":
      return check();
    case "flood":
      return flood(asked.token, asked.connections);
    case "endFlood":
      return endFlood();
    case "churn":
      return churn(asked.seconds, asked.perMinute);
    case "close":
      for (const { socket } of pages) socket.ws.terminate();
      await slowLink?.close();
      return {};
    default:
      throw new Error(`nothing does ${String(asked satisfies never)}`);
  }
}

async function open(asked: LoadRequest & { kind: "open" }): Promise<object> {
  const { url, tokens, slow, takesIncrements } = asked;
  serverUrl = url;
  if (slow > 0) slowLink = await startSlowLink(Number(new URL(url).port), asked.slowBytesPerSecond);
  for (const [number, token] of tokens.entries()) {
    const name = number % asked.dashboardEvery === asked.dashboardEvery - 1 ? "dashboard" : "trade";
    const isSlow = number < slow;
    const options: PageSocketOptions = {
      url: isSlow ? (slowLink?.address ?? url) : url,
      token,
      queries: PAGES[name],
      takesIncrements,
      sessionId: crypto.randomUUID(),
      ...(!isSlow && { localAddress: addressOf(number) }),
    };
    const socket = openSocket(options);
    const counts = { nextRequestId: 0, bytesBefore: 0, transitionsBefore: 0 };
    pages.push({ name, options, isSlow, socket, ...counts });
    if (number % OPENED_AT_ONCE === OPENED_AT_ONCE - 1)
      await allShown(pages.slice(-OPENED_AT_ONCE));
  }
  await allShown(pages);
  return {};
}

function addressOf(number: number): string {
  return `127.2.${1 + Math.floor(number / (CONNECTIONS_PER_ADDRESS * 200))}.${
    1 + (Math.floor(number / CONNECTIONS_PER_ADDRESS) % 200)
  }`;
}

function openSocket(options: PageSocketOptions): PageSocket {
  const socket = new PageSocket(options);
  socket.on("failed", noteFailure);
  return socket;
}

function noteFailure(reason: string): void {
  failures.set(reason, (failures.get(reason) ?? 0) + 1);
}

async function allShown(some: readonly Page[]): Promise<void> {
  const waiting = some.filter(({ socket }) => socket.transitions < 2);
  await Promise.all(waiting.map(({ socket }) => socket.shown()));
}

async function measure(seconds: number, ordersPerSecond: number): Promise<Measured> {
  const delays = { normal: [] as number[], slow: [] as number[] };
  const ages = { normal: [] as number[], slow: [] as number[] };
  const listeners = pages.map((page) => {
    page.bytesBefore = page.socket.bytes;
    page.transitionsBefore = page.socket.transitions;
    const note = () => delays[page.isSlow ? "slow" : "normal"].push(page.socket.delayMs);
    page.socket.on("transition", note);
    return note;
  });
  const sampling = setInterval(() => {
    for (const { isSlow, socket } of pages) {
      ages[isSlow ? "slow" : "normal"].push(Date.now() - socket.sentAtMs);
    }
  }, AGES_EVERY_MS);
  const times = { answered: [] as number[], shown: [] as number[] };
  const untilMs = performance.now() + seconds * 1_000;
  const ordering: Promise<void>[] = [];
  const fast = pages.filter(({ isSlow }) => !isSlow);
  for (let order = 0; performance.now() < untilMs; order++) {
    const page = fast[(order * 7) % fast.length];
    if (ordersPerSecond > 0 && page !== undefined) ordering.push(placeAndCancel(page, times));
    await delay(ordersPerSecond > 0 ? 1_000 / ordersPerSecond : 100);
  }
  clearInterval(sampling);
  await Promise.all(ordering);
  pages.forEach(({ socket }, index) => socket.off("transition", listeners[index]));
  const rateOf = (name: PageName) => {
    const counted = pages.filter((page) => page.name === name && !page.isSlow);
    const mean = (of: (page: Page) => number) =>
      counted.reduce((sum, page) => sum + of(page), 0) / Math.max(1, counted.length) / seconds;
    return {
      bytes: mean(({ socket, bytesBefore }) => socket.bytes - bytesBefore),
      transitions: mean(({ socket, transitionsBefore }) => socket.transitions - transitionsBefore),
    };
  };
  const failed = [...failures].map(([reason, count]) => `${count} times ${reason}`);
  failures.clear();
  return {
    pages: { trade: rateOf("trade"), dashboard: rateOf("dashboard") },
    delay: timesOf(delays.normal),
    age: timesOf(ages.normal),
    slowDelay: timesOf(delays.slow),
    slowAge: timesOf(ages.slow),
    answered: timesOf(times.answered),
    shown: timesOf(times.shown),
    failures: failed,
  };
}

interface OrderTimes {
  readonly answered: number[];
  readonly shown: number[];
}

/** Places an order of the page's own and cancels it once it is shown. */
async function placeAndCancel(page: Page, times: OrderTimes): Promise<void> {
  const { name, socket } = page;
  const requestId = page.nextRequestId++;
  const startedMs = performance.now();
  socket.mutate(requestId, "orders:place", restingOrder(40_900));
  let heard: MutationAnswer | undefined;
  const isAnswered = await socket.until("answer", (each) => {
    if (each.requestId === requestId) heard = each;
    return heard !== undefined;
  });
  if (!isAnswered || heard === undefined) return;
  times.answered.push(performance.now() - startedMs);
  if (!heard.success) {
    noteFailure(String(heard.result));
    return;
  }
  const { orderId } = (heard.result as Placed).order;
  const isShown = () => {
    const orders = socket.answers[OPEN_ORDERS[name]] as readonly { readonly orderId: string }[];
    return orders.some((order) => order.orderId === orderId);
  };
  if (!isShown() && !(await socket.until("transition", isShown))) return;
  times.shown.push(performance.now() - startedMs);
  socket.mutate(page.nextRequestId++, "orders:cancel", { orderId });
}

async function storm(): Promise<object> {
  const startedMs = performance.now();
  for (const page of pages) {
    page.socket.ws.terminate();
    page.socket = openSocket(page.options);
  }
  let failed = 0;
  const shownAfterMs = async (some: readonly Page[]) => {
    await Promise.all(some.map(({ socket }) => socket.shown().catch(() => failed++)));
    return performance.now() - startedMs;
  };
  const [fastMs, slowMs] = await Promise.all([
    shownAfterMs(pages.filter(({ isSlow }) => !isSlow)),
    shownAfterMs(pages.filter(({ isSlow }) => isSlow)),
  ]);
  return { fastMs, slowMs, failed };
}

/** Compares some pages' answers, query by query, with those of a new connection at the same version. */
async function check(): Promise<object> {
  const slow = pages.filter(({ isSlow }) => isSlow).slice(0, CHECKED / 2);
  const fast = pages.filter(({ isSlow }) => !isSlow);
  const some = fast.filter((_, index) => index % Math.ceil((2 * fast.length) / CHECKED) === 0);
  const results = await Promise.all([...some, ...slow].map((page) => checkPage(page)));
  return { equal: results.filter(Boolean).length, of: results.length };
}

async function checkPage(page: Page): Promise<boolean> {
  // Not over a slow link, which could not deliver full answers in time.
  const { token, queries } = page.options;
  const fresh = openSocket({ url: serverUrl, token, queries, takesIncrements: false });
  await fresh.shown();
  const seen = [new Map<string, string>(), new Map<string, string>()] as const;
  const clock = page.options.queries.findIndex(([path]) => path === "venue:time");
  let isEqual = false;
  const look = (socket: PageSocket, own: 0 | 1) => () => {
    const answers = JSON.stringify(socket.answers.filter((_, queryId) => queryId !== clock));
    seen[own].set(socket.version, answers);
    isEqual ||= seen[own === 0 ? 1 : 0].get(socket.version) === answers;
  };
  const looks = [look(page.socket, 0), look(fresh, 1)] as const;
  page.socket.on("transition", looks[0]);
  fresh.on("transition", looks[1]);
  const untilMs = performance.now() + CHECKED_WITHIN_MS;
  while (!isEqual && performance.now() < untilMs) await delay(AGES_EVERY_MS);
  page.socket.off("transition", looks[0]);
  fresh.ws.terminate();
  return isEqual;
}

/** Sends one user's mutations, as fast as they are answered, until `endFlood`. */
async function flood(token: string, connections: number): Promise<object> {
  const sockets = Array.from({ length: connections }, (_, number) =>
    openSocket({ url: serverUrl, token, queries: [], localAddress: addressOf(number) }),
  );
  await Promise.all(sockets.map((socket) => new Promise((opened) => socket.ws.on("open", opened))));
  const state = { sockets, answers: 0 };
  flooding = state;
  for (const socket of sockets) {
    let requestId = 0;
    const ask = () =>
      requestId % 2 === 0
        ? socket.mutate(requestId++, "orders:place", restingOrder(40_000))
        : socket.mutate(requestId++, "orders:cancelAll", {});
    socket.on("answer", () => {
      state.answers++;
      ask();
    });
    for (let each = 0; each < FLOOD_IN_FLIGHT; each++) ask();
  }
  return {};
}

async function endFlood(): Promise<object> {
  for (const { ws } of flooding?.sockets ?? []) ws.terminate();
  return { answers: flooding?.answers ?? 0 };
}

/** Opens connections in bursts and cuts each at a random moment. */
async function churn(seconds: number, perMinute: number): Promise<object> {
  const url = serverUrl;
  const tokens = pages.map(({ options }) => options.token);
  const untilMs = performance.now() + seconds * 1_000;
  let opened = 0;
  const cuts: Promise<void>[] = [];
  while (performance.now() < untilMs) {
    for (let each = 0; each < perMinute / 60; each++) {
      const number = opened++;
      const name = number % 2 === 0 ? "trade" : "dashboard";
      const token = tokens[number % tokens.length];
      const options = { url, token, queries: PAGES[name], localAddress: addressOf(number % 9_000) };
      const socket = openSocket(options);
      cuts.push(delay(Math.random() * 2_000).then(() => socket.ws.terminate()));
    }
    await delay(1_000);
  }
  await Promise.all(cuts);
  return { opened };
}
