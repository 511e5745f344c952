/** The interface of a node to the network between the nodes; nats/nats-links.ts implements it with NATS. */
import type { NodeState } from "#contract/nodes.ts";
import type { StateHash } from "../exchange/run-follower.ts";
import type { UseReport } from "../limits/shared-limits.ts";
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
  /** Questions that an operator may ask all nodes. */
  readonly nodes: NodeQuestions;
  /** Announces a change to all nodes. It is lost on nodes that cannot reach NATS at this moment. */
  tell(from: string, change: UserChange): void;
  /** Calls the listener with the announcements of all nodes, this one included. */
  onTold(listener: (from: string, change: UserChange) => void): void;
  /**
   * Tells all nodes how much clients have used of the limits that count over all nodes. The message may
   * be lost, too.
   */
  tellUse(use: UseOfNode): void;
  /** Calls the listener with the reported use of all nodes, this one included. */
  onUse(listener: (use: UseOfNode) => void): void;
  close(): Promise<void>;
}

export interface NodeStatus extends NodeState {
  /** The id of the node that leads, if known. */
  readonly leader?: string;
  /** The newest state of this node that was compared with the leader's, and is the same. */
  readonly compared?: StateHash;
}

/** The use of limits by clients of one node. */
export interface UseOfNode {
  readonly from: string;
  readonly told: UseReport;
}

/** A node's changes to a user in the database, which other nodes may have in memory. */
export interface UserChange {
  readonly userId: string;
  /** "sessions" stands for the user, too: role, bans, deletion. */
  readonly what: UserData;
}

export const USER_DATA = [
  "sessions",
  "apiKeys",
  "watchlist",
  "withdrawalAddresses",
  "notices",
  "securityEvents",
] as const;
export type UserData = (typeof USER_DATA)[number];

export interface NodeQuestions {
  /** The states of all nodes that answer, the leader first. @throws Error if NATS cannot be reached */
  list(): Promise<NodeStatus[]>;
  /**
   * Has the leader step down in favour of another node.
   * @param reason who asks, and why, for the leader's log
   * @returns its answer; undefined if no node leads
   */
  stepDown(reason: string): Promise<string | undefined>;
}

export interface OperatorAnswers {
  readonly status: () => NodeStatus;
  /** Steps down if this node leads; undefined if it does not. */
  readonly stepDown: (reason: string) => string | undefined;
}
