/** The network between the nodes on NATS: the lease, requests to the leader, and operators' questions. */
import { jetstream } from "@nats-io/jetstream";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import { connectTo } from "#journal/jetstream/connection.ts";
import { ServerChoice } from "#journal/jetstream/server-choice.ts";
import { parseStreamAddress } from "#journal/jetstream/stream-address.ts";
import { untilReady } from "#journal/jetstream/until-ready.ts";
import type { CommandRequest, LeaderLink, LeaderReply } from "../cluster-commands.ts";
import type { ClusterLinks, OperatorAnswers } from "../cluster-links.ts";
import type { LeaseStore } from "../leadership.ts";
import { decodeRequest, encodeRequest } from "../request-format.ts";
import { openLeaseBucket } from "./lease-bucket.ts";
import { bucketOf, commandSubject, statusSubject, stepDownSubject } from "./subjects.ts";

/** After that the request is sent again; the leader recognizes it. */
const REPLY_MS_MAX = 2_000;
/** A lease lasts longer, so a node that reads or writes it tries more than once. */
const LEASE_REQUEST_MS_MAX = 700;

/**
 * @param address of the journal, as in stream-address.ts
 * @throws Error with a sentence if NATS cannot be reached or keeps no bucket
 */
export async function openNatsLinks(address: string): Promise<ClusterLinks> {
  const parsed = parseStreamAddress(address);
  const connection = await connectTo(parsed);
  try {
    const client = jetstream(connection, { timeout: LEASE_REQUEST_MS_MAX });
    const bucket = bucketOf(parsed.stream);
    const server = new ServerChoice(connection);
    const lease = await untilReady(() => openLeaseBucket(client, bucket, parsed.replicas, server));
    return new NatsLinks(connection, parsed.stream, lease);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

class NatsLinks implements ClusterLinks {
  readonly lease: LeaseStore;
  readonly leader: LeaderLink;
  readonly #connection: NatsConnection;
  readonly #stream: string;

  constructor(connection: NatsConnection, stream: string, lease: LeaseStore) {
    this.#connection = connection;
    this.#stream = stream;
    this.lease = lease;
    this.leader = { ask: (term, request) => this.#ask(term, request) };
  }

  serve(term: number, take: (request: CommandRequest) => Promise<LeaderReply>): () => void {
    const subscription = this.#connection.subscribe(commandSubject(this.#stream, term), {
      callback: (error, message) => {
        if (error === null) void reply(message, take);
      },
    });
    return () => subscription.unsubscribe();
  }

  answerOperators({ status, stepDown }: OperatorAnswers): void {
    this.#connection.subscribe(statusSubject(this.#stream), {
      callback: (error, message) => {
        if (error === null) message.respond(JSON.stringify(status()));
      },
    });
    this.#connection.subscribe(stepDownSubject(this.#stream), {
      callback: (error, message) => {
        const sentence = error === null ? stepDown() : undefined;
        if (sentence !== undefined) message.respond(sentence);
      },
    });
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #ask(term: number, request: CommandRequest): Promise<LeaderReply> {
    const subject = commandSubject(this.#stream, term);
    const answer = await this.#connection.request(subject, encodeRequest(request), {
      timeout: REPLY_MS_MAX,
    });
    return answer.json();
  }
}

async function reply(
  message: Msg,
  take: (request: CommandRequest) => Promise<LeaderReply>,
): Promise<void> {
  let request: CommandRequest;
  try {
    request = decodeRequest(message.data);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    message.respond(JSON.stringify({ kind: "unreadable", reason } satisfies LeaderReply));
    return;
  }
  try {
    message.respond(JSON.stringify(await take(request)));
  } catch {
    // This node has stopped: the sender asks the next leader.
  }
}
