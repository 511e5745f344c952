/** The refusal of a public function; its data reaches the caller as it is. */
import type { ErrorData } from "#contract/errors.ts";

export class FunctionError extends Error {
  override readonly name = "FunctionError";
  readonly data: ErrorData;

  constructor(data: ErrorData) {
    super(data.message);
    this.data = data;
  }
}
