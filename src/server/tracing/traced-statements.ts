/** A span for each statement of the database, once it has been executed. */
import { SpanKind } from "@opentelemetry/api";
import {
  ATTR_DB_COLLECTION_NAME,
  ATTR_DB_OPERATION_NAME,
  ATTR_DB_SYSTEM_NAME,
} from "@opentelemetry/semantic-conventions";
import type { LogEvent } from "kysely";
import { steadyMs } from "../exchange/command-times.ts";
import { failSpan, type Spans } from "./spans.ts";

/** The table is the first one that is named; Kysely quotes names, and parameters are not in the text. */
const STATEMENT = /^\s*(\w+)(?:[\s\S]*?\b(?:from|into|update)\s+"(\w+)")?/i;

export function tracedStatements(
  spans: Spans,
  system: "sqlite" | "postgresql",
): (event: LogEvent) => void {
  return (event) => {
    const active = spans.recorded();
    if (active === undefined) return;
    const [, word = "", table] = STATEMENT.exec(event.query.sql) ?? [];
    const operation = word.toUpperCase();
    const attributes = {
      [ATTR_DB_SYSTEM_NAME]: system,
      [ATTR_DB_OPERATION_NAME]: operation,
      [ATTR_DB_COLLECTION_NAME]: table,
    };
    const endedMs = steadyMs();
    const beganMs = endedMs - event.queryDurationMillis;
    const name = table === undefined ? operation : `${operation} ${table}`;
    const statement = spans.child(active, name, attributes, beganMs, SpanKind.CLIENT);
    if (event.level === "error") failSpan(statement, event.error);
    spans.end(statement, endedMs);
  };
}
