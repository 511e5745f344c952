/** Asks the nodes of a running exchange over NATS: on the command line, and from a node itself. */
import { errors, type NatsConnection } from "@nats-io/transport-node";
import { connectTo } from "#journal/jetstream/connection.ts";
import { parseStreamAddress } from "#journal/jetstream/stream-address.ts";
import type { NodeQuestions, NodeStatus } from "../cluster-links.ts";
import { statusSubject, stepDownSubject } from "./subjects.ts";

/** How long to wait for nodes to answer, since their number is unknown. */
const ANSWERS_MS = 1_500;
/** After this time without another answer, no more are expected. */
const QUIET_MS = 400;

/** Asks over a connection of its own. @throws Error if NATS cannot be reached */
export async function askingNodes<T>(
  address: string,
  ask: (nodes: NodeQuestions) => Promise<T>,
): Promise<T> {
  const parsed = parseStreamAddress(address);
  const connection = await connectTo(parsed);
  try {
    return await ask(questionsOver(connection, parsed.stream));
  } finally {
    await connection.close();
  }
}

export function questionsOver(connection: NatsConnection, stream: string): NodeQuestions {
  return {
    list: () => askForStatus(connection, stream),
    stepDown: (reason) => askToStepDown(connection, stream, reason),
  };
}

async function askForStatus(connection: NatsConnection, stream: string): Promise<NodeStatus[]> {
  const statuses: NodeStatus[] = [];
  try {
    const answers = await connection.requestMany(statusSubject(stream), undefined, {
      strategy: "stall",
      maxWait: ANSWERS_MS,
      stall: QUIET_MS,
    });
    for await (const answer of answers) statuses.push(answer.json());
  } catch (error) {
    if (!isUnanswered(error)) throw error;
  }
  const rank = ({ role, place }: NodeStatus) => `${role === "leader" ? 0 : 1} ${place}`;
  return statuses.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
}

async function askToStepDown(
  connection: NatsConnection,
  stream: string,
  reason: string,
): Promise<string | undefined> {
  try {
    const answer = await connection.request(stepDownSubject(stream), reason, {
      timeout: ANSWERS_MS,
    });
    return answer.string();
  } catch (error) {
    if (isUnanswered(error)) return undefined;
    throw error;
  }
}

function isUnanswered(error: unknown): boolean {
  return (
    error instanceof errors.NoRespondersError ||
    error instanceof errors.TimeoutError ||
    (error instanceof errors.RequestError && error.isNoResponders())
  );
}
