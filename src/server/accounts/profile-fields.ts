/** Bounds of what people write about themselves, wherever a body carries it. */
const LENGTHS_MAX: Readonly<Record<string, number>> = {
  name: 100,
  lastname: 100,
  email: 254,
  newEmail: 254,
  image: 2_048,
};
/** PostgreSQL keeps no null character, and no name or address needs a control character. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL_CHARACTER = /[\u0000-\u001F\u007F]/;

/** What is wrong with a body's texts, as `[body.field] sentence`; null where nothing is. */
export function profileProblem(body: unknown): string | null {
  if (typeof body !== "object" || body === null) return null;
  for (const [field, value] of Object.entries(body)) {
    if (field === "data") {
      const inside = profileProblem(value);
      if (inside !== null) return inside;
    }
    if (typeof value !== "string") continue;
    if (CONTROL_CHARACTER.test(value)) return `[body.${field}] must have no control characters`;
    const lengthMax = LENGTHS_MAX[field];
    if (lengthMax !== undefined && value.length > lengthMax) {
      return `[body.${field}] must have at most ${lengthMax} characters`;
    }
    if (field === "image" && value !== "" && !/^https?:\/\//i.test(value)) {
      return "[body.image] must be an http or https address";
    }
  }
  return null;
}
