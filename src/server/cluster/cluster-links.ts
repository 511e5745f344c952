/** What a node needs of the network between the nodes; nats/nats-links.ts has it of NATS. */
import type { StateHash } from "../exchange/run-follower.ts";
import type { CommandRequest, LeaderLink, LeaderReply } from "./cluster-commands.ts";
import type { LeaseStore } from "./leadership.ts";

export interface ClusterLinks {
  readonly lease: LeaseStore;
  readonly leader: LeaderLink;
  /**
   * Takes the requests that other nodes send to the leader of a term. If `take` rejects, there is no reply.
   * @returns a function that ends it
   */
  serve(term: number, take: (request: CommandRequest) => Promise<LeaderReply>): () => void;
  /** Answers requests for the state of all nodes, and to step down with a sentence. */
  answerOperators(node: OperatorAnswers): void;
  close(): Promise<void>;
}

export type NodeRole = "leader" | "standby" | "catchingUp" | "fenced";

/** The state of one node, as it sees it. */
export interface NodeStatus {
  /** Random, of this run of the node. */
  readonly node: string;
  readonly role: NodeRole;
  /** The newest term that the node knows; 0 before the first. */
  readonly term: number;
  /** The id of the node that leads, if known. */
  readonly leader?: string;
  /** The newest sequence whose events the node has delivered. */
  readonly sequence: number;
  /** How many commands it is behind the leader, by what that said last. */
  readonly behind: number;
  /** The newest state of this node that was compared with the leader's, and is the same. */
  readonly compared?: StateHash;
  /** Where operators find the node: its machine, and the process on it. */
  readonly place: string;
}

export interface OperatorAnswers {
  readonly status: () => NodeStatus;
  /** Steps down if this node leads; undefined if it does not. */
  readonly stepDown: () => string | undefined;
}
