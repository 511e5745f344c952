/**
 * The documents of the trading API say what a running exchange does: every call, field and code. Their
 * examples are recorded by this scene: `npm run record-answers`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { fieldPaths } from "#server/trading-api/documents/answer-schema.ts";
import { errorsOf } from "#server/trading-api/documents/call-errors.ts";
import { documentedCalls } from "#server/trading-api/documents/document-calls.ts";
import {
  RECORDED_ANSWERS,
  type RecordedAnswers,
} from "#server/trading-api/documents/recorded-answers.ts";
import { ERROR_CODES } from "#server/trading-api/error-codes.ts";
import { STREAM_KINDS } from "#server/trading-api/streams/stream-kinds.ts";
import { parseStreamName } from "#server/trading-api/streams/stream-name.ts";
import { USER_DATA_EVENTS } from "#server/trading-api/user-data/user-data-events.ts";
import { CONNECTION_METHODS } from "#server/trading-api/ws-api/connection-methods.ts";
import { WS_METHODS } from "#server/trading-api/ws-api/ws-methods.ts";
import { exchangeStarter, type TestExchange } from "./accounts-exchange.ts";
import type { AnswerRecording } from "./answer-recording.ts";
import { describeOnSqlite } from "./databases.ts";
import { refuseWrongRequests } from "./recorded-refusals.ts";
import { recordAnswers, streamNameOf } from "./recorded-scene.ts";
import { provokeTrouble } from "./recorded-trouble.ts";
import { programOf } from "./trading-programs.ts";

// A whole server, and a few hundred requests.
vi.setConfig({ testTimeout: 240_000 });

const SETTINGS = { PRACTICE_FUNDS: "USD:100000,BTC:1", TRADING_API_WEIGHT: "1000000" };

const names = documentedCalls.map(({ method, path }) => `${method} ${path}`);
/** Their answers are the documents themselves. */
const ofDocuments = names.filter((name) => name.endsWith("api.json"));
/** They refuse whatever is asked. */
const ALWAYS_REFUSED = [
  "GET /sapi/v1/capital/deposit/address",
  "POST /sapi/v1/capital/withdraw/apply",
];
const answered = names.filter((name) => ![...ofDocuments, ...ALWAYS_REFUSED].includes(name));

const isRecording = process.env.RECORD_ANSWERS === "1";

