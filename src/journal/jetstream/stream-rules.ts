/**
 * The requirements on a stream that keeps a journal: it acknowledges only durable messages, drops
 * nothing, and accepts messages on its own subjects only.
 */
import type { StreamConfig } from "@nats-io/jetstream";

export interface Subjects {
  /** The subject of the headers with which writers begin. */
  readonly segments: string;
  readonly groups: string;
}

/**
 * The properties that decide whether a server accepts every group, and acknowledges none before it is
 * on disk.
 */
export interface ServerFacts {
  /** Such as 2.10.4. */
  readonly version: string;
  /** Limit of one message. */
  readonly messageBytesMax: number;
  /** Undefined if no monitoring endpoint is configured. */
  readonly writesBeforeAnswer: boolean | undefined;
}

/** A majority of these has a message before it is acknowledged, so that one replica may fail. */
const SAFE_REPLICAS = 3;
/** Enough for the largest command, and for groups of many. */
export const MESSAGE_BYTES_MIN = 256 * 1024;
/** The first version with `sync_interval: always`. */
const SYNC_ALWAYS_SINCE = [2, 10];

export function subjectsOf(stream: string): Subjects {
  return { segments: `journal.${stream}.segments`, groups: `journal.${stream}.groups` };
}

/**
 * The configuration of a new stream.
 * @param isShortened whether its oldest messages may be moved to an archive: that can be forbidden later,
 *   and never allowed
 */
export function newStreamConfig(stream: string, replicas: number, isShortened = false) {
  const { segments, groups } = subjectsOf(stream);
  return {
    name: stream,
    description: "The journal of an Openbell exchange",
    subjects: [segments, groups],
    storage: "file",
    retention: "limits",
    discard: "new",
    num_replicas: replicas,
    deny_delete: true,
    deny_purge: !isShortened,
    allow_direct: false,
    allow_rollup_hdrs: false,
  } as const satisfies Partial<StreamConfig>;
}

/** Why the stream cannot keep a journal, as a sentence; undefined if it can. */
export function refusalOf(config: Partial<StreamConfig>, server: ServerFacts): string | undefined {
  const fault = configFault(config);
  if (fault !== undefined) return `The stream ${config.name} cannot keep a journal: ${fault}.`;
  if (server.messageBytesMax < MESSAGE_BYTES_MIN) {
    return (
      `The stream ${config.name} takes messages of ${server.messageBytesMax} bytes at most: set ` +
      `max_payload of the server and max_msg_size of the stream to ${MESSAGE_BYTES_MIN} or more.`
    );
  }
  return durabilityRefusal(config, server);
}

function configFault(config: Partial<StreamConfig>): string | undefined {
  const { segments, groups } = subjectsOf(config.name ?? "");
  const isOpen = (limit: number | undefined) => limit === undefined || limit <= 0;
  if (config.storage !== "file") return "it is kept in memory";
  if (config.no_ack === true) return "it acknowledges nothing (no_ack)";
  if (config.persist_mode === "async") return "it acknowledges before it writes (persist_mode)";
  if (config.retention !== "limits") return "it drops messages that were read (retention)";
  if (!isOpen(config.max_age)) return "it drops old messages (max_age)";
  if (!isOpen(config.max_msgs) || !isOpen(config.max_msgs_per_subject)) {
    return "it keeps a limited number of messages (max_msgs)";
  }
  if (!isOpen(config.max_bytes) && config.discard !== "new") {
    return "it drops old messages when it is full (discard)";
  }
  // Purges remove the beginning, which every reader checks; deletions would make gaps.
  if (config.deny_delete !== true) return "messages can be deleted from it (deny_delete)";
  if (config.allow_rollup_hdrs === true) return "messages can replace earlier ones (rollup)";
  if (config.sealed === true) return "it is sealed";
  if (config.mirror !== undefined || (config.sources ?? []).length > 0) {
    return "it copies another stream (mirror, sources)";
  }
  if (config.subject_transform !== undefined) return "it renames subjects (subject_transform)";
  const subjects = [...(config.subjects ?? [])].sort().join(" ");
  if (subjects !== [groups, segments].sort().join(" ")) {
    return `its subjects are not ${groups} and ${segments}`;
  }
  return undefined;
}

function durabilityRefusal(
  { name, num_replicas: replicas = 1 }: Partial<StreamConfig>,
  server: ServerFacts,
): string | undefined {
  if (replicas >= SAFE_REPLICAS) return undefined;
  const has = `The stream ${name} has ${replicas === 1 ? "one replica" : "two replicas"}`;
  if (replicas === 1 && hasSyncAlways(server.version)) {
    if (server.writesBeforeAnswer === true) return undefined;
    return server.writesBeforeAnswer === undefined
      ? `${has}: name the server's monitoring endpoint in the address (?monitor=http://…), so that ` +
          "sync_interval: always can be checked, or use three replicas."
      : `${has} on a server that acknowledges before it has written to disk: set sync_interval: ` +
          "always in its jetstream block, or use three replicas.";
  }
  return (
    `${has} on NATS ${server.version}, which acknowledges before it has written to disk: use three ` +
    "replicas, or one on NATS 2.10 or later with sync_interval: always."
  );
}

function hasSyncAlways(version: string): boolean {
  const [major, minor] = version.split(".").map(Number);
  const [sinceMajor, sinceMinor] = SYNC_ALWAYS_SINCE;
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor);
}
