/**
 * The attacking side of `bench/under-attack.ts`, in its own process: 250 sockets from one loopback
 * address, an equal share for each kind of attack, reopened as soon as the server closes them. When
 * its standard input closes, prints what it achieved as one line of JSON.
 */
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";

const [, , base, token, kindsText] = process.argv;
if (base === undefined || token === undefined) throw new Error("started by under-attack.ts only");
const { hostname, port, host } = new URL(base);
/** All of 127/8 is this machine; the address differs from the honest trader's. */
const ADDRESS = "127.9.9.9";
const SOCKETS = 250;
const PAUSE_MS = 20;

const done: Record<string, number> = {};
let isOver = false;
process.stdin.resume();
process.stdin.once("end", () => {
  isOver = true;
  process.stdout.write(`${JSON.stringify(done)}\n`, () => process.exit(0));
});

const count = (what: string, times = 1) => (done[what] = (done[what] ?? 0) + times);

/** Resolves once the socket has opened or failed. */
async function open(): Promise<WebSocket | undefined> {
  const socket = new WebSocket(`${base?.replace("http", "ws")}/api/1.48.0/sync`, {
    localAddress: ADDRESS,
  });
  socket.on("error", () => count("refused or cut off"));
  const isOpen = await new Promise<boolean>((settled) => {
    socket.once("open", () => settled(true));
    socket.once("close", () => settled(false));
  });
  if (!isOpen) return undefined;
  const sessionId = crypto.randomUUID();
  send(socket, {
    type: "Connect",
    sessionId,
    connectionCount: 0,
    lastCloseReason: "InitialConnect",
  });
  return socket;
}

function send(socket: WebSocket, message: object | string): void {
  if (socket.readyState !== WebSocket.OPEN) return;
  socket.send(typeof message === "string" ? message : JSON.stringify(message));
}

const isOpen = (socket: WebSocket) => socket.readyState === WebSocket.OPEN && !isOver;

/** Reads nothing and keeps changing its query set. */
async function neverReads(): Promise<void> {
  const socket = await open();
  if (socket === undefined) return;
  socket.pause();
  for (let version = 0; version < 60 && isOpen(socket); version++) {
    const modifications: object[] = [];
    for (let index = 0; index < 100; index++) {
      const queryId = version * 100 + index;
      if (version > 0) modifications.push({ type: "Remove", queryId: queryId - 100 });
      modifications.push({ type: "Add", queryId, udfPath: "coins:list", args: [{}] });
    }
    send(socket, {
      type: "ModifyQuerySet",
      baseVersion: version,
      newVersion: version + 1,
      modifications,
    });
    count("changes of query sets");
    await delay(PAUSE_MS);
  }
  for (let waited = 0; waited < 30_000 && isOpen(socket); waited += 500) await delay(500);
  socket.terminate();
}

/** Keeps 64 reads of 1 000 candles in flight. */
async function readsCandles(): Promise<void> {
  const socket = await open();
  if (socket === undefined) return;
  let requestId = 0;
  const ask = () => {
    const args = [
      { market: "BTC-USD", interval: "30m", before: Date.now() - 3_000_000, limit: 1000 },
    ];
    send(socket, { type: "Action", requestId: requestId++, udfPath: "markets:candles", args });
  };
  socket.on("message", (data: Buffer) => {
    if (!data.toString("latin1").includes("ActionResponse")) return;
    count("candle reads answered");
    if (isOpen(socket)) setTimeout(ask, PAUSE_MS);
  });
  for (let each = 0; each < 64; each++) ask();
  for (let waited = 0; waited < 30_000 && isOpen(socket); waited += 500) await delay(500);
  socket.terminate();
}

const SMALL_OBJECTS = `[${"{},".repeat(349_000)}{}]`;
const UNKNOWN_FUNCTION = `{"type":"Action","requestId":1,"udfPath":"x:y","args":[{"a":${SMALL_OBJECTS}}]}`;

/** Sends 1 MB of small objects, in frames, to a function that does not exist. */
async function sendsLargeFrames(): Promise<void> {
  const socket = await open();
  if (socket === undefined) return;
  for (let frame = 0; frame < 20 && isOpen(socket); frame++) {
    send(socket, UNKNOWN_FUNCTION);
    count("frames of 1 MB");
    while (socket.bufferedAmount > 0 && isOpen(socket)) await delay(PAUSE_MS);
  }
  socket.terminate();
}

const agent = new Agent({ keepAlive: true, localAddress: ADDRESS });

