/**
 * The load of `bench/api.ts`, in its own process: places orders over HTTP or WebSockets, as fast as they
 * are answered or at a fixed rate, over persistent connections, and sends its parent the measurements.
 * Every order must be accepted.
 */
import { createPrivateKey } from "node:crypto";
import { connect, type Socket } from "node:net";
import { WebSocket } from "ws";
import {
  logOnParameters,
  type Order,
  orderOf,
  orderParameters,
  orderQuery,
  signedParameters,
  signedRequest,
  type Trader,
} from "./api-orders.ts";

export interface LoadRequest {
  readonly url: string;
  /** `ws` logs on to a session, `signedWs` signs every order. */
  readonly over: "rest" | "ws" | "signedWs";
  readonly traders: readonly Trader[];
  readonly connectionsPerTrader: number;
  /** Per connection. */
  readonly inFlightMax: number;
  /** Part of the client order ids that makes them unique. */
  readonly batch: string;
  readonly orders: number;
  /** Orders per second; undefined: as fast as they are answered. */
  readonly perSecond?: number;
}

export interface LoadResult {
  readonly seconds: number;
  /** From when an order was due to its answer, in ascending order. */
  readonly milliseconds: readonly number[];
  /** Processor time of this process. */
  readonly processorSeconds: number;
}

interface Connection {
  send(order: Order, dueMs: number): void;
  close(): void;
}

type Answered = (connection: Connection, milliseconds: number, refusal: string | undefined) => void;

process.on("message", (asked: LoadRequest) => {
  run(asked).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.once("disconnect", () => process.exit(0));

async function run(asked: LoadRequest): Promise<LoadResult> {
  const { orders, perSecond } = asked;
  const milliseconds: number[] = [];
  const done = Promise.withResolvers<void>();
  let sent = 0;
  let startedMs = Infinity;
  /** Free in-flight slots: each connection appears once per slot, the next to use first. */
  const free: Connection[] = [];
  const sendDue = () => {
    while (sent < orders && free.length > 0) {
      const nowMs = performance.now();
      const dueMs = perSecond === undefined ? nowMs : startedMs + (sent * 1_000) / perSecond;
      if (dueMs > nowMs) return;
      free.shift()?.send(orderOf(asked.batch, sent++), dueMs);
    }
  };
  const onAnswer: Answered = (connection, taken, refusal) => {
    if (refusal !== undefined) done.reject(new Error(refusal));
    milliseconds.push(taken);
    free.push(connection);
    if (milliseconds.length === orders) done.resolve();
    else sendDue();
  };
  const connections = await openAll(asked, onAnswer, (error) => done.reject(error));
  for (let round = 0; round < asked.inFlightMax; round++) free.push(...connections);
  const processorAtStart = process.cpuUsage();
  startedMs = performance.now();
  const timer = setInterval(sendDue, 1);
  try {
    await done.promise;
  } finally {
    clearInterval(timer);
    for (const connection of connections) connection.close();
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  const { system, user } = process.cpuUsage(processorAtStart);
  milliseconds.sort((left, right) => left - right);
  return { seconds, milliseconds, processorSeconds: (system + user) / 1e6 };
}

function openAll(asked: LoadRequest, onAnswer: Answered, onFailure: (error: Error) => void) {
  const open = asked.over === "rest" ? openRest : openWs;
  return Promise.all(
    Array.from({ length: asked.connectionsPerTrader * asked.traders.length }, (_, at) =>
      open(asked, asked.traders[at % asked.traders.length], onAnswer, onFailure),
    ),
  );
}

const HEAD_END = "\r\n\r\n";

async function openRest(
  { url }: LoadRequest,
  trader: Trader,
  onAnswer: Answered,
  onFailure: (error: Error) => void,
): Promise<Connection> {
  const { host, hostname, port } = new URL(url);
  const socket: Socket = connect({
    host: hostname,
    port: Number(port),
    localAddress: trader.address,
  });
  await new Promise<void>((opened, failed) => {
    socket.once("connect", opened);
    socket.once("error", failed);
  });
  socket.setNoDelay(true);
  socket.on("error", onFailure);
  const due: number[] = [];
  let unread: Buffer = Buffer.alloc(0);
  let isClosing = false;
  socket.on("close", () => {
    if (!isClosing) onFailure(new Error("the server closed a connection"));
  });
  const connection: Connection = {
    send(order, dueMs) {
      due.push(dueMs);
      const query = orderQuery(order);
      const call = { method: "POST", path: "/api/v3/order", query, host };
      socket.write(signedRequest(trader.hmac, call), "latin1");
    },
    close() {
      isClosing = true;
      socket.destroy();
    },
  };
  socket.on("data", (chunk: Buffer) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
    let at = 0;
    for (;;) {
      const headEnd = unread.indexOf(HEAD_END, at, "latin1");
      if (headEnd === -1) break;
      const head = unread.toString("latin1", at, headEnd);
      const bodyLength = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      const end = headEnd + HEAD_END.length + bodyLength;
      if (end > unread.length) break;
      const isAccepted = head.startsWith("HTTP/1.1 200");
      const refusal = isAccepted ? undefined : unread.toString("latin1", at, end);
      at = end;
      onAnswer(connection, performance.now() - (due.shift() ?? Number.NaN), refusal);
    }
    unread = unread.subarray(at);
  });
  return connection;
}

async function openWs(
  { over, url }: LoadRequest,
  trader: Trader,
  onAnswer: Answered,
  onFailure: (error: Error) => void,
): Promise<Connection> {
  const address = `${url.replace("http", "ws")}/ws-api/v3`;
  const socket = new WebSocket(address, {
    localAddress: trader.address,
    perMessageDeflate: false,
    skipUTF8Validation: true,
  });
  socket.on("error", onFailure);
  await new Promise((opened) => socket.once("open", opened));
  const isSession = over === "ws";
  if (isSession) await logOn(socket, trader);
  let isClosing = false;
  socket.on("close", (code, reason) => {
    if (!isClosing) onFailure(new Error(`closed with ${code}: ${reason.toString("utf8")}`));
  });
  const due: number[] = [];
  const connection: Connection = {
    send(order, dueMs) {
      const params = isSession ? orderParameters(order) : signedParameters(order, trader.hmac);
      const id = due.push(dueMs) - 1;
      socket.send(JSON.stringify({ id, method: "order.place", params }));
    },
    close() {
      isClosing = true;
      socket.terminate();
    },
  };
  socket.on("message", (data: Buffer) => {
    const [, id, status] = /^{"id":(\d+),"status":(\d+)/.exec(data.toString("latin1", 0, 40)) ?? [];
    const refusal = status === "200" ? undefined : data.toString("utf8");
    onAnswer(connection, performance.now() - due[Number(id)], refusal);
  });
  return connection;
}

async function logOn(socket: WebSocket, { ed25519 }: Trader): Promise<void> {
  const params = logOnParameters(ed25519.apiKey, createPrivateKey(ed25519.privateKey));
  const answer = new Promise<Buffer>((heard) => socket.once("message", heard));
  socket.send(JSON.stringify({ id: "logon", method: "session.logon", params }));
  const text = (await answer).toString("utf8");
  if (!text.includes('"status":200')) throw new Error(`the logon answered ${text}`);
}
