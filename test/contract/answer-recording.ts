/** Answers, refusals and messages of a running exchange, as the documents of the trading API show them. */
import { once } from "node:events";
import { WebSocket } from "ws";
import { fieldPaths } from "#server/trading-api/documents/answer-schema.ts";
import { documentedCalls } from "#server/trading-api/documents/document-calls.ts";
import type { RecordedAnswers } from "#server/trading-api/documents/recorded-answers.ts";
import type { Endpoint } from "#server/trading-api/endpoint.ts";
import type { TestExchange } from "./accounts-exchange.ts";
import { ask, type Program } from "./trading-programs.ts";

export type Signer = Pick<Program, "apiKey" | "secret">;
export type Texts = Readonly<Record<string, string>>;
export type Json = Readonly<Record<string, unknown>>;
type Mutable<Part extends keyof RecordedAnswers> = Record<string, RecordedAnswers[Part][string]>;

/** Of lists of markets, coins or levels: items with the same fields are alike. */
const ITEMS_MAX = 2;

/** The call "GET /api/v3/depth". */
export function callNamed(name: string): Endpoint {
  const call = documentedCalls.find(({ method, path }) => `${method} ${path}` === name);
  if (call === undefined) throw new Error(`there is no call ${name}`);
  return call;
}

export class AnswerRecording implements RecordedAnswers {
  readonly answers: Mutable<"answers"> = {};
  readonly refusals: Mutable<"refusals"> = {};
  readonly connection: Mutable<"connection"> = {};
  readonly streams: Mutable<"streams"> = {};
  readonly events: Mutable<"events"> = {};
  /** Codes with which each call was refused. */
  readonly codes = new Map<string, Set<number>>();
  readonly #exchange: TestExchange;

  constructor(exchange: TestExchange) {
    this.#exchange = exchange;
  }

  /** The answer, which is recorded unless it is like one before. @throws Error for a refusal */
  async call(name: string, signer: Signer, parameters: Texts = {}): Promise<Json> {
    const { body, status } = await this.#ask(name, signer, parameters);
    if (status !== 200) throw new Error(`${name} was refused: ${JSON.stringify(body)}`);
    const recorded = this.answers[name] ?? [];
    const shapes = recorded.map(({ answer }) => shapeOf(answer));
    const answer = shortened(body);
    if (!shapes.includes(shapeOf(answer))) {
      this.answers[name] = [...recorded, { parameters, answer }];
    }
    return body;
  }

  /** The code of a refusal, which is recorded; undefined if the call is answered. */
  async refusal(name: string, signer: Signer, parameters: Texts = {}): Promise<number | undefined> {
    const { body, status } = await this.#ask(name, signer, parameters);
    return status === 200 ? undefined : this.refused(name, status, body);
  }

  /** The same for a request that is made by hand. */
  async refusalOf(name: string, query: string, headers: Texts): Promise<number | undefined> {
    const { method, path } = callNamed(name);
    const answer = await fetch(`${this.#exchange.url}${path}?${query}`, { method, headers });
    if (answer.ok) return undefined;
    return this.refused(name, answer.status, (await answer.json()) as Json);
  }

  refused(call: string, status: number, { code, msg, ...rest }: Json): number {
    const error = { code: Number(code), msg: String(msg), ...rest };
    this.codes.set(call, (this.codes.get(call) ?? new Set()).add(error.code));
    this.refusals[String(error.code)] ??= { call, status, error };
    return error.code;
  }

  event(event: Json): void {
    const name = String(event.e);
    const known = this.events[name] ?? [];
    if (!known.map(shapeOf).includes(shapeOf(event))) this.events[name] = [...known, event];
  }

  async #ask(name: string, signer: Signer, parameters: Texts) {
    const { method, path, security } = callNamed(name);
    if (security !== "none") return ask(this.#exchange, signer, method, path, parameters);
    const query = new URLSearchParams(parameters).toString();
    const answer = await fetch(`${this.#exchange.url}${path}?${query}`, { method });
    return { status: answer.status, body: (await answer.json()) as Json };
  }
}

/** A connection to the WebSocket API or to streams. */
export class RecordedSocket {
  readonly messages: Json[] = [];
  readonly #socket: WebSocket;
  #asked = 0;

  constructor({ url }: TestExchange, path: string) {
    this.#socket = new WebSocket(`${url.replace("http", "ws")}${path}`);
    this.#socket.on("message", (data: Buffer) => {
      this.messages.push(JSON.parse(data.toString("utf8")) as Json);
    });
  }

  async opened(): Promise<this> {
    await once(this.#socket, "open");
    return this;
  }

  /** Sends a request; its answer comes among the messages, with the same id. */
  ask(method: string, params: Json = {}): number {
    const id = ++this.#asked;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return id;
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  answerTo(id: number): Json | undefined {
    return this.messages.find((message) => message.id === id);
  }

  close(): void {
    this.#socket.terminate();
  }
}

/** The fields of an answer with their types, as one text. */
function shapeOf(answer: unknown): string {
  return fieldPaths([answer]).join("\n");
}

/** Without the items of lists that look like those before them. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isOfParts = value.every((item) => typeof item === "object" && item !== null);
    if (!isOfParts) return value;
    const kept: unknown[] = [];
    for (const item of value) {
      const isKnown = kept.some((one) => shapeOf(one) === shapeOf(item));
      if (!isKnown || kept.length < ITEMS_MAX) kept.push(shortened(item));
    }
    return kept;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shortened(field)]));
}
