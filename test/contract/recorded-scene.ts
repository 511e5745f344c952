/**
 * What two programs do and ask, so that every call is answered, every kind of event is sent, and every
 * code that can be provoked refuses something.
 */
import { generateKeyPairSync } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { functions } from "#contract/functions.ts";
import { PARTIAL_LEVELS, STREAM_KINDS } from "#server/trading-api/streams/stream-kinds.ts";
import type { TestExchange } from "./accounts-exchange.ts";
import { until } from "./accounts-exchange.ts";
import { AnswerRecording, type Json, RecordedSocket, type Signer } from "./answer-recording.ts";
import { recordCalls, type RecordedPrograms } from "./recorded-calls.ts";
import { provokeRefusals } from "./recorded-refusals.ts";
import { signed, signedWith } from "./signed-params.ts";
import { ask, programOf } from "./trading-programs.ts";

/** Longer than streams gather changes. */
const QUOTED_MS = 1_500;

interface Scene extends RecordedPrograms {
  readonly exchange: TestExchange;
}

/** @param exchange with practice funds of USD 100 000 and BTC 1, and all the weight that it takes */
export async function recordAnswers(exchange: TestExchange): Promise<AnswerRecording> {
  const recording = new AnswerRecording(exchange);
  const maker = await programOf(exchange, "maker@example.com");
  const taker = await programOf(exchange, "taker@example.com");
  const scene: Scene = { exchange, recording, maker, taker };
  const streams = await openStreams(exchange);
  const userData = await followUserData(scene);
  await recordCalls(scene);
  await recordStreams(scene, streams);
  await listenByKey(scene);
  await provokeRefusals(scene);
  await endUserData(scene, userData);
  streams.close();
  return recording;
}

interface UserData {
  readonly socket: RecordedSocket;
  readonly keyId: string;
  readonly subscribed: readonly RecordedSocket[];
}

/** Of both programs: the maker's in a session, which ends with its key. */
async function followUserData({ exchange, recording, maker, taker }: Scene): Promise<UserData> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { key } = await maker.trader.http.action(functions.apiKeys.create, {
    name: "Session",
    kind: "ed25519",
    publicKey: publicKey.export({ format: "pem", type: "spki" }),
    permissions: ["read", "trade"],
  });
  const socket = await new RecordedSocket(exchange, "/ws-api/v3").opened();
  const record = async (method: string, params: Json = {}) => {
    recording.connection[method] = (await answered(socket, socket.ask(method, params))).result;
  };
  await refusedBySocket(recording, socket, () => socket.ask("session.logon", signed(maker)));
  await record(
    "session.logon",
    signedWith(privateKey, { apiKey: key.apiKey, timestamp: Date.now() }),
  );
  await record("session.status");
  await record("userDataStream.subscribe");
  await record("session.subscriptions");
  const other = await new RecordedSocket(exchange, "/ws-api/v3").opened();
  const id = other.ask("userDataStream.subscribe.signature", signed(taker));
  recording.connection["userDataStream.subscribe.signature"] = (await answered(other, id)).result;
  return { socket, keyId: key.keyId, subscribed: [socket, other] };
}

async function endUserData({ recording, maker }: Scene, userData: UserData): Promise<void> {
  const { keyId, socket, subscribed } = userData;
  const events = () =>
    subscribed
      .flatMap(({ messages }) => messages)
      .flatMap(({ event }) => (event === undefined ? [] : [event as Json]));
  await maker.trader.http.mutation(functions.apiKeys.revoke, { keyId });
  await until(
    () => events().some(({ e }) => e === "eventStreamTerminated"),
    "the end of the subscription",
  );
  for (const event of events()) recording.event(event);
  const record = async (method: string) => {
    recording.connection[method] = (await answered(socket, socket.ask(method))).result;
  };
  await record("userDataStream.unsubscribe");
  await record("session.logout");
  await refusedBySocket(recording, socket, () => socket.send('{"method":1}'));
  for (const each of subscribed) each.close();
}

/** Of the taker, until the listen key is closed. */
async function listenByKey({ exchange, recording, taker }: Scene): Promise<void> {
  const path = "/api/v3/userDataStream";
  const { listenKey } = await recording.call(`POST ${path}`, taker);
  const named = { listenKey: String(listenKey) };
  await recording.call(`PUT ${path}`, taker, named);
  const socket = await new RecordedSocket(exchange, `/ws/${named.listenKey}`).opened();
  await recording.call(`DELETE ${path}`, taker, named);
  const ended = () => socket.messages.find(({ e }) => e === "listenKeyExpired");
  await until(() => ended() !== undefined, "the end of the listen key");
  recording.event(ended() ?? {});
  socket.close();
}

async function answered(socket: RecordedSocket, id: number): Promise<Json> {
  await until(() => socket.answerTo(id) !== undefined, "an answer");
  return socket.answerTo(id) ?? {};
}

/** The next error that comes. */
async function refusedBySocket(
  recording: AnswerRecording,
  { messages }: RecordedSocket,
  send: () => void,
): Promise<void> {
  const errors = () => messages.filter(({ error }) => error !== undefined);
  const before = errors().length;
  send();
  await until(() => errors().length > before, "a refusal");
  const { error, status } = errors()[before];
  recording.refused("WebSocket", Number(status), error as Json);
}

/** Of every kind of stream one. */
async function openStreams(exchange: TestExchange): Promise<RecordedSocket> {
  const names = Object.values(STREAM_KINDS).map((kind) => streamNameOf(kind.names[0]));
  const path = `/stream?streams=${names.map(encodeURIComponent).join("/")}`;
  return new RecordedSocket(exchange, path).opened();
}

/** A name with a market, an interval and a number of levels. */
export function streamNameOf(name: string): string {
  return name
    .replace("{symbol}", "btcusd")
    .replace("{interval}", "1m")
    .replace("{window}", "1h")
    .replace("{levels}", PARTIAL_LEVELS[0]);
}

/** Of a book a message in which both sides are, whenever others came. */
async function recordStreams(
  { exchange, recording }: Scene,
  streams: RecordedSocket,
): Promise<void> {
  const quoter = await programOf(exchange, "quoter@example.com");
  for (const [kind, { names }] of Object.entries(STREAM_KINDS)) {
    const name = streamNameOf(names[0]);
    const find = () =>
      streams.messages.find(({ stream, data }) => stream === name && hasNoEmptyList(data));
    await until(async () => {
      if (find() === undefined) await quoteBothSides(exchange, quoter);
      return find() !== undefined;
    }, `a message of ${name}`);
    recording.streams[kind] = { name, message: find()?.data };
  }
}

function hasNoEmptyList(data: unknown): boolean {
  return Object.values(data as Json).every((value) => !Array.isArray(value) || value.length > 0);
}

/** For as long as streams take to say so. */
async function quoteBothSides(exchange: TestExchange, quoter: Signer): Promise<void> {
  const quote = { symbol: "BTCUSD", type: "LIMIT", timeInForce: "GTC", quantity: "0.001" };
  for (const [side, price] of Object.entries({ BUY: "58000", SELL: "70000" })) {
    await ask(exchange, quoter, "POST", "/api/v3/order", { ...quote, side, price });
  }
  await pause(QUOTED_MS);
  await ask(exchange, quoter, "DELETE", "/api/v3/openOrders", { symbol: "BTCUSD" });
}
