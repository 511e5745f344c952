/**
 * A change that an administrator made to the exchange or an account, with the state before and
 * after. Both are JSON as in the engine's event; "" if there was none.
 */
import type { AdminChangeKind } from "#contract/users.ts";
import { fixed, RecordKind, type RecordOf } from "./record-kind.ts";

export const ADMIN_CHANGES = new RecordKind({
  /** The command that made the change; one command makes one change. */
  sequence: fixed("sequence").integer(),
  timestampMs: fixed("time").integer(),
  kind: fixed("kind").text<AdminChangeKind>(),
  /** The number of the coin, market, plan or account that was changed. */
  subjectId: fixed("subject_id").integer(),
  adminId: fixed("admin_id").text<string>(),
  before: fixed("state_before").text<string>(),
  after: fixed("state_after").text<string>(),
  reason: fixed("reason").text<string>(),
});
export type AdminChangeRecord = RecordOf<typeof ADMIN_CHANGES.fields>;
