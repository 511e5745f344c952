import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { ed25519Key, hmacKey } from "./signing-key.ts";

// The example of Binance's documents for signed endpoints.
const SECRET = "NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j";
const PAYLOAD =
  "symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559";
const SIGNATURE = "c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71";

test("an HMAC signature is accepted in either case", () => {
  const verify = hmacKey(SECRET);
  expect(verify(PAYLOAD, SIGNATURE)).toBe(true);
  expect(verify(PAYLOAD, SIGNATURE.toUpperCase())).toBe(true);
});

test("an HMAC signature of other text, by another secret or of another form is refused", () => {
  const verify = hmacKey(SECRET);
  expect(verify(`${PAYLOAD}0`, SIGNATURE)).toBe(false);
  expect(hmacKey(`${SECRET}0`)(PAYLOAD, SIGNATURE)).toBe(false);
  for (const signature of [
    "",
    "g".repeat(64),
    SIGNATURE.slice(2),
    `${SIGNATURE}00`,
    ` ${SIGNATURE}`,
  ]) {
    expect(verify(PAYLOAD, signature)).toBe(false);
  }
});

test("text beyond ASCII is signed as UTF-8", () => {
  const payload = "newClientOrderId=Ω";
  const signature = createHmac("sha256", SECRET).update(Buffer.from(payload)).digest("hex");
  expect(hmacKey(SECRET)(payload, signature)).toBe(true);
});

test("an Ed25519 signature is accepted, and no other", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  const verify = ed25519Key(raw.toString("base64"));
  const bytes = sign(null, Buffer.from(PAYLOAD), privateKey);
  const signature = bytes.toString("base64");
  expect(verify(PAYLOAD, signature)).toBe(true);
  expect(verify(`${PAYLOAD}0`, signature)).toBe(false);
  bytes[0] ^= 1;
  for (const other of [
    bytes.toString("base64"),
    signature.slice(0, -4),
    bytes.toString("hex"),
    `${signature}\n`,
    SIGNATURE,
    "",
  ]) {
    expect(verify(PAYLOAD, other)).toBe(false);
  }
});
