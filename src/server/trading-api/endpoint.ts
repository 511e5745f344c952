/** The declaration of a trading API call: its path, security, weight, parameters and answer. */
import type { z } from "zod";
import type { ApiKeyGrant } from "../api-keys/key-gate.ts";
import type { Services } from "../functions/services.ts";
import type { ErrorCode } from "./error-codes.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/**
 * "userData" requires a request signed with any key, "trade" one signed with a key that may trade.
 */
export type Security = "none" | "userData" | "trade";

/**
 * An answer of many rows that have been read already. To describe them takes milliseconds, which
 * are charged to the client; they are described in slices, with other work in between.
 */
export class RowsAnswer {
  readonly count: number;
  /** The rows from one number to before another, to be sent as JSON. */
  readonly describe: (from: number, to: number) => unknown[];

  private constructor(count: number, describe: RowsAnswer["describe"]) {
    this.count = count;
    this.describe = describe;
  }

  /** @param describe converts a row to the value that is sent as JSON */
  static of<Row>(rows: readonly Row[], describe: (row: Row) => unknown): RowsAnswer {
    return new RowsAnswer(rows.length, (from, to) => rows.slice(from, to).map(describe));
  }
}

/**
 * The rest of an answer to a call that trades, if it has to be read from the history. It is read in
 * a place among the reads, so that no order waits for it.
 */
export class ReadAnswer {
  readonly read: () => Promise<unknown>;

  constructor(read: () => Promise<unknown>) {
    this.read = read;
  }
}

/** The owner of the key that signed a request, with the key. */
export interface Caller extends ApiKeyGrant {
  /** The time limit of the request's commands, milliseconds since 1970 UTC. */
  readonly validUntilMs: number;
  /** The signed text; undefined for a request of a connection that has logged on. */
  readonly signedText?: string | undefined;
  /** Whether its sender is unproven: the sender is charged, not the key's owner. */
  readonly isUnsigned?: true;
}

type CallerOf<Of extends Security> = Of extends "none" ? undefined : Caller;

/** A weight that depends on the parameters. */
interface VaryingWeight<Parameters> {
  /** How the weight depends on the parameters, in English for the documents. */
  readonly text: string;
  of(parameters: Parameters): number;
}

export interface Declared<Parameters extends z.ZodObject, Of extends Security> {
  readonly method: Method;
  /** Such as "/api/v3/depth". */
  readonly path: string;
  /** One sentence on the effect of the call, for the documents. */
  readonly summary: string;
  readonly security: Of;
  /** Request weight that the call takes from its client's allowance per minute. */
  readonly weight: number | VaryingWeight<z.output<Parameters>>;
  /** Refusals that follow neither from the parameters nor from the security, for the documents. */
  readonly errors?: readonly ErrorCode[];
  /**
   * Whether the call changes nothing in spite of its method, so that the same signed request may be
   * repeated.
   */
  readonly changesNothing?: boolean;
  /**
   * Whether the call changes orders that were placed before: on one connection it waits for the
   * answers to earlier calls that trade.
   */
  readonly namesOrders?: boolean;
  /**
   * Whether the call may also be sent without a signature, from a network where its key has signed
   * before.
   */
  readonly isSignatureOptional?: boolean;
  /** Whether the fault lab leaves the call alone, even for keys with faults. */
  readonly isWithoutFaults?: boolean;
  /** The schema turns the texts of a request into values. Any other parameter is refused. */
  readonly parameters: Parameters;
  /**
   * Calls that trade submit their command before they wait for anything, and read no history before
   * it.
   * @returns the value to be sent as JSON, rows to be described in the client's turn, a
   * `JsonDocument`, or a read that remains to be done
   * @throws ApiError
   */
  answer(services: Services, parameters: z.output<Parameters>, caller: CallerOf<Of>): unknown;
}

/** A call whose types of parameters only the call itself knows. */
export type Endpoint = Declared<z.ZodObject, Security>;

export function endpoint<Parameters extends z.ZodObject, const Of extends Security>(
  declared: Declared<Parameters, Of>,
): Endpoint {
  // Safe: a call gets only parameters that its schema has parsed, and a caller unless its security
  // is "none".
  return declared;
}
