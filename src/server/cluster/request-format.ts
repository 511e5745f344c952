/** A request of another node as bytes: the length of its id, its id in ASCII, the command with its key. */
import { decodeCommand, encodeCommand } from "#engine/formats/command-codec.ts";
import type { CommandRequest } from "./cluster-commands.ts";

/** @throws RangeError if the command or its key is too large to be encoded */
export function encodeRequest({ id, key, command }: CommandRequest): Uint8Array {
  const encoded = encodeCommand(command, key);
  const bytes = new Uint8Array(1 + id.length + encoded.length);
  bytes[0] = id.length;
  for (let at = 0; at < id.length; at++) bytes[1 + at] = id.charCodeAt(at);
  bytes.set(encoded, 1 + id.length);
  return bytes;
}

/** @throws CommandFormatError and others if the bytes are not a request of a known command */
export function decodeRequest(bytes: Uint8Array): CommandRequest {
  const start = 1 + bytes[0];
  const id = String.fromCharCode(...bytes.subarray(1, start));
  const { command, idempotencyKey: key } = decodeCommand(bytes.subarray(start));
  return { id, key, command };
}
