/**
 * The address of a journal on NATS JetStream as text:
 *
 *   nats://[USER:PASSWORD@|TOKEN@]HOST[:PORT][,HOST[:PORT]…][/STREAM][?replicas=3&monitor=http://HOST:8222&archive=DIR]
 *
 * `tls://` encrypts the connection.
 */

export interface StreamAddress {
  /** Each as HOST:PORT. */
  readonly servers: readonly string[];
  readonly isEncrypted: boolean;
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
  readonly stream: string;
  /** The replicas of a stream that has yet to be created. */
  readonly replicas: number;
  /**
   * Monitoring endpoint of a single-server setup; shows whether the server syncs to disk before it
   * acknowledges (`sync_interval: always`).
   */
  readonly monitor?: string;
  /** The directory with what was removed from the stream, or may be. */
  readonly archive?: string;
}

const PARAMETERS: ReadonlySet<string> = new Set(["replicas", "monitor", "archive"]);
const DEFAULT_STREAM = "openbell";
const DEFAULT_PORT = 4222;
const DEFAULT_REPLICAS = 3;
/** JetStream's own maximum. */
const REPLICAS_MAX = 5;
const ADDRESS = /^(nats|tls):\/\/(?:([^@/?]*)@)?([^@/?]+)(?:\/([^/?]*))?(?:\?(.*))?$/;

/** @throws Error with a sentence that contains no password */
export function parseStreamAddress(text: string): StreamAddress {
  const parts = ADDRESS.exec(text);
  if (parts === null) {
    throw new Error("The address of the journal must look like nats://host:4222,host:4222/stream.");
  }
  const [, scheme, credentials, hosts, path, query] = parts;
  const stream = path === undefined || path === "" ? DEFAULT_STREAM : path;
  if (!/^[\w-]+$/.test(stream)) {
    throw new Error(`A stream's name has letters, digits, - and _ only, not "${stream}".`);
  }
  const params = new URLSearchParams(query);
  const unknown = [...params.keys()].find((key) => !PARAMETERS.has(key));
  if (unknown !== undefined) {
    throw new Error(
      `The address of the journal takes replicas, monitor and archive, not ${unknown}.`,
    );
  }
  const replicas = Number(params.get("replicas") ?? DEFAULT_REPLICAS);
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > REPLICAS_MAX) {
    throw new Error(`replicas must be a whole number from 1 to ${REPLICAS_MAX}.`);
  }
  const monitor = params.get("monitor") ?? undefined;
  if (monitor !== undefined && !URL.canParse(monitor)) {
    throw new Error("monitor must be a URL such as http://127.0.0.1:8222.");
  }
  return {
    servers: hosts.split(",").map(withPort),
    isEncrypted: scheme === "tls",
    ...parseCredentials(credentials),
    stream,
    replicas,
    monitor,
    archive: params.get("archive") ?? undefined,
  };
}

/** The address, with an archive that it does not name itself. */
export function withArchive(address: string, directory: string | undefined): string {
  if (directory === undefined || parseStreamAddress(address).archive !== undefined) return address;
  const before = address.includes("?") ? "&" : "?";
  return `${address}${before}archive=${encodeURIComponent(directory)}`;
}

/** For logs and messages, without the password. */
export function describeAddress({ servers, stream }: StreamAddress): string {
  return `the stream ${stream} on ${servers.join(", ")}`;
}

function withPort(host: string): string {
  if (!/^(\[[\da-fA-F:]+\]|[\w.-]+)(:\d+)?$/.test(host)) {
    throw new Error(`"${host}" is no HOST or HOST:PORT.`);
  }
  return /:\d+$/.test(host) && !host.endsWith("]") ? host : `${host}:${DEFAULT_PORT}`;
}

function parseCredentials(
  text: string | undefined,
): Pick<StreamAddress, "user" | "password" | "token"> {
  if (text === undefined || text === "") return {};
  const [first, ...rest] = text.split(":");
  if (rest.length === 0) return { token: decodeURIComponent(first) };
  return { user: decodeURIComponent(first), password: decodeURIComponent(rest.join(":")) };
}