/** Examples whose fields are still the same stay, so that a new recording changes only what is new. */
function record(live: AnswerRecording): void {
  const before = recordedAnswers();
  const { connection, events, refusals, streams } = live;
  const answers = Object.fromEntries(answered.map((name) => [name, live.answers[name]]));
  const parts: RecordedAnswers = { answers, refusals, connection, streams, events };
  const [fieldsBefore, fields] = [fieldsOf(before), fieldsOf(parts)];
  const kept = Object.entries(parts).map(([part, examples]) => {
    const at = part as keyof RecordedAnswers;
    const isSame = (name: string) =>
      String(fieldsBefore[at][name]) === String(fields[at][name]) && name in before[at];
    const ofPart = Object.entries(examples as object).map(([name, example]: [string, unknown]) => [
      name,
      isSame(name) ? before[at][name] : example,
    ]);
    return [part, Object.fromEntries(ofPart)];
  });
  writeFileSync(RECORDED_ANSWERS, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

function recordedAnswers(): RecordedAnswers {
  return JSON.parse(readFileSync(RECORDED_ANSWERS, "utf8")) as RecordedAnswers;
}

const fieldsOf = (recorded: RecordedAnswers) => ({
  answers: each(recorded.answers, (examples) => fieldPaths(examples.map(({ answer }) => answer))),
  refusals: each(recorded.refusals, ({ error }) => fieldPaths([error])),
  connection: each(recorded.connection, (answer) => fieldPaths([answer])),
  streams: each(recorded.streams, ({ message }) => fieldPaths([message])),
  events: each(recorded.events, fieldPaths),
});

function each<Of, To>(from: Readonly<Record<string, Of>>, change: (one: Of) => To) {
  return Object.fromEntries(Object.entries(from).map(([name, one]) => [name, change(one)]));
}

describeOnSqlite("the documents of the trading API", (openDatabase) => {
  const start = exchangeStarter(openDatabase);

  test("every call, stream, event and code has an example with the fields that the exchange sends", async () => {
    const live = await recordAnswers(await start(SETTINGS));
    await provokeTrouble(live, start, SETTINGS);
    if (isRecording) record(live);
    const recorded = recordedAnswers();
    expect(fieldsOf(recorded), "run `npm run record-answers`").toEqual(fieldsOf(live));
    expect(Object.keys(recorded.answers).toSorted()).toEqual(answered.toSorted());
    expect(Object.keys(recorded.streams).toSorted()).toEqual(Object.keys(STREAM_KINDS).toSorted());
    expect(Object.keys(recorded.events).toSorted()).toEqual(Object.keys(USER_DATA_EVENTS));
    expect(Object.keys(recorded.connection).toSorted()).toEqual(
      Object.keys(CONNECTION_METHODS).toSorted(),
    );
  });

  test("every refusal has a code that its call is documented with", async () => {
    const exchange = await start(SETTINGS);
    const live = await recordAnswers(exchange);
    const { apiKey, secret } = await programOf(exchange, "careless@example.com");
    for (const name of names) await refuseWrongRequests(live, name, { apiKey, secret });
    const undocumented = documentedCalls.flatMap((call) => {
      const name = `${call.method} ${call.path}`;
      const documented: ReadonlySet<number> = new Set(errorsOf(call));
      return [...(live.codes.get(name) ?? [])]
        .filter((code) => !documented.has(code))
        .map((code) => `${name}: ${code}`);
    });
    expect(undocumented, "declare these among the call's errors").toEqual([]);
    await provokeTrouble(live, start, SETTINGS);
    const statuses = Object.values(live.refusals).filter(({ error, status }) => {
      const described = ERROR_CODES[String(error.code) as keyof typeof ERROR_CODES];
      return !(described.statuses as readonly number[]).includes(status);
    });
    expect(statuses).toEqual([]);
    const provoked = new Set(Object.keys(live.refusals).map(Number));
    const missing = Object.keys(ERROR_CODES)
      .map(Number)
      .filter((code) => !provoked.has(code));
    expect(missing, "provoke these in the recorded scene").toEqual([]);
  });

  test("both documents are served, have every call and method, and refer only to what they have", async () => {
    const exchange = await start({ ...SETTINGS, PRODUCT_NAME: "Ember" });
    const openApi = await documentAt(exchange, "openapi");
    const asyncApi = await documentAt(exchange, "asyncapi");
    expect(openApi).toMatchObject({ openapi: "3.1.1", info: { title: "Ember: trading API" } });
    expect(asyncApi).toMatchObject({ asyncapi: "3.0.0", info: { title: "Ember: WebSockets" } });
    const paths = openApi.paths as Record<string, Record<string, { operationId: string }>>;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => ({
        name: `${method.toUpperCase()} ${path}`,
        operationId,
      })),
    );
    expect(operations.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(names.length);
    expect(Object.keys(asyncApi.operations as object)).toEqual(
      expect.arrayContaining([...WS_METHODS, ...Object.keys(CONNECTION_METHODS)]),
    );
    for (const document of [openApi, asyncApi]) expect(danglingReferences(document)).toEqual([]);
  });

  test("the documented names of streams are those that the exchange reads", () => {
    for (const [kind, { names: ofKind }] of Object.entries(STREAM_KINDS)) {
      for (const name of ofKind) {
        expect(parseStreamName(streamNameOf(name))?.stream.kind, name).toBe(kind);
      }
    }
  });
});

async function documentAt({ url }: TestExchange, name: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/api/v3/openbell/${name}.json`);
  return (await answer.json()) as Record<string, unknown>;
}

function danglingReferences(document: Record<string, unknown>): string[] {
  const found = Array.from(
    JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g),
    ([, path]) => path,
  );
  return found.filter(
    (path) =>
      path
        .split("/")
        .reduce<unknown>(
          (at, key) => (at as Record<string, unknown> | undefined)?.[key],
          document,
        ) === undefined,
  );
}
