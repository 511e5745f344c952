import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { PublicKeyError, parsePublicKey } from "./ed25519-public-key.ts";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const pem = publicKey.export({ format: "pem", type: "spki" });
const der = publicKey.export({ format: "der", type: "spki" });
const raw = der.subarray(-32);

/** Four of the eight points for which anyone can sign. */
const SMALL_ORDER = [
  "0100000000000000000000000000000000000000000000000000000000000000",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
];

describe("a public key", () => {
  test.each([
    ["as PEM", pem],
    ["as PEM with Windows line ends and spaces around it", `  ${pem.replaceAll("\n", "\r\n")}  `],
    ["without the frame of a PEM", der.toString("base64")],
    ["as its 32 bytes", raw.toString("base64")],
  ])("is read %s", (_form, text) => {
    expect(parsePublicKey(text)).toBe(raw.toString("base64"));
  });

  test.each([
    ["nothing", ""],
    ["a word", "key"],
    ["31 bytes", raw.subarray(1).toString("base64")],
    ["base 64 with other characters", `${raw.toString("base64")}!`],
    ["hexadecimal", raw.toString("hex")],
    [
      "raw bytes in a PEM",
      `-----BEGIN PUBLIC KEY-----\n${raw.toString("base64")}\n-----END PUBLIC KEY-----`,
    ],
    [
      "an RSA key",
      generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey.export({
        format: "pem",
        type: "spki",
      }),
    ],
    [
      "an X25519 key",
      generateKeyPairSync("x25519").publicKey.export({ format: "pem", type: "spki" }),
    ],
    ["a text without end", "A".repeat(100_000)],
  ])("is not %s", (_what, text) => {
    expect(() => parsePublicKey(text)).toThrow(PublicKeyError);
    expect(() => parsePublicKey(text)).toThrow("not an Ed25519 public key");
  });

  test("is not the private key, which its user is told to replace", () => {
    const text = privateKey.export({ format: "pem", type: "pkcs8" });
    expect(() => parsePublicKey(text)).toThrow("Make a new pair");
  });

  test("is a point of the curve", () => {
    // About half of all numbers are not a point; 2 is one of them.
    const bytes = Buffer.alloc(32);
    bytes[0] = 2;
    expect(() => parsePublicKey(bytes.toString("base64"))).toThrow("no private key belongs to it");
  });

  test.each(SMALL_ORDER)("is not the point of small order %s", (hex) => {
    const text = Buffer.from(hex, "hex").toString("base64");
    expect(() => parsePublicKey(text)).toThrow("no private key belongs to it");
  });
});
