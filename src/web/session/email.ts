const EMAIL_LENGTH_MAX = 254;

/** Text, one @ and a dotted domain; whether the address exists only its mail server knows. */
const EMAIL =
  /^[^\s@"'(),:;<>[\\\]]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;

export function isEmail(value: unknown): value is string {
  if (typeof value !== "string" || value.length > EMAIL_LENGTH_MAX || !EMAIL.test(value))
    return false;
  const name = value.slice(0, value.lastIndexOf("@"));
  return !name.startsWith(".") && !name.endsWith(".") && !name.includes("..");
}
