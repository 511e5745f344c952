/** The refusal of a public function. Its data is sent to the caller unchanged. */
import type { ErrorData } from "#contract/errors.ts";

export class FunctionError extends Error {
  override readonly name = "FunctionError";
  readonly data: ErrorData;

  constructor(data: ErrorData) {
    super(data.message);
    this.data = data;
  }
}

/** Prefixes the field of a refusal with the path of the argument that contains it. */
export function within<Value>(path: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof FunctionError) || error.data.field === undefined) throw error;
    throw new FunctionError({ ...error.data, field: `${path}.${error.data.field}` });
  }
}
