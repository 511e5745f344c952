/**
 * The host that passkeys are bound to. Browsers refuse IP addresses, so on a local machine they are
 * bound to "localhost".
 * @param publicUrl origin of the exchange
 */
export function passkeyHost(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return /^127\.|^\[::1\]$/.test(hostname) ? "localhost" : hostname;
}
