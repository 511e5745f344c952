import type { LogEvent } from "kysely";

/** Takes every executed statement, in the asynchronous context of its caller. */
export type StatementListener = (event: LogEvent) => void;
