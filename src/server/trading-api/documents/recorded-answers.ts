/** Answers and messages recorded from a running exchange, as examples for the documents. */
import { readFileSync } from "node:fs";

interface RecordedAnswer {
  /** Parameters of the request, without those for its signature. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly answer: unknown;
}

interface RecordedRefusal {
  /** Method and path, such as "GET /api/v3/depth". */
  readonly call: string;
  /** The HTTP status. */
  readonly status: number;
  readonly error: { readonly code: number; readonly msg: string };
}

type ByName<Recorded> = Readonly<Record<string, Recorded>>;

/** The recording, written by `npm run record-answers`. */
export interface RecordedAnswers {
  /** Answers by call, such as "GET /api/v3/depth". */
  readonly answers: ByName<readonly RecordedAnswer[]>;
  /** Refusals by error code. */
  readonly refusals: ByName<RecordedRefusal>;
  /** Answers to the WebSocket API's connection methods, by method. */
  readonly connection: ByName<unknown>;
  /** Messages of the market streams, by kind of stream. */
  readonly streams: ByName<{ readonly name: string; readonly message: unknown }>;
  /** User data events, by event name. */
  readonly events: ByName<readonly Readonly<Record<string, unknown>>[]>;
}

export const RECORDED_ANSWERS = new URL("recorded-answers.json", import.meta.url);

let read: RecordedAnswers | undefined;

export function recordedAnswers(): RecordedAnswers {
  return (read ??= JSON.parse(readFileSync(RECORDED_ANSWERS, "utf8")) as RecordedAnswers);
}
