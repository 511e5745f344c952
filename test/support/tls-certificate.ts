/**
 * A self-signed certificate for host names, created when needed: the repository contains none, and no
 * external program is used. The structure follows RFC 5280, encoded in DER (ITU-T X.690).
 */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

export interface TlsCertificate {
  /** PEM. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
}

const TAG = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  utf8String: 0x0c,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  dnsName: 0x82,
  version: 0xa0,
  extensions: 0xa3,
} as const;
/** Object identifiers: the content bytes of their DER encoding. */
const OID = {
  ecdsaWithSha256: "06082a8648ce3d040302",
  commonName: "0603550403",
  basicConstraints: "0603551d13",
  subjectAltName: "0603551d11",
} as const;
const TRUE = Buffer.from([0x01, 0x01, 0xff]);

/** Valid for all of the names; the first is the subject. */
export function createTlsCertificate(hosts: readonly string[]): TlsCertificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = der(TAG.sequence, oid(OID.ecdsaWithSha256));
  const name = der(
    TAG.sequence,
    der(
      TAG.set,
      der(TAG.sequence, oid(OID.commonName), der(TAG.utf8String, Buffer.from(hosts[0]))),
    ),
  );
  const names = hosts.map((host) => der(TAG.dnsName, Buffer.from(host)));
  const certificate = der(
    TAG.sequence,
    der(TAG.version, der(TAG.integer, Buffer.from([2]))),
    // A positive number: the first bit is 0.
    der(TAG.integer, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name,
    der(TAG.sequence, time("20260101000000Z"), time("21260101000000Z")),
    name,
    publicKey.export({ format: "der", type: "spki" }),
    der(
      TAG.extensions,
      der(
        TAG.sequence,
        // A CA certificate, so that clients can be configured to trust it.
        der(
          TAG.sequence,
          oid(OID.basicConstraints),
          TRUE,
          der(TAG.octetString, der(TAG.sequence, TRUE)),
        ),
        der(
          TAG.sequence,
          oid(OID.subjectAltName),
          der(TAG.octetString, der(TAG.sequence, ...names)),
        ),
      ),
    ),
  );
  const signature = sign("sha256", certificate, privateKey);
  const signed = der(
    TAG.sequence,
    certificate,
    algorithm,
    der(TAG.bitString, Buffer.from([0]), signature),
  );
  const lines = signed.toString("base64").replaceAll(/(.{64})/g, "$1\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ format: "pem", type: "pkcs8" }),
  };
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  let head = [tag, length];
  if (length > 0xff) head = [tag, 0x82, length >> 8, length & 0xff];
  else if (length > 0x7f) head = [tag, 0x81, length];
  return Buffer.concat([Buffer.from(head), content]);
}

function oid(hex: string): Buffer {
  return Buffer.from(hex, "hex");
}

function time(text: string): Buffer {
  return der(TAG.generalizedTime, Buffer.from(text));
}
