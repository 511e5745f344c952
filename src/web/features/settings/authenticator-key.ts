/** Extracts the secret of an `otpauth:` URL, in groups of four for typing into an app. */
export function readableKey(totpUri: string): string {
  const secret = new URL(totpUri).searchParams.get("secret") ?? "";
  return secret.replaceAll(/.{4}(?=.)/g, "$& ");
}
