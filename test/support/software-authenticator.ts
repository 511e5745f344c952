/**
 * A simulated authenticator that stores passkeys (WebAuthn level 2: ES256, attestation "none") and can
 * be told to give false answers.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";

const FLAGS = { userPresent: 0x01, userVerified: 0x04, attested: 0x40 } as const;

/** False values for an answer. */
export interface Lies {
  /** False if the authenticator did not verify its user. */
  readonly userVerified?: boolean;
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  /** A certificate (DER) that is sent with a new passkey, as Apple's devices would. */
  readonly certificate?: Buffer;
}

interface RegistrationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly excludeCredentials?: readonly { readonly id: string }[];
}
interface SignInOptions {
  readonly challenge: string;
  readonly rpId: string;
}

interface Key {
  readonly id: Buffer;
  readonly rpId: string;
  readonly privateKey: KeyObject;
}

export class SoftwareAuthenticator {
  readonly origin: string;
  keys: Key[] = [];
  /** null for an authenticator without a signature counter. */
  counter: number | null = 0;

  /** @param origin of the page that uses the authenticator */
  constructor(origin: string) {
    this.origin = origin;
  }

  /** A clone with the same keys and signature counter. */
  copy(): SoftwareAuthenticator {
    const copy = new SoftwareAuthenticator(this.origin);
    copy.keys = [...this.keys];
    copy.counter = this.counter;
    return copy;
  }

  /** Creates a passkey; returns the answer of the browser's `navigator.credentials.create`. */
  create(options: RegistrationOptions, lies: Lies = {}) {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x, y } = publicKey.export({ format: "jwk" });
    const key: Key = { id: randomBytes(32), rpId: options.rp.id, privateKey };
    this.keys.push(key);
    const coordinates = [x, y].map((text) => Buffer.from(text ?? "", "base64url"));
    const cose = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      bytes(coordinates[0]),
      Buffer.from([0x22]),
      bytes(coordinates[1]),
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(key.id.length);
    const data = Buffer.concat([
      this.#data(lies.rpId ?? key.rpId, lies, FLAGS.attested),
      Buffer.alloc(16),
      length,
      key.id,
      cose,
    ]);
    const { certificate } = lies;
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      text("fmt"),
      text(certificate === undefined ? "none" : "apple"),
      text("attStmt"),
      ...(certificate === undefined
        ? [Buffer.from([0xa0])]
        : [Buffer.from([0xa1]), text("x5c"), Buffer.from([0x81]), bytes(certificate)]),
      text("authData"),
      bytes(data),
    ]);
    return answer(key, {
      clientDataJSON: this.#clientData("webauthn.create", options.challenge, lies),
      attestationObject: attestation.toString("base64url"),
      transports: ["internal"],
    });
  }

  /** Signs in with the newest passkey; returns the answer of `navigator.credentials.get`. */
  get(options: SignInOptions, lies: Lies = {}) {
    const key = this.keys.at(-1);
    if (key === undefined) throw new Error("The device has no passkey.");
    if (this.counter !== null) this.counter += 1;
    const data = this.#data(lies.rpId ?? options.rpId, lies);
    const clientData = this.#clientData("webauthn.get", options.challenge, lies);
    const hash = sha256(Buffer.from(clientData, "base64url"));
    const signature = sign("sha256", Buffer.concat([data, hash]), key.privateKey);
    return answer(key, {
      clientDataJSON: clientData,
      authenticatorData: data.toString("base64url"),
      signature: signature.toString("base64url"),
    });
  }

  #data(rpId: string, { userVerified = true }: Lies, more = 0): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(FLAGS.userPresent | (userVerified ? FLAGS.userVerified : 0) | more, 0);
    rest.writeUInt32BE(this.counter ?? 0, 1);
    return Buffer.concat([sha256(Buffer.from(rpId)), rest]);
  }

  #clientData(type: string, challenge: string, lies: Lies): string {
    const data = { type, challenge, origin: this.origin, crossOrigin: false };
    const told = { type: lies.type, challenge: lies.challenge, origin: lies.origin };
    const changed = Object.fromEntries(Object.entries(told).filter(([, value]) => value));
    return Buffer.from(JSON.stringify({ ...data, ...changed })).toString("base64url");
  }
}

function answer<Response extends object>({ id }: Key, response: Response) {
  const name = id.toString("base64url");
  return { id: name, rawId: name, type: "public-key", clientExtensionResults: {}, response };
}

function sha256(data: Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}

/** CBOR encodings of a byte string and, below, of a short text. */
function bytes(data: Buffer): Buffer {
  const head =
    data.length < 256 ? [0x58, data.length] : [0x59, data.length >> 8, data.length & 255];
  return Buffer.concat([Buffer.from(head), data]);
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
}
