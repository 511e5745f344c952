/** The clients that pages use, as configured, observed on the wire: their time limits. */
import { QueryObserver } from "@tanstack/react-query";
import { convexQuery } from "@convex-dev/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { functions } from "#contract/functions.ts";
import { createBackend } from "./backend-client.ts";
import { dropPrewarmed } from "./prewarming.ts";
import { createQueryClient } from "./query-client.ts";

// Both libraries check once, when they are loaded, whether they run in a browser.
vi.hoisted(() => {
  vi.stubGlobal("window", new EventTarget());
});

interface Message {
  readonly type: string;
  readonly modifications?: readonly { readonly type: string; readonly udfPath?: string }[];
}

/** A socket whose other end is in the test. */
class FakeSocket {
  static all: FakeSocket[] = [];
  static openedAtMs: number[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  readonly sent: Message[] = [];
  isClosed = false;

  constructor() {
    FakeSocket.all.push(this);
    FakeSocket.openedAtMs.push(Date.now());
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Message);
  }

  close(): void {
    this.isClosed = true;
    this.onclose?.({ code: 1000, reason: "" });
  }

  open(): void {
    this.onopen?.();
  }

  drop(): void {
    this.onclose?.({ code: 1006, reason: "" });
  }

  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  modifications(): string[] {
    return this.sent.flatMap(({ modifications = [] }) =>
      modifications.map(({ type, udfPath }) =>
        udfPath === undefined ? type : `${type} ${udfPath}`,
      ),
    );
  }
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  FakeSocket.all = [];
  FakeSocket.openedAtMs = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function connected(fetchToken: () => Promise<string | null> = async () => null) {
  const backend = createBackend(
    "http://exchange.example",
    FakeSocket as unknown as typeof WebSocket,
  );
  backend.convexClient.setAuth(fetchToken);
  return backend;
}

function lastSocket(): FakeSocket {
  const socket = FakeSocket.all.at(-1);
  if (socket === undefined) throw new Error("The client has not connected.");
  return socket;
}

test("a lost connection is tried again after 1 s, then after twice as long each time, up to 16 s", async () => {
  connected();
  await vi.advanceTimersByTimeAsync(0);
  for (let attempt = 0; attempt < 7; attempt += 1) {
    lastSocket().drop();
    await vi.advanceTimersByTimeAsync(16_000);
  }
  const pauses = FakeSocket.openedAtMs.slice(1).map((openedMs, index) => {
    const droppedMs = 1_700_000_000_000 + index * 16_000;
    return openedMs - droppedMs;
  });
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 16_000, 16_000]);
});

