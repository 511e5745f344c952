/**
 * The subscribers of `bench/api.ts`, in their own process: connections that each subscribe to the
 * changes of one book. All must receive the same messages; the first connection rebuilds the book from
 * them.
 */
import { WebSocket } from "ws";
import { SYMBOL } from "./api-orders.ts";

export interface ListenRequest {
  readonly url: string;
  readonly connections: number;
}

export interface ListenResult {
  readonly messages: number;
  readonly bytes: number;
  /** First and last update id that the streams sent. */
  readonly fromId: number;
  readonly toId: number;
  /**
   * Levels that changed since the connections were opened, by side, as [price, quantity]; quantity "0"
   * if the level is empty.
   */
  readonly levels: Readonly<Record<"b" | "a", readonly (readonly [string, string])[]>>;
}

interface Depth {
  readonly U: number;
  readonly u: number;
  readonly b: readonly (readonly [string, string])[];
  readonly a: readonly (readonly [string, string])[];
}

const CONNECTIONS_PER_ADDRESS = 50;

let sockets: WebSocket[] = [];
let messages = 0;
let bytes = 0;
let fromId = 0;
let toId = 0;
let failure: string | undefined;
let book = { b: new Map<string, string>(), a: new Map<string, string>() };
/** The last update id of each connection. */
let lastIds: number[] = [];

process.on("message", (asked: ListenRequest | "stop") => {
  (asked === "stop" ? stop() : listen(asked)).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.once("disconnect", () => process.exit(0));

async function listen({ connections, url }: ListenRequest): Promise<object> {
  [messages, bytes, fromId, toId, failure] = [0, 0, 0, 0, undefined];
  book = { b: new Map(), a: new Map() };
  lastIds = Array.from({ length: connections }, () => 0);
  const address = `${url.replace("http", "ws")}/ws/${SYMBOL.toLowerCase()}@depth@100ms`;
  for (let at = 0; at < connections; at++) {
    const localAddress = `127.2.0.${1 + Math.floor(at / CONNECTIONS_PER_ADDRESS)}`;
    const socket = new WebSocket(address, { localAddress, perMessageDeflate: false });
    sockets.push(socket);
    await new Promise<void>((opened, failed) => {
      socket.once("open", opened);
      socket.once("error", failed);
    });
    socket.on("close", (code) => (failure ??= `a subscriber was closed with ${code}`));
    socket.on("message", (data: Buffer) => take(at, data));
  }
  return {};
}

function take(at: number, data: Buffer): void {
  messages += 1;
  bytes += data.length;
  // U and u come before the levels.
  const ids = /"U":(\d+),"u":(\d+)/.exec(data.toString("latin1", 0, 120));
  const [first, last] = [Number(ids?.[1]), Number(ids?.[2])];
  if (lastIds[at] !== 0 && lastIds[at] + 1 !== first) {
    failure ??= `update ${first} came after ${lastIds[at]}`;
  }
  lastIds[at] = last;
  if (at > 0) return;
  const depth = JSON.parse(data.toString("utf8")) as Depth;
  fromId ||= depth.U;
  toId = depth.u;
  for (const side of ["b", "a"] as const) {
    for (const [price, quantity] of depth[side]) book[side].set(price, quantity);
  }
}

async function stop(): Promise<ListenResult> {
  // Waits for messages in flight.
  await new Promise((resolve) => setTimeout(resolve, 500));
  if (failure !== undefined) throw new Error(failure);
  const behind = lastIds.find((last) => last !== toId);
  if (behind !== undefined) throw new Error(`one is at ${behind}, the first one at ${toId}`);
  for (const socket of sockets) {
    socket.removeAllListeners("close");
    socket.terminate();
  }
  sockets = [];
  return { messages, bytes, fromId, toId, levels: { b: [...book.b], a: [...book.a] } };
}
