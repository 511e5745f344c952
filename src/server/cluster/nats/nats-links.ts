/** The network between the nodes on NATS: the lease, requests to the leader, and operators' questions. */
import { jetstream } from "@nats-io/jetstream";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import { z } from "zod";
import { connectTo } from "#journal/jetstream/connection.ts";
import { ServerChoice } from "#journal/jetstream/server-choice.ts";
import { parseStreamAddress } from "#journal/jetstream/stream-address.ts";
import { untilReady } from "#journal/jetstream/until-ready.ts";
import type { CommandRequest, LeaderLink, LeaderReply } from "../cluster-commands.ts";
import {
  type ClusterLinks,
  type NodeQuestions,
  type OperatorAnswers,
  USER_DATA,
  type UseOfNode,
  type UserChange,
} from "../cluster-links.ts";
import type { LeaseStore } from "../leadership.ts";
import { decodeRequest, encodeRequest } from "../request-format.ts";
import { openLeaseBucket } from "./lease-bucket.ts";
import { questionsOver } from "./ask-nodes.ts";
import {
  bucketOf,
  changesSubject,
  commandSubject,
  statusSubject,
  stepDownSubject,
  useSubject,
} from "./subjects.ts";

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
  readonly nodes: NodeQuestions;
  readonly #connection: NatsConnection;
  readonly #stream: string;

  constructor(connection: NatsConnection, stream: string, lease: LeaseStore) {
    this.#connection = connection;
    this.#stream = stream;
    this.lease = lease;
    this.nodes = questionsOver(connection, stream);
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

  tell(from: string, change: UserChange): void {
    // A node that misses the message finds out within seconds.
    this.#say(changesSubject(this.#stream), { from, change } satisfies ToldChange);
  }

  onTold(listener: (from: string, change: UserChange) => void): void {
    this.#listen(changesSubject(this.#stream), toldChange, ({ from, change }) => {
      listener(from, change);
    });
  }

  tellUse(use: UseOfNode): void {
    this.#say(useSubject(this.#stream), use);
  }

  onUse(listener: (use: UseOfNode) => void): void {
    this.#listen(useSubject(this.#stream), useOfNode, listener);
  }

  /** Does not wait for delivery: messages are lost while NATS is unreachable. */
  #say(subject: string, word: object): void {
    if (!this.#connection.isClosed()) this.#connection.publish(subject, JSON.stringify(word));
  }

  /** Skips messages of a version of the program that this one does not know. */
  #listen<Word>(subject: string, schema: z.ZodType<Word>, take: (word: Word) => void): void {
    this.#connection.subscribe(subject, {
      callback: (error, message) => {
        const word = error === null ? wordIn(message, schema) : undefined;
        if (word !== undefined) take(word);
      },
    });
  }

  answerOperators({ status, stepDown }: OperatorAnswers): void {
    this.#connection.subscribe(statusSubject(this.#stream), {
      callback: (error, message) => {
        if (error === null) message.respond(JSON.stringify(status()));
      },
    });
    this.#connection.subscribe(stepDownSubject(this.#stream), {
      callback: (error, message) => {
        const sentence = error === null ? stepDown(message.string()) : undefined;
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

const toldChange = z.object({
  from: z.string(),
  change: z.object({ userId: z.string(), what: z.enum(USER_DATA) }),
});
type ToldChange = z.output<typeof toldChange>;

const clientCounts = z.array(z.tuple([z.string(), z.string(), z.number()]));
const useOfNode = z.object({
  from: z.string(),
  told: z.object({ used: clientCounts, taken: clientCounts }),
});

function wordIn<Word>(message: Msg, schema: z.ZodType<Word>): Word | undefined {
  try {
    return schema.parse(message.json());
  } catch {
    return undefined;
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
