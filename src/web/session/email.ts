const EMAIL_LENGTH_MAX = 254;

/** Text, an @ and a dotted domain; only the mail server knows whether the address exists. */
const EMAIL =
  /^[^\s@"'(),:;<>[\\\]]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;

export function isEmail(value: unknown): value is string {
  if (typeof value !== "string" || value.length > EMAIL_LENGTH_MAX || !EMAIL.test(value))
    return false;
  const name = value.slice(0, value.lastIndexOf("@"));
  return !name.startsWith(".") && !name.endsWith(".") && !name.includes("..");
}
