/** The input from which the API's documents are generated. */
import type { Endpoint } from "../endpoint.ts";
import type { RecordedAnswers } from "./recorded-answers.ts";

export interface DocumentSubject {
  readonly calls: readonly Endpoint[];
  readonly productName: string;
  readonly recorded: RecordedAnswers;
  /** The host of the WebSockets. */
  readonly host: { readonly host: string; readonly protocol: "ws" | "wss" };
}
