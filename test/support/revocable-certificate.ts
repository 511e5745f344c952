/** A certificate that names where the list of revoked ones is, as DER (RFC 5280). */
import { generateKeyPairSync, sign } from "node:crypto";

const ECDSA_WITH_SHA256 = der(0x30, hex("06082a8648ce3d040302"));
const COMMON_NAME = hex("0603550403");
const CRL_DISTRIBUTION_POINTS = hex("0603551d1f");

/** @param listUrl of at most some fifty characters */
export function revocableCertificate(listUrl: string): Buffer {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0c, Buffer.from("device")))));
  const points = der(0x30, der(0x30, der(0xa0, der(0xa0, der(0x86, Buffer.from(listUrl))))));
  const certified = der(
    0x30,
    der(0xa0, hex("020102")),
    hex("020101"),
    ECDSA_WITH_SHA256,
    name,
    der(0x30, time("200101000000Z"), time("400101000000Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(0x30, der(0x30, CRL_DISTRIBUTION_POINTS, der(0x04, points)))),
  );
  const signature = sign("sha256", certified, privateKey);
  return der(0x30, certified, ECDSA_WITH_SHA256, der(0x03, hex("00"), signature));
}

function time(utc: string): Buffer {
  return der(0x17, Buffer.from(utc));
}

function hex(text: string): Buffer {
  return Buffer.from(text, "hex");
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const written =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...written]), content]);
}