/** Sends the same in bodies of HTTP requests. */
async function sendsLargeBodies(): Promise<void> {
  const body = `{"path":"x:y","args":[{"a":${SMALL_OBJECTS}}]}`;
  await new Promise<void>((settled) => {
    const call = request({
      hostname,
      port,
      path: "/api/action",
      method: "POST",
      agent,
      timeout: 30_000,
    });
    call.setHeader("content-type", "application/json");
    call.on("response", (response) => {
      count(`bodies of 1 MB answered ${response.statusCode}`);
      response.resume().once("close", settled);
    });
    call.on("timeout", () => call.destroy());
    call.on("error", () => count("refused or cut off"));
    call.on("close", settled);
    call.end(body);
  });
}

/** Sends most of a body, then nothing more. */
async function stalls(): Promise<void> {
  const socket = connect({ host: hostname, port: Number(port), localAddress: ADDRESS });
  socket.on("error", () => count("refused or cut off"));
  socket.resume();
  const isClosed = new Promise<void>((closed) => socket.once("close", () => closed()));
  socket.write(
    `POST /api/query HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
      "Content-Length: 1048570\r\n\r\n",
  );
  socket.write(Buffer.alloc(1_000_000, 32));
  count("stalled bodies");
  await Promise.race([isClosed, delay(30_000)]);
  socket.destroy();
}

/** Places orders that are refused, as a signed-in user, 20 in flight. */
async function floodsOrders(): Promise<void> {
  const socket = await open();
  if (socket === undefined) return;
  send(socket, { type: "Authenticate", tokenType: "User", value: token, baseVersion: 0 });
  let requestId = 0;
  const order = {
    market: "BTC-USD",
    side: "buy",
    type: "limit",
    timeInForce: "fok",
    price: "10000.00",
    quantity: "1000",
  };
  const ask = () =>
    send(socket, {
      type: "Mutation",
      requestId: requestId++,
      udfPath: "orders:place",
      args: [order],
    });
  socket.on("message", (data: Buffer) => {
    if (!data.toString("latin1").includes("MutationResponse")) return;
    count("orders answered");
    if (isOpen(socket)) setTimeout(ask, 1);
  });
  for (let each = 0; each < 20; each++) ask();
  for (let waited = 0; waited < 30_000 && isOpen(socket); waited += 500) await delay(500);
  socket.terminate();
}

/** Requests one file repeatedly. */
async function asksForFiles(): Promise<void> {
  await new Promise<void>((settled) => {
    const call = request({ hostname, port, path: "/favicon.svg", agent });
    call.on("response", (response) => {
      count(`files answered ${response.statusCode}`);
      response.resume().once("close", settled);
    });
    call.on("error", () => count("refused or cut off"));
    call.on("close", settled);
    call.end();
  });
}

/** Sends well-formed tokens with a wrong signature. */
async function forgesTokens(): Promise<void> {
  const forged = `${token.slice(0, -8)}AAAAAAAA`;
  const body = '{"path":"coins:list","args":[{}]}';
  await new Promise<void>((settled) => {
    const call = request({ hostname, port, path: "/api/query", method: "POST", agent });
    call.setHeader("content-type", "application/json");
    call.setHeader("authorization", `Bearer ${forged}`);
    call.on("response", (response) => {
      count(`forged tokens answered ${response.statusCode}`);
      response.resume().once("close", settled);
    });
    call.on("error", () => count("refused or cut off"));
    call.on("close", settled);
    call.end(body);
  });
}

/** Sends a body byte by byte. */
async function sendsBytes(): Promise<void> {
  const socket = connect({ host: hostname, port: Number(port), localAddress: ADDRESS });
  socket.setNoDelay(true);
  socket.on("error", () => count("refused or cut off"));
  socket.resume();
  socket.write(
    `POST /api/query HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
      "Content-Length: 60000\r\n\r\n",
  );
  for (let byte = 0; byte < 60_000 && !socket.destroyed && !isOver; byte++) {
    if (!socket.write(" ") || byte % 50 === 0) await delay(1);
    count("bytes");
  }
  socket.destroy();
}

const KINDS: Readonly<Record<string, () => Promise<void>>> = {
  neverReads,
  readsCandles,
  sendsLargeFrames,
  sendsLargeBodies,
  stalls,
  floodsOrders,
  asksForFiles,
  forgesTokens,
  sendsBytes,
};
const chosen = (kindsText ?? Object.keys(KINDS).join(",")).split(",");

for (let socket = 0; socket < SOCKETS; socket++) {
  const attack = KINDS[chosen[socket % chosen.length] ?? ""];
  if (attack === undefined) throw new Error(`there is no attack ${kindsText}`);
  void (async () => {
    while (!isOver) {
      await attack();
      await delay(PAUSE_MS);
    }
  })();
}
