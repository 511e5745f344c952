/**
 * Errors of a failed replacement, with the outcome for both orders (`data` of Binance's -2021 and
 * -2022).
 */
import { ApiError } from "../api-error.ts";
import type { ErrorCode } from "../error-codes.ts";

const PARTLY_FAILED = -2021;
const FAILED = -2022;
const CONFLICT = 409;

type Body = ApiError["body"];

interface Data {
  readonly cancelResult: "FAILURE" | "NOT_ATTEMPTED";
  readonly newOrderResult: "SUCCESS" | "FAILURE" | "NOT_ATTEMPTED";
  readonly cancelResponse: Body | null;
  readonly newOrderResponse: object | null;
}

class ReplacementError extends ApiError {
  readonly #data: Data;

  constructor(code: ErrorCode, message: string, status: number, data: Data) {
    super(code, message, status);
    this.#data = data;
  }

  override get body(): Body & { readonly data: Data } {
    return { ...super.body, data: this.#data };
  }
}

/** Nothing was cancelled and nothing placed. */
export function replacementFailed({
  cancel,
  order,
}: {
  readonly cancel?: ApiError;
  readonly order?: ApiError;
}): ApiError {
  return new ReplacementError(FAILED, "Order cancel-replace failed.", 400, {
    cancelResult: cancel === undefined ? "NOT_ATTEMPTED" : "FAILURE",
    newOrderResult: order === undefined ? "NOT_ATTEMPTED" : "FAILURE",
    cancelResponse: cancel?.body ?? null,
    newOrderResponse: order?.body ?? null,
  });
}

/** Nothing was cancelled, but the new order was placed. */
export function replacementPartlyFailed({
  cancel,
  placed,
}: {
  readonly cancel: ApiError;
  readonly placed: object;
}): ApiError {
  return new ReplacementError(PARTLY_FAILED, "Order cancel-replace partially failed.", CONFLICT, {
    cancelResult: "FAILURE",
    newOrderResult: "SUCCESS",
    cancelResponse: cancel.body,
    newOrderResponse: placed,
  });
}
