import { expect, test } from "vitest";
import { signRequest, SigningError } from "./sign-request.ts";

test("a secret signs with HMAC-SHA256, as in Binance's own example", async () => {
  const secret = "NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j";
  const payload =
    "symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1" +
    "&recvWindow=5000&timestamp=1499827319559";
  const expected = "c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71";
  expect(await signRequest(payload, ` ${secret}\n`)).toBe(expected);
});

test("a private key signs with Ed25519, also if pasted into one line", async () => {
  const keys = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  const der = new Uint8Array(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  const base64 = btoa(String.fromCharCode(...der));
  const payload = "symbol=BTCUSD&timestamp=1";
  for (const inner of [base64, `\n${base64.slice(0, 40)}\n${base64.slice(40)}\n`]) {
    const pem = `-----BEGIN PRIVATE KEY-----${inner}-----END PRIVATE KEY-----`;
    const text = atob(await signRequest(payload, pem));
    const signature = Uint8Array.from(text, (each) => each.charCodeAt(0));
    const bytes = new TextEncoder().encode(payload);
    expect(await crypto.subtle.verify("Ed25519", keys.publicKey, signature, bytes)).toBe(true);
  }
});

test("something that looks like a key and is none is refused", async () => {
  const pem = "-----BEGIN PRIVATE KEY-----AAAA-----END PRIVATE KEY-----";
  await expect(signRequest("a=1", pem)).rejects.toThrow(SigningError);
});
