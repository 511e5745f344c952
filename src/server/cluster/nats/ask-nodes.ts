/** Asks the nodes of a running exchange over NATS, as an operator. */
import { errors, type NatsConnection } from "@nats-io/transport-node";
import { connectTo } from "#journal/jetstream/connection.ts";
import { parseStreamAddress } from "#journal/jetstream/stream-address.ts";
import type { NodeStatus } from "../cluster-links.ts";
import { statusSubject, stepDownSubject } from "./subjects.ts";

/** How long to wait for nodes, of whose number nobody knows. */
const ANSWERS_MS = 1_500;

/** The states of all nodes that answer, the leader first. @throws Error if NATS cannot be reached */
export function askForStatus(address: string): Promise<NodeStatus[]> {
  return connected(address, async (connection, stream) => {
    const statuses: NodeStatus[] = [];
    try {
      const answers = await connection.requestMany(statusSubject(stream), undefined, {
        strategy: "timer",
        maxWait: ANSWERS_MS,
      });
      for await (const answer of answers) statuses.push(answer.json());
    } catch (error) {
      if (!isNobodyThere(error)) throw error;
    }
    const rank = ({ role, place }: NodeStatus) => `${role === "leader" ? 0 : 1} ${place}`;
    return statuses.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
  });
}

/** What the leader says; undefined if no node leads. @throws Error if NATS cannot be reached */
export function askToStepDown(address: string): Promise<string | undefined> {
  return connected(address, async (connection, stream) => {
    try {
      const answer = await connection.request(stepDownSubject(stream), undefined, {
        timeout: ANSWERS_MS,
      });
      return answer.string();
    } catch (error) {
      if (isNobodyThere(error)) return undefined;
      throw error;
    }
  });
}

async function connected<T>(
  address: string,
  ask: (connection: NatsConnection, stream: string) => Promise<T>,
): Promise<T> {
  const parsed = parseStreamAddress(address);
  const connection = await connectTo(parsed);
  try {
    return await ask(connection, parsed.stream);
  } finally {
    await connection.close();
  }
}

function isNobodyThere(error: unknown): boolean {
  return (
    error instanceof errors.NoRespondersError ||
    error instanceof errors.TimeoutError ||
    (error instanceof errors.RequestError && error.isNoResponders())
  );
}
