/** The declaration of a trading API call: its address, security, weight, parameters and answer. */
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
 * are charged to the client.
 */
export class RowsAnswer {
  /** @returns the value to be sent as JSON */
  readonly describe: () => unknown;

  constructor(describe: () => unknown) {
    this.describe = describe;
  }
}

/** The owner of the key that signed a request, with the key. */
export interface Caller extends ApiKeyGrant {
  /** The time limit of the request's commands, milliseconds since 1970 UTC. */
  readonly validUntilMs: number;
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
  /** One sentence on what the call does, for the documents. */
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
  /** Whether the fault lab leaves the call alone, even for keys with faults. */
  readonly isWithoutFaults?: boolean;
  /** The schema turns the texts of a request into values. Any other parameter is refused. */
  readonly parameters: Parameters;
  /**
   * @returns the value to be sent as JSON, rows to be described in the client's turn, or a
   * `JsonDocument`. @throws ApiError
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
