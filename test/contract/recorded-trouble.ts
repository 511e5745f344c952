/** Refusals of exchanges that are used up, have a full disk, or have stopped. */
import { randomUUID } from "node:crypto";
import { stealLock } from "../support/stolen-lock.ts";
import { type StartExchange, type TestExchange, until } from "./accounts-exchange.ts";
import { type AnswerRecording, type Json, RecordedSocket } from "./answer-recording.ts";
import { signed } from "./signed-params.ts";
import { ask, type Program, programOf } from "./trading-programs.ts";

const PLACE = "POST /api/v3/order";
const ORDER = {
  symbol: "BTCUSD",
  side: "BUY",
  type: "LIMIT",
  timeInForce: "GTC",
  price: "1000",
  quantity: "0.01",
};

/** So that every code refuses something. */
export async function provokeTrouble(
  recording: AnswerRecording,
  start: StartExchange,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const full = await start({ ...settings, DISK_FREE_ORDERS_MIN_MB: "1000000000" });
  const there = await programOf(full, "ada@example.com");
  await refusedWith(-1008, recording, PLACE, () => place(full, there));
  const thief = await stealLock(full.database.location.dataDir, full.url);
  const timer = "/api/v3/openbell/cancelAllAfter";
  const setTimer = () => ask(full, there, "POST", timer, { countdownTime: "0" });
  await refusedWith(-1006, recording, `POST ${timer}`, setTimer);
  await full.stop();
  thief.close();

  const exchange = await start({ ...settings, TRADING_API_WEIGHT: "100" });
  const program = await programOf(exchange, "ada@example.com");
  const read = (path: string) => async () => {
    const answer = await fetch(`${exchange.url}${path}`);
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  await refusedWith(-1000, recording, "GET /api/v3/nothing", read("/api/v3/nothing"));
  const socket = await new RecordedSocket(exchange, "/ws-api/v3").opened();
  const follow = () => subscribe(socket, program);
  await refusedWith(-1034, recording, "WebSocket", follow);
  socket.close();
  await refusedWith(-1015, recording, PLACE, () => place(exchange, program), 8);
  await refusedWith(-1003, recording, "GET /api/v3/ping", read("/api/v3/ping"));
}

function place(exchange: TestExchange, program: Program) {
  // With a name of its own, as equal orders of one millisecond are one request.
  const newClientOrderId = randomUUID();
  return ask(exchange, program, "POST", "/api/v3/order", { ...ORDER, newClientOrderId });
}

async function subscribe(socket: RecordedSocket, program: Program) {
  const id = socket.ask("userDataStream.subscribe.signature", signed(program));
  await until(() => socket.answerTo(id) !== undefined, "an answer");
  const { error, status } = socket.answerTo(id) ?? {};
  return { status: Number(status), body: (error ?? {}) as Json };
}

/**
 * Asks until it is refused so.
 * @param atOnce how many requests are sent together: allowances refill at the same time, on a busy machine
 * as fast as one request after another uses them
 */
async function refusedWith(
  code: number,
  recording: AnswerRecording,
  call: string,
  send: () => Promise<{ readonly status: number; readonly body: Json }>,
  atOnce = 1,
): Promise<void> {
  for (;;) {
    const answers = await Promise.all(Array.from({ length: atOnce }, send));
    const refused = answers.find(({ status }) => status !== 200);
    if (refused === undefined) continue;
    const { body, status } = refused;
    if (recording.refused(call, status, body) === code) return;
    throw new Error(`${call} was refused otherwise: ${JSON.stringify(body)}`);
  }
}
