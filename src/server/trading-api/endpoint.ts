/** A call of the trading API, declared once: its address, who may use it, what it costs, takes and answers. */
import type { z } from "zod";
import type { ApiKeyGrant } from "../api-keys/key-gate.ts";
import type { Services } from "../functions/services.ts";
import type { ErrorCode } from "./error-codes.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** "userData" needs a signed request of any key, "trade" one of a key that may trade. */
export type Security = "none" | "userData" | "trade";

/**
 * An answer of many rows that were read elsewhere: to describe them takes milliseconds, which are the
 * client's.
 */
export class RowsAnswer {
  /** @returns what is sent as JSON */
  readonly describe: () => unknown;

  constructor(describe: () => unknown) {
    this.describe = describe;
  }
}

/** Who signed a request. */
export interface Caller extends ApiKeyGrant {
  /** Until when an order of the request may be sequenced, milliseconds since 1970 UTC. */
  readonly validUntilMs: number;
}

type CallerOf<Of extends Security> = Of extends "none" ? undefined : Caller;

/** A weight that depends on the parameters. */
interface VaryingWeight<Parameters> {
  /** On what, in words. */
  readonly text: string;
  of(parameters: Parameters): number;
}

export interface Declared<Parameters extends z.ZodObject, Of extends Security> {
  readonly method: Method;
  /** Such as "/api/v3/depth". */
  readonly path: string;
  /** One sentence of what it does, for the documents. */
  readonly summary: string;
  readonly security: Of;
  /** Request weight: what the call takes of its client's allowance a minute. */
  readonly weight: number | VaryingWeight<z.output<Parameters>>;
  /** Refusals that neither its parameters nor its security make plain, for the documents. */
  readonly errors?: readonly ErrorCode[];
  /** Although it is sent as one that does: then it may be sent again. */
  readonly changesNothing?: boolean;
  /** Whether it is carried out as always for keys with faults. */
  readonly isWithoutFaults?: boolean;
  /** As texts, which the schema turns into values. Any other parameter is refused. */
  readonly parameters: Parameters;
  /** @returns what is sent as JSON, or rows that are described in the client's turn. @throws ApiError */
  answer(services: Services, parameters: z.output<Parameters>, caller: CallerOf<Of>): unknown;
}

/** One whose parameters are known to itself alone. */
export type Endpoint = Declared<z.ZodObject, Security>;

export function endpoint<Parameters extends z.ZodObject, const Of extends Security>(
  declared: Declared<Parameters, Of>,
): Endpoint {
  // What its schema has checked is what it takes, and it has a caller if it is not for everyone.
  return declared;
}
