/** Answers and messages that a running exchange gave, as examples for the documents. */
import { readFileSync } from "node:fs";

interface RecordedAnswer {
  /** Parameters of the request, without those of its signature. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly answer: unknown;
}

interface RecordedRefusal {
  /** Such as "GET /api/v3/depth". */
  readonly call: string;
  /** Of HTTP. */
  readonly status: number;
  readonly error: { readonly code: number; readonly msg: string };
}

type By<Recorded> = Readonly<Record<string, Recorded>>;

/** `npm run record-answers` writes it. */
export interface RecordedAnswers {
  /** By the call, such as "GET /api/v3/depth". */
  readonly answers: By<readonly RecordedAnswer[]>;
  /** By the code. */
  readonly refusals: By<RecordedRefusal>;
  /** Of the WebSocket API, by the method of the connection. */
  readonly connection: By<unknown>;
  /** By the kind of stream. */
  readonly streams: By<{ readonly name: string; readonly message: unknown }>;
  /** User data by the name of the event. */
  readonly events: By<readonly Readonly<Record<string, unknown>>[]>;
}

export const RECORDED_ANSWERS = new URL("recorded-answers.json", import.meta.url);

let read: RecordedAnswers | undefined;

export function recordedAnswers(): RecordedAnswers {
  return (read ??= JSON.parse(readFileSync(RECORDED_ANSWERS, "utf8")) as RecordedAnswers);
}
