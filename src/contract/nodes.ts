/** The nodes of an exchange on several machines, as administrators see them. */

export type NodeRole = "leader" | "standby" | "catchingUp" | "waiting" | "fenced";

/** The state of one node, as it sees it. */
export interface NodeState {
  /** Random, of this run of the node. */
  readonly node: string;
  readonly role: NodeRole;
  /** Since when it has this role, milliseconds since 1970 by its own clock. */
  readonly since: number;
  /** The newest term that the node knows; 0 before the first. */
  readonly term: number;
  /** The newest sequence whose events the node has delivered. */
  readonly sequence: number;
  /** The number of commands by which it is behind the leader, by the leader's last report. */
  readonly behind: number;
  /** Where operators find the node: its machine, and the process on it. */
  readonly place: string;
}
