/**
 * What an administrator changed about the exchange or an account, with how it was before and after.
 * Both are JSON of what the engine's event has; "" if it was not there.
 */
import type { AdminChangeKind } from "#contract/users.ts";
import { fixed, RecordKind, type RecordOf } from "./record-kind.ts";

export const ADMIN_CHANGES = new RecordKind({
  /** One command is one change. */
  sequence: fixed("sequence").integer(),
  timestampMs: fixed("time").integer(),
  kind: fixed("kind").text<AdminChangeKind>(),
  /** The number of the coin, market, plan or account. */
  subjectId: fixed("subject_id").integer(),
  adminId: fixed("admin_id").text<string>(),
  before: fixed("state_before").text<string>(),
  after: fixed("state_after").text<string>(),
  reason: fixed("reason").text<string>(),
});
export type AdminChangeRecord = RecordOf<typeof ADMIN_CHANGES.fields>;
