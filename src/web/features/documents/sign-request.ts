/**
 * Signs a request in the browser, so that the secret never leaves it: with HMAC-SHA256, or with Ed25519
 * if the secret is a private key in PEM format.
 */

/** Thrown if the request cannot be signed; the message is for the user. */
export class SigningError extends Error {}

const PEM = /-----BEGIN PRIVATE KEY-----([\s\S]+)-----END PRIVATE KEY-----/;

/**
 * @param payload query string and body as sent
 * @throws SigningError
 */
export async function signRequest(payload: string, secret: string): Promise<string> {
  // Browsers provide Web Crypto on https and localhost only.
  if (globalThis.crypto?.subtle === undefined) {
    throw new SigningError("Your browser signs on https pages only.");
  }
  const bytes = new TextEncoder().encode(payload);
  const pem = PEM.exec(secret)?.[1];
  return pem === undefined ? signWithSecret(bytes, secret.trim()) : signWithKey(bytes, pem);
}

async function signWithSecret(bytes: Uint8Array<ArrayBuffer>, secret: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const raw = new TextEncoder().encode(secret);
  const key = await crypto.subtle.importKey("raw", raw, algorithm, false, ["sign"]);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes));
  return Array.from(signature, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function signWithKey(bytes: Uint8Array<ArrayBuffer>, pem: string): Promise<string> {
  try {
    const der = Uint8Array.from(atob(pem.replaceAll(/\s/g, "")), (each) => each.charCodeAt(0));
    const key = await crypto.subtle.importKey("pkcs8", der, "Ed25519", false, ["sign"]);
    const signature = new Uint8Array(await crypto.subtle.sign("Ed25519", key, bytes));
    return btoa(String.fromCharCode(...signature));
  } catch {
    throw new SigningError("That is no Ed25519 private key, or your browser knows none.");
  }
}
