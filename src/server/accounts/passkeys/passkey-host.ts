/**
 * The host that passkeys are bound to. Browsers bind none to a number, so on one's own machine they
 * belong to its name.
 * @param publicUrl origin of the exchange
 */
export function passkeyHost(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return /^127\.|^\[::1\]$/.test(hostname) ? "localhost" : hostname;
}