test("a server that says nothing for 60 s is left", async () => {
  connected();
  await vi.advanceTimersByTimeAsync(0);
  const socket = lastSocket();
  socket.open();
  await vi.advanceTimersByTimeAsync(30_000);
  socket.say({ type: "Ping" });
  await vi.advanceTimersByTimeAsync(59_999);
  expect(socket.isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(socket.isClosed).toBe(true);
});

test("a token is renewed 2 s before it expires", async () => {
  const iat = Date.now() / 1_000;
  const token = `e30.${btoa(JSON.stringify({ sub: "anna", iat, exp: iat + 300 }))}.x`;
  const fetchToken = vi.fn(async () => token);
  connected(fetchToken);
  await vi.advanceTimersByTimeAsync(0);
  lastSocket().open();
  await vi.advanceTimersByTimeAsync(0);
  const version = (identity: number) => ({ querySet: 0, identity, ts: "AAAAAAAAAAA=" });
  lastSocket().say({
    type: "Transition",
    startVersion: version(0),
    endVersion: version(1),
    modifications: [],
    clientClockSkew: 0,
  });
  const before = fetchToken.mock.calls.length;
  await vi.advanceTimersByTimeAsync(30_000);
  lastSocket().say({ type: "Ping" });
  for (let second = 30; second < 297; second += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    lastSocket().say({ type: "Ping" });
  }
  expect(fetchToken).toHaveBeenCalledTimes(before);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(fetchToken).toHaveBeenCalledTimes(before + 1);
});

test("a prewarmed query is kept for 5000 ms", async () => {
  const { convexClient } = connected();
  await vi.advanceTimersByTimeAsync(0);
  lastSocket().open();
  convexClient.prewarmQuery({ query: functions.coins.list, args: {} });
  await vi.advanceTimersByTimeAsync(4_999);
  expect(lastSocket().modifications()).toEqual(["Add coins:list"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(lastSocket().modifications()).toEqual(["Add coins:list", "Remove"]);
});

test("an answer no one shows any more is kept for 5 minutes, and with it its subscription", async () => {
  const backend = connected();
  const queryClient = createQueryClient(backend, true);
  backend.connect(queryClient);
  await vi.advanceTimersByTimeAsync(0);
  lastSocket().open();
  const query = convexQuery(functions.coins.list, {});
  queryClient.setQueryData(query.queryKey, []);
  const observer = new QueryObserver(queryClient, query);
  observer.subscribe(() => undefined)();
  for (let minute = 0; minute < 5; minute += 1) {
    lastSocket().say({ type: "Ping" });
    expect(lastSocket().modifications()).toEqual(["Add coins:list"]);
    await vi.advanceTimersByTimeAsync(59_999);
  }
  lastSocket().say({ type: "Ping" });
  await vi.advanceTimersByTimeAsync(5);
  expect(lastSocket().modifications()).toEqual(["Add coins:list", "Remove"]);
  queryClient.clear();
});

test("a query that was only prewarmed for a page is kept for 5000 ms, and one that is shown longer", async () => {
  const backend = connected();
  const queryClient = createQueryClient(backend, true);
  backend.connect(queryClient);
  dropPrewarmed(queryClient);
  await vi.advanceTimersByTimeAsync(0);
  lastSocket().open();
  const [prewarmed, shown] = [functions.coins.list, functions.plans.list].map((reference) =>
    convexQuery(reference, {}),
  );
  void queryClient.prefetchQuery(prewarmed);
  void queryClient.prefetchQuery(shown);
  new QueryObserver(queryClient, shown).subscribe(() => undefined);
  const version = (querySet: number) => ({ querySet, identity: 0, ts: "AAAAAAAAAAA=" });
  lastSocket().say({
    type: "Transition",
    startVersion: version(0),
    endVersion: version(2),
    modifications: [0, 1].map((queryId) => ({
      type: "QueryUpdated",
      queryId,
      value: [],
      logLines: [],
      journal: null,
    })),
  });
  await vi.advanceTimersByTimeAsync(4_999);
  expect(lastSocket().modifications()).toEqual(["Add coins:list", "Add plans:list"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(lastSocket().modifications()).toEqual(["Add coins:list", "Add plans:list", "Remove"]);
  queryClient.clear();
});

test("a query that a slow link has not answered yet is kept for the page that waits for it", async () => {
  const backend = connected();
  const queryClient = createQueryClient(backend, true);
  backend.connect(queryClient);
  dropPrewarmed(queryClient);
  await vi.advanceTimersByTimeAsync(0);
  lastSocket().open();
  const loading = queryClient.fetchQuery(convexQuery(functions.coins.list, {}));
  await vi.advanceTimersByTimeAsync(12_000);
  lastSocket().say({
    type: "Transition",
    startVersion: { querySet: 0, identity: 0, ts: "AAAAAAAAAAA=" },
    endVersion: { querySet: 1, identity: 0, ts: "AAAAAAAAAAA=" },
    modifications: [{ type: "QueryUpdated", queryId: 0, value: [], logLines: [], journal: null }],
  });
  await expect(loading).resolves.toEqual([]);
  queryClient.clear();
});

test("a query that fails is tried three times more, and not at all while rendering", async () => {
  const callsOf = async (isBrowser: boolean): Promise<number> => {
    const queryClient = createQueryClient(connected(), isBrowser);
    const queryFn = vi.fn(() => Promise.reject(new Error("refused")));
    const observer = new QueryObserver(queryClient, { queryKey: ["failing"], queryFn });
    const stop = observer.subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(60_000);
    stop();
    queryClient.clear();
    return queryFn.mock.calls.length;
  };
  expect(await callsOf(true)).toBe(4);
  expect(await callsOf(false)).toBe(1);
});
