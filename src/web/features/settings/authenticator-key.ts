/** The secret of an `otpauth:` address in groups of four, as people type it into their app. */
export function readableKey(totpUri: string): string {
  const secret = new URL(totpUri).searchParams.get("secret") ?? "";
  return secret.replaceAll(/.{4}(?=.)/g, "$& ");
}
