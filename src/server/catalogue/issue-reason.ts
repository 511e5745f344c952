/** Rewords the schema library's message about a value, to follow the name of a field or setting. */

/** How the library's type names are worded for an operator. */
const TYPES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  null: "empty",
  object: "an object",
  string: "a text",
};

/** Such as `must be a number, and is a text`, without a full stop. */
export function issueReason(message: string): string {
  if (message.endsWith("received undefined")) return "is missing";
  return message
    .replace(
      /^Invalid (?:input|option): expected (.+), received (.+)$/,
      (_, expected: string, received: string) =>
        expected === "int"
          ? "must be a whole number"
          : `must be ${typed(expected)}, and is ${typed(received)}`,
    )
    .replace(
      /^Invalid option: expected one of (.+)$/,
      (_, values: string) => `must be one of ${values.replaceAll("|", ", ")}`,
    )
    .replace(/^Invalid (?:input|option): expected /, "must be ")
    .replace(/^Invalid email address$/, "must be an email address")
    .replace(/^Too (?:small|big): expected \w+ to (be|have) >=/, "must $1 at least ")
    .replace(/^Too (?:small|big): expected \w+ to (be|have) <=/, "must $1 at most ")
    .replace(/^Unrecognized keys?: /, "there is no field ");
}

function typed(name: string): string {
  return TYPES[name] ?? `a ${name}`;
}
