/** What the documents are about. */
import type { Endpoint } from "../endpoint.ts";
import type { RecordedAnswers } from "./recorded-answers.ts";

export interface DocumentSubject {
  readonly calls: readonly Endpoint[];
  readonly productName: string;
  readonly recorded: RecordedAnswers;
  /** Of WebSockets. */
  readonly host: { readonly host: string; readonly protocol: "ws" | "wss" };
}
