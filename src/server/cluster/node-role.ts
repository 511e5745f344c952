/** The role of a node in the words of the documents. */
import type { NodeRole } from "#contract/nodes.ts";

export interface NodePosition {
  readonly isLeading: boolean;
  /** Whether the engine of a former leader is being restored. */
  readonly isRestoring: boolean;
  /** Whether the leader has an older engine. */
  readonly isWaiting: boolean;
  /** The number of commands by which the node is behind the leader's last report. */
  readonly behind: number;
  /** How long ago the leader's last report was received, in milliseconds. */
  readonly unseenMs: number;
}

/** A node that is further behind is not ready for users. */
const BEHIND_MAX = 1_000;
/** After this time without a report of the leader, a node cannot know how far it is behind. */
const UNSEEN_MS_MAX = 15_000;

export function roleOf({
  isLeading,
  isRestoring,
  isWaiting,
  behind,
  unseenMs,
}: NodePosition): NodeRole {
  if (isLeading) return "leader";
  if (isRestoring) return "fenced";
  if (isWaiting && behind <= BEHIND_MAX) return "waiting";
  return behind > BEHIND_MAX || unseenMs > UNSEEN_MS_MAX ? "catchingUp" : "standby";
}
